"""Hamming balls around a labelling, and unions of random ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from catalog.cube import as_labels, as_words, by_size, distinct
from catalog.facts import known
from catalog.family import Family
from catalog.random_tables import random_labels
from lsclasses.errors import InvalidInput
from lsclasses.specifications import Parameter
from lsclasses.table import Table


class HammingBall(Family):
    """All labellings that differ from a centre at no more than r points.

    Examples
    --------
    >>> [c.support for c in HammingBall().table(n=3, r=1, ones=2)]
    [(0, 1), (1,), (0,), (0, 1, 2)]
    """

    name = "hamming-ball"
    title = "Labellings that differ from a centre at r points at most"
    definition = (
        "Points 0, ..., n-1. The concepts are the labellings that differ from a centre at no more "
        "than r points. The centre is 1 at the first `ones` points and 0 at the others."
    )
    reference = "Floyd and Warmuth 1995 (as maximum classes)"
    parameters = (
        Parameter("n", "number of points", minimum=1, maximum=1024),
        Parameter("r", "radius of a ball", minimum=0),
        Parameter("ones", "number of ones of the centre", default=0, minimum=0),
    )
    facts = known(__file__, "hamming-ball")

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
    """Random Hamming balls: classes without structure, which are hard for searches.

    Examples
    --------
    >>> HammingBalls().table(n=10, r=1, count=3, seed=0)
    <Table: 33 concepts on 10 points>
    """

    name = "hamming-balls"
    title = "Union of Hamming balls of radius r around random labellings"
    definition = (
        "Points 0, ..., n-1. The class is the union of the Hamming balls of radius r around "
        "`count` uniform and independent random labellings. The seed determines the class."
    )
    reference = "NumPy's default_rng"
    parameters = (
        Parameter("n", "number of points", minimum=1, maximum=1024),
        Parameter("r", "radius of a ball", minimum=0),
        Parameter("count", "number of balls", minimum=1),
        Parameter("seed", "seed of the random numbers", default=0, minimum=0),
    )
    facts = known(__file__, "hamming-balls")

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
    """Return the numbers of points on which a labelling may differ from the centre."""
    return range(min(r, n) + 1)


def _volume(n: int, r: int) -> int:
    return sum(math.comb(n, i) for i in _radii(n, r))
