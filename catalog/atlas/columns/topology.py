"""Dimensions of the space of realizable distributions, by a search in one class of each orbit."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import Batch, column, parameter_values


@column(most_points=4)
def spherical_dim(batch: Batch) -> np.ndarray:
    """Return the dimension, whose bounds meet on at most four points."""
    return parameter_values(batch, "spherical_dim")


@column(most_points=4)
def sco_dim(batch: Batch) -> np.ndarray:
    """Return the dimension, whose bounds meet on at most four points."""
    return parameter_values(batch, "sco_dim")


@column(most_points=4)
def list_replicability_lower(batch: Batch) -> np.ndarray:
    """Return the lower bound on the list replicability number."""
    return parameter_values(batch, "list_replicability_lower")


@column(most_points=4)
def list_replicability_upper(batch: Batch) -> np.ndarray:
    """Return the upper bound on the list replicability number."""
    return parameter_values(batch, "list_replicability_upper")
