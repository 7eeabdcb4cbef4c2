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
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from learners.coins import Coins
from learners.exact.branches import CannotEnumerate, ExactCoins, current_coins

BITS = 53
"""Number of random bits of ``random()``."""
MOST_VALUES = 4096
"""Largest number of branches of a rounded value."""


def refuse(coins: Coins, problem: Exception) -> NoReturn:
    """Raise an exception. The enumeration ends, even if the program catches the exception."""
    if isinstance(coins, ExactCoins):
        coins.refuse(problem)
    around = current_coins()
    if around is not None:
        around.refuse(problem)
    raise problem


@dataclass
class _Remaining:
    """The interval low <= k < high of the uniform integer that remains."""

    coins: Coins
    low: int = 0
    high: int = 1 << BITS
    branch: int = field(init=False)

    def __post_init__(self) -> None:
        self.branch = self._current_branch()

    def _current_branch(self) -> int:
        return self.coins.branches if isinstance(self.coins, ExactCoins) else 0

    def require_current(self) -> None:
        """Refuse a number that an earlier run has drawn."""
        if self.branch != self._current_branch():
            refuse(
                self.coins,
                CannotEnumerate("The program keeps a uniform random number of an earlier run."),
            )

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
        self.require_current()
        if bound <= self.low or bound >= self.high:
            return self.low < bound
        below = self.coins.flip(Fraction(bound - self.low, self.high - self.low))
        if below:
            self.high = bound
        else:
            self.low = bound
        return below


Comparison = Callable[[Any, Any], Any]

REFLECTED: dict[Any, Comparison] = {
    np.less: operator.gt,
    np.less_equal: operator.ge,
    np.greater: operator.lt,
    np.greater_equal: operator.le,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.add: operator.add,
    np.multiply: operator.mul,
    np.subtract: lambda value, number: -value + number,
}
"""The operation ``f(u, x)`` that computes ``ufunc(x, u)`` for a number or an array x."""


ROUNDINGS = (np.floor, np.ceil, np.trunc, np.rint)
"""Functions of NumPy that round to integers."""

ENTRYWISE = {
    *REFLECTED,
    *ROUNDINGS,
    np.divide,
    np.floor_divide,
    np.negative,
    np.positive,
    np.absolute,
}
"""Functions of NumPy that apply an operation of `UniformValue` to each entry."""


def is_nan(value: Any) -> bool:
    """Return whether a number (or the only entry of an array) is NaN."""
    return bool(value != value)  # noqa: PLR0124


def _identity(value: float) -> float:
    return value


class UniformValue:
    """A monotone function of a uniform number in [0, 1), of which only comparisons are drawn.

    Each comparison with a number is a draw with two outcomes, which restricts the uniform number to
    an interval. ``isinstance(value, float)`` is true, because programs expect a float. Uses that
    would reveal the whole number, such as printing, have too many outcomes and raise
    `CannotEnumerate`.

    Parameters
    ----------
    remaining : _Remaining
        Interval of integers k to which earlier comparisons have restricted the uniform number
        k/2^53.
    function : callable
        Monotone function from k/2^53 to a finite float.
    increasing : bool
        Whether the function is nondecreasing. Otherwise, it is nonincreasing.
    kind : type
        `float`, or `numpy.float64` for an entry of an array.

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

    __slots__ = ("_function", "_increasing", "_kind", "_remaining")

    def __init__(
        self,
        remaining: _Remaining,
        function: Callable[[float], float],
        increasing: bool,
        kind: type[float] = float,
    ) -> None:
        self._remaining = remaining
        self._function = function
        self._increasing = increasing
        self._kind = kind

    @classmethod
    def fresh(cls, coins: Coins) -> UniformValue:
        """Return a new uniform number."""
        return cls(_Remaining(coins), _identity, True)

    @classmethod
    def fresh_array(cls, coins: Coins, shape: Any) -> UniformArray:
        """Return an array of independent uniform numbers."""
        found = np.empty(shape, object)
        for place in np.ndindex(*found.shape):
            found[place] = cls(_Remaining(coins), np.float64, True, np.float64)
        return found.view(UniformArray)

    def _at(self, k: int) -> float:
        return self._function(math.ldexp(k, -BITS))

    def _ends(self) -> tuple[float, float]:
        """Return the values at the two ends of the interval."""
        return self._at(self._remaining.low), self._at(self._remaining.high - 1)

    def _refuse(self, use: str) -> NoReturn:
        problem = CannotEnumerate(
            f"The program {use} a uniform random number, which has 2^53 branches. An audit "
            "enumerates only comparisons with numbers, rounding to integers, and sums and products "
            "with numbers."
        )
        refuse(self._remaining.coins, problem)

    # ---- comparisons

    def _compare(self, compare: Comparison, other: object) -> Any:
        """Return whether a comparison with a number or with each entry of an array holds."""
        if isinstance(other, np.ndarray):
            # NumPy converts the uniform number to the type of the array.
            flat = other.ravel()
            entries = [flat[i : i + 1] for i in range(len(flat))]
            if other.dtype == object:
                entries = list(flat)
            found = [bool(self._compare_number(compare, each)) for each in entries]
            return np.array(found, bool).reshape(other.shape)
        if isinstance(other, UniformValue) or not isinstance(other, Real | np.bool_):
            self._refuse(
                "compares two values of" if isinstance(other, UniformValue) else "compares"
            )
        holds = self._compare_number(compare, other)
        of_numpy = isinstance(other, np.generic) or self._kind is not float
        return np.bool_(holds) if of_numpy else holds

    def _compare_number(self, compare: Comparison, bound: Any) -> bool:
        if isinstance(bound, UniformValue):
            self._refuse("compares two values of")
        if is_nan(bound):
            return bool(compare(0.0, bound))
        if self._function in (_identity, np.float64) and isinstance(bound, (float, int)):
            # k/2^53 < p holds for ceil(p 2^53) values of k, where the product is exact.
            scaled = math.ldexp(min(2.0, max(-1.0, bound)), BITS)
            strict = compare in (operator.lt, operator.ge)
            below = self._remaining.is_below(
                math.ceil(scaled) if strict else math.floor(scaled) + 1
            )
            return below == (compare in (operator.lt, operator.le))
        # The comparison holds for all k below a threshold, or for all k from the threshold on.
        ends_true = (compare in (operator.gt, operator.ge)) == self._increasing
        threshold = self._remaining.first(lambda k: bool(compare(self._at(k), bound)) == ends_true)
        return self._remaining.is_below(threshold) != ends_true

    def __lt__(self, other: object) -> Any:
        return self._compare(operator.lt, other)

    def __le__(self, other: object) -> Any:
        return self._compare(operator.le, other)

    def __gt__(self, other: object) -> Any:
        return self._compare(operator.gt, other)

    def __ge__(self, other: object) -> Any:
        return self._compare(operator.ge, other)

    def __eq__(self, other: object) -> Any:
        if self is other:
            return True
        if isinstance(other, np.ndarray):
            return np.array([bool(self == each) for each in other.ravel()], bool).reshape(
                other.shape
            )
        return (self <= other) and (self >= other)

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return ~equal if isinstance(equal, (np.ndarray, np.bool_)) else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __hash__(self) -> int:  # noqa: PLE0309
        self._refuse("returns or hashes")

    # ---- monotone functions

    def _then(self, function: Callable[[float], float], increasing: bool) -> UniformValue:
        """Return a function of the value, whose errors occur now, as in production."""
        before = self._function
        found = UniformValue(
            self._remaining,
            lambda value: function(before(value)),
            self._increasing if increasing else not self._increasing,
            self._kind,
        )
        # The operations do not raise errors or return NaN between two finite ends.
        if not all(map(math.isfinite, found._ends())):
            self._refuse("computes an infinite multiple of")
        return found

    def _number(self, other: object) -> Any:
        if isinstance(other, UniformValue) or not isinstance(other, Real):
            self._refuse("combines another value with")
        if is_nan(other) or other in (math.inf, -math.inf):
            self._refuse("combines an infinite value with")
        return other

    def __neg__(self) -> UniformValue:
        return self._then(operator.neg, False)

    def __pos__(self) -> UniformValue:
        return self

    def __abs__(self) -> UniformValue:
        if min(self._ends()) >= 0:
            return self
        if max(self._ends()) <= 0:
            return -self
        self._refuse("takes the absolute value of")

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

    def __floordiv__(self, other: object) -> UniformValue:
        number = self._number(other)
        return self._then(lambda value: value // number, number > 0)

    # ---- values

    def _rounded(self, rounding: Callable[[float], int]) -> int:
        remaining = self._remaining
        remaining.require_current()
        first, last = map(rounding, self._ends())
        if abs(last - first) >= MOST_VALUES:
            self._refuse("rounds a large multiple of")
        step = 1 if first <= last else -1
        bounds, values = [remaining.low], list(range(first, last + step, step))
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

    def _rounded_number(self, rounding: Any) -> np.float64:
        """Return the number that a function of NumPy returns, which can be -0.0."""
        self._rounded(lambda value: int(rounding(value)))
        low, high = map(rounding, self._ends())
        if math.copysign(1, low) != math.copysign(1, high):
            self._refuse("rounds to a zero with a sign")
        return np.float64(low)

    # ---- the interface of a float

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self._kind

    def __copy__(self) -> UniformValue:
        return self

    def __deepcopy__(self, memo: object) -> UniformValue:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and not options and len(inputs) == 2:
            number, value = inputs
            if ufunc in REFLECTED and type(value) is UniformValue:
                if isinstance(number, np.ndarray) and number.ndim == 0:
                    number = number[()]
                return REFLECTED[ufunc](value, number)
        if method == "__call__" and not options and ufunc in ROUNDINGS:
            return self._rounded_number(ufunc)
        self._refuse(f"uses the function {ufunc.__name__} of NumPy on")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and not hasattr(np.float64, name):
            raise AttributeError(name)
        # An array of floats has more attributes, which NumPy looks up in its entries.
        self._refuse(f"uses {name} of")


class UniformArray(np.ndarray):
    """An array of `UniformValue` objects in place of an array of floats.

    Functions of NumPy that do not apply to each entry raise `CannotEnumerate`. For an array of
    objects, NumPy would raise TypeError, which a program can catch.
    """

    @property
    def dtype(self) -> Any:
        """The type that the entries have in the program outside an audit."""
        return np.dtype(float)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Apply a function to each entry, or refuse."""
        if method != "__call__" or ufunc not in ENTRYWISE or options.keys() - {"out"}:
            _refuse_array(f"{ufunc.__name__}.{method}")
        plain = [_plain(each) for each in inputs]
        if "out" in options:
            options["out"] = tuple(map(_plain, options["out"]))
        if ufunc in ROUNDINGS:
            found = np.vectorize(lambda each: each._rounded_number(ufunc), otypes=[float])(*plain)
            if "out" in options:
                _refuse_array(ufunc.__name__)
            return found
        found = ufunc(*plain, **options)
        if isinstance(found, np.ndarray) and found.dtype == object:
            return found.view(UniformArray)
        return found


def _refused_method(name: str) -> Callable[..., NoReturn]:
    def refused(self: UniformArray, *_: object, **__: object) -> NoReturn:
        _refuse_array(name)

    refused.__name__ = name
    return refused


for _name in ("tobytes", "tofile", "dump", "dumps"):
    # The entries are pointers, which have nothing to do with the digits.
    setattr(UniformArray, _name, _refused_method(_name))


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, UniformArray) else value


def _refuse_array(function: str) -> NoReturn:
    problem = CannotEnumerate(
        f"The program uses the function {function} of NumPy on uniform random numbers, which an "
        "audit does not enumerate."
    )
    coins = current_coins()
    if coins is not None:
        coins.refuse(problem)
    raise problem


def _refused(name: str, use: str) -> Callable[..., NoReturn]:
    def refused(self: UniformValue, *_: object, **__: object) -> NoReturn:
        self._refuse(use)

    refused.__name__ = name
    return refused


REFUSED = {
    "needs all digits of": ("__float__", "__complex__", "__array__"),
    "prints": ("__repr__", "__str__", "__format__"),
    "pickles": ("__reduce__", "__reduce_ex__"),
    "divides by": ("__rtruediv__", "__rfloordiv__", "__rmod__", "__rdivmod__"),
    "takes the remainder of": ("__mod__", "__divmod__"),
    "takes a power of": ("__pow__", "__rpow__"),
}
"""Operations of a float that have too many branches. Without these methods, Python would raise
TypeError, which a program can catch."""

for _use, _names in REFUSED.items():
    for _name in _names:
        setattr(UniformValue, _name, _refused(_name, _use))
