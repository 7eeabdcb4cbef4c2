"""Small instances of `learners.sanitizers.fooling` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedEpsilon,
    Instance,
    Run,
    UndetectedVariant,
    neighbouring_tables,
)
from learners.sanitizers.discriminators import FoolingDiscriminator
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.generators import HedgeGenerator
from learners.sanitizers.points import PointSample
from lsclasses.specifications import Option
from lsclasses.table import Table


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(6),
    alpha: Annotated[Fraction, Option("the error that is aimed at")] = Fraction(1, 2),
    rows: Annotated[int, Option("points of the data", minimum=1, maximum=4)] = 3,
    rounds: Annotated[int, Option("the most rounds", minimum=1, maximum=3)] = 2,
) -> Instance:
    """All data sets of two points; the audit compares transcripts, not only last proposals."""
    C = Table([[1, 0]])
    discriminator = FoolingDiscriminator(C, rows, alpha, epsilon)
    sanitizer = FoolingSanitizer(discriminator, HedgeGenerator(C, alpha), rounds)
    pairs = neighbouring_tables([0, 1], rows, "replace_one")
    return Instance(sanitizer, _released, pairs)


def _released(sanitizer: FoolingSanitizer) -> Run:
    return lambda rows, coins: sanitizer.run(PointSample(sanitizer.domain, rows), coins)


AUDITS = (
    AuditEntry(
        "fooling_sanitizer",
        "rounds of proposed data and of a concept that tells them from the data",
        _instance,
        Fraction("7.65"),
        "there is one concept, so that no learner loses; what a choice loses, the test gains",
        unseen=(
            UndetectedVariant(
                "one round more than is paid for",
                "three rounds use two thirds of what each may lose",
                "fooling_sanitizer:rounds=1",
            ),
            UndetectedVariant(
                "parts are chosen at twice the price",
                "the class has one concept; the audit of the discriminator shows it",
            ),
        ),
    ),
)
