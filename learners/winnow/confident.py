"""Winnow that also updates on correct predictions of small margin [BF25, section 4.1].

A sample of experts, drawn by the weights, predicts like the weights wherever abs(<w, z>) is large.
The private version, `learners.winnow.algorithm`, uses this fact.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import numpy as np
from flint import arb, ctx

from learners import checked
from learners.balls import PRECISIONS, ball, certainly_le, floor, log, rational_below
from learners.bounds import MARGIN, Bound
from learners.playing.base.state import IntegerVector
from learners.playing.base.winnow import (
    WeightedLearner,
    checked_margin,
    require_features,
    signed_values,
)
from learners.playing.features import Features
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import rational
from lsclasses.options import Option, check_arguments
from lsclasses.point_names import Label, Point, check_label

RATES = 1 << 20
"""`best_rate` chooses multiples of 1/RATES, or of a smaller step for very small rates."""

LARGEST_RATE = Fraction(4)
"""The largest learning rate. For margin 1, larger rates would hardly improve the bound."""


def checked_confidence(confidence: object) -> Fraction:
    """Return a checked confidence ratio, the share of the margin that makes predictions sure."""
    value = rational(confidence, "confidence ratio")
    if not 0 <= value < 1:
        raise InvalidInput(
            f"The confidence ratio is a number in [0, 1): a prediction is sure from this part of "
            f"the margin on. Got {value}."
        )
    return value


def _drop(margin: Fraction, rate: Fraction, confidence: Fraction) -> arb:
    """Return a lower bound on the decrease of the potential at an update, in nats."""
    eta, edge = ball(rate), ball(confidence * margin)
    return ball(margin) * eta - (eta.cosh() + edge * eta.sinh()).log()


def best_rate(margin: Fraction, confidence: Fraction = Fraction(0)) -> Fraction:
    """Return the learning rate with the smallest `update_bound`: artanh(rho) - artanh(c rho).

    The rate is rounded down to a multiple of 2^-20. For small rates, a smaller step is chosen, so
    that rounding changes a rate by less than a share of 2^-10. The rate is at most 4 (for rho = 1
    it would be infinite).

    Examples
    --------
    >>> float(best_rate(Fraction(1, 5), Fraction(1, 2)))
    0.10239696502685547
    """
    margin, confidence = checked_margin(margin), checked_confidence(confidence)
    if margin == 1:
        return LARGEST_RATE
    # The rate is at least (1 - c) rho, since artanh has slopes of at least 1.
    rate = rational_below(
        lambda: ball(margin).atanh() - ball(confidence * margin).atanh(),
        max(RATES, math.ceil(1 / ((1 - confidence) * margin)) << 10),
    )
    return min(rate, LARGEST_RATE)


@check_arguments
def update_bound(
    experts: Annotated[int, Option("number of weights", minimum=1)],
    margin: Fraction,
    rate: Fraction | None = None,
    confidence: Fraction = Fraction(0),
) -> int:
    r"""Return the largest number of updates of `ConfidentWinnow` [BF25, Lemma 4.2], sharpened.

    The number is ln(experts) / (eta rho - ln(cosh eta + c rho sinh eta)). It is at most the printed
    ln(experts) / ((1 - c) eta rho - eta^2/2) if the printed bound has a meaning. At the best rate
    the denominator is the relative entropy of coins of bias (1 + rho)/2 and (1 + c rho)/2.

    Parameters
    ----------
    experts, margin
        Parameters of `winnow_bound`.
    rate : Fraction, optional
        The learning rate eta. The default is the best rate.
    confidence : Fraction
        The confidence ratio c, from 0 to 1 (exclusive).

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or the rate is so large that no bound exists.

    Examples
    --------
    >>> update_bound(20_002, Fraction(1, 5)), update_bound(20_002, Fraction(1, 5), Fraction(1, 10))
    (491, 659)
    >>> update_bound(20_002, Fraction(1, 5), confidence=Fraction(1, 2))
    1944
    """
    margin, confidence = checked_margin(margin), checked_confidence(confidence)
    rate = _checked_rate(margin, rate, confidence)
    return floor(lambda: log(experts) / _drop(margin, rate, confidence))


def _checked_rate(margin: Fraction, rate: Fraction | None, confidence: Fraction) -> Fraction:
    if rate is None:
        return best_rate(margin, confidence)
    value = checked.positive_fraction(rate, "learning rate")
    if certainly_le(lambda: _drop(margin, value, confidence), 0):
        raise InvalidInput(
            f"With the learning rate {value}, the margin {margin} and the confidence ratio "
            f"{confidence} the number of updates is not bounded. The product eta rho must exceed "
            "ln(cosh(eta) + c rho sinh(eta)). Every eta below this value suffices: "
            f"{2 * (1 - confidence) * margin}."
        )
    return value


# ---- weights exp(eta s), for integers s


def score_levels(scores: np.ndarray, balanced: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct scores in ascending order, with their numbers of experts."""
    both = np.concatenate([scores, -scores]) if balanced else scores
    levels, counts = np.unique(both, return_counts=True)
    return levels, counts


def sign_of_sum(levels: np.ndarray, counts: np.ndarray, rate: Fraction) -> int:
    """Return the sign of the sum of counts[i] exp(rate levels[i]), exactly.

    Different integer levels have linearly independent weights (Lindemann and Weierstrass), so
    that the sum is 0 only if all counts are. Otherwise balls of growing precision decide where
    floating point does not.

    Parameters
    ----------
    levels : ndarray of int, shape (levels,)
        Integers in the exponents, which must differ from each other.
    counts : ndarray of int, shape (levels,)
        Coefficients of the sum, which may be negative.
    rate : Fraction
        Rate in the exponents.

    Examples
    --------
    >>> sign_of_sum(np.array([0, 1, 2]), np.array([1, -2, 1]), Fraction(1, 10**9))
    1
    """
    kept = np.flatnonzero(counts)
    if not len(kept):
        return 0
    levels, counts = levels[kept], counts[kept]
    depths = levels.max() - levels
    # Each term has a relative error of at most |exponent| + 4 units in the last place.
    exponents = depths * float(rate)
    terms = counts * np.exp(-exponents)
    total = math.fsum(terms)
    if abs(total) > math.fsum(np.abs(terms) * (exponents + 8)) * 2.0**-52:
        return 1 if total > 0 else -1
    return _exact_sign(depths.tolist(), counts.tolist(), rate)


def _exact_sign(depths: list[int], counts: list[int], rate: Fraction) -> int:
    # Cancellation can cost as many bits as the least ratio of two weights has, again and again.
    for precision in (*PRECISIONS, *(1 << power for power in range(11, 24))):
        with ctx.workprec(precision):
            terms = (
                count * (-ball(rate * depth)).exp()
                for depth, count in zip(depths, counts, strict=True)
            )
            total = sum(terms, arb(0))
            if total > 0:
                return 1
            if total < 0:
                return -1
    raise ArithmeticError("The weighted sum is too close to 0 for its sign to be found.")


@dataclass(frozen=True)
class ConfidentWinnow(WeightedLearner):
    r"""Confident Winnow: update unless the prediction is right with confidence [BF25, Alg 4.1].

    In this learner, a feature has the value -1 or 1 (instead of 0 and 1). If there is a bias, a
    constant feature has the value 1. The vector z contains these features, followed by their
    negations if the learner is balanced. A target is a vector v >= 0 with sum 1 and y <v, z> >= rho
    for all examples, where y = -1 or 1. The weights w_j are the numbers exp(eta s_j), divided by
    their sum. The prediction is the sign of <w, z>, and **sgn(0) = +1**, so a tie is labelled 1. An
    update adds y z to the scores s. The learner updates after a mistake. It also updates after a
    right prediction with abs(<w, z>) < c rho if the adversary requests an update (the bit b of the
    paper).

    Parameters
    ----------
    features, margin, bias, balanced
        Parameters of `Winnow`.
    confidence : Fraction
        The confidence ratio c, from 0 to 1 (exclusive).
    rate : Fraction, optional
        The learning rate eta. The default is the best rate.

    Attributes
    ----------
    scores : IntegerVector
        The scores s of features and constant. Their negations have the scores -s.
    updates : int
        Updates so far. The bound on the remaining updates depends on this number.
    mistakes : int
        Mistakes so far, for information only: states with different numbers of mistakes can be
        equal.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, the rate so large that updates are not bounded, or the
        scores belong to other features.

    Notes
    -----
    *Bound.* Let W be the sum of the exp(eta s_j), which is the number N of experts at the start. At
    an update y <w, z> <= c rho, so W is multiplied by sum_j w_j exp(eta y z_j) = cosh eta + y <w,
    z> sinh eta <= g, where g = cosh eta + c rho sinh eta. For a target v, ln W >= eta <v, s> >= eta
    rho k after k updates. So r more updates require eta rho (k + r) <= ln W + r ln g, that is

        r <= (ln W - eta rho k) / (eta rho - ln g),

    and in all at most ln N / (eta rho - ln g) (`update_bound`). By Hoeffding's lemma
    ln g <= c eta rho + eta^2/2. This is [BF25, Lemma 4.2], but its hypothesis **c < 1/2 is not the
    right hypothesis**. The necessary and sufficient hypothesis is c < 1 and eta < 2 (1 - c) rho
    (the paper itself uses c = 1/2 afterwards). The bound also holds if an update adds the mean of
    several examples with y <w, z> <= c rho each, because t -> exp(eta t) is below its chord on
    [-1, 1].

    References
    ----------
    [BF25, section 4.1 and Lemma 4.2]; Littlestone 1989

    Examples
    --------
    >>> from learners.playing.features import Literals
    >>> state = ConfidentWinnow(Literals(1000, signed=True), Fraction(1, 3), Fraction(1, 2))
    >>> state.mistake_bound
    519
    >>> x = (1,) * 1000
    >>> state.predict(x), state.is_sure(x)
    (1, False)
    >>> after = state.observe(x, 1)  # right, but not sure
    >>> after.updates, after.mistakes, after.is_sure(x)
    (1, 0, True)
    >>> state.observe(x, 1, instructed=False) is state
    True
    """

    features: Features
    margin: Fraction
    confidence: Fraction = Fraction(1, 2)
    rate: Fraction | None = None
    bias: bool = False
    balanced: bool = True
    scores: IntegerVector = field(default=IntegerVector())
    updates: int = 0
    mistakes: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        set_frozen_fields(self, margin=checked_margin(self.margin))
        set_frozen_fields(self, confidence=checked_confidence(self.confidence))
        set_frozen_fields(self, rate=_checked_rate(self.margin, self.rate, self.confidence))
        require_features(self.features.count + self.bias)
        set_frozen_fields(self, scores=self.scores.filled(self.features.count + self.bias))

    @property
    def eta(self) -> Fraction:
        """The learning rate."""
        assert self.rate is not None
        return self.rate

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The bounds on the number of updates, from the start."""
        return (
            Bound(
                "[BF25, Lemma 4.2], sharpened",
                "updates",
                "log(N)/(eta*rho - log((1 + c*rho)/2*exp(eta) + (1 - c*rho)/2*exp(-eta)))",
                update_bound(self.experts, self.margin, self.eta, self.confidence),
                hypotheses=(MARGIN,),
                printed="log(d)/((1 - c)*eta*rho - eta**2/2), for c < 1/2",
            ),
        )

    @cached_property
    def mistake_bound(self) -> int | None:
        """The remaining bound on updates, or None once no target is consistent.

        Every mistake is an update.
        """
        levels, counts = score_levels(self.scores.array, self.balanced)
        top = int(levels.max())

        def room() -> arb:
            weights = (
                count * (ball(self.eta) * (level - top)).exp()
                for level, count in zip(levels.tolist(), counts.tolist(), strict=True)
            )
            # The largest weight is divided out.
            total = sum(weights, arb(0)).log() + ball(self.eta) * top
            left = total - ball(self.eta * self.margin * self.updates)
            return left / _drop(self.margin, self.eta, self.confidence)

        left = floor(room)
        return left if left >= 0 else None

    def is_sure(self, x: object) -> bool:
        """Return whether the weighted sum is at least c rho in absolute value.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain.
        """
        return self._is_sure(self.features.values(self._point(x)))

    def observe(self, x: object, y: object, instructed: bool = True) -> ConfidentWinnow:
        """Return the state after the true label y of x has been revealed.

        Parameters
        ----------
        x : point
            Point of the example.
        y : label
            Label of the example.
        instructed : bool
            Whether to update after a right prediction that was not sure.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain, or y is not a label.
        """
        return self._observe(self._point(x), check_label(y), instructed)

    def _observe(self, x: Point, y: Label, instructed: bool = True) -> ConfidentWinnow:
        values = self.features.values(x)
        mistaken = self._exceeds(values) != bool(y)
        if not mistaken and (not instructed or self._is_sure(values)):
            return self
        step = (2 * y - 1) * signed_values(values, self.bias)
        return replace(
            self,
            scores=IntegerVector.of(self.scores.array + step),
            updates=self.updates + 1,
            mistakes=self.mistakes + mistaken,
        )

    def _sums(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the distinct scores, the sums of z over their experts, and numbers of experts."""
        scores = self.scores.array
        reach = int(np.abs(scores).max())
        sums = np.zeros(2 * reach + 1, dtype=np.int64)
        np.add.at(sums, scores + reach, signed_values(values, self.bias))
        sizes = np.bincount(scores + reach, minlength=2 * reach + 1)
        if self.balanced:
            sums, sizes = sums - sums[::-1], sizes + sizes[::-1]
        return np.arange(-reach, reach + 1), sums, sizes

    def _exceeds(self, values: np.ndarray) -> bool:
        """Return whether the weighted sum of the features is at least 0."""
        levels, sums, _ = self._sums(values)
        return sign_of_sum(levels, sums, self.eta) >= 0

    def _is_sure(self, values: np.ndarray) -> bool:
        levels, sums, sizes = self._sums(values)
        edge = self.confidence * self.margin
        p, q = edge.numerator, edge.denominator
        # <w, z> >= p/q and <w, z> <= -p/q, where w is normalized.
        return any(
            sign_of_sum(levels, side * q * sums.astype(object) - p * sizes.astype(object), self.eta)
            >= 0
            for side in (1, -1)
        )

    def _weights(self) -> Hashable:
        return self.features, self.eta, self.bias, self.balanced, self.scores
