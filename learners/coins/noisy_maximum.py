"""The largest noisy score of groups of candidates, with one draw for each group.

Let Z be discrete Laplace noise of scale s, and u uniform on [0, 1). With q = exp(-1/s), the sum
Z + u has the distribution function P[Z + u <= m + y] = P[Z < m] + P[Z = m] y for integers m and
0 <= y <= 1. Its complement at m + y is q^m (1 - (1 - q) y)/(1 + q) for m >= 0. By symmetry,
1 - (Z + u) has the same distribution, which gives the values below 0.

The maximum of k independent sums has the distribution function F^k. So it is F^-1(U^(1/k)) for a
uniform number U. The numbers u break ties uniformly: of all candidates with the largest integer
noisy score, each has the largest sum with equal probability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb, arb_poly, ctx, fmpq

MOST_LISTED = 1 << 9
"""Largest number of candidates for which `winning_chances` is computed."""


class _NoiseScale:
    """The distribution function F of Z + u at one scale, in the current precision."""

    def __init__(self, numerator: int, denominator: int) -> None:
        self.rate = arb(fmpq(denominator, numerator))
        self.q = (-self.rate).exp()

    def below(self, m: int) -> arb:
        """Return P[Z < m]."""
        far = (-self.rate * abs(m if m >= 1 else 1 - m)).exp() / (1 + self.q)
        return 1 - far if m >= 1 else far

    def equal(self, m: int) -> arb:
        """Return P[Z = m]."""
        return -(-self.rate).expm1() / (1 + self.q) * (-self.rate * abs(m)).exp()

    def quantile(self, log_below: arb) -> tuple[arb, arb]:
        """Return bounds on the x with ln F(x) = `log_below`."""
        above = -log_below.expm1()
        if above * (1 + self.q) <= 1:
            return self._quantile_above(above)
        if above * (1 + self.q) > 1:
            low, high = self._quantile_above(log_below.exp())
            return 1 - high, 1 - low
        return arb(-1), arb(1)

    def _quantile_above(self, complement: arb) -> tuple[arb, arb]:
        """Return bounds on the x >= 0 with 1 - F(x) = `complement`."""
        # The complement is q^t/(1 + q), and (1 - q) y = 1 - q^(t - m) for m = floor(t).
        t = -(complement * (1 + self.q)).log() / self.rate
        m = t.floor().unique_fmpz()
        if not t.is_finite():
            return arb("-inf"), arb("inf")
        if m is None:
            nearest = (t.mid() + arb(1) / 2).floor()
            return nearest - 1, nearest + 1
        x = m + (-(t - m) * self.rate).expm1() / (-self.rate).expm1()
        return x, x


def winner(
    scores: Sequence[int],
    counts: Sequence[int],
    numerator: int,
    denominator: int,
    word: Callable[[], int],
) -> int:
    """Return the index of the group that has the largest noisy score.

    The function reads digits of one uniform number for each group until the digits determine the
    winner.

    Parameters
    ----------
    scores : sequence of int
        Score of the candidates of each group.
    counts : sequence of int
        Number of candidates of each group, at least 1.
    numerator, denominator : int
        The scale of the noise.
    word : callable
        Function that returns a uniform number of 64 bits.
    """
    top = max(scores)
    gaps = [score - top for score in scores]
    spread = max(-min(gaps), *counts).bit_length()
    digits, bits = [0] * len(scores), 0
    left = list(range(len(scores)))
    while len(left) > 1:
        for i in left:
            digits[i] = digits[i] << 64 | word()
        bits += 64
        with ctx.workprec(2 * bits + 64 + spread):
            noise = _NoiseScale(numerator, denominator)
            ends = {i: _ends(noise, digits[i], bits, counts[i]) for i in left}
            lowest = max((ends[i][0] + gaps[i] for i in left), key=lambda end: end.mid())
            left = [i for i in left if not ends[i][1] + gaps[i] < lowest]
    return left[0]


def _ends(noise: _NoiseScale, digits: int, bits: int, count: int) -> tuple[arb, arb]:
    """Return bounds on F^-1(U^(1/count)) for all U that begin with these digits."""
    low, high = arb("-inf"), arb("inf")
    if digits:
        low = noise.quantile(arb(fmpq(digits, 1 << bits)).log() / count)[0].lower()
    if digits + 1 < 1 << bits:
        high = noise.quantile(arb(fmpq(digits + 1, 1 << bits)).log() / count)[1].upper()
    return low, high


def winning_chances(
    scores: Sequence[int], counts: Sequence[int], numerator: int, denominator: int, bits: int
) -> tuple[arb, ...]:
    """Return the probability of each result of `winner`, as balls of about `bits` bits.

    The probability of a group is the integral of F_i' times the product of the other F_j, where F_j
    is the distribution function of the largest noisy score of group j. Between two integers, the
    F_j are polynomials.

    Examples
    --------
    >>> [round(float(each), 4) for each in winning_chances([1, 0], [1, 3], 1, 1, 64)]
    [0.5117, 0.4883]
    """
    top = max(scores)
    gaps = [score - top for score in scores]
    with ctx.workprec(2 * bits):
        noise = _NoiseScale(numerator, denominator)
        negligible = arb(2) ** -bits
        first, last = 0, 1

        def reached(level: int) -> arb:
            """Return the probability that all noisy scores are less than the level."""
            chance = arb(1)
            for gap, count in zip(gaps, counts, strict=True):
                chance *= noise.below(level - gap) ** count
            return chance

        while not reached(first) < negligible:
            first -= 1 - first
        while not 1 - reached(last) < negligible:
            last *= 2
        rest = arb(0).union(reached(first) + 1 - reached(last))
        chances = [arb(0)] * len(scores)
        for level in range(first, last):
            parts = [
                arb_poly([noise.below(level - gap), noise.equal(level - gap)]) ** count
                for gap, count in zip(gaps, counts, strict=True)
            ]
            for i, part in enumerate(parts):
                product = part.derivative()
                for other in (*parts[:i], *parts[i + 1 :]):
                    product *= other
                chances[i] += product.integral()(arb(1))
        return tuple(chance + rest for chance in chances)
