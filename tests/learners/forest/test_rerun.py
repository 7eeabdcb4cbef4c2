"""Forests that are grown anew: bounds, their conditions, what is audited, games."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy

import catalog
from learners.accounting import zcdp_rho
from learners.audit.audit_registry import instance
from learners.bounds import UNSEEN
from learners.budget import Budget
from learners.checks import check_learner
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.forest.evidence.instances import FirstMistake
from learners.forest.plan import CORRECTS, DEEP, MANY, RARE
from learners.forest.rerun import Past, RerunForest, RerunParameters
from learners.playing.entries import ONLINE_LEARNERS
from lsclasses.domain import FiniteDomain
from lsclasses.soa import SOA
from lsclasses.table import Table
from tests.learners.privacy_checks import answers_delta

TINY = Fraction(1, 10**6)


def few(**changed: Any) -> RerunParameters:
    given: dict[str, Any] = {
        "leaves": 4, "trees": 2, "frequency": Fraction(1, 3), "rounds": 3,
        "epsilon": Fraction(8), "delta": Fraction(1, 50), "total": Fraction(1, 2),
    }  # fmt: skip
    return RerunParameters(**{**given, **changed})


@pytest.mark.parametrize("leaves", [2, 4, 32])
def test_bounds_are_what_their_formulas_say(leaves: int) -> None:
    likely, mean = few(leaves=leaves, trees=7).bounds(1, corrects=True)
    values = {"k_1": leaves, "k_2": 7, "eta": sympy.Rational(1, 3), "beta": likely.failure}
    for bound in (likely, mean):
        expected = sympy.sympify(bound.formula, locals={"beta": sympy.Symbol("beta")})
        assert bound.value == expected.subs({sympy.Symbol(k): v for k, v in values.items()})
    # Markov's inequality; and the mean is that of 4 k_1/eta rounds for each vertex that goes.
    assert likely.value == mean.value / likely.failure  # type: ignore[operator]
    assert mean.value == Fraction(4 * leaves) * 3 * (leaves * 7 - 7) + 2


def test_each_condition_is_met_from_its_border_on() -> None:
    right = RerunParameters.from_theorem(Budget(1, TINY), 1, 100)
    for parameters, unmet in [
        (right, set()),
        (replace(right, trees=right.trees + 1), set()),
        (replace(right, trees=right.trees - 1), {MANY}),
        (replace(right, frequency=right.frequency / 2, trees=9 * right.trees), set()),
        (replace(right, frequency=right.frequency * 2), {RARE, MANY}),
    ]:
        assert set(parameters.bounds(1, corrects=True)[0].unmet) == unmet
    assert right.bounds(0, corrects=True)[0].unmet == ()
    assert right.bounds(2, corrects=True)[0].unmet == (DEEP, MANY)
    # So many trees are enough only where all else is right.
    assert right.bounds(1, corrects=False)[0].unmet == (CORRECTS, MANY)


def test_what_delta_pays_for_needs_no_epsilon() -> None:
    given = Budget(Fraction(1, 10**13), TINY), 1, 50
    assert 0 < RerunParameters.from_theorem(*given).epsilon < Fraction(1, 10**6)


def test_the_printed_budget_of_a_round() -> None:
    """[GL21, (5)]: epsilon/(2 sqrt(2 T ln(1/delta))), less than the best accountant allows."""
    printed = RerunParameters.within(Budget(8, TINY), 1, 100, composition="printed")
    assert float(printed.epsilon) == pytest.approx(8 / (2 * math.sqrt(200 * math.log(10**6))))
    assert printed.delta == TINY / 200
    assert printed.epsilon < RerunParameters.within(Budget(8, TINY), 1, 100).epsilon


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(8)])
@pytest.mark.parametrize("rounds", [1, 2000])
def test_a_round_gets_all_that_the_budget_leaves_up_to_two_percent(
    rounds: int, epsilon: Fraction
) -> None:
    """Half of delta pays for the deltas of the rounds, the rest for their epsilons."""
    each = RerunParameters.within(Budget(epsilon, TINY), 1, rounds).epsilon
    assert (each * 2**40).denominator == 1
    assert rounds * each**2 / 2 >= zcdp_rho(epsilon, TINY / 2) * Fraction(999, 1000)
    more = float(each) * 1.02
    assert answers_delta(more, rounds, float(epsilon)) > float(TINY / 2)
    if rounds * each > epsilon:
        assert answers_delta(float(each), rounds, float(epsilon)) <= float(TINY / 2) * (1 + 1e-6)


@pytest.mark.parametrize("more", [0, 1])
def test_after_the_last_round_nothing_is_drawn(more: int) -> None:
    """All rounds are paid for: what is published then must not depend on the examples."""
    learner = RerunForest(FirstMistake(FiniteDomain(range(2))), few(rounds=2))
    kept = Past(((0, 1),) * (2 + more))
    law = exact_distribution(lambda coins: learner._publish(kept, coins)[1])
    assert list(law) == [learner.first] and law.branches == 1


def test_given_its_choices_each_example_is_told_to_the_next_tree() -> None:
    learner = instance("rerun_forest").mechanism
    coins = SeededCoins(1)
    target = learner.base.observe(0, 1).hypothesis.canonical()
    for hits in range(6):
        shown = learner._shown(((0, 1),) * hits, coins)
        told = min(hits, 4)
        assert shown == Counter({learner.first: 4 - told, target: told})


# ---- games


SMALL = Table([[0, 0], [0, 1], [1, 1]])
POINTS = catalog.build("points:n=2^64")


def test_it_is_what_every_learner_must_be():
    check_learner(RerunForest(SOA(SMALL), few(rounds=8)), SMALL, rounds=8)


def test_bounds_hold_for_all_who_do_not_see_the_prediction() -> None:
    bound = RerunForest(SOA(POINTS), RerunParameters.from_theorem(Budget(1, TINY), 1, 30)).bounds[0]
    assert UNSEEN in bound.hypotheses and not bound.unmet and bound.vacuous
    assert RerunForest(SOA(POINTS), few()).bounds[0].unmet


def test_it_is_found_by_name():
    entry = ONLINE_LEARNERS["rerun-forest"]
    assert entry.learner("points:n=9", 100, trees="50").parameters.trees == 50
    assert entry.learner("points:n=9", 100, theorem=True).parameters.leaves == 4
