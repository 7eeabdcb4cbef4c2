"""Every dimension: against its transcribed definition, and the laws between dimensions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from lsclasses import InvalidInput, Limit, Table, TooLarge
from lsclasses.dimensions import DIMENSIONS, Value
from lsclasses.dimensions.base import READING_ORDER
from lsclasses.dimensions.eluder import eluder_sequence
from lsclasses.dimensions.littlestone import balanced_depth
from lsclasses.dimensions.quantities import quantity
from lsclasses.dimensions.stars import largest_star
from lsclasses.dimensions.vc import shattered_set
from tests import oracles
from tests.strategies import plain, tables

NOT_MONOTONE = {
    *("hollow_star_number", "teaching_dim", "proper_equivalence_queries"),
    *("min_degree", "average_degree"),
}
MONOTONE = [name for name in READING_ORDER if name not in {*NOT_MONOTONE, "growth_function"}]
POLYNOMIAL = ("min_degree", "max_degree", "average_degree", "degeneracy", "density")
"""They are found at once, with no bounds on the way."""


def defined(name: str, table: Table) -> Value:
    """The dimension by its transcribed definition."""
    C = plain(table)
    if name == "growth_function":
        return tuple(oracles.growth_function(C, n) for n in range(len(table.points) + 1))
    if name in ("ldim", "randomized_ldim"):
        # The definitions themselves take too long; tests of the oracles compare them.
        return getattr(oracles, f"{name}_recursive")(C)
    if name == "dual_ldim":
        return oracles.ldim_recursive(oracles.dual(C))
    return oracles.definition(name)(C)


@pytest.mark.parametrize("name", DIMENSIONS)
@settings(max_examples=15)
@given(table=tables(min_concepts=0, max_points=4))
def test_the_search_gives_what_the_definition_says(name: str, table: Table) -> None:
    assert DIMENSIONS[name].search(table) == defined(name, table)


@pytest.mark.parametrize("points", [1, 3])
def test_the_empty_class(points: int) -> None:
    empty = Table([], domain=range(points))
    for name, entry in DIMENSIONS.items():
        stated = entry.value_on_empty
        expected = (0,) * (points + 1) if stated is None else defined(name, empty)
        assert entry(empty) == entry.search(empty) == expected
        assert stated in (None, expected)


@pytest.mark.parametrize("name", DIMENSIONS)
def test_the_empty_class_has_no_witness(name: str) -> None:
    for points in (0, 2):
        with pytest.raises(InvalidInput, match=r"empty class|no witnesses"):
            Table([], domain=range(points)).witness(name)


@pytest.mark.parametrize("name", DIMENSIONS)
def test_the_class_on_no_points(name: str) -> None:
    only = Table([[]])
    expected = {"growth_function": (1,), "dual_ldim": -1, "dual_vcdim": -1}.get(name, 0)
    assert DIMENSIONS[name](only) == DIMENSIONS[name].search(only) == expected
    if DIMENSIONS[name].evidence is not None and expected == 0:
        only.witness(name).verify(only)


def test_the_empty_class_has_no_largest_structures() -> None:
    for find in (eluder_sequence, largest_star, shattered_set):
        with pytest.raises(InvalidInput, match="empty class"):
            find(Table([], domain="ab"))


def test_the_empty_class_on_no_points() -> None:
    # Its dual class has no concepts. On all domains with points, its dual class has one concept.
    empty = Table([], domain=[])
    for name, entry in DIMENSIONS.items():
        stated = entry.value_on_empty
        expected = -1 if name.startswith("dual") else (0,) if stated is None else stated
        assert entry(empty) == entry.search(empty) == quantity(empty, name) == expected
    assert empty.dual_ldim() == empty.dual_vcdim() == -1
    one_concept = Table([[]], domain=[])
    assert one_concept.dual_ldim() == oracles.dual_ldim([()]) == -1
    assert one_concept.dual_vcdim() == oracles.dual_vcdim([()]) == -1


@pytest.mark.parametrize("name", ["ldim", "vcdim"])
def test_a_class_is_asked_for_its_formula_and_written_out_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    for hook in ("_closed_form", "_to_table"):
        original = getattr(Table, hook)

        def counted(table: Table, *given: object, original=original, hook=hook) -> object:
            asked.append(hook)
            return original(table, *given)

        monkeypatch.setattr(Table, hook, counted)
    assert getattr(Table([[0, 0], [0, 1], [1, 1]]), name)() == 1
    assert sorted(asked) == ["_closed_form", "_to_table"]


def test_the_methods_of_a_class_ask_the_registry() -> None:
    C = Table([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 1]])
    for name in READING_ORDER:
        value = getattr(C, name)()
        assert value == defined(name, C)
        assert type(value) is type(DIMENSIONS[name](C))


# ---- renaming, complementing, leaving out


@settings(max_examples=10)
@given(tables(), st.randoms(use_true_random=False))
def test_order_does_not_matter(table: Table, random) -> None:
    rows, columns = list(range(len(table))), list(range(len(table.points)))
    random.shuffle(rows)
    random.shuffle(columns)
    shuffled = Table(table.labels[rows][:, columns])
    for name, entry in DIMENSIONS.items():
        assert entry(shuffled) == entry(table), name


@settings(max_examples=10)
@given(tables(), st.integers(0, 31))
def test_complementing_points(table: Table, which: int) -> None:
    flips = np.array([which >> j & 1 for j in range(len(table.points))], dtype=np.uint8)
    flipped = Table(table.labels ^ flips)
    for name, entry in DIMENSIONS.items():
        if not entry.flips_change:
            assert entry(flipped) == entry(table), name


def test_some_classes_show_what_flips_change() -> None:
    rows = [[[0, 1]], [[0, 0]], [[0, 0], [0, 1]], [[1, 0], [0, 0]], [[0, 0], [0, 1], [1, 0]]]
    flipped = [
        (Table(some), Table(np.array(some) ^ np.array(flips)))
        for some in rows
        for flips in ([0, 1], [1, 1])
    ]
    for name, entry in DIMENSIONS.items():
        assert any(entry(C) != entry(D) for C, D in flipped) == entry.flips_change, name


@given(tables(), st.integers(0, 255))
def test_a_part_of_a_class_is_no_more_complex(table: Table, which: int) -> None:
    part = Table(table.labels[[bool(which >> i & 1) for i in range(len(table))]], table.domain)
    for name in MONOTONE:
        assert DIMENSIONS[name](part) <= DIMENSIONS[name](table), name
    assert all(
        less <= more
        for less, more in zip(part.growth_function(), table.growth_function(), strict=True)
    )


@given(tables(), st.sets(st.integers(0, 4), min_size=1))
def test_a_class_on_fewer_points_is_no_more_complex(table: Table, kept: set[int]) -> None:
    part = table.project(sorted({j % len(table.points) for j in kept}))
    for name in (
        *("ldim", "vcdim", "threshold_dim", "randomized_ldim", "star_number", "eluder_dim"),
        *("antipodal_shattering_dim", "worst_order_mistakes", "proper_equivalence_queries"),
    ):
        assert DIMENSIONS[name](part) <= DIMENSIONS[name](table), name


# ---- between dimensions


@given(tables(max_concepts=14))
def test_trees_are_at_best_balanced(table: Table) -> None:
    assert 2 * table.randomized_ldim() <= balanced_depth(len(table))


# ---- the registry


def test_closed_forms_give_numbers_of_the_same_type_as_searches() -> None:
    # Formulas compute with fractions.
    C = catalog.build("affine:q=2,n=64,k=8")
    for name in ("dual_ldim", "star_number", "teaching_dim"):
        assert type(DIMENSIONS[name](C)) is int
    assert type(DIMENSIONS["randomized_ldim"](catalog.build("points:n=8"))) is Fraction


def test_a_closed_form_is_asked_before_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    # The claim is wrong on purpose: it shows which of the two has answered.
    claims = {"vcdim": 17}
    monkeypatch.setattr(Table, "_closed_form", lambda table, name: claims.get(name))
    C = Table([[0, 0], [0, 1], [1, 0], [1, 1]])
    answer, searched = (DIMENSIONS[name].evaluate(C) for name in ("vcdim", "ldim"))
    assert (answer.value, answer.source) == (17, "closed form")
    assert C.vcdim() == 17
    assert (searched.value, searched.source) == (2, "search")


# ---- limits


def hard(name: str) -> Table:
    """A class on which that search takes much longer than a fraction of a second."""
    rng = np.random.default_rng(0)
    if name in ("ldim", "dual_ldim", "equivalence_queries", "membership_queries"):
        # Random Hamming spheres of radius 2, just too small for the next depth.
        sphere = np.eye(30, dtype=int)[list(itertools.combinations(range(30), 2))].sum(axis=1)
        balls = np.concatenate([sphere ^ rng.integers(0, 2, 30) for _ in range(40)])
        return Table(balls.T if name == "dual_ldim" else balls)
    if name == "randomized_ldim":
        # Caterpillars on more points than normal forms are made for.
        return Table(np.eye(200, dtype=int))
    if name == "dual_vcdim":
        return Table(rng.integers(0, 2, (100, 600)))
    if name in ("no_clash_teaching_dim", "positive_no_clash_teaching_dim"):
        # Larger programs are refused before they are solved.
        return Table(rng.integers(0, 2, (200, 24)))
    return Table(rng.integers(0, 2, (800, 100)))


@pytest.mark.parametrize("name", [name for name in READING_ORDER if name not in POLYNOMIAL])
def test_a_search_stops_in_time_and_says_what_it_knows(name: str) -> None:
    seen: list[tuple[int, int]] = []
    limit = Limit(seconds=0.05)
    with pytest.raises(TooLarge, match=r"0\.05 seconds") as stopped:
        DIMENSIONS[name](
            hard(name), limit=limit, progress=lambda low, high: seen.append((low, high))
        )
    if name not in ("randomized_ldim", "growth_function"):
        lower, upper = stopped.value.lower, stopped.value.upper
        assert lower < upper  # type: ignore[operator]
        assert seen[-1] == (lower, upper)
        lows, highs = zip(*seen, strict=True)
        assert list(lows) == sorted(lows)
        assert list(highs) == sorted(highs, reverse=True)


@pytest.mark.parametrize("name", ["ldim", "threshold_dim", "randomized_ldim"])
def test_a_search_keeps_to_its_memory(name: str) -> None:
    rng = np.random.default_rng(0)
    table = Table(rng.integers(0, 2, (300, 24)))
    with pytest.raises(TooLarge, match="memory"):
        DIMENSIONS[name](table, limit=Limit(memory=2000))
