"""Declarations of columns by users: in Python, in JSON and on a command line."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from learners.tables.cells import plain_text
from learners.tables.columns import (
    Categories,
    Column,
    Cuts,
    DataDependent,
    FixedColumn,
    Flag,
    PrivateCuts,
    WithMissing,
)
from learners.tables.dates import ISO, is_date
from lsclasses.errors import InvalidInput
from lsclasses.files.comma_separated import quoted_parts, split_declaration
from lsclasses.files.documents import read_json

NOT_PRIVATE = "data-dependent, not private"
"""String that declares cut points or categories taken from the data, without privacy."""

OTHERS = "*"
"""Name of the declaration for all columns that no other declaration names."""


def declared_columns(names: Sequence[str], given: object) -> tuple[Column, ...]:
    """Return the declarations of the named columns.

    Parameters
    ----------
    names : sequence of str
        Names of the columns.
    given : mapping, sequence, or any input of `as_column`
        Declarations. A mapping declares columns by name, and by ``"*"`` all other columns, which
        are flags by default. A sequence of columns declares the columns in order. Every other
        value declares all columns.

    Raises
    ------
    InvalidInput
        If a declared column does not exist, or a sequence has a different length.

    Examples
    --------
    >>> declared_columns(["age", "smoker"], {"age": [40, 60]})
    (Cuts(points=(40.0, 60.0)), Flag())
    >>> declared_columns(["age", "size"], [40, 60])
    (Cuts(points=(40.0, 60.0)), Cuts(points=(40.0, 60.0)))
    """
    if isinstance(given, Mapping) and not _is_column(given):
        given = {str(name).strip(): column for name, column in given.items()}
        others = given.pop(OTHERS, Flag()) if OTHERS not in names else Flag()
        unknown = sorted(set(given) - set(names))
        if unknown:
            raise InvalidInput(
                f"There is no column {unknown[0]!r} to declare. The columns are "
                f"{', '.join(map(repr, names))}."
            )
        return tuple(as_column(given.get(name, others)) for name in names)
    if isinstance(given, (list, tuple)) and any(_is_column(entry) for entry in given):
        if len(given) != len(names):
            raise InvalidInput(
                f"There are {len(names)} columns, but {len(given)} were declared in order."
            )
        return tuple(as_column(entry) for entry in given)
    return (as_column(given),) * len(names)


def _is_column(given: object) -> bool:
    """Return whether a value declares one column. A mapping from names or a number does not."""
    if isinstance(given, Column) or (isinstance(given, (list, tuple)) and len(given) > 0):
        return True
    if isinstance(given, str):
        return given in ("flag", NOT_PRIVATE)
    kinds = {"cuts", "categories", "range", "steps", "private_cuts", "flag", "missing"}
    return isinstance(given, Mapping) and len(given) > 0 and set(given) <= kinds


def as_column(given: object) -> Column:
    """Convert a value to the column that it declares.

    Parameters
    ----------
    given : Column, dict, sequence or str
        Declaration of a column. A list declares cut points if all its entries are numbers or all
        are ISO dates, and categories otherwise. A dict has one of the keys ``cuts``,
        ``categories``, ``range`` (with ``steps``), ``private_cuts`` (a dict of the parameters of
        `PrivateCuts`), or ``flag``. If it also has a true ``missing``, or a list of strings that
        mark missing values, these values are a separate category. The string `NOT_PRIVATE`
        requests cut points or categories from the data.

    Raises
    ------
    InvalidInput
        If the value declares no column, or is a list of dates that are not ISO dates.

    Examples
    --------
    >>> as_column([40, 60])
    Cuts(points=(40.0, 60.0))
    >>> as_column({"range": [0, 10], "steps": 4})
    Cuts(points=(2.0, 4.0, 6.0, 8.0))
    >>> as_column("data-dependent, not private")
    DataDependent(count=3)
    >>> as_column("quantiles")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: A column must be declared by public cut points, a public \
range, public categories, privately chosen cut points or as a flag. Cut points or categories taken \
from the data void every guarantee. They require 'data-dependent, not private'. \
Got 'quantiles'.
    """
    if isinstance(given, Column):
        return given
    if isinstance(given, str) and given == NOT_PRIVATE:
        return DataDependent()
    if isinstance(given, str) and given == "flag":
        return Flag()
    if isinstance(given, Mapping) and given.get("missing") and len(given) > 1:
        column = with_missing(as_column({k: v for k, v in given.items() if k != "missing"}))
        return (
            column if given["missing"] is True else column.with_markers(_markers(given["missing"]))
        )
    if isinstance(given, Mapping) and len(given) == 1 + ("range" in given):
        if "cuts" in given:
            return Cuts(_list(given["cuts"], "cuts"))
        if "categories" in given:
            return Categories(_list(given["categories"], "categories"))
        if set(given) == {"range", "steps"}:
            low, high = _pair(given["range"])
            return Cuts.steps(low, high, given["steps"])
        if given.get("flag") is True:
            return Flag()
        if "private_cuts" in given:
            return _private_cuts(given["private_cuts"])
    if isinstance(given, (Sequence, np.ndarray)) and not isinstance(given, str) and len(given):
        if all(
            isinstance(entry, (int, float, Fraction, np.number)) and not isinstance(entry, bool)
            for entry in given
        ) or all(map(is_date, given)):
            return Cuts(given)
        _require_one_kind([str(entry) for entry in given])
        if all(isinstance(entry, str) for entry in given):
            _require_no_dates(list(given), "{'categories': [...]}")
            return Categories(given)
    raise InvalidInput(
        "A column must be declared by public cut points, a public range, public categories, "
        "privately chosen cut points or as a flag. Cut points or categories taken from the data "
        f"void every guarantee. They require {NOT_PRIVATE!r}. Got {given!r}."
    )


def with_missing(column: Column) -> FixedColumn:
    """Return the column with missing values as a separate category.

    Raises
    ------
    InvalidInput
        If the features of the column are chosen by looking at the rows.

    Examples
    --------
    >>> with_missing(Categories(["red"])), with_missing(Flag())
    (Categories(values=('red', '')), WithMissing(column=Flag()))
    """
    if isinstance(column, Categories):
        return column if "" in column.values else Categories([*column.values, ""])
    return WithMissing(column)  # type: ignore[arg-type]


def _list(given: object, name: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, (Sequence, np.ndarray)):
        raise InvalidInput(f"The {name} of a column must be a list. Got {given!r}.")
    return list(given)


def _markers(given: object) -> list[str]:
    """Return the strings that mark missing values."""
    return [plain_text(marker) for marker in _list(given, "markers of missing values")]


def _pair(given: object) -> tuple[Any, Any]:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise InvalidInput(f"A range must have the form [low, high]. Got {given!r}.")
    return given[0], given[1]


def _private_cuts(given: object) -> PrivateCuts:
    needed = {"range", "grid", "count", "epsilon"}
    if not isinstance(given, Mapping) or set(given) != needed:
        raise InvalidInput(
            f"Privately chosen cut points need {', '.join(sorted(needed))}. Got {given!r}."
        )
    low, high = _pair(given["range"])
    return PrivateCuts(low, high, given["grid"], given["count"], given["epsilon"])


DATE = re.compile(
    r"""(?xi)
    (?: \d{4} (?P<dash>[-/.]) \d{1,2} (?P=dash) \d{1,2}            # 2020-01-10
      | \d{1,2} (?P<stroke>[-/.]) \d{1,2} (?P=stroke) (?:\d{4}|\d\d)  # 10.01.2020, 1/10/20
      | \d{4} - (?:0[1-9]|1[0-2])                                  # 2020-01
      | \d{1,2}\.?[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ ,-]+\d{2,4}
      | (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -]\d{1,2},?[ -]\d{4}
    ) (?: [T ,]+ \d{1,2}:\d\d .* )?                                # and a time of the day
    | \d{1,2}:\d\d (?: :\d\d (?:[.,]\d+)? )? (?:\ ?[ap]m)?
    """
)
"""Format of dates and times of the day."""


def _require_no_dates(parts: Iterable[str], otherwise: str) -> None:
    """Refuse dates of other formats in guessed categories, because they mean points in time."""
    dates = [part for part in parts if DATE.fullmatch(part.strip())]
    dates = [part for part in dates if not is_date(part)] or dates
    if dates:
        raise InvalidInput(
            f"A cut point must be a number or an ISO date such as 2020-01-10. Got {dates[0]!r}. "
            "Write the dates of the column and the cut points in this form. If it is the name of "
            f"a category, write {otherwise}."
        )


def _require_one_kind(parts: Sequence[str]) -> None:
    """Refuse a list of dates and numbers, because one column cannot contain both."""
    dates = [part for part in parts if is_date(part)]
    numbers = [part for part in parts if re.fullmatch(NUMBER, part)]
    if dates and numbers:
        raise InvalidInput(
            "The cut points of one column must be all dates or all numbers. Got the date "
            f"{dates[0]!r} and the number {numbers[0]!r}."
        )


NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
END = rf"(?:{ISO}|{NUMBER})"
"""Pattern of the end of a range: a number or a date."""
STEPS = re.compile(rf"({END})\.\.({END})/(\d+)")
PRIVATE = re.compile(rf"({END})\.\.({END})/(\d+):(\d+)@({NUMBER}(?:/\d+)?)")


CATEGORIES = "categories:"
MISSING_TOO = "+missing"
NO_NUMBERS = ("nan", "inf", "-inf", "+inf", "infinity", "-infinity")


def column_from_text(text: str) -> Column:
    """Return the column that a command-line string declares.

    Parameters
    ----------
    text : str
        Declaration of a column: ``30,40,50`` or ``2020-01-01,2020-07-01`` for cut points,
        ``0..100/9`` for 9 cut points in equal steps inside a public range, ``0..100/50:3@0.1`` for
        3 cut points that are chosen privately from a grid of 50 steps for epsilon 0.1,
        ``red,green`` for categories (``categories:1,2`` if they look like numbers), ``flag``, or
        `NOT_PRIVATE`. At the end, ``+missing`` declares missing values as a category. A comma
        before ``+missing`` makes no difference. A category in double quotes may contain every
        character (`lsclasses.files.comma_separated.quoted_parts`).

    Raises
    ------
    InvalidInput
        If the string is not one of these forms, or contains dates.

    Examples
    --------
    >>> column_from_text("30,40"), column_from_text("0..1/1"), column_from_text("red,green")
    (Cuts(points=(30.0, 40.0)), Cuts(points=(0.5,)), Categories(values=('red', 'green')))
    >>> column_from_text("0..100/50:3@0.1").epsilon
    Fraction(1, 10)
    >>> column_from_text("F,M,+missing") == column_from_text("F,M+missing")
    True
    >>> column_from_text('"$1 to $9,999",none').values
    ('$1 to $9,999', 'none')
    """
    text = text.strip()
    if text.endswith(MISSING_TOO):
        declared = text.removesuffix(MISSING_TOO).rstrip().removesuffix(",")
        return with_missing(column_from_text(declared))
    if text in ("flag", NOT_PRIVATE):
        return as_column(text)
    listed = quoted_parts(text.removeprefix(CATEGORIES))
    if text.startswith(CATEGORIES) or any(literal for _, literal in listed):
        return Categories(part for part, _ in listed)
    stepped, private = STEPS.fullmatch(text), PRIVATE.fullmatch(text)
    if stepped:
        return Cuts.steps(stepped[1], stepped[2], int(stepped[3]))
    if private:
        low, high, grid, count, epsilon = private.groups()
        return PrivateCuts(low, high, int(grid), int(count), epsilon)  # type: ignore[arg-type]
    parts = [part.strip() for part in text.split(",")]
    if all(map(is_date, parts)):
        return Cuts(parts)
    _require_one_kind(parts)
    _require_no_dates([*parts, *text.split("..")], CATEGORIES + text)
    if ".." in text or "" in parts:
        raise InvalidInput(
            "A column must be declared as cut points (30,40,50), steps in a public range "
            "(0..100/9), privately chosen cut points (0..100/50:3@0.1), categories (red,green or "
            "categories:1,2) or flag. Add +missing at the end if values are missing. "
            f"Got {text!r}."
        )
    numbers = [part for part in parts if re.fullmatch(NUMBER, part)]
    if len(numbers) == len(parts):
        return Cuts(map(float, parts))
    strange = [part for part in parts if part.lower() in NO_NUMBERS]
    if numbers or strange:
        wrong = next(part for part in parts if part in strange or part not in numbers)
        raise InvalidInput(
            f"A cut point must be a number. Got {wrong!r}. If {text!r} are categories, write "
            f"{CATEGORIES + text!r}, with double quotes around a category that contains a comma."
        )
    return Categories(parts)


def columns_from_texts(
    texts: Iterable[str],
    names: Sequence[str],
    target: str = "",
    known: Mapping[str, Column] | None = None,
) -> tuple[Column, ...]:
    """Return the columns that strings such as ``age=30,40`` and JSON files declare.

    Parameters
    ----------
    texts : iterable of str
        Declarations. Each is ``COLUMN=SPEC`` (see `column_from_text`) or a path that ends in
        ``.json``. Such a file holds an object from columns to such strings or to inputs of
        `as_column`. The column ``*`` represents all columns without a declaration by name.
    names : sequence of str
        Columns of the table.
    target : str
        Predicted column, for error messages.
    known : mapping from str to Column, optional
        Declarations from another source, such as a schema.

    Raises
    ------
    InvalidInput
        If a string is not one of these forms, or declares several columns, a column twice, the
        target, or a column that does not exist.

    Examples
    --------
    >>> columns_from_texts(["age=40,60", "*=red,green"], ["age", "hat"])
    (Cuts(points=(40.0, 60.0)), Categories(values=('red', 'green')))
    """
    texts = list(texts)
    for text in texts:
        _require_one_column(text, names)
    found = columns_of(texts, known)
    if target in found:
        raise InvalidInput(
            f"{target!r} is the target, so it cannot be a feature. Do not declare it."
        )
    others = found.pop(OTHERS, None)
    if others is not None:
        found |= {name: others for name in names if name not in found}
    return declared_columns(names, found)


def _require_one_column(text: str, names: Container[str]) -> None:
    """Refuse a declaration such as ``age=30,job=cook``, which names a second column."""
    for part in (split_declaration(text)[1] or "").split(",")[1:]:
        other, equals, _ = part.partition("=")
        if equals and other.strip() in names:
            raise InvalidInput(
                f"A declaration describes one column. Got {text!r}, which also names the column "
                f"{other.strip()!r}. Repeat --cuts for each column. Put a category with an equal "
                "sign in double quotes."
            )


def columns_of(
    texts: Iterable[str], known: Mapping[str, Column] | None = None
) -> dict[str, Column]:
    """Return the declared columns by name, as in `columns_from_texts`.

    The declaration of all other columns has the name ``*`` in the result.

    Raises
    ------
    InvalidInput
        If a string is not a declaration, or declares a column twice.

    Examples
    --------
    >>> columns_of(["age=40,60"])
    {'age': Cuts(points=(40.0, 60.0))}
    """
    found: dict[str, Column] = dict(known or {})
    for text in texts:
        name, spec = split_declaration(text)
        if spec is not None:
            declared: dict[str, object] = {name: spec}
        elif text.endswith(".json"):
            declared = read_json(text)
            if not isinstance(declared, dict):
                raise InvalidInput(f"{text!r} must hold an object from columns to their specs.")
        else:
            raise InvalidInput(
                "Columns must be declared by COLUMN=SPEC or by a JSON file with a spec by column. "
                f"Got {text!r}."
            )
        for column, said in declared.items():
            if column in found:
                raise InvalidInput(f"{column!r} is declared twice.")
            found[column] = column_from_text(said) if isinstance(said, str) else as_column(said)
    return found
