"""Scikit-learn classifiers by a few private rules, and by private naive Bayes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Self

import numpy as np

from learners import checked
from learners.bounds import Bound
from learners.budget import Budget
from learners.rules.gibbs_tree import GibbsTree
from learners.tables.bayes import BayesModel, sigmoid
from learners.tables.bayes_training import private_class_bayes
from learners.tables.class_bayes import ClassBayesModel
from learners.tables.decision_list_classifier import PrivateTableClassifier
from learners.tables.rule_models import CellRule, RuleListModel
from learners.tables.rule_plans import best_share, public_rows
from learners.tables.rule_training import RuleOptions, private_bayes, private_rules
from learners.tables.scikit import available_if, check_is_fitted
from learners.tables.task import TableTask
from lsclasses.errors import InvalidInput
from lsclasses.numbers import as_printed


def refuse_weights(given: dict[str, object]) -> None:
    """Refuse sample weights, and every unknown argument of `fit`."""
    if set(given) - {"sample_weight"}:
        raise TypeError(f"fit() got an unexpected keyword argument {next(iter(given))!r}")
    if given.get("sample_weight") is not None:
        raise InvalidInput(
            "Rows cannot be weighted. The noise for all rows would have to grow with the largest "
            "weight that a row could have, and weights made from rows are private themselves. "
            "Leave sample_weight out. To weight classes by public numbers, use class_weight of "
            "PrivateRuleListClassifier or PrivateLogisticRegression."
        )


class ScoringClassifier(PrivateTableClassifier):
    """Base class of the classifiers with a pure guarantee and a score."""

    neighbours: str

    def _epsilon(self) -> Fraction:
        """Return the budget, after checking it before any row is read."""
        return Budget(
            as_printed(self.epsilon, "epsilon"), allow_weak_privacy=self.allow_weak_privacy
        ).epsilon

    def decision_function(self, X: object) -> np.ndarray:
        """Return the scores of the rows of a table.

        For two classes, a score of at least 0 predicts the second class. For more classes, each
        class has a score.

        Parameters
        ----------
        X : table of shape (rows, columns)
            Rows with the columns of the training table.

        Returns
        -------
        array of float, shape (rows,) or (rows, classes)
            Score of each row, or of each row and class.
        """
        check_is_fitted(self)
        matrix = self.columns_.matrix(self._read(X, reset=False), self.unknown)
        return self._scores(matrix)

    def _scores(self, matrix: np.ndarray) -> np.ndarray:
        raise NotImplementedError


def _has_supports(classifier: PrivateRuleListClassifier) -> bool:
    """Return whether the fitted rules, or the rules to be fitted, have probabilities."""
    share = as_printed(classifier.support_share, "share of epsilon for supports")
    fitted = getattr(classifier, "model_", None)
    return share > 0 if fitted is None else bool(fitted.supports)


@dataclass(eq=False, repr=False)
class PrivateRuleListClassifier(ScoringClassifier):
    """A private classifier of few disjoint rules and a default label.

    The exponential mechanism chooses among all decision trees of depth 3 on the declared conditions
    (features, categories, ranges between cut points), with a prior that prefers small trees. The
    default is the class with the most leaves of the chosen tree. The paths to the other leaves are
    the rules, at most four for two classes and at most seven for more classes.

    The guarantee is pure differential privacy, delta = 0, for all steps together, including the
    choice of private cut points. The classes, the columns and, if rows are replaced, the number of
    rows count as public. The proof is in `learners.rules.gibbs_tree`.

    Sample weights are not supported, because a row with a larger weight requires more noise for all
    rows, in proportion to the largest weight, and this weight must not depend on the rows. The
    public `class_weight` weights rows by class.

    Parameters
    ----------
    epsilon : float, Fraction, int or str
        Whole budget. A float is read as the decimal that it prints, so 0.1 is 1/10.
    columns, classes, neighbours, unknown, allow_weak_privacy, budget
        Parameters of `PrivateDecisionListClassifier`.
    depth : int, optional
        Largest number of conditions in a rule, from 1 to 3. By default,
        `learners.tables.rule_plans.plan` computes this number from public numbers.
    score_share : float, Fraction, int, str or "best"
        Share of epsilon for a score of naive Bayes, which rules may then compare with a threshold
        (``score >= 0.5``). The share 0 gives rules without a score. "best" is 3/10 if the number of
        rows times epsilon is at least 10,000, and otherwise 0.
    score_tolerance : float, Fraction, int or str
        Advantage, as a share of the rows, that rules with the score need to be preferred to rules
        without the score. A margin for differences by chance is added to the advantage
        (`learners.tables.rule_plans.score_price`). The tolerance is public and has no privacy cost.
        For add/remove it requires `rows`.
    support_share : float, Fraction, int or str
        Share of epsilon for noisy numbers of rows at the leaves of the tree. These numbers are
        evidence for rules, and `predict_proba` uses them. With the share 0, there are no such
        numbers.
    class_weight : mapping of class to int, optional
        Public weight of each correctly labelled row of a class.
    rows : int, optional
        Public guess of the number of rows, for add/remove, which protects the exact number. It is
        used for "best" and for the choice of a sample.
    random_state : None, int, Coins or generator
        Source of randomness. None draws from the operating system (a release). Every other value
        gives a simulation.

    Attributes
    ----------
    rules_ : list of (str, class)
        Conditions and predicted classes. The last condition is ``always``.
    guarantees_ : tuple of Bound
        Largest number of rows by which the rules are worse than the best rules of each depth. The
        bounds are about all rows, even if the rules are learned from a sample. For add/remove,
        which protects the number of rows, the bounds hold if there are at most `rows` rows. Rows
        count with their class weight.
    mechanism_ : GibbsTree
        Private mechanism that chose the tree.
    model_ : RuleListModel
        Learned model, which can be saved and published.
    privacy_, spent_, classes_, n_features_in_, feature_names_in_
        Attributes of `PrivateDecisionListClassifier`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> X = np.column_stack([rng.integers(18, 90, 5_000), rng.random(5_000) < 0.3])
    >>> y = np.where((X[:, 0] >= 40) & (X[:, 0] < 75) & (X[:, 1] == 1), "high", "low")
    >>> model = PrivateRuleListClassifier(
    ...     epsilon=0.5, classes=("low", "high"), columns=[[40, 60, 75], "flag"], random_state=1)
    >>> print(model.fit(X, y).text())
    if 40 <= x0 < 75 and x1: high
    else: low
    >>> model.spent_.summary, int(model.guarantees_[2].value)
    ('(1/2, 0)-DP', 65)
    """

    most_classes = RuleListModel.most_classes
    model_: RuleListModel = field(init=False)
    mechanism_: GibbsTree = field(init=False)
    guarantees_: tuple[Bound, ...] = field(init=False)

    epsilon: object = 1.0
    _: KW_ONLY
    neighbours: str = "replace_one"
    depth: int | None = None
    score_share: object = 0
    score_tolerance: object = 0.005
    support_share: object = 0
    class_weight: object = None
    rows: int | None = None

    def fit(self, X: object, y: object, **refused: object) -> Self:
        """Learn the rules privately from a table and return the classifier.

        Parameters
        ----------
        X : table of shape (rows, columns)
            Training rows.
        y : array of shape (rows,)
            Class of each row. There are two classes, or more classes if `score_share` is 0.
        refused
            Arguments that this classifier does not support, such as ``sample_weight``.
        """
        refuse_weights(refused)
        public_rows(None, self.rows, self.neighbours)  # refuses before any budget is charged
        data, coins, maker = self._prepared(
            X,
            y,
            (self._epsilon(), Fraction(0)),
            require=lambda task: self._options(task).require(task),
        )
        public = public_rows(len(data.labels), self.rows, self.neighbours)
        model, event, mechanism, planned = private_rules(data, coins, self._options(data.task))
        self.mechanism_ = mechanism
        self.guarantees_ = mechanism.bounds(planned.conditions, public)
        self.rules_ = model.listed()
        return self._finish(model, data.together(event), maker)

    def _options(self, task: TableTask) -> RuleOptions:
        """Return the options of the rules, which depend on public numbers only."""
        public = public_rows(len(task.labels), self.rows, self.neighbours)
        best = isinstance(self.score_share, str) and self.score_share == "best"
        return RuleOptions(
            score_share=best_share(public if len(task.classes) == 2 else None, task.remaining)
            if best
            else as_printed(self.score_share, "share of epsilon for the score"),
            support_share=as_printed(self.support_share, "share of epsilon for supports"),
            tolerance=as_printed(self.score_tolerance, "tolerance"),
            weights=self._weights(),
            depth=self.depth,
            rows=self.rows,
        )

    def _weights(self) -> tuple[int, ...]:
        """Return the weights of the classes."""
        known = self.classes_.tolist()
        given = {} if self.class_weight is None else self.class_weight
        if not isinstance(given, Mapping) or not set(given) <= set(known):
            raise InvalidInput(
                "Class weights must be public integers by class, such as "
                f"{{{known[0]!r}: 1, {known[1]!r}: 3}}. Got {given!r}. Weights computed from the "
                "rows ('balanced') would disclose the number of rows of a class. Use public "
                "weights, or support_share=0.2 and a threshold on predict_proba, which is free."
            )
        return tuple(checked.positive(given.get(each, 1), "weight of a class") for each in known)

    def _scores(self, matrix: np.ndarray) -> np.ndarray:
        """Return the noisy log-odds of the rule that decides, or 1 or -1 without supports.

        For more than two classes, shape (rows, classes): noisy logarithms of shares, or 1 and -1.
        """
        model = self.model_
        counted = model.leaves or (*model.rules, CellRule((), model.default))
        labels = np.array([rule.label for rule in counted])
        chosen = labels[:, None] == np.arange(len(model.classes))
        scores = np.where(chosen, 1.0, -1.0)
        if model.supports:
            # The label of a rule does not change with the noise of its supports.
            logs = np.log(model.shares())
            above = np.where(chosen, -np.inf, logs).max(axis=1, keepdims=True) + 1e-9
            scores = np.where(chosen, np.maximum(logs, above), logs)
        if len(model.classes) == 2:
            scores = scores[:, 1] - scores[:, 0] if model.supports else scores[:, 1]
        found: np.ndarray = scores[model.places_of(matrix)]
        return found

    def _without_probabilities(self) -> str:
        return (
            "Rules have probabilities if a share of epsilon pays for noisy numbers of rows. Fit "
            f"with support_share=0.2. Got support_share={self.support_share!r}."
        )

    @available_if(_has_supports)
    def predict_proba(self, X: object) -> np.ndarray:
        """Return the noisy shares of classes among the rows at the leaf of each row.

        The shares exist if `support_share` paid for them. The class that `predict` gives need not
        have the largest share. You can choose any threshold on the shares afterwards, at no cost.

        Parameters
        ----------
        X : table of shape (rows, columns)
            Rows to predict.

        Returns
        -------
        array of shape (rows, classes)
        """
        check_is_fitted(self)
        matrix = self.columns_.matrix(self._read(X, reset=False), self.unknown)
        found: np.ndarray = self.model_.shares()[self.model_.places_of(matrix)]
        return found


@dataclass(eq=False, repr=False)
class PrivateNaiveBayesClassifier(ScoringClassifier):
    """A classifier by naive Bayes with noisy counts of rows for each column, entry and class.

    The entry of every column adds a number to a score. For two classes, the score is the log-odds
    of the second class if columns are independent given the class. For more classes, each class has
    a score, and the class with the largest score is predicted. The noisy counts are the mechanism
    `NaiveBayes`, and `learners.rules.naive_bayes` has the proof of privacy. The privacy cost does
    not depend on the number of classes, which count as public.

    Parameters
    ----------
    epsilon : float, Fraction, int or str
        Privacy budget epsilon of all steps.
    delta : float, Fraction, int, str or None
        Privacy budget delta of all steps. None, the default, gives a pure guarantee. With a delta,
        the noise is Gaussian if Gaussian noise is smaller.
    columns, classes, neighbours, unknown, allow_weak_privacy, budget, random_state
        Parameters of `PrivateDecisionListClassifier`.

    Attributes
    ----------
    model_ : BayesModel or ClassBayesModel
        Learned model, which can be saved and published. It is a `ClassBayesModel` for more than two
        classes.
    privacy_, spent_, classes_, n_features_in_, feature_names_in_
        Attributes of `PrivateDecisionListClassifier`.

    Examples
    --------
    >>> X = np.column_stack([np.arange(5_000) % 72 + 18, np.arange(5_000) % 10 < 3])
    >>> y = (X[:, 0] >= 60) | (X[:, 1] == 1)
    >>> model = PrivateNaiveBayesClassifier(
    ...     epsilon=0.5, columns=[[40, 60, 75], "flag"], random_state=1).fit(X, y)
    >>> model.spent_.summary, bool(model.score(X, y) > 0.9)
    ('(1/2, 0)-DP', True)
    >>> ages = np.digitize(X[:, 0], [40, 60])
    >>> model = PrivateNaiveBayesClassifier(
    ...     epsilon=0.5, columns=[[40, 60, 75], "flag"], random_state=1).fit(X, ages)
    >>> model.classes_.tolist(), model.predict_proba(X[:2]).shape, bool(model.score(X, ages) > 0.9)
    ([0, 1, 2], (2, 3), True)
    """

    most_classes = ClassBayesModel.most_classes
    model_: BayesModel | ClassBayesModel = field(init=False)

    epsilon: object = 1.0
    delta: object = None
    _: KW_ONLY
    neighbours: str = "replace_one"

    def fit(self, X: object, y: object, **refused: object) -> Self:
        """Learn the scores privately from a table X with labels y of two or more classes.

        Sample weights are `refused`, because the noise would have to grow with the largest weight.
        """
        refuse_weights(refused)
        delta = None if self.delta is None else self._budget().delta
        budget = self._epsilon(), delta or Fraction(0)
        data, coins, maker = self._prepared(X, y, budget)
        common = data.columns, data.task.classes, ""
        model: BayesModel | ClassBayesModel
        if len(data.task.classes) > 2:
            several, event = private_class_bayes(data, data.remaining, delta, coins)
            model = ClassBayesModel(*common, data.guarantee(event, delta, coins), several)
        else:
            scores, event = private_bayes(data, data.remaining, delta, coins)
            model = BayesModel(*common, data.guarantee(event, delta, coins), scores)
        return self._finish(model, data.together(event), maker)

    def _scores(self, matrix: np.ndarray) -> np.ndarray:
        if isinstance(self.model_, BayesModel):
            return self.model_.log_odds(matrix)
        return self.model_.scores_of(matrix)

    def predict_proba(self, X: object) -> np.ndarray:
        """Return the class probabilities of naive Bayes, shape (rows, classes).

        Parameters
        ----------
        X : table of shape (rows, columns)
            Rows with the columns of the training table.
        """
        check_is_fitted(self)
        matrix = self.columns_.matrix(self._read(X, reset=False), self.unknown)
        if isinstance(self.model_, BayesModel):
            return sigmoid(self.model_.log_odds(matrix))
        return self.model_.chances_of(matrix)
