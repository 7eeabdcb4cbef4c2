"""Proofs are true whichever sides look weaker, and however columns lie in the table."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses import Table, naive
from lsclasses.certificates import FailureDAG
from lsclasses.searching import littlestone, version_space
from lsclasses.searching.products import factors
from tests.strategies import disguised_product, plain


def disguised(labels: np.ndarray, seed: int) -> Table:
    """Columns in another order, about half of them complemented; concepts too are moved."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(labels, axis=0)[:, rng.permutation(labels.shape[1])]
    return Table(labels ^ rng.integers(0, 2, labels.shape[1], dtype=labels.dtype))


def almost_a_product(rng: np.random.Generator) -> np.ndarray:
    """Some pairs from two classes, and one concept of each with all of the other."""
    A, B = (
        np.unique(rng.integers(0, 2, rng.integers((3, 2), (9, 5)), dtype=np.uint8), axis=0)
        for _ in range(2)
    )
    taken = rng.random((len(A), len(B))) < 0.5
    taken[0, :] = taken[:, -1] = True
    return np.array([[*A[i], *B[j]] for i, j in np.argwhere(taken)], dtype=np.uint8)


def proved(table: Table) -> FailureDAG:
    dag = FailureDAG.of(table)
    assert dag.dimension == naive.ldim_recursive(plain(table))
    dag.verify(table)
    assert FailureDAG.from_json(dag.to_json()) == dag
    return dag


@pytest.fixture
def uncounted(monkeypatch):
    """Counting is left out, so that proofs of small tables recurse as those of large ones do."""
    monkeypatch.setattr(
        littlestone.LittlestoneSearch, "counted_out", lambda self, V, k: V.concepts < 2**k
    )


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("turned", [False, True])
def test_a_side_that_looks_weaker_is_only_looked_at_first(monkeypatch, turned):
    """Where it shatters enough after all, the other one is what fails."""
    usual = littlestone.LittlestoneSearch.weaker_sides

    def hinted(self, space, k):
        weaker, refuted = usual(self, space, k)
        return (1 - weaker if turned else weaker), np.zeros_like(refuted)

    monkeypatch.setattr(littlestone.LittlestoneSearch, "weaker_sides", hinted)
    rng, entries = np.random.default_rng(0), []
    ball = np.array([[i >> j & 1 for j in range(8)] for i in range(256) if i.bit_count() <= 2])
    for seed in range(2):
        centres = rng.integers(0, 2, (2, 8))
        table = disguised(np.concatenate([ball ^ centre for centre in centres]), seed)
        entries.append(len(proved(table).entries))
    assert max(entries) > 1


@pytest.mark.parametrize("made_anew", [False, True])
@pytest.mark.parametrize("usual", [False, True])
def test_splits_and_pairs_of_columns_are_told_by_labels_of_the_table(
    request, monkeypatch, made_anew, usual
):
    """By labels of complemented columns too, where version spaces are bits and where bytes."""
    if made_anew:
        monkeypatch.setattr(version_space, "UNPACKED_UP_TO", -1)
    if not usual:
        request.getfixturevalue("uncounted")
    rng = np.random.default_rng(1)
    found = 0
    for seed in range(40):
        table = disguised(almost_a_product(rng), seed)
        dag = proved(table)
        found += bool(dag.entries[0].factors) and not factors(table._space)
    assert found > 0 or usual
    for seed in range(6):
        proved(disguised((rng.random((60, 7)) < 0.4).astype(np.uint8), seed))
        parts = [(rng.random((7, 4)) < 0.4).astype(np.uint8) for _ in range(2)]
        labels = disguised_product([np.unique(part, axis=0) for part in parts], rng).labels
        proved(disguised(labels[: max(2, len(labels) - 2)], seed))
