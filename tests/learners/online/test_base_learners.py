"""Which learner stands at the beginning, and what it promises."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.online import base_learners
from learners.online.base_learners import (
    FAMILY_LEARNERS,
    base_learner,
    decision_list_learner,
    decision_list_margin,
    margin_halfspace_learner,
    margin_learner,
    register,
)
from learners.online.decision_lists import DecisionListElimination
from learners.online.halving import Halving
from learners.online.winnow import Winnow
from lsclasses import InvalidInput, Limit, Table, TooLarge
from lsclasses.soa import SOA
from tests.learners.online.online_checks import check_stream, most_mistakes


@pytest.mark.parametrize(
    ("spec", "bound"),
    [("thresholds:n=1099511627775", 40), ("affine:q=2,n=64,k=8", 9), ("decision-lists:n=3", 5)],
)
def test_the_soa_stands_where_the_dimension_is_known(spec: str, bound: int) -> None:
    learner = base_learner(spec)
    assert isinstance(learner.state, SOA)
    assert (learner.bound, learner.measure) == (bound, "Ldim")
    assert str(learner) == f"SOA, Ldim {bound}"
    assert learner.state.mistake_bound == bound


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("decision-lists:n=20", DecisionListElimination),
        ("decision-lists:n=28,length=2", Winnow),
        ("margin-halfspaces:d=28,norm=5", Winnow),
    ],
)
def test_elsewhere_a_learner_with_a_mistake_bound(spec: str, kind: type) -> None:
    learner = base_learner(spec)
    assert isinstance(learner.state, kind)
    assert learner.measure == "mistake bound"
    assert learner.bound == learner.state.mistake_bound
    assert str(learner) == f"{kind.__name__}, mistake bound {learner.bound}"


def test_halving_when_the_search_takes_too_long() -> None:
    table = catalog.build("hamming-balls:n=30,r=2,count=40").to_table()
    learner = base_learner(table, limit=Limit(seconds=0.05))
    assert isinstance(learner.state, Halving)
    assert (learner.bound, learner.measure) == (14, "mistake bound")
    # Between two learners that can be run, the smaller bound decides.
    lists = base_learner("decision-lists:n=4,k=2", limit=Limit(memory=1))
    assert isinstance(lists.state, Halving)
    assert lists.bound == 15


def test_no_learner() -> None:
    with pytest.raises(TooLarge, match=r"no learner for 'thresholds:n=inf'.* infinite"):
        base_learner("thresholds:n=inf")
    with pytest.raises(TooLarge, match="no learner for 'hamming-ball"):
        base_learner("hamming-balls:n=1000,r=500,count=9")
    with pytest.raises(InvalidInput, match="Did you mean 'thresholds'"):
        base_learner("treshold:n=3")
    with pytest.raises(InvalidInput, match="at least one concept"):
        base_learner(Table([], domain=[0]))


def test_registering_a_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_learners, "FAMILY_LEARNERS", dict(FAMILY_LEARNERS))
    with pytest.raises(InvalidInput, match="has a learner already"):
        register("decision-lists", decision_list_learner)
    with pytest.raises(InvalidInput, match="no family"):
        register("decision-list", decision_list_learner)
    register("monotone", lambda n: Halving(catalog.family("cube").table(n=2**n)))
    assert "monotone" in base_learners.FAMILY_LEARNERS


# ---- decision lists


def every_list(n: int, rules: int) -> list[tuple[list[tuple[int, int, int]], int]]:
    """All lists of at most so many rules (variable, its value, bit), each variable once."""
    found: list[tuple[list[tuple[int, int, int]], int]] = []
    for count in range(rules + 1):
        for variables in itertools.permutations(range(n), count):
            for values in itertools.product((0, 1), repeat=count):
                for bits in itertools.product((0, 1), repeat=count + 1):
                    tested = list(zip(variables, values, bits[:-1], strict=True))
                    found.append((tested, bits[-1]))
    return found


def value(rules: list[tuple[int, int, int]], default: int, x: tuple[int, ...]) -> int:
    return next((bit for i, wanted, bit in rules if x[i] == wanted), default)


def halfspace(rules: list[tuple[int, int, int]], default: int) -> dict[Any, Fraction]:
    """The weights of the margin's proof: of variables as signs, and of the constant ("1")."""
    while rules and rules[-1][2] == default:
        rules = rules[:-1]
    runs = [list(run) for _, run in itertools.groupby(rules, key=lambda rule: rule[2])]
    weights: dict[Any, Fraction] = {"1": Fraction(2 * default - 1)}
    after = 1
    for run in reversed(runs):
        for i, wanted, bit in run:
            half = Fraction((after + 1) * (2 * bit - 1), 2)
            weights[i] = weights.get(i, Fraction(0)) + half * (2 * wanted - 1)
            weights["1"] += half
        after += len(run) * (after + 1)
    return weights


@pytest.mark.parametrize(("n", "rules"), [(2, 2), (3, 3)])
def test_every_decision_list_has_the_margin(n: int, rules: int) -> None:
    cube = list(itertools.product((0, 1), repeat=n))
    least: dict[tuple[int, int], Fraction] = {}
    for tested, default in every_list(n, rules):
        weights = halfspace(tested, default)
        norm = sum(map(abs, weights.values()))
        margins = []
        for x in cube:
            total = weights["1"] + sum(w * (2 * x[i] - 1) for i, w in weights.items() if i != "1")
            y = value(tested, default, x)
            assert total * (2 * y - 1) >= 1
            margins.append(total * (2 * y - 1) / norm)
        bits = [bit for _, _, bit in tested] + [default]
        changes = sum(a != b for a, b in itertools.pairwise(bits))
        key = (len(tested), changes)
        least[key] = min(least.get(key, Fraction(1)), *margins)
    for (count, changes), margin in least.items():
        assert margin >= decision_list_margin(count, changes)


@given(st.integers(0, 12), st.integers(0, 12))
def test_the_margin_is_for_the_longest_runs(rules: int, alternations: int) -> None:
    def products(left: int, runs: int) -> int:
        return (
            1
            if not runs
            else max(
                ((size + 1) * products(left - size, runs - 1) for size in range(left + 1)),
                default=1,
            )
        )

    if alternations <= min(rules, 4):
        expected = Fraction(1, 2 * products(rules, alternations) - 1)
        assert decision_list_margin(rules, alternations) == expected


@pytest.mark.parametrize(
    "values",
    [
        {"n": 2},
        {"n": 2, "length": 1},
        {"n": 2, "length": 2},
        {"n": 3, "length": 2, "alternations": 1},
        {"n": 3, "monotone": 1},
        {"n": 2, "k": 2, "alternations": 1},
        {"n": 3, "length": 3, "monotone": 1},
    ],
)
def test_lists_of_the_catalog_are_learned_within_the_bound(values: dict[str, int]) -> None:
    table = catalog.family("decision-lists").table(**values)
    learner = decision_list_learner(**values)
    bound = learner.mistake_bound
    assert bound is not None
    assert table.ldim() <= most_mistakes(learner, table) <= bound


def test_parameters_of_learners_of_any_size() -> None:
    few = decision_list_learner(10_000, length=4, alternations=1)
    assert isinstance(few, Winnow)
    assert few.features.count == 10_000
    many = decision_list_learner(10_000)
    assert isinstance(many, DecisionListElimination)
    assert (many.features.count, many.blocks) == (20_000, 20_001)
    assert decision_list_learner(5, length=3).mistake_bound == 4 * 11 - 6
    with pytest.raises(InvalidInput, match="must be at least 0"):
        decision_list_learner(5, length=-1)
    with pytest.raises(InvalidInput, match="from 1 to the norm"):
        margin_halfspace_learner(5, norm=2, margin=3)


def test_margins_of_families() -> None:
    lists = margin_learner("decision-lists:n=4,k=2,length=3,alternations=2")
    assert (lists.margin, lists.bias, lists.features.count) == (Fraction(1, 7), True, 32)
    halfspaces = margin_learner("margin-halfspaces:d=4,norm=5,margin=2")
    assert (halfspaces.margin, halfspaces.bias) == (Fraction(2, 5), False)
    with pytest.raises(InvalidInput, match="families decision-lists and margin-halfspaces"):
        margin_learner("thresholds:n=3")


def test_a_short_list_among_many_variables() -> None:
    n = 2000
    learner = decision_list_learner(n, length=3, alternations=1)
    rng = np.random.default_rng(0)
    points = rng.integers(2, size=(400, n))
    stream = [(tuple(x), 0 if x[5] else 0 if x[77] == 0 else 1) for x in points.tolist()]
    state = check_stream(learner, stream)
    assert state.mistakes > 0
