"""Degrees of polynomials, resolutions of monomial ideals, and ranks of matrices of signs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from catalog.parameters.base import Numbers, parameter, searched, subsets
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, tick
from lsclasses.table import Table

DEGREES, SUBCUBES, SIGNS = 6, 6, 6
"""The most points for the degree, the resolution, and the rank of signs."""

# ---- interpolation


@parameter("interpolation degree", "intdeg", DEGREES)
def interpolation_degree(numbers: Numbers, points: int) -> int:
    """The least d such that every real function on the concepts is a polynomial of degree at most
    d in their labels.

    The monomials are products of labels, and d is the least degree up to which their rows of
    values on the concepts have the rank |C|, over the rationals.
    """
    reduced: list[tuple[int, list[Fraction]]] = []
    concepts = sorted(numbers)
    for degree in range(points + 1):
        for values in monomials(concepts, points, degree):
            row = values
            for pivot, other in reduced:
                if row[pivot]:
                    factor = row[pivot]
                    row = [a - factor * b for a, b in zip(row, other, strict=True)]
            pivot = next((i for i, a in enumerate(row) if a), -1)
            if pivot >= 0:
                reduced.append((pivot, [a / row[pivot] for a in row]))
        if len(reduced) == len(concepts):
            return degree
    raise AssertionError("the monomials of all degrees take every function")


def monomials(concepts: Sequence[int], points: int, degree: int) -> Iterator[list[Fraction]]:
    """The values of all monomials of a degree on some concepts."""
    for chosen in itertools.combinations(range(points), degree):
        tick()
        s = sum(1 << j for j in chosen)
        yield [Fraction(c & s == s) for c in concepts]


# ---- the resolution of the ideal of a class


@parameter("Yang dimension", "Y", SUBCUBES, reference="Yang 2017")
def yang_dimension(numbers: Numbers, points: int) -> int:
    """The projective dimension, over the field with two elements, of the ideal that the monomials
    of the concepts generate; there is a variable for each example, a point with a label, and the
    monomial of a concept is the product of those of the examples that it agrees with.

    A squarefree ideal J has its Betti number i at a monomial m where the (i - 1)st reduced homology
    of {t : m/t in J} does not vanish. The least common multiples of monomials of concepts stand for
    subcubes, and for a subcube the faces of that complex are the sets of examples that some
    concept of the subcube contradicts everywhere. So the dimension is the largest i over all
    subcubes for which it does not vanish. On at most four points it is the same over every field:
    there the complexes lie in spheres of dimension three, and have no torsion.
    """
    best = 0
    for free in subsets(points):
        if free.bit_count() <= best:
            continue
        for base in {c & ~free for c in numbers}:
            inside = [c & free for c in numbers if c & ~free == base]
            best = max(best, top_homology(inside, free, points, best))
    return best


def faces_of(inside: Sequence[int], free: int, points: int) -> list[set[int]]:
    """The faces by their number of vertices: examples (j, 0) and (j, 1) are 2^j and 2^(points+j).

    A facet has the examples of a concept at the free points; which label is called 0 is the same.
    """
    facets = [(c << points) | (free & ~c) for c in inside]
    found: list[set[int]] = [set() for _ in range(free.bit_count() + 1)]
    for facet in facets:
        face = facet
        while True:
            found[face.bit_count()].add(face)
            if not face:
                break
            face = (face - 1) & facet
    return found


def top_homology(inside: Sequence[int], free: int, points: int, above: int) -> int:
    """The largest i above a bound for which the (i - 1)st reduced homology is not 0; else 0.

    It is that of the complex of the concepts given, in the subcube with these free points.
    """
    faces, rank_above = faces_of(inside, free, points), 0
    for i in range(len(faces) - 1, above, -1):
        rank = _boundary_rank(faces[i])
        if len(faces[i]) - rank > rank_above:
            return i
        rank_above = rank
    return 0


def _boundary_rank(faces: set[int]) -> int:
    """The rank over the field with two elements of the boundary of faces of one size."""
    numbers: dict[int, int] = {}
    reduced: dict[int, int] = {}
    rank = 0
    for face in faces:
        row = 0
        for vertex in range(face.bit_length()):
            if face >> vertex & 1:
                row ^= 1 << numbers.setdefault(face ^ 1 << vertex, len(numbers))
        while row and (other := reduced.get(row.bit_length())):
            row ^= other
        if row:
            reduced[row.bit_length()] = row
            rank += 1
    return rank


# ---- ranks of signs


@searched("sign rank", "SR", reference="Paturi and Simon 1986")
def sign_rank(table: Table, limit: Limit | None) -> int:
    """The least rank of a real matrix with the signs of the labels: positive for 1, negative for 0.

    It is found where the bounds of `sign_rank_bounds` meet, as they do if at most four points, or
    at most four concepts, are different up to complements; else it raises `TooLarge` with them.
    """
    lower, upper = sign_rank_bounds(table, limit)
    if lower < upper:
        raise TooLarge(
            f"The sign rank of the class lies between {lower} and {upper}; which it is, is not "
            "decided here.",
            lower=lower,
            upper=upper,
        )
    return lower


def sign_rank_bounds(table: Table, limit: Limit | None = None) -> tuple[int, int]:
    """Bounds on the sign rank of a class that is not empty.

    **Independent columns.** A combination of columns with coefficients w is 0 for suitable values
    of these signs if and only if no row has the signs of w, or of -w, wherever w is not 0. So k
    columns are independent for all values if and only if each labelling of the k points, or its
    complement, occurs: the antipodal shattering dimension is a lower bound (it is the dual sign
    rank). And if not all columns are independent for all values, their rank is less than their
    number for some. The same holds for rows.

    **Changes of sign.** If along some order of the columns, some of them flipped, no row changes
    its sign more than k times, polynomials of degree k have these signs at 1, 2, ..., so that the
    rank is at most k + 1. A matrix of rank 2 is always of this kind, with k = 1: columns are
    vectors in the plane, which flips bring into a half-plane, in the order of their angles.

    Examples
    --------
    >>> import catalog
    >>> sign_rank_bounds(catalog.build("thresholds:n=6").to_table())
    (2, 2)
    >>> sign_rank_bounds(catalog.build("cube:n=3").to_table())
    (3, 3)
    """
    if not table.points:
        return 0, 0
    columns, rows = (
        lines_of(table.column_bits, len(table)),
        lines_of(table.row_bits, len(table.points)),
    )
    independent = (
        table.antipodal_shattering_dim(limit=limit),
        table.dual().antipodal_shattering_dim(limit=limit),
    )
    lower, upper = (
        max(independent),
        min(
            len(lines) - (size < len(lines))
            for lines, size in zip((columns, rows), independent, strict=True)
        ),
    )
    for lines in (columns, rows):
        if lower < upper and len(lines) <= SIGNS:
            changes = _changes(lines, max(map(int.bit_length, lines)))
            upper = min(upper, changes + 1)
            if changes > 1:
                lower = max(lower, 3)
    return lower, upper


def lines_of(bits: Sequence[int], length: int) -> list[int]:
    """The rows, or columns, one of those that are equal up to a complement."""
    whole = (1 << length) - 1
    return list(dict.fromkeys(min(line, whole ^ line) for line in bits))


def _changes(lines: Sequence[int], length: int) -> int:
    """The least k for which no entry changes more than k times along some order of the lines."""
    return orders_of_lines(lines, length)[0]


def orders_of_lines(
    lines: Sequence[int], length: int
) -> tuple[int, tuple[int, ...], tuple[bool, ...]]:
    """An order of the lines along which no entry changes more than k times, with the least k.

    Lines may be flipped as well.

    Returns
    -------
    k : int
    order : tuple of int
        The places of the lines.
    flips : tuple of bool
        For each line in this order.
    """
    whole = (1 << length) - 1

    def changes(order: Sequence[int], flips: Sequence[bool]) -> int:
        ordered = [lines[i] ^ (whole if flip else 0) for i, flip in zip(order, flips, strict=True)]
        steps = [a ^ b for a, b in itertools.pairwise(ordered)]
        return max(sum(step >> i & 1 for step in steps) for i in range(length))

    candidates = (
        (order, (False, *flips))
        for order in itertools.permutations(range(len(lines)))
        if order[0] <= order[-1]
        for flips in itertools.product((False, True), repeat=len(lines) - 1)
    )
    return min(((changes(*each), *each) for each in candidates), key=lambda found: found[0])
