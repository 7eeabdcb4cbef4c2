"""Columns in which missing values are a category of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from learners.tables.columns.base import FixedColumn
from learners.tables.columns.entries import _missing_source
from learners.tables.columns.numeric import Cuts, Flag
from learners.tables.records import Records
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class WithMissing(FixedColumn):
    """A column of numbers or flags whose missing values are a category of their own.

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
        """The rising features of the column itself: a missing value reaches no cut point."""
        return self.column.rising

    def features(self, table: Records, name: str, unknown: str = "warn") -> np.ndarray:
        """The features of present values, and whether a value is missing, shape (rows, count)."""
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
        """A condition such as ``age >= 40``, ``age is missing``, or a disjunction of both."""
        if index == self.column.count:
            return f"{name} is {'' if holds else 'not '}missing"
        own = self.column.described(name, index, holds)
        return own if holds else f"({own} or {name} is missing)"

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """The condition of the feature, for a present value."""
        if index == self.column.count:
            return self._gone(name, holds)
        own = self.column.source(name, index, holds)
        return f"({self._gone(name, not holds)} {'and' if holds else 'or'} {own})"

    def cells(self, features: np.ndarray) -> np.ndarray:
        """The cells of the column itself; the last one is that of missing values."""
        return np.where(features[:, -1], self.count, self.column.cells(features[:, :-1]))

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """A condition such as ``age is missing or age >= 40``."""
        return self._of_cells(cells, self.described, self.column.described_cells, name)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """The condition as a Python expression in the dict ``row``."""
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

    def to_json(self) -> dict[str, object]:
        """The column's own JSON, marked as one with missing values."""
        return {**self.column.to_json(), "missing": True}
