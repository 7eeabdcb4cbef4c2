"""Dyadic intervals: their number, the number that contains a time, the number for an interval"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from flint import arb

from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.mechanisms.counter import DyadicIntervals

TOPIC = "dyadic-intervals"
SOURCE = "[LWY25, Fact E.6], with C = 3"
STATEMENTS = ("LWY25 Fact E.6",)

MANY = Claim(
    "dyadic intervals of T times, divided by T",
    "3",
    source=SOURCE,
    statements=STATEMENTS,
    falsified="3/2",
)
DEEP = Claim(
    "most dyadic intervals that contain a time, divided by ln T",
    "3",
    source=SOURCE,
    statements=STATEMENTS,
    falsified="2",
)
FEW = Claim(
    "most dyadic intervals into which an interval is split, divided by ln T",
    "3",
    source=SOURCE,
    statements=STATEMENTS,
    falsified="3/2",
)
DISJOINT = Claim(
    "intervals that are not the disjoint union of their parts",
    "0",
    "==",
    source="learners.mechanisms.counter",
    statements=STATEMENTS,
    falsified="when the last part is left out",
    incorrect_object=True,
)


def _joined(parts: Sequence[tuple[int, int]], first: int, last: int) -> bool:
    """Return whether the intervals are adjacent from the first time to the last."""
    ends = bool(parts) and parts[0][0] == first and parts[-1][1] == last
    return ends and all(before[1] + 1 == after[0] for before, after in pairwise(parts))


@recomputes(MANY, DEEP, FEW, DISJOINT)
def dyadic(longest: int) -> Iterator[Outcome]:
    """Check three counts of dyadic intervals, for all horizons up to `longest`."""
    many, deep, few = arb(0), arb(0), arb(0)
    wrong = broken = 0
    for horizon in range(2, longest + 1):
        intervals = DyadicIntervals(horizon)
        members = list(intervals)
        many = many.max(ball(len(members)) / horizon)
        times = range(1, horizon + 1)
        scale = ball(horizon).log()
        deep = deep.max(max(sum(a <= t <= b for a, b in members) for t in times) / scale)
        known = set(members)
        for first in times:
            for last in range(first, horizon + 1):
                parts = intervals.decompose(first, last)
                few = few.max(len(parts) / scale)
                wrong += not (_joined(parts, first, last) and known.issuperset(parts))
                broken += not _joined(parts[:-1], first, last)
    instance = f"T = 2..{longest}"
    half = Fraction(3, 2)
    yield compare(MANY, instance, computed=many, stated=3, false=half)
    yield compare(DEEP, instance, computed=deep, stated=3, false=2)
    yield compare(FEW, instance, computed=few, stated=3, false=half)
    yield compare(DISJOINT, instance, computed=wrong, stated=0, twin=broken)


def checks() -> list[ClaimCheck]:
    """Return the checks: horizons on both sides of a power of two."""
    return [ClaimCheck(TOPIC, dyadic, (34,))]
