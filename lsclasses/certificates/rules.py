"""The inference rules of proofs that a class shatters, or does not shatter, a tree.

In this module, a class is a set of `Rows`, and depths are integers. No rule applies to a depth
below 0. Each function decides one inference. ``docs/certificates.md`` proves, under the labels C1
to G6, that every accepted inference is true. The module imports only NumPy and
`lsclasses.certificates.rows`, because a checker that shared code with the search would share its
mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

import numpy as np

from lsclasses.certificates.rows import Rows, contained

LOOK_AHEAD = 3
"""Default number of levels of restrictions in which the checker counts concepts."""


def refuted_by_counting(rows: Rows, depth: int, look_ahead: int = LOOK_AHEAD) -> bool:
    """Return whether counting concepts shows that a class shatters no tree of the given depth.

    A tree of depth k >= 0 needs 2^k concepts. If k >= 1, it also needs a point such that counting
    refutes neither side at depth k - 1, with a look-ahead of one level less.

    Examples
    --------
    >>> thresholds = Rows.of_labels(np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]]))
    >>> refuted_by_counting(thresholds, 2), refuted_by_counting(thresholds, 3)
    (False, True)
    """
    # C1
    if depth < 0:
        return False
    concepts = len(rows)
    if concepts.bit_length() <= depth:
        # That is concepts < 2^depth, without writing out a power that may be huge.
        return True
    if depth == 0 or look_ahead == 0:
        return False
    # C2
    ones = rows.ones()
    alive = np.flatnonzero(np.minimum(ones, concepts - ones) >= 2 ** (depth - 1))
    if look_ahead == 1 or depth == 1 or not len(alive):
        return not len(alive)
    # C3
    both = rows.common_ones(alive)
    some = (np.minimum(both, ones[alive, None] - both) >= 2 ** (depth - 2)).any(axis=1)
    none = ones[None, :] - both
    rest = concepts - ones[alive, None] - none
    alive = alive[some & (np.minimum(none, rest) >= 2 ** (depth - 2)).any(axis=1)]
    if look_ahead == 2 or depth == 2 or not len(alive):
        return not len(alive)
    # C4
    return all(
        any(
            refuted_by_counting(rows.restricted(x, label), depth - 1, look_ahead - 1)
            for label in (0, 1)
        )
        for x in alive.tolist()
    )


def unlisted_columns(rows: Rows, listed: Iterable[int]) -> list[int]:
    """Return the non-constant columns that differ from all listed columns up to complement.

    Examples
    --------
    >>> rows = Rows.of_labels(np.array([[0, 1, 0, 0], [0, 1, 1, 1], [1, 0, 1, 1]]))
    >>> unlisted_columns(rows, [1])
    [2, 3]
    """
    named = 0
    for j in listed:
        named |= 1 << j
    left, unlisted = rows.varying() & ~named, 0
    while left:
        alike = rows.alike((left & -left).bit_length() - 1)
        if not alike & named:
            unlisted |= alike & left
        left &= ~alike
    return [j for j in range(rows.points) if unlisted >> j & 1] if unlisted else []


def refuted_by_steps(rows: Rows, depth: int, listed: Iterable[int]) -> bool:
    """Return whether a class shatters no tree of a depth, given columns that fail at the root.

    A column fails if one of its two restrictions shatters no tree of depth ``depth - 1``. Up to
    complement, the listed columns must include every non-constant column. A tree of depth 0 has no
    root, so steps can only refute depths of at least 1.

    Examples
    --------
    >>> cube = Rows.of_labels(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    >>> refuted_by_steps(cube, 2, [0, 1]), refuted_by_steps(cube, 2, [0])
    (True, False)
    >>> one = cube.restricted(0, 0).restricted(1, 0)
    >>> refuted_by_steps(one, 1, []), refuted_by_steps(one, 0, [])
    (True, False)
    """
    # D4
    return depth >= 1 and not unlisted_columns(rows, listed)


def symmetric(rows: Rows, matching: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether a matching maps a class into itself.

    Parameters
    ----------
    rows : Rows
    matching : sequence of (column, column, 0 or 1)
        Columns, their images, and 1 for complemented labels. Up to complement, the first columns
        must include all non-constant columns.

    Examples
    --------
    >>> chain = Rows.of_labels(np.array([[0, 0], [0, 1], [1, 1]]))
    >>> symmetric(chain, [(0, 1, 1), (1, 0, 1)]), symmetric(chain, [(0, 1, 0), (1, 0, 0)])
    (True, False)
    >>> symmetric(chain, [(0, 1, 1)])
    False
    """
    # D8
    return not unlisted_columns(rows, [x for x, _, _ in matching]) and _embeds(rows, rows, matching)


def settled_columns(
    failing: Iterable[int], symmetries: Iterable[Sequence[tuple[int, int, int]]]
) -> set[int]:
    """Return the columns that fail at the root because symmetries map them to columns that fail.

    Examples
    --------
    >>> sorted(settled_columns([2], [[(0, 1, 0), (1, 2, 1), (3, 0, 0), (4, 4, 0)]]))
    [0, 1, 2, 3]
    """
    # D8
    before: dict[int, list[int]] = {}
    for matching in symmetries:
        for x, z, _ in matching:
            before.setdefault(z, []).append(x)
    settled, waiting = set(failing), list(failing)
    while waiting:
        for x in before.get(waiting.pop(), ()):
            if x not in settled:
                settled.add(x)
                waiting.append(x)
    return settled


def refuted_by_entry(
    side: Rows,
    depth: int,
    entry: Rows,
    entry_depth: int,
    matching: Sequence[tuple[int, int, int]] | None = None,
) -> bool:
    """Return whether a side shatters no tree of a depth because an entry shatters no such tree.

    The side and the entry are classes. The entry shatters no tree of depth `entry_depth`.

    Parameters
    ----------
    side, entry : Rows
    depth, entry_depth : int
        Depths that are refuted for the side and for the entry.
    matching : sequence of (column of the side, column of the entry, 0 or 1), optional
        Columns with their images. With renamed columns, complemented for a 1, the concepts of the
        side must be concepts of the entry on the named columns. Up to complement, all non-constant
        columns of the side must be matched. Without a matching, each concept of the side must be a
        concept of the entry.

    Examples
    --------
    >>> side = Rows.of_labels(np.array([[0, 0, 1], [0, 1, 1]]))
    >>> entry = Rows.of_labels(np.array([[0, 1, 0], [1, 1, 0]]))
    >>> refuted_by_entry(side, 2, entry, 2), refuted_by_entry(side, 2, entry, 2, [(1, 0, 0)])
    (False, True)
    >>> refuted_by_entry(side, 1, entry, 2, [(1, 0, 0)])
    False
    """
    # D6
    if not 0 <= entry_depth <= depth:
        return False
    if matching is None:
        return contained(side.distinct(), entry.distinct())
    return not unlisted_columns(side, [x for x, _, _ in matching]) and _embeds(
        side, entry, matching
    )


def refuted_by_factors(
    rows: Rows,
    depth: int,
    factors: Sequence[tuple[Rows, int, Sequence[tuple[int, int, int]]]],
) -> bool:
    """Return whether a class shatters no tree of a depth, because of bounds on groups of columns.

    A factor bounds the depth of the trees on one group of columns.

    Parameters
    ----------
    rows : Rows
    depth : int
        Depth to be refuted.
    factors : sequence of (entry, its depth, matching)
        Columns of a matching form a group. Its renamed and complemented columns must map the labels
        of the concepts on the group to labels of concepts of the entry. Up to complement, all
        non-constant columns must belong to some group.

    Examples
    --------
    >>> cube = Rows.of_labels(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    >>> side = cube.restricted(0, 0)
    >>> factors = [(side, 2, [(0, 1, 0)]), (side, 2, [(1, 1, 1)])]
    >>> refuted_by_factors(cube, 3, factors), refuted_by_factors(cube, 2, factors)
    (True, False)
    >>> refuted_by_factors(cube, 3, factors[:1])
    False
    """
    # D7
    depths = [entry_depth for _, entry_depth, _ in factors]
    if not all(0 <= entry_depth < depth for entry_depth in depths):
        return False
    if sum(entry_depth - 1 for entry_depth in depths) >= depth:
        return False
    if unlisted_columns(rows, [x for _, _, matching in factors for x, _, _ in matching]):
        return False
    return all(_embeds(rows, entry, matching) for entry, _, matching in factors)


def shattered_by_set(rows: Rows, depth: int, columns: Sequence[int]) -> bool:
    """Return whether a class shatters a tree of the given depth whose levels are given columns.

    All nodes of a level have one column. The class shatters the tree if it shatters the set of the
    columns.

    Examples
    --------
    >>> cube = Rows.of_labels(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    >>> [shattered_by_set(cube, depth, [0, 1]) for depth in (1, 2, 3)]
    [False, True, False]
    >>> shattered_by_set(cube, 2, [0, 0]), shattered_by_set(cube, 0, [])
    (False, True)
    """
    # G4
    return len(columns) == depth and rows.labellings(columns) == 2**depth


def shattered_by_entry(
    side: Rows,
    depth: int,
    entry: Rows,
    entry_depth: int,
    matching: Sequence[tuple[int, int, int]],
) -> bool:
    """Return whether a side shatters a tree because an entry shatters a tree of equal depth.

    The side and the entry are classes.

    Parameters
    ----------
    side, entry : Rows
    depth, entry_depth : int
        Depths, equal and at least 0.
    matching : sequence of (column of the side, column of the entry, 0 or 1)
        Columns with their images. With renamed columns, complemented for a 1, the concepts of the
        entry must be concepts of the side on the named columns. Up to complement, all non-constant
        columns of the entry must be matched.

    Examples
    --------
    >>> side = Rows.of_labels(np.array([[0, 1, 0], [1, 1, 0], [1, 1, 1]]))
    >>> entry = Rows.of_labels(np.array([[0, 0, 1], [0, 1, 1]]))
    >>> shattered_by_entry(side, 1, entry, 1, [(0, 1, 0)])
    True
    >>> shattered_by_entry(side, 1, entry, 1, [(1, 1, 0)])
    False
    """
    # G6
    if not 0 <= depth == entry_depth or unlisted_columns(entry, [z for _, z, _ in matching]):
        return False
    image, target = _images(side, entry, matching)
    return contained(target, image)


def _embeds(side: Rows, entry: Rows, matching: Sequence[tuple[int, int, int]]) -> bool:
    """Return whether a matching maps the labellings of its columns to labellings of `entry`."""
    image, target = _images(side, entry, matching)
    return contained(image, target)


def _images(
    side: Rows, entry: Rows, matching: Sequence[tuple[int, int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the labellings of matched columns with complements, and the entry's labellings."""
    # In the order of the entry's columns its labellings are the same for all matchings with it.
    pairs = sorted(matching, key=itemgetter(1))
    image = side.image([x for x, _, _ in pairs], [flip for _, _, flip in pairs])
    return image.distinct(), entry.distinct_image([z for _, z, _ in pairs])
