"""What shows degrees, dimensions of ideals and ranks: weights, cycles, and vectors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from catalog.parameters.algebra import SIGNS, faces_of, lines_of, monomials, orders_of_lines
from catalog.parameters.base import subsets
from catalog.parameters.finding import Named, Parts
from lsclasses.limits import tick
from lsclasses.searching.bitsets import members

# ---- polynomials


def no_polynomial(C: Named, value: int) -> Parts:
    """Weights that every monomial of a lower degree adds up to 0: a vector of the null space."""
    pivots: dict[int, list[Fraction]] = {}
    for values in itertools.chain(*(monomials(C.rows, C.n, degree) for degree in range(value))):
        row = values
        for pivot, other in pivots.items():
            row = [a - row[pivot] * b for a, b in zip(row, other, strict=True)]
        pivot = next((i for i, a in enumerate(row) if a), -1)
        if pivot >= 0:
            new = [a / row[pivot] for a in row]
            pivots = {
                i: [a - other[pivot] * b for a, b in zip(other, new, strict=True)]
                for i, other in pivots.items()
            }
            pivots[pivot] = new
    free = next(i for i in range(len(C.rows)) if i not in pivots)
    weights = [Fraction(i == free) for i in range(len(C.rows))]
    for i, row in pivots.items():
        weights[i] = -row[free]
    unit = lcm(*(w.denominator for w in weights))
    return {
        "weights": tuple(
            (C.concept(c), int(w * unit)) for c, w in zip(C.rows, weights, strict=True) if w
        )
    }


# ---- the resolution of the ideal of a class


def cycle(C: Named, value: int) -> Parts:
    """A cycle that is no boundary, and a cocycle that meets it in an odd number of faces."""
    for free in subsets(C.n):
        for base in sorted({c & ~free for c in C.rows}):
            inside = [c & free for c in C.rows if c & ~free == base]
            if found := _odd_pair(faces_of(inside, free, C.n), value):
                return {
                    "points": C.points(free),
                    "sample": C.sample(2**C.n - 1 & ~free, base),
                    "cycle": tuple(_examples(C, face) for face in found[0]),
                    "cocycle": tuple(_examples(C, face) for face in found[1]),
                }
    raise AssertionError("some homology of that degree does not vanish")


def _examples(C: Named, face: int) -> tuple[Any, ...]:
    """The examples of a face, which concepts with the other labels contradict."""
    ones, zeros = face & 2**C.n - 1, face >> C.n
    return tuple((C.table.points[j], ones >> j & 1) for j in members(ones | zeros))


def _odd_pair(faces: Sequence[set[int]], size: int) -> tuple[list[int], list[int]] | None:
    """Faces of a cycle that is no boundary, and of a cocycle that shows it; None without any.

    Sets of faces of that size are vectors over the field with two elements, as masks. Modulo the
    boundaries in reduced form a vector is 0 at their pivots. A cocycle is 1 at one other place,
    where the cycle is, and at the pivots of the boundaries that have this place.
    """
    if size >= len(faces) or not faces[size]:
        return None
    here = sorted(faces[size])
    place = {face: i for i, face in enumerate(here)}
    boundaries: dict[int, int] = {}
    for face in sorted(faces[size + 1]) if size + 1 < len(faces) else ():
        tick()
        _add(boundaries, sum(1 << place[face ^ 1 << v] for v in members(face)))
    for vector in _cycles(here):
        left = _reduced(boundaries, vector)
        if left:
            p = left.bit_length() - 1
            dual = [q for q, other in boundaries.items() if other >> p & 1]
            return [here[i] for i in members(vector)], [here[i] for i in (p, *dual)]
    return None


def _reduced(basis: dict[int, int], vector: int) -> int:
    for pivot, other in basis.items():
        if vector >> pivot & 1:
            vector ^= other
    return vector


def _add(basis: dict[int, int], vector: int) -> None:
    """Add a vector to a basis in reduced form: each pivot is in its own vector only."""
    new = _reduced(basis, vector)
    if new:
        pivot = new.bit_length() - 1
        for q, other in basis.items():
            if other >> pivot & 1:
                basis[q] = other ^ new
        basis[pivot] = new


def _cycles(faces: Sequence[int]) -> Iterator[int]:
    """A basis of the sets of faces, as masks of their places, whose boundaries cancel."""
    numbers: dict[int, int] = {}
    reduced: dict[int, tuple[int, int]] = {}
    for i, face in enumerate(faces):
        row, used = 0, 1 << i
        for v in members(face):
            row ^= 1 << numbers.setdefault(face ^ 1 << v, len(numbers))
        while row and row.bit_length() in reduced:
            other, with_ = reduced[row.bit_length()]
            row, used = row ^ other, used ^ with_
        if row:
            reduced[row.bit_length()] = row, used
        else:
            yield used


# ---- ranks of signs


def vectors(C: Named, value: int) -> Parts:
    """A vector for each concept and each point, whose products have the signs of the labels."""
    columns, rows = C.table.column_bits, C.table.row_bits
    for found in _vectors(columns, len(rows)):
        if len(found[0][0]) <= value:
            return {"rows": found[1], "columns": found[0]}
    for found in _vectors(rows, len(columns)):
        if len(found[0][0]) <= value:
            return {"rows": found[0], "columns": found[1]}
    return {"rows": ((),) * len(rows), "columns": ()}


Vector = tuple[int, ...]


def _vectors(
    bits: Sequence[int], length: int
) -> Iterator[tuple[tuple[Vector, ...], tuple[Vector, ...]]]:
    """Vectors of some lines of a matrix of signs, and of the lines across, in a few ways.

    Lines that are equal up to a complement are one, with opposite vectors.
    """
    if not bits:
        return
    lines = lines_of(bits, length)
    sign = [(lines.index(min(b, 2**length - 1 ^ b)), 1 if b in lines else -1) for b in bits]
    across = [[1 if line >> i & 1 else -1 for line in lines] for i in range(length)]
    for along, those in (_independent(across), *_polynomials(lines, across)):
        of_bits = tuple(tuple(s * a for a in along[which]) for which, s in sign)
        yield of_bits, tuple(map(tuple, those))


Pair = tuple[list[list[int]], list[list[int]]]
"""Vectors of the lines, and of the lines across."""


def _independent(across: list[list[int]]) -> Pair:
    """Unit vectors; one less if there are signs that no line across has, nor all the others.

    Then each line across may be scaled so that its sum with these signs is 0, and the last entry
    is minus the sum of the others.
    """
    m = len(across[0])
    units = [[int(i == j) for j in range(m)] for i in range(m)]
    for rest in itertools.product((1, -1), repeat=m - 1):
        tick()
        w = [*rest, 1]
        agreeing = [sum(a == b for a, b in zip(w, signs, strict=True)) for signs in across]
        if all(0 < n < m for n in agreeing):
            scaled = [
                [a * (m - n if a == b else n) for a, b in zip(signs, w, strict=True)]
                for signs, n in zip(across, agreeing, strict=True)
            ]
            return [*(row[:-1] for row in units[:-1]), [-b for b in rest]], [
                row[:-1] for row in scaled
            ]
    return units, across


def _polynomials(lines: Sequence[int], across: list[list[int]]) -> Iterator[Pair]:
    """Powers of 1, 2, ... along an order of the lines, and polynomials with these signs there."""
    if len(lines) > SIGNS:
        return
    changes, order, flips = orders_of_lines(lines, len(across))
    along: list[list[int]] = [[] for _ in lines]
    for t, (which, flip) in enumerate(zip(order, flips, strict=True), 1):
        along[which] = [(-1 if flip else 1) * t**d for d in range(changes + 1)]
    those = []
    for signs in across:
        ordered = [
            -signs[which] if flip else signs[which]
            for which, flip in zip(order, flips, strict=True)
        ]
        polynomial = [1]
        for t, (a, b) in enumerate(itertools.pairwise(ordered), 1):
            if a != b:  # times 2x - (2t + 1)
                times = zip([0, *polynomial], [*polynomial, 0], strict=True)
                polynomial = [2 * a - (2 * t + 1) * b for a, b in times]
        # It is positive at the last place, beyond all of its roots.
        padded = [*polynomial, *[0] * (changes + 1 - len(polynomial))]
        those.append([ordered[-1] * a for a in padded])
    yield along, those
