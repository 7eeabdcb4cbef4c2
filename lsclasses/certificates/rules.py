"""The rules by which a proof infers that a class shatters no tree of some depth, or that it does.

A class is a set of `Rows` here; depths are integers, and no rule says anything about a depth below
0. Each function decides one inference; ``docs/certificates.md`` proves, under the labels C1 to G6,
that what it accepts is true. Nothing is imported but NumPy and `lsclasses.certificates.rows`: a
checker that shared code with the search would share its mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

import numpy as np

from lsclasses.certificates.rows import Rows, contained

LOOK_AHEAD = 3
"""How many levels below a version space the checker counts."""


def refuted_by_counting(rows: Rows, depth: int, look_ahead: int = LOOK_AHEAD) -> bool:
    """Return whether counting concepts shows that a class shatters no tree of the given depth.

    Depth k >= 0 takes 2^k concepts; and k >= 1 a point, neither of whose sides is refuted at depth
    k - 1 by counting one level less far ahead.

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
    """The non-constant columns that are neither listed nor equal or complementary to one that is.

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
    """Whether a class shatters no tree of the given depth if each listed column fails at its root.

    A column fails if one of its two restrictions shatters no tree of depth ``depth - 1``. A tree of
    depth 0 has no root, so steps refute no depth below 1.

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
        Which column becomes which, complemented where there is a 1. All non-constant columns are
        among the first ones, themselves or their complements.

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
    """The columns that fail at the root because symmetries lead from them to columns that do.

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
    """Whether `side` shatters no tree of depth `depth` if `entry` shatters none of `entry_depth`.

    Parameters
    ----------
    side, entry : Rows
    depth, entry_depth : int
    matching : sequence of (column of the side, column of the entry, 0 or 1), optional
        The concepts of the side, their columns renamed so, and complemented where a 1 says so, must
        be concepts of the entry on the columns named, and all non-constant columns of the side take
        part, themselves or their complements. Without it each concept of the side must itself be
        one of the entry.

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
    """Return whether a class shatters no tree of the given depth if each factor fails its own.

    Parameters
    ----------
    rows : Rows
    depth : int
    factors : sequence of (entry, its depth, matching)
        The columns of a matching are a group. The labels that the concepts give to the group, the
        columns renamed and complemented as the matching says, must be those of concepts of the
        entry. All non-constant columns belong to some group, themselves or their complements.

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
    """Return whether a class shatters a tree of the given depth that asks these columns in turn.

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
    """Whether `side` shatters a tree of depth `depth` if `entry` shatters one of `entry_depth`.

    Parameters
    ----------
    side, entry : Rows
    depth, entry_depth : int
        Equal, and at least 0.
    matching : sequence of (column of the side, column of the entry, 0 or 1)
        The concepts of the entry, their columns renamed so, and complemented where a 1 says so,
        must be concepts of the side on the columns named, and all non-constant columns of the entry
        take part, themselves or their complements.

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
    """Return whether a matching maps the labellings of its columns into those of `entry`."""
    image, target = _images(side, entry, matching)
    return contained(image, target)


def _images(
    side: Rows, entry: Rows, matching: Sequence[tuple[int, int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """The labellings of a matching's columns, complemented as it says; and those of the entry's."""
    # In the order of the entry's columns its labellings are the same for all matchings with it.
    pairs = sorted(matching, key=itemgetter(1))
    image = side.image([x for x, _, _ in pairs], [flip for _, _, flip in pairs])
    return image.distinct(), entry.distinct_image([z for _, z, _ in pairs])
