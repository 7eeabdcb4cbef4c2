"""Statements with constants left open, ``ldim <= c*vcdim + d``: the least constants that will do.

The two sides are formulas in parameters and in one or two constants, named by single letters. Each
class asks a linear inequality of the constants; all classes together ask of one constant that it is
at least some value, and of two that they lie in a region, whose corners are computed. All of this
is exact, and a lower bound: classes that were not looked at may ask for more.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from catalog.refuting.candidates import candidates
from catalog.refuting.hunt import PATIENCE, SHARE
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import survey
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.isomorphism import class_of_mask, orbit_name
from lsclasses.limits import Limit
from lsclasses.table import Table

MOST_CONSTANTS = 2


class NoValue(Exception):
    """A side of a statement has no value on a class."""


def constants_in(text: str) -> tuple[str, ...]:
    """The constants of a statement: names of one letter that are no parameters, in order.

    >>> constants_in("ldim <= c*vcdim + d"), constants_in("ldim <= vcdim")
    (('c', 'd'), ())
    """
    found = re.findall(r"(?<![\w.])([a-z])(?!\w|\s*\()", text)
    index = re.findall(r"for every ([a-z])$", text.strip())
    return tuple(dict.fromkeys(name for name in found if name not in (*quantity_names(), *index)))


class _Constant:
    """A constant as a parameter whose value is given."""

    flips_change = False

    def __call__(self, table: Table) -> Quantity:
        return 0


_constant = _Constant()


@dataclass(frozen=True)
class Asking:
    """What one class asks: ``weights . constants >= least``.

    Attributes
    ----------
    weights : tuple of Fraction
    least : Fraction
    name : str
        The class: a permanent name, or a specification.
    table : Table
    """

    weights: tuple[Fraction, ...]
    least: Fraction
    name: str
    table: Table


class OpenStatement:
    """A comparison with constants, as a linear inequality in them on each class.

    Parameters
    ----------
    text : str
        As for `Statement`, one comparison by ``<=`` or ``>=``, with one or two constants.

    Raises
    ------
    InvalidInput
        If it is none, or has more constants.

    Examples
    --------
    >>> asked = OpenStatement("ldim <= c*vcdim + d")
    >>> asked.asking({"ldim": 2, "vcdim": 1})
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
        sign = self.statement.sign
        if sign not in ("<=", ">="):
            raise InvalidInput(
                f"{' and '.join(map(repr, self.constants))} would be left open: such constants are "
                "asked of one comparison by <= or >=, and all else is named in full. "
                f"Got {self.statement.text!r}."
            )
        self._sign = 1 if sign == "<=" else -1

    @property
    def parameters(self) -> tuple[str, ...]:
        """What must be known of a class."""
        return tuple(name for name in self.statement.names if name not in self.constants)

    def asking(
        self, values: Mapping[str, Quantity]
    ) -> tuple[tuple[Fraction, ...], Fraction] | None:
        """The weights, and the least weighted sum, on a class; None if the condition is not met.

        Raises
        ------
        NoValue
            If a side has none there.
        InvalidInput
            If a side is no rational number, or is not linear in the constants.
        """
        at: list[Fraction] = []
        k = len(self.constants)
        units = [(0,) * k, *(tuple(int(i == j) for i in range(k)) for j in range(k))]
        for point in (*units, (2,) * k, tuple(range(3, 3 + k))):
            try:
                sides = self.statement.sides(
                    {**values, **dict(zip(self.constants, point, strict=True))}
                )
            except (InvalidInput, TooLarge) as error:
                raise NoValue from error
            if sides is None:
                return None
            gap = sides.right - sides.left
            if not isinstance(gap, (int, Fraction)):
                raise InvalidInput(
                    f"Least constants are computed of sides without logarithms. Got {gap} in "
                    f"{self.statement.text!r}."
                )
            at.append(self._sign * Fraction(gap))
        weights = tuple(each - at[0] for each in at[1 : k + 1])
        for point, gap in zip(((2,) * k, tuple(range(3, 3 + k))), at[k + 1 :], strict=True):
            if at[0] + sum(w * p for w, p in zip(weights, point, strict=True)) != gap:
                raise InvalidInput(
                    f"{self.statement.text!r} is not linear in {', '.join(self.constants)}."
                )
        return weights, -at[0]


@dataclass(frozen=True)
class Corner:
    """Values of the constants of which none can be smaller while the others stay, with the reason.

    Attributes
    ----------
    values : tuple of Fraction
    because : tuple of Asking
        The classes on which both sides are equal then: as many as constants that are not 0.
    """

    values: tuple[Fraction, ...]
    because: tuple[Asking, ...]


@dataclass(frozen=True)
class LeastConstants:
    """The constants that all classes looked at allow.

    Attributes
    ----------
    statement : OpenStatement
    corners : tuple of Corner
        Of the region of all nonnegative constants for which the statement is true on every class.
        Empty if there are none.
    impossible : Asking or None
        A class on which no nonnegative constants do.
    classes, points, others, undecided : int
        How many classes of the atlas on at most how many points, and how many others were looked
        at, and on how many it could not be decided.
    """

    statement: OpenStatement
    corners: tuple[Corner, ...]
    impossible: Asking | None
    classes: int
    points: int
    others: int
    undecided: int


def least_constants(
    asked: OpenStatement, *, seconds: float = 10, show: Callable[[str], None] = lambda text: None
) -> LeastConstants:
    """The least constants for which a statement is true on all classes that are looked at.

    Parameters
    ----------
    asked : OpenStatement
    seconds : float
        For classes beyond the atlas.
    show : callable
        Told what is being done.

    Examples
    --------
    >>> asked = OpenStatement("star_number <= c*vcdim + d when points <= 4")
    >>> found = least_constants(asked, seconds=0)
    >>> [[str(value) for value in corner.values] for corner in found.corners]
    [['0', '4'], ['4', '0']]
    >>> found.corners[0].because[0].name
    '4:117'
    """
    kept: dict[tuple[tuple[Fraction, ...], Fraction], Asking] = {}
    classes = points = others = undecided = 0

    def keep(values: Mapping[str, Quantity], name: str, table: Table) -> None:
        found = asked.asking(values)
        if found is not None and found[1] > 0 and found not in kept:
            kept[found] = Asking(*found, name, table)

    for each in survey(asked.statement):
        show(f"all classes on {each.points} points ...")
        classes, points = classes + len(each.values), each.points
        for number, values in enumerate(each.distinct.values):
            mask = int(each.values["mask"][each.distinct.first[number]])
            try:
                keep(values, orbit_name(points, mask), class_of_mask(points, mask))
            except NoValue:
                undecided += int(each.distinct.count[number])
    end = time.monotonic() + seconds
    for name, table in candidates(flips=not asked.statement.flips_change):
        if time.monotonic() >= end:
            break
        show(f"{name} ...")
        patience = min(PATIENCE, seconds * SHARE, max(end - time.monotonic(), 0.01))
        try:
            measured = asked.statement.values(table, limit=Limit(seconds=patience))
            keep(measured, name, table)
            others += 1
        except (NoValue, TooLarge):
            undecided += 1
    corners, impossible = _corners(list(kept.values()), len(asked.constants))
    return LeastConstants(asked, corners, impossible, classes, points, others, undecided)


def _corners(askings: list[Asking], constants: int) -> tuple[tuple[Corner, ...], Asking | None]:
    """The corners of what all askings allow, and one that nothing allows."""
    for each in askings:
        if all(weight <= 0 for weight in each.weights):
            return (), each
    found: dict[tuple[Fraction, ...], Corner] = {}
    for values, because in _candidates(askings, constants):
        if values not in found and min(values) >= 0 and _allowed(values, askings):
            found[values] = Corner(values, because)
    return tuple(found[values] for values in sorted(found)), None


def _allowed(values: tuple[Fraction, ...], askings: Iterable[Asking]) -> bool:
    return all(
        sum(w * v for w, v in zip(each.weights, values, strict=True)) >= each.least
        for each in askings
    )


def _candidates(
    askings: list[Asking], constants: int
) -> Iterator[tuple[tuple[Fraction, ...], tuple[Asking, ...]]]:
    """Where borders meet: of two askings, or of one with an axis; and the origin."""
    zero = Fraction(0)
    yield (zero,) * constants, ()
    for each in askings:
        for i, weight in enumerate(each.weights):
            if weight > 0:
                values = [zero] * constants
                values[i] = each.least / weight
                yield tuple(values), (each,)
    if constants == 2:
        for one, other in itertools.combinations(askings, 2):
            (a, b), (c, d) = one.weights, other.weights
            if determinant := a * d - b * c:
                first = (one.least * d - b * other.least) / determinant
                second = (a * other.least - one.least * c) / determinant
                yield (first, second), (one, other)
