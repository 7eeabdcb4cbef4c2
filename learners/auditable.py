"""The mechanisms and learners that can be audited by name, collected from their modules.

A specification such as ``above_threshold:epsilon=1/2,queries=4`` names a mechanism, its parameters
and the size of its input space; what it stands for is declared beside the mechanism (see
`learners.instances`). The registry is what ``lsclasses audit`` lists.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

from learners.instances import Auditable, Instance
from lsclasses.errors import InvalidInput
from lsclasses.points import nearest
from lsclasses.specifications import split

__all__ = ["AUDITABLE", "MODULES", "RESOLUTION", "instance"]

MODULES = (
    "mechanisms.noise",
    "mechanisms.randomized_response",
    "mechanisms.selection",
    "mechanisms.histograms",
    "mechanisms.sparse_vector",
    "mechanisms.fresh_noise",
    "mechanisms.counter",
    "mechanisms.hist_sparse",
    "mechanisms.challenge_at",
    "batch.generic",
    "batch.private_littlestone",
    "batch.aggregate",
    "batch.agnostic",
    "boolean.cover",
    "boolean.greedy_cover",
    "estimators.fitted_columns",
    "online.dp_winnow",
    "online.pop",
    "online.agnostic_pop",
)
"""The modules of `learners` that declare audits, in the order of the listing."""

AUDITABLE: dict[str, Auditable] = {
    entry.name: entry for module in MODULES for entry in import_module(f"learners.{module}").AUDITS
}
"""What can be audited, by name."""

RESOLUTION = Fraction(1, 10**9)
"""What delta may surely exceed its claim by before the claim is no longer said to hold."""


def instance(specification: str) -> Instance:
    """The instance that a specification names.

    Parameters
    ----------
    specification : str
        ``name`` or ``name:parameter=value,...``; values are fractions or decimals.

    Raises
    ------
    InvalidInput
        If there is no such mechanism or parameter, or a value is out of range.

    Examples
    --------
    >>> from learners.audit import audit
    >>> built = instance("randomized_response:epsilon=0.5,answers=4")
    >>> len(built.pairs), built.privacy.epsilon
    (6, Fraction(1, 2))
    >>> audit(built.run, built.pairs, built.privacy).verdict
    'holds exactly on this instance'
    """
    name, listed = split(specification)
    if name not in AUDITABLE:
        raise InvalidInput(f"There is no mechanism {name!r} to audit. {nearest(name, AUDITABLE)}")
    entry = AUDITABLE[name]
    return entry.instance(**entry.given(listed))
