"""Small instances of `learners.pop.agnostic` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, Instance
from learners.playing.base.soa_experts import SOAExperts
from learners.pop.agnostic import AgnosticPOP
from learners.pop.algorithm import POP
from learners.pop.evidence.instances import (
    Scale,
    challenged_examples,
    few_copies,
    others_predictions,
)
from learners.pop.until_mistakes import POPUntilMistakes
from lsclasses.specifications import Option
from lsclasses.table import Table

Copies = Annotated[int, Option("copies of the base learner", minimum=1, maximum=64)]
Rounds = Annotated[int, Option("how many examples", minimum=1, maximum=4)]
Mistakes = Annotated[int, Option("after about how many it halts", minimum=1, maximum=4)]
Counting = Annotated[Fraction, Option("what counting mistakes costs")]


def _until_mistakes(
    copies: int, rounds: int, scale: Fraction, mistakes: int, counting: Fraction
) -> POPUntilMistakes:
    pop = POP(SOAExperts(Table([[0], [1]]), 0), few_copies(copies, rounds, scale))
    return POPUntilMistakes(pop, mistakes, counting)


def _audited(learner: POPUntilMistakes | AgnosticPOP) -> Instance:
    pairs = challenged_examples(learner.rounds, 1)
    return Instance(learner, others_predictions, pairs)


def _until_instance(
    *,
    copies: Copies = 40,
    rounds: Rounds = 2,
    scale: Scale = Fraction(1),
    mistakes: Mistakes = 1,
    counting: Counting = Fraction(7),
) -> Instance:
    """All streams on one point, where everybody knows up to noise whether a mistake occurs."""
    return _audited(_until_mistakes(copies, rounds, scale, mistakes, counting))


def _phases_instance(
    *,
    copies: Copies = 60,
    rounds: Rounds = 2,
    scale: Scale = Fraction(1),
    mistakes: Mistakes = 1,
    counting: Counting = Fraction(12),
    phases: Annotated[int, Option("how many there may be", minimum=1, maximum=3)] = 2,
) -> Instance:
    """The same streams as `_until_instance`, for phases."""
    return _audited(AgnosticPOP(_until_mistakes(copies, rounds, scale, mistakes, counting), phases))


AUDITS = (
    AuditEntry(
        "pop_until_mistakes",
        "the same until a noisy count of mistakes reaches `mistakes`",
        _until_instance,
    ),
    AuditEntry(
        "agnostic_pop",
        "the same in phases, which end after about `mistakes` mistakes",
        _phases_instance,
    ),
)
