"""The shrinking dartboard: budgets, marginals, few switches, and who breaks its regret."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import pytest

from learners.accounting import Privacy, total, zcdp
from learners.audit import audit_game
from learners.balls import ball
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.games import AdaptiveStream, Ask, Challenge
from learners.playing.expert_sources import LossVectors
from learners.playing.loss_adversaries import Chasing, RandomLosses
from learners.playing.play import play
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.privacy_checks import at_most

SMALL = Fraction(1, 10**6)


def made(**given: Any) -> ShrinkingDartboard:
    values = {"rounds": 3, "rate": 2, "batch": 1, "fake": Fraction(1, 8), "switches": 1}
    return ShrinkingDartboard(LossVectors(2), **{**values, **given})


@pytest.mark.parametrize(
    ("experts", "rounds", "epsilon", "delta"),
    [(2, 1, 1, SMALL), (17, 50, 2, 0), (17, 200, 1, SMALL)],
)
def test_the_budget_is_kept_and_used(experts: int, rounds: int, epsilon: Any, delta: Any) -> None:
    learner = ShrinkingDartboard.within(Budget(epsilon, delta), LossVectors(experts), rounds)
    assert total(learner.privacy, Fraction(delta)).epsilon <= epsilon
    assert Privacy.of(learner.privacy, learner.delta).epsilon <= epsilon
    assert learner.overrun * rounds <= 1
    if delta and rounds > 1:  # else the whole numbers of draws leave more over
        more = replace(learner, rate=learner.rate * Fraction(102, 100))
        assert total(more.privacy, delta).epsilon > epsilon


@pytest.mark.parametrize(
    ("experts", "rounds", "epsilon", "delta", "gain"),
    [
        (17, 50, 1, SMALL, Fraction(5, 100)),
        (16, 3000, 4, SMALL, Fraction(3, 100)),
        (100, 10**5, 1, Fraction(1, 100), Fraction(10, 100)),
    ],
)
def test_the_bound_of_all_accountants_is_smaller_than_by_zcdp(
    experts: int, rounds: int, epsilon: Any, delta: Fraction, gain: Fraction
) -> None:
    given = Budget(epsilon, delta), LossVectors(experts), rounds
    best = ShrinkingDartboard.within(*given)
    old = ShrinkingDartboard.within(*given, composition="zcdp")
    assert zcdp(old.privacy, delta)[0] <= epsilon
    found = total(best.privacy, delta)
    assert found.epsilon <= epsilon and found.method != "zcdp"
    assert Privacy.of(best.privacy, delta).epsilon == found.epsilon
    assert best.rate > old.rate and best.overrun * rounds <= 1
    assert best.bounds[0].value <= (1 - gain) * old.bounds[0].value  # type: ignore[operator]


def test_an_unknown_composition_is_refused() -> None:
    with pytest.raises(InvalidInput, match="best, zcdp"):
        ShrinkingDartboard.within(Budget(1, SMALL), LossVectors(17), 10, composition="rdp")


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**60), Fraction(10**4)])
def test_budgets_of_any_size(epsilon: Fraction) -> None:
    delta = Fraction(1, 10**90)
    budget = Budget(epsilon, delta, allow_weak_privacy=True)
    learner = ShrinkingDartboard.within(budget, LossVectors(5), 100, batch=3)
    assert total(learner.privacy, delta).epsilon <= epsilon
    assert learner.keep_epsilon >= learner.rate
    if epsilon < 1:
        assert total(replace(learner, rate=2 * learner.rate).privacy, delta).epsilon > epsilon


def test_batches_are_chosen_for_the_least_bound() -> None:
    best, other = (
        ShrinkingDartboard.within(Budget(1, SMALL), LossVectors(100), 300, batch=batch).bounds[0]
        for batch in (None, 20)
    )
    # The grid of shares and the rounding leave a little.
    assert best.value <= Fraction(1001, 1000) * other.value  # type: ignore[operator]
    hedge = DPHedge.within(Budget(1, SMALL), LossVectors(100), 300)
    assert best.value < hedge.bounds[1].value / 2  # type: ignore[operator]


def test_no_batch_would_give_a_pure_budget_a_lesser_bound() -> None:
    """All batches of fifty rounds, of which not all are tried; draws are added up."""
    given = Budget(2), LossVectors(17), 50
    bounds = [
        ShrinkingDartboard.within(*given, batch=batch).bounds[0].value or 0
        for batch in (None, *range(1, 51))
    ]
    assert bounds[0] <= Fraction(21, 20) * min(bounds[1:])
    assert bounds[5] > Fraction(11, 10) * min(bounds[1:])


def test_the_chance_of_an_overrun_is_a_binomial_tail() -> None:
    learner = made(rounds=6, switches=2, rate=Fraction(1, 10))
    q = 1 - Fraction(7, 8) * Fraction(*(0.9048374180359595).as_integer_ratio())
    assert float(learner.overrun) == pytest.approx(float(1 - at_most(5, q, 2)))
    assert made(rounds=3, switches=2).overrun == 0


def test_what_a_decision_costs() -> None:
    """The larger loss of keeping and of switching, the latter at l = 0 and 1."""
    for learner in (made(), made(fake=Fraction(9, 10)), made(rate=Fraction(1, 100))):
        keep = [(1 - ball(learner.fake)) * (-ball(learner.rate) * lost).exp() for lost in range(4)]
        losses = [
            abs((a / b).log()) for x, y in pairwise(keep) for a, b in ((x, y), (1 - x, 1 - y))
        ]
        stated = ball(learner.keep_epsilon)
        assert all(float(loss) <= float(stated) * (1 + 1e-12) for loss in losses)
        assert max(map(float, losses)) == pytest.approx(float(stated))


def test_all_adaptive_adversaries() -> None:
    """Three rounds, two experts; without fake switches the same claim is violated."""
    vectors = list(product((0, 1), repeat=2))
    moves = (*map(Ask, vectors), *(Challenge(*pair) for pair in combinations(vectors, 2)))
    learner = made()
    rare = replace(learner, fake=Fraction(1, 10**4))
    assert audit_game(AdaptiveStream(learner, 3), moves, learner.privacy).verdict == Verdict.HOLDS
    assert audit_game(AdaptiveStream(rare, 3), moves, learner.privacy).verdict == Verdict.VIOLATED


def test_it_switches_seldom_and_never_more_often_than_allowed() -> None:
    learner = ShrinkingDartboard.within(Budget(4, SMALL), LossVectors(50), 200)
    game = play(learner, RandomLosses(50), 200, SeededCoins(1))
    assert game.switches is not None and 5 < game.switches <= learner.switches < 150
    few = replace(learner, switches=3)
    assert play(few, Chasing(50), 200, SeededCoins(1)).switches == 3


def test_an_adversary_who_sees_experts_breaks_the_regret() -> None:
    """The bound is for oblivious adversaries for a reason: the expert in force loses."""
    learner = ShrinkingDartboard.within(Budget(12, SMALL), LossVectors(200), 1500)
    bound = learner.bounds[0]
    assert not bound.vacuous
    chased = play(learner, Chasing(200), 1500, SeededCoins(2))
    assert chased.regret is not None and chased.regret > 2 * (bound.value or 0)
    # Nor is what is quoted for fixed losses.
    assert not any(bound.applies for bound in chased.bounds)
