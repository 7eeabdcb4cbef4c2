"""Thresholds on a line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from catalog.family import Fact, Family, Parameter
from lsclasses.errors import InvalidInput
from lsclasses.table import Table

__all__ = ["FAMILIES", "Thresholds", "ThresholdConcepts"]


class Thresholds(Family):
    """Thresholds counted by points: n points carry up to n + 1 of them.

    Examples
    --------
    >>> C = Thresholds().table(n=3)
    >>> [c.support for c in C]
    [(0, 1, 2), (1, 2), (2,), ()]
    >>> C.ldim()
    2
    """

    name = "thresholds"
    title = "Thresholds on n points"
    definition = (
        "Points 0, ..., n-1; the concept of i labels x with 1 iff x >= i, for i = 1, ..., n-1, and "
        "with the constants also i = 0 (all ones) and i = n (all zeros): with both, n points carry "
        "n + 1 concepts."
    )
    reference = "Littlestone 1988; [BLM20, Figure 1]"
    parameters = (
        Parameter("n", "number of points", minimum=1),
        Parameter.flag("zeros", "include the constant 0", default=1),
        Parameter.flag("ones", "include the constant 1", default=1),
    )
    facts = (
        Fact("size", "n - 1 + zeros + ones"),
        Fact("points", "n"),
        Fact(
            "ldim",
            "floor(log(n - 1 + zeros + ones, 2))",
            source="binary search shatters it; every mistake can halve the remaining thresholds",
        ),
        Fact("vcdim", "Min(1, n - 2 + zeros + ones)", source="no two points get the labels 1, 0"),
    )

    def _check(self, *, n: int, zeros: int, ones: int) -> None:
        if n - 1 + zeros + ones < 1:
            raise InvalidInput(
                "Thresholds on n=1 point without constants would be empty; use n>=2."
            )

    def _shape(self, *, n: int, zeros: int, ones: int) -> tuple[int, int]:
        return n - 1 + zeros + ones, n

    def _table(self, *, n: int, zeros: int, ones: int) -> Table:
        return _thresholds(n, range(0 if ones else 1, n + 1 if zeros else n))

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 18):
            for zeros in (0, 1):
                for ones in (0, 1):
                    if n - 1 + zeros + ones >= 1:
                        yield {"n": n, "zeros": zeros, "ones": ones}


class ThresholdConcepts(Family):
    """Thresholds counted by concepts, as lower bounds count them.

    Examples
    --------
    >>> ThresholdConcepts().table(m=4) == Thresholds().table(n=3)
    True
    """

    name = "threshold-concepts"
    title = "Thresholds, m concepts on m - 1 points"
    definition = (
        "The family thresholds with both constants, counted by its concepts: m on m-1 points."
    )
    reference = Thresholds.reference
    parameters = (Parameter("m", "number of concepts", minimum=2),)
    facts = (
        Fact("size", "m"),
        Fact("points", "m - 1"),
        Fact("ldim", "floor(log(m, 2))", source="see thresholds"),
    )

    def _shape(self, *, m: int) -> tuple[int, int]:
        return m, m - 1

    def _table(self, *, m: int) -> Table:
        return _thresholds(m - 1, range(m))

    def instances(self) -> Iterator[dict[str, int]]:
        for m in range(2, 18):
            yield {"m": m}


def _thresholds(n: int, starts: range) -> Table:
    return Table(np.arange(n)[None, :] >= np.array(starts)[:, None], concepts=starts)


FAMILIES = (Thresholds, ThresholdConcepts)
