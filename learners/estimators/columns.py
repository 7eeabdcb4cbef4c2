"""From the columns of a real table to Boolean features: how each column becomes true or false.

What a feature asks of a row must not depend on the other rows, or a guarantee about one row would
say nothing: a cut point at the median, or a list of the categories that occur, gives data away
before any learner runs. So a column is declared: by public cut points or categories, or by cut
points chosen privately, whose cost is in the ledger. Cut points and categories taken from the data
are available under a name that says what they are.

With public or privately chosen features, one changed row changes one row of features, so that the
guarantee of a learner on the features is a guarantee on the table. Errors and warnings name rows:
they are for whoever holds the data, and no part of what may be published.
"""

from __future__ import annotations

import math
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from learners.accounting import Event, SelfComposed, Sequential
from learners.coins import Coins, rational
from learners.estimators.tables import Records, plain_text
from learners.mechanisms.parameters import checked_epsilon, checked_positive
from learners.mechanisms.selection import ExponentialMechanism
from lsclasses.errors import InvalidInput

__all__ = [
    "NOT_PRIVATE",
    "UNKNOWN",
    "Categories",
    "Column",
    "Cuts",
    "DataDependent",
    "FixedColumn",
    "FixedColumns",
    "Flag",
    "NotPrivateWarning",
    "PrivateCuts",
    "UnseenCategoryWarning",
    "as_column",
    "budget_fraction",
    "column_from_text",
    "declared_columns",
    "fit_columns",
    "plain_number",
]

NOT_PRIVATE = "data-dependent, not private"
"""The name under which cut points and categories are taken from the data."""

UNKNOWN = ("warn", "error", "ignore")
"""What may be done about a category that was not declared; its features are all false."""


class UnseenCategoryWarning(UserWarning):
    """A table holds categories that were not declared."""


class NotPrivateWarning(UserWarning):
    """Something was taken from the data without privacy, so that no guarantee is left."""


def budget_fraction(value: Any, name: str) -> Fraction:
    """A budget as the fraction that its decimal digits say: 0.1 is 1/10.

    A privacy parameter that is written as a float or a text is read as it is printed; mechanisms
    themselves refuse floats.

    Raises
    ------
    InvalidInput
        If it is no finite number.

    Examples
    --------
    >>> budget_fraction(0.1, "epsilon"), budget_fraction("1e-6", "delta")
    (Fraction(1, 10), Fraction(1, 1000000))
    """
    text = str(float(value)) if isinstance(value, (float, np.floating)) else value
    if isinstance(text, str):
        try:
            return Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise InvalidInput(f"The {name} must be a number such as 0.5. Got {value!r}.") from None
    return rational(text, name)


def plain_number(value: float) -> str:
    """The shortest text of a number; whole numbers have no decimal point.

    Examples
    --------
    >>> plain_number(40.0), plain_number(0.1)
    ('40', '0.1')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 10**15 else repr(value)


class Column(ABC):
    """How a column becomes Boolean features, perhaps after a look at the data."""

    numeric: bool = True
    """Whether the entries must be numbers."""

    public: bool = True
    """Whether the features are public, or chosen with the privacy that `privacy` states."""

    @abstractmethod
    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> FixedColumn:
        """The features, once the table has been looked at where that is needed."""

    def privacy(self, name: str, neighbours: str) -> Event | None:
        """What the look at the table costs; None if there was none."""
        return None


class FixedColumn(Column):
    """Features that are known beforehand, each a function of a row's entry."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of features."""

    @abstractmethod
    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """The features of all rows, shape (rows, count), dtype bool."""

    @abstractmethod
    def holding(self, index: int) -> frozenset[int]:
        """The cells in which a feature holds.

        The features of a column divide its entries into count + 1 cells: the numbers between cut
        points, the categories and what is none of them, false and true.
        """

    @abstractmethod
    def described(self, name: str, index: int, holds: bool = True) -> str:
        """A feature, or its negation, in words."""

    @abstractmethod
    def source(self, name: str, index: int, holds: bool = True) -> str:
        """A feature, or its negation, as a Python expression in the dict ``row``."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """What `as_column` makes this column of."""

    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> FixedColumn:
        """The column itself: there is nothing to look at."""
        return self


@dataclass(frozen=True)
class Flag(FixedColumn):
    """A column of 0 and 1 (or false and true): one feature.

    Examples
    --------
    >>> from learners.estimators.tables import as_records
    >>> table = as_records([{"smoker": "1"}, {"smoker": "false"}])
    >>> Flag().features(table, "smoker").ravel().tolist()
    [True, False]
    >>> Flag().described("smoker", 0, holds=False)
    'not smoker'
    """

    numeric = False

    @property
    def count(self) -> int:
        """The number of features."""
        return 1

    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """The entries as truth values, shape (rows, 1)."""
        return table.flags(name)[:, None]

    def holding(self, index: int) -> frozenset[int]:
        """Cell 1 of the cells false and true."""
        return frozenset((1,))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """The column's name, or its negation."""
        return name if holds else f"not {name}"

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """Whether the entry says true."""
        within = "in" if holds else "not in"
        return f'str(row[{name!r}]).strip().lower() {within} ("1", "1.0", "true")'

    def to_json(self) -> dict[str, Any]:
        """The kind of the column."""
        return {"flag": True}


@dataclass(frozen=True)
class Cuts(FixedColumn):
    """A numeric column with public cut points: the features ask whether it is at least each.

    Parameters
    ----------
    points : iterable of numbers
        Chosen without looking at the data.

    Raises
    ------
    InvalidInput
        If there is none, or one of them is no finite number.

    Examples
    --------
    >>> from learners.estimators.tables import as_records
    >>> Cuts([40, 60]).features(as_records([[39.5], [40], [75]], names=["age"]), "age").astype(int)
    array([[0, 0],
           [1, 0],
           [1, 1]])
    >>> Cuts([40, 60]).described("age", 0, holds=False)
    'age < 40'
    >>> Cuts.steps(0, 1, 3)
    Cuts(points=(0.25, 0.5, 0.75))
    """

    points: tuple[float, ...]

    def __init__(self, points: Iterable[float]) -> None:
        values: set[float] = set()
        for point in points:
            try:
                value = float(point)
            except (TypeError, ValueError, OverflowError):
                value = math.nan
            if isinstance(point, bool) or not math.isfinite(value):
                raise InvalidInput(f"A cut point must be a finite number. Got {point!r}.")
            values.add(value)
        if not values:
            raise InvalidInput("A numeric column needs at least one cut point. Got none.")
        object.__setattr__(self, "points", tuple(sorted(values)))

    @classmethod
    def steps(cls, low: Any, high: Any, count: int) -> Cuts:
        """`count` cut points that divide a public range into equal parts."""
        start, end = _range(low, high)
        parts = checked_positive(count, "number of cut points") + 1
        return cls(float(start + (end - start) * i / parts) for i in range(1, parts))

    @property
    def count(self) -> int:
        """The number of features."""
        return len(self.points)

    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """Whether the entries reach the cut points, shape (rows, count)."""
        features: np.ndarray = table.numbers(name)[:, None] >= np.array(self.points)
        return features

    def holding(self, index: int) -> frozenset[int]:
        """The cells above a cut point."""
        return frozenset(range(index + 1, self.count + 1))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Such as ``age >= 40`` or ``age < 40``."""
        return f"{name} {'>=' if holds else '<'} {plain_number(self.points[index])}"

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """The comparison of the entry with the cut point."""
        return f"float(row[{name!r}]) {'>=' if holds else '<'} {plain_number(self.points[index])}"

    def to_json(self) -> dict[str, Any]:
        """The cut points."""
        return {"cuts": list(self.points)}


@dataclass(frozen=True)
class Categories(FixedColumn):
    """A column of names with a public list of them: the features ask whether it is each.

    Entries that are not on the list have no true feature.

    Parameters
    ----------
    values : iterable
        Chosen without looking at the data. The category ``""`` stands for a missing value.

    Raises
    ------
    InvalidInput
        If there is none, or one is listed twice.

    Examples
    --------
    >>> from learners.estimators.tables import as_records
    >>> table = as_records([{"job": "cook"}, {"job": "pilot"}])
    >>> Categories(["nurse", "cook"]).features(table, "job", unknown="ignore").astype(int)
    array([[0, 1],
           [0, 0]])
    """

    values: tuple[str, ...]

    numeric = False

    def __init__(self, values: Iterable[Any]) -> None:
        texts = tuple(plain_text(value) for value in values)
        if not texts:
            raise InvalidInput("A column of categories needs at least one. Got none.")
        twice = [text for i, text in enumerate(texts) if text in texts[:i]]
        if twice:
            raise InvalidInput(f"Categories are listed once each. Got {twice[0]!r} twice.")
        object.__setattr__(self, "values", texts)

    @property
    def count(self) -> int:
        """The number of features."""
        return len(self.values)

    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """Whether the entries are the categories, shape (rows, count)."""
        texts = table.texts(name, blank="" in self.values)
        known = {spelling: j for j in range(self.count) for spelling in self._spellings(j)}
        places = np.array([known.get(text, -1) for text in texts.tolist()], dtype=np.intp)
        strangers = np.flatnonzero(places < 0)
        if len(strangers) and unknown != "ignore":
            row = int(strangers[0])
            message = (
                f"Column {name!r} holds categories that were not declared, in {len(strangers)} "
                f"row{'s' * (len(strangers) > 1)}: the first is {texts[row]!r} in "
                f"{table.place(row)}. Declared are {', '.join(map(repr, self.values))}."
            )
            if unknown == "error":
                raise InvalidInput(message)
            warnings.warn(
                f"{message} All their features are false.", UnseenCategoryWarning, stacklevel=2
            )
        features: np.ndarray = places[:, None] == np.arange(self.count)
        return features

    def holding(self, index: int) -> frozenset[int]:
        """The category's own cell; the last cell is that of all others."""
        return frozenset((index,))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Such as ``job = cook`` or ``job != cook``."""
        return f"{name} {'=' if holds else '!='} {self.values[index] or '(missing)'}"

    def _spellings(self, index: int) -> tuple[str, ...]:
        """How a category may be written: whole numbers come as 3 and as 3.0."""
        value = self.values[index]
        with_point = f"{value}.0"
        if re.fullmatch(r"-?\d+", value) and with_point not in self.values:
            return value, with_point
        return (value,)

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """The comparison of the entry with the category."""
        if not self.values[index]:
            return f"str(row[{name!r}]).strip() {'in' if holds else 'not in'} ('', 'None', 'nan')"
        spellings = self._spellings(index)
        if len(spellings) == 1:
            return f"str(row[{name!r}]).strip() {'==' if holds else '!='} {spellings[0]!r}"
        return f"str(row[{name!r}]).strip() {'in' if holds else 'not in'} {spellings!r}"

    def to_json(self) -> dict[str, Any]:
        """The categories."""
        return {"categories": list(self.values)}


@dataclass(frozen=True)
class PrivateCuts(Column):
    """A numeric column whose cut points are approximate quantiles, chosen privately from a grid.

    The grid divides a public range into equal steps. Of `count` cut points, the j-th is chosen by
    the exponential mechanism with score ``-|(count + 1) #{rows below it} - j rows|``, each with an
    equal share of epsilon.

    **Guarantee.** (epsilon, 0)-DP, under both neighbour relations, by basic composition.

    **Proof.** One replaced row changes the number of rows below a grid point by at most 1 and not
    the number of rows, so the score by at most count + 1. One added row changes the product
    difference by (count + 1) - j or by -j, at most count in absolute value. So the sensitivity is
    at most count + 1, and each choice costs epsilon/count.

    Parameters
    ----------
    low, high : numbers
        The public range; entries may lie outside.
    grid : int
        How many steps it is divided into, at least 2; the grid points inside are candidates.
    count : int
        How many cut points are chosen. Equal ones count once.
    epsilon : Fraction, float or text
        What all of them cost; a float is read as the decimal it prints.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.estimators.tables import as_records
    >>> column = PrivateCuts(0, 100, grid=20, count=1, epsilon=1)
    >>> ages = as_records([[20 + i % 31] for i in range(1000)], names=["age"])  # median 35
    >>> column.fitted(ages, "age", "replace_one", SeededCoins(1))
    Cuts(points=(35.0,))
    """

    low: Fraction
    high: Fraction
    grid: int
    count: int
    epsilon: Fraction

    def __post_init__(self) -> None:
        low, high = _range(self.low, self.high)
        grid = checked_positive(self.grid, "number of steps of the grid")
        if grid < 2:
            raise InvalidInput("The grid needs at least 2 steps, or it has no point. Got 1.")
        epsilon = checked_epsilon(budget_fraction(self.epsilon, "epsilon of the cut points"))
        for name, value in (
            ("low", low),
            ("high", high),
            ("grid", grid),
            ("count", checked_positive(self.count, "number of cut points")),
            ("epsilon", epsilon),
        ):
            object.__setattr__(self, name, value)

    @property
    def candidates(self) -> tuple[float, ...]:
        """The grid points inside the range."""
        return Cuts.steps(self.low, self.high, self.grid - 1).points

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        return ExponentialMechanism(
            self.epsilon / self.count, sensitivity=self.count + 1, neighbours=neighbours
        )

    def privacy(self, name: str, neighbours: str) -> Event:
        """What choosing the cut points costs."""
        one = replace(
            self._mechanism(neighbours).privacy,
            name=f"a cut point of {name!r}",  # type: ignore
        )
        return SelfComposed(one, self.count)

    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> Cuts:
        """The chosen cut points."""
        values, candidates = np.sort(table.numbers(name)), self.candidates
        below = np.searchsorted(values, np.array(candidates), side="left").tolist()
        mechanism, parts, rows = self._mechanism(neighbours), self.count + 1, len(values)
        return Cuts(
            candidates[
                mechanism.choose([-abs(parts * number - j * rows) for number in below], coins)
            ]
            for j in range(1, parts)
        )


@dataclass(frozen=True)
class DataDependent(Column):
    """Cut points at quantiles, or all categories that occur: **no privacy is left**.

    Parameters
    ----------
    count : int
        The number of cut points of a numeric column.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.estimators.tables import as_records
    >>> table = as_records([[1, "a"], [2, "b"], [9, "a"]], names=["size", "kind"])
    >>> DataDependent(1).fitted(table, "size", "replace_one", SeededCoins(1))
    Cuts(points=(2.0,))
    >>> DataDependent(1).fitted(table, "kind", "replace_one", SeededCoins(1))
    Categories(values=('a', 'b'))
    """

    count: int = 3

    numeric = False
    public = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", checked_positive(self.count, "number of cut points"))

    def fitted(self, table: Records, name: str, neighbours: str, coins: Coins) -> FixedColumn:
        """What the data suggest."""
        entries = table.column(name)
        if entries.dtype.kind not in "biuf":
            texts = table.texts(name, blank=True)
            try:
                for text in texts.tolist():
                    float(text)
            except ValueError:
                return Categories(sorted(set(texts.tolist())))
        shares = [j / (self.count + 1) for j in range(1, self.count + 1)]
        return Cuts(np.quantile(table.numbers(name), shares).tolist())


# ---- all columns of a table


@dataclass(frozen=True)
class FixedColumns:
    """The features of a whole table: those of the first column, then the second, and so on.

    Parameters
    ----------
    names : tuple of str
    columns : tuple of FixedColumn

    Examples
    --------
    >>> from learners.estimators.tables import as_records
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    >>> columns.matrix(as_records([[50, 1]], names=columns.names)).astype(int).tolist()
    [[1, 0, 1]]
    >>> [columns.described(j) for j in range(columns.count)]
    ['age >= 40', 'age >= 60', 'smoker']
    """

    names: tuple[str, ...]
    columns: tuple[FixedColumn, ...]

    @cached_property
    def _features(self) -> list[tuple[str, FixedColumn, int]]:
        return [
            (name, column, index)
            for name, column in zip(self.names, self.columns, strict=True)
            for index in range(column.count)
        ]

    @property
    def count(self) -> int:
        """The number of features."""
        return len(self._features)

    def feature(self, feature: int) -> tuple[str, FixedColumn, int]:
        """The column of a feature, and the feature's number among those of the column."""
        return self._features[feature]

    def described(self, feature: int, holds: bool = True) -> str:
        """A feature, or its negation, in words."""
        name, column, index = self._features[feature]
        return column.described(name, index, holds)

    def source(self, feature: int, holds: bool = True) -> str:
        """A feature, or its negation, as a Python expression in the dict ``row``."""
        name, column, index = self._features[feature]
        return column.source(name, index, holds)

    def matrix(self, table: Records, unknown: str = "warn") -> np.ndarray:
        """The features of all rows, shape (rows, count), dtype bool.

        Raises
        ------
        InvalidInput
            If a column is absent, an entry is missing or not what was declared, or, with
            ``unknown="error"``, a category was not declared.
        """
        if unknown not in UNKNOWN:
            raise InvalidInput(
                f"What is done about unknown categories is one of {', '.join(UNKNOWN)}. "
                f"Got {unknown!r}."
            )
        # One feature after the other in memory, since features are counted and packed one by one.
        found = np.empty((len(table), self.count), dtype=bool, order="F")
        start = 0
        for name, column in zip(self.names, self.columns, strict=True):
            found[:, start : start + column.count] = column.features(table, name, unknown)
            start += column.count
        return found

    def to_json(self) -> list[dict[str, Any]]:
        """What `from_json` reads."""
        return [
            {"name": name, **column.to_json()}
            for name, column in zip(self.names, self.columns, strict=True)
        ]

    @classmethod
    def from_json(cls, data: Any) -> FixedColumns:
        """The columns that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If it is something else.
        """
        if not isinstance(data, list) or not all(
            isinstance(entry, dict) and isinstance(entry.get("name"), str) for entry in data
        ):
            raise InvalidInput('the columns must be a list of objects with a "name".')
        columns = []
        for entry in data:
            column = as_column({key: value for key, value in entry.items() if key != "name"})
            if not isinstance(column, FixedColumn):
                raise InvalidInput(f"the features of column {entry['name']!r} are not fixed.")
            columns.append(column)
        return cls(tuple(entry["name"] for entry in data), tuple(columns))


def declared_columns(names: Sequence[str], given: Any, default: Column) -> tuple[Column, ...]:
    """How each of the named columns becomes features.

    Parameters
    ----------
    names : sequence of str
    given : None, mapping, sequence, or whatever `as_column` takes
        A mapping declares columns by name; others are flags. A sequence of columns declares them
        in order. Anything else declares all of them. None stands for the default.
    default : Column

    Raises
    ------
    InvalidInput
        If a column is declared that does not exist, or a sequence has another length.

    Examples
    --------
    >>> declared_columns(["age", "smoker"], {"age": [40, 60]}, Flag())
    (Cuts(points=(40.0, 60.0)), Flag())
    >>> declared_columns(["age", "size"], [40, 60], Flag())
    (Cuts(points=(40.0, 60.0)), Cuts(points=(40.0, 60.0)))
    """
    if given is None:
        return (default,) * len(names)
    if isinstance(given, Mapping) and not _is_column(given):
        unknown = sorted(set(map(str, given)) - set(names))
        if unknown:
            raise InvalidInput(
                f"There is no column {unknown[0]!r} to declare. The columns are "
                f"{', '.join(map(repr, names))}."
            )
        return tuple(as_column(given[name]) if name in given else Flag() for name in names)
    if isinstance(given, (list, tuple)) and any(_is_column(entry) for entry in given):
        if len(given) != len(names):
            raise InvalidInput(
                f"There are {len(names)} columns, but {len(given)} were declared in order."
            )
        return tuple(as_column(entry) for entry in given)
    return (as_column(given),) * len(names)


def _is_column(given: Any) -> bool:
    """Whether this declares one column, unlike a mapping from names and unlike a bare number."""
    if isinstance(given, Column) or (isinstance(given, (list, tuple)) and len(given) > 0):
        return True
    kinds = {"cuts", "categories", "range", "steps", "private_cuts", "flag"}
    return isinstance(given, Mapping) and len(given) > 0 and set(given) <= kinds


def fit_columns(
    declared: Sequence[Column], table: Records, neighbours: str, coins: Coins
) -> tuple[FixedColumns, Event | None]:
    """The features of all columns of a table, and what choosing them cost.

    Parameters
    ----------
    declared : sequence of Column
        One for every column of the table.
    table : Records
    neighbours : {"replace_one", "add_remove"}
    coins : Coins

    Returns
    -------
    columns : FixedColumns
    cost : Event or None
        None if features were taken from the data without privacy.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.accounting import basic
    >>> from learners.estimators.tables import as_records
    >>> table = as_records([[i, 0] for i in range(500)], names=["income", "smoker"])
    >>> columns = [PrivateCuts(0, 1000, 10, 1, 0.5), Flag()]
    >>> fixed, cost = fit_columns(columns, table, "replace_one", SeededCoins(0))
    >>> [fixed.described(j) for j in range(fixed.count)], basic(cost)
    (['income >= 200', 'smoker'], (Fraction(1, 2), Fraction(0, 1)))
    """
    fixed, costs = [], []
    for name, column in zip(table.names, declared, strict=True):
        fixed.append(column.fitted(table, name, neighbours, coins))
        cost = column.privacy(name, neighbours)
        if cost is not None:
            costs.append(cost)
    if not all(column.public for column in declared):
        warnings.warn(
            "Cut points or categories are taken from the data: whatever is learned from them has "
            "no privacy guarantee.",
            NotPrivateWarning,
            stacklevel=3,
        )
        return FixedColumns(table.names, tuple(fixed)), None
    return FixedColumns(table.names, tuple(fixed)), Sequential(tuple(costs))


# ---- columns as people write them


def _range(low: Any, high: Any) -> tuple[Fraction, Fraction]:
    start, end = budget_fraction(low, "start of the range"), budget_fraction(high, "its end")
    if start >= end:
        raise InvalidInput(f"A range starts below its end. Got {low} and {high}.")
    return start, end


def as_column(given: Any) -> Column:
    """The column that something stands for.

    Parameters
    ----------
    given : Column, dict, sequence or str
        A list is one of cut points if all its entries are numbers, else of categories. A dict has
        one of the keys ``cuts``, ``categories``, ``range`` (with ``steps``), ``private_cuts`` (a
        dict of the parameters of `PrivateCuts`), or ``flag``. The text `NOT_PRIVATE` takes cut
        points or categories from the data.

    Raises
    ------
    InvalidInput
        If it stands for no column.

    Examples
    --------
    >>> as_column([40, 60])
    Cuts(points=(40.0, 60.0))
    >>> as_column({"range": [0, 10], "steps": 4})
    Cuts(points=(2.0, 4.0, 6.0, 8.0))
    >>> as_column("data-dependent, not private")
    DataDependent(count=3)
    >>> as_column("quantiles")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: A column is declared by public cut points, a public range, \
public categories, privately chosen cut points or as a flag. Cut points or categories taken from \
the data void every guarantee and must be asked for as 'data-dependent, not private'. \
Got 'quantiles'.
    """
    if isinstance(given, Column):
        return given
    if isinstance(given, str) and given == NOT_PRIVATE:
        return DataDependent()
    if isinstance(given, str) and given == "flag":
        return Flag()
    if isinstance(given, Mapping) and len(given) == 1 + ("range" in given):
        if "cuts" in given:
            return Cuts(_list(given["cuts"], "cuts"))
        if "categories" in given:
            return Categories(_list(given["categories"], "categories"))
        if set(given) == {"range", "steps"}:
            low, high = _pair(given["range"])
            return Cuts.steps(low, high, given["steps"])
        if given.get("flag") is True:
            return Flag()
        if "private_cuts" in given:
            return _private_cuts(given["private_cuts"])
    if isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, str) and len(given):
        if all(
            isinstance(entry, (int, float, Fraction, np.number)) and not isinstance(entry, bool)
            for entry in given
        ):
            return Cuts(given)
        if all(isinstance(entry, str) for entry in given):
            return Categories(given)
    raise InvalidInput(
        "A column is declared by public cut points, a public range, public categories, privately "
        "chosen cut points or as a flag. Cut points or categories taken from the data void every "
        f"guarantee and must be asked for as {NOT_PRIVATE!r}. Got {given!r}."
    )


def _list(given: Any, name: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, (Sequence, np.ndarray)):
        raise InvalidInput(f"The {name} of a column are a list. Got {given!r}.")
    return list(given)


def _pair(given: Any) -> tuple[Any, Any]:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise InvalidInput(f"A range is written as [low, high]. Got {given!r}.")
    return given[0], given[1]


def _private_cuts(given: Any) -> PrivateCuts:
    needed = {"range", "grid", "count", "epsilon"}
    if not isinstance(given, Mapping) or set(given) != needed:
        raise InvalidInput(
            f"Privately chosen cut points need {', '.join(sorted(needed))}. Got {given!r}."
        )
    low, high = _pair(given["range"])
    return PrivateCuts(low, high, given["grid"], given["count"], given["epsilon"])


NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
STEPS = re.compile(rf"({NUMBER})\.\.({NUMBER})/(\d+)")
PRIVATE = re.compile(rf"({NUMBER})\.\.({NUMBER})/(\d+):(\d+)@({NUMBER}(?:/\d+)?)")


def column_from_text(text: str) -> Column:
    """The column that is written on a command line.

    Parameters
    ----------
    text : str
        ``30,40,50`` for cut points, ``0..100/9`` for 9 of them in equal steps inside a public
        range, ``0..100/50:3@0.1`` for 3 that are chosen privately from a grid of 50 steps for
        epsilon 0.1, ``red,green`` for categories (``categories:1,2`` where they look like numbers),
        ``flag``, or `NOT_PRIVATE`.

    Raises
    ------
    InvalidInput
        If it is none of these.

    Examples
    --------
    >>> column_from_text("30,40"), column_from_text("0..1/1"), column_from_text("red,green")
    (Cuts(points=(30.0, 40.0)), Cuts(points=(0.5,)), Categories(values=('red', 'green')))
    >>> column_from_text("0..100/50:3@0.1").epsilon
    Fraction(1, 10)
    """
    text = text.strip()
    if text in ("flag", NOT_PRIVATE):
        return as_column(text)
    if text.startswith("categories:"):
        return Categories(text.removeprefix("categories:").split(","))
    stepped, private = STEPS.fullmatch(text), PRIVATE.fullmatch(text)
    if stepped:
        return Cuts.steps(stepped[1], stepped[2], int(stepped[3]))
    if private:
        low, high, grid, count, epsilon = private.groups()
        return PrivateCuts(low, high, int(grid), int(count), epsilon)  # type: ignore[arg-type]
    parts = [part.strip() for part in text.split(",")]
    if ".." in text or "" in parts:
        raise InvalidInput(
            "A column is declared as cut points (30,40,50), steps in a public range (0..100/9), "
            "privately chosen cut points (0..100/50:3@0.1), categories (red,green; categories:1,2) "
            "or flag. "
            f"Got {text!r}."
        )
    if all(re.fullmatch(NUMBER, part) for part in parts):
        return Cuts(float(part) for part in parts)
    return Categories(parts)
