"""Facts about the values of the private atlas, computed from the installed file.

All comparisons of two values use the bounds: a value is larger if its lower bound exceeds the other
upper bound.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from catalog.atlas import POINTS, classes
from catalog.atlas.atlas_table import AtlasClass
from catalog.atlas.private_values import PrivateColumn, private_values
from lsclasses.brackets import Bracket
from lsclasses.dimensions.base import DIMENSIONS

PREDICTORS = ("randomized_ldim", "log_size", "ldim", "vcdim", "teaching_dim", "star_number")
"""Parameters whose rank correlation with a value is computed."""


@dataclass(frozen=True)
class ValuedClass:
    """A class of the atlas with a value.

    Attributes
    ----------
    known : AtlasClass
        Class of the atlas.
    value : Bracket
        Bounds on the value of the class.
    """

    known: AtlasClass
    value: Bracket


def valued(column: PrivateColumn, points: Sequence[int] = POINTS) -> list[ValuedClass]:
    """Return the classes of at least two concepts with a known value.

    Examples
    --------
    >>> len(valued(PrivateColumn("V", 1, Fraction(1)), (3,)))
    20
    """
    return [
        ValuedClass(each, values[column])
        for n in points
        for each in classes(n)
        if each.mask.bit_count() > 1 and column in (values := private_values(n, each.mask))
    ]


def parameter(name: str) -> Callable[[ValuedClass], float]:
    """Return the function that reads a parameter of a class, or the logarithm of its size."""
    if name == "log_size":
        return lambda each: float(np.log2(each.known.mask.bit_count()))
    return lambda each: float(each.known[name])  # type: ignore[arg-type]


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """Return the ranks of numbers, where equal numbers share the mean of their ranks.

    Examples
    --------
    >>> ranks([3.0, 1.0, 3.0]).tolist()
    [1.5, 0.0, 1.5]
    """
    found = np.array(values)
    _, which, counts = np.unique(found, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: NDArray[np.float64] = (ends - 1 + ends - counts) / 2
    return means[which]


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's correlation of two sequences.

    Examples
    --------
    >>> rank_correlation([1, 2, 3], [5, 7, 6])
    0.5
    """
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def correlations(found: Sequence[ValuedClass]) -> dict[str, float]:
    """Return the rank correlation of the value with each of `PREDICTORS`."""
    values = [float(each.value.middle) for each in found]
    return {
        name: rank_correlation([read(each) for each in found], values)
        for name, read in ((name, parameter(name)) for name in PREDICTORS)
    }


def reversed_pairs(found: Sequence[ValuedClass], name: str) -> tuple[int, int]:
    """Return the number of pairs of classes that differ in a parameter, and of reverse pairs.

    In a reverse pair, the class with the smaller parameter certainly has the larger value.
    """
    read = parameter(name)
    different = contrary = 0
    for one, other in itertools.combinations(found, 2):
        a, b = read(one), read(other)
        if a != b:
            small, large = (one, other) if a < b else (other, one)
            different += 1
            contrary += small.value.lower > large.value.upper
    return different, contrary


@dataclass(frozen=True)
class DifferentPair:
    """Two classes with equal parameters and different values.

    Attributes
    ----------
    first, second : ValuedClass
        The class with the smaller value, and the other class.
    gap : Fraction
        Certified difference.
    """

    first: ValuedClass
    second: ValuedClass
    gap: Fraction


def dimension_names(found: Sequence[ValuedClass]) -> tuple[str, ...]:
    """Return the dimensions of the atlas that all classes have, with the size."""
    shared = set.intersection(*(set(each.known.quantities) for each in found))
    return ("size", *(name for name in DIMENSIONS if name in shared))


def equal_parameters(found: Sequence[ValuedClass]) -> Iterator[DifferentPair]:
    """Yield the pairs on equally many points with equal dimensions and different values."""
    names = dimension_names(found)
    groups: dict[object, list[ValuedClass]] = {}
    for each in found:
        key = each.known.points, *(each.known[name] for name in names)
        groups.setdefault(key, []).append(each)
    for group in groups.values():
        for one, other in itertools.combinations(group, 2):
            low, high = sorted((one, other), key=lambda each: each.value.middle)
            gap = high.value.lower - low.value.upper
            if gap > 0:
                yield DifferentPair(low, high, gap)


def supports_uniform(concepts: Sequence[Sequence[int]], strength: int) -> bool:
    """Return whether some distribution of concepts is uniform on every set of `strength` points.

    The labels of a random concept at these points are then independent fair coins. The support of
    such a distribution is an orthogonal array. If the strength exceeds the number of points, the
    distribution must be uniform on all labellings of all points.

    Examples
    --------
    >>> even = [(0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)]
    >>> supports_uniform(even, 2), supports_uniform(even, 3), supports_uniform(even[1:], 2)
    (True, False, False)
    """
    labels = np.array(concepts)
    rows, right = [np.ones(len(labels))], [1.0]
    for points in itertools.combinations(range(labels.shape[1]), min(strength, labels.shape[1])):
        for pattern in itertools.product((0, 1), repeat=len(points)):
            rows.append((labels[:, points] == pattern).all(axis=1).astype(float))
            right.append(0.5 ** len(points))
    from scipy.optimize import linprog

    found = linprog(np.zeros(len(labels)), A_eq=np.array(rows), b_eq=right, method="highs-ds")
    return bool(found.status == 0)


def equals_cube(found: Sequence[ValuedClass], size: int) -> tuple[int, int, int]:
    """Return the numbers of classes that may have the value of the class of all labellings.

    Returns
    -------
    (int, int, int)
        Number of classes with a distribution that is uniform on every set of ``size + 1`` points,
        number of these classes whose bounds overlap the bounds of the cube, and number of the
        remaining classes whose bounds overlap these bounds.
    """
    cubes = {
        each.known.points: each.value
        for each in found
        if each.known.mask.bit_count() == 1 << each.known.points
    }
    uniform = overlapping = others = 0
    for each in found:
        cube = cubes[each.known.points]
        overlaps = each.value.upper >= cube.lower
        if supports_uniform(each.known.table.labels.tolist(), size + 1):
            uniform += 1
            overlapping += overlaps
        else:
            others += overlaps
    return uniform, overlapping, others


@dataclass(frozen=True)
class ValueRange:
    """The least and the largest value of the classes with a number of concepts.

    Attributes
    ----------
    concepts : int
        Number of concepts of the classes.
    least, largest : ValuedClass
        Classes with the least and the largest value.
    """

    concepts: int
    least: ValuedClass
    largest: ValuedClass


def extremes(found: Sequence[ValuedClass]) -> Iterator[ValueRange]:
    """Yield the classes of the least and the largest value for each number of concepts."""
    by_size: dict[int, list[ValuedClass]] = {}
    for each in found:
        by_size.setdefault(each.known.mask.bit_count(), []).append(each)
    for size, group in sorted(by_size.items()):
        least = min(group, key=lambda each: each.value.middle)
        yield ValueRange(size, least, max(group, key=lambda each: each.value.middle))
