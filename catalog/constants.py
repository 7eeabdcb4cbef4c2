"""The two constant concepts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.facts import known
from catalog.family import Family
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
    definition = "Points 0, ..., n-1. The concepts are the constants 0 and 1."
    reference = "O. Bousquet's catalogue of combinatorial parameters, as trivial concepts"
    parameters = (Parameter("n", "number of points", minimum=1, maximum=1 << 24),)
    facts = known(__file__, "constants")

    def _shape(self, *, n: int) -> tuple[int, int]:
        return 2, n

    def _table(self, *, n: int) -> Table:
        return Table(np.arange(2, dtype=np.uint8)[:, None].repeat(n, axis=1), concepts=[0, 1])

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (1, 2, 3, 4, 7, 12):
            yield {"n": n}
