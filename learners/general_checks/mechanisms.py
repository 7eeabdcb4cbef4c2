"""The mechanisms that ``lsclasses audit`` knows, with their default parameters, audited exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from learners.audit.audit_registry import AUDITABLE, RESOLUTION, instance
from learners.claim_checks import WEAKER, Claim, ClaimCheck, Outcome, audit_outcome, compare
from learners.general_checks import transcriptions
from learners.general_checks.mechanism_hypotheses import hypotheses

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
    "private_littlestone": ("BLM20 Alg M", "BLM20 Thm 1"),
    "generic_learner": ("BLM20 Lemma 16",),
    "rerun_forest": ("GL21 Thm 4.2",),
    "pop_until_mistakes": ("KMMNS23 Def F.2",),
    "agnostic_pop": ("KMMNS23 Thm F.4",),
    "layered_soa": ("LWY25 Lemma B.2", "LWY25 Alg 2"),
    "layered_soa_deep": ("LWY25 Lemma B.2", "LWY25 Alg 2"),
    "labelled_by_splitting": ("LWY25 Lemma 2.8",),
    "sanitized_online": ("LWY25 Thm 4.1", "LWY25 Alg 3", "LWY25 Cor 4.3"),
    "agnostic_empirical": ("LWY25 Lemma D.3", "LWY25 Alg 4"),
    "fooling_discriminator": ("LWY25 Lemma D.7",),
    "fooling_sanitizer": ("LWY25 Thm 4.2",),
    "realizable_discriminator": ("LWY25 Lemma E.2",),
    "realizable_fooling": ("LWY25 Thm E.5",),
    "interval_sanitizer": ("LWY25 Lemma E.8", "LWY25 Alg 5"),
    "constructed_experts": ("LWY25 Thm 4.4", "LWY25 Alg 7"),
    "dp_hedge": ("LWY25 Thm E.11",),
    "em_cover": ("BF25 Lemma A.1", "BF25 Alg A.1"),
}
"""The papers' statements about mechanisms. No paper states the remaining audits."""

SLOW = frozenset({"labelled_by_splitting", "layered_soa_deep", "weighted_logistic_regression"})
"""Audits that run on demand, because a smaller or simpler audit recomputes the same statements."""

CUT = Fraction(1, 2**36)

SMALL = (
    "challenge_at:epsilon=2",
    "interval_sanitizer:epsilon=1,rounds=2",
    "labelled_by_splitting:epsilon=1/2,test=2/3,rows=1",
    "private_littlestone:epsilon=2",
    "sanitized_online:select=1/4,test=3/2",
    "tree_counter:epsilon=2,rounds=3",
)
"""Instances at epsilon <= 2 of mechanisms whose default instance has a larger epsilon."""


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


def _power(name: str) -> Claim:
    measured = AUDITABLE[name].measured
    too_much = "the claimed epsilon" if measured is None else f"{float(measured) + 0.01:g}"
    return Claim(
        f"epsilon that the inputs of {name} need",
        f"{WEAKER} epsilon" if measured is None else f"{float(measured):g}",
        relation=">=",
        source="its declaration",
        falsified=f"more than {too_much}",
    )


def audit_defaults(name: str) -> Iterator[Outcome]:
    """Audit the default instance for its claim and a stronger claim, and measure the slack."""
    built, usage = instance(name), AUDITABLE[name].usage()
    found = built.audit(tail=CUT, resolution=RESOLUTION)
    measured = AUDITABLE[name].measured
    less = WEAKER * found.epsilon if measured is None else measured
    # The declared epsilon is the measured epsilon, rounded down to hundredths.
    most = found.epsilon if measured is None else measured + Fraction(1, 100)
    parameters = usage.partition(":")[2]
    yield audit_outcome(
        _claim(name),
        parameters,
        found,
        false=(found.loss, less, found.delta),
        hypotheses=hypotheses(name, built),
    )
    yield compare(
        _power(name),
        parameters,
        computed=found.least_epsilon,
        stated=less,
        false=most + Fraction(1, 10**6),
    )


def audit_small(specification: str) -> Iterator[Outcome]:
    """Audit an instance for its claim and for three quarters of its epsilon."""
    name, _, parameters = specification.partition(":")
    built = instance(specification)
    found = built.audit(tail=CUT, resolution=RESOLUTION)
    yield audit_outcome(_small_claim(name), parameters, found, hypotheses=hypotheses(name, built))


def _small_claim(name: str) -> Claim:
    return replace(_claim(name), falsified=f"({WEAKER} epsilon, delta)")


@dataclass(frozen=True)
class SmallAudit(ClaimCheck):
    """The audit of an instance of `SMALL`, whose claim depends on the mechanism."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claim that the mechanism has its stated privacy."""
        (specification,) = map(str, self.arguments)
        return (_small_claim(specification.partition(":")[0]),)


@dataclass(frozen=True)
class DefaultAudit(ClaimCheck):
    """The audit of one mechanism, whose claims depend on the mechanism."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of privacy, and of the sensitivity of the default instance to errors."""
        (name,) = map(str, self.arguments)
        return _claim(name), _power(name)


def default_audit(name: str) -> DefaultAudit:
    """Return the audit of the default instance of a mechanism."""
    return DefaultAudit("mechanisms", audit_defaults, (name,), name in SLOW)


def checks() -> list[ClaimCheck]:
    """Return one audit for each mechanism, and the audits of `SMALL`."""
    small = (SmallAudit("mechanisms", audit_small, (each,)) for each in SMALL)
    audits = [*(default_audit(name) for name in AUDITABLE.names()), *small]
    return [*audits, *transcriptions.checks("mechanisms")]
