"""The merging learner from samples: the hypotheses of its error bound."""

from __future__ import annotations

from fractions import Fraction

import pytest

import catalog
from learners.budget import Budget
from learners.merging.algorithm import LARGE_ENOUGH
from learners.pac.base import enough_rows
from learners.pac.entries import BATCH_LEARNERS
from learners.pac.merging import MergingSampleLearner
from learners.pac.merging_plans import row_plan_for
from lsclasses.errors import InvalidInput

PLAN = row_plan_for(2, Budget(1, Fraction(1, 10**6)), Fraction(1, 10))


@pytest.mark.parametrize(("points", "applies"), [(3, True), (31, False)])
def test_the_error_bound_needs_the_dimension(points: int, applies: bool) -> None:
    C = catalog.build(f"thresholds:n={points}")
    assert (C.ldim() <= 2) == applies
    learner = MergingSampleLearner(C, PLAN)
    (bound,) = learner.bounds()
    assert LARGE_ENOUGH in bound.hypotheses
    assert bound.applies == applies
    (few,) = learner.bounds(PLAN.rows - 1)
    assert set(few.unmet) == {enough_rows(PLAN.rows), *bound.unmet}


def test_dimension_1_is_refused_with_the_learner_from_samples() -> None:
    with pytest.raises(InvalidInput, match="'lsclasses pac voting'"):
        BATCH_LEARNERS["merging"].learner("points:n=5")
