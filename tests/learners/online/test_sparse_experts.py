"""Experts of whom one never loses: budgets, phases, conditions of the bound, who breaks it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import log
from typing import Any

import pytest

import catalog
from learners.accounting import basic, zcdp
from learners.audit import HOLDS, VIOLATED, audit_game
from learners.checks import check_learner
from learners.coins import SeededCoins
from learners.games import AdaptiveStream, Ask, Challenge
from learners.online.adversaries import Noisy, RandomConcept
from learners.online.expert_sources import LossVectors, experts_of
from learners.online.loss_adversaries import Chasing, RandomLosses
from learners.online.play import play
from learners.online.sparse_experts import SparseVectorExperts, good_phases, phases_for
from lsclasses.errors import InvalidInput

SMALL = Fraction(1, 10**6)


def made(experts: int = 2, **given: Any) -> SparseVectorExperts:
    values = {"rounds": 3, "rate": 1, "phases": 2, "threshold": 1, "counting": 24}
    return SparseVectorExperts(LossVectors(experts), **{**values, **given})


@pytest.mark.parametrize(
    ("experts", "rounds", "epsilon", "delta"),
    [(2, 1, 1, SMALL), (17, 50, 2, 0), (17, 10**5, 1, SMALL), (2**64, 10**6, 4, SMALL)],
)
def test_the_budget_is_kept_and_the_bound_applies(
    experts: int, rounds: int, epsilon: Any, delta: Any
) -> None:
    learner = SparseVectorExperts.for_budget(LossVectors(experts), rounds, epsilon, delta)
    event = learner.privacy
    assert (zcdp(event, delta)[0] if delta else basic(event)[0]) <= epsilon
    (bound,) = learner.bounds
    assert bound.applies
    # One less of anything, and a condition fails.
    for weaker in ({"phases": learner.phases - 1}, {"threshold": learner.threshold - 1}):
        assert not replace(learner, **weaker).bounds[0].applies


def test_the_share_is_chosen_for_the_least_bound() -> None:
    given = LossVectors(100), 10**5, Fraction(2), SMALL
    best = SparseVectorExperts.for_budget(*given).bounds[0].value
    assert best == min(
        SparseVectorExperts.for_budget(*given, share=Fraction(i, 16)).bounds[0].value or 0
        for i in range(1, 16)
    )


def test_phases() -> None:
    for experts in (2, 3, 5, 100, 10**6):
        assert good_phases(experts) == int(log(experts) / log(4 / 3) + 1e-9)
    assert phases_for(0, Fraction(1, 2)) == 2  # P[Bin(2, 1/2) <= 0] = 1/4


def test_all_adaptive_adversaries() -> None:
    """Three rounds, two experts; with twice the epsilon in thresholds the claim is violated."""
    vectors = list(product((0, 1), repeat=2))
    moves = (*map(Ask, vectors), *(Challenge(*pair) for pair in combinations(vectors, 2)))
    learner, cut = made(counting=8), Fraction(1, 2**16)
    loud = replace(learner, counting=Fraction(24))

    def verdict(of: SparseVectorExperts) -> str:
        game = AdaptiveStream(of, 3)
        resolution = Fraction(1, 10**3)
        return audit_game(game, moves, learner.privacy, tail=cut, resolution=resolution).verdict

    assert verdict(learner) == HOLDS
    assert verdict(loud) == VIOLATED


def test_an_expert_stays_until_it_has_lost_enough() -> None:
    """So large an epsilon that there is hardly any noise (an error has probability 10^-9)."""
    learner = made(3, rounds=12, threshold=2, counting=100, phases=3, rate=30)
    coins = SeededCoins(1)
    state = learner.start(coins)
    drawn = []
    for _ in range(12):
        item = [0, 0, 0]
        item[state.hypothesis] = 1
        state = learner.receive(state, item, coins)  # type: ignore[assignment]
        drawn.append(state.kept.drawn)
    # Two losses a phase, and the last expert stays.
    assert drawn == [1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3]
    assert state.kept.run is None


def test_little_is_lost_where_one_expert_is_perfect() -> None:
    learner = SparseVectorExperts.for_budget(LossVectors(100), 5000, 16, SMALL)
    game = play(learner, RandomLosses(100, best=Fraction(0)), 5000, SeededCoins(1))
    (bound,) = game.bounds
    assert bound.applies and not bound.vacuous
    assert game.regret == game.loss < (bound.value or 0) / 3


def test_an_adversary_who_sees_experts_breaks_the_bound() -> None:
    learner = SparseVectorExperts.for_budget(LossVectors(1000), 4000, 16, SMALL)
    chased = play(learner, Chasing(1000), 4000, SeededCoins(1))
    assert not chased.bounds[0].applies
    assert chased.regret == chased.loss > 2 * (chased.bounds[0].value or 0)


def test_noisy_streams_get_no_promise() -> None:
    C = catalog.build("thresholds:n=31")
    learner = SparseVectorExperts.for_budget(experts_of(C), 500, 16, SMALL)
    fits = play(learner, RandomConcept(C), 500, SeededCoins(1))
    assert fits.bounds[0].applies and fits.regret == fits.mistakes
    noisy = play(learner, Noisy(RandomConcept(C), Fraction(1, 5)), 500, SeededCoins(1))
    assert not noisy.bounds[0].applies


def test_it_is_a_learner_of_concepts() -> None:
    experts = experts_of(catalog.build("thresholds:n=5"))
    check_learner(SparseVectorExperts.for_budget(experts, 40, 8, SMALL), "thresholds:n=5")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rounds": 0}, "number of rounds"),
        ({"phases": 0}, "number of phases"),
        ({"threshold": Fraction(1, 2)}, "threshold must be an integer"),
        ({"counting": 0}, "positive"),
        ({"rate": -1}, "rate"),
    ],
)
def test_refusals(given: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        made(**given)


def test_losses_are_bits() -> None:
    with pytest.raises(InvalidInput, match="losses of 0 and 1"):
        SparseVectorExperts.for_budget(LossVectors(2, scale=4), 10, 1)
