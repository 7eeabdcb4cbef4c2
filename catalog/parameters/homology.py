"""The Yang dimension over fields of other characteristics, and its witnesses.

`catalog.parameters.algebra.yang_dimension` contains the complexes of subcubes. Their homology can
depend on the characteristic of the field if integral homology has torsion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import lcm
from typing import Any

from catalog.parameters.algebra import SUBCUBES, faces_of, top_homology
from catalog.parameters.base import (
    Named,
    Numbers,
    Parts,
    evidence,
    parameter,
    subsets,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem
from lsclasses.limits import tick
from lsclasses.point_names import Point
from lsclasses.searching.bitsets import members

Chain = dict[int, Any]
"""Coefficients other than 0, by the number of their face."""

# ---- linear algebra over a prime field or the rational numbers


class Reduced:
    """A basis of vectors over a field, in which each pivot has an entry in its vector only.

    Parameters
    ----------
    characteristic : int
        A prime for the field with so many elements, or 0 for the rational numbers.
    """

    def __init__(self, characteristic: int) -> None:
        self.characteristic = characteristic
        self.rows: dict[int, Chain] = {}

    def left(self, vector: Chain) -> Chain:
        """Return the vector minus the combination of the basis with equal entries at pivots."""
        left = dict(vector)
        for pivot in [i for i in vector if i in self.rows]:
            self._subtract(left, self.rows[pivot], left[pivot])
        return left

    def add(self, vector: Chain) -> bool:
        """Add a vector to the basis, and return whether the basis did not span it before."""
        tick()
        left = self.left(vector)
        if not left:
            return False
        pivot, entry = next(iter(left.items()))
        row = {i: self._divided(a, entry) for i, a in left.items()}
        for other in self.rows.values():
            if pivot in other:
                self._subtract(other, row, other[pivot])
        self.rows[pivot] = row
        return True

    def _subtract(self, vector: Chain, other: Chain, factor: Any) -> None:
        for i, a in other.items():
            entry = vector.get(i, 0) - factor * a
            entry = entry % self.characteristic if self.characteristic else entry
            if entry:
                vector[i] = entry
            else:
                vector.pop(i, None)

    def _divided(self, a: Any, b: Any) -> Any:
        if not self.characteristic:
            return Fraction(a) / b
        return a * pow(b, -1, self.characteristic) % self.characteristic


def boundary(face: int) -> Iterator[tuple[int, int]]:
    """Yield the faces with one vertex less, with their signs in the boundary."""
    for i, vertex in enumerate(members(face)):
        yield face ^ 1 << vertex, -1 if i % 2 else 1


def has_homology(faces: Sequence[Set[int]], size: int, characteristic: int) -> bool:
    """Return whether the reduced homology of faces with `size` vertices is not 0.

    Parameters
    ----------
    faces : sequence of set of int
        Faces of a complex, as bits, by their numbers of vertices. The empty face belongs to them.
    size : int
        Number of vertices, at least 1. The degree of the homology is `size` - 1.
    characteristic : int
        Characteristic of the field, a prime or 0.

    Examples
    --------
    >>> circle = [{0}, {1, 2, 4}, {3, 5, 6}]
    >>> [has_homology(circle, size, 0) for size in (1, 2)]
    [False, True]
    """
    cycles = len(faces[size]) - _rank(faces[size], characteristic)
    above = faces[size + 1] if size + 1 < len(faces) else set()
    return cycles > _rank(above, characteristic)


def _rank(faces: Iterable[int], characteristic: int) -> int:
    """Return the rank of the boundary of faces of one size."""
    numbers: dict[int, int] = {}
    basis = Reduced(characteristic)
    for face in sorted(faces):
        basis.add({numbers.setdefault(each, len(numbers)): y for each, y in _signed(face, basis)})
    return len(basis.rows)


def _signed(face: int, basis: Reduced) -> Iterator[tuple[int, int]]:
    for each, sign in boundary(face):
        yield each, sign % basis.characteristic if basis.characteristic else sign


# ---- parameters


def _yang_over(numbers: Numbers, points: int, characteristic: int) -> int:
    """Return the Yang dimension over a field of a characteristic other than two."""
    best = 0
    for free in subsets(points):
        if free.bit_count() <= best:
            continue
        for base in {c & ~free for c in numbers}:
            inside = [c & free for c in numbers if c & ~free == base]
            faces = faces_of(inside, free, points)
            # Homology over the rational numbers implies homology over the field of two elements.
            top = top_homology(inside, free, points, best) if not characteristic else len(faces) - 1
            for size in range(top, best, -1):
                if has_homology(faces, size, characteristic):
                    best = size
                    break
    return best


@parameter(
    "Yang dimension of characteristic 3",
    "Y_3",
    SUBCUBES,
    reference="Yang 2017; database Combinatorial Parameters",
)
def ternary_yang_dimension(numbers: Numbers, points: int) -> int:
    """The projective dimension, over the field with three elements, of the ideal that the monomials
    of the concepts generate. Each example, a point with a label, has a variable. The monomial of a
    concept is the product of the variables of the examples that it agrees with.
    """
    return _yang_over(numbers, points, 3)


@parameter(
    "Yang dimension of characteristic 0",
    "Y_0",
    SUBCUBES,
    reference="Yang 2017; database Combinatorial Parameters",
)
def rational_yang_dimension(numbers: Numbers, points: int) -> int:
    """The projective dimension, over the rational numbers, of the ideal that the monomials of the
    concepts generate. Each example, a point with a label, has a variable. The monomial of a concept
    is the product of the variables of the examples that it agrees with.

    By the universal coefficient theorem, it is at most the Yang dimension over every field.
    """
    return _yang_over(numbers, points, 0)


# ---- searches for witnesses


def find_chains(C: Named, value: int, *, characteristic: int) -> Parts:
    """Return a cycle, and a cocycle that proves that the cycle is not a boundary.

    The sum of the products of their coefficients is not 0.
    """
    for free in subsets(C.n):
        for base in sorted({c & ~free for c in C.rows}):
            inside = [c & free for c in C.rows if c & ~free == base]
            faces = faces_of(inside, free, C.n)
            if value < len(faces) and (found := _pair(faces, value, characteristic)):
                return {
                    "points": C.points(free),
                    "sample": C.sample(2**C.n - 1 & ~free, base),
                    "cycle": _with_names(C, found[0]),
                    "cocycle": _with_names(C, found[1]),
                }
    raise AssertionError("some homology of that degree is not 0")


def _with_names(C: Named, chain: Chain) -> tuple[Any, ...]:
    """Return the faces of a chain with their coefficients, scaled to integers.

    The vertices of a face are bits in the order of points with label 1, then points with label 0.
    The names are in the order of the points. The sign of a coefficient changes with the order.
    """
    unit = lcm(*(Fraction(a).denominator for a in chain.values()))
    named = []
    for face, a in sorted(chain.items()):
        vertices = [(bit % C.n, int(bit < C.n)) for bit in members(face)]
        swaps = sum(one > two for one, two in combinations([j for j, _ in vertices], 2))
        sample = tuple((C.table.points[j], y) for j, y in sorted(vertices))
        named.append((sample, int(a * unit) * (-1) ** swaps))
    return tuple(named)


def _pair(faces: Sequence[Set[int]], size: int, p: int) -> tuple[Chain, Chain] | None:
    """Return a cycle that is not a boundary and a proving cocycle, by faces, or None."""
    here = sorted(faces[size])
    place = {face: i for i, face in enumerate(here)}
    boundaries = Reduced(p)
    for face in sorted(faces[size + 1]) if size + 1 < len(faces) else ():
        boundaries.add({place[each]: y for each, y in _signed(face, boundaries)})
    for cycle in _cycles(here, p):
        left = boundaries.left(cycle)
        if left:
            free = next(iter(left))
            dual: Chain = {free: 1}
            for pivot, row in boundaries.rows.items():
                if free in row:
                    dual[pivot] = -row[free] % p if p else -row[free]
            return _by_faces(cycle, here), _by_faces(dual, here)
    return None


def _by_faces(chain: Chain, faces: Sequence[int]) -> Chain:
    return {faces[i]: a for i, a in chain.items()}


def _cycles(faces: Sequence[int], p: int) -> Iterator[Chain]:
    """Yield a basis of the combinations of faces, by their indices, whose boundaries are 0."""
    # The index of a face follows the numbers of all boundaries, so that it is never a pivot.
    numbers: dict[int, int] = {}
    for face in faces:
        for each, _ in boundary(face):
            numbers.setdefault(each, len(numbers))
    basis, first = Reduced(p), len(numbers)
    for i, face in enumerate(faces):
        row: Chain = {numbers[each]: y for each, y in _signed(face, basis)}
        left = basis.left(row | {first + i: 1})
        if min(left) >= first:
            yield {j - first: a for j, a in left.items()}
        else:
            basis.add(dict(sorted(left.items())))


# ---- checks of witnesses


def check_chains(labels: Labels, parts: Parts, value: int, *, characteristic: int) -> Problem:
    """Return the error in a cycle and a cocycle with coefficients, or an empty string.

    A face is a set of examples that some concept contradicts at all points of the set.
    """
    points, fixed = parts["points"], dict(parts["sample"])
    if problem := unknown_names(labels, [*points, *fixed]):
        return problem
    if len(points) + len(fixed) != len(labels.points):
        return "each point is free or fixed"
    order = [x for x in labels.points if x not in fixed]
    inside = [
        tuple((x, 1 - labels.label(c, x)) for x in order)
        for c in labels.concepts
        if all(labels.label(c, x) == y for x, y in fixed.items())
    ]
    allowed = {face for each in inside for face in combinations(each, value)}
    chains: list[dict[tuple[tuple[Point, int], ...], int]] = []
    for name in ("cycle", "cocycle"):
        faces = [tuple(map(tuple, face)) for face, _ in parts[name]]
        if any(type(a) is not int for _, a in parts[name]) or len(set(faces)) < len(faces):
            return "each face has one integer as its coefficient"
        chains.append({face: a for face, (_, a) in zip(faces, parts[name], strict=True)})
        if not chains[-1].keys() <= allowed:
            return (
                f"a face has {value} examples, in the order of the points, that one concept of the "
                "subcube contradicts"
            )

    def is_zero(number: int) -> bool:
        return not (number % characteristic if characteristic else number)

    below: Counter[tuple[Any, ...]] = Counter()
    for face, a in chains[0].items():
        for i in range(value):
            below[face[:i] + face[i + 1 :]] += a * (-1) ** i
    if not all(map(is_zero, below.values())):
        return "the boundary of the cycle is not 0"
    for face in {face for each in inside for face in combinations(each, value + 1)}:
        terms = (chains[1].get(face[:i] + face[i + 1 :], 0) * (-1) ** i for i in range(value + 1))
        if not is_zero(sum(terms)):
            return "the cocycle is not 0 on all boundaries"
    if is_zero(sum(a * chains[1].get(face, 0) for face, a in chains[0].items())):
        return "the cocycle is 0 on the cycle"
    return ""


# ---- the parts of witnesses


for _name, _characteristic in (("ternary", 3), ("rational", 0)):
    evidence(
        f"{_name}_yang_dimension",
        "a subcube by its free points and a sample of the other points, a cycle of its complex "
        "with coefficients, and a cocycle that is not 0 on the cycle, so that the cycle is not a "
        "boundary",
        partial(find_chains, characteristic=_characteristic),
        partial(check_chains, characteristic=_characteristic),
    )
