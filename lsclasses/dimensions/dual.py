"""Dimensions of the dual class, which exchanges points and concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsclasses.dimensions import definitions, littlestone, vc
from lsclasses.dimensions.base import Evidence, dimension
from lsclasses.dimensions.littlestone import ldim
from lsclasses.dimensions.vc import vcdim
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    from lsclasses.table import Table


def ldim_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the dual Littlestone dimension with a witness of the lower bound."""
    return littlestone.evidence(table.dual(), limit)


@dimension(
    "dual Littlestone dimension",
    symbol="Ldim*",
    definition="The Littlestone dimension of the dual class, whose points are the concepts and "
    "whose concepts are the points.",
    reference="[LWY25, section 2.3]; Shelah 1978",
    of_empty=0,
    without_points=-1,
    meaning="It is finite if and only if the Littlestone dimension is finite. The proved bounds "
    "between the two dimensions are doubly exponentially far apart.",
    flips_change=True,
    evidence=Evidence(
        ldim_evidence,
        "the evidence of ldim, with concepts for points and points for concepts",
        definitions.dual_tree,
    ),
)
def dual_ldim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The Littlestone dimension of the dual class.

    It is finite if and only if the Littlestone dimension d is finite, and at most 2^(2^(d+1)) - 2.
    If the class is empty, its points do not differ at any concept. So the dual class has one
    concept and the value is 0. If the domain is also empty, the dual class is empty and the
    value is -1.

    References
    ----------
    [LWY25, section 2.3]; Shelah 1978 (stability is symmetric)

    Examples
    --------
    >>> from lsclasses import Table
    >>> dual_ldim(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]))
    1
    >>> dual_ldim(Table([], domain="ab")), dual_ldim(Table([], domain=[]))
    (0, -1)
    """
    if table.is_empty:
        return 0 if table.points else -1
    return ldim(table.dual(), limit=limit, progress=progress)


def vcdim_evidence(table: Table, limit: Limit | None) -> tuple[int, dict[str, Any]]:
    """Return the dual VC dimension with a witness of the lower bound."""
    value, found = vc.shattered_evidence(table.dual(), limit)
    return value, {"concepts": found["points"]}


@dimension(
    "dual VC dimension",
    symbol="VCdim*",
    definition="The VC dimension of the dual class, whose points are the concepts and whose "
    "concepts are the points.",
    reference="Assouad 1983",
    of_empty=0,
    without_points=-1,
    meaning="It bounds the number of concepts whose majority votes like all of them.",
    flips_change=True,
    evidence=Evidence(
        vcdim_evidence,
        "concepts that have every pattern of labels at some point",
        definitions.dual_shattered,
    ),
)
def dual_vcdim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> int:
    """The VC dimension of the dual class, less than 2^(d+1) for a class of VC dimension d.

    The values of the empty class are the values of `dual_ldim`.

    Examples
    --------
    >>> from lsclasses import Table
    >>> dual_vcdim(Table([[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]))
    1
    >>> dual_vcdim(Table([], domain="ab")), dual_vcdim(Table([], domain=[]))
    (0, -1)
    """
    if table.is_empty:
        return 0 if table.points else -1
    return vcdim(table.dual(), limit=limit, progress=progress)
