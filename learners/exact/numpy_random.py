"""Drop-in replacement of `numpy.random.Generator` whose discrete draws an audit enumerates."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from learners.exact.branches import CannotEnumerate, ExactCoins
from learners.exact.uniform_values import UniformValue

MOST_ENTRIES = 1 << 16
"""Largest number of entries of an array of draws."""
MOST_TRIALS = 1024
"""Largest number of trials of an enumerated binomial distribution."""
UNUSED = np.random.PCG64(0).state
"""State of a bit generator that has not been used."""


class EnumeratedGenerator(np.random.Generator):
    """A `numpy.random.Generator` whose draws are enumerated, to audit programs that use one.

    The methods ``integers``, ``choice``, ``permutation``, ``shuffle``, ``binomial`` and
    ``geometric`` are enumerated, with the distributions that NumPy documents. ``random`` returns
    `UniformValue` objects. Large values of ``geometric`` are cut off, and the result states their
    probability. All other methods, such as ``normal``, raise `CannotEnumerate`.

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
        unused = np.random.PCG64(0)
        super().__init__(unused)
        self._coins = coins
        coins.check_at_end(lambda: self._require_unused(unused))
        # The generator of NumPy checks the arguments and determines the types of the results.
        self._example = np.random.Generator(np.random.PCG64(0))

    def _refuse(self, use: str) -> NoReturn:
        self._coins.refuse(CannotEnumerate(f"The program {use}."))

    def _require_unused(self, unused: np.random.PCG64) -> None:
        """Refuse a program that has drawn by a method of the class `numpy.random.Generator`."""
        if unused.state != UNUSED:
            self._refuse(
                "draws by a function of the class numpy.random.Generator, such as "
                "Generator.random(rng), instead of a method of its generator, such as rng.random()"
            )

    def _draws(self, method: str, draw: Callable[[], Any], size: Any, **arguments: Any) -> Any:
        """Return one draw, or an array of independent draws, with the types of NumPy."""
        if any(np.ndim(value) for value in arguments.values() if not isinstance(value, type)):
            self._refuse("draws with an array of parameters")
        self._require_few(size)
        example = getattr(self._example, method)(**arguments, size=size)
        if not isinstance(example, np.ndarray):
            return type(example)(draw())
        found = np.empty_like(example)
        for place in np.ndindex(*found.shape):
            found[place] = draw()
        return found

    def _require_few(self, size: Any) -> None:
        if size is not None and np.prod(size, dtype=float) > MOST_ENTRIES:
            self._refuse(f"draws an array of more than {MOST_ENTRIES} numbers")

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Return uniform numbers that comparisons decide."""
        if out is not None or np.dtype(dtype) != np.float64:
            self._refuse("calls random() with out or with another type")
        if size is None:
            return UniformValue.fresh(self._coins)
        self._require_few(size)
        return UniformValue.fresh_array(self._coins, size)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Any:
        """Return uniform integers."""

        def draw() -> int:
            start, stop = (0, low) if high is None else (low, high)
            return int(start) + self._coins.below(int(stop) - int(start) + bool(endpoint))

        limits = {"low": low} if high is None else {"low": low, "high": high}
        return self._draws("integers", draw, size, **limits, dtype=dtype, endpoint=endpoint)

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
        self._require_few(size)
        is_number = np.ndim(a) == 0
        pool = None if is_number else np.asarray(a)
        if axis != 0 or not (is_number or len(a)):
            self._refuse("chooses along another axis, or from no members")
        if p is not None and not replace:
            self._refuse("chooses with weights and without replacement")
        example = self._example.choice(a, size, replace, p, axis, shuffle)
        count = operator.index(a) if is_number else len(a)
        shape = () if size is None else np.empty(size, bool).shape
        if replace or size is None:
            draw = self._weighted(p) if p is not None else lambda: self._coins.below(count)
            chosen = [draw() for _ in range(math.prod(shape))]
        else:
            if not shuffle:
                self._refuse("chooses without replacement and unshuffled")
            self._require_branches(count)
            chosen = list(self._coins.places(math.prod(shape), count))
        if size is None:
            return type(example)(chosen[0]) if pool is None else pool[chosen[0]]
        indices = np.array(chosen, np.int64).reshape(shape)
        return indices if pool is None else pool[indices]

    def _weighted(self, p: Any) -> Callable[[], int]:
        """Return the draw of an index, for which NumPy compares a uniform number with sums."""
        sums = np.asarray(p, float).cumsum()
        sums /= sums[-1]

        def draw() -> int:
            uniform = UniformValue.fresh(self._coins)
            return next((i for i, end in enumerate(sums) if uniform < end), len(sums) - 1)

        return draw

    def _require_branches(self, count: int) -> None:
        """Refuse a large random order before it takes memory."""
        if count > self._coins.max_branches:
            self._coins.below(count)

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """Return a random order."""
        if axis != 0:
            self._refuse("permutes along another axis")
        if np.ndim(x) == 0:
            self._require_branches(operator.index(x))
        pool = np.arange(operator.index(x)) if np.ndim(x) == 0 else np.array(x)
        return pool[list(self._coins.shuffle(len(pool)))]

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Put a sequence into a random order."""
        if axis != 0:
            self._refuse("shuffles along another axis")
        items = np.array(x) if isinstance(x, np.ndarray) else list(x)
        for place, source in enumerate(self._coins.shuffle(len(x))):
            x[place] = items[source]

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Return numbers of successes among n independent trials."""

        def draw() -> int:
            if n > MOST_TRIALS:
                self._refuse(f"draws from a binomial distribution of {n} trials")
            return self._coins.binomial(int(n), Fraction(float(p)))

        return self._draws("binomial", draw, size, n=n, p=p)

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Return numbers of trials until the first success."""
        return self._draws(
            "geometric", lambda: self._coins.geometric(Fraction(float(p))), size, p=p
        )

    @property
    def bit_generator(self) -> Any:
        """Raise `CannotEnumerate`, because raw random bits have too many outcomes to enumerate."""
        self._refuse("uses the bit generator of its generator")

    @property
    def _bit_generator(self) -> Any:
        self._refuse("uses the bit generator of its generator")

    def __copy__(self) -> NoReturn:
        self._refuse("copies its generator")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self._refuse("copies its generator")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self._refuse("copies its generator")

    def __getstate__(self) -> NoReturn:
        self._refuse("reads the state of its generator")

    def __setstate__(self, state: object) -> NoReturn:
        self._refuse("sets the state of its generator")


def _refused(name: str) -> Callable[..., NoReturn]:
    def refuse(self: EnumeratedGenerator, *_: object, **__: object) -> NoReturn:
        self._refuse(f"calls Generator.{name}, whose draws an audit does not enumerate")

    # Without a docstring, the reference pages would show the docstring of NumPy.
    refuse.__name__ = name
    refuse.__doc__ = f"Raise `CannotEnumerate`: an audit does not enumerate Generator.{name}."
    return refuse


for _name in dir(np.random.Generator):
    own = _name.startswith("_") or _name in vars(EnumeratedGenerator)
    if not own and callable(getattr(np.random.Generator, _name)):
        setattr(EnumeratedGenerator, _name, _refused(_name))
