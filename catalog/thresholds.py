"""Thresholds on a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from catalog.family import ClosedForm, Fact
from catalog.forms.thresholds import ThresholdClass
from lsclasses.domain import IntegerRange
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

_SIZE = "(n - 1 + zeros + ones)"
_LOG = f"floor_log2{_SIZE}"


class Thresholds(ClosedForm):
    """Thresholds counted by points: n points carry up to n + 1 of them.

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
        "Points 0, ..., n-1; the concept of i labels x with 1 iff x >= i, for i = 1, ..., n-1, and "
        "with the constants also i = 0 (all ones) and i = n (all zeros): with both, n points carry "
        "n + 1 concepts. With n=inf the points are all natural numbers."
    )
    reference = "Littlestone 1988; [BLM20, Figure 1]"
    parameters = (
        Parameter("n", "number of points", minimum=1, infinite=True),
        Parameter.flag("zeros", "include the constant 0", default=1),
        Parameter.flag("ones", "include the constant 1", default=1),
    )
    facts = (
        Fact("size", "n - 1 + zeros + ones", source="one concept for every i that is allowed"),
        Fact("points", "n", source="by definition"),
        Fact(
            "ldim",
            "floor_log2(n - 1 + zeros + ones)",
            source="Littlestone 1988: halving m thresholds leaves ceil(m/2) and floor(m/2), and no "
            "tree with more than m leaves is shattered",
        ),
        Fact(
            "vcdim",
            "Min(1, n - 2 + zeros + ones)",
            source="no two points get the labels 1, 0 in this order",
        ),
        Fact(
            "dual_ldim",
            "floor_log2(n)",
            source="the n points are n different threshold functions of the concept",
        ),
        Fact(
            "dual_vcdim",
            "Min(1, n - 1)",
            source="the n points are n different threshold functions of the concept",
        ),
        Fact(
            "threshold_dim",
            "n - 1 + ones",
            source="every concept but the constant 0 begins at a point of its own",
        ),
        Fact(
            "randomized_ldim",
            f"{_LOG}/2 + ({_SIZE} - 2**{_LOG})/2**({_LOG} + 1)",
            source="Filmus, Hanneke, Mehalel and Moran 2023: RL(m) is the maximum of "
            "1/2 + (RL(i) + RL(m - i))/2, and the piecewise linear function through log2(m)/2 at "
            "the powers of two is concave, so the most even split is the best and gives it again",
        ),
        Fact(
            "star_number",
            "Min(2, n - 2 + zeros + ones)",
            source="a threshold differs from the next ones below and above at one point each; of "
            "three points, the middle label alone cannot be changed in two ways",
        ),
        Fact(
            "hollow_star_number",
            "2",
            when="n - 1 + zeros + ones >= 3",
            source="a sample fits no threshold iff two of its labels are 1, 0 in this order, or "
            "one contradicts a point on which all concepts agree; two points vary",
        ),
        Fact(
            "hollow_star_number",
            "1",
            when="(n - 1 + zeros + ones <= 2) & (zeros + ones < 2)",
            source="one label contradicts a point on which all concepts agree; at most one varies",
        ),
        Fact(
            "hollow_star_number",
            "0",
            when="Eq(n, 1) & Eq(zeros + ones, 2)",
            source="every sample fits",
        ),
        Fact(
            "teaching_dim",
            "Min(2, n - 2 + zeros + ones)",
            source="Goldman and Kearns 1995: the two points beside the jump; an outermost concept "
            "needs one of them",
        ),
        Fact(
            "recursive_teaching_dim",
            "Min(1, n - 2 + zeros + ones)",
            source="teach the outermost concept first: one point tells it from all others",
        ),
    )

    concept_parameters = (Parameter("start", "the first point that is 1", minimum=0),)

    def examples_of(
        self, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> list[tuple[int, int]]:
        """The labels on both sides of the jump."""
        return [(chosen["start"] - 1, 0), (chosen["start"], 1)]

    def _check(self, *, n: int, zeros: int, ones: int) -> None:
        if n - 1 + zeros + ones < 1:
            raise InvalidInput(
                "Thresholds on n=1 point without constants would be empty; use n>=2."
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
        Fact("size", "m", source="by definition"),
        Fact("points", "m - 1", source="by definition"),
        Fact("ldim", "floor_log2(m)", source="see thresholds"),
        Fact("vcdim", "1", source="see thresholds"),
        Fact("dual_ldim", "floor_log2(m - 1)", source="see thresholds"),
        Fact("dual_vcdim", "Min(1, m - 2)", source="see thresholds"),
        Fact("threshold_dim", "m - 1", source="see thresholds"),
        Fact(
            "randomized_ldim",
            "floor_log2(m)/2 + (m - 2**floor_log2(m))/2**(floor_log2(m) + 1)",
            source="see thresholds",
        ),
        Fact("star_number", "Min(2, m - 1)", source="see thresholds"),
        Fact("hollow_star_number", "2", when="m >= 3", source="see thresholds"),
        Fact("hollow_star_number", "0", when="Eq(m, 2)", source="see thresholds"),
        Fact("teaching_dim", "Min(2, m - 1)", source="see thresholds"),
        Fact("recursive_teaching_dim", "1", source="see thresholds"),
    )

    concept_parameters = Thresholds.concept_parameters
    examples_of = Thresholds.examples_of

    def _concept_class(self, *, m: int) -> ThresholdClass:
        return Thresholds()._concept_class(n=m - 1, zeros=1, ones=1)

    def _table(self, *, m: int) -> Table:
        return Thresholds()._table(n=m - 1, zeros=1, ones=1)

    def instances(self) -> Iterator[dict[str, int]]:
        for m in (2, 3, 4, 5, 8, 9, 16):
            yield {"m": m}
