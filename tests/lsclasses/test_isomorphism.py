from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.atlas import find
from catalog.atlas.pages import named
from lsclasses import Isomorphism, Limit, Table, TooLarge, isomorphic
from lsclasses.isomorphism import canonical_form, class_mask, name_in_atlas
from tests.strategies import tables


def images(table: Table, *, flips: bool) -> set[int]:
    """The masks of all classes isomorphic to the table, by the definition."""
    points = len(table.points)
    masks = set()
    for order in itertools.permutations(range(points)):
        for flip in itertools.product((0, 1), repeat=points) if flips else [(0,) * points]:
            concepts = [
                sum((row[x] ^ flip[x]) << j for j, x in enumerate(order))
                for row in table.labels.tolist()
            ]
            masks.add(sum(1 << c for c in concepts))
    return masks


@pytest.mark.parametrize("flips", [True, False])
@given(table=tables(max_concepts=16, max_points=4, min_concepts=0))
def test_the_canonical_form_has_the_least_mask(flips: bool, table: Table) -> None:
    canonical, found = canonical_form(table, flips=flips)
    assert class_mask(canonical) == min(images(table, flips=flips))
    assert found(table) == canonical
    assert flips or not any(found.flips)
    assert table.canonical(flips=flips) == canonical
    assert list(canonical.row_bits) == sorted(canonical.row_bits)


@given(table=tables(max_concepts=16, max_points=4))
def test_the_permanent_name_is_the_least_mask_of_the_definition(table: Table) -> None:
    name = name_in_atlas(table)
    assert name == f"{len(table.points)}:{min(images(table, flips=True)):x}"
    assert name == find(table)[0].name == find(table, flips=False)[0].name == named(name).name


@pytest.mark.parametrize("flips", [True, False])
@given(
    A=tables(max_concepts=5, max_points=3, min_concepts=0),
    B=tables(max_concepts=5, max_points=3, min_concepts=0),
)
def test_a_map_is_found_exactly_if_there_is_one(flips: bool, A: Table, B: Table) -> None:
    found = isomorphic(A, B, flips=flips)
    same_points = len(A.points) == len(B.points)
    assert (found is not None) == (same_points and class_mask(B) in images(A, flips=flips))
    if found is not None:
        assert found(A) == B
        assert found.inverse()(B) == A
        assert flips or not any(found.flips)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 30))
def test_renamed_classes_are_isomorphic(seed: int, points: int, concepts: int) -> None:
    rng = np.random.default_rng(seed)
    A = Table(rng.integers(0, 2, (concepts, points)))
    labels = A.labels[rng.permutation(len(A))][:, rng.permutation(points)]
    B = Table(labels ^ rng.integers(0, 2, points, dtype=np.uint8), [f"x{j}" for j in range(points)])
    found = isomorphic(A, B)
    assert found is not None
    assert found(A) == B


@pytest.mark.parametrize(
    "spec", ["affine:q=2,n=3,k=1", "cube:n=5", "parities:n=4", "thresholds:n=20"]
)
def test_symmetric_classes(spec: str) -> None:
    A = catalog.build(spec).to_table()
    rng = np.random.default_rng(0)
    points = len(A.points)
    B = Table(A.labels[:, rng.permutation(points)] ^ rng.integers(0, 2, points, dtype=np.uint8))
    found = isomorphic(A, B, limit=Limit(seconds=20))
    assert found is not None
    assert found(A) == B


def test_two_regular_graphs_that_look_alike() -> None:
    # Edges of a hexagon and of two triangles: every point is in two edges.
    hexagon = Table.from_sets(range(6), [{i, (i + 1) % 6} for i in range(6)])
    triangles = Table.from_sets(range(6), [{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}])
    assert isomorphic(hexagon, triangles) is None
    assert hexagon.canonical() != triangles.canonical()


def test_closed_forms_are_written_out() -> None:
    C = catalog.build("points:n=5")
    assert isomorphic(C, C.to_table()) is not None
    assert class_mask(C.canonical()) <= class_mask(C.to_table())


def test_what_takes_too_long_is_stopped() -> None:
    with pytest.raises(TooLarge, match="seconds"):
        catalog.build("parities:n=4").canonical(limit=Limit(seconds=1e-3))


def test_a_map_keeps_the_names_of_concepts() -> None:
    move = Isomorphism(("a", "b"), ("x", "y"), (0, 1))
    named = move(Table([[0, 1], [1, 1]], domain="ba", concepts="fg"))
    assert named.concept_names == ("f", "g")
    assert named.points == ("x", "y")
