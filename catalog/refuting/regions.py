"""Regions of nonnegative constants that satisfy linear inequalities, computed exactly.

Each class gives one inequality ``weights . constants >= least``. A point of the region is *least*
if every other point of the region is larger in some constant. All least points lie on the line
segments between the least corners, and `least_corners` returns these corners.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lsclasses.table import Table

MOST_CONSTANTS = 2
"""Largest number of constants."""
Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Constraint:
    """Inequality ``weights . constants >= least`` for one class.

    Attributes
    ----------
    weights : tuple of Fraction
    least : Fraction
    name : str
        Permanent name or specification of the class.
    table : Table
    """

    weights: Point
    least: Fraction
    name: str
    table: Table

    def value(self, constants: Point) -> Fraction:
        """Return the weighted sum of the constants."""
        return sum((w * v for w, v in zip(self.weights, constants, strict=True)), start=Fraction(0))


@dataclass(frozen=True)
class Corner:
    """A corner of the region such that no other point of the region is at most as large.

    So every change of the constants that lowers one constant and raises none leaves the region.

    Attributes
    ----------
    values : tuple of Fraction
    because : tuple of Constraint
        Classes on which both sides are equal at the corner, one for each constant that is not 0.
    """

    values: Point
    because: tuple[Constraint, ...]


def strongest(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Return the constraints that neither nonnegative constants nor a parallel one imply.

    If several constraints are equal, the first of them remains.

    Examples
    --------
    >>> C, one = Table([[0]]), Fraction(1)
    >>> made = [Constraint((one,), Fraction(least), str(least), C) for least in (-1, 1, 3, 2)]
    >>> [each.name for each in strongest(made)]
    ['3']
    """
    kept: dict[Point, tuple[Fraction, Constraint]] = {}
    for each in constraints:
        if each.least <= 0 and min(each.weights) >= 0:
            continue
        scale = max(map(abs, each.weights))
        if not scale:
            # No constants satisfy this constraint, so it implies every other one.
            return [each]
        direction, least = tuple(w / scale for w in each.weights), each.least / scale
        if direction not in kept or least > kept[direction][0]:
            kept[direction] = least, each
    return [each for _, each in kept.values()]


def least_corners(constraints: Sequence[Constraint], constants: int) -> tuple[Corner, ...]:
    """Return the least corners of the region, in the order of their values.

    Parameters
    ----------
    constraints : sequence of Constraint
    constants : int
        Number of constants, 1 or 2.

    Examples
    --------
    >>> C, row = Table([[0]]), lambda *w: tuple(map(Fraction, w))
    >>> sums = [Constraint(row(1, 1), Fraction(2), "sum", C)]
    >>> [tuple(map(int, corner.values)) for corner in least_corners(sums, 2)]
    [(0, 2), (2, 0)]
    >>> bounded = [*sums, Constraint(row(-1, 0), Fraction(-1), "c <= 1", C)]
    >>> [tuple(map(int, corner.values)) for corner in least_corners(bounded, 2)]
    [(0, 2), (1, 1)]
    """
    found: dict[Point, Corner] = {}
    for values, because in _intersections(constraints, constants):
        if (
            values not in found
            and min(values) >= 0
            and all(each.value(values) >= each.least for each in constraints)
            and _is_least(values, constraints)
        ):
            found[values] = Corner(values, because)
    return tuple(found[values] for values in sorted(found))


def conflict(constraints: Sequence[Constraint], constants: int) -> tuple[Constraint, ...]:
    """Return a minimal set of constraints that no nonnegative constants satisfy together.

    The set is empty if the region is not empty. It has at most one constraint more than there are
    constants.

    Examples
    --------
    >>> C, row = Table([[0]]), lambda *w: tuple(map(Fraction, w))
    >>> above = Constraint(row(1, -1), Fraction(1), "c >= d + 1", C)
    >>> below = Constraint(row(-1, 1), Fraction(1), "d >= c + 1", C)
    >>> [each.name for each in conflict([above, below], 2)], conflict([above], 2)
    (['c >= d + 1', 'd >= c + 1'], ())
    """
    found = _contradiction(constraints, constants)
    if found is None:
        return ()
    needed = [each for each in constraints if each in found]
    for each in reversed(needed):
        fewer = [other for other in needed if other is not each]
        if _contradiction(fewer, constants) is not None:
            needed = fewer
    return tuple(needed)


def upper_bound(constraints: Iterable[Constraint]) -> Constraint | None:
    """Return a constraint that some large constants violate, or None if no such constraint exists.

    If there is one constant, the constraint gives its least upper bound.
    """
    bounds = [each for each in constraints if min(each.weights) < 0]
    if bounds and len(bounds[0].weights) == 1:
        return min(bounds, key=lambda each: each.least / each.weights[0])
    return bounds[0] if bounds else None


def _intersections(
    constraints: Sequence[Constraint], constants: int
) -> Iterator[tuple[Point, tuple[Constraint, ...]]]:
    """Yield the origin, and the points where borders meet each other or an axis."""
    zero = Fraction(0)
    yield (zero,) * constants, ()
    for each in constraints:
        for i, weight in enumerate(each.weights):
            if weight > 0:
                values = [zero] * constants
                values[i] = each.least / weight
                yield tuple(values), (each,)
    if constants == 2:
        for one, other in itertools.combinations(constraints, 2):
            (a, b), (c, d) = one.weights, other.weights
            if determinant := a * d - b * c:
                first = (one.least * d - b * other.least) / determinant
                second = (a * other.least - one.least * c) / determinant
                yield (first, second), (one, other)


def _is_least(values: Point, constraints: Iterable[Constraint]) -> bool:
    """Return whether every direction without a positive entry leaves the region at a point.

    The region is convex, so it is enough that a small step leaves it. A step ``-(s, 1 - s)`` with
    0 <= s <= 1 stays on the right side of each border through the point for s in an interval.
    """
    zero, one = Fraction(0), Fraction(1)
    active = [each.weights for each in constraints if each.value(values) == each.least]
    axes = tuple(tuple(Fraction(i == j) for j in range(len(values))) for i in range(len(values)))
    active += [axis for axis, value in zip(axes, values, strict=True) if value == 0]
    if len(values) == 1:
        return any(weights[0] > 0 for weights in active)
    low, high = zero, one
    for first, second in active:
        # The step keeps the inequality if first * s + second * (1 - s) <= 0.
        slope = first - second
        if slope > 0:
            high = min(high, -second / slope)
        elif slope < 0:
            low = max(low, -second / slope)
        elif second > 0:
            return True
    return low > high


Row = tuple[Point, Fraction, tuple[Constraint, ...]]


def _contradiction(
    constraints: Sequence[Constraint], constants: int
) -> tuple[Constraint, ...] | None:
    """Return constraints that contradict each other, by Fourier-Motzkin elimination, or None."""
    axes = [tuple(Fraction(i == j) for j in range(constants)) for i in range(constants)]
    rows: list[Row] = [(axis, Fraction(0), ()) for axis in axes]
    rows += [(each.weights, each.least, (each,)) for each in constraints]
    for _ in range(constants):
        rows = list(_eliminated(rows))
    return next((because for _, least, because in rows if least > 0), None)


def _eliminated(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the inequalities that remain of the others without the last constant."""
    for weights, least, because in rows:
        if weights[-1] == 0:
            yield weights[:-1], least, because
    positive = [row for row in rows if row[0][-1] > 0]
    negative = [row for row in rows if row[0][-1] < 0]
    for (one, at_least, because), (other, least, also) in itertools.product(positive, negative):
        p, q = -other[-1], one[-1]
        pairs = zip(one[:-1], other[:-1], strict=True)
        weights = tuple(p * a + q * b for a, b in pairs)
        yield weights, p * at_least + q * least, (*because, *also)
