"""Version spaces that are products, with groups of columns that are labelled independently.

The Littlestone dimension of a product is the sum of the dimensions of its factors
(``docs/search.md`` has the proof). So the factors, which are much smaller, decide a product.

A split consists of two sides of a version space that bound its dimension. Each side frees columns,
and together they free all columns. Suppose that every column belongs to one of two groups G and H.
Let V|G be the set of labellings of G by the concepts of V. Then Ldim(V) <= Ldim(V|G) + Ldim(V|H),
because each concept of V is a concept of the product of V|G and V|H, whose dimension is the sum of
their dimensions. Labelling one point sometimes determines all columns outside of G and leaves V|G
unchanged. Then that side of V, a version space of the same class, has the dimension of V|G.

Monotone functions of n variables are an example. If a function is 1 at the point where only x_n is
1, the function is 1 wherever x_n = 1, and any monotone function of the other variables where x_n =
0. The symmetric case is analogous. So their Littlestone dimension is at most twice the Littlestone
dimension of the functions of n - 1 variables.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from lsclasses.limits import tick
from lsclasses.searching.bit_matrix import distinct_rows
from lsclasses.searching.version_space import VersionSpace, scrambled

# ---- products


PRIME = (1 << 31) - 1
"""Prime modulo which weights are counted. A sum of 2^31 such weights is less than 2^62."""


def factors(space: VersionSpace) -> list[VersionSpace]:
    """Return the irreducible factors of a version space, or none if it is not a product.

    Each factor is given as the concepts that agree with the first concept outside a group of
    columns, with one concept for each labelling of the group. Groups come in the order of their
    first columns.

    Give each column a weight, and give each concept the product of the weights of the columns that
    it labels 1. In a product, columns of different groups are independent. For two such columns x
    and y, let w(x), w(y) and w(x, y) be the weights of the concepts that label x, y, and both 1.
    Then w(x, y) times the weight of all concepts is w(x) w(y). Conversely, consider the graph of
    pairs for which this equation fails for some weights. The groups of a product are the components
    of this graph (``docs/search.md``), and the equation then fails for random weights except by
    accident. So weights of 1 exclude most pairs, and random weights identify the groups. A version
    space is a product if it has as many concepts as there are ways to choose a labelling of each
    group.

    References
    ----------
    Shpilka and Volkovich 2010 find the factors of polynomials that are linear in each variable.

    Examples
    --------
    >>> import itertools
    >>> chains = itertools.product([[0, 0], [0, 1], [1, 1]], repeat=2)
    >>> space = VersionSpace.of_labels(np.array([[*c, *d] for c, d in chains], dtype=np.uint8))
    >>> [(factor.concepts, factor.source.tolist()) for factor in factors(space)]
    [(3, [0, 1]), (3, [2, 3])]
    """
    for groups in _groupings(space):
        # Columns of different factors pass both tests, so every group lies within one factor. A
        # single group proves that the space is not a product.
        if len(groups) < 2:
            break
        # The space is contained in the product of its restrictions to the groups. Equal sizes prove
        # that the space is this product, for any groups.
        if math.prod(_labellings(space, group) for group in groups) == space.concepts:
            outside = (np.delete(space.columns, group, axis=0) for group in groups)
            # Columns are oriented: the first concept labels all of them 0.
            return [space.part(np.flatnonzero(~columns.any(axis=0))) for columns in outside]
    return []


def _groupings(space: VersionSpace) -> Iterator[list[list[int]]]:
    """Yield groups of columns that seem to be independent, by numbers and then by weights.

    The first groups are parts of the groups of a product. The second groups are the groups of a
    product, except by accident.
    """
    bits = [int.from_bytes(word, "little") for word in space.words]
    in_ones = [column.bit_count() for column in bits]

    def counted(x: int, others: list[int]) -> list[bool]:
        m = space.concepts
        return [(bits[x] & bits[y]).bit_count() * m != in_ones[x] * in_ones[y] for y in others]

    yield _components(len(bits), counted)
    columns = space.columns
    weights = np.ones(space.concepts, dtype=np.uint64)
    # The weights are fixed, so that every run finds equal factors. No weight is 0 modulo the prime,
    # because a weight of 0 would hide its column.
    drawn = 1 + scrambled(np.arange(len(bits), dtype=np.uint64)) % np.uint64(PRIME - 1)
    for column, weight in zip(columns, drawn, strict=True):
        # Both factors are below 2^31, so the product fits into 64 bits.
        weights = np.where(column, weights * weight % np.uint64(PRIME), weights)
    of_all = int(weights.sum()) % PRIME
    of_ones = [int(weights[column == 1].sum()) % PRIME for column in columns]

    def weighed(x: int, others: list[int]) -> list[bool]:
        here = np.flatnonzero(columns[x])
        of_both = np.matmul(columns[others][:, here], weights[here]).tolist()
        # `both` is not reduced and may have 62 bits. As a Python integer, its product with `of_all`
        # cannot overflow.
        return [
            (both * of_all - of_ones[x] * of_ones[y]) % PRIME != 0
            for both, y in zip(of_both, others, strict=True)
        ]

    yield _components(len(bits), weighed)


def _components(count: int, depend: Callable[[int, list[int]], list[bool]]) -> list[list[int]]:
    """Return the components of a graph, given a function for the neighbours among some nodes."""
    left = list(range(count))
    groups: list[list[int]] = []
    while left:
        group, left = left[:1], left[1:]
        # The loop visits the members that it appends, so it is a breadth-first search.
        for x in group:
            next_to = depend(x, left) if left else []
            group += itertools.compress(left, next_to)
            left = [y for y, is_next in zip(left, next_to, strict=True) if not is_next]
        groups.append(sorted(group))
    return groups


def _labellings(space: VersionSpace, group: list[int]) -> int:
    """Return the number of labellings that the concepts give to a group of columns."""
    if len(group) == 1:
        return 2
    rows = np.packbits(np.ascontiguousarray(space.columns[group].T), axis=1)
    return len(np.unique(rows.view(f"V{rows.shape[1]}")))


# ---- splits


PAIRS = 16
"""Largest number of pairs of sides that `split` tries."""
TRIED = 4
"""Number of concepts of a side that are tested first, as a quick test."""
COLUMNS = 128
"""Largest number of columns for which `split` searches for sides."""


class Side(NamedTuple):
    """A side of a version space, as the column and the label that `VersionSpace.side` takes."""

    column: int
    label: int


def split(space: VersionSpace) -> tuple[Side, Side] | None:
    """Return two sides of a version space whose dimensions add up to a bound on its dimension.

    Each side has at most half of the concepts.
    Every column is free on one of the sides. The free columns of a side have all labellings on the
    side that they have on the version space.

    Parameters
    ----------
    space : VersionSpace

    Returns
    -------
    tuple of two sides, or None
        First pair with this property among the `PAIRS` pairs whose larger side is smallest.

    Examples
    --------
    For the monotone functions of two variables, on 00, 01, 10 and 11, the functions that are 0 on
    01 are 0 on 00, and have all labellings of 10 and 11. The functions that are 1 on 10 are 1 on
    11:

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
    # The number of concepts on each side that label each column 1, sides of label 0 first.
    shared = np.concatenate([ones[None, :] - both, both])
    free = (shared > 0) & (shared < sizes[:, None])
    # Sides of at most half of the concepts. Every column must be free on one side of a pair.
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
    """Return whether a side has all labellings of its free columns that the version space has.

    The check first tests a few concepts of the other side, because usually one of them is missing.
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
