"""Claims about the mistakes of private online learners of point functions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import arb

import catalog
from learners.balls import ball, log, rational_above
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.lower_bounds.monitors import monitor_value
from learners.lower_bounds.point_bounds import (
    best_prior,
    factor_above,
    halving_bound,
    prior_bound,
    window_bound,
)
from learners.optimal.comparisons import non_private_mistakes
from learners.optimal.mistakes import optimal_mistakes

SOURCE = "learners.lower_bounds.point_bounds"

POINTS = Claim(
    "mistakes that every private online learner makes on points",
    "the mean of constants and f_t over the best prior of events, for the worst f",
    ">=",
    SOURCE,
    falsified="5/4 of it",
)
WINDOWS = Claim(
    "loss of every private monitor of T rounds",
    "(n - delta (g_0 + ... + g_(n-1)))/(1 + g_n/(T - n + 1))",
    ">=",
    SOURCE,
    falsified="twice it",
)
HALVES = Claim(
    "smaller potential of two halves of an interval",
    "(c/r) w",
    "<=",
    SOURCE,
    falsified="(c/r) w/2",
)
DOUBLING = Claim(
    "proved mistakes that each doubling of T adds, for delta = 0",
    "(9/10) (ln 2)/epsilon",
    ">=",
    SOURCE,
    falsified="(11/10) (ln 2)/epsilon",
)
GROWTH = Claim(
    "proved mistakes on points of [T], at the privacy (1/2, 1/(20 ln T)), minus (2/3) ln T",
    "3/20",
    ">=",
    SOURCE,
    statements=("BF25 Sec 4.4, lower bound",),
    falsified="3/10",
)
LOGARITHM = Claim(
    "mistakes that every (1/2, 1/(20 ln T))-private online learner makes on points of [T]",
    "(2/3) ln T + 3/20",
    ">=",
    "[BF25, section 4.4], with the constant of learners.lower_bounds.point_bounds",
    statements=("BF25 Sec 4.4, lower bound",),
    falsified="(4/3) ln T + 3/10",
)

HALF = Fraction(1, 2)


def between(lower: Fraction, upper: Fraction) -> arb:
    """Return a ball that contains all numbers between two bounds."""
    return ball((lower + upper) / 2).union(ball(lower)).union(ball(upper))


def best_mistakes(points: int, rounds: int, epsilon: Fraction, delta: Fraction) -> arb:
    """Return the fewest mistakes of a private learner of points, from checked bounds."""
    C = catalog.build(f"points:n={points}")
    found = optimal_mistakes(C, rounds, epsilon, delta)
    found.evidence.check(C)
    return between(found.lower, found.upper)


@recomputes(POINTS)
def points(count: int, rounds: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the lower bound on mistakes against the best private learner of T + 1 points."""
    ratio = factor_above(epsilon)
    stated = prior_bound(best_prior(rounds, ratio, delta), ratio, delta)
    yield compare(
        POINTS,
        f"points:n={count}, T={rounds}, epsilon={epsilon}, delta={delta}",
        computed=best_mistakes(count, rounds, epsilon, delta),
        stated=stated,
        false=stated * 5 / 4,
        privacy=(epsilon, delta),
        trivial=non_private_mistakes(catalog.build(f"points:n={count}"), rounds),
    )


@recomputes(WINDOWS)
def monitors(rounds: int, epsilon: Fraction, delta: Fraction) -> Iterator[Outcome]:
    """Check the lower bound by windows against the loss of the best private monitor."""
    stated = window_bound(rounds, factor_above(epsilon), delta).value
    found = monitor_value(rounds, epsilon, delta)
    yield compare(
        WINDOWS,
        f"T={rounds}, epsilon={epsilon}, delta={delta}",
        computed=between(found.lower, found.upper),
        stated=stated,
        false=2 * stated,
        privacy=(epsilon, delta),
        trivial=Fraction(rounds, rounds + 1),
    )


@recomputes(HALVES)
def halves(epsilon: Fraction) -> Iterator[Outcome]:
    """Check the halving step of the lower bound, for all probabilities of two halves."""
    ratio = factor_above(epsilon)
    c = 1 / (2 - ratio)
    steps = 1_000
    shares = [Fraction(k, steps) for k in range(steps + 1)]
    yield compare(
        HALVES,
        f"epsilon={epsilon}",
        computed=max(min(c * x, x + c * (1 - x)) for x in shares),
        stated=c / ratio,
        false=c / ratio / 2,
    )


@recomputes(DOUBLING)
def doublings(low: int, high: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the growth of the window bound when T doubles, from T = 2^low to T = 2^high."""
    ratio = factor_above(epsilon)
    first, last = (window_bound(2**k, ratio, Fraction(0)).value for k in (low, high))
    rate = log(2) / ball(epsilon)
    yield compare(
        DOUBLING,
        f"T from 2^{low} to 2^{high}, epsilon={epsilon}",
        computed=ball((last - first) / (high - low)),
        stated=rate * 9 / 10,
        false=rate * 11 / 10,
    )


def delta_of(rounds: int) -> Fraction:
    """Return 1/(20 ln T), rounded up."""
    return rational_above(lambda: 1 / (20 * log(rounds)), 10**6)


@recomputes(GROWTH)
def growth(exponent: int) -> Iterator[Outcome]:
    """Check that the lower bound exceeds (2/3) ln T + 3/20 for all T from 3 to 2^exponent.

    The bound increases with T and decreases with delta, and delta decreases with T. So the bound at
    a point of the grid, minus (2/3) ln T at the next point, bounds all differences between them.
    """
    least, rounds, r = arb(1), 3, factor_above(HALF)
    while rounds < 2**exponent:
        following = rounds + max(1, rounds // 64) if rounds > 256 else rounds + 1
        delta = delta_of(rounds)
        bounds = [
            window_bound(rounds - 1, r, delta).value,
            halving_bound(rounds - 1, r, delta).value,
        ]
        if rounds <= 12:
            bounds.append(prior_bound(best_prior(rounds - 1, r, delta), r, delta))
        left = ball(max(bounds)) - log(following if rounds > 256 else rounds) * 2 / 3
        least, rounds = (left if left < least else least), following
    yield compare(
        GROWTH,
        f"all T from 3 to 2^{exponent}",
        computed=least,
        stated=Fraction(3, 20),
        false=Fraction(3, 10),
        privacy=(HALF, delta_of(2**exponent)),
    )


@recomputes(LOGARITHM)
def point_functions(rounds: int, delta: Fraction | None) -> Iterator[Outcome]:
    """Check the bound (2/3) ln T + 3/20 against the best private learner of points on [T].

    The statement has delta = 1/(20 ln T). A learner with a smaller delta is also private with this
    delta.
    """
    limit = delta_of(rounds)
    given = limit if delta is None else delta
    stated = log(rounds) * 2 / 3 + ball(Fraction(3, 20))
    yield compare(
        LOGARITHM,
        f"T={rounds}, delta={given}",
        computed=best_mistakes(rounds, rounds, HALF, given),
        stated=stated,
        false=2 * stated,
        privacy=(HALF, given),
        trivial=non_private_mistakes(catalog.build(f"points:n={rounds}"), rounds),
        hypotheses={"delta <= 1/(20 ln T)": given <= limit},
    )


def checks() -> list[ClaimCheck]:
    """Return the checks for few rounds, and the growth for many rounds."""
    topic, none, small = "lower-bounds", Fraction(0), Fraction(1, 100)
    one, tenth = Fraction(1), Fraction(1, 10)
    return [
        *(ClaimCheck(topic, points, (3, 2, e, d)) for e in (HALF, one) for d in (none, small)),
        *(ClaimCheck(topic, points, (4, 3, e, none), slow=e == one) for e in (HALF, one)),
        *(ClaimCheck(topic, monitors, (t, HALF, small)) for t in (3, 4)),
        *(ClaimCheck(topic, monitors, (t, HALF, none), slow=t > 5) for t in range(3, 7)),
        *(ClaimCheck(topic, halves, (e,)) for e in (tenth, HALF)),
        *(ClaimCheck(topic, doublings, (8, 64, e)) for e in (HALF, one)),
        ClaimCheck(topic, growth, (9,)),
        ClaimCheck(topic, growth, (26,), slow=True),
        ClaimCheck(topic, point_functions, (3, none)),
        *(ClaimCheck(topic, point_functions, (3, d), slow=True) for d in (small, None)),
    ]
