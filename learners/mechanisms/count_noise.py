"""Noise for many counts at once, if one row changes them by a bounded total amount."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, expm1, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated

import numpy as np

from learners.accounting import (
    ZCDP,
    ApproximateDP,
    Event,
    GaussianDP,
    PureDP,
    Scope,
    checked_neighbours,
)
from learners.checked import Delta, Epsilon
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_fields

if TYPE_CHECKING:
    from learners.coins import Coins


COMPOSITIONS = ("gaussian", "zcdp")
"""Names of the rules that calibrate Gaussian noise."""


@dataclass(frozen=True)
class CountNoise:
    """Independent noise for integers. One row changes them by at most `changes` in total.

    **Guarantee.** The noisy integers are (epsilon, delta)-DP, with delta = 0 unless delta is given.
    If `part` is less than 1, the guarantee is for several releases together whose parts add up to
    1.

    **Proof.** Let one row change the integers by at most c in the sum of absolute values, and by at
    most d in the sum of squares. If it changes c of them by 1 each, d = c.

    * Discrete Laplace noise of scale c/epsilon on every integer loses at most epsilon/c for each
      change by 1. The total loss is at most c epsilon/c.
    * Discrete Gaussian noise of parameter sigma^2 has an exact delta at epsilon (Canonne, Kamath,
      Steinke 2020, Theorem 7). `learners.accounting.discrete_gaussians` has the theorem for
      vectors, and computes the least sigma^2 with balls.

    If delta is given, the class uses the noise of smaller variance. This choice depends on public
    numbers only. A release with the part p costs p epsilon for Laplace noise, and p mu^2 for
    Gaussian noise, where mu is the largest number such that mu-Gaussian DP implies (epsilon,
    delta)-DP. These costs add up, even if later releases depend on earlier releases. So releases
    whose parts add up to 1 are (epsilon, delta)-DP together, if all have Laplace noise or all have
    Gaussian noise with the same `composition`. With the composition ``zcdp``, a part costs p rho,
    for the largest rho such that rho-zCDP implies (epsilon, delta)-DP. For parts, ``zcdp`` needs
    less noise than ``gaussian`` if sigma^2 is about 1, because such small discrete noise is far
    from normal noise. For a whole budget, ``zcdp`` gives the noise of earlier versions of this
    library.

    Parameters
    ----------
    epsilon : Fraction or int
        Epsilon of the guarantee.
    changes : int
        Largest change of the integers by one row, in the sum of absolute values. This is the
        number of changed integers if each changes by 1.
    delta : Fraction, optional
        Delta of the guarantee, which allows Gaussian noise.
    neighbours : {"replace_one", "add_remove"}
        Relation under which the bound on the change holds.
    name : str
        Name of the release in the ledger.
    squares : int, optional
        Largest change of the integers by one row, in the sum of squares. If omitted, each integer
        changes by at most 1, and the sum of squares is at most `changes`.
    part : Fraction
        The part of the budget that this release spends, more than 0 and at most 1.
    composition : {"gaussian", "zcdp"}
        Rule that calibrates Gaussian noise.

    Raises
    ------
    InvalidInput
        If a number is out of range, or the relation is unknown.

    Examples
    --------
    >>> CountNoise(1, 2).scale, CountNoise(1, 40, Fraction(1, 10**6)).variance is None
    (Fraction(2, 1), False)
    """

    epsilon: Epsilon
    changes: Annotated[int, Option("number of counts that a row changes", minimum=1)]
    delta: Delta | None = None
    neighbours: str = "replace_one"
    name: str = "noisy counts"
    squares: int | None = None
    part: Annotated[Fraction, Option("part of the budget", above=0)] = Fraction(1)
    composition: str = "gaussian"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.part > 1:
            raise InvalidInput(f"A part of the budget must be at most 1. Got {self.part}.")
        if self.composition not in COMPOSITIONS:
            raise InvalidInput(
                f"The composition must be one of {', '.join(COMPOSITIONS)}. "
                f"Got {self.composition!r}."
            )
        checked_neighbours(self.neighbours)

    @property
    def scale(self) -> Fraction:
        """The scale of the Laplace noise."""
        return self.changes / (self.part * self.epsilon)

    @property
    def variance(self) -> Fraction | None:
        """The parameter sigma^2 of the Gaussian noise, or None for Laplace noise."""
        if self.delta is None:
            return None
        from learners.accounting.discrete_gaussians import least_parameter, normal_parameter

        unit = self.squares is None
        squares = self.changes if self.squares is None else self.squares
        shape = squares, min(self.changes, squares), unit
        if self.composition == "zcdp":
            variance = squares / (2 * self._spent[0])
        elif self.part == 1:
            variance = least_parameter(self.epsilon, self.delta, *shape)
        else:
            variance = normal_parameter(*self._spent, *shape)
        return variance if variance < 2 * self.scale**2 else None

    @property
    def _spent(self) -> tuple[Fraction, Fraction]:
        """The part of mu^2 and of its probability of failure, or the part of rho and 0."""
        from learners.accounting import zcdp_rho
        from learners.accounting.discrete_gaussians import GaussianBudget

        assert self.delta is not None
        if self.composition == "zcdp":
            return self.part * zcdp_rho(self.epsilon, self.delta), Fraction(0)
        budget = GaussianBudget(self.epsilon, self.delta)
        return self.part * budget.mu_squared, self.part * budget.failure

    @property
    def deviation(self) -> float:
        """The standard deviation of Laplace noise, or for Gaussian noise its upper bound sigma."""
        if self.variance is not None:
            return sqrt(self.variance)
        rate = float(1 / self.scale)
        return sqrt(2 * exp(-rate)) / -expm1(-rate)

    @property
    def privacy(self) -> Event:
        """The privacy cost of all integers together."""
        if self.delta is None or self.variance is None:
            return PureDP(
                self.part * self.epsilon, name=self.name, scope=Scope.adaptive(self.neighbours)
            )
        if self.part < 1:
            scope = Scope.adaptive(self.neighbours)
            if self.composition == "gaussian":
                return GaussianDP(*self._spent, name=self.name, scope=scope)
            return ZCDP(self._spent[0], name=self.name, scope=scope)
        return ApproximateDP(
            self.epsilon, self.delta, name=self.name, scope=Scope.adaptive(self.neighbours)
        )

    def radius(self, summed: int = 1, failure: Fraction = Fraction(1, 20)) -> int:
        """Return the least r with P[|sum of `summed` noises| > r] <= `failure`.

        The distribution of the sum is computed from its characteristic function, with an error of
        about 10^-12. The failure probability is reduced by this error. For noise that is too large
        for this computation, r is an upper bound that exceeds the least r by less than 2 %
        (`_large_radius`), so the time does not depend on epsilon.

        Parameters
        ----------
        summed : int
            Number of independent noises in the sum.
        failure : Fraction
            Largest probability that the sum is beyond +-r.

        Examples
        --------
        >>> CountNoise(1, 2).radius(), CountNoise(1, 2).radius(2)
        (6, 8)
        """
        return _radius(self.scale, self.variance, summed, failure)

    def draw(self, count: int, coins: Coins) -> list[int]:
        """Return the noise for a number of integers."""
        if self.variance is None:
            return coins.laplaces(self.scale, count)
        return coins.gaussians(self.variance, count)


LARGEST_SIZE = 1 << 20
"""Largest number of values of a sum of noises whose distribution is computed."""


def _large_radius(
    scale: Fraction, variance: Fraction | None, summed: int, failure: Fraction
) -> int:
    """Return an upper bound on the radius of a sum of n noises of a large scale.

    **Laplace noise.** Discrete Laplace noise of scale s is floor(E) - floor(E') for independent
    exponential variables E, E' of mean s. So the sum D(s) of n noises is within n of the sum L(s)
    of n continuous Laplace variables, and L(s) has the distribution of (s/t) L(t). Therefore
    P[abs(D(s)) > r] <= P[abs(L(t)) > (r - n) t/s] <= P[abs(D(t)) > (r - n) t/s - n]. The last
    probability is at most the failure if (r - n) t/s - n is at least the radius of D(t).

    **Gaussian noise.** The probability of k under the sum of n discrete Gaussian noises is the
    density of the normal distribution of variance n sigma^2 at k, with a relative error below
    10^-100 for sigma > 10 (Poisson summation). The density decreases beyond r, so the sum of its
    values beyond r is at most its integral, and r = sigma sqrt(n) z suffices for the normal
    quantile z.
    """
    if variance is not None:
        quantile = NormalDist().inv_cdf(1 - float(failure) / 2)
        return ceil(sqrt(float(variance) * summed) * quantile * (1 + 1e-9)) + 1
    smaller = Fraction(LARGEST_SIZE // 2, int(100 * (1 + sqrt(summed))))
    radius = _radius(smaller, None, summed, failure)
    return ceil((radius + summed) * scale / smaller + summed)


@lru_cache(maxsize=256)
def _radius(scale: Fraction, variance: Fraction | None, summed: int, failure: Fraction) -> int:
    spread = float(scale) if variance is None else sqrt(variance)
    # Beyond half of this size, each possible noise has a probability of less than 10^-12.
    needed = 100 * spread * (1 + sqrt(summed)) + 64
    if needed >= LARGEST_SIZE:
        return _large_radius(scale, variance, summed, failure)
    size = 1 << int(needed).bit_length()
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
