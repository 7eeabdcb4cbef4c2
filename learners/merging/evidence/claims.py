"""The merging learner: its lemmas, couplings and games."""

from __future__ import annotations

from learners.claim_checks import ClaimCheck
from learners.merging.evidence import couplings, games, histograms, lemmas

__all__ = ["TOPIC", "checks"]

TOPIC = "merging"


def checks() -> list[ClaimCheck]:
    """Return all checks, fast ones first."""
    found = [
        check for module in (lemmas, couplings, histograms, games) for check in module.checks(TOPIC)
    ]
    return sorted(found, key=lambda check: check.slow)
