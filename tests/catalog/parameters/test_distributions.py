"""Dimensions of realizable distributions: the bounds meet, and spheres and guides are correct."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import catalog
from catalog import atlas
from catalog.parameters import PARAMETERS, numbers_of
from catalog.parameters.algebra import sign_rank_bounds
from catalog.parameters.replicability import GUIDED, best_guide, guides
from catalog.parameters.spherical import (
    has_sphere,
    index_of,
    is_projective_plane,
    line_vectors,
    odd_cycles,
    sco_dim_bounds,
    spherical_dim_bounds,
    symmetric_pairs,
    with_constant,
)
from lsclasses import BadCertificate, Limit, Table, TooLarge
from lsclasses.isomorphism import class_of_mask
from tests.catalog.parameters.plain_distributions import collapses

OPEN = "intervals:n=6"
"""A class whose bounds on the SCO dimension do not meet."""

CUT_EDGE = 0x69F
"""The class on four points whose only spheres contain an edge twice."""


def test_bounds_meet_on_four_points() -> None:
    """The bounds are computed for some classes. The file contains the values of all classes."""
    masks = [each.mask for each in atlas.classes(4)]
    assert CUT_EDGE in masks
    for mask in [*masks[::20], CUT_EDGE]:
        table = class_of_mask(4, mask)
        lower, upper = spherical_dim_bounds(table)
        assert lower == upper
        assert sco_dim_bounds(table) == (lower + 1, upper + 1)


def test_bounds_on_list_replicability_are_equal_for_most_classes() -> None:
    equal = [
        each["list_replicability_lower"] == each["list_replicability_upper"]
        for points in (1, 2, 3, 4)
        for each in atlas.classes(points)
    ]
    assert (sum(equal), len(equal)) == (390, 429)


def test_extremal_classes_have_lists_of_one_more_than_their_vc_dimension() -> None:
    for each in atlas.classes(4):
        if each["shattered_sets"] == each["size"] < 16:
            found = {each["list_replicability_lower"], each["list_replicability_upper"]}
            assert found == {each["vcdim"] + 1}  # type: ignore[operator]


def test_triangles_of_three_shattered_points_are_a_projective_plane() -> None:
    pairs = symmetric_pairs(frozenset(range(8)), 3)
    assert is_projective_plane(pairs[3])
    assert not any(is_projective_plane(pairs[3][:k]) for k in range(4))
    assert [len(cycle) for cycle in odd_cycles(pairs[3])] == [4]


def test_a_sphere_may_contain_an_edge_twice() -> None:
    """Four triangles meet at an edge and are glued in one of three ways."""
    numbers = numbers_of(class_of_mask(4, CUT_EDGE))
    pairs = symmetric_pairs(numbers, 4)
    assert index_of(pairs)[0] == 2
    assert has_sphere(pairs, 4)
    (cycle,) = odd_cycles(pairs[3])
    assert len(cycle) == 8
    assert is_projective_plane(cycle)


def test_flips_and_orders_of_points_leave_the_index_unchanged() -> None:
    rng = np.random.default_rng(3)
    for mask in rng.integers(1, 2**16, size=10).tolist():
        labels = class_of_mask(4, mask).labels
        moved = labels[:, rng.permutation(4)] ^ rng.integers(0, 2, size=4, dtype=np.uint8)
        indices = {
            index_of(symmetric_pairs(numbers_of(Table(each)), 4))[0] for each in (labels, moved)
        }
        assert len(indices) == 1


def test_thresholds_with_flipped_labels_are_the_classes_of_sco_dimension_1() -> None:
    """On at most four points, from the sign rank, and on seven points for one order."""
    for points in (1, 2, 3, 4):
        for each in atlas.classes(points):
            rows = sorted(numbers_of(each.table))
            assert (line_vectors(rows, points) is not None) == (each["sco_dim"] <= 1)  # type: ignore[operator]
    rng = np.random.default_rng(5)
    labels = catalog.build("thresholds:n=7").to_table().labels
    table = Table(
        rng.permutation(labels)[:, rng.permutation(7)] ^ rng.integers(0, 2, size=7, dtype=np.uint8)
    )
    assert (PARAMETERS["spherical_dim"](table), PARAMETERS["sco_dim"](table)) == (0, 1)
    PARAMETERS["sco_dim"].witness(table).verify(table)


def test_open_bounds_and_limits_are_told() -> None:
    table = catalog.build(OPEN).to_table()
    with pytest.raises(TooLarge, match="between 2 and 3") as caught:
        PARAMETERS["sco_dim"](table)
    assert (caught.value.lower, caught.value.upper) == (2, 3)
    with pytest.raises(TooLarge):
        PARAMETERS["spherical_dim"](catalog.build("cube:n=7").to_table(), limit=Limit(seconds=1e-6))


def test_a_complex_collapses_if_it_is_connected_with_euler_characteristic_1() -> None:
    """For all sets of labellings of three points that have label 0 at a fourth point."""
    _, contractible = guides(GUIDED)
    here = contractible[1 << 3, 0]
    for mask in range(1, 2**8):
        rows = [tuple(c >> j & 1 for j in range(3)) for c in range(8) if mask >> c & 1]
        assert here[mask] == collapses(frozenset(rows))


def test_all_labellings_are_a_guide_of_every_class() -> None:
    for points in (1, 2, 3):
        dimensions, contractible = guides(points)
        assert all(each[-1] for each in contractible.values())
        assert dimensions[-1] == points - 1
        every = frozenset(range(1 << points))
        for size in (1, 2):
            for some in itertools.combinations(sorted(every), size):
                assert best_guide(frozenset(some), points)[0] <= points - 1


def test_a_guide_proves_no_list_without_hypotheses() -> None:
    """A class without points has no samples to check, but a list has at least one hypothesis."""
    C = Table([[]], domain=[])
    witness = PARAMETERS["list_replicability_upper"].witness(C)
    with pytest.raises(BadCertificate, match="at least one hypothesis"):
        replace(witness, value=0, evidence={"labellings": ((),)}).verify(C)


def test_the_sign_rank_of_the_class_bounds_its_sco_dimension() -> None:
    """On six points, the search does not try all orders of the points and the constant point."""
    for spec, dimension in (("random:m=7,n=6,seed=5", 3), ("random:m=10,n=6,seed=0", 3)):
        table = catalog.build(spec).to_table()
        assert sign_rank_bounds(with_constant(table))[1] - 1 > sign_rank_bounds(table)[1]
        assert PARAMETERS["sco_dim"](table) == dimension
        witness = PARAMETERS["sco_dim"].witness(table)
        witness.verify(table)
        with pytest.raises(BadCertificate):
            replace(witness, value=dimension - 1).verify(table)
