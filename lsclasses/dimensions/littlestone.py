"""The Littlestone dimension and the randomized Littlestone dimension."""

from __future__ import annotations

from fractions import Fraction
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
    """Return the Littlestone dimension of a table with a witness of the lower bound."""
    depth = ldim(table, limit=limit)
    return depth, {"tree": table._shattered_tree()}


@dimension(
    "Littlestone dimension",
    symbol="Ldim",
    definition="The largest depth of a complete binary tree of points such that, for every "
    "branch, some concept agrees with all labels on the branch.",
    reference="Littlestone 1988; [LWY25, Definition 2.2]",
    of_empty=-1,
    meaning="For every finite d <= Ldim, an adversary forces d mistakes on every deterministic "
    "online learner. The Standard Optimal Algorithm makes at most Ldim mistakes. Ldim is finite if "
    "and only if the class can be learned online with a mistake bound, and if and only if it can "
    "be learned from independent examples with differential privacy (Alon, Livni, Malliaris and "
    "Moran 2019; [BLM20])",
    evidence=Evidence(
        evidence,
        "the points of a complete tree, breadth first, where the children of the i-th point, "
        "counted from 0, are 2 i + 1 (label 0) and 2 i + 2 (label 1), such that for every "
        "branch, some concept agrees with all labels on the branch",
        definitions.tree,
    ),
)
def ldim(table: Table, *, limit: Limit | None = None, progress: Progress | None = None) -> int:
    """The Littlestone dimension: the depth of the deepest shattered tree, -1 for the empty class.

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
    """Return bounds ``(lower, upper)`` on the Littlestone dimension, equal if no limit is reached.

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


# ---- the randomized Littlestone dimension


@dimension(
    "randomized Littlestone dimension",
    symbol="RL",
    definition="Half the largest expected depth of a binary tree of points, complete or not, such "
    "that, for every branch, some concept agrees with all labels on the branch. The expected depth "
    "is the expected length of a branch that takes each label with probability 1/2 at every node.",
    reference="Filmus, Hanneke, Mehalel and Moran 2023",
    of_empty=Fraction(-1),
    meaning="The least expected number of mistakes of an online learner with random coins, and "
    "the expected number that an adversary forces on every such learner.",
    bounded_by="ldim",
)
def randomized_ldim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> Fraction:
    """Half the largest expected depth of a shattered binary tree, complete or not.

    A branch takes each side with probability 1/2. If d is the Littlestone dimension, the value is
    between d/2 and d. The value is at most log2(m)/2 for m concepts. It is the least expected
    number of mistakes that a randomized learner can guarantee. RL = 0 if no point splits the class,
    and otherwise ``RL(C) = max over x of 1/2 + (RL(C[x=0]) + RL(C[x=1])) / 2``. The empty class
    shatters no tree, so its value is -1.

    Examples
    --------
    >>> from lsclasses import Table
    >>> randomized_ldim(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1]]))
    Fraction(3, 4)
    """
    return Fraction(-1) if table.is_empty else table._depths.depth(table._space, limit) / 2


def balanced_depth(m: int) -> Fraction:
    """Return the largest expected depth F(m) of a binary tree with m >= 1 leaves.

    A balanced tree attains the largest expected depth.

    Examples
    --------
    >>> [str(balanced_depth(m)) for m in (1, 2, 3, 4, 6)]
    ['0', '1', '3/2', '2', '5/2']
    """
    k = m.bit_length() - 1
    return k + Fraction(m - 2**k, 2**k)
