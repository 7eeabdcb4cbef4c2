"""How few examples tell concepts apart: least, positive, and recursive teaching sets."""

from __future__ import annotations

from collections.abc import Callable

from catalog.parameters.base import Numbers, parameter, projected, subsets

Size = Callable[[int, Numbers, int], int]


def teaching_size(concept: int, numbers: Numbers, points: int) -> int:
    """The least number of points that tell a concept from all others."""
    return min(
        s.bit_count()
        for s in subsets(points)
        if all((concept ^ other) & s for other in numbers if other != concept)
    )


def positive_size(concept: int, numbers: Numbers, points: int) -> int:
    """The least number of points of a concept that no other contains; points + 1 without any."""
    return min(
        (
            s.bit_count()
            for s in subsets(points)
            if not s & ~concept and all(s & ~other for other in numbers if other != concept)
        ),
        default=points + 1,
    )


def _recursive(size: Size, numbers: Numbers, points: int) -> int:
    """The largest least size if the concepts of least size are removed again and again.

    Sizes do not grow with fewer concepts, so that to remove all of least size is best.
    """
    left, most = numbers, 0
    while left:
        sizes = {c: size(c, left, points) for c in left}
        most = max(most, min(sizes.values()))
        left = left - {c for c in left if sizes[c] <= most}
    return most


@parameter("minimum teaching set size", "TS_min")
def minimum_teaching_set_size(numbers: Numbers, points: int) -> int:
    """The least number of points whose labels tell some concept from all others."""
    return min(teaching_size(c, numbers, points) for c in numbers)


def recursive_teaching(numbers: Numbers, points: int) -> int:
    """The recursive teaching dimension."""
    return _recursive(teaching_size, numbers, points)


projected(
    "least number of points that teach some concept",
    "TS_min^p",
    "projected_minimum_teaching_set_size",
    minimum_teaching_set_size,
)
projected(
    "recursive teaching dimension", "RTD^p", "projected_recursive_teaching_dim", recursive_teaching
)


@parameter("positive teaching dimension", "TD+", flips_change=True)
def positive_teaching_dim(numbers: Numbers, points: int) -> int:
    """The largest, over the concepts, of the least number of points with label 1 that tell a
    concept from all others; one more than there are points if some concept is contained in
    another, which no such points tell from it.
    """
    return max(positive_size(c, numbers, points) for c in numbers)


@parameter("positive recursive teaching dimension", "RTD+", flips_change=True)
def positive_recursive_teaching_dim(numbers: Numbers, points: int) -> int:
    """The least k for which the concepts can be removed one by one, each told from those that
    remain by at most k points with label 1.

    It is defined for every class: a concept that no other contains is told by all its points.
    """
    return _recursive(positive_size, numbers, points)


@parameter("hitting size", "HT", flips_change=True)
def hitting_size(numbers: Numbers, points: int) -> int:
    """The least number of points that meet each concept but the empty one.

    As many teach the empty concept against the class.
    """
    return min(s.bit_count() for s in subsets(points) if all(c & s for c in numbers if c))
