"""All columns of a table: their features next to each other, their choice and their storage.

With privately chosen features, the guarantee of the table is the sequential composition of the
guarantee of the choice and the guarantee of a learner on the features.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NoReturn

import numpy as np

from learners import checked
from learners.accounting import Event, Sequential, basic
from learners.coins import Coins
from learners.not_private import PublicWarning
from learners.tables.columns.base import Column, FixedColumn, shown
from learners.tables.columns.categories import Categories, WithMissing
from learners.tables.columns.numeric import Cuts, Flag
from learners.tables.records import Records
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import format_number, plural

FEATURES_LIMIT = 1 << 33
"""Largest number of features times rows. Each of these values takes a byte."""

AT_ONCE = 1 << 18
"""Number of features that are computed together."""


class NotPrivateWarning(PublicWarning):
    """Warning that values were taken from the data without privacy, so no guarantee remains."""


UNKNOWN = ("warn", "error", "ignore")
"""Possible treatments of undeclared categories. All features of such a category are false."""


def require_unknown(unknown: str) -> None:
    """Refuse a treatment of unknown entries that is not one of `UNKNOWN`."""
    if unknown not in UNKNOWN:
        raise InvalidInput(
            f"The treatment of unknown categories must be one of {', '.join(UNKNOWN)}. "
            f"Got {unknown!r}."
        )


def require_room(rows: int, features: int) -> None:
    """Refuse features that would take more memory than `FEATURES_LIMIT`.

    Raises
    ------
    TooLarge
    """
    if rows * features > FEATURES_LIMIT:
        raise TooLarge(
            f"{features} features of {rows} rows take {rows * features} bytes. The limit is "
            f"{FEATURES_LIMIT} bytes. Leave columns out, or declare fewer cut points and "
            "categories.",
            estimate=rows * features,
            limit=FEATURES_LIMIT,
        )


@dataclass(frozen=True)
class FixedColumns:
    """The features of a whole table, column by column.

    Parameters
    ----------
    names : tuple of str
        Names of the columns.
    columns : tuple of FixedColumn
        The columns, in the order of their names.

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    >>> columns.matrix(as_records([[50, 1]], names=columns.names)).astype(int).tolist()
    [[1, 0, 1]]
    >>> [columns.described(j) for j in range(columns.count)]
    ['age >= 40', 'age >= 60', 'smoker']
    """

    names: tuple[str, ...]
    columns: tuple[FixedColumn, ...]

    def __post_init__(self) -> None:
        if len(self.names) != len(self.columns):
            raise InvalidInput(
                f"Every column needs a name. Got {plural(len(self.names), 'name')} for "
                f"{plural(len(self.columns), 'column')}."
            )

    @cached_property
    def _features(self) -> list[tuple[str, FixedColumn, int]]:
        return [
            (name, column, index)
            for name, column in zip(self.names, self.columns, strict=True)
            for index in range(column.count)
        ]

    @cached_property
    def places(self) -> list[range]:
        """The numbers of the features of each column."""
        ends = accumulate((column.count for column in self.columns), initial=0)
        return [range(start, end) for start, end in pairwise(ends)]

    @property
    def count(self) -> int:
        """The number of features of all columns together."""
        return len(self._features)

    def feature(self, feature: int) -> tuple[str, FixedColumn, int]:
        """Return the column of a feature, and the number of the feature in this column."""
        return self._features[feature]

    def described(self, feature: int, holds: bool = True) -> str:
        """Return a feature, or its negation, in words."""
        name, column, index = self._features[feature]
        return column.described(shown(name), index, holds)

    def source(self, feature: int, holds: bool = True) -> str:
        """Return a feature, or its negation, as a Python expression in the dict ``row``."""
        name, column, index = self._features[feature]
        return column.source(name, index, holds)

    def matrix(self, table: Records, unknown: str = "warn") -> np.ndarray:
        """Return the features of all rows, shape (rows, count), dtype bool.

        Raises
        ------
        InvalidInput
            If a column is absent, an entry is missing or does not match the declaration, or, with
            ``unknown="error"``, a category was not declared.
        """
        require_unknown(unknown)
        require_room(len(table), self.count)
        at_once = self._of_numbers(table)
        if at_once is not None:
            return at_once
        # The array stores one feature after the other, because features are counted one by one.
        found = np.empty((len(table), self.count), dtype=bool, order="F")
        start = 0
        no_flags: list[tuple[str, InvalidInput]] = []
        for name, column in zip(self.names, self.columns, strict=True):
            try:
                found[:, start : start + column.count] = column.features(table.cells(name), unknown)
            except InvalidInput as error:
                # An undeclared column counts as a flag. One error lists all wrong columns.
                if not isinstance(column, Flag):
                    raise
                no_flags.append((name, error))
            start += column.count
        if no_flags:
            _refuse_flags(no_flags)
        return found

    @cached_property
    def _thresholds(self) -> list[np.ndarray] | None:
        """The least value of each feature, for each column. A flag has the value 1.

        None if some column holds other entries than numbers.
        """
        if not all(isinstance(column, (Flag, Cuts)) for column in self.columns):
            return None
        if any(isinstance(column, Cuts) and column.dates for column in self.columns):
            return None
        return [
            np.array(column.points if isinstance(column, Cuts) else (1.0,))
            for column in self.columns
        ]

    def _of_numbers(self, table: Records) -> np.ndarray | None:
        """Return the features of a table of numbers, in blocks of rows. None for other tables.

        The result is also None if an entry is wrong. The code for columns then reports the error.
        """
        if table.names != self.names or self._thresholds is None:
            return None
        array = table.all_numbers()
        if array is None:
            return None
        flags = [j for j, column in enumerate(self.columns) if isinstance(column, Flag)]
        if array.dtype == np.bool_ and len(flags) == array.shape[1]:
            return array
        found = np.empty((len(array), self.count), dtype=bool, order="F")
        by_feature = found.T
        step = max(1, AT_ONCE // max(1, len(self.columns)))
        for start in range(0, len(array), step):
            # A contiguous copy makes the comparisons of each column fast.
            block = np.ascontiguousarray(array[start : start + step].T, dtype=np.float64)
            truth = block[flags]
            if not (np.isfinite(block).all() and ((truth == 0) | (truth == 1)).all()):
                return None
            first = 0
            for entries, points in zip(block, self._thresholds, strict=True):
                part = by_feature[first : first + len(points), start : start + step]
                np.greater_equal(entries, points[:, None], out=part)
                first += len(points)
        return found

    @property
    def imports(self) -> tuple[str, ...]:
        """The lines that the Python expressions of the features need in a function."""
        dates = any(
            isinstance(inner := getattr(column, "column", column), Cuts) and inner.dates
            for column in self.columns
        )
        return ("    from datetime import datetime",) if dates else ()

    def to_json(self) -> list[dict[str, object]]:
        """Return the columns as JSON values, for `from_json`."""
        return [
            {"name": name, **column.to_json()}
            for name, column in zip(self.names, self.columns, strict=True)
        ]

    @classmethod
    def from_json(cls, data: object) -> FixedColumns:
        """Return the columns that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If the data are not such columns.
        """
        if not isinstance(data, list) or not all(
            isinstance(entry, dict) and isinstance(entry.get("name"), str) for entry in data
        ):
            raise InvalidInput('the columns must be a list of objects with a "name".')
        names = tuple(entry["name"] for entry in data)
        if len(set(names)) < len(names):
            raise InvalidInput("the columns must have different names.")
        columns = tuple(
            _fixed_column({key: value for key, value in entry.items() if key != "name"})
            for entry in data
        )
        return cls(names, columns)


def choice_cost(
    declared: Sequence[Column], names: Sequence[str], neighbours: str
) -> Sequential | None:
    """Return the privacy cost of choosing the features of columns, without reading the rows.

    Returns
    -------
    Sequential or None
        None if features will be taken from the data without privacy.

    Raises
    ------
    InvalidInput
        If the number of declarations differs from the number of columns.

    Examples
    --------
    >>> from learners.accounting import basic
    >>> from learners.tables.columns import DataDependent, PrivateCuts
    >>> cost = choice_cost([PrivateCuts(0, 1, 10, 2, 0.5), Categories("ab")], ["size", "kind"],
    ...                    "replace_one")
    >>> basic(cost)
    (Fraction(1, 2), Fraction(0, 1))
    >>> choice_cost([DataDependent()], ["size"], "replace_one") is None
    True
    """
    if len(declared) != len(names):
        raise InvalidInput(
            f"Every column must be declared. Got {plural(len(declared), 'declaration')} for "
            f"{plural(len(names), 'column')}."
        )
    if not all(column.public for column in declared):
        return None
    costs = [column.privacy(name, neighbours) for name, column in zip(names, declared, strict=True)]
    return Sequential(tuple(cost for cost in costs if cost is not None))


def remaining_epsilon(epsilon: Fraction, cost: Event | None) -> Fraction:
    """Return the epsilon that remains for a learner after private cut points.

    Parameters
    ----------
    epsilon : Fraction
        Whole budget.
    cost : Event or None
        Privacy cost of the cut points, or None if they are not private.

    Raises
    ------
    InvalidInput
        If no epsilon remains.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope
    >>> cost = PureDP(Fraction(1, 4), scope=Scope.adaptive("replace_one"))
    >>> remaining_epsilon(Fraction(1), cost)
    Fraction(3, 4)
    """
    epsilon = checked.epsilon(epsilon)
    left = epsilon - (Fraction(0) if cost is None else basic(cost)[0])
    if left <= 0:
        raise InvalidInput(
            f"The private cut points cost {format_number(epsilon - left)} of epsilon, so no "
            f"epsilon remains for the learner. Give more epsilon. Got {format_number(epsilon)}."
        )
    return left


def require_readable(table: Records, declared: Iterable[Column], unknown: str) -> None:
    """Read all entries of a table as declared, without coins, so that errors precede the charge.

    Parameters
    ----------
    table : Records
        Rows of the table.
    declared : iterable of Column
        Declaration of each column.
    unknown : {"warn", "error", "ignore"}
        Treatment of undeclared categories. Only ``"error"`` refuses them in this function.

    Raises
    ------
    InvalidInput
        If an entry cannot be read.
    """
    for name, column in zip(table.names, declared, strict=True):
        if isinstance(column, Cuts):
            table.cells(name).numbers(dates=column.dates)
        elif isinstance(column, FixedColumn):
            column.features(table.cells(name), unknown if unknown == "error" else "ignore")
        else:
            column.require_readable(table.cells(name))


def fit_columns(
    declared: Sequence[Column], table: Records, neighbours: str, coins: Coins
) -> tuple[FixedColumns, Event | None]:
    """Return the features of all columns of a table, and the privacy cost of choosing them.

    Parameters
    ----------
    declared : sequence of Column
        Declaration of every column of the table.
    table : Records
        Rows of the table.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    coins : Coins
        Source of the random draws.

    Returns
    -------
    columns : FixedColumns
    cost : Event or None
        None if features were taken from the data without privacy.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.accounting import basic
    >>> from learners.tables.columns import PrivateCuts
    >>> from learners.tables.records import as_records
    >>> table = as_records([[i, 0] for i in range(500)], names=["income", "smoker"])
    >>> columns = [PrivateCuts(0, 1000, 10, 1, 0.5), Flag()]
    >>> fixed, cost = fit_columns(columns, table, "replace_one", SeededCoins(0))
    >>> [fixed.described(j) for j in range(fixed.count)], basic(cost)
    (['income >= 200', 'smoker'], (Fraction(1, 2), Fraction(0, 1)))
    """
    cost = choice_cost(declared, table.names, neighbours)
    if cost is None:
        warnings.warn(
            "Cut points or categories are taken from the data, so every model that is learned from "
            "them has no privacy guarantee.",
            NotPrivateWarning,
            stacklevel=3,
        )
    fixed = [
        column
        if isinstance(column, FixedColumn)
        else column.fitted(table.cells(name), neighbours, coins)
        for name, column in zip(table.names, declared, strict=True)
    ]
    return FixedColumns(table.names, tuple(fixed)), cost


def _refuse_flags(wrong: list[tuple[str, InvalidInput]]) -> NoReturn:
    if len(wrong) == 1:
        raise wrong[0][1]
    lines = ", ".join(f'{toml_key(name)} = "..."' for name, _ in wrong)
    raise InvalidInput(
        f"{len(wrong)} columns do not hold 0 and 1, and they are not declared. Declare "
        f"each in a schema, or by --cuts COLUMN=..., or leave it out: {lines}. "
        f"The first: {wrong[0][1]}"
    )


def toml_key(name: str) -> str:
    """Return a name as a key of TOML."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _fixed_column(given: dict[str, object]) -> FixedColumn:
    """Read the column that `FixedColumn.to_json` wrote.

    Rules refer to features by number, so an entry with different features is refused.
    """
    column: FixedColumn | None = None
    own = {key: value for key, value in given.items() if key != "missing"}
    markers = given.get("missing") or []
    named = markers if isinstance(markers, list) else []
    if "missing" in given and not (given["missing"] is True or isinstance(markers, list)):
        column = None
    elif own != given and not isinstance(own.get("categories"), list):
        column = WithMissing(_fixed_column(own), tuple(map(str, named)))  # type: ignore[arg-type]
    elif isinstance(cuts := given.get("cuts"), list):
        column = Cuts(cuts)
    elif isinstance(categories := given.get("categories"), list):
        column = Categories(categories, map(str, named))
    elif "flag" in given:
        column = Flag()
    if column is None or column.to_json() != given:
        raise InvalidInput(
            "a column must be described by its rising cut points, its categories or as a flag. "
            f"Got {given!r}."
        )
    return column
