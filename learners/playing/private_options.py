"""Options that private learners share: the budget, the base learner and the failure probability.

A builder of a learner uses them as annotations, see `lsclasses.specifications.parameters_of`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from learners.budget import BUDGET_DELTA, Budget
from learners.checked import EPSILON, FAILURE
from learners.playing.entries import BASES
from lsclasses.options import Option, Options

Epsilon = Annotated[Fraction, EPSILON.with_doc("epsilon of the guarantee", Fraction(1))]
Delta = Annotated[Fraction, BUDGET_DELTA.with_doc("delta of the guarantee", Fraction(1, 10**6))]
AllowWeakPrivacy = Annotated[bool, Option("allow an epsilon above 20, or a delta of 1/10 or more")]


def _budget(*, epsilon: Epsilon, delta: Delta, allow_weak_privacy: AllowWeakPrivacy) -> Budget:
    return Budget(epsilon, delta, allow_weak_privacy=allow_weak_privacy)


def _pure_budget(*, epsilon: Epsilon, allow_weak_privacy: AllowWeakPrivacy) -> Budget:
    return Budget(epsilon, allow_weak_privacy=allow_weak_privacy)


Spending = Annotated[Budget, Options(_budget)]
PureSpending = Annotated[Budget, Options(_pure_budget)]
"""Option for a privacy budget with a pure guarantee, or with a delta."""

Base = Annotated[
    str,
    Option("base learner to make private", default="conservative-soa", choices=tuple(BASES)),
]
Beta = Annotated[
    Fraction | None,
    FAILURE.with_doc("largest failure probability of the mistake bound. The default is 1/20"),
]
"""Failure probability of the mistake bound."""
