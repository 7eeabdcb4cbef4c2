"""Hamming balls around a labelling, and unions of random ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from catalog.family import Fact, Family
from catalog.labellings import as_labels, as_words, by_size, distinct
from catalog.random_tables import random_labels
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table

BALL = "Sum(binomial(n, i), (i, 0, Min(r, n)))"
RADIUS = "Min(r, n)"


class HammingBall(Family):
    """All labellings close to one labelling.

    Examples
    --------
    >>> [c.support for c in HammingBall().table(n=3, r=1, ones=2)]
    [(0, 1), (1,), (0,), (0, 1, 2)]
    """

    name = "hamming-ball"
    title = "Hamming ball"
    definition = (
        "Points 0, ..., n-1; the concepts are the labellings that differ from a centre at no more "
        "than r points. The centre is 1 at the first `ones` points and 0 at the others."
    )
    reference = "Floyd and Warmuth 1995 (as maximum classes)"
    parameters = (
        Parameter("n", "number of points", minimum=1, maximum=1024),
        Parameter("r", "radius", minimum=0),
        Parameter("ones", "number of ones of the centre", default=0, minimum=0),
    )
    facts = (
        Fact("size", BALL, source="choose the points that differ"),
        Fact("points", "n", source="by definition"),
        Fact(
            "ldim",
            RADIUS,
            source="predicting the centre's labels errs r times at most; it is at least vcdim",
        ),
        Fact("vcdim", RADIUS, source="any r points are shattered, r+1 cannot all differ"),
        Fact(
            "dual_ldim",
            "Min(floor_log2(n), floor_log2(r) + 1)",
            "(r >= 1) & (Eq(ones, 0) | Eq(ones, n))",
            source=(
                "n points, at most r of them on one side of a concept; depth d needs 2^d points "
                "and 2^(d-1) on either side"
            ),
        ),
        Fact(
            "dual_vcdim",
            "Min(floor_log2(n), floor_log2(r) + 1)",
            "(r >= 1) & (Eq(ones, 0) | Eq(ones, n))",
            source="d shattered concepts need 2^d points, half of them in each concept",
        ),
        Fact("dual_ldim", "Min(1, Min(ones, n - ones))", "Eq(r, 0)", source="one concept"),
        Fact("dual_vcdim", "Min(1, Min(ones, n - ones))", "Eq(r, 0)", source="one concept"),
        Fact(
            "threshold_dim",
            "Min(r, n - ones) + Min(r + 1, ones)",
            source=(
                "h_1 is 1 at every point, so at most r have centre 0; h_k is 0 at all but the "
                "last, so at most r+1 have centre 1; put the points with centre 0 first"
            ),
        ),
        Fact(
            "randomized_ldim",
            "Sum(Sum(binomial(t, i), (i, 0, r - 1))/2**t, (t, 0, n - 1))/2",
            "r >= 1",
            source="all points are alike: half the expected number of tosses until r tails or n",
        ),
        Fact("randomized_ldim", "0", "Eq(r, 0)", source="one concept"),
        Fact("star_number", "n", "r >= 1", source="the centre with its n neighbours"),
        Fact("star_number", "0", "Eq(r, 0)", source="one concept"),
        Fact("hollow_star_number", "r + 1", "r < n", source="r+1 points that differ"),
        Fact("hollow_star_number", "0", "r >= n", source="all labellings"),
        Fact("teaching_dim", "n", "r >= 1", source="the centre has a neighbour for every point"),
        Fact("teaching_dim", "0", "Eq(r, 0)", source="one concept"),
        Fact(
            "recursive_teaching_dim",
            RADIUS,
            source="a maximum class: RTD = VC dimension (Doliwa, Fan, Simon and Zilles 2014)",
        ),
    )

    def _check(self, *, n: int, r: int, ones: int) -> None:
        if ones > n:
            raise InvalidInput(
                f"The centre of a Hamming ball on n={n} points has at most {n} ones. Got {ones}."
            )

    def _shape(self, *, n: int, r: int, ones: int) -> tuple[int, int]:
        return _volume(n, r), n

    def _table(self, *, n: int, r: int, ones: int) -> Table:
        return Table(by_size(n, _radii(n, r)) ^ (np.arange(n) < ones))

    def instances(self) -> Iterator[dict[str, int]]:
        for n in range(1, 6):
            for r in range(n + 2):
                for ones in range(n + 1):
                    if n <= 3 or ones <= 1:
                        yield {"n": n, "r": r, "ones": ones}
        yield {"n": 8, "r": 2}
        yield {"n": 8, "r": 3, "ones": 4}


class HammingBalls(Family):
    """Random Hamming balls: classes without structure, the hard kind for searches.

    Examples
    --------
    >>> HammingBalls().table(n=10, r=1, count=3, seed=0)
    <Table: 33 concepts on 10 points>
    """

    name = "hamming-balls"
    title = "Union of random Hamming balls"
    definition = (
        "Points 0, ..., n-1; the union of the Hamming balls of radius r around labellings drawn at "
        "random, uniformly and independently. The seed makes the class the same every time."
    )
    reference = "NumPy's default_rng"
    parameters = (
        Parameter("n", "number of points", minimum=1, maximum=1024),
        Parameter("r", "radius", minimum=0),
        Parameter("count", "number of balls", minimum=1),
        Parameter("seed", "of the random numbers", default=0, minimum=0),
    )
    facts = (
        Fact("size", BALL, "Eq(count, 1)", source="see hamming-ball"),
        Fact("size", f"count*{BALL}", relation="<=", source="so many balls, which may meet"),
        Fact("size", BALL, relation=">=", source="one ball"),
        Fact("points", "n", source="by definition"),
        Fact("ldim", RADIUS, "Eq(count, 1)", source="see hamming-ball"),
        Fact("ldim", RADIUS, relation=">=", source="see hamming-ball"),
        Fact("ldim", f"floor_log2(count*{BALL})", relation="<=", source="halving"),
        Fact("vcdim", RADIUS, "Eq(count, 1)", source="see hamming-ball"),
        Fact("vcdim", RADIUS, relation=">=", source="see hamming-ball"),
        Fact("star_number", "n", "r >= 1", source="see hamming-ball"),
        Fact("teaching_dim", "n", "r >= 1", source="see hamming-ball"),
    )

    def _shape(self, *, n: int, r: int, count: int, seed: int) -> tuple[int, int]:
        return count * _volume(n, r), n

    def _table(self, *, n: int, r: int, count: int, seed: int) -> Table:
        centres = random_labels(count, n, seed, Fraction(1, 2))
        ball = as_words(by_size(n, _radii(n, r)))
        union = (as_words(centres)[:, None, :] ^ ball[None, :, :]).reshape(-1, ball.shape[1])
        return Table(as_labels(distinct(union), n))

    def instances(self) -> Iterator[dict[str, int]]:
        for n, r, count in (
            *((1, 0, 1), (1, 1, 2), (3, 0, 4), (4, 1, 1), (5, 1, 2), (6, 2, 3), (8, 1, 6)),
            *((10, 2, 4), (70, 1, 2)),
        ):
            yield {"n": n, "r": r, "count": count, "seed": 1}


def _radii(n: int, r: int) -> range:
    """At how many of the points a labelling may differ from the centre."""
    return range(min(r, n) + 1)


def _volume(n: int, r: int) -> int:
    return sum(math.comb(n, i) for i in _radii(n, r))
