"""Dates and times as numbers: seconds since the start of 1970, in UTC.

A column of dates has cut points, bins and ranges like a column of numbers. Dates are written as in
ISO 8601: ``2020-03-05``, ``2020-03-05T14:30`` or ``2020-03-05 14:30:00+02:00``. A date without a
time is its midnight. A time without an offset counts as UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import numpy as np

from lsclasses.errors import InvalidInput

DAY = 86400
"""Number of seconds of a day."""

ISO = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?)?"
"""Pattern of dates and times."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST, LAST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH, datetime.max.replace(tzinfo=UTC) - EPOCH)
"""The first and the last date that can be printed, as times since `EPOCH`."""


def is_date(value: object) -> bool:
    """Return whether a value is a date or time: an ISO string, or an object of that type.

    Examples
    --------
    >>> [is_date(value) for value in ("2020-03-05", date(2020, 3, 5), "20200305", 5)]
    [True, True, False, False]
    """
    if isinstance(value, str):
        return re.fullmatch(ISO, value.strip()) is not None
    return isinstance(value, (date, np.datetime64))


def parse_date(value: object) -> Fraction:
    """Return a date or time as seconds since the start of 1970.

    Parameters
    ----------
    value : str, datetime.date, datetime.datetime or numpy.datetime64
        Date in a table.

    Raises
    ------
    InvalidInput
        If the value is not a date.

    Examples
    --------
    >>> parse_date("1970-01-02"), parse_date("1970-01-01T00:00:00.5")
    (Fraction(86400, 1), Fraction(1, 2))
    >>> parse_date("2020-02-30")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: '2020-02-30' is not a date of the calendar.
    """
    if not is_date(value):
        raise InvalidInput(
            f"A date must be written as 2020-03-05 or 2020-03-05T14:30. Got {value!r}."
        )
    text = str(value).strip()
    try:
        # NumPy prints nanoseconds, of which Python's dates keep the microseconds.
        moment = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text))
    except ValueError:
        raise InvalidInput(f"{text!r} is not a date of the calendar.") from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not FIRST <= moment - EPOCH <= LAST:
        raise InvalidInput(f"A date must be in the years 1 to 9999, in UTC. Got {text!r}.")
    return Fraction((moment - EPOCH) // timedelta(microseconds=1), 10**6)


def format_date(seconds: Fraction | float) -> str:
    """Return the shortest ISO string of a date or time.

    Examples
    --------
    >>> format_date(Fraction(86400)), format_date(1.5)
    ('1970-01-02', '1970-01-01T00:00:01.500000')
    """
    moment = EPOCH + timedelta(microseconds=round(Fraction(seconds) * 10**6))
    if seconds % DAY == 0:
        return moment.date().isoformat()
    return moment.replace(tzinfo=None).isoformat(timespec="auto" if seconds % 60 else "minutes")
