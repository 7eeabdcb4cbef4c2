r"""Integer noise close to normal noise, up to a probability that does not depend on the data.

Discrete Gaussian noise of parameter s, p(k) in proportion to exp(-k^2/(2 s)), is drawn exactly
(`Coins.gaussians`). For a number r below s, compare it with normal noise of variance s - r. Let x
be normal with this variance, and let K(k | x) be in proportion to exp(-(k - x)^2/(2 r)) over the
integers k. Let t be an integer, and let K' be the kernel K restricted to the integers k with |k -
x| <= t. The *ideal* integer is drawn from K'(. | x), so it is within t of x.

**Lemma.** With q = exp(-2 pi^2 r), let a = 2 q/(1 - q), and let T = 2 exp(-t^2/(2 r))/(1 -
exp(-t/r)). If r >= 1/2, then p = (1 - eta) p' + eta B, where p' is the distribution of the ideal
integer, B is a distribution, and eta <= 2 a + T.

*Proof.* By Poisson summation, Z(x) = sum_j exp(-(j - x)^2/(2 r)) is sqrt(2 pi r) times a number
between 1 - a and 1 + a, because 2 sum_(j >= 1) q^(j^2) <= a. The product of the densities of
variances s - r and r integrates to the density f of variance s. So the mean of K(k | x) over x is
at most f(k)/(1 - a). The sum of f over the integers is at most 1 + a, because s >= r. So p(k) >=
f(k)/(1 + a), and p(k) is at least (1 - a)/(1 + a) times the mean of K(k | x). For each x, the
numbers beyond t have the probability at most 2 sum_(i >= 0) exp(-(t + i)^2/(2 r))/Z(x) <= T,
because (t + i)^2 >= t^2 + 2 t i and Z(x) >= sqrt(pi) (1 - a) >= 1. So K' <= K/(1 - T), and p >= (1
- T) (1 - a)/(1 + a) p' at every integer. The factor is at least 1 - T - 2 a. QED

So with probability 1 - D eta or more, D independent integers have the distribution of ideal
integers, which are within t of independent normal numbers. Then the rest of a mechanism receives
ideal integers. The event depends only on the coins. So if a mechanism with ideal integers is
rho-zCDP, the mechanism with drawn integers is rho-zCDP except with probability D eta
(`learners.accounting.ApproximateZCDP`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from flint import arb

from learners.balls import ball, rational_above
from learners.checked import positive, positive_fraction
from learners.coins import Coins
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields


@dataclass(frozen=True)
class NearGaussianNoise:
    """Integer noise close to independent normal numbers. The module has the proof.

    Parameters
    ----------
    variance : Fraction or int
        Variance of the normal numbers, positive.
    dimension : int
        Number of coordinates.
    rounding : Fraction or int
        Number r of the module, at least 1/2. A larger number makes `failure` smaller and `error`
        larger.

    Raises
    ------
    InvalidInput
        If the variance is not positive or a float, or the rounding is below 1/2.

    References
    ----------
    Canonne, Kamath, Steinke 2020.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> noise = NearGaussianNoise(10_000, 3)
    >>> noise.draw(SeededCoins(1)), noise.error, float(noise.failure) < 1e-40
    ([-102, -26, -51], 32, True)
    """

    variance: Fraction | int
    dimension: int
    rounding: Fraction | int = 5

    def __post_init__(self) -> None:
        set_frozen_fields(
            self,
            variance=positive_fraction(self.variance, "variance"),
            dimension=positive(self.dimension, "number of coordinates"),
            rounding=positive_fraction(self.rounding, "rounding"),
        )
        if self.rounding < Fraction(1, 2):
            raise InvalidInput(f"The rounding must be at least 1/2. Got {self.rounding}.")

    @property
    def error(self) -> int:
        """The largest distance t of an ideal integer from its normal number."""
        # About 2 pi r, so that both parts of the failure probability are close.
        return ceil(Fraction(32, 5) * self.rounding)

    @property
    def failure(self) -> Fraction:
        """A bound on the probability that the integers are not ideal, for all coordinates."""
        r, t = Fraction(self.rounding), self.error

        def bound() -> arb:
            q = (-2 * arb.pi() ** 2 * ball(r)).exp()
            outside = 2 * ball(-(t**2) / (2 * r)).exp() / (1 - ball(-t / r).exp())
            return self.dimension * (4 * q / (1 - q) + outside)

        return rational_above(bound, 1 << 200)

    def draw(self, coins: Coins) -> list[int]:
        """Return one integer for each coordinate."""
        return coins.gaussians(Fraction(self.variance) + Fraction(self.rounding), self.dimension)
