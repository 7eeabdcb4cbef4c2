"""The mechanisms that ``lsclasses audit`` knows, with their default parameters, audited exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from learners.audit import audit
from learners.auditable import AUDITABLE, instance
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
    "fresh_noise_threshold": ("KMMNS23 Thm 2.8", "KMMNS23 Alg 1"),
    "greedy_cover": ("BF25 Thm 3.5", "BF25 Alg 3.1"),
    "dp_winnow": ("BF25 Thm 4.4", "BF25 Alg 4.2"),
    "challenge_at": ("KMMNS23 Thm C.1", "KMMNS23 Alg 6"),
    "pop": ("KMMNS23 Thm 5.2", "KMMNS23 Alg 7"),
    "tree_counter": ("KMMNS23 Thm 2.10",),
}
"""The papers' statements about mechanisms; the others are in no paper."""

FALSE: dict[str, tuple[Fraction, Fraction]] = {
    "exponential_mechanism": (Fraction(1, 2), Fraction(1)),
    "report_noisy_max": (Fraction(1, 2), Fraction(1)),
    "stable_histogram": (Fraction(1), Fraction(1, 2)),
    "bounded_histogram": (Fraction(1), Fraction(1, 4)),
    "above_threshold": (Fraction(1, 2), Fraction(1)),
    "sparse": (Fraction(1, 5), Fraction(1)),
    "fresh_noise_threshold": (Fraction(1, 50), Fraction(1)),
    "greedy_cover": (Fraction(1, 2), Fraction(1)),
    "dp_winnow": (Fraction(1, 2), Fraction(1)),
    "challenge_at": (Fraction(1, 10), Fraction(1)),
    "pop": (Fraction(1), Fraction(1, 4)),
}
"""The shares of epsilon and delta that are too little on the default instance, where 3/4 of epsilon
is not: what a mechanism loses on so small an instance is less than it may."""


def _claim(name: str) -> Claim:
    epsilon, delta = FALSE.get(name, (WEAKER, Fraction(1)))
    return Claim(
        f"privacy of {name}",
        "(epsilon, delta)",
        source="its docstring",
        statements=STATEMENTS.get(name, ()),
        falsified=f"({epsilon} epsilon, {delta} delta)",
    )


def audit_defaults(name: str) -> Iterator[Outcome]:
    """All neighbouring inputs of the size that the defaults say."""
    built, usage = instance(name), AUDITABLE[name].usage()
    found = audit(built.run, built.pairs, built.privacy)
    epsilon, delta = FALSE.get(name, (WEAKER, Fraction(1)))
    weaker = found.loss, epsilon * found.epsilon, delta * found.delta
    yield audited(_claim(name), usage.partition(":")[2], found, false=weaker)


@dataclass(frozen=True)
class DefaultAudit(ClaimCheck):
    """The audit of one mechanism: its claim depends on which."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """That the mechanism is as private as it says."""
        return (_claim(self.arguments[0]),)


def checks() -> list[ClaimCheck]:
    """One audit for each mechanism."""
    return [DefaultAudit("mechanisms", audit_defaults, (name,)) for name in AUDITABLE]
