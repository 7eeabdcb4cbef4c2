"""Drop-in replacement of `random.Random` whose draws an audit enumerates."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from learners.coins import Coins
from learners.exact.uniform_values import CannotEnumerate, UniformValue
from lsclasses.errors import InvalidInput


class EnumeratedRandom(random.Random):
    """A `random.Random` that draws from coins, for programs that take a generator.

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

    def _randbelow(self, n: int) -> int:
        return self._coins.below(n)

    def random(self) -> Any:
        """Return a uniform number that comparisons decide."""
        return UniformValue.fresh(self._coins)

    def getrandbits(self, k: int, /) -> int:
        """Return a uniform integer of k bits."""
        return self._coins.below(1 << k) if k else 0

    def sample(
        self, population: Sequence[Any], k: int, *, counts: Iterable[int] | None = None
    ) -> list[Any]:
        """Return a uniform sequence of k different members of the population."""
        pool = list(population)
        if counts is not None:
            pool = [item for item, count in zip(pool, counts, strict=True) for _ in range(count)]
        if not 0 <= k <= len(pool):
            raise ValueError("Sample larger than population or is negative")
        drawn = []
        for _ in range(k):
            drawn.append(pool.pop(self._coins.below(len(pool))))
        return drawn

    def seed(self, *_: object, **__: object) -> None:
        """Refuse a seed, because a seeded generator has no randomness."""
        raise InvalidInput(
            "The program seeds the generator that it was given, so its output would not be random. "
            "Remove the call of seed."
        )

    def getstate(self) -> NoReturn:
        """Refuse to show the state."""
        raise CannotEnumerate("The program reads the state of its generator.")

    def setstate(self, state: Any) -> NoReturn:
        """Refuse another state."""
        raise CannotEnumerate("The program sets the state of its generator.")
