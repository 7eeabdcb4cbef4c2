"""The mechanisms and learners that can be audited by name.

A specification such as ``above_threshold:epsilon=1/2,queries=4`` names a mechanism, its parameters
and the size of its input space. A declaration next to the mechanism's code defines the instance of
a specification (see `learners.audit.instances`), and ``names.toml`` of the folder lists the name.
``lsclasses audit`` lists this registry.
"""

from __future__ import annotations

from fractions import Fraction

from learners.audit.instances import AuditEntry, GameInstance, Instance
from lsclasses.registry import Registry, instance_of
from lsclasses.specifications import split
from lsclasses.verdicts import Verdict

__all__ = ["AUDITABLE", "RESOLUTION", "instance", "verdict_text"]


AUDITABLE = Registry(
    "audits",
    "audit",
    instance_of(AuditEntry, "An audit is declared by a learners.audit.instances.AuditEntry."),
)
"""The auditable mechanisms and learners, by name."""

RESOLUTION = Fraction(1, 10**9)
"""Default tolerance of audits. The verdict is "holds" if the upper bound on delta(epsilon) is at
most the claimed delta plus the tolerance."""


def verdict_text(verdict: Verdict) -> str:
    """Return the words of the command ``lsclasses audit`` for a verdict.

    Examples
    --------
    >>> verdict_text(Verdict.HOLDS)
    'holds on this instance, up to 1e-09 in delta'
    """
    if verdict == Verdict.HOLDS:
        return f"holds on this instance, up to {float(RESOLUTION):g} in delta"
    return verdict.in_full


def instance(specification: str) -> Instance | GameInstance:
    """Return the instance that a specification names.

    Parameters
    ----------
    specification : str
        ``name`` or ``name:parameter=value,...``. Values are fractions or decimals.

    Raises
    ------
    InvalidInput
        If the audit or a parameter is unknown, or a value is out of range.

    Examples
    --------
    >>> built = instance("randomized_response:epsilon=0.5,answers=4")
    >>> len(built.pairs), built.privacy.epsilon
    (6, Fraction(1, 2))
    >>> built.audit().verdict
    'holds'
    """
    name, listed = split(specification)
    entry = AUDITABLE[name]
    return entry.instance(**entry.values_in(listed))
