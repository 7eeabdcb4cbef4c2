"""The least support, transcribed."""

from __future__ import annotations

from tests.oracles.dimensions import PlainClass, points_of


def least_support(C: PlainClass) -> int:
    """The least number of points at which some concept is 1; 0 for the empty class."""
    return min((len([x for x in points_of(C) if c[x] == 1]) for c in C), default=0)
