"""Missing values of tables: the strings and objects that mark them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import quoted, quoted_parts, split_declaration

MISSING = frozenset(("", "NA", "?", "NaN", "nan"))
"""Strings that mark missing values. A cell with such a string is missing, unless the string is a
declared category."""


USUAL_MARKERS = frozenset(("null", "none", "n/a", "nan", "missing", "unknown"))
"""Strings that often mark missing values. They are missing values only if they are declared."""


def is_missing(entry: object) -> bool:
    """Return whether an entry is missing: None, NaN, NA and NaT of any library, or in `MISSING`."""
    if entry is None:
        return True
    if isinstance(entry, str):
        return entry.strip() in MISSING
    if isinstance(entry, (float, np.floating)):
        return math.isnan(entry)
    if isinstance(entry, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(entry))
    return type(entry).__name__ in ("NAType", "NaTType")


def is_number(text: str) -> bool:
    """Return whether a string is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def plain_decimal(text: str) -> str:
    """Return a decimal number without zeros at its end, or another string unchanged.

    Examples
    --------
    >>> plain_decimal("9.00"), plain_decimal("-1.50"), plain_decimal("90"), plain_decimal("v1.0")
    ('9', '-1.5', '90', 'v1.0')
    """
    decimal = re.fullmatch(r"[-+]?\d+\.\d*", text)
    return text.rstrip("0").rstrip(".") if decimal else text


@dataclass(frozen=True)
class MissingMarkers:
    """Strings that mark missing values, in addition to `MISSING`.

    Attributes
    ----------
    everywhere : frozenset of str
        Markers of all columns.
    columns : tuple of (str, frozenset of str)
        Markers of single columns by name.
    """

    everywhere: frozenset[str] = frozenset()
    columns: tuple[tuple[str, frozenset[str]], ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str], names: Collection[str] = ()) -> MissingMarkers:
        """Return the markers in strings such as ``NULL,N/A`` or ``age=-1,999``.

        Parameters
        ----------
        texts : iterable of str
            Markers of all columns, or a column and its markers. Double quotes protect commas and
            equal signs.
        names : collection of str
            Columns of the table.

        Raises
        ------
        InvalidInput
            If a column does not exist, or a list contains markers of a column.

        Examples
        --------
        >>> markers = MissingMarkers.parse(["NULL,N/A", "age=-1"], ["age", "job"])
        >>> sorted(markers.of("age")), sorted(markers.of("job"))
        (['-1', 'N/A', 'NULL'], ['N/A', 'NULL'])
        """
        everywhere: set[str] = set()
        columns: dict[str, frozenset[str]] = {}
        for text in texts:
            column, listed = split_declaration(text)
            if listed is None or (column not in names and "," in column):
                everywhere |= _markers(text)
                continue
            if column not in names:
                raise InvalidInput(
                    f"There is no column {column!r}. If {text!r} is a marker of missing values, "
                    f"write it in double quotes: {quoted(text)}."
                )
            columns[column] = columns.get(column, frozenset()) | _markers(listed)
        return cls(frozenset(everywhere), tuple(columns.items()))

    def of(self, name: str) -> frozenset[str]:
        """Return the markers of a column."""
        return self.everywhere.union(*(found for each, found in self.columns if each == name))

    def __bool__(self) -> bool:
        """Return whether there are markers."""
        return bool(self.everywhere or self.columns)

    def __or__(self, other: MissingMarkers) -> MissingMarkers:
        """Return the markers of both."""
        return MissingMarkers(self.everywhere | other.everywhere, self.columns + other.columns)


def _markers(text: str) -> frozenset[str]:
    parts = quoted_parts(text)
    for part, literal in parts:
        if "=" in part and not literal:
            raise InvalidInput(
                f"Markers of one column need an option of their own. Got {part!r} in a list. Write "
                f"--missing {part} separately. If {part!r} is a marker of missing values, write it "
                f"in double quotes: {quoted(part)}."
            )
    return frozenset(part for part, literal in parts if part or literal)
