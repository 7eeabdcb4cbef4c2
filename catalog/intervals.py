"""Intervals on a line, and unions of a few of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from catalog.closed_forms.interval_unions import IntervalUnions
from catalog.closed_forms.intervals import IntervalClass
from catalog.closed_forms.thresholds import Steps
from catalog.facts import known
from catalog.family import Family
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import IntegerRange
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class Intervals(Family):
    """Unions of at most k intervals on n points, by default single intervals.

    Examples
    --------
    >>> C = Intervals().table(n=3)
    >>> [c.name for c in C]
    [(), ((0, 0),), ((0, 1),), ((0, 2),), ((1, 1),), ((1, 2),), ((2, 2),)]
    >>> C.ldim(), Intervals().concept_class(n=2**64).ldim()
    (2, 126)
    """

    name = "intervals"
    title = "Unions of at most k intervals on n points"
    definition = (
        "Points 0, ..., n-1. A concept is 1 on at most k runs of consecutive points. The "
        "name of a concept lists the first and last points of its runs. The empty set is a concept "
        "only with empty=1."
    )
    reference = "Floyd and Warmuth 1995"
    parameters = (
        Parameter("n", "number of points", minimum=1),
        Parameter("k", "largest number of intervals", default=1, minimum=1, maximum=4096),
        Parameter.flag("empty", "include the empty set", default=1),
    )
    facts = known(__file__, "intervals")

    concept_parameters = (
        Parameter("first", "first point with label 1", minimum=0),
        Parameter("last", "last point with label 1", minimum=0),
    )

    def examples_of(
        self, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> list[tuple[int, int]]:
        """Return the labels next to both ends of an interval, inside and outside of it.

        These labels identify one interval among all intervals.
        """
        first, last = chosen["first"], chosen["last"]
        return [(first - 1, 0), (first, 1), (last, 1), (last + 1, 0)]

    def chosen_concept(
        self, C: ConceptClass, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> Hypothesis | None:
        """Return the chosen interval, as a concept of a class of unions of intervals.

        Few examples do not identify an interval among the unions.
        """
        if member["k"] == 1:
            return super().chosen_concept(C, member, chosen)
        first, last, n = chosen["first"], chosen["last"], member["n"]
        if not first <= last < n:
            return None
        interval = Steps(IntegerRange(0, n), 0, (first, last + 1))
        if not isinstance(C, Table):
            return interval
        return Concept.from_labels(C.domain, map(interval._label, C.domain))

    def _concept_class(self, *, n: int, k: int, empty: int) -> ConceptClass:
        if k == 1:
            return IntervalClass(IntegerRange(0, n), empty=bool(empty))
        try:
            return self.table(n=n, k=k, empty=empty)
        except TooLarge:
            return IntervalUnions(IntegerRange(0, n), k, empty=bool(empty))

    def _shape(self, *, n: int, k: int, empty: int) -> tuple[int, int]:
        # With more ends than places, comb returns 0.
        return sum(math.comb(n + 1, 2 * j) for j in range(k + 1)) - 1 + empty, n

    def _table(self, *, n: int, k: int, empty: int) -> Table:
        # The name of a union of j intervals lists its changes, j starts and j ends in turn.
        changes = [
            places
            for j in range(0 if empty else 1, k + 1)
            for places in itertools.combinations(range(n + 1), 2 * j)
        ]
        labels = np.zeros((len(changes), n + 1), dtype=bool)
        for row, places in zip(labels, changes, strict=True):
            row[list(places)] = True
        labels = np.logical_xor.accumulate(labels, axis=1)[:, :n]
        names = [
            tuple((first, end - 1) for first, end in zip(places[::2], places[1::2], strict=True))
            for places in changes
        ]
        return Table(labels, concepts=names)

    def instances(self) -> Iterator[dict[str, int]]:
        members = (
            (1, (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 18, 19)),
            (2, (1, 2, 3, 4, 5, 6, 7)),
            (3, (5, 6, 7)),
        )
        for k, sizes in members:
            for n in sizes:
                for empty in (0, 1):
                    yield {"n": n, "k": k, "empty": empty}
