from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given

from lsclasses import InvalidInput, Table, naive
from lsclasses.dimensions.vc import shattered_set, vcdim
from lsclasses.limits import Meter
from lsclasses.searching import vc
from lsclasses.searching.version_space import VersionSpace
from tests.strategies import plain, tables

pytestmark = pytest.mark.usefixtures("engine")


def is_shattered(table: Table, points: tuple) -> bool:
    return all(
        not table.given(zip(points, labels, strict=True)).is_empty
        for labels in itertools.product((0, 1), repeat=len(points))
    )


@given(tables(max_concepts=24, max_points=6))
def test_the_witness_is_shattered_and_none_is_larger(table: Table) -> None:
    points = shattered_set(table)
    assert len(set(points)) == len(points) == naive.vcdim(plain(table)) == vcdim(table)
    assert is_shattered(table, points)
    assert list(points) == sorted(points)


def test_the_witness_uses_names() -> None:
    C = Table([[0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 0, 0]], domain=["constant", "left", "right"])
    assert shattered_set(C) == ("left", "right")


def test_the_empty_class_shatters_nothing() -> None:
    with pytest.raises(InvalidInput, match="empty"):
        shattered_set(Table([], domain="ab"))


@pytest.mark.parametrize("seed", range(3))
def test_planted_shattered_sets_are_found(seed: int) -> None:
    """A cube of 4 points hidden among random columns, in a class of higher counting bounds."""
    rng = np.random.default_rng(seed)
    cube = np.array(list(itertools.product((0, 1), repeat=4)), dtype=np.uint8)
    threshold = np.tri(16, 12, dtype=np.uint8)
    labels = np.concatenate([cube, threshold[rng.permutation(16)]], axis=1)
    table = Table(labels[:, rng.permutation(16)])
    assert vcdim(table) == 4
    assert is_shattered(table, shattered_set(table))


@pytest.mark.parametrize("easy", [0, 100])
@pytest.mark.parametrize("together", [0, vc.TOGETHER])
@given(table=tables(max_concepts=40, max_points=7, min_concepts=5))
def test_all_regimes(easy: int, together: int, table: Table) -> None:
    """With triples and symmetries from the first step or never, cell by cell or all at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vc, "EASY_STEPS", easy)
        patch.setattr(vc, "TOGETHER", together)
        assert vcdim(table) == naive.vcdim(plain(table))
        assert is_shattered(table, shattered_set(table))


@pytest.mark.parametrize("easy", [0, 100])
@pytest.mark.parametrize(("n", "k"), [(7, 3), (8, 4), (8, 2), (9, 3)])
def test_symmetric_classes(monkeypatch: pytest.MonkeyPatch, easy: int, n: int, k: int) -> None:
    """Sets of size k of n points: min(k, n - k) points are shattered, and no more."""
    monkeypatch.setattr(vc, "EASY_STEPS", easy)
    rows = [row for row in itertools.product((0, 1), repeat=n) if sum(row) == k]
    assert vcdim(Table(rows)) == min(k, n - k)


@pytest.mark.parametrize("side", [3, 5])
def test_rectangles_on_a_grid(side: int) -> None:
    cells = list(itertools.product(range(side), repeat=2))
    spans = [(a, b) for a in range(side) for b in range(a, side)]
    rows = [
        [int(a <= x <= b and c <= y <= d) for x, y in cells]
        for (a, b), (c, d) in itertools.product(spans, repeat=2)
    ]
    assert vcdim(Table([*rows, [0] * len(cells)])) == 4


def test_halfspaces_of_the_cube_shatter_affinely_independent_points() -> None:
    """Radon: n + 1 points and no more; most sets of that size are shattered, so it takes proof."""
    n = 4
    points = np.array(list(itertools.product((-1, 1), repeat=n)))
    weights = np.array(list(itertools.product(range(-3, 4), repeat=n)))
    values = weights @ points.T
    rows = [values >= t for t in range(-12, 13)]
    assert vcdim(Table(np.concatenate(rows))) == n + 1


@pytest.mark.parametrize("points", [20, 55_107, 55_108, 65_536, 200_000])
def test_sets_of_many_columns_have_codes_of_their_own(points: int) -> None:
    """Numbers of 64 bits wrap from 55,108 columns on, where sets would share their codes."""
    # The digits of 1, 2, ... below a concept that is 0 everywhere: no column twice, none constant.
    labels = np.arange(1, points + 1) >> np.arange(18)[:, None] & 1
    labels = np.concatenate([np.zeros((1, points), dtype=np.int64), labels])
    space = VersionSpace.of_labels(labels.astype(np.uint8))
    search = vc._ShatteredSets(space, Meter(None))
    assert len(space.words) == points
    rng = np.random.default_rng(1)
    sets = [rng.integers(points, size=(50, size)) for size in (1, 2, 3, 4)]
    sets[-1][0] = points - 1
    for chosen in sets:
        ordered = np.sort(chosen, axis=1).tolist()
        exact = [sum((x + 1) * (points + 1) ** i for i, x in enumerate(row)) for row in ordered]
        assert search._codes(chosen).tolist() == exact
