"""Logistic regression on declared columns: its printed accuracy bound and its options."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from learners.rules.logistic_accuracy import ExcessLogLoss
from learners.rules.logistic_regression import ObjectivePerturbation
from learners.rules.naive_bayes import SCORE_UNIT
from learners.tables import PrivateLogisticRegression
from learners.tables.bayes import CellScores
from learners.tables.logistic import LARGEST_SCORE, excess_log_loss, promised
from lsclasses.errors import InvalidInput

MECHANISM = ObjectivePerturbation(1, (1, 1, 3))
SCORES = CellScores(5, ((1, -2, 0), (7, 7, 7, 7)))


def rows(count: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(18, 90, count), rng.random(count) < 0.3])
    return X, rng.random(count) < 1 / (1 + np.exp(-(X[:, 0] - 55) / 10 - X[:, 1]))


def fitted(**options: object) -> PrivateLogisticRegression:
    columns = [[30, 40, 50, 60, 70], "flag"]
    return PrivateLogisticRegression(columns=columns, random_state=1, **options).fit(*rows())


# ---- accuracy bound


def test_the_bound_covers_the_rounding_of_the_scores():
    found = excess_log_loss(MECHANISM, SCORES)
    assert found is not None
    # The bias and two columns are rounded to the nearest multiples of 1/SCORE_UNIT.
    assert found.per_row - ExcessLogLoss.of(MECHANISM).per_row >= Fraction(3, 2 * SCORE_UNIT)


def test_a_score_of_the_largest_size_has_no_bound():
    clipped = CellScores(5, ((1, -LARGEST_SCORE, 0), (7, 7, 7, 7)))
    assert excess_log_loss(MECHANISM, clipped) is None
    assert promised(MECHANISM, clipped, 100, Fraction(4)).startswith("No bound on the log loss")


def test_the_bound_in_words_is_rounded_up_and_states_vacuity():
    found = excess_log_loss(MECHANISM, SCORES)
    assert found is not None and found.least_rows is not None
    said = promised(MECHANISM, SCORES, 10_000, Fraction(4))
    number = Fraction(said.split("at most ")[2].split(" per")[0])
    assert 0 <= number - found.bound(10_000).value / 10_000 < number / 100
    assert said.endswith("per training row, except with probability 1/20")
    few = promised(MECHANISM, SCORES, found.least_rows - 1, Fraction(4))
    assert "is vacuous" in few and few.endswith(f"needs {found.least_rows} rows")
    hidden = promised(MECHANISM, SCORES, None, Fraction(4))
    assert f"needs {found.least_rows} rows" in hidden and " in all plus " in hidden


def test_fitted_scores_are_within_the_bound():
    X, y = rows()
    model = fitted()
    found = model.excess_log_loss(norm=4, failure=0.01)
    odds = model.decision_function(X)
    loss = (np.logaddexp(0, odds) - y * odds).sum()
    ages = (np.searchsorted([30, 40, 50, 60, 70], X[:, 0], side="right") * 2 - 5) / 5
    flags = 2 * X[:, 1] - 1
    grid = np.linspace(-3, 3, 13)
    least = min(
        (np.logaddexp(0, z) - y * z).sum()
        for z in (a + b * ages + c * flags for a in grid for b in grid for c in grid)
    )
    assert found.failure == Fraction(1, 100)
    assert loss - least <= found.bound(len(y)).value


def test_bounds_need_a_fitted_model_and_numbers_in_range():
    with pytest.raises(InvalidInput, match="norm of the compared weights"):
        fitted().excess_log_loss(norm=-1)
