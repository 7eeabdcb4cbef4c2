"""The Littlestone dimension, by search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsclasses.dimensions.base import Dimension
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass
    from lsclasses.table import Table

__all__ = ["ldim", "ldim_bounds"]


def ldim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The Littlestone dimension: the depth of the deepest shattered tree; -1 for the empty class.

    Parameters
    ----------
    table : Table
    limit : Limit, optional
        What the search may use. Bounds found before it is reached are kept with the table, so a
        second call goes on from there; so does a call after an interruption.
    progress : callable, optional
        Called with (lower, upper) whenever a bound improves.

    Raises
    ------
    TooLarge
        If the limit is reached; its `lower` and `upper` hold the bounds found.

    References
    ----------
    Littlestone 1988; [LWY25, Definition 2.2]

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


def evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The dimension and what shows it, as `lsclasses.dimensions.witness` has it."""
    depth = ldim(table, limit=limit)
    return depth, {"tree": table._shattered_tree()}


LDIM = Dimension(
    "ldim",
    "Littlestone dimension",
    "Ldim",
    "The largest depth of a complete binary tree of points, every branch of which some "
    "concept follows.",
    "Littlestone 1988; [LWY25, Definition 2.2]",
    ldim,
    -1,
    meaning="An adversary forces so many mistakes on every deterministic online "
    "learner, and the Standard Optimal Algorithm makes no more.",
    evidence=evidence,
)
