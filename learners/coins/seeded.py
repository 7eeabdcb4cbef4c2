"""Coins from a seed, for simulations, with tables for large numbers of Laplace draws."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from learners.coins.words import SPAN, WORDS, WordCoins


class SeededCoins(WordCoins):
    """Coins from a seed, which gives the same draws on every machine.

    Use these coins for simulations and tests, **never for a release**, because a person who knows
    or guesses the seed can subtract the noise. Single draws use exact integer samplers over the raw
    words of NumPy's PCG64 generator. NumPy guarantees that these words never change. The method
    `laplaces` draws many values from a table of probabilities with 64 correct bits, so the
    distribution of its draws is within total variation 2^-50 of the exact distribution. (For scales
    of at least 2^54, `laplaces` uses the exact sampler for each draw.)

    Parameters
    ----------
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Seed or generator, as for `numpy.random.default_rng`. The coins read four words from it
        once. Later uses of the generator do not affect the coins.

    Examples
    --------
    >>> from fractions import Fraction
    >>> coins = SeededCoins(7)
    >>> coins.below(100), coins.laplace(Fraction(5, 2)), coins.shuffle(4)
    (55, 8, (1, 2, 3, 0))
    >>> SeededCoins(7).below(100)
    55
    """

    def __init__(
        self, rng: int | np.random.Generator | np.random.SeedSequence | None = None
    ) -> None:
        super().__init__()
        seed = np.random.default_rng(rng).bit_generator.random_raw(4)
        self._source = np.random.PCG64(np.random.SeedSequence([int(word) for word in seed]))

    def _read(self) -> list[int]:
        words: list[int] = self._source.random_raw(WORDS)[::-1].tolist()
        return words

    def _laplaces(self, numerator: int, denominator: int, count: int) -> list[int]:
        if numerator >= denominator << 54:
            # Such noise does not fit the 64 bits of an array.
            return super()._laplaces(numerator, denominator, count)
        zero, digits = _laplace_tables(numerator, denominator)
        drawn: list[int] = []
        for start in range(0, count, BLOCK):
            size = min(BLOCK, count - start)
            # z = 0, or a sign and 1 + a geometric number, whose digits in any base are independent.
            values = np.ones(size, dtype=np.int64)
            for table in digits:
                values += table.look_up(self._source.random_raw(size))
            words: NDArray[np.uint64] = self._source.random_raw(size)
            values *= 2 * (words & np.uint64(1)).astype(np.int64) - 1
            values *= words >= np.uint64(zero)
            drawn += values.tolist()
        return drawn


BLOCK = 1 << 15
"""Number of draws that are computed together. Their arrays then fit into the processor's cache."""

DIGIT = 256
"""The base in which a geometric number is drawn digit by digit. The highest digit may be larger."""

WIDEST = 64
"""Largest scale of the highest digit, which is drawn from a table."""


class _AliasTable:
    """A distribution on multiples of `place`, sampled by one 64-bit word (Walker's alias method).

    The words whose upper bits are j stand for j if their lower bits are below ``keep[j]``, and for
    ``other[j]`` if not. The weights are integers of sum 2^64, so the table is exact.
    """

    def __init__(self, weights: list[int], place: int) -> None:
        bits = (len(weights) - 1).bit_length()
        full = SPAN >> bits
        left = weights + [0] * ((1 << bits) - len(weights))
        keep, other = [full] * len(left), list(range(len(left)))
        poor = [j for j, weight in enumerate(left) if weight < full]
        rich = [j for j, weight in enumerate(left) if weight > full]
        while poor:
            j, donor = poor.pop(), rich[-1]
            keep[j], other[j] = left[j], donor
            left[donor] -= full - left[j]
            if left[donor] <= full:
                rich.pop()
                if left[donor] < full:
                    poor.append(donor)
        self._shift, self._mask = np.uint64(64 - bits), np.uint64(full - 1)
        self._keep = np.array(keep, dtype=np.uint64)
        self._value = np.arange(len(left), dtype=np.int64) * place
        self._other = np.array(other, dtype=np.int64) * place

    def look_up(self, words: NDArray[np.uint64]) -> NDArray[np.int64]:
        bucket = (words >> self._shift).astype(np.intp)
        kept = (words & self._mask) < self._keep[bucket]
        return np.where(kept, self._value[bucket], self._other[bucket])


@lru_cache(maxsize=64)
def _laplace_tables(numerator: int, denominator: int) -> tuple[int, tuple[_AliasTable, ...]]:
    """Return the distribution of discrete Laplace noise for `SeededCoins._laplaces`, to 64 bits.

    Returns 2^64 P[Z = 0] and a table for every digit of a geometric number of ratio
    exp(-denominator/numerator).
    """
    from flint import arb, ctx, fmpq

    def table(rate: arb, size: int, place: int) -> _AliasTable:
        # Digit i is at most i with probability (1 - e^(-(i+1) rate)) / (1 - e^(-size rate)).
        whole_mass = 1 - (-rate * size).exp()
        cumulative = [floor(SPAN * (1 - (-rate * i).exp()) / whole_mass) for i in range(size)]
        return _AliasTable([b - a for a, b in pairwise([*cumulative, SPAN])], place)

    def floor(value: arb) -> int:
        rounded = value.mid().floor().unique_fmpz()
        assert rounded is not None
        return int(rounded)

    with ctx.workprec(256):
        rate = arb(fmpq(denominator, numerator))
        ratio = (-rate).exp()
        zero = floor(SPAN * (1 - ratio) / (1 + ratio))
        place, digits = 1, []
        while numerator > WIDEST * denominator * place:
            digits.append(table(rate * place, DIGIT, place))
            place *= DIGIT
        # Beyond 46 times its scale the highest digit has less than 2^-64 of its mass.
        digits.append(table(rate * place, 46 * numerator // (denominator * place) + 2, place))
        return zero, tuple(digits)
