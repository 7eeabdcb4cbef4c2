"""Classes of later copies of the database that are no families of the catalog.

A class is either a list of its rows, such as ``rows:00,11``, or a function of this module with
numbers, such as ``common_core_cube:n=2``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from catalog.cube import cube_vectors
from catalog.family_registry import build
from lsclasses.errors import InvalidInput
from lsclasses.table import Table

Row = Sequence[int]
LATER: dict[str, Callable[..., Table]] = {}
"""The functions of this module that build a class, by name."""


def _later(function: Callable[..., Iterable[Row]]) -> Callable[..., Iterable[Row]]:
    """Register a function that returns the rows of a class."""

    def built(**numbers: int) -> Table:
        return Table(np.array(sorted({tuple(map(int, row)) for row in function(**numbers)})))

    LATER[function.__name__] = built
    return function


def built(spec: str) -> Table:
    """Return the class of a specification: rows, a function of this module, or a family.

    Examples
    --------
    >>> built("rows:000,011"), built("common_core_cube:n=2")
    (<Table: 2 concepts on 3 points>, <Table: 4 concepts on 3 points>)
    >>> built("points:n=3")
    <Table: 3 concepts on 3 points>
    """
    name, _, rest = spec.partition(":")
    if name == "rows":
        return Table([list(map(int, row)) for row in rest.split(",")])
    if name not in LATER:
        return build(spec).to_table()
    numbers = dict(each.split("=") for each in rest.split(",") if each)
    try:
        return LATER[name](**{letter: int(number) for letter, number in numbers.items()})
    except (TypeError, ValueError):
        raise InvalidInput(f"The numbers of the class {spec!r} are unknown.") from None


def _cube(n: int) -> list[tuple[int, ...]]:
    """Return all words of n labels."""
    return list(itertools.product((0, 1), repeat=n))


def _product(*parts: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of a product of classes on disjoint points."""
    for chosen in itertools.product(*map(list, parts)):
        yield [label for row in chosen for label in row]


# ---- cubes and singletons with more points


@_later
def universal_class(n: int) -> Iterable[Row]:
    """Return n concepts with a point for each of their labellings, including the constant ones."""
    return zip(*_cube(n), strict=True)


@_later
def common_core_singletons(n: int) -> Iterable[Row]:
    """Return the singletons on n points and a point that all concepts contain."""
    return _product([[1]], np.eye(n, dtype=int).tolist())


@_later
def common_core_cube(n: int) -> Iterable[Row]:
    """Return the cube on n points and a point that all concepts contain."""
    return _product([[1]], _cube(n))


@_later
def antipodally_punctured_cube(n: int) -> Iterable[Row]:
    """Return all words except the two constant words."""
    return _cube(n)[1:-1]


@_later
def singleton_cosingleton(n: int) -> Iterable[Row]:
    """Return the singletons and their complements."""
    singletons = np.eye(n, dtype=int)
    return [*singletons.tolist(), *(1 - singletons).tolist()]


@_later
def private_coordinate_cube(n: int) -> Iterable[Row]:
    """Return the cube with one more point for each concept, which only this concept contains."""
    words = _cube(n)
    return [[*word, *(int(word == other) for other in words)] for word in words]


@_later
def repeated_coordinate_cube(n: int) -> Iterable[Row]:
    """Return the cube whose first point occurs 2^(n-1) times."""
    return [[*word[1:], *[word[0]] * 2 ** (n - 1)] for word in _cube(n)]


# ---- products, trees and boxes


@_later
def cube_halfinterval_product(m: int, n: int) -> Iterable[Row]:
    """Return the product of a cube on m points and the non-empty initial segments of n points."""
    return _product(_cube(m), [[int(j <= i) for j in range(n)] for i in range(n)])


MAJORITY_GAP = ("0000", "1000", "0100", "1100", "0010", "1010", "1110", "0001")


@_later
def majority_gap_products(t: int) -> Iterable[Row]:
    """Return the product of t copies of a class of eight concepts on four points."""
    return _product(*[[[int(y) for y in row] for row in MAJORITY_GAP]] * t)


@_later
def branching_batch_tree(b: int, n: int) -> Iterable[Row]:
    """Return the branches of a tree of depth n whose nodes have b points and 2^b children.

    A concept labels the points of a node on its branch with the number of the next child, and
    labels other points with 0.
    """
    letters = _cube(b)
    nodes = [node for depth in range(n) for node in itertools.product(letters, repeat=depth)]
    for word in itertools.product(letters, repeat=n):
        on_branch = {word[:depth]: word[depth] for depth in range(n)}
        yield [label for node in nodes for label in on_branch.get(node, (0,) * b)]


@_later
def axis_parallel_boxes(n: int, d: int) -> Iterable[Row]:
    """Return the non-empty boxes in a grid of n^d points."""
    intervals = [[int(a <= x <= b) for x in range(n)] for a in range(n) for b in range(a, n)]
    for sides in itertools.product(intervals, repeat=d):
        yield [min(labels) for labels in itertools.product(*sides)]


# ---- classes of papers


@_later
def ben_david_eiron_selfdirected(d: int, n: int) -> Iterable[Row]:
    """Return the class that is made of a cube on d points by n steps, each with 3 x 3 blocks."""
    labels = cube_vectors(d)
    for _ in range(n):
        zero, one = np.zeros_like(labels), np.ones_like(labels)
        labels = np.block([[labels, one, zero], [zero, labels, one], [one, zero, labels]])
    yield from labels.tolist()


@_later
def rubinstein_minimum_degree(d: int) -> Iterable[Row]:
    """Return all words on d + 2 points that are in none of three subcubes."""
    zeros = "0" * (d - 10)
    cubes = ("????00110011" + zeros, "0011????1100" + zeros, "11001100" + "?" * (d - 6))

    def inside(word: tuple[int, ...], cube: str) -> bool:
        return all(c in ("?", str(y)) for y, c in zip(word, cube, strict=True))

    return [word for word in _cube(d + 2) if not any(inside(word, cube) for cube in cubes)]


CHEN = (
    *("000001010101", "000001110101", "000011010101", "000101110101", "000111010101"),
    *("001101010101", "001101110101", "010101110111", "011101110111"),
)
"""Words of the class of Chen, Cheng and Tang, up to rotations."""


@cache
def _chen() -> tuple[tuple[int, ...], ...]:
    words = {word[i:] + word[:i] for word in CHEN for i in range(12)}
    return tuple(sorted(tuple(map(int, word)) for word in words))


@_later
def chen_teaching_products(n: int) -> Iterable[Row]:
    """Return the product of n copies of the class of Chen, Cheng and Tang."""
    return _product(*[_chen()] * n)


@_later
def chen_neighbor_puncture() -> Iterable[Row]:
    """Return the class of Chen, Cheng and Tang, with the neighbours of a concept in its place."""
    word = tuple(map(int, CHEN[0]))
    near = [(*word[:i], 1 - word[i], *word[i + 1 :]) for i in range(12)]
    return [*(row for row in _chen() if row != word), *near]


# ---- classes of simplicial complexes


PROJECTIVE_PLANE = (
    *((1, 2, 3), (1, 2, 4), (1, 3, 5), (1, 4, 6), (1, 5, 6)),
    *((2, 3, 6), (2, 4, 5), (2, 5, 6), (3, 4, 5), (3, 4, 6)),
)
"""Triangles of the real projective plane with six vertices."""


@_later
def anchored_torsion() -> Iterable[Row]:
    """Return the vertices on the triangles of the projective plane, and the all-zero concept.

    A vertex is 1 at one more point, and at the triangles that do not contain it.
    """
    yield [0] * (len(PROJECTIVE_PLANE) + 1)
    for v in range(1, 7):
        yield [1, *(int(v not in triangle) for triangle in PROJECTIVE_PLANE)]


@_later
def odd_torsion_dual() -> Iterable[Row]:
    """Return 13 vertices on the triples that are no triangles of a complex with 3-torsion."""
    r, m = 3, 13
    triangles: set[frozenset[int]] = set()
    for i in range(3 * r):
        here, after = 3 + i, 3 + (i + 1) % (3 * r)
        triangles.add(frozenset({i % 3, (i + 1) % 3, here}))
        triangles.add(frozenset({here, after, (i + 1) % 3}))
        triangles.add(frozenset({m - 1, here, after}))
    edges = {frozenset(pair) for each in triangles for pair in itertools.combinations(each, 2)}
    while len(edges) < m * (m - 1) // 2:
        edge, w = next(
            (frozenset({a, b}), w)
            for a, b in itertools.combinations(range(m), 2)
            for w in range(m)
            if frozenset({a, b}) not in edges and {frozenset({a, w}), frozenset({b, w})} <= edges
        )
        edges.add(edge)
        triangles.add(edge | {w})
    points = [t for t in itertools.combinations(range(m), 3) if frozenset(t) not in triangles]
    return [[int(v in t) for t in points] for v in range(m)]
