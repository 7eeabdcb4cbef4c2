"""Experts of whom one never loses: budgets, phases, conditions of the bound, who breaks it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import ceil, log
from typing import Any

import pytest

import catalog
from learners.accounting import basic, zcdp
from learners.audit import audit, audit_game
from learners.audit.registry import instance
from learners.budget import Budget
from learners.checks import check_learner
from learners.coins import SeededCoins
from learners.experts.sparse import SparseVectorExperts, good_phases, phases_for
from learners.games import AdaptiveStream, Ask, Challenge
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold
from learners.playing.expert_sources import LossVectors, experts_of
from learners.playing.loss_adversaries import RandomLosses
from learners.playing.play import play
from lsclasses.verdicts import Verdict
from tests.learners.privacy_checks import CUT

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
    learner = SparseVectorExperts.within(Budget(epsilon, delta), LossVectors(experts), rounds)
    event = learner.privacy
    assert (zcdp(event, delta)[0] if delta else basic(event)[0]) <= epsilon
    (bound,) = learner.bounds
    assert bound.applies
    # One less of anything, and a condition fails.
    for weaker in ({"phases": learner.phases - 1}, {"threshold": learner.threshold - 1}):
        assert not replace(learner, **weaker).bounds[0].applies


@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(1, 1000)])
def test_the_failure_is_shared_by_phases_and_thresholds(failure: Fraction) -> None:
    """Half for too few good phases; a quarter each for thresholds that are early and late."""
    learner = SparseVectorExperts.within(
        Budget(Fraction(1, 10), SMALL), experts=LossVectors(17), rounds=10**4, failure=failure
    )
    K, L = learner.phases, learner.threshold
    sums = CumulativeAboveThreshold(learner.counting, L)
    early, late = sums.early(10**4, failure / (4 * K)), sums.late(failure / (4 * K))
    assert early + ceil(log(2) / learner.rate) == L
    assert learner.bound(failure).value == K * (L + late)
    assert learner.bound(failure).applies


def test_no_more_experts_are_drawn_than_are_paid_for() -> None:
    """Every threshold is reached at once, hundreds of times."""
    learner, coins = made(rounds=310, phases=300, threshold=-(10**6)), SeededCoins(1)
    state = learner.start(coins)
    for drawn in range(1, 310):
        assert state.inner.drawn == min(drawn, 300)
        assert (state.inner.run is None) == (drawn > 300)
        state = learner.receive(state, (0, 1), coins)  # type: ignore[assignment]


def test_a_phase_that_never_ends_tells_nothing() -> None:
    """The first expert is drawn before anything is lost, and stays."""
    built = instance("sparse_experts:threshold=1000000")
    found = audit(built.run, built.pairs, built.privacy, **CUT)
    assert found.verdict == Verdict.HOLDS and found.least_epsilon == 0


def test_the_share_is_chosen_for_the_least_bound() -> None:
    given = Budget(2, SMALL), LossVectors(100), 10**5
    best = SparseVectorExperts.within(*given).bounds[0].value
    assert best == min(
        SparseVectorExperts.within(*given, share=Fraction(i, 16)).bounds[0].value or 0
        for i in range(1, 16)
    )


def test_phases() -> None:
    for experts in (2, 3, 5, 100, 10**6):
        assert good_phases(experts) == int(log(experts) / log(4 / 3) + 1e-9)
    assert phases_for(0, Fraction(1, 2)) == 2  # P[Bin(2, 1/2) <= 0] = 1/4


def test_all_adaptive_adversaries() -> None:
    """Two experts; with three times the epsilon in thresholds the claim is violated."""
    vectors = list(product((0, 1), repeat=2))
    moves = (*map(Ask, vectors), *(Challenge(*pair) for pair in combinations(vectors, 2)))
    learner, cut = made(counting=8), Fraction(1, 2**16)
    loud = replace(learner, counting=Fraction(24))

    def verdict(of: SparseVectorExperts) -> str:
        game = AdaptiveStream(of, 2)
        resolution = Fraction(1, 10**3)
        return audit_game(game, moves, learner.privacy, tail=cut, resolution=resolution).verdict

    assert verdict(learner) == Verdict.HOLDS
    assert verdict(loud) == Verdict.VIOLATED


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
        drawn.append(state.inner.drawn)
    # Two losses a phase, and the last expert stays.
    assert drawn == [1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3]
    assert state.inner.run is None


def test_little_is_lost_where_one_expert_is_perfect() -> None:
    learner = SparseVectorExperts.within(Budget(16, SMALL), LossVectors(10), 1500)
    game = play(learner, RandomLosses(10, best=Fraction(0)), 1500, SeededCoins(1))
    (bound,) = game.bounds
    assert bound.applies and not bound.vacuous
    assert game.regret == game.loss < (bound.value or 0) / 3


def test_it_is_a_learner_of_concepts() -> None:
    experts = experts_of(catalog.build("thresholds:n=5"))
    check_learner(SparseVectorExperts.within(Budget(8, SMALL), experts, 40), "thresholds:n=5")
