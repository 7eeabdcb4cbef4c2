"""Proofs are true whichever labels are complemented, with all that counting tells of columns."""

from __future__ import annotations

import numpy as np
import pytest

import catalog
from lsclasses import Table
from lsclasses.certificates import FailureDAG, FoldedTree


@pytest.mark.parametrize("name", ["decision-lists:n=3", "rectangles:a=4,b=4"])
def test_classes_with_some_points_complemented_have_true_proofs(name: str) -> None:
    """A step names the label as the table has it."""
    labels = np.asarray(catalog.build(name).to_table().labels)
    mask = np.random.default_rng(0).integers(0, 2, labels.shape[1], dtype=np.uint8)
    table = Table(labels ^ mask)
    dag, tree = FailureDAG.of(table), FoldedTree.of(table)
    dag.verify(table)
    tree.verify(table)
    assert dag.dimension == tree.depth
