"""Private logistic regression as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Self

import numpy as np

from learners.concentration import FAILURE as DEFAULT_FAILURE
from learners.rules.logistic_accuracy import DEFAULT_NORM, ExcessLogLoss
from learners.rules.logistic_regression import ObjectivePerturbation
from learners.tables.bayes import CellScores
from learners.tables.logistic import (
    LogisticOptions,
    class_weights,
    excess_log_loss,
    model_of,
    private_logistic,
    stated_delta,
)
from learners.tables.logistic_models import ClassLogisticModel, LogisticModel
from learners.tables.rule_lists import ScoringClassifier, refuse_weights
from learners.tables.scikit import check_is_fitted
from lsclasses.numbers import as_printed


@dataclass(eq=False, repr=False)
class PrivateLogisticRegression(ScoringClassifier):
    """A classifier by logistic regression with a perturbed objective.

    The score of a row is a sum of a bias and one number for the cell of each column. Columns of cut
    points count as numbers from -1 to 1 in equal steps, and each category has a separate number.
    With more than two classes, each class has a score against the rest.
    Without a delta, the guarantee is pure differential privacy for all steps together. It does not
    depend on the quality of the computed minimum. `learners.rules.logistic_regression` has the
    proof. With a delta, the learner may add Gaussian noise under zCDP
    (`learners.rules.logistic_gaussian`).

    Parameters
    ----------
    epsilon : float, Fraction, int or str
        Privacy budget epsilon of all steps. A float is read as the decimal that it prints.
    columns, classes, neighbours, unknown, allow_weak_privacy, budget, random_state
        Parameters of `PrivateDecisionListClassifier`.
    class_weight : mapping of class to number, optional
        Public weight of the loss of a row of each class, which must not depend on the rows. Classes
        without a weight have the weight 1. The noise grows with the largest weight. "balanced" is
        refused, because it would depend on the rows.
    l2 : float, Fraction, int, str or None
        Regularisation of the sum of the losses, a public number that must not depend on the rows.
        None, the default, is a public rule that depends only on epsilon, the class weights, and the
        numbers of columns and classes.
    delta : float, Fraction, int, str or None
        Privacy budget delta of all steps. None, the default, gives a pure guarantee. With a delta,
        the learner adds Gaussian noise if it is smaller, as for many columns or many categories.
        The guarantee stays pure if Gaussian noise is not smaller.
    rows : int, optional
        Public guess of the number of rows, for ``neighbours="add_remove"``. The probabilities use a
        factor that depends on the number of rows (`learners.rules.logistic_sharpening`). With
        ``"replace_one"``, the number is public and counted.

    Attributes
    ----------
    model_ : LogisticModel or ClassLogisticModel
        Learned model, which can be saved and published.
    mechanism_ : ObjectivePerturbation
        Private mechanism that released the weights.
    privacy_, spent_, classes_, n_features_in_, feature_names_in_
        Attributes of `PrivateDecisionListClassifier`.

    References
    ----------
    [CMS11], [KST12] and [INSTTW19]

    Examples
    --------
    >>> X = np.column_stack([np.arange(5_000) % 72 + 18, np.arange(5_000) % 10 < 3])
    >>> y = (X[:, 0] >= 60) | (X[:, 1] == 1)
    >>> model = PrivateLogisticRegression(
    ...     epsilon=0.5, columns=[[40, 60, 75], "flag"], random_state=1).fit(X, y)
    >>> model.spent_.summary, bool(model.score(X, y) > 0.9)
    ('(1/2, 0)-DP', True)
    >>> round(float(model.excess_log_loss(norm=4).bound(5_000).value) / 5_000, 4)
    0.0513
    """

    most_classes = ClassLogisticModel.most_classes
    model_: LogisticModel | ClassLogisticModel = field(init=False)
    mechanism_: ObjectivePerturbation = field(init=False)

    epsilon: object = 1.0
    _: KW_ONLY
    neighbours: str = "replace_one"
    l2: object = None
    class_weight: object = None
    delta: object = None
    rows: int | None = None

    def fit(self, X: object, y: object, **refused: object) -> Self:
        """Learn the scores privately from a table X with labels y of two or more classes.

        Sample weights are `refused`, because the noise would have to grow with the largest weight
        that a row could have. The public `class_weight` weights rows by class.
        """
        refuse_weights(refused)
        data, coins, maker = self._prepared(
            X,
            y,
            (self._epsilon(), self._delta()),
            require=lambda task: self._options().require(task),
        )
        released, event, self.mechanism_ = private_logistic(data, coins, self._options())
        guarantee = data.guarantee(event, stated_delta(self.mechanism_), coins)
        model = model_of(released, data, guarantee, classes=tuple(self.classes_.tolist()))
        return self._finish(model, data.together(event), maker)

    def _delta(self) -> Fraction:
        return Fraction(0) if self.delta is None else self._budget().delta

    def _options(self) -> LogisticOptions:
        """Return the public options, after the classes are known."""
        l2 = None if self.l2 is None else as_printed(self.l2, "l2")
        weights = class_weights(self.class_weight, self.classes_.tolist())
        return LogisticOptions(l2, weights, self.rows)

    def excess_log_loss(
        self, norm: object = DEFAULT_NORM, failure: object = DEFAULT_FAILURE
    ) -> ExcessLogLoss | None:
        """Return a bound on the log loss above the best weights of a norm, from public numbers.

        Parameters
        ----------
        norm : float, Fraction, int or str
            Euclidean norm of the compared weights. The intercept is one of the weights.
        failure : float, Fraction, int or str
            Failure probability of the bound.

        Returns
        -------
        ExcessLogLoss or None
            The bound for each number of training rows, by `ExcessLogLoss.bound`. None if a score of
            the model has the largest size.
        """
        check_is_fitted(self)
        scores = self.model_.scores
        return excess_log_loss(
            self.mechanism_,
            (scores,) if isinstance(scores, CellScores) else scores,
            as_printed(norm, "norm"),
            as_printed(failure, "failure probability"),
        )

    def _scores(self, matrix: np.ndarray) -> np.ndarray:
        return self.model_.log_odds(matrix)

    def predict_proba(self, X: object) -> np.ndarray:
        """Return the class probabilities of the regression, shape (rows, classes).

        With more than two classes, they are the probabilities of the regressions of each class
        against the rest, divided by their sum.

        Parameters
        ----------
        X : table of shape (rows, columns)
            Rows with the columns of the training table.
        """
        check_is_fitted(self)
        matrix = self.columns_.matrix(self._read(X, reset=False), self.unknown)
        found = self.model_.chances_of(matrix)
        assert found is not None
        return found
