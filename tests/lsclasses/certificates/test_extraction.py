"""What is written down proves the dimension: whichever side looks weaker, however columns lie."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lsclasses import Table, TooLarge
from lsclasses.certificates import FailureDAG, FoldedTree, VCCertificate, extraction
from lsclasses.certificates.extraction import missing_labellings
from lsclasses.searching import littlestone_search, version_space
from lsclasses.searching.products import factors
from tests import oracles
from tests.lsclasses.searching.spaces import balls, true_ldim
from tests.strategies import disguised_product, plain

SEARCH = littlestone_search.LittlestoneSearch


@pytest.fixture(params=["kept", "made anew"])
def way(request, monkeypatch):
    if request.param == "made anew":
        monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)
        monkeypatch.setattr(extraction, "KEPT_BYTES", 0)


@pytest.fixture
def uncounted(monkeypatch):
    """Counting is left out, so that proofs of small tables recurse as those of large ones do."""
    monkeypatch.setattr(extraction, "SETS_UP_TO", 0)
    monkeypatch.setattr(SEARCH, "counted_out", lambda self, space, k: space.concepts < 2**k)


def disguised(labels: np.ndarray, seed: int) -> Table:
    """Columns in another order, about half of them complemented; concepts too are moved."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(labels, axis=0)[:, rng.permutation(labels.shape[1])]
    return Table(labels ^ rng.integers(0, 2, labels.shape[1], dtype=labels.dtype))


def proved(table: Table) -> FailureDAG:
    """The failure DAG; it and the folded tree prove the dimension, and it can be written."""
    dag, tree = FailureDAG.of(table), FoldedTree.of(table)
    assert dag.dimension == tree.depth == true_ldim(table.labels)
    dag.verify(table)
    tree.verify(table)
    assert FailureDAG.from_json(dag.to_json()) == dag
    return dag


def almost_a_product(rng: np.random.Generator) -> np.ndarray:
    """Some pairs from two classes, and one concept of each with all of the other."""
    A, B = (
        np.unique(rng.integers(0, 2, rng.integers((3, 2), (9, 5)), dtype=np.uint8), axis=0)
        for _ in range(2)
    )
    taken = rng.random((len(A), len(B))) < 0.5
    taken[0, :] = taken[:, -1] = True
    return np.array([[*A[i], *B[j]] for i, j in np.argwhere(taken)], dtype=np.uint8)


WEAKER = {
    "as usual": None,
    "turned": lambda usual, space: 1 - usual,
    "zeros": lambda usual, space: np.zeros_like(usual),
    "ones": lambda usual, space: np.ones_like(usual),
    "the smaller": lambda usual, space: (2 * space.ones < space.concepts).astype(int),
}


@pytest.mark.usefixtures("uncounted", "way")
@pytest.mark.parametrize("hint", WEAKER)
def test_a_side_that_looks_weaker_is_only_looked_at_first(monkeypatch, hint):
    """Where it shatters enough after all, the other one is what fails."""
    usual, other = SEARCH.weaker_sides, WEAKER[hint]

    def hinted(self, space, k):
        weaker, refuted = usual(self, space, k)
        return (other(weaker, space), np.zeros_like(refuted)) if other else (weaker, refuted)

    monkeypatch.setattr(SEARCH, "weaker_sides", hinted)
    rng = np.random.default_rng(0)
    entries = [len(proved(disguised(balls(2, 8), seed)).entries) for seed in range(2)]
    assert max(entries) > 1
    proved(Table(rng.random((40, 7)) < 0.4))
    chain, star = np.tri(4, 3, -1, dtype=np.uint8), np.eye(4, 3, -1, dtype=np.uint8)
    product = proved(disguised_product([star ^ np.array([1, 0, 1], dtype=np.uint8), chain], rng))
    assert product.entries[0].factors is not None


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("usual", [False, True])
def test_splits_and_pairs_of_columns_are_told_by_labels_of_the_table(request, usual):
    """By labels of complemented columns too, where version spaces are bits and where bytes."""
    if not usual:
        request.getfixturevalue("uncounted")
    rng = np.random.default_rng(1)
    found = 0
    for seed in range(20):
        table = disguised(almost_a_product(rng), seed)
        found += bool(proved(table).entries[0].factors) and not factors(table._space)
    assert found > 0 or usual
    for seed in range(2):
        proved(disguised((rng.random((60, 7)) < 0.4).astype(np.uint8), seed))
        parts = [(rng.random((7, 4)) < 0.4).astype(np.uint8) for _ in range(2)]
        labels = disguised_product([np.unique(part, axis=0) for part in parts], rng).labels
        proved(disguised(labels[: max(2, len(labels) - 2)], seed))


@pytest.mark.parametrize("seed", range(3))
def test_every_set_begins_with_the_points_of_a_labelling_that_is_missing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = Table(np.unique(rng.random((12, 6)) < rng.choice([0.3, 0.5]), axis=0).astype(int))
    size = oracles.vcdim(plain(table)) + 1
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
