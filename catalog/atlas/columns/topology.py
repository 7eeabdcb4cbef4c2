"""Dimensions of the space of realizable distributions, by a search in one class of each orbit."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import Batch, column, parameter_values


@column(most_points=4)
def spherical_dim(batch: Batch) -> np.ndarray:
    """Return the spherical dimension of each class on at most four points.

    The lower and the upper bound of `catalog.parameters.spherical` are equal for these classes.
    """
    return parameter_values(batch, "spherical_dim")


@column(most_points=4)
def sco_dim(batch: Batch) -> np.ndarray:
    """Return the SCO dimension (stochastic convex optimization) of each class.

    The lower and the upper bound of `catalog.parameters.spherical` are equal for all classes on at
    most four points.
    """
    return parameter_values(batch, "sco_dim")


@column(most_points=4)
def list_replicability_lower(batch: Batch) -> np.ndarray:
    """Return a lower bound on the list replicability number of each class."""
    return parameter_values(batch, "list_replicability_lower")


@column(most_points=4)
def list_replicability_upper(batch: Batch) -> np.ndarray:
    """Return an upper bound on the list replicability number of each class."""
    return parameter_values(batch, "list_replicability_upper")
