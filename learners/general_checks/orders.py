"""Numbers of an order O(f): the largest quotient over a grid of parameters, and smaller orders.

A theorem with O(f) states that some constant C bounds the quotient of its number and f. A check
computes the largest quotient over a grid. The false variants replace one factor of f by its square
root. Each variant exceeds C at some point of the grid, so that no exponent of f is too large by a
factor of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import exp, log
from typing import Any

from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.counter import TreeCounter
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.histograms import StableHistogram

Point = tuple[Any, ...]
"""The parameters of one point of a grid."""

HALVED = "half of the exponent of a factor, for every factor"
"""Description of the change by which false variants of the claims arise."""


def order_claim(quantity: str, order: str, constant: int, *, source: str, **words: Any) -> Claim:
    """Return the claim that a number is at most a constant times its order."""
    return Claim(
        f"{quantity}, divided by {order}: largest quotient on a grid of parameters",
        str(constant),
        source=source,
        falsified="with the square root of one factor, the least over the factors",
        drops=HALVED,
        **words,
    )


def ln(value: Fraction | int) -> float:
    """Return the natural logarithm of a positive number, which may be too small for a float."""
    exact = Fraction(value)
    return log(exact.numerator) - log(exact.denominator)


def order_outcome(
    claim: Claim,
    instance: str,
    number: Callable[..., Fraction | int],
    factors: Callable[..., Sequence[float]],
    grid: Sequence[Point],
    *,
    privacy: tuple[Fraction, Fraction],
    hypotheses: Mapping[str, bool] | None = None,
) -> Outcome:
    """Return the row of a claim of `order_claim`.

    Parameters
    ----------
    claim : Claim
        Claim that `order_claim` returned.
    instance : str
        Instance in words.
    number : callable
        Number of the theorem, as a function of the parameters.
    factors : callable
        Logarithms of the factors of the order.
    grid : sequence of tuple
        Parameters of all points of the grid.
    privacy : (epsilon, delta)
        Largest privacy parameters of the grid.
    hypotheses : mapping of str to bool, optional
        Hypotheses of the statements, each with whether all points of the grid meet it.
    """
    rows = [(ln(number(*point)), factors(*point)) for point in grid]
    largest = max(value - sum(parts) for value, parts in rows)
    halved = [
        max(value - sum(parts) + parts[i] / 2 for value, parts in rows)
        for i in range(len(rows[0][1]))
    ]
    return compare(
        claim,
        instance,
        computed=Fraction(exp(largest)),
        stated=int(claim.formula),
        twin=Fraction(exp(min(halved))),
        privacy=privacy,
        hypotheses=hypotheses,
    )


# ---- mechanisms

HISTOGRAM = order_claim(
    "items of stable_histogram",
    "ln(1/(eta beta delta))/(eta epsilon)",
    6,
    source="learners.mechanisms.histograms, for [BLM20, Lemma 15]",
)
COUNTER = order_claim(
    "error of tree_counter",
    "ln(T) ln(T/beta)/epsilon",
    6,
    source="learners.mechanisms.counter, for [KMMNS23, Thm 2.10]",
    statements=("KMMNS23 Thm 2.10", "KMMNS23 Rem 4.1"),
)
FRESH = order_claim(
    "noise gamma of fresh_noise_threshold",
    "Delta sqrt(r) ln(r/delta)/epsilon",
    9,
    source="learners.mechanisms.fresh_noise, for [KMMNS23, Alg 1]",
    statements=("KMMNS23 Alg 1", "KMMNS23 Thm 2.8"),
)
FEW = order_claim(
    "noise gamma of challenge_at for r + lambda reports",
    "sqrt(r + lambda) ln((r + lambda)/delta)/epsilon",
    3,
    source="learners.mechanisms.challenge_at, for [KMMNS23, Alg 6]",
)
WRONG = order_claim(
    "error a of challenge_at with noise for r + lambda reports",
    "sqrt(r + lambda) ln((r + lambda)/delta) ln(T/beta)/epsilon",
    3,
    source="learners.mechanisms.challenge_at, for [KMMNS23, Thm 4.2]",
)

EPSILONS = Fraction(1), Fraction(1, 2**20)
DELTAS = Fraction(1, 2**10), Fraction(1, 2**4000)
FAILURES = Fraction(1, 4), Fraction(1, 2**4000)
PRIVACY = EPSILONS[0], DELTAS[0]
SMALL = "2^-4000"


@recomputes(HISTOGRAM)
def histogram() -> Iterator[Outcome]:
    """Check the order of the number of items that histogram estimates need."""
    frequencies = Fraction(1, 2), Fraction(1, 2**20)
    yield order_outcome(
        HISTOGRAM,
        f"epsilon=1 and 2^-20, eta=1/2 and 2^-20, beta=1/4 and {SMALL}, delta=2^-10 and {SMALL}",
        lambda epsilon, eta, beta, delta: StableHistogram(epsilon, delta).for_estimates(eta, beta),
        lambda epsilon, eta, beta, delta: (log(-ln(eta * beta * delta)), -ln(eta), -ln(epsilon)),
        list(product(EPSILONS, frequencies, FAILURES, DELTAS)),
        privacy=PRIVACY,
    )


@recomputes(COUNTER)
def counter() -> Iterator[Outcome]:
    """Check the order of the error of all counts of the tree counter."""
    yield order_outcome(
        COUNTER,
        f"epsilon=1 and 2^-20, T=16, 2^64 and 2^1000, beta=1/4 and {SMALL}",
        lambda epsilon, T, beta: TreeCounter(epsilon, T).error(beta),
        lambda epsilon, T, beta: (log(ln(T)), log(ln(T / beta)), -ln(epsilon)),
        list(product(EPSILONS, (16, 2**64, 2**1000), FAILURES)),
        privacy=(EPSILONS[0], Fraction(0)),
    )


@recomputes(FRESH)
def fresh() -> Iterator[Outcome]:
    """Check the order of the noise scale of `FreshNoiseThreshold`, in closed form."""
    yield order_outcome(
        FRESH,
        f"epsilon=1 and 2^-20, delta=2^-10 and {SMALL}, r=1 and 10^30, Delta=1 and 2^20",
        lambda epsilon, delta, r, D: FreshNoiseThreshold(epsilon, delta, r, 0, D).scale,
        lambda epsilon, delta, r, D: (ln(r) / 2, log(ln(r / delta)), -ln(epsilon), ln(D)),
        list(product(EPSILONS, DELTAS, (1, 10**30), (1, 2**20))),
        privacy=PRIVACY,
    )


@recomputes(FEW, WRONG)
def few_reports() -> Iterator[Outcome]:
    """Check the orders of the noise and of the error of ChallengeAT with the tree counter."""

    def built(epsilon: Fraction, delta: Fraction, r: int, T: int) -> ChallengeAT:
        spent, lost = epsilon / 2, delta / 2
        return ChallengeAT(spent, lost, r, 0, spent, lost, T, "tree")

    def factors(epsilon: Fraction, delta: Fraction, r: int, T: int) -> list[float]:
        most = built(epsilon, delta, r, T).most_reports
        assert most is not None
        return [ln(most) / 2, log(ln(most / delta)), -ln(epsilon)]

    grid = list(product(EPSILONS, DELTAS, (1, 10**40), (16, 2**64)))
    where = f"epsilon=1 and 2^-20, delta=2^-10 and {SMALL}, r=1 and 10^40, T=16 and 2^64"
    yield order_outcome(
        FEW, where, lambda *point: built(*point).scale, factors, grid, privacy=PRIVACY
    )
    yield order_outcome(
        WRONG,
        f"{where}, beta=1/4 and {SMALL}",
        lambda *point: built(*point[:4]).accuracy(point[3], point[4]),
        lambda *point: [*factors(*point[:4]), log(ln(point[3] / point[4]))],
        [(*point, beta) for point in grid for beta in FAILURES],
        privacy=PRIVACY,
    )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the checks of mechanisms, under the name of a topic."""
    return [ClaimCheck(topic, work) for work in (histogram, counter, fresh, few_reports)]
