"""Version spaces that are products: groups of columns, labelled independently of each other.

The Littlestone dimension of a product is the sum of those of its factors (``docs/search.md`` has
the proof). So a product is settled by its factors, which are much smaller.
"""

from __future__ import annotations

import numpy as np

from lsclasses.searching.version_space import VersionSpace

__all__ = ["factors"]


def factors(space: VersionSpace) -> list[VersionSpace]:
    """The factors of a version space; none if it is not recognised as a product.

    Two columns are independent if as many concepts label both with 1 as the share of each predicts.
    The groups are the components of the graph of dependence, in the order of their first columns;
    and the version space is a product if it has as many concepts as there are ways to choose a
    labelling of each group. (Groups of which no two columns, but three or more, depend on each
    other are not told apart. Then there are fewer concepts than that.)

    A factor is given as the concepts that agree with the first one outside its group: one concept
    for each labelling of the group.

    Examples
    --------
    >>> import itertools
    >>> chains = itertools.product([[0, 0], [0, 1], [1, 1]], repeat=2)
    >>> space = VersionSpace.of_labels(np.array([[*c, *d] for c, d in chains], dtype=np.uint8))
    >>> [(factor.concepts, factor.source.tolist()) for factor in factors(space)]
    [(3, [0, 1]), (3, [2, 3])]
    """
    groups = _independent_groups(space)
    if len(groups) < 2:
        return []
    most = 1
    for group in groups:
        most *= _labellings(space, group)
        if most > space.concepts:
            return []
    found = []
    for group in groups:
        outside = np.delete(space.columns, group, axis=0)
        # Columns are oriented: the first concept labels all of them 0.
        found.append(space.part(np.flatnonzero(~outside.any(axis=0))))
    return found


def _independent_groups(space: VersionSpace) -> list[list[int]]:
    """The components of the graph whose edges are the pairs of columns that are not independent."""
    bits = [int.from_bytes(word, "little") for word in space.words]
    ones = [column.bit_count() for column in bits]
    left = list(range(len(bits)))
    groups: list[list[int]] = []
    while left:
        group = [left.pop(0)]
        for x in group:
            apart = [
                y
                for y in left
                if (bits[x] & bits[y]).bit_count() * space.concepts == ones[x] * ones[y]
            ]
            group += sorted(set(left) - set(apart))
            left = apart
        groups.append(sorted(group))
    return groups


def _labellings(space: VersionSpace, group: list[int]) -> int:
    """How many labellings the concepts give to a group of columns."""
    if len(group) == 1:
        return 2
    rows = np.packbits(np.ascontiguousarray(space.columns[group].T), axis=1)
    return len(np.unique(rows.view(f"V{rows.shape[1]}")))
