"""Claims about the fewest mistakes of private online learners."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from flint import arb

import catalog
from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.optimal.evidence.instances import ONE_BIT
from learners.optimal.frontier import Frontier
from learners.optimal.mistakes import optimal_mistakes
from lsclasses.concept_class import ConceptClass

SOURCE = "learners.optimal.mistakes"

AT_LEAST = Claim(
    "mistakes that every private learner of one bit makes",
    "1/2 + a + a + 2a^2 + 2a^2, T terms, a = 1/(1 + e^epsilon)",
    "<=",
    SOURCE,
    falsified="half of it",
)
AT_MOST = Claim(
    "mistakes of the best private learner of one bit, in the worst case",
    AT_LEAST.formula + ", rounded up",
    "<=",
    SOURCE,
    falsified="half of it",
)
MAJORITY = Claim(
    "mistakes of the majority of randomized responses on equal bits",
    "those of the best private learner of one bit",
    ">=",
    SOURCE,
    falsified="1/16 more",
)
ROUNDED = Fraction(1, 10**6)
"""Largest distance of the proved bounds from the optimum."""


def proved(C: ConceptClass, rounds: int, epsilon: Fraction, delta: Fraction) -> Frontier:
    """Return the bounds on the fewest mistakes, checked again without the solver."""
    found = optimal_mistakes(C, rounds, epsilon, delta)
    found.evidence.check(C)
    return found


def staircase(rounds: int, epsilon: Fraction) -> arb:
    """Return the closed form for one bit, up to 5 rounds."""
    a = 1 / (1 + ball(epsilon).exp())
    return sum([arb(1) / 2, a, a, 2 * a * a, 2 * a * a][:rounds], arb(0))


@recomputes(AT_LEAST, AT_MOST)
def one_bit(rounds: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the closed form of the fewest mistakes of private learners of one bit."""
    classes: dict[str, ConceptClass] = {"one bit": ONE_BIT}
    if rounds <= 3:
        classes["points:n=2"] = catalog.build("points:n=2")
    for name, C in classes.items():
        found, form = proved(C, rounds, epsilon, Fraction(0)), staircase(rounds, epsilon)
        instance = f"{name}, T={rounds}, epsilon={epsilon}"
        privacy = epsilon, Fraction(0)
        yield compare(
            AT_LEAST,
            instance,
            computed=found.lower,
            stated=form,
            false=form / 2,
            privacy=privacy,
        )
        yield compare(
            AT_MOST,
            instance,
            computed=found.upper,
            stated=form + ball(ROUNDED),
            false=form / 2,
            privacy=privacy,
        )


def majority(rounds: int, epsilon: Fraction) -> arb:
    """Return the mistakes of the majority of randomized responses, with ties decided by a coin."""
    a = 1 / (1 + ball(epsilon).exp())
    mistakes = arb(0)
    for heard in range(rounds):
        for flips in product((0, 1), repeat=heard):
            wrong = sum(flips)
            chance = a**wrong * (1 - a) ** (heard - wrong)
            mistakes += chance * (int(2 * wrong > heard) + arb(int(2 * wrong == heard)) / 2)
    return mistakes


@recomputes(MAJORITY)
def majorities(rounds: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check that majorities of randomized responses are at most as good as the best learner."""
    best = proved(ONE_BIT, rounds, epsilon, Fraction(0)).lower
    yield compare(
        MAJORITY,
        f"T={rounds}, epsilon={epsilon}",
        computed=majority(rounds, epsilon),
        stated=best,
        false=best + Fraction(1, 16),
        privacy=(epsilon, Fraction(0)),
    )


def checks() -> list[ClaimCheck]:
    """Return the checks for few rounds."""
    topic = "frontier"
    half, one = Fraction(1, 2), Fraction(1)
    return [
        *(ClaimCheck(topic, one_bit, (t, e)) for e in (one, half) for t in range(1, 6)),
        *(ClaimCheck(topic, majorities, (t, one)) for t in (3, 4)),
    ]
