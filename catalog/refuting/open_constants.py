"""Least constants of open statements such as ``ldim <= c*vcdim + d``.

The two sides are formulas in parameters and in one or two constants, named by single letters. On
each class the statement is a linear inequality in the constants. The constants that all visited
classes allow form a region, which is computed exactly. The region that all classes allow may be
smaller.

The values of formulas such as ``c*vcdim + d`` are linear functions of the constants. A formula is
evaluated once on a class, with a `LinearFunction` in place of each constant. The
operations of a formula either give a linear function again or raise `NotLinear`, so no rounding,
minimum or power of a constant is mistaken for a linear function.

Each class gives one inequality ``weights . constants >= least``. A point of the region is *least*
if every other point of the region is larger in some constant. All least points lie on the line
segments between the least corners, and `least_corners` returns these corners.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from catalog.refuting.candidates import candidates
from catalog.refuting.hunt import PATIENCE, SHARE
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import survey
from lsclasses.brackets import Bracket
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.logarithms import Logarithmic
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.isomorphism import class_of_mask, orbit_name
from lsclasses.limits import Limit
from lsclasses.table import Table

# ---- linear


class NotLinear(InvalidInput):
    """Error for a formula that is not a linear function of its constants."""


def _not_linear(*_: object) -> NoReturn:
    raise NotLinear(
        "Constants are only added, subtracted, and multiplied or divided by rational numbers."
    )


def _lower(value: Fraction | Bracket) -> Fraction:
    """Return the lower bound of a bracket, or the number."""
    return value.lower if isinstance(value, Bracket) else value


_refuse: Callable[..., Any] = _not_linear


@dataclass(frozen=True, eq=False)
class LinearFunction:
    """A linear function ``weights . constants + offset`` with rational coefficients.

    Parameters
    ----------
    weights : tuple of Fraction or Bracket
        Coefficients of the constants.
    offset : Fraction or Bracket
        Value at 0.

    Examples
    --------
    >>> c, d = LinearFunction.constant(0, 2), LinearFunction.constant(1, 2)
    >>> (3 * c - (d + 1) / 2).weights, (3 * c - (d + 1) / 2).offset
    ((Fraction(3, 1), Fraction(-1, 2)), Fraction(-1, 2))
    >>> min(c, d)
    Traceback (most recent call last):
        ...
    catalog.refuting.open_constants.NotLinear: Constants are only added, ...
    """

    weights: tuple[Fraction | Bracket, ...]
    offset: Fraction | Bracket

    @classmethod
    def constant(cls, place: int, constants: int) -> LinearFunction:
        """Return the function whose value is one of the constants."""
        return cls(tuple(Fraction(i == place) for i in range(constants)), Fraction(0))

    def of(self, value: object) -> LinearFunction:
        """Return a value, a rational number or a linear function, as a linear function."""
        if isinstance(value, LinearFunction):
            return value
        return LinearFunction((Fraction(0),) * len(self.weights), _rational(value))

    def __add__(self, other: object) -> LinearFunction:
        right = self.of(other)
        pairs = zip(self.weights, right.weights, strict=True)
        return LinearFunction(tuple(a + b for a, b in pairs), self.offset + right.offset)

    def __neg__(self) -> LinearFunction:
        return self * -1

    def __sub__(self, other: object) -> LinearFunction:
        return self + -self.of(other)

    def __rsub__(self, other: object) -> LinearFunction:
        return self.of(other) - self

    def __mul__(self, other: object) -> LinearFunction:
        factor = _rational(other)
        return LinearFunction(tuple(factor * each for each in self.weights), factor * self.offset)

    def __truediv__(self, other: object) -> LinearFunction:
        found: LinearFunction = self * (1 / _rational(other))
        return found

    __radd__, __rmul__ = __add__, __mul__
    __rtruediv__ = __pow__ = __rpow__ = _refuse
    __int__ = __index__ = __floor__ = __ceil__ = __iter__ = __getitem__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse


def _rational(value: object) -> Any:
    """Return a rational number or a bracket."""
    if isinstance(value, Bracket):
        return value
    if isinstance(value, Logarithmic):
        raise NotLinear(f"Both sides must be rational numbers. Got {value}.")
    if not isinstance(value, (int, Fraction)):
        _not_linear()
    return Fraction(value)


# ---- regions


MOST_CONSTANTS = 2
"""Largest number of constants in a statement."""
Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Constraint:
    """The inequality ``weights . constants >= least`` that a class gives for the constants.

    Attributes
    ----------
    weights : tuple of Fraction
        Weight of each constant.
    least : Fraction
        Least allowed weighted sum of the constants.
    name : str
        Permanent name or specification of the class.
    table : Table
        The class.
    """

    weights: Point
    least: Fraction
    name: str
    table: Table

    def value(self, constants: Point) -> Fraction:
        """Return the weighted sum of the constants, ``weights . constants``."""
        return sum((w * v for w, v in zip(self.weights, constants, strict=True)), start=Fraction(0))


@dataclass(frozen=True)
class Corner:
    """A least corner of the region of all constants that the constraints allow.

    A change that lowers some constant and raises no constant leaves the region.

    Attributes
    ----------
    values : tuple of Fraction
        Values of the constants.
    because : tuple of Constraint
        Classes on which both sides are equal at the corner, one for each constant that is not 0.
    """

    values: Point
    because: tuple[Constraint, ...]


def strongest(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Return the constraints that neither c >= 0 nor a parallel constraint implies.

    Only the first of several equal constraints remains.

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
            # No constants satisfy this constraint, so it implies every other constraint.
            return [each]
        direction, least = tuple(w / scale for w in each.weights), each.least / scale
        if direction not in kept or least > kept[direction][0]:
            kept[direction] = least, each
    return [each for _, each in kept.values()]


def least_corners(constraints: Sequence[Constraint], constants: int) -> tuple[Corner, ...]:
    """Return the least corners of the region that some constraints allow, ordered by values.

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

    The set is empty if the region is not empty. The set has at most one constraint more than there
    are constants.

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
    """Return a constraint that bounds some constant from above, or None if none does.

    For a single constant, the constraint gives the least upper bound.
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


# ---- constants


class NoValue(Exception):
    """Error: a side of a statement has no value on a class."""


def constants_in(text: str) -> tuple[str, ...]:
    """Return the constants of a statement, one-letter names that are not parameters, in order.

    >>> constants_in("ldim <= c*vcdim + d"), constants_in("ldim <= vcdim")
    (('c', 'd'), ())
    """
    found = re.findall(r"(?<![\w.])([a-z])(?!\w|\s*\()", text)
    index = re.findall(r"for every ([a-z])$", text.strip())
    return tuple(dict.fromkeys(name for name in found if name not in (*quantity_names(), *index)))


class _Constant:
    """A constant as a parameter with a given value."""

    flips_change = False

    def __call__(self, table: Table) -> Quantity:
        return 0


_constant = _Constant()


class OpenStatement:
    """A comparison with open constants. On each class, it is a linear inequality in the constants.

    Parameters
    ----------
    text : str
        One comparison by ``<=`` or ``>=`` as for `Statement`, with one or two constants.

    Raises
    ------
    InvalidInput
        If the string is not such a statement, or has more constants.

    Examples
    --------
    >>> asked = OpenStatement("ldim <= c*vcdim + d")
    >>> asked.inequality({"ldim": 2, "vcdim": 1})
    ((Fraction(1, 1), Fraction(1, 1)), Fraction(2, 1))
    """

    def __init__(self, text: str) -> None:
        self.constants = constants_in(text)
        if not 1 <= len(self.constants) <= MOST_CONSTANTS:
            raise InvalidInput(
                f"A statement has at most {MOST_CONSTANTS} constants, named by one letter each. "
                f"Got {', '.join(self.constants) or 'none'}."
            )
        self.statement = Statement(text, dict.fromkeys(self.constants, _constant))
        comparison = self.statement.comparison
        if comparison is None or comparison[1] not in ("<=", ">="):
            raise InvalidInput(
                f"{' and '.join(map(repr, self.constants))} would be open constants. Constants "
                "occur in one comparison by <= or >=. Write all other names in full. "
                f"Got {self.statement.text!r}."
            )
        conditions = frozenset().union(*(each.names for each in self.statement.conditions))
        if found := [name for name in self.constants if name in conditions]:
            raise InvalidInput(
                f"Constants are open only in the comparison before 'when'. Got {found[0]!r} in the "
                f"condition of {self.statement.text!r}."
            )
        left, sign, right = comparison
        self._smaller, self._larger = (left, right) if sign == "<=" else (right, left)

    def inequality(
        self, values: Mapping[str, Quantity]
    ) -> tuple[tuple[Fraction, ...], Fraction] | None:
        """Return the linear inequality in the constants for a class with the given parameters.

        It consists of the weights and the least weighted sum. The result is None if the condition
        is false.

        If only bounds on a value are known, the inequality is the strongest inequality that the
        bounds allow. So nonnegative constants that satisfy it satisfy the statement.

        Raises
        ------
        NoValue
            If a side has no value on the class.
        InvalidInput
            If a side has a logarithm, or is not linear in the constants.
        """
        count = len(self.constants)
        open_ = {name: LinearFunction.constant(i, count) for i, name in enumerate(self.constants)}
        at: dict[str, Any] = {**values, **open_}
        zero = open_[self.constants[0]] * 0
        try:
            if not self.statement.is_met(at):
                return None
            gap = zero + self._larger(at) - self._smaller(at)
        except NotLinear as error:
            raise InvalidInput(
                f"Least constants cannot be computed for {self.statement.text!r}. {error}"
            ) from None
        except (InvalidInput, TooLarge) as error:
            raise NoValue from error
        return tuple(map(_lower, gap.weights)), -_lower(gap.offset)


@dataclass(frozen=True)
class LeastConstants:
    """The least constants for which a statement is true on all visited classes.

    Attributes
    ----------
    statement : OpenStatement
    corners : tuple of Corner
        Least corners of the region of all nonnegative constants for which the statement is true on
        every class. Empty if the region is empty.
    impossible : tuple of Constraint
        A minimal set of classes on which no nonnegative constants make the statement true together.
        Empty if there are corners.
    bounding : Constraint or None
        A class on which the statement is false for some larger constants, if the region is not
        empty. If there is one constant, the class gives its least upper bound.
    classes, others, undecided : int
        Number of decided classes of the atlas, of other decided classes, and of undecided classes.
        A class is decided if both sides have a value on it, or the condition is false.
    met : int
        Number of classes that meet the condition and on which both sides have a value.
    points : int
        Largest number of points of the classes of the atlas.
    """

    statement: OpenStatement
    corners: tuple[Corner, ...]
    impossible: tuple[Constraint, ...]
    bounding: Constraint | None
    classes: int
    points: int
    others: int
    undecided: int
    met: int


def least_constants(
    asked: OpenStatement, *, seconds: float = 10, show: Callable[[str], None] = lambda text: None
) -> LeastConstants:
    """Return the least constants for which a statement is true on all visited classes.

    Parameters
    ----------
    asked : OpenStatement
    seconds : float
        Time for classes beyond the atlas, in seconds.
    show : callable
        Function that is called with a description of the current step.

    Examples
    --------
    >>> asked = OpenStatement("star_number <= c*vcdim + d when points <= 4")
    >>> found = least_constants(asked, seconds=0)
    >>> [[str(value) for value in corner.values] for corner in found.corners]
    [['0', '4'], ['4', '0']]
    >>> found.corners[0].because[0].name
    '4:117'
    """
    kept: dict[tuple[tuple[Fraction, ...], Fraction], Constraint] = {}
    classes = points = others = undecided = met = 0

    def keep(values: Mapping[str, Quantity], name: str, table: Table) -> bool:
        """Keep the inequality of a class, and return whether it has one."""
        found = asked.inequality(values)
        if found is not None and found not in kept:
            kept[found] = Constraint(*found, name, table)
        return found is not None

    for each in survey(asked.statement):
        show(f"all classes on {each.points} points ...")
        points = each.points
        for number, values in enumerate(each.combinations):
            mask = int(each.values["mask"][each.distinct.first[number]])
            count = int(each.distinct.count[number])
            try:
                demands = keep(values, orbit_name(points, mask), class_of_mask(points, mask))
                classes, met = classes + count, met + count * demands
            except NoValue:
                undecided += count
    end = time.monotonic() + seconds
    further = candidates(
        flips=not asked.statement.flips_change, private=asked.statement.has_private_values
    )
    for name, table in further if seconds else ():
        if time.monotonic() >= end:
            break
        show(f"{name} ...")
        patience = min(PATIENCE, seconds * SHARE, max(end - time.monotonic(), 0.01))
        try:
            measured = asked.statement.values(table, limit=Limit(seconds=patience))
            met += keep(measured, name, table)
            others += 1
        except (NoValue, TooLarge):
            undecided += 1
    constraints = strongest(kept.values())
    impossible = conflict(constraints, len(asked.constants))
    corners = () if impossible else least_corners(constraints, len(asked.constants))
    bounding = None if impossible else upper_bound(constraints)
    return LeastConstants(
        asked, corners, impossible, bounding, classes, points, others, undecided, met
    )
