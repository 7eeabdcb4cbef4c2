"""The two constant concepts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.family import Fact, Family
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class Constants(Family):
    """The empty set and the whole domain.

    Examples
    --------
    >>> [c.support for c in Constants().table(n=3)]
    [(), (0, 1, 2)]
    """

    name = "constants"
    title = "The two constants on n points"
    definition = "Points 0, ..., n-1; the concepts are the constants 0 and 1."
    reference = "O. Bousquet's catalogue of combinatorial parameters, as trivial concepts"
    parameters = (Parameter("n", "number of points", minimum=1, maximum=1 << 24),)
    facts = (
        Fact("size", "2", source="by definition"),
        Fact("points", "n", source="by definition"),
        Fact("ldim", "1", source="any point tells the two apart"),
        Fact("vcdim", "1", source="no concept has two labels"),
        Fact("dual_ldim", "0", source="all points are labelled alike"),
        Fact("dual_vcdim", "0", source="all points are labelled alike"),
        Fact("threshold_dim", "1", source="a concept that is 1 and 0 would be needed"),
        Fact("randomized_ldim", "1/2", source="a fair coin, once"),
        Fact("star_number", "1", source="concepts that differ do so everywhere"),
        Fact("hollow_star_number", "2", "n >= 2", source="two points labelled differently"),
        Fact("hollow_star_number", "0", "Eq(n, 1)", source="every sample is realizable"),
        Fact("teaching_dim", "1", source="any point"),
        Fact("recursive_teaching_dim", "1", source="any point"),
    )

    def _shape(self, *, n: int) -> tuple[int, int]:
        return 2, n

    def _table(self, *, n: int) -> Table:
        return Table(np.arange(2, dtype=np.uint8)[:, None].repeat(n, axis=1), concepts=[0, 1])

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (1, 2, 3, 4, 7, 12):
            yield {"n": n}
