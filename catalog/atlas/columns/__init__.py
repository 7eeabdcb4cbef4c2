"""The parameters of all classes of the atlas, computed in batches: a module for each topic.

``COLUMNS`` contains them by name: dimensions, the other quantities of inequalities, and parameters
of small classes (`catalog.parameters`). A new column is a function of a `Batch` with the name of
its dimension and the decorator `column`, and a line in ``names.toml``. The file of the atlas, the
build on five points and the tests read the columns from this registry.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from catalog.atlas.columns.batch import AtlasColumn, Batch
from catalog.parameters import PARAMETERS
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.registry import Registry, instance_of

__all__ = ["CHUNK", "COLUMNS", "column_names", "compute", "computed_here"]

CHUNK = 8192
"""Number of classes in a batch, so few that arrays over subcubes fit into the processor's cache."""


COLUMNS = Registry(
    "columns",
    "column",
    instance_of(
        AtlasColumn, "A column is made by the decorator catalog.atlas.columns.batch.column."
    ),
    first=(*quantity_names(), *PARAMETERS),
)
"""Every column of the atlas by its name. Dimensions come before parameters of small classes."""


def column_names(points: int, *, flips: bool) -> tuple[str, ...]:
    """Return the names of the columns for classes on a number of points.

    Parameters
    ----------
    points : int
    flips : bool
        Whether a class also represents the classes with flipped labels. Then the columns leave out
        dimensions that flips change.

    Examples
    --------
    >>> changed = set(column_names(5, flips=False)) - set(column_names(5, flips=True))
    >>> {"dual_ldim", "dual_vcdim", "threshold_dim", "hitting_size"} <= changed
    True
    """
    return tuple(
        name
        for name, each in COLUMNS.items()
        if points <= each.most_points and not (flips and each.flips_change)
    )


def computed_here(name: str) -> bool:
    """Return whether a column can be computed, because the package that it needs is installed.

    Examples
    --------
    >>> computed_here("ldim")
    True
    """
    return name not in PARAMETERS or PARAMETERS[name].available


def compute(
    masks: np.ndarray, points: int, names: Iterable[str] | None = None
) -> dict[str, np.ndarray]:
    """Return the values of quantities (columns) of many classes on a number of points.

    Parameters
    ----------
    masks : array of uint64, shape (classes,)
        Non-empty classes. Bit c is 1 if the concept with the number c belongs to the class.
    points : int
        Number of points, at most 5.
    names : iterable of str, optional
        Names of the columns. By default, all columns that exist on `points` points.

    Returns
    -------
    dict of str to array
        Columns by name. Arrays have the shape (classes,), or (classes, entries) for a sequence such
        as `growth_function` with its points + 1 entries. All entries are integers. For a column
        with a denominator, they are the numerators.

    Raises
    ------
    LsclassesError
        If a column needs a package that is missing, as `computed_here` reports.

    Examples
    --------
    >>> found = compute(np.array([0b0111, 0b1111], dtype=np.uint64), 2)
    >>> found["ldim"].tolist(), found["randomized_ldim"].tolist()
    ([1, 2], [6, 8])
    >>> COLUMNS["randomized_ldim"].unit(points=2)
    8
    >>> found["growth_function"].tolist()
    [[1, 2, 3], [1, 2, 4]]
    """
    chosen = tuple(column_names(points, flips=False) if names is None else names)
    found: list[dict[str, np.ndarray]] = []
    for start in range(0, max(len(masks), 1), CHUNK):
        batch = Batch(masks[start : start + CHUNK], points)
        found.append({name: COLUMNS[name](batch) for name in chosen})
    return {name: np.concatenate([each[name] for each in found]) for name in chosen}
