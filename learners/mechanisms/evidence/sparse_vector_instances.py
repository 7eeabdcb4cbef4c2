"""Small instances of `learners.mechanisms.sparse_vector` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import (
    AuditEntry,
    Instance,
    asked,
    claimed_epsilon,
    count,
    neighbouring_streams,
    opposite_numbers,
)
from learners.mechanisms.sparse_vector import AboveThreshold, CumulativeAboveThreshold, Sparse

THRESHOLD = count("threshold", "the threshold", 1, -(10**6), 10**6)


def _above_threshold(epsilon: Fraction, threshold: int, queries: int) -> Instance:
    """One threshold's noise is drawn first, so `opposite_numbers` are enough."""
    mechanism = AboveThreshold(epsilon, threshold)
    return Instance(mechanism, asked, opposite_numbers(queries), mechanism.privacy)


def _cumulative(epsilon: Fraction, threshold: int, rounds: int) -> Instance:
    """All neighbouring streams of bits."""
    mechanism = CumulativeAboveThreshold(epsilon, threshold)
    return Instance(mechanism, asked, neighbouring_streams((0, 1), rounds), mechanism.privacy)


def _sparse(epsilon: Fraction, reports: int, threshold: int, queries: int) -> Instance:
    """One noise is drawn for each report that was made, so `opposite_numbers` are enough."""
    mechanism = Sparse(epsilon, reports, threshold)
    return Instance(mechanism, asked, opposite_numbers(queries), mechanism.privacy)


AUDITS = (
    AuditEntry(
        "above_threshold",
        "the first number above a threshold; all numbers may differ",
        (claimed_epsilon(1), THRESHOLD, count("queries", "how many numbers", 8, 1, 12)),
        _above_threshold,
    ),
    AuditEntry(
        "cumulative_above_threshold",
        "the first time the count of a stream reaches a threshold",
        (claimed_epsilon(1), THRESHOLD, count("rounds", "how many bits", 4, 1, 8)),
        _cumulative,
    ),
    AuditEntry(
        "sparse",
        "several numbers above a threshold, at epsilon each; all numbers may differ",
        (
            claimed_epsilon(6),
            count("reports", "how many may be made", 2, 1, 3),
            THRESHOLD,
            count("queries", "how many numbers", 8, 1, 10),
        ),
        _sparse,
    ),
)
