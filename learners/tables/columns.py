"""From the columns of a real table to Boolean features: how each column becomes true or false.

What a feature asks of a row must not depend on the other rows, or a guarantee about one row would
say nothing: a cut point at the median, or a list of the categories that occur, gives data away
before any learner runs. Here are the features that are fixed beforehand: flags, public cut points,
public categories. `learners.tables.fitted_columns` has those that are chosen by looking at the
rows, privately or not, and `learners.tables.declarations` reads what people write.

One changed row changes one row of fixed features, so that the guarantee of a learner on the
features is a guarantee on the table. Errors and warnings name rows: they are for whoever holds the
data, and no part of what may be published.
"""

from __future__ import annotations

import json
import math
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from learners.accounting import Event
from learners.coins import Coins
from learners.numbers import as_printed, checked_positive
from learners.tables.records import MISSING, Records, plain_text
from learners.uncovered import UncoveredWarning
from lsclasses.errors import InvalidInput, TooLarge

__all__ = [
    "UNKNOWN",
    "Categories",
    "Column",
    "Cuts",
    "FixedColumn",
    "FixedColumns",
    "Flag",
    "UnseenCategoryWarning",
    "WithMissing",
    "plain_number",
    "public_range",
    "require_unknown",
    "shown",
]

CUTS_LIMIT = 1 << 20
"""The largest number of cut points, or of steps of a grid, in a column."""

FEATURES_LIMIT = 1 << 33
"""How many features of rows there may be, which take a byte each."""

AT_ONCE = 1 << 18
"""How many features are computed together."""

LONGEST_WHOLE = 300
"""The most characters of a whole number that may be a float."""

UNKNOWN = ("warn", "error", "ignore")
"""What may be done about a category that was not declared; its features are all false."""


def require_unknown(unknown: str) -> None:
    """Refuse what is none of `UNKNOWN`."""
    if unknown not in UNKNOWN:
        raise InvalidInput(
            f"What is done about unknown categories is one of {', '.join(UNKNOWN)}. "
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
            f"{features} features of {rows} rows take {rows * features} bytes; the limit is "
            f"{FEATURES_LIMIT} bytes. Leave columns out, or declare fewer cut points and "
            "categories.",
            estimate=rows * features,
            limit=FEATURES_LIMIT,
        )


class UnseenCategoryWarning(UncoveredWarning):
    """A table holds categories that were not declared."""


def plain_number(value: float) -> str:
    """The shortest text of a number; whole numbers have no decimal point.

    Examples
    --------
    >>> plain_number(40.0), plain_number(0.1)
    ('40', '0.1')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 10**16 else repr(value)


def shown(text: str) -> str:
    r"""A name as it is printed: on one line, whatever characters it has.

    Examples
    --------
    >>> print(shown("âge"), shown("two\nlines"))
    âge 'two\nlines'
    """
    return text if text.isprintable() else repr(text)


def public_range(low: Any, high: Any) -> tuple[Fraction, Fraction]:
    """A range as fractions.

    Raises
    ------
    InvalidInput
        If it does not start below its end.
    """
    start, end = (
        as_printed(low, "start of the range"),
        as_printed(high, "end of the range"),
    )
    if start >= end:
        raise InvalidInput(f"A range starts below its end. Got {low} and {high}.")
    return start, end


class Column(ABC):
    """How a column becomes Boolean features, perhaps after a look at the data."""

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

    @property
    def rising(self) -> int:
        """How many features, the first ones, are rising cut points: each implies those before."""
        return 0

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
    def cells(self, features: np.ndarray) -> np.ndarray:
        """The cells of rows by their features: shape (rows, count) to integers, shape (rows,)."""

    @abstractmethod
    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """That the entry is in one of some cells, neither none nor all of them, in words."""

    @abstractmethod
    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """The same as a Python expression in the dict ``row``."""

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
    >>> from learners.tables.records import as_records
    >>> table = as_records([{"smoker": "1"}, {"smoker": "false"}])
    >>> Flag().features(table, "smoker").ravel().tolist()
    [True, False]
    >>> Flag().described("smoker", 0, holds=False)
    'not smoker'
    """

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

    def cells(self, features: np.ndarray) -> np.ndarray:
        """The truth values as numbers."""
        return features[:, 0].astype(np.intp)

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """The column's name, or its negation."""
        return self.described(name, 0, 1 in cells)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Whether the entry says true, or does not."""
        return self.source(name, 0, 1 in cells)

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
    >>> from learners.tables.records import as_records
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
        """`count` cut points that divide a public range into equal parts.

        Raises
        ------
        InvalidInput
            If the range is empty, an end is no float, or the number is not positive.
        TooLarge
            If there are more than 2^20.
        """
        start, end = public_range(low, high)
        parts = checked_positive(count, "number of cut points") + 1
        if count > CUTS_LIMIT:
            raise TooLarge(
                f"A column has at most {CUTS_LIMIT} cut points or steps. Got {count}.",
                estimate=count,
                limit=CUTS_LIMIT,
            )
        # One denominator for all; Python divides integers to the nearest float.
        common = start.denominator * end.denominator * parts
        first, last = (int(value * common) for value in (start, end))
        step = (last - first) // parts
        try:
            points = [(first + step * i) / common for i in range(1, parts)]
        except OverflowError:
            raise InvalidInput(
                f"A cut point must be a finite number. Got the range from {low} to {high}."
            ) from None
        return cls(points)

    @property
    def count(self) -> int:
        """The number of features."""
        return len(self.points)

    @property
    def rising(self) -> int:
        """All of them."""
        return self.count

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

    def cells(self, features: np.ndarray) -> np.ndarray:
        """How many cut points the entries reach."""
        found: np.ndarray = features.sum(axis=1, dtype=np.intp)
        return found

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Such as ``30 <= age < 60``, or ``age < 30 or age >= 60``."""
        return self._ranges(name, cells)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Comparisons of the entry with the cut points."""
        return self._ranges(f"float(row[{name!r}])", cells)

    def _ranges(self, number: str, cells: frozenset[int]) -> str:
        starts = sorted(cell for cell in cells if cell - 1 not in cells)
        ends = sorted(cell for cell in cells if cell + 1 not in cells)
        parts = []
        for start, end in zip(starts, ends, strict=True):
            low = plain_number(self.points[start - 1]) if start else ""
            high = plain_number(self.points[end]) if end < self.count else ""
            if low and high:
                parts.append(f"{low} <= {number} < {high}")
            else:
                parts.append(f"{number} >= {low}" if low else f"{number} < {high}")
        return " or ".join(parts)

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
        Chosen without looking at the data. The category ``""`` stands for a missing value
        (`learners.tables.records.MISSING`); without it, missing values are refused.

    Raises
    ------
    InvalidInput
        If there is none, or one is listed twice.

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> table = as_records([{"job": "cook"}, {"job": "pilot"}])
    >>> Categories(["nurse", "cook"]).features(table, "job", unknown="ignore").astype(int)
    array([[0, 1],
           [0, 0]])
    """

    values: tuple[str, ...]

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
        texts = table.stripped(name, blank="" in self.values, values=self.values)
        known = {spelling: j for j in range(self.count) for spelling in self._spellings(j)}
        places = np.array([known.get(text, -1) for text in texts.tolist()], dtype=np.intp)
        strangers = np.flatnonzero(places < 0)
        if len(strangers) and unknown != "ignore":
            row = int(strangers[0])
            message = (
                f"Column {name!r} holds categories that were not declared, in {len(strangers)} "
                f"row{'s' * (len(strangers) > 1)}: the first is {str(texts[row])!r} in "
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
        return f"{name} {'=' if holds else '!='} {shown(self.values[index]) or '(missing)'}"

    def _spellings(self, index: int) -> tuple[str, ...]:
        """How a category may be written: whole numbers come as 3 and as 3.0."""
        value = self.values[index]
        with_point = f"{value}.0"
        if re.fullmatch(r"-?\d+", value) and with_point not in self.values:
            return value, with_point
        return (value,)

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """The comparison of the entry with the category."""
        value = self.values[index]
        if not value:
            return _missing_source(name, holds, self.values)
        return _among(name, self._spellings(index), _printed(value), holds)

    def cells(self, features: np.ndarray) -> np.ndarray:
        """The numbers of the categories; the last cell is that of all others."""
        known = features.any(axis=1)
        return np.where(known, features.argmax(axis=1), self.count)

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Such as ``job = cook or job = nurse``, or ``job != cook and job != nurse``."""
        return self._listed(cells, lambda index, holds: self.described(name, index, holds))

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Comparisons of the entry with the categories."""
        return self._listed(cells, lambda index, holds: self.source(name, index, holds))

    def _listed(self, cells: frozenset[int], said: Callable[[int, bool], str]) -> str:
        among = self.count not in cells
        named = sorted(cells if among else frozenset(range(self.count)) - cells)
        return (" or " if among else " and ").join(said(index, among) for index in named)

    def to_json(self) -> dict[str, Any]:
        """The categories."""
        return {"categories": list(self.values)}


GONE = ("<NA>", "NaT", "None", "nan")
"""How missing entries print that are no texts; texts that read so are values, but for nan."""


def _missing_source(name: str, holds: bool, values: Collection[str] = ()) -> str:
    """Whether an entry stands for no value, as `is_missing` says, as a Python expression."""
    return _among(name, tuple(sorted(MISSING.difference(values) | {""})), GONE, holds)


def _printed(value: str) -> tuple[str, ...]:
    """How entries print that are no texts and whose `plain_text` is this; Python is told so.

    Truth values are 1 and 0 as texts, and whole floats have no decimal point.
    """
    if value in (*GONE, "True", "False") or _is_whole_float(value):
        return ()
    if not re.fullmatch(r"0|-?[1-9]\d*", value) or len(value) > LONGEST_WHOLE:
        return (value,)
    printed = [value, *(["False", "-0.0"] * (value == "0")), *(["True"] * (value == "1"))]
    if int(float(value)) == int(value):
        printed.append(repr(float(value)))
    return tuple(printed)


def _is_whole_float(text: str) -> bool:
    """Whether a whole float prints so."""
    try:
        value = float(text)
    except ValueError:
        return False
    return value.is_integer() and repr(value) == text


def _among(name: str, texts: tuple[str, ...], others: tuple[str, ...], holds: bool) -> str:
    """Whether a text, or what another entry prints as, is among some, as a Python expression."""
    entry = f"str(row[{name!r}]).strip()"
    if texts == others and len(texts) == 1:
        return f"{entry} {'==' if holds else '!='} {texts[0]!r}"
    listed = f"({texts!r} if isinstance(row[{name!r}], str) else {others!r})"
    return f"{entry} {'in' if holds else 'not in'} {listed}"


@dataclass(frozen=True)
class WithMissing(FixedColumn):
    """A column of numbers or flags in which missing values are a category of their own.

    The last feature asks whether the entry is missing; then all others are false.

    Parameters
    ----------
    column : Cuts or Flag

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> table = as_records([[39], ["NA"], [None], [75]], names=["age"])
    >>> WithMissing(Cuts([40])).features(table, "age").astype(int).tolist()
    [[0, 0], [0, 1], [0, 1], [1, 0]]
    >>> WithMissing(Cuts([40])).described("age", 0, holds=False)
    '(age < 40 or age is missing)'
    """

    column: Cuts | Flag

    def __post_init__(self) -> None:
        if not isinstance(self.column, (Cuts, Flag)):
            raise InvalidInput(
                "Missing values can be declared of columns with public cut points, with categories "
                f"and of flags. Got {self.column!r}."
            )

    @property
    def count(self) -> int:
        """The number of features."""
        return self.column.count + 1

    @property
    def rising(self) -> int:
        """Those of the column itself: a missing value reaches no cut point."""
        return self.column.rising

    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """The features of what is there, and whether it is missing, shape (rows, count)."""
        missing = table.missing(name)
        found = np.zeros((len(table), self.count), dtype=bool)
        found[:, -1] = missing
        there = np.flatnonzero(~missing)
        if len(there):
            present = Records(
                (name,),
                (table.column(name)[there],),
                None if table.lines is None else table.lines[there],
            )
            found[there, :-1] = self.column.features(present, name, unknown)
        return found

    def holding(self, index: int) -> frozenset[int]:
        """The cells of the column's own feature; the last cell is that of missing values."""
        if index < self.column.count:
            return self.column.holding(index)
        return frozenset((self.count,))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Such as ``age >= 40``, ``(age < 40 or age is missing)`` or ``age is missing``."""
        if index == self.column.count:
            return f"{name} is {'' if holds else 'not '}missing"
        own = self.column.described(name, index, holds)
        return own if holds else f"({own} or {name} is missing)"

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """What the feature asks, where there is a value."""
        if index == self.column.count:
            return self._gone(name, holds)
        own = self.column.source(name, index, holds)
        return f"({self._gone(name, not holds)} {'and' if holds else 'or'} {own})"

    def cells(self, features: np.ndarray) -> np.ndarray:
        """The cells of the column itself; the last one is that of missing values."""
        return np.where(features[:, -1], self.count, self.column.cells(features[:, :-1]))

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Such as ``age is missing or age >= 40``."""
        return self._of_cells(cells, self.described, self.column.described_cells, name)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """The same as a Python expression in the dict ``row``."""
        return self._of_cells(cells, self.source, self.column.source_cells, name)

    def _of_cells(
        self,
        cells: frozenset[int],
        one: Callable[[str, int, bool], str],
        several: Callable[[str, frozenset[int]], str],
        name: str,
    ) -> str:
        gone, own = self.count in cells, cells - {self.count}
        last = self.column.count
        if not own or len(own) == self.count:
            return one(name, last, gone)
        inner = several(name, own)
        if gone:
            return f"{one(name, last, True)} or {inner}"
        return f"{one(name, last, False)} and ({inner})" if one == self.source else inner

    def _gone(self, name: str, holds: bool) -> str:
        return _missing_source(name, holds)

    def to_json(self) -> dict[str, Any]:
        """The column, and that values may be missing."""
        return {**self.column.to_json(), "missing": True}


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
    >>> from learners.tables.records import as_records
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
        return column.described(shown(name), index, holds)

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
        require_unknown(unknown)
        require_room(len(table), self.count)
        at_once = self._of_numbers(table)
        if at_once is not None:
            return at_once
        # One feature after the other in memory, since features are counted and packed one by one.
        found = np.empty((len(table), self.count), dtype=bool, order="F")
        start = 0
        no_flags: list[tuple[str, InvalidInput]] = []
        for name, column in zip(self.names, self.columns, strict=True):
            try:
                found[:, start : start + column.count] = column.features(table, name, unknown)
            except InvalidInput as error:
                # What nobody declared is taken for a flag: all of it is told at once.
                if not isinstance(column, Flag):
                    raise
                no_flags.append((name, error))
            start += column.count
        if no_flags:
            _refuse_flags(no_flags)
        return found

    @cached_property
    def _thresholds(self) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """For each feature its column and what it has to reach, and which columns are flags.

        None if some column holds something else than numbers.
        """
        if not all(isinstance(column, (Flag, Cuts)) for column in self.columns):
            return None
        points = [column.points if isinstance(column, Cuts) else (1.0,) for column in self.columns]
        owners = np.repeat(np.arange(len(points)), [len(each) for each in points])
        flags = [j for j, column in enumerate(self.columns) if isinstance(column, Flag)]
        return owners, np.concatenate(points), np.array(flags, dtype=np.intp)

    def _of_numbers(self, table: Records) -> np.ndarray | None:
        """The features of a table of numbers, some rows at a time; None if it is another one.

        It is also None where something is wrong: column by column, that can be said.
        """
        if table.names != self.names or self._thresholds is None:
            return None
        array = table.all_numbers()
        if array is None:
            return None
        owners, points, flags = self._thresholds
        if array.dtype == np.bool_ and len(flags) == array.shape[1]:
            return array
        found = np.empty((len(array), self.count), dtype=bool)
        step = max(1, AT_ONCE // self.count)
        for start in range(0, len(array), step):
            block = array[start : start + step].astype(np.float64)
            truth = block[:, flags]
            if not (np.isfinite(block).all() and ((truth == 0) | (truth == 1)).all()):
                return None
            np.greater_equal(block[:, owners], points, out=found[start : start + step])
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
        names = tuple(entry["name"] for entry in data)
        if len(set(names)) < len(names):
            raise InvalidInput("the columns must have different names.")
        columns = tuple(
            _fixed_column({key: value for key, value in entry.items() if key != "name"})
            for entry in data
        )
        return cls(names, columns)


def _refuse_flags(wrong: list[tuple[str, InvalidInput]]) -> NoReturn:
    if len(wrong) == 1:
        raise wrong[0][1]
    lines = ", ".join(f'{toml_key(name)} = "..."' for name, _ in wrong)
    raise InvalidInput(
        f"{len(wrong)} columns do not hold 0 and 1, and nothing else was said about them. Declare "
        f"each in a schema, or by --cuts COLUMN=..., or leave it out: {lines}. "
        f"The first: {wrong[0][1]}"
    )


def toml_key(name: str) -> str:
    """A name as a key of TOML."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _fixed_column(given: dict[str, Any]) -> FixedColumn:
    """The column that `FixedColumn.to_json` wrote.

    Rules know features by number, so an entry that would be read as other features is refused.
    """
    column: FixedColumn | None = None
    own = {key: value for key, value in given.items() if key != "missing"}
    if own != given and given["missing"] is True and not isinstance(own.get("categories"), list):
        column = WithMissing(_fixed_column(own))  # type: ignore[arg-type]
    elif isinstance(given.get("cuts"), list):
        column = Cuts(given["cuts"])
    elif isinstance(given.get("categories"), list):
        column = Categories(given["categories"])
    elif "flag" in given:
        column = Flag()
    if column is None or column.to_json() != given:
        raise InvalidInput(
            "a column is described by its rising cut points, its categories or as a flag. "
            f"Got {given!r}."
        )
    return column
