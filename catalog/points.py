"""Point functions: concepts that are 1 at a single point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from catalog.closed_forms.counted_sets import CountedSets
from catalog.facts import known
from catalog.family import ClosedForm
from lsclasses.domain import IntegerRange
from lsclasses.point_names import Point
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class Points(ClosedForm):
    """Point functions on n points, with or without the empty concept.

    Examples
    --------
    >>> C = Points().table(n=3, empty=1)
    >>> [(c.name, c.support) for c in C]
    [('empty', ()), (0, (0,)), (1, (1,)), (2, (2,))]
    >>> C.ldim(), Points().concept_class(n=2**64).ldim()
    (1, 1)
    """

    name = "points"
    title = "Point functions, x -> [x = i], on n points"
    definition = (
        "Points 0, ..., n-1. The concept of i labels only the point i with 1. With empty=1, "
        "the all-zero concept belongs to the class as well."
    )
    reference = "Littlestone 1988"
    parameters = (
        Parameter("n", "number of points", minimum=1, infinite=True),
        Parameter.flag("empty", "include the all-zero concept", default=0),
    )
    facts = known(__file__, "points")

    concept_parameters = (Parameter("point", "point with label 1", minimum=0),)

    def examples_of(
        self, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> list[tuple[int, int]]:
        """Return the example with label 1, which identifies a point function."""
        return [(chosen["point"], 1)]

    def _concept_class(self, *, n: int | float, empty: int) -> CountedSets:
        domain = IntegerRange(0, None if isinstance(n, float) else n)
        return CountedSets(domain, 1 - empty, 1, name=_name)

    def _table(self, *, n: int, empty: int) -> Table:
        rows = np.vstack([np.zeros((empty, n), dtype=bool), np.eye(n, dtype=bool)])
        return Table(rows, concepts=[*["empty"] * empty, *range(n)])

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (1, 2, 3, 4, 5, 8, 12):
            for empty in (0, 1):
                yield {"n": n, "empty": empty}


def _name(points: tuple[Point, ...]) -> Point:
    """Return the name of the concept that is 1 at these points, at most one."""
    return points[0] if points else "empty"
