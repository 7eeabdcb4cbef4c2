"""Uniform floating-point numbers whose digits are decided only as far as a program needs them.

The method ``random()`` of Python and of NumPy returns k/2^53 for a uniform integer k below 2^53. A
program usually compares this number with a probability p. Then only two branches exist: k/2^53 < p
holds for ceil(p 2^53) values of k. A `UniformValue` follows these two branches and remembers the
interval of k that remains. Operations such as ``2 * u`` or ``1 - u`` are monotone functions of k in
floating point, so comparisons of their results also have two branches, which bisection finds.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from learners.coins import Coins
from lsclasses.errors import InvalidInput

BITS = 53
"""Number of random bits of ``random()``."""
MOST_VALUES = 4096
"""Largest number of branches of a rounded value."""


class CannotEnumerate(InvalidInput):
    """A program uses randomness in a way that has too many branches."""


@dataclass
class _Remaining:
    """The interval low <= k < high of the uniform integer that remains."""

    coins: Coins
    low: int = 0
    high: int = 1 << BITS

    def first(self, holds: Callable[[int], bool]) -> int:
        """Return the first k for which a condition holds, which holds for all larger k, or high."""
        low, high = self.low, self.high
        while low < high:
            middle = (low + high) // 2
            if holds(middle):
                high = middle
            else:
                low = middle + 1
        return low

    def is_below(self, bound: int) -> bool:
        """Return whether k < bound, as a random branch."""
        if bound <= self.low or bound >= self.high:
            return self.low < bound
        below = self.coins.flip(Fraction(bound - self.low, self.high - self.low))
        if below:
            self.high = bound
        else:
            self.low = bound
        return below


def _identity(value: float) -> float:
    return value


def _negated(compared: Any) -> Any:
    return ~compared if isinstance(compared, np.ndarray) else not compared


class UniformValue:
    """A monotone function of a uniform number in [0, 1), which comparisons decide step by step.

    Parameters
    ----------
    remaining : _Remaining
        Interval of the underlying integer.
    function : callable
        Monotone function from k/2^53 to a float.
    increasing : bool
        Whether the function does not decrease. Otherwise, it does not increase.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> law = exact_distribution(lambda coins: UniformValue.fresh(coins) < 0.25)
    >>> law.rational(True)
    Fraction(1, 4)
    >>> law = exact_distribution(lambda coins: int(3 * UniformValue.fresh(coins)))
    >>> abs(law.rational(2) - Fraction(1, 3)) < Fraction(1, 2**53)
    True
    """

    __slots__ = ("_function", "_increasing", "_remaining")
    __array_ufunc__ = None

    def __init__(
        self, remaining: _Remaining, function: Callable[[float], float], increasing: bool
    ) -> None:
        self._remaining = remaining
        self._function = function
        self._increasing = increasing

    @classmethod
    def fresh(cls, coins: Coins) -> UniformValue:
        """Return a new uniform number."""
        return cls(_Remaining(coins), _identity, True)

    def _at(self, k: int) -> float:
        return self._function(math.ldexp(k, -BITS))

    def _refuse(self, use: str) -> NoReturn:
        raise CannotEnumerate(
            f"The program {use} a uniform random number, which has 2^53 branches. An audit "
            "enumerates only comparisons with numbers, rounding to integers, and sums and products "
            "with numbers."
        )

    # ---- comparisons

    def _less(self, other: object, *, or_equal: bool) -> Any:
        if isinstance(other, np.ndarray):
            # One comparison for each entry.
            found = [self._less(each, or_equal=or_equal) for each in other.ravel().tolist()]
            return np.array(found, bool).reshape(other.shape)
        if isinstance(other, UniformValue) or not isinstance(other, Real):
            self._refuse(
                "compares two values of" if isinstance(other, UniformValue) else "compares"
            )
        bound: Any = other
        if self._function is _identity and isinstance(other, (float, int)):
            # k/2^53 < p holds for ceil(p 2^53) values of k, where the product is exact.
            scaled = math.ldexp(min(2.0, max(-1.0, bound)), BITS)
            return self._remaining.is_below(
                math.floor(scaled) + 1 if or_equal else math.ceil(scaled)
            )
        compare = operator.le if or_equal else operator.lt
        if self._increasing:
            return self._remaining.is_below(
                self._remaining.first(lambda k: not compare(self._at(k), bound))
            )
        return not self._remaining.is_below(
            self._remaining.first(lambda k: compare(self._at(k), bound))
        )

    def __lt__(self, other: object) -> Any:
        return self._less(other, or_equal=False)

    def __le__(self, other: object) -> Any:
        return self._less(other, or_equal=True)

    def __gt__(self, other: object) -> Any:
        return _negated(self._less(other, or_equal=True))

    def __ge__(self, other: object) -> Any:
        return _negated(self._less(other, or_equal=False))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return not self < other and not self > other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __hash__(self) -> int:  # noqa: PLE0309
        self._refuse("returns")

    # ---- monotone functions

    def _then(self, function: Callable[[float], float], increasing: bool) -> UniformValue:
        before = self._function
        return UniformValue(
            self._remaining,
            lambda value: function(before(value)),
            self._increasing if increasing else not self._increasing,
        )

    def _number(self, other: object) -> Any:
        if isinstance(other, UniformValue) or not isinstance(other, Real):
            self._refuse("combines another value with")
        return other

    def __neg__(self) -> UniformValue:
        return self._then(operator.neg, False)

    def __pos__(self) -> UniformValue:
        return self

    def __add__(self, other: object) -> UniformValue:
        number = self._number(other)
        return self._then(lambda value: value + number, True)

    __radd__ = __add__

    def __sub__(self, other: object) -> UniformValue:
        number = self._number(other)
        return self._then(lambda value: value - number, True)

    def __rsub__(self, other: object) -> UniformValue:
        number = self._number(other)
        return self._then(lambda value: number - value, False)

    def __mul__(self, other: object) -> UniformValue:
        number = self._number(other)
        return self._then(lambda value: value * number, number >= 0)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> UniformValue:
        number = self._number(other)
        return self._then(lambda value: value / number, number > 0)

    def __rtruediv__(self, other: object) -> UniformValue:
        self._refuse("divides by")

    def __floordiv__(self, other: object) -> UniformValue:
        number = self._number(other)
        return self._then(lambda value: value // number, number > 0)

    # ---- values

    def _rounded(self, rounding: Callable[[float], int]) -> int:
        remaining = self._remaining
        ends = rounding(self._at(remaining.low)), rounding(self._at(remaining.high - 1))
        if abs(ends[1] - ends[0]) >= MOST_VALUES:
            self._refuse("rounds a large multiple of")
        step = 1 if ends[0] <= ends[1] else -1
        bounds, values = [remaining.low], list(range(ends[0], ends[1] + step, step))
        for value in values[:-1]:
            bounds.append(remaining.first(partial(self._is_beyond, rounding, value, step)))
        bounds.append(remaining.high)
        sizes = [high - low for low, high in pairwise(bounds)]
        found = [i for i, size in enumerate(sizes) if size]
        index = found[remaining.coins.pick([0] * len(found), counts=[sizes[i] for i in found])]
        remaining.low, remaining.high = bounds[index], bounds[index + 1]
        return values[index]

    def _is_beyond(self, rounding: Callable[[float], int], value: int, step: int, k: int) -> bool:
        """Return whether the rounded value of k comes after another value."""
        return (rounding(self._at(k)) - value) * step > 0

    def __int__(self) -> int:
        return self._rounded(int)

    def __trunc__(self) -> int:
        return self._rounded(math.trunc)

    def __floor__(self) -> int:
        return self._rounded(math.floor)

    def __ceil__(self) -> int:
        return self._rounded(math.ceil)

    def __round__(self, digits: int | None = None) -> int:
        if digits is not None:
            self._refuse("rounds to digits")
        return self._rounded(round)

    def __float__(self) -> float:
        self._refuse("needs all digits of")

    def __array__(self, *_: object, **__: object) -> NoReturn:
        self._refuse("makes an array of")

    def __repr__(self) -> str:
        return (
            f"UniformValue({self._at(self._remaining.low)!r} to {self._at(self._remaining.high)!r})"
        )
