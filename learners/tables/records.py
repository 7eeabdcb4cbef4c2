"""Real tables: named columns of cells, from files, arrays, data frames or dicts."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeGuard

import numpy as np

from learners.not_private import NotPrivateNotice
from learners.tables.cells import Cells, place_of_row
from learners.tables.missing_values import MissingMarkers, is_missing, is_number
from lsclasses.csv_columns import csv_columns
from lsclasses.errors import InvalidInput, same_letters
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

FIRST = 64
"""Number of rows that are checked first for constant columns. Few columns are constant in these
rows."""

AT_ONCE = 1 << 16
"""Number of objects that are checked together to find out whether all are numbers."""


NO_MARKERS = MissingMarkers()


@dataclass(frozen=True, eq=False)
class Records:
    """Rows of named columns. `Cells` reads the entries of a column on demand.

    Parameters
    ----------
    names : tuple of str
        Names of the columns, all different.
    columns : tuple of numpy.ndarray
        Entries of the columns, shape (rows,) each. If `lines` is given, in the format of
        `lsclasses.csv_columns`.
    lines : numpy.ndarray, optional
        Line of every row in the file from which it was read, for messages.
    array : numpy.ndarray, optional
        Array of shape (rows, columns) with all entries, if such an array exists.
    markers : MissingMarkers
        Strings that mark missing values, in addition to `learners.tables.missing_values.MISSING`.
    header : tuple of str
        Names of the columns in a file, where names may be equal or empty. An empty tuple means
        `names`.

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
    markers: MissingMarkers = NO_MARKERS
    header: tuple[str, ...] = ()

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
        """Return the chosen rows. Searches of scikit-learn use ``table[chosen, ...]``."""
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
            equal = self.named(name)
            raise InvalidInput(
                f"There are {len(equal)} columns {name!r}. Write one of {', '.join(equal)}."
                if equal
                else f"There is no column {name!r}. The columns are "
                f"{', '.join(map(repr, self.names))}.{self._headless()}"
                f"{same_letters(name, self.names)}"
            )
        column = self.columns[self._places[name]]
        return Cells(name, column, self.lines, self.markers.of(name))

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns in a file, where names may be equal or empty."""
        return self.header or self.names

    def named(self, name: str) -> list[str]:
        """Return all columns with the given name, which may occur several times in the header."""
        if name in self._places:
            return [name]
        pairs = zip(self.names, self.heads, strict=True)
        return [each for each, head in pairs if head == name]

    def with_markers(self, markers: MissingMarkers) -> Records:
        """Return the table with further strings that mark missing values."""
        return replace(self, markers=self.markers | markers)

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
        names = tuple(self.names[j] for j in kept)
        columns = tuple(self.columns[j] for j in kept)
        heads = tuple(self.heads[j] for j in kept)
        return Records(names, columns, self.lines, markers=self.markers, header=heads)

    def rows(self, chosen: np.ndarray | list[int] | slice) -> Records:
        """Return some rows, in the order of their numbers in `chosen`."""
        return Records(
            self.names,
            tuple(column[chosen] for column in self.columns),
            None if self.lines is None else self.lines[chosen],
            markers=self.markers,
            header=self.header,
        )

    def place(self, row: int) -> str:
        """Return the name of a row in messages, see `learners.tables.cells.place_of_row`."""
        return place_of_row(row, self.lines)

    def warn_of_constants(self, kept: np.ndarray) -> None:
        """Warn if a column is constant in the rows with the given numbers.

        Warns
        -----
        NotPrivateNotice
        """
        constant = [
            name
            for name, column in zip(self.names, self.columns, strict=True)
            if _is_constant(column[kept[:FIRST]]) and _is_constant(column[kept])
        ]
        if constant and len(kept) > 1:
            warnings.warn(
                f"constant in the rows learned from: {', '.join(map(repr, constant))}. They are "
                "kept, because leaving them out would reveal that they are constant. Drop columns "
                "only for public reasons.",
                NotPrivateNotice,
                stacklevel=4,
            )

    def all_numbers(self) -> np.ndarray | None:
        """Return all columns as one array of numbers, shape (rows, columns), if it exists already.

        The result is None if such an array does not exist.
        """
        if self.markers:
            return None  # a number may be a marker
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


def _is_constant(column: np.ndarray) -> bool:
    if column.dtype.kind != "O":
        return bool((column[1:] == column[:1]).all())
    if not len(column):
        return True
    first, *others = column.tolist()
    if is_missing(first):  # pandas.NA is equal to nothing
        return all(map(is_missing, others))
    return all(not is_missing(entry) and entry == first for entry in others)


def _no_header(names: Iterable[str]) -> str:
    """Return advice if one name of a column is a number, so that the header looks like a row."""
    if not any(map(is_number, names)):
        return ""
    return " If the first line is a row, write a line with the names of the columns above it."


def load_records(
    path: str | os.PathLike[str],
    *,
    drop: Collection[str] = (),
    separator: str = ",",
    missing: Iterable[str] = (),
) -> Records:
    r"""Read a CSV file, whose first line names the columns, as `Records`.

    Parameters
    ----------
    path : path
        Path of the file.
    drop : collection of str
        Names of columns that are left out, if they exist. ``""`` drops a column without a name,
        such as the index of a data frame.
    separator : str
        Character between the entries of a line.
    missing : iterable of str
        Strings that mark missing values, in addition to `learners.tables.missing_values.MISSING`.
        `MissingMarkers.parse` describes them.

    Returns
    -------
    Records
        The columns, in order. Columns of equal names ``a`` are named ``a#1``, ``a#2``, ....

    Raises
    ------
    InvalidInput
        If the file cannot be read, has no rows, or has lines of different lengths.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text("age,job\n41,nurse\n,cook\n")
    >>> table = load_records(path)
    >>> len(table), table.names
    (2, ('age', 'job'))
    >>> load_records(path, missing=["nurse"]).cells("job").missing().tolist()
    [True, False]
    >>> table.cells("age").numbers()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Column 'age' has a missing value ... in line 3. ...
    """
    found = csv_columns(path, separator, "--separator")
    names = unique_names(found.header)
    if not len(found.lines):
        raise InvalidInput(f"A table needs rows. Got only a header in {str(path)!r}.")
    heads = tuple(head.strip() for head in found.header)
    kept = [j for j, name in enumerate(names) if not {name, heads[j]} & set(drop)]
    table = Records(
        tuple(names[j] for j in kept),
        tuple(found.columns[j] for j in kept),
        found.lines,
        header=tuple(heads[j] for j in kept),
    )
    return table.with_markers(MissingMarkers.parse(missing, table.names))


def column_names(path: str | os.PathLike[str], separator: str = ",") -> tuple[str, ...]:
    """Return the names of the columns of a CSV file, as in `load_records`.

    This reads only the first line.

    Raises
    ------
    InvalidInput
        If the file cannot be read or is empty.
    """
    return load_header(path, separator).names


def load_header(path: str | os.PathLike[str], separator: str = ",") -> Records:
    """Return the columns of a CSV file without their entries. This reads only the first line.

    Parameters
    ----------
    path : path
        Path of the file.
    separator : str
        Character between the entries of the line.

    Raises
    ------
    InvalidInput
        If the file cannot be read or is empty.
    """
    source = Path(path)
    with reading(source):
        first = next(csv_lines(source_of(source), separator, "--separator"), None)
        if first is None:
            raise InvalidInput("the file is empty. Its first line should name the columns.")
        if separator == ",":
            require_commas(first[1], "--separator")
    heads = tuple(head.strip() for head in first[1])
    return Records(unique_names(heads), (np.empty(0),) * len(heads), header=heads)


def read_separator(text: str) -> str:
    r"""Return the separator that an option names: a character, or the word tab.

    Raises
    ------
    InvalidInput
        If the string is not a single character that can separate entries.

    Examples
    --------
    >>> read_separator("tab"), read_separator(";")
    ('\t', ';')
    """
    separator = "\t" if text in ("tab", "\\t") else text
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
        raise InvalidInput(
            "A separator must be one ASCII character such as ; or |, or the word tab. "
            f"Got {text!r}."
        )
    return separator


def unique_names(heads: Iterable[str]) -> tuple[str, ...]:
    """Return the names in a header, with numbers appended to equal names.

    Examples
    --------
    >>> unique_names(["a", "b", " a"]), unique_names(["a", "a#1", "a"])
    (('a#1', 'b', 'a#2'), ('a#2', 'a#1', 'a#3'))
    """
    names = [head.strip() for head in heads]
    times, taken = Counter(names), set(names)
    found = []
    for name in names:
        unique = name
        if times[name] > 1:
            unique = next(new for k in count(1) if (new := f"{name}#{k}") not in taken)
            taken.add(unique)
        found.append(unique)
    return tuple(found)


def require_names(table: Records, left_out: Collection[str]) -> None:
    """Refuse a column without a name, such as the index of a data frame, unless it is left out.

    Raises
    ------
    InvalidInput
    """
    nameless = [
        j
        for j, (name, head) in enumerate(zip(table.names, table.heads, strict=True))
        if not head and not {name, head} & set(left_out)
    ]
    if nameless and table.lines is not None:
        raise InvalidInput(
            f"Every column to learn from needs a name in the first line. Column {nameless[0] + 1} "
            "has no name. Name it, or leave it out if it is the index of a data frame: --drop '' "
            "on the command line, drop=[''] in Python, '' = \"drop\" in a schema."
            f"{_no_header(table.names)}"
        )


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
        ``X[name]``, for example of pandas and polars. Tables of pyarrow and relations of duckdb are
        data frames, too. All dicts must have the same keys.
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
    elif is_arrow(X):
        found = _from_arrow(X)
    elif is_frame(X):
        if not hasattr(type(X), "__len__"):
            raise InvalidInput(
                "The rows of a data frame must be in memory. Evaluate a lazy frame first, for "
                f"example by collect(). Got a {type(X).__name__}."
            )
        heads = unique_names(map(str, X.columns))
        by_place = getattr(X, "iloc", None)  # equal names of pandas are found by place only
        found = Records(
            heads,
            tuple(
                np.asarray(X[head] if by_place is None else by_place[:, j])
                for j, head in enumerate(X.columns)
            ),
        )
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
    columns = tuple(found.column(name) for name in names)
    return Records(tuple(names), columns, found.lines, markers=found.markers)


def is_arrow(X: object) -> bool:
    """Return whether an object is a table of pyarrow, or a relation of duckdb."""
    return hasattr(X, "column_names") or hasattr(X, "to_arrow_table")


def _from_arrow(X: Any) -> Records:
    """Return the columns of a table of pyarrow, or of a relation of duckdb."""
    table = X.to_arrow_table() if hasattr(X, "to_arrow_table") else X
    columns = []
    for j in range(table.num_columns):
        column = table.column(j)
        if column.null_count or str(column.type).startswith(("dictionary", "decimal")):
            entries = np.empty(len(column), dtype=object)
            entries[:] = column.to_pylist()
        else:
            entries = column.to_numpy(zero_copy_only=False)
        columns.append(entries)
    return Records(unique_names(table.column_names), tuple(columns))


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
