"""The randomized Littlestone dimension: the optimal expected number of mistakes, exactly.

It is half of what `lsclasses.searching.expected_depth` finds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from lsclasses.dimensions.base import dimension
from lsclasses.limits import Limit, Progress

if TYPE_CHECKING:
    from lsclasses.table import Table


@dimension(
    "randomized Littlestone dimension",
    symbol="RL",
    definition="Half the largest expected depth of a binary tree of points, complete or not, every "
    "branch of which some concept follows, when branches turn with probability 1/2.",
    reference="Filmus, Hanneke, Mehalel and Moran 2023",
    of_empty=Fraction(-1),
    meaning="The expected number of mistakes that an adversary forces on every online "
    "learner which may flip coins, and that the best one makes.",
    bounded_by="ldim",
)
def randomized_ldim(
    table: Table, *, limit: Limit | None = None, progress: Progress | None = None
) -> Fraction:
    """Half the largest expected depth of a shattered binary tree, complete or not.

    Branches are taken with probability 1/2 each. With d the Littlestone dimension it lies between
    d/2 and d; it is at most log2(m)/2 for m concepts; and it is the least expected number of
    mistakes that a randomized learner can guarantee. It satisfies RL = 0 when no point splits the
    class and otherwise ``RL(C) = max over x of 1/2 + (RL(C[x=0]) + RL(C[x=1])) / 2``. The empty
    class shatters no tree: -1.

    Examples
    --------
    >>> from lsclasses import Table
    >>> randomized_ldim(Table([[0, 0, 0], [0, 0, 1], [0, 1, 1]]))
    Fraction(3, 4)
    """
    return Fraction(-1) if table.is_empty else table._depths.depth(table._space, limit) / 2


def balanced_depth(m: int) -> Fraction:
    """The largest expected depth F(m) of a binary tree with m >= 1 leaves, the balanced one's.

    Examples
    --------
    >>> [str(balanced_depth(m)) for m in (1, 2, 3, 4, 6)]
    ['0', '1', '3/2', '2', '5/2']
    """
    k = m.bit_length() - 1
    return k + Fraction(m - 2**k, 2**k)
