"""Subspaces of a vector space over a prime field, by row reduction.

Over GF(2), a vector is one integer, with its first entry in the highest bit, so that a row
operation is one exclusive or. Over other fields, a vector is a tuple of integers.

Avoidance is the search for the largest flat that contains some points and avoids others. This is
the critical problem of Crapo and Rota (1970), which is hard in general. Over GF(2), with the edges
of a graph as points to avoid, it computes the chromatic number. Two facts make the problem easy for
the classes of this package. By counting (Bose and Burton 1966), a few points never matter. If
counting does not suffice, the points are few enough for a search that colours a basis of them.

Points of GF(q)^n are represented as vectors (1, x) of GF(q)^(n+1). A flat of dimension d is then a
subspace of dimension d + 1 that is not contained in the hyperplane of vectors (0, x).
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from lsclasses.domain import Vectors
from lsclasses.errors import TooLarge

# ---- linear algebra


Vector = Any
"""A vector: an integer whose bits are the entries over GF(2), or a tuple of integers otherwise.

`Subspace.vector` makes vectors.
"""

MATRIX_FROM = 200
"""Least number of entries of a basis for which NumPy computes the products."""

_BINARY_DIGITS = bytes(b"01"[i] if i < 2 else i for i in range(256))


class Subspace(ABC):
    """A linear subspace of GF(q)^width, stored as its basis in reduced row echelon form.

    Attributes
    ----------
    q, width : int
        Number of elements of the field, and number of entries of a vector.
    rows : tuple of vectors
        Basis in the order of the pivots. Equal subspaces have equal bases.

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
        """Number of vectors in a basis."""
        return len(self.rows)

    @abstractmethod
    def vector(self, entries: Sequence[int]) -> Vector:
        """Return the vector with these entries, each from 0 to q - 1."""

    @abstractmethod
    def entries(self, vector: Vector) -> tuple[int, ...]:
        """Return the entries of a vector."""

    @abstractmethod
    def combination(self, terms: Iterable[tuple[int, Vector]]) -> Vector:
        """Return a linear combination of vectors, given as pairs (coefficient, vector)."""

    @abstractmethod
    def remainder(self, vector: Vector) -> Vector | None:
        """Return the vector reduced modulo this subspace, up to a factor, or None if it is 0.

        The remainder is 0 at every pivot, and its first entry that is not 0 is 1. So two vectors
        have equal remainders iff each spans the same subspace together with this subspace.
        """

    @abstractmethod
    def extended(self, remainder: Vector) -> Subspace:
        """Return the span of this subspace and a vector that `remainder` returned."""

    def with_rows(self, rows: Iterable[Vector]) -> Subspace:
        """Return the subspace of equal field and width that has a given basis.

        The basis must be in reduced row echelon form.
        """
        return type(self)(self.q, self.width, tuple(rows))

    def spanned(self, vectors: Iterable[Sequence[int]]) -> Subspace:
        """Return the span of this subspace and the vectors with the given entries."""
        span: Subspace = self
        for entries in vectors:
            span = span.joined(span.vector(entries))
        return span

    def joined(self, vector: Vector) -> Subspace:
        """Return the span of this subspace and a vector."""
        remainder = self.remainder(vector)
        return self if remainder is None else self.extended(remainder)

    def projective_points(self) -> Iterator[Vector]:
        """Yield every remainder modulo this subspace, each once."""
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
            # The sum is smaller iff the vector has a 1 at the row's pivot, its highest bit.
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
        # NumPy is exact if a sum of products of entries fits 64 bits.
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
    """Return all tuples of integers from 0 to q - 1 in lexicographic order, for every q."""
    return iter(Vectors(q, length)) if length else iter([()])


def _leading(vector: tuple[int, ...]) -> int:
    """Return the position of the first entry that is not 0."""
    return next(i for i, entry in enumerate(vector) if entry)


@cache
def zero_subspace(q: int, width: int) -> Subspace:
    """Return the subspace {0} of GF(q)^width for a prime q, from which all others are built."""
    return (_BinarySubspace if q == 2 else _ModularSubspace)(q, width, ())


# ---- avoidance


SEARCH_LIMIT = 1 << 18
"""Largest number of steps (tried colours and combinations) of the search of `largest_avoiding`."""


class Avoiding(NamedTuple):
    """The result of `largest_avoiding`: a dimension, and data to build a subspace.

    Attributes
    ----------
    dimension : int
        Largest dimension of a subspace, at least the dimension of the hull and at most `largest`.
    colours : list of tuple or None
        Colours that the search found, or None if counting was enough.
    basis : list of vectors
        Avoided vectors that were coloured.
    """

    dimension: int
    colours: list[tuple[int, ...]] | None
    basis: list[Vector]


def largest_avoiding(hull: Subspace, avoided: Collection[Vector], largest: int) -> Avoiding:
    """Return the largest dimension of a subspace through `hull` that avoids the given vectors.

    Parameters
    ----------
    hull : Subspace of GF(q)^(n+1)
        Span of a flat, or {0}. For {0}, the subspace must also not lie in the hyperplane (0, x).
    avoided : collection of vectors
        Different remainders modulo the hull. If the hull is {0}, not all the vectors (1, x).
    largest : int
        Largest allowed dimension, from the dimension of the hull to n + 1.

    Raises
    ------
    TooLarge
        If neither counting nor a search within `SEARCH_LIMIT` steps decides. `lower` and `upper`
        are the bounds on the dimension.

    Notes
    -----
    Let c be the codimension of a subspace U that contains the hull.

    *Counting.* Fewer than 1 + q + ... + q^c avoided vectors leave some U. Build U from the hull. If
    the hull is {0}, the first step adds any (1, x) that is not avoided. While the codimension
    exceeds c, the quotient by U has at least 1 + q + ... + q^c projective points. Each avoided
    vector is mapped to one of these points, and excludes it.

    *Search.* U is the kernel of a linear map f to GF(q)^c that is 0 on the hull. U avoids a vector
    iff f is not 0 at the vector. Only the values on the avoided vectors matter, so f is given by
    its values ("colours") on a basis b_1, ..., b_r of their span. No colour is 0. For every other
    avoided vector, a combination of b_1, ..., b_i, the colour of b_i must differ from the colour
    that makes the value of the combination 0. A change of basis of GF(q)^c makes each colour either
    a combination of earlier colours or the next unit vector. If the hull is {0}, some (1, x) must
    be mapped to 0. If the avoided vectors do not span the whole space, put f(1, x) = 0 for some
    (1, x) outside of their span. Otherwise, check that 0 is an affine combination of the colours.
    """
    q, width = hull.q, hull.width
    smallest_codimension = width - largest
    count, enough = smallest_codimension, _points(q, smallest_codimension + 1)
    while len(avoided) >= enough:
        count += 1
        enough = _points(q, count + 1)
    search = _Search(hull, avoided) if count > smallest_codimension else None
    for codimension in range(smallest_codimension, count):
        assert search is not None
        try:
            colours = search.colours(codimension)
        except _OutOfSteps:
            raise TooLarge(
                f"The largest flat that avoids the {len(avoided)} excluded points was not found "
                f"by counting or by a search of {SEARCH_LIMIT} steps.",
                limit=SEARCH_LIMIT,
                lower=width - count,
                upper=width - codimension,
            ) from None
        if colours is not None:
            return Avoiding(width - codimension, colours, search.basis)
    return Avoiding(width - count, None, [])


def _points(q: int, dimension: int) -> int:
    """Return the number of projective points of a space."""
    return int((q**dimension - 1) // (q - 1))


def subspace_avoiding(hull: Subspace, avoided: Collection[Vector], found: Avoiding) -> Subspace:
    """Return a subspace through `hull` that avoids the given vectors, of the largest dimension.

    `found` is the result of `largest_avoiding`.
    """
    if found.colours is None:
        return _grown(hull, avoided, found.dimension)
    return _kernel(hull, found)


def _grown(hull: Subspace, avoided: Collection[Vector], dimension: int) -> Subspace:
    """Grow the subspace vector by vector, which the counting argument guarantees."""
    subspace = hull
    while subspace.dimension < dimension:
        ruled_out = {subspace.remainder(w) for w in avoided}
        # The first vector must be a point (1, x), which is a projective point like any other.
        candidates = _affine_points(hull) if not subspace.rows else subspace.projective_points()
        subspace = subspace.extended(next(v for v in candidates if v not in ruled_out))
    return subspace


def _affine_points(hull: Subspace) -> Iterator[Vector]:
    """Yield the vectors (1, x)."""
    for x in tuples(hull.q, hull.width - 1):
        yield hull.vector((1, *x))


def _kernel(hull: Subspace, found: Avoiding) -> Subspace:
    """Return a subspace of the kernel of the map that the colours define."""
    assert found.colours is not None
    width, c = hull.width, len(found.colours[0])
    # Vectors v with their values f(v) in front. Values of f that are not fixed yet are 0.
    graph = zero_subspace(hull.q, c + width)
    span = hull
    for colour, b in zip(found.colours, found.basis, strict=True):
        graph = graph.spanned([(*colour, *hull.entries(b))])
        span = span.joined(b)
    corner = (1, *([0] * (width - 1)))
    units = (tuple(int(i == j) for i in range(width)) for j in range(1, width))
    points = [corner, *(tuple(map(sum, zip(corner, e, strict=True))) for e in units)]
    null = [0] * c
    graph = graph.spanned((*null, *hull.entries(row)) for row in hull.rows)
    for x in points:
        v = span.vector(x)
        if span.remainder(v) is not None:
            span = span.joined(v)
            graph = graph.spanned([(*null, *x)])
    kernel = [row[c:] for row in map(graph.entries, graph.rows) if not any(row[:c])]
    # The rows are in echelon form, so the first row has a leading 1 if any combination has one.
    subspace = hull
    for entries in kernel:
        if subspace.dimension < found.dimension:
            subspace = subspace.joined(hull.vector(entries))
    return subspace


class _OutOfSteps(Exception):
    pass


class _Search:
    """Colourings of a basis of the avoided vectors, as defined in `largest_avoiding`."""

    def __init__(self, hull: Subspace, avoided: Collection[Vector]) -> None:
        q, width = hull.q, hull.width
        self._q = q
        self._through_origin = not hull.rows
        self._spanning = False
        self.basis: list[Vector] = []
        relations: list[tuple[int, ...]] = []
        # Each row is followed by its combination of the basis.
        span = zero_subspace(q, 2 * width)
        for w in avoided:
            entries = hull.entries(w)
            left = span.remainder(span.vector((*entries, *([0] * width))))
            assert left is not None
            relation = span.entries(left)
            if any(relation[:width]):
                tag = [0] * width
                tag[len(self.basis)] = 1
                self.basis.append(w)
                span = span.joined(span.vector((*entries, *tag)))
            else:
                relations.append(relation[width:])
        self._spanning = len(self.basis) == width
        # For every basis vector, the avoided combinations in which it is the last basis vector.
        self._ending: list[list[tuple[int, ...]]] = [[] for _ in self.basis]
        for relation in relations:
            last = max(i for i, a in enumerate(relation) if a)
            self._ending[last].append(relation)
        self._steps = 0

    def colours(self, codimension: int) -> list[tuple[int, ...]] | None:
        """Return colours from GF(q)^codimension, or None if no colours exist."""
        if codimension == 0:
            return None if self.basis else []
        chosen: list[tuple[int, ...]] = []
        return chosen if self._complete(chosen, 0, codimension) else None

    def _complete(self, chosen: list[tuple[int, ...]], used: int, c: int) -> bool:
        """Colour the rest of the basis, where the chosen colours span `used` unit vectors."""
        i = len(chosen)
        if i == len(self.basis):
            return self._acceptable(chosen)
        self._spend(len(self._ending[i]))
        ruled_out = {(0,) * used}
        for relation in self._ending[i]:
            factor = -pow(relation[i], -1, self._q)
            ruled_out.add(
                tuple(
                    factor * sum(relation[j] * chosen[j][e] for j in range(i)) % self._q
                    for e in range(used)
                )
            )
        fresh = [tuple(int(e == used) for e in range(c))] if used < c else []
        known = (
            (*colour, *([0] * (c - used)))
            for colour in tuples(self._q, used)
            if colour not in ruled_out
        )
        for colour in itertools.chain(known, fresh):
            self._spend(1)
            chosen.append(colour)
            if self._complete(chosen, used + any(colour[used:]), c):
                return True
            chosen.pop()
        return False

    def _spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps > SEARCH_LIMIT:
            raise _OutOfSteps

    def _acceptable(self, chosen: list[tuple[int, ...]]) -> bool:
        """Return whether some vector (1, x) is mapped to 0, where this is required."""
        if not (self._through_origin and self._spanning):
            return True
        zero = zero_subspace(self._q, 1 + len(chosen[0]))
        span = zero.spanned((1, *colour) for colour in chosen)
        return span.remainder(zero.vector((1, *([0] * len(chosen[0]))))) is None
