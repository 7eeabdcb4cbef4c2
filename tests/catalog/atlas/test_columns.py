"""Each column of the atlas against its transcribed definition, on all classes on up to two points
and on those on three points up to permutations."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from types import ModuleType

import numpy as np
import pytest

from catalog import atlas
from catalog.atlas.columns import (
    CHUNK,
    COLUMNS,
    algebra,
    batch,
    column_names,
    compression,
    compute,
    computed_here,
    games,
    graph,
    levels,
    mistakes,
    shattering,
    stars,
    teaching,
    topology,
)
from catalog.atlas.columns.batch import FREE, AtlasColumn, Batch
from catalog.atlas.orbits import least_masks
from catalog.parameters import PARAMETERS
from lsclasses import Table
from lsclasses.dimensions import Value
from lsclasses.dimensions.set_cover import max_zero_cover_number
from lsclasses.isomorphism import class_of_mask
from lsclasses.mistake_budgets import budgeted_ldim
from tests import oracles

Concepts = list[tuple[int, ...]]


def concepts_of(mask: int, points: int) -> Concepts:
    return [tuple(c >> j & 1 for j in range(points)) for c in range(2**points) if mask >> c & 1]


@cache
def masks_of(points: int) -> np.ndarray:
    """All non-empty classes, on three points one of each orbit under permutations."""
    everything = np.arange(1, 2**2**points, dtype=np.uint64)
    return np.unique(least_masks(everything, points, flips=False)) if points > 2 else everything


DEFINED: dict[str, Callable[[Concepts], Value]] = {
    "ldim": oracles.ldim_recursive,
    "dual_ldim": lambda C: oracles.ldim_recursive(oracles.dual(C)),
    "randomized_ldim": oracles.randomized_ldim_recursive,
    "growth_function": lambda C: tuple(oracles.growth_function(C, n) for n in range(len(C[0]) + 1)),
    "zero_cover_number": lambda C: tuple(
        max_zero_cover_number(Table(C), n) for n in range(len(C[0]) + 1)
    ),
    "size": len,
}
"""What is not defined in `oracles` under its name, or takes long by the definition there."""


def definition(name: str) -> Callable[[Concepts], Value]:
    """Another transcription of the definition: of parameters their own code, which the tests of
    parameters compare with a third one.
    """
    if name in PARAMETERS:
        return lambda C: PARAMETERS[name](Table(C))
    return DEFINED.get(name) or oracles.definition(name)


BY_TOPIC = [
    (topic, name)
    for topic in (
        *(algebra, compression, games, graph, levels, mistakes, shattering, stars, teaching),
        topology,
    )
    for name, found in vars(topic).items()
    if isinstance(found, AtlasColumn)
    and name == found.name
    and found.compute.__module__ == topic.__name__
]


def test_every_column_is_listed():
    assert sorted(name for _, name in BY_TOPIC) == sorted(COLUMNS)


@pytest.mark.parametrize("points", [1, 2, 3])
@pytest.mark.parametrize(("topic", "name"), BY_TOPIC, ids=[name for _, name in BY_TOPIC])
def test_a_column_is_the_dimension_by_its_definition(topic: ModuleType, name: str, points: int):
    if not computed_here(name):
        pytest.skip("needs lsclasses[sat]")
    column: AtlasColumn = getattr(topic, name)
    masks = masks_of(points)
    found = column(Batch(masks, points))
    assert np.issubdtype(found.dtype, np.integer)
    defined = definition(name)
    for mask, values in zip(masks.tolist(), found.tolist(), strict=True):
        value = tuple(values) if column.sequence else Fraction(values, column.unit(points))
        assert value == defined(concepts_of(mask, points)), bin(mask)


@pytest.mark.parametrize("k", [0, 1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_states_by_differences_give_the_budgeted_dimension(k: int):
    """On all classes on two points, and on the classes of every 30th mask on four points."""
    for points, step in ((2, 1), (4, 4000)):
        masks = np.arange(1, 2**2**points, step, dtype=np.uint64)
        found = mistakes.budget_values(Batch(masks, points), k, 1, mistakes.complete)
        tables = (class_of_mask(points, mask) for mask in masks.tolist())
        assert found.tolist() == [budgeted_ldim(table, k) for table in tables]


def test_budgeted_dimensions_of_all_classes_on_four_points_are_fast():
    """For k <= 3, they take at most ten seconds."""
    batch = Batch(np.array([each.mask for each in atlas.classes(4)], dtype=np.uint64), 4)
    start = time.process_time()
    depths = [mistakes.budget_values(batch, k, 1, mistakes.complete) for k in range(4)]
    assert time.process_time() - start < 10
    assert all((less < more).all() for less, more in pairwise(depths))


@pytest.mark.parametrize("points", [1, 2, 3])
def test_subcubes_show_and_count_what_is_in_them(points: int):
    masks = masks_of(points)
    found = Batch(masks, points)
    assert (found.points, found.classes) == (points, len(masks))
    counts = found.counts(found.present)
    assert found.shown.shape == counts.shape == (3,) * points + (len(masks),)
    assert sorted(found.subcubes) == sorted(np.ndindex((3,) * points))
    free = [cube.count(FREE) for cube in found.subcubes]
    assert free == sorted(free)
    for i, mask in enumerate(masks.tolist()):
        concepts = concepts_of(mask, points)
        assert found.present[:, i].tolist() == [mask >> c & 1 for c in range(2**points)]
        for cube in found.subcubes:
            # The first axis is the highest bit, which is the last point.
            inside = [
                c
                for c in concepts
                if all(z in (y, FREE) for y, z in zip(c[::-1], cube, strict=True))
            ]
            assert (counts[(*cube, i)], found.shown[(*cube, i)]) == (len(inside), bool(inside))
    assert found.of_whole(counts).tolist() == [mask.bit_count() for mask in masks.tolist()]


def test_the_halves_of_a_subcube_are_those_at_its_free_points():
    found = Batch(masks_of(2), 2)
    assert list(found.sides((FREE, FREE))) == [((0, FREE), (1, FREE)), ((FREE, 0), (FREE, 1))]
    assert list(found.sides((1, FREE))) == [((1, 0), (1, 1))]
    assert list(found.sides((0, 1))) == []
    assert batch.with_((0, 1, FREE), 1, FREE) == (0, FREE, FREE)
    assert batch.with_((0, 1, FREE), 0, 1) == (1, 1, FREE)
    assert batch.subsets(2) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [sum(each) for each in batch.subsets(3)] == [0, 1, 1, 1, 2, 2, 2, 3]
    assert list(batch.patterns((1, 0))) == [(0, FREE), (1, FREE)]
    assert len(list(batch.patterns((1, 1, 0, 1)))) == 8


def test_what_columns_share_is_computed_once_for_a_batch():
    seen = []

    @batch.shared
    def size(each: Batch) -> int:
        seen.append(each)
        return each.classes

    first, second = Batch(masks_of(1), 1), Batch(masks_of(2), 2)
    assert [size(first), size(second), size(first)] == [3, 15, 3]
    assert seen == [first, second]


def test_batches_are_put_together_in_order():
    masks = np.tile(masks_of(1), CHUNK // 3 + 2)
    found = compute(masks, 1, ["ldim", "growth_function"])
    assert len(found["ldim"]) == len(masks) > CHUNK
    assert np.array_equal(found["ldim"], np.tile([0, 0, 1], CHUNK // 3 + 2))
    assert found["growth_function"].shape == (len(masks), 2)
    nothing = compute(masks[:0], 1, ["ldim"])
    assert nothing["ldim"].shape == (0,)


def test_columns_have_as_many_points_as_they_can_do():
    limited = {name for name, each in COLUMNS.items() if each.most_points < 5}
    assert {"no_clash_teaching_dim", "positive_no_clash_teaching_dim"} <= limited
    assert set(column_names(5, flips=False)) == COLUMNS.keys() - limited
    for points in (1, 4):
        assert list(column_names(points, flips=False)) == list(COLUMNS)
    assert len(limited) == 43
    assert all(COLUMNS[name].most_points == 4 for name in limited)


def value_of(name: str, mask: int, points: int) -> Value:
    found = COLUMNS[name](Batch(np.array([mask], dtype=np.uint64), points)).tolist()[0]
    return Fraction(found, COLUMNS[name].unit(points))


def test_ranks_are_those_over_the_rationals():
    """A determinant that a prime divides, and matrices on which elimination swaps columns."""
    rng = np.random.default_rng(0)
    matrices = rng.integers(0, 2, size=(6, 8, 300)) & rng.integers(0, 2, size=(6, 8, 300))
    expected = np.linalg.matrix_rank(matrices.transpose(2, 0, 1))
    assert algebra._rank_modulo(matrices.copy(), algebra.PRIMES[0]).tolist() == expected.tolist()
    triangle = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])[:, :, None]
    ranks = [int(algebra._rank_modulo(triangle.copy(), p)[0]) for p in (2, 3, *algebra.PRIMES)]
    assert ranks == [2, 3, 3, 3]


@pytest.mark.parametrize(
    ("concepts", "value"),
    [
        # Two antipodes; what is missing is two squares, in two parts; a cycle is missing.
        ((0, 31), 1),
        (tuple(c for c in range(32) if c & 7 not in (0, 7)), 4),
        (tuple(c for c in range(32) if c & 7 in (0, 7)), 3),
    ],
)
def test_yang_dimensions_by_the_homology_of_the_class(concepts: tuple[int, ...], value: int):
    mask = sum(1 << c for c in concepts)
    assert value_of("yang_dimension", mask, 5) == value
    assert PARAMETERS["yang_dimension"](Table(concepts_of(mask, 5))) == value


def on_four_points(count: int, largest: int) -> np.ndarray:
    """Classes on four points, as many of each size."""
    rng = np.random.default_rng(count)
    chosen = (rng.permutation(16)[: 2 + i % (largest - 1)] for i in range(count))
    return np.array([sum(1 << int(c) for c in each) for each in chosen], dtype=np.uint64)


@pytest.mark.parametrize("name", ["dual_ldim", "dual_vcdim"])
def test_duals_on_four_points_may_have_dimension_two(name: str):
    # Two concepts are labelled in all four ways by four points, not by fewer.
    masks = on_four_points(40, 8)
    found = getattr(games, name)(Batch(masks, 4)).tolist()
    defined = definition(name)
    assert found == [defined(concepts_of(mask, 4)) for mask in masks.tolist()]
    assert set(found) == {1, 2}


@pytest.mark.parametrize("points", [3, 4])
def test_densities_do_not_depend_on_when_bounds_are_compared(
    points: int, monkeypatch: pytest.MonkeyPatch
):
    masks = masks_of(3) if points == 3 else on_four_points(300, 15)
    expected = graph.density(Batch(masks, points))
    monkeypatch.setattr(graph, "SWEEPS", 1)
    assert graph.density(Batch(masks, points)).tolist() == expected.tolist()


@pytest.mark.parametrize("concepts", [2, 4, 8, 16, 32])
def test_densities_are_decided_before_a_next_fraction_and_only_then(concepts: int):
    """Every fraction in turn as the bound below, the next one and what is just above as that above.

    (In a large class a part that is hardly less dense than the densest could be taken for it.)
    """
    fractions = {Fraction(p, q) for q in range(1, concepts + 1) for p in range(2 * q)}
    below = sorted(fractions)
    above = np.array([float(each) for each in (*below[1:], 2)])
    inside, size = np.array([each.as_integer_ratio() for each in below]).T
    assert not graph._no_fraction_between(inside, size, above, concepts).any()
    assert graph._no_fraction_between(inside, size, inside / size + 1e-6, concepts).all()


@pytest.mark.parametrize("name", list(filter(computed_here, COLUMNS)))
def test_a_class_is_what_it_is_in_any_batch(name: str):
    masks = masks_of(2)
    together = COLUMNS[name](Batch(masks, 2)).tolist()
    assert [COLUMNS[name](Batch(masks[i : i + 1], 2)).tolist()[0] for i in range(15)] == together


def positive_plan_order(concepts: Concepts) -> int:
    """The least k for which sets of at most k labels 1 tell all concepts, one after the other."""
    left, size = set(concepts), 0
    while left:
        taught = {
            c
            for c in left
            if any(
                [d for d in left if all(d[x] for x in chosen)] == [c]
                for k in range(size + 1)
                for chosen in combinations([x for x, y in enumerate(c) if y], k)
            )
        }
        left, size = left - taught, size + (not taught)
    return size


@pytest.mark.parametrize("points", [1, 2, 3])
def test_positive_plans_bound_lessons_without_clash_from_above(points: int):
    each = Batch(masks_of(points), points)
    found = teaching.positive_recursive_teaching_dim(each).tolist()
    assert found == [positive_plan_order(concepts_of(m, points)) for m in each.masks.tolist()]
    assert (teaching.positive_no_clash_teaching_dim(each) <= found).all()


@pytest.mark.parametrize("mask", [0x3CD4, 0x3CD5, 0x3DC1, 0x5AB2, 0x5AB3, 0x5BA1])
def test_only_neighbours_below_bound_positive_lessons(mask: int):
    """Where a neighbour has a 1 more, that point is in the neighbour's lesson, or in none."""
    found = teaching.positive_no_clash_teaching_dim(Batch(np.array([mask], dtype=np.uint64), 4))
    assert found.tolist() == [oracles.positive_no_clash_teaching_dim(concepts_of(mask, 4))] == [2]


KINDS = {
    f"{'proper_' * kind.proper}{'stable_' * kind.stable}{'un' * (not kind.labelled)}labelled"
    "_compression": kind
    for kind in compression.KINDS
}
COMPRESSION = [name for topic, name in BY_TOPIC if topic is compression and computed_here(name)]


def up_to_flips(masks: np.ndarray) -> list[int]:
    found: list[int] = np.unique(least_masks(masks, 4, flips=True)).tolist()
    return found


@pytest.mark.parametrize("name", COMPRESSION)
@pytest.mark.parametrize(
    "masks",
    [on_four_points(6, 16), pytest.param(masks_of(4), marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_schemes_on_four_points_by_their_definition(name: str, masks: np.ndarray):
    """A column against a solver that knows one class and size, whose schemes are checked."""
    found = atlas.table(4)
    which = up_to_flips(masks)
    column = dict(zip(found["mask"].tolist(), found[name].tolist(), strict=True))
    assert [column[mask] for mask in which] == [
        definition(name)(concepts_of(mask, 4)) for mask in which
    ]


@pytest.mark.skipif(not COMPRESSION, reason="needs lsclasses[sat]")
def test_schemes_on_four_points_are_those_of_the_file():
    """Of each of the 17 combinations of least sizes that occur on four points one class."""
    found = atlas.table(4)
    kinds = [name for name in COMPRESSION if "order" not in name]
    rows = np.stack([found[name] for name in kinds], axis=1).tolist()
    upper = found["proper_order_compression"].tolist()
    some = {
        tuple(row): each for row, *each in zip(rows, found["mask"].tolist(), upper, strict=True)
    }
    assert len(some) == 17
    for row, (mask, most) in some.items():
        least = compression.least_sizes.__wrapped__(4, mask, most)
        assert tuple(least[KINDS[name]] for name in kinds) == row, mask


def test_kinds_of_schemes_are_asked_for_only_where_bounds_leave_a_choice(
    monkeypatch: pytest.MonkeyPatch,
):
    """Of four concepts on two points each value is a bound: by counting, or as an order has it."""
    asked = []

    class Solver:
        def exist(self, concepts: list[int], size: int, **kind: bool) -> bool:
            asked.append((size, kind))
            return True

    monkeypatch.setattr(compression, "schemes", lambda points, labelled: Solver())
    least = compression.least_sizes.__wrapped__(2, 0b1111, 1)
    assert {kind.labelled: size for kind, size in least.items()} == {True: 1, False: 2}
    # Without labels, what is proper may need more than both points, if it exists at all.
    assert asked == [(2, {"proper": True, "stable": True})]
