"""Littlestone trees in which all nodes of some levels have equal points, by searches in orbits."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import Batch, column, parameter_values


@column(most_points=4)
def two_prefix_ldim(batch: Batch) -> np.ndarray:
    """Return the prefix-2 Littlestone dimension PL_2 of each class."""
    return parameter_values(batch, "two_prefix_ldim")


@column(most_points=4)
def three_prefix_ldim(batch: Batch) -> np.ndarray:
    """Return the prefix-3 Littlestone dimension PL_3 of each class."""
    return parameter_values(batch, "three_prefix_ldim")


@column(most_points=4)
def two_block_ldim(batch: Batch) -> np.ndarray:
    """Return the 2-block Littlestone dimension B_2 of each class."""
    return parameter_values(batch, "two_block_ldim")


@column(most_points=4)
def three_block_ldim(batch: Batch) -> np.ndarray:
    """Return the 3-block Littlestone dimension B_3 of each class."""
    return parameter_values(batch, "three_block_ldim")
