"""Bounds on the list replicability number.

A learner is list-replicable if, for every realizable distribution, a short list of hypotheses of
small error contains the output with high probability. ``docs/parameters.md`` proves the bounds.

The upper bound uses *guides*. A guide of a class is a set of labellings with the following
property. For every non-empty sample that some concept agrees with, consider the labellings of the
guide that agree with the sample. The subcubes of these labellings form a contractible complex.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

from catalog.parameters.base import (
    Named,
    Numbers,
    Parts,
    evidence,
    not_a_label,
    parameter,
    pattern_on,
    subsets,
    unknown_names,
)
from lsclasses.dimensions.definitions import Labels, Problem
from lsclasses.point_names import name_text
from lsclasses.searching.bitsets import members

GUIDED = 4
"""Largest number of points for which all guides (`list_replicability_upper`) are tried."""

REFERENCE = "Chase, Moran and Yehudayoff 2023"

Sample = tuple[int, int]
"""The points of a sample, and its points with label 1, as sets of bits."""

# ---- lower bound


@parameter("lower bound on list replicability", "LR_low", reference=REFERENCE)
def list_replicability_lower(numbers: Numbers, points: int) -> int:
    """One more than the largest number of points that are shattered by the concepts with a given
    label at some other point, and 1 if the class has no points. This number is a lower bound on the
    list replicability number: the least L such that, for every error e > 0, some learner has the
    following property. For each realizable distribution, some list of L labellings of error at most
    e contains the output of the learner with high probability.
    """
    return 1 + max(
        (s.bit_count() for j in range(points) for y in (0, 1) for s in _shattered(numbers, j, y)),
        default=0,
    )


def _shattered(numbers: Numbers, point: int, label: int) -> list[int]:
    """Return the sets that the concepts with a label at a point shatter."""
    here = [c for c in numbers if c >> point & 1 == label]
    above = max(numbers).bit_length()
    return [s for s in subsets(above) if len({c & s for c in here}) == 2 ** s.bit_count()]


# ---- upper bound


def samples_of(points: int) -> list[Sample]:
    """Return all non-empty samples of different points."""
    return [(s, ones) for s in range(1, 1 << points) for ones in range(s + 1) if ones & ~s == 0]


@cache
def guides(points: int) -> tuple[np.ndarray, dict[Sample, np.ndarray]]:
    """Return, by the mask of each class, its dimension as a guide and its contractible samples.

    The dimension of a class is the largest dimension of a subcube of the class that fixes the label
    of a point. For a sample, the array contains whether the subcubes of the class that agree with
    the sample form a contractible complex. These subcubes have at most three free points. Such a
    complex is contractible if and only if it is connected and has Euler characteristic 1.

    Examples
    --------
    >>> dimensions, contractible = guides(2)
    >>> int(dimensions[0b1111]), bool(contractible[1, 0][0b1111])
    (1, True)
    """
    masks = np.arange(1 << (1 << points))
    whole = (1 << points) - 1
    dimensions = np.zeros(len(masks), dtype=np.int8)
    contractible = {sample: np.zeros(len(masks), dtype=np.int64) for sample in samples_of(points)}
    for fixed, ones in contractible:
        inside = _concepts(fixed, ones, points)
        contained = masks & inside == inside
        free = (whole & ~fixed).bit_count()
        dimensions[contained] = np.maximum(dimensions[contained], free)
        for s in _samples_within(fixed):
            contractible[s, ones & s] += contained * (-1) ** free
    return dimensions, {
        (s, ones): (euler == 1) & _connected(masks & _concepts(s, ones, points), points)
        for (s, ones), euler in contractible.items()
    }


def _concepts(fixed: int, ones: int, points: int) -> int:
    """Return the mask of all labellings that agree with a sample."""
    return sum(1 << c for c in range(1 << points) if c & fixed == ones)


def _samples_within(fixed: int) -> list[int]:
    return [s for s in range(1, fixed + 1) if s & ~fixed == 0]


def _connected(masks: np.ndarray, points: int) -> np.ndarray:
    """Return whether each class is connected by steps that change one label."""
    reached = masks & -masks
    low = [_concepts(1 << j, 0, points) for j in range(points)]
    for _ in range(1 << points):
        for j, zeros in enumerate(low):
            up, down = (reached & zeros) << (1 << j), (reached >> (1 << j)) & zeros
            reached = (reached | up | down) & masks
    found: np.ndarray = reached == masks
    return found


def best_guide(numbers: Numbers, points: int) -> tuple[int, int]:
    """Return the least dimension of a guide of a class, and the mask of a smallest such guide."""
    dimensions, contractible = guides(points)
    good = np.ones(len(dimensions), dtype=bool)
    for (s, ones), each in contractible.items():
        if any(c & s == ones for c in numbers):
            good &= each
    least = int(dimensions[good].min())
    masks = np.flatnonzero(good & (dimensions == least))
    return least, min(masks.tolist(), key=int.bit_count)


def most_alike(numbers: Numbers, points: int) -> int:
    """Return the largest number of concepts that agree with one example."""
    ones = [sum(c >> j & 1 for c in numbers) for j in range(points)]
    return max((max(n, len(numbers) - n) for n in ones), default=1)


@parameter("upper bound on list replicability", "LR_up", GUIDED, reference=REFERENCE)
def list_replicability_upper(numbers: Numbers, points: int) -> int:
    """The smaller of two upper bounds on the list replicability number of the class, which
    `list_replicability_lower` defines. The first bound is the largest number of concepts that agree
    with one example. The second bound is one more than the least dimension of a guide. A guide is a
    set of labellings of the points. For every non-empty sample that some concept agrees with, the
    subcubes of labellings of the guide that agree with the sample form a contractible complex. The
    dimension of a guide is the largest dimension of such a subcube for one example. A class on no
    points has the value 1.
    """
    if not points:
        return 1
    return min(1 + best_guide(numbers, points)[0], most_alike(numbers, points))


# ---- searches for witnesses


def find_ball(C: Named, value: int) -> Parts:
    """Return an example and points that the concepts with this example shatter."""
    for j in range(C.n):
        for y in (0, 1):
            for s in _shattered(C.numbers, j, y):
                if s.bit_count() == value - 1 and any(c >> j & 1 == y for c in C.rows):
                    return {"sample": C.sample(1 << j, y << j), "points": C.points(s)}
    return {"sample": (), "points": ()}


def find_guide(C: Named, value: int) -> Parts:
    """Return the labellings of a guide, or none if every example agrees with few concepts."""
    if not C.n or most_alike(C.numbers, C.n) <= value:
        return {"labellings": ()}
    _, guide = best_guide(C.numbers, C.n)
    return {"labellings": tuple(tuple(c >> j & 1 for j in range(C.n)) for c in members(guide))}


# ---- checks of witnesses


def check_ball(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in an example and the points that its concepts shatter, or ""."""
    sample, points = parts["sample"], parts["points"]
    if problem := unknown_names(labels, [*(x for x, _ in sample), *points]):
        return problem
    if len(points) != value - 1:
        return f"the sample needs {value - 1} points"
    if len(sample) != 1 and (points or sample):
        return "the sample has one example"
    for pattern in itertools.product((0, 1), repeat=len(points)):
        if not labels.fits([*sample, *zip(points, pattern, strict=True)]):
            return f"no concept agrees with the sample and has the labels {pattern} at the points"
    return ""


def check_guide(labels: Labels, parts: Parts, value: int) -> Problem:
    """Return the error in the labellings of a guide, or ""."""
    rows, points = [tuple(row) for row in parts["labellings"]], labels.points
    if not rows:
        return _check_counts(labels, value)
    if any(len(row) != len(points) for row in rows):
        return f"a labelling has {len(points)} labels"
    if problem := not_a_label(y for row in rows for y in row):
        return problem
    if len(set(rows)) < len(rows):
        return "the labellings must be different"
    if value < 1:
        return "a list has at least one hypothesis"
    if len(points) > GUIDED:
        return f"the Euler characteristic decides on at most {GUIDED} points"
    shown = {pattern_on(labels, c, points) for c in labels.concepts}
    for cube in itertools.product((0, 1, None), repeat=len(points)):
        sample = {j: y for j, y in enumerate(cube) if y is not None}
        if not sample or not any(_agrees(row, sample) for row in shown):
            continue
        inside = [row for row in rows if _agrees(row, sample)]
        if not inside or not _is_connected(inside) or _euler(inside) != 1:
            named = ", ".join(f"({name_text(points[j])}, {y})" for j, y in sample.items())
            return f"the labellings that agree with {named} form no contractible complex"
        if len(sample) == 1 and (most := max(_dimensions(inside))) >= value:
            return f"a subcube has the dimension {most}"
    return ""


def _check_counts(labels: Labels, value: int) -> Problem:
    if value < 1:
        return "a list has at least one hypothesis"
    for x in labels.points:
        for y in (0, 1):
            alike = sum(labels.label(c, x) == y for c in labels.concepts)
            if alike > value:
                return f"{alike} concepts have the label {y} at {name_text(x)}"
    return ""


Row = tuple[int, ...]


def _agrees(row: Row, sample: dict[int, int]) -> bool:
    return all(row[j] == y for j, y in sample.items())


def _is_connected(rows: list[Row]) -> bool:
    reached, rest = {rows[0]}, set(rows[1:])
    while near := {b for b in rest if any(sum(map(int.__ne__, a, b)) == 1 for a in reached)}:
        reached |= near
        rest -= near
    return not rest


def _dimensions(rows: list[Row]) -> list[int]:
    """Return the dimensions of all subcubes of labellings."""
    found = []
    for cube in itertools.product((0, 1, None), repeat=len(rows[0])):
        fixed = {j: y for j, y in enumerate(cube) if y is not None}
        free = len(rows[0]) - len(fixed)
        if sum(_agrees(row, fixed) for row in rows) == 2**free:
            found.append(free)
    return found


def _euler(rows: list[Row]) -> int:
    return sum((-1) ** dimension for dimension in _dimensions(rows))


# ---- the parts of witnesses


evidence(
    "list_replicability_lower",
    "an example, and n - 1 points that the concepts with this example shatter (n is the value)",
    find_ball,
    check_ball,
)
evidence(
    "list_replicability_upper",
    "the labellings of a guide whose subcubes have dimensions less than n, or no labellings if at "
    "most n concepts agree with each example (n is the value)",
    find_guide,
    check_guide,
    at_most=True,
)
