"""Discrete Laplace noise on a count, and bounds on the size of this noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated

from flint import arb

from learners.accounting import Event, PureDP, Scope, checked_neighbours
from learners.balls import ball, ceiling, certainly_le, log
from learners.checked import Epsilon, Failure, Sensitivity
from learners.coins import Coins
from learners.number_arguments import least_integer
from lsclasses.numbers import integer
from lsclasses.options import Option, check_arguments, check_fields

__all__ = [
    "DiscreteLaplace",
    "difference_bound",
    "difference_tail",
    "gaussian_tail",
    "noise_bound",
    "tail",
    "upper_bound",
]


Scale = Annotated[Fraction | int, Option("scale", above=0)]


@check_arguments
def noise_bound(scale: Scale, failure: Failure) -> int:
    """Return the least m with P[|Z| > m] <= failure, for discrete Laplace noise Z.

    With q = exp(-1/scale), P[|Z| > m] = 2 q^(m+1) / (1 + q), so
    m = ceil(scale ln(2 / ((1 + q) failure))) - 1, or 0 if this is negative.

    For continuous noise, P[|Z| > scale ln(1/failure)] = failure. For discrete noise, m = ceil(scale
    ln(1/failure)) satisfies P[|Z| > m] = q^m 2 q / (1 + q) <= failure, because q^m <= failure and
    2q <= 1 + q. Rounding down instead of up may fail. For the scale 2 and the failure 1/10, P[|Z| >
    4] is above 0.102.

    Parameters
    ----------
    scale : Fraction or int
        Scale of the noise, positive.
    failure : Fraction
        Failure probability, strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If the scale is not positive, the failure is not a probability, or one of them is a float.

    Examples
    --------
    >>> noise_bound(2, Fraction(1, 100))
    9
    """

    def excess() -> arb:
        q = (-1 / ball(scale)).exp()
        return ball(scale) * ((2 / (1 + q)).log() - log(failure))

    return max(0, ceiling(excess) - 1)


@check_arguments
def upper_bound(scale: Scale, failure: Failure) -> int:
    """Return the least m >= 0 with P[Z > m] <= failure, for discrete Laplace noise Z.

    The bound also holds for -Z. With q = exp(-1/scale), P[Z > m] = q^(m+1) / (1 + q), half of the
    probability in `noise_bound`.

    Examples
    --------
    >>> upper_bound(2, Fraction(1, 100))
    8
    """
    return noise_bound(scale, 2 * failure) if failure < Fraction(1, 2) else 0


def tail(scale: Fraction | int, least: int) -> arb:
    """Return P[Z >= least] for discrete Laplace noise Z, as a ball of the current precision.

    With q = exp(-1/scale) this is q^m/(1 + q) for m >= 1 and 1 - q^(1-m)/(1 + q) for m <= 0, where
    m = least.

    Examples
    --------
    >>> print(tail(2, 1).str(12, radius=False))
    0.377540668798
    """
    q = (-1 / ball(scale)).exp()
    return q**least / (1 + q) if least >= 1 else 1 - q ** (1 - least) / (1 + q)


def gaussian_tail(variance: Fraction | int, least: int) -> arb:
    """Return an upper bound of P[Z >= m] for discrete Gaussian noise Z, as a ball.

    P[Z = z] is proportional to exp(-z^2/(2 s)), for s = `variance`. Let sigma = sqrt(s) and
    m = `least`. For m - 1/2 >= sigma the bound is erfc((m - 1/2)/(sigma sqrt(2)))/2. It is the
    probability that normal noise of variance s is at least m - 1/2. For smaller m >= 1 the bound is
    1/2. For m <= 0 it is 1. *Proof.* The sum of all exp(-z^2/(2 s)) is at least sqrt(2 pi s), by
    Poisson summation. The function exp(-t^2/(2 s)) is convex for t >= sigma. So its value at an
    integer z >= sigma + 1/2 is at most its integral from z - 1/2 to z + 1/2. The noise is
    symmetric. QED

    Examples
    --------
    >>> print(gaussian_tail(100, 30).str(6, radius=False))
    0.00158887
    """
    if least <= 0:
        return arb(1)
    doubled = 2 * least - 1
    if doubled * doubled < 4 * Fraction(variance):
        return arb(1) / 2
    return (ball(doubled) / (8 * ball(variance)).sqrt()).erfc() / 2


@check_arguments
def difference_bound(scale: Scale, failure: Failure) -> int:
    """Return the least m >= 0 with P[Z - Z' > m] <= failure, for discrete Laplace Z and Z'.

    Z and Z' are independent. P[Z = z] is proportional to q^|z|, with q = exp(-1/scale). The sum of
    q^|z| q^|n-z| over z gives P[Z - Z' = n] = ((1 - q)/(1 + q))^2 q^n (n + (1 + q^2)/(1 - q^2)) for
    n >= 0. The sum of this over n >= m is

        P[Z - Z' >= m] = q^m (m (1 - q)/(1 + q)^2 + (1 + q + 2 q^2)/(1 + q)^3).

    Parameters
    ----------
    scale : Fraction or int
        Scale of both noises, positive.
    failure : Fraction
        Failure probability, strictly between 0 and 1.

    Raises
    ------
    InvalidInput
        If the scale is not positive, the failure is not a probability, or one of them is a float.

    Examples
    --------
    >>> difference_bound(2, Fraction(1, 100))
    10
    """
    return _least_difference(Fraction(scale), Fraction(failure))


@lru_cache(maxsize=1024)
def _least_difference(scale: Fraction, failure: Fraction) -> int:
    """Return `difference_bound`, stored because searches for parameters repeat few arguments."""

    def suffices(m: int) -> bool:
        return certainly_le(lambda: difference_tail(scale, m + 1), failure)

    return least_integer(suffices, -1)


def difference_tail(scale: Fraction | int, least: int) -> arb:
    """Return P[Z - Z' >= least], for independent discrete Laplace Z and Z' and `least` >= 0.

    The result is a ball of the current precision. See `difference_bound` for the formula.

    Examples
    --------
    >>> print(difference_tail(1, 1).str(12, radius=False))
    0.359799169043
    """
    q = (-1 / ball(scale)).exp()
    slope, constant = (1 - q) / (1 + q) ** 2, (1 + q + 2 * q * q) / (1 + q) ** 3
    return q**least * (least * slope + constant)


@dataclass(frozen=True)
class DiscreteLaplace:
    """An integer plus discrete Laplace noise of scale sensitivity/epsilon.

    **Guarantee.** If neighbouring inputs change the integer by at most `sensitivity`, the release
    is (epsilon, 0)-DP.

    **Proof.** With q = exp(-epsilon/sensitivity) the value v is released from the true value c with
    probability proportional to q^|v - c|. Changing c by at most the sensitivity changes |v - c| by
    at most the sensitivity, hence the probability by a factor of at most q^-sensitivity =
    exp(epsilon). For every v above (or below) both true values, the factor is attained if they
    differ by the sensitivity.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of the release.
    sensitivity : int
        Largest change of the integer between neighbouring inputs, at least 1.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation for which `sensitivity` is the largest change.

    Raises
    ------
    InvalidInput
        If epsilon or the sensitivity is not positive, or epsilon is a float.

    References
    ----------
    Ghosh, Roughgarden and Sundararajan 2012.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = DiscreteLaplace(Fraction(1, 2))
    >>> mechanism.release(100, SeededCoins(1))
    99
    >>> mechanism.error(Fraction(1, 100))
    9
    """

    epsilon: Epsilon
    sensitivity: Sensitivity = 1
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @property
    def scale(self) -> Fraction:
        """The scale of the discrete Laplace noise."""
        return self.sensitivity / self.epsilon

    @property
    def privacy(self) -> Event:
        """The privacy cost of one release."""
        return PureDP(self.epsilon, name="discrete Laplace", scope=Scope.adaptive(self.neighbours))

    def release(self, count: int, coins: Coins) -> int:
        """Return the given integer plus noise.

        Raises
        ------
        InvalidInput
            If the given number is not an integer.
        """
        return integer(count, "count") + coins.laplace(self.scale)

    def error(self, failure: Fraction) -> int:
        """Return a bound on the error of the release, which fails with the given probability."""
        return noise_bound(self.scale, failure)
