"""Stars, essential points, antichains of samples and Radon independence, by searches."""

from __future__ import annotations

import numpy as np

from catalog.atlas.columns.batch import Batch, column, parameter_values


@column(most_points=4)
def projected_maximum_positive_degree(batch: Batch) -> np.ndarray:
    """Return the projected maximum positive degree of each class, by a search for each orbit."""
    return parameter_values(batch, "projected_maximum_positive_degree")


@column(most_points=4)
def concept_star_number(batch: Batch) -> np.ndarray:
    """Return the concept star number of each class, by a search for each orbit."""
    return parameter_values(batch, "concept_star_number")


@column(most_points=4)
def subclass_star_number(batch: Batch) -> np.ndarray:
    """Return the subclass star number of each class, by a search for each orbit."""
    return parameter_values(batch, "subclass_star_number")


@column(most_points=4)
def projected_distinguishing_range(batch: Batch) -> np.ndarray:
    """Return the projected distinguishing range of each class, by a search for each orbit."""
    return parameter_values(batch, "projected_distinguishing_range")


@column(most_points=4)
def shattering_cover_vcdim(batch: Batch) -> np.ndarray:
    """Return the shattering cover VC dimension of each class, by a search for each orbit."""
    return parameter_values(batch, "shattering_cover_vcdim")


@column(most_points=4)
def antichain_number(batch: Batch) -> np.ndarray:
    """Return the antichain number of each class, by a search for each orbit."""
    return parameter_values(batch, "antichain_number")


@column(most_points=4)
def version_space_radon_number(batch: Batch) -> np.ndarray:
    """Return the Radon number of the version spaces of each class, by a search for each orbit."""
    return parameter_values(batch, "version_space_radon_number")
