"""Proofs are true whichever labels are complemented and whichever side is looked at first."""

from __future__ import annotations

import numpy as np
import pytest

import catalog
from lsclasses import Table, naive
from lsclasses.certificates import FailureDAG, FoldedTree
from lsclasses.searching import littlestone
from tests.strategies import plain


def cross(n: int) -> np.ndarray:
    """Concepts (a, 0) and (0, b) for stars a and b with a point that is 1 but at 0, and one more.

    Where that point of one star is 0, that star is settled and the other one whole.
    """
    star = np.concatenate([np.eye(n, dtype=np.uint8), np.ones((n, 1), dtype=np.uint8)], axis=1)
    none = np.zeros_like(star)
    arms = [np.hstack([star, none]), np.hstack([none, star])]
    return np.concatenate([np.hstack([none, none])[:1], *arms, np.hstack([star, star])[:1]])


def uncounted(monkeypatch: pytest.MonkeyPatch, first: int | None = None) -> None:
    """Only sizes are counted, and with `first` that side of each column looks weaker."""
    search = littlestone.LittlestoneSearch
    monkeypatch.setattr(search, "counted_out", lambda self, space, k: space.concepts < 2**k)
    if first is not None:
        monkeypatch.setattr(
            search,
            "weaker_sides",
            lambda self, space, k: (
                np.full(len(space.words), first),
                np.zeros(len(space.words), dtype=bool),
            ),
        )


@pytest.mark.parametrize("seed", range(4))
def test_splits_are_written_in_the_labels_of_the_table(seed: int, monkeypatch) -> None:
    """A class is split; complemented points have complemented labels in the proof."""
    uncounted(monkeypatch)
    labels = cross(5)
    mask = np.random.default_rng(seed).integers(0, 2, labels.shape[1], dtype=np.uint8)
    table = Table(labels ^ mask)
    dag = FailureDAG.of(table)
    assert dag.entries[0].factors is not None
    assert dag.dimension == naive.ldim_recursive(plain(table))
    dag.verify(table)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_the_side_that_looks_weaker_may_be_the_stronger(first: int, seed: int, monkeypatch) -> None:
    uncounted(monkeypatch, first)
    rng = np.random.default_rng(seed)
    table = Table(rng.random((40, 7)) < 0.4)
    dag, tree = FailureDAG.of(table), FoldedTree.of(table)
    assert dag.dimension == tree.depth == naive.ldim_recursive(plain(table))
    dag.verify(table)
    tree.verify(table)


@pytest.mark.parametrize("name", ["decision-lists:n=3", "conjunctions:n=4", "rectangles:a=4,b=4"])
def test_classes_with_some_points_complemented_have_true_proofs(name: str) -> None:
    """With all that counting tells of columns; a step names the label as the table has it."""
    labels = np.asarray(catalog.build(name).to_table().labels)
    for seed in range(3):
        mask = np.random.default_rng(seed).integers(0, 2, labels.shape[1], dtype=np.uint8)
        table = Table(labels ^ mask)
        dag, tree = FailureDAG.of(table), FoldedTree.of(table)
        dag.verify(table)
        tree.verify(table)
        assert dag.dimension == tree.depth
