"""Subspaces of a vector space over a prime field, by row reduction.

Over GF(2) a vector is one integer, its first entry in the highest bit, so that a row operation is
one exclusive or; over other fields it is a tuple of integers.

Avoidance is the search for the largest flat that contains some points and avoids others. This is
the critical problem of Crapo and Rota (1970), hard in general: over GF(2), with the edges of a
graph as points to avoid, it asks for the chromatic number. Two things make it harmless here. A few
points never matter, by counting (Bose and Burton 1966). And the others are few enough for a search
that colours a basis of them.

Points of GF(q)^n are written as vectors (1, x) of GF(q)^(n+1), so that a flat of dimension d is a
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
        """Return the vector with these entries, each from 0 to q - 1."""

    @abstractmethod
    def entries(self, vector: Vector) -> tuple[int, ...]:
        """Return the entries of a vector."""

    @abstractmethod
    def combination(self, terms: Iterable[tuple[int, Vector]]) -> Vector:
        """Return the sum of multiples, given as pairs (coefficient, vector)."""

    @abstractmethod
    def remainder(self, vector: Vector) -> Vector | None:
        """Return the vector reduced modulo this subspace, up to a factor; None if it lies in it.

        The remainder is 0 at every pivot, and its first entry that is not 0 is 1. So two vectors
        have one remainder iff they span the same subspace together with this one.
        """

    @abstractmethod
    def extended(self, remainder: Vector) -> Subspace:
        """Return the subspace spanned by this one and a vector that `remainder` returned."""

    def with_rows(self, rows: Iterable[Vector]) -> Subspace:
        """Return the subspace whose basis in reduced row echelon form is given."""
        return type(self)(self.q, self.width, tuple(rows))

    def spanned(self, vectors: Iterable[Sequence[int]]) -> Subspace:
        """Return the subspace spanned by this one and the vectors with the given entries."""
        span: Subspace = self
        for entries in vectors:
            span = span.joined(span.vector(entries))
        return span

    def joined(self, vector: Vector) -> Subspace:
        """Return the subspace spanned by this one and one vector."""
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
    """Return all tuples of integers from 0 to q - 1 in lexicographic order, however large q is."""
    return iter(Vectors(q, length)) if length else iter([()])


def _leading(vector: tuple[int, ...]) -> int:
    """Return the position of the first entry that is not 0."""
    return next(i for i, entry in enumerate(vector) if entry)


@cache
def zero_subspace(q: int, width: int) -> Subspace:
    """Return the subspace {0} of GF(q)^width, q a prime; every other one grows from it."""
    return (_BinarySubspace if q == 2 else _ModularSubspace)(q, width, ())


# ---- avoidance


SEARCH_LIMIT = 1 << 18
"""How many colours the search tries and combinations it looks at before it gives up."""


class Avoiding(NamedTuple):
    """The answer: the largest dimension, and data from which an example can be built.

    Attributes
    ----------
    dimension : int
        The largest dimension of a subspace, from that of the hull to the largest allowed.
    colours : list of tuple or None
        What the search found; None where counting was enough.
    basis : list of vectors
        The avoided vectors that were coloured.
    """

    dimension: int
    colours: list[tuple[int, ...]] | None
    basis: list[Vector]


def largest_avoiding(hull: Subspace, avoided: Collection[Vector], largest: int) -> Avoiding:
    """The largest dimension of a subspace that contains `hull` and none of the avoided vectors.

    Parameters
    ----------
    hull : Subspace of GF(q)^(n+1)
        Of a flat, or {0}: then the subspace sought must not lie in the hyperplane (0, x) either.
    avoided : collection of vectors
        Different remainders modulo the hull; if the hull is {0}, not all the vectors (1, x).
    largest : int
        The largest dimension allowed, from that of the hull to n + 1.

    Raises
    ------
    TooLarge
        If neither counting nor a search within `SEARCH_LIMIT` steps decides; `lower` and `upper`
        are the bounds on the dimension.

    Notes
    -----
    Let c be the codimension of a subspace U that contains the hull.

    *Counting.* Fewer than 1 + q + ... + q^c avoided vectors leave some U. Grow it from the hull (if
    that is {0}, from any (1, x) that is not avoided; this is the first step). As long as the
    codimension exceeds c, the quotient by U has 1 + q + ... + q^c projective points at least,
    and each avoided vector is mapped to one of them, which it rules out.

    *Search.* U is the kernel of a linear map f to GF(q)^c that is 0 on the hull. It avoids a vector
    iff f is not 0 there. Only the values on the avoided vectors matter, so f is given by its values
    ("colours") on a basis b_1, ..., b_r of their span: none is 0, and for every other avoided
    vector, a combination of b_1, ..., b_i, the colour of b_i must not be the one that makes its
    value 0. A change of basis of GF(q)^c makes each colour either a combination of earlier ones
    or the next unit vector. If the hull is {0}, some (1, x) must be mapped to 0: if the avoided
    vectors span less than everything, put f(1, x) = 0 for some (1, x) outside, else check that 0 is
    an affine combination of the colours.
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
                f"How large a flat the {len(avoided)} excluded points leave is not decided by "
                f"counting, and a search of {SEARCH_LIMIT} steps has found no answer.",
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
    """Return a subspace of the dimension found by `largest_avoiding`."""
    if found.colours is None:
        return _grown(hull, avoided, found.dimension)
    return _kernel(hull, found)


def _grown(hull: Subspace, avoided: Collection[Vector], dimension: int) -> Subspace:
    """Grow the subspace vector by vector, as counting says it can be done."""
    subspace = hull
    while subspace.dimension < dimension:
        ruled_out = {subspace.remainder(w) for w in avoided}
        # The first vector must be a point (1, x); it is a projective point like the others.
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
    # Vectors v with their values f(v) in front; where f is not given yet, it is 0.
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
    # Rows in echelon form: the first of them has a 1 in front if any combination has.
    subspace = hull
    for entries in kernel:
        if subspace.dimension < found.dimension:
            subspace = subspace.joined(hull.vector(entries))
    return subspace


class _OutOfSteps(Exception):
    pass


class _Search:
    """Colourings of a basis of the avoided vectors, in the sense of `largest_avoiding`."""

    def __init__(self, hull: Subspace, avoided: Collection[Vector]) -> None:
        q, width = hull.q, hull.width
        self._q = q
        self._through_origin = not hull.rows
        self._spanning = False
        self.basis: list[Vector] = []
        relations: list[tuple[int, ...]] = []
        # Each row carries behind it which combination of the basis it is.
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
        # For every basis vector, the other avoided vectors that it is the last to take part in.
        self._ending: list[list[tuple[int, ...]]] = [[] for _ in self.basis]
        for relation in relations:
            last = max(i for i, a in enumerate(relation) if a)
            self._ending[last].append(relation)
        self._steps = 0

    def colours(self, codimension: int) -> list[tuple[int, ...]] | None:
        """Colours from GF(q)^codimension, or None if there are none."""
        if codimension == 0:
            return None if self.basis else []
        chosen: list[tuple[int, ...]] = []
        return chosen if self._complete(chosen, 0, codimension) else None

    def _complete(self, chosen: list[tuple[int, ...]], used: int, c: int) -> bool:
        """Colour the rest of the basis; the colours chosen so far span `used` unit vectors."""
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
