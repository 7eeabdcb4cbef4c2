"""Experts and what they lose: fast tallies against definitions, exact draws, refusals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
import learners.coins.words
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.playing.expert_sources import (
    ClassExperts,
    ExpertSource,
    HypothesisExperts,
    LossVectors,
    TableExperts,
    deferred,
    experts_of,
)
from learners.playing.expert_sources.grouped import _ArrayTally, _GroupTally
from lsclasses import Table
from tests.strategies import tables

streams = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), max_size=8)


def tallied(experts: ExpertSource, items: Any) -> Any:
    tally = experts.begin()
    for item in items:
        tally = tally.after(experts.require(item))
    return tally


@given(tables(max_concepts=12, max_points=9), streams)
def test_what_concepts_lose_is_how_often_they_err(C: Table, stream: Any) -> None:
    stream = [(x % len(C.domain), y) for x, y in stream]
    errors = [sum(c(x) != y for x, y in stream) for c in C]
    sources = TableExperts(C), HypothesisExperts(C), ClassExperts(C)
    for experts in sources[:2]:
        tally = tallied(experts, stream)
        assert tally.losses.tolist() == errors
        assert tally.least == min(errors)
        assert tally.best == C[errors.index(min(errors))]
        assert experts.size == len(C)
    groups = tallied(sources[2], stream)
    assert groups.least == min(errors)
    assert sum(groups.best(x) != y for x, y in stream) == min(errors)
    counted: Counter[int] = Counter()
    for key, loss, count in groups.groups:
        counted[loss] += count * sources[2].members(key)
    assert counted == Counter(errors)


@pytest.mark.parametrize("stream", [(), ((1, 1),), ((1, 1), (1, 0), (3, 0), (2, 1))])
def test_all_sources_draw_by_the_same_weights(stream: Any) -> None:
    C, rate = catalog.build("thresholds:n=4").to_table(), Fraction(3, 4)
    weights = [float(np.exp(-0.75 * sum(c(x) != y for x, y in stream))) for c in C]
    for experts in (TableExperts(C), HypothesisExperts(C), ClassExperts(C)):
        tally = tallied(experts, stream)
        law = exact_distribution(lambda coins, tally=tally: tally.draw(rate, coins).to_concept())
        for c, weight in zip(C, weights, strict=True):
            assert float(law[c]) == pytest.approx(weight / sum(weights), abs=1e-12)


@pytest.mark.parametrize(
    "specification",
    ["points:n=5", "intervals:n=4", "at-most:n=4,k=2", "conjunctions:n=2", "affine:q=2,n=2,k=1"],
)
def test_members_of_a_closed_form_are_drawn_uniformly(specification: str) -> None:
    """The law of the coins' draws; rejections are followed for four draws."""
    C = catalog.build(specification)
    experts = ClassExperts(C)
    for key in (C, C.restrict(next(iter(C.domain)), 0)):
        law = exact_distribution(
            lambda coins, key=key: experts.member(key, coins).to_concept(),
            tail=Fraction(1, 2**10),
            depth=4,
        )
        cut = float(law.tail.upper())
        assert len(law) == experts.members(key) and cut < 0.4
        for concept in law:
            assert float(law[concept]) <= 1 / len(law) + 1e-12 <= float(law[concept]) + cut + 2e-12


def test_a_huge_class_has_as_many_groups_as_points_were_asked() -> None:
    n = 2**64
    experts = experts_of(catalog.build(f"points:n={n}"))
    assert isinstance(experts, ClassExperts)
    tally = tallied(experts, [(x, 0) for x in range(20)] + [(3, 0)])
    assert Counter(loss for _, loss, _ in tally.groups) == {0: 1, 1: 19, 2: 1}
    assert sum(count * experts.members(key) for key, _, count in tally.groups) == n
    # The groups of one expert are never met: nearly all are in the other one.
    assert all(tally.draw(Fraction(1, 10), SeededCoins(i))(3) == 0 for i in range(20))


def test_a_tally_that_is_cleared_has_the_same_experts() -> None:
    """What they lose later counts as ever."""
    C = catalog.build("points:n=4")
    listed, closed = TableExperts(C.to_table()), ClassExperts(C)
    seen = [(0, 0), (1, 0), (1, 0)]
    cleared = tallied(listed, seen).cleared()
    assert cleared == listed.begin()
    assert cleared.after(listed.require((2, 0))) == tallied(listed, [(2, 0)])
    groups = tallied(closed, seen)
    expected: Counter[Any] = Counter()
    for key, _, count in groups.groups:
        expected[key, 0] += count
    found = {(key, loss): count for key, loss, count in groups.cleared().groups}
    assert found == expected and groups.cleared().least == 0
    # Groups of one key that have lost differently are one when losses are forgotten.
    others = tuple((key, loss + 1, 2 * count) for key, loss, count in groups.groups)
    both = _GroupTally(closed, groups.groups + others).cleared()
    assert {(key, loss): count for key, loss, count in both.groups} == {
        entry: 3 * count for entry, count in expected.items()
    }


def test_losses_in_a_unit() -> None:
    experts = LossVectors(2, scale=6)
    tally = tallied(experts, [(Fraction(1, 3), 1), (Fraction(1, 2), 0), np.array([1, 0])])
    assert tally.losses.tolist() == [2 + 3 + 6, 6]
    assert tally.least == 6 and experts.unit == Fraction(1, 6)
    assert experts.require(np.array([True, False])).tolist() == [6, 0]


IN_ARRAYS = (
    "thresholds:n=1",
    "thresholds:n=9",
    "thresholds:n=2^64",
    "thresholds:n=2^70",
    "points:n=2",
    "points:n=1,empty=1",
    "points:n=9,empty=1",
    "points:n=2^64",
    "points:n=2^70",
    "intervals:n=1",
    "intervals:n=2,empty=0",
    "intervals:n=8",
    "intervals:n=2^20",
    "intervals:n=2^64",
)
"""Classes whose groups are arrays."""
ROUNDS = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 1), st.sampled_from((1, 1, 3))), max_size=40
)
"""Points by their positions, labels and weights."""


@pytest.mark.parametrize("many", [1, 32])
@given(rounds=ROUNDS, spec=st.sampled_from(IN_ARRAYS), seed=st.integers(0, 9))
def test_groups_in_arrays_are_the_groups_of_the_definition(
    many: int, rounds: Any, spec: str, seed: int
) -> None:
    """Groups, losses, best experts, files and draws agree, and draws use the same coins."""
    C = catalog.build(spec)
    experts, places = ClassExperts(C), _points(C)
    fast: Any = experts.begin()
    slow: Any = _GroupTally(experts, tuple((key, 0, count) for key, count in experts.groups()))
    assert isinstance(fast, _ArrayTally)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learners.coins.words, "MANY", many)
        for number, (place, y, weight) in enumerate(rounds):
            item = places[place % len(places)], y
            fast, slow = fast.after(item, weight), slow.after(item, weight)
            if number % 7 == seed:
                fast, slow = fast.cleared(), slow.cleared()
            if number % 5 == seed % 5:
                coins = SeededCoins(number), SeededCoins(number)
                rate = Fraction(1 + seed, 4)
                assert fast.draw(rate, coins[0]) == slow.draw(rate, coins[1])
                assert coins[0].below(1 << 60) == coins[1].below(1 << 60)
                assert fast.least == slow.least
    assert (fast.groups, fast.least, fast.best) == (slow.groups, slow.least, slow.best)
    data = experts.tally_to_json(fast)
    assert data == experts.tally_to_json(slow)
    again = experts.tally_from_json(data)
    assert isinstance(again, _ArrayTally) and again == fast and hash(again) == hash(fast)


def _points(C: Any) -> list[int]:
    """Up to 12 points, at the ends of the domain and between them."""
    n = C.domain.size
    return sorted({i * (n - 1) // 11 for i in range(12)})


def test_a_file_with_other_groups_is_read_without_arrays() -> None:
    experts = ClassExperts(catalog.build("thresholds:n=9"))
    tally = tallied(experts, [(3, 1), (5, 0)])
    data = experts.tally_to_json(tally)
    assert isinstance(experts.tally_from_json(data[::-1]), _GroupTally)
    assert isinstance(experts.tally_from_json(data[1:]), _GroupTally)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), min_size=1, max_size=30))
def test_tallies_that_share_their_rounds_stay_independent(stream: Any) -> None:
    """Each prefix has two continuations, whose losses are added later, in any order."""
    C = catalog.build("points:n=5").to_table()
    for experts in (TableExperts(C), ClassExperts(catalog.build("points:n=5"))):
        kept = [experts.begin()]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(deferred, "DEFERRED", 4)
            for item in stream:
                kept.append(kept[-1].after(item))
                kept[-2].after((0, 0))
        for number in reversed(range(len(kept))):
            errors = [sum(c(x) != y for x, y in stream[:number]) for c in C]
            assert kept[number].least == min(errors)
            later = kept[number].after((2, 1))
            assert later.least == min(e + (c(2) != 1) for e, c in zip(errors, C, strict=True))


def test_a_learner_and_its_game_add_losses_once() -> None:
    """An equal item gives the tally that is in use, and another weight does not."""
    experts = TableExperts(catalog.build("points:n=5").to_table())
    first = experts.begin()
    assert experts.begin() is first
    second = first.after((1, 0))
    assert first.after((1, 0)) is second
    assert first.after((1, 0), 2) != second
    assert first.after((1, 1)) != second


def test_losses_of_many_rounds_have_a_wider_type() -> None:
    experts = TableExperts(catalog.build("points:n=5").to_table())
    tally = tallied(experts, [(0, 0)] * 200)
    assert tally.losses.dtype == np.uint8
    assert tally.after((0, 0), 100).losses.tolist() == [300, 0, 0, 0, 0]
    many = tally.after((0, 0), 1 << 20)
    assert many.losses.tolist() == [200 + (1 << 20), 0, 0, 0, 0]
    data = experts.tally_to_json(many)
    assert experts.tally_from_json(data) == many
    assert hash(experts.tally_from_json(data)) == hash(many)
