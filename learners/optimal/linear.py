"""Linear programs that contain e^epsilon, proposed by a solver and proved in integers.

A program minimises the last of its columns over x with 0 <= x <= limits, (P + e^epsilon Q) x <= b
and E x = e, where P, Q and E have small integers as entries.

**Lower bounds.** Multiply the inequalities by any y >= 0 and the equalities by any z, and add: for
every feasible x and the vector c of the objective,

    c x >= c x + y ((P + rQ) x - b) + z (E x - e) >= - y b - z e + sum_j min(0, w_j) limits_j

with w = c + (P + rQ)' y + E' z. So every proposal of a solver proves some bound. The bound is
computed in integers, and is as good as the proposal. If Q <= 0, a larger r only relaxes the
program, so a bound with r >= e^epsilon is a bound of the program itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.accounting import ApproximateDP, Event, PureDP, Scope
from learners.balls import ball, certainly_le
from lsclasses.errors import BadCertificate, TooLarge
from lsclasses.numbers import format_number

LISTED = 1 << 24
"""Largest number of pairs of a sample and an answer, or of transcripts, in a certificate."""
SHORT = 10**12
"""Largest denominator of exact fractions in error messages."""
LARGEST = 30
"""Largest epsilon that a linear program accepts."""
SCALE = 1 << 44
"""Denominator 2^44 of the multipliers, which are stored as integers."""
SIMPLEX_ROWS = 8_000
"""Largest number of rows for which the simplex method is faster than an interior point method."""

Array = NDArray[Any]


class Entries:
    """The entries of a sparse matrix, in the order of addition. Entries at one place add up."""

    def __init__(self) -> None:
        self._parts: list[tuple[Array, Array, Array]] = []
        self.rows = 0

    def new(self, count: int) -> Array:
        """Add empty rows, and return the numbers of the new rows."""
        self.rows += count
        return np.arange(self.rows - count, self.rows)

    def add(self, rows: ArrayLike, columns: ArrayLike, values: ArrayLike = 1) -> None:
        """Add values to the entries at the given rows and columns."""
        row, column, value = np.broadcast_arrays(rows, columns, values)
        self._parts.append((row.ravel(), column.ravel(), value.ravel()))

    def copy(self) -> Entries:
        """Return a copy of the entries, to which other entries may be added."""
        found = Entries()
        found._parts, found.rows = list(self._parts), self.rows
        return found

    def arrays(self) -> tuple[Array, Array, Array]:
        """Return the row numbers, the column numbers and the values of all entries."""
        if not self._parts:
            none = np.zeros(0, dtype=np.int64)
            return none, none, none
        rows, columns, values = zip(*self._parts, strict=True)
        return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)

    def matrix(self, rows: int, columns: int) -> Any:
        """Return a sparse matrix of floats."""
        from scipy.sparse import csr_array

        row, column, value = self.arrays()
        return csr_array((value.astype(float), (row, column)), shape=(rows, columns))

    def transposed_times(self, multipliers: Array, columns: int) -> Array:
        """Return the product of the transposed matrix with integers, in Python integers."""
        row, column, value = self.arrays()
        found = np.zeros(columns, dtype=object)
        np.add.at(found, column, value.astype(object) * multipliers[row])
        return found


@dataclass(frozen=True)
class ApproximateSolution:
    """A proposal of a solver, in floats that are not trusted.

    Attributes
    ----------
    primal, multipliers, prices : array
        Vectors x, y and z.
    """

    primal: Array
    multipliers: Array
    prices: Array


@dataclass
class LinearProgram:
    """A linear program that contains e^epsilon, to which columns and rows are added.

    Attributes
    ----------
    limits : list of int
        Upper bound of each column that some optimal solution satisfies.
    plain, ratio, equal : Entries
        Matrices P, Q and E. Rows of P and of Q with equal numbers belong to one inequality.
    right, totals : dict
        Entries of b and e that are not 0.
    """

    limits: list[int] = field(default_factory=list)
    plain: Entries = field(default_factory=Entries)
    ratio: Entries = field(default_factory=Entries)
    equal: Entries = field(default_factory=Entries)
    right: dict[int, Fraction] = field(default_factory=dict)
    totals: dict[int, int] = field(default_factory=dict)

    def new(self, count: int, limit: int = 1) -> Array:
        """Add columns to the program, and return the numbers of the new columns."""
        self.limits += [limit] * count
        return np.arange(len(self.limits) - count, len(self.limits))

    @property
    def columns(self) -> int:
        """The number of columns of the program."""
        return len(self.limits)

    def propose(self, ratio: Fraction) -> ApproximateSolution:
        """Solve the program in floating point, and return the proposed solution.

        Raises
        ------
        TooLarge
            If the solver gives up.
        """
        from scipy.optimize import linprog

        rows, columns = self.plain.rows, self.columns
        at_most = self.plain.matrix(rows, columns)
        at_most = at_most + float(ratio) * self.ratio.matrix(rows, columns)
        right, totals, objective = np.zeros(rows), np.zeros(self.equal.rows), np.zeros(columns)
        for row, value in self.right.items():
            right[row] = float(value)
        for row, total in self.totals.items():
            totals[row] = total
        objective[-1] = 1
        found = linprog(
            objective,
            A_ub=at_most,
            b_ub=right,
            A_eq=self.equal.matrix(self.equal.rows, columns),
            b_eq=totals,
            method="highs-ds" if rows <= SIMPLEX_ROWS else "highs-ipm",
        )
        if found.x is None:
            raise TooLarge(
                f"The linear program with {rows + self.equal.rows} rows and {columns} columns was "
                f"not solved: {found.message}",
                estimate=rows,
            )
        return ApproximateSolution(found.x, -found.ineqlin.marginals, -found.eqlin.marginals)

    def bound(
        self,
        multipliers: Array,
        prices: Array,
        ratio: Fraction,
        extra: Array | int = 0,
        unit: int = 1,
    ) -> Fraction:
        """Return the lower bound that multipliers prove, for every r <= `ratio` if Q <= 0.

        Parameters
        ----------
        multipliers, prices : array of int
            Vectors y and z over `SCALE`, where y is not negative.
        extra : array of int, optional
            Contribution of further inequalities to w, over `SCALE` times `unit`.
        unit : int
            Factor in the scale of `extra`.
        """
        plain = self.plain.transposed_times(multipliers, self.columns)
        scaled = self.ratio.transposed_times(multipliers, self.columns)
        prices_of = self.equal.transposed_times(prices, self.columns)
        # All numbers are over SCALE times the denominator of the ratio.
        left = (plain + prices_of) * ratio.denominator + scaled * ratio.numerator
        left[-1] += SCALE * ratio.denominator
        left = left * unit + extra * ratio.denominator
        boxes = sum(
            value * limit for value, limit in zip(left, self.limits, strict=True) if value < 0
        )
        found = Fraction(boxes, SCALE * ratio.denominator * unit)
        rights = sum(int(multipliers[row]) * value for row, value in self.right.items())
        totals = sum(int(prices[row]) * total for row, total in self.totals.items())
        return found - Fraction(rights + totals) / SCALE


def over_scale(values: Sequence[float] | Array) -> Array:
    """Return floats as the nearest integers over `SCALE`."""
    return np.array([round(value * SCALE) for value in np.asarray(values).tolist()], dtype=object)


def as_vector(values: Mapping[int, int], rows: int) -> Array:
    """Return multipliers of rows as an array of Python integers.

    Raises
    ------
    BadCertificate
        If a multiplier is for a row that does not exist.
    """
    if not all(0 <= row < rows for row in values):
        raise BadCertificate(f"There are {rows} rows of this kind. Got multipliers of other rows.")
    found = np.zeros(rows, dtype=object)
    found[list(values)] = list(values.values())
    return found


def brief(number: Fraction | int) -> str:
    """Return a number for an error message, exactly if it is short, else in a few digits.

    Examples
    --------
    >>> brief(Fraction(1, 3)), brief(10**4000 + 1)
    ('1/3', '1e+4000')
    """
    return format_number(number, exact=SHORT)


def require_ratios(epsilon: Fraction, below: Fraction, above: Fraction) -> None:
    """Refuse two numbers that are not bounds of e^epsilon.

    Raises
    ------
    BadCertificate
        Unless 1 <= below <= e^epsilon <= above and 0 < epsilon <= `LARGEST`.
    """
    if not 0 < epsilon <= LARGEST:
        raise BadCertificate(
            f"Epsilon must be positive and at most {LARGEST}. Got {brief(epsilon)}."
        )
    if below < 1:
        raise BadCertificate(f"A ratio must be at least 1. Got {brief(below)}.")
    if not certainly_le(lambda: ball(below).log(), epsilon):
        raise BadCertificate(f"{brief(below)} must be at most e^epsilon, epsilon {brief(epsilon)}.")
    if not certainly_le(lambda: -ball(above).log(), -epsilon):
        raise BadCertificate(
            f"{brief(above)} must be at least e^epsilon, epsilon {brief(epsilon)}."
        )


def guarantee(epsilon: Fraction, delta: Fraction, name: str, scope: Scope) -> Event:
    """Return the privacy guarantee that compared output distributions prove.

    Parameters
    ----------
    epsilon, delta : Fraction
        Privacy parameters.
    name : str
        Name of the learner in the ledger.
    scope : Scope
        Inputs and adversaries for which the comparison proves the guarantee.
    """
    if delta:
        return ApproximateDP(epsilon, delta, name=name, scope=scope)
    return PureDP(epsilon, name=name, scope=scope)


def require_listable(points: int, count: Callable[[], int]) -> None:
    """Refuse a certificate whose class or game is too large to be enumerated.

    Raises
    ------
    BadCertificate
        If the class has no points or more than 8, or more than `LISTED` items must be checked.
    """
    if not 1 <= points <= 8 or count() > LISTED:
        raise BadCertificate(
            "A certificate of the frontier must be about a class on 1 to 8 points, and at most "
            f"{LISTED:,} samples with answers, or transcripts."
        )
