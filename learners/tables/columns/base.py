"""The base of columns: the features of an entry, in words, as Python and as cells.

The Python expressions test whether an entry is missing, or is one of some values.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np

from learners.tables.cells import Cells
from learners.tables.missing_values import MISSING

if TYPE_CHECKING:
    from learners.accounting import Event
    from learners.coins import Coins


# ---- base


def shown(text: str) -> str:
    r"""Return a name in printable form, on one line and without control characters.

    Examples
    --------
    >>> print(shown("âge"), shown("two\nlines"))
    âge 'two\nlines'
    """
    return text if text.isprintable() else repr(text)


class Column(ABC):
    """A declaration of the Boolean features of a column, which may be chosen from the data."""

    public: bool = True
    """Whether the features are public, or chosen with the guarantee that `privacy` states."""

    @abstractmethod
    def fitted(self, cells: Cells, neighbours: str, coins: Coins) -> FixedColumn:
        """Return the fixed features, chosen from the cells if the declaration requires this."""

    def require_readable(self, cells: Cells) -> None:  # noqa: B027, no cell is refused by default
        """Refuse cells that `fitted` cannot read, so that errors precede the charge."""

    @property
    def largest(self) -> FixedColumn | None:
        """A column with the most possible features, or None if their number depends on the rows."""
        return None

    def privacy(self, name: str, neighbours: str) -> Event | None:
        """Return the privacy cost of choosing the features, or None if they are fixed."""
        return None


class FixedColumn(Column):
    """Features that are fixed in advance, each a function of a row's entry."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of features of the column."""

    @property
    def largest(self) -> FixedColumn:
        """The column itself, because its features are fixed."""
        return self

    @property
    def rising(self) -> int:
        """The number of features at the start that are increasing cut points.

        Each of these features implies all earlier ones.
        """
        return 0

    def with_markers(self, markers: Iterable[str]) -> FixedColumn:
        """Return the column with further markers of missing values, if it reads markers."""
        return self

    @abstractmethod
    def features(self, cells: Cells, unknown: str = "warn") -> np.ndarray:
        """Return the features of all rows, shape (rows, count), dtype bool."""

    @abstractmethod
    def holding(self, index: int) -> frozenset[int]:
        """Return the cells in which a feature holds.

        The features of a column divide its entries into count + 1 cells. The cells are the
        intervals between cut points, the categories and the remaining entries, or false and true.
        """

    @abstractmethod
    def described(self, name: str, index: int, holds: bool = True) -> str:
        """Return a feature, or its negation, in words."""

    @abstractmethod
    def source(self, name: str, index: int, holds: bool = True) -> str:
        """Return a feature, or its negation, as a Python expression in the dict ``row``."""

    @abstractmethod
    def cells(self, features: np.ndarray) -> np.ndarray:
        """Return the cell of each row, shape (rows,), from its features, shape (rows, count).

        A cell is a range of numbers or a category. The column has `count` features.
        """

    @abstractmethod
    def described_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return in words the condition that an entry is in some, but not all, of the cells."""

    @abstractmethod
    def source_cells(self, name: str, cells: frozenset[int]) -> str:
        """Return the condition of `described_cells` as a Python expression in the dict ``row``."""

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """Return the declaration as JSON, which `as_column` reads."""

    def fitted(self, cells: Cells, neighbours: str, coins: Coins) -> FixedColumn:
        """Return the column itself, because it is fixed."""
        return self


# ---- entries


LONGEST_WHOLE = 300
"""Largest number of characters of a whole number that may have been a float."""


GONE = ("<NA>", "NaT", "None", "nan")
"""Printed forms of missing entries that are not strings. If a string has one of these forms other
than nan, it is a value."""


def _missing_source(
    name: str, holds: bool, markers: Collection[str], values: Collection[str] = ()
) -> str:
    """Return the Python expression for whether an entry is missing, as in `Cells.missing`."""
    texts = MISSING.union(markers).difference(values) | {""}
    printed = [form for marker in markers for form in _printed(marker)]
    return _among(name, tuple(sorted(texts)), (*GONE, *sorted(printed)), holds)


def _printed(value: str) -> tuple[str, ...]:
    """Return the printed forms of entries, other than strings, with this `plain_text`.

    The `plain_text` of truth values is 1 and 0, and of whole floats has no decimal point.
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
    """Return whether a string is the printed form of a whole float."""
    try:
        value = float(text)
    except ValueError:
        return False
    return value.is_integer() and repr(value) == text


def _among(name: str, texts: tuple[str, ...], others: tuple[str, ...], holds: bool) -> str:
    """Return the Python expression for whether an entry, or its printed form, is in a list."""
    entry = f"str(row[{name!r}]).strip()"
    if texts == others and len(texts) == 1:
        return f"{entry} {'==' if holds else '!='} {texts[0]!r}"
    listed = f"({texts!r} if isinstance(row[{name!r}], str) else {others!r})"
    return f"{entry} {'in' if holds else 'not in'} {listed}"
