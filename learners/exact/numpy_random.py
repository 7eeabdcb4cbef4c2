"""Drop-in replacement of `numpy.random.Generator` whose discrete draws an audit enumerates."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from learners.exact.branches import ExactCoins
from learners.exact.uniform_values import CannotEnumerate, UniformValue

MOST_TRIALS = 1024
"""Largest number of trials of an enumerated binomial distribution."""


class EnumeratedGenerator(np.random.Generator):
    """A `numpy.random.Generator` that draws from coins, for programs that take a generator.

    The methods ``integers``, ``choice``, ``permutation``, ``shuffle``, ``binomial`` and
    ``geometric`` are enumerated, with the stated distributions. ``random`` returns `UniformValue`
    objects. ``geometric`` is cut, and the enumeration states the cut probability. All other
    methods, such as ``normal``, raise `CannotEnumerate`.

    Parameters
    ----------
    coins : ExactCoins
        Source of all draws.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> law = exact_distribution(lambda coins: int(EnumeratedGenerator(coins).binomial(2, 0.5)))
    >>> law.rational(1)
    Fraction(1, 2)
    >>> law = exact_distribution(lambda coins: EnumeratedGenerator(coins).geometric(0.5))
    >>> print(law[3].str(5, radius=False), float(law.tail) < 1e-17)
    0.12500 True
    """

    def __init__(self, coins: ExactCoins) -> None:
        super().__init__(np.random.PCG64(0))
        self._coins = coins

    def _repeat(self, size: Any, draw: Callable[[], Any], dtype: Any) -> Any:
        """Return one draw, or an array of independent draws."""
        if size is None:
            return draw()
        shape = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
        found = np.empty(shape, dtype)
        for place in np.ndindex(*shape):
            found[place] = draw()
        return found

    def _scalar(self, *values: Any) -> None:
        if any(np.ndim(value) for value in values):
            raise CannotEnumerate("The program draws with an array of parameters.")

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Return uniform numbers that comparisons decide."""
        if out is not None or np.dtype(dtype) != np.float64:
            raise CannotEnumerate("The program calls random() with out or with another type.")
        return self._repeat(size, lambda: UniformValue.fresh(self._coins), object)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        """Return uniform integers."""
        self._scalar(low, high)
        start, stop = (0, low) if high is None else (low, high)
        count = int(stop) - int(start) + endpoint
        if count < 1:
            raise ValueError("low >= high")
        convert = np.dtype(dtype).type
        return self._repeat(size, lambda: convert(int(start) + self._coins.below(count)), dtype)

    def choice(  # noqa: PLR0917
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any:
        """Return random members of a sequence."""
        pool = np.arange(a) if np.ndim(a) == 0 else np.asarray(a)
        if axis != 0 or not len(pool):
            raise CannotEnumerate("The program chooses along another axis, or from no members.")
        if p is not None:
            if not replace:
                raise CannotEnumerate("The program chooses with weights and without replacement.")
            # NumPy compares one uniform number with the sums of the weights.
            sums = np.asarray(p, float).cumsum()
            sums /= sums[-1]

            def weighted() -> int:
                uniform = UniformValue.fresh(self._coins)
                return next((i for i, end in enumerate(sums) if uniform < end), len(sums) - 1)

            indices = self._repeat(size, weighted, np.int64)
        elif replace or size is None:
            indices = self._repeat(size, lambda: self._coins.below(len(pool)), np.int64)
        else:
            shape = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
            count = math.prod(shape)
            if not shuffle or count > len(pool):
                raise CannotEnumerate("The program chooses without replacement and unshuffled.")
            indices = np.array(self._coins.places(count, len(pool)), np.int64).reshape(shape)
        return pool[indices]

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Return a random order."""
        if axis != 0:
            raise CannotEnumerate("The program permutes along another axis.")
        pool = np.arange(x) if np.ndim(x) == 0 else np.array(x)
        return pool[list(self._coins.shuffle(len(pool)))]

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Put a sequence into a random order."""
        if axis != 0:
            raise CannotEnumerate("The program shuffles along another axis.")
        items = np.array(x) if isinstance(x, np.ndarray) else list(x)
        for place, source in enumerate(self._coins.shuffle(len(x))):
            x[place] = items[source]

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Return numbers of successes among n independent trials."""
        self._scalar(n, p)
        trials, chance = int(n), Fraction(float(p))
        if trials > MOST_TRIALS:
            raise CannotEnumerate(
                f"The program draws from a binomial distribution of {trials} trials."
            )
        yes, no = chance.numerator, chance.denominator - chance.numerator
        weights = [math.comb(trials, k) * yes**k * no ** (trials - k) for k in range(trials + 1)]
        values = [k for k, weight in enumerate(weights) if weight]
        counts = [weight for weight in weights if weight]
        zeros = [0] * len(values)
        return self._repeat(size, lambda: values[self._coins.pick(zeros, counts=counts)], np.int64)

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Return numbers of trials until the first success."""
        self._scalar(p)
        chance = Fraction(float(p))
        if not 0 < chance <= 1:
            raise ValueError("p <= 0, p > 1 or p contains NaNs")
        return self._repeat(size, lambda: self._coins.geometric(chance), np.int64)


def _refused(name: str) -> Callable[..., NoReturn]:
    def refuse(self: EnumeratedGenerator, *_: object, **__: object) -> NoReturn:
        raise CannotEnumerate(
            f"The program calls Generator.{name}, whose draws an audit does not enumerate."
        )

    # Without a docstring, the reference pages would show the docstring of NumPy.
    refuse.__name__ = name
    refuse.__doc__ = f"Raise `CannotEnumerate`: an audit does not enumerate Generator.{name}."
    return refuse


for _name in dir(np.random.Generator):
    own = _name.startswith("_") or _name in vars(EnumeratedGenerator)
    if not own and callable(getattr(np.random.Generator, _name)):
        setattr(EnumeratedGenerator, _name, _refused(_name))
