"""Thresholds on a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from catalog.closed_forms.thresholds import ThresholdClass
from catalog.facts import known
from catalog.family import ClosedForm
from lsclasses.domain import IntegerRange
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class Thresholds(ClosedForm):
    """The class of thresholds on n points, with the number n of points as its parameter.

    Examples
    --------
    >>> C = Thresholds().table(n=3)
    >>> [c.support for c in C]
    [(0, 1, 2), (1, 2), (2,), ()]
    >>> C.ldim()
    2
    >>> Thresholds().concept_class(n=2**64).ldim()
    64
    """

    name = "thresholds"
    title = "Thresholds on n points"
    definition = (
        "Points 0, ..., n-1. The concept of i labels x with 1 iff x >= i, for i = 1, ..., n-1. The "
        "flags ones and zeros add i = 0 (all ones) and i = n (all zeros). With both flags, "
        "the class on n points has n + 1 concepts. With n=inf the points are all natural numbers."
    )
    reference = "Littlestone 1988; [BLM20, Figure 1]"
    parameters = (
        Parameter("n", "number of points", minimum=1, infinite=True),
        Parameter.flag("zeros", "include the constant 0", default=1),
        Parameter.flag("ones", "include the constant 1", default=1),
    )
    facts = known(__file__, "thresholds")

    concept_parameters = (Parameter("start", "first point with label 1", minimum=0),)

    def examples_of(
        self, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> list[tuple[int, int]]:
        """Return the labels at the two points next to the start of a threshold."""
        return [(chosen["start"] - 1, 0), (chosen["start"], 1)]

    def _check(self, *, n: int, zeros: int, ones: int) -> None:
        if n - 1 + zeros + ones < 1:
            raise InvalidInput(
                "Thresholds on n=1 point without constants would be empty. Use n>=2."
            )

    def _concept_class(self, *, n: int | float, zeros: int, ones: int) -> ThresholdClass:
        if isinstance(n, float):
            return ThresholdClass(IntegerRange(0), 1 - ones, zeros=bool(zeros))
        return ThresholdClass(IntegerRange(0, n), 1 - ones, n - 1 + zeros)

    def _table(self, *, n: int, zeros: int, ones: int) -> Table:
        starts = range(1 - ones, n + zeros)
        return Table(np.arange(n)[None, :] >= np.array(starts)[:, None], concepts=starts)

    def instances(self) -> Iterator[dict[str, int]]:
        for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32):
            for zeros in (0, 1):
                for ones in (0, 1):
                    if n - 1 + zeros + ones >= 1:
                        yield {"n": n, "zeros": zeros, "ones": ones}


class ThresholdConcepts(ClosedForm):
    """The class of m thresholds on m - 1 points, with the number m of concepts as its parameter.

    Examples
    --------
    >>> ThresholdConcepts().table(m=4) == Thresholds().table(n=3)
    True
    """

    name = "threshold-concepts"
    title = "Thresholds, x -> [x >= i]: m concepts on m - 1 points"
    definition = (
        "The m thresholds on m - 1 points, including both constants. This family has the "
        "classes of the family thresholds, but its parameter is the number of concepts."
    )
    reference = Thresholds.reference
    parameters = (Parameter("m", "number of concepts", minimum=2),)
    facts = known(__file__, "threshold-concepts")

    concept_parameters = Thresholds.concept_parameters
    examples_of = Thresholds.examples_of

    def _concept_class(self, *, m: int) -> ThresholdClass:
        return Thresholds()._concept_class(n=m - 1, zeros=1, ones=1)

    def _table(self, *, m: int) -> Table:
        return Thresholds()._table(n=m - 1, zeros=1, ones=1)

    def instances(self) -> Iterator[dict[str, int]]:
        for m in (2, 3, 4, 5, 8, 9, 16):
            yield {"m": m}
