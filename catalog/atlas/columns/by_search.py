"""Columns that a search computes, in one class of each orbit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from catalog.atlas.columns.batch import Batch
from catalog.atlas.orbits import least_masks
from catalog.parameters import PARAMETERS
from lsclasses.isomorphism import class_of_mask


def searched(
    batch: Batch, open_: np.ndarray, search: Callable[[int, int], int], *, flips: bool
) -> np.ndarray:
    """The values of some classes by a search in one of each orbit.

    Parameters
    ----------
    batch : Batch
    open_ : array of int
        The places of the classes in the batch.
    search : callable
        ``search(mask, place)`` gives the value of the class of the least mask of an orbit; `place`
        is that of a class of this orbit in the batch.
    flips : bool
        Whether flips leave the value as it is.
    """
    least = least_masks(batch.masks[open_], batch.points, flips=flips)
    masks, first, which = np.unique(least, return_index=True, return_inverse=True)
    values = map(search, masks.tolist(), open_[first].tolist())
    return np.array(list(values), dtype=np.int8)[which]


def parameter_values(batch: Batch, name: str) -> np.ndarray:
    """The values of a parameter of small classes, by its own search."""
    parameter = PARAMETERS[name]

    def search(mask: int, place: int) -> int:
        found = parameter(class_of_mask(batch.points, mask))
        assert isinstance(found, int)
        return found

    everything = np.arange(batch.classes)
    return searched(batch, everything, search, flips=not parameter.flips_change)
