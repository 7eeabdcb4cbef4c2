"""The factor between the scores and the log-odds of a logistic regression."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from learners.rules.logistic_gaussian import GaussianPerturbation
from learners.rules.logistic_objective import CURVATURE
from learners.rules.logistic_regression import ObjectivePerturbation
from learners.rules.logistic_sharpening import sharpening
from learners.tables import PrivateLogisticRegression, load_model
from learners.tables.score_quality import ScoreQuality
from lsclasses.errors import InvalidInput

CODES = [np.array([[-256], [0], [256]]), np.array([[256, 0], [0, 256], [0, 0]])]
CUTS = [k / 10 for k in range(1, 10)]


def logistic_rows(rows: int, columns: int = 10, seed: int = 1):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, columns))
    return X, rng.random(rows) < 1 / (1 + np.exp(-6 * (X - 0.5).sum(axis=1)))


@pytest.mark.parametrize("kind", [ObjectivePerturbation, GaussianPerturbation])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_factor_is_the_rule_of_the_module(kind, classes):
    mechanism = kind(1, (1, 1, 2), class_weights=(Fraction(2),) * classes)
    weights = [3, 2, -1, 1] * mechanism.problems
    rows = 3000
    # Variances over the cells of v = (2/3, 2/9, 2/9), by hand.
    v = np.array([2 / 3, 2 / 9, 2 / 9])
    # Scores of the cells: 2 * (-1, 0, 1), and (-1, 1, 0).
    variance = (8 / 3 + 2 / 3) * mechanism.problems
    steep, l2 = rows * float(CURVATURE) * 2, float(mechanism.l2)
    square = mechanism.noise_square / 3 / mechanism.problems
    noise = mechanism.problems * square * sum(v / (steep * v + l2) ** 2)
    expected = (1 - noise / variance) * (1 + l2 * 3 / (steep * v.sum()))
    found = sharpening(mechanism, [w << 32 for w in weights], CODES, rows)
    assert found.denominator <= 64 and abs(found - expected) <= 1 / 128


def test_the_reciprocal_undoes_the_shrinkage_of_a_quadratic_objective():
    """With weights of a quadratic objective without noise, the factor restores their size."""
    mechanism = ObjectivePerturbation(10**6, (1, 1), l2=Fraction(100))
    rows, weight = 2000, 2.0
    steep = rows * float(CURVATURE) * 2 / 3
    shrunk = weight * steep / (steep + 100)
    found = sharpening(mechanism, [0, round(shrunk * 2**32)], CODES[:1], rows)
    assert abs(float(found) * shrunk - weight) < 2 / 64


def test_noise_few_rows_and_equal_scores_leave_the_scores():
    mechanism = ObjectivePerturbation(1, (1, 1, 2))
    for weights in ([0, 0, 0, 0], [1, 0, 0, 0], [0, 1e-3, 0, 0]):
        assert sharpening(mechanism, [round(w * 2**32) for w in weights], CODES, 100) == 1
    assert sharpening(mechanism, [0, 1 << 50, 0, 0], CODES, 1) == 8


def test_the_factor_changes_neither_labels_nor_order_and_improves_the_calibration():
    X, y = logistic_rows(1_000)
    model = PrivateLogisticRegression(1, columns=[CUTS] * 10, random_state=1).fit(X, y)
    plain = replace(model.model_, factor=Fraction(1))
    matrix = model.columns_.matrix(model._read(X, reset=False))
    assert model.model_.factor > Fraction(5, 4)
    assert (model.model_.labels_of(matrix) == plain.labels_of(matrix)).all()
    sharp, flat = (each.chances_of(matrix)[:, 1] for each in (model.model_, plain))
    assert (np.argsort(sharp, kind="stable") == np.argsort(flat, kind="stable")).all()
    fresh = logistic_rows(20_000, seed=2)
    there = model.columns_.matrix(model._read(fresh[0], reset=False))
    sharp, flat = (
        ScoreQuality.of(fresh[1], each.chances_of(there)[:, 1]) for each in (model.model_, plain)
    )
    assert sharp.auc == flat.auc
    assert sharp.calibration_error < flat.calibration_error - 0.02
    assert sharp.log_loss < flat.log_loss
    assert np.allclose(
        model.decision_function(X), plain.log_odds(matrix) * float(model.model_.factor)
    )


def test_only_a_public_number_of_rows_gives_a_factor():
    X, y = logistic_rows(1_000)
    given = {"columns": [CUTS] * 10, "neighbours": "add_remove", "random_state": 1}
    assert PrivateLogisticRegression(1, **given).fit(X, y).model_.factor == 1
    guessed = PrivateLogisticRegression(1, rows=900, **given).fit(X, y).model_
    half = PrivateLogisticRegression(1, rows=900, **given).fit(X[:500], y[:500]).model_
    assert guessed.factor > 1 and guessed.scores != half.scores
    with pytest.raises(InvalidInput, match="must not be declared"):
        PrivateLogisticRegression(1, columns=[CUTS] * 10, rows=900, random_state=1).fit(X, y)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_factor_is_saved_and_stated(classes, tmp_path):
    X, y = logistic_rows(1_500, columns=4)
    labels = y if classes == 2 else np.where(X[:, 0] < 0.5, 2, y)
    model = PrivateLogisticRegression(2, columns=[CUTS] * 4, random_state=1).fit(X, labels)
    assert model.model_.factor > 1
    assert f"log-odds: {float(model.model_.factor):.2f} times the sum" in model.text()
    path = tmp_path / "model.json"
    path.write_text(model.to_json())
    loaded = load_model(path)
    assert loaded.factor == model.model_.factor == Fraction(loaded.details()["factor"])
    matrix = model.columns_.matrix(model._read(X, reset=False))
    assert (loaded.chances_of(matrix) == model.predict_proba(X)).all()
    for wrong in (0, -1, 9, "2", True, None):
        path.write_text(json.dumps({**json.loads(model.to_json()), "factor": wrong}))
        with pytest.raises(InvalidInput, match="factor of the scores"):
            load_model(path)
