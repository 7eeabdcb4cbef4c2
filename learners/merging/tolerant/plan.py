"""Parameters of the tolerant learner T(d), with the proof of their privacy and their bound.

`TolerantPlan` checks every condition of Theorems T1 and T2 of `docs/merging.md` in ball arithmetic
when it is made. So every plan that exists proves its bound. The program that computed its numbers
need not be trusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Annotated

from flint import arb

from learners.accounting import zcdp_epsilon
from learners.balls import ball, certainly_le
from learners.checked import CompositionDelta, Epsilon, Failure, Rounds
from learners.mechanisms.sparse_vector import OneSidedThreshold
from learners.merging.plan import early_failure
from learners.merging.tolerant.tolerances import least_loss, lengths_of, most_common, tolerances
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.options import Option, check_fields

CONDITIONS = 7
"""Number of equal parts of the failure probability beta. They belong to early thresholds, late
thresholds, and the conditions E0, E1, E2, Bottom and Phases of Theorem T2 in `docs/merging.md`."""

EXPONENTS = tuple(Fraction(11, 10) ** step - 1 for step in range(1, 120))
"""Candidates for the exponent s in the condition *Phases*."""

Dimension = Annotated[int, Option("dimension", minimum=2, maximum=30)]


@dataclass(frozen=True)
class TolerantShape:
    """Numbers of the learner T(d) that follow from d, T, beta and the number k of teachers.

    `docs/merging.md` describes T(d). A teacher has a secret set of examples and a version space.

    Parameters
    ----------
    tolerances : tuple of int
        Tolerances tau_1, ..., tau_d of the stages.
    lengths : tuple of int
        Largest lengths u_1, ..., u_d of lists.
    losses : tuple of int
        Losses L*_1, ..., L*_d of common functions.
    """

    tolerances: tuple[int, ...]
    lengths: tuple[int, ...]
    losses: tuple[int, ...]


def tolerant_shape(
    dimension: int, rounds: int, teachers: int, failure: Fraction
) -> TolerantShape | None:
    """Return the least tolerances of Theorem T2, or None if no tolerances are found.

    The tolerances satisfy the conditions E0 and E1 of the theorem, and the losses satisfy its
    condition E2.

    Parameters
    ----------
    dimension, rounds, teachers : int
        Dimension d >= 2, number T of rounds, and number k >= 2 of teachers.
    failure : Fraction
        Failure probability beta.

    Examples
    --------
    >>> tolerant_shape(2, 10**6, 1485, Fraction(1, 20))
    TolerantShape(tolerances=(39, 0), lengths=(41, 3322), losses=(24719, 0))
    """
    part, pairs = failure / CONDITIONS, teachers * (teachers - 1)
    later = 0
    if dimension > 2:
        later = most_common(rounds, Fraction(2, teachers), 2 * part / pairs)
    start = 1
    for _ in range(60):
        # E0: two teachers have 2 n_0 examples at stage 1, and at most n_r at stage r.
        seen = [2 * start + later] * (dimension - 2) + [2 * start]
        taus = tolerances(seen, pairs, part / (dimension - 1), dimension)
        if taus[-1] + 1 == start:
            found = (*reversed(taus), 0)
            lengths = tuple(lengths_of(found[0], dimension))
            losses = [
                least_loss(teachers, lengths[r - 1], found[r], part / dimension)
                for r in range(1, dimension)
            ]
            return TolerantShape(found, lengths, (*losses, 0))
        start = taus[-1] + 1
    return None


@dataclass(frozen=True)
class TolerantStage:
    """The parameters of one stage of the learner T(d) of `docs/merging.md`.

    Parameters
    ----------
    rate : Fraction
        Weight a_r of a teacher.
    slope : Fraction
        Weight eta_r of a loss.
    missed : Fraction
        Delta delta0_r of a draw.
    phases : int
        Largest number K_r of draws.
    limit : int
        Number L_r of mistakes that a published function may make without a new draw.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or of another type.
    """

    rate: Epsilon
    slope: Epsilon
    missed: CompositionDelta
    phases: Annotated[int, Option("number of phases", minimum=1)]
    limit: Annotated[int, Option("number of mistakes of a phase", minimum=1)]

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class TolerantPlan:
    """Parameters of the learner T(d) that satisfy Theorems T1 and T2 of `docs/merging.md`.

    The privacy guarantee covers adaptive adversaries and one replaced example. The bound covers
    realizable streams of oblivious adversaries.

    Parameters
    ----------
    dimension, rounds, teachers : int
        Dimension d, number T of rounds, and number k of teachers.
    epsilon, delta : Fraction
        Claimed privacy of a game.
    failure : Fraction
        Failure probability beta of the bound.
    waiting : Fraction
        Privacy cost epsilon_A of every threshold.
    converted : Fraction
        Part delta' of delta for the conversion of zCDP.
    margin, late : int
        Margin m_A of the thresholds, and largest sum of their raises, except with probability
        beta/7.
    stages : tuple of TolerantStage
        The stages 1, ..., d.

    Raises
    ------
    InvalidInput
        If a number is out of range or of another type, or a condition of a theorem fails.

    Examples
    --------
    >>> from learners.merging.tolerant.plan_search import tolerant_mistakes
    >>> plan = tolerant_mistakes(2, 10**6, 1, Fraction(1, 10**6))
    >>> plan.bound < 10**6, plan.failure
    (True, Fraction(1, 20))
    """

    dimension: Dimension
    rounds: Rounds
    teachers: Annotated[int, Option("number of teachers", minimum=2)]
    epsilon: Epsilon
    delta: CompositionDelta
    failure: Failure
    waiting: Epsilon
    converted: CompositionDelta
    margin: Annotated[int, Option("margin of the thresholds", minimum=1)]
    late: Annotated[int, Option("sum of raises", minimum=0)]
    stages: tuple[TolerantStage, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        set_frozen_fields(self, stages=tuple(self.stages))
        _expect(
            len(self.stages) == self.dimension,
            f"a plan for d = {self.dimension} has {self.dimension} stages",
            len(self.stages),
        )
        self._check_privacy()
        self._check_thresholds()
        for r in range(1, self.dimension + 1):
            self._check_stage(r)

    # ---- results

    @cached_property
    def part(self) -> Fraction:
        """The failure probability of each of the seven conditions, an equal part of beta."""
        return self.failure / CONDITIONS

    @cached_property
    def shape(self) -> TolerantShape:
        """The tolerances, the lengths of lists and the losses of common functions."""
        found = tolerant_shape(self.dimension, self.rounds, self.teachers, self.failure)
        if found is None:
            raise InvalidInput(f"The plan proves no bound for {self.teachers} teachers.")
        return found

    @cached_property
    def bound(self) -> int:
        """The bound on the mistakes, except with probability `failure`."""
        spare = self.margin - 1
        first = self.teachers * (self.shape.tolerances[0] + 1) + spare
        return first + sum(each.phases * (each.limit + spare) for each in self.stages) + self.late

    @cached_property
    def rho(self) -> Fraction:
        """The zCDP parameter of all draws in Theorem T1, for the worst stage of the example."""
        draws = [each.phases * each.rate**2 / 2 for each in self.stages]
        # The first draw of a stage has no losses.
        losses = [(each.phases - 1) * each.slope**2 / 2 for each in self.stages]
        found = [sum(draws)]
        found += [losses[s] + sum(draws[s + 1 :]) for s in range(self.dimension)]
        return max(Fraction(each) for each in found)

    # ---- the certificate

    def _check_privacy(self) -> None:
        """Check Theorem T1."""
        delta = self.converted + sum(each.phases * each.missed for each in self.stages)
        _expect(delta <= self.delta, f"delta is at most {self.delta}", float(delta))
        epsilon = self.waiting + zcdp_epsilon(self.rho, self.converted)
        _expect(epsilon <= self.epsilon, f"epsilon is at most {self.epsilon}", float(epsilon))

    def _check_thresholds(self) -> None:
        """Check that no threshold answers early, and that the raises add up to at most `late`."""
        early = certainly_le(
            lambda: early_failure(Fraction(self.waiting), self.rounds, self.margin), self.part
        )
        _expect(early, "no threshold answers early, except with beta/7", self.margin)
        periods = 1 + sum(each.phases for each in self.stages)
        least = OneSidedThreshold(self.waiting, 0).late(self.part, periods)
        _expect(self.late >= least, f"the sum of the raises is at least {least}", self.late)

    def _check_stage(self, r: int) -> None:
        """Check the conditions *Bottom* and *Phases* of Theorem T2."""
        stage, where = self.stages[r - 1], f"at stage {r}"
        _expect(
            certainly_le(partial(self._bottom, r), 0),
            f"the condition Bottom holds {where}",
            float(stage.rate),
        )
        proved = any(certainly_le(partial(self._phases, r, s), 0) for s in EXPONENTS)
        _expect(proved, f"the condition Phases holds {where}", stage.phases)

    def _bottom(self, r: int) -> arb:
        """Return the right side minus the left side of the condition *Bottom*."""
        stage, length, loss = (
            self.stages[r - 1],
            self.shape.lengths[r - 1],
            self.shape.losses[r - 1],
        )
        logs = ball(length / Fraction(stage.missed)).log()
        logs += ball(CONDITIONS * self.dimension * stage.phases / Fraction(self.failure)).log()
        spent = ball(stage.slope * loss)
        return logs + spent - ball(stage.rate * (self.teachers - 1))

    def _phases(self, r: int, s: Fraction) -> arb:
        """Return the right side minus the left side of the condition *Phases*, times its log."""
        stage, length, loss = (
            self.stages[r - 1],
            self.shape.lengths[r - 1],
            self.shape.losses[r - 1],
        )
        k = self.teachers
        rare = 1 + k * (-ball(stage.rate * k)).exp()
        weight = (length * rare).log() + ball(stage.slope * loss)
        drop = (-ball(stage.slope * stage.limit)).exp()
        gain = (1 - drop) * (ball(s) + 1) / (1 - drop ** (ball(s) + 1))
        failure = ball(CONDITIONS * self.dimension / Fraction(self.failure)).log()
        return ball(s) * weight + failure - stage.phases * gain.log()


def _expect(condition: bool, expected: str, got: object) -> None:
    if not condition:
        raise InvalidInput(f"The plan proves no bound. Expected: {expected}. Got {got}.")
