"""Least constants of open statements such as ``ldim <= c*vcdim + d``.

The two sides are formulas in parameters and in one or two constants, named by single letters. On
each class the statement is a linear inequality in the constants. All classes together allow a
region of constants, which `catalog.refuting.regions` computes exactly. Classes that were not looked
at may allow less.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from catalog.refuting.candidates import candidates
from catalog.refuting.hunt import PATIENCE, SHARE
from catalog.refuting.linear import LinearFunction, NotLinear
from catalog.refuting.regions import (
    MOST_CONSTANTS,
    Constraint,
    Corner,
    conflict,
    least_corners,
    strongest,
    upper_bound,
)
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import survey
from lsclasses.dimensions.expressions import Quantity
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.isomorphism import class_of_mask, orbit_name
from lsclasses.limits import Limit
from lsclasses.table import Table


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


class OpenStatement:
    """A comparison with constants, as a linear inequality in them on each class.

    Parameters
    ----------
    text : str
        As for `Statement`, one comparison by ``<=`` or ``>=``, with one or two constants.

    Raises
    ------
    InvalidInput
        If the text is not such a statement, or has more constants.

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
                f"{' and '.join(map(repr, self.constants))} would be left open: constants "
                "stand in one comparison by <= or >=. Write all other names in full. "
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
        """Return the weights and the least weighted sum, or None if the condition is false.

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
        return gap.weights, -gap.offset


@dataclass(frozen=True)
class LeastConstants:
    """The constants that all classes looked at allow.

    Attributes
    ----------
    statement : OpenStatement
    corners : tuple of Corner
        Least corners of the region of all nonnegative constants for which the statement is true on
        every class. Empty if the region is empty.
    impossible : tuple of Constraint
        Classes that no nonnegative constants satisfy together, a minimal set. Empty if there are
        corners.
    bounding : Constraint or None
        A class on which the statement is false for some larger constants, if the region is not
        empty. If there is one constant, the class gives its least upper bound.
    classes, others, undecided : int
        Numbers of classes of the atlas and of other classes on which both sides have a value or the
        condition is false, and number of the remaining classes.
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
    for name, table in candidates(flips=not asked.statement.flips_change) if seconds else ():
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
