"""How close inequalities between dimensions come to equality on all classes of the atlas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from catalog.atlas import POINTS, AtlasClass, classes
from lsclasses.dimensions.cover import max_zero_cover_number
from lsclasses.dimensions.expressions import Quantity, Real
from lsclasses.dimensions.inequalities import Inequality

__all__ = ["Margin", "margin", "quantities"]


@dataclass(frozen=True)
class Margin:
    """How far apart the sides of an inequality are on all classes of the atlas.

    Parameters
    ----------
    least : int or Fraction
        The least value of right - left; negative if a class violates the inequality.
    attained : int
        In how many cases it occurs. A case is a class up to permutations of the points, and, for
        inequalities with an index, one value of it.
    cases : int
        How many there are in which the inequality's condition is met.
    example : AtlasClass
        The first class with the least value.
    """

    least: Real
    attained: int
    cases: int
    example: AtlasClass


def margin(inequality: Inequality) -> Margin:
    """Compare both sides of an inequality on every class of the atlas.

    Parameters
    ----------
    inequality : Inequality
        Between quantities of one class.

    Examples
    --------
    >>> sauer = Inequality("size", "sauer(points, vcdim)", "Sauer 1972", "By induction.")
    >>> found = margin(sauer)
    >>> found.least, found.attained, found.cases
    (0, 92, 4076)
    """
    names = sorted(inequality.names)
    known: dict[tuple[Quantity, ...], list[Real]] = {}
    least: Real | None = None
    attained = cases = 0
    example = classes(1)[0]
    for C, values in quantities():
        key = tuple(values[name] for name in names)
        if key not in known:
            known[key] = inequality.margins(values)
        found = known[key]
        cases += len(found)
        if found and (least is None or min(found) < least):
            least, attained, example = min(found), 0, C
        attained += found.count(least) if least is not None else 0
    assert least is not None, "some class of the atlas meets the condition"
    return Margin(least, attained, cases, example)


@cache
def quantities() -> tuple[tuple[AtlasClass, dict[str, Quantity]], ...]:
    """Every class of the atlas up to permutations, with all that inequalities are about."""
    covers = {
        (points, C.mask): tuple(max_zero_cover_number(C.table, k) for k in range(points + 1))
        for points in POINTS
        for C in classes(points)
    }
    return tuple(
        (
            C,
            {
                "size": C.mask.bit_count(),
                "points": points,
                **C.quantities,
                "zero_cover_number": covers[points, C.flipped],
            },
        )
        for points in POINTS
        for C in classes(points, flips=False)
    )
