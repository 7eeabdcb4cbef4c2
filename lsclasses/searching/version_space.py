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

from lsclasses.limits import tick
from lsclasses.searching.bit_matrix import (
    columns_of_rows,
    common_ones,
    rows_of_columns,
    sorted_rows,
)
from lsclasses.searching.counting import counting_type

UNPACKED_UP_TO = 1 << 19
"""Version spaces with more labels are not unpacked."""
AT_ONCE = 1 << 19
"""How many rows are turned round before the clock is looked at."""
INDIVIDUALISATIONS = 16
"""How many ties the normal form breaks before it gives up on being canonical."""
REVERSED = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], dtype=np.uint8)
"""Each byte with its lowest bit highest."""


class VersionSpace:
    """A compacted version space, on which the searches work.

    Attributes
    ----------
    concepts : int
        How many concepts are left.
    words : tuple of bytes
        Distinct non-constant columns, each complemented if need be so that the first concept
        labels every point 0; packed, the first concept in the lowest bit, in whole words of 64
        concepts. As a set they identify the version space.
    source : array of int, shape (points,)
        Which column of the original table each one is.
    flipped : array of uint8, shape (points,)
        1 where the original column was complemented.
    """

    __slots__ = ("_both", "_columns", "_rows", "concepts", "flipped", "source", "words")

    def __init__(
        self,
        concepts: int,
        words: tuple[bytes, ...],
        source: np.ndarray,
        flipped: np.ndarray,
        columns: np.ndarray | None = None,
    ) -> None:
        self.concepts = concepts
        self.words = words
        self.source = source
        self.flipped = flipped
        self._columns = columns
        self._rows: np.ndarray | None = None
        self._both: np.ndarray | None = None

    @property
    def large(self) -> bool:
        """Whether there are too many labels to give each a byte; bits are worked on then."""
        return self.concepts * len(self.words) > UNPACKED_UP_TO

    @property
    def columns(self) -> np.ndarray:
        """The columns as an array of uint8, shape (points, concepts)."""
        if self._columns is None:
            columns = np.empty((len(self.words), self.concepts), dtype=np.uint8)
            for j, word in enumerate(self.words):
                bits = np.frombuffer(word, dtype=np.uint8)
                columns[j] = np.unpackbits(bits, count=self.concepts, bitorder="little")
                tick()
            self._columns = columns
        return self._columns

    @property
    def packed(self) -> np.ndarray:
        """The columns as an array of uint64, shape (points, ceil(concepts / 64))."""
        width = -(-self.concepts // 64)
        return np.frombuffer(b"".join(self.words), dtype=np.uint64).reshape(len(self.words), width)

    @property
    def rows(self) -> np.ndarray:
        """The rows as an array of uint64, shape (ceil(points / 64), concepts)."""
        if self._rows is None:
            self._rows = rows_of_columns(self.packed, self.concepts)
        return self._rows

    @property
    def ones(self) -> np.ndarray:
        """The number of concepts that label each column with 1, int32, shape (points,)."""
        counted = np.bitwise_count(self.packed) if self.large else self.columns
        ones: np.ndarray = counted.sum(axis=1, dtype=np.int32)
        return ones

    @property
    def both(self) -> np.ndarray:
        """The number of concepts that label both of two columns with 1, shape (points, points)."""
        if self._both is None:
            if self.large:
                self._both = common_ones(self.packed)
            else:
                wide = self.columns.astype(counting_type(self.concepts))
                self._both = np.matmul(wide, wide.T).astype(np.int32)
        return self._both

    @classmethod
    def of_labels(cls, labels: np.ndarray) -> VersionSpace:
        """The version space of a whole table, shape (concepts, points)."""
        columns = np.ascontiguousarray(labels.T)
        points = len(columns)
        return cls._compact(columns, np.arange(points), np.zeros(points, dtype=np.uint8))

    @classmethod
    def of_packed(cls, packed: np.ndarray, points: int) -> VersionSpace:
        """The version space of a table with eight labels to a byte, the first point highest."""
        concepts = len(packed)
        if concepts * points <= UNPACKED_UP_TO:
            return cls.of_labels(np.unpackbits(packed, axis=1, count=points))
        rows = np.zeros((concepts, -(-points // 64) * 8), dtype=np.uint8)
        for start in range(0, concepts, AT_ONCE):
            some = slice(start, start + AT_ONCE)
            rows[some, : packed.shape[1]] = REVERSED[packed[some]]
            tick()
        rows = np.ascontiguousarray(rows.view(np.uint64).T)
        return cls._of_rows(rows, np.arange(points), np.zeros(points, dtype=np.uint8))

    @classmethod
    def _of_rows(cls, rows: np.ndarray, source: np.ndarray, flipped: np.ndarray) -> VersionSpace:
        """The version space of a matrix of rows, shape (ceil(points / 64), concepts)."""
        concepts = rows.shape[1]
        if not concepts:
            return cls(0, (), source[:0], flipped[:0])
        tick()
        first = columns_of_rows(rows[:, :1], len(source))[:, 0].astype(np.uint8)
        columns = columns_of_rows(rows ^ rows[:, :1], len(source))
        return cls._of_columns(concepts, columns.tobytes(), source, flipped ^ first)

    @classmethod
    def _compact(cls, columns: np.ndarray, source: np.ndarray, flipped: np.ndarray) -> VersionSpace:
        """The version space of a matrix of labels, shape (points, concepts)."""
        concepts = columns.shape[1]
        if not concepts:
            return cls(0, (), source[:0], flipped[:0], columns[:0])
        first = columns[:, :1]
        oriented = columns ^ first
        packed = np.packbits(oriented, axis=1, bitorder="little")
        width = (concepts + 63) // 64 * 8
        if packed.shape[1] < width:
            padded = np.zeros((len(packed), width), dtype=np.uint8)
            padded[:, : packed.shape[1]] = packed
            packed = padded
        return cls._of_columns(concepts, packed.tobytes(), source, flipped ^ first[:, 0], oriented)

    @classmethod
    def _of_columns(
        cls,
        concepts: int,
        words: bytes,
        source: np.ndarray,
        flipped: np.ndarray,
        columns: np.ndarray | None = None,
    ) -> VersionSpace:
        """The distinct non-constant columns, given columns that the first concept labels 0."""
        width = (concepts + 63) // 64 * 8
        distinct: dict[bytes, int] = {}
        for j in range(len(source)):
            if j % 1024 == 0:
                tick()
            distinct.setdefault(words[j * width : (j + 1) * width], j)
        distinct.pop(bytes(width), None)
        kept = np.fromiter(distinct.values(), dtype=np.intp, count=len(distinct))
        if columns is not None and len(kept) < len(columns):
            columns = columns[kept]
        return cls(concepts, tuple(distinct), source[kept], flipped[kept], columns)

    def side(self, j: int, side: int) -> VersionSpace:
        """The concepts that give column j the (oriented) label `side`, compacted."""
        if self.large:
            labels = self.rows[j // 64] & np.uint64(1 << j % 64) != 0
        else:
            labels = self.columns[j].view(np.bool_)
        return self.part((labels if side else ~labels).nonzero()[0])

    def part(self, rows: np.ndarray) -> VersionSpace:
        """The concepts at some positions, compacted."""
        if self.large:
            return self._of_rows(np.take(self.rows, rows, axis=1), self.source, self.flipped)
        return self._compact(np.take(self.columns, rows, axis=1), self.source, self.flipped)


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
    points, concepts = len(space.words), space.concepts
    if not points:
        return arrange(space)
    if ones is None or both is None:
        ones, both = space.ones, space.both
    order, flip = canonical_order(ones, both, concepts)
    return Arrangement((concepts, points, arranged_rows(space, order, flip)), order, flip)


def canonical_order(
    ones: np.ndarray, both: np.ndarray, concepts: int
) -> tuple[np.ndarray, np.ndarray]:
    """An order of the columns, and which of them to complement, by counts alone.

    Isomorphic version spaces are mostly ordered alike.
    """
    points = len(ones)
    colour = _literal_colours(ones, both, concepts)
    plain, complemented = colour[:points], colour[points:]
    flip = (complemented < plain).astype(np.uint8)
    order = np.argsort(np.minimum(plain, complemented), kind="stable")
    return order, flip[order]


def arranged_rows(space: VersionSpace, order: np.ndarray, flip: np.ndarray) -> bytes:
    """The sorted rows of a version space, its columns in some order and complemented so."""
    if space.large:
        return sorted_rows(arranged_matrix(space, order, flip)).tobytes()
    return np.sort(row_words(space.columns[order] ^ flip[:, None])).tobytes()


def arranged_matrix(space: VersionSpace, order: np.ndarray, flip: np.ndarray) -> np.ndarray:
    """The matrix of rows of a version space, its columns in some order and complemented so."""
    arranged = rows_of_columns(space.packed[order], space.concepts)
    arranged ^= rows_of_columns(flip[:, None].astype(np.uint64), 1)
    return arranged


def row_words(columns: np.ndarray) -> np.ndarray:
    """The rows of a (points, concepts) table, one number or string of bytes each."""
    points, concepts = columns.shape
    width = (points + 7) // 8
    if width <= 8:
        width = next(size for size in (1, 2, 4, 8) if size >= width)
    # Rows padded to whole words pack as one flat string, several times faster than row by row.
    rows = np.zeros((concepts, 8 * width), dtype=np.uint8)
    rows[:, :points] = columns.T
    word = f"u{width}" if width <= 8 else f"V{width}"
    return np.packbits(rows.ravel()).view(word)


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
    shared = scrambled(shared)
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
        mark = scrambled(colour.astype(np.uint64) + np.uint64(1))
        signature = scrambled(shared + mark[None, :]).sum(axis=1)
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


def scrambled(values: np.ndarray) -> np.ndarray:
    """Scramble 64-bit words (the finaliser of SplitMix64; Steele et al. 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed
