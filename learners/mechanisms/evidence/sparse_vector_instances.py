"""Small instances of `learners.mechanisms.sparse_vector` for its audits, chosen by their power."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedEpsilon,
    Instance,
    asked,
    neighbouring_streams,
    opposite_numbers,
)
from learners.mechanisms.sparse_vector import (
    AboveThreshold,
    CumulativeAboveThreshold,
    OneSidedThreshold,
    Sparse,
)
from lsclasses.specifications import Option

Threshold = Annotated[int, Option("the threshold", minimum=-(10**6), maximum=10**6)]


def _above_threshold(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    threshold: Threshold = 1,
    queries: Annotated[int, Option("how many numbers", minimum=1, maximum=12)] = 8,
) -> Instance:
    """One threshold's noise is drawn first, so `opposite_numbers` are enough."""
    mechanism = AboveThreshold(epsilon, threshold)
    return Instance(mechanism, asked, opposite_numbers(queries))


def _cumulative(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    threshold: Threshold = 1,
    rounds: Annotated[int, Option("how many bits", minimum=1, maximum=8)] = 4,
) -> Instance:
    """All neighbouring streams of bits."""
    mechanism = CumulativeAboveThreshold(epsilon, threshold)
    return Instance(mechanism, asked, neighbouring_streams((0, 1), rounds))


def _one_sided(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    threshold: Threshold = 1,
    rounds: Annotated[int, Option("how many bits", minimum=1, maximum=8)] = 4,
) -> Instance:
    """All neighbouring streams of bits."""
    mechanism = OneSidedThreshold(epsilon, threshold)
    return Instance(mechanism, asked, neighbouring_streams((0, 1), rounds))


def _sparse(
    *,
    epsilon: ClaimedEpsilon = Fraction(6),
    reports: Annotated[int, Option("how many may be made", minimum=1, maximum=3)] = 2,
    threshold: Threshold = 1,
    queries: Annotated[int, Option("how many numbers", minimum=1, maximum=10)] = 8,
) -> Instance:
    """One noise is drawn for each report that was made, so `opposite_numbers` are enough."""
    mechanism = Sparse(epsilon, reports, threshold)
    return Instance(mechanism, asked, opposite_numbers(queries))


AUDITS = (
    AuditEntry(
        "above_threshold",
        "the first number above a threshold; all numbers may differ",
        _above_threshold,
    ),
    AuditEntry(
        "cumulative_above_threshold",
        "the first time the count of a stream reaches a threshold",
        _cumulative,
    ),
    AuditEntry(
        "one_sided_threshold",
        "the count of a stream reaches a threshold that is only raised",
        _one_sided,
    ),
    AuditEntry(
        "sparse",
        "several numbers above a threshold, at epsilon each; all numbers may differ",
        _sparse,
    ),
)
