"""The least difference between the two sides of an inequality, over all classes of the atlas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.atlas import POINTS, AtlasClass, AtlasTable, table
from lsclasses.dimensions.expressions import Real
from lsclasses.dimensions.inequalities import Inequality


@dataclass(frozen=True)
class Margin:
    """Least difference between the sides of an inequality on all classes of the atlas.

    Parameters
    ----------
    least : int or Fraction
        Least value of right - left. It is negative if a class violates the inequality.
    attained : int
        Number of cases with the least value. A case is a class up to symmetry and, for inequalities
        with an index, a value of the index.
    cases : int
        Number of cases that meet the condition of the inequality.
    example : AtlasClass
        The first class with the least value.
    """

    least: Real
    attained: int
    cases: int
    example: AtlasClass


def margin(inequality: Inequality, tables: Sequence[AtlasTable] | None = None) -> Margin:
    """Compare both sides of an inequality on every class of the atlas.

    The sides are computed exactly, once for each combination of values of the quantities.

    Parameters
    ----------
    inequality : Inequality
        Inequality between quantities of one class. If the inequality has a condition, at least one
        class of the tables must meet the condition.
    tables : sequence of AtlasTable, optional
        Tables of classes. By default, the classes on at most four points up to permutations.

    Examples
    --------
    >>> sauer = Inequality("size", "sauer(points, vcdim)", "Sauer 1972", "By induction.")
    >>> found = margin(sauer)
    >>> found.least, found.attained, found.cases
    (0, 92, 4076)
    """
    given = [table(points, flips=False) for points in POINTS] if tables is None else tables
    least: Real | None = None
    attained = cases = 0
    where = given[0], 0
    for T in given:
        found = T.distinct(sorted(inequality.names))
        order = found.first.argsort()
        for which in order.tolist():
            margins = inequality.margins(found.values[which])
            count = int(found.count[which])
            cases += count * len(margins)
            if margins and (least is None or min(margins) < least):
                least, attained, where = min(margins), 0, (T, int(found.first[which]))
            attained += count * margins.count(least) if least is not None else 0
    assert least is not None, "some class of the atlas meets the condition"
    return Margin(least, attained, cases, where[0].at(where[1]))
