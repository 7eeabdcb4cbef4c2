"""Statements about made classes: held against definitions that are written out on sets."""

from __future__ import annotations

import itertools
from collections.abc import Set

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog import atlas
from catalog.refuting.operations import Joint, refute_joint
from lsclasses import Table
from lsclasses.naive import ldim_recursive, vcdim
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
