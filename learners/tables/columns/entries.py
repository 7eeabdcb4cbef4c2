"""Python expressions that test an entry: whether it is missing, or among given values."""

from __future__ import annotations

import re
from collections.abc import Collection

from learners.tables.records import MISSING

LONGEST_WHOLE = 300
"""The most characters of a whole number that may be a float."""


GONE = ("<NA>", "NaT", "None", "nan")
"""How missing entries print that are no texts; texts that read so are values, but for nan."""


def _missing_source(name: str, holds: bool, values: Collection[str] = ()) -> str:
    """The Python expression for whether an entry is missing, as in `is_missing`."""
    return _among(name, tuple(sorted(MISSING.difference(values) | {""})), GONE, holds)


def _printed(value: str) -> tuple[str, ...]:
    """The printed forms of entries, not texts, with this `plain_text`.

    Truth values are 1 and 0 as texts, and whole floats have no decimal point.
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
    """Whether a text is the printed form of a whole float."""
    try:
        value = float(text)
    except ValueError:
        return False
    return value.is_integer() and repr(value) == text


def _among(name: str, texts: tuple[str, ...], others: tuple[str, ...], holds: bool) -> str:
    """The Python expression for whether an entry's text or printed form is among some."""
    entry = f"str(row[{name!r}]).strip()"
    if texts == others and len(texts) == 1:
        return f"{entry} {'==' if holds else '!='} {texts[0]!r}"
    listed = f"({texts!r} if isinstance(row[{name!r}], str) else {others!r})"
    return f"{entry} {'in' if holds else 'not in'} {listed}"
