"""One source of randomness for every learner and mechanism, read in three ways.

Whatever is random is drawn from a `Coins` through a handful of discrete laws. `SeededCoins`
repeats itself (simulation), `SecureCoins` does not (release), and `learners.exact.ExactCoins`
takes every branch, so that the code that runs is the code whose law is computed.

Parameters are integers and fractions, noise is added to integers: no floating point number takes
part in a scalar draw of any reading.
"""

from __future__ import annotations

import os
import weakref
from abc import ABC, abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.numbers import checked_nonnegative, rational, whole
from lsclasses.errors import InvalidInput

__all__ = ["Coins", "SecureCoins", "SeededCoins", "WordCoins", "require_coins"]

WORDS = 512
"""How many 64-bit words are read from a source at a time."""

SPAN = 1 << 64

FEW = 16
"""Up to how many candidates are picked from by rejecting uniform proposals."""

LARGEST_PRODUCT = 1 << 62
"""Differences of weights in an array, and what they are multiplied to, are below this."""
DEEPEST = 64
"""The level from which on candidates to pick from are so light that they share a level."""


def _positive_scale(scale: Any) -> tuple[int, int]:
    if type(scale) is int:
        numerator, denominator = scale, 1
    else:
        numerator, denominator = rational(scale, "scale").as_integer_ratio()
    if numerator <= 0:
        raise InvalidInput(
            f"The scale of the noise must be positive: scale 0 would be no noise. Got {scale}."
        )
    return numerator, denominator


def _candidates(
    log_weights: Sequence[Fraction | int], unit: Fraction | int, counts: Sequence[int] | None
) -> tuple[tuple[int, ...], int, tuple[int, ...] | None]:
    """How far each weight is below the largest, as integers over a denominator, and the counts."""
    if not len(log_weights):
        raise InvalidInput("There is nothing to pick from: no weights were given.")
    repeated = None
    if counts is not None:
        repeated = tuple(whole(count, "count") for count in counts)
        if len(repeated) != len(log_weights) or min(repeated) < 1:
            raise InvalidInput(
                "Every weight needs a count of at least 1. "
                f"Got {len(log_weights)} weights and the counts {list(repeated)}."
            )
    numerator, denominator = rational(unit, "unit of the weights").as_integer_ratio()
    if all(type(weight) is int for weight in log_weights):
        scaled = [numerator * int(weight) for weight in log_weights]
    else:
        weights = [rational(weight, "logarithm of a weight") for weight in log_weights]
        common = lcm(*(weight.denominator for weight in weights))
        scaled = [int(numerator * common * weight) for weight in weights]
        denominator *= common
    top = max(scaled)
    return tuple([top - weight for weight in scaled]), denominator, repeated


def require_coins(coins: object) -> None:
    """Raise `InvalidInput` if what should draw cannot: a seed, say, is no source of draws."""
    if not isinstance(coins, Coins):
        raise InvalidInput(
            "Whatever is random is drawn from a Coins object: SeededCoins(42) for a simulation, "
            f"SecureCoins() for a release. Got {coins!r:.200}."
        )


class Coins(ABC):
    """What can be random: uniform numbers, biased coins, weighted choices, discrete Laplace noise.

    The public methods check their arguments and call the underscored hooks that a reading
    supplies. A reading must give every hook the law that is stated here;
    `tests/learners/test_coins.py` holds all three to the same laws.
    """

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1.

        Raises
        ------
        InvalidInput
            If n is not a positive integer.

        Examples
        --------
        >>> coins = SeededCoins(1)
        >>> [coins.below(6) for _ in range(8)]
        [5, 4, 2, 3, 1, 0, 3, 5]
        """
        n = whole(n, "number of outcomes")
        if n < 1:
            raise InvalidInput(f"A number below n needs n >= 1. Got n = {n}.")
        return self._below(n) if n > 1 else 0

    def flip(self, p: Fraction | int) -> bool:
        """True with probability p.

        Parameters
        ----------
        p : Fraction or int
            From 0 to 1.

        Raises
        ------
        InvalidInput
            If p is no probability, or a float.

        Examples
        --------
        >>> coins = SeededCoins(1)
        >>> sum(coins.flip(Fraction(1, 3)) for _ in range(3000))
        947
        """
        numerator, denominator = rational(p, "probability").as_integer_ratio()
        if not 0 <= numerator <= denominator:
            raise InvalidInput(f"A probability must be between 0 and 1. Got {p}.")
        return self._flip(numerator, denominator)

    def decays(self, exponent: Fraction | int) -> bool:
        """True with probability exp(-exponent).

        Parameters
        ----------
        exponent : Fraction or int
            At least 0.

        Raises
        ------
        InvalidInput
            If the exponent is negative, or a float.

        Examples
        --------
        >>> coins = SeededCoins(1)
        >>> sum(coins.decays(1) for _ in range(3000))  # 3000/e is 1104
        1103
        """
        numerator, denominator = rational(exponent, "exponent").as_integer_ratio()
        if numerator < 0:
            raise InvalidInput(f"exp(-x) is a probability for x >= 0. Got x = {exponent}.")
        return self._decays(numerator, denominator)

    def pick(
        self,
        log_weights: Sequence[Fraction | int],
        unit: Fraction | int = 1,
        counts: Sequence[int] | None = None,
    ) -> int:
        """The index i with probability proportional to counts[i] * exp(unit * log_weights[i]).

        Parameters
        ----------
        log_weights : sequence of Fraction or int
            Integers are the fastest.
        unit : Fraction or int
            What a weight of 1 stands for.
        counts : sequence of int, optional
            How many equal candidates each index stands for, at least one; one each if not given.

        Raises
        ------
        InvalidInput
            If there is nothing to pick from, a weight or the unit is a float, or a count is not
            a positive integer.

        Examples
        --------
        >>> coins = SeededCoins(1)
        >>> picked = [coins.pick([0, 1, -4], unit=Fraction(1, 2)) for _ in range(3000)]
        >>> [picked.count(i) for i in range(3)]
        [1114, 1748, 138]

        Of a million equal candidates and one that is better by 14, each is drawn half of the time:

        >>> picked = [coins.pick([14, 0], counts=[1, 10**6]) for _ in range(3000)]
        >>> picked.count(0)  # 3000 e^14/(e^14 + 10^6) is 1638
        1645
        """
        return self._pick(*_candidates(log_weights, unit, counts))

    def picks(
        self,
        log_weights: Sequence[Fraction | int],
        draws: int,
        unit: Fraction | int = 1,
        counts: Sequence[int] | None = None,
    ) -> list[int]:
        """Independent draws of `pick`, together where that is faster.

        Parameters
        ----------
        log_weights, unit, counts
            As for `pick`.
        draws : int
            How many.

        Raises
        ------
        InvalidInput
            As for `pick`, or if the number of draws is negative.

        Examples
        --------
        >>> picked = SeededCoins(1).picks([0, -1], 3000, counts=[1, 2])  # 1 : 2/e, 1728 of 3000
        >>> picked.count(0)
        1681
        """
        exponents, denominator, repeated = _candidates(log_weights, unit, counts)
        draws = checked_nonnegative(draws, "number of draws")
        return self._picks(exponents, denominator, repeated, draws)

    def pick_from(
        self,
        log_weights: NDArray[Any],
        unit: Fraction | int = 1,
        counts: NDArray[np.int64] | None = None,
    ) -> int:
        """The index i with probability proportional to counts[i] * exp(unit * log_weights[i]).

        It has the law of `pick`, by other draws, and is made for many candidates: it takes a few
        passes over the array, and no integer of Python's for each of them.

        Parameters
        ----------
        log_weights : array of integers, shape (candidates,)
        unit : Fraction or int
            What a weight of 1 stands for.
        counts : array of integers, shape (candidates,), optional
            How many equal candidates each index stands for, at least one, and together less than
            2^62; one each if not given.

        Raises
        ------
        InvalidInput
            If there is nothing to pick from, an array is no vector of integers, weights differ by
            2^62 or more, a count is not positive, there are 2^62 candidates or more, or the unit is
            a float.

        Examples
        --------
        >>> coins, losses = SeededCoins(1), np.array([3, 0, 1, 0])
        >>> picked = [coins.pick_from(losses, unit=-2) for _ in range(3000)]
        >>> [picked.count(i) for i in range(4)]  # e^-6 : 1 : e^-2 : 1
        [7, 1354, 193, 1446]
        """
        weights = np.asarray(log_weights)
        if weights.ndim != 1 or not len(weights) or weights.dtype.kind not in "iu":
            raise InvalidInput(
                "Candidates are picked from a vector of integers, at least one. Got an array of "
                f"{weights.dtype} of shape {weights.shape}."
            )
        numerator, denominator = rational(unit, "unit of the weights").as_integer_ratio()
        if int(weights.max()) - int(weights.min()) >= LARGEST_PRODUCT:
            raise InvalidInput(
                "The weights of candidates may differ by less than 2^62. Got weights from "
                f"{weights.min()} to {weights.max()}."
            )
        if weights.dtype.kind == "i":
            weights = weights.astype(np.int64)  # differences of narrow integers wrap around
        gaps = (weights.max() - weights) if numerator >= 0 else (weights - weights.min())
        sizes = None if counts is None else _sizes(counts, len(weights))
        return self._pick_from(gaps.astype(np.int64), abs(numerator), denominator, sizes)

    def laplace(self, scale: Fraction | int) -> int:
        """Discrete Laplace noise: z with probability (1 - q)/(1 + q) q^|z|, q = exp(-1/scale).

        Parameters
        ----------
        scale : Fraction or int
            Positive. A small denominator makes the draw fast.

        Raises
        ------
        InvalidInput
            If the scale is not positive, or a float.

        Examples
        --------
        >>> coins = SeededCoins(1)
        >>> [coins.laplace(10) for _ in range(8)]
        [0, -8, -13, 4, -11, 4, -5, -1]
        """
        return self._laplace(*_positive_scale(scale))

    def laplaces(self, scale: Fraction | int, count: int) -> list[int]:
        """`count` independent draws of `laplace`, together where that is faster.

        Raises
        ------
        InvalidInput
            If the scale is not positive or a float, or the count is negative.

        Examples
        --------
        >>> SeededCoins(1).laplaces(10, 8)
        [-32, -12, 6, -3, 43, 0, 2, 0]
        """
        numerator, denominator = _positive_scale(scale)
        count = checked_nonnegative(count, "number of draws")
        return self._laplaces(numerator, denominator, count)

    def at_least(self, value: int, scale: Fraction | int, threshold: int) -> bool:
        """Whether value + fresh discrete Laplace noise is at least the threshold.

        The noise is not kept, so that the answer has two outcomes rather than infinitely many.

        Raises
        ------
        InvalidInput
            If value or threshold is no integer, or the scale is not positive or a float.

        Examples
        --------
        >>> coins = SeededCoins(1)
        >>> sum(coins.at_least(3, 2, 5) for _ in range(3000)) / 3000  # e^-1/(1 + e^-1/2) is 0.229
        0.226
        """
        margin = whole(threshold, "threshold") - whole(value, "value")
        return self._at_least(margin, *_positive_scale(scale))

    def shuffle(self, n: int) -> tuple[int, ...]:
        """A uniform order of 0, ..., n - 1.

        Raises
        ------
        InvalidInput
            If n is negative or no integer.

        Examples
        --------
        >>> SeededCoins(1).shuffle(6)
        (3, 1, 0, 4, 2, 5)
        """
        n = checked_nonnegative(n, "number of things to shuffle")
        order = list(range(n))
        for last in range(n - 1, 0, -1):
            chosen = self._below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def places(self, count: int, n: int) -> tuple[int, ...]:
        """So many different numbers from 0 to n - 1: where a uniform shuffle puts the first few.

        Every sequence of `count` different numbers has the same probability. Time and memory depend
        on `count` only, so that n may be astronomically large. The first numbers are those of a
        longer choice with the same draws.

        Parameters
        ----------
        count : int
            From 0 to n.
        n : int
            At least 0.

        Raises
        ------
        InvalidInput
            If a number is out of range or no integer.

        Examples
        --------
        >>> SeededCoins(1).places(3, 10**30) == SeededCoins(1).places(5, 10**30)[:3]
        True
        >>> sorted(SeededCoins(1).places(6, 6))
        [0, 1, 2, 3, 4, 5]
        """
        n = checked_nonnegative(n, "number of places")
        count = checked_nonnegative(count, "number of things to place")
        if count > n:
            raise InvalidInput(f"There are {n} places, too few for {count} things.")
        # The steps of `shuffle`, where what has not been exchanged yet stands in its own place.
        moved: dict[int, int] = {}
        drawn = []
        for last in range(n - 1, n - 1 - count, -1):
            chosen = self._below(last + 1) if last else 0
            drawn.append(moved.get(chosen, chosen))
            moved[chosen] = moved.pop(last, last)
        return tuple(drawn)

    @abstractmethod
    def _below(self, n: int) -> int:
        """Uniform on 0, ..., n - 1, where n >= 2."""

    @abstractmethod
    def _flip(self, numerator: int, denominator: int) -> bool:
        """True with probability numerator/denominator, from 0 to 1."""

    @abstractmethod
    def _decays(self, numerator: int, denominator: int) -> bool:
        """True with probability exp(-numerator/denominator), where numerator >= 0."""

    @abstractmethod
    def _pick(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
    ) -> int:
        """Index i in proportion to counts[i] exp(-exponents[i]/denominator), counts 1 if None.

        The least exponent is 0, and counts are positive.
        """

    @abstractmethod
    def _laplace(self, numerator: int, denominator: int) -> int:
        """Discrete Laplace noise of the positive scale numerator/denominator."""

    @abstractmethod
    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        """Whether fresh discrete Laplace noise is at least the margin."""

    def _picks(
        self,
        exponents: tuple[int, ...],
        denominator: int,
        counts: tuple[int, ...] | None,
        draws: int,
    ) -> list[int]:
        return [self._pick(exponents, denominator, counts) for _ in range(draws)]

    def _pick_from(
        self,
        gaps: NDArray[np.int64],
        numerator: int,
        denominator: int,
        counts: NDArray[np.int64] | None,
    ) -> int:
        """Index i in proportion to counts[i] exp(-gaps[i] numerator/denominator), counts 1 if None.

        The least gap is 0, and counts are positive.
        """
        values, places = np.unique(gaps, return_inverse=True)
        sizes = _together(places, len(values), counts)
        exponents = tuple(numerator * value for value in values.tolist())
        group = self._pick(exponents, denominator, tuple(sizes)) if len(values) > 1 else 0
        members = np.flatnonzero(places == group)
        # Of one candidate none is drawn: every copy would be a branch of the exact law.
        return int(members[0]) if len(members) == 1 else self._one_of(members, counts)

    def _one_of(self, members: NDArray[np.intp], counts: NDArray[np.int64] | None) -> int:
        """One of these indices, in proportion to their counts."""
        if counts is None:
            return int(members[self.below(len(members))])
        ends = counts[members].cumsum()
        return int(members[ends.searchsorted(self.below(int(ends[-1])), side="right")])

    def _laplaces(self, numerator: int, denominator: int, count: int) -> list[int]:
        return [self._laplace(numerator, denominator) for _ in range(count)]


class WordCoins(Coins):
    """Coins made of uniform 64-bit words by the exact samplers of Canonne, Kamath, Steinke 2020.

    A subclass supplies `_read`. Every draw has exactly its law if the words are independent and
    uniform: numbers below n by rejection, exp(-x) by von Neumann's alternating series, Laplace
    noise as (a uniform remainder kept with probability exp(-u/t)) + t (a geometric number),
    divided down to the scale.
    """

    def __init__(self) -> None:
        self._words: list[int] = []

    @abstractmethod
    def _read(self) -> list[int]:
        """At least one fresh uniform word of 64 bits; the last is used first."""

    def _word(self) -> int:
        while True:
            try:
                return self._words.pop()
            except IndexError:
                self._words = self._read()

    def _below(self, n: int) -> int:
        if n > SPAN:
            return self._below_large(n)
        while True:
            try:
                word = self._words.pop()
            except IndexError:
                self._words = self._read()
                continue
            remainder = word % n
            # The last, incomplete block of n words is rejected.
            if word - remainder <= SPAN - n:
                return remainder

    def _below_large(self, n: int) -> int:
        bits = (n - 1).bit_length()
        while True:
            drawn = 0
            for _ in range(-(-bits // 64)):
                drawn = drawn << 64 | self._word()
            drawn >>= -bits % 64
            if drawn < n:
                return drawn

    def _flip(self, numerator: int, denominator: int) -> bool:
        return self._below(denominator) < numerator

    def _decays(self, numerator: int, denominator: int) -> bool:
        while numerator > denominator:
            if not self._decays(1, 1):
                return False
            numerator -= denominator
        # With x = numerator/denominator, step k is passed with probability x/k, so k steps with
        # x^k/k!; an odd number of steps is tried with probability 1 - x + x^2/2 - ... = exp(-x).
        below = self._below
        step, bound = 1, denominator
        while below(bound) < numerator:
            step += 1
            bound += denominator
        return step % 2 == 1

    def _pick(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
    ) -> int:
        if counts is None and len(exponents) <= FEW:
            while True:
                index = self._below(len(exponents))
                if self._decays(exponents[index], denominator):
                    return index
        # A candidate of weight e^-x is on level k = floor(x); the deepest holds all lighter ones.
        # It is proposed in proportion to (3/8)^k > e^-k; what that is too much is rejected.
        levels = [min(exponent // denominator, DEEPEST) for exponent in exponents]
        ends = _proposals(levels, counts or (1,) * len(levels))
        while True:
            index = bisect_right(ends, self._below(ends[-1]))
            if self._keeps(levels[index], exponents[index], denominator):
                return index

    def _keeps(self, level: int, exponent: int, denominator: int) -> bool:
        """Whether a candidate proposed by its level is kept: what the proposal was too much."""
        kept = all(self._eight_to_three_e() for _ in range(level))
        return kept and self._decays(exponent - level * denominator, denominator)

    def _pick_from(
        self,
        gaps: NDArray[np.int64],
        numerator: int,
        denominator: int,
        counts: NDArray[np.int64] | None,
    ) -> int:
        if max(int(gaps.max()) * numerator, denominator) >= LARGEST_PRODUCT:
            return super()._pick_from(gaps, numerator, denominator, counts)
        # As in `_pick`, but candidates of a level are counted, and one of them is drawn.
        levels = np.minimum(gaps * numerator // denominator, DEEPEST)
        sizes = _together(levels, int(levels.max()) + 1, counts)
        ends = _proposals(range(len(sizes)), sizes)
        while True:
            level = bisect_right(ends, self._below(ends[-1])) if len(ends) > 1 else 0
            index = self._one_of(np.flatnonzero(levels == level), counts)
            if self._keeps(level, int(gaps[index]) * numerator, denominator):
                return index

    def _picks(
        self,
        exponents: tuple[int, ...],
        denominator: int,
        counts: tuple[int, ...] | None,
        draws: int,
    ) -> list[int]:
        weights = _CumulatedWeights(exponents, denominator, counts or (1,) * len(exponents))
        drawn = []
        for _ in range(draws):
            digits, bits = self._word(), 64
            while (index := weights.locate(digits, bits)) is None:
                digits, bits = digits << 64 | self._word(), bits + 64
            drawn.append(index)
        return drawn

    def _eight_to_three_e(self) -> bool:
        """True with probability 8/(3e), which is 8/9 + (1 - 1/5 + 1/(5 * 6) - ...)/9."""
        if self._below(9) < 8:
            return True
        # The first j steps are passed with probability 1/(5 * 6 * ... * (4 + j)).
        step = 5
        while not self._below(step):
            step += 1
        return step % 2 == 1

    def _laplace(self, numerator: int, denominator: int) -> int:
        below = self._below
        while True:
            remainder = below(numerator) if numerator > 1 else 0
            if remainder and not self._decays(remainder, numerator):
                continue
            # The quotient counts successes of probability 1/e, whose first step always passes.
            quotient = 0
            while True:
                step = 2
                while not below(step):
                    step += 1
                if step % 2 == 0:
                    break
                quotient += 1
            magnitude = (remainder + numerator * quotient) // denominator
            # A negative zero is rejected, or zero would be twice as likely as it should be.
            if self._word() & 1:
                return magnitude
            if magnitude:
                return -magnitude

    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        return self._laplace(numerator, denominator) >= margin


def _sizes(counts: NDArray[Any], candidates: int) -> NDArray[np.int64]:
    """The counts of candidates in an array, checked."""
    sizes = np.asarray(counts)
    if sizes.shape != (candidates,) or sizes.dtype.kind not in "iu" or sizes.min() < 1:
        raise InvalidInput(
            f"Every weight needs a count of at least 1, {candidates} integers in a vector. Got an "
            f"array of {sizes.dtype} of shape {sizes.shape}."
        )
    largest = int(sizes.max())
    if largest * candidates >= LARGEST_PRODUCT and sum(sizes.tolist()) >= LARGEST_PRODUCT:
        raise InvalidInput(
            "Counts in an array are less than 2^62 together; `pick` takes larger ones. "
            f"Got {sum(sizes.tolist())}."
        )
    return sizes.astype(np.int64)


def _together(
    places: NDArray[np.int64], number: int, counts: NDArray[np.int64] | None
) -> list[int]:
    """How many candidates there are at each place."""
    sizes = np.zeros(number, dtype=np.int64)
    if counts is None:
        sizes = np.bincount(places, minlength=number)
    else:
        np.add.at(sizes, places, counts)
    return [int(size) for size in sizes]


def _proposals(levels: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Sums of (3/8)^level for so many candidates each, as integers of one denominator."""
    depth = max(levels)
    return list(
        accumulate(
            (size * 3**level) << 3 * (depth - level)
            for size, level in zip(sizes, levels, strict=True)
        )
    )


class _CumulatedWeights:
    """Says in which part of [0, 1) a uniform number lies whose binary digits come one by one.

    The parts have lengths in proportion to counts[i] exp(-exponents[i]/denominator). Their ends
    are known as integers, up to an error that is bounded, and are computed again with more digits
    where these do not decide; with probability 1 some number of digits does.
    """

    def __init__(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...]
    ) -> None:
        self._denominator = denominator
        self._order = sorted(range(len(exponents)), key=exponents.__getitem__)
        self._exponents = [exponents[i] for i in self._order]
        self._counts = [counts[i] for i in self._order]
        self._compute(192)

    def _compute(self, bits: int) -> None:
        from flint import arb, ctx, fmpq

        factors: dict[int, int] = {}
        weight, last, total = 1 << bits, 0, 0
        ends = []
        for exponent, count in zip(self._exponents, self._counts, strict=True):
            gap = exponent - last
            if gap:
                if gap not in factors:
                    with ctx.workprec(bits + 64):
                        factor = arb(fmpq(-gap, self._denominator)).exp() * arb(2) ** bits
                        rounded: Any = factor.mid().floor().unique_fmpz()
                        factors[gap] = int(rounded)
                weight = weight * factors[gap] >> bits
                last = exponent
            total += count * weight
            ends.append(total)
        self._bits, self._ends = bits, ends
        # A factor is off by 2 at most and a product of numbers below 1 is rounded by 1 at most, so
        # that the i-th weight is off by 3i at most and all ends by 3i for each of the counts.
        self._error = 3 * len(ends) * sum(self._counts) + 1

    def locate(self, digits: int, bits: int) -> int | None:
        """The part in which all numbers lie that begin with these digits; None if unknown."""
        if bits > self._bits - 128:
            self._compute(2 * bits + 128)
        ends = self._ends
        low = (digits * ends[-1] >> bits) - 2 * self._error
        high = ((digits + 1) * ends[-1] >> bits) + 2 * self._error
        last = len(ends) - 1
        index = bisect_right(ends, low, 0, last)
        if index < last and ends[index] <= high:
            return None
        return self._order[index]


class SeededCoins(WordCoins):
    """Coins that repeat themselves: the same seed gives the same draws on every machine.

    For simulations and tests, **never for a release**: who knows or guesses the seed can subtract
    the noise. Scalar draws use the exact integer samplers over the raw words of NumPy's PCG64,
    whose stream NumPy promises not to change. `laplaces` looks words up in a table that is right
    to 64 bits: its law is within
    total variation 2^-50 of the stated one. (For scales from 2^54 on it draws one by one.)

    Parameters
    ----------
    rng : int, numpy.random.Generator, numpy.random.SeedSequence or None
        Anything `numpy.random.default_rng` takes. Four words are read from it once; what it is
        used for afterwards does not matter to these coins.

    Examples
    --------
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
"""How many draws are made together; the arrays of so many stay in the processor's cache."""

DIGIT = 256
"""The base of the digits of a geometric number, except for the highest."""

WIDEST = 64
"""The scale up to which the highest digit is looked up."""


class _AliasTable:
    """A law on multiples of `place`, looked up by one 64-bit word (Walker's alias method).

    The words whose upper bits are j stand for j if their lower bits are below ``keep[j]``, and for
    ``other[j]`` if not. The weights are integers of sum 2^64, so the table has exactly their law.
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
    """The law of discrete Laplace noise for `SeededCoins._laplaces`, right to 64 bits.

    Returns 2^64 P[Z = 0] and a table for every digit of a geometric number of ratio
    exp(-denominator/numerator).
    """
    from flint import arb, ctx, fmpq

    def table(rate: Any, size: int, place: int) -> _AliasTable:
        # Digit i is at most i with probability (1 - e^(-(i+1) rate)) / (1 - e^(-size rate)).
        whole_mass = 1 - (-rate * size).exp()
        cumulative = [floor(SPAN * (1 - (-rate * i).exp()) / whole_mass) for i in range(size)]
        return _AliasTable([b - a for a, b in pairwise([*cumulative, SPAN])], place)

    def floor(value: Any) -> int:
        return int(value.mid().floor().unique_fmpz())

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


class SecureCoins(WordCoins):
    """Coins for a release: exact integer samplers over the operating system's randomness.

    No floating point number takes part, so the noise has its law to the last bit (Mironov 2012
    shows how noise made of floats gives data away). Words are read from ``os.urandom`` a few
    thousand bytes at a time and used once: copies and pickles start with no words, and so does a
    forked child. How long a draw takes depends on what is drawn; see `docs/randomness.md`.

    Examples
    --------
    >>> coins = SecureCoins()
    >>> 0 <= coins.below(6) < 6
    True
    >>> coins.laplace(0.1)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The scale must be an int or a Fraction, since a float is not \
the number it prints: 0.1 is 3602879701896397/36028797018963968. Write Fraction(1, 10) if that is \
what was meant.
    """

    def __init__(self) -> None:
        super().__init__()
        _SECURE.add(self)

    def _read(self) -> list[int]:
        return array("Q", os.urandom(8 * WORDS)).tolist()

    def __reduce__(self) -> tuple[type[SecureCoins], tuple[()]]:
        return type(self), ()


_SECURE: weakref.WeakSet[SecureCoins] = weakref.WeakSet()


def _forget_words() -> None:
    for coins in _SECURE:
        coins._words = []


if hasattr(os, "register_at_fork"):  # not where processes cannot fork
    os.register_at_fork(after_in_child=_forget_words)
