"""Decision lists as scikit-learn classifiers, private and not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np

from learners import checked
from learners.accounting import ApproximateDP, Event, Scope, checked_neighbours
from learners.budget import Budget
from learners.budget_files import Charge
from learners.coins import Coins
from learners.tables.binarizer import (
    NOT_CHARGED,
    UNKNOWN_INPUTS,
    BudgetSource,
    Randomness,
    SourceBinarizer,
    TableEstimator,
    budget_of,
    coins_of,
)
from learners.tables.cells import class_numbers
from learners.tables.columns import fit_columns
from learners.tables.earlier_fits import warn_of_selection
from learners.tables.guarantees import is_simulation
from learners.tables.missing_values import is_missing
from learners.tables.models import ListModel, Model, pack
from learners.tables.records import Records
from learners.tables.rule_training import ListTraining, exact_list, private_list
from learners.tables.scikit import (
    ClassifierMixin,
    NamesNextStep,
    Tags,
    assert_all_finite,
    check_classification_targets,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)
from learners.tables.task import TableTask, TrainingData
from lsclasses.errors import InvalidInput
from lsclasses.numbers import as_printed
from lsclasses.point_names import canonical

# ---- decision lists


def _one_by_one(y: Any) -> Any:
    """Return labels in canonical form, each converted by itself.

    An array of one type is not changed. Its type is public, like the columns of a table.
    """
    kind = getattr(getattr(y, "dtype", None), "kind", "")
    if kind in tuple("biu") and hasattr(y, "isna") and not y.isna().any():
        # scikit-learn makes floats of the nullable types of pandas.
        return y.to_numpy(dtype=bool if kind == "b" else np.int64)
    if isinstance(y, (list, tuple)):
        return [_canonical_label(label) for label in y]
    if kind == "O" and np.ndim(y) == 1:
        labels = np.empty(len(y), dtype=object)
        labels[:] = [_canonical_label(label) for label in np.asarray(y, dtype=object).tolist()]
        return labels
    return y


def _canonical_label(label: object) -> object:
    """Return the canonical form of a label. A later step refuses a value that has none."""
    if isinstance(label, (list, tuple, np.ndarray)) or is_missing(label):
        return label
    with suppress(InvalidInput):
        return canonical(label)
    return label


class TableClassifier(NamesNextStep, ClassifierMixin, TableEstimator):  # type: ignore[misc]
    """A classifier of the rows of real tables into two classes."""

    classes: object
    unknown: str
    model_: Model
    most_classes = 2
    _maker: SourceBinarizer | None = None

    def _examples(
        self, X: object, y: Any, *, reset: bool, classes: object = None
    ) -> tuple[Records, np.ndarray]:
        """Return the table in X and its labels 0 and 1, after finding the two classes."""
        if y is None:
            raise InvalidInput("This classifier requires y to be passed, but the target y is None.")
        table = self._read(X, reset=reset)
        # Later labels only have to be classes, and the label check of scikit-learn is slow.
        plain = not reset and type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuOU"
        given = y if plain else column_or_1d(_one_by_one(y), warn=True)
        if given.dtype.kind == "f":
            assert_all_finite(given, input_name="y")
        if len(table) != len(given):
            check_consistent_length(table, given)
        missing = (
            [i for i, label in enumerate(given.tolist()) if is_missing(label)]
            if given.dtype.kind not in "biu"
            else []
        )
        if missing:
            raise InvalidInput(
                "The target has a missing value (NaN, NA, ? or blank) in "
                f"{table.place(missing[0])}. Remove the rows without a target, with "
                "neighbours='add_remove', because their number depends on the rows."
            )
        if not plain:
            check_classification_targets(given)
        if reset:
            self.classes_ = self._two_classes(given, classes)
        known = self.classes_.tolist()
        numbers = class_numbers(given, known, table.place)
        return table, numbers == 1 if len(known) == 2 else numbers

    def _two_classes(self, y: np.ndarray, classes: object) -> np.ndarray:
        chosen = self.classes if classes is None else classes
        # Without this step, the first of -0.0 and 0.0 would be kept.
        found = np.unique(y if chosen is None else np.asarray(chosen))
        if found.dtype.kind == "f":
            found = found + 0.0
        if len(found) > self.most_classes > 2:
            raise InvalidInput(
                f"The target may have at most {self.most_classes} classes. Got {len(found)}."
            )
        if len(found) > self.most_classes:
            shown = ", ".join(map(repr, found[:5].tolist()))
            raise InvalidInput(
                "Only binary classification is supported. The type of the target is multiclass, "
                f"with {len(found)} classes: {shown}{', ...' * (len(found) > 5)}. Map them to "
                "two classes, for example by y == one_of_them."
            )
        if not len(found):
            raise InvalidInput("At least two classes are needed. Got an empty list of classes.")
        if len(found) < 2:
            (only,) = found.tolist()
            raise InvalidInput(
                f"At least two classes are needed. The target has only one class, {only!r}. If the "
                "other class is public too, give both as classes=(one, other)."
            )
        return found

    def _finish(self, model: Model, event: Event | None, maker: SourceBinarizer | None) -> Self:
        """Store the learned model, and the `Binarizer` that made the rows."""
        self._maker = maker
        self.model_, self.columns_, self.privacy_ = model, model.columns, event
        self.spent_ = None if model.guarantee is None else model.guarantee.total
        return self

    def _pair(self) -> tuple[object, object]:
        negative, positive = self.classes_.tolist()
        return negative, positive

    def predict(self, X: object) -> np.ndarray:
        """Return the predicted classes of the rows of a table, shape (rows,).

        Parameters
        ----------
        X : table of shape (rows, columns)
            Rows with the columns of the training table.

        Raises
        ------
        InvalidInput
            If a value is missing or does not match the declaration of its column.
        """
        check_is_fitted(self)
        matrix = self.columns_.matrix(self._read(X, reset=False), self.unknown)
        found: np.ndarray = self.classes_[self.model_.labels_of(matrix)]
        return found

    def text(self) -> str:
        """Return the learned rule of the classifier as readable text."""
        check_is_fitted(self)
        return self.model_.text()

    def to_json(self) -> str:
        """Return the model as JSON, which `learners.tables.saved.load_model` reads."""
        check_is_fitted(self)
        return self.model_.to_json()

    def to_python(self, function: str = "predict") -> str:
        """Return Python source of a function that predicts the class of a row.

        The argument of the function is a dict from column names to entries.
        """
        check_is_fitted(self)
        return self.model_.to_python(function)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.most_classes > 2
        return tags


class _Budgeted(TableClassifier):
    """The budget of a private classifier, in which each classifier has its default."""

    epsilon: object
    delta: object


@dataclass(eq=False, repr=False)
class PrivateTableClassifier(_Budgeted):
    """A classifier with a privacy budget, and the parameters that such classifiers share.

    The constructors of classifiers are generated from their fields, so a parameter and its default
    are declared once. The constructors store the parameters unchanged, as scikit-learn requires,
    and `fit` checks the parameters.
    """

    _: KW_ONLY
    columns: object = None
    classes: object = None
    unknown: str = "warn"
    allow_weak_privacy: bool = False
    budget: BudgetSource | None = None
    random_state: Randomness | None = None

    def _prepared(
        self,
        X: object,
        y: object,
        budget: tuple[Fraction, Fraction],
        *,
        classes: object = None,
        require: Callable[[TableTask], None] | None = None,
        depth: int = 2,
    ) -> tuple[TrainingData, Coins, SourceBinarizer | None]:
        """Return the rows to learn from, the coins and the maker, after charging the full budget.

        `require` refuses a task that is too large, before the charge. Warnings about undeclared
        columns name the caller `depth` calls above this function.
        """
        epsilon, delta = budget
        table, labels = self._examples(X, y, reset=True, classes=classes)
        coins = coins_of(self.random_state)
        maker, conditional = self._inputs(X)
        task = TableTask(
            features=table,
            declared=self._declared(table, depth=depth),
            labels=labels,
            classes=tuple(self.classes_.tolist()),
            epsilon=epsilon,
            delta=delta,
            neighbours=checked_neighbours(self.neighbours),
            unknown=self.unknown,
            conditional=conditional,
        )
        task.require_readable()
        if require is not None:
            require(task)
        data = self._released(task, X, lambda: task.draw(coins))
        warn_of_selection(
            data.matrix,
            table,
            release=not is_simulation(coins),
            paid=self.budget is not None,
            depth=depth + 1,
        )
        return data, coins, maker

    def _released(
        self, task: TableTask, X: object, run: Callable[[], TrainingData]
    ) -> TrainingData:
        """Charge the whole budget to its file, if there is a file, then make the features."""
        if self.budget is None:
            return run()
        if task.cost is None or is_simulation(coins_of(self.random_state)):
            raise InvalidInput(NOT_CHARGED)
        event = ApproximateDP(task.epsilon, task.delta, scope=Scope.adaptive(task.neighbours))
        return budget_of(self.budget).release(
            event, type(self).__name__, run, after=self._paid_before(X)
        )

    def _paid_before(self, X: object) -> Charge | None:
        """Return the earlier charge for making X from the rows, required in the budget, or None.

        Raises
        ------
        InvalidInput
            If the maker of X is unknown, is not private, or was not charged to a budget.
        """
        maker, conditional = self._inputs(X)
        if maker is None:
            if conditional:
                raise InvalidInput(UNKNOWN_INPUTS)
            return None
        if maker.spent is None or maker.simulated:
            raise InvalidInput(NOT_CHARGED)
        if maker.spent.conditional:
            raise InvalidInput(UNKNOWN_INPUTS)
        if any(maker.spent) and maker.paid is None:
            raise InvalidInput(
                "The features were chosen by looking at the rows, privately for "
                f"{maker.spent.summary}, but this cost was not charged to a budget. Give the "
                "Binarizer the same budget=."
            )
        return maker.paid

    def _budget(self) -> Budget:
        """The budget, checked before any row is read."""
        return Budget(
            as_printed(self.epsilon, "epsilon"),
            checked.delta(as_printed(self.delta, "delta")),
            allow_weak_privacy=self.allow_weak_privacy,
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Private learning fails on a few hundred rows, because privacy hides a few rows.
        tags.classifier_tags.poor_score = True
        return tags


@dataclass(eq=False, repr=False)
class PrivateDecisionListClassifier(PrivateTableClassifier):
    """A private classifier by a decision list, with the covering algorithm of [BF25, section 3].

    Epsilon and delta cover all steps, including the choice of private cut points. The set of the
    two classes and the names and the number of columns count as public. With neighbours that
    replace a row, the number of rows is public, too. A prediction depends only on the features of
    the row and on the released values. The guarantee does not cover ``score`` on training rows, or
    any other value that is computed from the training rows.

    Parameters
    ----------
    epsilon, delta : float, Fraction, int or str
        Privacy budget of all steps. A float is read as the decimal that it prints, so 0.1 is 1/10.
        An epsilon above 20 or a delta of 1/10 or more requires `allow_weak_privacy`.
    k : int
        Largest number of literals in a rule.
    columns : optional
        Declaration of how columns become features (see `Binarizer`). The default cut points are -2,
        -1.5, ..., 2, with a warning, and columns of the type bool are not changed. By declaring
        columns, you state that this is the original table. Without declarations, the guarantee is
        conditional on the inputs (see `learners.tables.guarantees.Guarantee`).
    classes : pair, optional
        The two classes, required if one of them may not occur in the rows. In sorted order, the
        second class is label 1.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    unknown : {"warn", "error", "ignore"}
        Treatment of categories that were not declared.
    accuracy : float, optional
        Error for which a warning appears if a theorem needs more rows
        (`learners.rules.sample_sizes.FewRows`).
    allow_weak_privacy : bool
        Whether a budget that gives almost no protection is allowed (`learners.budget.Budget`).
    budget : BudgetFile or path, optional
        Budget that is charged for all of epsilon and delta before learning. Then columns must be
        declared, either in this classifier or in the `Binarizer` that made the features. If that
        `Binarizer` has private cut points, they must have been paid from the same budget.
    random_state : None, int, Coins or generator
        Source of randomness. None draws from the operating system (a release). Every other value
        gives a simulation.

    Attributes
    ----------
    rules_ : list of (str, class)
        Conditions and predicted classes in order. The last condition is ``always``.
    privacy_ : Event or None
        Ledger of the privacy costs. None if columns were made from the data without privacy.
    spent_ : Privacy or None
        Total privacy cost, with the neighbour relation, the adversary model and the unit.
    model_ : ListModel
        Learned model, which can be saved.
    classes_, n_features_in_, feature_names_in_
        Attributes that every classifier of scikit-learn has.

    Raises
    ------
    InvalidInput
        If the budget is not positive or is spent before learning begins, the target does not have
        two classes, or a value is missing or does not match the declaration of its column.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> X = np.column_stack([rng.integers(18, 90, 20_000), rng.random(20_000) < 0.3])
    >>> y = np.where((X[:, 0] >= 60) | (X[:, 1] == 1), "high", "low")
    >>> model = PrivateDecisionListClassifier(
    ...     epsilon=0.5, delta=1e-6, columns=[[40, 60, 75], "flag"], random_state=1)
    >>> print(model.fit(X, y).text())
    if x1: high
    else if x0 < 60: low
    else: high
    >>> float(model.score(X, y))
    1.0
    >>> print(model.spent_)
    (1/2, 1e-06)-DP, one item replaced, against an adaptive adversary that observes every released \
value
    """

    model_: ListModel = field(init=False)

    epsilon: object = 1.0
    delta: object = 1e-6
    k: int = 1
    _: KW_ONLY
    neighbours: str = "replace_one"
    accuracy: object = None

    def fit(self, X: object, y: object) -> Self:
        """Learn a decision list privately from a table and return the classifier.

        Parameters
        ----------
        X : table of shape (rows, columns)
            Training rows.
        y : array of shape (rows,)
            Class of each row, one of two classes.
        """
        epsilon, delta = self._budget()
        training = ListTraining(delta=delta, k=self.k)
        data, coins, maker = self._prepared(X, y, (epsilon, delta), require=training.require)
        model, _, event = private_list(
            data,
            self.k,
            coins,
            accuracy=None if self.accuracy is None else as_printed(self.accuracy, "accuracy"),
        )
        self.rules_ = model.listed()
        return self._finish(model, data.together(event), maker)


@dataclass(eq=False, repr=False)
class DecisionListClassifier(TableClassifier):
    """A decision list without privacy, by greedy covering.

    It is the baseline of `PrivateDecisionListClassifier`, with the same features and search.

    Parameters
    ----------
    k : int
        Largest number of literals in a rule.
    columns : mapping, sequence or column, optional
        Column declarations (`learners.tables.declarations.declared_columns`).
    classes : pair, optional
        The two classes. By default, the two classes that occur.
    unknown : "warn", "error" or "ignore"
        Treatment of undeclared categories. Such a category makes no feature true.
    random_state : None, int, Coins or generator
        Source of private cut points. They are the only random part.

    Attributes
    ----------
    rules_ : list of (condition, label)
        Rules in order, with the default rule last.
    model_ : ListModel
        The learned list with its columns, which can be printed and saved.
    classes_ : numpy.ndarray
        The two classes, sorted.
    n_features_in_, feature_names_in_
        Number of columns of the table, and their names if the table has names.

    Examples
    --------
    >>> X = [[25, 0], [70, 0], [30, 1], [80, 1]]
    >>> model = DecisionListClassifier(columns=[[40, 60], "flag"]).fit(X, [0, 1, 1, 1])
    >>> model.rules_
    [('x0 >= 40', 1), ('x1', 1), ('always', 0)]
    """

    model_: ListModel = field(init=False)
    neighbours = "replace_one"

    k: int = 1
    _: KW_ONLY
    columns: object = None
    classes: object = None
    unknown: str = "warn"
    random_state: Randomness | None = None

    def fit(self, X: object, y: object) -> Self:
        """Learn a decision list without privacy from a table, and return the classifier."""
        table, labels = self._examples(X, y, reset=True)
        maker, _ = self._inputs(X)
        coins = coins_of(self.random_state)
        columns, _ = fit_columns(self._declared(table), table, self.neighbours, coins)
        packed = pack(columns, columns.matrix(table, self.unknown), self.k)
        model = exact_list(columns, packed, labels, classes=self._pair())
        self.rules_ = model.listed()
        return self._finish(model, None, maker)
