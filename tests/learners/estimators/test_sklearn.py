from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from learners.estimators.binarizer import Binarizer
from learners.estimators.decision_lists import (
    DecisionListClassifier,
    PrivateDecisionListClassifier,
)
from learners.estimators.fitted_columns import PrivateCuts
from learners.estimators.winnow import PrivateWinnowClassifier

ESTIMATORS = [
    Binarizer(),
    Binarizer(PrivateCuts(-3, 3, 12, 2, 1)),
    PrivateDecisionListClassifier(),
    PrivateDecisionListClassifier(epsilon=3, columns=PrivateCuts(-3, 3, 12, 2, "1/100")),
    PrivateWinnowClassifier(),
    DecisionListClassifier(),
]


@pytest.mark.filterwarnings("ignore::learners.estimators.binarizer.DefaultCutsWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
