"""Calculators of the tolerant learners, against the conditions of their theorems in fractions."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb

import pytest

from learners.accounting import zcdp_epsilon
from learners.merging.evidence.couplings import largest_coupling
from learners.merging.tolerant import tolerances as formulas
from learners.merging.tolerant.plan import TolerantPlan, tolerant_shape
from learners.merging.tolerant.plan_search import tolerant_mistakes
from learners.merging.tolerant.sample_rows import tolerant_rows
from lsclasses.errors import InvalidInput

MILLIONTH = Fraction(1, 10**6)
BETA = Fraction(1, 20)


@cache
def plan() -> TolerantPlan:
    return tolerant_mistakes(2, 10**6, 1, MILLIONTH)


def lower_tail(trials: int, chance: Fraction, most: int) -> Fraction:
    terms = (comb(trials, i) * chance**i * (1 - chance) ** (trials - i) for i in range(most + 1))
    return sum(terms, Fraction(0))


def sauer(n: int, dimension: int) -> int:
    return sum(comb(n, i) for i in range(dimension + 1))


# ---- formulas


@pytest.mark.parametrize(
    ("trials", "chance", "most"), [(5, "1/2", 2), (40, "1/9", 3), (7, "2/3", 0)]
)
def test_binomial_tails_contain_the_exact_probability(trials: int, chance: str, most: int) -> None:
    found = formulas.at_most_chance(trials, Fraction(chance), most)
    exact = lower_tail(trials, Fraction(chance), most)
    assert found.contains(formulas.ball(exact))


def test_the_number_of_common_rounds_has_a_small_tail() -> None:
    chance, failure = Fraction(1, 5), Fraction(1, 100)
    found = formulas.most_common(60, chance, failure)
    assert 1 - lower_tail(60, chance, found) <= failure
    assert 1 - lower_tail(60, chance, found - 8) > failure


@pytest.mark.parametrize(("more", "less"), [(1, 0), (2, 2), (4, 1)])
def test_tosses_count_orders_of_errors(more: int, less: int) -> None:
    """The probability that the tail number more + 1 comes before the head number less + 1."""
    total = more + less + 1
    early = sum(
        next(
            side
            for n in range(1, total + 1)
            for side, reached in ((1, sum(toss[:n]) > more), (0, n - sum(toss[:n]) > less))
            if reached
        )
        for toss in product((0, 1), repeat=total)
    )
    assert formulas.tosses(more, less).contains(formulas.ball(Fraction(early, 2**total)))


# ---- the shape


@pytest.mark.parametrize(("dimension", "rounds", "teachers"), [(2, 10**4, 30), (3, 10**4, 40)])
def test_the_shape_satisfies_e0_to_e2_in_fractions(
    dimension: int, rounds: int, teachers: int
) -> None:
    shape = tolerant_shape(dimension, rounds, teachers, BETA)
    assert shape is not None
    taus, part, pairs = shape.tolerances, BETA / 7, teachers * (teachers - 1)
    start = taus[0] + 1
    later = formulas.most_common(rounds, Fraction(2, teachers), 2 * part / pairs)
    half = Fraction(1, 2)
    for r in range(1, dimension):
        n = 2 * start + (later if r > 1 else 0)
        tau, after = taus[r - 1], taus[r]

        def missed(tau: int, n: int = n, after: int = after) -> Fraction:
            return pairs * sauer(n, dimension) * lower_tail(tau + after + 1, half, after)

        assert missed(tau) <= part / (dimension - 1) < missed(tau - 1)
        depth = 2 ** (r - 1) * (taus[0] + 2) - 1
        length, loss = sauer(depth, r), shape.losses[r - 1]
        assert length == shape.lengths[r - 1]
        few = teachers * length * lower_tail(loss + 1, Fraction(1, teachers), after)
        assert few <= part / dimension
    assert shape.losses[-1] == taus[-1] == 0


# ---- plans


def test_the_plan_satisfies_the_theorems_in_floating_point() -> None:
    found, d = plan(), 2
    shape, k = found.shape, found.teachers
    first, second = found.stages
    rho = max(
        first.phases * first.rate**2 / 2 + second.phases * second.rate**2 / 2,
        (first.phases - 1) * first.slope**2 / 2 + second.phases * second.rate**2 / 2,
        (second.phases - 1) * second.slope**2 / 2,
    )
    assert found.waiting + zcdp_epsilon(rho, found.converted) <= 1
    spent = first.phases * first.missed + second.phases * second.missed
    assert found.converted + spent <= MILLIONTH
    for stage, length, loss in zip(found.stages, shape.lengths, shape.losses, strict=True):
        rate, slope = float(stage.rate), float(stage.slope)
        logs = math.log(length / stage.missed) + math.log(7 * d * stage.phases * 20)
        assert rate * (k - 1) >= logs + slope * loss
        weight = math.log(length * (1 + k * math.exp(-rate * k))) + slope * loss
        left = math.exp(-slope * stage.limit)
        needed = min(
            (s * weight + math.log(7 * d * 20))
            / math.log((1 - left) * (s + 1) / (1 - left ** (s + 1)))
            for s in (i / 10 for i in range(1, 400))
            if (1 - left) * (s + 1) > 1
        )
        assert needed <= stage.phases < 1.1 * needed + 1
    x = math.exp(-float(found.waiting))
    assert 10**6 * x**found.margin / (1 + x) <= BETA / 7


def test_the_bound_adds_up_the_thresholds_and_the_raises() -> None:
    found = plan()
    thresholds = [found.teachers * (found.shape.tolerances[0] + 1) + found.margin - 1]
    for stage in found.stages:
        thresholds += [stage.limit + found.margin - 1] * stage.phases
    assert found.bound == sum(thresholds) + found.late < 249_000


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("rate", Fraction(99, 100)),
        ("rate", Fraction(101, 100)),
        ("slope", Fraction(101, 100)),
        ("missed", Fraction(101, 100)),
    ],
)
def test_the_certificate_refuses_other_stages(name: str, factor: Fraction) -> None:
    for r in range(2):
        stages = list(plan().stages)
        stages[r] = replace(stages[r], **{name: getattr(stages[r], name) * factor})
        with pytest.raises(InvalidInput, match="proves no bound"):
            replace(plan(), stages=tuple(stages))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("teachers", 1400),
        ("margin", 200),
        ("late", 100),
        ("rounds", 10**9),
        ("epsilon", Fraction(99, 100)),
        ("delta", Fraction(99, 10**8)),
        ("failure", Fraction(1, 25)),
        ("waiting", Fraction(1, 10)),
        ("dimension", 3),
        ("stages", ()),
    ],
)
def test_the_certificate_refuses_other_parameters(name: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        replace(plan(), **{name: value})  # type: ignore[arg-type]


def test_fewer_phases_are_refused() -> None:
    first, second = plan().stages
    with pytest.raises(InvalidInput, match="Phases"):
        replace(plan(), stages=(replace(first, phases=first.phases - 2), second))


@pytest.mark.slow
@pytest.mark.parametrize(("dimension", "bound"), [(3, 3_290_000), (4, 18_500_000)])
def test_bounds_for_larger_dimensions_are_below_another_search(dimension: int, bound: int) -> None:
    assert tolerant_mistakes(dimension, 10**6, 1, MILLIONTH).bound < bound


# ---- samples


def test_blocks_satisfy_the_theorem_in_fractions() -> None:
    alpha, found = Fraction(1, 10), tolerant_rows(1, 1, MILLIONTH, Fraction(1, 10))
    k, n = found.blocks, found.size
    half = Fraction(1, 2)

    def missed(tau: int) -> Fraction:
        return k * (k - 1) * sauer(2 * n, 1) * lower_tail(tau + 1, half, 0)

    tau = next(tau for tau in range(1000) if missed(tau) <= BETA / 3)
    lengths = [1, sauer(tau + 1, 1)]
    passing = sum(u * lower_tail(n, alpha, t) for u, t in zip(lengths, (tau, 0), strict=True))
    assert Fraction(k * (k - 1), 2) * passing <= BETA / 3
    rate = (1 + math.log1p(-1e-6)) / 2
    needed = math.log(3 * sum(lengths) * 10**6 * 20) + math.log1p(k * 1e-6)
    assert k >= 1 + math.ceil(needed / rate)


def test_a_draw_spends_only_a_small_part_of_epsilon_on_delta() -> None:
    def blocks(delta: Fraction) -> int:
        return tolerant_rows(1, Fraction(1, 100), delta, Fraction(1, 4)).blocks

    assert 100 < blocks(Fraction(1, 2)) == blocks(Fraction(1, 1000)) < blocks(Fraction(1, 10**5))


# ---- slots


def slots(mistakes: tuple[str, ...], places: int) -> dict[tuple[str | None, ...], Fraction]:
    """The distribution of slots that a uniformly random injection fills."""
    width = max(places, len(mistakes))
    padded = mistakes + (None,) * (width - len(mistakes))
    found: dict[tuple[str | None, ...], Fraction] = {}
    for order in permutations(padded):
        key = order[:places]
        found[key] = found.get(key, Fraction(0)) + Fraction(1, math.factorial(width))
    return found


def one_slot(one: tuple[str | None, ...], other: tuple[str | None, ...]) -> bool:
    return sum(x != y for x, y in zip(one, other, strict=True)) <= 1


@pytest.mark.parametrize(("mistakes", "places"), [("abc", 2), ("ab", 3), ("abcd", 3)])
def test_one_mistake_changes_one_slot(mistakes: str, places: int) -> None:
    more = slots(tuple(mistakes), places)
    fewer, replaced = slots(tuple(mistakes[1:]), places), slots(("z", *mistakes[1:]), places)
    assert largest_coupling(more, fewer, one_slot) == 1
    assert largest_coupling(more, replaced, one_slot) == 1


def test_slots_in_the_order_of_arrival_have_no_coupling() -> None:
    """The incorrect variant whose first mistakes fill the slots in order."""
    more, fewer = {("a", "b", "c"): Fraction(1)}, {("b", "c", "d"): Fraction(1)}
    assert largest_coupling(more, fewer, one_slot) == 0
    partly = {("a", "b", None): Fraction(1)}, {("b", None, None): Fraction(1)}
    assert largest_coupling(*partly, one_slot) == 0
