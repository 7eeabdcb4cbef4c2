"""Small instances of `learners.pop.algorithm` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from learners.instances import Auditable, Instance, count
from learners.pop.algorithm import POP, SCALE, challenged_examples, few_copies, others_predictions
from lsclasses.soa import SOA
from lsclasses.specifications import Parameter
from lsclasses.table import Table

__all__ = ["AUDITS"]


def _instance(
    *, copies: int, rounds: int, scale: Fraction, points: int, halting: Fraction, reports: int
) -> Instance:
    """All streams on a few points, which the class labels in all ways."""
    everything = Table([list(labels) for labels in product((0, 1), repeat=points)])
    parameters = few_copies(copies, rounds, scale, halting=halting, reports=reports)
    learner = POP(SOA(everything), parameters)
    pairs = challenged_examples(rounds, points)
    return Instance(learner, others_predictions, pairs, learner.privacy)


AUDITS = (
    Auditable(
        "pop",
        "predictions of noisy majorities; one user's example differs, its prediction hidden",
        (
            count("copies", "copies of the base learner", 7, 1, 16),
            count("rounds", "how many examples", 5, 1, 5),
            SCALE,
            count("points", "different points", 1, 1, 2),
            Parameter("halting", "what halting costs, 0 for never", Fraction(0), rational=True),
            count("reports", "after about how many it halts", 1, 1, 8),
        ),
        _instance,
        Fraction("10.76"),
        "noise is for all rounds, the one of the challenge too; one of seven copies learns",
    ),
)
