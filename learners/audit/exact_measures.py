"""Finite measures with exact values, and the events of two measures that attain their losses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate, pairwise

import numpy as np
from flint import arb

from learners.audit.cumulants import Floats
from learners.balls import ball
from lsclasses.errors import InvalidInput

LEAST_FLOAT = 2.0**-1000
"""Least positive probability that is a float, or is rounded to a float. Products and quotients of
larger probabilities do not underflow or overflow."""
MOST_BITS = 1 << 33
"""Largest total number of bits of the numerators of a measure."""
LOGARITHM_ERROR = 2.0**-52
"""Absolute error of a logarithm of an exact number, in addition to the error of NumPy's
function."""


@dataclass(frozen=True, eq=False)
class ExactMeasure:
    """A finite measure, stored as nonnegative fractions with one common denominator.

    Parameters
    ----------
    numerators : list of int
        The numerators, by outcome.
    denominator : int
        The common denominator.

    Examples
    --------
    >>> ExactMeasure.of([Fraction(1, 2), Fraction(1, 3)])
    ExactMeasure(numerators=[3, 2], denominator=6)
    """

    numerators: list[int]
    denominator: int

    @classmethod
    def of(cls, values: Iterable[Fraction]) -> ExactMeasure:
        """Return the measure with these fractions as the values of its points.

        Raises
        ------
        InvalidInput
            If the numerators do not fit into the memory.
        """
        ratios = [value.as_integer_ratio() for value in values]
        denominator = math.lcm(*{bottom for _, bottom in ratios})
        if len(ratios) * denominator.bit_length() > MOST_BITS:
            raise InvalidInput(
                f"The common denominator of {len(ratios)} fractions must have at most "
                f"{MOST_BITS // len(ratios)} bits. Got {denominator.bit_length()} bits. Round the "
                "numbers to floats, and state their relative error."
            )
        scales = {bottom: denominator // bottom for _, bottom in ratios}
        return cls([top * scales[bottom] for top, bottom in ratios], denominator)

    def __len__(self) -> int:
        return len(self.numerators)

    def __getitem__(self, place: int) -> Fraction:
        return Fraction(self.numerators[place], self.denominator)

    def __iter__(self) -> Iterator[Fraction]:
        return (Fraction(each, self.denominator) for each in self.numerators)

    def total(self, places: Iterable[int] | None = None) -> Fraction:
        """Return the sum of the values at some places, by default of all values."""
        listed = self.numerators if places is None else map(self.numerators.__getitem__, places)
        return Fraction(sum(listed), self.denominator)

    def logarithms(self, places: Sequence[int]) -> Floats:
        """Return the logarithms of positive values.

        The error is at most `LOGARITHM_ERROR`, plus the relative error of NumPy's logarithm. Values
        that are not floats have exact exponents.

        Examples
        --------
        >>> tiny = ExactMeasure([1, 10**400 - 1], 10**400)
        >>> round(float(tiny.logarithms([0])[0]) / math.log(10), 9)
        -400.0
        """
        bottom = self.denominator
        values = np.array([self.numerators[i] / bottom for i in places], dtype=np.float64)
        small = np.flatnonzero(values < LEAST_FLOAT)
        values[small] = 1.0
        found: Floats = np.log(values)
        for i in small.tolist():
            top = self.numerators[places[i]]
            shift = bottom.bit_length() - top.bit_length()
            found[i] = math.log((top << shift) / bottom) - shift * math.log(2)
        return found


class RatioOrder:
    """The events E_k of two measures P and Q: the outcomes with the largest ratios P(o)/Q(o).

    Outcomes with equal ratios belong together, because they lie on one line of the trade-off curve.

    Attributes
    ----------
    order : list of int
        The outcomes of positive measure, by decreasing ratio.
    ends : list of int
        Number of outcomes of each event.
    reached, missed : list of int
        Numerators of P(E_k) and of Q(E_k).
    """

    def __init__(self, mine: ExactMeasure, other: ExactMeasure) -> None:
        self._bottoms = mine.denominator, other.denominator
        p, q = mine.numerators, other.numerators
        support = [i for i in range(len(p)) if p[i] or q[i]]
        self.order, self.ends = _by_ratio(p, q, support)
        mass = list(accumulate((p[i] for i in self.order), initial=0))
        others = list(accumulate((q[i] for i in self.order), initial=0))
        self.reached = [mass[k] for k in self.ends]
        self.missed = [others[k] for k in self.ends]

    def point(self, k: int) -> tuple[Fraction, Fraction]:
        """Return P(E_k) and Q(E_k)."""
        return Fraction(self.reached[k], self._bottoms[0]), Fraction(
            self.missed[k], self._bottoms[1]
        )

    def _step(self, k: int) -> tuple[Fraction, Fraction]:
        """Return the masses of the outcomes that E_k lacks and the next event contains."""
        gain, loss = self.reached[k + 1] - self.reached[k], self.missed[k + 1] - self.missed[k]
        return Fraction(gain, self._bottoms[0]), Fraction(loss, self._bottoms[1])

    def best(self, factor: arb) -> int:
        """Return a k that maximizes P(E_k) - factor Q(E_k), up to rounding."""
        low, high = 0, len(self.ends) - 1
        while low < high:
            middle = (low + high) // 2
            gain, loss = self._step(middle)
            if ball(gain) > factor * ball(loss):
                low = middle + 1
            else:
                high = middle
        return low

    def excess(self, factor: arb) -> arb:
        """Return max_k P(E_k) - factor Q(E_k)."""
        low, high = self.best(factor), len(self.ends) - 1
        first, found = low, arb(0)
        # The maximum is at an undecided comparison, or next to one.
        while low < high:
            middle = (low + high) // 2
            gain, loss = self._step(middle)
            if ball(gain) < factor * ball(loss):
                high = middle
            else:
                low = middle + 1
        for i in range(first, low + 1):
            reached, missed = self.point(i)
            found = found.max(ball(reached) - factor * ball(missed))
        return found

    def steepest(self, allowed: Fraction, more: Fraction) -> tuple[int, Fraction | float]:
        """Return the k and the value of max_k (P(E_k) - allowed)/(Q(E_k) + more), at least 1.

        The value is infinite if an event with Q(E_k) + more = 0 has P(E_k) > allowed. If no ratio
        exceeds 1, the event is empty and the value is 1.
        """
        low, high = 0, len(self.ends) - 1
        if not more:
            # At most one class of outcomes has the mass 0 under Q.
            low = int(high > 0 and not self.missed[1])
            if self.point(low)[0] > allowed:
                return low, math.inf
            low = min(low + 1, high)
        # The points (Q(E_k), P(E_k)) lie on a concave curve. So the slope of the line from
        # (-more, allowed) to the k-th point increases up to its maximum and then decreases.
        while low < high:
            middle = (low + high) // 2
            (mine, other), (gain, loss) = self.point(middle), self._step(middle)
            if gain * (other + more) > loss * (mine - allowed):
                low = middle + 1
            else:
                high = middle
        mine, other = self.point(low)
        if mine - allowed <= other + more:
            return 0, Fraction(1)
        return low, (mine - allowed) / (other + more)


def _by_ratio(
    p: Sequence[int], q: Sequence[int], support: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return the places by decreasing ratio, and the ends of the runs of equal ratios."""
    # A correctly rounded quotient does not decrease in the ratio. Equal quotients are compared
    # exactly.
    keys = np.array([_quotient(p[i], q[i]) for i in support], dtype=np.float64)
    ranks = np.argsort(-keys, kind="stable")
    keys = keys[ranks]

    def compared(i: int, j: int) -> int:
        return p[j] * q[i] - p[i] * q[j]

    places = [support[rank] for rank in ranks.tolist()]
    if not places:  # all branches of the program were cut
        return places, [0]
    starts = (np.flatnonzero(keys[1:] != keys[:-1]) + 1).tolist()
    ends = [0]
    for start, end in pairwise([0, *starts, len(places)]):
        first = places[start]
        if end - start > 1 and any(
            p[i] * q[first] != p[first] * q[i] for i in places[start + 1 : end]
        ):
            run = sorted(places[start:end], key=cmp_to_key(compared))
            places[start:end] = run
            ends += [
                start + k
                for k in range(1, len(run))
                if p[run[k - 1]] * q[run[k]] != p[run[k]] * q[run[k - 1]]
            ]
        ends.append(end)
    return places, ends


def _quotient(top: int, bottom: int) -> float:
    if not bottom:
        return math.inf
    try:
        return top / bottom
    except OverflowError:
        return math.inf
