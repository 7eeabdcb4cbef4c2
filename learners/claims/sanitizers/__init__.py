"""Sanitizers: audits, what is found and returned by mistake, rounds, and errata."""

from __future__ import annotations

from learners.claims.sanitizers import mwem, released
from learners.verify import ClaimCheck

__all__ = ["checks"]


def checks() -> list[ClaimCheck]:
    """Those of every part of the topic."""
    return [*mwem.checks(), *released.checks()]
