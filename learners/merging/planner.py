"""Plans of `MergingSOA` with few mistakes, stored or found by a search.

The search uses floating point numbers only. It proposes integers and fractions, and `MergingPlan`
proves their bound in ball arithmetic. So a mistake in the search can only make bounds larger. The
search starts from the shares of the nearest stored plan (`learners.merging.search`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, TypeVar

from learners.budget import Budget
from learners.checked import Failure, Rounds
from learners.concentration import FAILURE
from learners.merging.plan import MergingPlan, least_margin
from learners.merging.search import PlanSearch, Shares, shares_of
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.options import check_arguments

__all__ = ["DIMENSIONS", "nearest_plan", "plan_for", "search_from", "stored_plans"]

DIMENSIONS = (2, 3, 4)
"""Dimensions with stored plans, from which a search can start."""

HOPELESS = 1.03
"""Factor above the best bound at which the search drops a choice of numbers of functions."""

RETRIES = 20
"""Largest number of attempts to check a plan, each with a few more nodes, because of rounding."""


# ---- stored plans


Key = tuple[int, int, Fraction, Fraction, Fraction]
"""Dimension, rounds, epsilon, delta and failure probability."""

Result = TypeVar("Result")


@cache
def stored_plans() -> tuple[MergingPlan, ...]:
    """Return the plans of ``plans.toml``, each checked."""
    return tuple(MergingPlan.from_json(data) for _, data in _stored())


@cache
def _stored() -> tuple[
    tuple[tuple[int, int, Fraction, Fraction, Fraction], dict[str, object]], ...
]:
    text = files("learners.merging").joinpath("plans.toml").read_text(encoding="utf-8")
    found = []
    for data in tomllib.loads(text).get("plan", ()):
        parameters = data["parameters"]
        numbers = (Fraction(data[name]) for name in ("epsilon", "delta", "failure"))
        found.append(((parameters["dimension"], parameters["rounds"], *numbers), data))
    return tuple(found)


@lru_cache(maxsize=64)
@check_arguments
def plan_for(
    dimension: int, rounds: Rounds, budget: Budget, failure: Failure = FAILURE
) -> MergingPlan:
    """Return a plan with few mistakes, stored or found by a search.

    If a plan for the same budget and more rounds is stored, the result has its numbers, with a
    smaller margin of the thresholds.

    Parameters
    ----------
    dimension : int
        Littlestone dimension d, from 2 to 4.
    rounds : int
        Number T of rounds.
    budget : Budget
        Privacy of a game, with a positive delta.
    failure : Fraction
        Failure probability beta of the bound.

    Raises
    ------
    InvalidInput
        If the dimension is out of range, or delta is 0.
    TooLarge
        If the search finds no plan.

    Examples
    --------
    >>> budget = Budget(1, Fraction(1, 10**6))
    >>> [plan_for(d, 10**6, budget).bound for d in (2, 3, 4)]
    [1083, 10592, 203593]
    """
    if dimension not in DIMENSIONS:
        raise InvalidInput(f"Plans exist for the dimensions 2, 3 and 4. Got {dimension}.")
    epsilon, delta = budget
    if not delta:
        raise InvalidInput("A plan needs a positive delta, because histograms spend it. Got 0.")
    asked = (dimension, rounds, epsilon, delta, failure)
    budgets = [key for key, _ in _stored() if key[0] == dimension and key[2:] == asked[2:]]
    longer = [key for key in budgets if key[1] >= rounds]
    if longer:
        key = min(longer)
        plan = next(MergingPlan.from_json(data) for other, data in _stored() if other == key)
        return plan if key == asked else _for_fewer_rounds(plan, rounds)
    return search_plan(asked, nearest_plan(*asked))


def _for_fewer_rounds(plan: MergingPlan, rounds: int) -> MergingPlan:
    """Return a plan with the least margin for fewer rounds, and equal numbers otherwise."""
    parameters = plan.parameters
    margin = least_margin(Fraction(parameters.epsilon), rounds, plan.early)
    return replace(plan, parameters=replace(parameters, rounds=rounds, margin=margin))


def nearest_plan(
    dimension: int, rounds: int, epsilon: Fraction, delta: Fraction, failure: Fraction
) -> MergingPlan:
    """Return the stored plan for the most similar numbers."""

    def away(key: Key) -> float:
        _, others, *numbers = key
        pairs = zip(numbers, (epsilon, delta, failure), strict=True)
        logs = [abs(_log(one) - _log(other)) for one, other in pairs]
        return sum(logs) + abs(math.log(others / rounds)) / 20

    stored = [(away(key), i) for i, (key, _) in enumerate(_stored()) if key[0] == dimension]
    return MergingPlan.from_json(_stored()[min(stored)[1]][1])


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


# ---- the search over functions


def _near(functions: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield numbers of functions that differ at one level."""
    for r, number in enumerate(functions):
        step = max(1, number // 6)
        for other in (number + step, number - step):
            if other >= 1:
                yield (*functions[:r], other, *functions[r + 1 :])


def search_plan(key: Key, start: MergingPlan, trials: int | None = None) -> MergingPlan:
    """Return a plan that a search finds from the shares of another plan.

    Parameters
    ----------
    key : tuple
        Dimension, rounds, epsilon, delta and failure probability.
    start : MergingPlan
        Plan from which the search starts.
    trials : int, optional
        Number of random changes of the shares.
    """
    levels = start.parameters.levels[:-1]
    search = PlanSearch(
        *key,
        tuple(level.functions for level in levels),
        tuple(level.group for level in levels),
    )
    return search_from(search, start, PlanSearch.plan, trials)


def search_from(
    search: PlanSearch,
    start: MergingPlan,
    finish: Callable[[Any, Shares, int], Result],
    trials: int | None = None,
) -> Result:
    """Return the result of a search from the shares of a plan, over functions and shares.

    Parameters
    ----------
    search : PlanSearch
        Search with its budget.
    start : MergingPlan
        Plan from which the search starts.
    finish : callable
        ``finish(search, shares, nodes)`` returns the result. It raises `InvalidInput` if the result
        does not pass its check, which may need a few more nodes.
    trials : int, optional
        Number of random changes of the shares.

    Raises
    ------
    TooLarge
        If the search fails, or its plans do not pass their check.
    """
    scale = float(start.epsilon / search.epsilon)
    bound, shares, nodes = search.descend(shares_of(start), start.parameters.nodes * scale)
    seen, waiting = {search.functions}, list(_near(search.functions))
    while waiting:
        functions = waiting.pop(0)
        if functions in seen:
            continue
        seen.add(functions)
        tried = replace(search, functions=functions)
        if tried.best(shares, nodes, False)[0] > bound * HOPELESS:
            continue
        other, changed, near = tried.descend(shares, nodes)
        if other < bound:
            bound, shares, nodes, search = other, changed, near, tried
            waiting = list(_near(functions))
    if not math.isfinite(bound):
        raise TooLarge(
            f"The search found no plan for d = {search.dimension}, epsilon "
            f"{float(search.epsilon):.3g}, delta {float(search.delta):.3g} and failure probability "
            f"{float(search.failure):.3g}. Larger values have plans."
        )
    _, shares, nodes = search.polish(shares, nodes, trials)
    for extra in range(RETRIES):
        try:
            return finish(search, shares, math.ceil(nodes) + extra * max(1, int(nodes) // 1000))
        except InvalidInput as error:
            refused = error
    raise TooLarge(f"No plan of the search passed its check. {refused}")
