"""Private tests of a stream of numbers for the first numbers that reach a threshold.

The numbers may be chosen adaptively, each after the answers to the numbers before it. The method
`start` of a mechanism draws a noisy threshold and returns a run, an immutable state that answers
one number at a time: ``answer, run = run.ask(value, coins)``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Annotated

from flint import arb

from learners.accounting import (
    Event,
    PureDP,
    Scope,
    SelfComposed,
    checked_neighbours,
    largest_parameter,
    zcdp_rho,
)
from learners.balls import ball, ceiling, certainly_le, log, rational_below
from learners.checked import (
    Delta,
    Epsilon,
    Failure,
    Questions,
    Reports,
    Rounds,
    Sensitivity,
    Threshold,
)
from learners.coins import Coins
from learners.mechanisms.noise import difference_bound, noise_bound
from learners.mechanisms.runs import StreamMechanism, StreamRun
from learners.number_arguments import least_integer
from learners.states import require_own
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer
from lsclasses.options import Option, check_arguments, check_fields


@dataclass(frozen=True)
class AboveThreshold(StreamMechanism[bool, "AboveThresholdRun"]):
    """The sparse vector technique: answer "below" until a number noisily reaches a threshold.

    The threshold gets discrete Laplace noise of scale 2 sensitivity/epsilon once. Every number gets
    fresh noise of twice this scale. After the first answer "reached" the run halts.

    **Guarantee.** The run is (epsilon, 0)-DP, for any number of adaptively chosen numbers, each of
    which changes by at most the sensitivity D between neighbouring inputs.

    **Proof.** Let v_1, v_2, ... be the numbers and v'_i the numbers of a neighbour, with |v_i -
    v'_i| <= D. After equal answers the adversary asks equal questions. Take a transcript with
    "reached" at step n and fix the noisy threshold at t. Its probability is A(t) B(t), with A(t) =
    prod_{i<n} P[v_i + N_i < t] and B(t) = P[v_n + N_n >= t]. For the neighbour take t + D. Then
    A'(t + D) >= A(t), since v'_i < v_i + D. And B'(t + D) >= exp(-epsilon/2) B(t), since the noise
    N_n must exceed a bound that is higher by at most 2D, at scale 4D/epsilon. The noisy threshold t
    + D has at least exp(-epsilon/2) times the probability of t, at scale 2D/epsilon. Sum over t.
    For a transcript without "reached", omit the factor B.

    **Accuracy.** For T numbers, with probability 1 - failure, "reached" is answered only at numbers
    >= threshold - a and "below" only at numbers < threshold + a, where a = noise_bound(2D/epsilon,
    failure/2) + noise_bound(4D/epsilon, failure/(2T)). This is sharper than the 8 (ln T +
    ln(2/failure)) D/epsilon of [LWY25, Thm 2.5] and [BF25, Lemma 4.3].

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost epsilon of a run.
    threshold : int
        Threshold without noise.
    sensitivity : int
        Largest change D of a number between neighbouring inputs.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation under which the sensitivity holds.

    Raises
    ------
    InvalidInput
        If epsilon or the sensitivity is not positive, or a number is a float.

    References
    ----------
    Dwork, Naor, Reingold, Rothblum and Vadhan 2009; Lyu, Su and Li 2017 for errors in variants;
    [LWY25, Thm 2.5]; [BF25, Lemma 4.3], whose AddQuery and TestAboveThr are `ask`.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = AboveThreshold(1, threshold=50)
    >>> mechanism.answers([3, 20, 100, 7], SeededCoins(1))
    (False, False, True)
    >>> mechanism.accuracy(100, Fraction(1, 20))
    40
    """

    epsilon: Epsilon
    threshold: Threshold
    sensitivity: Sensitivity = 1
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @cached_property
    def threshold_scale(self) -> Fraction:
        """The scale of the threshold's noise."""
        return 2 * self.sensitivity / self.epsilon

    @cached_property
    def query_scale(self) -> Fraction:
        """The scale of the noise of every number."""
        return 4 * self.sensitivity / self.epsilon

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run, from the start until the run halts."""
        return PureDP(self.epsilon, name="above threshold", scope=Scope.adaptive(self.neighbours))

    def start(self, coins: Coins) -> AboveThresholdRun:
        """Return a new run of the mechanism, with a new noisy threshold."""
        return AboveThresholdRun(self, self.threshold + coins.laplace(self.threshold_scale))

    @check_arguments
    def accuracy(self, questions: Questions, failure: Failure) -> int:
        """Return the error a: with probability 1 - failure, no answer is wrong by more than a."""
        return noise_bound(self.threshold_scale, failure / 2) + noise_bound(
            self.query_scale, failure / (2 * questions)
        )


@dataclass(frozen=True)
class AboveThresholdRun(StreamRun[AboveThreshold, bool]):
    """A run of `AboveThreshold`, with its noisy threshold (secret) and whether it has halted."""

    noisy_threshold: int
    halted: bool = False

    def _ask(self, value: int, coins: Coins) -> tuple[bool, AboveThresholdRun]:
        reached = coins.at_least(value, self.mechanism.query_scale, self.noisy_threshold)
        return reached, replace(self, halted=True) if reached else self


@dataclass(frozen=True)
class CumulativeAboveThreshold(StreamMechanism[bool, "CumulativeRun"]):
    """A private test for the time when the number of ones in a stream reaches the threshold.

    One changed bit moves all later sums of bits in one direction. So discrete Laplace noise of
    scale 1/epsilon suffices for the threshold and for every sum, a half and a quarter of the scales
    of `AboveThreshold`.

    **Guarantee.** The run is (epsilon, 0)-DP, for adaptively chosen bits of which one may differ.

    **Proof.** Let the streams differ at time s, with sums S_t and S'_t = S_t for t < s, S'_t = S_t
    + 1 for t >= s. Fix the noisy threshold at r and take a transcript with "reached" at time n:
    A(r) = prod_{t<n} P[S_t + N_t < r], B(r) = P[S_n + N_n >= r]. If n < s the distributions agree.
    From S to S': A'(r + 1) >= A(r) and, as n >= s, B'(r + 1) = B(r). The threshold r + 1 has at
    least exp(-epsilon) times the probability of r. From S' to S: A(r) >= A'(r), without a shift,
    and B(r) >= exp(-epsilon) B'(r), from the noise of S_n. A transcript without "reached" has no
    factor B. So each direction needs only one of the two noises.

    **Accuracy.** Over T bits, with probability 1 - failure, "reached" is answered only at sums >=
    threshold - a and "below" only at sums < threshold + a, where a = noise_bound(1/epsilon,
    failure/2) + noise_bound(1/epsilon, failure/(2T)). One-sided bounds are sharper. *Early:* in all
    of T rounds, the noise of the sum exceeds the noise of the threshold by at most `early`. *Late:*
    consider the first round in which the sum is threshold + m. If all earlier answers are "below",
    the number of this round does not depend on the noise. So "below" in this round means that one
    difference of two noises exceeds m, for any number of rounds.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of a run.
    threshold : int
        Number of ones that the test detects, without noise.
    neighbours : {"replace_one", "add_remove"}
        Whether a bit is replaced, or an item is present (its bit is 1) or absent (its bit is 0).

    Raises
    ------
    InvalidInput
        If epsilon is not positive, a number is a float, or the relation is unknown.

    References
    ----------
    [LWY25, Thm 2.5] uses the mechanism in this form. The constants are proved above.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = CumulativeAboveThreshold(1, threshold=5)
    >>> len(mechanism.answers([1] * 100, SeededCoins(2)))
    4
    >>> mechanism.accuracy(100, Fraction(1, 20))
    12
    """

    epsilon: Epsilon
    threshold: Threshold
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @cached_property
    def scale(self) -> Fraction:
        """The scale of the noise of all thresholds and sums."""
        return 1 / self.epsilon

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run, from its start to its halt."""
        return PureDP(
            self.epsilon, name="cumulative above threshold", scope=Scope.adaptive(self.neighbours)
        )

    def start(self, coins: Coins) -> CumulativeRun:
        """Return a new run with a new noisy threshold."""
        return CumulativeRun(self, self.threshold + coins.laplace(self.scale))

    @check_arguments
    def accuracy(self, rounds: Rounds, failure: Failure) -> int:
        """Return the error a: with probability 1 - failure, no answer is wrong by more than a."""
        return noise_bound(self.scale, failure / 2) + noise_bound(
            self.scale, failure / (2 * rounds)
        )

    @check_arguments
    def early(self, rounds: Rounds, failure: Failure) -> int:
        """Return an m with P["reached" at a sum below threshold - m] <= failure.

        The bound holds for `rounds` rounds and all streams, including adaptive streams.

        Examples
        --------
        >>> CumulativeAboveThreshold(1, threshold=50).early(1000, Fraction(1, 20))
        13
        """
        # One side of a noise is exceeded half as often as both sides.
        return noise_bound(self.scale, failure) + noise_bound(self.scale, failure / rounds)

    @check_arguments
    def late(self, failure: Failure) -> int:
        """Return the least m with P[no "reached" before the sum passes threshold + m] <= failure.

        The number of ones before "reached" is at most threshold + m, for adaptive streams of every
        length.

        Examples
        --------
        >>> CumulativeAboveThreshold(1, threshold=50).late(Fraction(1, 10**6))
        15
        """
        return difference_bound(self.scale, failure)


@dataclass(frozen=True)
class CumulativeRun(StreamRun[CumulativeAboveThreshold, bool]):
    """A run of `CumulativeAboveThreshold`, with its noisy threshold and its sum (both secret)."""

    noisy_threshold: int
    total: int = 0
    halted: bool = False

    def _ask(self, value: int, coins: Coins) -> tuple[bool, CumulativeRun]:
        total = self.total + _bit(value)
        reached = coins.at_least(total, self.mechanism.scale, self.noisy_threshold)
        return reached, CumulativeRun(self.mechanism, self.noisy_threshold, total, reached)


@dataclass(frozen=True)
class OneSidedThreshold(StreamMechanism[bool, "OneSidedRun"]):
    """A private test for the time when a stream has about r ones, with one-sided noise.

    Let x = exp(-epsilon). The threshold r is raised once by a secret G >= 0 with P[G = g] = (1 - x)
    x^g. Below, r includes this raise. In every round, let S be the number of ones so far. The
    answer is "reached" with probability h(r - S), for h(m) = min(1, x^m), and "below" otherwise. So
    from r ones on, "reached" is certain. The noises of `CumulativeAboveThreshold` are two-sided.

    **Guarantee.** The run is (epsilon, 0)-DP, for adaptively chosen bits of which one may differ.

    **Proof.** Let the streams differ at time s, with sums S_t and S'_t = S_t for t < s, S'_t =
    S_t + 1 for t >= s. On equal answers the adversary asks the same questions. Fix r and take a
    transcript with "reached" at time n. Its probability is A(r) B(r), with
    A(r) = prod_{t<n} (1 - h(r - S_t)) and B(r) = h(r - S_n). If n < s the distributions agree.
    From S to S': A'(r + 1) >= A(r), as h falls, and B'(r + 1) = B(r). The threshold r + 1 has
    exactly x times the probability of r, for every r of positive probability. From S' to S, with
    the same r: A(r) >= A'(r), and B(r) >= x B'(r) because h(m) >= x h(m - 1). A transcript without
    "reached" has no factor B. QED

    **Rising thresholds.** The threshold may rise by `rise` in the rounds `first`, 2 `first`, 4
    `first`, ..., at most `times` times, so that early answers are rare in long runs. The schedule
    is public, and the threshold rises equally for both streams. So the proof holds with r + R_t
    instead of r in round t, where R_t is the sum of the rises up to round t.

    **Accuracy.** "Reached" is answered at the r-th bit 1 at the latest (in the first round if r <=
    0). If the threshold rises, replace r by r + R_T for T rounds. `late` bounds the sum of the
    raises G of several thresholds. "Reached" is answered at a sum of at most r - a only in a round
    whose coin, uniform in [0, 1], is below x^a. Such *early* rounds are independent of each other
    and of all other events. `early` bounds their number.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of a run.
    threshold : int
        Number r of ones, before it is raised.
    neighbours : {"replace_one", "add_remove"}
        Whether a bit is replaced, or an item is present (its bit is 1) or absent (its bit is 0).
    rise : int
        Increase of the threshold in the rounds first, 2 first, 4 first, ...
    first : int
        Round of the first increase, at least 1.
    times : int
        Largest number of increases.

    Raises
    ------
    InvalidInput
        If epsilon is not positive, a number is a float, the threshold falls, or the relation is
        unknown.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = OneSidedThreshold(1, threshold=5)
    >>> len(mechanism.answers([1] * 100, SeededCoins(2)))
    5
    >>> rising = OneSidedThreshold(1, threshold=5, rise=2)
    >>> [rising.rises(rounds) for rounds in (7, 8, 15, 16, 10**6)]
    [0, 2, 2, 4, 14]
    """

    epsilon: Epsilon
    threshold: Threshold
    neighbours: str = "replace_one"
    rise: Annotated[int, Option("increase of the threshold", minimum=0)] = 0
    first: Annotated[int, Option("round of the first increase", minimum=1)] = 8
    times: Annotated[int, Option("largest number of increases", minimum=0)] = 7

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run, from its start to its halt."""
        return PureDP(
            self.epsilon, name="one-sided threshold", scope=Scope.adaptive(self.neighbours)
        )

    def start(self, coins: Coins) -> OneSidedRun:
        """Return a new run with a new raised threshold."""
        return OneSidedRun(self, self.threshold + raise_of_threshold(self.epsilon, coins))

    def rises(self, rounds: int) -> int:
        """Return the sum of the increases of the threshold up to a round, counted from 1."""
        return self.rise * min(self.times, (rounds // self.first).bit_length())

    @check_arguments
    def early(self, rounds: Rounds, expected: Failure) -> int:
        """Return the least a such that at most `expected` rounds on average answer early by a.

        For T = `rounds`, the result is the least a with T exp(-epsilon a) <= `expected`. So the
        mean number of answers "reached" at sums <= threshold - a is at most `expected`, and n or
        more such answers occur with probability at most expected^n/n!.

        Examples
        --------
        >>> mechanism = OneSidedThreshold(1, threshold=50)
        >>> mechanism.early(1000, Fraction(1, 20)), mechanism.early(1000, Fraction(1, 8))
        (10, 9)
        """
        return max(0, ceiling(lambda: (log(rounds) - log(expected)) / ball(self.epsilon)))

    @check_arguments
    def late(
        self, failure: Failure, runs: Annotated[int, Option("number of runs", minimum=1)] = 1
    ) -> int:
        """Return a bound on the sum of the raises of several runs, except with a given probability.

        The raise of a run is the random number G that the run adds to its threshold. The result is
        the least m >= 0 such that k = `runs` raises add up to more than m with probability at most
        `failure`. Let x = exp(-epsilon), so P[G = g] = (1 - x) x^g. The sum of k such variables
        exceeds m if and only if fewer than k of m + k coins of probability 1 - x succeed.

        Examples
        --------
        >>> mechanism = OneSidedThreshold(1, threshold=50)
        >>> mechanism.late(Fraction(1, 1000)), mechanism.late(Fraction(1, 1000), 10)
        (6, 18)
        """

        def suffices(m: int) -> bool:
            def exceeding() -> arb:
                x = (-ball(self.epsilon)).exp()
                odds, term, found = (1 - x) / x, x ** (m + runs), arb(0)
                for i in range(runs):
                    found += term
                    term *= odds * (m + runs - i) / (i + 1)
                return found

            return certainly_le(exceeding, failure)

        return least_integer(suffices, -1)


def raise_of_threshold(epsilon: Fraction, coins: Coins) -> int:
    """Return a raise G >= 0 of a threshold, with P[G = g] = (1 - x) x^g for x = exp(-epsilon).

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> [raise_of_threshold(Fraction(1, 10), SeededCoins(seed)) for seed in range(6)]
    [0, 0, 11, 2, 10, 5]
    """
    # Folded at -1/2, discrete Laplace noise is geometric: x^g (1 - x)/(1 + x) (1 + x).
    noise = coins.laplace(1 / epsilon)
    return max(noise, -1 - noise)


@dataclass(frozen=True)
class OneSidedRun(StreamRun[OneSidedThreshold, bool]):
    """A run of `OneSidedThreshold`, with its raised threshold and its sum (both secret)."""

    raised: int
    total: int = 0
    halted: bool = False
    rounds: int = 0
    """Number of rounds so far, or 0 if the threshold does not rise."""

    def _ask(self, value: int, coins: Coins) -> tuple[bool, OneSidedRun]:
        mechanism, total = self.mechanism, self.total + _bit(value)
        # States that differ in an unused number of rounds would be different outcomes of audits.
        rounds = self.rounds + 1 if mechanism.rise else 0
        missing = self.raised + mechanism.rises(rounds) - total
        reached = missing <= 0 or coins.decays(mechanism.epsilon * missing)
        return reached, OneSidedRun(mechanism, self.raised, total, reached, rounds)


def _bit(value: int) -> int:
    """Check a bit, because the noise protects only a change of the sum by 1."""
    if (bit := integer(value, "bit")) not in (0, 1):
        raise InvalidInput(f"The sum protects only bits 0 and 1. Got {value}.")
    return bit


@dataclass(frozen=True)
class Sparse(StreamMechanism[bool, "SparseRun"]):
    """A test that reports up to c numbers of a stream that noisily reach the threshold.

    The test consists of c runs of `AboveThreshold`, one after another, each with a new noisy
    threshold. After c reports (answers "reached") it halts.

    **Guarantee.** The test is an adaptive composition of c runs that are (epsilon, 0)-DP each. So
    `epsilon` is the cost of **one report**. `within` computes `epsilon` from a total budget.

    **Proof.** The answers from one report to the next are one run of `AboveThreshold`.

    **Accuracy.** With c = reports, over T questions and with probability 1 - failure, all answers
    are right, except for numbers within a = noise_bound(2D/epsilon, failure/(2c)) +
    noise_bound(4D/epsilon, failure/(2T)) of the threshold.

    Parameters
    ----------
    epsilon : Fraction or int
        The cost of one report.
    reports : int
        Largest number of reports, at least 1.
    threshold : int
        Threshold without noise.
    sensitivity, neighbours : int, str
        Largest change D of a number between neighbouring inputs, and the neighbour relation.

    Raises
    ------
    InvalidInput
        If epsilon or the sensitivity is not positive, a number is a float, or no report is allowed.

    References
    ----------
    Dwork and Roth 2014, theorems 3.23 to 3.26.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = Sparse(1, reports=2, threshold=50)
    >>> mechanism.answers([3, 100, 20, 120, 7], SeededCoins(1))
    (False, True, False, True)
    """

    epsilon: Fraction
    reports: Reports
    threshold: int
    sensitivity: int = 1
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        once = AboveThreshold(self.epsilon, self.threshold, self.sensitivity, self.neighbours)
        set_frozen_fields(
            self, epsilon=once.epsilon, threshold=once.threshold, sensitivity=once.sensitivity
        )

    @classmethod
    @check_arguments
    def within(
        cls,
        epsilon: Epsilon,
        reports: Reports,
        threshold: int,
        *,
        delta: Delta | None = None,
        sensitivity: int = 1,
        neighbours: str = "replace_one",
    ) -> Sparse:
        """Return the mechanism whose c reports together are (epsilon, delta)-DP.

        Without `delta` a report costs epsilon/c. With `delta`, a report may cost the larger of
        epsilon/c and sqrt(2 rho/c), for rho = `zcdp_rho` (epsilon, delta), because a report of cost
        e is (e^2/2)-zCDP. The best accountant for adaptive releases usually allows a larger cost
        (`learners.accounting.largest_parameter`). Costs are multiples of 2^-20.

        Examples
        --------
        >>> Sparse.within(1, 4, threshold=50).epsilon
        Fraction(1, 4)
        >>> Sparse.within(1, 400, 50, delta=Fraction(1, 10**6)).epsilon
        Fraction(3115, 262144)
        """
        each = epsilon / reports
        if delta is not None:
            rho = zcdp_rho(epsilon, delta)
            each = max(each, rational_below(lambda: ball(2 * rho / reports).sqrt(), 1 << 20))
            each = largest_parameter(
                lambda tried: cls(tried, reports, threshold, sensitivity, neighbours).privacy,
                each,
                epsilon,
                delta,
                rounded=lambda tried: Fraction(floor(tried * (1 << 20)), 1 << 20),
            )
        return cls(each, reports, threshold, sensitivity, neighbours)

    @cached_property
    def once(self) -> AboveThreshold:
        """The `AboveThreshold` mechanism that makes one report."""
        return AboveThreshold(self.epsilon, self.threshold, self.sensitivity, self.neighbours)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run, from its start to its last report."""
        return SelfComposed(self.once.privacy, self.reports)

    def start(self, coins: Coins) -> SparseRun:
        """Return a new run, before its first report."""
        return SparseRun(self, self.once.start(coins), self.reports)

    @check_arguments
    def accuracy(self, questions: Questions, failure: Failure) -> int:
        """Return the error a: with probability 1 - failure, no answer is wrong by more than a."""
        once = self.once
        return noise_bound(once.threshold_scale, failure / (2 * self.reports)) + noise_bound(
            once.query_scale, failure / (2 * questions)
        )


@dataclass(frozen=True)
class SparseRun(StreamRun[Sparse, bool]):
    """A run of `Sparse`, with the current run of `AboveThreshold` and the remaining reports."""

    current: AboveThresholdRun
    remaining: int

    def __post_init__(self) -> None:
        require_own(self.mechanism.once, self.current)

    @property
    def halted(self) -> bool:
        """Whether the run has made all its reports, so that it has halted."""
        return self.remaining == 0

    def _ask(self, value: int, coins: Coins) -> tuple[bool, SparseRun]:
        reached, current = self.current.ask(value, coins)
        if not reached:
            return False, self
        left = self.remaining - 1
        # The next run starts immediately, unless no report remains.
        fresh = self.mechanism.once.start(coins) if left else current
        return True, replace(self, current=fresh, remaining=left)
