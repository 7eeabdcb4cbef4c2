r"""Private logistic regression by objective perturbation, with a proof for computed minima.

The features of a row are blocks of coordinates: the constant 1, and a block for each column. The
l_1 norm of every block is at most 1. So with c blocks, the square of the l_2 norm of a row is at
most c. The mechanism draws noise b for the gradient, computes weights close to the minimum w*(b) of

    weighted sum of the losses + (l2/2) |w|^2 + b w    (`learners.rules.logistic_objective`),

rounds the weights to multiples of 2^-32 and adds discrete Laplace noise. The intercept is
regularised like every other weight. The sum of losses is not divided by the number of rows, so no
step uses this number. The loss of a row is multiplied by the public weight of its class. Let W be
the largest weight of a class. Without declared weights, all weights and W are 1.

**Parts of epsilon.** epsilon = e_gradient + e_curvature + e_rounding. Let K be the unit ball of the
norm of `learners.mechanisms.k_norm_noise`. It contains every row x, and -x. Let k be 1 for an added
or removed row, and 2 for a replaced row. Let H be the largest slope of the interpolated logistic
function. The noise b has the scale k W/e_gradient, l2 satisfies ln(1 + H W c/l2) <= e_curvature,
and the discrete Laplace noise has the scale 2 a/e_rounding, where a bounds the sum of the distances
of the rounded weights from w*(b).

**Theorem.** The release is (epsilon, 0)-DP for both relations.

*Step 1: the exact minimum for ideal noise is (e_gradient + e_curvature, 0)-DP.* Let g(w) be the
gradient of the objective without b. It is strongly monotone and affine on each of the finitely many
polyhedra between the hyperplanes on which a score x_i w is a node. So g is a bijection, and b =
-g(w*(b)). A change of variables on each polyhedron gives the density p(g(w)) |det A(w)| of w*(b)
at almost every w, where p(b) = p(-b) is the density of the noise and A(w) = l2 I + sum_i h_i x_i
x_i^T is the derivative of g. The number h_i is a slope of S times the weight of the class of row i,
so 0 <= h_i <= H W. Compare neighbouring tables at w.

* A row x with label y, in a class of weight v, adds v (S(x w) - y) x to g. The factor v (S(x w) -
  y) is in [-W, W], so the vector is in W K. Neighbours differ by one such vector, or by a
  difference of two vectors. The two rows of a replacement may have different classes, so the two
  vectors may have different weights v, but both are in W K. So g changes by at most k W in the norm
  of K, and p(g(w)) by a factor of at most exp(k W e_gradient/(k W)).
* Let A belong to the rows that both tables have. A further row x gives det(A + h x x^T) = det(A)
  (1 + h x^T A^-1 x), with 1 <= 1 + h x^T A^-1 x <= 1 + H W c/l2. An added row changes the
  determinant by this factor. A replaced row changes it by a quotient of two such factors, possibly
  with different weights. Both are at most 1 + H W c/l2 <= exp(e_curvature), and at least
  exp(-e_curvature).

So the densities differ by a factor of at most exp(e_gradient + e_curvature).

*Step 2: distance of the computed weights.* The integers of `KNormNoise`, in units of u = 2^-26, are
coupled with the ideal noise b. Each coordinate differs by at most err u. The certificate states
that no coordinate of the gradient with these integers exceeds t at the computed weights v. So with
b itself, no coordinate exceeds t + err u. The proof of the certificate gives sum_j |v_j - w*(b)_j|
<= D (t + err u)/l2. Rounding to multiples of 2^-32 adds at most D/2 of these multiples. The sum is
a. The computation of v may use any numbers, since the bound follows from the certificate only.

*Step 3: the noise covers the distance.* Let f(x) be proportional to exp(-|x|_1 e_rounding/(2 a))
for real vectors x. In units of 2^-32, let v be the rounded weights. The probability of an output o
is proportional to the mean of f(o - v) over the coupled draws. Because |v - w*(b)|_1 <= a, this
mean is within a factor exp(e_rounding/2) of the mean of f(o - w*(b)). By step 1, the means of the
nonnegative function f(o - w) for neighbouring tables differ by a factor of at most exp(e_gradient
+ e_curvature). Together, the factor is at most exp(e_rounding/2 + e_gradient + e_curvature +
e_rounding/2) = exp(epsilon). QED

**Class weights.** The proof uses only W and not which class has which weight. The weights must be
declared and not computed from the rows, because the theorem compares neighbouring tables at one
choice of weights. If all weights and l2 are multiplied by a number, the noise has this factor too,
so the minimum has one distribution for all such multiples. So only the ratios of the weights
matter, apart from the rounding of l2, of the noise and of the released weights.

**Several classes.** For M > 2 classes, the mechanism releases M regressions *one against the rest*:
regression j has the label 1 for the rows of class j. The theorem holds for the M regressions
together. *Proof.* Their objectives have the sum F(w_1, ..., w_M), a function of M D weights. The
gradient of F without noise is g = (g_1, ..., g_M), and its derivative A is block diagonal with the
blocks A_1, ..., A_M. The noise b has M c blocks of coordinates, c for each regression, so its norm
is the largest norm of the M parts.

* A row x of class y adds the vector of the M parts v (S(x w_j) - [y = j]) x to g, where [y = j] is
  1 if y = j, and otherwise 0. Each part is in W K, so the vector is in W times the unit ball of the
  norm. So g changes by at most k W, as above, although a row is in all M regressions.
* The determinant of A is the product of the M determinants. Each changes by a factor of at most 1 +
  H W c/l2, and l2 satisfies M ln(1 + H W c/l2) <= e_curvature.

The three steps of the proof then hold with M D coordinates instead of D. QED Basic composition of M
regressions with epsilon/M each would give noise of a slightly larger mean square.

**Sources.** [CMS11] and [KST12] introduce and improve objective perturbation. [INSTTW19] adds
output noise for approximate minima. Steps 2 and 3 extend it to noise that is drawn as integers.

**Public rule for l2.** By default, e_curvature is `CURVATURE_SHARE` of epsilon, and l2 is the least
multiple of 1/256 that it allows. A larger l2 costs less and leaves more of epsilon for the
gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from learners.accounting import Event, PureDP, Scope, checked_neighbours
from learners.balls import ball, log, rational_above
from learners.checked import Epsilon, positive
from learners.coins import Coins
from learners.mechanisms.k_norm_noise import KNormNoise
from learners.mechanisms.near_gaussian_noise import NearGaussianNoise
from learners.rules.logistic_objective import (
    CHUNK,
    CURVATURE,
    FEATURE_UNIT,
    LogisticObjective,
    Weights,
)
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import plural, rational
from lsclasses.options import Option, check_fields

CURVATURE_SHARE = Fraction(1, 16)
"""Share of epsilon for the change of the determinant, in the public rule for l2."""
ROUNDING_SHARE = Fraction(1, 64)
"""Share of epsilon for the distance of the released weights from the minimum."""
TOLERANCE = Fraction(1, 1 << 16)
"""Largest coordinate of a certified gradient."""
L2_UNIT = 256
"""The default regularisation is a multiple of 1/256."""
CLASS_WEIGHT = Option("weight of a class", above=0, maximum=10**6)
"""Option for the weight of a class."""
MOST_FEATURES = 2000
"""Largest number of coordinates, because Newton's method inverts a matrix of this size."""


@dataclass(frozen=True)
class ObjectivePerturbation:
    """Private weights of a logistic regression. The module has the proof.

    **Guarantee.** (epsilon, 0)-DP for all released weights together, if a row is replaced, or added
    or removed.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of all released weights.
    blocks : tuple of int
        Number of coordinates of each block of features.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    l2 : Fraction, optional
        Regularisation, a public number. The default is the public rule of the module.
    noise_bits : int
        The noise of the gradient is a multiple of 2^-noise_bits.
    weight_bits : int
        The released weights are multiples of 2^-weight_bits.
    tolerance : Fraction
        Largest coordinate of a certified gradient, for a largest class weight of 1.
    rounding_share : Fraction
        Share of epsilon for the distance of the released weights from the minimum.
    class_weights : tuple of Fraction or int
        Public weight of the loss of a row of each class, the first for label 0. The number of
        weights is the number of classes, at least 2.

    Raises
    ------
    InvalidInput
        If a number is out of range, the relation does not exist, or l2 is too small for epsilon.
    TooLarge
        If there are more than 2000 coordinates.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> rng = np.random.default_rng(1)
    >>> ages = rng.integers(-256, 257, 2000)
    >>> table = np.column_stack([np.full(2000, 256), ages])
    >>> mechanism = ObjectivePerturbation(1, (1, 1))
    >>> weights = mechanism.fit(table, ages > 0, SeededCoins(1))
    >>> [round(weight / 2**mechanism.weight_bits, 1) for weight in weights]
    [-0.0, 5.8]
    >>> mechanism.l2, round(mechanism.noise_deviation, 1)
    (Fraction(1985, 256), 4.3)
    """

    epsilon: Epsilon
    blocks: tuple[int, ...]
    neighbours: str = "replace_one"
    l2: Fraction | None = None
    noise_bits: int = 26
    weight_bits: int = 32
    tolerance: Fraction = TOLERANCE
    rounding_share: Fraction = ROUNDING_SHARE
    class_weights: tuple[Fraction | int, ...] = (1, 1)

    def __post_init__(self) -> None:
        check_fields(self)
        weights = tuple(map(CLASS_WEIGHT.fraction, self.class_weights))
        set_frozen_fields(self, class_weights=weights)
        if len(weights) < 2:
            raise InvalidInput(
                f"At least two classes need weights, by default (1, 1). Got {len(weights)}."
            )
        checked_neighbours(self.neighbours)
        blocks = tuple(positive(block, "number of coordinates of a block") for block in self.blocks)
        set_frozen_fields(self, blocks=blocks)
        if self.dimension > MOST_FEATURES:
            raise TooLarge(
                f"Logistic regression supports at most {MOST_FEATURES} coordinates. The declared "
                f"columns have {self.dimension}: one for the intercept, one for each flag and each "
                "column of cut points, and one for each category. Declare fewer columns or "
                "categories."
            )
        if self.l2 is None:
            set_frozen_fields(self, l2=self._default_l2())
        l2 = rational(self.l2, "l2")
        if l2 <= 0 or l2.denominator & (l2.denominator - 1):
            raise InvalidInput(
                "The regularisation l2 must be positive and a multiple of a power of 1/2, such as "
                f"12 or 25/2. Got {self.l2}."
            )
        set_frozen_fields(self, l2=l2)
        if not self.feasible:
            raise InvalidInput(
                f"The regularisation l2 = {l2} is too small for epsilon = {self.epsilon}. The "
                f"public rule gives l2 = {self._default_l2()}. Choose at least this number."
            )

    def _default_l2(self) -> Fraction:
        squares = CURVATURE * self.heaviest * len(self.blocks)
        share = self.epsilon * CURVATURE_SHARE / self.problems
        return rational_above(lambda: ball(squares) / (ball(share).exp() - 1), L2_UNIT)

    @property
    def dimension(self) -> int:
        """The number of coordinates of a row."""
        return sum(self.blocks)

    @property
    def problems(self) -> int:
        """The number of regressions: 1 for two classes, otherwise one for each class."""
        return 1 if len(self.class_weights) == 2 else len(self.class_weights)

    @property
    def coordinates(self) -> int:
        """The number of released weights."""
        return self.problems * self.dimension

    @cached_property
    def heaviest(self) -> Fraction:
        """The largest weight W of a class."""
        return max(map(Fraction, self.class_weights))

    @property
    def changes(self) -> Fraction:
        """The largest change of the gradient in the norm of the blocks."""
        return (2 if self.neighbours == "replace_one" else 1) * self.heaviest

    @cached_property
    def curvature_epsilon(self) -> Fraction:
        """The part of epsilon for the change of the determinant."""
        assert self.l2 is not None
        ratio = 1 + CURVATURE * self.heaviest * len(self.blocks) / self.l2
        return rational_above(lambda: self.problems * log(ratio), 1 << 40)

    @property
    def rounding_epsilon(self) -> Fraction:
        """The part of epsilon for the distance of the released weights from the minimum."""
        return self.rounding_share * self.epsilon

    @property
    def gradient_epsilon(self) -> Fraction:
        """The part of epsilon for the change of the gradient."""
        return self.epsilon - self.curvature_epsilon - self.rounding_epsilon

    @property
    def feasible(self) -> bool:
        """Whether l2 leaves a part of the budget for the change of the gradient."""
        return self.gradient_epsilon > 0

    @property
    def noise(self) -> KNormNoise | NearGaussianNoise:
        """The noise of the gradient, in units of 2^-noise_bits."""
        return self._block_noise

    @cached_property
    def _block_noise(self) -> KNormNoise:
        scale = self.changes * (1 << self.noise_bits) / self.gradient_epsilon
        # An integer scale makes the draw fast.
        return KNormNoise(ceil(scale), self.blocks * self.problems)

    @property
    def noise_deviation(self) -> float:
        """The root mean square of a coordinate of a block of one coordinate of the noise.

        The unit is the gradient of one row of weight 1, so this number is comparable with a number
        of rows.
        """
        d, scale = self.coordinates, float(self._block_noise.scale) / (1 << self.noise_bits)
        # The square of the radius has the mean d (d + 1) s^2. A coordinate of a block of size 1 is
        # at the end of its range with probability 1/d, and otherwise uniform.
        return scale * sqrt(d * (d + 1) * (1 / d + (1 - 1 / d) / 3))

    @property
    def noise_square(self) -> float:
        """The mean square of b x, for a row x with one feature of size 1 in each block."""
        d, scale = self.coordinates, float(self._block_noise.scale) / (1 << self.noise_bits)
        # A coordinate of a block of size m has the mean square 2/((m + 1) (m + 2)) inside, and
        # 2/(m (m + 1)) on the boundary, which has the probability m/d.
        direction = sum(
            2 / (d * (m + 1)) + (1 - m / d) * 2 / ((m + 1) * (m + 2))
            for m in self._block_noise.blocks
        )
        return scale**2 * d * (d + 1) * direction

    @property
    def certified(self) -> Fraction:
        """The largest coordinate t of a certified gradient.

        It grows with the largest class weight, as the rounding errors of Newton's method do.
        """
        return self.tolerance * self.heaviest

    @cached_property
    def distance(self) -> Fraction:
        """The bound on the sum of the distances of the released weights from the minimum.

        The module's proof calls this bound a. The unit is 2^-weight_bits.
        """
        assert self.l2 is not None
        gradient = self.certified + Fraction(self.noise.error, 1 << self.noise_bits)
        return self.coordinates * (gradient * (1 << self.weight_bits) / self.l2 + Fraction(1, 2))

    @cached_property
    def rounding_scale(self) -> int:
        """The scale of the noise of the released weights, in units of 2^-weight_bits."""
        return ceil(2 * self.distance / self.rounding_epsilon)

    @property
    def privacy(self) -> Event:
        """The privacy cost of the weights."""
        return PureDP(
            self.epsilon, name="logistic regression", scope=Scope.adaptive(self.neighbours)
        )

    def fit(
        self, features: NDArray[np.integer], labels: NDArray[np.generic], coins: Coins
    ) -> tuple[int, ...]:
        """Release the weights, in units of 2^-weight_bits.

        Parameters
        ----------
        features : array of int, shape (rows, dimension)
            Features of the rows, in units of 1/256.
        labels : array of int, shape (rows,)
            Class of each row: 0 or 1, or the number of one of several classes.
        coins : Coins

        Returns
        -------
        tuple of int
            Weights for label 1. For several classes, the weights of each class, one class after the
            other.

        Raises
        ------
        InvalidInput
            If the shapes do not match, a label is not a class, or a block of a row has an l_1 norm
            above 1.
        """
        table, classes = np.asarray(features), np.asarray(labels).astype(np.int64)
        self._require(table, classes)
        # [KST12] noise for the gradient
        noise = self.noise.draw(coins)
        found: list[int] = []
        for k in range(self.problems):
            ones = classes if self.problems == 1 else (classes == k).astype(np.int64)
            own = noise[k * self.dimension : (k + 1) * self.dimension]
            found += self.rounded(self.minimum(table, ones, own, classes))
        return self.with_noise(tuple(found), coins)

    def minimum(
        self,
        features: NDArray[np.integer],
        labels: NDArray[np.integer],
        noise: Sequence[int],
        classes: NDArray[np.integer] | None = None,
    ) -> Weights:
        """Return certified weights of one regression for its part of the noise.

        Parameters
        ----------
        features : array of int, shape (rows, dimension)
        labels : array of 0 and 1, shape (rows,)
        noise : sequence of int
            Noise of the gradient, in units of 2^-noise_bits.
        classes : array of int, shape (rows,), optional
            Class of each row, which determines its weight. The default is the label.
        """
        assert self.l2 is not None
        objective = LogisticObjective(
            features,
            labels,
            self.l2,
            noise,
            self.noise_bits,
            classes,
            tuple(map(Fraction, self.class_weights)),
        )
        return objective.certified_minimum(self.certified)

    def rounded(self, weights: Weights) -> tuple[int, ...]:
        """Return the nearest multiples of 2^-weight_bits, in this unit."""
        unit = Fraction(1 << self.weight_bits, 1 << weights.bits)
        return tuple(round(value * unit) for value in weights.values)

    def with_noise(self, rounded: tuple[int, ...], coins: Coins) -> tuple[int, ...]:
        """Return rounded weights with the noise that covers their distance from the minimum."""
        # [INSTTW19] noise for the released weights
        drawn = coins.laplaces(self.rounding_scale, self.coordinates)
        return tuple(weight + each for weight, each in zip(rounded, drawn, strict=True))

    def _require(self, table: NDArray[np.integer], classes: NDArray[np.int64]) -> None:
        if table.shape != (len(classes), self.dimension) or classes.ndim != 1:
            raise InvalidInput(
                f"Every row needs {plural(self.dimension, 'coordinate')} and one label. Got "
                f"features of shape {table.shape} and labels of shape {classes.shape}."
            )
        count = len(self.class_weights)
        if len(classes) and not 0 <= classes.min() <= classes.max() < count:
            allowed = "0 and 1" if count == 2 else f"from 0 to {count - 1}"
            raise InvalidInput(f"Labels must be {allowed}. Got {np.unique(classes)[:5]}.")
        largest = max(
            (self._largest_norm(table[k : k + CHUNK]) for k in range(0, len(table), CHUNK)),
            default=0,
        )
        if largest > FEATURE_UNIT:
            raise InvalidInput(
                f"The sizes of the coordinates of a block must add up to at most {FEATURE_UNIT}. "
                f"Got {largest}."
            )

    def _largest_norm(self, table: NDArray[np.integer]) -> int:
        """Return the largest l_1 norm of a block of a row, for at least one row."""
        # The absolute value of the least number of a small integer type is negative.
        sizes = abs(table.astype(np.int64))
        starts = np.cumsum((0, *self.blocks[:-1]))
        norms = [
            sizes[:, k : k + each].sum(axis=1)
            for k, each in zip(starts, self.blocks, strict=True)
            if each > 1
        ]
        return max(int(each.max()) for each in (sizes, *norms))
