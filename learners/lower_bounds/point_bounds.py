"""Lower bounds on the mistakes of private online learners of point functions.

The class is the class of the indicator functions of N points. A learner publishes a hypothesis
before each of T examples, and all hypotheses together are (epsilon, delta)-DP for streams that
differ in one example. ``docs/lower-bounds.md`` proves all bounds of this module.

**Adversary.** Let T < N, and draw an order of the points at random. Round t shows the t-th point
with label 0, except in rounds of a set A, the *events*. Events show the last point x* with label 1.
The concept of x* labels all these streams. Let f_t be the probability that h_t(x*) = 1 without
events. By symmetry, f_t is also the probability of a mistake on the stream without events. Let
r = e^epsilon and g_a = 1 + r + ... + r^(a-1). Consider a round t after a events. By group privacy,
h_t(x*) = 1 has a probability of at most r^a f_t + delta g_a. A mistake on another point has a
probability of at least r^-a (f_t - delta g_a).

**Three bounds.** A *prior* on the sets A bounds the mistakes for all f. *Windows* are sets of n
successive rounds, for which the bound is a formula. *Halving* chooses the next event in the half of
an interval in which the first h_t(x*) = 1 is less probable. This bound grows with log T even if
delta is about 1/log T.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from learners import checked
from learners.balls import ball, rational_above
from learners.optimal.frontier import checked_privacy
from lsclasses.errors import InvalidInput

DENOMINATOR = 10**9
"""Denominator of the fraction that `factor_above` returns."""
ALL_SETS = 6
"""Largest number of rounds for which a prior may contain every set of events."""
MOST_ROUNDS = 64
"""Largest number of rounds of a computed prior. For longer games, the bound counts only the
mistakes of these rounds."""
LONGEST = 16
"""Largest number of successive events of a computed prior on more than 6 rounds."""
MOST_EVENTS = 256
"""Largest number of events of a window in `window_bound`."""
SCALE = 1 << 40
"""Denominator of the weights of a prior."""

Events = tuple[int, ...]
"""A stream as a tuple of T entries: 1 for an event, and 0 for another point."""


@dataclass(frozen=True)
class MistakeBound:
    """A lower bound on the expected mistakes of every private online learner.

    Attributes
    ----------
    value : Fraction
        The lower bound.
    argument : str
        Argument that proves the bound: "prior", "windows" or "halving".
    events : int
        Largest number of events in a stream of the argument.
    """

    value: Fraction
    argument: str
    events: int


def mistakes_at_least(
    points: int,
    rounds: int,
    epsilon: Fraction | int | str,
    delta: Fraction | int | str = 0,
) -> MistakeBound:
    """Return the best of the three lower bounds for the class of point functions.

    Parameters
    ----------
    points : int
        Number N of points, at least 2.
    rounds : int
        Number T of rounds. If T >= N, the adversary plays only N - 1 rounds.
    epsilon : Fraction or int
        Positive epsilon of the learner.
    delta : Fraction or int
        Delta of at least 0 and less than 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.

    Examples
    --------
    >>> for rounds in (3, 100, 10**6, 10**20):
    ...     found = mistakes_at_least(rounds + 1, rounds, "1/2", "1/1000")
    ...     print(rounds, round(float(found.value), 2), found.argument, found.events)
    3 1.22 prior 2
    100 5.44 prior 7
    1000000 11.43 windows 13
    100000000000000000000 50.14 halving 54
    """
    points = checked.positive(points, "number of points")
    if points < 2:
        raise InvalidInput("The class of points needs at least 2 points. Got 1.")
    rounds = min(checked.positive(rounds, "number of rounds"), points - 1)
    exact, failure = _privacy(epsilon, delta)
    ratio = factor_above(exact)
    found = [window_bound(rounds, ratio, failure), halving_bound(rounds, ratio, failure)]
    prior = best_prior(min(rounds, MOST_ROUNDS), ratio, failure)
    value = prior_bound(prior, ratio, failure)
    found.append(MistakeBound(value, "prior", max(map(sum, prior))))
    return max(found, key=lambda each: each.value)


def _privacy(epsilon: object, delta: object) -> tuple[Fraction, Fraction]:
    return checked_privacy(
        epsilon,
        delta,
        infinite="Without privacy, the learner of all points with label 0 makes one mistake.",
        zero="The hypotheses are then independent of all examples, and the adversary forces at "
        "least half a mistake in each round.",
    )


def factor_above(epsilon: Fraction) -> Fraction:
    """Return a fraction slightly above e^epsilon.

    A larger factor weakens the lower bounds of this module, so the bounds remain true.
    """
    if epsilon <= Fraction(1, 2 * DENOMINATOR):
        # e^epsilon <= 1 + 2 epsilon. Balls cannot distinguish e^epsilon from 1.
        return 1 + Fraction(1, DENOMINATOR)
    return rational_above(lambda: ball(epsilon).exp(), DENOMINATOR)


def window_bound(rounds: int, ratio: Fraction, delta: Fraction) -> MistakeBound:
    """Return the best lower bound on mistakes from windows of n successive events, n <= 256.

    An *event* is a round that shows the last point with label 1. With r at least e^epsilon and
    g_a = 1 + r + ... + r^(a-1), the bound is
    (n - delta (g_0 + ... + g_(n-1))) / (1 + g_n / (T - n + 1)).

    Parameters
    ----------
    rounds : int
        Number T of rounds.
    ratio : Fraction
        Number r, at least e^epsilon.
    delta : Fraction
        Delta of the learner.

    Examples
    --------
    >>> window_bound(7, Fraction(1), Fraction(0))
    MistakeBound(value=Fraction(2, 1), argument='windows', events=4)
    """
    best, total, sums = MistakeBound(Fraction(0), "windows", 0), Fraction(0), Fraction(0)
    for n in range(1, min(rounds, MOST_EVENTS) + 1):
        # The variable `total` is g_(n-1), and `sums` becomes g_0 + ... + g_(n-1).
        sums += total
        total = total * ratio + 1
        value = (n - delta * sums) / (1 + total / (rounds - n + 1))
        best = max(best, MistakeBound(value, "windows", n), key=lambda each: each.value)
        if total > n * rounds:
            break
    return best


def halving_bound(rounds: int, ratio: Fraction, delta: Fraction) -> MistakeBound:
    """Return the best lower bound on mistakes from halving intervals of 2^h - 1 rounds.

    An *event* is a round that shows the last point with label 1. For each h, let b be the number of
    disjoint intervals of 2^h - 1 rounds in T rounds, let r be at least e^epsilon, and let
    c = 1/(2 - r). The bound is (h - (c/r) delta h (h - 1)/2) / (1 + c h/b). If r >= 2, the bound is
    0.

    Parameters
    ----------
    rounds : int
        Number T of rounds.
    ratio : Fraction
        Number r, at least e^epsilon.
    delta : Fraction
        Delta of the learner.

    Examples
    --------
    >>> halving_bound(2**20, Fraction(3, 2), Fraction(1, 100)).events
    12
    """
    best = MistakeBound(Fraction(0), "halving", 0)
    if ratio >= 2:
        return best
    c = 1 / (2 - ratio)
    for h in range(1, (rounds + 1).bit_length()):
        intervals = rounds // (2**h - 1)
        lost = c / ratio * delta * h * (h - 1) / 2
        value = (h - lost) / (1 + c * h / intervals)
        best = max(best, MistakeBound(value, "halving", h), key=lambda each: each.value)
    return best


def prior_bound(
    prior: Mapping[Events, Fraction | int], ratio: Fraction, delta: Fraction
) -> Fraction:
    """Return the mistakes that every private learner makes on average over a prior.

    Parameters
    ----------
    prior : mapping of Events to Fraction
        Positive weights of sets of events. The bound divides by their sum.
    ratio : Fraction
        Ratio of at least e^epsilon.
    delta : Fraction
        Delta of the learner.

    Examples
    --------
    In the example, the prior gives equal weights to the stream without events and to the stream of
    one event. It forces 1/2 mistake in one round:

    >>> prior_bound({(0,): 1, (1,): 1}, Fraction(2), Fraction(0))
    Fraction(1, 2)
    """
    total = sum(map(Fraction, prior.values()))
    if not prior or min(prior.values()) < 0 or not total:
        raise InvalidInput("A prior needs weights of at least 0 with a positive sum.")
    constant, slopes = Fraction(0), [Fraction(0)] * len(next(iter(prior)))
    for events, weight in prior.items():
        base, slope = payoff(events, ratio, delta)
        constant += weight * base
        slopes = [one + weight * other for one, other in zip(slopes, slope, strict=True)]
    # Each f_t is a probability, so the worst f_t is 0 or 1.
    return (constant + sum(min(slope, Fraction(0)) for slope in slopes)) / total


def payoff(
    events: Events, ratio: Fraction, delta: Fraction
) -> tuple[Fraction, tuple[Fraction, ...]]:
    """Return a lower bound on the mistakes on a stream, as a constant and a slope for each f_t.

    Examples
    --------
    >>> payoff((0, 1, 0), Fraction(2), Fraction(0))
    (Fraction(1, 1), (Fraction(1, 1), Fraction(-1, 1), Fraction(1, 2)))
    """
    base, slopes, growth, total = Fraction(0), [], Fraction(1), Fraction(0)
    for event in events:
        if event:
            base += 1 - delta * total
            slopes.append(-growth)
            growth, total = growth * ratio, total * ratio + 1
        else:
            base -= delta * total / growth
            slopes.append(1 / growth)
    return base, tuple(slopes)


def best_prior(rounds: int, ratio: Fraction, delta: Fraction) -> dict[Events, Fraction]:
    """Return a prior whose bound is nearly the best of all priors on some sets of events.

    For at most 6 rounds, the sets are all sets of rounds. For more rounds, they are sets of at most
    16 successive rounds. A linear program in floating point proposes the prior. `prior_bound` is
    exact for every prior.

    Raises
    ------
    InvalidInput
        If there are more than 64 rounds.
    """
    from scipy.optimize import linprog

    if rounds > MOST_ROUNDS:
        raise InvalidInput(f"A prior is computed for at most {MOST_ROUNDS} rounds. Got {rounds}.")
    if rounds <= ALL_SETS:
        streams = list(product((0, 1), repeat=rounds))
    else:
        streams = list(successive(rounds, LONGEST))
    bases, slopes = zip(*(payoff(each, ratio, delta) for each in streams), strict=True)
    rows = np.array([[*map(float, slope), -1.0] for slope in slopes])
    found = linprog(
        [0.0] * rounds + [1.0],
        A_ub=rows,
        b_ub=-np.array([float(base) for base in bases]),
        bounds=[(0, 1)] * rounds + [(None, None)],
    )
    if found.status != 0:
        # Every distribution gives a proved bound, so a failed program only costs accuracy.
        return {streams[0]: Fraction(1)}
    weights = [max(0, round(-each * SCALE)) for each in found.ineqlin.marginals]
    return {
        each: Fraction(weight, SCALE)
        for each, weight in zip(streams, weights, strict=True)
        if weight
    }


def successive(rounds: int, longest: int) -> Iterator[Events]:
    """Yield the sets of at most some number of successive rounds.

    Examples
    --------
    >>> list(successive(3, 2))
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1)]
    """
    yield (0,) * rounds
    for count in range(1, min(rounds, longest) + 1):
        for start in range(rounds - count + 1):
            yield (0,) * start + (1,) * count + (0,) * (rounds - start - count)
