"""Random tables that a specification names exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from catalog.facts import known
from catalog.family import Family
from lsclasses.options import Value
from lsclasses.specifications import Parameter
from lsclasses.table import Table


def random_labels(rows: int, points: int, seed: int, density: Fraction) -> np.ndarray:
    """Return an array of independent random labels.

    A label is 1 with the probability `density`, rounded down to a multiple of 2^-63.
    The labels come from the raw output of ``numpy.random.default_rng(seed)``, which is equal in all
    versions of NumPy.

    Returns
    -------
    ndarray of uint8, shape (rows, points)

    Examples
    --------
    >>> random_labels(2, 5, seed=0, density=Fraction(1, 2)).tolist()
    [[0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    """
    raw = np.random.default_rng(seed).bit_generator.random_raw(rows * points)
    words = np.asarray(raw, dtype=np.uint64).reshape(rows, points)
    return (words >> np.uint64(1) < np.uint64(density * 2**63)).astype(np.uint8)


class RandomTables(Family):
    """Random concepts with independent labels.

    Examples
    --------
    >>> RandomTables().table(m=12, n=6, seed=1)
    <Table: 10 concepts on 6 points (2 duplicates merged)>
    >>> RandomTables().table(m=12, n=6, seed=1) == RandomTables().table(m=12, n=6, seed="1")
    True
    """

    name = "random"
    title = "Random labellings of n points, m of them"
    definition = (
        "Points 0, ..., n-1. The class has m random concepts. Each label is 1 with probability "
        "`density`, independently. Equal concepts count once. The seed determines the class."
    )
    reference = "NumPy's default_rng"
    parameters = (
        Parameter("m", "number of concepts to draw", minimum=1),
        Parameter("n", "number of points", minimum=1),
        Parameter("seed", "seed of the random numbers", default=0, minimum=0),
        Parameter(
            "density", "share of ones", default=Fraction(1, 2), minimum=0, maximum=1, rational=True
        ),
    )
    facts = known(__file__, "random")

    def _shape(self, *, m: int, n: int, seed: int, density: Fraction) -> tuple[int, int]:
        return m, n

    def _table(self, *, m: int, n: int, seed: int, density: Fraction) -> Table:
        return Table(random_labels(m, n, seed, density))

    def instances(self) -> Iterator[dict[str, Value]]:
        for density in (Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1)):
            for m, n in ((1, 1), (3, 1), (9, 3), (20, 8), (64, 12)):
                yield {"m": m, "n": n, "seed": m + n, "density": density}
