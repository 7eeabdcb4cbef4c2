"""Numbers of points at which concepts differ."""

from __future__ import annotations

from catalog.parameters.base import PAIRS, Numbers, parameter, subsets


def effective_points(numbers: Numbers) -> int:
    """The points at which two concepts differ, as a mask."""
    either, both = 0, -1
    for c in numbers:
        either, both = either | c, both & c
    return either & ~both


@parameter("effective range", "n", PAIRS)
def effective_range(numbers: Numbers, points: int) -> int:
    """The number of points at which two concepts differ."""
    return effective_points(numbers).bit_count()


@parameter("diameter", "diam", PAIRS)
def diameter(numbers: Numbers, points: int) -> int:
    """The largest number of points at which two concepts differ."""
    return max((c ^ d).bit_count() for c in numbers for d in numbers)


@parameter("oriented diameter", "diam+", PAIRS, flips_change=True)
def oriented_diameter(numbers: Numbers, points: int) -> int:
    """The largest number of points at all of which one concept is 0 and another one is 1."""
    return max((c & ~d).bit_count() for c in numbers for d in numbers)


@parameter("Hamming radius", "rad")
def hamming_radius(numbers: Numbers, points: int) -> int:
    """The least radius of a Hamming ball around any set that contains all concepts."""
    return min(max((c ^ centre).bit_count() for c in numbers) for centre in subsets(points))


@parameter("distinguishing range", "DR")
def distinguishing_range(numbers: Numbers, points: int) -> int:
    """The least number of points whose labels tell all concepts apart."""
    return min(
        s.bit_count() for s in subsets(points) if len({c & s for c in numbers}) == len(numbers)
    )
