"""What counting says of columns is true, and decides small depths, by the recursion for Ldim."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lsclasses.limits import Meter
from lsclasses.searching import engines, look_ahead, version_space
from lsclasses.searching.look_ahead import candidates, weaker_sides
from lsclasses.searching.version_space import VersionSpace
from tests.lsclasses.searching.spaces import ldim_of

pytestmark = pytest.mark.usefixtures("engine")


def spaces() -> list[VersionSpace]:
    """Random classes, sparse and dense ones, cubes with a few more concepts."""
    rng = np.random.default_rng(17)
    found = []
    for i in range(30):
        points, concepts = int(rng.integers(1, 8)), int(rng.integers(1, 60))
        labels = rng.random((concepts, points)) < rng.choice([0.15, 0.3, 0.5])
        if i % 3 == 0:
            cube = np.array(list(np.ndindex(*[2] * min(points, 4))), dtype=bool)
            labels = np.concatenate([labels, np.resize(cube, (len(cube), points))])
        found.append(VersionSpace.of_labels(np.unique(labels.astype(np.uint8), axis=0)))
    return found


@cache
def dimensions() -> list[int]:
    """Return the Littlestone dimension of each class."""
    return [ldim_of(space) for space in spaces()]


@cache
def side_dimensions() -> list[list[list[int]]]:
    """Return the Littlestone dimensions of the two sides of each column of each class."""
    return [
        [[ldim_of(space.side(j, y)) for y in (0, 1)] for j in range(len(space.words))]
        for space in spaces()
    ]


@pytest.fixture(
    params=[
        *("unpacked", "packed", "in parts", "without triples", "many points"),
        "packed, many points",
    ]
)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How pairs are counted: depends on sizes, and the answers do not."""
    if request.param.startswith("packed"):
        monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)
    if request.param.endswith("many points"):
        monkeypatch.setattr(look_ahead, "NORMAL_UP_TO_POINTS", 0)
    elif request.param == "in parts":
        monkeypatch.setattr(look_ahead, "PAIRS_AT_ONCE", 1)
    elif request.param == "without triples":
        monkeypatch.setattr(look_ahead, "TRIPLES_WORK", -1)
    return str(request.param)


def test_candidates_are_all_roots_and_where_it_is_said_only_roots(way: str) -> None:
    """Depths up to 3 are decided, and depth 4 where triples are counted."""
    decided = {1, 2, 3, 4} if way in ("unpacked", "in parts") else {1, 2, 3}
    for space, dimension, sides in zip(spaces(), dimensions(), side_dimensions(), strict=True):
        for k in range(1, 7):
            found = candidates(space, k, Meter(None))
            roots = {j for j, below in enumerate(sides) if min(below) >= k - 1}
            assert len(set(found.columns)) == len(found.columns) == len(found.first)
            if found.enough:
                assert set(found.columns) <= roots
            if k in decided:
                assert found.enough or not found.columns
                assert bool(found.columns) == (dimension >= k)
            if k == 3 and way == "in parts":
                continue  # The first part with a root is enough.
            assert roots <= set(found.columns)
            smaller = [min(n, space.concepts - n) for n in space.ones[found.columns].tolist()]
            assert smaller == sorted(smaller, reverse=True)
            assert all(2 * n >= 1 << k for n in smaller)


def test_counts_are_passed_on_as_they_are(way: str) -> None:
    for space in spaces():
        columns = space.columns.astype(int)
        for k in range(1, 6):
            found = candidates(space, k, Meter(None))
            if found.ones is not None:
                assert found.ones.tolist() == columns.sum(axis=1).tolist()
            if found.both is not None:
                assert found.both.tolist() == (columns @ columns.T).tolist()


def test_what_pairs_refute_fails_on_the_side_that_is_named(way: str) -> None:
    """And depths up to 3 are refuted wherever a side fails; `weaker` is a side of each column."""
    for space, sides in zip(spaces(), side_dimensions(), strict=True):
        for k in range(1, 6):
            weaker, refuted = weaker_sides(space, k)
            assert len(weaker) == len(refuted) == len(sides)
            assert set(weaker.tolist()) <= {0, 1}
            for j, below in enumerate(sides):
                if refuted[j]:
                    assert below[weaker[j]] < k - 1
                elif k <= 3 and not way.endswith("many points"):
                    assert min(below) >= k - 1


def test_pairs_refute_columns_with_a_side_that_no_column_divides_well_enough() -> None:
    """Each side needs 2^(k-1) concepts, and a column with 2^(k-2) of them on both of its own."""
    for space in spaces():
        columns = space.columns.astype(bool)
        for k in range(1, 7):
            _, refuted = weaker_sides(space, k)
            for j, column in enumerate(columns):
                sides = [columns[:, column == y] for y in (False, True)]
                fine = all(side.shape[1] >= 2 ** (k - 1) for side in sides)
                if fine and k >= 2:
                    ones = [side.sum(axis=1) for side in sides]
                    fine = all(
                        (np.minimum(n, side.shape[1] - n) >= 2 ** (k - 2)).any()
                        for n, side in zip(ones, sides, strict=True)
                    )
                assert refuted[j] == (not fine)


def test_the_side_with_fewer_concepts_looks_weaker_where_no_pairs_are_counted() -> None:
    """Three of four concepts label the column 1; of equal halves either may be named."""
    space = VersionSpace.of_labels(np.array([[0, 0], [1, 0], [1, 1], [1, 0]], dtype=np.uint8)[:3])
    weaker, refuted = weaker_sides(space, 1)
    assert not refuted.any()
    ones = space.ones.tolist()
    for named, n in zip(weaker.tolist(), ones, strict=True):
        assert (n if named else space.concepts - n) <= space.concepts / 2


def test_work_beyond_the_first_part_is_metered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_ahead, "PAIRS_AT_ONCE", 1)
    monkeypatch.setenv(engines.VARIABLE, "numpy")

    class Ticks(Meter):
        count = 0

        def tick(self, *args: int) -> None:
            self.count += 1

    cube = VersionSpace.of_labels(np.array(list(np.ndindex(*[2] * 6)), dtype=np.uint8))
    meter = Ticks(None)
    assert len(candidates(cube, 5, meter).columns) == 6
    assert meter.count == 5
