"""Drop-in replacement of `random.Random` whose draws an audit enumerates."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from learners.coins import Coins
from learners.exact.branches import CannotEnumerate, ExactCoins
from learners.exact.uniform_values import UniformValue, refuse
from lsclasses.errors import InvalidInput

MOST_BITS = 64
"""Largest number of bits of an enumerated integer."""

CONTINUOUS = (
    "betavariate",
    "expovariate",
    "gammavariate",
    "gauss",
    "lognormvariate",
    "normalvariate",
    "paretovariate",
    "triangular",
    "vonmisesvariate",
    "weibullvariate",
    *(["binomialvariate"] if hasattr(random.Random, "binomialvariate") else []),
)
"""Methods whose draws have too many branches."""


class EnumeratedRandom(random.Random):
    """A `random.Random` whose draws are enumerated, to audit programs that use one.

    ``randrange``, ``randint``, ``choice``, ``shuffle``, ``sample`` and ``getrandbits`` are draws of
    uniform integers. ``random`` returns a `UniformValue`, so ``random() < p``, ``choices`` and
    ``uniform`` have few branches, with the probabilities of Python's floating-point arithmetic.
    Other distributions, such as ``gauss``, raise `CannotEnumerate`.

    Parameters
    ----------
    coins : Coins
        Source of all draws.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> law = exact_distribution(lambda coins: EnumeratedRandom(coins).choice("abc"))
    >>> law.rational("a")
    Fraction(1, 3)
    >>> law = exact_distribution(lambda coins: EnumeratedRandom(coins).random() < 0.1)
    >>> law.rational(True)  # ceil(0.1 2^53)/2^53
    Fraction(225179981368525, 2251799813685248)
    """

    def __new__(cls, coins: Coins) -> EnumeratedRandom:
        """Make the generator without a seed."""
        return super().__new__(cls)

    def __init__(self, coins: Coins) -> None:
        self._coins = coins
        self.gauss_next = None
        if isinstance(coins, ExactCoins):
            unused = random.Random.getstate(self)
            coins.check_at_end(lambda: self._require_unused(unused))

    def _require_unused(self, unused: object) -> None:
        """Refuse a program that has drawn by a method of the class `random.Random`."""
        if random.Random.getstate(self) != unused:
            self._refuse(
                "draws by a function of the class random.Random, such as Random.random(rng), "
                "instead of a method of its generator, such as rng.random()"
            )

    def _randbelow(self, n: int) -> int:
        return self._coins.below(n)

    def random(self) -> Any:
        """Return a uniform number that comparisons decide."""
        return UniformValue.fresh(self._coins)

    def getrandbits(self, k: int, /) -> int:
        """Return a uniform integer of k bits."""
        if k > MOST_BITS:
            self._refuse(f"draws {k} random bits at once")
        return self._coins.below(1 << k) if k else 0

    def sample(
        self, population: Sequence[Any], k: int, *, counts: Iterable[int] | None = None
    ) -> list[Any]:
        """Return a uniform sequence of k different members of the population."""
        if counts is not None:
            # Python draws from the range of all repetitions by this method.
            return super().sample(population, k, counts=counts)
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        size = len(population)
        if not 0 <= k <= size:
            raise ValueError("Sample larger than population or is negative")
        # A shuffle by exchanges, of which only the exchanged places are stored.
        moved: dict[int, int] = {}
        drawn = []
        for last in range(size - 1, size - 1 - k, -1):
            place = self._coins.below(last + 1)
            drawn.append(population[moved.get(place, place)])
            moved[place] = moved.get(last, last)
        return drawn

    def seed(self, *_: object, **__: object) -> None:
        """Refuse a seed, because a seeded generator has no randomness."""
        refuse(
            self._coins,
            InvalidInput(
                "The program seeds the generator that it was given, so its output would not be "
                "random. Remove the call of seed."
            ),
        )

    def getstate(self) -> NoReturn:
        """Raise an error, because this generator has no state."""
        self._refuse("reads the state of its generator")

    def setstate(self, state: Any) -> NoReturn:
        """Raise an error, because this generator has no state."""
        self._refuse("sets the state of its generator")

    def __copy__(self) -> NoReturn:
        self._refuse("copies its generator")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self._refuse("copies its generator")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        self._refuse("copies its generator")

    def _refuse(self, use: str) -> NoReturn:
        refuse(self._coins, CannotEnumerate(f"The program {use}."))


def _refused(name: str) -> Callable[..., NoReturn]:
    def refused(self: EnumeratedRandom, *_: object, **__: object) -> NoReturn:
        self._refuse(f"calls Random.{name}, whose draws an audit does not enumerate")

    refused.__name__ = name
    refused.__doc__ = f"Raise `CannotEnumerate`: an audit does not enumerate Random.{name}."
    return refused


for _name in CONTINUOUS:
    setattr(EnumeratedRandom, _name, _refused(_name))
