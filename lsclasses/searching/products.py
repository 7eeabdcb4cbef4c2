"""Version spaces that are products: groups of columns, labelled independently of each other.

The Littlestone dimension of a product is the sum of those of its factors (``docs/search.md`` has
the proof). So a product is settled by its factors, which are much smaller.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from lsclasses.searching.version_space import VersionSpace, scrambled

PRIME = (1 << 31) - 1
"""Weights are counted modulo this number: 2^31 of them add up to less than 2^62."""


def factors(space: VersionSpace) -> list[VersionSpace]:
    """The irreducible factors of a version space; none if it is not a product.

    Each is given as the concepts that agree with the first one outside a group of columns: one
    concept for each labelling of the group. Groups come in the order of their first columns.

    Let each column have a weight, and each concept the product of the weights of the columns that
    it labels 1. In a product, columns of different groups are independent: the weight of the
    concepts that label both 1, times that of all, is the product of the weights of those that label
    either 1. Conversely, the groups of a product are the components of the graph of pairs for which
    this fails for some weights (``docs/search.md``); then it fails for random ones, but for an
    accident. So weights of 1 sort out nearly everything, random weights tell the groups, and a
    version space is a product if it has as many concepts as there are ways to choose a labelling of
    each group.

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
        # single group proves that the space is no product.
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
    """The groups of columns that seem to be independent of each other, twice: in number, in weight.

    The first are parts of the groups of a product, the second are these groups, but for an
    accident.
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
    """The components of a graph, given whether one node is next to each of some others."""
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
    """How many labellings the concepts give to a group of columns."""
    if len(group) == 1:
        return 2
    rows = np.packbits(np.ascontiguousarray(space.columns[group].T), axis=1)
    return len(np.unique(rows.view(f"V{rows.shape[1]}")))
