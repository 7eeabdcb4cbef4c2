"""A private test that reports the numbers of a stream that reach a threshold (`ChallengeAT`).

`FreshNoiseThreshold` hides one changed item of the data set. `ChallengeAT` also hides which of two
versions of one question is asked. The two versions may differ arbitrarily, and only the party that
asks the question receives its answer. This protects a user whose example an online learner reads.
The time of the halt must not reveal whether such a question was reported, so halting is private
too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from learners import checked
from learners.accounting import (
    ApproximateDP,
    Event,
    PureDP,
    Scope,
    SelfComposed,
    checked_neighbours,
    largest_parameter,
    zcdp_rho,
)
from learners.balls import ball, log, rational_above, rational_below
from learners.checked import (
    DeltaOrZero,
    Epsilon,
    Failure,
    Horizon,
    Questions,
    Reports,
    Sensitivity,
    Threshold,
)
from learners.coins import Coins
from learners.mechanisms.counter import CounterRun, TreeCounter
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.runs import StreamMechanism, StreamRun
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold, CumulativeRun
from learners.states import require_own, require_rounds_left
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.options import Option, check_arguments, check_fields

Halting = Literal["cumulative", "tree", "never"]
HALTING: tuple[Halting, ...] = ("cumulative", "tree", "never")
"""Rules that decide when a run halts: by `CumulativeAboveThreshold` ("cumulative"), by the counter
of [KMMNS23] ("tree"), or never."""

STEP = 16
"""Denominator of noise scales, which are rounded up to multiples of 1/16."""

FAILURE_SHARE = Fraction(1, 8)
"""The part of delta that `ChallengeAT.within` reserves for the event that a run halts too late."""


@dataclass(frozen=True)
class ChallengeAT(StreamMechanism[bool, "ChallengeATRun"]):
    """A mechanism that reports about r numbers of a stream that noisily reach a threshold.

    Each number of the stream is the answer to a question about a data set. A number gets fresh
    discrete Laplace noise and is *reported* if the sum reaches the threshold. A private test counts
    the reports: it receives a bit for each number, 1 for a report. The run halts when this test
    answers that there were r reports. The test is `CumulativeAboveThreshold` (the default) or, as
    printed in the paper, a comparison of r with the counts of a `TreeCounter`. Both tests are
    ``halting_epsilon``-DP.

    **Guarantee.** Let e = epsilon, c = halting_epsilon, d = delta, f = halting_failure. In the game
    `learners.games.ChallengeATGame`, a secret bit selects one of two data sets, for which the
    answer to each question differs by at most the sensitivity. One question of the game, the
    challenge, has two versions, of which the bit also selects one. Its answer is hidden. The
    adversary observes a halt. For any number of adaptively chosen questions, the adversary's view
    is (e + c, d + f)-DP.

    **Proof.** *The reports are few.* Let m = `overrun`, so that there are r + m reports before the
    run halts with probability at most f. (The probability is f and not T f for T rounds, because it
    concerns only the round of the (r + m)-th report. This round is independent of the coins of the
    test, until the run halts.) So noise for r + m reports, which is (e, d)-DP by
    `FreshNoiseThreshold`, covers all reports.

    *The game without the challenge.* For s in {0, 1} let G_b^s be the game with secret bit b in
    which the test receives s in the round of the challenge, whatever the answer to the challenge
    is. The adversary does not observe this answer. So the view of G_b^s depends only on the answers
    to all other questions, and the noise of each answer is fresh. Therefore G_0^s and G_1^s are (e,
    d)-close as long as the reports are few. This also holds if s is drawn with probabilities that
    depend on the view so far, and shown. For each b, the reports are not few with probability at
    most f.

    *The game with the challenge.* In the real game with secret bit b, the test receives s in the
    round of the challenge with some probability w_b^s(v), which depends on b and on the part of the
    view v before the challenge. For given b and v, these weights add up to 1. The view v has the
    probability P_b(v) = sum_s w_b^s(v) G_b^s(v). By the privacy of the test, G_b^s(v) <= exp(c)
    G_b^s'(v) for all bits s and s'. Since x -> max(x, 0) is convex, with all sums over views v and
    bits s, s'::

        sum max(0, P_0(v) - exp(e + c) P_1(v))
            <= sum w_0^s(v) w_1^s'(v) max(0, G_0^s(v) - exp(e + c) G_1^s'(v))
            <= sum w_0^s(v) w_1^s'(v) max(0, G_0^s(v) - exp(e) G_1^s(v))
             = sum w_0^s(v) max(0, G_0^s(v) - exp(e) G_1^s(v)),

    and the last sum is the divergence of the game in which s is drawn with weights w_0 and shown.
    This divergence is at most d + f.

    The proof of [KMMNS23, Thm C.1] replaces the bit s in each of the two games separately. Its cost
    is (e + 2c, exp(c) (d + f (1 + exp(e)))), in O-notation. The proof above changes b and s in one
    step, so it has the costs c and f only once. It also does not count the challenge as a report.

    **Noise for all questions.** With halting_failure = 0 the noise covers any number of reports, up
    to all T = `horizon` answers. Each answer is (D/scale)-DP, where D is the sensitivity. The
    mechanism uses the least of these scales. Scale T D/e is (e, 0)-DP, because the epsilons add up.
    Scale D sqrt(T/(2 rho)) with rho = `zcdp_rho` (e, d) is (e, d)-DP, because T answers that are
    ((D/scale)^2/2)-zCDP each are rho-zCDP together. With `calibrated`, the best accountant for T
    answers with delta = 0 allows a smaller scale (`learners.accounting.largest_parameter`). With
    noise for all questions, the run need not halt, and ``halting="never"`` saves c. Then the view
    does not depend on the answer to the challenge, so it is (e, d)-DP. Noise for all questions is
    smaller unless r is several times smaller than T.

    **Accuracy** ([KMMNS23, Thm 4.2], explicit). Over T questions:

    1. With probability 1 - failure, the run does not halt as long as there are fewer than
       r - `early` reports. (The theorem states r reports. Its counter never counts too many
       reports, but the counters of this class err on both sides.)
    2. With probability 1 - failure, for all data sets and questions simultaneously, reported
       numbers are at least threshold - a, and all other numbers are less than threshold + a.
       Here a = `accuracy` = noise_bound(scale, failure/T). The theorem has
       O(scale log(T/failure)).

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Privacy cost of the answers. With noise for few reports, epsilon must be at most
        ln(1/delta).
    reports : int
        Number r of reports, at least 1. Only runs that may halt use this number.
    threshold : int
        Threshold without noise.
    halting_epsilon, halting_failure : Fraction or int
        Epsilon of the test that halts the run, and probability of more reports than the noise
        covers. Both are 0 for a run that never halts. With failure 0, the noise covers all
        questions.
    horizon : int, optional
        Largest number T of questions. It is required for the tree counter and for noise that covers
        all questions.
    halting : {"cumulative", "tree", "never"}
        Test that decides when the run halts, or "never".
    sensitivity : int
        Largest change of a number between neighbouring inputs.
    calibrated : bool
        Whether to compute a smaller scale numerically instead of using the closed form: by
        `FreshNoiseThreshold` (sensitivity 1 only) or, with noise for all questions, by the best
        accountant.
    neighbours : {"replace_one", "add_remove"}
        The relation under which the sensitivity holds.

    Raises
    ------
    InvalidInput
        If the type of halting does not match its epsilon and failure probability, or a number is
        out of range or a float.

    References
    ----------
    [KMMNS23, Alg 6 and 9, Thm 4.2 and C.1].

    Examples
    --------
    >>> from learners.accounting import basic
    >>> from learners.coins import SeededCoins
    >>> mechanism = ChallengeAT.within(1, Fraction(1, 10**6), reports=50, threshold=1000)
    >>> mechanism.overrun, float(mechanism.scale)
    (70, 240.0625)
    >>> basic(mechanism.privacy)
    (Fraction(1, 1), Fraction(1, 1000000))
    >>> sum(mechanism.answers([0, 3000] * 10, SeededCoins(1)))
    10
    """

    epsilon: Epsilon
    delta: DeltaOrZero
    reports: Reports
    threshold: Threshold
    halting_epsilon: Annotated[Fraction, Option("privacy parameter of halting", minimum=0)]
    halting_failure: Annotated[
        Fraction, Option("failure probability of halting", minimum=0, below=1)
    ]
    horizon: Horizon | None = None
    halting: Halting = "cumulative"
    sensitivity: Sensitivity = 1
    calibrated: bool = False
    neighbours: str = "replace_one"

    cost: ClassVar[str] = "epsilon and delta"

    def __post_init__(self) -> None:
        if self.halting not in HALTING:
            raise InvalidInput(
                f"Halting is decided by one of {', '.join(HALTING)}. Got {self.halting!r}."
            )
        check_fields(self)
        checked_neighbours(self.neighbours)
        halting, delta, failure = self.halting_epsilon, self.delta, self.halting_failure
        if self.halting == "never" and (halting or failure):
            raise InvalidInput(
                "A run that never halts must have halting epsilon 0 and halting failure "
                f"probability 0. Got {halting} and {failure}."
            )
        if self.halting != "never":
            checked.epsilon(halting)
        if failure and not delta:
            raise InvalidInput(
                "Noise for few reports needs a positive delta. With delta = 0 the noise is for "
                "all questions, and the failure probability of halting must be 0. Got failure "
                f"probability {failure}."
            )
        if delta + failure >= 1:
            raise InvalidInput(
                "The delta of the answers and the failure probability of halting add up to the "
                f"delta of the mechanism, which must be less than 1. Got {delta + failure}."
            )
        if self.horizon is None and (self.halting == "tree" or not failure):
            raise InvalidInput(
                "The tree counter, and noise that covers all questions, need a horizon (the number "
                "of questions). Got none."
            )
        if failure:
            self._fresh(self.reports)  # raises InvalidInput if the proof does not cover the numbers

    @classmethod
    @check_arguments
    def within(
        cls,
        epsilon: Epsilon,
        delta: DeltaOrZero,
        reports: int,
        threshold: int,
        *,
        share: Annotated[Fraction, Option("share of halting", above=0, below=1)] = Fraction(1, 4),
        horizon: int | None = None,
        halting: Halting = "cumulative",
        sensitivity: int = 1,
        calibrated: bool = False,
        neighbours: str = "replace_one",
        cost: Callable[[ChallengeAT], Fraction | int] | None = None,
    ) -> ChallengeAT:
        """Return a `ChallengeAT` whose view in the game `ChallengeATGame` is (epsilon, delta)-DP.

        The test that halts the run gets `share` of epsilon and an eighth of delta. The reports get
        the rest, but at most an epsilon of ln(1/delta), which the proof requires. The test gets the
        remainder. If a horizon is given and noise that covers all questions does not cost more, the
        mechanism has this noise and never halts.

        Parameters
        ----------
        share : Fraction
            Share of epsilon for halting. A larger share makes `overrun` and `early` smaller and the
            noise of the numbers larger.
        cost : callable, optional
            Function that returns the cost of a mechanism. Of the two types of noise, the method
            returns the mechanism with the smaller cost. By default, the cost is the scale of the
            noise.

        Examples
        --------
        >>> mechanism = ChallengeAT.within(1, Fraction(1, 10**6), 50, 0, horizon=1000)
        >>> mechanism.halting, float(mechanism.scale)
        ('never', 143.3125)
        """
        candidates = []
        if halting != "never" and delta > 0:
            answers = (1 - FAILURE_SHARE) * delta
            most = rational_below(lambda: -log(answers), STEP)
            spent = min((1 - share) * epsilon, most)
            few = cls(
                spent,
                answers,
                reports,
                threshold,
                epsilon - spent,
                FAILURE_SHARE * delta,
                horizon,
                halting,
                sensitivity,
                calibrated,
                neighbours,
            )
            candidates.append(few)
        if horizon is not None or not candidates:
            unhalted = cls(
                epsilon,
                delta,
                reports,
                threshold,
                Fraction(0),
                Fraction(0),
                horizon,
                "never",
                sensitivity,
                calibrated,
                neighbours,
            )
            candidates.insert(0, unhalted)
        return min(candidates, key=cost or (lambda mechanism: mechanism.scale))

    def _fresh(self, reports: int) -> FreshNoiseThreshold:
        return FreshNoiseThreshold(
            self.epsilon,
            self.delta,
            reports,
            self.threshold,
            self.sensitivity,
            self.calibrated,
            self.neighbours,
        )

    @cached_property
    def test(self) -> CumulativeAboveThreshold | TreeCounter | None:
        """The mechanism that decides when to halt, or None if the run never halts."""
        if self.halting == "tree":
            assert self.horizon is not None
            return TreeCounter(self.halting_epsilon, self.horizon, self.neighbours)
        if self.halting == "cumulative":
            return CumulativeAboveThreshold(self.halting_epsilon, self.reports, self.neighbours)
        return None

    @cached_property
    def overrun(self) -> int | None:
        """An upper bound on the number of reports beyond r before the run halts.

        The bound fails with probability at most `halting_failure`.

        The value is None if the noise covers all questions.
        """
        if self.test is None or not self.halting_failure:
            return None
        return self.test.late(self.halting_failure)

    @property
    def most_reports(self) -> int | None:
        """The number of reports that the noise covers, or None if it covers all questions."""
        return None if self.overrun is None else self.reports + self.overrun

    @cached_property
    def scale(self) -> Fraction:
        """The scale of the noise of every number."""
        if self.most_reports is not None:
            return self._fresh(self.most_reports).scale
        assert self.horizon is not None
        total = self.horizon * self.sensitivity / self.epsilon
        plain = rational_above(lambda: ball(total), STEP) if total > 1 else total
        if not self.delta:
            return plain
        rho = zcdp_rho(self.epsilon, self.delta)
        answers = self.horizon / (2 * rho)
        scale = min(plain, rational_above(lambda: self.sensitivity * ball(answers).sqrt(), STEP))
        if not self.calibrated:
            return scale
        largest = largest_parameter(
            self._answers,
            self.sensitivity / scale,
            self.epsilon,
            self.delta,
            rounded=lambda each: (
                self.sensitivity / rational_above(lambda: ball(self.sensitivity / each), STEP)
            ),
        )
        return self.sensitivity / largest

    def _answers(self, each: Fraction) -> Event:
        """Return the privacy cost of all answers, of this epsilon each."""
        assert self.horizon is not None
        answer = PureDP(each, name="answer", scope=Scope.adaptive(self.neighbours))
        return SelfComposed(answer, self.horizon)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run in the game `ChallengeATGame`, from its start to its halt."""
        epsilon = self.epsilon + self.halting_epsilon
        if not self.delta:
            return PureDP(epsilon, name="ChallengeAT", scope=Scope.adaptive(self.neighbours))
        return ApproximateDP(
            epsilon,
            self.delta + self.halting_failure,
            name="ChallengeAT",
            scope=Scope.adaptive(self.neighbours),
        )

    def start(self, coins: Coins) -> ChallengeATRun:
        """Return a new run of `ChallengeAT`."""
        return ChallengeATRun(self, None if self.test is None else self.test.start(coins))

    @check_arguments
    def accuracy(self, questions: Questions, failure: Failure) -> int:
        """Return the error a: with probability 1 - failure, no answer is wrong by more than a."""
        return noise_bound(self.scale, failure / questions)

    def early(self, questions: int, failure: Fraction) -> int:
        """Return a bound on how many reports too early (before r reports) a run may halt.

        The bound fails with probability at most `failure`.
        """
        if self.test is None:
            return 0
        if isinstance(self.test, TreeCounter):
            return self.test.early(failure)
        return self.test.early(questions, failure)


@dataclass(frozen=True)
class ChallengeATRun(StreamRun[ChallengeAT, bool]):
    """A run of `ChallengeAT`, which receives one number after another.

    Attributes
    ----------
    test : CumulativeRun, CounterRun or None
        The run of the test that decides when to halt, if any. It contains the reports (secret).
    asked : int
        Number of questions answered so far.
    halted : bool
        Whether the run has halted.
    """

    test: CumulativeRun | CounterRun | None
    asked: int = 0
    halted: bool = False

    def __post_init__(self) -> None:
        if self.test is not None or self.mechanism.test is not None:
            require_own(self.mechanism.test, self.test)

    def to_json(self) -> dict[str, Any]:
        """Return the secret state, for the file of a paused game."""
        test = None if self.test is None else self.test.to_json()
        return {"test": test, "asked": self.asked, "halted": self.halted}

    @classmethod
    def from_json(cls, mechanism: ChallengeAT, data: Any) -> Self:
        """Return the run of a mechanism that `to_json` wrote."""
        test, kept = mechanism.test, None
        if test is not None:
            kind = CounterRun if isinstance(test, TreeCounter) else CumulativeRun
            kept = kind.from_json(test, data["test"])
        return cls(mechanism, kept, integer(data["asked"], "questions"), bool(data["halted"]))

    def _ask(self, value: int, coins: Coins) -> tuple[bool, ChallengeATRun]:
        mechanism = self.mechanism
        require_rounds_left(self.asked, mechanism.horizon, "mechanism", unit="question")
        # [KMMNS23, Alg 6 step 3a], [KMMNS23, Alg 6 step 3b]
        reported = coins.at_least(value, mechanism.scale, mechanism.threshold)
        # [KMMNS23, Alg 6 step 3d], [KMMNS23, Alg 6 step 3e]
        halted, after = False, self.test
        if isinstance(self.test, CumulativeRun):
            halted, after = self.test.ask(int(reported), coins)
        elif isinstance(self.test, CounterRun):
            count, after = self.test.ask(int(reported), coins)
            halted = count >= mechanism.reports
        # [KMMNS23, Alg 6 step 3c]
        return reported, ChallengeATRun(mechanism, after, self.asked + 1, halted)
