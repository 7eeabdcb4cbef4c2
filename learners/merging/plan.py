"""Plans of `MergingSOA`: parameters with the numbers that prove a mistake bound.

A plan lists integers and fractions. `MergingPlan` checks every condition of Theorem M2 of
`docs/merging.md` in ball arithmetic when it is made. So every plan that exists proves its bound.
The program that computed its numbers need not be trusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from flint import arb

from learners.accounting import zcdp
from learners.accounting.compositions import basic
from learners.balls import ball, certainly_le, log
from learners.budget import Budget
from learners.checked import Delta, Epsilon, Failure
from learners.codec import Codec, written
from learners.mechanisms.list_histogram import ListHistogram, Noise
from learners.merging.parameters import PAIR, MergingParameters, list_length
from learners.number_arguments import least_integer
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.json_text import entries_of
from lsclasses.options import Option, check_fields


def _noise(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"The {name} must be a string. Got {value!r}.")
    return value


CODEC = Codec({Noise: _noise})

MARKOV = Fraction(11, 10)
"""Factor 1.1 in Markov's inequality. With probability at least 1/11, the number of unready groups
is less than this factor times its mean."""


MOST_PERIODS = 10**4
"""Largest number of periods (published functions) of a plan. The check of the sum of their raises
takes linear time."""


def early_failure(epsilon: Fraction, rounds: int, margin: int) -> arb:
    """Return f_A = T x^a/(1 + x) for x = e^-epsilon, as a ball of the current precision.

    Except with probability f_A, no threshold r of `OneSidedThreshold` is reached in T rounds at a
    count of at most r - a. *Proof.* Fix the history up to the start of a period, the coins of the
    adversary, and "no answer so far". Then the count n is determined. The distribution of the raise
    G is reweighted by the probability of no answer, which increases in G. So if n <= r - a, the
    round answers with conditional probability at most x^a E[x^G] = x^a/(1 + x). Each round belongs
    to one period. QED

    Examples
    --------
    >>> print(early_failure(Fraction(1, 4), 10**6, 80).str(4, radius=False))
    0.001159
    """
    x = (-ball(epsilon)).exp()
    return ball(rounds) * x**margin / (1 + x)


def least_margin(epsilon: Fraction, rounds: int, failure: Fraction) -> int:
    """Return the least margin a >= 1 for which balls prove `early_failure` <= failure.

    Examples
    --------
    >>> least_margin(Fraction(1, 4), 10**6, Fraction(1, 100))
    72
    """
    return least_integer(
        lambda a: certainly_le(lambda: early_failure(epsilon, rounds, a), failure), 0
    )


@dataclass(frozen=True)
class LevelProof:
    """The numbers of one level in the proof of a mistake bound.

    Parameters
    ----------
    slack : int
        Number z such that no noise of a frequent item is below -z.
    distance : int
        Number D such that no item of a count below n - D overtakes a frequent item of count n.
    ready : int
        Lower bound R_r on the number of ready nodes.
    top : int
        Least count of a frequent item. The last level uses R_d instead of this number.
    release, order, matching : Fraction
        The failure probabilities beta1, beta2 and beta3 of the level. The last level ignores beta3.

    Raises
    ------
    InvalidInput
        If a number is out of range, or of another type.
    """

    slack: Annotated[int, Option("slack z", minimum=0)]
    distance: Annotated[int, Option("distance D", minimum=1)]
    ready: Annotated[int, Option("number of ready nodes", minimum=1)]
    release: Failure
    order: Failure
    top: Annotated[int, Option("count of a frequent item", minimum=0)] = 0
    matching: Annotated[Fraction, Option("failure probability", minimum=0, below=1)] = Fraction(0)

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class MergingPlan:
    """Parameters of `MergingSOA` that prove a mistake bound, by Theorem M2 of `docs/merging.md`.

    Parameters
    ----------
    parameters : MergingParameters
        Parameters of the learner.
    epsilon, delta : Fraction
        Claimed privacy of a game.
    failure : Fraction
        Failure probability beta of the bound.
    early, late_failure : Fraction
        Failure probabilities f_A and f_L of thresholds that are reached too early or too late.
    late : int
        Largest sum of the raises of all thresholds, except with probability f_L.
    proofs : tuple of LevelProof
        The levels 1, ..., d.
    group_failure : Fraction
        Failure probability b of the test of a level with groups.

    Raises
    ------
    InvalidInput
        If a number is out of range or of another type, or a condition of the theorem fails.

    Examples
    --------
    >>> from learners.merging.planner import plan_for
    >>> plan = plan_for(2, 10**6, Budget(1, Fraction(1, 10**6)))
    >>> plan.bound <= 1100, plan.failure
    (True, Fraction(1, 20))
    """

    parameters: MergingParameters
    epsilon: Epsilon
    delta: Delta
    failure: Failure
    early: Failure
    late_failure: Failure
    late: Annotated[int, Option("sum of raises", minimum=0)]
    proofs: tuple[LevelProof, ...]
    group_failure: Annotated[Fraction, Option("failure probability", minimum=0, below=1)] = (
        Fraction(0)
    )

    def __post_init__(self) -> None:
        check_fields(self)
        set_frozen_fields(self, proofs=tuple(self.proofs))
        if not isinstance(self.parameters, MergingParameters):
            raise InvalidInput(
                f"The parameters of a plan must be MergingParameters. Got {self.parameters!r:.80}."
            )
        if len(self.proofs) != self.parameters.dimension:
            raise InvalidInput(
                f"A plan for d = {self.parameters.dimension} has as many levels. "
                f"Got {len(self.proofs)}."
            )
        self._check_failures()
        self._check_privacy()
        _require(
            lambda: early_failure(self._threshold, self.parameters.rounds, self.parameters.margin),
            self.early,
            "the margin a of the thresholds",
        )
        for r in range(1, self.parameters.dimension):
            self._check_level(r)
        self._check_last()
        _expect(
            self._periods <= MOST_PERIODS,
            f"at most {MOST_PERIODS} periods may end with a mistake",
            self._periods,
        )
        least = self.parameters.counter(0).late(self.late_failure, self._periods)
        _expect(self.late >= least, f"the sum of the raises is at least {least}", self.late)

    # ---- results

    @cached_property
    def played_last(self) -> int:
        """The largest number j_d of functions of the last level, up to the target."""
        last, length = self.proofs[-1], list_length(self.parameters.dimension)
        return 1 + (length - 1) * last.ready // (last.ready - last.distance + 1)

    @property
    def _periods(self) -> int:
        """Number of periods that may end with a mistake."""
        middle = sum(level.functions for level in self.parameters.levels[:-1])
        return 1 + middle + self.played_last - 1

    @cached_property
    def bound(self) -> int:
        """The bound on the mistakes, except with probability `failure`."""
        parameters = self.parameters
        spare = parameters.margin - 1
        middle = sum(
            level.functions * (parameters.needed(r) + spare)
            for r, level in enumerate(parameters.levels[:-1], start=1)
        )
        last = (self.played_last - 1) * parameters.margin
        return parameters.needed(0) + spare + middle + last + self.late

    @property
    def budget(self) -> Budget:
        """The privacy that the plan claims, as a budget."""
        return Budget(self.epsilon, self.delta, allow_weak_privacy=True)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON values, with fractions as strings."""
        found: Any = written(self)
        return found  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, data: object) -> MergingPlan:
        """Return the plan that `to_json` wrote, after a check of every condition.

        Raises
        ------
        InvalidInput
            If an entry is missing, unknown, of another type or out of range, or a condition fails.
        """
        with entries_of("The data are not a plan of MergingSOA"):
            return CODEC.read(cls, data)

    # ---- the certificate

    @property
    def _threshold(self) -> Fraction:
        return Fraction(self.parameters.epsilon)

    def _check_failures(self) -> None:
        *middle, last = self.proofs
        parts = [self.early, self.late_failure, last.release, last.order]
        parts += [part for each in middle for part in (each.release, each.order, each.matching)]
        total = sum(parts, Fraction(0))
        _expect(total <= self.failure, f"failures add up to at most {self.failure}", float(total))

    def _check_privacy(self) -> None:
        event = self.parameters.privacy
        if event.profile().rho:
            epsilon, delta = zcdp(event, self.delta)
        else:
            epsilon, delta = basic(event)
        _expect(epsilon <= self.epsilon, f"epsilon is at most {self.epsilon}", float(epsilon))
        _expect(delta <= self.delta, f"delta is at most {self.delta}", float(delta))

    def _check_release(
        self, histogram: ListHistogram, proof: LevelProof, items: int, top: int, where: str
    ) -> None:
        """Check that all frequent items are released, and that rare items do not overtake them.

        `items` is l_r k_r, the sum of all counts.
        """
        z, distance = proof.slack, proof.distance
        least = histogram.threshold + z
        _expect(top >= least, f"top is at least the threshold plus z, {least}, {where}", top)
        _expect(distance > z, f"D is greater than z = {z} {where}", distance)

        def overtaking() -> arb:
            if distance >= top:
                return items * histogram.tail(distance - z)
            far = histogram.tail(distance - z) / (top - distance)
            return items * far.max(histogram.tail(top - z - 1))

        _require(overtaking, proof.order, f"the distance D {where}")

    def _check_level(self, r: int) -> None:
        """Check the conditions of a level below the last level."""
        parameters, proof, level = self.parameters, self.proofs[r - 1], self.parameters.level(r)
        where = f"at level {r}"
        histogram, length = parameters.histograms[r - 1], list_length(r)
        items = length * parameters.nodes_at(r)
        if r == 1:
            _expect(
                proof.ready == parameters.nodes_at(1), "all nodes of level 1 are ready", proof.ready
            )
        _expect(proof.top >= 1, f"top is positive {where}", proof.top)
        frequent = items // proof.top
        _require(
            lambda: frequent * histogram.tail(proof.slack + 1),
            proof.release,
            f"the slack z {where}",
        )
        self._check_release(histogram, proof, items, proof.top, where)
        groups = proof.ready // level.group
        _expect(groups >= 1, f"at least one group exists {where}", groups)
        share = unplayed_share(r, level.group, level.functions, proof, groups)
        after = self.proofs[r].ready
        if level.group == PAIR:
            self._check_pairs(groups, share, proof.matching, after, where)
        else:
            self._check_groups(r, groups, share, after, where)

    def _check_pairs(
        self, groups: int, share: Fraction, matching: Fraction, after: int, where: str
    ) -> None:
        """Check the number of ready nodes after a random matching."""
        _expect(share < 1, f"the share S of unplayed functions is less than 1 {where}", share)
        _expect(matching > 0, f"beta3 is positive {where}", matching)

        def parts() -> tuple[arb, arb]:
            lam = -log(matching)
            return lam, (lam * lam + 4 * groups * ball(share) * lam).sqrt()

        def steep() -> arb:
            lam, root = parts()
            return 2 * ball(share) * lam - (1 - ball(share)) * root

        def unready() -> arb:
            lam, root = parts()
            return ball(groups * share) + lam + root

        # Without this condition, more ready nodes might leave fewer nodes of the next level.
        _require(steep, 0, f"the number of ready nodes {where}")
        # R_(r+1) = floor(X) + 1 at most, so R_(r+1) - 1 <= X.
        _require(unready, groups - (after - 1), f"the ready nodes after level {where[9:]}")

    def _check_groups(self, r: int, groups: int, share: Fraction, after: int, where: str) -> None:
        """Check the number of ready nodes after up to w draws of groups."""
        parameters, failure = self.parameters, self.group_failure
        _expect(failure > 0, "the failure probability of the test of groups is positive", failure)
        _expect(share < 1 / MARKOV, f"S is less than 10/11 {where}", float(share))
        error = parameters.group_test(r).accuracy(parameters.draws, failure)
        usual = groups - MARKOV * groups * share
        target = usual.numerator // usual.denominator - error
        _expect(
            parameters.level(r).target == target,
            f"the target of the test is {target} {where}",
            parameters.level(r).target,
        )
        _expect(
            1 <= after <= target - error,
            f"the ready nodes are at most {target - error} after level {r}",
            after,
        )
        missed = failure + Fraction(10, 11) ** parameters.draws
        proved = self.proofs[r - 1].matching
        _expect(missed <= proved, f"beta3 is at least {float(missed)} {where}", float(proved))

    def _check_last(self) -> None:
        """Check that the target is among the first j_d functions of the last level."""
        d, proof = self.parameters.dimension, self.proofs[-1]
        histogram, length = self.parameters.histograms[-1], list_length(d)
        if d == 1:
            _expect(
                proof.ready == self.parameters.nodes, "all nodes of level 1 are ready", proof.ready
            )
        _require(
            lambda: length * histogram.tail(proof.slack + 1),
            proof.release,
            "the slack z of the last level",
        )
        _expect(
            proof.distance < proof.ready,
            f"D is less than the number of ready nodes of the last level, {proof.ready}",
            proof.distance,
        )
        items = length * self.parameters.nodes
        self._check_release(histogram, proof, items, proof.ready, "at the last level")


def unplayed_share(r: int, group: int, functions: int, proof: LevelProof, groups: int) -> Fraction:
    """Return S_r, a bound on the sum of x_p^q over all unpublished functions p.

    The number x_p is the share of the nodes of the level whose lists contain p.

    With q = `group`, g = `groups` and j = `functions`, S_r is the larger one of theta^(q-1) l and
    the maximum of (y + dx)^(q-1) (l - j y) over 0 <= y <= l/j. Here theta = (top - 1)/(q g) and
    dx = (D + q - 2)/(q g). At level 1 with pairs, all nodes are matched, and dx = (D - 1)/(2 g).

    Examples
    --------
    >>> tiny = Fraction(1, 1000)
    >>> proof = LevelProof(53, 113, 524, tiny, tiny, 194, tiny)
    >>> round(float(unplayed_share(1, 2, 1, proof, 262)), 4)
    0.3683
    """
    q, length, nodes = group, list_length(r), group * groups
    theta = Fraction(proof.top - 1, nodes)
    lost = proof.distance - 1 if r == 1 and q == PAIR else proof.distance + q - 2
    dx = Fraction(lost, nodes)
    y = ((q - 1) * Fraction(length, functions) - dx) / q
    inner = (max(y, Fraction(0)) + dx) ** (q - 1) * (length - functions * max(y, Fraction(0)))
    return max(theta ** (q - 1) * length, inner)


def _require(compute: Any, bound: Fraction | int, what: str) -> None:
    """Raise `InvalidInput` unless balls prove that a number is at most a bound."""
    if not certainly_le(compute, bound):
        raise InvalidInput(
            f"The plan proves no bound, because {what} must have a failure of at most "
            f"{float(bound):.6g}. Got {float(compute()):.6g}."
        )


def _expect(condition: bool, expected: str, got: object) -> None:
    if not condition:
        raise InvalidInput(f"The plan proves no bound. Expected: {expected}. Got {got}.")
