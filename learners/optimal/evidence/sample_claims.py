"""Claims about the least error of private learners from samples, and stored certificates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from flint import arb

import catalog
from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.optimal.error import optimal_error
from learners.optimal.evidence.instances import ONE_BIT
from learners.optimal.evidence.stored import VALUES, Value, stored
from learners.optimal.frontier import Frontier
from learners.optimal.sample_problems import Outputs
from lsclasses.concept_class import ConceptClass

SOURCE = "learners.optimal.error"

AT_LEAST = Claim(
    "error that every private learner of one bit makes from m rows",
    "e^(-epsilon m/2)/2, m even; e^(-epsilon (m-1)/2)/(1 + e^epsilon), m odd",
    "<=",
    SOURCE,
    falsified="half of it",
)
AT_MOST = Claim(
    "error of the best private learner of one bit, for all distributions",
    AT_LEAST.formula + ", rounded up",
    "<=",
    SOURCE,
    falsified="half of it",
)
PACKING = Claim(
    "error that every private proper learner of n points makes from m rows",
    "(n - 1)/(n - 1 + e^(epsilon m)), less what bounds may be apart",
    ">=",
    "packing of the n point masses",
    falsified="twice it",
)
IMPROPER = Claim(
    "least error of proper private learners, above that of improper ones",
    "0",
    ">=",
    SOURCE,
    falsified="1/16",
)
STORED = Claim(
    "how far the bounds of a stored certificate are apart that is checked without a solver",
    "1/10,000",
    "<=",
    "learners.optimal.evidence.stored",
    falsified="0",
)

APART = Fraction(1, 10_000)
"""Largest distance between the lower and the upper bound on an optimum."""


def proved(C: ConceptClass, rows: int, epsilon: Fraction, outputs: Outputs = "any") -> Frontier:
    """Return the bounds on the least error, checked again without the solver."""
    found = optimal_error(C, rows, epsilon, outputs=outputs, tolerance=APART)
    found.evidence.check(C)
    return found


def one_bit_error(rows: int, epsilon: Fraction) -> arb:
    """Return the closed form, where distributions along a chain of m steps meet in its middle.

    The chain leads from all labels 0 to all labels 1.
    """
    half = (-ball(epsilon) * (rows // 2)).exp()
    return half / 2 if rows % 2 == 0 else half / (1 + ball(epsilon).exp())


@recomputes(AT_LEAST, AT_MOST)
def one_bit_from_rows(rows: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the closed form of the least error of private learners of one bit."""
    found, form = proved(ONE_BIT, rows, epsilon), one_bit_error(rows, epsilon)
    instance, privacy = f"one bit, m={rows}, epsilon={epsilon}", (epsilon, Fraction(0))
    yield compare(
        AT_LEAST, instance, computed=found.lower, stated=form, false=form / 2, privacy=privacy
    )
    yield compare(
        AT_MOST,
        instance,
        computed=found.upper,
        stated=form + ball(APART),
        false=form / 2,
        privacy=privacy,
    )


@recomputes(PACKING)
def packing(points: int, rows: int) -> Iterator[Outcome]:
    """Check the packing bound on proper learners, with distributions on single points."""
    epsilon = Fraction(1)
    found = proved(catalog.build(f"points:n={points}"), rows, epsilon, "class")
    packed = (points - 1) / (points - 1 + (ball(epsilon) * rows).exp())
    yield compare(
        PACKING,
        f"points:n={points}, m={rows}",
        computed=found.lower,
        stated=packed - ball(APART),
        false=2 * packed,
        privacy=(epsilon, Fraction(0)),
    )


@recomputes(IMPROPER)
def proper_against_improper(spec: str, rows: int) -> Iterator[Outcome]:
    """Check that improper private learners can have a smaller error than proper learners."""
    values = stored()
    proper = values[Value(spec, rows=rows, outputs="class")].evidence
    improper = values[Value(spec, rows=rows)].evidence
    yield compare(
        IMPROPER,
        f"{spec}, m={rows}",
        computed=proper.upper - improper.lower,
        stated=Fraction(0),
        false=Fraction(1, 16),
        privacy=(Fraction(1), Fraction(0)),
    )


@recomputes(STORED)
def certificate(number: int) -> Iterator[Outcome]:
    """Check the bounds of a stored certificate, with both halves of its evidence."""
    value = VALUES[number]
    proof = stored()[value]
    proof.verify(catalog.build(value.spec))
    yield compare(
        STORED,
        str(value),
        computed=proof.evidence.upper - proof.evidence.lower,
        stated=APART,
        false=Fraction(0),
        privacy=(proof.evidence.epsilon, proof.evidence.delta),
    )


def checks() -> list[ClaimCheck]:
    """Return the checks for few rows. Most stored certificates are checked on demand."""
    topic = "frontier"
    one, default = Fraction(1), {Value("points:n=3", rows=2), Value("thresholds:n=2", rounds=3)}
    return [
        *(ClaimCheck(topic, one_bit_from_rows, (m, one)) for m in range(1, 6)),
        *(ClaimCheck(topic, packing, (n, m)) for n, m in ((3, 1), (3, 2), (4, 1))),
        ClaimCheck(topic, proper_against_improper, ("points:n=3", 1)),
        *(
            ClaimCheck(topic, certificate, (i,), slow=value not in default)
            for i, value in enumerate(VALUES)
        ),
    ]
