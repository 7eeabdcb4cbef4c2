"""Rates of [KMMNS23]: POP, the halting test of ChallengeAT, and the phases of the agnostic POP."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import catalog
from learners.budget import Budget
from learners.growth.factors import correction, logarithm, power
from learners.growth.rates import DELTA, FAILURE, Rate
from learners.mechanisms.challenge_at import ChallengeAT
from learners.pop.agnostic import AgnosticPOP
from learners.pop.plan import POPParameters

LONG = 1 << 64
"""Number of rounds from which noise for few reports is less than noise for all rounds, so that POP
may halt."""


@lru_cache(maxsize=64)
def pop_mistakes(
    mistake_bound: int, epsilon: Fraction, delta: Fraction, rounds: int
) -> Fraction | int:
    """Return the bound R of [KMMNS23, Thm 5.3] with the constants of this project.

    Examples
    --------
    >>> int(pop_mistakes(1, Fraction(1), DELTA, 10**4))
    325099
    """
    parameters = POPParameters.from_theorem(Budget(epsilon, delta), mistake_bound, rounds, FAILURE)
    value = parameters.bounds(mistake_bound, FAILURE)[0].value
    assert value is not None
    return value


def by_dimension(d: int) -> Fraction | int:
    """Return the bound of POP for a base learner with d mistakes."""
    return pop_mistakes(d, Fraction(1), DELTA, LONG)


def by_epsilon(u: int) -> Fraction | int:
    """Return the bound of POP for epsilon = 1/u."""
    return pop_mistakes(1, Fraction(1, u), DELTA, LONG)


def by_rounds(u: int) -> Fraction | int:
    """Return the bound of POP for T = 2^u."""
    return pop_mistakes(1, Fraction(1), DELTA, 1 << u)


def by_delta(u: int) -> Fraction | int:
    """Return the bound of POP for delta = 2^-u."""
    return pop_mistakes(1, Fraction(1), Fraction(1, 1 << u), LONG)


def overrun(epsilon: Fraction, rounds: int) -> int:
    """Return the largest number lambda of reports beyond r, for a test with the tree counter."""
    mechanism = ChallengeAT.within(epsilon, DELTA, 50, 1000, horizon=rounds, halting="tree")
    assert mechanism.overrun is not None
    return mechanism.overrun


def overrun_by_rounds(u: int) -> int:
    """Return the number lambda of `overrun` for T = 2^u."""
    return overrun(Fraction(1), 1 << u)


def overrun_by_epsilon(u: int) -> int:
    """Return the number lambda of `overrun` for epsilon = 1/u."""
    return overrun(Fraction(1, u), 1 << 40)


@lru_cache(maxsize=64)
def phase(dimension: int, epsilon: Fraction) -> Fraction | int:
    """Return w, the number of mistakes after which a phase of the agnostic POP has halted."""
    learner = AgnosticPOP.from_theorem(
        Budget(epsilon, DELTA),
        catalog.build(f"thresholds:n={(1 << dimension) - 1}"),
        LONG,
        FAILURE,
        phases=100,
    )
    value = learner.bound(0).value
    assert value is not None
    return value


def phase_by_dimension(d: int) -> Fraction | int:
    """Return the number w of `phase` for the Littlestone dimension d."""
    return phase(d, Fraction(1))


def phase_by_epsilon(u: int) -> Fraction | int:
    """Return the number w of `phase` for epsilon = 1/u and d = 4."""
    return phase(4, Fraction(1, u))


POP = ("KMMNS23 Thm 5.1", "KMMNS23 Thm 5.3")
MISTAKES = "mistakes of POP"
OVERRUN = "reports of ChallengeAT beyond r"
PHASE = "mistakes of a phase of the agnostic POP"

RATES = (
    Rate(
        name="pop-d",
        statements=POP,
        quantity=MISTAKES,
        symbol="d",
        setting="epsilon = 1, delta = 10^-6, T = 2^64, beta = 1/20",
        bound=by_dimension,
        start=1,
        doublings=4,
        stated=power(2),
        false=power("3/2"),
        correction=correction("-1/8", 2),
        quick=(0,),
    ),
    Rate(
        name="pop-epsilon",
        statements=POP,
        quantity=MISTAKES,
        symbol="1/epsilon",
        setting="d = 1, delta = 10^-6, T = 2^64, beta = 1/20",
        bound=by_epsilon,
        start=1,
        doublings=4,
        stated=power(2),
        false=power("3/2"),
        quick=(0,),
    ),
    Rate(
        name="pop-T",
        statements=POP,
        quantity=MISTAKES,
        symbol="log2(T)",
        setting="d = 1, epsilon = 1, delta = 10^-6, beta = 1/20",
        bound=by_rounds,
        start=64,
        doublings=4,
        stated=power(2),
        false=power(1),
        quick=(0,),
        unmeasured=(
            "With at most 10^5 rounds, the noise that protects a report in every round is smaller "
            "than the noise for few reports. So POP uses the noise for every round and does not "
            "halt, and its mistakes grow like sqrt(T)."
        ),
    ),
    Rate(
        name="pop-delta",
        statements=POP,
        quantity=MISTAKES,
        symbol="log2(1/delta)",
        setting="d = 1, epsilon = 1, T = 2^64, beta = 1/20",
        bound=by_delta,
        start=20,
        doublings=4,
        stated=power(2),
        false=power(2),
        proved=power(3),
        quick=(3,),
        note=(
            "The proved growth is larger than the stated growth, because Theorem 5.2 omits a "
            "condition on the number k of copies. For delta much smaller than 1/T, privacy needs "
            "k of order gamma log(T/delta), and the noise gamma grows like sqrt(d k "
            "log(1/delta))/epsilon. So k grows like log(1/delta)^3. For delta near 1/T, the "
            "ratios of the table are smaller than the allowed ratios."
        ),
    ),
    Rate(
        name="overrun-T",
        statements=("KMMNS23 Rem 4.1",),
        quantity=OVERRUN,
        symbol="log2(T)",
        setting="tree counter, epsilon = 1, delta = 10^-6",
        bound=overrun_by_rounds,
        start=32,
        doublings=4,
        stated=power(2),
        false=power(1),
        printed="log(T) log(T/beta)",
        unmeasured="Remark 4.1 bounds the error of a count of reports, not a number of mistakes.",
    ),
    Rate(
        name="overrun-epsilon",
        statements=("KMMNS23 Rem 4.1",),
        quantity=OVERRUN,
        symbol="1/epsilon",
        setting="tree counter, T = 2^40, delta = 10^-6",
        bound=overrun_by_epsilon,
        start=1,
        doublings=4,
        stated=power(1),
        false=power("1/2"),
        correction=correction("-1/4096"),
        note="The last factor covers the rounding to integers.",
        unmeasured="Remark 4.1 bounds the error of a count of reports, not a number of mistakes.",
    ),
)

PHASES = (
    Rate(
        name="phase-d",
        statements=("KMMNS23 Lemma F.3",),
        quantity=PHASE,
        symbol="d",
        setting="thresholds of dimension d, M = d, epsilon = 1, T = 2^64, 100 phases",
        bound=phase_by_dimension,
        start=4,
        doublings=4,
        stated=power(3),
        false=power("3/2"),
        correction=logarithm(1),
        proved=power(2),
        printed="w = Theta(k d) with k = Theta~(d^2)",
        quick=(0,),
        note=(
            "Because of the noise of POP, the proof needs a number k of copies of order "
            "d/epsilon^2 instead of d^2/epsilon."
        ),
        unmeasured="At the parameters of the ratios, a phase has more than 10^12 mistakes.",
    ),
    Rate(
        name="phase-epsilon",
        statements=("KMMNS23 Lemma F.3",),
        quantity=PHASE,
        symbol="1/epsilon",
        setting="thresholds of dimension 4, M = 4, T = 2^64, 100 phases",
        bound=phase_by_epsilon,
        start=1,
        doublings=4,
        stated=power(1),
        false=power(1),
        proved=power(2),
        quick=(0,),
        note=(
            "Because of the noise of POP, the proof needs a number k of copies of order "
            "d/epsilon^2 instead of d^2/epsilon."
        ),
        unmeasured="At the parameters of the ratios, a phase has more than 10^12 mistakes.",
    ),
)
