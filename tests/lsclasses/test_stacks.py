"""Stacked hypotheses against each of them asked alone, also where numbers fill a type."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.exceptions import STACKED_EXCEPTIONS, AllBut, AllButStack
from catalog.closed_forms.flat_indicators import FlatIndicator, FlatStack
from catalog.closed_forms.flats import Flats
from catalog.closed_forms.literals import LiteralBits, LiteralRule, LiteralStack
from catalog.closed_forms.thresholds import STACKED_CHANGES, Steps, StepsStack
from lsclasses import (
    Concept,
    Constant,
    FiniteDomain,
    Hypothesis,
    IntegerRange,
    PatchedHypothesis,
    ProductClass,
)
from lsclasses import stacks as module
from lsclasses.point_names import Point
from lsclasses.stacks import GrowingArray, HypothesisStack, Listed, Stack, unsigned
from tests.catalog.closed_forms.closed_form_checks import check_stack


def check_at(hypotheses: Sequence[Hypothesis], points: Iterable[Point]) -> None:
    stack = HypothesisStack(hypotheses[0].domain)
    for h in hypotheses:
        stack.append(h)
    assert len(stack) == len(hypotheses)
    for x in points:
        assert stack.labels(x).tolist() == [h(x) for h in hypotheses], x


@given(st.lists(st.integers(0, 255), max_size=80))
def test_an_array_grows_like_a_list(numbers: list[int]) -> None:
    single, columns = GrowingArray(np.uint8), GrowingArray(np.uint8, (2,))
    for i, number in enumerate(numbers):
        single.append(number)
        columns.append([number, 255 - number])
        assert single.array.tolist() == numbers[: i + 1]
    assert columns.array.tolist() == [numbers, [255 - number for number in numbers]]
    before = single.array
    single.fill(7, len(numbers) + 100)
    assert single.array.tolist() == numbers + [7] * 100
    assert before.tolist() == numbers


def test_types_hold_every_number_below_the_size() -> None:
    for bits in (8, 16, 32, 64):
        dtype = unsigned(1 << bits)
        assert np.iinfo(dtype).max == (1 << bits) - 1
        assert bits == 8 or np.iinfo(unsigned(1 << bits // 2)).bits == bits // 2
        larger = unsigned((1 << bits) + 1)
        assert larger is object if bits == 64 else np.iinfo(larger).bits == 2 * bits
    assert unsigned(None) is object


@given(st.data(), st.integers(1, 20))
def test_tables_constants_and_changed_ones_together(data: st.DataObject, points: int) -> None:
    X = FiniteDomain(range(points))
    labels = st.lists(st.integers(0, 1), min_size=points, max_size=points)
    concepts = labels.map(lambda given: Concept.from_labels(X, given))
    constants = st.integers(0, 1).map(lambda label: Constant(X, label))
    plain = st.one_of(concepts, constants)
    patches = st.dictionaries(st.integers(0, points - 1), st.integers(0, 1), max_size=4)
    changed = st.builds(PatchedHypothesis, plain, patches)
    twice = st.builds(PatchedHypothesis, changed, patches)
    check_stack(data.draw(st.lists(st.one_of(plain, changed, twice), min_size=1, max_size=25)))


RANGES = (
    IntegerRange(0, 5),
    IntegerRange(-3, 253),
    IntegerRange(7, 2**16 + 8),
    IntegerRange(0, 2**32),
    IntegerRange(-(2**63), 2**63),
    IntegerRange(0, 2**64),
    IntegerRange(5, 2**64 + 6),
    IntegerRange(-2),
)


@given(st.data(), st.sampled_from(RANGES))
def test_steps_at_the_ends_of_the_range(data: st.DataObject, X: IntegerRange) -> None:
    stop = X.stop if X.stop is not None else 2**70
    near = [x for end in (X.start, stop) for x in range(end - 3, end + 3)]
    places = st.one_of(st.sampled_from(near), st.integers(X.start, stop))
    rules = st.builds(Steps, st.just(X), st.integers(0, 1), st.lists(places, max_size=4))
    steps = data.draw(st.lists(rules, min_size=1, max_size=12))
    beside = [x + d for h in steps for x in h.changes for d in (-1, 0, 1)]
    check_at(steps, (x for x in near + beside if x in X))
    assert all(isinstance(h._stack(), StepsStack) for h in steps)


def test_rules_that_are_too_long_to_stack_are_asked_one_by_one() -> None:
    X = IntegerRange(0, 1000)
    long = Steps(X, 0, range(1, 2 * STACKED_CHANGES))
    assert isinstance(long._stack(), Listed)
    check_stack([Steps(X, 1, [5]), long, Steps(X, 0, [9, 10]), Steps(X, 0, [2, 4, 6, 8]), long])
    wide = AllBut(X, 1, range(STACKED_EXCEPTIONS + 1))
    assert isinstance(wide._stack(), Listed)
    check_stack([wide, AllBut(X, 0, [3, 5]), AllBut(X, 1), AllBut(X, 1, [3]), wide])


@given(st.data())
def test_exceptions_on_a_range_no_type_holds(data: st.DataObject) -> None:
    X = IntegerRange(0, 2**80)
    points = st.sampled_from([0, 1, 2**63, 2**64, 2**80 - 1])
    sets = st.lists(points, max_size=3)
    rules = st.builds(AllBut, st.just(X), st.integers(0, 1), sets)
    hypotheses = data.draw(st.lists(rules, min_size=1, max_size=10))
    assert all(isinstance(h._stack(), AllButStack) for h in hypotheses)
    check_at(hypotheses, [0, 1, 2, 2**63, 2**64, 2**80 - 1])


def random_flats(n: int, rng: np.random.Generator) -> list[FlatIndicator]:
    C = Flats(2, n, n, empty=True)
    return [C.soa()] + [C.sample(rng) for _ in range(12)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_flats_exhaustively(n: int) -> None:
    table = catalog.family("affine").table(q=2, n=n, k=n, empty=1)
    C = Flats(2, n, n, empty=True)
    flats = [C._flat_of(c.support) for c in table]
    assert all(isinstance(h._stack(), FlatStack) for h in flats)
    order = np.random.default_rng(n).permutation(len(flats)).tolist()
    check_stack([flats[i] for i in order])
    stack = HypothesisStack(C.domain)
    for h in flats:
        stack.append(h)
    columns = np.array([stack.labels(x) for x in C.domain])
    assert np.array_equal(columns.T, table.labels)


@pytest.mark.parametrize("n", [8, 32, 33, 64, 65])
def test_flats_whose_vectors_fill_a_type_or_none(n: int) -> None:
    rng = np.random.default_rng(n)
    flats = random_flats(n, rng)
    inside = [h.sample_point(rng) for h in flats[1:] if h.span.rows for _ in range(3)]
    check_at(flats, inside + [Flats(2, n, n).domain.sample(rng) for _ in range(20)])


@pytest.mark.parametrize("both", [False, True])
def test_rules_of_literals_exhaustively(both: bool) -> None:
    literals = LiteralBits(2, both=both, asked=1)
    sets = range(literals.all + 1)
    rules = [
        LiteralRule(literals, label, decisive, others)
        for label, decisive, others in itertools.product((0, 1), sets, sets)
        if not decisive & others and not others & others >> 2
    ]
    assert isinstance(rules[0]._stack(), LiteralStack)
    check_stack(rules)


@pytest.mark.parametrize("n", [16, 32, 33, 70])
def test_rules_of_literals_whose_sets_fill_a_type_or_none(n: int) -> None:
    rng = np.random.default_rng(n)
    C = catalog.build(f"conjunctions:n={n}")
    x = C.domain.sample(rng)
    rules = [C.soa(), C.restrict(x, 1).soa(), *(C.sample(rng) for _ in range(10))]
    literals = LiteralBits(n, both=True, asked=0)
    last = LiteralRule(literals, 1, 1 << (2 * n - 1), (1 << n - 1) - 1)
    check_at([*rules, last], [C.domain.sample(rng) for _ in range(30)] + [x])


@pytest.mark.parametrize("n", [33, 64, 70])
def test_a_tolerated_literal_may_stand_in_any_word(n: int) -> None:
    literals = LiteralBits(n, both=True, asked=1)
    first = (1 << n) - 1
    every = [LiteralRule(literals, 0, 0, first), LiteralRule(literals, 1, 0, first << n)]
    places = sorted({0, 1, 31, 32, n - 2, n - 1} | {min(63, n - 1), min(64, n - 1)})
    points: list[Point] = [literals.point(1 << i) for i in places]
    points += [literals.point(1 << i | 1 << j) for i, j in itertools.combinations(places, 2)]
    points += [literals.point(first ^ 1 << i ^ 1 << j) for i in places for j in places]
    check_at([*every, LiteralRule(literals, 0, 1 << 2 * n - 1, first >> 1)], points)


def test_hypotheses_on_unions_are_stacked_on_every_part() -> None:
    C = ProductClass(catalog.build("thresholds:n=9"), catalog.build("points:n=4"))
    rng = np.random.default_rng(0)
    rules: list[Hypothesis] = [C.sample(rng) for _ in range(10)]
    rules += [C.given(C.sample_stream(3, rng)).soa() for _ in range(10)]
    check_stack([*rules, PatchedHypothesis(rules[0], {(0, 3): 1, (1, 2): 1})])
    assert not isinstance(rules[0]._stack(), Listed)


def test_labels_of_those_asked_one_by_one_are_remembered_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Point] = []

    class Told(Constant):
        def _label(self, x: Point) -> int:
            asked.append(x)
            return super()._label(x)

    X = FiniteDomain(range(4))
    monkeypatch.setattr(module, "KNOWN_BYTES", 2 * (module.KEPT_POINT + 2))
    stack = Listed()
    stack.append(Told(X, 0))
    assert stack.labels(0).tolist() == stack.labels(0).tolist() == [False]
    stack.append(Told(X, 1))
    assert stack.labels(0).tolist() == [False, True]
    assert asked == [0, 0]
    for x in (1, 2, 0):
        assert stack.labels(x).tolist() == [False, True]
    # Two points are remembered, so the first one was forgotten when the third came.
    assert asked == [0, 0, 1, 1, 2, 2, 0, 0]
    assert stack.labels(2).tolist() == [False, True]
    assert len(asked) == 8


def test_every_stack_refuses_what_it_cannot_hold() -> None:
    X = IntegerRange(0, 8)
    kinds: list[Hypothesis] = [
        Concept.from_labels(range(8), [0] * 8),
        Constant(X, 0),
        Steps(X, 0, [2]),
        AllBut(X, 0, [2]),
        *random_flats(3, np.random.default_rng(0))[:1],
        LiteralRule(LiteralBits(3, both=False, asked=1), 0, 1),
        LiteralRule(LiteralBits(3, both=True, asked=1), 0, 1),
    ]
    for g, h in itertools.product(kinds, repeat=2):
        stack: Stack = g._stack()
        assert stack.accepts(h) == (g is h), (g, h)
