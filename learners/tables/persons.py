"""Several rows a person: which of them are learned from, and what that says of a whole person.

A guarantee about one row says little to somebody who has twenty. Here a table is cut down to the
first g rows of each person, g being public, and what is learned from it is private for a person:
that somebody is in the table with all their rows, or is not, changes what comes out by (epsilon,
delta).
"""

from __future__ import annotations

import math
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

    **What a person changes.** Let D' be a table D without the rows of one person, the others in
    the same order. Then `first_rows` of D' is that of D without at most `count` rows. *Proof.*
    Whether a row is kept depends on how many rows of the same person stand before it, and on
    nothing else: not on how many rows others have, what is in them, or where they stand. So the
    rows of all others are kept in D' if and only if they are kept in D, and of the one person at
    most `count` rows were kept.

    **So** what is (epsilon, delta)-DP when one row is added or removed is, after `first_rows`,
    private when a person is, as `learners.accounting.group` says of `count` rows. It is no
    guarantee under ``replace_one``: how many rows are left depends on persons, and that relation
    takes their number to be public. A person whose rows are replaced by others is removed and
    added, which costs twice as much.

    Parameters
    ----------
    table : Records
    column : str
        Says whose row it is; equal texts are one person.
    count : int
        At least 1, and public.

    Raises
    ------
    InvalidInput
        If there is no such column, an entry is missing, or the count is not positive.

    Examples
    --------
    >>> from learners.tables.records import as_records
    >>> table = as_records([["ann", 1], ["bob", 2], ["ann", 3], ["ann", 4]], names=["who", "visit"])
    >>> first_rows(table, "who", 2).column("visit").tolist()
    [1, 2, 3]
    """
    count = checked.positive(count, "number of rows a person")
    persons = table.stripped(column)
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
        # A little less, since `group` rounds up.
        return ball(delta) * (1 - ball(Fraction(1, 1 << 40))) / geometric_sum(each, count)

    # The share is about delta / (count e^epsilon): it needs 80 bits beyond those.
    bits = 80 + count.bit_length() + math.ceil(2 * epsilon)
    found = rational_below(share, delta.denominator << bits)
    if found <= 0 or group(each, found, count)[1] > delta:
        raise InvalidInput(
            f"A delta of {delta} is too small for {count} rows a person at this epsilon."
        )
    return each, found
