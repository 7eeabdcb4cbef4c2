"""The random draws that all coins offer, and their distributions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.coins.hooks import CoinHooks
from learners.coins.weighted_choices import checked_counts, gaps_to_best, scaled_candidates
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer, rational


def _positive_scale(scale: object) -> tuple[int, int]:
    if type(scale) is int:
        numerator, denominator = scale, 1
    else:
        numerator, denominator = rational(scale, "scale").as_integer_ratio()
    if numerator <= 0:
        raise InvalidInput(
            f"The scale of the noise must be positive, since scale 0 adds no noise. Got {scale}."
        )
    return numerator, denominator


def require_coins(coins: object) -> None:
    """Raise `InvalidInput` if an object is not a source of coins, but for example a seed."""
    if not isinstance(coins, Coins):
        raise InvalidInput(
            "All randomness must come from a Coins object, such as SeededCoins(42) for a "
            f"simulation or SecureCoins() for a release. Got {coins!r:.200}."
        )


class Coins(CoinHooks):
    """The source of all randomness: uniform numbers, biased coins, weighted choices, noise.

    The public methods check their arguments and call the hooks of `CoinHooks`, which subclasses
    implement. Every hook must have the distribution that the public method states.
    `tests/learners/test_coins.py` compares the hooks of the three subclasses `SeededCoins`,
    `SecureCoins` and `ExactCoins` with these distributions.
    """

    def below(self, n: int) -> int:
        """Return a uniformly random integer from 0 to n - 1.

        Raises
        ------
        InvalidInput
            If n is not a positive integer.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> [coins.below(6) for _ in range(8)]
        [5, 4, 2, 3, 1, 0, 3, 5]
        """
        n = integer(n, "number of outcomes")
        if n < 1:
            raise InvalidInput(f"A number below n needs n >= 1. Got n = {n}.")
        return self._below(n) if n > 1 else 0

    def flip(self, p: Fraction | int) -> bool:
        """Return True with probability p and False otherwise.

        Parameters
        ----------
        p : Fraction or int
            Probability, from 0 to 1.

        Raises
        ------
        InvalidInput
            If p is not a probability, or is a float.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> sum(coins.flip(Fraction(1, 3)) for _ in range(3000))
        947
        """
        numerator, denominator = rational(p, "probability").as_integer_ratio()
        if not 0 <= numerator <= denominator:
            raise InvalidInput(f"A probability must be between 0 and 1. Got {p}.")
        return self._flip(numerator, denominator)

    def flips(self, p: Fraction | int, count: int) -> list[bool]:
        """Return `count` independent draws of `Coins.flip`, each True with probability p.

        Raises
        ------
        InvalidInput
            If p is not a probability or is a float, or the count is negative.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> SeededCoins(1).flips(Fraction(1, 3), 5)
        [False, False, False, True, False]
        """
        count = checked.nonnegative(count, "number of draws")
        if not count:
            return []
        first = self.flip(p)
        numerator, denominator = rational(p, "probability").as_integer_ratio()
        return [first, *self._flips(numerator, denominator, count - 1)]

    def decays(self, exponent: Fraction | int) -> bool:
        """Return True with probability exp(-exponent) and False otherwise.

        Parameters
        ----------
        exponent : Fraction or int
            Negative logarithm of the probability, at least 0.

        Raises
        ------
        InvalidInput
            If the exponent is negative, or a float.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> sum(coins.decays(1) for _ in range(3000))  # 3000/e is 1104
        1103
        """
        numerator, denominator = rational(exponent, "exponent").as_integer_ratio()
        if numerator < 0:
            raise InvalidInput(f"exp(-x) is a probability for x >= 0. Got x = {exponent}.")
        return self._decays(numerator, denominator)

    def failures(self, exponent: Fraction | int, limit: int) -> int:
        """Return the number of failures before the first success of repeated coins, up to a limit.

        Each coin succeeds independently with probability exp(-exponent). Without a success among
        the first `limit` coins, the result is `limit`. So the result is k < limit with probability
        (1 - p)^k p for p = exp(-exponent). The time of a draw does not grow with the limit.

        Parameters
        ----------
        exponent : Fraction or int
            Negative logarithm of the probability of success, at least 0.
        limit : int
            Largest number of coins, at least 0.

        Raises
        ------
        InvalidInput
            If the exponent is negative or a float, or the limit is negative.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> [coins.failures(7, 1000) for _ in range(6)]  # (1 - e^-7)^1000 is 0.40
        [10, 298, 768, 1000, 1000, 239]
        """
        numerator, denominator = rational(exponent, "exponent").as_integer_ratio()
        if numerator < 0:
            raise InvalidInput(f"exp(-x) is a probability for x >= 0. Got x = {exponent}.")
        limit = checked.nonnegative(limit, "number of coins")
        # A success is certain for exponent 0, and no coin is tossed for limit 0.
        return self._failures(numerator, denominator, limit) if numerator and limit else 0

    def pick(
        self,
        log_weights: Sequence[Fraction | int],
        unit: Fraction | int = 1,
        counts: Sequence[int] | None = None,
    ) -> int:
        """Return i with probability proportional to counts[i] * exp(unit * log_weights[i]).

        Parameters
        ----------
        log_weights : sequence of Fraction or int
            Logarithms of weights, in multiples of `unit`. Integers are the fastest.
        unit : Fraction or int
            Logarithm of the weight of an index whose entry in `log_weights` is 1.
        counts : sequence of int, optional
            Number of equal candidates that each index represents, at least 1. The default is 1.

        Raises
        ------
        InvalidInput
            If no weights are given, a weight or the unit is a float, or a count is not
            a positive integer.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> picked = [coins.pick([0, 1, -4], unit=Fraction(1, 2)) for _ in range(3000)]
        >>> [picked.count(i) for i in range(3)]
        [1114, 1748, 138]

        In the example, a million equal candidates together are about as likely as one candidate
        whose log-weight is larger by 14:

        >>> picked = [coins.pick([14, 0], counts=[1, 10**6]) for _ in range(3000)]
        >>> picked.count(0)  # 3000 e^14/(e^14 + 10^6) is 1638
        1645
        """
        return self._pick(*scaled_candidates(log_weights, unit, counts))

    def picks(
        self,
        log_weights: Sequence[Fraction | int],
        draws: int,
        unit: Fraction | int = 1,
        counts: Sequence[int] | None = None,
    ) -> list[int]:
        """Return independent draws of `Coins.pick`, computed together where this is faster.

        Parameters
        ----------
        log_weights, unit, counts
            Arguments of `Coins.pick`.
        draws : int
            Number of draws.

        Raises
        ------
        InvalidInput
            If `Coins.pick` rejects the arguments, or the number of draws is negative.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> picked = SeededCoins(1).picks([0, -1], 3000, counts=[1, 2])  # 1 : 2/e, 1728 of 3000
        >>> picked.count(0)
        1681
        """
        exponents, denominator, repeated = scaled_candidates(log_weights, unit, counts)
        draws = checked.nonnegative(draws, "number of draws")
        return self._picks(exponents, denominator, repeated, draws)

    def pick_from(
        self,
        log_weights: NDArray[np.integer],
        unit: Fraction | int = 1,
        counts: NDArray[np.int64] | None = None,
    ) -> int:
        """Return i with probability proportional to counts[i] * exp(unit * log_weights[i]).

        The output has the same distribution as the output of `Coins.pick`, but for the same seed
        the two methods may return different indices. Use this method for many candidates. It takes
        a few passes over the array and makes no Python integer per candidate.

        Parameters
        ----------
        log_weights : array of integers, shape (candidates,)
            Logarithms of weights, in multiples of `unit`.
        unit : Fraction or int
            Logarithm of the weight of an index whose entry in `log_weights` is 1.
        counts : array of integers, shape (candidates,), optional
            Number of equal candidates that each index represents, at least 1. The sum must be less
            than 2^62. The default is 1.

        Raises
        ------
        InvalidInput
            If no weights are given, an array is not a vector of integers, weights differ by 2^62 or
            more, a count is not positive, there are 2^62 candidates or more, or the unit is a
            float.

        Examples
        --------
        >>> from learners.coins import SeededCoins
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
        gaps = gaps_to_best(weights, largest=numerator >= 0)
        sizes = None if counts is None else checked_counts(counts, len(weights))
        return self._pick_from(gaps, abs(numerator), denominator, sizes)

    def pick_counted(
        self,
        log_weights: NDArray[np.int64],
        counts: NDArray[np.uint64] | NDArray[np.object_],
        unit: Fraction | int = 1,
    ) -> int:
        """Return a draw of `Coins.pick`, for weights and counts in arrays.

        Use this method for thousands of candidates with counts.

        Parameters
        ----------
        log_weights : array of int64, shape (candidates,)
            Logarithms of weights, in multiples of `unit`. They differ by less than 2^62.
        counts : array of uint64 or object, shape (candidates,)
            Number of equal candidates that each index represents, at least 1.
        unit : Fraction or int
            Logarithm of the weight of an index whose entry in `log_weights` is 1.

        Raises
        ------
        InvalidInput
            If the arrays are not vectors of integers of one length, weights differ by 2^62 or more,
            a count is not positive, or the unit is a float.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> losses, counts = np.arange(1000), np.arange(1, 1001, dtype=np.uint64)
        >>> SeededCoins(1).pick_counted(losses, counts, Fraction(-1, 300))
        320
        >>> SeededCoins(1).pick(losses.tolist(), Fraction(-1, 300), counts.tolist())
        320
        """
        weights, sizes = np.asarray(log_weights), counts
        if weights.ndim != 1 or not len(weights) or weights.dtype != np.int64:
            raise InvalidInput(
                "Candidates are picked from a vector of integers, at least one. Got an array of "
                f"{weights.dtype} of shape {weights.shape}."
            )
        if sizes.shape != weights.shape or sizes.dtype.kind not in "uO" or sizes.min() < 1:
            raise InvalidInput(
                f"Every weight needs a count of at least 1, {len(weights)} integers in a vector. "
                f"Got an array of {sizes.dtype} of shape {sizes.shape}."
            )
        numerator, denominator = rational(unit, "unit of the weights").as_integer_ratio()
        gaps = gaps_to_best(weights, largest=numerator >= 0)
        return self._pick_counted(
            gaps.astype(np.int64, copy=False), abs(numerator), denominator, sizes
        )

    def laplace(self, scale: Fraction | int) -> int:
        """Draw discrete Laplace noise: z with probability (1 - q)/(1 + q) q^|z|, q = exp(-1/scale).

        Parameters
        ----------
        scale : Fraction or int
            Scale of the noise, positive. A small denominator makes the draw fast.

        Raises
        ------
        InvalidInput
            If the scale is not positive, or a float.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> [coins.laplace(10) for _ in range(8)]
        [0, -8, -13, 4, -11, 4, -5, -1]
        """
        return self._laplace(*_positive_scale(scale))

    def laplaces(self, scale: Fraction | int, count: int) -> list[int]:
        """Return `count` independent draws of `Coins.laplace`, together where that is faster.

        Raises
        ------
        InvalidInput
            If the scale is not positive or a float, or the count is negative.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> SeededCoins(1).laplaces(10, 8)
        [-32, -12, 6, -3, 43, 0, 2, 0]
        """
        numerator, denominator = _positive_scale(scale)
        count = checked.nonnegative(count, "number of draws")
        return self._laplaces(numerator, denominator, count)

    def gaussians(self, variance: Fraction | int, count: int) -> list[int]:
        """Draw independent discrete Gaussian noise: z in proportion to exp(-z^2/(2 s)).

        Parameters
        ----------
        variance : Fraction or int
            Parameter s, positive. The variance of the noise is at most s.
        count : int
            Number of draws.

        Raises
        ------
        InvalidInput
            If the variance is not positive or a float, or the count is negative.

        References
        ----------
        Canonne, Kamath, Steinke 2020.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> noise = SeededCoins(1).gaussians(100, 1000)
        >>> noise[:8], round(sum(z * z for z in noise) / 1000)
        ([-8, 13, -15, -3, -2, -5, -5, 9], 100)
        """
        s = checked.positive_fraction(variance, "variance")
        count = checked.nonnegative(count, "number of draws")
        return [self._gaussian(s.numerator, s.denominator) for _ in range(count)]

    def noisy_maximum(
        self, scores: Sequence[int], scale: Fraction | int, counts: Sequence[int]
    ) -> int:
        """Return the index of the group with the candidate of the largest noisy score.

        All candidates of a group have the same score. The noisy score of a candidate is the score
        plus independent discrete Laplace noise. Among several candidates with the largest noisy
        score, a uniformly random candidate determines the group. The time of a draw does not grow
        with the numbers of candidates.

        Parameters
        ----------
        scores : sequence of int
            Common score of the candidates of each group.
        scale : Fraction or int
            Scale of the noise, positive.
        counts : sequence of int
            Number of candidates of each group, at least 1.

        Raises
        ------
        InvalidInput
            If no scores are given, a score is not an integer, a count is not a positive integer, or
            the scale is not positive or a float.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> groups = [coins.noisy_maximum([60, 0], 1, [1, 10**26]) for _ in range(1000)]
        >>> groups.count(0)  # the largest of 10^26 noises is about ln(10^26) = 60
        604
        """
        values = checked.counts(scores, "score")
        _, _, sizes = scaled_candidates(values, 1, counts)
        assert sizes is not None
        return self._noisy_maximum(values, sizes, *_positive_scale(scale))

    def at_least(self, value: int, scale: Fraction | int, threshold: int) -> bool:
        """Return whether a value plus fresh discrete Laplace noise is at least a threshold.

        The result does not reveal the noise. So an exact audit of this draw has two outcomes
        instead of infinitely many.

        Raises
        ------
        InvalidInput
            If value or threshold is not an integer, or the scale is not positive or a float.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> coins = SeededCoins(1)
        >>> sum(coins.at_least(3, 2, 5) for _ in range(3000)) / 3000  # e^-1/(1 + e^-1/2) is 0.229
        0.226
        """
        margin = integer(threshold, "threshold") - integer(value, "value")
        return self._at_least(margin, *_positive_scale(scale))

    def shuffle(self, n: int) -> tuple[int, ...]:
        """Return a uniformly random permutation of 0, ..., n - 1 as a tuple.

        Raises
        ------
        InvalidInput
            If n is negative or not an integer.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> SeededCoins(1).shuffle(6)
        (3, 1, 0, 4, 2, 5)
        """
        n = checked.nonnegative(n, "number of things to shuffle")
        order = list(range(n))
        for last in range(n - 1, 0, -1):
            chosen = self._below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def places(self, count: int, n: int) -> tuple[int, ...]:
        """Return `count` different numbers from 0 to n - 1, the first images of a random shuffle.

        Every sequence of `count` different numbers has the same probability. Time and memory depend
        only on `count`, so n may be astronomically large. If coins of the same seed return a longer
        sequence, this sequence begins with the same numbers.

        Parameters
        ----------
        count : int
            Number of returned numbers, from 0 to n.
        n : int
            Number of possible values, at least 0.

        Raises
        ------
        InvalidInput
            If a number is out of range or not an integer.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> SeededCoins(1).places(3, 10**30) == SeededCoins(1).places(5, 10**30)[:3]
        True
        >>> sorted(SeededCoins(1).places(6, 6))
        [0, 1, 2, 3, 4, 5]
        """
        n = checked.nonnegative(n, "number of places")
        count = checked.nonnegative(count, "number of things to place")
        if count > n:
            raise InvalidInput(f"At most {n} things can be placed at {n} places. Got {count}.")
        # The steps of `shuffle`. A number that has not been exchanged is in its original place.
        moved: dict[int, int] = {}
        drawn = []
        for last in range(n - 1, n - 1 - count, -1):
            chosen = self._below(last + 1) if last else 0
            drawn.append(moved.get(chosen, chosen))
            moved[chosen] = moved.pop(last, last)
        return tuple(drawn)
