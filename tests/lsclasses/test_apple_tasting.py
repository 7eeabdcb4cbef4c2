"""Apple tasting against the definition from histories, for more rounds than points."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest

import catalog
from catalog import atlas
from lsclasses import InvalidInput, Limit, Table, TooLarge
from lsclasses.apple_tasting import (
    AppleTastingGame,
    AppleTree,
    apple_littlestone_dim,
    apple_littlestone_tree,
    apple_tasting_mistakes,
)
from lsclasses.isomorphism import class_of_mask
from lsclasses.point_names import Point
from tests.catalog.parameters.plain import apple_tasting


def test_two_constants_allow_one_mistake_in_any_number_of_rounds() -> None:
    """The learner predicts 1 in the first round and receives the label."""
    C = Table([[0], [1]])
    assert [apple_tasting_mistakes(C, rounds) for rounds in (0, 1, 2, 1000)] == [0, 1, 1, 1]


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 4, 5])
def test_the_recursion_gives_the_definition_on_two_points(rounds: int) -> None:
    """The classes are all 15 classes, and there are up to three rounds more than points."""
    labellings = list(itertools.product((0, 1), repeat=2))
    for size in range(1, 5):
        for rows in itertools.combinations(labellings, size):
            assert apple_tasting_mistakes(Table(rows), rounds) == apple_tasting(
                frozenset(rows), rounds
            )


def test_singletons_force_one_more_mistake_after_more_and_more_rounds() -> None:
    """Until the learner has received the label of every point."""
    C = catalog.build("points:n=4,empty=1")
    curve = [apple_tasting_mistakes(C, rounds) for rounds in range(12)]
    assert [curve.index(count) for count in range(5)] == [0, 1, 3, 5, 8]
    assert apple_tasting_mistakes(C, 10**6) == curve[-1] == 4


def test_zeros_are_more_expensive_than_ones() -> None:
    """A flip of all labels changes the value, because only the label 0 costs a mistake."""
    singles = catalog.build("points:n=4").to_table()
    flipped = Table(1 - singles.labels)
    assert [apple_tasting_mistakes(C, 20) for C in (singles, flipped)] == [3, 1]


def test_the_empty_class_has_the_value_of_an_empty_version_space() -> None:
    assert apple_tasting_mistakes(Table([], domain=[0]), 3) == -1


def test_negative_numbers_of_rounds_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"at least 0\. Got -1"):
        apple_tasting_mistakes(Table([[0], [1]]), -1)


def test_large_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match=r"at most 20 different columns\. Got 21"):
        AppleTastingGame(catalog.build("points:n=21").to_table())
    with pytest.raises(TooLarge, match="limit"):
        apple_tasting_mistakes(catalog.build("cube:n=9"), 9, limit=Limit(memory=1000))
    monkeypatch.setattr("lsclasses.apple_tasting.MOST_STATES", 10)
    with pytest.raises(TooLarge, match="more than 10 states"):
        apple_tasting_mistakes(catalog.build("cube:n=4"), 4)


# ---- trees of bounded width


def branches(tree: AppleTree, width: int) -> Iterator[tuple[tuple[Point, int], ...]]:
    """Yield the labels on the branches of a tree of a width."""
    if not tree or not width:
        yield ()
        return
    x, zero, one = tree
    for y, side, rest in ((0, zero, width), (1, one, width - 1)):
        for more in branches(side, rest):
            yield ((x, y), *more)


def trees(points: Sequence[Point], width: int, depth: int) -> Iterator[AppleTree]:
    """Yield all trees of points with a width and a depth."""
    if not depth or not width:
        yield ()
        return
    for x in points:
        for zero in trees(points, width, depth - 1):
            for one in trees(points, width - 1, depth - 1):
                yield x, zero, one


def is_shattered(C: Table, tree: AppleTree, width: int) -> bool:
    rows = [dict(zip(C.points, row, strict=True)) for row in C.labels.tolist()]
    return all(
        any(all(row[x] == y for x, y in branch) for row in rows) for branch in branches(tree, width)
    )


@pytest.mark.parametrize("width", [1, 2, 3])
def test_some_tree_of_the_width_is_shattered_and_no_deeper_one(width: int) -> None:
    """All trees are tried on all classes on two points."""
    for mask in range(1, 16):
        C = class_of_mask(2, mask)
        depth = apple_littlestone_dim(C, width)
        tree = apple_littlestone_tree(C, width)
        assert is_shattered(C, tree, width)
        sizes = {len(branch) for branch in branches(tree, width)}
        assert max(sizes) == depth
        every = [trees(C.points, width, d) for d in range(4)]
        shattered = [any(is_shattered(C, each, width) for each in some) for some in every]
        assert shattered == [d <= depth for d in range(4)]


def test_wider_trees_are_less_deep_until_they_are_complete() -> None:
    for each in atlas.classes(3, flips=False):
        dims = [apple_littlestone_dim(each.table, width) for width in range(1, 6)]
        assert dims == sorted(dims, reverse=True)
        ldim = each["ldim"]
        assert isinstance(ldim, int)
        assert dims[ldim:] == [ldim] * (5 - ldim)


def test_long_games_of_apple_tasting_force_the_dimension_of_width_1() -> None:
    """As many rounds as its square suffice for a deterministic learner's mistakes."""
    for each in atlas.classes(3, flips=False):
        depth = apple_littlestone_dim(each.table, 1)
        for rounds in (depth**2, 1000):
            assert apple_tasting_mistakes(each.table, rounds) == depth


def test_a_width_below_1_and_the_tree_of_the_empty_class_are_refused() -> None:
    empty = Table([], domain=[0])
    assert apple_littlestone_dim(empty, 1) == -1
    with pytest.raises(InvalidInput, match=r"at least 1\. Got 0"):
        apple_littlestone_dim(Table([[0], [1]]), 0)
    with pytest.raises(InvalidInput, match="empty class has no tree"):
        apple_littlestone_tree(empty, 1)
    with pytest.raises(TooLarge, match="limit"):
        apple_littlestone_dim(catalog.build("cube:n=9"), 3, limit=Limit(memory=1000))


def test_classes_with_many_columns_are_refused_before_the_recursion() -> None:
    assert apple_littlestone_dim(catalog.build("thresholds:n=200"), 1) == 200
    with pytest.raises(TooLarge, match="201 different columns"):
        apple_littlestone_dim(catalog.build("thresholds:n=201"), 1)
