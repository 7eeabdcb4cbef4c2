"""Statements about made classes: held against definitions that are written out on sets."""

from __future__ import annotations

import itertools
from collections.abc import Set

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog import atlas
from catalog.parameters import value
from catalog.refuting.joint import Joint
from catalog.refuting.operations import refute_joint
from lsclasses import InvalidInput, Table
from lsclasses.isomorphism import class_of_mask
from tests.lsclasses.commands.test_cli import run
from tests.oracles import ldim_recursive, vcdim
from tests.strategies import plain, tables

three_points = st.sets(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=4).map(
    lambda rows: Table(sorted(rows))
)


Words = Set[tuple[int, ...]]


def dual(C: Words) -> Words:
    concepts = sorted(C)
    return {tuple(c[x] for c in concepts) for x in range(len(concepts[0]))}


MADE = {
    "union(C, D)": lambda C, D: C | D,
    "symmetric_difference(C, D)": lambda C, D: {
        tuple(a ^ b for a, b in zip(c, d, strict=True)) for c in C for d in D
    },
    "intersection(C, D)": lambda C, D: C & D,
    "product(C, D)": lambda C, D: {(*c, *d) for c in C for d in D},
    "disjoint_union(C, D)": lambda C, D: (
        {(*c, *(0,) * 3) for c in C} | {(*(0,) * 3, *d) for d in D}
    ),
    "dual(D)": lambda C, D: dual(D),
    "complement(dual(C))": lambda C, D: {tuple(1 - y for y in c) for c in dual(C)},
    "doubled(C)": lambda C, D: {(*c, *c) for c in C},
    "majority(C)": lambda C, D: {
        tuple(int(a + b + c >= 2) for a, b, c in zip(*three, strict=True))
        for three in itertools.product(C, repeat=3)
    },
}


@pytest.mark.parametrize("made", MADE)
@given(C=three_points, D=three_points)
def test_quantities_are_those_of_the_class_that_is_made(made: str, C: Table, D: Table) -> None:
    expected = sorted(MADE[made](plain(C), plain(D)))
    sides = Joint(f"ldim({made}) <= vcdim({made})").trial(C, D).sides
    assert sides is not None
    assert (sides.left, sides.right) == (ldim_recursive(expected), vcdim(expected))


@given(C=tables(max_concepts=5, max_points=3))
def test_quantifiers_run_over_the_points(C: Table) -> None:
    concepts = sorted(plain(C))
    whole = ldim_recursive(concepts)
    left = [ldim_recursive([c for c in concepts if c[x] == 0]) for x in range(len(C.points))]
    every = Joint("forall x: ldim(restrict(C, x, 0)) < ldim").trial(C)
    some = Joint("exists x: ldim(restrict(C, x, 0)) < ldim").trial(C)
    assert every.fails == (not all(each < whole for each in left))
    assert some.fails == (not any(each < whole for each in left))


@pytest.mark.parametrize(
    ("text", "C", "x"),
    [
        # The condition is false at x = 0, so the implication is true there.
        (
            "exists x: ldim(restrict(C, x, 0)) >= 5 when size(restrict(C, x, 0)) >= 2",
            [[0, 0], [1, 0]],
            None,
        ),
        ("exists x: size(restrict(C, x, 1)) == 0 when size(restrict(C, x, 0)) >= 1", [[0], [1]], 0),
        # At the other point a side has no value: the empty class has no diameter.
        ("forall x: diameter(restrict(C, x, 0)) != 0", [[1, 0], [1, 1]], 1),
        ("forall x: diameter(restrict(C, x, 0)) != 0", [[0, 1], [1, 1]], 0),
        ("exists x: diameter(restrict(C, x, 0)) == 0", [[1, 0], [1, 1]], None),
        # x is a concept of C.
        ("forall x: points(restrict(dual(C), x, 0)) <= 1", [[0], [1]], 0),
        ("forall x: size(restrict(dual(C), x, 0)) <= 1", [[0, 1], [1, 0], [0, 0]], 2),
    ],
)
def test_quantifiers_decide_over_all_points(text: str, C: list[list[int]], x: int | None) -> None:
    found = Joint(text).trial(Table(C))
    assert found.fails == (x is not None)
    assert x is None or found.x == x


def test_a_point_without_a_value_leaves_an_open_quantifier_open() -> None:
    for text in ("forall x: diameter(restrict(C, x, 0)) == 0", "exists x: diameter(C) < 0"):
        statement = Joint(text.replace("diameter(C)", "diameter(restrict(C, x, 0))"))
        with pytest.raises(InvalidInput, match="not defined"):
            statement.trial(Table([[1, 0], [1, 1]]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("forall x: ldim(restrict(C, x, 0)) <= ldim(restrict(doubled(C), x, 0))", "different poin"),
        ("forall x: ldim(restrict(dual(C), x, 0)) <= ldim(restrict(C, x, 0))", "different points"),
        ("forall x: ldim(restrict(dual(restrict(C, x, 0)), x, 0)) <= 1", "different points"),
        ("ldim(union(C, dual(C))) <= 1", "different points"),
        ("ldim(union(dual(C), dual(D))) <= 1", "different points"),
        ("ldim(intersection(C, product(C, D))) <= 1", "different points"),
        ("forall x: x <= 3", "x is a point, which"),
        ("forall C: ldim(restrict(C, C, 0)) <= 3", "must differ from C"),
        ("forall x: ldim(restrict(C, y, 0)) <= 3", "named in front"),
        ("forall x: ldim(restrict(C, x, 2)) <= 3", "0 or 1"),
    ],
)
def test_classes_on_different_points_and_other_mistakes_are_refused(
    text: str, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        Joint(text)


@pytest.mark.parametrize(
    "text",
    [
        "ldim(union(dual(C), complement(dual(C)))) <= 9",
        "ldim(union(product(C, D), product(D, C))) <= 9",
        "ldim(union(doubled(C), product(C, D))) <= 9",
        "ldim(union(lexicographic_sum(C, C), lexicographic_sum(C, D))) <= 9",
        "forall x: ldim(restrict(C, x, 0)) <= ldim(restrict(D, x, 1)) + 9",
    ],
)
def test_classes_on_equal_points_share_them(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.refuting.operations.PAIR_POINTS", 2)
    statement = Joint(text)
    assert statement.shared == ("D" in text)
    monkeypatch.setattr("catalog.refuting.operations.POINTS", (1, 2, 3))
    assert refute_joint(statement, seconds=0).counterexample is None


@pytest.mark.parametrize(
    ("text", "C", "D"),
    [
        ("points(product(C, D)) <= 2*points(C)", [[0]], [[0, 0]]),
        ("hollow_star_number(product(C, D)) <= star_number(C) + 1", [[0]], [[1, 0], [0, 1]]),
        ("teaching_dim(intersection(C, D)) >= 0", [[0]], [[1]]),
        ("growth_function(product(C, D))[k] <= 2**k - 1 when k >= 2 for every k", [[0], [1]], None),
        ("size(C) + size(D) <= 2", [[0]], [[0], [1]]),
        ("points(C) <= points(D)", [[0, 0]], [[0]]),
    ],
)
def test_the_smallest_pair_is_found(
    text: str, C: list[list[int]], D: list[list[int]] | None
) -> None:
    found = refute_joint(Joint(text), seconds=0).counterexample
    assert found is not None and found.D is not None
    assert (found.C.labels.tolist(), found.D.labels.tolist()) == (C, C if D is None else D)


@pytest.mark.parametrize(
    "text",
    [
        "growth_function(C)[k] <= k + 1 for every k",
        "k + 1 >= growth_function(C)[k] for every k",
        "k + 1 >= growth_function(complement(C))[k] for every k",
        "forall x: k + 1 >= growth_function(union(C, C))[k] when points >= 1 for every k",
    ],
)
def test_entries_of_made_classes_have_every_index(text: str) -> None:
    found = refute_joint(Joint(text), seconds=0).counterexample
    assert found is not None and found.C.labels.tolist() == [[0, 0], [1, 0], [0, 1], [1, 1]]


def test_the_command_answers_a_false_quantifier() -> None:
    text = "exists x: size(restrict(C, x, 1)) == 0 when size(restrict(C, x, 0)) >= 1"
    printed = " ".join(run("refute", text, "--seconds", "0").stdout.split())
    assert f"{text} is false at every x; at x = 0: 1 against 0." in printed
    printed = run("refute", "points(product(C, D)) <= 2*points(C)", "--seconds", "0").stdout
    assert "10 pairs on at most 2 points each were tried" in printed


def test_all_pairs_are_tried_up_to_permutations_of_the_points_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("catalog.refuting.operations.PAIR_POINTS", 2)
    found = refute_joint(Joint("ldim(union(C, D)) <= ldim(C) + ldim(D) + 1"), seconds=0)
    assert found.counterexample is None and found.points == 2
    first = [len(atlas.classes(points, flips=False)) for points in (1, 2)]
    assert found.tried == first[0] * 3 + first[1] * 15


def test_a_pair_is_smallest() -> None:
    found = refute_joint(Joint("size(union(C, D)) <= 3"), seconds=0)
    assert found.smallest and found.counterexample is not None
    pair = found.counterexample
    assert pair.D is not None and len(pair.C.points) == 2 and len(pair.C) + len(pair.D) == 4


def test_larger_pairs_are_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.refuting.operations.PAIR_POINTS", 1)
    found = refute_joint(Joint("size(product(C, D)) <= 64"), seconds=60)
    assert found.counterexample is not None and not found.smallest
    pair = found.counterexample
    assert pair.D is not None and pair.sides is not None and pair.sides.left > 64
    assert (len(pair.C) - 1) * len(pair.D) <= 64 and len(pair.C) * (len(pair.D) - 1) <= 64


@pytest.mark.parametrize("name", ["ldim", "vcdim", "min_degree", "diameter", "teaching_dim"])
def test_monotone_under_sub_classes_is_tested_on_all_pairs_of_nested_classes(name: str) -> None:
    """The answer is the definition: no class has a larger value than a class that contains it."""
    classes = {mask: class_of_mask(2, mask) for mask in range(1, 16)}
    values = {mask: value(table, name) for mask, table in classes.items()}
    monotone = all(
        values[small] <= values[large]
        for small in classes
        for large in classes
        if small | large == large
    )
    statement = Joint(f"{name} is monotone under sub-classes when points(C) <= 2")
    found = refute_joint(statement, seconds=0).counterexample
    assert (found is None) == monotone


def test_monotone_under_sub_classes_needs_parameters_of_one_class() -> None:
    for formula in ("2", "ldim(dual(C))", "ldim <= vcdim"):
        with pytest.raises(InvalidInput, match="parameters of one class"):
            Joint(f"{formula} is monotone under sub-classes")
    with pytest.raises(InvalidInput, match="Did you mean 'ldim'"):
        Joint("ldmi is monotone under sub-classes")
    for end in ("and vcdim <= 3", "always"):
        with pytest.raises(InvalidInput, match="may follow"):
            Joint(f"ldim is monotone under sub-classes {end}")


def test_monotone_sequences_may_have_an_index() -> None:
    statement = Joint("growth_function[k] is monotone under Sub-Classes for every k")
    assert str(statement).startswith("growth_function(C)[k] <= growth_function(union(C, D))[k]")
    assert not statement.trial(Table([[0, 0], [1, 1]]), Table([[0, 1]])).fails
