"""The cells of a column: strings and objects that are read as numbers, truth values or names.

Every reader of tables uses `Cells`: features, histograms, schemas, labels and persons. So a cell
has one meaning in all commands and estimators. The declaration of a column determines the method
that reads it:

* `Cells.numbers` reads a column with cut points or numeric bins,
* `Cells.flags` reads a column of 0 and 1,
* `Cells.stripped` and `Cells.texts` read a column of categories or of names,
* `Cells.labels` reads the predicted column,
* `Cells.missing` marks the missing cells, before the others are read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import time, timedelta
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from learners.tables.dates import format_date, is_date, parse_date
from learners.tables.missing_values import (
    MISSING,
    USUAL_MARKERS,
    is_missing,
    is_number,
    plain_decimal,
)
from lsclasses.csv_columns import as_texts, numbers_of_known, short_numbers
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import quoted
from lsclasses.point_names import canonical

__all__ = ["Cells", "class_numbers", "place_of_row", "plain_text"]

FLAGS = {"0": False, "1": True, "0.0": False, "1.0": True, "false": False, "true": True}
"""Strings that are read as truth values, in upper or lower case."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one column, which are read as the declaration of the column requires.

    Parameters
    ----------
    name : str
        Name of the column, for messages.
    kept : numpy.ndarray
        Entries, shape (rows,). If `lines` is given, in the format of `lsclasses.csv_columns`.
    lines : numpy.ndarray, optional
        Line of every row in the file from which it was read, for messages.
    markers : frozenset of str
        Strings that mark missing values, in addition to `MISSING`. A marker that is a number also
        marks equal numbers.

    Examples
    --------
    >>> Cells("age", np.array(["41", " 29"])).numbers().tolist()
    [41.0, 29.0]
    >>> cells = Cells("job", np.array(["cook", "NA", None], dtype=object))
    >>> cells.missing().tolist(), cells.texts(blank=True).tolist()
    ([False, True, True], ['cook', '', ''])
    """

    name: str
    kept: np.ndarray
    lines: np.ndarray | None = None
    markers: frozenset[str] = frozenset()

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.kept)

    @cached_property
    def entries(self) -> np.ndarray:
        """The original entries, shape (rows,)."""
        return self.kept if self.lines is None else as_texts(self.kept)

    def rows(self, chosen: np.ndarray) -> Cells:
        """Return the cells of some rows, in the order of their numbers in `chosen`."""
        lines = None if self.lines is None else self.lines[chosen]
        return Cells(self.name, self.kept[chosen], lines, self.markers)

    def with_markers(self, markers: Iterable[str]) -> Cells:
        """Return the cells with further strings that mark missing values."""
        more = self.markers.union(markers)
        return self if more == self.markers else replace(self, markers=more)

    def place(self, row: int) -> str:
        """Return the name of a row in messages, see `place_of_row`."""
        return place_of_row(row, self.lines)

    # ---- missing cells

    def missing(self, values: Collection[str] = ()) -> np.ndarray:
        """Return whether each entry is missing, shape (rows,), see `is_missing`.

        Parameters
        ----------
        values : collection of str
            Strings that are values, although they are in `MISSING`.
        """
        entries = self.entries
        markers = self.markers.difference(values)
        numbers = {plain_decimal(each) for each in markers if is_number(each)}
        if entries.dtype.kind in "biuf":
            found = np.isnan(entries) if entries.dtype.kind == "f" else np.zeros(len(self), bool)
            for number in numbers:
                found |= entries == float(number)
            return found
        if entries.dtype.kind in "mM":
            times: np.ndarray = np.isnat(entries)
            if markers and entries.dtype.kind == "M":
                times |= np.array([text in markers for text in self._date_texts()], dtype=bool)
            return times
        markers |= numbers
        if entries.dtype.kind in "TU":
            texts = np.strings.strip(entries)
            found = np.zeros(len(entries), dtype=bool)
            for text in MISSING.difference(values) | markers:
                found |= texts == text
            if numbers:  # 9.00 is the number 9
                dotted = np.flatnonzero(np.strings.find(texts, ".") >= 0)
                short = np.strings.rstrip(np.strings.rstrip(texts[dotted], "0"), ".")
                for number in numbers:
                    found[dotted] |= short == number
            return found
        return np.array(
            [
                (is_missing(entry) and not (isinstance(entry, str) and entry.strip() in values))
                or (
                    bool(markers)
                    and entry is not None
                    and not markers.isdisjoint((text := plain_text(entry), plain_decimal(text)))
                )
                for entry in entries.tolist()
            ],
            dtype=bool,
        )

    def _refuse_missing(self, row: int) -> NoReturn:
        also = "".join(f", {marker}" for marker in sorted(self.markers))
        raise InvalidInput(
            f"Column {self.name!r} has a missing value (NaN, NA, ?{also} or blank) in "
            f"{self.place(row)}. "
            "Declare missing values as a category: append +missing to the declaration, such as "
            f"--cuts {quoted(self.name)}=a,b+missing for the categories a and b (missing = true in "
            "a schema, 'missing': True in Python). Or fill in the value or leave out the row by a "
            "rule that depends on no other row."
        )

    # ---- numbers

    def numbers(self, *, dates: bool = False) -> np.ndarray:
        """Return a column as numbers, shape (rows,), dtype float64.

        Parameters
        ----------
        dates : bool
            Whether the column holds dates, which become seconds (`learners.tables.dates`).

        Raises
        ------
        InvalidInput
            If an entry is missing, infinite or not a number. The message names column and row.
        """
        if dates:
            return self._seconds()
        if self.markers and (missing := self.missing()).any():
            self._refuse_missing(int(np.argmax(missing)))
        kept = self.kept
        if kept.dtype.kind == "T" or self.lines is not None:
            found = short_numbers(kept)
            if found is not None:
                return found
        entries = self._readable()
        try:
            values = np.asarray(entries, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            values = np.array([self._number(i, entry) for i, entry in enumerate(entries.tolist())])
        if entries.dtype.kind in "OTU":
            # Python and NumPy read 1_0 as 10.
            written = (
                np.flatnonzero(np.strings.find(entries, "_") >= 0).tolist()
                if entries.dtype.kind != "O"
                else [i for i, entry in enumerate(entries.tolist()) if _has_underscore(entry)]
            )
            for i in written[:1]:
                self._refuse_number(i, entries[i : i + 1].tolist()[0])
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            entry = entries[row : row + 1].tolist()[0]
            if np.isnan(values[row]):
                if is_missing(entry):
                    self._refuse_missing(row)
                self._refuse_number(row, entry)
            raise InvalidInput(
                f"Column {self.name!r} must hold finite numbers. Got {values[row]} in "
                f"{self.place(row)}."
            )
        return values

    def _seconds(self) -> np.ndarray:
        """Return a column of dates as seconds, shape (rows,), dtype float64."""
        missing = self.missing()
        if missing.any():
            self._refuse_missing(int(np.argmax(missing)))
        if self.entries.dtype.kind == "M":
            found: np.ndarray = self.entries.astype("datetime64[us]").astype(np.int64) / 1e6
            return found
        texts = self.stripped()
        known: dict[str, float] = {}
        for row, text in enumerate(texts.tolist()):
            if text not in known:
                known[text] = float(self._seconds_of(text, row))
        return np.array([known[text] for text in texts.tolist()], dtype=np.float64)

    def _date_texts(self) -> np.ndarray:
        """Return NumPy's dates as strings of the type object, and missing dates as None."""
        different, firsts, places = np.unique(
            self.entries.astype("datetime64[us]"), return_index=True, return_inverse=True
        )
        found = np.empty(len(different), dtype=object)
        for number, each in enumerate(different):
            if not np.isnat(each):
                seconds = self._seconds_of(each, int(firsts[number]))
                found[number] = format_date(seconds)
        texts: np.ndarray = found[places]
        return texts

    def _seconds_of(self, entry: object, row: int) -> Fraction:
        """Return a date as seconds, or refuse it with the column and the row."""
        try:
            return parse_date(entry)
        except InvalidInput as problem:
            raise InvalidInput(
                f"Column {self.name!r} must hold dates. {problem} The entry is in "
                f"{self.place(row)}."
            ) from None

    def _number(self, row: int, entry: Any) -> float:
        if is_missing(entry):
            self._refuse_missing(row)
        try:
            return float(entry)
        except OverflowError:
            return math.inf
        except (TypeError, ValueError):
            return self._refuse_number(row, entry)

    def _refuse_number(self, row: int, entry: object) -> NoReturn:
        text = plain_text(entry).strip()
        if is_date(entry):
            advice = f"Declare dates by dates, such as {quoted(self.name)}=2020-01-01,2020-07-01."
        elif re.fullmatch(r"[-+]?\d[\d.,' ]*%?", text):
            advice = (
                "Write numbers such as 1234.5, without percent signs, decimal commas and "
                "separators of thousands."
            )
        elif not any(map(str.isalnum, text)) or text.lower() in USUAL_MARKERS:
            advice = (
                "If the entry marks a missing value, declare the marker: --missing "
                f"{quoted(self.name)}={quoted(text)}."
            )
        else:
            advice = "If the entries are names of categories, list them."
        raise InvalidInput(
            f"Column {self.name!r} must hold numbers. Got {entry!r} in {self.place(row)}. {advice}"
        ) from None

    def _readable(self) -> np.ndarray:
        """Return the entries of a column of numbers, truth values, strings or dates.

        NumPy's dates become strings.
        """
        entries = self.entries
        if entries.dtype.kind == "M":
            return self._date_texts()
        kind: object = None if entries.dtype.kind in "biufOSUT" else entries.dtype
        if entries.dtype.kind == "O":
            strange = (type(entry).__name__ for entry in entries.tolist() if _is_duration(entry))
            kind = next(strange, None)
            # NumPy would convert a date to a count of days or seconds.
            dates = [i for i, each in enumerate(entries.tolist()) if _is_date_object(each)]
            if dates:
                entries = entries.copy()
                entries[dates] = [plain_text(entries[i]) for i in dates]
        if kind is not None:
            raise InvalidInput(
                f"Column {self.name!r} must hold numbers, truth values, strings or dates. Got "
                f"entries of the type {kind}. Turn them into numbers or strings first."
            )
        return entries

    # ---- names and truth values

    def texts(self, *, blank: bool = False, values: Collection[str] = ()) -> np.ndarray:
        """Return a column as strings without surrounding blanks, shape (rows,). 3.0 becomes "3".

        Parameters
        ----------
        blank : bool
            Whether missing entries are allowed. They become empty strings.
        values : collection of str
            Strings that are values, although they are in `MISSING`.

        Raises
        ------
        InvalidInput
            If an entry is missing. The message names column and row.
        """
        stripped = self.stripped(blank=blank, values=values)
        return stripped if stripped.dtype.kind == "O" else stripped.astype(object)

    def places(self, known: Mapping[str, int]) -> np.ndarray | None:
        """Return the number of each entry, if all entries are short and known, and None otherwise.

        This is much faster than `stripped`, because short entries are compared as integers.

        Parameters
        ----------
        known : mapping of str to int
            Number of each known entry, which has no surrounding blanks.
        """
        kept = self.kept
        if kept.dtype.kind != "S" or kept.dtype.itemsize > 8 or self.lines is None or self.markers:
            return None
        return numbers_of_known(kept, known)

    def stripped(self, *, blank: bool = False, values: Collection[str] = ()) -> np.ndarray:
        """Return a column as `texts` does, except that NumPy strings keep their type."""
        entries = self._readable()
        missing = self.missing(values)
        if not blank and missing.any():
            self._refuse_missing(int(np.argmax(missing)))
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

    def flags(self, *, label: bool = False) -> np.ndarray:
        """Return a column as truth values, shape (rows,), dtype bool.

        Parameters
        ----------
        label : bool
            Whether the column contains labels, for the wording of error messages.

        Raises
        ------
        InvalidInput
            If an entry is missing or not 0, 1, true or false.
        """
        places = self.places({"0": 0, "1": 1})
        if places is not None:
            ones: np.ndarray = places == 1
            return ones
        entries = self.entries
        marked = self.missing() if self.markers else np.zeros(len(entries), dtype=bool)
        if marked.any():
            if not label:
                self._refuse_missing(int(np.argmax(marked)))
            entries = self.stripped(blank=True)
        if entries.dtype == np.bool_:
            return entries
        if entries.dtype.kind in "iuf":
            ones = entries == 1
            if (ones | (entries == 0)).all():
                return ones
        if entries.dtype.kind in "TU":
            true: np.ndarray = entries == "1"
            if (true | (entries == "0")).all():
                return true
        texts = self.stripped(blank=label)
        flags = np.zeros(len(texts), dtype=bool)
        for i, text in enumerate(texts.tolist()):
            flag = FLAGS.get(text.lower())
            if flag is None:
                raise InvalidInput(
                    f"A label must be 0 or 1. Got {text!r} in column {self.name!r}, "
                    f"{self.place(i)}."
                    if label
                    else f"Column {self.name!r} has no declared cut points or categories, so its "
                    f"values must be 0, 1, true or false. Got {text!r} in {self.place(i)}. Declare "
                    "the column with --cuts (columns= in Python): cut points of numbers, such as "
                    f"{quoted(self.name)}=30,40, or categories, such as "
                    f"{quoted(self.name)}=no,yes. Or leave the column out (--drop)."
                )
            flags[i] = flag
        return flags


def place_of_row(row: int, lines: np.ndarray | None) -> str:
    """Return the name of a row in messages: its line in the file, or its number from 0."""
    return f"row {row}" if lines is None else f"line {lines[row]}"


def class_numbers(
    entries: np.ndarray,
    classes: Sequence[object],
    place: Callable[[int], str],
    *,
    name: str = "",
    advice: str = "",
) -> np.ndarray:
    """Return the class of each entry, counted from 0, shape (rows,), dtype intp.

    Parameters
    ----------
    entries : numpy.ndarray
        Entries of the column, shape (rows,).
    classes : sequence
        Classes in the order of their numbers.
    place : callable
        Function from the number of a row to its name in the error message.
    name : str
        Name of the column, for the error.
    advice : str
        Advice about an entry that is not a class. ``{got}`` is replaced by the entry.

    Raises
    ------
    InvalidInput
        If an entry is not one of the classes.

    Examples
    --------
    >>> class_numbers(np.array(["b", "c", "a"]), ("a", "b", "c"), str).tolist()
    [1, 2, 0]
    """
    found = np.full(len(entries), -1, dtype=np.intp)
    for number, each in enumerate(classes):
        found[np.asarray(entries == each, dtype=bool)] = number
    strangers = np.flatnonzero(found < 0)
    if len(strangers):
        row = int(strangers[0])
        got = entries.tolist()[row]
        allowed = (
            " or ".join(map(repr, classes))
            if len(classes) == 2
            else f"one of {', '.join(map(repr, classes))}"
        )
        raise InvalidInput(
            f"The target{f' {name!r}' * bool(name)} must be {allowed}. "
            f"Got {got!r} in {place(row)}{'; ' * bool(advice)}{advice.format(got=got)}."
        )
    return found


def _has_underscore(entry: object) -> bool:
    return isinstance(entry, str) and "_" in entry


def _is_duration(entry: object) -> bool:
    """Return whether an entry is a time of day or a duration, which has no number."""
    return isinstance(entry, (np.timedelta64, time, timedelta)) and not is_missing(entry)


def _is_date_object(entry: object) -> bool:
    """Return whether an entry is a date, other than a string."""
    return not isinstance(entry, str) and is_date(entry) and not is_missing(entry)


def plain_text(entry: object) -> str:
    """Return an entry or category as a string. Whole numbers have no decimal point, True is "1".

    A date is written as in ISO 8601, without a time if it is a midnight. Whole numbers of all types
    give equal strings, because tables change the types of whole columns.

    Examples
    --------
    >>> from decimal import Decimal
    >>> [plain_text(entry) for entry in (" red ", 3.0, np.int64(3), Decimal("3.00"), 2.5, True)]
    ['red', '3', '3', '3', '2.5', '1']
    """
    if isinstance(entry, str):
        return str.strip(entry)
    if is_date(entry):
        return format_date(parse_date(entry))
    with suppress(InvalidInput):
        if isinstance(form := canonical(entry), int):
            return str(form)
    return str(entry).strip()
