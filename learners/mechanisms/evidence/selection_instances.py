"""Small instances of `learners.mechanisms.selection` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Annotated

from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance
from learners.mechanisms.selection import (
    ExponentialMechanism,
    PermuteAndFlip,
    ReportNoisyMax,
    SelectionMechanism,
)
from lsclasses.specifications import Option

Candidates = Annotated[int, Option("how many can be chosen", minimum=1, maximum=4)]
Scores = Annotated[int, Option("the largest score", minimum=1, maximum=8)]


def _entry(
    kind: type[SelectionMechanism],
    name: str,
    title: str,
    *,
    claimed: Fraction,
    few: int,
    largest: int,
) -> AuditEntry:
    def build(
        *, epsilon: ClaimedEpsilon = claimed, candidates: Candidates = few, scores: Scores = largest
    ) -> Instance:
        """All tables of scores from 0 on, of which every one may differ by one."""
        mechanism = kind(epsilon)
        pairs = tuple(
            (zero, one)
            for zero, one in combinations(product(range(scores + 1), repeat=candidates), 2)
            if all(abs(x - y) <= 1 for x, y in zip(zero, one, strict=True))
        )
        return Instance(mechanism, lambda selection: selection.release, pairs)

    return AuditEntry(name, title, build)


AUDITS = (
    _entry(
        ExponentialMechanism,
        "exponential_mechanism",
        "a candidate by its exponential weight",
        claimed=Fraction(2),
        few=2,
        largest=5,
    ),
    _entry(
        ReportNoisyMax,
        "report_noisy_max",
        "the candidate with the largest noisy score",
        claimed=Fraction(4),
        few=3,
        largest=2,
    ),
    _entry(
        PermuteAndFlip,
        "permute_and_flip",
        "a candidate that passes its coin",
        claimed=Fraction(2),
        few=2,
        largest=5,
    ),
)
