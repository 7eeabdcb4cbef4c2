"""Hypotheses of statements about mechanisms, evaluated on the inputs of their audits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from learners.audit.instances import Instance

SENSITIVITY: Mapping[str, tuple[str, ...]] = {
    "discrete_laplace": ("the sensitivity of f",),
    "exponential_mechanism": ("scores have sensitivity 1", "scores have sensitivity Delta"),
    "above_threshold": ("queries have sensitivity 1",),
    "fresh_noise_threshold": ("queries have sensitivity Delta",),
    "challenge_at": (
        "queries have sensitivity Delta",
        "queries other than the challenge have sensitivity Delta",
    ),
}
"""Names of hypotheses on the numbers of neighbouring inputs, by mechanism."""

DIMENSION = "the class has Littlestone dimension d"
COVERED = "an item changes only scores of candidates that cover it, by at most 1"


def hypotheses(name: str, built: object) -> dict[str, bool]:
    """Return the hypotheses of the statements about a mechanism, evaluated on an instance.

    Parameters
    ----------
    name : str
        Name of the audit.
    built : Instance or GameInstance
        Instance of the audit.

    Examples
    --------
    >>> from learners.audit.audit_registry import instance
    >>> hypotheses("above_threshold", instance("above_threshold"))
    {'queries have sensitivity 1': True}
    """
    if not isinstance(built, Instance):
        return {}
    if name == "em_cover":
        return {COVERED: covers_changes(built)}
    if name == "agnostic_pop":
        base = built.mechanism.run.pop.base
        # Without errors, the mistake bound of the experts is d.
        return {DIMENSION: base.concept_class.ldim() == base.mistake_bound}
    found = SENSITIVITY.get(name, ())
    return dict.fromkeys(found, within_sensitivity(built)) if found else {}


def within_sensitivity(built: Instance) -> bool:
    """Return whether numbers of neighbours differ by at most the sensitivity of the mechanism.

    The versions of a hidden challenge may differ by any amount.
    """
    most = built.mechanism.sensitivity
    return all(_change(zero, one) <= most for zero, one in built.pairs)


def _change(zero: Any, one: Any) -> int:
    """Return the largest difference of entries, without entries that are marked as hidden."""
    if not isinstance(zero, tuple):
        return int(abs(zero - one))
    if len(zero) == 2 and zero[1] is True:
        return 0
    return max((_change(*entries) for entries in zip(zero, one, strict=True)), default=0)


def covers_changes(built: Instance) -> bool:
    """Return whether each item of the data changes scores only as the hypothesis allows."""
    mechanism, words = built.mechanism, {word for pair in built.pairs for word in pair}
    score: Callable[..., int] = mechanism.score
    return all(
        abs(score(word, candidate, ()) - score(word[1:], candidate, ()))
        <= mechanism.covers(candidate, word[0])
        for word in words
        for candidate in mechanism.available(())
    )
