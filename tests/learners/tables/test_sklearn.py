from __future__ import annotations

import re
from pathlib import Path

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.tables.binarizer import Binarizer
from learners.tables.columns import PrivateCuts
from learners.tables.decision_list_classifier import (
    DecisionListClassifier,
    PrivateDecisionListClassifier,
)
from learners.tables.logistic_classifier import PrivateLogisticRegression
from learners.tables.rule_lists import PrivateNaiveBayesClassifier, PrivateRuleListClassifier
from learners.tables.winnow_classifier import PrivateWinnowClassifier

ESTIMATORS = [
    Binarizer(),
    Binarizer(PrivateCuts(-3, 3, 12, 2, 1)),
    PrivateDecisionListClassifier(),
    PrivateDecisionListClassifier(epsilon=3, columns=PrivateCuts(-3, 3, 12, 2, "1/100")),
    PrivateWinnowClassifier(),
    DecisionListClassifier(),
    PrivateRuleListClassifier(depth=2),
    PrivateLogisticRegression(),
    PrivateNaiveBayesClassifier(),
]


ROOT = Path(__file__).parents[3]


def expected_failures(estimator):
    if not isinstance(estimator, PrivateRuleListClassifier):
        return {}
    return {"check_class_weight_classifiers": "weights of classes are integers; these are 0.0001"}


def test_the_page_names_every_check_that_is_expected_to_fail():
    text = " ".join((ROOT / "docs" / "tables.md").read_text().split())
    _, _, said = text.partition("parametrize_with_checks`")
    failing = {name for each in ESTIMATORS for name in expected_failures(each)}
    assert failing == set(re.findall(r"`(check_\w+)`", said))


@pytest.mark.filterwarnings("ignore::learners.tables.binarizer.DefaultCutsWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
