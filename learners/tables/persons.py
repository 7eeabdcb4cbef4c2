"""Tables with several rows per person: selected rows, and guarantees for whole persons.

A guarantee about one row protects a person with twenty rows only weakly. This module reduces a
table to the first g rows of each person, where g is public. Learning from this table is then
(epsilon, delta)-private for a person, that is, if a person with all their rows is added or removed.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from fractions import Fraction

import numpy as np
from flint import arb

from learners import checked
from learners.accounting import geometric_sum, group
from learners.balls import ball, rational_below
from learners.tables.records import Records
from lsclasses.errors import InvalidInput


def first_rows(table: Records, column: str, count: int) -> Records:
    """Return the first rows of each person, in table order, without the column of persons.

    **Change by one person.** Let D' be a table D without the rows of one person, with all other
    rows in the same order. Then `first_rows` of D' equals `first_rows` of D without at most `count`
    rows. *Proof.* Whether a row is kept depends only on the number of rows of the same person
    before it. It does not depend on the number, content or position of the rows of other persons.
    So the rows of all others are kept in D' if and only if they are kept in D, and of the one
    person at most `count` rows were kept.

    **Consequence.** A mechanism that is (epsilon, delta)-DP if one row is added or removed is,
    after `first_rows`, private if a person is added or removed, with the loss that
    `learners.accounting.group` gives for `count` rows. Under ``replace_one``, there is no such
    guarantee: the number of remaining rows depends on persons, and that relation takes this number
    to be public. A person whose rows are replaced by other rows is removed and added, which costs
    twice as much.

    Parameters
    ----------
    table : Records
        Rows of the table.
    column : str
        Column that identifies the person of each row. Rows with equal strings are of one person.
    count : int
        Number of kept rows per person, at least 1 and public.

    Raises
    ------
    InvalidInput
        If the column does not exist, an entry is missing, or the count is not positive.

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> table = as_records([["ann", 1], ["bob", 2], ["ann", 3], ["ann", 4]], names=["who", "visit"])
    >>> first_rows(table, "who", 2).column("visit").tolist()
    [1, 2, 3]
    """
    count = checked.positive(count, "number of rows a person")
    persons = table.cells(column).stripped()
    if persons.dtype.kind == "O":
        persons = persons.astype(str)
    _, codes = np.unique(persons, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    before = np.empty(len(codes), dtype=np.intp)
    before[order] = np.arange(len(codes)) - starts
    return table.without([column]).rows(np.flatnonzero(before < count))


def share_of_a_row(epsilon: Fraction, delta: Fraction, count: int) -> tuple[Fraction, Fraction]:
    """Return the budget for one row such that `count` rows together stay within a budget.

    Examples
    --------
    >>> epsilon, delta = share_of_a_row(Fraction(1), Fraction(1, 10**6), 4)
    >>> epsilon, group(epsilon, delta, 4)[1] <= Fraction(1, 10**6)
    (Fraction(1, 4), True)
    """
    each = epsilon / checked.positive(count, "number of rows a person")
    if not delta or count == 1:
        return each, delta

    def share() -> arb:
        # The delta is reduced slightly, because `group` rounds up.
        return ball(delta) * (1 - ball(Fraction(1, 1 << 40))) / geometric_sum(each, count)

    # The share is about delta / (count e^epsilon), so the computation needs 80 additional bits.
    bits = 80 + count.bit_length() + math.ceil(2 * epsilon)
    found = rational_below(share, delta.denominator << bits)
    if found <= 0 or group(each, found, count)[1] > delta:
        raise InvalidInput(
            f"A delta of {delta} is too small for {count} rows per person at this epsilon."
        )
    return each, found


def require_persons(
    person: str | None, rows: int | None, neighbours: str, taken: Collection[str]
) -> None:
    """Refuse a column of persons for which no guarantee is possible.

    Parameters
    ----------
    person : str, optional
        Column that identifies persons.
    rows : int, optional
        Public number of rows that are used of each person.
    neighbours : str
        Neighbour relation of the guarantee.
    taken : collection of str
        Columns that cannot identify persons: the target and dropped columns.

    Raises
    ------
    InvalidInput
    """
    if (person is None) != (rows is None):
        raise InvalidInput(
            "A guarantee for persons needs both a column that identifies persons (--person) and "
            "the public number of rows that are used of each person (--rows-per-person)."
        )
    if person is None:
        return
    if neighbours != "add_remove":
        raise InvalidInput(
            "The number of used rows of persons depends on the persons. So a guarantee for "
            "persons needs add_remove (--neighbours add_remove), which protects the number of "
            f"rows. Got {neighbours!r}."
        )
    if person in taken:
        raise InvalidInput(
            f"{person!r} identifies persons, so it must be neither the target nor dropped."
        )
