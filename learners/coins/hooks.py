"""The draws that each source of coins implements, and draws that follow from these draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from learners.coins.weighted_choices import counts_together


class CoinHooks(ABC):
    """The draws that `Coins` makes after it has checked the arguments.

    A source of coins implements the abstract hooks. It may also override the other hooks by faster
    draws with the same distribution.
    """

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
        """Return whether fresh discrete Laplace noise is at least the margin."""

    def _flips(self, numerator: int, denominator: int, count: int) -> list[bool]:
        return [self._flip(numerator, denominator) for _ in range(count)]

    def _failures(self, numerator: int, denominator: int, limit: int) -> int:
        """Number of failures of `_decays` before its first success, at most `limit`."""
        for failures in range(limit):
            if self._decays(numerator, denominator):
                return failures
        return limit

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
        gaps: NDArray[np.integer],
        numerator: int,
        denominator: int,
        counts: NDArray[np.int64] | None,
    ) -> int:
        """Index i in proportion to counts[i] exp(-gaps[i] numerator/denominator), counts 1 if None.

        The least gap is 0, and counts are positive.
        """
        values, places = np.unique(gaps, return_inverse=True)
        sizes = counts_together(places, len(values), counts)
        exponents = tuple(numerator * value for value in values.tolist())
        group = self._pick(exponents, denominator, tuple(sizes)) if len(values) > 1 else 0
        members = np.flatnonzero(places == group)
        # A single candidate needs no draw, since every copy would be a branch of the exact output.
        return int(members[0]) if len(members) == 1 else self._one_of(members, counts)

    def _pick_counted(
        self,
        gaps: NDArray[np.int64],
        numerator: int,
        denominator: int,
        counts: NDArray[np.uint64] | NDArray[np.object_],
    ) -> int:
        """Return the index that `_pick` returns, for exponents gaps * numerator/denominator."""
        exponents = tuple(numerator * gap for gap in gaps.tolist())
        return self._pick(exponents, denominator, tuple(counts.tolist()))

    def _one_of(self, members: NDArray[np.intp], counts: NDArray[np.int64] | None) -> int:
        """Return one of these indices, with probability proportional to its count."""
        ends = None if counts is None else counts[members].cumsum()
        total = len(members) if ends is None else int(ends[-1])
        drawn = self._below(total) if total > 1 else 0
        return int(members[drawn if ends is None else ends.searchsorted(drawn, side="right")])

    def _laplaces(self, numerator: int, denominator: int, count: int) -> list[int]:
        return [self._laplace(numerator, denominator) for _ in range(count)]

    def _noisy_maximum(
        self, scores: tuple[int, ...], counts: tuple[int, ...], numerator: int, denominator: int
    ) -> int:
        """Group of one of the candidates with the largest noisy score, each equally likely."""
        noisy = [
            (score + noise, group)
            for group, (score, count) in enumerate(zip(scores, counts, strict=True))
            for noise in self._laplaces(numerator, denominator, count)
        ]
        best = max(noisy)[0]
        groups = [group for value, group in noisy if value == best]
        return groups[self._below(len(groups)) if len(groups) > 1 else 0]

    def _gaussian(self, numerator: int, denominator: int, reach: int | None = None) -> int:
        """Discrete Gaussian noise z of the parameter numerator/denominator.

        With a `reach` R, the result is R for every z > R and -R for every z < -R.
        """
        z = gaussian_candidate(Fraction(numerator, denominator), self)
        while z is None:
            z = gaussian_candidate(Fraction(numerator, denominator), self)
        return z if reach is None else max(-reach, min(z, reach))


def gaussian_candidate(variance: Fraction, coins: CoinHooks) -> int | None:
    """Return discrete Laplace noise that is accepted as discrete Gaussian noise, or None.

    The scale t of the Laplace noise z is an integer near sqrt(s). The noise is accepted with
    probability exp(-(|z| - s/t)^2/(2 s)). The product of this probability with exp(-|z|/t) is
    exp(-z^2/(2 s)), up to a factor that is independent of z (Canonne, Kamath, Steinke 2020).

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> [gaussian_candidate(Fraction(2), SeededCoins(seed)) for seed in range(6)]
    [0, -1, 3, 0, 2, -1]
    """
    t = isqrt(variance.numerator // variance.denominator) + 1
    z = coins._laplace(t, 1)
    exponent = (abs(z) - variance / t) ** 2 / (2 * variance)
    return z if coins._decays(*exponent.as_integer_ratio()) else None
