"""Privacy accounting: trees of events, and the (epsilon, delta) that they cost together.

An event says what is proved about a release, not how it works. Mechanisms and learners describe
themselves by a tree of events; the accountants below read the tree. Only the nodes know how often
and on which data something happens; every accountant sees the same flat `Profile`, so that no
multiplicity can get lost in one of them.

Budgets are fractions. Where a bound is irrational (square roots, logarithms), the number returned
is a fraction just above it, computed with balls.

| file | what is in it |
|---|---|
| `events` | single mechanisms, and the lemma about histories with its proof |
| `profiles` | what accountants see of a tree |
| `compositions` | several events together, and the sum of their losses, `basic` |
| `relations` | what a guarantee says for the others' view, a replaced item, several items |
| `conversions` | from zCDP to epsilon and delta, and back |
| `loss_distributions`, `accountants` | the other accountants, and the best of all, `total` |
| `budgets` | what releases are paid from |
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from learners.accounting.compositions import (
    AtOnce,
    OneAtATime,
    Parallel,
    PostProcessed,
    SelfComposed,
    Sequential,
    StreamParallel,
    basic,
    neighbours,
)
from learners.accounting.events import (
    CHALLENGE,
    DATA_NEIGHBOURS,
    NEIGHBOURS,
    ZCDP,
    ApproximateDP,
    BoundedRange,
    Event,
    PureDP,
    checked_neighbours,
)
from learners.accounting.profiles import Profile
from learners.accounting.relations import (
    Grouped,
    UnderChallenge,
    UnderReplaceOne,
    geometric_sum,
    group,
)

if TYPE_CHECKING:
    from learners.accounting.accountants import Total, advanced, total, zcdp
    from learners.accounting.conversions import zcdp_epsilon, zcdp_rho
    from learners.accounting.filters import PrivacyFilter
    from learners.accounting.loss_distributions import pld

__all__ = [
    "ApproximateDP",
    "AtOnce",
    "BoundedRange",
    "CHALLENGE",
    "DATA_NEIGHBOURS",
    "Event",
    "Grouped",
    "NEIGHBOURS",
    "OneAtATime",
    "UnderChallenge",
    "UnderReplaceOne",
    "Parallel",
    "PostProcessed",
    "Profile",
    "PrivacyFilter",
    "PureDP",
    "SelfComposed",
    "Sequential",
    "StreamParallel",
    "Total",
    "ZCDP",
    "advanced",
    "basic",
    "checked_neighbours",
    "geometric_sum",
    "group",
    "neighbours",
    "pld",
    "total",
    "zcdp",
    "zcdp_epsilon",
    "zcdp_rho",
]

WHEN_ASKED = {
    "accountants": ("Total", "advanced", "total", "zcdp"),
    "conversions": ("zcdp_epsilon", "zcdp_rho"),
    "filters": ("PrivacyFilter",),
    "loss_distributions": ("pld",),
}
"""Modules that compute with balls or loss distributions, which adding up a ledger does not."""


def __getattr__(name: str) -> Any:
    for module, names in WHEN_ASKED.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
