"""Subspaces of a vector space over a prime field, by row reduction.

Over GF(2) a vector is one integer, its first entry in the highest bit, so that a row operation is
one exclusive or; over other fields it is a tuple of integers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from lsclasses.domain import Vectors

Vector = Any
"""An integer over GF(2), else a tuple of integers; made by `Subspace.vector`."""

MATRIX_FROM = 200
"""From this many entries on, a basis is multiplied by NumPy."""

_BINARY_DIGITS = bytes(b"01"[i] if i < 2 else i for i in range(256))


class Subspace(ABC):
    """A linear subspace of GF(q)^width, kept as its basis in reduced row echelon form.

    Attributes
    ----------
    q, width : int
        The field and the number of entries of a vector.
    rows : tuple of vectors
        The basis, first pivots first; it is the same for equal subspaces.

    Examples
    --------
    >>> U = zero_subspace(3, 3).spanned([(1, 1, 0), (0, 2, 1)])
    >>> [U.entries(row) for row in U.rows]
    [(1, 0, 1), (0, 1, 2)]
    >>> U.remainder(U.vector((1, 2, 2))), U.remainder(U.vector((1, 2, 1)))
    (None, (0, 0, 1))
    """

    __slots__ = ("q", "rows", "width")

    def __init__(self, q: int, width: int, rows: tuple[Vector, ...]) -> None:
        self.q = q
        self.width = width
        self.rows = rows

    @property
    def dimension(self) -> int:
        """The number of vectors in a basis."""
        return len(self.rows)

    @abstractmethod
    def vector(self, entries: Sequence[int]) -> Vector:
        """The vector with these entries, each from 0 to q - 1."""

    @abstractmethod
    def entries(self, vector: Vector) -> tuple[int, ...]:
        """The entries of a vector."""

    @abstractmethod
    def combination(self, terms: Iterable[tuple[int, Vector]]) -> Vector:
        """The sum of multiples, given as pairs (coefficient, vector)."""

    @abstractmethod
    def remainder(self, vector: Vector) -> Vector | None:
        """The vector reduced modulo this subspace, up to a factor; None if it lies in it.

        The remainder is 0 at every pivot, and its first entry that is not 0 is 1. So two vectors
        have one remainder iff they span the same subspace together with this one.
        """

    @abstractmethod
    def extended(self, remainder: Vector) -> Subspace:
        """The subspace spanned by this one and a vector that `remainder` returned."""

    def with_rows(self, rows: Iterable[Vector]) -> Subspace:
        """The subspace whose basis in reduced row echelon form is given."""
        return type(self)(self.q, self.width, tuple(rows))

    def spanned(self, vectors: Iterable[Sequence[int]]) -> Subspace:
        """The subspace spanned by this one and the vectors with the given entries."""
        span: Subspace = self
        for entries in vectors:
            span = span.joined(span.vector(entries))
        return span

    def joined(self, vector: Vector) -> Subspace:
        """The subspace spanned by this one and one vector."""
        remainder = self.remainder(vector)
        return self if remainder is None else self.extended(remainder)

    def projective_points(self) -> Iterator[Vector]:
        """Every remainder modulo this subspace, each once."""
        pivots = {_leading(self.entries(row)) for row in self.rows}
        free = [i for i in range(self.width) if i not in pivots]
        for place in range(len(free) - 1, -1, -1):
            for values in tuples(self.q, len(free) - place - 1):
                entries = [0] * self.width
                entries[free[place]] = 1
                for i, value in zip(free[place + 1 :], values, strict=True):
                    entries[i] = value
                yield self.vector(entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Subspace):
            return NotImplemented
        return self.rows == other.rows and (self.q, self.width) == (other.q, other.width)

    def __hash__(self) -> int:
        return hash((self.q, self.width, self.rows))

    def __repr__(self) -> str:
        shown = ", ".join(str(self.entries(row)) for row in self.rows)
        return f"<Subspace of GF({self.q})^{self.width}: {shown or '0'}>"


class _BinarySubspace(Subspace):
    __slots__ = ()

    def vector(self, entries: Sequence[int]) -> int:
        return int(bytes(entries).translate(_BINARY_DIGITS), 2)

    def entries(self, vector: int) -> tuple[int, ...]:
        return tuple(map(int, format(vector, f"0{self.width}b")))

    def combination(self, terms: Iterable[tuple[int, int]]) -> int:
        total = 0
        for coefficient, vector in terms:
            if coefficient & 1:
                total ^= vector
        return total

    def remainder(self, vector: int) -> int | None:
        for row in self.rows:
            # The sum is less iff the vector has a 1 at the row's pivot, its highest bit.
            vector = min(vector, vector ^ row)
        return vector or None

    def extended(self, remainder: int) -> Subspace:
        place = remainder.bit_length() - 1
        rows = [row ^ remainder if row >> place & 1 else row for row in self.rows]
        rows.append(remainder)
        rows.sort(reverse=True)
        return _BinarySubspace(self.q, self.width, tuple(rows))


class _ModularSubspace(Subspace):
    __slots__ = ("_matrix", "_pivots")

    def __init__(self, q: int, width: int, rows: tuple[tuple[int, ...], ...]) -> None:
        super().__init__(q, width, rows)
        self._pivots = [_leading(row) for row in rows]
        # NumPy is exact as long as a sum of products of entries fits 64 bits.
        exact = len(rows) * q * q < 1 << 63
        large = len(rows) * width >= MATRIX_FROM
        self._matrix = np.array(rows, dtype=np.int64) if exact and large else None

    def vector(self, entries: Sequence[int]) -> tuple[int, ...]:
        return tuple(entries)

    def entries(self, vector: tuple[int, ...]) -> tuple[int, ...]:
        return vector

    def combination(self, terms: Iterable[tuple[int, tuple[int, ...]]]) -> tuple[int, ...]:
        total = [0] * self.width
        for coefficient, vector in terms:
            if coefficient:
                total = [a + coefficient * b for a, b in zip(total, vector, strict=True)]
        return tuple([a % self.q for a in total])

    def remainder(self, vector: tuple[int, ...]) -> tuple[int, ...] | None:
        q = self.q
        if self._matrix is not None:
            factors = [vector[pivot] for pivot in self._pivots]
            left = (np.array(vector) - np.array(factors) @ self._matrix) % q
            vector = tuple(left.tolist())
        else:
            for pivot, row in zip(self._pivots, self.rows, strict=True):
                factor = vector[pivot]
                if factor:
                    vector = tuple([(a - factor * b) % q for a, b in zip(vector, row, strict=True)])
        if not any(vector):
            return None
        lead = vector[_leading(vector)]
        if lead == 1:
            return vector
        inverse = pow(lead, -1, q)
        return tuple([a * inverse % q for a in vector])

    def extended(self, remainder: tuple[int, ...]) -> Subspace:
        place = _leading(remainder)
        rows = [
            tuple([(a - row[place] * b) % self.q for a, b in zip(row, remainder, strict=True)])
            if row[place]
            else row
            for row in self.rows
        ]
        position = sum(pivot < place for pivot in self._pivots)
        rows.insert(position, remainder)
        return _ModularSubspace(self.q, self.width, tuple(rows))


def tuples(q: int, length: int) -> Iterator[tuple[int, ...]]:
    """All tuples of integers from 0 to q - 1 in lexicographic order, however large q is."""
    return iter(Vectors(q, length)) if length else iter([()])


def _leading(vector: tuple[int, ...]) -> int:
    """The position of the first entry that is not 0."""
    return next(i for i, entry in enumerate(vector) if entry)


@cache
def zero_subspace(q: int, width: int) -> Subspace:
    """The subspace {0} of GF(q)^width, q a prime; every other one grows from it."""
    return (_BinarySubspace if q == 2 else _ModularSubspace)(q, width, ())
