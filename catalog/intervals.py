"""Intervals on a line, and unions of a few of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from catalog.family import Fact, Family
from catalog.forms.intervals import IntervalClass
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import IntegerRange
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

INTERVAL_LDIM = "Max(2*floor_log2(({n} + 1)/5) + 3, 2*floor_log2(({n} + 1)/7) + 4)"
"""The Littlestone dimension of the intervals on n >= 3 points; put a formula for n in."""


class Intervals(Family):
    """Unions of at most k intervals on n points; by default single intervals.

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
        "Points 0, ..., n-1; a concept is 1 on at most k runs of consecutive points, and named by "
        "their first and last points. Without the flag empty, the empty set is no concept."
    )
    reference = "Floyd and Warmuth 1995"
    parameters = (
        Parameter("n", "number of points", minimum=1),
        Parameter("k", "largest number of intervals", default=1, minimum=1, maximum=4096),
        Parameter.flag("empty", "include the empty set", default=1),
    )
    facts = (
        Fact(
            "size",
            "Sum(binomial(n + 1, 2*j), (j, 0, k)) - 1 + empty",
            source="j intervals have 2j ends among the n + 1 places between, before and after",
        ),
        Fact("points", "n", source="by definition"),
        Fact(
            "ldim",
            "Min(2*k, n - 1 + empty)",
            when="n <= 2*k + 1",
            source="all labellings but perhaps 0...0 and 1010...1; the VC dimension is as large",
        ),
        Fact(
            "ldim",
            INTERVAL_LDIM.format(n="n"),
            when="Eq(k, 1) & (n > 3)",
            source="a 1 at a point leaves two independent ends, to be found in floor(log2 u) + "
            "floor(log2 v) mistakes where u + v = g + 1 for a gap of g points; a 0 cuts the gap "
            "into pieces of u + v. So depth d needs cuts of a stick of n + 1 whose t-th has "
            "u >= 2^a, v >= 2^b, a + b = d - t. The first three cuts need "
            "5*2^((d-3)/2) for odd d, 7*2^((d-4)/2) for even d >= 4, and all later ones fit",
        ),
        Fact(
            "ldim",
            "k*Max(2, " + INTERVAL_LDIM.format(n="floor(n/k)") + ")",
            when="(k > 1) & (n > 2*k + 1)",
            relation=">=",
            source="one interval in each of k blocks of floor(n/k) points, independently",
        ),
        Fact(
            "ldim",
            "floor_log2(Sum(binomial(n + 1, 2*j), (j, 0, k)) - 1 + empty)",
            when="(k > 1) & (n > 2*k + 1)",
            relation="<=",
            source="the size",
        ),
        Fact(
            "vcdim",
            "Min(2*k, n - 1 + empty)",
            source="labels 1, 0, ..., 1 at 2k + 1 points need k + 1 intervals; 2k points are "
            "shattered, where 0, ..., 0 takes the empty set or an interval elsewhere",
        ),
        Fact(
            "dual_ldim",
            "floor_log2(n)",
            source="the initial intervals find a point by halving; there are n points",
        ),
        Fact(
            "dual_vcdim",
            "Min(2, floor_log2(n))",
            when="Eq(k, 1)",
            source="d intervals cut the line into at most 2d + 1 parts, and 2d + 1 < 2^d for d = 3",
        ),
        Fact(
            "dual_vcdim",
            "floor_log2(n)",
            when="(k > 1) & ((n < 2) | (2**floor_log2(n) <= 2*k*floor_log2(n)))",
            source="Bhat and Savage 1996: a cyclic Gray code of d bits in which each bit changes "
            "at most 2 ceil(2^d / 2d) <= 2k times, read from 0...0 on, is a way through all 2^d "
            "cells of d sets",
        ),
        Fact(
            "dual_vcdim",
            "floor_log2(n)",
            when="k > 1",
            relation="<=",
            source="there are n points",
        ),
        Fact(
            "threshold_dim",
            "n",
            source="the intervals that end at the last point",
        ),
        Fact(
            "star_number",
            "n",
            when="Eq(empty, 1) | ((k > 1) & (n > 1)) | ((n > 1) & (n < 5))",
            source="the single points around the empty set; without it, sets that differ at one "
            "point from the first two points (k > 1), or from the two in the middle of n <= 4",
        ),
        Fact(
            "star_number",
            "n - 1",
            when="Eq(empty, 0) & (Eq(n, 1) | (Eq(k, 1) & (n >= 5)))",
            source="single points around the one left out; no interval can be changed at each of "
            "five points",
        ),
        Fact(
            "hollow_star_number",
            "2*k + 1",
            when="Eq(empty, 1) & (n > 2*k)",
            source="a sample fits no concept iff 2k + 1 of its labels read 1, 0, ..., 1",
        ),
        Fact(
            "hollow_star_number",
            "0",
            when="Eq(empty, 1) & (n <= 2*k)",
            source="every sample fits",
        ),
        Fact(
            "hollow_star_number",
            "n",
            when="Eq(empty, 0)",
            source="zeros at all n points; otherwise 2k + 1 labels that read 1, 0, ..., 1",
        ),
        Fact(
            "teaching_dim",
            "n",
            when="Eq(empty, 1) | ((k > 1) & (n > 1)) | ((n > 1) & (n < 4))",
            source="the empty set, the first two points (k > 1 or n = 2, 3): changed at any point, "
            "they are still concepts",
        ),
        Fact(
            "teaching_dim",
            "4",
            when="Eq(empty, 0) & Eq(k, 1) & (n >= 4)",
            source="both ends and the points beside them; two points inside need all of these",
        ),
        Fact(
            "teaching_dim",
            "0",
            when="Eq(empty, 0) & Eq(n, 1)",
            source="there is only one concept",
        ),
        Fact(
            "recursive_teaching_dim",
            "Min(2*k, n - 1 + empty)",
            source="Doliwa, Fan, Simon and Zilles 2014: a maximum class (Floyd and Warmuth 1995) "
            "can be taught in the order of its VC dimension, 2k; a cube on 2k points, or 2k + 1 "
            "points without 0...0 and 1010...1, need as much for every concept",
        ),
    )

    concept_parameters = (
        Parameter("first", "the first point that is 1", minimum=0),
        Parameter("last", "the last point that is 1", minimum=0),
    )

    def examples_of(
        self, member: Mapping[str, Any], chosen: Mapping[str, Any]
    ) -> list[tuple[int, int]]:
        """The labels on both sides of both ends; of several intervals, they tell one."""
        first, last = chosen["first"], chosen["last"]
        return [(first - 1, 0), (first, 1), (last, 1), (last + 1, 0)]

    def _check(self, *, n: int, k: int, empty: int) -> None:
        if k > 1 and n > 4096:
            raise InvalidInput(
                f"Unions of k={k} intervals are supported on at most 4096 points. Got n={n}."
            )

    def _concept_class(self, *, n: int, k: int, empty: int) -> ConceptClass:
        if k == 1:
            return IntervalClass(IntegerRange(0, n), empty=bool(empty))
        return self.table(n=n, k=k, empty=empty)

    def _shape(self, *, n: int, k: int, empty: int) -> tuple[int, int]:
        # More ends than places: comb gives 0.
        return sum(math.comb(n + 1, 2 * j) for j in range(k + 1)) - 1 + empty, n

    def _table(self, *, n: int, k: int, empty: int) -> Table:
        # A union of j intervals is named by where its labels change: j starts and j ends, in turn.
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
