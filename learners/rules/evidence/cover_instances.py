"""Small instances of `learners.rules.cover` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from learners.audit.instances import (
    AuditEntry,
    Instance,
    claimed_delta,
    claimed_epsilon,
    count,
    neighbouring_tables,
)
from learners.rules.cover import EMCover, cover_rate

SETS = (*(("a", copy) for copy in range(8)), ("b", 0), ("b", 1), ("", 0))
"""Candidates that cover a letter or none, by the letter: far more of "a" than of "b"."""


def _score(word: Any, candidate: Any, chosen: Any) -> int:
    return -int(word.count(candidate[0]))


def _covers(candidate: Any, item: Any) -> bool:
    return bool(candidate[0] == item)


def _available(chosen: Any) -> Any:
    return SETS


def _instance(epsilon: Fraction, delta: Fraction, rounds: int, items: int) -> Instance:
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
    return Instance(mechanism, lambda cover: cover.release, pairs, mechanism.privacy)


AUDITS = (
    AuditEntry(
        "em_cover",
        "sets that cover few items, chosen one after the other",
        (
            claimed_epsilon(2),
            claimed_delta(Fraction(1, 100)),
            count("rounds", "how many sets are chosen", 2, 1, 4),
            count("items", "letters of a word", 6, 1, 8),
        ),
        _instance,
    ),
)
