"""Version spaces as searches see them, and keys that isomorphic ones share.

The Littlestone and VC dimensions depend on no more of a table than its distinct non-constant
columns up to complement. A `VersionSpace` holds just these. An `Arrangement` is one under a key
that renamings of points and concepts (and complements of columns) mostly share. A key holds the
whole compacted table, so equal keys mean isomorphic version spaces; hashing (of keys by Python, of
columns while a canonical order is sought) can cost time when it collides, never a wrong answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Arrangement", "VersionSpace", "arrange", "normal_form"]

INDIVIDUALISATIONS = 16
"""How many ties the normal form breaks before it gives up on being canonical."""


class VersionSpace(NamedTuple):
    """A version space, compacted: what the search works on.

    Attributes
    ----------
    columns : array of uint8, shape (points, concepts)
        Distinct non-constant columns, each complemented if need be so that the first concept
        labels every point 0.
    source : array of int, shape (points,)
        Which column of the original table each one is.
    flipped : array of uint8, shape (points,)
        1 where the original column was complemented.
    words : tuple of bytes
        The columns, packed; as a set they identify the version space.
    """

    columns: np.ndarray
    source: np.ndarray
    flipped: np.ndarray
    words: tuple[bytes, ...]

    @classmethod
    def of_labels(cls, labels: np.ndarray) -> VersionSpace:
        """The version space of a whole table, shape (concepts, points)."""
        columns = np.ascontiguousarray(labels.T)
        points = len(columns)
        return cls._compact(columns, np.arange(points), np.zeros(points, dtype=np.uint8))

    @classmethod
    def _compact(cls, columns: np.ndarray, source: np.ndarray, flipped: np.ndarray) -> VersionSpace:
        if not columns.shape[1]:
            return cls(columns[:0], source[:0], flipped[:0], ())
        first = columns[:, :1]
        oriented = columns ^ first
        packed = np.packbits(oriented, axis=1)
        width = packed.shape[1]
        buffer = packed.tobytes()
        distinct: dict[bytes, int] = {}
        for j in range(len(columns)):
            distinct.setdefault(buffer[j * width : (j + 1) * width], j)
        distinct.pop(bytes(width), None)
        kept = np.fromiter(distinct.values(), dtype=np.intp, count=len(distinct))
        return cls(
            oriented if len(kept) == len(oriented) else oriented[kept],
            source[kept],
            flipped[kept] ^ first[kept, 0],
            tuple(distinct),
        )

    @property
    def concepts(self) -> int:
        """How many concepts are left (only of a space that is not empty)."""
        return int(self.columns.shape[1])

    def rows(self, j: int, side: int) -> np.ndarray:
        """Positions, among the concepts left, of those that give column j the label `side`."""
        column = self.columns[j].view(np.bool_)
        return np.flatnonzero(column if side else ~column)

    def side(self, j: int, side: int) -> VersionSpace:
        """The concepts that give column j the (oriented) label `side`, compacted."""
        kept = np.take(self.columns, self.rows(j, side), axis=1)
        return self._compact(kept, self.source, self.flipped)


class Arrangement(NamedTuple):
    """A key of a version space, and how its columns stand in it.

    Two version spaces with one key are isomorphic: the i-th column of `order` of the one, flipped
    as `flip` says, corresponds to the i-th of the other.
    """

    key: tuple[object, ...]
    order: np.ndarray
    flip: np.ndarray


def arrange(space: VersionSpace) -> Arrangement:
    """The version space as it is: its key is the set of its columns."""
    order = sorted(range(len(space.words)), key=space.words.__getitem__)
    return Arrangement(
        (space.concepts, frozenset(space.words)),
        np.array(order, dtype=np.intp),
        np.zeros(len(order), dtype=np.uint8),
    )


def normal_form(
    space: VersionSpace, ones: np.ndarray | None = None, both: np.ndarray | None = None
) -> Arrangement:
    """The version space in a form that isomorphic ones mostly share: its key is the sorted rows.

    Counts that are at hand can be passed on.
    """
    points, concepts = space.columns.shape
    if not points:
        return arrange(space)
    if ones is None or both is None:
        ones = space.columns.sum(axis=1, dtype=np.int64)
        wide = space.columns.astype(np.float64)
        both = np.matmul(wide, wide.T).astype(np.int64)
    colour = _literal_colours(ones, both, concepts)
    plain, complemented = colour[:points], colour[points:]
    flip = (complemented < plain).astype(np.uint8)
    order = np.argsort(np.minimum(plain, complemented), kind="stable")
    arranged = (space.columns ^ flip[:, None])[order]
    return Arrangement((concepts, points, _sorted_words(arranged)), order, flip[order])


def _sorted_words(columns: np.ndarray) -> bytes:
    """The set of rows of a (points, concepts) table as one string of bytes."""
    points, concepts = columns.shape
    width = (points + 7) // 8
    if width <= 8:
        width = next(size for size in (1, 2, 4, 8) if size >= width)
    # Rows padded to whole words pack as one flat string, several times faster than row by row.
    rows = np.zeros((concepts, 8 * width), dtype=np.uint8)
    rows[:, :points] = columns.T
    word = f"u{width}" if width <= 8 else f"V{width}"
    return np.sort(np.packbits(rows.ravel()).view(word)).tobytes()


def _literal_colours(ones: np.ndarray, both: np.ndarray, concepts: int) -> np.ndarray:
    """Colours of the literals (column, polarity) that renaming points and concepts preserves.

    Literals are refined by how many concepts they share with literals of each colour; ties are
    broken by singling out one literal of the smallest tied class. Different literals may share a
    mixed value by accident, which only makes a key less canonical.
    """
    points = len(ones)
    shared = np.empty((2 * points, 2 * points), dtype=np.uint64)
    shared[:points, :points] = both
    shared[:points, points:] = ones[:, None] - both
    shared[points:, :points] = shared[:points, points:].T
    shared[points:, points:] = concepts - ones[:, None] - ones[None, :] + both
    shared = _mix(shared)
    colour, classes = _ranks(np.concatenate([ones, concepts - ones]))
    colour, classes = _refined(colour, classes, shared)
    for _ in range(INDIVIDUALISATIONS):
        if classes == 2 * points:
            break
        sizes = np.bincount(colour)
        sizes[sizes < 2] = 2 * points
        colour = 2 * colour + 1
        colour[int((colour == 2 * int(sizes.argmin()) + 1).argmax())] -= 1
        colour, classes = _ranks(colour)
        colour, classes = _refined(colour, classes, shared)
    return colour


def _refined(colour: np.ndarray, classes: int, shared: np.ndarray) -> tuple[np.ndarray, int]:
    while classes < len(colour):
        mark = _mix(colour.astype(np.uint64) + np.uint64(1))
        signature = _mix(shared + mark[None, :]).sum(axis=1)
        refined, count = _ranks(signature, colour)
        if count == classes:
            break
        colour, classes = refined, count
    return colour, classes


def _ranks(minor: np.ndarray, major: np.ndarray | None = None) -> tuple[np.ndarray, int]:
    """The rank of every entry by (major, minor), equal entries sharing one; and how many ranks."""
    major = np.zeros(len(minor), dtype=np.int64) if major is None else major
    order = np.lexsort((minor, major))
    low, high = minor[order], major[order]
    new = np.zeros(len(order), dtype=np.int64)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.cumsum(new)
    return rank, int(new.sum()) + 1


def _mix(values: np.ndarray) -> np.ndarray:
    """Scramble 64-bit words (the finaliser of SplitMix64; Steele et al. 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed
