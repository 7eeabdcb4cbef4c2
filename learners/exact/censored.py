"""Coins with censored noise, for runs that clip the sums of numbers and noise."""

from __future__ import annotations

from dataclasses import dataclass

from learners.coins import Coins


@dataclass(frozen=True, eq=False)
class CensoredCoins(Coins):
    """Coins that draw from other coins and clip every noise to the interval from -R to R.

    Suppose that a run adds noise Z only to integers from 0 to n, and releases the sums only after
    they are clipped to the interval from -m to n + m. Let R = n + m. Then the run has the same
    output for the noise Z and for Z clipped to the interval from -R to R, because every sum with
    |Z| >= R is clipped to the same end. So the output distribution is exact, also if several sums
    share one draw of the noise. A draw has only 2 R + 1 values, so an enumeration has few branches,
    and cuts none of them.

    Parameters
    ----------
    coins : Coins
        Source of the draws.
    reach : int
        Bound R on the noise, at least 1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from learners.exact import exact_distribution
    >>> def clipped(coins):
    ...     return min(max(1 + coins.laplace(Fraction(1, 2)), 0), 2)
    >>> law = exact_distribution(lambda coins: clipped(CensoredCoins(coins, 2)))
    >>> law, float(law.tail)
    (Law(3 outcomes, 5 branches, tail 0), 0.0)
    >>> far = exact_distribution(clipped)
    >>> all(abs(float(far[each] - law[each])) < 1e-15 for each in law)
    True
    """

    coins: Coins
    reach: int

    def _below(self, n: int) -> int:
        return self.coins._below(n)

    def _flip(self, numerator: int, denominator: int) -> bool:
        return self.coins._flip(numerator, denominator)

    def _decays(self, numerator: int, denominator: int) -> bool:
        return self.coins._decays(numerator, denominator)

    def _pick(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
    ) -> int:
        return self.coins._pick(exponents, denominator, counts)

    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        return self.coins._at_least(margin, numerator, denominator)

    def _laplace(self, numerator: int, denominator: int) -> int:
        # P[Z >= 1] = q/(1 + q). Given Z >= 1, and also given Z <= 0, each further step away from 0
        # has probability q = exp(-1/scale).
        positive = self.coins._at_least(1, numerator, denominator)
        size = int(positive)
        while size < self.reach and self.coins._decays(denominator, numerator):
            size += 1
        return size if positive else -size

    def _gaussian(self, numerator: int, denominator: int, reach: int | None = None) -> int:
        nearest = self.reach if reach is None else min(reach, self.reach)
        return self.coins._gaussian(numerator, denominator, nearest)
