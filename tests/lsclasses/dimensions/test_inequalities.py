"""Inequalities between dimensions: they hold, they are as tight as stated, and what follows."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.atlas.margins import margin
from lsclasses import Table, aggregate
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.derived import derive, derive_growth_function
from lsclasses.dimensions.expressions import Expression, counted
from lsclasses.dimensions.inequalities import INEQUALITIES, MAJORITIES, OPERATIONS
from lsclasses.dimensions.quantities import quantities
from lsclasses.dimensions.ranges import Range
from tests.strategies import tables

SCALARS = [name for name, entry in DIMENSIONS.items() if entry.kind != "sequence"]


# ---- they hold


def test_they_hold_on_the_atlas_with_the_stated_slack() -> None:
    for inequality in INEQUALITIES:
        assert margin(inequality).least == inequality.slack, inequality
    # With less on the right it would be wrong.
    false = replace(inequality, right=f"{inequality.right} - {inequality.slack} - 1/100")
    assert margin(false).least < 0


@given(tables(max_concepts=6), tables(max_concepts=6), st.integers(0, 15))
def test_they_hold_for_operations_on_random_pairs(A: Table, B: Table, function: int) -> None:
    points = min(len(A.points), len(B.points))
    A, B = A.project(range(points)), B.project(range(points))
    made = {
        "union": A | B,
        "aggregate": aggregate(lambda a, b: function >> (2 * a + b) & 1, A, B),
    }
    values = {
        f"{prefix}{name}{suffix}": DIMENSIONS[name].search(table)
        for prefix, table, suffix in (
            ("", A, "_1"),
            ("", B, "_2"),
            *((f"{kind}_", table, "") for kind, table in made.items()),
        )
        for name in ("ldim", "vcdim", "dual_ldim", "dual_vcdim")
    }
    majorities = A.majority(3)
    for name in ("ldim", "vcdim", "dual_ldim", "dual_vcdim"):
        values |= {name: values[f"{name}_1"], f"majority_{name}": DIMENSIONS[name](majorities)}
    for inequality in OPERATIONS + MAJORITIES:
        assert min(inequality.margins(values)) >= 0, inequality  # type: ignore[arg-type]


# ---- what follows


@settings(max_examples=10)
@given(tables(max_concepts=10, max_points=5), st.data())
def test_what_follows_is_true(table: Table, data: st.DataObject) -> None:
    values = quantities(table)
    known: dict[str, Range] = {}
    for name in data.draw(st.lists(st.sampled_from(["size", "points", *SCALARS]), unique=True)):
        value = values[name]
        assert not isinstance(value, tuple)
        below, above = data.draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
        known[name] = Range(value - below, value + above)
    name = data.draw(st.sampled_from(SCALARS))
    found = derive(name, known).range
    assert found.lower is not None
    assert found.lower <= values[name]
    assert found.upper is None or values[name] <= found.upper
    known["points"] = Range(len(table.points), len(table.points))
    growth = table.growth_function()
    for entry, value in zip(derive_growth_function(known), growth, strict=True):
        assert entry.lower <= value <= entry.upper  # type: ignore[operator]


def exactly(**values: int) -> dict[str, Range]:
    return {name: Range(value, value) for name, value in values.items()}


def test_bounds_pass_through_several_inequalities() -> None:
    found = derive("randomized_ldim", exactly(vcdim=7, points=12))
    assert (found.range.lower, found.range.upper) == (Fraction(7, 2), 12)
    assert found.reasons == ("vcdim 7", "points 12")


def test_what_is_known_better_is_kept() -> None:
    known = {"ldim": Range(5, 6), **exactly(vcdim=2, size=1000)}
    found = derive("ldim", known)
    assert (found.range, found.reasons) == (Range(5, 6), ())


def test_conditions_must_be_met() -> None:
    assert derive("recursive_teaching_dim", exactly(vcdim=1)).range.upper == 1
    assert derive("recursive_teaching_dim", exactly(vcdim=2)).range.upper is None


def test_nothing_follows_from_nothing() -> None:
    for name in SCALARS:
        found = derive(name, {})
        assert (found.range.upper, found.reasons) == (None, ())


def test_numbers_of_any_size() -> None:
    huge = 2**5000
    found = derive("vcdim", exactly(size=huge, points=2**64))
    assert found.range.lower is not None
    assert 80 <= found.range.lower <= 5000 == found.range.upper
    # Twice an exponential of this is no number that can be written down.
    found = derive("dual_ldim", exactly(ldim=10**6, threshold_dim=10**6))
    assert found.range.upper is None
    assert derive("randomized_ldim", exactly(ldim=2**64)).range == Range(2**63, 2**64)


def test_the_growth_function_is_decided_up_to_the_vc_dimension() -> None:
    entries = derive_growth_function({"vcdim": Range(2, 3), **exactly(points=5, size=14)})
    assert [(e.lower, e.upper) for e in entries] == [
        *((1, 1), (2, 2), (4, 4), (4, 8), (4, 14), (14, 14)),
    ]


# ---- formulas


def test_formulas_compute_exactly() -> None:
    at = {"a": 3, "b": Fraction(1, 2), "s": (1, 2, 4), "k": 2}
    for text, value in [
        ("2**(2**(a - 1)) - 2", 14),
        ("a/2 + b", 2),
        ("-a * b", Fraction(-3, 2)),
        ("min(a, 2) + max(a, 7)", 9),
        ("s[k] - s[0]", 3),
        ("sauer(5, a)", 26),
        ("sauer(a, 2**70)", 8),
        ("binomial(6, a) + binomial(a, 4) + binomial(0, 0)", 21),
        ("binomial(2**70, 1) - 2**70", 0),
        ("floor_log2(8) + floor_log2(a + 4)", 5),
        ("log2(2**100) / 3", Fraction(100, 3)),
        ("log2(6) - log2(3) + log2(b)", 0),
        ("floor(log2(10**40)) + ceil(-a/2)", 131),
    ]:
        assert Expression(text)(at) == value, text
    assert Expression("a <= b")(at) is False
    assert Expression("a >= 3")(at) is True
    assert Expression("a != 3")(at) is False
    assert Expression("2*log2(a) == log2(9)")(at) is True
    assert Expression("3**5*log2(a) < 385")(at) is False
    assert Expression("a + 1 >= a - b").sides[1] == ">="  # type: ignore[index]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_counting_stops_where_the_power_wins(dims: list[int]) -> None:
    def allowed(n: int) -> bool:
        return 2**n <= math.prod(sum(math.comb(n, i) for i in range(d + 1)) for d in dims)

    depth = counted(*dims)
    assert all(map(allowed, range(depth + 1)))
    assert not allowed(depth + 1)


def test_bounds_follow_where_a_side_is_a_tower_of_powers() -> None:
    facts = {"size": Range(15036, 15036), "positive_no_clash_teaching_dim": Range(3, 32)}
    derived = derive("positive_no_clash_teaching_dim", facts)
    assert (derived.range.lower, derived.range.upper) == (3, 32)
