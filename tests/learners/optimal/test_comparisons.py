"""Worst cases of other learners: against optima, single distributions, and other code."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

import catalog
from learners.optimal.comparisons import (
    learner_error,
    learner_mistakes,
    non_private_mistakes,
    split_budget_hedge,
)
from learners.optimal.error import optimal_error
from learners.optimal.mistakes import optimal_mistakes
from learners.pac.distributions import FiniteDistribution
from learners.pac.generic import GenericLearner
from lsclasses.dimensions.littlestone import randomized_ldim
from lsclasses.table import Table
from tests.strategies import tables

CLOSE = 1e-5


def expected_error(learner: GenericLearner, D: FiniteDistribution, rows: int) -> float:
    law = learner.law(D, rows)
    return float(sum(float(law[h].mid()) * D.loss(h) for h in law))


@pytest.mark.parametrize("spec", ["points:n=3", "thresholds:n=2", "cube:n=2"])
def test_no_distribution_is_worse_and_some_is_almost_as_bad(spec: str) -> None:
    C, parts, rows = catalog.build(spec).to_table(), 8, 2
    learner = GenericLearner(C, 1)
    worst = learner_error(C, learner, rows)
    found = []
    for c in C:
        for counts in product(range(parts + 1), repeat=len(C.points)):
            if sum(counts) == parts:
                weights = {(x, c(x)): k for x, k in zip(C.points, counts, strict=True) if k}
                D = FiniteDistribution.of_counts(C.domain, weights)
                found.append(expected_error(learner, D, rows))
    assert worst - 1 / parts < max(found) <= worst + CLOSE


def test_the_best_learner_errs_as_its_bounds_say() -> None:
    C = catalog.build("points:n=2")
    for labels in ("realizable", "agnostic"):
        found = optimal_error(C, 1, 1, labels=labels)  # type: ignore[arg-type]
        assert found.lower - CLOSE <= learner_error(C, found.learner, 1, labels)  # type: ignore[arg-type]
        assert learner_error(C, found.learner, 1, labels) <= found.upper + CLOSE  # type: ignore[arg-type]
    online = optimal_mistakes(C, 2, 1)
    assert learner_mistakes(C, online.learner, 2) == pytest.approx(float(online.upper))


@given(tables(max_points=3, max_concepts=4, min_concepts=1))
def test_long_games_without_privacy_have_the_randomized_dimension(C: Table) -> None:
    assert non_private_mistakes(C, max(1, C.size - 1)) == randomized_ldim(C)


def test_shares_of_epsilon_are_no_better_than_the_best_private_learner() -> None:
    C = catalog.build("thresholds:n=2")
    for rounds in (1, 2, 3):
        proper = optimal_mistakes(C, rounds, Fraction(1, 2), outputs="class")
        hedge = split_budget_hedge(C, rounds, Fraction(1, 2))
        assert learner_mistakes(C, hedge, rounds) >= float(proper.lower)


def test_many_rounds_without_privacy_reach_the_randomized_littlestone_dimension() -> None:
    C = catalog.build("cube:n=4")
    assert [non_private_mistakes(C, T) for T in (3, 4, 12)] == [Fraction(3, 2), 2, 2]
