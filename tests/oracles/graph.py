"""The one-inclusion graph and its parts, one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator
from fractions import Fraction

from tests.oracles.dimensions import PlainClass, PlainConcept


def degrees(C: Collection[PlainConcept]) -> list[int]:
    """The degree of each concept: the number of concepts at Hamming distance 1."""
    return [sum(sum(a != b for a, b in zip(c, h, strict=True)) == 1 for h in C) for c in C]


def parts(C: PlainClass) -> Iterator[tuple[PlainConcept, ...]]:
    """Every class of some of the concepts that is not empty."""
    for size in range(1, len(C) + 1):
        yield from itertools.combinations(C, size)


def min_degree(C: PlainClass) -> int:
    """The least degree in the one-inclusion graph; -1 for the empty class, as for all of these.

    Examples
    --------
    >>> min_degree([(0, 0), (0, 1), (1, 1)])
    1
    """
    return min(degrees(C), default=-1)


def max_degree(C: PlainClass) -> int:
    """The largest degree in the one-inclusion graph.

    Examples
    --------
    >>> max_degree([(0, 0), (0, 1), (1, 1)])
    2
    """
    return max(degrees(C), default=-1)


def average_degree(C: PlainClass) -> Fraction:
    """The average degree in the one-inclusion graph.

    Examples
    --------
    >>> average_degree([(0, 0), (0, 1), (1, 1)])
    Fraction(4, 3)
    """
    return Fraction(sum(degrees(C)), len(C)) if C else Fraction(-1)


def degeneracy(C: PlainClass) -> int:
    """The degeneracy: the largest minimum degree of a subgraph of the one-inclusion graph.

    Examples
    --------
    >>> degeneracy([(0, 0), (0, 1), (1, 1)])
    1
    """
    return max(map(min_degree, parts(C)), default=-1)


def density(C: PlainClass) -> Fraction:
    """The density: the largest ratio of edges to vertices in a subgraph of the one-inclusion graph.

    Haussler, Littlestone and Warmuth 1994; -1 for the empty class.

    Examples
    --------
    >>> density([(0, 0), (0, 1), (1, 1)])
    Fraction(2, 3)
    """
    return max((average_degree(part) / 2 for part in parts(C)), default=Fraction(-1))
