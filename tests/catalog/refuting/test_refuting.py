"""The search that refutes, against loops over the definitions; what is wrong is said."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog import atlas
from catalog.refuting import Statement, refute, survey
from catalog.refuting import hunt as hunting
from catalog.refuting.candidates import candidates
from catalog.refuting.hunt import Hunt, shrunk, trial
from catalog.refuting.joint import Joint
from lsclasses import InvalidInput, Table, TooLarge
from lsclasses.dimensions.expressions import Expression
from lsclasses.dimensions.logarithms import log2, rounded
from lsclasses.dimensions.quantities import quantity
from lsclasses.isomorphism import class_of_mask
from lsclasses.workers import Processes
from tests import oracles
from tests.lsclasses.commands.test_cli import run, run_json
from tests.strategies import plain

LONG = 300
"""Seconds that a search may take on a busy machine. It ends at the first counterexample."""

STATEMENTS = (
    "vcdim >= ldim",
    "ldim <= 2*randomized_ldim",
    "randomized_ldim < log2(size)/2",
    "threshold_dim <= ldim",
    "dual_vcdim + vcdim != points",
    "size/(star_number - 1) >= 1",
    "growth_function[2] <= 3*vcdim when vcdim >= 1",
    "zero_cover_number[1] == min(2, size)",
    "floor(log2(size)) <= ceil(randomized_ldim)",
    "max(teaching_dim, hollow_star_number) <= star_number**2",
)


def plainly(text: str, points: int, flips: bool) -> dict[str, list[int]]:
    """What a statement is on all classes, one after the other, without columns."""
    claim, _, condition = text.partition(" when ")
    found: dict[str, list[int]] = {"holds": [], "fails": [], "not met": [], "no value": []}
    for C in atlas.classes(points, flips=flips):
        values = {name: quantity(C.table, name) for name in Statement(text).names}
        try:
            if condition and not Expression(condition)(values):
                found["not met"].append(C.mask)
                continue
            found["holds" if Expression(claim)(values) else "fails"].append(C.mask)
        except InvalidInput:
            found["no value"].append(C.mask)
    return found


@pytest.mark.parametrize("text", STATEMENTS)
def test_the_survey_is_the_loop_over_all_classes(text: str) -> None:
    for each in itertools.islice(survey(Statement(text)), 3):
        expected = plainly(text, each.points, each.values.flips)
        for outcome, masks in expected.items():
            assert each.count(outcome) == len(masks), (each.points, outcome)  # type: ignore[arg-type]
        failures = [found.mask for found in each.failures()]
        assert failures == sorted(expected["fails"], key=lambda mask: (mask.bit_count(), mask))
        for found in each.equalities():
            assert found.sides.left == found.sides.right
        counted = sum(count for _, count, _ in each.differences())
        assert counted == each.count("holds", "fails")


# ---- what is found


def test_the_first_is_the_smallest() -> None:
    found = refute("ldim <= vcdim")
    assert found.in_atlas and found.counterexample is not None
    table = found.counterexample.table
    assert (oracles.ldim(plain(table)), oracles.vcdim(plain(table))) == (2, 1)
    # No class of fewer points, nor of fewer concepts on three.
    for points in (1, 2, 3):
        for mask in range(1, 2 ** (2**points)):
            smaller = class_of_mask(points, mask)
            if points < 3 or len(smaller) < len(table):
                assert oracles.ldim(plain(smaller)) <= oracles.vcdim(plain(smaller))


def test_beyond_the_atlas_members_of_the_catalog_are_found_and_made_small() -> None:
    found = refute("dual_vcdim <= 2", seconds=60)
    assert not found.in_atlas and found.counterexample is not None
    table = found.counterexample.table
    assert found.counterexample.name.startswith("part of ")
    assert oracles.dual_vcdim(plain(table)) == 3
    assert (len(table), len(table.points)) == (3, 8)


def test_a_thorough_search_ends_with_a_smaller_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by the number of looks at it, and on made tables alone."""
    monkeypatch.setattr(hunting, "candidates", lambda **_: iter(()))
    statement = Statement("points*size <= 90 when size <= 20")
    sizes, tried = [], []
    for thorough in (False, True):
        clock = itertools.count()
        monkeypatch.setattr(hunting, "time", SimpleNamespace(monotonic=clock.__next__))
        hunt = Hunt(statement, 400, thorough, _start=0)
        found = hunt.counterexample(0, lambda text: None)
        assert found is not None
        points, concepts = len(found.table.points), len(found.table)
        assert points * concepts > 90 >= (points - 1) * concepts
        sizes.append((points, concepts))
        tried.append(hunt.members + hunt.tables)
    assert sizes[1] < sizes[0] and tried[1] > tried[0]


@pytest.mark.parametrize(
    "text",
    [
        "growth_function[k] <= sauer(k, vcdim) for every k",
        "growth_function[k] <= k + 2 when vcdim <= 1 for every k",
        "zero_cover_number[k] < 2**k when k >= ldim for every k",
    ],
)
def test_an_index_runs_over_all_numbers_of_points(text: str) -> None:
    body = text.removesuffix(" for every k")
    for each in itertools.islice(survey(Statement(text)), 3):
        flips = each.values.flips
        for found in atlas.classes(each.points, flips=flips):
            values = {name: quantity(found.table, name) for name in Statement(text).names}
            claim, _, condition = body.partition(" when ")
            held = [
                bool(Expression(claim)(values | {"k": k}))
                for k in range(each.points + 1)
                if not condition or Expression(condition)(values | {"k": k})
            ]
            sides = Statement(text).sides(values)
            assert (sides is None) == (not held)
            assert sides is None or sides.holds == all(held)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("growth_function[k + 1] < 2*growth_function[k] for every k", 2),
        ("growth_function[k - 1] > growth_function[k] for every k", 1),
        ("growth_function[k - 1] < 2 when k > 0 for every k", 2),
        ("1/k >= 1 for every k", Fraction(1, 2)),
    ],
)
def test_an_index_passes_over_what_has_no_value(text: str, left: int) -> None:
    sides = Statement(text).sides({"growth_function": (1, 2, 4), "points": 2})
    assert sides is not None and not sides.holds and sides.left == left
    for nowhere in ("growth_function[k + 3] > 0", "growth_function[-1 - k] > 0"):
        with pytest.raises(InvalidInput, match="no entry of that index"):
            Statement(f"{nowhere} for every k").sides({"growth_function": (1, 2, 4), "points": 2})


def test_a_seed_gives_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is not ended by its time finds the same table with one process and with two."""

    def searched(text: str, **more: Any) -> tuple[Table, int, int]:
        hunt = Hunt(Statement(text), 600, **more)
        small = hunt.counterexample(3, lambda text: None)
        assert small is not None and small.fails
        return small.table, hunt.members, hunt.tables

    monkeypatch.setattr(
        hunting, "candidates", lambda **given: itertools.islice(candidates(**given), 20)
    )
    with Processes(2) as executor:
        for text in ("points*size <= 60 when size <= 20", "ldim <= 1"):
            assert searched(text) == searched(text, executor=executor)


@given(st.integers(1, 2**16 - 1), st.integers(0, 3))
def test_shrinking_keeps_the_property_and_leaves_nothing_out(mask: int, depth: int) -> None:
    table = class_of_mask(4, mask)
    if table.ldim() < depth:
        return
    small = shrunk(table, lambda C: C.ldim() >= depth)
    assert small.ldim() == depth and len(small) == 2**depth
    assert all(
        small.project([y for y in small.points if y != x]).ldim() < depth
        for x in small.points
        if len(small.points) > 1
    )


def test_what_has_no_value_is_counted() -> None:
    found = refute("1/vcdim >= 0", seconds=1e-3)
    assert found.counterexample is None
    assert sum(each.count("no value") for each in found.surveys) == len(atlas.POINTS)
    assert trial(Statement("1/vcdim >= 0"), Table([[0, 1]])) is None
    found = refute("2**(2**(2**(2**(2**vcdim)))) >= 0", seconds=1e-3)
    assert sum(each.count("undecided") for each in found.surveys) > 0


@pytest.mark.parametrize("text", ["1/0 <= vcdim", "ldim <= 3 when vcdim == 7"])
def test_what_no_class_decides_is_not_said_to_have_no_counterexample(text: str) -> None:
    assert not refute(text, seconds=0).decided
    said = run("refute", text, "--seconds", "0").stdout
    assert "not decided on any class" in said and "None among" not in said


def test_parameters_are_asked_of_made_classes_and_sequences_by_entry() -> None:
    found = Joint("diameter(product(C, D)) == diameter(C) + diameter")
    assert found.trial(Table([[0], [1]]), Table([[0]])).fails
    entry = Joint("growth_function(dual(C))[1] <= 2*growth_function[0]")
    assert not entry.trial(Table([[0], [1]])).fails


def test_what_is_undecided_counts_as_tried_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    constant, thresholds = Table([[0, 1]]), Table([[0, 0], [1, 0], [1, 1]])
    hunt = Hunt(Statement("1/vcdim >= 0"), 60)
    for table in (constant, thresholds):
        hunt.trial(table)
    assert (hunt.tables, hunt.undecided_tables, hunt.undecided) == (1, 1, 1)
    # So do the answers as text and as JSON.
    given = [("one", constant), ("two", thresholds)]
    monkeypatch.setattr("catalog.refuting.hunt.candidates", lambda **_: iter(given))
    monkeypatch.setattr("catalog.refuting.hunt.random_table", lambda rng: constant)
    others = run_json("refute", "1/vcdim >= 0", "--seconds", 0.2)["others"]
    assert (others["members"], others["tables"], others["complete"]) == (1, 0, True)
    assert others["undecided"] > 1
    said = run("refute", "1/vcdim >= 0", "--seconds", 0.2).stdout
    assert "and 1 others: 1 member of the catalog and their constructions, 0 tables" in said
    assert "others could not be decided" in said and "not counted above" in said


def test_a_search_that_was_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    many = itertools.repeat(("one", Table([[0, 1]])))
    monkeypatch.setattr("catalog.refuting.hunt.candidates", lambda **_: many)
    said = run("refute", "vcdim <= ldim", "--seconds", 0.1).stdout
    head, *_ = said.splitlines()
    assert head == "vcdim <= ldim: no counterexample found in an incomplete search."
    assert "The time was over before all classes of the catalog had been tried." in said
    assert run_json("refute", "vcdim <= ldim", "--seconds", 0.1)["others"]["complete"] is False


def test_rounding_decides_nothing() -> None:
    """A fraction that agrees with log2 3 to 60 binary places is still above it."""
    high = Fraction(rounded(log2(3), 60, up=True))
    low = high - Fraction(1, 2**60)
    assert float(low) == float(high)
    for bound, refuted in ((high, False), (low, True)):
        text = f"{bound.numerator}/{bound.denominator} >= log2(size) when size == 3"
        assert (refute(text, seconds=1e-3).counterexample is not None) is refuted


# ---- the command


def test_classes_on_which_both_sides_are_equal_are_counted() -> None:
    data = run_json("refute", "vcdim <= ldim", "--seconds", 0, "--tight")
    assert data["answer"] == "no counterexample" and data["counterexample"] is None
    assert data["all"][3]["equal"] + 81 == data["all"][3]["classes"]
    assert len(data["equal"]) == 20


def test_flips_that_change_a_parameter_are_said() -> None:
    said = run("refute", "threshold_dim <= 2**(ldim + 1) - 1", "--seconds", 0).stdout
    assert "Flips of labels change threshold_dim" in said
    assert "all 4076 classes on at most 4 points (up to permutations of the points)" in said


def test_a_condition_on_the_shape_excludes_classes_before_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the class of the wanted shape is tried, and no class on six points."""
    asked = "recursive_teaching_dim <= vcdim when size == 10 and points == 5"
    tried = []
    monkeypatch.setattr(hunting, "_tried", lambda statement, each: tried.append(each[1]))
    refute(asked, seconds=0.3)
    assert {(len(table), len(table.points)) for table in tried} <= {(10, 5)}
    monkeypatch.undo()
    found = refute(asked, seconds=10)
    assert found.profile is None and found.class_name() == "warmuth"
    assert found.counterexample is not None and found.counterexample.values["vcdim"] == 2


def test_a_member_names_its_isomorphic_copies_and_a_record_names_no_class() -> None:
    said = run("refute", "star_number <= vcdim when size == 4", "--seconds", LONG).stdout
    name = "affine:q=3,n=1,k=0,empty=1"
    assert f"  isomorphic to {name}: 4 concepts on 3 points; 3:17 in the atlas." in said
    assert "points  012\n" in said
    found = refute("self_directed_mistakes <= vcdim + min_degree", seconds=LONG)
    assert found.counterexample is not None and found.class_name() == ""
    assert found.counterexample.table.points == tuple(range(6))
    data = run_json("refute", "ldim <= vcdim")["counterexample"]
    assert (data["name"], data["atlas"]) == ("threshold-concepts:m=4", "3:1b")


def test_proved_inequalities_about_the_same_parameters_are_quoted() -> None:
    said = run("refute", "ldim <= log2(size)", "--seconds", 0).stdout
    assert "  Proved in lsclasses: ldim <= floor_log2(size)." in said
    assert refute("vcdim <= 5*ldim", seconds=0).proved()
    assert run_json("refute", "ldim <= vcdim")["proved"] == []


def test_statements_accept_the_other_names_of_dimensions() -> None:
    assert Statement("RTD <= VCdim").text == "recursive_teaching_dim <= vcdim"
    assert Statement("VC <= Ldim when TD >= 1").names == ("ldim", "vcdim", "teaching_dim")
    said = run("refute", "RTD <= c*VC", "--seconds", 0).stdout
    assert said.startswith("recursive_teaching_dim <= c*vcdim: ")
    assert "ldim(union(C, D)) <= 0" in run("refute", "Ldim(union(C, D)) <= 0").stdout


def test_the_command_refuses() -> None:
    said = run("refute", "vcdm >= 2", status=2).stderr
    assert said.endswith("Did you mean 'vcdim'?\n    vcdm >= 2\n    ^\n")


def test_files_of_others_are_not_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "counterexample.json"
    mine.write_text("notes")
    said = run("refute", "ldim <= vcdim", "--certificate", tmp_path, status=2).stderr
    assert "Choose another name" in said and mine.read_text() == "notes"


class _Mean:
    """The mean number of ones of a concept, which the atlas has no column for."""

    flips_change = True

    def __call__(self, table: Table) -> Fraction:
        return Fraction(int(table.labels.sum()), len(table))


def test_a_survey_states_values_of_parameters_without_a_column() -> None:
    statement = Statement("mean_size <= 1/2", {"mean_size": _Mean()})
    for found in itertools.islice(survey(statement), 3):
        shown = found.to_pandas()
        for mask, value in zip(shown["mask"], shown["mean_size"], strict=True):
            assert value == float(_Mean()(class_of_mask(found.points, mask)))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("size/vcdim <= 1 and size <= 0", False),
        ("size <= 0 and size/vcdim <= 1", False),
        ("size/vcdim <= 1 and size <= 1", None),
        ("size <= 0 when size/vcdim <= 1 and size >= 2", True),
        ("size <= 0 when size >= 2 and size/vcdim <= 1", True),
        ("size <= 0 when size >= 1 and size/vcdim <= 1", None),
        # Each comparison is checked at the indices at which it has values.
        ("growth_function[k] <= 0 and growth_function[k + 5] <= 0 for every k", False),
        ("growth_function[k] <= 1 and growth_function[k + 5] <= 0 for every k", True),
        ("2**(100000*k) >= 1 and growth_function[k] <= 0 for every k", False),
        ("2**(100000*k) >= 1 and growth_function[k] <= 1 for every k", None),
    ],
)
def test_one_false_comparison_decides_a_conjunction(text: str, outcome: bool | None) -> None:
    statement = Statement(text)
    values: dict[str, Any] = {"size": 1, "vcdim": 0, "points": 1, "growth_function": (1, 1)}
    if outcome is None:
        with pytest.raises((InvalidInput, TooLarge)):
            statement.sides(values)
        return
    found = statement.sides(values)
    assert (found is None or found.holds) is outcome
