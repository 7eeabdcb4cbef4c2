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
from learners.tables.logistic import LARGEST_SCORE, excess_log_loss, promised, read_class_weights
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


# ---- class weights


def test_weights_of_1_change_nothing_and_the_heavier_class_is_predicted_more():
    X, y = rows()
    plain = fitted()
    for weights in ({True: 1}, {False: 1, True: "1"}):
        assert fitted(class_weight=weights).model_.scores == plain.model_.scores
    heavy, light = fitted(class_weight={True: 5}), fitted(class_weight={True: 0.2})
    shares = [float(model.predict(X).mean()) for model in (light, plain, heavy)]
    assert shares == sorted(set(shares))
    assert heavy.mechanism_.class_weights == (1, 5) and light.mechanism_.heaviest == 1
    assert heavy.spent_ == plain.spent_
    bound = heavy.excess_log_loss().bound(len(y))
    assert bound.quantity.startswith("weighted log loss")
    assert bound.trivial > 4.9 * plain.excess_log_loss().bound(len(y)).trivial


def test_only_ratios_of_weights_matter():
    """Multiples of the weights multiply l2 and the noise, and leave the minimum unchanged."""
    rng = np.random.default_rng(2)
    table = np.column_stack([np.full(50, 256), rng.integers(-256, 257, 50)])
    labels, found = rng.integers(0, 2, 50), []
    for times in (1, 8):
        mechanism = ObjectivePerturbation(
            1, (1, 1), l2=Fraction(8) * times, class_weights=(times, 2 * times)
        )
        noise = [3 * times << 26, -times << 26]
        minimum = mechanism.minimum(table, labels, noise)
        weights = np.array(minimum.values) / 2**minimum.bits
        found.append((weights, float(mechanism.noise.scale) / times))
    assert np.allclose(found[0][0], found[1][0], atol=1e-6)
    assert found[0][1] == pytest.approx(found[1][1])


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        ("balanced", "Weights computed from the rows"),
        ([1, 3], "by class, such as {False: 1, True: 3}"),
        ({"yes": 3}, "classes of the target: False, True. Got the class 'yes'"),
        ({True: 0}, "weight of a class must be greater than 0 and at most 1000000. Got 0"),
        ({True: "many"}, "many"),
    ],
)
def test_weights_that_are_not_public_numbers_are_refused(weights, why):
    with pytest.raises(InvalidInput, match=why):
        fitted(class_weight=weights)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("balanced", "Declare public weights"),
        ("high=3,high=2", "two weights of 'high'"),
        ("high=-1", "weight of the class 'high'"),
        ("high=many", "weight of the class 'high'"),
    ],
)
def test_declared_weights_are_read_strictly(text, why):
    with pytest.raises(InvalidInput, match=why):
        read_class_weights(text)
