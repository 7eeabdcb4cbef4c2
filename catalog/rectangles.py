"""Axis-parallel rectangles on a grid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.family import Fact, Family
from catalog.intervals import INTERVAL_LDIM
from lsclasses.specifications import Parameter
from lsclasses.table import Table

_SIZE = "(a*b*(a + 1)*(b + 1)/4 + 1)"


class Rectangles(Family):
    """Axis-parallel rectangles on an a x b grid, the empty one included.

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
        "Points (i, j) with 0 <= i < a, 0 <= j < b; a concept is an interval of rows times an "
        "interval of columns, named by their first and last members, or the empty set."
    )
    reference = "Blumer, Ehrenfeucht, Haussler and Warmuth 1989"
    parameters = (
        Parameter("a", "number of rows", minimum=1),
        Parameter("b", "number of columns", minimum=1),
    )
    facts = (
        Fact("size", _SIZE, source="a(a+1)/2 intervals of rows, b(b+1)/2 of columns, and none"),
        Fact("points", "a*b", source="by definition"),
        Fact(
            "ldim",
            INTERVAL_LDIM.format(n="a*b"),
            when="Eq(Min(a, b), 1) & (a*b >= 3)",
            source="see intervals",
        ),
        Fact("ldim", "a*b", when="a*b <= 2", source="all labellings"),
        Fact(
            "ldim",
            INTERVAL_LDIM.format(n="b")
            + " + floor_log2(floor(a/2) + 1) + floor_log2(ceiling(a/2))",
            when="(a >= 2) & (b >= 3)",
            relation=">=",
            source="the columns of a rectangle through the middle row, then its first and last row",
        ),
        Fact(
            "ldim",
            INTERVAL_LDIM.format(n="a")
            + " + floor_log2(floor(b/2) + 1) + floor_log2(ceiling(b/2))",
            when="(a >= 3) & (b >= 2)",
            relation=">=",
            source="the rows of a rectangle through the middle column, then its other two sides",
        ),
        Fact("ldim", f"floor_log2({_SIZE})", relation="<=", source="the size"),
        Fact(
            "vcdim",
            "Min(a - 1, 2) + Min(b - 1, 2)",
            when="a*b >= 3",
            source="Blumer, Ehrenfeucht, Haussler and Warmuth 1989: each point of a shattered set "
            "is the only first or last one in some direction; with two rows, one of them holds one "
            "point or two points are all",
        ),
        Fact("vcdim", "a*b", when="a*b <= 2", source="all labellings"),
        Fact(
            "dual_ldim",
            "floor_log2(a) + floor_log2(b)",
            relation=">=",
            source="find the row by strips of rows, then the column",
        ),
        Fact("dual_ldim", "floor_log2(a*b)", relation="<=", source="the number of points"),
        Fact(
            "dual_vcdim",
            "Min(floor_log2(a), 2) + Min(floor_log2(b), 2)",
            relation=">=",
            source="two strips of rows and two of columns; see intervals",
        ),
        Fact(
            "dual_vcdim",
            "Min(floor_log2(a*b), 5)",
            relation="<=",
            source="the number of points; and d rectangles, whose borders cross in at most "
            "2d(d - 1) points, cut the plane into at most 2d(d - 1) + 2 regions: 62 for d = 6",
        ),
        Fact(
            "threshold_dim",
            "a + b - 1",
            source="each point, from the last to the first, lies outside of the least rectangle "
            "that holds those before, and so adds a row or a column to it",
        ),
        Fact("star_number", "a*b", source="the single points around the empty set"),
        Fact(
            "hollow_star_number",
            "3",
            when="a*b >= 3",
            source="a minimal sample that fits no rectangle is a zero in the least rectangle of "
            "some ones, and two ones already have it between them",
        ),
        Fact("hollow_star_number", "0", when="a*b <= 2", source="every sample fits"),
        Fact("teaching_dim", "a*b", source="the empty set needs a zero everywhere"),
        Fact(
            "recursive_teaching_dim",
            "Min(2, a*b)",
            source="teach larger rectangles first, by two opposite corners; the sets of two points "
            "side by side need two examples each",
        ),
    )

    def _shape(self, *, a: int, b: int) -> tuple[int, int]:
        return a * (a + 1) * b * (b + 1) // 4 + 1, a * b

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
