from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.estimators.binarizer import Binarizer
from learners.estimators.decision_lists import (
    DecisionListClassifier,
    PrivateDecisionListClassifier,
)
from learners.estimators.fitted_columns import PrivateCuts
from learners.estimators.rule_lists import (
    PrivateNaiveBayesClassifier,
    PrivateRuleListClassifier,
)
from learners.estimators.winnow import PrivateWinnowClassifier

ESTIMATORS = [
    Binarizer(),
    Binarizer(PrivateCuts(-3, 3, 12, 2, 1)),
    PrivateDecisionListClassifier(),
    PrivateDecisionListClassifier(epsilon=3, columns=PrivateCuts(-3, 3, 12, 2, "1/100")),
    PrivateWinnowClassifier(),
    DecisionListClassifier(),
    PrivateRuleListClassifier(depth=2),
    PrivateNaiveBayesClassifier(),
]


def expected_failures(estimator):
    if not isinstance(estimator, PrivateRuleListClassifier):
        return {}
    return {"check_class_weight_classifiers": "weights of classes are integers; these are 0.0001"}


@pytest.mark.filterwarnings("ignore::learners.estimators.binarizer.DefaultCutsWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
