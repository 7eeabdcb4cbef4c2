"""The voting and the merging learners: their lemmas, couplings and games."""

from __future__ import annotations

from learners.claim_checks import ClaimCheck
from learners.merging.evidence import couplings, games, histograms, lemmas
from learners.voting.evidence import claims as voting

TOPIC = voting.TOPIC


def checks() -> list[ClaimCheck]:
    """Return the checks of both learners, fast ones first."""
    found = voting.checks()
    for module in (lemmas, couplings, histograms, games):
        found += module.checks(TOPIC)
    return sorted(found, key=lambda check: check.slow)
