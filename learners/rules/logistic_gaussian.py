r"""Logistic regression by objective perturbation with Gaussian noise, under zCDP.

The mechanism of `learners.rules.logistic_regression` with other noise: the noise b of the gradient
is close to independent normal numbers of variance s^2. The released weights are rho-zCDP, except
with a probability below 10^-35. The names are those of `learners.rules.logistic_regression`: c is
the number of blocks, W the largest class weight, H the largest slope of the interpolated logistic
function, and M the number of regressions (1 for two classes). Let

    q = H W c/l2,    mu^2 = M W^2 c/s^2,    rho_1 = mu^2/2 + (5/4) M q^2.

**Theorem.** For an added or removed row, the exact minimum w*(b) for ideal normal noise b is
rho_1-zCDP. For a replaced row, it is 4 rho_1-zCDP.

*Densities.* Let g(w) be the gradient without noise of all M objectives of a table. Let g(w) + v(w)
be the gradient with one further row x of class y and weight r <= W. The part j of v(w) is r (S(x
w_j) - [y = j]) x, for M = 1 with [y = j] = y. Its square is at most W^2 c, so |v|^2 <= M W^2 c.
Let f be the density of the noise. The densities of w* at w are f(g) det A without the row, and f(g
+ v) det(A') with the row, where A is the derivative of g. The derivative A' - A of v is block
diagonal with the blocks h_j x x^T and 0 <= h_j <= H W. So for every real z with 1 + z q > 0, the
derivative A + z (A' - A) is positive definite, and its determinant is det(A) prod_j (1 + z q_j)
with q_j = h_j x^T A_j^-1 x in [0, q]. The function g + z v is then strongly monotone and piecewise
affine, so it is a bijection, and a change of variables gives

    integral of f(g + z v) det(A) prod_j (1 + z q_j) = 1.                                     (1)

Completing the square gives, for every order alpha = k + 1 > 1,

    f(g)^alpha f(g + v)^-k = f(g - k v) exp(alpha k |v|^2/(2 s^2)),
    f(g + v)^alpha f(g)^-k = f(g + alpha v) exp(alpha k |v|^2/(2 s^2)).                       (2)

*With the row against without it.* By (2), the integral of the Rényi divergence is at most exp(alpha
k mu^2/2) times the integral of f(g + alpha v) det(A) prod_j (1 + q_j)^alpha. The number alpha ln(1
+ q) - ln(1 + alpha q) is 0 for alpha = 1, and its derivative in alpha is ln(1 + q) - q/(1 + alpha
q) <= alpha q^2. So (1 + q_j)^alpha <= (1 + alpha q_j) exp(k (alpha + 1) q^2/2). By (1) with z =
alpha, the divergence is at most alpha mu^2/2 + M (alpha + 1) q^2/2 <= alpha (mu^2/2 + M q^2).

*Without the row against with it, if k q <= 3/4.* The integral is at most exp(alpha k mu^2/2) times
the integral of f(g - k v) det(A) prod_j (1 + q_j)^-k. The function (-ln(1 - y) - y)/y^2 increases,
and at 3/4 it is below C = 1.132. With ln(1 + q) >= q - q^2/2, (1 + q_j)^-k <= (1 - k q_j) exp(k
q^2/2 + C k^2 q^2). By (1) with z = -k, the divergence is at most alpha mu^2/2 + M q^2 (1/2 + C k)
<= alpha (mu^2/2 + C M q^2).

*Without the row against with it, if k q > 3/4.* Because det(A') >= det(A), the loss is at most (2 g
v + |v|^2)/(2 s^2). This is a convex function of the M numbers S(x w_j) - [y = j], each of which is
in [0, 1] or in [-1, 0]. So it is at most its largest value at the 2^M corners. A corner is a vector
u that does not depend on w, with |u|^2 <= M W^2 c. Without the row, -g is the normal noise b. So
the mean of exp(k (2 g u + |u|^2)/(2 s^2)) is exp(alpha k |u|^2/(2 s^2)), and the integral is at
most 2^M exp(alpha k mu^2/2). The divergence is at most alpha mu^2/2 + M (ln 2)/k. Because alpha > k
> 3/(4 q), (ln 2)/k is at most alpha (16/9) (ln 2) q^2 < (5/4) alpha q^2.

*Replaced row.* Neighbours differ by a removed and an added row. A mechanism that is rho_1-zCDP for
one such step is 4 rho_1-zCDP for two steps [Bun, Steinke 2016]. QED

**Computed minimum, drawn noise.** By `learners.mechanisms.near_gaussian_noise`, the drawn integers
are ideal except with a probability that depends only on the coins. Ideal integers are within t
units of 2^-noise_bits of normal numbers b. So the rounded weights v are within a of w*(b) in the
l_1 norm, as in step 2 of `learners.rules.logistic_regression`. The release adds discrete Laplace
noise of scale 2 a/e_rounding to v. *Claim.* With ideal integers, the release is rho-zCDP for rho =
R rho_1 + e_rounding^2/2, where R is 1 for an added or removed row, and 4 for a replaced row.
*Proof.* Consider the pair of w*(b) and the release. By the theorem, w*(b) is (R rho_1)-zCDP. Given
w*(b) = w, the vector v is random, but it is within a of w in both worlds. So the release is a
mixture of shifts of the noise by vectors of distance at most 2 a, and it is e_rounding-DP given w.
This is (e_rounding^2/2)-zCDP. The costs of both add up, and omitting w is post-processing. QED

**Public rules.** The budget is rho for epsilon and delta (`learners.accounting.zcdp_rho`).
`ROUNDING_SHARE` of rho is e_rounding^2/2. The default l2 gives `CURVATURE_SHARE` of rho to the term
(5/4) M q^2. The rest is the noise of the gradient.

**Comparison.** Pure noise grows with the number of coordinates, and Gaussian noise with the square
root of the number of columns. `least_noise` compares both by the mean square of b x, for a row x
with one feature of size 1 in each block. This number is public.

**Sources.** [KST12] proposes objective perturbation with Gaussian noise. This proof of zCDP for
all orders is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt

from learners.accounting import ApproximateZCDP, Event, Scope, zcdp_rho
from learners.balls import ball, rational_above, rational_below
from learners.checked import Delta
from learners.mechanisms.near_gaussian_noise import NearGaussianNoise
from learners.rules.logistic_objective import CURVATURE
from learners.rules.logistic_regression import L2_UNIT, ObjectivePerturbation

CURVATURE_SHARE = Fraction(1, 8)
"""Share of rho for the change of the determinant, in the public rule for l2."""
ROUNDING_SHARE = Fraction(1, 256)
"""Share of rho for the distance of the released weights from the minimum."""
CURVATURE_FACTOR = Fraction(5, 4)
"""Factor of M q^2 in the theorem of the module."""


@dataclass(frozen=True)
class GaussianPerturbation(ObjectivePerturbation):
    """Private weights of a logistic regression with Gaussian noise. The module has the proof.

    **Guarantee.** (epsilon, delta)-DP for all released weights together. The ledger contains
    rho-zCDP, except with a probability below 10^-35.

    Parameters
    ----------
    epsilon, blocks, neighbours, l2, noise_bits, weight_bits, tolerance, class_weights
        Parameters of `ObjectivePerturbation`.
    rounding_share : Fraction
        Share of rho for the distance of the released weights from the minimum.
    delta : Fraction
        Delta of the guarantee.
    noise_rounding : Fraction or int
        Parameter `rounding` of `NearGaussianNoise`.

    Examples
    --------
    >>> mechanism = GaussianPerturbation(1, (1, 1), "add_remove")
    >>> mechanism.l2, round(mechanism.noise_deviation, 1)
    (Fraction(1297, 128), 6.9)
    """

    rounding_share: Fraction = ROUNDING_SHARE
    delta: Delta = Fraction(1, 10**6)
    noise_rounding: Fraction | int = 5

    @cached_property
    def rho(self) -> Fraction:
        """The zCDP budget of all released weights."""
        failure = self._failure
        return zcdp_rho(self.epsilon, self.delta - failure)

    @cached_property
    def _failure(self) -> Fraction:
        # The failure probability does not depend on the variance.
        return NearGaussianNoise(1, self.coordinates, self.noise_rounding).failure

    @property
    def steps(self) -> int:
        """The factor R of the theorem: 4 for a replaced row, 1 for an added or removed row."""
        return 4 if self.neighbours == "replace_one" else 1

    def _default_l2(self) -> Fraction:
        largest = CURVATURE * self.heaviest * len(self.blocks)
        factor = self.steps * CURVATURE_FACTOR * self.problems / (CURVATURE_SHARE * self.rho)
        return rational_above(lambda: ball(largest) * ball(factor).sqrt(), L2_UNIT)

    @property
    def curvature_rho(self) -> Fraction:
        """The part of rho for the change of the determinant."""
        assert self.l2 is not None
        q = CURVATURE * self.heaviest * len(self.blocks) / self.l2
        return self.steps * CURVATURE_FACTOR * self.problems * q**2

    @cached_property
    def rounding_epsilon(self) -> Fraction:
        """The epsilon of the noise that covers the distance from the minimum."""
        square = 2 * self.rounding_share * self.rho
        return rational_below(lambda: ball(square).sqrt(), 1 << 40)

    @property
    def gradient_rho(self) -> Fraction:
        """The part of rho for the change of the gradient."""
        return self.rho - self.curvature_rho - self.rounding_epsilon**2 / 2

    @property
    def feasible(self) -> bool:
        """Whether l2 leaves a part of rho for the change of the gradient."""
        return self.gradient_rho > 0

    @cached_property
    def variance(self) -> Fraction:
        """The variance s^2 of a coordinate of the noise of the gradient."""
        squares = self.problems * self.heaviest**2 * len(self.blocks)
        return self.steps * squares / (2 * self.gradient_rho)

    @property
    def noise(self) -> NearGaussianNoise:
        """The noise of the gradient, in units of 2^-noise_bits."""
        # An integer variance makes the draw fast.
        variance = ceil(self.variance * (1 << 2 * self.noise_bits))
        return NearGaussianNoise(variance, self.coordinates, self.noise_rounding)

    @property
    def noise_deviation(self) -> float:
        """The root mean square of a coordinate of the noise."""
        return sqrt(self.variance)

    @property
    def noise_square(self) -> float:
        """The mean square of b x, for a row x with one feature of size 1 in each block."""
        return self.problems * len(self.blocks) * float(self.variance)

    @property
    def privacy(self) -> Event:
        """The privacy cost of the weights."""
        return ApproximateZCDP(
            self.rho,
            self._failure,
            name="logistic regression",
            scope=Scope.adaptive(self.neighbours),
        )


def least_noise(
    pure: ObjectivePerturbation, gaussian: GaussianPerturbation
) -> ObjectivePerturbation:
    """Return the mechanism with the smaller `noise_square`, which is public.

    Examples
    --------
    >>> for blocks in ((1,) * 5, (1,) * 100):
    ...     pair = ObjectivePerturbation(1, blocks), GaussianPerturbation(1, blocks)
    ...     print(type(least_noise(*pair)).__name__)
    ObjectivePerturbation
    GaussianPerturbation
    """
    return gaussian if gaussian.noise_square < pure.noise_square else pure
