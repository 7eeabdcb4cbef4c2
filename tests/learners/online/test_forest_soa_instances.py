"""The forests that are audited, and the least that can be asked for by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from learners.accounting import basic
from learners.auditable import instance
from learners.coins import SeededCoins
from learners.online.forest_parameters import ForestParameters
from learners.online.forest_soa import (
    PUBLISH,
    ChosenForest,
    FirstMistake,
    ForestSOA,
    replaced_examples,
)
from learners.online.runnable import RUNNABLE
from lsclasses.domain import FiniteDomain

BASE = FirstMistake(FiniteDomain(range(3)))


def test_who_learns_points_is_right_where_it_has_just_erred() -> None:
    assert BASE.corrects
    for x in range(3):
        assert BASE.predict(x) == 0 and BASE.observe(x, 1).predict(x) == 1
        assert [BASE.mistake_bound, BASE.observe(x, 1).mistake_bound] == [1, 0]


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_in_every_place_a_mistake_is_replaced_by_none_or_another(rounds: int) -> None:
    found = []
    for zero, one in replaced_examples(rounds):
        assert len(zero) == len(one) == 2 * rounds
        assert set(zero[1::2]) == set(one[1::2]) == {PUBLISH}
        hits = set(zero[::2])
        ((x, y),) = hits
        assert BASE.predict(x) != y in (0, 1)
        ((place, (point, label)),) = [
            (at, item) for at, item in enumerate(one[::2]) if item not in hits
        ]
        assert label in (0, 1)
        mistake = BASE.predict(point) != label
        # None at all at the same point, or one at another point.
        assert (point != x) == mistake
        found.append((place, mistake))
    assert sorted(found) == [(at, kind) for at in range(rounds) for kind in (False, True)]


@pytest.mark.parametrize("given", ["", "histograms=3", "rounds=1,trees=1", "leaves=2,rounds=1"])
def test_an_instance_claims_the_epsilon_and_delta_that_are_given(given: str) -> None:
    """The price of one name more than are looked for is no part of it, since none reads it."""
    built = instance(f"forest_soa:epsilon=7,delta=1/30,{given}".rstrip(","))
    assert basic(built.privacy) == (7, Fraction(1, 30))


def test_each_round_tells_the_next_tree_until_none_is_left() -> None:
    parameters = ForestParameters(4, 2, Fraction(1, 2), 2, Fraction(8), Fraction(1, 9))
    learner = ChosenForest(BASE, parameters, told=((0, 1),))
    coins = SeededCoins(1)
    forest = learner._begin(coins)
    fresh = learner._tree
    for number, left in enumerate((1, 0, 0, 0), start=1):
        forest = learner._receive(forest, 0, 1, coins)
        assert (forest.played, forest.trees.get(fresh, 0)) == (number, left)
        assert sum(count for _, count in forest.trees.items()) == 2


@pytest.mark.parametrize("option", [{"histograms": 1}, {"leaves": 2}, {"trees": 1}])
def test_by_name_the_least_that_there_is_can_be_asked_for(option: dict[str, Any]) -> None:
    learner = RUNNABLE["forest-soa"].learner("points:n=9", 100, epsilon=8, **option)
    assert isinstance(learner, ForestSOA)
    ((name, value),) = option.items()
    assert getattr(learner.parameters, name) == value
