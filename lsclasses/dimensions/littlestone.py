"""The Littlestone dimension, by search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsclasses.dimensions import definitions
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table

__all__ = ["ldim", "ldim_bounds"]


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The dimension with a witness that it is not smaller."""
    depth = ldim(table, limit=limit)
    return depth, {"tree": table._shattered_tree()}


@dimension(
    "Littlestone dimension",
    symbol="Ldim",
    definition="The largest depth of a complete binary tree of points, every branch of which some "
    "concept follows.",
    reference="Littlestone 1988; [LWY25, Definition 2.2]",
    of_empty=-1,
    meaning="An adversary forces Ldim mistakes on every deterministic online learner, and the "
    "Standard Optimal Algorithm makes no more. Ldim is finite if and only if the class can be "
    "learned online with a mistake bound, and if and only if it can be learned from independent "
    "examples with differential privacy (Alon, Livni, Malliaris and Moran 2019; [BLM20])",
    evidence=Evidence(
        evidence,
        "the points of a complete tree, breadth first; the children of the i-th, counted from "
        "0, are 2 i + 1 (label 0) and 2 i + 2 (label 1), and every branch is followed by a "
        "concept",
        definitions.tree,
    ),
)
def ldim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The Littlestone dimension: the depth of the deepest shattered tree; -1 for the empty class.

    Examples
    --------
    >>> import catalog
    >>> ldim(catalog.build("affine:q=2,n=3,k=1").to_table())
    2
    """
    return table._ldim(limit, progress)


def ldim_bounds(
    C: ConceptClass, *, limit: Limit | None = None, progress: Progress | None = None
) -> tuple[int, int]:
    """Bounds ``(lower, upper)`` on the Littlestone dimension, equal unless the limit is reached.

    Examples
    --------
    >>> import catalog
    >>> ldim_bounds(catalog.build("cube:n=5"), limit=Limit(seconds=10))
    (5, 5)
    """
    try:
        value = C.ldim(limit=limit, progress=progress)
    except TooLarge as stopped:
        if stopped.lower is None or stopped.upper is None:
            raise
        return stopped.lower, stopped.upper
    return value, value
