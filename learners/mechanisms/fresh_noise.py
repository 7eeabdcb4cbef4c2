"""Reporting up to r numbers that reach a threshold, with fresh noise only.

The threshold itself gets no noise. So a question can be skipped, or asked about another data set,
without a change of the other answers. [KMMNS23] build on this property. The privacy guarantee then
needs a positive delta, and its proof follows the privacy loss from question to question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np
from flint import arb
from numpy.typing import NDArray

from learners.accounting import ApproximateDP, Event, Scope, checked_neighbours
from learners.balls import ball, certainly_le, log, rational_above
from learners.checked import Delta, Epsilon, Failure, Questions, Reports, Sensitivity, Threshold
from learners.coins import Coins
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.runs import StreamMechanism, StreamRun
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.options import check_arguments, check_fields

STEP = 16
"""Denominator of noise scales, which are rounded up to multiples of 1/16."""

LARGEST_CALIBRATED = 1 << 15
"""The largest value of `closed_scale` for which `calibrated_scale` searches for a smaller scale.
The search takes some seconds at this size."""


@check_arguments
def closed_scale(epsilon: Epsilon, delta: Delta, reports: Reports) -> Fraction:
    """Return the scale max(8 ln(1/delta), 4.4 sqrt(r ln(1/delta))) / epsilon, rounded up.

    The scale is for sensitivity 1. `FreshNoiseThreshold` proves that it suffices, for
    epsilon <= ln(1/delta).

    Raises
    ------
    InvalidInput
        If epsilon exceeds ln(1/delta), one of them is out of range, or no report is allowed.

    Examples
    --------
    >>> float(closed_scale(Fraction(1), Fraction(1, 10**6), 50))
    115.6875
    """
    _require_covered(epsilon, delta)
    linear = rational_above(lambda: -8 * log(delta) / ball(epsilon), STEP)
    root = rational_above(
        lambda: ball(Fraction(22, 5)) * (-reports * log(delta)).sqrt() / ball(epsilon), STEP
    )
    return max(linear, root)


def _require_covered(epsilon: Fraction, delta: Fraction) -> None:
    if not certainly_le(lambda: ball(epsilon) + log(delta), 0):
        raise InvalidInput(
            "The proof needs epsilon <= ln(1/delta). "
            f"Got epsilon = {format_number(epsilon, exact=10**4)} and delta = "
            f"{format_number(delta, 3)}."
        )


@lru_cache(maxsize=256)
@check_arguments
def calibrated_scale(epsilon: Epsilon, delta: Delta, reports: Reports) -> Fraction:
    """Return nearly the least scale that satisfies the inequality below, at sensitivity 1.

    `FreshNoiseThreshold` is (epsilon, delta)-DP with noise of scale 1/a as soon as some order k > 0
    satisfies the following inequality. Here r is `reports`, and the proof of that class defines
    s(k, a):

        r s(k, a) - k epsilon + k ln k - (1 + k) ln(1 + k) <= ln delta.

    A search in floating point finds the scale and k. A check with balls then proves the inequality
    for every position of the threshold. The result is at most `closed_scale`. It equals
    `closed_scale` if that number exceeds 2^15, because the check would take minutes.

    Raises
    ------
    InvalidInput
        If epsilon exceeds ln(1/delta), one of them is out of range, or no report is allowed.

    Examples
    --------
    >>> float(calibrated_scale(Fraction(1), Fraction(1, 10**6), 50))
    56.5625
    """
    _require_covered(epsilon, delta)
    closed = closed_scale(epsilon, delta, reports)
    if closed > LARGEST_CALIBRATED:
        return closed
    low, high = 0.0, float(closed)
    while high - low > high / 200:
        middle = (low + high) / 2
        if _best_order(1 / middle, float(epsilon), float(delta), reports)[0] <= 0:
            high = middle
        else:
            low = middle
    scale = Fraction(-int(-high * STEP // 1), STEP)
    while scale < closed:
        excess, order = _best_order(float(1 / scale), float(epsilon), float(delta), reports)
        chosen = Fraction(order).limit_denominator(1000)
        if excess < 0 and _suffices(scale, chosen, epsilon, delta, reports):
            return scale
        scale += Fraction(1, STEP)
    return closed


def _best_order(a: float, epsilon: float, delta: float, reports: int) -> tuple[float, float]:
    """Return the least left side minus ln(delta), and its order, in floating point."""
    thresholds = np.unique(np.rint(np.linspace(-12 / a, 12 / a, 801)))
    best = (np.inf, 1.0)
    low, high = 1e-3, 0.69 / a
    for _ in range(3):
        grid = np.geomspace(low, high, 24)
        values = [
            reports * _potential(order, a, thresholds)
            - order * epsilon
            + order * np.log(order)
            - (1 + order) * np.log1p(order)
            - np.log(delta)
            for order in grid
        ]
        at = int(np.argmin(values))
        best = min(best, (float(values[at]), float(grid[at])))
        low, high = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
    return best


def _potential(order: float, a: float, thresholds: NDArray[np.float64]) -> float:
    """Return the largest s(order, a) over the given thresholds, in floating point."""

    def reach(m: NDArray[np.float64]) -> NDArray[np.float64]:
        # ln P[Z >= m]. By symmetry, ln P[Z < m] is reach(1 - m).
        far = -a * np.where(m >= 1, m, 1 - m) - np.log1p(np.exp(-a))
        logs: NDArray[np.float64] = np.where(m >= 1, far, np.log1p(-np.exp(far)))
        return logs

    yes, no = reach(thresholds), reach(1 - thresholds)
    worst = 0.0
    for shift in (1, -1):
        ones = (1 + order) * yes - order * reach(thresholds + shift)
        zeros = (1 + order) * no - order * reach(1 - thresholds - shift)
        if (zeros >= 0).any():
            return float("inf")
        worst = max(worst, float((ones - np.log(-np.expm1(zeros))).max()))
    return worst


def _suffices(
    scale: Fraction, order: Fraction, epsilon: Fraction, delta: Fraction, reports: int
) -> bool:
    """Return whether the inequality of `calibrated_scale` surely holds at this scale and order."""

    def left() -> arb:
        k = ball(order)
        return (
            reports * _sure_potential(scale, k)
            - k * ball(epsilon)
            + k * k.log()
            - (1 + k) * (1 + k).log()
            - log(delta)
        )

    return certainly_le(left, 0)


def _sure_potential(scale: Fraction, k: arb) -> arb:
    """Return a ball that is at least s(k, 1/scale) for every integer threshold and both neighbours.

    The function tries all thresholds up to 20 scales from the value. Beyond this distance, one
    answer has a probability of at most u = exp(-20), and ln(1 - x) >= -x - x^2 bounds s.
    """
    a = 1 / ball(scale)
    reach = -(-20 * scale // 1)
    normal = (1 + (-a).exp()).log()
    far = [-a * m - normal for m in range(1, reach + 3)]
    near = [(-value.exp()).log1p() for value in far]

    def log_at_least(m: int) -> arb:
        return far[m - 1] if m >= 1 else near[-m]

    worst = arb(0)
    for shift in (1, -1):
        for m in range(-reach, reach + 1):
            ones = (1 + k) * log_at_least(m) - k * log_at_least(m + shift)
            zeros = (1 + k) * log_at_least(1 - m) - k * log_at_least(1 - m - shift)
            worst = worst.max(ones - (-zeros.expm1()).log())
        # Reports are rare (p <= u, p' = ratio p), or all others are (1 - p <= u).
        ratio, u = (-a * shift).exp(), far[reach - 1].exp()
        slope = 1 + k - k * ratio
        rare = k * a * shift - (slope - k * ratio**2 * u).log() - (1 - u * slope / 2).log()
        common = k * (u / ratio + (u / ratio) ** 2) - (1 - u * ratio**k).log()
        worst = worst.max(rare).max(common)
    return worst


@dataclass(frozen=True)
class FreshNoiseThreshold(StreamMechanism[bool, "FreshNoiseRun"]):
    """A private mechanism that reports up to r numbers of a stream that noisily reach a threshold.

    Every number is the answer to a question about the data. It gets fresh discrete Laplace noise,
    and the threshold gets no noise. The mechanism *reports* the number if its sum with the noise
    reaches the threshold. After r reports the run halts. The number of questions is unlimited.

    **Guarantee.** For epsilon <= ln(1/delta), the run is (epsilon, delta)-DP for adaptively chosen
    questions whose answers differ by at most the sensitivity D on neighbouring inputs, if the noise
    has the scale

        (D/epsilon) max(8 ln(1/delta), 4.4 sqrt(r ln(1/delta))),

    or the scale of `calibrated_scale`, which is about half as large or less.

    **Proof.** Let a = D/scale and k > 0.

    *One question.* Let its number be reported with probability p on one input and p' on its
    neighbour. The ratios p/p' and (1-p)/(1-p') lie between e^-a and e^a. Let L be the privacy loss
    of the answer "reported" or "not reported". Let s = s(k, a) be the supremum of the following
    term over the pairs (p, p') of all numbers and their neighbouring numbers:

        ln[ p (p/p')^k / (1 - (1-p) ((1-p)/(1-p'))^k) ].

    Then E[exp(k L - s 1[reported])] = e^-s p (p/p')^k + (1-p) ((1-p)/(1-p'))^k <= 1.

    *All questions.* So exp(k (sum of losses) - s (number of reports)) is a supermartingale, and
    as there are at most r reports, E[exp(k loss)] <= e^(s r) for the whole transcript. The
    transcript is (epsilon, delta)-DP for delta = E[(1 - e^(epsilon - loss))_+], and
    (1 - e^-x)_+ <= c e^(k x) with c = k^k/(1+k)^(1+k), the largest value of (1 - e^-x) e^(-k x).
    This gives the inequality of `calibrated_scale`.

    *The potential*, for a <= 1/4 and k a <= 1/4: s <= 3.12 k (k+1) a^2. Let x, y be the losses of
    the two answers and R = E[e^(k L)] = p e^(k x) + (1-p) e^(k y). As E[e^-L] = 1, R - 1 is the
    expectation of f(L) with f(z) = e^(k z) - 1 + k (e^-z - 1), f(0) = f'(0) = 0, and
    f'' <= k^2 e^(k a) + k e^a. So R - 1 <= (k^2 e^(k a) + k e^a) E[L^2]/2. Next,
    E[L^2] <= 3.13 a^2 p: if p > 1/2 because L^2 <= a^2; otherwise because
    |y| <= |p - p'|/min(1-p, 1-p') <= (e^a - 1) e^a p/(1-p), so that E[L^2] <=
    p a^2 + p (e^a - 1)^2 e^(2a). Finally s = -ln(1 - t) with t = (R - 1)/(p e^(k x)) <=
    2.58 k (k+1) a^2 <= 0.323, and -ln(1 - t) <= 1.21 t.

    *The scale.* Take k = 2 ln(1/delta)/epsilon, which is at least 2. The condition
    a <= epsilon/(8 ln(1/delta)) makes a <= 1/8 and k a <= 1/4, and
    a <= epsilon/(4.4 sqrt(r ln(1/delta))) makes r s <= 3.12 * 1.5 r k^2 a^2 <= 0.97 ln(1/delta).
    So r s - k epsilon <= -1.03 ln(1/delta).

    **Accuracy.** Over T questions, with probability 1 - failure, all answers are right for numbers
    that differ from the threshold by more than noise_bound(scale, failure/T).

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Privacy cost of a run.
    reports : int
        Number r of reports, at least 1.
    threshold : int
        Threshold without noise.
    sensitivity : int
        Largest change of a number between neighbouring inputs.
    calibrated : bool
        Whether to use the smaller scale of `calibrated_scale` (sensitivity 1 only).
    neighbours : {"replace_one", "add_remove"}
        The relation under which the sensitivity holds.

    Raises
    ------
    InvalidInput
        If epsilon exceeds ln(1/delta), or a parameter is out of range or a float.

    References
    ----------
    [KMMNS23, Alg 1] has noise of scale c sqrt(r) ln(r/delta)/epsilon with an unspecified constant
    c. The constant 8 is enough, and the constant 1 is not.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = FreshNoiseThreshold(1, Fraction(1, 10**6), reports=2, threshold=1000)
    >>> mechanism.answers([3, 2000, 20, 1900, 7], SeededCoins(1))
    (False, True, False, True)
    >>> float(mechanism.scale), float(replace(mechanism, calibrated=True).scale)
    (110.5625, 21.75)
    """

    epsilon: Epsilon
    delta: Delta
    reports: Reports
    threshold: Threshold
    sensitivity: Sensitivity = 1
    calibrated: bool = False
    neighbours: str = "replace_one"

    cost: ClassVar[str] = "epsilon and delta"

    def __post_init__(self) -> None:
        check_fields(self)
        _require_covered(self.epsilon, self.delta)
        checked_neighbours(self.neighbours)
        if self.calibrated and self.sensitivity != 1:
            raise InvalidInput(
                "The calibrated scale needs sensitivity 1. "
                f"Got sensitivity {self.sensitivity}. Use the closed form."
            )

    @cached_property
    def scale(self) -> Fraction:
        """The scale of the noise of every number."""
        chosen = calibrated_scale if self.calibrated else closed_scale
        return self.sensitivity * chosen(self.epsilon, self.delta, self.reports)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run, from its start to its last report."""
        return ApproximateDP(
            self.epsilon,
            self.delta,
            name="fresh-noise threshold",
            scope=Scope.adaptive(self.neighbours),
        )

    def start(self, coins: Coins) -> FreshNoiseRun:
        """Return a new run. No randomness is drawn before the first question."""
        return FreshNoiseRun(self, self.reports)

    @check_arguments
    def accuracy(self, questions: Questions, failure: Failure) -> int:
        """Return the error a: with probability 1 - failure, no answer is wrong by more than a."""
        return noise_bound(self.scale, failure / questions)


@dataclass(frozen=True)
class FreshNoiseRun(StreamRun[FreshNoiseThreshold, bool]):
    """A run of `FreshNoiseThreshold`, with its number of remaining reports (not secret)."""

    remaining: int

    @property
    def halted(self) -> bool:
        """Whether the run has made all its reports, so that it has halted."""
        return self.remaining == 0

    def _ask(self, value: int, coins: Coins) -> tuple[bool, FreshNoiseRun]:
        reported = coins.at_least(value, self.mechanism.scale, self.mechanism.threshold)
        return reported, replace(self, remaining=self.remaining - 1) if reported else self
