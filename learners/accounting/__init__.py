"""Privacy accounting with trees of events, and the (epsilon, delta) of a whole tree.

An event states the proved guarantee of a release, not the way the release works. Mechanisms and
learners describe themselves by a tree of events. The accountants below read the tree. Only the
inner nodes of the tree state how often and on which data a mechanism runs. Every accountant
receives the same flat `Profile`, so no accountant can lose a multiplicity.

Budgets are fractions. If a bound is irrational (square roots, logarithms), the returned number is a
fraction just above it, computed with balls.

| file | content |
|---|---|
| `scopes` | neighbour relation, adversary model and unit of a guarantee |
| `events` | single mechanisms, and the lemma about histories with its proof |
| `profiles` | flat losses of a tree, for the accountants |
| `compositions` | several events together, and the sum of their losses, `basic` |
| `relations` | consequences of a guarantee for the others' view, a replaced item, several items |
| `conversions` | from zCDP to epsilon and delta, and back |
| `gaussians` | from Gaussian differential privacy to epsilon and delta, and back |
| `bounded_ranges`, `loss_distributions` | optimal compositions of bounded losses |
| `epsilons` | advanced composition, and the epsilons of all accountants |
| `accountants` | `total`, the smallest total of all accountants |
| `calibration` | the least noise of several releases within a budget |
| `privacy` | the total (epsilon, delta) with its scope |
| `filters` | budgets within one process |
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from learners.accounting.compositions import (
    AtOnce,
    InAdvance,
    OneAtATime,
    Parallel,
    PostProcessed,
    SelfComposed,
    Sequential,
    StreamParallel,
    basic,
    neighbours,
    scope,
)
from learners.accounting.events import (
    ZCDP,
    ApproximateDP,
    ApproximateZCDP,
    BoundedRange,
    Event,
    GaussianDP,
    PureDP,
)
from learners.accounting.profiles import Profile
from learners.accounting.relations import (
    Grouped,
    UnderChallenge,
    UnderReplaceOne,
    geometric_sum,
    group,
)
from learners.accounting.scopes import (
    ADAPTIVE,
    ALL_OUTPUTS,
    CHALLENGE,
    DATA_NEIGHBOURS,
    FIXED,
    HYPOTHESES,
    NEIGHBOURS,
    OTHER_ANSWERS,
    PRIVATE_UNITS,
    AdversaryModel,
    Scope,
    checked_neighbours,
)

if TYPE_CHECKING:
    from learners.accounting.accountants import Total, total
    from learners.accounting.calibration import largest_parameter
    from learners.accounting.conversions import zcdp, zcdp_epsilon, zcdp_rho
    from learners.accounting.epsilons import advanced
    from learners.accounting.filters import PrivacyFilter
    from learners.accounting.gaussians import gaussian, gaussian_epsilon, gaussian_mu_squared
    from learners.accounting.loss_distributions import pld, widest_range
    from learners.accounting.privacy import Privacy

__all__ = [
    "ADAPTIVE",
    "ALL_OUTPUTS",
    "AdversaryModel",
    "ApproximateDP",
    "ApproximateZCDP",
    "AtOnce",
    "BoundedRange",
    "CHALLENGE",
    "DATA_NEIGHBOURS",
    "Event",
    "FIXED",
    "GaussianDP",
    "Grouped",
    "HYPOTHESES",
    "InAdvance",
    "NEIGHBOURS",
    "OTHER_ANSWERS",
    "PRIVATE_UNITS",
    "OneAtATime",
    "UnderChallenge",
    "UnderReplaceOne",
    "Parallel",
    "PostProcessed",
    "Privacy",
    "Profile",
    "PrivacyFilter",
    "PureDP",
    "Scope",
    "SelfComposed",
    "Sequential",
    "StreamParallel",
    "Total",
    "ZCDP",
    "advanced",
    "basic",
    "checked_neighbours",
    "gaussian",
    "gaussian_epsilon",
    "gaussian_mu_squared",
    "geometric_sum",
    "group",
    "largest_parameter",
    "neighbours",
    "pld",
    "scope",
    "total",
    "widest_range",
    "zcdp",
    "zcdp_epsilon",
    "zcdp_rho",
]

WHEN_ASKED = {
    "accountants": ("Total", "total"),
    "epsilons": ("advanced",),
    "calibration": ("largest_parameter",),
    "conversions": ("zcdp", "zcdp_epsilon", "zcdp_rho"),
    "filters": ("PrivacyFilter",),
    "gaussians": ("gaussian", "gaussian_epsilon", "gaussian_mu_squared"),
    "loss_distributions": ("pld", "widest_range"),
    "privacy": ("Privacy",),
}
"""Names of the modules that are imported at their first use. Adding up a ledger does not need
them."""


def __getattr__(name: str) -> Any:
    for module, names in WHEN_ASKED.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
