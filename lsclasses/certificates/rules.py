"""The rules by which a proof infers that a class shatters no tree of some depth.

A class is an array of labels here, shape (concepts, points), with distinct rows; depths are
integers, and no rule says anything about a depth below 0. Each function decides one inference;
``docs/certificates.md`` proves, under the labels C1 to D7, that what it accepts is true. Nothing is
imported but NumPy: a checker that shared code with the search would share its mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

__all__ = [
    "LOOK_AHEAD",
    "refuted_by_counting",
    "refuted_by_entry",
    "refuted_by_factors",
    "refuted_by_steps",
    "restricted",
    "unlisted_columns",
]

LOOK_AHEAD = 3
"""How many levels below a version space the checker counts."""


def restricted(labels: np.ndarray, column: int, label: int) -> np.ndarray:
    """The concepts that give a point a label."""
    kept: np.ndarray = labels[labels[:, column] == label]
    return kept


def refuted_by_counting(labels: np.ndarray, depth: int, look_ahead: int = LOOK_AHEAD) -> bool:
    """Whether counting concepts shows that a class shatters no tree of the given depth.

    Depth k >= 0 takes 2^k concepts; and k >= 1 a point, neither of whose sides is refuted at depth
    k - 1 by counting one level less far ahead.

    Parameters
    ----------
    labels : array of 0/1, shape (concepts, points)
        Distinct rows.
    depth, look_ahead : int

    Examples
    --------
    >>> thresholds = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]])
    >>> refuted_by_counting(thresholds, 2), refuted_by_counting(thresholds, 3)
    (False, True)
    """
    # C1
    if depth < 0:
        return False
    concepts = len(labels)
    if concepts.bit_length() <= depth:
        # That is concepts < 2^depth, without writing out a power that may be huge.
        return True
    if depth == 0 or look_ahead == 0:
        return False
    # C2
    ones = labels.sum(axis=0, dtype=np.int64)
    alive = np.flatnonzero(np.minimum(ones, concepts - ones) >= 2 ** (depth - 1))
    if look_ahead == 1 or depth == 1:
        return not len(alive)
    if look_ahead == 2 or depth == 2:
        # C3
        wide = labels.astype(np.float64)
        both = wide[:, alive].T @ wide
        some = (np.minimum(both, ones[alive, None] - both) >= 2 ** (depth - 2)).any(axis=1)
        none = ones[None, :] - both
        rest = concepts - ones[alive, None] - none
        return not (some & (np.minimum(none, rest) >= 2 ** (depth - 2)).any(axis=1)).any()
    # C4
    return all(
        any(
            refuted_by_counting(restricted(labels, x, label), depth - 1, look_ahead - 1)
            for label in (0, 1)
        )
        for x in alive.tolist()
    )


def unlisted_columns(labels: np.ndarray, listed: Iterable[int]) -> list[int]:
    """The non-constant columns that are neither listed nor equal or complementary to one that is.

    Examples
    --------
    >>> unlisted_columns(np.array([[0, 1, 0, 0], [0, 1, 1, 1], [1, 0, 1, 1]]), [1])
    [2, 3]
    """
    # The first concept labels every oriented column 0, so complements have become equal.
    oriented = np.packbits(labels ^ labels[:1], axis=0)
    columns = [column.tobytes() for column in oriented.T]
    covered = {columns[j] for j in listed}
    covered.add(bytes(len(oriented)))
    return [j for j, column in enumerate(columns) if column not in covered]


def refuted_by_steps(labels: np.ndarray, depth: int, listed: Iterable[int]) -> bool:
    """Whether a class shatters no tree of the given depth if each listed column fails at its root.

    A column fails if one of its two restrictions shatters no tree of depth ``depth - 1``. A tree of
    depth 0 has no root, so steps refute no depth below 1.

    Examples
    --------
    >>> cube = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> refuted_by_steps(cube, 2, [0, 1]), refuted_by_steps(cube, 2, [0])
    (True, False)
    >>> refuted_by_steps(np.array([[0, 0]]), 1, []), refuted_by_steps(np.array([[0, 0]]), 0, [])
    (True, False)
    """
    # D4
    return depth >= 1 and not unlisted_columns(labels, listed)


def refuted_by_entry(
    side: np.ndarray,
    depth: int,
    entry: np.ndarray,
    entry_depth: int,
    matching: Sequence[tuple[int, int, int]] | None = None,
) -> bool:
    """Whether `side` shatters no tree of depth `depth` if `entry` shatters none of `entry_depth`.

    Parameters
    ----------
    side, entry : array of 0/1, shape (concepts, points)
        Distinct rows.
    depth, entry_depth : int
    matching : sequence of (column of the side, column of the entry, 0 or 1), optional
        The concepts of the side, their columns renamed so, and complemented where a 1 says so, must
        be concepts of the entry on the columns named, and all non-constant columns of the side take
        part, themselves or their complements. Without it each concept of the side must itself be
        one of the entry.

    Examples
    --------
    >>> side = np.array([[0, 0, 1], [0, 1, 1]])
    >>> entry = np.array([[0, 1, 0], [1, 1, 0]])
    >>> refuted_by_entry(side, 2, entry, 2), refuted_by_entry(side, 2, entry, 2, [(1, 0, 0)])
    (False, True)
    >>> refuted_by_entry(side, 1, entry, 2, [(1, 0, 0)])
    False
    """
    # D6
    if not 0 <= entry_depth <= depth:
        return False
    if matching is None:
        return _rows(side) <= _rows(entry)
    return not unlisted_columns(side, [x for x, _, _ in matching]) and _embeds(
        side, entry, matching
    )


def refuted_by_factors(
    labels: np.ndarray,
    depth: int,
    factors: Sequence[tuple[np.ndarray, int, Sequence[tuple[int, int, int]]]],
) -> bool:
    """Whether a class shatters no tree of the given depth if each factor fails its own.

    Parameters
    ----------
    labels : array of 0/1, shape (concepts, points)
        Distinct rows.
    depth : int
    factors : sequence of (entry, its depth, matching)
        The columns of a matching are a group. The labels that the concepts give to the group, the
        columns renamed and complemented as the matching says, must be those of concepts of the
        entry. All non-constant columns belong to some group, themselves or their complements.

    Examples
    --------
    >>> cube = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> side = cube[:2]
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
    if unlisted_columns(labels, [x for _, _, matching in factors for x, _, _ in matching]):
        return False
    return all(_embeds(labels, entry, matching) for entry, _, matching in factors)


def _embeds(
    labels: np.ndarray, entry: np.ndarray, matching: Sequence[tuple[int, int, int]]
) -> bool:
    """Whether a matching maps what the concepts say of its columns to what those of `entry` say."""
    flips = np.array([flip for _, _, flip in matching], dtype=np.uint8)
    image = labels[:, [x for x, _, _ in matching]] ^ flips
    return _rows(image) <= _rows(entry[:, [z for _, z, _ in matching]])


def _rows(labels: np.ndarray) -> set[bytes]:
    return {row.tobytes() for row in np.packbits(labels, axis=1)}
