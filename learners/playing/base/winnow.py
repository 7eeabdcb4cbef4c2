"""Winnow: multiplicative weights for halfspaces with a large margin and for short disjunctions.

All weights are exact. A weight is a product of powers of two factors, and only the exponents are
kept.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, ctx

from learners import checked
from learners.balls import ball, log
from learners.playing.base.state import ConservativeLearner, IntegerVector, ValueRule
from learners.playing.features import Features
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import rational
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point


class WeightedVote(ValueRule):
    """A linear threshold function of features: 1 if and only if a weighted sum is large enough.

    Parameters
    ----------
    state : WeightedLearner
        Learner whose weights vote, and which defines the threshold.
    """

    __slots__ = ("_state", "features")

    def __init__(self, state: WeightedLearner) -> None:
        self._state = state
        self.features = state.features

    def _label_by(self, values: np.ndarray) -> Label:
        return int(self._state._exceeds(values))

    def _description(self) -> Hashable:
        return "weights", self._state._weights()

    def __repr__(self) -> str:
        return f"<Weighted vote of {self._state.features!r}>"


class WeightedLearner(MistakeBounded):
    """A linear learner with a weight for each feature, and for its negation if balanced.

    Attributes
    ----------
    features : Features
        Features of the points.
    bias : bool
        Whether a feature that is always 1 is added.
    balanced : bool
        Whether each feature also has a negated copy.
    """

    features: Features
    bias: bool
    balanced: bool

    @property
    def experts(self) -> int:
        """The number of weights of the linear learner."""
        return (1 + self.balanced) * (self.features.count + self.bias)

    @cached_property
    def hypothesis(self) -> WeightedVote:
        """The halfspace that predicts in this state."""
        return WeightedVote(self)

    @abstractmethod
    def _exceeds(self, values: np.ndarray) -> bool:
        """Return whether the vote on these features is for the label 1."""

    @abstractmethod
    def _weights(self) -> Hashable:
        """Return a key that identifies the weights."""


def signed_values(values: np.ndarray, bias: bool) -> np.ndarray:
    """Return feature values as -1 and 1, followed by 1 if there is a bias."""
    signs = 2 * values.astype(np.int64) - 1
    return np.append(signs, 1) if bias else signs


def checked_margin(margin: object) -> Fraction:
    """Return a margin as a fraction in (0, 1]."""
    value = rational(margin, "margin")
    if not 0 < value <= 1:
        raise InvalidInput(f"A margin is a number in (0, 1]. Got {value}.")
    return value


def require_features(count: int) -> None:
    """Refuse a number of features that is 0."""
    if count < 1:
        raise InvalidInput("Winnow needs at least one feature. Got none.")


def winnow_bound(experts: int, margin: Fraction) -> int:
    r"""Return the mistake bound of `Winnow`: ln(experts) / KL((1 + rho)/2 || 1/2).

    The divergence of two coins is ((1 + rho) ln(1 + rho) + (1 - rho) ln(1 - rho))/2, which is at
    least rho^2/2. So the bound is at most 2 ln(experts) / rho^2.

    Parameters
    ----------
    experts : int
        The number of weights.
    margin : Fraction
        Margin rho, from 0 (exclusive) to 1.

    Examples
    --------
    >>> winnow_bound(20_002, Fraction(1, 5)), winnow_bound(1024, Fraction(1))
    (491, 10)
    """
    return _most(lambda: log(experts), margin, experts)


def _most(weight: Callable[[], arb], margin: Fraction, size: int) -> int:
    """The largest integer that is not surely more than ln W / K, given ln W; rounding only adds.

    K is at least rho^2/2, so that 4 log2(1/rho) bits are needed for the quotient to be known to
    less than one; `size` is about W or more.
    """
    digits = margin.denominator.bit_length() + size.bit_length().bit_length()
    with ctx.workprec(128 + 4 * digits):
        most = (weight() / _divergence(margin)).upper().floor().unique_fmpz()
    assert most is not None
    return int(most)


def _divergence(margin: Fraction) -> arb:
    """KL((1 + rho)/2 || 1/2), in nats, to the precision that is set."""
    shares = [ball(share) for share in (1 + margin, 1 - margin) if share]
    return sum((share * share.log() for share in shares), arb(0)) / 2


@dataclass(frozen=True)
class Winnow(WeightedLearner, ConservativeLearner):
    r"""Balanced Winnow: an online learner of halfspaces with a margin over features.

    Let z be the vector of the features of a point, with entries -1 and 1 (instead of 0 and 1), and
    let y = -1 or 1 be the label. With `bias`, a constant feature 1 is added. A target is a vector v
    such that the absolute values of its entries have the sum 1, and y <v, z> >= rho for all
    examples. The learner has two weights for each feature, for z_i and for -z_i, which start at 1.
    It predicts the sign of the weighted sum of all z_i and -z_i, where 0 counts as -1. On a mistake
    the learner multiplies the weight for z_i by 1 + rho y z_i and the weight for -z_i by 1 - rho y
    z_i.

    Parameters
    ----------
    features : Features
        Features of points.
    margin : Fraction
        Margin rho of the target, from 0 (exclusive) to 1.
    bias : bool
        Whether a constant feature is added, to which the target may give weight.
    balanced : bool
        Whether the target may have negative entries. Otherwise, the learner has only the weight for
        z_i for each feature.

    Attributes
    ----------
    agreements : IntegerVector
        For each feature, the number of mistakes at which the feature had the sign of the label.
    mistakes : int
        Number of mistakes so far. The weights depend on this number.

    Raises
    ------
    InvalidInput
        If the margin is not in the allowed range, or is a float, or the length of `agreements` is
        not the number of features.

    Notes
    -----
    *Bound.* Let w be the vector of all d weights, W their sum, and z the vector of all z_i and
    -z_i. A mistake changes W to W + rho y <w, z> <= W. Let v be the target. Move the weight of each
    negative entry to -z_i, so that v is nonnegative. By concavity of the logarithm and of t -> ln(1
    + rho t) on [-1, 1],

        ln W >= sum_i v_i ln w_i  =  sum over mistakes of  sum_i v_i ln(1 + rho y z_i)
             >= sum over mistakes of  (1 + y <v,z>)/2 ln(1 + rho) + (1 - y <v,z>)/2 ln(1 - rho),

    and each term of the last sum is at least K = KL((1 + rho)/2 || 1/2), as y <v, z> >= rho. So m
    mistakes require m K <= ln W <= ln d. Hence the number of mistakes is at most M = ln d / K,
    which is less than 2 ln d / rho^2. After m mistakes, at most ln W / K - m further mistakes are
    possible, where W is the present sum.

    The update equals the update of [BF25, Lemma 4.2] with c = 0 and the best learning rate, eta =
    artanh(rho), because the ratio of the factors 1 + rho and 1 - rho is e^(2 eta). For rational rho
    all weights are rational.

    References
    ----------
    Littlestone 1988; Littlestone 1989 (balanced version); [BF25, section 4]

    Examples
    --------
    In the example, the targets are majorities of three of 10 000 variables:

    >>> from learners.playing.features import Literals
    >>> state = Winnow(Literals(10_000, signed=True), Fraction(1, 3))
    >>> state.mistake_bound
    174
    >>> x = (1,) * 10_000
    >>> state.predict(x), state.observe(x, 1).predict(x)
    (0, 1)
    """

    features: Features
    margin: Fraction
    bias: bool = False
    balanced: bool = True
    agreements: IntegerVector = field(default=IntegerVector())
    mistakes: int = 0

    def __post_init__(self) -> None:
        set_frozen_fields(self, margin=checked_margin(self.margin))
        require_features(self.features.count + self.bias)
        entries = self.features.count + self.bias
        set_frozen_fields(self, agreements=self.agreements.filled(entries))

    @cached_property
    def mistake_bound(self) -> int | None:
        """The bound on further mistakes, or None once no target is consistent with the examples.

        The bound follows from the present weights. It is at most the bound at the start
        (`winnow_bound`) minus the number of mistakes so far.
        """
        counts = np.bincount(self.agreements.array, minlength=self.mistakes + 1)
        total = self._homogeneous(counts + counts[::-1] if self.balanced else counts)
        if not total:
            return None

        def weight() -> arb:
            # The weights are products of 1 + rho and 1 - rho, times denominator ** mistakes.
            return log(total) - self.mistakes * log(self.margin.denominator)

        left = _most(weight, self.margin, total) - self.mistakes
        return left if left >= 0 else None

    def _exceeds(self, values: np.ndarray) -> bool:
        """Return whether the weighted sum of the features is positive."""
        # Features with equal weights are summed first: of weight (1+rho)^a (1-rho)^(m-a), by a.
        counts = np.zeros(self.mistakes + 1, dtype=np.int64)
        np.add.at(counts, self.agreements.array, signed_values(values, self.bias))
        if self.balanced:
            counts -= counts[::-1].copy()
        return self._sign(counts) > 0

    def _sign(self, counts: np.ndarray) -> int:
        """Return the sign of a sum of integer multiples of weights, in floats where it is sure.

        All terms are divided by the largest weight that occurs. Each is computed with a relative
        error of at most m + 4 units in the last place, and `math.fsum` rounds their sum once.
        """
        powers = np.flatnonzero(counts)
        if not len(powers):
            return 0
        if self.margin == 1:
            # Weights are 0 but for features that agreed with every label.
            return int(np.sign(counts[-1]))
        ratio = float((1 - self.margin) / (1 + self.margin))
        terms = counts[powers] * np.power(ratio, (powers[-1] - powers).astype(np.float64))
        total = math.fsum(terms)
        if abs(total) > math.fsum(np.abs(terms)) * (self.mistakes + 8) * 2.0**-52:
            return 1 if total > 0 else -1
        exact = self._homogeneous(counts)
        return (exact > 0) - (exact < 0)

    def _homogeneous(self, counts: np.ndarray) -> int:
        """Return the sum over a of counts[a] p^a q^(m-a), where p/q = (1 + rho)/(1 - rho)."""
        p = self.margin.denominator + self.margin.numerator
        q = self.margin.denominator - self.margin.numerator
        total, power = 0, 1
        for count in reversed(counts.tolist()):
            total = total * p + count * power
            power *= q
        return total

    def to_json(self, start: Winnow) -> dict[str, Any]:
        """Return the state as JSON values: `agreements` and the number of mistakes."""
        return {"agreements": self.agreements.array.tolist(), "mistakes": self.mistakes}

    def from_json(self, data: Any) -> Winnow:
        """Return the state that `Winnow.to_json` wrote, with the parameters of `self`."""
        agreements = IntegerVector.of(np.array(data["agreements"]))
        mistakes = checked.nonnegative(data["mistakes"], "number of mistakes")
        return replace(self, agreements=agreements, mistakes=mistakes)

    def _corrected(self, x: Point, y: Label) -> Winnow:
        agrees = signed_values(self.features.values(x), self.bias) == 2 * y - 1
        agreements = IntegerVector.of(self.agreements.array + agrees)
        return replace(self, agreements=agreements, mistakes=self.mistakes + 1)

    def _weights(self) -> Hashable:
        return self
