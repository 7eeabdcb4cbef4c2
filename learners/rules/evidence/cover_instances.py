"""Small instances of `learners.rules.cover` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_tables,
)
from learners.rules.cover import EMCover, cover_rate
from lsclasses.specifications import Option

SETS = (*(("a", copy) for copy in range(8)), ("b", 0), ("b", 1), ("", 0))
"""Candidates that cover a letter or none, by the letter: far more of "a" than of "b"."""


def _score(word: Sequence[str], candidate: tuple[str, int], chosen: object) -> int:
    return -word.count(candidate[0])


def _covers(candidate: tuple[str, int], item: str) -> bool:
    return candidate[0] == item


def _available(chosen: object) -> Sequence[tuple[str, int]]:
    return SETS


def _instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    rounds: Annotated[int, Option("how many sets are chosen", minimum=1, maximum=4)] = 2,
    items: Annotated[int, Option("letters of a word", minimum=1, maximum=8)] = 6,
) -> Instance:
    """All neighbouring words of the letters a, b and c; no set covers c.

    With most sets covering "a", one of them is chosen nearly as often in each round, whether or not
    the word has an "a": this comes close to the chances that the proof calls the worst.
    """
    mechanism = EMCover(
        rate=cover_rate(epsilon, delta, rounds=rounds),
        delta=delta,
        rounds=rounds,
        score=_score,
        covers=_covers,
        available=_available,
    )
    pairs = neighbouring_tables("abc", items, mechanism.neighbours)
    return Instance(mechanism, lambda cover: cover.release, pairs)


AUDITS = (
    AuditEntry(
        "em_cover",
        "sets that cover few items, chosen one after the other",
        _instance,
    ),
)
