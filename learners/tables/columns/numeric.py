"""Columns of numbers and of truth values, by public cut points and flags."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from learners import checked
from learners.tables.columns.base import FixedColumn
from learners.tables.records import Records
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


def public_range(low: object, high: object) -> tuple[Fraction, Fraction]:
    """Return a range as fractions.

    Raises
    ------
    InvalidInput
        If the range does not start below its end.
    """
    start, end = (
        as_printed(low, "start of the range"),
        as_printed(high, "end of the range"),
    )
    if start >= end:
        raise InvalidInput(f"A range must start below its end. Got {low} and {high}.")
    return start, end


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
        """Return the entries as truth values, shape (rows, 1)."""
        return table.flags(name)[:, None]

    def holding(self, index: int) -> frozenset[int]:
        """Return cell 1 of the cells false and true."""
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
        """Return the kind of the column."""
        return {"flag": True}


@dataclass(frozen=True)
class Cuts(FixedColumn):
    """A numeric column with public cut points. Each feature is whether the entry reaches one.

    Parameters
    ----------
    points : iterable of numbers
        Cut points, chosen without looking at the data.

    Raises
    ------
    InvalidInput
        If there are no cut points, or one of them is not a finite number.

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
        set_frozen_fields(self, points=tuple(sorted(values)))

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
        start, end = public_range(low, high)
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
        return cls(points)

    @property
    def count(self) -> int:
        """The number of features."""
        return len(self.points)

    @property
    def rising(self) -> int:
        """The number of all features."""
        return self.count

    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """Return whether each entry reaches each cut point, shape (rows, count)."""
        features: np.ndarray = table.numbers(name)[:, None] >= np.array(self.points)
        return features

    def holding(self, index: int) -> frozenset[int]:
        """Return the cells above a cut point."""
        return frozenset(range(index + 1, self.count + 1))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Return a condition such as ``age >= 40`` or ``age < 40``."""
        return f"{name} {'>=' if holds else '<'} {plain_number(self.points[index])}"

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """Return the comparison of the entry with the cut point."""
        return f"float(row[{name!r}]) {'>=' if holds else '<'} {plain_number(self.points[index])}"

    def cells(self, features: np.ndarray) -> np.ndarray:
        """Return the number of cut points that each entry reaches."""
        found: np.ndarray = features.sum(axis=1, dtype=np.intp)
        return found

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return a condition such as ``30 <= age < 60``, or ``age < 30 or age >= 60``."""
        return self._ranges(name, cells)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return the comparisons of the entry with the cut points, as Python."""
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

    def to_json(self) -> dict[str, object]:
        """Return the cut points."""
        return {"cuts": list(self.points)}
