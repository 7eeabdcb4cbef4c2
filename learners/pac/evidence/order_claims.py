"""The numbers of examples of [BLM20, Thm 1 and 17], compared with the stated orders."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import log

from learners.budget import Budget
from learners.claim_checks import ClaimCheck, Outcome, recomputes
from learners.general_checks.orders import ln, order_claim, order_outcome
from learners.pac.evidence.agnostic_rows import RANGES, in_range
from learners.pac.littlestone_parameters import LittlestoneParameters

EXAMPLES = "examples of the private learner by the paper's proof"
THEOREM = order_claim(
    EXAMPLES,
    "16^d d^2 (d + ln(1/(beta delta)))/(alpha epsilon)",
    6000,
    source="learners.pac.littlestone_parameters, for [BLM20, Thm 1]",
)
BATCHES = order_claim(
    EXAMPLES,
    "m ln(1/(eta beta delta))/(eta epsilon), m the examples of G",
    80,
    source="learners.pac.littlestone_parameters, for [BLM20, Thm 17]",
)


@recomputes(THEOREM, BATCHES)
def examples() -> Iterator[Outcome]:
    """Check the orders of the numbers of examples in [BLM20, Thm 1 and 17].

    The check covers classes of dimension 1, 8 and 64, and two values of each other parameter. The
    second term of Theorem 17 is smaller than the first term.
    """
    tiny = Fraction(1, 2**320)
    quarter, half = (Fraction(1, 4), Fraction(1, 2**40)), (Fraction(1, 2), Fraction(1, 2**20))
    deltas = Fraction(1, 2**10), tiny
    grid = list(product((1, 8, 64), quarter, half, deltas, (quarter[0], tiny)))

    def built(
        d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction
    ) -> LittlestoneParameters:
        budget = Budget(epsilon, delta)
        return LittlestoneParameters.for_error(d, alpha, budget, beta=beta, rule="printed")

    def of_theorem(
        d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction
    ) -> list[float]:
        return [d * log(16), 2 * log(d), log(d - ln(beta * delta)), -ln(alpha), -ln(epsilon)]

    def of_batches(
        d: int, alpha: Fraction, epsilon: Fraction, delta: Fraction, beta: Fraction
    ) -> list[float]:
        found = built(d, alpha, epsilon, delta, beta)
        assert found.eta is not None
        eta = found.eta
        return [ln(found.batch), log(-ln(eta * beta * delta)), -ln(eta), -ln(epsilon)]

    where = (
        "d=1, 8 and 64, alpha=1/4 and 2^-40, epsilon=1/2 and 2^-20, delta=2^-10 and 2^-320, "
        "beta=1/4 and 2^-320"
    )
    ranges = all(in_range(epsilon, delta, alpha, beta) for _, alpha, epsilon, delta, beta in grid)
    for claim, factors, met in (
        (THEOREM, of_theorem, {RANGES: ranges}),
        (BATCHES, of_batches, None),
    ):
        yield order_outcome(
            claim,
            where,
            lambda *point: built(*point).rows,
            factors,
            grid,
            privacy=(half[0], deltas[0]),
            hypotheses=met,
        )


def checks(topic: str) -> list[ClaimCheck]:
    """Return the check, under the name of a topic."""
    return [ClaimCheck(topic, examples)]
