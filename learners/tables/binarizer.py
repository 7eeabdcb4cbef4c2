"""`Binarizer`: real tables as Boolean features, as a scikit-learn transformer.

`TableEstimator` contains the code that `Binarizer` shares with the classifiers. It reads tables and
declares columns. This module needs scikit-learn. The modules of columns and `tables` do not.
"""

from __future__ import annotations

import os
import secrets
import warnings
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import numpy as np

from learners.accounting import Event, Privacy, basic, checked_neighbours
from learners.budget import Budget
from learners.budget_files import BudgetFile, Charge
from learners.coins import Coins, SecureCoins, SeededCoins
from learners.not_private import PublicWarning
from learners.tables.columns import (
    Column,
    Cuts,
    FixedColumns,
    Flag,
    choice_cost,
    fit_columns,
    require_readable,
)
from learners.tables.declarations import declared_columns
from learners.tables.guarantees import is_simulation
from learners.tables.records import (
    Records,
    as_records,
    holds_dicts,
    is_arrow,
    is_frame,
    unique_names,
)
from learners.tables.scikit import (
    BaseEstimator,
    Tags,
    TransformerMixin,
    check_is_fitted,
    checked_names,
    validate_data,
)
from lsclasses.errors import InvalidInput

DEFAULT_CUTS = Cuts(i / 2 for i in range(-4, 5))
"""Default cut points of numeric columns: a fixed grid that does not depend on the data."""


BudgetSource = BudgetFile | str | os.PathLike[str]
"""The type of an estimator's ``budget``: a budget in a file, or the path of the file."""

Randomness = int | np.random.Generator | np.random.RandomState | np.random.SeedSequence | Coins
"""The type of an estimator's ``random_state``, see `coins_of`."""


class DefaultCutsWarning(PublicWarning):
    """Warning that some columns are not declared and get the default cut points.

    The warning depends only on the types of the columns and not on their entries, so it reveals
    no information about the rows.
    """


@dataclass(frozen=True)
class SourceBinarizer:
    """The recorded information about the `Binarizer` that made some features.

    Attributes
    ----------
    mark : str
        Identifier of the fit. It contains no information about the rows.
    spent : Privacy or None
        Privacy cost of choosing the features. None if this choice has no privacy guarantee.
    simulated : bool
        Whether the features depend on draws from a seed.
    paid : Charge or None
        Charge for this cost to a budget in a file.
    """

    mark: str
    spent: Privacy | None
    simulated: bool
    paid: Charge | None


_MADE: dict[int, tuple[weakref.ref[np.ndarray], SourceBinarizer]] = {}
"""The matrices in memory that a `Binarizer` made, by their id."""


def _remember(matrix: np.ndarray, maker: SourceBinarizer) -> None:
    key = id(matrix)
    _MADE[key] = weakref.ref(matrix, lambda _: _MADE.pop(key, None)), maker


def _maker(X: object) -> SourceBinarizer | None:
    """Return the `Binarizer` that made this matrix object. None if no fitted one made it."""
    made = _MADE.get(id(X))
    return made[1] if made is not None and made[0]() is X else None


FittedColumns = tuple[FixedColumns, Event | None]
"""Columns with chosen cut points, and the privacy cost of the choice."""


def budget_of(budget: BudgetSource) -> BudgetFile:
    """Return the budget file of an estimator's parameter ``budget``, which may be a path."""
    return budget if isinstance(budget, BudgetFile) else BudgetFile(budget)


NOT_CHARGED = (
    "Only private releases can be charged to a budget. A draw from a seed is a simulation, and "
    "columns from the data have no guarantee."
)
UNKNOWN_INPUTS = (
    "A budget needs the original rows of a table, but the columns are not declared. The steps that "
    "made these rows from the data are in no budget. Declare the columns (columns=...) if this is "
    "the original table. After a Binarizer, fit the pipeline as a whole, and declare them for "
    "the Binarizer."
)


def coins_of(random_state: Randomness | None) -> Coins:
    """Return the coins for an estimator's ``random_state``.

    Parameters
    ----------
    random_state : None, int, Coins, numpy.random.RandomState or numpy.random.Generator
        None selects `SecureCoins`, the only choice for a release. A seed or a generator is for
        simulations.

    Raises
    ------
    InvalidInput
        If the value is neither a seed, nor coins, nor a generator of NumPy.

    Examples
    --------
    >>> type(coins_of(None)).__name__, type(coins_of(7)).__name__
    ('SecureCoins', 'SeededCoins')
    """
    if random_state is None:
        return SecureCoins()
    if isinstance(random_state, Coins):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return SeededCoins(int(random_state.randint(1 << 31)))
    try:
        return SeededCoins(random_state)
    except (TypeError, ValueError):
        raise InvalidInput(
            "The random_state must be None (secure randomness), a seed, or a generator of NumPy. "
            f"Got {random_state!r}."
        ) from None


class TableEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator that reads real tables, with the parameters `columns` and `neighbours`.

    Every input that scikit-learn accepts is a table: arrays, lists of rows, data frames. Lists of
    dicts and `Records` are tables, too.
    """

    columns: object
    neighbours: str
    random_state: Randomness | None

    def _inputs(self, X: object) -> tuple[SourceBinarizer | None, bool]:
        """Return the `Binarizer` that made X, if any, and whether a ledger about X is conditional.

        A ledger is conditional if the columns are not declared, or if the columns are known to be
        features that another estimator made.
        """
        maker = _maker(X)
        undeclared = self.columns is None or (
            isinstance(self.columns, Mapping) and not self.columns
        )
        return maker, undeclared or maker is not None

    def _read(self, X: object, *, reset: bool) -> Records:
        """Return the table in X. At prediction, it must have the columns of the fit."""
        if isinstance(X, Records) or holds_dicts(X) or is_arrow(X) or _has_equal_names(X):
            table = as_records(X, None if reset else self._names())
            if reset:
                self.n_features_in_ = len(table.names)
                self.feature_names_in_ = np.array(table.names, dtype=object)
            return _with_rows(table)
        if is_frame(X):
            # Each column of a frame has its type. One array of all columns would lose the types.
            validate_data(self, X, reset=reset, skip_check_array=True)
            return _with_rows(Records(self._names(), as_records(X).columns))
        if not reset and self._is_plain(X):
            return as_records(X, self._names())
        # A later step refuses missing values, because its message can name the column.
        numeric = self.columns is None and getattr(X, "dtype", None) != np.bool_
        # The entries of a list keep their types. An entry must not change with the other rows.
        mixed = None if hasattr(X, "dtype") else object
        try:
            array = validate_data(
                self,
                X,
                reset=reset,
                dtype=np.float64 if numeric else mixed,
                ensure_all_finite=False,
            )
        except OverflowError:
            raise InvalidInput(
                "A number of the table is too large for a float (beyond about 10^308)."
            ) from None
        return as_records(array, self._names())

    def _is_plain(self, X: object) -> bool:
        """Check whether X is an array of numbers like the array of the fit, to skip conversion.

        Predicting a single row then takes less time than the input check of scikit-learn.
        """
        return (
            type(X) is np.ndarray
            and X.dtype.kind in "biuf"
            and X.ndim == 2
            and X.shape[1] == self.n_features_in_
            and len(X) > 0
            and not hasattr(self, "feature_names_in_")
        )

    def _names(self) -> tuple[str, ...]:
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            # The feature names in `columns_` are the same objects, so comparing them is fast.
            known: FixedColumns | None = getattr(self, "columns_", None)
            if known is not None and len(known.names) == self.n_features_in_:
                return known.names
            return tuple(f"x{j}" for j in range(self.n_features_in_))
        return unique_names(map(str, names))

    def _declared(self, table: Records, depth: int = 1) -> tuple[Column, ...]:
        """Return the declarations of columns. The user's call is `depth` calls above this one."""
        if self.columns is not None:
            return declared_columns(table.names, self.columns)
        declared = tuple(
            Flag() if column.dtype == np.bool_ else DEFAULT_CUTS for column in table.columns
        )
        names = [
            repr(name)
            for name, column in zip(table.names, declared, strict=True)
            if column is DEFAULT_CUTS
        ]
        if names:
            several = f"{', '.join(names[:3])}{f' and {len(names) - 3} more' * (len(names) > 3)}"
            warnings.warn(
                f"There is no declaration of {several}, so the cut points are -2, -1.5, ..., 2, "
                "for all entries. They suit only numbers that are scaled by public constants. "
                "Declare the columns, such as columns=[30, 40, 50] for one list of cut points, "
                "columns={'age': [30, 40, 50], ...} by name, or columns='flag' for 0 and 1.",
                DefaultCutsWarning,
                stacklevel=depth + 2,
            )
        return declared

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = self.columns is not None
        return tags


def _has_equal_names(X: object) -> bool:
    """Return whether a data frame has equal names, which scikit-learn cannot read."""
    names = list(map(str, X.columns)) if is_frame(X) else []
    return len(set(names)) < len(names)


def _with_rows(table: Records) -> Records:
    if not table.names:
        raise InvalidInput("A table needs at least one column. Got a table with 0 features.")
    if not len(table):
        raise InvalidInput("A table needs at least one row. Got a table with 0 samples.")
    return table


class Binarizer(TransformerMixin, TableEstimator):  # type: ignore[misc]
    """A transformer from real tables to Boolean features, such as "age >= 40" or "job = cook".

    Parameters
    ----------
    columns : optional
        Declaration of how columns become features. See `learners.tables.declarations.as_column`. A
        column is declared by public cut points such as ``[40, 60]``, public categories such as
        ``["red", "green"]``, ``{"range": [0, 100], "steps": 9}``, `PrivateCuts` or `Flag`. Give one
        declaration for all columns, a dict by column names (others are flags), or a list in the
        order of the columns. The default cut points are -2, -1.5, ..., 2, with a warning
        (`DefaultCutsWarning`), and columns of the type bool are not changed. Cut points or
        categories from the data require ``"data-dependent, not private"``.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee of private cut points.
    unknown : {"warn", "error", "ignore"}
        Treatment of undeclared categories. Their features are all false.
    allow_weak_privacy : bool
        Whether private cut points may cost more than a `Budget` allows.
    budget : BudgetFile or path, optional
        Budget that is charged for private cut points before they are chosen. A classifier that
        charges this budget accepts the features only if the cut points were charged to it, too.
    random_state : None, int, Coins or generator
        None draws from the operating system (a release). Every other value is a simulation.

    Attributes
    ----------
    columns_ : FixedColumns
        The features of all columns.
    privacy_ : Event or None
        Privacy cost of choosing the cut points. None if there is no guarantee.
    spent_ : Privacy or None
        Total of `privacy_`. It is conditional if no columns were declared.
    n_features_in_, feature_names_in_
        Attributes that every estimator of scikit-learn has.

    Raises
    ------
    InvalidInput
        If a value is missing or does not match the declaration. The message names column and row.
        Constant columns are kept, because leaving them out would reveal that they are constant.

    Examples
    --------
    >>> table = [{"age": 41, "job": "cook"}, {"age": 70, "job": "nurse"}]
    >>> binarizer = Binarizer({"age": [40, 60], "job": ["cook", "nurse"]})
    >>> binarizer.fit_transform(table).astype(int)
    array([[1, 0, 1, 0],
           [1, 1, 0, 1]])
    >>> binarizer.get_feature_names_out().tolist()
    ['age >= 40', 'age >= 60', 'job = cook', 'job = nurse']
    """

    def __init__(
        self,
        columns: object = None,
        *,
        neighbours: str = "replace_one",
        unknown: str = "warn",
        allow_weak_privacy: bool = False,
        budget: BudgetSource | None = None,
        random_state: Randomness | None = None,
    ) -> None:
        self.columns = columns
        self.neighbours = neighbours
        self.unknown = unknown
        self.allow_weak_privacy = allow_weak_privacy
        self.budget = budget
        self.random_state = random_state

    def fit(self, X: object, y: object = None) -> Self:
        """Choose the features. Only private cut points depend on the data.

        Parameters
        ----------
        X : table of shape (rows, columns)
            Rows of the table.
        y : ignored
            Not used, for the interface of scikit-learn.
        """
        table = self._read(X, reset=True)
        _, conditional = self._inputs(X)
        declared, coins = self._declared(table), coins_of(self.random_state)
        neighbours = checked_neighbours(self.neighbours)
        planned = choice_cost(declared, table.names, neighbours)
        if planned is not None and planned.events:
            Budget(*basic(planned), allow_weak_privacy=self.allow_weak_privacy)
        # Coins from which no number was drawn do not make the result a simulation.
        simulated = planned is not None and bool(planned.events) and is_simulation(coins)
        fit = partial(fit_columns, declared, table, neighbours, coins)
        require_readable(table, declared, self.unknown)
        (fixed, cost), paid = self._released(planned, simulated, conditional, fit)
        fixed.matrix(table, self.unknown)
        self.columns_, self.privacy_ = fixed, cost
        self.spent_ = None if cost is None else replace(Privacy.of(cost), conditional=conditional)
        self._made = SourceBinarizer(secrets.token_hex(16), self.spent_, simulated, paid)
        return self

    def _released(
        self,
        planned: Event | None,
        simulated: bool,
        conditional: bool,
        fit: Callable[[], FittedColumns],
    ) -> tuple[FittedColumns, Charge | None]:
        """Charge a budget for private cut points, if both exist, then choose the cut points."""
        if self.budget is None:
            return fit(), None
        if planned is None or simulated:
            raise InvalidInput(NOT_CHARGED)
        if not any(basic(planned)):
            return fit(), None
        if conditional:
            raise InvalidInput(UNKNOWN_INPUTS)
        budget = budget_of(self.budget)
        return budget.release_with_charge(planned, "private cut points", fit)

    def transform(self, X: object) -> np.ndarray:
        """Return the Boolean features of all rows of a table.

        Returns
        -------
        numpy.ndarray
            Shape (rows, features), dtype bool.
        """
        check_is_fitted(self)
        # A copy, because an array of the table is not remembered as made by this Binarizer.
        matrix = self.columns_.matrix(self._read(X, reset=False), self.unknown).copy(order="K")
        _remember(matrix, self._made)
        return matrix

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags

    def get_feature_names_out(self, input_features: object = None) -> np.ndarray:
        """Return the features in words.

        Parameters
        ----------
        input_features : sequence of str, optional
            Names of the columns, if the table had no names.
        """
        check_is_fitted(self)
        names = checked_names(self, input_features)
        renamed = FixedColumns(tuple(map(str, names)), self.columns_.columns)
        return np.array([renamed.described(j) for j in range(renamed.count)], dtype=object)
