"""Teaching, by its definitions."""

from __future__ import annotations

import itertools

from tests.oracles.dimensions import PlainClass, PlainConcept, points_of


def teaching_set_size(c: PlainConcept, C: PlainClass) -> int:
    """The least number of points whose labels tell c from every other concept of C."""
    return min(
        k
        for k in range(len(c) + 1)
        for x in itertools.combinations(range(len(c)), k)
        if all(h == c or any(h[z] != c[z] for z in x) for h in C)
    )


def teaching_dim(C: PlainClass) -> int:
    """The teaching dimension (Goldman and Kearns 1995): the largest least teaching set.

    A teaching set of a concept is a set of points whose labels tell it from all others. -1 for
    the empty class, which has no concept to teach.

    Examples
    --------
    >>> teaching_dim([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    3
    """
    return max((teaching_set_size(c, C) for c in C), default=-1)


def recursive_teaching_dim(C: PlainClass) -> int:
    """The recursive teaching dimension (Zilles, Lange, Holte and Zinkevich 2011).

    A teaching plan takes the concepts in some order, each taught against those that are left. Its
    order is the largest teaching set used; the dimension is the least order of all plans. -1 for
    the empty class.

    Examples
    --------
    >>> recursive_teaching_dim([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    1
    """
    known: dict[frozenset[PlainConcept], int] = {frozenset(): -1}

    def least_order(left: frozenset[PlainConcept]) -> int:
        if left not in known:
            known[left] = min(
                max(teaching_set_size(c, left), least_order(left - {c})) for c in left
            )
        return known[left]

    return least_order(frozenset(C))


def extended_teaching_dim(C: PlainClass) -> int:
    """The extended teaching dimension (Hegedűs 1995): labellings are specified, concepts or not.

    Points specify a labelling if at most one concept agrees with it there.

    Examples
    --------
    >>> extended_teaching_dim([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    2
    """
    points = points_of(C)
    return max(
        min(
            k
            for k in range(len(points) + 1)
            for x in itertools.combinations(points, k)
            if sum(all(h[z] == f[z] for z in x) for h in C) <= 1
        )
        for f in itertools.product((0, 1), repeat=len(points))
    )


def no_clash(C: PlainClass, useful: tuple[int, ...]) -> int:
    """The least size of the largest lesson, without clashes, of points with a useful label.

    Two concepts clash if each agrees with the lesson of the other (Kirkpatrick, Simon and Zilles
    2019).
    """
    concepts = list(C)

    def lessons(c: PlainConcept, size: int) -> list[tuple[int, ...]]:
        points = [x for x in points_of(C) if c[x] in useful]
        return [x for k in range(size + 1) for x in itertools.combinations(points, k)]

    def agrees(c: PlainConcept, h: PlainConcept, lesson: tuple[int, ...]) -> bool:
        return all(c[x] == h[x] for x in lesson)

    def possible(given: list[tuple[int, ...]], size: int) -> bool:
        """Whether the concepts after the first few, which have lessons, can get theirs."""
        if len(given) == len(concepts):
            return True
        c = concepts[len(given)]
        return any(
            not any(
                agrees(c, h, other) and agrees(h, c, lesson)
                for h, other in zip(concepts, given, strict=False)
            )
            and possible([*given, lesson], size)
            for lesson in lessons(c, size)
        )

    if not C:
        return -1
    return next(size for size in itertools.count() if possible([], size))


def no_clash_teaching_dim(C: PlainClass) -> int:
    """The no-clash teaching dimension (Kirkpatrick, Simon and Zilles 2019); -1 for the empty class.

    Examples
    --------
    >>> no_clash_teaching_dim([(0, 0), (0, 1), (1, 0), (1, 1)])
    1
    """
    return no_clash(C, (0, 1))


def positive_no_clash_teaching_dim(C: PlainClass) -> int:
    """The no-clash teaching dimension if lessons have points with label 1 only.

    Examples
    --------
    >>> positive_no_clash_teaching_dim([(0, 0), (0, 1), (1, 0), (1, 1)])
    2
    """
    return no_clash(C, (1,))
