"""Real tables: named columns of cells, from files, arrays, data frames or dicts."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeGuard

import numpy as np

from learners.tables.cells import Cells, place_of_row
from lsclasses.csv_columns import csv_columns
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import csv_lines, require_commas
from lsclasses.files.sources import reading, source_of
from lsclasses.numbers import plural

__all__ = [
    "Records",
    "as_records",
    "column_names",
    "holds_dicts",
    "is_frame",
    "load_records",
]

NUMBERS = {bool, int, float, np.bool_, np.float64, np.int64}
"""Types of entries that are converted to numbers without further checks."""

AT_ONCE = 1 << 16
"""Number of objects in each check of whether all are numbers."""


@dataclass(frozen=True, eq=False)
class Records:
    """Rows of named columns. `Cells` reads the entries of a column on demand.

    Parameters
    ----------
    names : tuple of str
        Names of the columns, all different.
    columns : tuple of numpy.ndarray
        Entries of the columns, shape (rows,) each. With `lines`, as `lsclasses.csv_columns` keeps
        them.
    lines : numpy.ndarray, optional
        Line of every row in the file from which it was read, for messages.
    array : numpy.ndarray, optional
        Array of shape (rows, columns) with all entries, if such an array exists.

    Raises
    ------
    InvalidInput
        If names repeat or columns have different lengths.

    Examples
    --------
    >>> table = as_records([{"age": "41", "job": "nurse"}, {"age": "29", "job": "cook"}])
    >>> table.cells("age").numbers().tolist(), table.cells("job").texts().tolist()
    ([41.0, 29.0], ['nurse', 'cook'])
    """

    names: tuple[str, ...]
    columns: tuple[np.ndarray, ...]
    lines: np.ndarray | None = None
    array: np.ndarray | None = None

    def __post_init__(self) -> None:
        places = self._places
        if len(places) < len(self.names):
            again = next(j for j, name in enumerate(self.names) if places[name] != j)
            name = self.names[again]
            raise InvalidInput(
                f"Columns need different names. Got {name!r} for columns {again + 1} "
                f"and {self.names.index(name, again + 1) + 1}.{self._headless()}"
            )
        if self.array is None and len({len(column) for column in self.columns}) > 1:
            raise InvalidInput(
                "All columns of a table must have the same length. Got "
                f"{[len(column) for column in self.columns]}."
            )

    @cached_property
    def _places(self) -> dict[str, int]:
        """The number of each column by name."""
        return dict(zip(self.names, range(len(self.names)), strict=True))

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.columns[0]) if self.columns else 0

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return len(self), len(self.names)

    def __getitem__(self, chosen: Any) -> Records:
        """Return some rows, as `rows` does. Searches of scikit-learn use ``table[chosen, ...]``."""
        rows = chosen[0] if isinstance(chosen, tuple) and chosen[1:] == (...,) else chosen
        if not isinstance(rows, list | slice | np.ndarray):
            raise TypeError(
                "Rows of a table must be chosen by an array of their numbers, and columns by "
                f"column('age') or without(['age']). Got {chosen!r}."
            )
        return self.rows(rows)

    def column(self, name: str) -> np.ndarray:
        """Return the original entries of a column, shape (rows,).

        Raises
        ------
        InvalidInput
            If the column does not exist.
        """
        return self.cells(name).entries

    def cells(self, name: str) -> Cells:
        """Return the cells of a column, which its declaration reads.

        Raises
        ------
        InvalidInput
            If the column does not exist.
        """
        if name not in self._places:
            raise InvalidInput(
                f"There is no column {name!r}. The columns are {', '.join(map(repr, self.names))}."
                f"{self._headless()}"
            )
        return Cells(name, self.columns[self._places[name]], self.lines)

    def _headless(self) -> str:
        """Return advice for a file without a header."""
        return "" if self.lines is None else _no_header(self.names)

    def without(self, dropped: Iterable[str]) -> Records:
        """Return the table without some of its columns.

        Raises
        ------
        InvalidInput
            If one of the dropped columns does not exist.
        """
        out = set(dropped)
        for name in sorted(out):
            self.cells(name)
        kept = [j for j, name in enumerate(self.names) if name not in out]
        return Records(
            tuple(self.names[j] for j in kept), tuple(self.columns[j] for j in kept), self.lines
        )

    def rows(self, chosen: np.ndarray | list[int] | slice) -> Records:
        """Return some rows, in the order of their numbers in `chosen`."""
        return Records(
            self.names,
            tuple(column[chosen] for column in self.columns),
            None if self.lines is None else self.lines[chosen],
        )

    def place(self, row: int) -> str:
        """Return the name of a row in messages, see `learners.tables.cells.place_of_row`."""
        return place_of_row(row, self.lines)

    def all_numbers(self) -> np.ndarray | None:
        """Return all columns as one array of numbers, shape (rows, columns), if it exists already.

        None if it does not exist. The return value does not state a reason.
        """
        array = self.array
        if array is None and len(self) * len(self.columns) <= AT_ONCE:
            kinds = {column.dtype.kind for column in self.columns}
            if kinds <= {"O", "b", "i", "u", "f"}:
                array = np.array([column.tolist() for column in self.columns], dtype=object).T
        if array is None or (array.dtype.kind == "O" and array.size > AT_ONCE):
            return None
        if array.dtype.kind == "O":
            if not {type(entry) for entry in array.ravel().tolist()} <= NUMBERS:
                return None
            try:
                return array.astype(np.float64)
            except OverflowError:
                return None
        return array if array.dtype.kind in "biuf" else None


def _no_header(names: Iterable[str]) -> str:
    """Return advice if one name of a column is a number, so that the header looks like a row."""
    if not any(map(_is_number, names)):
        return ""
    return " If the first line is a row, write a line with the names of the columns above it."


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def load_records(path: str | os.PathLike[str], *, drop: Collection[str] = ()) -> Records:
    r"""Read a CSV file, whose first line names the columns, as `Records`.

    Parameters
    ----------
    path : path
        Path of the file.
    drop : collection of str
        Names of columns that are left out, if they exist. ``""`` drops a column without a name,
        such as the index of a data frame.

    Raises
    ------
    InvalidInput
        If the file cannot be read, has no rows, has lines of different lengths, or has a column
        without a unique name.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text("age,job\n41,nurse\n,cook\n")
    >>> table = load_records(path)
    >>> len(table), table.names
    (2, ('age', 'job'))
    >>> table.cells("age").numbers()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Column 'age' has a missing value ... in line 3. ...
    """
    found = csv_columns(path)
    names = tuple(head.strip() for head in found.header)
    kept = [j for j, name in enumerate(names) if name not in drop]
    if "" in names and "" not in drop:
        raise InvalidInput(
            f"Every column of {str(path)!r} needs a name in the first line. Column "
            f"{names.index('') + 1} has no name. Name it, or leave it out if it is the index of a "
            "data frame: --drop '' on the command line, drop=[''] in Python, '' = \"drop\" in a "
            f"schema.{_no_header(names)}"
        )
    if not len(found.lines):
        raise InvalidInput(f"A table needs rows. Got only a header in {str(path)!r}.")
    return Records(
        tuple(names[j] for j in kept), tuple(found.columns[j] for j in kept), found.lines
    )


def column_names(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the names of the columns of a CSV file. This reads only the first line.

    Raises
    ------
    InvalidInput
        If the file cannot be read, is empty, or has a name twice.
    """
    source = Path(path)
    with reading(source):
        first = next(csv_lines(source_of(source)), None)
        if first is None:
            raise InvalidInput("the file is empty. Its first line should name the columns.")
        require_commas(first[1])
    names = tuple(head.strip() for head in first[1])
    return Records(names, (np.empty(0),) * len(names)).names


class Frame(Protocol):
    """The protocol of a data frame, for example of pandas and polars."""

    @property
    def columns(self) -> Iterable[object]:
        """The names of the columns."""

    def __getitem__(self, name: object, /) -> object:
        """Return the column of that name."""


def as_records(X: object, names: Sequence[str] | None = None) -> Records:
    """Convert an object to a table.

    Parameters
    ----------
    X : Records, data frame, sequence of dicts, or array of shape (rows, columns)
        Table. A data frame is any object that has ``columns`` and returns a column by
        ``X[name]``, for example of pandas and polars. All dicts must have the same keys.
    names : sequence of str, optional
        Names of the columns, in order. By default, the columns of an array are named x0, x1, ...

    Raises
    ------
    InvalidInput
        If the object has none of these types, is a data frame that is not yet evaluated, or lacks
        columns of the given names.

    Examples
    --------
    >>> as_records([[1, 2], [3, 4]]).names
    ('x0', 'x1')
    >>> as_records([{"a": 1, "b": 2}], names=["b"]).names
    ('b',)
    """
    if isinstance(X, Records):
        found = X
    elif is_frame(X):
        if not hasattr(type(X), "__len__"):
            raise InvalidInput(
                "The rows of a data frame must be in memory. Evaluate a lazy frame first, for "
                f"example by collect(). Got a {type(X).__name__}."
            )
        heads = tuple(str(head) for head in X.columns)
        found = Records(heads, tuple(np.asarray(X[head]) for head in X.columns))
    elif holds_dicts(X):
        found = _from_dicts(X)
    else:
        # The entries of a list keep their types. An entry must not change with the other rows.
        array = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
        if array.ndim != 2:
            raise InvalidInput(
                "A table must have the shape (rows, columns). Reshape your data if it is one row "
                f"or one column. Got shape {array.shape}."
            )
        heads = tuple(f"x{j}" for j in range(array.shape[1])) if names is None else tuple(names)
        if len(heads) != array.shape[1]:
            raise InvalidInput(
                f"The table must have {plural(len(heads), 'column')}. Got {array.shape[1]}."
            )
        return Records(heads, tuple(array.T), array=array)
    if names is None:
        return found
    return Records(tuple(names), tuple(found.column(name) for name in names), found.lines)


def is_frame(X: object) -> TypeGuard[Frame]:
    """Return whether an object is a data frame, for example of pandas and polars."""
    return hasattr(X, "columns") and hasattr(X, "__getitem__")


def holds_dicts(X: object) -> TypeGuard[Sequence[Mapping[str, object]]]:
    """Return whether an object is a sequence of dicts, with one dict for each row."""
    return isinstance(X, Sequence) and len(X) > 0 and isinstance(X[0], Mapping)


def _from_dicts(rows: Sequence[Mapping[str, object]]) -> Records:
    names = tuple(rows[0])
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or set(row) != set(names):
            raise InvalidInput(
                f"All rows must have the columns {', '.join(map(repr, names))}. "
                f"Got {row!r} as row {i}."
            )
    columns = []
    for name in names:
        column = np.empty(len(rows), dtype=object)
        column[:] = [row[name] for row in rows]
        columns.append(column)
    return Records(tuple(map(str, names)), tuple(columns))
