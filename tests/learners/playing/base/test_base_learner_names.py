"""Which learner stands at the beginning, and what it promises."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.playing.base.base_learner_names import (
    FAMILY_LEARNERS,
    base_learner,
    decision_list_learner,
    decision_list_margin,
    margin_learner,
)
from learners.playing.base.decision_list_elimination import DecisionListElimination
from learners.playing.base.halving import Halving
from learners.playing.base.winnow import Winnow
from learners.playing.entries import BASES, base_state, bounded_state
from lsclasses import Limit
from lsclasses.errors import TooLarge
from lsclasses.soa import SOA
from tests.conftest import Installer
from tests.learners.playing.online_checks import most_mistakes


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
        ("decision-lists:n=28,length=2", Halving),
        ("decision-lists:n=100,length=4,alternations=1", Winnow),
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


@pytest.mark.parametrize("bounds", ["length=3", "length=4,alternations=1"])
def test_published_hypotheses_of_lists_on_many_points_have_a_form(bounds: str) -> None:
    spec = f"decision-lists:n=200,{bounds}"
    for state in (base_learner(spec).state, base_state("best", spec)):
        with pytest.raises(TooLarge, match="as a list of labels"):
            state.hypothesis.canonical()
    state, bound = bounded_state("best", spec)
    assert isinstance(state, DecisionListElimination)
    zero = (0,) * 200
    assert state.hypothesis.canonical()(zero) == state.predict(zero)
    assert bound == state.mistake_bound


PLUGGED = """
import catalog
from learners.playing.base.halving import Halving
from learners.playing.entries import BaseEntry, class_of

def monotone(n):
    return Halving(catalog.build("points:n=4"))

BASES = (BaseEntry("halved", "halving once more", lambda source: Halving(class_of(source))),)
"""


def test_another_package_has_learners_of_families_and_base_learners(installed: Installer) -> None:
    installed(
        "plugged",
        PLUGGED,
        (FAMILY_LEARNERS, "monotone", "plugged:monotone"),
        (BASES, "halved", "plugged:BASES"),
    )
    assert str(base_learner("monotone:n=9")) == "Halving, mistake bound 2"
    assert base_state("halved", "thresholds:n=6").mistake_bound == 2


# ---- decision lists


@given(st.integers(0, 12), st.integers(0, 12))
def test_the_margin_is_for_the_longest_runs(rules: int, alternations: int) -> None:
    def products(left: int, runs: int) -> int:
        if not runs:
            return 1
        return max((size + 1) * products(left - size, runs - 1) for size in range(left + 1))

    if alternations <= min(rules, 4):
        expected = Fraction(1, 2 * products(rules, alternations) - 1)
        assert decision_list_margin(rules, alternations) == expected


@pytest.mark.parametrize(
    "values",
    [
        {"n": 2},
        {"n": 3, "length": 2, "alternations": 1},
        {"n": 3, "monotone": 1},
        {"n": 2, "k": 2, "alternations": 1},
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


def test_margins_of_families() -> None:
    lists = margin_learner("decision-lists:n=4,k=2,length=3,alternations=2")
    assert (lists.margin, lists.bias, lists.features.count) == (Fraction(1, 7), True, 32)
    halfspaces = margin_learner("margin-halfspaces:d=4,norm=5,margin=2")
    assert (halfspaces.margin, halfspaces.bias) == (Fraction(2, 5), False)
