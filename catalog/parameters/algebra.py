"""Degrees of polynomials, resolutions of monomial ideals, and ranks of matrices of signs."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from catalog.parameters.base import (
    Named,
    Numbers,
    Parts,
    evidence,
    parameter,
    pattern_on,
    searched,
    subsets,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem, _few_enough, listed
from lsclasses.errors import TooLarge
from lsclasses.limits import Limit, tick
from lsclasses.point_names import name_text
from lsclasses.searching.bitsets import members
from lsclasses.table import Table

DEGREES, SUBCUBES, SIGNS = 6, 6, 6
"""Largest numbers of points for the interpolation degree, the Yang dimension and the sign rank."""

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
    """Yield the values, on some concepts, of each monomial of a degree."""
    for chosen in itertools.combinations(range(points), degree):
        tick()
        s = sum(1 << j for j in chosen)
        yield [Fraction(c & s == s) for c in concepts]


# ---- the resolution of the ideal of a class


@parameter("Yang dimension", "Y", SUBCUBES, reference="Yang 2017")
def yang_dimension(numbers: Numbers, points: int) -> int:
    """The projective dimension, over the field with two elements, of the ideal that the monomials
    of the concepts generate. Each example, a point with a label, has a variable. The monomial of a
    concept is the product of the variables of the examples that it agrees with.

    A squarefree ideal J has its Betti number i at a monomial m where the (i - 1)st reduced homology
    of {t : m/t in J} is not 0. The least common multiples of monomials of concepts represent
    subcubes. For a subcube, the faces of that complex are the sets of examples that some concept of
    the subcube contradicts everywhere. So the dimension is the largest i, over all subcubes, for
    which the homology is not 0. On at most four points, the dimension is equal over every field,
    because the complexes lie in spheres of dimension three and have no torsion.
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
    """Return the faces of a complex of examples, by their number of vertices.

    A face is a set of examples, as bits.

    The examples (j, 0) and (j, 1) are the bits 2^j and 2^(points + j). A facet has the examples of
    a concept at the free points. Exchanging the labels 0 and 1 makes no difference.
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
    """Return the largest i above a bound for which the (i - 1)st reduced homology is not 0, or 0.

    The homology belongs to the complex of the given concepts, in the subcube with these free
    points.
    """
    faces, rank_above = faces_of(inside, free, points), 0
    for i in range(len(faces) - 1, above, -1):
        rank = _boundary_rank(faces[i])
        if len(faces[i]) - rank > rank_above:
            return i
        rank_above = rank
    return 0


def _boundary_rank(faces: set[int]) -> int:
    """Return the rank over the field with two elements of the boundary of faces of one size."""
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

    The search returns the rank if the bounds of `sign_rank_bounds` meet. They meet if at most four
    points, or at most four concepts, are different up to complements. Otherwise, it raises
    `TooLarge` with the bounds.
    """
    lower, upper = sign_rank_bounds(table, limit)
    if lower < upper:
        raise TooLarge(
            f"The sign rank of the class lies between {lower} and {upper}. The search does not "
            "decide it.",
            lower=lower,
            upper=upper,
        )
    return lower


def sign_rank_bounds(table: Table, limit: Limit | None = None) -> tuple[int, int]:
    """Return bounds on the sign rank of a non-empty class.

    **Independent columns.** A combination of columns with coefficients w is 0 for suitable values
    of these signs if and only if no row has the signs of w, or of -w, wherever w is not 0. So k
    columns are independent for all values if and only if, for each labelling of the k points, the
    class has the labelling or its complement. The antipodal shattering dimension is therefore a
    lower bound (it is the dual sign rank). If not all columns are independent for all values, their
    rank is less than their number for some values. Both statements also hold for rows.

    **Changes of sign.** Suppose that, along some order of the columns with some of them flipped, no
    row changes its sign more than k times. Then polynomials of degree k have these signs at
    1, 2, ..., so that the rank is at most k + 1. A matrix of rank 2 always has such an order with
    k = 1, because its columns are vectors in the plane. Flips bring these vectors into a
    half-plane, and the order is the order of their angles.

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
    for lines, length in ((columns, len(table)), (rows, len(table.points))):
        if lower < upper and len(lines) <= SIGNS:
            # Flips change the labels of an entry that is 0 in all lines, so it counts, too.
            changes = _changes(lines, length)
            upper = min(upper, changes + 1)
            if changes > 1:
                lower = max(lower, 3)
    return lower, upper


def lines_of(bits: Sequence[int], length: int) -> list[int]:
    """Return the distinct lines of a table, where a line and its complement count as one line.

    `bits` contains either all rows or all columns of the table, each of `length` labels.
    """
    whole = (1 << length) - 1
    return list(dict.fromkeys(min(line, whole ^ line) for line in bits))


def _changes(lines: Sequence[int], length: int) -> int:
    """Return the least k such that, in some order of the lines, no entry changes over k times."""
    return orders_of_lines(lines, length)[0]


def orders_of_lines(
    lines: Sequence[int], length: int
) -> tuple[int, tuple[int, ...], tuple[bool, ...]]:
    """Return orders of the lines of a table with the fewest changes of labels along the order.

    For the least possible k, no entry changes more than k times along a returned order. Lines may
    be flipped.

    Returns
    -------
    k : int
        Largest number of changes of an entry along the order.
    order : tuple of int
        Indices of the lines.
    flips : tuple of bool
        Whether each line in this order is flipped.
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


# ---- searches for witnesses


def find_no_polynomial(C: Named, value: int) -> Parts:
    """Return weights of concepts under which each monomial of lower degree has the sum 0.

    The weights are not all 0, so they prove a lower bound on the interpolation degree.
    """
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


def find_cycle(C: Named, value: int) -> Parts:
    """Return a cycle, and a cocycle that proves that the cycle is not a boundary.

    The cycle and the cocycle have an odd number of faces in common.
    """
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
    raise AssertionError("some homology of that degree is not 0")


def _examples(C: Named, face: int) -> tuple[Any, ...]:
    """Return the examples of a face, which concepts with the other labels contradict."""
    ones, zeros = face & 2**C.n - 1, face >> C.n
    return tuple((C.table.points[j], ones >> j & 1) for j in members(ones | zeros))


def _odd_pair(faces: Sequence[set[int]], size: int) -> tuple[list[int], list[int]] | None:
    """Return faces of a cycle that is not a boundary and of a proving cocycle, or None.

    Sets of faces of that size are vectors over the field with two elements, as masks. Modulo the
    boundaries in reduced form, a vector is 0 at their pivots. A cocycle is 1 at one other index,
    where the cycle is 1, and at the pivots of the boundaries that contain this index.
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
    """Add a vector to a basis in reduced form, in which a pivot is in its vector only."""
    new = _reduced(basis, vector)
    if new:
        pivot = new.bit_length() - 1
        for q, other in basis.items():
            if other >> pivot & 1:
                basis[q] = other ^ new
        basis[pivot] = new


def _cycles(faces: Sequence[int]) -> Iterator[int]:
    """Yield a basis of the sets of faces, as masks of their indices, whose boundaries cancel."""
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


def find_vectors(C: Named, value: int) -> Parts:
    """Return a vector for each concept and each point, as a matrix of low rank.

    The scalar product of the vectors of a concept and a point has the sign of the label.
    """
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
    """Yield vectors of some lines of a matrix of signs, and of the lines across, in a few ways.

    Lines that are equal up to a complement count as one line, with opposite vectors.
    """
    if not bits or not length:
        return
    lines = lines_of(bits, length)
    sign = [(lines.index(min(b, 2**length - 1 ^ b)), 1 if b in lines else -1) for b in bits]
    across = [[1 if line >> i & 1 else -1 for line in lines] for i in range(length)]
    for along, those in (_independent(across), *_polynomials(lines, across)):
        of_bits = tuple(tuple(s * a for a in along[which]) for which, s in sign)
        yield of_bits, tuple(map(tuple, those))


Pair = tuple[list[list[int]], list[list[int]]]


"""Two lists of vectors: for the lines (rows or columns), and for the lines across them."""


def _independent(across: list[list[int]]) -> Pair:
    """Return unit vectors, with one entry less if some signs and their complement never occur.

    If no line across has these signs or their complement, each line across may be scaled so that
    its sum with these signs is 0. The last entry is then minus the sum of the others.
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
    """Yield powers of 1, 2, ... along an order of the lines, and polynomials with these signs."""
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
        # The polynomial is positive at the last place, beyond all of its roots.
        padded = [*polynomial, *[0] * (changes + 1 - len(polynomial))]
        those.append([ordered[-1] * a for a in padded])
    yield along, those


# ---- checks of witnesses


def check_no_polynomial(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in weights that prove a lower bound on the interpolation degree, or ""."""
    weights = parts["weights"]
    if problem := labels.missing([c for c, _ in weights]):
        return problem
    if any(type(w) is not int for _, w in weights):
        return "weights are integers"
    total = {c: sum(w for d, w in weights if d == c) for c, _ in weights}
    if not any(total.values()):
        return "some weight must not be 0"
    if value > len(labels.points):
        return f"there are monomials of degree at most {len(labels.points)} only"
    for size in range(value):
        _few_enough(len(labels.points), size, "are in a monomial of nonzero sum")
        for points in itertools.combinations(labels.points, size):
            if sum(w for c, w in total.items() if all(pattern_on(labels, c, points))):
                named = listed([name_text(x) for x in points])
                return f"the weights of the concepts that are 1 at {named} do not add up to 0"
    return ""


def check_cycle(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in a cycle and a cocycle, or an empty string.

    A face is a set of examples that some concept contradicts at all points of the set.
    """
    points, fixed = parts["points"], dict(parts["sample"])
    if problem := unknown_names(labels, [*points, *fixed]):
        return problem
    if len(points) + len(fixed) != len(labels.points):
        return "each point is free or fixed"
    inside = {
        frozenset((x, 1 - labels.label(c, x)) for x in points)
        for c in labels.concepts
        if all(labels.label(c, x) == y for x, y in fixed.items())
    }
    chains = [{frozenset(face) for face in parts[name]} for name in ("cycle", "cocycle")]
    for face in (*chains[0], *chains[1]):
        if len(face) != value or not any(face <= each for each in inside):
            return f"a face has {value} examples that one concept of the subcube contradicts"
    below = Counter(face - {each} for face in chains[0] for each in face)
    if any(times % 2 for times in below.values()):
        return "the boundary of the cycle is not 0"
    above = {frozenset(f) for each in inside for f in itertools.combinations(each, value + 1)}
    if any(sum(face - {each} in chains[1] for each in face) % 2 for face in above):
        return "the cocycle is not 0 on all boundaries"
    if len(chains[0] & chains[1]) % 2 == 0:
        return "the cycle and the cocycle have an even number of faces in common"
    return ""


def check_vectors(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in vectors that prove an upper bound on the sign rank, or ""."""
    rows, columns = parts["rows"], parts["columns"]
    if (len(rows), len(columns)) != (len(labels.concepts), len(labels.points)):
        return "each concept and each point has a vector"
    if any(len(vector) > value for vector in (*rows, *columns)):
        return f"a vector has more than {value} entries"
    if any(type(a) not in (int, Fraction) for vector in (*rows, *columns) for a in vector):
        return "entries are integers or fractions"  # products of floats are rounded, or nan
    for c, row in zip(labels.concepts, rows, strict=True):
        for x, column in zip(labels.points, columns, strict=True):
            product = sum(a * b for a, b in zip(row, column, strict=True))
            if not product or (product > 0) != labels.label(c, x):
                return f"the product for {name_text(c)} and {x!r} is {product}"
    return ""


# ---- the parts of witnesses


evidence(
    "interpolation_degree",
    "weights of concepts, not all 0: for each product of fewer than n labels, the weighted sum "
    "over the concepts is 0, so the weights are not a polynomial of lower degree (n is the value)",
    find_no_polynomial,
    check_no_polynomial,
)
evidence(
    "yang_dimension",
    "a subcube by its free points and a sample of the other points, a cycle of its complex, and a "
    "cocycle that meets the cycle in an odd number of faces, so that the cycle is not a boundary",
    find_cycle,
    check_cycle,
)
evidence(
    "sign_rank",
    "a vector for each concept and each point, such that the inner products have the signs of the "
    "labels",
    find_vectors,
    check_vectors,
    at_most=True,
)
