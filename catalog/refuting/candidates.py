"""Classes for tests of statements: members of the catalog, and constructions from them.

A statement that is true for all members of the catalog often fails for a class that is made of
them. If every point is doubled, no two concepts are neighbours (differ at exactly one point), but
few other parameters change. Most parameters, but not all, add up in products. A concept far from
the others makes the least degree 0. So each member is tried together with the results of these
operations, and small members are joined to each other. Classes that refuted a conjecture
(`catalog.refuting.conjecture_file`) are treated like members.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np

from catalog.atlas.private_values import all_private_values
from catalog.family_registry import families
from catalog.refuting.conjecture_file import refuting_classes
from lsclasses.errors import TooLarge
from lsclasses.isomorphism import class_of_mask, isomorphic, orbit_name
from lsclasses.limits import Limit
from lsclasses.table import Table

__all__ = [
    "CLOSURES",
    "JOINS",
    "candidates",
    "disjoint_union",
    "doubled",
    "isolated",
    "lexicographic_sum",
    "member_name",
    "members",
    "numbered",
    "private_atlas_classes",
    "product",
    "union",
    "with_complements",
]

T = TypeVar("T")

CONCEPTS, POINTS = 128, 24
"""Largest numbers of concepts and points of a candidate. Larger classes are skipped."""
MEMBERS_TURN = 3
"""Number of candidates made of one member between two candidates made of two members."""
ATLAS_POINTS = 4
"""Largest number of points of the classes that the search always visits."""
JOINED_CONCEPTS, JOINED_POINTS = 10, 7
"""Largest numbers of concepts and points of members from which joint classes are made."""


def members() -> Iterator[tuple[str, Table]]:
    """Return small members of the catalog with their specifications, the smallest first."""
    listed = []
    for family in families().values():
        for member in family.instances():
            try:
                concepts, points = family._shape(**family.values(**member))
            except TooLarge:
                continue
            if 1 <= concepts <= CONCEPTS and 1 <= points <= POINTS:
                listed.append((points, concepts, family.spec(**member), family, member))
    for _, _, name, family, member in sorted(listed, key=lambda each: each[:3]):
        table = family.table(**member)
        if len(table):
            yield name, table


def member_name(table: Table, *, flips: bool) -> str | None:
    """Return the specification of the first member of the catalog isomorphic to a class.

    Parameters
    ----------
    table : Table
    flips : bool
        Whether isomorphisms may flip the labels at a point.

    Returns
    -------
    str or None
        Specification, or None if no member is isomorphic, or if a comparison takes too long.

    Examples
    --------
    >>> member_name(Table([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1]]), flips=True)
    'threshold-concepts:m=4'
    """
    for name, member in members():
        if (len(member), len(member.points)) == (len(table), len(table.points)):
            try:
                if isomorphic(member, table, flips=flips, limit=Limit(seconds=1)) is not None:
                    return name
            except TooLarge:
                continue
    return None


# ---- operations


def doubled(table: Table) -> Table:
    """Return the class with every point doubled, so that no two concepts are neighbours.

    Examples
    --------
    >>> doubled(Table([[0, 1], [1, 1]])).labels.tolist()
    [[0, 1, 0, 1], [1, 1, 1, 1]]
    """
    return Table(np.hstack([table.labels, table.labels]))


def isolated(table: Table) -> Table:
    """Return the class with one more concept, the only one with label 1 at two new points.

    Examples
    --------
    >>> isolated(Table([[0], [1]])).labels.tolist()
    [[0, 0, 0], [1, 0, 0], [0, 1, 1]]
    """
    labels = np.pad(table.labels, ((0, 1), (0, 2)))
    labels[-1] = [*table.labels[0], 1, 1]
    return Table(labels)


def with_complements(table: Table) -> Table:
    """Return the class of all concepts of a class and their complements.

    Examples
    --------
    >>> with_complements(Table([[0, 1, 1]])).labels.tolist()
    [[0, 1, 1], [1, 0, 0]]
    """
    return Table(_distinct(np.vstack([table.labels, 1 - table.labels])))


def numbered(table: Table) -> Table:
    """Return the class with additional points that encode the index of each concept in binary.

    Examples
    --------
    >>> numbered(Table([[0, 0], [0, 1], [1, 1]])).labels.tolist()
    [[0, 0, 0, 0], [0, 1, 1, 0], [1, 1, 0, 1]]
    """
    digits = max(1, (len(table) - 1).bit_length())
    numbers = np.arange(len(table))[:, None] >> np.arange(digits) & 1
    return Table(np.hstack([table.labels, numbers.astype(np.uint8)]))


def dual(table: Table) -> Table:
    """Return the dual class, with numbers as points."""
    return Table(table.dual().labels)


def product(one: Table, other: Table) -> Table:
    """Return the product of two classes: each concept joins one concept of each class.

    Examples
    --------
    >>> product(Table([[0], [1]]), Table([[1, 0]])).labels.tolist()
    [[0, 1, 0], [1, 1, 0]]
    """
    labels = np.hstack(
        [np.repeat(one.labels, len(other), axis=0), np.tile(other.labels, (len(one), 1))]
    )
    return Table(labels)


def disjoint_union(one: Table, other: Table) -> Table:
    """Return the disjoint union of two classes: each concept is 0 on the other class's points.

    Examples
    --------
    >>> disjoint_union(Table([[0], [1]]), Table([[0, 0], [1, 0]])).labels.tolist()
    [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    """
    first = np.pad(one.labels, ((0, 0), (0, len(other.points))))
    second = np.pad(other.labels, ((0, 0), (len(one.points), 0)))
    return Table(_distinct(np.vstack([first, second])))


def lexicographic_sum(one: Table, other: Table) -> Table:
    """Return the lexicographic sum: a copy of `other` on separate points for each concept of `one`.

    A concept of the sum consists of a concept c of `one` and a concept of the copy of `other` for
    c, and is 0 on all other copies. So a learner of the sum learns first c and then the other
    concept.

    Examples
    --------
    >>> lexicographic_sum(Table([[0], [1]]), Table([[0], [1]])).labels.tolist()
    [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 1]]
    """
    copies = np.eye(len(one), dtype=np.uint8)
    no_concepts = np.zeros((0, len(one.points) + len(one) * len(other.points)), dtype=np.uint8)
    labels = [no_concepts]
    labels += [
        np.hstack([np.tile(concept, (len(other), 1)), np.kron(copy, other.labels)])
        for concept, copy in zip(one.labels, copies, strict=True)
    ]
    return Table(np.vstack(labels))


def union(one: Table, other: Table) -> Table | None:
    """Return the union of two classes on the same points.

    The result is None if one class has more points.

    Examples
    --------
    >>> union(Table([[0, 0]]), Table([[0, 0], [1, 0]])).labels.tolist()
    [[0, 0], [1, 0]]
    """
    if len(one.points) != len(other.points):
        return None
    return Table(_distinct(np.vstack([one.labels, other.labels])))


CLOSURES: dict[str, Callable[[Table], Table]] = {
    "doubled": doubled,
    "isolated": isolated,
    "complement": lambda table: Table(1 - table.labels),
    "with complements": with_complements,
    "numbered": numbered,
    "dual": dual,
}
"""Operations that make a new class of one class, by name."""
JOINS: dict[str, Callable[[Table, Table], Table | None]] = {
    "product": product,
    "disjoint union": disjoint_union,
    "union": union,
    "lexicographic sum": lexicographic_sum,
}
"""Operations that make a new class of two classes, by name."""


def candidates(*, flips: bool = True, private: bool = False) -> Iterator[tuple[str, Table]]:
    """Yield all candidate classes by name, each once, on demand, with small members first.

    Classes that are equal up to the order of their points and concepts are usually yielded once.
    The comparison sorts points and concepts, which is a heuristic, so some classes are yielded more
    than once.

    Parameters
    ----------
    flips : bool
        Whether classes that differ by flips of labels count as equal. If not, complements are also
        yielded.
    private : bool
        Whether the classes on five points with known values of private learners come first. They
        are useful for statements about these values, because few other classes have known values.

    Examples
    --------
    >>> found = dict(itertools.islice(candidates(), 100))
    >>> found["hamming-ball:n=2,r=1,ones=1"].min_degree()
    1
    >>> found["isolated(hamming-ball:n=2,r=1,ones=1)"].min_degree()
    0
    """
    if private:
        yield from private_atlas_classes()
    found: set[bytes] = set()
    for name, table in _in_turn(
        (_with_closures(refuting_classes(), flips), 1),
        (_with_closures(members(), flips), MEMBERS_TURN),
        (_joined(), 1),
    ):
        if len(table) <= CONCEPTS and len(table.points) <= POINTS:
            key = _sorted(table.labels)
            if key not in found:
                found.add(key)
                yield name, table


def private_atlas_classes() -> Iterator[tuple[str, Table]]:
    """Yield the classes with known values of private learners beyond `ATLAS_POINTS`, with names.

    Examples
    --------
    >>> name, table = next(private_atlas_classes())
    >>> name.partition(":")[0], len(table.points)
    ('5', 5)
    """
    for points, mask, _ in all_private_values():
        if points > ATLAS_POINTS:
            yield orbit_name(points, mask), class_of_mask(points, mask)


def _in_turn(*streams: tuple[Iterator[T], int]) -> Iterator[T]:
    """Yield classes of several streams in turn, so that no stream waits for large classes."""
    left = list(streams)
    while left:
        for stream in list(left):
            some = list(itertools.islice(*stream))
            yield from some
            if len(some) < stream[1]:
                left.remove(stream)


def _with_closures(
    classes: Iterable[tuple[str, Table]], flips: bool
) -> Iterator[tuple[str, Table]]:
    found = set()
    for name, named in classes:
        table = Table(named.labels)
        if (key := _sorted(table.labels)) in found:
            continue
        found.add(key)
        yield name, table
        for operation, made in CLOSURES.items():
            if not (flips and operation == "complement"):
                yield f"{operation}({name})", made(table)


def _joined() -> Iterator[tuple[str, Table]]:
    """Yield small members joined to each other in every way, smallest first."""
    parts = list(enumerate(_parts()))
    pairs = itertools.combinations_with_replacement(parts, 2)
    for (_, (one, first)), (_, (other, second)) in sorted(
        pairs, key=lambda pair: (pair[0][0] + pair[1][0], pair[0][0])
    ):
        for operation, made in JOINS.items():
            if (table := made(first, second)) is not None:
                yield f"{operation}({one}; {other})", table


def _parts() -> Iterator[tuple[str, Table]]:
    """Yield small members of the catalog that differ beyond constant, equal or flipped points."""
    seen, found = set(), set()
    for name, member in members():
        if len(member.points) > JOINED_POINTS:
            return
        if 2 <= len(member) <= JOINED_CONCEPTS:
            flipped = member.labels ^ member.labels[:1]
            columns = np.unique(flipped[:, flipped.any(axis=0)], axis=1)
            if (alike := _sorted(columns)) in seen:
                continue
            seen.add(alike)
            least = Table(columns).canonical().labels
            if (key := (least.shape, least.tobytes())) not in found:
                found.add(key)
                yield name, Table(member.labels)


def _distinct(labels: np.ndarray) -> np.ndarray:
    """Return each row once, in the order of their first places."""
    first = np.sort(np.unique(labels, axis=0, return_index=True)[1])
    kept: np.ndarray = labels[first]
    return kept


def _sorted(labels: np.ndarray) -> bytes:
    """Return labels with rows and columns sorted, which ignores most orders of points."""
    by_weight = np.argsort(labels.sum(axis=0), kind="stable")
    labels = labels[:, by_weight]
    for _ in range(4):
        labels = labels[np.lexsort(labels.T)]
        labels = labels[:, np.lexsort(labels)]
    return b"%d,%d:" % labels.shape + np.packbits(labels).tobytes()
