"""Claims on releases: data sets rounded to rows, and points that a histogram releases."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.exact import exact_distribution
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import SyntheticData
from learners.sanitizers.points import PointSample
from learners.sanitizers.realizable import HistogramSanitizer, realizable_error
from lsclasses.table import Table

TOPIC = "sanitizers"

ROUNDED = Claim(
    "largest change of a share, all sets of points, by rounding weights to n rows",
    "|X|/(4n)",
    "<=",
    "learners.sanitizers.base",
    falsified="|X|/(5n)",
)
MISSED = Claim(
    "realizable sanitization error of HistogramSanitizer, all data sets and all noises",
    "2 t s/n",
    "<=",
    "learners.sanitizers.realizable",
    statements=("LWY25 Def E.1",),
    falsified="(2 t s - 1)/n",
)


@recomputes(ROUNDED)
def rounded(points: int, largest: int, size: int) -> Iterator[Outcome]:
    """All weights up to a largest one, against all sets of points, that is, the class of all."""
    C = Table(list(product((0, 1), repeat=points)))
    worst = Fraction(0)
    for weights in product(range(largest + 1), repeat=points):
        if any(weights):
            data = SyntheticData(C.domain, weights, size)
            shares = zip(data.estimates(C), data.dataset().frequencies(C), strict=True)
            worst = max(worst, *(abs(exact - share) for exact, share in shares))
    yield compare(
        ROUNDED,
        f"|X|={points}, n={size}, weights 0..{largest}",
        computed=worst,
        stated=Fraction(points, 4 * size),
        false=Fraction(points, 5 * size),
    )


@recomputes(MISSED)
def missed(rows: int) -> Iterator[Outcome]:
    """Two points as concepts: the exact law of the release on each data set.

    Of two points one always occurs more than 2t times if there are 4t + 1 rows; with 4t, both may
    be missed, each on half of the data.
    """
    C = Table([[1, 0], [0, 1]])
    sanitizer = HistogramSanitizer(C, BoundedHistogram(Fraction(2), Fraction(1, 100)))
    worst = Fraction(0)
    for ones in range(rows + 1):
        sample = PointSample.counted(C.domain, {0: rows - ones, 1: ones})
        law = exact_distribution(partial(sanitizer.release, sample))
        worst = max(worst, *(realizable_error(released, C, sample) for released in law))
    yield compare(
        MISSED,
        f"2 points, n={rows}",
        computed=worst,
        stated=Fraction(sanitizer.missed, rows),
        false=Fraction(sanitizer.missed - 1, rows),
        privacy=sanitizer.privacy,
    )


def checks() -> list[ClaimCheck]:
    """The smallest instances first."""
    return [
        ClaimCheck(TOPIC, rounded, (2, 6, 3)),
        ClaimCheck(TOPIC, rounded, (4, 3, 5)),
        ClaimCheck(TOPIC, missed, (14,)),
        ClaimCheck(TOPIC, missed, (24,)),
        ClaimCheck(TOPIC, rounded, (5, 4, 7), slow=True),
    ]
