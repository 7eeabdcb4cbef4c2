"""Claims about private learners of thresholds that depend only on comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import catalog
from learners.balls import ball, rational_below
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.lower_bounds.evidence.point_claims import between
from learners.lower_bounds.gaps import gap_bound, largest_gap
from learners.lower_bounds.ramsey import ramsey_bound
from learners.lower_bounds.threshold_tables import ThresholdTable, error_bound, spaced_sample
from learners.optimal.error import optimal_error

SOURCE = "after Alon, Livni, Malliaris and Moran 2019"

GAP = Claim(
    "gap of every comparison family of N positions",
    "1 - 2 L (L - 1)(1 - delta)/(D (L - 1 + e^epsilon)), rounded up",
    "<=",
    SOURCE,
    falsified="half of it",
)
MOVED = Claim(
    "gap of a private learner of thresholds while one example moves through homogeneous points",
    GAP.formula,
    "<=",
    SOURCE,
    falsified="half of it",
)
ERROR = Claim(
    "expected error of a private learner on a spaced sample of m homogeneous points",
    "e^-epsilon (1 - 2t - 2 delta - (m/2 - 1)(G + 2t))/2",
    ">=",
    SOURCE,
    falsified="twice it",
)
TRIANGLES = Claim(
    "points that force a triangle of one colour",
    "1 + c!(1 + 1/1! + ... + 1/c!)",
    "<=",
    SOURCE,
    falsified="one less",
)

TENTH = Fraction(1, 10)
ROUNDED = Fraction(1, 10**6)


@recomputes(GAP)
def families(positions: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the bound on the gap of comparison families against the best family."""
    found = largest_gap(positions, epsilon, delta)
    stated = gap_bound(positions, epsilon, delta) + ball(ROUNDED)
    yield compare(
        GAP,
        f"N={positions}, epsilon={epsilon}, delta={delta}",
        computed=between(found.lower, found.upper),
        stated=stated,
        false=stated / 2,
        privacy=(epsilon, delta),
        trivial=1,
    )


def exponential_mechanism(epsilon: Fraction) -> ThresholdTable:
    """Return the exponential mechanism from two examples on eight points."""
    return ThresholdTable.exponential_mechanism(8, 2, epsilon)


def exposed_median(epsilon: Fraction) -> ThresholdTable:
    """Return the learner that publishes the median of four examples with probability 1/100."""
    return ThresholdTable.exposed_median(8, 4, Fraction(1, 100))


def optimal_learner(epsilon: Fraction) -> ThresholdTable:
    """Return the best private learner from two examples on four points."""
    return ThresholdTable.of_optimal(
        optimal_error(catalog.build("thresholds:n=4"), 2, epsilon).learner
    )


@recomputes(ERROR)
def errors(
    learner: Callable[[Fraction], ThresholdTable], tolerance: Fraction, epsilon: Fraction
) -> Iterator[Outcome]:
    """Check the lower bound on the error of a learner, on its largest homogeneous set."""
    table = learner(epsilon)
    points = table.largest_homogeneous_set(tolerance)
    delta = table.divergence(_below(epsilon))
    positions = len(points) - table.rows + 1
    stated = error_bound(table.rows, positions, table.tolerance(points), epsilon, delta)
    yield compare(
        ERROR,
        f"{learner.__name__}, m={table.rows}, {len(points)} of {table.points} points, "
        f"epsilon={epsilon}",
        computed=ball(table.error(spaced_sample(points, table.rows))),
        stated=stated,
        false=2 * stated,
        privacy=(epsilon, delta),
    )


@recomputes(MOVED)
def moved(
    learner: Callable[[Fraction], ThresholdTable], epsilon: Fraction, example: int
) -> Iterator[Outcome]:
    """Check the bound on the gap of the family that a learner contains."""
    table = learner(epsilon)
    family = table.family(range(table.points), example)
    delta = family.divergence(_below(epsilon))
    stated = gap_bound(len(family.positions), epsilon, delta)
    yield compare(
        MOVED,
        f"{learner.__name__}, m={table.rows}, {table.points} points, epsilon={epsilon}",
        computed=ball(family.gap),
        stated=stated,
        false=stated / 2,
        privacy=(epsilon, delta),
        trivial=1,
    )


def _below(epsilon: Fraction) -> Fraction:
    return rational_below(lambda: ball(epsilon).exp(), 10**12)


@recomputes(TRIANGLES)
def triangles(colours: int) -> Iterator[Outcome]:
    """Check the bound on the number of points that forces a triangle of one colour."""
    stated = ramsey_bound(2, 3, colours)
    assert isinstance(stated, int)
    yield compare(
        TRIANGLES,
        f"{colours} colours",
        computed=points_with_triangles(colours),
        stated=stated,
        false=stated - 1,
    )


def points_with_triangles(colours: int) -> int:
    """Return the least number of points that force a triangle of one colour in all colourings.

    Examples
    --------
    >>> points_with_triangles(1), points_with_triangles(2)
    (3, 6)
    """
    found: list[dict[tuple[int, int], int]] = [{}]
    points = 1
    while found:
        found = [longer for each in found for longer in _extended(each, points, colours)]
        points += 1
    return points


def _extended(
    colouring: dict[tuple[int, int], int], point: int, colours: int
) -> Iterator[dict[tuple[int, int], int]]:
    """Yield all colourings with one more point that have no triangle of one colour."""
    parts = [colouring]
    for other in range(point):
        parts = [
            {**part, (other, point): colour}
            for part in parts
            for colour in range(colours)
            if all((part[one, other], part[one, point]) != (colour, colour) for one in range(other))
        ]
    yield from parts


def checks() -> list[ClaimCheck]:
    """Return the checks at the epsilon of the theorem, and at larger epsilon."""
    topic, none, small = "lower-bounds", Fraction(0), Fraction(1, 100)
    return [
        *(ClaimCheck(topic, families, (n, TENTH, none)) for n in (3, 5, 7)),
        ClaimCheck(topic, families, (5, TENTH, Fraction(1, 10_000))),
        *(ClaimCheck(topic, families, (n, Fraction(1), small)) for n in (3, 5)),
        *(ClaimCheck(topic, families, (n, Fraction(2), none), slow=n > 7) for n in (5, 7, 9)),
        ClaimCheck(topic, errors, (exponential_mechanism, Fraction(1, 9), TENTH)),
        ClaimCheck(topic, errors, (exposed_median, none, TENTH)),
        ClaimCheck(topic, errors, (optimal_learner, Fraction(1, 100), TENTH), slow=True),
        ClaimCheck(topic, moved, (exposed_median, Fraction(1, 1000), 3)),
        *(ClaimCheck(topic, triangles, (c,)) for c in (1, 2)),
    ]
