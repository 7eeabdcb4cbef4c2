"""Small instances of `learners.pop.agnostic` for its audits, chosen by their power."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from learners.audit.instances import AuditEntry, Instance, count
from learners.playing.base.soa_experts import SOAExperts
from learners.pop.agnostic import AgnosticPOP
from learners.pop.algorithm import POP
from learners.pop.evidence.instances import (
    SCALE,
    challenged_examples,
    few_copies,
    others_predictions,
)
from learners.pop.until_mistakes import POPUntilMistakes
from lsclasses.specifications import Parameter
from lsclasses.table import Table


def _until_mistakes(
    copies: int, rounds: int, scale: Fraction, mistakes: int, counting: Fraction
) -> POPUntilMistakes:
    pop = POP(SOAExperts(Table([[0], [1]]), 0), few_copies(copies, rounds, scale))
    return POPUntilMistakes(pop, mistakes, counting)


def _until_instance(**parameters: Any) -> Instance:
    """All streams on one point. Whether the hidden prediction was wrong is known to everybody but
    for noise: no copy has learned a label yet.
    """
    learner = _until_mistakes(**parameters)
    pairs = challenged_examples(learner.rounds, 1)
    return Instance(learner, others_predictions, pairs, learner.privacy)


def _phases_instance(*, phases: int, **parameters: Any) -> Instance:
    """As `_until_instance`."""
    learner = AgnosticPOP(_until_mistakes(**parameters), phases)
    pairs = challenged_examples(learner.rounds, 1)
    return Instance(learner, others_predictions, pairs, learner.privacy)


def _parameters(copies: int, counting: int) -> tuple[Parameter, ...]:
    return (
        count("copies", "copies of the base learner", copies, 1, 64),
        count("rounds", "how many examples", 2, 1, 4),
        replace(SCALE, default=Fraction(1)),
        count("mistakes", "after about how many it halts", 1, 1, 4),
        Parameter("counting", "what counting mistakes costs", Fraction(counting), rational=True),
    )


AUDITS = (
    AuditEntry(
        "pop_until_mistakes",
        "the same until about so many mistakes, which are counted with noise",
        _parameters(copies=40, counting=7),
        _until_instance,
    ),
    AuditEntry(
        "agnostic_pop",
        "the same in phases: after so many mistakes it starts anew",
        (*_parameters(copies=60, counting=12), count("phases", "how many there may be", 2, 1, 3)),
        _phases_instance,
    ),
)
