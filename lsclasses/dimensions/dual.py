"""Dimensions of the dual class, whose points are the concepts and whose concepts are the points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsclasses.dimensions import littlestone, vc
from lsclasses.dimensions.base import Dimension
from lsclasses.dimensions.littlestone import ldim
from lsclasses.dimensions.vc import vcdim
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    from lsclasses.table import Table


def dual_ldim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The Littlestone dimension of the dual class.

    It is finite exactly when the Littlestone dimension d is: at most 2^(2^(d+1)) - 2. The empty
    class gives 0: on no concepts at all, its points are one and the same function.

    Raises
    ------
    TooLarge
        If the limit is reached; the error carries the bounds found by then.

    References
    ----------
    [LWY25, section 2.3]; Shelah 1978 (stability is symmetric)

    Examples
    --------
    >>> from lsclasses import Table
    >>> dual_ldim(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]))
    1
    """
    return 0 if table.is_empty else ldim(table.dual(), limit=limit, progress=progress)


def dual_vcdim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The VC dimension of the dual class; less than 2^(d+1) for a class of VC dimension d.

    The empty class gives 0: on no concepts at all, its points are one and the same function.

    Raises
    ------
    TooLarge
        If the limit is reached; the error carries the bounds found by then.

    References
    ----------
    Assouad 1983

    Examples
    --------
    >>> from lsclasses import Table
    >>> dual_vcdim(Table([[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]))
    1
    """
    return 0 if table.is_empty else vcdim(table.dual(), limit=limit, progress=progress)


def ldim_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The dimension and what shows it, as `lsclasses.dimensions.witness` has it."""
    return littlestone.evidence(table.dual(), limit)


def vcdim_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """The same of the dual VC dimension."""
    value, found = vc.evidence(table.dual(), limit)
    return value, {"concepts": found["points"]}


DUAL_LDIM = Dimension(
    "dual_ldim",
    "dual Littlestone dimension",
    "Ldim*",
    "The Littlestone dimension of the dual class, whose points are the concepts and whose "
    "concepts are the points.",
    "[LWY25, section 2.3]; Shelah 1978",
    dual_ldim,
    0,
    meaning="It is finite exactly when the Littlestone dimension is, though what is "
    "proved of the two leaves them doubly exponentially far apart.",
    flips_change=True,
    evidence=ldim_evidence,
)

DUAL_VCDIM = Dimension(
    "dual_vcdim",
    "dual VC dimension",
    "VCdim*",
    "The VC dimension of the dual class, whose points are the concepts and whose concepts "
    "are the points.",
    "Assouad 1983",
    dual_vcdim,
    0,
    meaning="It bounds how few concepts vote like all of them, as in majorities of a "
    "few hypotheses.",
    flips_change=True,
    evidence=vcdim_evidence,
)
