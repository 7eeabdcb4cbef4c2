"""Parameters against other transcriptions of their definitions, and what holds between them."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from catalog import atlas
from catalog.atlas.columns import COLUMNS
from catalog.atlas.margins import margin
from catalog.parameters import PARAMETERS, numbers_of, value
from catalog.parameters.algebra import sign_rank_bounds
from catalog.parameters.homology import has_homology
from catalog.parameters.relations import RELATIONS
from lsclasses import Limit, Table, TooLarge
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.inequalities import Inequality
from lsclasses.dimensions.quantities import quantity, quantity_names
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.isomorphism import class_of_mask
from tests.catalog.parameters import plain as other
from tests.catalog.parameters import plain_distributions
from tests.strategies import plain

NEW = {**other.NEW, **plain_distributions.NEW}
MASKS = st.integers(1, 2**8 - 1) | st.integers(1, 2**16 - 1)
SMALL = [each.table for points in (1, 2, 3) for each in atlas.classes(points, flips=False)]
UP_TO_FLIPS = [each.table for points in (1, 2, 3) for each in atlas.classes(points)]


def small(mask: int) -> Table:
    return class_of_mask(3 if mask < 2**8 else 4, mask)


# ---- distances, chains and shattering


def shown(table: Table, points: tuple[int, ...]) -> set[tuple[int, ...]]:
    return {tuple(row) for row in table.labels[:, list(points)].tolist()}


def chain(table: Table) -> int:
    """All orders of all sets of points."""
    best = 0
    for size in range(len(table.points) + 1):
        for points in itertools.permutations(range(len(table.points)), size):
            steps = {tuple(int(i < k) for i in range(size)) for k in range(size + 1)}
            if steps <= shown(table, points):
                best = size
    return best


def flipped(table: Table) -> list[Table]:
    n = len(table.points)
    return [
        Table(table.labels ^ np.array(flips, dtype=np.uint8))
        for flips in itertools.product((0, 1), repeat=n)
    ]


@given(MASKS)
def test_chains_and_distances(mask: int) -> None:
    table = small(mask)
    assert PARAMETERS["chain_dimension"](table) == chain(table)
    assert chain(table) <= table.threshold_dim() <= chain(table) + 1
    apart = [np.subtract(*pair) for pair in itertools.product(table.labels.astype(int), repeat=2)]
    assert PARAMETERS["diameter"](table) == max(np.abs(each).sum() for each in apart)
    assert PARAMETERS["oriented_diameter"](table) == max((each == 1).sum() for each in apart)
    moving = np.ptp(table.labels.astype(int), axis=0).sum()
    assert PARAMETERS["effective_range"](table) == moving
    radius = min(
        max(int((row != np.array(centre)).sum()) for row in table.labels)
        for centre in itertools.product((0, 1), repeat=len(table.points))
    )
    assert PARAMETERS["hamming_radius"](table) == radius


@settings(max_examples=10)
@given(st.integers(1, 2**8 - 1))
def test_a_path_is_a_chain_after_flips(mask: int) -> None:
    table = class_of_mask(3, mask)
    assert PARAMETERS["path_dimension"](table) == max(map(chain, flipped(table)))


@given(MASKS)
def test_shattered_sets(mask: int) -> None:
    table = small(mask)
    n = len(table.points)
    sets = [s for k in range(n + 1) for s in itertools.combinations(range(n), k)]
    shattered = [s for s in sets if len(shown(table, s)) == 2 ** len(s)]
    assert PARAMETERS["shattered_sets"](table) == len(shattered) >= len(table)
    moving = [j for j in range(n) if len(shown(table, (j,))) == 2]
    radius = max(
        k
        for k in range(len(moving) + 1)
        if all(s in shattered for s in itertools.combinations(moving, k))
    )
    assert PARAMETERS["effective_vc_radius"](table) == radius
    numbers = numbers_of(table)
    cubes = max(
        len(s)
        for s in sets
        for c in numbers
        if all(
            c ^ sum(1 << j for j in part) in numbers
            for k in range(len(s) + 1)
            for part in itertools.combinations(s, k)
        )
    )
    assert PARAMETERS["largest_strongly_shattered_set"](table) == cubes
    telling = min(len(s) for s in sets if len(shown(table, s)) == len(table))
    assert PARAMETERS["distinguishing_range"](table) == telling


@given(MASKS)
def test_teaching_and_projections(mask: int) -> None:
    table = small(mask)
    n = len(table.points)
    parts = [table.project(s) for k in range(1, n + 1) for s in itertools.combinations(range(n), k)]
    rtd = [part.recursive_teaching_dim() for part in parts]
    assert PARAMETERS["projected_recursive_teaching_dim"](table) == max(rtd)
    least = [PARAMETERS["minimum_teaching_set_size"](part) for part in parts]
    assert PARAMETERS["projected_minimum_teaching_set_size"](table) == max(least)  # type: ignore[type-var]
    assert table.star_number() == max(part.teaching_dim() for part in parts)
    for name in ("maximum", "minimum", "average"):
        degrees = [
            DIMENSIONS[f"{name[:3]}_degree".replace("ave", "average")](part) for part in parts
        ]
        assert PARAMETERS[f"projected_{name}_degree"](table) == max(degrees)  # type: ignore[type-var]
    assert PARAMETERS["minimum_teaching_set_size"](table) <= table.teaching_dim()


# ---- what holds of all of them


def test_what_flips_change_is_said() -> None:
    """On all classes on two points, and for what changes there is a class that shows it."""
    for definition in PARAMETERS.values():
        if definition.needs:  # of schemes, see tests/lsclasses/dimensions/test_compression.py
            continue
        changed = any(
            len({definition(each) for each in flipped(class_of_mask(points, mask))}) > 1
            for points in ((2, 3) if definition.flips_change else (2,))
            for mask in range(1, 2**2**points)
        )
        assert changed is definition.flips_change, definition.name


@pytest.mark.parametrize("name", NEW)
def test_all_classes_on_three_points_by_another_transcription(name: str) -> None:
    for table in SMALL:
        assert PARAMETERS[name](table) == NEW[name](plain(table)), table.labels.tolist()


@settings(max_examples=15)
@given(st.integers(1, 2**16 - 1), st.sampled_from(sorted(NEW)))
def test_classes_on_four_points_by_another_transcription(mask: int, name: str) -> None:
    table = class_of_mask(4, mask)
    slow = {
        "positive_recursive_teaching_dim": len(table) > 9,
        "extremal_extension_vcdim": len(table) < 10,
        "list_replicability_upper": True,
        "subclass_star_number": len(table) > 8,
        "antichain_number": len(table) > 9,
        "version_space_radon_number": len(table) > 9,
    }
    if not slow.get(name):
        assert PARAMETERS[name](table) == NEW[name](plain(table))


def test_the_largest_order_shattered_set_over_all_orders_is_shattered() -> None:
    for table in SMALL:
        assert max(other.largest_in_orders(plain(table))) == table.vcdim()


def test_orders_make_schemes_as_large_as_said() -> None:
    for table in SMALL:
        if len(table.points) <= 2:
            assert PARAMETERS["order_compression"](table) == other.order_compression(plain(table))
        if len(table) <= 4:
            found = PARAMETERS["proper_order_compression"](table)
            assert found == other.proper_order_compression(plain(table))


def test_values_of_families_that_are_known() -> None:
    singletons = [catalog.build(f"points:n={n}").to_table() for n in (2, 3, 4)]
    for n, table in zip((2, 3, 4), singletons, strict=True):
        assert PARAMETERS["yang_dimension"](table) == n - 1
        assert PARAMETERS["order_compression"](table) == 1
        assert PARAMETERS["proper_order_compression"](table) == n - 1
        assert PARAMETERS["interpolation_degree"](table) == 1
    cube = catalog.build("cube:n=3").to_table()
    for name in ("yang_dimension", "interpolation_degree", "sign_rank", "majority_queries"):
        assert PARAMETERS[name](cube) == 3
    assert PARAMETERS["sign_rank"](catalog.build("thresholds:n=5").to_table()) == 2


def test_the_homology_of_a_projective_plane_depends_on_the_field() -> None:
    """The plane has six vertices. Its integral homology has a cycle of order two."""
    triangles = "012 013 024 035 045 125 134 145 234 235"
    facets = [frozenset(map(int, each)) for each in triangles.split()]
    faces: list[set[int]] = [set() for _ in range(4)]
    for facet in facets:
        for size in range(4):
            for chosen in itertools.combinations(facet, size):
                faces[size].add(sum(1 << v for v in chosen))
    for p, expected in ((2, [False, True, True]), (3, [False] * 3), (0, [False] * 3)):
        assert [has_homology(faces, size, p) for size in (1, 2, 3)] == expected
        assert [other.homology(facets, i, p) > 0 for i in (0, 1, 2)] == expected  # type: ignore[arg-type]


def test_the_trichotomy_of_transductive_mistakes() -> None:
    """They grow as n, as log n, or not at all."""
    curves = {
        spec: PARAMETERS["transductive_mistakes"](catalog.build(f"{spec}:n=7").to_table())
        for spec in ("cube", "thresholds", "points")
    }
    assert curves["cube"] == tuple(range(8))
    assert curves["thresholds"] == tuple((n + 1).bit_length() - 1 for n in range(8))
    assert curves["points"] == (0, *[1] * 7)


def test_the_least_numbers_of_mistakes_for_each_ldim() -> None:
    """On at most four points, from the columns of the atlas."""
    least: dict[int, int] = {}
    for points in (1, 2, 3, 4):
        for each in atlas.classes(points):
            last = each["transductive_mistakes"][-1]
            least[each["ldim"]] = min(last, least.get(each["ldim"], last))
    assert [least[d] for d in range(5)] == [0, 1, 2, 2, 4]


def test_a_class_of_ldim_4_has_3_mistakes_in_every_order() -> None:
    """It has five points. On four points, the dimension 4 needs all labellings and 4 mistakes."""
    numbers = (0, 2, 3, 4, 5, 8, 9, 12, 15, 18, 19, 21, 22, 27, 28, 29)
    rows = [f"{number:05b}" for number in numbers]
    table = Table(rows)
    assert table.ldim() == 4
    assert PARAMETERS["transductive_mistakes"](table) == (0, 1, 2, 3, 3, 3)

    def forced(some: list[str], order: tuple[int, ...]) -> int:
        if not some or not order:
            return 0 if some else -1
        zero, one = (
            forced([row for row in some if row[order[0]] == y], order[1:]) for y in ("0", "1")
        )
        return max(zero, one, 1 + min(zero, one))

    assert max(forced(rows, order) for order in itertools.permutations(range(5))) == 3


def test_randomized_values_with_a_mistake_that_are_known() -> None:
    """Known values, which `lsclasses.mistake_budgets` computes, too."""
    for spec, known in (("constants:n=1", Fraction(7, 4)), ("points:n=3", Fraction(67, 32))):
        table = catalog.build(spec).to_table()
        assert PARAMETERS["one_mistake_randomized_ldim"](table) == known
    assert PARAMETERS["one_mistake_ldim"](catalog.build("constants:n=3").to_table()) == 3


def test_the_sign_rank_of_a_class_is_open_where_bounds_do_not_meet() -> None:
    table = catalog.build("warmuth").to_table()
    lower, upper = sign_rank_bounds(table)
    assert lower < upper
    with pytest.raises(TooLarge, match=f"between {lower} and {upper}") as caught:
        PARAMETERS["sign_rank"](table)
    assert (caught.value.lower, caught.value.upper) == (lower, upper)


def test_an_entry_with_equal_labels_counts_in_orders_with_flips() -> None:
    """A point where all concepts agree has changes of sign along flipped concepts."""
    table = Table(
        [[0, 1, 0, 0, 1], [1, 1, 0, 0, 1], [1, 0, 1, 0, 1], [1, 1, 1, 0, 1], [0, 0, 0, 1, 1]]
    )
    assert sign_rank_bounds(table) == (3, 3)
    PARAMETERS["sign_rank"].witness(table).verify(table)


def test_too_many_points_and_no_time_are_told() -> None:
    with pytest.raises(TooLarge, match="at most 6 points"):
        PARAMETERS["yang_dimension"](Table(np.eye(7, dtype=int)))
    with pytest.raises(TooLarge):
        PARAMETERS["path_dimension"](Table(np.eye(9, dtype=int)), limit=Limit(seconds=1e-6))


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("points", [0, 2])
def test_the_empty_class_is_refused(name: str, points: int) -> None:
    empty = Table([], domain=range(points))
    with pytest.raises(InvalidInput, match=f"{name} is not defined for the empty class"):
        PARAMETERS[name](empty)
    with pytest.raises(InvalidInput, match="empty class"):
        value(empty, name)


@pytest.mark.parametrize("name", [name for name in PARAMETERS if PARAMETERS[name].available])
def test_the_class_on_no_points_has_a_value_and_a_witness(name: str) -> None:
    only = Table([[]])
    expected = {
        "shattered_sets": 1,
        "intersection_radon_number": 1,
        "transductive_mistakes": (0,),
        "apple_tasting_mistakes": (0,),
        "spherical_dim": -1,
        "version_space_radon_number": 1,
        "list_replicability_lower": 1,
        "list_replicability_upper": 1,
    }
    assert PARAMETERS[name](only) == expected.get(name, 0)
    if PARAMETERS[name].evidence is not None:
        witness = PARAMETERS[name].witness(only)
        witness.verify(only)
        assert str(witness)


@pytest.mark.parametrize("points", [0, 2])
def test_other_quantities_have_a_value_for_the_empty_class(points: int) -> None:
    empty = Table([], domain=range(points))
    for name in quantity_names():
        expected = DIMENSIONS[name](empty) if name in DIMENSIONS else None
        found = value(empty, name)
        if expected is None:
            expected = {"size": 0, "points": points}.get(name, (0,) * (points + 1))
        assert found == expected


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.parameters.base.find_spec", lambda _: None)
    with pytest.raises(LsclassesError, match="needs the package 'pysat', which is missing"):
        PARAMETERS["labelled_compression"](SMALL[0])


# ---- inequalities


def values(table: Table, chosen: list[Inequality]) -> dict[str, object]:
    return {
        n: PARAMETERS[n](table) if n in PARAMETERS else quantity(table, n)
        for n in sorted(set().union(*(each.names for each in chosen)))
    }


KNOWN = {**DIMENSIONS, **PARAMETERS}
CHECKED = [
    each
    for each in RELATIONS
    if all(PARAMETERS[n].available for n in each.names & PARAMETERS.keys())
]
FLIPPED = [
    each for each in CHECKED if any(KNOWN[n].flips_change for n in each.names & KNOWN.keys())
]
SYMMETRIC = [each for each in CHECKED if each not in FLIPPED]


@pytest.mark.parametrize(("chosen", "tables"), [(SYMMETRIC, UP_TO_FLIPS), (FLIPPED, SMALL)])
def test_inequalities_hold_on_three_points_and_no_better_ones(
    chosen: list[Inequality], tables: list[Table]
) -> None:
    found = [values(table, chosen) for table in tables]
    for each in chosen:
        margins = [margin for known in found for margin in each.margins(known)]  # type: ignore[arg-type]
        assert min(margins) == each.slack, str(each)
        assert each.source or each.proof


@settings(max_examples=3)
@given(st.integers(1, 2**16 - 1))
def test_inequalities_hold_on_four_points(mask: int) -> None:
    known = values(class_of_mask(4, mask), CHECKED)
    for each in CHECKED:
        assert min(each.margins(known), default=0) >= 0, str(each)  # type: ignore[arg-type]


def test_inequalities_hold_on_all_classes_on_four_points() -> None:
    assert all(each.names <= {"points", *COLUMNS} for each in RELATIONS)
    for each in RELATIONS:
        assert margin(each).least == each.slack, str(each)
