"""Two sides of a version space that bound its dimension: each frees columns, together all of them.

If every column belongs to one of two groups G and H, then Ldim(V) <= Ldim(V|G) + Ldim(V|H), where
V|G is what the concepts of V say of G: each concept of V is one of the product of V|G and V|H,
whose dimension is the sum of theirs. Labelling one point sometimes settles all columns outside of G
and leaves V|G as it was. Then that side of V, a version space of the same class, has the dimension
of V|G.

Monotone functions of n variables are an example: once a function is 1 where nothing but x_n is 1,
it is any monotone function of the other variables where x_n = 0; and the same the other way round.
So their Littlestone dimension is at most twice that of the functions of n - 1 variables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lsclasses.limits import tick
from lsclasses.searching.bit_matrix import distinct_rows
from lsclasses.searching.version_space import VersionSpace

PAIRS = 16
"""How many pairs of sides are tried."""
TRIED = 4
"""How many concepts of the other side are looked for before all are."""
COLUMNS = 128
"""Among more columns none are sought."""


class Side(NamedTuple):
    """A column of a version space and a label, as `VersionSpace.side` takes them."""

    column: int
    label: int


def split(space: VersionSpace) -> tuple[Side, Side] | None:
    """Two sides, of at most half of the concepts each, whose dimensions add up to a bound.

    Every column is free on one of them, and what is free on a side has all labellings there that it
    has on the version space.

    Parameters
    ----------
    space : VersionSpace

    Returns
    -------
    tuple of two sides, or None
        Of `PAIRS` pairs whose larger side is smallest, the first that will do.

    Examples
    --------
    The monotone functions of two variables, on 00, 01, 10 and 11. Those that are 0 on 01 are 0 on
    00, and say all that there is to say of 10 and 11; those that are 1 on 10 are 1 on 11:

    >>> monotone = [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1], [1] * 4]
    >>> space = VersionSpace.of_labels(np.array(monotone, dtype=np.uint8))
    >>> split(space)
    (Side(column=1, label=0), Side(column=2, label=1))
    >>> [space.side(*side).source.tolist() for side in split(space)]
    [[2, 3], [0, 1]]
    """
    points, concepts = len(space.words), space.concepts
    if not 1 < points <= COLUMNS:
        return None
    ones, both = space.ones.astype(np.int64), space.both.astype(np.int64)
    sizes = np.concatenate([concepts - ones, ones])
    # How many concepts on each side, of label 0 first, label each column 1.
    shared = np.concatenate([ones[None, :] - both, both])
    free = (shared > 0) & (shared < sizes[:, None])
    # Sides of at most half of the concepts, of which no two settle the same column.
    small = np.flatnonzero(2 * sizes <= concepts)
    # A product of at most `COLUMNS` zeros and ones is exact in float32.
    settled = (~free[small]).astype(np.float32)
    first, second = (small[i] for i in np.nonzero(np.triu(settled @ settled.T == 0, 1)))
    larger = np.maximum(sizes[first], sizes[second])
    whole: dict[int, bool] = {}
    # `np.lexsort` compares its last key first. Equal sizes are ordered by position, so the result
    # does not depend on the engine.
    for i in np.lexsort((second, first, larger))[:PAIRS].tolist():
        pair = int(first[i]), int(second[i])
        for side in pair:
            if side not in whole:
                whole[side] = _keeps(space, Side(side % points, side // points), free[side])
        if all(whole[side] for side in pair):
            low, high = sorted((side % points, side // points) for side in pair)
            return Side(*low), Side(*high)
    return None


def _keeps(space: VersionSpace, side: Side, free: np.ndarray) -> bool:
    """Whether a side has all labellings of its free columns that the version space has.

    A few concepts of the other side are looked for first: mostly one of them is missing.
    """
    bits = np.zeros(-(-len(free) // 64) * 64, dtype=np.uint8)
    bits[: len(free)] = free
    mask = np.packbits(bits, bitorder="little").view(np.uint64)
    rows = space.rows & mask[:, None]
    word, place = divmod(side.column, 64)
    labels = space.rows[word] >> np.uint64(place) & np.uint64(1)
    inside = labels == side.label
    others = np.flatnonzero(~inside)
    for other in others[:: -(-len(others) // TRIED)].tolist():
        tick()
        if not ((rows == rows[:, other : other + 1]).all(axis=0) & inside).any():
            return False
    # Concepts of the side differ only in free columns, so their masked rows are distinct. Equal
    # numbers prove that the other side adds no labelling.
    return distinct_rows(rows) == int(inside.sum())
