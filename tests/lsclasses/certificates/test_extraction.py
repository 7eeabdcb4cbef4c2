"""What is written down proves the dimension, whether version spaces are kept or made anew."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lsclasses import Table, TooLarge, naive
from lsclasses.certificates import FailureDAG, FoldedTree, VCCertificate, extraction
from lsclasses.certificates.extraction import missing_labellings
from lsclasses.searching import littlestone, version_space
from tests.strategies import disguised_product, plain


@pytest.fixture(params=["kept", "made anew"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting is left out, so that proofs of small tables recurse as those of large ones do."""
    if request.param == "made anew":
        monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)
    monkeypatch.setattr(extraction, "SETS_UP_TO", 0)
    search = littlestone.LittlestoneSearch
    monkeypatch.setattr(search, "counted_out", lambda self, space, k: space.concepts < 2**k)
    monkeypatch.setattr(
        search,
        "weaker_sides",
        lambda self, space, k: (
            (2 * space.ones < space.concepts).astype(int),
            np.zeros(len(space.words), dtype=bool),
        ),
    )


@pytest.mark.parametrize("seed", range(2))
def test_proofs_of_two_balls_are_true(seed: int) -> None:
    """Of more concepts than a word has bits."""
    centres = np.random.default_rng(seed).integers(0, 2, (2, 8))
    ball = np.array([[i >> j & 1 for j in range(8)] for i in range(256) if i.bit_count() <= 2])
    table = Table(np.concatenate([ball ^ centre for centre in centres]))
    assert len(table) > 64
    value = naive.ldim_recursive(plain(table))
    dag, tree = FailureDAG.of(table), FoldedTree.of(table)
    assert (dag.dimension, tree.depth) == (value, value)
    assert len(dag.entries) > 1
    dag.verify(table)
    tree.verify(table)


def test_proofs_of_products_are_true() -> None:
    rng = np.random.default_rng(1)
    chain, star = np.tri(4, 3, -1, dtype=np.uint8), np.eye(4, 3, -1, dtype=np.uint8)
    for drawn in ([star, chain], [star ^ [1, 0, 1], chain, star]):
        table = disguised_product([part.astype(np.uint8) for part in drawn], rng)
        dag = FailureDAG.of(table)
        assert dag.entries[0].factors is not None
        assert dag.dimension == naive.ldim_recursive(plain(table))
        dag.verify(table)


@pytest.mark.parametrize("seed", range(6))
def test_every_set_begins_with_the_points_of_a_labelling_that_is_missing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = Table(np.unique(rng.random((12, 6)) < rng.choice([0.3, 0.5]), axis=0).astype(int))
    size = naive.vcdim(plain(table)) + 1
    found = missing_labellings(table, size, None)
    VCCertificate.of(table).verify(table)
    points = [tuple(x for x, _ in labelling) for labelling in found]
    assert len(set(points)) == len(points)
    assert points == sorted(points)
    rows = [dict(zip(table.points, row, strict=True)) for row in table.labels.tolist()]
    for labelling in found:
        assert not any(all(row[x] == y for x, y in labelling) for row in rows)
    for chosen in combinations(table.points, size):
        # By one of them: a beginning of a beginning is not listed.
        assert sum(chosen[: len(each)] == each for each in points) == 1
    for each in points:
        assert any(chosen[: len(each)] == each for chosen in combinations(table.points, size))


def test_a_list_too_long_is_not_begun_to_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of five points misses a labelling of each of ten pairs."""
    chain = Table(np.tri(6, 5, -1, dtype=np.uint8))
    assert extraction.MISSING_LIMIT == 2**18
    monkeypatch.setattr(extraction, "MISSING_LIMIT", 10)
    assert len(missing_labellings(chain, 2, None)) == 10
    monkeypatch.setattr(extraction, "MISSING_LIMIT", 9)
    with pytest.raises(TooLarge, match="more than 9 missing labellings"):
        missing_labellings(chain, 2, None)
