"""Plans of the merging learner: what the certificate refuses, and what the search finds."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from learners.accounting import zcdp
from learners.budget import Budget
from learners.merging.parameters import list_length, tree_depth
from learners.merging.plan import MergingPlan, early_failure, unplayed_share
from learners.merging.planner import nearest_plan, plan_for, search_plan, stored_plans
from learners.merging.search import _distance
from lsclasses.errors import InvalidInput

MILLIONTH = Fraction(1, 10**6)
NOTED = {
    (2, "1/10"): 8571,
    (2, "1/2"): 1985,
    (2, "1"): 1078,
    (2, "2"): 604,
    (2, "4"): 352,
    (2, "8"): 213,
    (3, "1/10"): 82200,
    (3, "1/2"): 19359,
    (3, "1"): 10632,
    (3, "2"): 5975,
    (3, "4"): 3451,
    (3, "8"): 2074,
    (4, "1/10"): 1822972,
    (4, "1/2"): 393689,
    (4, "1"): 204572,
    (4, "2"): 107171,
    (4, "4"): 56676,
    (4, "8"): 30617,
}
"""Bounds at T = 10^6, delta = 10^-6 and beta = 1/20 that another search found."""


def plan(dimension: int = 2, epsilon: str = "1") -> MergingPlan:
    return plan_for(dimension, 10**6, Budget(Fraction(epsilon), MILLIONTH))


@pytest.mark.parametrize(("dimension", "epsilon"), NOTED)
def test_bounds_are_at_most_3_percent_above_another_search(dimension: int, epsilon: str) -> None:
    assert plan(dimension, epsilon).bound <= 1.03 * NOTED[dimension, epsilon]


def test_every_stored_plan_is_within_its_budget() -> None:
    for each in stored_plans():
        epsilon, delta = zcdp(each.parameters.privacy, each.delta)
        assert epsilon <= each.epsilon
        assert delta == each.delta


def test_lengths_and_depths_satisfy_their_recursion() -> None:
    assert [tree_depth(r + 1) - 2 * tree_depth(r) for r in range(1, 8)] == [1] * 7
    assert [list_length(r) for r in range(1, 6)] == [1, 2, 7, 64, 1941]


def changed(data: Any, path: tuple[Any, ...], value: object) -> Any:
    """A copy of JSON values with one entry replaced, or removed if the value is None."""
    first, *rest = path
    copy = list(data) if isinstance(data, list) else dict(data)
    if rest:
        copy[first] = changed(copy[first], tuple(rest), value)
    elif value is None:
        del copy[first]
    else:
        copy[first] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("late",), -1),
        (("late",), 0),
        (("late",), "38"),
        (("late",), None),
        (("early",), "1/1000"),
        (("early",), "-1/1000"),
        (("failure",), "1/25"),
        (("epsilon",), "9/10"),
        (("delta",), "1/1000000000"),
        (("group_failure",), "2"),
        (("proofs",), []),
        (("proofs", 0), None),
        (("proofs", 0, "slack"), -1),
        (("proofs", 0, "slack"), 10),
        (("proofs", 0, "distance"), 60),
        (("proofs", 0, "top"), 100),
        (("proofs", 0, "top"), 10**6),
        (("proofs", 0, "ready"), 525),
        (("proofs", 1, "ready"), 140),
        (("proofs", 1, "distance"), 130),
        (("proofs", 0, "matching"), "0"),
        (("proofs", 0, "release"), "1/1000000"),
        (("parameters", "margin"), 40),
        (("parameters", "rounds"), 10**9),
        (("parameters", "rounds"), 0),
        (("parameters", "nodes"), 100),
        (("parameters", "epsilon"), "1/2"),
        (("parameters", "levels", 0, "functions"), 0),
        (("parameters", "levels", 0, "functions"), 10**40),
        (("parameters", "levels", 0, "noise"), "uniform"),
        (("parameters", "levels", 0, "cost"), "1/10"),
        (("parameters", "levels", 0, "group"), 1),
        (("parameters", "levels", 1), None),
        (("unknown",), 1),
    ],
)
def test_the_certificate_refuses_a_changed_plan(path: tuple[Any, ...], value: object) -> None:
    data = plan().to_json()
    assert MergingPlan.from_json(data) == plan()
    with pytest.raises(InvalidInput):
        MergingPlan.from_json(changed(data, path, value))


def test_a_plan_with_groups_checks_the_target_of_its_test() -> None:
    data = plan(4).to_json()
    (level,) = plan(4).parameters.grouped
    path = ("parameters", "levels", level - 1, "target")
    target = plan(4).parameters.level(level).target
    for value in (target + 1, target - 1):
        with pytest.raises(InvalidInput, match="target"):
            MergingPlan.from_json(changed(data, path, value))


def test_the_early_failure_is_the_sum_over_raises_and_rounds() -> None:
    epsilon, rounds, margin = Fraction(1, 3), 1000, 20
    x = math.exp(-1 / 3)
    each = sum((1 - x) * x**g * x ** (margin + g) for g in range(400))
    assert float(early_failure(epsilon, rounds, margin)) == pytest.approx(rounds * each)


@pytest.mark.parametrize(("level", "group", "functions"), [(1, 2, 1), (2, 2, 3), (3, 4, 17)])
def test_the_share_of_unplayed_functions_is_a_maximum(
    level: int, group: int, functions: int
) -> None:
    proof = replace(plan().proofs[0], distance=154, top=292)
    groups = 622
    found = float(unplayed_share(level, group, functions, proof, groups))
    length, size = list_length(level), group * groups
    dx = (154 - 1 if level == 1 else 154 + group - 2) / size
    ys = [i * length / functions / 2000 for i in range(2001)]
    inner = max((y + dx) ** (group - 1) * (length - functions * y) for y in ys)
    theta = (291 / size) ** (group - 1) * length
    assert found == pytest.approx(max(inner, theta), rel=1e-4)


def first_distance(
    items: float, sigma: float, slack: float, top: float, order: float
) -> float | None:
    """The least D > z below `top` that meets the condition of Theorem M2 on D, by trying each."""
    if items * math.erfc((top - slack - 1.5) / sigma / math.sqrt(2)) / 2 > order:
        return None
    for distance in range(int(slack) + 1, int(top)):
        t = (distance - slack - 0.5) / sigma
        tail = math.erfc(t / math.sqrt(2)) / 2
        if t >= 1 and items * tail <= order * (top - distance):
            return distance
    return None


def test_the_distance_of_the_search_meets_its_condition_and_is_nearly_the_least() -> None:
    rng, found = random.Random(1), []
    for _ in range(300):
        sigma, slack = rng.uniform(2, 40), float(rng.randrange(60))
        top = slack + math.floor(sigma * rng.uniform(2, 12))
        items, order = 10 ** rng.uniform(2, 6), 10 ** rng.uniform(-6, -1)
        arguments = items, sigma, slack, top
        distance = _distance(*arguments, order=order, exact=True)
        least = first_distance(*arguments, order)
        if distance is None:
            assert least is None or top - least < sigma
        else:
            assert least is not None
            t = (distance - slack - 0.5) / sigma
            assert items * math.erfc(t / math.sqrt(2)) / 2 <= order * (top - distance)
            assert least <= distance <= least + 0.05 * sigma + 1
        found.append(distance)
    assert 50 < sum(each is not None for each in found) < 290


@pytest.mark.parametrize("scale", [1e3, 1e8, 1e13])
def test_the_distance_does_not_count_to_large_numbers(scale: float) -> None:
    # At scale 10^13, the last estimate is about 10^7 integers below the least distance.
    sigma, slack, order = 10 * scale, 20 * scale, 0.01
    items = top = math.floor(20 * scale + 85 * scale)
    distance = _distance(items, sigma, slack, top, order=order, exact=True)
    assert distance is not None
    t = (distance - slack - 0.5) / sigma
    assert items * math.erfc(t / math.sqrt(2)) / 2 <= order * (top - distance)


def test_plans_for_fewer_rounds_keep_their_numbers() -> None:
    budget = Budget(1, MILLIONTH)
    fewer, more = plan_for(2, 5000, budget), plan_for(2, 10**4, budget)
    assert fewer.proofs == more.proofs
    assert fewer.parameters.margin < more.parameters.margin
    assert fewer.bound < more.bound


def test_a_plan_needs_a_delta_and_a_known_dimension() -> None:
    with pytest.raises(InvalidInput, match="Got 5"):
        plan_for(5, 100, Budget(1, MILLIONTH))
    with pytest.raises(InvalidInput, match="positive delta"):
        plan_for(2, 100, Budget(1))


@pytest.mark.parametrize(
    "epsilon",
    [
        "1/1000",
        "20",
        pytest.param("1/1000000000", marks=pytest.mark.slow),
        pytest.param("1/1000000000000", marks=pytest.mark.slow),
    ],
)
def test_a_search_finds_plans_far_from_the_stored_plans(epsilon: str) -> None:
    key = (2, 10**5, Fraction(epsilon), Fraction(1, 10**5), Fraction(1, 10))
    found = search_plan(key, nearest_plan(*key), trials=50)
    assert found.epsilon == Fraction(epsilon)
    assert found.failure == Fraction(1, 10)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [3, 4])
def test_a_search_from_another_epsilon_is_nearly_as_good_as_the_stored_plan(dimension: int) -> None:
    key = (dimension, 10**6, Fraction(2), MILLIONTH, Fraction(1, 20))
    found = search_plan(key, plan(dimension, "8"))
    assert found.bound <= 1.03 * NOTED[dimension, "2"]
