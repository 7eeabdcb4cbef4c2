"""Real tables: named columns of numbers and strings, from files, arrays, data frames or dicts."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeGuard

import numpy as np

from lsclasses.csv_columns import as_texts, csv_columns
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import csv_lines, require_commas
from lsclasses.files.sources import reading, source_of
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import plural
from lsclasses.point_names import canonical

__all__ = [
    "Records",
    "as_records",
    "column_names",
    "holds_dicts",
    "is_frame",
    "is_missing",
    "load_records",
    "plain_text",
]

FLAGS = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}
"""Notations of truth values, in upper or lower case."""


MISSING = frozenset(("", "NA", "?", "NaN", "nan"))
"""Strings for missing values. Such an entry is missing unless it is a declared category."""

NUMBERS = {bool, int, float, np.bool_, np.float64, np.int64}
"""Types of entries that are converted to numbers without further checks."""

AT_ONCE = 1 << 16
"""Number of objects in each check of whether all are numbers."""


@dataclass(frozen=True, eq=False)
class Records:
    """Rows of named columns, converted on demand only.

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
    >>> table.numbers("age").tolist(), table.texts("job").tolist()
    ([41.0, 29.0], ['nurse', 'cook'])
    """

    names: tuple[str, ...]
    columns: tuple[np.ndarray, ...]
    lines: np.ndarray | None = None
    array: np.ndarray | None = None
    _places: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        places = dict(zip(self.names, range(len(self.names)), strict=True))
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
        set_frozen_fields(self, _places=places)

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
        entries = self._kept(name)
        return entries if self.lines is None else as_texts(entries)

    def _kept(self, name: str) -> np.ndarray:
        """Return the stored entries of a column."""
        if name not in self._places:
            raise InvalidInput(
                f"There is no column {name!r}. The columns are {', '.join(map(repr, self.names))}."
                f"{self._headless()}"
            )
        return self.columns[self._places[name]]

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
            self.column(name)
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
        """Return the name of a row in messages: its line in the file, or its number from 0."""
        return f"row {row}" if self.lines is None else f"line {self.lines[row]}"

    def numbers(self, name: str) -> np.ndarray:
        """Return a column as numbers, shape (rows,), dtype float64.

        Raises
        ------
        InvalidInput
            If an entry is missing, infinite or not a number. The message names column and row.
        """
        kept = self._kept(name)
        if kept.dtype.kind == "T" or self.lines is not None:
            found = _short_numbers(kept)
            if found is not None:
                return found
        entries = self._readable(name)
        try:
            values = np.asarray(entries, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            values = np.array([self._number(name, i, entry) for i, entry in enumerate(entries)])
        if entries.dtype.kind in "OTU":
            # Python and NumPy read 1_0 as 10.
            written = (
                np.flatnonzero(np.strings.find(entries, "_") >= 0).tolist()
                if entries.dtype.kind != "O"
                else [i for i, entry in enumerate(entries.tolist()) if _has_underscore(entry)]
            )
            for i in written[:1]:
                self._no_number(name, i, entries[i : i + 1].tolist()[0])
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            if np.isnan(values[row]):
                self._missing(name, row)
            raise InvalidInput(
                f"Column {name!r} must hold finite numbers. Got inf in {self.place(row)}."
            )
        return values

    def _number(self, name: str, row: int, entry: Any) -> float:
        if is_missing(entry):
            self._missing(name, row)
        try:
            return float(entry)
        except OverflowError:
            return math.inf
        except (TypeError, ValueError):
            return self._no_number(name, row, entry)

    def _no_number(self, name: str, row: int, entry: object) -> NoReturn:
        raise InvalidInput(
            f"Column {name!r} must hold numbers. Got {entry!r} in {self.place(row)}. If the "
            "entries are names of categories, list them."
        ) from None

    def _readable(self, name: str) -> np.ndarray:
        """Return the entries of a column that holds numbers, truth values or strings."""
        entries = self.column(name)
        kind: object = None if entries.dtype.kind in "biufOSUT" else entries.dtype
        if entries.dtype.kind == "O":
            strange = (type(entry).__name__ for entry in entries.tolist() if _is_time(entry))
            kind = next(strange, None)
        if kind is not None:
            raise InvalidInput(
                f"Column {name!r} must hold numbers, truth values or strings. Got entries of the "
                f"type {kind}. Turn dates into numbers or strings first."
            )
        return entries

    def texts(self, name: str, *, blank: bool = False, values: Collection[str] = ()) -> np.ndarray:
        """Return a column as strings without surrounding blanks, shape (rows,). 3.0 becomes "3".

        Parameters
        ----------
        name : str
        blank : bool
            Whether missing entries are allowed. They become empty strings.
        values : collection of str
            Strings that are values, although they are in `MISSING`.

        Raises
        ------
        InvalidInput
            If an entry is missing. The message names column and row.
        """
        stripped = self.stripped(name, blank=blank, values=values)
        return stripped if stripped.dtype.kind == "O" else stripped.astype(object)

    def stripped(
        self, name: str, *, blank: bool = False, values: Collection[str] = ()
    ) -> np.ndarray:
        """Return a column as `texts` does, but NumPy strings keep their type."""
        entries = self._readable(name)
        missing = self.missing(name, values)
        if not blank and missing.any():
            self._missing(name, int(np.argmax(missing)))
        if entries.dtype.kind in "TU":
            found: np.ndarray = np.strings.strip(entries)
        else:
            found = np.empty(len(entries), dtype=object)
            found[:] = [
                "" if gone else plain_text(entry)
                for entry, gone in zip(entries.tolist(), missing.tolist(), strict=True)
            ]
        found[missing] = ""
        return found

    def missing(self, name: str, values: Collection[str] = ()) -> np.ndarray:
        """Return whether each entry is missing, shape (rows,), see `is_missing`.

        Parameters
        ----------
        name : str
        values : collection of str
            Strings that are values, although they are in `MISSING`.
        """
        entries = self.column(name)
        if entries.dtype.kind in "biu":
            return np.zeros(len(entries), dtype=bool)
        if entries.dtype.kind == "f":
            numbers: np.ndarray = np.isnan(entries)
            return numbers
        if entries.dtype.kind in "TU":
            texts = np.strings.strip(entries)
            found = np.zeros(len(entries), dtype=bool)
            for text in MISSING.difference(values):
                found |= texts == text
            return found
        return np.array(
            [
                is_missing(entry) and not (isinstance(entry, str) and entry.strip() in values)
                for entry in entries.tolist()
            ],
            dtype=bool,
        )

    def flags(self, name: str) -> np.ndarray:
        """Return a column as truth values, shape (rows,), dtype bool.

        Raises
        ------
        InvalidInput
            If an entry is missing or not 0, 1, true or false.
        """
        entries = self.column(name)
        if entries.dtype == np.bool_:
            return entries
        if entries.dtype.kind in "iuf":
            ones: np.ndarray = entries == 1
            if (ones | (entries == 0)).all():
                return ones
        if entries.dtype.kind in "TU":
            true: np.ndarray = entries == "1"
            if (true | (entries == "0")).all():
                return true
        texts = self.stripped(name)
        flags = np.zeros(len(texts), dtype=bool)
        for i, text in enumerate(texts.tolist()):
            flag = FLAGS.get(text.lower())
            if flag is None:
                raise InvalidInput(
                    f"Column {name!r} has no declared cut points or categories, so its values must "
                    f"be 0, 1, true or false. Got {text!r} in {self.place(i)}. Declare the column "
                    "with --cuts (columns= in Python): cut points of numbers, such as "
                    f"{name}=30,40, or categories, such as {name}=no,yes. Or leave the column out "
                    "with --drop."
                )
            flags[i] = flag
        return flags

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

    def _missing(self, name: str, row: int) -> None:
        raise InvalidInput(
            f"Column {name!r} has a missing value (NaN, NA, ? or blank) in {self.place(row)}. "
            "Declare missing values as a category: append +missing to the declaration, such as "
            f"--cuts {name}=a,b+missing (missing = true in a schema, 'missing': True in Python). "
            "Or fill in the value or leave out the row by a rule that depends on no other row."
        )


def _short_numbers(entries: np.ndarray) -> np.ndarray | None:
    """Return the numbers in strings of up to 8 bytes, where each different string is parsed once.

    None if strings are longer or not all of them are finite numbers.
    """
    kind = entries.dtype.kind
    if kind not in "ST" or (kind == "T" and np.strings.str_len(entries).max(initial=0) > 8):
        return None
    try:
        packed = entries.astype("S8", copy=False)
        different, places = np.unique(packed.view("<u8"), return_inverse=True)
        texts = as_texts(different.view("S8"))
        numbers = np.asarray(texts, dtype=np.float64)
    except ValueError:
        return None
    # Python and NumPy read 1_0 as 10.
    if (np.strings.find(texts, "_") >= 0).any() or not np.isfinite(numbers).all():
        return None
    found: np.ndarray = numbers[places]
    return found


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


def _has_underscore(entry: object) -> bool:
    return isinstance(entry, str) and "_" in entry


def _is_time(entry: object) -> bool:
    """Return whether an entry is a date, time or duration, which NumPy would convert to a count."""
    times = (np.datetime64, np.timedelta64, date, time, timedelta)
    return isinstance(entry, times) and not is_missing(entry)


def is_missing(entry: object) -> bool:
    """Return whether an entry is missing: None, NaN, pandas' NA and NaT, or in `MISSING`."""
    if entry is None:
        return True
    if isinstance(entry, str):
        return entry.strip() in MISSING
    if isinstance(entry, (float, np.floating)):
        return math.isnan(entry)
    return type(entry).__name__ in ("NAType", "NaTType")


def plain_text(entry: object) -> str:
    """Return an entry or category as a string. Whole numbers have no decimal point, True is "1".

    Whole numbers of all types give equal strings, because tables change the types of whole columns.

    Examples
    --------
    >>> from decimal import Decimal
    >>> [plain_text(entry) for entry in (" red ", 3.0, np.int64(3), Decimal("3.00"), 2.5, True)]
    ['red', '3', '3', '3', '2.5', '1']
    """
    if isinstance(entry, str):
        return str.strip(entry)
    with suppress(InvalidInput):
        if isinstance(form := canonical(entry), int):
            return str(form)
    return str(entry).strip()


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
    >>> table.numbers("age")  # doctest: +ELLIPSIS
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
