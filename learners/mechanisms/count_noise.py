"""Noise for many integers at once, of which one row changes a known number, each by 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp, sqrt
from typing import TYPE_CHECKING

import numpy as np

from learners import checked
from learners.accounting import ApproximateDP, Event, PureDP, checked_neighbours
from learners.numbers import optional
from lsclasses.frozen import settle

if TYPE_CHECKING:
    from learners.coins import Coins


@dataclass(frozen=True)
class CountNoise:
    """Independent noise for integers, at most `changes` of which one row changes, each by 1.

    **Guarantee.** (epsilon, delta)-DP, with delta = 0 unless it is given.

    **Proof.** Let one row change c integers by 1 each: by c in the sum of absolute values, and by
    c in the sum of squares.

    * Discrete Laplace noise of scale c/epsilon on every integer loses at most epsilon/c where one
      changes by 1, so c epsilon/c in all.
    * Discrete Gaussian noise of parameter sigma^2 = c/(2 rho) is (c/(2 sigma^2))-zCDP = rho-zCDP
      (Canonne, Kamath, Steinke 2020), where rho is the largest with which (epsilon, delta) is kept
      (`learners.accounting.zcdp_rho`).

    With a delta the one of less variance is taken, by public numbers.

    Parameters
    ----------
    epsilon : Fraction or int
    changes : int
        How many integers one row changes at most.
    delta : Fraction, optional
        Allows Gaussian noise.
    neighbours : {"replace_one", "add_remove"}
        The relation under which that is so.
    name : str
        Of the release, in the ledger.

    Raises
    ------
    InvalidInput
        If a number is out of range, or there is no such relation.

    Examples
    --------
    >>> CountNoise(1, 2).scale, CountNoise(1, 40, Fraction(1, 10**6)).variance is None
    (Fraction(2, 1), False)
    """

    epsilon: Fraction
    changes: int
    delta: Fraction | None = None
    neighbours: str = "replace_one"
    name: str = "noisy counts"

    def __post_init__(self) -> None:
        settle(self, epsilon=checked.epsilon(self.epsilon))
        settle(self, changes=checked.positive(self.changes, "number of counts that a row changes"))
        settle(self, delta=optional(checked.delta, self.delta))
        checked_neighbours(self.neighbours)

    @property
    def scale(self) -> Fraction:
        """The scale of the Laplace noise."""
        return self.changes / self.epsilon

    @property
    def variance(self) -> Fraction | None:
        """The parameter sigma^2 of the Gaussian noise, if that is used."""
        if self.delta is None:
            return None
        from learners.accounting import zcdp_rho

        variance = self.changes / (2 * zcdp_rho(self.epsilon, self.delta))
        return variance if variance < 2 * self.scale**2 else None

    @property
    def deviation(self) -> float:
        """The standard deviation of the noise (of Gaussian noise: sigma, which is no less)."""
        if self.variance is not None:
            return sqrt(self.variance)
        q = exp(-float(1 / self.scale))
        return sqrt(2 * q) / (1 - q)

    @property
    def privacy(self) -> Event:
        """The privacy cost of all integers together."""
        if self.delta is None or self.variance is None:
            return PureDP(self.epsilon, name=self.name, neighbours=self.neighbours)
        return ApproximateDP(self.epsilon, self.delta, name=self.name, neighbours=self.neighbours)

    def radius(self, summed: int = 1, failure: Fraction = Fraction(1, 20)) -> int:
        """The least r such that the sum of a number of these noises is rarely beyond +-r.

        The law of the sum is found from its characteristic function, right within about 10^-12,
        which is given away.

        Parameters
        ----------
        summed : int
        failure : Fraction
            What "rarely" says: the probability is at most this.

        Examples
        --------
        >>> CountNoise(1, 2).radius(), CountNoise(1, 2).radius(2)
        (6, 8)
        """
        return _radius(self.scale, self.variance, summed, failure)

    def draw(self, count: int, coins: Coins) -> list[int]:
        """The noise for a number of integers."""
        variance = self.variance
        if variance is None:
            return coins.laplaces(self.scale, count)
        from learners.mechanisms.noise import discrete_gaussians

        return discrete_gaussians(variance, count, coins)


@lru_cache(maxsize=256)
def _radius(scale: Fraction, variance: Fraction | None, summed: int, failure: Fraction) -> int:
    spread = float(scale) if variance is None else sqrt(variance)
    # Beyond half of this there is less than 10^-12, for any of the laws.
    size = 1 << (int(100 * spread * (1 + sqrt(summed))) + 64).bit_length()
    angles = 2 * np.pi * np.arange(size // 2 + 1) / size
    if variance is None:
        q = exp(-1 / spread)
        one = (1 - q) ** 2 / (1 - 2 * q * np.cos(angles) + q**2)
    else:
        places = np.minimum(np.arange(size), size - np.arange(size)).astype(float)
        chances = np.exp(-(places**2) / (2 * float(variance)))
        one = np.fft.rfft(chances / chances.sum()).real
    law = np.fft.irfft(one**summed, size)[: size // 2]
    within = law[0] + 2 * np.concatenate([[0.0], np.cumsum(law[1:])])
    return int(np.searchsorted(within, 1 - float(failure) + 1e-12))
