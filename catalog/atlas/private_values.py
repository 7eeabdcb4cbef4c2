"""Certified values of the best private learners of small classes.

The file ``private_values.csv`` has a row for each class up to permutations and flips of labels, and
a column for each quantity. V(m) is the least expected error of any private learner from m rows, in
the worst case over all concepts and distributions. M(T) is the fewest expected mistakes of any
private online learner in T rounds, in the worst case over realizable streams. Learners may publish
any function. An entry is a lower and an upper bound. ``lsclasses private-atlas build`` computes
both, with a certificate for each entry (`learners.private_atlas`). An empty entry is a value that
was not computed.

Permutations and flips map private learners to private learners, so all classes of an orbit share
these values.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

from lsclasses.brackets import Bracket
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.isomorphism import canonical_form, class_mask
from lsclasses.table import Table

__all__ = [
    "COLUMNS",
    "EPSILONS",
    "FILE",
    "SEQUENCES",
    "UNIT",
    "all_private_values",
    "PrivateColumn",
    "PrivateSequence",
    "Quantity",
    "private_column",
    "private_values",
    "values_text",
]

FILE = Path(__file__).with_name("private_values.csv")
UNIT = 10**9
"""Common denominator of the bounds. The file contains their numerators."""
EPSILONS: Mapping[str, Fraction] = {"half": Fraction(1, 2), "": Fraction(1), "two": Fraction(2)}
"""Values of epsilon by the endings of column names. A name without an ending is for epsilon 1."""

MOST_POINTS = 5
"""Largest number of points of the classes in the file."""

Quantity = Literal["V", "M"]


@dataclass(frozen=True)
class PrivateColumn:
    """A quantity of private learners with its parameters.

    Parameters
    ----------
    quantity : "V" or "M"
        Least expected error from samples, or fewest expected mistakes online.
    size : int
        Number of rows, or of rounds.
    epsilon : Fraction
        One of `EPSILONS`.

    Examples
    --------
    >>> column = PrivateColumn("V", 2, Fraction(1, 2))
    >>> column.name, column.sequence
    ('V2_half', 'V_half')
    >>> column.title
    'least expected error of (1/2, 0)-private learners from 2 rows'
    """

    quantity: Quantity
    size: int
    epsilon: Fraction

    @property
    def _ending(self) -> str:
        ending = next(word for word, each in EPSILONS.items() if each == self.epsilon)
        return f"_{ending}" if ending else ""

    @property
    def name(self) -> str:
        """Name of the column in the file.

        In SQL, the names of both bounds are this name with ``_lower`` and ``_upper``.
        """
        return f"{self.quantity}{self.size}{self._ending}"

    @property
    def sequence(self) -> str:
        """Name, in statements, of the sequence whose entry number `size` is this quantity."""
        return f"{self.quantity}{self._ending}"

    @property
    def title(self) -> str:
        """Description of the quantity in words."""
        if self.quantity == "V":
            rows = f"{self.size} row{'s' * (self.size > 1)}"
            return f"least expected error of ({self.epsilon}, 0)-private learners from {rows}"
        rounds = f"{self.size} round{'s' * (self.size > 1)}"
        return f"fewest expected mistakes of ({self.epsilon}, 0)-private learners in {rounds}"


_SIZES: tuple[tuple[Quantity, tuple[int, ...]], ...] = (("V", (1, 2, 3)), ("M", (1, 2, 3, 4)))
COLUMNS: tuple[PrivateColumn, ...] = tuple(
    PrivateColumn(quantity, size, epsilon)
    for epsilon in EPSILONS.values()
    for quantity, sizes in _SIZES
    for size in sizes
)
"""The columns of the file, in the order of the file."""


def private_column(name: str) -> PrivateColumn:
    """Return the column of private values with a name.

    Raises
    ------
    InvalidInput
        If no column has this name.
    """
    found = next((each for each in COLUMNS if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in COLUMNS)
        raise InvalidInput(f"The private atlas has the columns {known}. Got {name!r:.60}.")
    return found


def private_values(points: int, mask: int) -> Mapping[PrivateColumn, Bracket]:
    """Return the known values of the best private learners of a class.

    Parameters
    ----------
    points : int
    mask : int
        Least mask of the orbit under permutations and flips.

    Returns
    -------
    mapping of PrivateColumn to Bracket
        Values in the order of `COLUMNS`, without columns that were not computed. A class of one
        concept has the value 0 in each column, because the learner that publishes the concept is
        private.

    Examples
    --------
    >>> values = private_values(3, 0b10110)
    >>> print(values[PrivateColumn("V", 2, Fraction(1))])
    0.278155 to 0.278157
    """
    if mask.bit_count() == 1:
        return dict.fromkeys(COLUMNS, Bracket(Fraction(0), Fraction(0)))
    return _file().get((points, mask), {})


def all_private_values() -> Iterator[tuple[int, int, Mapping[PrivateColumn, Bracket]]]:
    """Yield the points, the least mask and the known values of each class in the file."""
    for (points, mask), values in _file().items():
        yield points, mask, values


@cache
def _file() -> Mapping[tuple[int, int], Mapping[PrivateColumn, Bracket]]:
    if not FILE.exists():
        return {}
    head, *rows = csv.reader(io.StringIO(FILE.read_text(encoding="utf-8")))
    columns = [private_column(name) for name in head[2:]]
    return {
        (int(points), int(mask)): {
            column: _bracket(entry) for column, entry in zip(columns, entries, strict=True) if entry
        }
        for points, mask, *entries in rows
    }


def _bracket(entry: str) -> Bracket:
    lower, width = map(int, entry.split("+"))
    return Bracket(Fraction(lower, UNIT), Fraction(lower + width, UNIT))


@dataclass(frozen=True)
class PrivateSequence:
    """The values of a quantity for one epsilon as a parameter of statements.

    Entry m of the sequence is the value for m rows or rounds. It is None if it was not computed.

    Parameters
    ----------
    quantity : "V" or "M"
        V is the least expected error from samples, and M is the fewest expected mistakes online.
    epsilon : Fraction
        Privacy parameter, one of `EPSILONS`.

    Examples
    --------
    >>> from lsclasses.isomorphism import class_of_mask
    >>> _, first, *_ = PrivateSequence("V", Fraction(1))(class_of_mask(3, 0b10110))
    >>> print(first)
    0.385432 to 0.385433
    """

    quantity: Quantity
    epsilon: Fraction

    flips_change = False

    def __call__(self, table: Table, /) -> tuple[Bracket | None, ...]:
        """Return the sequence for a non-empty class.

        Raises
        ------
        TooLarge
            If the class has too many points.
        """
        points = len(table.points)
        if points > MOST_POINTS:
            raise TooLarge(
                f"The private atlas has classes on at most {MOST_POINTS} points. Got {points}.",
                estimate=points,
                limit=MOST_POINTS,
            )
        known = private_values(points, class_mask(canonical_form(table)[0]))
        chosen = [each for each in COLUMNS if self._has(each)]
        return (None, *(known.get(column) for column in chosen))

    def _has(self, column: PrivateColumn) -> bool:
        return (column.quantity, column.epsilon) == (self.quantity, self.epsilon)


SEQUENCES: Mapping[str, PrivateSequence] = {
    each.sequence: PrivateSequence(each.quantity, each.epsilon) for each in COLUMNS
}
"""The sequences by their names in statements."""


def values_text(found: Iterable[tuple[int, int, Mapping[PrivateColumn, Bracket]]]) -> str:
    """Return the content of the file ``private_values.csv`` for some classes with their values.

    Bounds are rounded outwards to multiples of 1/`UNIT`.

    Parameters
    ----------
    found : iterable of (int, int, mapping)
        Number of points, least mask and values of each class.

    Examples
    --------
    >>> half = Bracket(Fraction(1, 3), Fraction(1, 3))
    >>> text = values_text([(1, 3, {PrivateColumn("V", 1, Fraction(1, 2)): half})])
    >>> text.splitlines()[1][:19]
    '1,3,333333333+1,,,,'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["points", "mask", *(each.name for each in COLUMNS)])
    for points, mask, values in sorted(found, key=lambda each: each[:2]):
        writer.writerow([points, mask, *_entries(values)])
    return text.getvalue()


def _entries(values: Mapping[PrivateColumn, Bracket]) -> Iterator[str]:
    for column in COLUMNS:
        value = values.get(column)
        if value is None:
            yield ""
            continue
        lower, upper = value.lower * UNIT // 1, -(-value.upper * UNIT // 1)
        yield f"{lower}+{upper - lower}"
