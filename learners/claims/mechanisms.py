"""The mechanisms that ``lsclasses audit`` knows, with their default parameters, audited exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from learners.auditable import AUDITABLE, RESOLUTION, instance
from learners.verify import WEAKER, Claim, ClaimCheck, Outcome, audited

__all__ = ["checks"]

STATEMENTS: dict[str, tuple[str, ...]] = {
    "discrete_laplace": ("KMMNS23 Thm 2.4", "LWY25 Lemma A.22"),
    "exponential_mechanism": ("BF25 Prop 2.1", "LWY25 Lemma A.23"),
    "stable_histogram": ("BLM20 Lemma 15", "GL21 Thm 5.1"),
    "bounded_histogram": ("LWY25 Thm 2.6",),
    "above_threshold": ("BF25 Lemma 4.3",),
    "cumulative_above_threshold": ("LWY25 Thm 2.5",),
    "sparse": ("GL21 Thm A.7", "GL21 Alg 3"),
    "hist_sparse": ("GL21 Lemma 5.3", "GL21 Alg 2"),
    "fresh_noise_threshold": ("KMMNS23 Thm 2.8", "KMMNS23 Alg 1"),
    "greedy_cover": ("BF25 Thm 3.5", "BF25 Alg 3.1"),
    "dp_winnow": ("BF25 Thm 4.4", "BF25 Alg 4.2"),
    "challenge_at": ("KMMNS23 Thm C.1", "KMMNS23 Alg 6"),
    "pop": ("KMMNS23 Thm 5.2", "KMMNS23 Alg 7"),
    "forest_soa": ("GL21 Lemma A.1", "GL21 Alg 1"),
    "tree_counter": ("KMMNS23 Thm 2.10",),
}
"""The papers' statements about mechanisms; the others are in no paper."""

CUT = Fraction(1, 2**36)


def _claim(name: str) -> Claim:
    measured = AUDITABLE[name].measured
    too_little = f"{WEAKER} epsilon" if measured is None else f"{float(measured):g}"
    return Claim(
        f"privacy of {name}",
        "(epsilon, delta)",
        source="its docstring",
        statements=STATEMENTS.get(name, ()),
        falsified=f"({too_little}, delta)",
    )


def audit_defaults(name: str) -> Iterator[Outcome]:
    """The instance that ships, against its claim and a stronger one."""
    built, usage = instance(name), AUDITABLE[name].usage()
    found = built.audit(tail=CUT, resolution=RESOLUTION)
    measured = AUDITABLE[name].measured
    less = WEAKER * found.epsilon if measured is None else measured
    yield audited(
        _claim(name),
        usage.partition(":")[2],
        found,
        false=(found.loss, less, found.delta),
    )


@dataclass(frozen=True)
class DefaultAudit(ClaimCheck):
    """The audit of one mechanism: its claim depends on which."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """That the mechanism is as private as it says."""
        return (_claim(self.arguments[0]),)


def checks() -> list[ClaimCheck]:
    """One audit for each mechanism."""
    return [DefaultAudit("mechanisms", audit_defaults, (name,)) for name in AUDITABLE.names()]
