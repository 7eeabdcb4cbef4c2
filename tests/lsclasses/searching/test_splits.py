"""Pairs of sides that bound the dimension: they are what they should be, and none is overlooked."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given

import catalog
from lsclasses import Table
from lsclasses.certificates import LdimCertificate
from lsclasses.searching import products, version_space
from lsclasses.searching.products import Side, split
from lsclasses.searching.version_space import VersionSpace
from tests import oracles
from tests.strategies import parts_of_products, plain

pytestmark = pytest.mark.usefixtures("engine")


def free_columns(labels: np.ndarray) -> set[int]:
    """The columns that are not constant."""
    return {x for x in range(labels.shape[1]) if len(set(labels[:, x].tolist())) == 2}


def labellings(labels: np.ndarray, columns: set[int]) -> set[tuple[int, ...]]:
    return set(map(tuple, labels[:, sorted(columns)].tolist()))


def bounds(labels: np.ndarray, sides: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether two sides, (column, label), do what a split promises."""
    parts = [labels[labels[:, x] == y] for x, y in sides]
    free = [free_columns(part) for part in parts]
    return (
        all(0 < 2 * len(part) <= len(labels) for part in parts)
        and free[0] | free[1] == free_columns(labels)
        and all(
            labellings(labels, x) == labellings(part, x)
            for part, x in zip(parts, free, strict=True)
        )
    )


def found(labels: np.ndarray) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The sides of a split, in the columns and labels of the table."""
    space = VersionSpace.of_labels(labels)
    sides = split(space)
    if sides is None:
        return None
    (x, y), (z, w) = (
        (int(space.source[side.column]), side.label ^ int(space.flipped[side.column]))
        for side in sides
    )
    return (x, y), (z, w)


def test_every_class_on_three_points_is_split_if_it_can_be():
    """Three columns have 15 pairs of sides, fewer than are tried."""
    split_ones = 0
    for V in range(1, 256):
        labels = np.array([[c >> x & 1 for x in range(3)] for c in range(8) if V >> c & 1])
        labels = labels.astype(np.uint8)
        literals = itertools.product(range(3), (0, 1))
        able = any(bounds(labels, pair) for pair in itertools.combinations(literals, 2))
        sides = found(labels)
        assert (sides is not None) == able, labels.tolist()
        if sides is not None:
            split_ones += 1
            assert bounds(labels, sides)
    assert split_ones > 10


@given(parts_of_products())
def test_the_dimensions_of_the_sides_add_up_to_a_bound(labels):
    sides = found(labels)
    if sides is None:
        return
    assert bounds(labels, sides)
    parts = [Table(labels[labels[:, x] == y].tolist()) for x, y in sides]
    total = sum(oracles.ldim_recursive(plain(part)) for part in parts)
    assert oracles.ldim_recursive(plain(Table(labels.tolist()))) <= total


@given(parts_of_products())
def test_searches_and_proofs_that_use_splits_agree_with_the_recursion(labels):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(version_space, "UNPACKED_UP_TO", 0)
        C = Table(labels.tolist())
        assert C.ldim() == oracles.ldim_recursive(plain(C))
        LdimCertificate.of(C).verify(C)


@pytest.mark.parametrize("n", [4, pytest.param(6, marks=pytest.mark.slow)])
def test_monotone_functions_of_an_even_number_of_variables_are_split(n):
    """Their dimension is twice that of one variable less, and so the proof has few entries."""
    C = catalog.build(f"monotone:n={n}").to_table()
    sides = split(C._space)
    half = len(catalog.build(f"monotone:n={n - 1}").to_table())
    assert [C._space.side(*side).concepts for side in sides] == [half, half]
    assert C.ldim() == 2 * catalog.build(f"monotone:n={n - 1}").to_table().ldim()


def test_no_class_of_one_concept_or_one_column_is_split():
    for rows in ([[0, 1]], [[0], [1]], [[0, 0], [1, 1]]):
        assert split(VersionSpace.of_labels(np.array(rows, dtype=np.uint8))) is None


# ---- among many columns


def hidden(points: int, x: int, z: int, rng: np.random.Generator) -> np.ndarray:
    """A class that nothing but x = 0 and z = 0 splits: the one leaves B alone, the other A.

    Two classes of 14 concepts, each 0 wherever its column x or z is 0: with the others at 0, or
    both of them not, in sixty concepts.
    """
    half = points // 2
    A, B = (rng.integers(0, 2, (14, n), dtype=np.uint8) for n in (half, points - half))
    for rows in (A, B):
        rows[0], rows[1:, 0] = 0, 1
    together = [(i, 0) for i in range(14)] + [(0, i) for i in range(1, 14)]
    pairs = [(i, j) for i in range(1, 14) for j in range(1, 14)]
    together += rng.permutation(pairs)[:60].tolist()
    labels = np.array([[*A[i], *B[j]] for i, j in together], dtype=np.uint8)
    others = iter(rng.permutation([j for j in range(points) if j not in (0, half)]).tolist())
    order = [0 if j == x else half if j == z else next(others) for j in range(points)]
    return labels[:, order]


@pytest.mark.parametrize(
    ("points", "x", "z"),
    [
        (20, 19, 0),
        (64, 63, 0),
        (65, 64, 63),
        (66, 65, 64),
        (128, 70, 127),
    ],
)
def test_the_only_split_is_found(points, x, z):
    space = VersionSpace.of_labels(hidden(points, x, z, np.random.default_rng(points)))
    assert space.source.tolist() == list(range(points))
    assert split(space) == tuple(sorted([Side(x, 0), Side(z, 0)]))


def test_among_too_many_columns_none_is_sought(monkeypatch):
    labels = hidden(30, 3, 9, np.random.default_rng(1))
    for most, sought in ((29, False), (30, True)):
        monkeypatch.setattr(products, "COLUMNS", most)
        assert (split(VersionSpace.of_labels(labels)) is not None) == sought
