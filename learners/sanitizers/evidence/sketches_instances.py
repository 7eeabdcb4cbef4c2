"""Small instances of `learners.sanitizers.sketches` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, Run, neighbouring_tables
from learners.sanitizers.base import Sanitizer
from learners.sanitizers.discriminators import RealizableDiscriminator
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.sketches import CutSanitizer, RealizableFooling
from lsclasses.specifications import Option
from lsclasses.table import Table


def _game(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    alpha: Annotated[Fraction, Option("the error that is aimed at")] = Fraction(1, 2),
    rows: Annotated[int, Option("points of the data", minimum=1, maximum=8)] = 8,
    rounds: Annotated[int, Option("the most rounds", minimum=1, maximum=3)] = 2,
) -> Instance:
    """All data sets of two points; sketches of few points, on which privacy does not depend."""
    C = Table([[1, 0], [0, 1]])
    discriminator = RealizableDiscriminator(C, rows, alpha, epsilon)
    sanitizer = RealizableFooling(discriminator, "soa", 4, rounds)
    pairs = neighbouring_tables([0, 1], rows, "replace_one")
    return Instance(sanitizer, _fitted, pairs)


def _cut(
    *,
    test: Annotated[Fraction, Option("epsilon of one test of MWEM")] = Fraction(2),
    rows: Annotated[int, Option("points of the data", minimum=1, maximum=4)] = 2,
) -> Instance:
    """All data sets of two points; estimates of one round of MWEM."""
    C = Table([[0, 1]])
    inner = MWEMSanitizer(C, Fraction(1, 2), 1, test / 8, test)
    sanitizer = CutSanitizer(inner, Fraction(9, 10), Fraction(1, 5))
    pairs = neighbouring_tables([0, 1], rows, "replace_one")
    return Instance(sanitizer, _fitted, pairs)


def _fitted(sanitizer: Sanitizer) -> Run:
    return sanitizer.release


AUDITS = (
    AuditEntry(
        "realizable_fooling",
        "rounds of a set of concepts and of one on which it is wrong; the last set is seen",
        _game,
        Fraction("3.99"),
        "only the last set is seen, and each round asks about one concept: one of eight releases",
    ),
    AuditEntry(
        "cut_sanitizer",
        "which estimates of MWEM reach a cut",
        _cut,
    ),
)
