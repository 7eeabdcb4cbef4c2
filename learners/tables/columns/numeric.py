"""Columns of numbers, of dates and of truth values, by public cut points and flags."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from learners import checked
from learners.tables.cells import Cells
from learners.tables.columns.base import FixedColumn
from learners.tables.dates import format_date, is_date, parse_date
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import as_printed

CUTS_LIMIT = 1 << 20
"""Largest number of cut points, or of steps of a grid, in a column."""


def plain_number(value: float) -> str:
    """Return the shortest string of a number. Whole numbers have no decimal point.

    Examples
    --------
    >>> plain_number(40.0), plain_number(0.1)
    ('40', '0.1')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 10**16 else repr(value)


def public_range(low: object, high: object) -> tuple[Fraction, Fraction, bool]:
    """Return a range as fractions, and whether it is a range of dates.

    Dates become seconds, see `learners.tables.dates`.

    Raises
    ------
    InvalidInput
        If the range does not start below its end, or only one end is a date.
    """
    dates = is_date(low), is_date(high)
    if dates[0] != dates[1]:
        raise InvalidInput(f"Both ends of a range must be dates, or none. Got {low} and {high}.")
    start, end = (
        parse_date(each) if dates[0] else as_printed(each, f"{name} of the range")
        for each, name in ((low, "start"), (high, "end"))
    )
    if start >= end:
        raise InvalidInput(f"A range must start below its end. Got {low} and {high}.")
    return start, end, dates[0]


@dataclass(frozen=True)
class Flag(FixedColumn):
    """A column of 0 and 1 (or false and true): one feature.

    Examples
    --------
    >>> from learners.tables.cells import Cells
    >>> Flag().features(Cells("smoker", np.array(["1", "false"]))).ravel().tolist()
    [True, False]
    >>> Flag().described("smoker", 0, holds=False)
    'not smoker'
    """

    @property
    def count(self) -> int:
        """The number of features of the column."""
        return 1

    def features(self, cells: Cells, unknown: str = "warn") -> np.ndarray:
        """Return the entries as truth values, shape (rows, 1)."""
        return cells.flags()[:, None]

    def holding(self, index: int) -> frozenset[int]:
        """Return the cell of true entries."""
        return frozenset((1,))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Return the column's name, or its negation."""
        return name if holds else f"not {name}"

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """Return the Python expression for whether the entry is true."""
        within = "in" if holds else "not in"
        return f'str(row[{name!r}]).strip().lower() {within} ("1", "1.0", "true")'

    def cells(self, features: np.ndarray) -> np.ndarray:
        """Return the truth values as numbers."""
        return features[:, 0].astype(np.intp)

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return the column's name, or its negation."""
        return self.described(name, 0, 1 in cells)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return the Python expression for whether the entry is true, or is false."""
        return self.source(name, 0, 1 in cells)

    def to_json(self) -> dict[str, object]:
        """Return the type of the column as a JSON value."""
        return {"flag": True}


@dataclass(frozen=True)
class Cuts(FixedColumn):
    """A column of numbers or dates with public cut points. Each feature is one comparison.

    Parameters
    ----------
    points : iterable of numbers, or of dates
        Cut points, chosen without looking at the data. Dates are ISO strings or objects of Python's
        type ``date``. They are stored as seconds, see `learners.tables.dates`.
    dates : bool
        Whether the points are dates in seconds.

    Raises
    ------
    InvalidInput
        If there are no cut points, one of them is not a finite number, or only some are dates.

    Examples
    --------
    >>> from learners.tables.cells import Cells
    >>> Cuts([40, 60]).features(Cells("age", np.array([39.5, 40, 75]))).astype(int)
    array([[0, 0],
           [1, 0],
           [1, 1]])
    >>> Cuts([40, 60]).described("age", 0, holds=False)
    'age < 40'
    >>> Cuts.steps(0, 1, 3)
    Cuts(points=(0.25, 0.5, 0.75))
    >>> Cuts(["2020-01-01"]).described("day", 0)
    'day >= 2020-01-01'
    """

    points: tuple[float, ...]
    dates: bool = field(default=False, repr=False)

    def __init__(self, points: Iterable[Any], dates: bool = False) -> None:
        given = list(points)
        found = [is_date(point) for point in given]
        if any(found) and not all(found):
            raise InvalidInput(
                "All cut points of a column must be dates, or none. Got "
                f"{given[found.index(True)]} and {given[found.index(False)]}."
            )
        if any(found):
            dates, given = True, [parse_date(point) for point in given]
        values: set[float] = set()
        for point in given:
            try:
                value = float(point)
            except (TypeError, ValueError, OverflowError):
                value = math.nan
            if isinstance(point, bool) or not math.isfinite(value):
                raise InvalidInput(f"A cut point must be a finite number. Got {point!r}.")
            values.add(value)
        if not values:
            raise InvalidInput("A numeric column needs at least one cut point. Got none.")
        set_frozen_fields(self, points=tuple(sorted(values)), dates=dates)

    @classmethod
    def steps(cls, low: object, high: object, count: int) -> Cuts:
        """Make `count` cut points that divide a public range into equal parts.

        Raises
        ------
        InvalidInput
            If the range is empty, an end is not a float, or the number is not positive.
        TooLarge
            If the number is larger than 2^20.
        """
        start, end, dates = public_range(low, high)
        parts = checked.positive(count, "number of cut points") + 1
        if count > CUTS_LIMIT:
            raise TooLarge(
                f"A column may have at most {CUTS_LIMIT} cut points or steps. Got {count}.",
                estimate=count,
                limit=CUTS_LIMIT,
            )
        # All points have one denominator. Python divides integers to the nearest float.
        common = start.denominator * end.denominator * parts
        first, last = (int(value * common) for value in (start, end))
        step = (last - first) // parts
        try:
            points = [(first + step * i) / common for i in range(1, parts)]
        except OverflowError:
            raise InvalidInput(
                f"A cut point must be a finite number. Got the range from {low} to {high}."
            ) from None
        return cls(points, dates)

    @property
    def count(self) -> int:
        """The number of features of the column."""
        return len(self.points)

    @property
    def rising(self) -> int:
        """The number of rising features, which are all features."""
        return self.count

    def features(self, cells: Cells, unknown: str = "warn") -> np.ndarray:
        """Return whether each entry reaches each cut point, shape (rows, count)."""
        features: np.ndarray = cells.numbers(dates=self.dates) >= np.array(self.points)[:, None]
        return features.T

    def holding(self, index: int) -> frozenset[int]:
        """Return the cells of the entries that reach a cut point."""
        return frozenset(range(index + 1, self.count + 1))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Return a condition such as ``age >= 40`` or ``age < 40``."""
        return f"{name} {'>=' if holds else '<'} {self.printed(index)}"

    def printed(self, index: int) -> str:
        """Return a cut point as a number or as a date."""
        point = self.points[index]
        return format_date(point) if self.dates else plain_number(point)

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """Return the comparison of the entry with the cut point."""
        entry, point = self._sources(name, index)
        return f"{entry} {'>=' if holds else '<'} {point}"

    def _sources(self, name: str, index: int) -> tuple[str, str]:
        """Return the entry of a row and a cut point as Python expressions."""
        if not self.dates:
            return f"float(row[{name!r}])", self.printed(index)
        entry = f"datetime.fromisoformat(str(row[{name!r}]).strip())"
        return entry, f"datetime.fromisoformat({self.printed(index)!r})"

    def cells(self, features: np.ndarray) -> np.ndarray:
        """Return the number of cut points that each entry reaches."""
        # Sums of bytes are fast.
        kind = np.uint8 if self.count < 256 else np.intp
        found: np.ndarray = features.sum(axis=1, dtype=kind).astype(np.intp)
        return found

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return a condition such as ``30 <= age < 60``, or ``age < 30 or age >= 60``."""
        points = [self.printed(index) for index in range(self.count)]
        return _ranges(name, points, cells)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return the comparisons of the entry with the cut points, as Python."""
        points = [self._sources(name, index)[1] for index in range(self.count)]
        return _ranges(self._sources(name, 0)[0], points, cells)

    def to_json(self) -> dict[str, object]:
        """Return the declaration of the column as JSON values: its cut points."""
        return {"cuts": list(map(format_date, self.points) if self.dates else self.points)}


def _ranges(entry: str, points: Sequence[str], cells: frozenset[int]) -> str:
    """Return the condition that an entry is in some intervals between cut points."""
    starts = sorted(cell for cell in cells if cell - 1 not in cells)
    ends = sorted(cell for cell in cells if cell + 1 not in cells)
    parts = []
    for start, end in zip(starts, ends, strict=True):
        low = points[start - 1] if start else ""
        high = points[end] if end < len(points) else ""
        if low and high:
            parts.append(f"{low} <= {entry} < {high}")
        else:
            parts.append(f"{entry} >= {low}" if low else f"{entry} < {high}")
    return " or ".join(parts)
