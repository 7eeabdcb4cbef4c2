"""Hypotheses: what they say on points, and that only this counts."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import (
    Concept,
    Constant,
    Domain,
    FiniteDomain,
    Hypothesis,
    IntegerRange,
    PatchedHypothesis,
    Table,
    TooLarge,
)
from lsclasses.hypothesis import ComputedHypothesis
from lsclasses.point_names import Point


class AtLeast(Hypothesis):
    """x -> [x >= bound] on a domain of integers."""

    def __init__(self, bound: int, domain: Domain) -> None:
        self.bound = bound
        self._domain = domain

    @property
    def domain(self) -> Domain:
        return self._domain

    def _label(self, x: Any) -> int:
        return int(x >= self.bound)

    def _extension(self) -> Hashable:
        return ("at least", self.bound)


@st.composite
def pairs_of_labellings(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    n = draw(st.integers(1, 20))
    row = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    first = draw(row)
    second = draw(st.one_of(st.just(list(first)), row))
    return first, second


# ---- concepts


@given(pairs_of_labellings())
def test_concepts_are_what_they_say(pair: tuple[list[int], list[int]]) -> None:
    labels, others = pair
    X = FiniteDomain([f"x{j}" for j in range(len(labels))])
    c = Concept.from_labels(X, labels, name="c")
    d = Concept.from_labels(X.points, iter(others), name="d")
    assert [c(x) for x in X] == c.labels.tolist() == labels
    assert c.support == tuple(x for x in X if c(x) == 1)
    assert (c == d) == (labels == others)
    if c == d:
        assert hash(c) == hash(d)
        assert c.disagreement(d) is None
    else:
        x = c.disagreement(d)
        assert x == d.disagreement(c)
        assert c(x) != d(x)
    assert c.to_concept() is c


def test_the_packed_form_holds_eight_labels_a_byte_first_point_highest() -> None:
    assert Concept.from_labels(range(9), [1, 0, 0, 0, 0, 0, 0, 1, 1]).packed == bytes([129, 128])


# ---- comparison across representations


@given(st.integers(1, 12), st.data())
def test_representations_on_a_list_of_points_compare_by_what_they_say(
    n: int, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n), min_size=1))
    labels = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    C = Table(rows)
    written = Concept.from_labels(C.domain, labels)
    patched = PatchedHypothesis(C[0], dict(enumerate(labels)))
    assert patched == written
    assert written == patched
    assert hash(patched) == hash(written)
    assert patched.disagreement(written) is None
    assert (patched == C[0]) == (written == C[0])
    assert (patched.disagreement(C[0]) is None) == (patched == C[0])
    assert patched.to_concept() == written
    assert (patched in C) == (written in C)


def test_hypotheses_on_different_domains_are_not_equal() -> None:
    c, d = Concept.from_labels("ab", [0, 1]), Concept.from_labels("ba", [1, 0])
    assert c != d and c != "c"


# ---- patches


@given(
    st.lists(st.integers(0, 1), min_size=1, max_size=10),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), max_size=6),
)
def test_patches_change_exactly_the_given_points(
    labels: list[int], changes: list[tuple[int, int]]
) -> None:
    changes = [(x % len(labels), y) for x, y in changes]
    base = Concept.from_labels(range(len(labels)), labels)
    h: Hypothesis = base
    for x, y in changes:
        h = PatchedHypothesis(h, {x: y})
    expected = {**dict(enumerate(labels)), **dict(changes)}
    assert {x: h(x) for x in range(len(labels))} == expected
    assert h == PatchedHypothesis(base, dict(changes))
    if isinstance(h, PatchedHypothesis):
        assert h.base is base
        assert set(h.patches.items()) == set(expected.items()) - set(enumerate(labels))


@given(st.dictionaries(st.integers(0, 20), st.integers(0, 1), max_size=5), st.integers(0, 20))
def test_patches_on_an_infinite_domain_compare_by_what_they_change(
    patches: dict[int, int], bound: int
) -> None:
    base = AtLeast(bound, IntegerRange(0))
    h = PatchedHypothesis(base, patches)
    again = PatchedHypothesis(base, {x: h(x) for x in range(21)})
    assert h == again
    assert hash(h) == hash(again)
    assert (h == base) == all(base(x) == y for x, y in patches.items())
    assert h.disagreement(again) is None
    x = h.disagreement(base)
    assert base.disagreement(h) == x
    assert (x is None) == (h == base)
    assert x is None or h(x) != base(x)


@given(st.integers(1, 5), st.integers(0, 1), st.sets(st.integers(0, 4)), st.booleans())
def test_constants_changed_at_points(size: int, label: int, where: set[int], listed: bool) -> None:
    domain = FiniteDomain(range(size)) if listed else IntegerRange(0, size)
    patches = {x: 1 - label for x in where if x < size}
    changed = PatchedHypothesis(Constant(domain, label), patches)
    for other_label in (0, 1):
        constant = Constant(domain, other_label)
        differing = [x for x in domain if changed(x) != other_label]
        assert (changed == constant) == (not differing)
        assert changed.disagreement(constant) == next(iter(differing), None)
        same = PatchedHypothesis(constant, dict.fromkeys(differing, 1 - other_label))
        assert same == changed
        assert hash(same) == hash(changed)


def test_constants_on_infinite_domains() -> None:
    zero, one = Constant(IntegerRange(0), 0), Constant(IntegerRange(0), 1)
    assert zero == Constant(IntegerRange(0), 0)
    assert zero != one
    assert zero.disagreement(one) == 0
    assert PatchedHypothesis(zero, {3: 1}) == PatchedHypothesis(zero, {3: 1, 5: 0})


@pytest.mark.parametrize(("size", "kept"), [(200, 200), (1 << 12, 200), ((1 << 12) + 1, 64)])
def test_computed_labels_are_remembered_all_or_the_recent_ones(size: int, kept: int) -> None:
    computed: list[int] = []

    class Odd(ComputedHypothesis):
        @property
        def domain(self) -> Domain:
            return IntegerRange(0, size)

        def _compute(self, x: Point) -> int:
            assert isinstance(x, int)
            computed.append(x)
            return x % 2

    h = Odd()
    for x in [*range(200), *range(199, -1, -1)]:
        assert h(x) == x % 2
        assert len(h._labels) <= max(kept, 64)
    assert (len(computed) == 200) == (kept == 200)
    assert h == Odd()
    assert h.disagreement(PatchedHypothesis(h, {7: 0})) == 7


def test_the_first_disagreement_does_not_depend_on_how_labellings_came_about() -> None:
    def thresholds_changed_into(labels: list[int]) -> list[PatchedHypothesis]:
        bases = [AtLeast(bound, IntegerRange(0, 7)) for bound in range(8)]
        return [PatchedHypothesis(base, dict(enumerate(labels))) for base in bases]

    ones = thresholds_changed_into([0, 0, 0, 0, 1, 0, 0])
    others = thresholds_changed_into([0, 0, 0, 1, 0, 1, 1])
    for g, h in itertools.product(ones, others):
        assert g.disagreement(h) == h.disagreement(g) == 3
        assert g.distance(h) == h.distance(g) == 4


def test_large_domains_are_not_walked_through() -> None:
    for size, shown in ((None, "infinitely many"), (1 << 40, str(1 << 40))):
        g, h = AtLeast(5, IntegerRange(0, size)), AtLeast(7, IntegerRange(0, size))
        for ask in (g.disagreement, g.distance, lambda h: h.to_concept()):
            with pytest.raises(TooLarge, match=rf"{shown} points"):
                ask(h)
