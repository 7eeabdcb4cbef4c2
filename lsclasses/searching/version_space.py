"""Version spaces in the form of the searches, with keys that isomorphic version spaces share.

The Littlestone and VC dimensions depend only on the distinct non-constant columns of a table up to
complement. A `VersionSpace` contains only these columns. An `Arrangement` is a version space under
a key that renamings of points and concepts (and complements of columns) mostly share. A key
contains the whole compacted table, so equal keys mean isomorphic version spaces. Collisions of
hashes (of keys by Python, of columns while a canonical order is computed) can cost time, but never
cause a wrong answer. Searches remember bounds on a version space and all its renamings under such
keys.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from lsclasses.limits import Meter, tick
from lsclasses.searching.bit_matrix import (
    columns_of_rows,
    common_ones,
    counting_type,
    rows_of_columns,
    sorted_rows,
)
from lsclasses.searching.engines import engine_name

UNPACKED_UP_TO = 1 << 19
"""Largest number of labels of a version space that is unpacked to one byte per label."""
AT_ONCE = 1 << 19
"""Number of rows that are transposed between two checks of the time limit."""
INDIVIDUALISATIONS = 16
"""Number of ties that a normal form breaks before it gives up to find a canonical order."""
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ARRANGED_UP_TO = 128
"""Largest number of columns of rows that the kernel sorts."""
REVERSED = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], dtype=np.uint8)
"""The byte with reversed order of bits, for each byte from 0 to 255."""


class VersionSpace:
    """A version space in compacted form, on which the searches work.

    Attributes
    ----------
    concepts : int
        Number of concepts.
    words : tuple of bytes
        Distinct non-constant columns. A column is complemented if the first concept would otherwise
        have label 1. Columns are packed in whole words of 64 concepts, with the first concept in
        the lowest bit. The set of the columns identifies the version space.
    source : array of int, shape (points,)
        Number of each column in the original table.
    flipped : array of uint8, shape (points,)
        Entry 1 for each column that is the complement of the original column, and 0 otherwise.
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
        """Whether the labels need too many bytes, so that the searches process bits."""
        return self.concepts * len(self.words) > UNPACKED_UP_TO

    @property
    def packed_size(self) -> int:
        """The number of bytes of all columns."""
        return sum(map(len, self.words))

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
        return np.frombuffer(self.joined, dtype=np.uint64).reshape(len(self.words), width)

    @property
    def joined(self) -> bytes:
        """All columns, joined to one string of bytes."""
        return b"".join(self.words)

    @property
    def rows(self) -> np.ndarray:
        """The rows as an array of uint64, shape (ceil(points / 64), concepts)."""
        if self._rows is None:
            self._rows = rows_of_columns(self.packed, self.concepts)
        return self._rows

    @property
    def ones(self) -> np.ndarray:
        """The number of concepts that label each column with 1, int32, shape (points,)."""
        unpacked = self._columns is not None and not self.large
        counted = self.columns if unpacked else np.bitwise_count(self.packed)
        ones: np.ndarray = counted.sum(axis=1, dtype=np.int32)
        return ones

    @property
    def both(self) -> np.ndarray:
        """The number of concepts that label both columns with 1, for each pair of columns."""
        if self._both is None:
            if engine_name() == "native":
                from lsclasses.searching import native_spaces

                self._both = native_spaces.common_ones(self.joined, len(self.words), self.concepts)
            elif self.large:
                self._both = common_ones(self.packed)
            else:
                wide = self.columns.astype(counting_type(self.concepts))
                self._both = np.matmul(wide, wide.T).astype(np.int32)
        return self._both

    @classmethod
    def of_labels(cls, labels: np.ndarray) -> VersionSpace:
        """Return the version space of all concepts of a table, an array (concepts, points)."""
        columns = np.ascontiguousarray(labels.T)
        points = len(columns)
        return cls._compact(columns, np.arange(points), np.zeros(points, dtype=np.uint8))

    @classmethod
    def of_packed(cls, packed: np.ndarray, points: int) -> VersionSpace:
        """Return the version space of a table with eight labels per byte.

        The label of the first point is the highest bit.
        """
        concepts = len(packed)
        if concepts * points <= UNPACKED_UP_TO:
            return cls.of_labels(np.unpackbits(packed, axis=1, count=points))
        rows = np.zeros((concepts, -(-points // 64) * 8), dtype=np.uint8)
        for start in range(0, concepts, AT_ONCE):
            some = slice(start, start + AT_ONCE)
            # Packed tables have the first point in the highest bit of a byte. Matrices of rows have
            # it in the lowest bit.
            rows[some, : packed.shape[1]] = REVERSED[packed[some]]
            tick()
        rows = np.ascontiguousarray(rows.view(np.uint64).T)
        return cls._of_rows(rows, np.arange(points), np.zeros(points, dtype=np.uint8))

    @classmethod
    def _of_rows(cls, rows: np.ndarray, source: np.ndarray, flipped: np.ndarray) -> VersionSpace:
        """Return the version space of a matrix of rows, shape (ceil(points / 64), concepts)."""
        concepts = rows.shape[1]
        if not concepts:
            return cls(0, (), source[:0], flipped[:0])
        tick()
        first = columns_of_rows(rows[:, :1], len(source))[:, 0].astype(np.uint8)
        columns = columns_of_rows(rows ^ rows[:, :1], len(source))
        return cls._of_columns(concepts, columns.tobytes(), source, flipped ^ first)

    @classmethod
    def _compact(cls, columns: np.ndarray, source: np.ndarray, flipped: np.ndarray) -> VersionSpace:
        """Return the version space of a matrix of labels, shape (points, concepts)."""
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
        """Return the distinct non-constant columns. The first concept labels all columns 0."""
        width = (concepts + 63) // 64 * 8
        distinct: dict[bytes, int] = {}
        for j in range(len(source)):
            if j % 1024 == 0:
                tick()
            distinct.setdefault(words[j * width : (j + 1) * width], j)
        # The first concept labels all columns 0, so a constant column consists of zeros.
        distinct.pop(bytes(width), None)
        kept = np.fromiter(distinct.values(), dtype=np.intp, count=len(distinct))
        if columns is not None and len(kept) < len(columns):
            columns = columns[kept]
        return cls(concepts, tuple(distinct), source[kept], flipped[kept], columns)

    def side(self, j: int, side: int) -> VersionSpace:
        """Return the version space of the concepts with the label `side` in column j of `words`."""
        if engine_name() == "native":
            column = np.frombuffer(self.words[j], dtype=np.uint64)
            return self._under(column if side else ~column)
        if self.large:
            labels = self.rows[j // 64] & np.uint64(1 << j % 64) != 0
        else:
            labels = self.columns[j].view(np.bool_)
        return self.part((labels if side else ~labels).nonzero()[0])

    def part(self, rows: np.ndarray) -> VersionSpace:
        """Return the version space of the concepts at some positions."""
        if engine_name() == "native":
            chosen = np.zeros(-(-self.concepts // 64) * 64, dtype=np.bool_)
            chosen[rows] = True
            return self._under(np.packbits(chosen, bitorder="little").view(np.uint64))
        if self.large:
            return self._of_rows(np.take(self.rows, rows, axis=1), self.source, self.flipped)
        return self._compact(np.take(self.columns, rows, axis=1), self.source, self.flipped)

    def _under(self, mask: np.ndarray) -> VersionSpace:
        """Return the concepts under a mask by the kernel, which ignores further bits."""
        from lsclasses.searching import native_spaces

        if len(mask):
            # The mask may be a read-only view of a column. The complement of a column has ones
            # beyond the last concept, which are cleared below.
            mask = mask.copy()
            mask[-1] &= ALL >> np.uint64(-self.concepts % 64)
        concepts, columns, kept, flips = native_spaces.part(
            self.joined, len(self.words), self.concepts, mask
        )
        joined, width = columns.tobytes(), 8 * columns.shape[1]
        words = tuple([joined[i : i + width] for i in range(0, len(joined), width or 1)])
        return VersionSpace(concepts, words, self.source[kept], self.flipped[kept] ^ flips)


class Arrangement(NamedTuple):
    """A key of a version space, with the order of its columns in the key.

    Two version spaces with one key are isomorphic. The i-th column of `order` of one space, flipped
    according to `flip`, corresponds to the i-th column of `order` of the other space.
    """

    key: tuple[object, ...]
    order: np.ndarray
    flip: np.ndarray


def arrange(space: VersionSpace) -> Arrangement:
    """Return the arrangement of a version space whose key is the set of its columns."""
    # The key is a set, so the order of the columns must follow from their content.
    order = sorted(range(len(space.words)), key=space.words.__getitem__)
    return Arrangement(
        (space.concepts, frozenset(space.words)),
        np.array(order, dtype=np.intp),
        np.zeros(len(order), dtype=np.uint8),
    )


def normal_form(
    space: VersionSpace, ones: np.ndarray | None = None, both: np.ndarray | None = None
) -> Arrangement:
    """Return the arrangement of a version space whose key consists of its sorted rows.

    Isomorphic version spaces mostly have equal keys. `ones` and `both` are counts of labels that
    the caller has already computed.
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
    """Return an order of the columns, and the columns to complement, computed from counts.

    Isomorphic version spaces mostly get corresponding orders. Counts are taken modulo 2^32.
    """
    if engine_name() == "native":
        from lsclasses.searching import native_spaces

        return native_spaces.canonical_order(ones, both, concepts)
    points = len(ones)
    start = _literal_classes(ones, both, concepts)
    plain, complemented = start[:points], start[points:]
    # Each column takes the polarity with the smaller class, so complements of a column lead to one
    # form.
    flip = (complemented < plain).astype(np.uint8)
    order = np.argsort(np.minimum(plain, complemented), kind="stable")
    return order, flip[order]


def arranged_rows(space: VersionSpace, order: np.ndarray, flip: np.ndarray) -> bytes:
    """Return the sorted rows of a version space, after reordering and complementing columns."""
    if engine_name() == "native" and 0 < len(order) <= ARRANGED_UP_TO:
        from lsclasses.searching import native_spaces

        return native_spaces.arranged_rows(space.joined, space.concepts, order, flip).tobytes()
    if space.large:
        return sorted_rows(arranged_matrix(space, order, flip)).tobytes()
    return np.sort(row_words(space.columns[order] ^ flip[:, None])).tobytes()


def arranged_matrix(space: VersionSpace, order: np.ndarray, flip: np.ndarray) -> np.ndarray:
    """Return the matrix of rows of a version space, after reordering and complementing columns."""
    arranged = rows_of_columns(space.packed[order], space.concepts)
    arranged ^= rows_of_columns(flip[:, None].astype(np.uint64), 1)
    return arranged


def row_words(columns: np.ndarray) -> np.ndarray:
    """Return each row of an array (points, concepts) of labels as a number or a string of bytes."""
    points, concepts = columns.shape
    width = (points + 7) // 8
    # Rows of up to 64 points become numbers, which exist in four sizes only.
    if width <= 8:
        width = next(size for size in (1, 2, 4, 8) if size >= width)
    # Rows padded to whole words pack as one flat string, several times faster than row by row.
    rows = np.zeros((concepts, 8 * width), dtype=np.uint8)
    rows[:, :points] = columns.T
    word = f"u{width}" if width <= 8 else f"V{width}"
    return np.packbits(rows.ravel()).view(word)


def _literal_classes(ones: np.ndarray, both: np.ndarray, concepts: int) -> np.ndarray:
    """Return classes of the literals (column, polarity) that isomorphisms preserve.

    The number of concepts that literals share with literals of each split class refines the
    classes. To break ties, the function individualizes the first literal of the smallest tied
    class. Different literals may have one sum by accident, which only makes a key less canonical. A
    class is identified by the number of literals in the classes before it.
    """
    low, high = _mixed_counts(ones, both, concepts)
    start = _classes(np.concatenate([ones, concepts - ones]))
    start = _refined(start, np.arange(len(start)), low, high)
    for _ in range(INDIVIDUALISATIONS):
        sizes = np.bincount(start)
        sizes[sizes < 2] = len(start) + 1
        smallest = int(sizes.argmin())
        if sizes[smallest] > len(start):
            break
        chosen = int((start == smallest).argmax())
        # A class is numbered by the literals before it. The chosen literal keeps the number, and
        # the other literals move up by one.
        start[start == smallest] += 1
        start[chosen] = smallest
        # Literals of one class already share equal counts with the old class. Refinement by the
        # chosen literal therefore implies refinement by the rest.
        start = _refined(start, np.array([chosen]), low, high)
    return start


def _mixed_counts(
    ones: np.ndarray, both: np.ndarray, concepts: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return two numbers of 32 bits, mixed of how many concepts each pair of literals shares."""
    ones, both = ones.astype(np.int64), both.astype(np.int64)
    rest = ones[:, None] - both
    neither = concepts - ones[:, None] - ones[None, :] + both
    shared = np.block([[both, rest], [ones[None, :] - both, neither]]).astype(np.uint32)
    # The factors are the first two 32-bit primes of xxHash. Products of unsigned integers wrap
    # modulo 2^32.
    mixed = shared * np.uint32(0x9E3779B1)
    low = (mixed ^ mixed >> np.uint32(13)) * np.uint32(0x85EBCA77)
    return low, mixed ^ mixed >> np.uint32(15)


def _refined(
    start: np.ndarray, changed: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Return classes, split by common concepts with changed classes, until no class splits."""
    while len(changed):
        # `_mixed` maps 0 to 0, so class numbers are shifted by 1.
        marks = _mixed(start[changed].astype(np.uint64) + np.uint64(1))
        first = low[changed] + marks.astype(np.uint32)[:, None]
        second = high[changed] + (marks >> np.uint64(32)).astype(np.uint32)[:, None]
        # A sum does not depend on the order of the literals, so renamings leave it unchanged.
        sums = (first.astype(np.uint64) * second).sum(axis=0)
        refined = _classes(sums, start)
        split = np.zeros(len(start) + 1, dtype=bool)
        # The first part of a split class keeps its number. All members of the old class are
        # collected, not only the renumbered members.
        split[start[refined != start]] = True
        changed, start = np.flatnonzero(split[start]), refined
    return start


def _classes(minor: np.ndarray, major: np.ndarray | None = None) -> np.ndarray:
    """Return, for every entry, the number of entries that are smaller by (major, minor)."""
    major = np.zeros(len(minor), dtype=np.int64) if major is None else major
    order = np.lexsort((minor, major))
    low, high = minor[order], major[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    start = np.empty(len(order), dtype=np.int64)
    # The position of the first of equal entries is the number of smaller entries.
    start[order] = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    return start


def _mixed(values: np.ndarray) -> np.ndarray:
    """Mix 64-bit words."""
    for _ in range(2):
        values = (values ^ (values >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    mixed: np.ndarray = values ^ (values >> np.uint64(32))
    return mixed


def scrambled(values: np.ndarray) -> np.ndarray:
    """Return hashes of 64-bit words, by the finaliser of SplitMix64 (Steele et al. 2014)."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed


# ---- keys of remembered bounds


NORMAL_FORM_FROM_CONCEPTS = 12
"""Least number of concepts of version spaces that are brought into normal form.

It is faster to search smaller version spaces again.
"""
NORMAL_FORM_UP_TO_POINTS = 128
"""Largest number of distinct columns for which a normal form saves time."""
KEY_BYTES = 250
"""Approximate number of bytes of a key, without the columns in it."""


class KeyTable:
    """A table of keys of version spaces, in which each normal form is computed once.

    Version spaces with one key are equal up to the names of points and concepts and the complements
    of points, because a key contains the whole compacted table. So they share every dimension that
    does not depend on names and complements. Isomorphic spaces mostly, but not always, get one key.
    """

    def __init__(self) -> None:
        self._normal: dict[Hashable, Hashable] = {}

    def key(
        self, space: VersionSpace, meter: Meter, ones: np.ndarray, both: np.ndarray
    ) -> Hashable:
        """Return the key of a version space.

        `ones` and `both` are the numbers of labels 1 in columns and in pairs of columns.
        """
        written = (space.concepts, frozenset(space.words))
        small = space.concepts < NORMAL_FORM_FROM_CONCEPTS
        if small or len(space.words) > NORMAL_FORM_UP_TO_POINTS:
            return written
        if written not in self._normal:
            # The dictionary holds the written key and the normal form, and each contains the whole
            # table. A `bytes` object takes 33 bytes in addition to its content.
            meter.charge(2 * (KEY_BYTES + sum(map(len, space.words)) + 33 * len(space.words)))
            self._normal[written] = normal_form(space, ones, both).key
        return self._normal[written]
