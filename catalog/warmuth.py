"""Warmuth's class: the smallest whose recursive teaching dimension exceeds its VC dimension."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.facts import known
from catalog.family import Family
from lsclasses.table import Table


class Warmuth(Family):
    """Warmuth's class on five points in a circle.

    Examples
    --------
    >>> C = Warmuth().table()
    >>> C, C.vcdim(), C.ldim()
    (<Table: 10 concepts on 5 points>, 2, 3)
    """

    name = "warmuth"
    title = "Rotations of 11000 and 11010 on five points (Warmuth)"
    definition = (
        "Points 0, ..., 4. The concepts are the five rotations of 11000 and the five "
        "rotations of 11010."
    )
    reference = "Doliwa, Fan, Simon and Zilles 2014, who attribute it to Warmuth"
    facts = known(__file__, "warmuth")

    def _shape(self) -> tuple[int, int]:
        return 10, 5

    def _table(self) -> Table:
        first, second = [1, 1, 0, 0, 0], [1, 1, 0, 1, 0]
        return Table([np.roll(labels, i) for labels in (first, second) for i in range(5)])

    def instances(self) -> Iterator[dict[str, int]]:
        yield {}
