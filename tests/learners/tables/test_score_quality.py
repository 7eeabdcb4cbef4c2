from __future__ import annotations

import numpy as np
import pytest

from learners.tables.score_quality import ScoreQuality, area_under_curve


def test_measures_equal_the_functions_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    for size in (5, 300):
        labels = np.arange(size) % 2
        chances = np.round(rng.random(size), 1 if size > 5 else 3) * 0.9 + 0.05
        found = ScoreQuality.of(labels, chances)
        assert found.auc == pytest.approx(metrics.roc_auc_score(labels, chances))
        assert found.brier == pytest.approx(metrics.brier_score_loss(labels, chances))
        assert found.log_loss == pytest.approx(metrics.log_loss(labels, chances))
        assert sum(each.rows for each in found.reliability) == size


def test_one_class_has_no_auc_and_certain_errors_have_a_finite_loss():
    found = ScoreQuality.of(np.array([1, 1]), np.array([0.0, 1.0]))
    assert found.auc is None and found.brier == 0.5 and np.isfinite(found.log_loss)
    assert [(each.rows, each.share) for each in found.reliability] == [(1, 1.0), (1, 1.0)]
    assert "AUC -" in next(found.lines("yes"))


def test_scores_without_ties_and_with_only_ties():
    labels = np.array([0, 1, 0, 1])
    assert area_under_curve(labels, np.array([1, 2, 3, 4])) == 0.75
    assert area_under_curve(labels, np.zeros(4)) == 0.5


def test_labels_without_probabilities_rank_by_balanced_accuracy_and_err_by_their_share():
    truth, labels = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 0])
    found = ScoreQuality.of_labels(truth, labels)
    assert found.auc == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert found.brier == pytest.approx(2 / 5) and found.log_loss is None
    assert [(each.rows, each.share) for each in found.reliability] == [(3, 1 / 3), (2, 1 / 2)]
    assert "log loss" not in " ".join(found.lines("yes"))
