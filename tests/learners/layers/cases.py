"""Classes and parameters on which the layered learner is small enough to be followed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import catalog
from learners.layers.plan import LayeredParameters
from lsclasses.table import Table

__all__ = ["SINGLE", "STAIRS", "TINY", "labels", "small"]

TINY = Fraction(1, 10**6)
SINGLE = Table([[0, 0], [1, 0], [0, 1]])
"""No point, or one of two: d = 1."""
STAIRS = catalog.build("thresholds:n=3").to_table()
"""Four thresholds on three points: d = 2."""


def small(sequences: int, depth: int, threshold: int = 1, rounds: int = 9) -> LayeredParameters:
    """So little noise that few pairs are released."""
    return LayeredParameters(
        depth,
        sequences,
        rounds,
        (threshold,) * (depth + 1),
        Fraction(8),
        Fraction(8 * depth),
        Fraction(depth, 50),
        (1,) * depth,
    )


def labels(h: Any) -> tuple[int, ...]:
    return tuple(h(x) for x in h.domain)
