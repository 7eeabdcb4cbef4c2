"""Degrees of the one-inclusion graph, in which concepts that differ at one point are neighbours."""

from __future__ import annotations

from fractions import Fraction

from catalog.parameters.base import PAIRS, Numbers, parameter, projected


def _edges(numbers: Numbers, points: int) -> list[tuple[int, int]]:
    return [
        (c, c | 1 << j)
        for c in numbers
        for j in range(points)
        if not c & 1 << j and c | 1 << j in numbers
    ]


def _degrees(numbers: Numbers, points: int) -> list[int]:
    ends = [end for edge in _edges(numbers, points) for end in edge]
    return [ends.count(c) for c in numbers]


def _maximum_degree(numbers: Numbers, points: int) -> int:
    return max(_degrees(numbers, points))


def _minimum_degree(numbers: Numbers, points: int) -> int:
    return min(_degrees(numbers, points))


def _average_degree(numbers: Numbers, points: int) -> Fraction:
    return Fraction(2 * len(_edges(numbers, points)), len(numbers))


@parameter("maximum positive degree", "deg+", PAIRS, flips_change=True)
def maximum_positive_degree(numbers: Numbers, points: int) -> int:
    """The largest number of neighbours of a concept that are contained in it."""
    upper = [d for _, d in _edges(numbers, points)]
    return max(upper.count(c) for c in numbers)


projected("maximum degree", "d_max^p", "projected_maximum_degree", _maximum_degree)
projected("minimum degree", "d_min^p", "projected_minimum_degree", _minimum_degree)
projected("average degree", "2|E|/|V|^p", "projected_average_degree", _average_degree, whole=False)
