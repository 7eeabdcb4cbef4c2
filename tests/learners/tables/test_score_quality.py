from __future__ import annotations

import numpy as np
import pytest

from learners.tables.score_quality import ClassScoreQuality, ScoreQuality, area_under_curve


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
    assert "AUC -" in next(found.lines(["no", "yes"]))


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
    assert "log loss" not in " ".join(found.lines(["no", "yes"]))


# ---- several classes


def test_measures_of_several_classes_equal_the_functions_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(2)
    labels = np.arange(200) % 4
    chances = np.round(rng.dirichlet(np.ones(4), 200) + np.eye(4)[labels] / 3, 2) + 0.01
    chances /= chances.sum(axis=1, keepdims=True)
    found = ClassScoreQuality.of(labels, chances)
    expected = metrics.roc_auc_score(labels, chances, multi_class="ovr", average="macro")
    assert found.auc == pytest.approx(expected)
    assert found.log_loss == pytest.approx(metrics.log_loss(labels, chances))
    each = [metrics.brier_score_loss(labels == k, chances[:, k]) for k in range(4)]
    assert found.brier == pytest.approx(sum(each) / 2)


def test_two_classes_have_equal_measures_by_both_definitions():
    rng = np.random.default_rng(3)
    labels, chances = rng.integers(0, 2, 50), rng.random(50)
    one = ScoreQuality.of(labels, chances)
    both = ClassScoreQuality.of(labels, np.column_stack([1 - chances, chances]))
    assert both.auc == pytest.approx(one.auc) and both.brier == pytest.approx(one.brier)
    assert both.log_loss == pytest.approx(one.log_loss)


def test_labels_of_several_classes_have_no_log_loss_and_a_missing_class_has_no_auc():
    found = ClassScoreQuality.of_labels(np.array([0, 1, 1]), np.array([0, 1, 2]), 3)
    assert found.auc is None and found.log_loss is None and found.aucs[2] is None
    assert found.aucs[:2] == (1.0, 0.75) and found.brier == pytest.approx(1 / 3)
    first, second = found.lines(["a", "b", "c"])
    assert first.startswith("labels as probabilities 0 and 1") and "against the rest -" in first
    assert second.endswith("a 1.000, b 0.750, c -")
