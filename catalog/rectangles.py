"""Axis-parallel rectangles on a grid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.closed_forms.boxes import Boxes
from catalog.facts import known
from catalog.family import Family
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import IntegerGrid
from lsclasses.errors import TooLarge
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class Rectangles(Family):
    """Axis-parallel rectangles on an a x b grid, including the empty rectangle.

    Examples
    --------
    >>> C = Rectangles().table(a=2, b=2)
    >>> C
    <Table: 10 concepts on 4 points>
    >>> C[3].name, C[3].support
    (((0, 0), (1, 1)), ((0, 1),))
    >>> C.ldim(), C.vcdim()
    (3, 2)
    """

    name = "rectangles"
    title = "Axis-parallel rectangles on an a x b grid"
    definition = (
        "Points (i, j) with 0 <= i < a, 0 <= j < b. A concept is an interval of rows times an "
        "interval of columns, or the empty set. Its name lists the ends of both intervals."
    )
    reference = "Blumer, Ehrenfeucht, Haussler and Warmuth 1989"
    parameters = (
        Parameter("a", "number of rows", minimum=1),
        Parameter("b", "number of columns", minimum=1),
    )
    facts = known(__file__, "rectangles")

    def _shape(self, *, a: int, b: int) -> tuple[int, int]:
        return a * (a + 1) * b * (b + 1) // 4 + 1, a * b

    def _concept_class(self, *, a: int, b: int) -> ConceptClass:
        try:
            return self.table(a=a, b=b)
        except TooLarge:
            return Boxes(IntegerGrid(a, b))

    def _table(self, *, a: int, b: int) -> Table:
        rows, columns = _intervals(a), _intervals(b)
        points = [(i, j) for i in range(a) for j in range(b)]
        labels = np.zeros((len(rows) * len(columns) + 1, a * b), dtype=bool)
        i, j = np.array(points).T
        for r, (first, last) in enumerate(rows):
            inside = (first <= i) & (i <= last)
            for c, (left, right) in enumerate(columns):
                labels[1 + r * len(columns) + c] = inside & (left <= j) & (j <= right)
        names = [(), *((row, column) for row in rows for column in columns)]
        return Table(labels, domain=points, concepts=names)

    def instances(self) -> Iterator[dict[str, int]]:
        for a, b in ((1, 1), (1, 2), (2, 1), (1, 3), (1, 4), (5, 1), (2, 2), (2, 3), (3, 2)):
            yield {"a": a, "b": b}
        for a, b in ((2, 4), (5, 2), (3, 3), (3, 4), (4, 3), (4, 4)):
            yield {"a": a, "b": b}


def _intervals(n: int) -> list[tuple[int, int]]:
    return [(first, last) for first in range(n) for last in range(first, n)]
