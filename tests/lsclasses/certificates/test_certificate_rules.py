"""Each rule of failure DAGs and folded trees is searched, case by case, for a false inference.

Whatever a rule accepts must follow from its premise, on every class that is small enough to go
through all of them. The functions that are called here are those that the checker calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, islice, permutations, product
from typing import Any

import numpy as np
import pytest

from lsclasses.certificates.rows import Rows
from lsclasses.certificates.rules import (
    refuted_by_counting,
    refuted_by_entry,
    refuted_by_factors,
    refuted_by_steps,
    settled_columns,
    shattered_by_entry,
    shattered_by_set,
    symmetric,
    unlisted_columns,
)
from tests import oracles
from tests.lsclasses.small_classes import labels_of, ldim, orbits, side_of

DEPTHS = range(-2, 4)


@cache
def rows_of(n: int, V: int) -> Rows:
    return Rows.of_labels(labels_of(n, V))


def classes(most: int) -> list[tuple[int, int]]:
    """Every class on at most so many points, as (points, class)."""
    return [(n, V) for n in range(1, most + 1) for V in range(1 << (1 << n))]


def matchings_on(n: int, longest: int) -> list[tuple[tuple[int, int, int], ...]]:
    """All matchings of n points by at most so many pairs."""
    pairs = list(product(range(n), range(n), (0, 1)))
    return [matching for k in range(longest + 1) for matching in combinations(pairs, k)]


def sizes_of_samples(quick: int, deep: int) -> pytest.MarkDecorator:
    """A test takes so many random cases in ``make test``, and so many in ``make deep``."""
    return pytest.mark.parametrize("count", [quick, pytest.param(deep, marks=pytest.mark.slow)])


all_of_three = pytest.mark.parametrize(
    "classes_of_three",
    [orbits(3), pytest.param(range(256), marks=pytest.mark.slow)],
    ids=["up to symmetry", "all"],
)


# ---- the judge


def test_the_judge_agrees_with_the_definitions():
    for n, V in classes(3):
        C = [tuple(row) for row in labels_of(n, V).tolist()]
        assert ldim(n, V) == (oracles.ldim(C) if n < 3 else oracles.ldim_recursive(C))
    assert [len(orbits(n)) for n in (1, 2, 3, 4)] == [3, 6, 22, 402]


# ---- steps that refer to an entry


@pytest.mark.parametrize(
    ("n", "longest"), [(1, 2), (2, 2), pytest.param(2, 3, marks=pytest.mark.slow)]
)
def test_no_step_on_at_most_two_points_is_false(n, longest):
    """Sides and classes W, depths k and j, no matching or one of up to so many pairs.

    The premise is true; the conclusion must be.
    """
    matchings = [None, *matchings_on(n, longest)]
    every = range(1 << (1 << n))
    sides = {V & side_of(n, x, y) for V, x, y in product(every, range(n), (0, 1))}
    premises = [(W, j) for W, j in product(every, DEPTHS) if ldim(n, W) < j]
    accepted = 0
    for S, (W, j), k, matching in product(sides, premises, DEPTHS, matchings):
        if refuted_by_entry(rows_of(n, S), k - 1, rows_of(n, W), j, matching):
            accepted += 1
            assert ldim(n, S) < k - 1, (S, k, W, j, matching)
    assert accepted > 40


@sizes_of_samples(10**5, 10**6)
def test_a_sample_of_steps_on_three_points_holds_none_that_is_false(count):
    """Random steps; in half of them the side is what the matching maps into W.

    In those only the columns that a matching leaves out stand between the rule and a false
    conclusion. Steps with a false premise or a true conclusion are drawn, but not asked about.
    """
    rng = np.random.default_rng(7)
    truth = np.array([ldim(3, V) for V in range(256)])
    halves = np.array([[side_of(3, x, y) for y in (0, 1)] for x in range(3)])
    k, j = rng.integers(-2, 4, (2, count))
    x, y = rng.integers(3, size=count), rng.integers(2, size=count)
    V, W, some = rng.integers(256, size=(3, count))
    # Small classes are rare among random ones, but they are what a premise is about.
    W &= some | -rng.integers(2, size=count)
    sizes = rng.integers(-1, 5, count)
    pairs = rng.integers([3, 3, 2], size=(count, 4, 3))
    mapped = np.flatnonzero(np.arange(count) % 2)
    sizes[mapped] = np.abs(sizes[mapped])
    V[mapped] = _preimages(W[mapped], pairs[mapped], sizes[mapped])
    k[mapped] = j[mapped] + 1
    side = V & halves[x, y]
    asked = np.flatnonzero((truth[W] < j) & (truth[side] >= k - 1))
    assert len(asked) > count // 8
    assert np.count_nonzero((asked % 2 == 1) & (sizes[asked] > 0)) > count // 100
    spaces = [rows_of(3, V) for V in range(256)]
    chosen = (values[asked].tolist() for values in (side, k, W, j, sizes, pairs))
    for S, k_i, W_i, j_i, size, listed in zip(*chosen, strict=True):
        matching = None if size < 0 else listed[:size]
        assert not refuted_by_entry(spaces[S], k_i - 1, spaces[W_i], j_i, matching)


def _preimages(W: np.ndarray, pairs: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """For every W, all labellings of three points that its matching maps to a concept of W."""
    # Bit 8 c + w of a pair's relation says that it maps the labelling c to w, as far as it goes.
    relation = np.zeros((3, 3, 2), dtype=np.uint64)
    for x, z, flip, c, w in product(range(3), range(3), (0, 1), range(8), range(8)):
        if c >> x & 1 ^ flip == w >> z & 1:
            relation[x, z, flip] |= np.uint64(1 << 8 * c + w)
    maps = np.full(len(W), (1 << 64) - 1, dtype=np.uint64)
    for t in range(4):
        x, z, flip = pairs[:, t].T
        maps[t < sizes] &= relation[x, z, flip][t < sizes]
    images = maps[:, None] >> np.arange(0, 64, 8, dtype=np.uint64) & np.uint64(255)
    hit = images & W[:, None].astype(np.uint64) != 0
    return np.packbits(hit, axis=1, bitorder="little")[:, 0].astype(W.dtype)


# ---- entries with steps


def test_no_entry_on_at_most_three_points_is_false():
    """Every class, depth and set of listed points; that of no points is where a proof once broke.

    If each listed point fails, the entry's class must not shatter its depth.
    """
    accepted = 0
    for n, V in classes(3):
        rows = rows_of(n, V)
        for k in range(-2, 5):
            failing = [
                x for x in range(n) if min(ldim(n, V & side_of(n, x, y)) for y in (0, 1)) < k - 1
            ]
            for size in range(len(failing) + 1):
                for listed in combinations(failing, size):
                    if refuted_by_steps(rows, k, listed):
                        accepted += 1
                        assert ldim(n, V) < k, (n, V, k, listed)
    assert accepted > 1000


def test_listing_every_column_is_enough():
    """The rule is not merely strict: what truly fails everywhere is accepted."""
    for n, V in classes(3):
        for k in range(1, 5):
            assert refuted_by_steps(rows_of(n, V), k, range(n))


# ---- symmetries


def failing_columns(n: int, V: int, k: int) -> set[int]:
    """The points of which some side shatters no depth k - 1."""
    return {x for x in range(n) if min(ldim(n, V & side_of(n, x, y)) for y in (0, 1)) < k - 1}


def require_failing(n: int, V: int, matchings: list[Any], k: int) -> int:
    """From whatever points that fail, symmetries lead to none that does not; how many cases."""
    failing = failing_columns(n, V, k)
    for size in range(len(failing) + 1):
        for listed in combinations(sorted(failing), size):
            settled = settled_columns(listed, matchings)
            assert settled <= failing, (n, V, k, listed, matchings)
    return 1 << len(failing)


def test_no_symmetry_on_at_most_two_points_settles_a_point_that_does_not_fail():
    """Every class, matchings of up to three pairs, depths from 1 to 4, every set of points."""
    count = 0
    for n, V in classes(2):
        for matching in matchings_on(n, 3):
            if symmetric(rows_of(n, V), matching):
                count += sum(require_failing(n, V, [matching], k) for k in range(1, 5))
    assert count > 2000


@all_of_three
def test_permutations_are_symmetries_exactly_if_they_keep_the_class(classes_of_three):
    """Every permutation with complements; and what pairs of symmetries settle."""
    count = 0
    for V in classes_of_three:
        found = []
        for order, flips in product(permutations(range(3)), product((0, 1), repeat=3)):
            images = [
                sum(
                    (c >> x & 1 ^ flip) << z
                    for x, (z, flip) in enumerate(zip(order, flips, strict=True))
                )
                for c in range(8)
            ]
            keeps = all(V >> images[c] & 1 for c in range(8) if V >> c & 1)
            matching = list(zip(range(3), order, flips, strict=True))
            assert symmetric(rows_of(3, V), matching) == keeps
            found += [matching] * keeps
        for first, second in islice(combinations(found, 2), V % 5, None, 5):
            count += sum(require_failing(3, V, [first, second], k) for k in (1, 2, 3))
    assert count > 1500


@sizes_of_samples(10**4, 10**5)
def test_a_sample_of_symmetries_on_three_points_settles_no_point_that_does_not_fail(count):
    """Matchings that need not be permutations, two at a time, of classes that they keep.

    Each class is what is left after taking away, again and again, concepts without an image.
    """
    rng = np.random.default_rng(11)
    sizes, pairs = rng.integers(1, 5, (2, count)), rng.integers([3, 3, 2], size=(2, count, 4, 3))
    V = np.where(rng.random(count) < 0.5, 255, rng.integers(256, size=count))
    for _ in range(8):
        for t in (0, 1):
            V = V & _preimages(V, pairs[t], sizes[t])
    accepted = 0
    for i in np.flatnonzero(V).tolist():
        matchings = [pairs[t, i, : sizes[t, i]].tolist() for t in (0, 1)]
        if all(symmetric(rows_of(3, int(V[i])), matching) for matching in matchings):
            accepted += 1
            for k in (1, 2, 3):
                require_failing(3, int(V[i]), matchings, k)
    assert accepted > count // 100


# ---- entries with factors


@pytest.mark.parametrize(
    ("n", "longest", "stride"),
    [(1, 2, 1), (2, 1, 23), pytest.param(2, 1, 1, marks=pytest.mark.slow)],
)
def test_no_factors_on_at_most_two_points_are_false(n, longest, stride):
    """Classes V and W, depths, groups of no, one or two points matched in every way.

    Up to two factors have true premises, and the conclusion is false: none may be accepted.
    """
    matchings = matchings_on(n, longest)
    every = range(1 << (1 << n))
    spaces = [rows_of(n, V) for V in every]
    parts = [(spaces[W], j, m) for W, j, m in product(every, DEPTHS, matchings) if ldim(n, W) < j]
    count = 0
    for V, size in product(every, range(3)):
        chosen = combinations_with_replacement(parts, size)
        for factors in islice(chosen, V % stride, None, stride):
            for k in range(-2, ldim(n, V) + 1):
                count += 1
                assert not refuted_by_factors(spaces[V], k, factors), (V, k, factors)
    assert count > 10**4


def partitions(points: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to put points into groups, or into none."""
    if not points:
        yield []
        return
    x, *rest = points
    for groups in partitions(tuple(rest)):
        yield groups
        yield [(x,), *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], (x, *group), *groups[i + 1 :]]


def on_group(V: int, group: tuple[int, ...]) -> int:
    """The class with all labels outside a group turned to 0."""
    mask = sum(1 << x for x in group)
    return sum(1 << d for d in {c & mask for c in range(8) if V >> c & 1})


@all_of_three
def test_factors_are_accepted_exactly_if_they_cover_and_do_not_add_up(classes_of_three):
    """Classes on three points, all groups, depths from -2 to 5. Each group is bounded by the
    class that has these labellings and no others; its depth is the smallest it fails, or one more.
    """
    accepted = 0
    for V, groups in product(classes_of_three, partitions((0, 1, 2))):
        labels = labels_of(3, V)
        classes_of = [on_group(V, group) for group in groups]
        matchings = [[(x, x, 0) for x in group] for group in groups]
        rows = [tuple(row) for row in labels.tolist()]
        covered = not (rows and naive_unlisted(rows, [x for group in groups for x in group]))
        for more, k in product((0, 1), range(-2, 6)):
            depths = [ldim(3, W) + 1 + (more if i == 0 else 0) for i, W in enumerate(classes_of)]
            factors = [
                (rows_of(3, W), j, matching)
                for W, j, matching in zip(classes_of, depths, matchings, strict=True)
            ]
            excluded = sum(depths) - len(depths) < k and all(j < k for j in depths)
            found = refuted_by_factors(rows_of(3, V), k, factors)
            assert found == (covered and k >= 1 and excluded), (V, groups, k)
            if found:
                accepted += 1
                assert ldim(3, V) < k, (V, groups, k)
    assert accepted > 150


@sizes_of_samples(4 * 10**4, 2 * 10**5)
def test_a_sample_of_factors_on_three_points_holds_none_that_is_false(count):
    """Random factors, and the largest class that both matchings allow, or a part of it.

    So only the columns that are left out and the depths stand between the rule and a false
    conclusion.
    """
    rng = np.random.default_rng(8)
    truth = np.array([ldim(3, V) for V in range(256)])
    W = rng.integers(256, size=(2, count)) & rng.integers(256, size=(2, count))
    sizes, pairs = rng.integers(0, 4, (2, count)), rng.integers([3, 3, 2], size=(2, count, 4, 3))
    j = truth[W] + 1 + (rng.random((2, count)) < 0.1)
    V = _preimages(W[0], pairs[0], sizes[0]) & _preimages(W[1], pairs[1], sizes[1])
    V &= np.where(rng.random(count) < 0.5, 255, rng.integers(256, size=count))
    k = (j - 1).sum(axis=0) + rng.integers(-1, 2, count)
    spaces = [rows_of(3, V) for V in range(256)]
    asked = np.flatnonzero(truth[V] >= k)
    assert len(asked) > count // 20

    def accepted(i: int) -> bool:
        factors = [
            (spaces[W[t, i]], int(j[t, i]), pairs[t, i, : sizes[t, i]].tolist()) for t in (0, 1)
        ]
        return refuted_by_factors(spaces[V[i]], int(k[i]), factors)

    assert not any(accepted(i) for i in asked.tolist())
    assert sum(accepted(i) for i in range(2000) if truth[V[i]] < k[i]) > 10


# ---- subtrees of folded trees


def test_no_image_on_at_most_two_points_shatters_less_than_its_source():
    """Sides and classes W, depths, matchings of up to two pairs; the premise is true."""
    accepted = 0
    for n in (1, 2):
        every = range(1 << (1 << n))
        for S, W, k, matching in product(every, every, range(-1, 3), matchings_on(n, 2)):
            if k <= ldim(n, W) and shattered_by_entry(rows_of(n, S), k, rows_of(n, W), k, matching):
                accepted += 1
                assert ldim(n, S) >= k, (n, S, W, k, matching)
    assert accepted > 500


@sizes_of_samples(2 * 10**4, 2 * 10**5)
def test_a_sample_of_images_on_three_points_holds_none_that_shatters_less(count):
    """Random classes W and matchings, the sides what these allow, or a part of it, or more."""
    rng = np.random.default_rng(9)
    truth = np.array([ldim(3, V) for V in range(256)])
    W = rng.integers(256, size=count) & rng.integers(256, size=count)
    sizes, pairs = rng.integers(0, 5, count), rng.integers([3, 3, 2], size=(count, 4, 3))
    S = _preimages(W, pairs, sizes) & np.where(rng.random(count) < 0.5, 255, W)
    S ^= np.where(rng.random(count) < 0.8, 0, rng.integers(256, size=count))
    asked = np.flatnonzero((truth[W] >= 0) & (truth[S] < truth[W]))
    assert len(asked) > count // 20
    for i in asked.tolist():
        k, matching = int(truth[W[i]]), pairs[i, : sizes[i]].tolist()
        assert not shattered_by_entry(rows_of(3, S[i]), k, rows_of(3, W[i]), k, matching)


def test_sets_are_accepted_exactly_if_they_are_shattered():
    """All classes on at most three points, all lists of at most three columns, all depths."""
    for n, V in classes(3):
        concepts = [c for c in range(1 << n) if V >> c & 1]
        for size in range(4):
            for columns in product(range(n), repeat=size):
                labellings = {tuple(c >> x & 1 for x in columns) for c in concepts}
                for k in range(-2, 5):
                    found = shattered_by_set(rows_of(n, V), k, columns)
                    assert found == (k == size and len(labellings) == 2**size)
                    assert not found or ldim(n, V) >= k


# ---- counting


@cache
def small_and_symmetric() -> list[tuple[int, int]]:
    return classes(3) + [(4, V) for V in orbits(4)]


@pytest.mark.parametrize("look_ahead", range(4))
def test_counting_refutes_no_depth_that_is_shattered(look_ahead):
    """All classes on at most three points, and those on four up to symmetry."""
    accepted = 0
    for n, V in small_and_symmetric():
        rows = rows_of(n, V)
        for k in range(-2, 6):
            if refuted_by_counting(rows, k, look_ahead):
                accepted += 1
                assert ldim(n, V) < k, (n, V, k)
    assert accepted > 1000


def test_counting_decides_depths_up_to_three():
    for n, V in small_and_symmetric():
        for k in range(4):
            assert refuted_by_counting(rows_of(n, V), k) == (ldim(n, V) < k)


def test_huge_depths_are_refuted_at_once():
    assert refuted_by_counting(rows_of(2, 15), 10**15)


# ---- tables that fill more than one byte


def naive_unlisted(rows: list[tuple[int, ...]], listed: list[int]) -> list[int]:
    columns = list(zip(*rows, strict=True))
    covered = {columns[x] for x in listed} | {tuple(1 - y for y in columns[x]) for x in listed}
    return [
        x for x, column in enumerate(columns) if len(set(column)) == 2 and column not in covered
    ]


def naive_embeds(side, entry, matching) -> bool:
    if matching is None:
        return set(side) <= set(entry)
    if naive_unlisted(side, [x for x, _, _ in matching]):
        return False
    return naive_image(side, matching) <= naive_image(entry, [(z, z, 0) for _, z, _ in matching])


def naive_image(rows, matching) -> set[tuple[int, ...]]:
    return {tuple(c[x] ^ flip for x, _, flip in matching) for c in rows}


seeds = pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(i, marks=pytest.mark.slow) for i in range(8, 20))]
)


def large_table(rng: np.random.Generator, most: int) -> np.ndarray:
    """9 to 40 concepts, 9 or more points: some columns constant, alike, or nearly alike."""
    labels = rng.integers(0, 2, rng.integers(9, [41, most + 1]), dtype=np.uint8)
    points = labels.shape[1]
    for x in range(points):
        how = rng.integers(6)
        if how < 3:
            labels[:, x] = labels[:, rng.integers(points)] ^ rng.integers(2, dtype=np.uint8)
        if how == 1:
            # The last concepts stand alone in the last byte of a column.
            labels[-1 - rng.integers(3), x] ^= 1
        if how == 3:
            labels[:, x] = rng.integers(2)
    return np.unique(labels, axis=0)


@seeds
def test_columns_longer_than_a_byte_are_told_apart(seed):
    rng = np.random.default_rng(seed)
    labels = large_table(rng, (20, 140)[seed % 2])
    rows, space = [tuple(row) for row in labels.tolist()], Rows.of_labels(labels)
    for share in (0.2, 0.5, 0.9, 1.0):
        listed = np.flatnonzero(rng.random(labels.shape[1]) < share).tolist()
        assert unlisted_columns(space, listed) == naive_unlisted(rows, listed)
        for depth in (-1, 0, 1, 4):
            expected = depth >= 1 and not naive_unlisted(rows, listed)
            assert refuted_by_steps(space, depth, listed) == expected


@seeds
def test_rows_longer_than_a_byte_are_told_apart(seed):
    """A side is put into an entry by a matching; then one label in the last byte is changed."""
    rng = np.random.default_rng(seed)
    side = large_table(rng, (20, 140)[seed % 2])
    points = side.shape[1]
    order, flips = rng.permutation(points), rng.integers(0, 2, points, dtype=np.uint8)
    more = rng.integers(0, 2, (5, points), dtype=np.uint8)
    entry = np.unique(np.concatenate([(side ^ flips)[:, order], more]), axis=0)
    matching = [(int(x), z, int(flips[x])) for z, x in enumerate(order)]
    changed = side.copy()
    changed[rng.integers(len(side)), points - 1 - rng.integers(min(3, points - 8))] ^= 1
    fewer = [m for m in matching if rng.random() < 0.9]
    other = [*matching[:-1], (*matching[-1][:2], 1 - matching[-1][2])]
    shapes = [side, np.unique(changed, axis=0), side[: len(side) // 2]]
    for table, target, chosen in product(shapes, (entry, side), (None, matching, fewer, other)):
        rows, targets = ([tuple(row) for row in t.tolist()] for t in (table, target))
        expected = naive_embeds(rows, targets, chosen)
        packed, goal = Rows.of_labels(table), Rows.of_labels(target)
        assert refuted_by_entry(packed, 3, goal, 3, chosen) == expected
        assert not refuted_by_entry(packed, 2, goal, 3, chosen)
        assert not refuted_by_entry(packed, 3, goal, -1, chosen)
        if chosen is not None:
            inverse = [(z, x, flip) for x, z, flip in chosen]
            assert shattered_by_entry(goal, 3, packed, 3, inverse) == expected
            assert not shattered_by_entry(goal, 2, packed, 3, inverse)
            assert not shattered_by_entry(goal, 3, packed, 2, inverse)
        if chosen:
            halves = [
                (goal, 2, chosen[: len(chosen) // 2]),
                (goal, 2, chosen[len(chosen) // 2 :]),
            ]
            assert refuted_by_factors(packed, 3, halves) == (
                not naive_unlisted(rows, [x for x, _, _ in chosen])
                and all(
                    naive_image(rows, m) <= naive_image(targets, [(z, z, 0) for _, z, _ in m])
                    for _, _, m in halves
                )
            )
            assert not refuted_by_factors(packed, 2, halves)


@seeds
def test_counting_on_larger_tables_refutes_no_depth_that_is_shattered(seed):
    labels = large_table(np.random.default_rng(seed), 20)
    truth = oracles.ldim_recursive([tuple(row) for row in labels.tolist()])
    rows = Rows.of_labels(labels)
    for depth in range(truth + 1):
        assert not refuted_by_counting(rows, depth)
    assert refuted_by_counting(rows, truth + 1) or truth >= 3
