"""The mechanisms that ``lsclasses audit`` knows, with their default parameters, audited exactly."""

from __future__ import annotations

from collections.abc import Iterator

from learners.audit import audit
from learners.auditable import AUDITABLE, instance
from learners.verify import Claim, ClaimCheck, Outcome, audited

__all__ = ["checks"]


def audit_defaults(name: str) -> Iterator[Outcome]:
    """All neighbouring inputs of the size that the defaults say."""
    built, usage = instance(name), AUDITABLE[name].usage()
    claim = Claim(f"privacy of {name}", "(epsilon, delta)", source="its docstring")
    yield audited(claim, usage.partition(":")[2], audit(built.run, built.pairs, built.privacy))


def checks() -> list[ClaimCheck]:
    """One audit for each mechanism."""
    return [ClaimCheck("mechanisms", audit_defaults, (name,)) for name in AUDITABLE]
