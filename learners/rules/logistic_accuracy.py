r"""An accuracy bound of private logistic regression, from public numbers only.

Let L(w) be the sum of the log losses ln(1 + e^z) - y z of the rows at weights w, where z is the
score of a row and y its label. Each log loss is multiplied by the weight of the class of the row.
Let W be the largest weight of a class. The *excess log loss* of released weights w over weights u
is L(w) - L(u). `ExcessLogLoss` bounds it for the released weights of `ObjectivePerturbation`, and
for the weights u with the least L(u) among all weights of Euclidean norm at most R.

**Theorem.** Let beta be the failure probability and t = ln(4/beta). Let c be the number of blocks,
D the number of coordinates, H the largest slope of the interpolated logistic function and s the
scale of the noise b. Let u be any weights of norm at most R that do not depend on the noise. Except
with probability beta, n rows give

    L(released) - L(u) <= (l2/4) (sqrt(R^2 + q rho^2 + 2 m rho R) + e)^2 + n z.

* rho = r/l2, where a sum of D exponential variables of mean s exceeds r with probability beta/4.
* q = min(c, 1 + sum of all mu_B but the least + sqrt((c - 1) t/2)), where a block B with k
  coordinates has mu_B = 2 k/((k + 1) (k + 2)).
* m = min(sqrt(c), sqrt(2 t)).
* e = a + (D + T g) h. The number a bounds the distance of the rounded weights from the exact
  minimum, and h = 2^-weight_bits is the unit of the weights. T is the scale of the noise of the
  released weights. A sum of D exponential variables of mean 1 exceeds g with probability beta/4.
* z = W (H e^2/2 + `LOSS_GAP` + d), where d bounds the change of a score of a row by later rounding.

*Step 1: weights close to the exact minimum.* Let J be the weighted sum of the interpolated losses,
so J is convex and its gradient J' is continuous. Let w* minimise F(w) = J(w) + (l2/2) |w|^2 + b w.
Let the released weights be w* + v. Three facts hold.

* F is l2-strongly convex, so F(u) >= F(w*) + (l2/2) |u - w*|^2. Hence J(w*) - J(u) <= (l2/2) (|u|^2
  - |w*|^2 - |u - w*|^2) + b (u - w*).
* The gradient of F at w* is 0, so J'(w*) = -b - l2 w*.
* The derivative of the weighted loss of a row with respect to the score has a slope of at most W H.
  So J(w* + v) <= J(w*) + J'(w*) v + (W H/2) sum_i (x_i v)^2.

Add the three facts, with B = b/l2. The result is

    J(w* + v) - J(u) <= l2 (-|w*|^2 + w* (u - B - v) + B u - B v) + (W H/2) sum_i (x_i v)^2.

A quadratic function -|w|^2 + w a is at most |a|^2/4. Since |u - B - v|^2 + 4 B u - 4 B v = |u + B -
v|^2, the excess is at most

    J(w* + v) - J(u) <= (l2/4) |u + b/l2 - v|^2 + (W H/2) sum_i (x_i v)^2.

(Rows whose losses are linear can attain this value.)

*Step 2: size of the noise.* By `learners.mechanisms.k_norm_noise`, b = r' y, where r' is a sum of D
exponential variables of mean s, and y is independent of r'. One block of y is on the boundary of
its cross-polytope. The other blocks are independent and uniform in their cross-polytopes. Each of
the following statements fails with probability at most beta/4.

* r' <= r, by the definition of r.
* |y|^2 <= q. The l_1 norm of a block is at most 1, so its squared l_2 norm is in [0, 1]. So |y|^2
  is at most c. The squared l_2 norm of a uniform point of a cross-polytope with k coordinates has
  the mean mu = k 2/((k + 1) (k + 2)). By Hoeffding's inequality, the c - 1 blocks inside add up to
  at most the sum of their means plus sqrt((c - 1) t/2), except with probability e^-t = beta/4. The
  block on the boundary adds at most 1.
* b u <= m r' R. The l_2 norm of b is at most sqrt(c) r', so b u <= sqrt(c) r' |u|. The signs of the
  coordinates of b are independent of their sizes and of each other. Given the sizes, b u is a sum
  of independent variables +-|b_j u_j|. By Hoeffding's inequality, it is at most sqrt(2 t sum_j
  b_j^2 u_j^2) <= sqrt(2 t) r' |u|, except with probability e^-t = beta/4.

Together, |u + b/l2|^2 = |u|^2 + |b|^2/l2^2 + 2 b u/l2 <= R^2 + q rho^2 + 2 m rho R.

*Step 3: size of v.* By step 2 of the proof of privacy, the rounded weights are within a of w* in
the l_1 norm, for the ideal noise b. Each of the D draws Z of discrete Laplace noise of scale T
satisfies P[|Z| >= j] = 2 x^j/(1 + x) <= x^(j - 1) for j >= 1 and x = exp(-1/T), in units of h. So
|Z| is at most 1 plus an exponential variable of mean T, for a suitable coupling. The sum of D draws
is at most (D + T g) h, except with probability beta/4. So the l_1 norm of v is at most e. The l_2
norm of v is not larger. The coordinates of a row are at most 1 in absolute value, so |x_i v| <= e.

*Step 4: log loss.* The interpolated loss of a row is the log loss plus a function f(z) with sup f -
inf f <= `LOSS_GAP`. So the excess of the log losses is at most the excess of the interpolated
losses plus n W `LOSS_GAP`. A change of the score of a row changes its log loss by at most the
change of the score, times W. *Proof of the constant.* f' = S - 1/(1 + e^-z) is less than 2 * 10^-5
in absolute value, so f differs by less than 2 * 10^-7 from its value at the nearest node. Beyond
+-16, f changes by at most ln(1 + e^-16) < 2 * 10^-7. The tests enclose the values at the nodes in
ball arithmetic.

The sum of the four failure probabilities is beta. QED

**Vacuous bounds.** Weights of 0 have the log loss ln 2 in every row, so their excess log loss is at
most n W ln 2. A bound of at least n W ln 2 is *vacuous* (n W M ln 2 for M > 2 classes).
`ExcessLogLoss.least_rows` is the number of rows from which the bound is not vacuous.

**Gaussian noise.** For `learners.rules.logistic_gaussian`, b has independent normal coordinates of
variance s^2. Then |b|^2 <= s^2 (D + 2 sqrt(D t) + 2 t), except with probability beta/4 (Laurent,
Massart 2000). The product b u is normal, so b u <= sqrt(2 t) s R, except with probability beta/4.
The theorem holds with |b|^2/l2^2 in place of q rho^2, and with sqrt(2 t) s/l2 in place of m rho.
The last quarter of beta covers noise that is not ideal.

**Several classes.** For M > 2 classes, L(w) is the sum of the log losses of the M regressions, R
bounds the norm of all M D weights together, and the theorem holds with M D coordinates and M c
blocks. Steps 1 to 3 hold for the sum of the M objectives, because sum_j (x_i v_j)^2 <= e^2. Step 4
adds M times `LOSS_GAP` + d, and weights of 0 have the loss M ln 2 in every row.

**Source.** [CMS11] and [KST12] bound the excess loss by the same decomposition, with other
constants.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Self

from flint import ctx

from learners.balls import ball, log, rational_above, rational_below, round_up
from learners.bounds import Bound
from learners.checked import FAILURE, Failure
from learners.concentration import FAILURE as DEFAULT_FAILURE
from learners.concentration import exponential_sum
from learners.mechanisms.near_gaussian_noise import NearGaussianNoise
from learners.rules.logistic_objective import CURVATURE
from learners.rules.logistic_regression import ObjectivePerturbation
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_arguments, check_fields

LOSS_GAP = Fraction(1, 1 << 16)
"""Bound on the range of the difference between the interpolated loss and the log loss of a row."""
DIGITS = 1 << 20
"""The numbers q and m^2 of the module's theorem are rounded up to multiples of 1/DIGITS."""
NORM = Option("norm of the compared weights", minimum=0)
"""Option for the norm R of the compared weights."""
DEFAULT_NORM = Fraction(4)


@dataclass(frozen=True)
class ExcessLogLoss:
    """A bound on the excess log loss over the best weights of a norm. The module has the proof.

    With n rows, the bound on the sum of the excess log losses is `fixed` + n `per_row`.

    Attributes
    ----------
    fixed, per_row : Fraction
        Parts of the bound, rounded up.
    norm : Fraction
        Norm R of the compared weights.
    failure : Fraction
        Failure probability of the bound.
    heaviest : Fraction
        Largest weight W of a class.
    problems : int
        Number of regressions whose log losses are added up.
    weighted : bool
        Whether some class has another weight than 1, so that the bound is about the weighted loss.

    Examples
    --------
    >>> found = ExcessLogLoss.of(ObjectivePerturbation(1, (1, 1, 1)), norm=2)
    >>> bound = found.bound(10_000)
    >>> bound.quantity, float(bound.value)
    ('log loss above the best weights of norm 2', 62.46...)
    >>> bound.vacuous, found.bound(50).vacuous
    (False, True)
    >>> found.least_rows
    90
    """

    fixed: Fraction
    per_row: Fraction
    norm: Annotated[Fraction, NORM] = DEFAULT_NORM
    failure: Annotated[Fraction, FAILURE] = DEFAULT_FAILURE
    heaviest: Fraction = Fraction(1)
    problems: int = 1
    weighted: bool = False

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    @check_arguments
    def of(
        cls,
        mechanism: ObjectivePerturbation,
        norm: Annotated[Fraction | int, NORM] = DEFAULT_NORM,
        failure: Failure = DEFAULT_FAILURE,
        rounding: Fraction | int = 0,
    ) -> Self:
        """Return the bound for the released weights of a mechanism.

        Parameters
        ----------
        mechanism : ObjectivePerturbation
        norm : Fraction or int
            Euclidean norm R of the compared weights. The intercept is one of the weights.
        failure : Fraction
            Failure probability beta of the bound.
        rounding : Fraction or int
            Bound d on the change of the score of a row by later rounding.

        Raises
        ------
        InvalidInput
            If the norm is negative, or the failure probability is not between 0 and 1.
        """
        quarter, l2 = failure / 4, mechanism.l2
        assert l2 is not None
        # The numbers rho, m^2, e and R^2 + q rho^2 of the theorem.
        count = mechanism.coordinates
        noise, along = _noise_bounds(mechanism, quarter)
        drawn = mechanism.rounding_scale * exponential_sum(count, quarter)
        moved = (mechanism.distance + count + drawn) / (1 << mechanism.weight_bits)
        squares = norm**2 + noise / l2**2

        approximated = mechanism.problems * (LOSS_GAP + rounding)
        per_row = mechanism.heaviest * (CURVATURE * moved**2 / 2 + approximated)
        with ctx.workprec(128):
            product = 2 * ball(along).sqrt() * ball(norm / l2)
            fixed = ball(l2 / 4) * ((ball(squares) + product).sqrt() + ball(moved)) ** 2
            found = round_up(fixed), round_up(ball(per_row))
        return cls(
            *found,
            Fraction(norm),
            failure,
            mechanism.heaviest,
            mechanism.problems,
            any(weight != 1 for weight in mechanism.class_weights),
        )

    def bound(self, rows: int) -> Bound:
        """Return the bound on the sum of the excess log losses of some number of rows."""
        return Bound(
            source="learners.rules.logistic_accuracy, accuracy",
            quantity=f"{self.loss} above the best weights of norm {format_number(self.norm)}",
            formula="l2/4*(sqrt(R**2 + q*rho**2 + 2*m*rho*R) + e)**2 + n*z",
            value=self.fixed + rows * self.per_row,
            trivial=rows * self.zero_loss,
            failure=self.failure,
        )

    @property
    def loss(self) -> str:
        """The name of the bounded loss."""
        weighted = "weighted " * self.weighted
        return f"{weighted}log loss" + " of all regressions" * (self.problems > 1)

    @property
    def zero_loss(self) -> Fraction:
        """The largest log loss of weights of 0 in a row, rounded down."""
        return rational_below(lambda: ball(self.heaviest * self.problems) * log(2), DIGITS)

    @property
    def least_rows(self) -> int | None:
        """The number of rows from which the bound is not vacuous. None if no number suffices."""
        gain = self.zero_loss - self.per_row
        return None if gain <= 0 else int(self.fixed / gain) + 1


def _noise_bounds(mechanism: ObjectivePerturbation, failure: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds on |b|^2 and on (b u)^2/|u|^2, which hold with three failures for ideal noise.

    For Gaussian noise, the third failure covers drawn integers that are not ideal.
    """
    count, unit = mechanism.coordinates, 1 << mechanism.noise_bits
    across = rational_above(lambda: -2 * log(failure), DIGITS)
    if isinstance(mechanism.noise, NearGaussianNoise):
        variance = Fraction(mechanism.noise.variance) / unit**2
        size = rational_above(lambda: count + (2 * count * ball(across)).sqrt(), DIGITS) + across
        return variance * size, variance * across
    blocks = mechanism.noise.blocks
    radius = mechanism.noise.scale * exponential_sum(count, failure) / unit
    return noise_square(blocks, failure) * radius**2, min(Fraction(len(blocks)), across) * radius**2


def noise_square(blocks: tuple[int, ...], failure: Fraction) -> Fraction:
    """Return the number q, which the squared l_2 norm of a noise direction rarely exceeds.

    The direction is the vector u of `KNormNoise`, whose coordinates form blocks of the given sizes.
    The square exceeds q with probability at most `failure`.

    Examples
    --------
    >>> noise_square((1, 1), Fraction(1, 80)), float(noise_square((1,) * 20, Fraction(1, 80)))
    (Fraction(2, 1), 13.785...)
    """
    means = sorted(Fraction(2 * size, (size + 1) * (size + 2)) for size in blocks)
    inside = 1 + sum(means[1:])
    return min(
        Fraction(len(blocks)),
        rational_above(
            lambda: ball(inside) + (-log(failure) * (len(blocks) - 1) / 2).sqrt(), DIGITS
        ),
    )
