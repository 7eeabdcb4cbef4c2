"""Columns of names with a public list of categories.

Missing values can be a separate category.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from learners.not_private import NotPrivateNotice
from learners.tables.cells import Cells, plain_text
from learners.tables.columns.base import FixedColumn, _among, _missing_source, _printed, shown
from learners.tables.columns.numeric import Cuts, Flag
from lsclasses.errors import InvalidInput, same_letters
from lsclasses.frozen import set_frozen_fields

# ---- missing


@dataclass(frozen=True)
class WithMissing(FixedColumn):
    """A column of numbers or flags whose missing values are a separate category.

    The last feature states whether the entry is missing. For a missing entry, all other features
    are false.

    Parameters
    ----------
    column : Cuts or Flag
        Column without missing values.
    markers : tuple of str
        Strings that mark missing values, in addition to `learners.tables.missing_values.MISSING`.

    Examples
    --------
    >>> from learners.tables.cells import Cells
    >>> ages = Cells("age", np.array([39, "NA", None, 75], dtype=object))
    >>> WithMissing(Cuts([40])).features(ages).astype(int).tolist()
    [[0, 0], [0, 1], [0, 1], [1, 0]]
    >>> WithMissing(Cuts([40])).described("age", 0, holds=False)
    '(age < 40 or age is missing)'
    """

    column: Cuts | Flag
    markers: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.column, (Cuts, Flag)):
            raise InvalidInput(
                "Missing values can be declared for columns with public cut points, categories "
                f"and flags. Got {self.column!r}."
            )

    @property
    def count(self) -> int:
        """The number of features of the column, with the feature of missing values."""
        return self.column.count + 1

    @property
    def rising(self) -> int:
        """The rising features of the wrapped column. A missing value reaches no cut point."""
        return self.column.rising

    def features(self, cells: Cells, unknown: str = "warn") -> np.ndarray:
        """Return the features of present values, and whether a value is missing."""
        cells = cells.with_markers(self.markers)
        missing = cells.missing()
        found = np.zeros((len(cells), self.count), dtype=bool)
        found[:, -1] = missing
        there = np.flatnonzero(~missing)
        if len(there):
            found[there, :-1] = self.column.features(cells.rows(there), unknown)
        return found

    def holding(self, index: int) -> frozenset[int]:
        """Return the cells of the wrapped column's feature. The last cell is for missing values."""
        if index < self.column.count:
            return self.column.holding(index)
        return frozenset((self.count,))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Return a condition such as ``age >= 40``, ``age is missing``, or a disjunction."""
        if index == self.column.count:
            return f"{name} is {'' if holds else 'not '}missing"
        own = self.column.described(name, index, holds)
        return own if holds else f"({own} or {name} is missing)"

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """Return the condition of the feature, for a present value."""
        if index == self.column.count:
            return self._gone(name, holds)
        own = self.column.source(name, index, holds)
        return f"({self._gone(name, not holds)} {'and' if holds else 'or'} {own})"

    def cells(self, features: np.ndarray) -> np.ndarray:
        """Return the cells of the wrapped column. The last cell is for missing values."""
        return np.where(features[:, -1], self.count, self.column.cells(features[:, :-1]))

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return a condition such as ``age is missing or age >= 40``."""
        return self._of_cells(cells, self.described, self.column.described_cells, name)

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return the condition as a Python expression in the dict ``row``."""
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
        return _missing_source(name, holds, self.markers)

    def with_markers(self, markers: Iterable[str]) -> WithMissing:
        """Return the column with further strings that mark missing values."""
        return WithMissing(self.column, tuple(sorted({*self.markers, *markers})))

    def to_json(self) -> dict[str, object]:
        """Return the JSON of the wrapped column, marked as a column with missing values."""
        return {**self.column.to_json(), "missing": list(self.markers) or True}


# ---- categories


class UnseenCategoryWarning(NotPrivateNotice):
    """Warning that a table has categories that are not declared."""


FEW = 16
"""Largest number of spellings of missing values that are compared with a whole column. More
spellings are looked up entry by entry."""


@dataclass(frozen=True)
class Categories(FixedColumn):
    """A column of names with a public list of categories, one feature for each.

    Entries that are not on the list have no true features.

    Parameters
    ----------
    values : iterable
        Categories, chosen without looking at the data. The category ``""`` represents a missing
        value (`learners.tables.missing_values.MISSING`). Without it, missing values are refused.
    markers : iterable of str
        Strings that mark missing values, in addition to the set `MISSING` of that module, if there
        is the category ``""``.

    Raises
    ------
    InvalidInput
        If there are no categories, or one is listed twice.

    Examples
    --------
    >>> from learners.tables.cells import Cells
    >>> jobs = Cells("job", np.array(["cook", "pilot"]))
    >>> Categories(["nurse", "cook"]).features(jobs, unknown="ignore").astype(int)
    array([[0, 1],
           [0, 0]])
    """

    values: tuple[str, ...]
    markers: tuple[str, ...] = field(default=(), repr=False)

    def __init__(self, values: Iterable[object], markers: Iterable[str] = ()) -> None:
        texts = tuple(plain_text(value) for value in values)
        if not texts:
            raise InvalidInput("A column of categories needs at least one. Got none.")
        twice = [text for i, text in enumerate(texts) if text in texts[:i]]
        if twice:
            raise InvalidInput(f"Each category must be listed once. Got {twice[0]!r} twice.")
        set_frozen_fields(self, values=texts, markers=tuple(sorted(set(markers))))

    @property
    def count(self) -> int:
        """The number of features of the column."""
        return len(self.values)

    def features(self, cells: Cells, unknown: str = "warn") -> np.ndarray:
        """Return whether each entry is each category, shape (rows, count)."""
        cells = cells.with_markers(self.markers)
        known = {spelling: j for j in range(self.count) for spelling in self._spellings(j)}
        places = cells.places(known)
        if places is None:
            places = self._places(cells, known, unknown)
        features: np.ndarray = places == np.arange(self.count)[:, None]
        return features.T

    def _places(self, cells: Cells, known: Mapping[str, int], unknown: str) -> np.ndarray:
        """Return the number of the category of each entry, and -1 for undeclared categories."""
        texts = cells.stripped(blank="" in self.values, values=self.values)
        if texts.dtype.kind == "T" and len(known) <= FEW:
            places = np.full(len(texts), -1, dtype=np.intp)
            for spelling, j in known.items():
                places[texts == spelling] = j
        else:
            places = np.array([known.get(text, -1) for text in texts.tolist()], dtype=np.intp)
        strangers = np.flatnonzero(places < 0)
        if len(strangers) and unknown != "ignore":
            row = int(strangers[0])
            message = (
                f"Column {cells.name!r} holds categories that were not declared, in "
                f"{len(strangers)} row{'s' * (len(strangers) > 1)}: the first is "
                f"{str(texts[row])!r} in {cells.place(row)}. "
                f"Declared are {', '.join(map(repr, self.values))}."
                f"{same_letters(str(texts[row]), self.values)}"
            )
            if unknown == "error":
                raise InvalidInput(message)
            warnings.warn(
                f"{message} All their features are false.", UnseenCategoryWarning, stacklevel=3
            )
        return places

    def holding(self, index: int) -> frozenset[int]:
        """Return the cell of a category. The last cell of the column is for all other entries."""
        return frozenset((index,))

    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Return a condition such as ``job = cook`` or ``job != cook``."""
        return f"{name} {'=' if holds else '!='} {shown(self.values[index]) or '(missing)'}"

    def _spellings(self, index: int) -> tuple[str, ...]:
        """Return the spellings of a category. Whole numbers are written as 3 or as 3.0."""
        value = self.values[index]
        with_point = f"{value}.0"
        if re.fullmatch(r"-?\d+", value) and with_point not in self.values:
            return value, with_point
        return (value,)

    def source(self, name: str, index: int, holds: bool = True) -> str:
        """Return the comparison of the entry with the category."""
        value = self.values[index]
        if not value:
            return _missing_source(name, holds, self.markers, self.values)
        return _among(name, self._spellings(index), _printed(value), holds)

    def cells(self, features: np.ndarray) -> np.ndarray:
        """Return the numbers of the categories. The last cell is for all other entries."""
        known = features.any(axis=1)
        return np.where(known, features.argmax(axis=1), self.count)

    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return a condition such as ``job = cook or job = nurse``, or with ``!=`` and ``and``."""
        return self._listed(cells, lambda index, holds: self.described(name, index, holds))

    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return the comparisons of the entry with the categories, as Python."""
        return self._listed(cells, lambda index, holds: self.source(name, index, holds))

    def _listed(self, cells: frozenset[int], said: Callable[[int, bool], str]) -> str:
        among = self.count not in cells
        named = sorted(cells if among else frozenset(range(self.count)) - cells)
        return (" or " if among else " and ").join(said(index, among) for index in named)

    def with_markers(self, markers: Iterable[str]) -> Categories:
        """Return the categories with further markers, if missing values are a category."""
        return Categories(self.values, {*self.markers, *markers}) if "" in self.values else self

    def to_json(self) -> dict[str, object]:
        """Return the categories, and the markers of missing values."""
        markers = {"missing": list(self.markers)} if self.markers else {}
        return {"categories": list(self.values), **markers}
