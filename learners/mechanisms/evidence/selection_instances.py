"""Small instances of `learners.mechanisms.selection` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from learners.audit.instances import AuditEntry, Instance, claimed_epsilon, count
from learners.mechanisms.selection import (
    ExponentialMechanism,
    PermuteAndFlip,
    ReportNoisyMax,
    Selection,
)


def _entry(
    kind: type[Selection], name: str, title: str, *, epsilon: int, candidates: int, scores: int
) -> AuditEntry:
    def build(epsilon: Fraction, candidates: int, scores: int) -> Instance:
        """All tables of scores from 0 on, of which every one may differ by one."""
        mechanism = kind(epsilon)
        pairs = tuple(
            (zero, one)
            for zero, one in combinations(product(range(scores + 1), repeat=candidates), 2)
            if all(abs(x - y) <= 1 for x, y in zip(zero, one, strict=True))
        )
        return Instance(mechanism, lambda selection: selection.release, pairs, mechanism.privacy)

    parameters = (
        claimed_epsilon(epsilon),
        count("candidates", "how many can be chosen", candidates, 1, 4),
        count("scores", "the largest score", scores, 1, 8),
    )
    return AuditEntry(name, title, parameters, build)


AUDITS = (
    _entry(
        ExponentialMechanism,
        "exponential_mechanism",
        "a candidate by its exponential weight",
        epsilon=2,
        candidates=2,
        scores=5,
    ),
    _entry(
        ReportNoisyMax,
        "report_noisy_max",
        "the candidate with the largest noisy score",
        epsilon=4,
        candidates=3,
        scores=2,
    ),
    _entry(
        PermuteAndFlip,
        "permute_and_flip",
        "a candidate that passes its coin",
        epsilon=2,
        candidates=2,
        scores=5,
    ),
)
