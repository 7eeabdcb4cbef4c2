"""Plans of `MergingSampleLearner`: the levels of `MergingSOA`, and the sizes of batches of rows."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Annotated, Any

from flint import arb

from learners.accounting import ApproximateDP, Event, Parallel, PureDP, Scope, Sequential
from learners.balls import ball, certainly_le
from learners.budget import Budget
from learners.checked import Failure
from learners.codec import written
from learners.concentration import FAILURE
from learners.mechanisms.noise import noise_bound
from learners.merging.parameters import MergingParameters
from learners.merging.plan import CODEC, MergingPlan
from learners.merging.planner import nearest_plan, search_from
from learners.merging.search import LevelNumbers, PlanSearch, Shares, Spent, late_quantile
from learners.number_arguments import least_integer
from learners.pac.base import Error
from lsclasses.errors import InvalidInput
from lsclasses.json_text import entries_of
from lsclasses.options import Option, check_arguments, check_fields

__all__ = ["MergingRowPlan", "batch_size", "row_plan_for", "rows_by_merging", "search_row_plan"]

UNUSED = 1e-9
"""Failure probability of the mistake thresholds of a plan. A learner from samples does not use
these thresholds."""


def batch_size(wrong: int, alpha: Fraction, failure: Fraction) -> int:
    """Return the least s with P[Bin(s, alpha) < m] <= failure, for m = `wrong`.

    Examples
    --------
    >>> batch_size(100, Fraction(1, 10), Fraction(1, 1000))
    1320
    """

    def few(size: int) -> arb:
        # P[Bin(s, p) < m] is the regularized incomplete beta function I_(1-p)(s - m + 1, m).
        return (1 - ball(alpha)).beta_lower(arb(size - wrong + 1), arb(wrong), regularized=True)

    return least_integer(
        lambda size: certainly_le(lambda: few(size), failure),
        wrong - 1,
        near=max(wrong, math.ceil(wrong / alpha)),
    )


@dataclass(frozen=True)
class MergingRowPlan:
    """A plan of `MergingSOA` for batches of rows, with the rows that its error bound needs.

    A batch of a function that needs m mistakes has the least number of rows with
    P[Bin(s, alpha) < m + 2a] <= b. The noise of the count exceeds a in absolute value with
    probability at most b.

    Parameters
    ----------
    plan : MergingPlan
        Plan for one round. Its failure is the failure of the levels.
    alpha, beta : Fraction
        Error, and the probability of a larger error.
    test_failure : Fraction
        Failure probability b of each condition of a test.

    Raises
    ------
    InvalidInput
        If a number is out of range, or the failure probabilities exceed beta.

    Examples
    --------
    >>> plan = row_plan_for(2, Budget(1, Fraction(1, 10**6)), Fraction(1, 10))
    >>> plan.rows <= 12700
    True
    """

    plan: MergingPlan
    alpha: Error
    beta: Failure
    test_failure: Failure

    def __post_init__(self) -> None:
        check_fields(self)
        if not isinstance(self.plan, MergingPlan):
            raise InvalidInput(f"A MergingPlan is needed. Got {self.plan!r:.80}.")
        total = self.plan.failure + 2 * self.test_failure * self.tests
        if total > self.beta:
            raise InvalidInput(
                f"The failures must add up to at most {self.beta}. Got {float(total):.6g}."
            )

    @property
    def parameters(self) -> MergingParameters:
        """The parameters of the levels of the learner."""
        return self.plan.parameters

    @property
    def limits(self) -> tuple[int, ...]:
        """The largest number of functions of each level that a batch tests, from level 0 on."""
        levels = self.plan.parameters.levels[:-1]
        return (1, *(level.functions for level in levels), self.plan.played_last - 1)

    @property
    def tests(self) -> int:
        """The largest number of tests."""
        return sum(self.limits)

    @cached_property
    def margin(self) -> int:
        """The number a with P[|Z| > a] <= b for the noise Z of a count."""
        return noise_bound(1 / self.plan.parameters.epsilon, self.test_failure)

    @cached_property
    def batches(self) -> tuple[int, ...]:
        """The number of rows that test a function of each level, from level 0 on."""
        needed = (self.plan.parameters.needed(r) for r in range(len(self.limits)))
        return tuple(
            batch_size(wrong + 2 * self.margin, self.alpha, self.test_failure) for wrong in needed
        )

    @cached_property
    def rows(self) -> int:
        """The number of rows of all batches."""
        return sum(n * size for n, size in zip(self.limits, self.batches, strict=True))

    @cached_property
    def ledger(self) -> Event:
        """The privacy cost of a learned hypothesis, as a tree of events."""
        parameters = self.plan.parameters
        scope = Scope.adaptive("replace_one")
        count = PureDP(parameters.epsilon, name="noisy count of wrong rows", scope=scope)
        _, *histograms = parameters.privacy.events
        return Sequential((Parallel((count,) * self.tests), *histograms))

    @property
    def privacy(self) -> Event:
        """The total of `ledger` at the delta of the plan, which is certified by zCDP."""
        scope = Scope.adaptive("replace_one")
        name = "merging of version spaces"
        return ApproximateDP(self.plan.epsilon, self.plan.delta, name=name, scope=scope)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        found: Any = written(self)
        return found  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, data: object) -> MergingRowPlan:
        """Return the plan that `to_json` wrote, after a check of every condition."""
        with entries_of("The data are not a plan of MergingSampleLearner"):
            return CODEC.read(cls, data)


@cache
def stored_row_plans() -> tuple[MergingRowPlan, ...]:
    """Return the plans of ``merging_plans.toml``."""
    text = files("learners.pac").joinpath("merging_plans.toml").read_text(encoding="utf-8")
    return tuple(map(MergingRowPlan.from_json, tomllib.loads(text).get("plan", ())))


@lru_cache(maxsize=64)
@check_arguments
def row_plan_for(
    dimension: int, budget: Budget, alpha: Error, beta: Failure = FAILURE
) -> MergingRowPlan:
    """Return a plan with few rows, stored or found by a search.

    Parameters
    ----------
    dimension : int
        Littlestone dimension d, from 2 to 4.
    budget : Budget
        Privacy of a hypothesis, with a positive delta.
    alpha, beta : Fraction
        Error, and the probability of a larger error.

    Raises
    ------
    InvalidInput
        If delta is 0.
    TooLarge
        If the search finds no plan.

    Examples
    --------
    >>> row_plan_for(2, Budget(1, Fraction(1, 10**6)), Fraction(1, 10)).plan.parameters.dimension
    2
    """
    for each in stored_row_plans():
        plan = each.plan
        key = plan.parameters.dimension, *plan.budget, each.alpha, each.beta
        if key == (dimension, *budget, alpha, beta):
            return each
    return search_row_plan(dimension, budget, alpha, beta)


def search_row_plan(
    dimension: int,
    budget: Budget,
    alpha: Fraction,
    beta: Fraction,
    *,
    start: MergingPlan | None = None,
    trials: int | None = None,
) -> MergingRowPlan:
    """Return a plan that a search finds from a plan of levels, by default the nearest one."""
    epsilon, delta = budget
    if not delta:
        raise InvalidInput("A plan needs a positive delta, because histograms spend it. Got 0.")
    if start is None:
        start = nearest_plan(dimension, 10**6, epsilon, delta, beta)
    levels = start.parameters.levels[:-1]
    search = RowSearch(
        dimension,
        1,
        epsilon,
        delta,
        beta,
        tuple(level.functions for level in levels),
        tuple(level.group for level in levels),
        alpha,
    )
    return search_from(search, start, RowSearch.row_plan, trials)


@dataclass(frozen=True)
class RowSearch(PlanSearch):
    """A search for a plan with few rows. The share fA is the failure probability of all tests."""

    alpha: Fraction = Fraction(1, 10)

    def spend(self, shares: Shares) -> Spent | None:
        """Return the parts of the budget of a plan. Thresholds of games get no part."""
        return super().spend({name: share for name, share in shares.items() if name != "fL"})

    def test_failure(self, spent: Spent, last: LevelNumbers, exact: bool) -> float:
        """Return the failure probability b of each of the two conditions of one test."""
        tests = sum(self.functions) + self.played_last(last, exact)
        return max(spent.failures["fA"] - 1e-8, 1e-12) / (2 * tests)

    def bound(self, spent: Spent, nodes: float, exact: bool) -> float:
        """Return an estimate of the rows for k nodes, or infinity if a condition fails."""
        found = self.levels(spent, nodes, exact)
        if found is None:
            return math.inf
        failure = self.test_failure(spent, found[-1], exact)
        q = math.exp(-spent.waiting)
        margin = math.log(2 / ((1 + q) * failure)) / spent.waiting
        played = self.played_last(found[-1], exact)
        needed = [self.nodes_at(r, nodes) for r in range(1, self.dimension + 1)]
        rate = -math.log1p(-float(self.alpha))

        def rows(wrong: float) -> float:
            # The rows without a mistake before the m-th mistake are a sum of m geometric variables.
            m = wrong + 2 * margin
            return m + late_quantile(m, rate, failure)

        first, *middle = map(rows, needed)
        levels = sum(j * size for j, size in zip(self.functions, middle, strict=True))
        return first + levels + (played - 1) * rows(1)

    def row_plan(self, shares: Shares, nodes: int) -> MergingRowPlan:
        """Return the checked plan of the shares."""
        spent = self.spend(shares)
        found = None if spent is None else self.levels(spent, nodes, True)
        if spent is None or found is None:
            raise InvalidInput(f"No plan with {nodes} nodes exists for these shares.")
        failure = Fraction(self.test_failure(spent, found[-1], True))
        failures = {**spent.failures, "fA": UNUSED, "fL": UNUSED}
        left = Fraction(float(self.failure) - spent.failures["fA"] + 4 * UNUSED)
        plan = replace(self, failure=left.limit_denominator(10**12)).finished(
            replace(spent, failures=failures), nodes
        )
        return MergingRowPlan(plan, self.alpha, self.failure, failure.limit_denominator(10**15))


@check_arguments
def rows_by_merging(
    dimension: Annotated[int, Option("dimension", minimum=2, maximum=4)],
    epsilon: Annotated[Fraction, Option("privacy parameter epsilon", above=0)],
    delta: Annotated[Fraction, Option("privacy parameter delta", above=0, below=1)],
    alpha: Error,
    beta: Failure,
) -> int:
    """Return the rows with which `MergingSampleLearner` has error at most alpha.

    The number does not depend on the class.

    Examples
    --------
    >>> rows_by_merging(2, 1, Fraction(1, 10**6), Fraction(1, 10), Fraction(1, 20)) <= 12700
    True
    """
    budget = Budget(epsilon, delta, allow_weak_privacy=True)
    return row_plan_for(dimension, budget, alpha, beta).rows
