"""Experts and what they lose: fast tallies against definitions, exact draws, refusals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.playing.expert_sources import (
    ClassExperts,
    ExpertSource,
    HypothesisExperts,
    LossVectors,
    TableExperts,
    experts_of,
)
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
    both = replace(groups, groups=groups.groups + others).cleared()
    assert {(key, loss): count for key, loss, count in both.groups} == {
        entry: 3 * count for entry, count in expected.items()
    }


def test_losses_in_a_unit() -> None:
    experts = LossVectors(2, scale=6)
    tally = tallied(experts, [(Fraction(1, 3), 1), (Fraction(1, 2), 0), np.array([1, 0])])
    assert tally.losses.tolist() == [2 + 3 + 6, 6]
    assert tally.least == 6 and experts.unit == Fraction(1, 6)
    assert experts.require(np.array([True, False])).tolist() == [6, 0]
