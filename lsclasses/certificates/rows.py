"""Sets of labellings, 64 labels to a word, as the data of the rules of a proof.

A checker that shared code with the search would share its mistakes. So this module imports only
NumPy, and the rules import only NumPy and this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

WORD = np.dtype("<u8")
"""Type of a word, which stores the labels of 64 points.

The lowest bit is the label of the first point, and the first byte contains the lowest bit.
"""
ONE = WORD.type(1)
AT_ONCE = 1 << 13
"""Number of rows that are unpacked at a time."""
SEEN_UP_TO = 16
"""Largest number of columns whose labellings are counted by marks in a table, not by sorting."""
MAPPED_FROM = 1 << 11
"""Largest number of rows whose image is computed bit by bit. Larger images use tables of bytes."""


class Rows:
    """Distinct labellings of the same points.

    Parameters
    ----------
    words : array of `WORD`, shape (ceil(points / 64), rows)
        Bit j of ``words[w, i]`` is the label that the i-th row gives to the point 64 w + j.
    points : int
    """

    __slots__ = ("_latest", "points", "words")

    def __init__(self, words: np.ndarray, points: int) -> None:
        self.words = words
        self.points = points
        self._latest: tuple[tuple[int, ...], np.ndarray] | None = None

    @classmethod
    def of_labels(cls, labels: np.ndarray) -> Rows:
        """Return the rows of an array of 0/1, shape (rows, points)."""
        return cls.of_packed(np.packbits(labels.astype(np.uint8), axis=1), labels.shape[1])

    @classmethod
    def of_packed(cls, packed: np.ndarray, points: int) -> Rows:
        """Return the rows of an array of bytes with eight labels each.

        The label of the first point is the highest bit of the first byte.
        """
        count, width = packed.shape
        bytes_ = np.zeros((count, -(-points // 64) * 8), dtype=np.uint8)
        bytes_[:, :width] = REVERSED[packed]
        return cls(np.ascontiguousarray(bytes_.view(WORD).T), points)

    def __len__(self) -> int:
        return int(self.words.shape[1])

    def restricted(self, column: int, label: int) -> Rows:
        """Return the rows that give the point of a column the given label."""
        ones = self.words[column >> 6] & _bit(column) != 0
        return Rows(np.compress(ones if label else ~ones, self.words, axis=1), self.points)

    def varying(self) -> int:
        """Return the columns that are not constant, as bits of an integer."""
        return _bits(np.bitwise_or.reduce(self._oriented(), axis=1))

    def alike(self, column: int) -> int:
        """Return the columns equal or complementary to a given column, as bits of an integer."""
        # The first row labels every oriented column 0, so complements have become equal.
        oriented = self._oriented()
        ones = (oriented[column >> 6] & _bit(column) != 0).astype(WORD)
        unlike = np.bitwise_or.reduce(oriented ^ -ones, axis=1)
        return ~_bits(unlike) & (1 << self.points) - 1

    def oriented_columns(self) -> list[bytes]:
        """Return the columns, eight labels to a byte, complemented if the first row has label 1.

        So equal or complementary columns have the same bytes, and constant columns are zeros.
        """
        if not len(self):
            return [b""] * self.points
        oriented = Rows(self._oriented(), self.points)
        joined = np.concatenate(
            [np.packbits(labels.T, axis=1) for labels in oriented._unpacked()], axis=1
        )
        width, columns = joined.shape[1], joined.tobytes()
        return [columns[i : i + width] for i in range(0, len(columns), width)]

    def _oriented(self) -> np.ndarray:
        oriented: np.ndarray = self.words ^ self.words[:, :1]
        return oriented

    def ones(self) -> np.ndarray:
        """Return an array with the number of labels 1 in each column."""
        counts = np.zeros(self.points, dtype=np.int64)
        for labels in self._unpacked():
            counts += labels.sum(axis=0, dtype=np.int64)
        return counts

    def common_ones(self, columns: np.ndarray) -> np.ndarray:
        """Return how many rows label both columns with 1, for each given column and each column.

        The result has the shape (given columns, points).
        """
        counts = np.zeros((len(columns), self.points), dtype=np.int64)
        for labels in self._unpacked():
            # Sums of at most AT_ONCE ones are exact in single precision.
            wide = labels.astype(np.float32)
            counts += (wide[:, columns].T @ wide).astype(np.int64)
        return counts

    def _unpacked(self) -> Iterator[np.ndarray]:
        for start in range(0, len(self), AT_ONCE):
            part = np.ascontiguousarray(self.words[:, start : start + AT_ONCE].T)
            yield np.unpackbits(part.view(np.uint8), axis=1, count=self.points, bitorder="little")

    def image(self, columns: Sequence[int], flips: Sequence[int] | None = None) -> Rows:
        """Return the rows on the given columns, in the given order of the columns.

        A column is complemented if its flip is 1. Rows that have become equal are kept.
        """
        chosen = np.array(columns, dtype=np.intp)
        places = np.arange(len(chosen))
        shifts = (places & 63).astype(WORD)[:, None]
        starts = places[::64]
        flipped = np.zeros((len(chosen), 1), dtype=WORD)
        if flips is not None:
            flipped[:, 0] = flips
        if len(self) <= MAPPED_FROM:
            bits = self.words[chosen >> 6] >> (chosen & 63).astype(WORD)[:, None] & ONE
            words = np.bitwise_or.reduceat((bits ^ flipped) << shifts, starts, axis=0)
            return Rows(words, len(chosen))
        # Apart from the flips, the image is linear, so it is the sum of the images of all bytes.
        words = np.empty((len(starts), len(self)), dtype=WORD)
        words[:] = np.bitwise_or.reduceat(flipped << shifts, starts, axis=0)
        parts = np.ascontiguousarray(self.words).view(np.uint8).reshape(len(self.words), -1, 8)
        for word, byte in np.ndindex(len(self.words), 8):
            values = np.zeros((len(self.words), 256), dtype=WORD)
            values[word] = np.arange(256, dtype=WORD) << WORD.type(8 * byte)
            images = Rows(values, self.points).image(columns).words
            if images.any():
                for start in range(0, len(self), 4 * AT_ONCE):
                    part = slice(start, start + 4 * AT_ONCE)
                    words[:, part] ^= images[:, parts[word, part, byte]]
        return Rows(words, len(chosen))

    def labellings(self, columns: Sequence[int]) -> int:
        """Return the number of different labellings of some columns by the rows."""
        if not len(self) or not 0 < len(columns) <= SEEN_UP_TO:
            return int(self.image(columns).distinct().shape[1])
        seen = np.zeros(1 << len(columns), dtype=np.bool_)
        for start in range(0, len(self), AT_ONCE):
            part = Rows(self.words[:, start : start + AT_ONCE], self.points)
            seen[part.image(columns).words[0]] = True
        return int(np.count_nonzero(seen))

    def distinct_image(self, columns: Sequence[int]) -> np.ndarray:
        """Return the distinct rows on some columns, in the form of `distinct`.

        The method stores the latest result.
        """
        if self._latest is None or self._latest[0] != tuple(columns):
            self._latest = tuple(columns), self.image(columns).distinct()
        return self._latest[1]

    def distinct(self) -> np.ndarray:
        """Return the words of the distinct rows, in increasing order."""
        if not len(self.words):
            # On no points there is one labelling at most.
            return self.words[:, :1]
        if len(self.words) == 1:
            words = np.sort(self.words)
        else:
            words = self.words[:, np.lexsort(self.words)]
        new = (words[:, 1:] != words[:, :-1]).any(axis=0)
        if new.all():
            return words
        return np.compress(np.concatenate([[True], new]), words, axis=1)


def contained(part: np.ndarray, whole: np.ndarray) -> bool:
    """Return whether one set of rows is a subset of another (both from `Rows.distinct`)."""
    if part.shape[1] >= whole.shape[1]:
        return bool(np.array_equal(part, whole))
    union = Rows(np.concatenate([part, whole], axis=1), 64 * len(whole)).distinct()
    return bool(union.shape[1] == whole.shape[1])


def _bit(j: int) -> np.uint64:
    return np.uint64(1 << (j & 63))


def _bits(words: np.ndarray) -> int:
    return int.from_bytes(words.astype(WORD).tobytes(), "little")


REVERSED = np.array([int(f"{byte:08b}"[::-1], 2) for byte in range(256)], dtype=np.uint8)
"""The byte with reversed order of bits, for each byte from 0 to 255."""
