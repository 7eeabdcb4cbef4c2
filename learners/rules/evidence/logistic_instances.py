"""Audit instances of logistic regression by objective perturbation."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedEpsilon,
    Instance,
    Run,
    UndetectedVariant,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.rules.logistic_objective import FEATURE_UNIT
from learners.rules.logistic_regression import ObjectivePerturbation
from lsclasses.options import Option

Table = tuple[int, ...]
"""The label of each row. Every row has the single feature 1."""


@dataclass(frozen=True)
class _Perturbed:
    """Release of `ObjectivePerturbation` in three steps, of which only the last reveals a value.

    The first step draws the noise of the gradient. The second step reads the rows and computes the
    rounded minimum. The third step adds the noise of the released weight. A state is the result of
    a step, so equal results are explored once.
    """

    at_once = True

    mechanism: ObjectivePerturbation

    def start(self, coins: Coins) -> Any:
        """Return the state before the noise."""
        return "start", ()

    def answer(self, state: Any, item: Table | None, coins: Coins) -> tuple[Any, Hashable]:
        """Return the next state, and None or the released weight."""
        step, values = state
        if step == "start":
            return ("noise", tuple(self.mechanism.noise.draw(coins))), None
        if step == "noise":
            assert item is not None
            features = np.full((len(item), 1), FEATURE_UNIT)
            found = self.mechanism.minimum(features, np.array(item, dtype=np.int64), values)
            return ("rounded", self.mechanism.rounded(found)), None
        return ("released", ()), self.mechanism.with_noise(values, coins)


def _intercept(
    *,
    epsilon: ClaimedEpsilon = Fraction(63, 10),
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=3)] = 2,
    l2: Annotated[Fraction, Option("regularisation", above=0)] = Fraction(1, 4),
    noise_bits: Annotated[
        int, Option("digits of the noise of the gradient", minimum=1, maximum=8)
    ] = 4,
    weight_bits: Annotated[int, Option("digits of the released weight", minimum=1, maximum=8)] = 3,
    add_remove: AddRemove = True,
) -> Instance:
    """Return all neighbouring tables of a small size, for a model that has only an intercept.

    The digits are few, so that the noise has few values. The part of epsilon that covers the
    rounding is larger than the default.
    """
    mechanism = _coarse(
        epsilon, relation(add_remove), l2, noise_bits=noise_bits, weight_bits=weight_bits
    )
    return _instance(mechanism, rows)


def _weighted(
    *,
    epsilon: ClaimedEpsilon = Fraction(63, 10),
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=3)] = 1,
    l2: Annotated[Fraction, Option("regularisation", above=0)] = Fraction(1, 2),
    heavy: Annotated[Fraction, Option("weight of label 1", minimum=1, maximum=16)] = Fraction(4),
    noise_bits: Annotated[
        int, Option("digits of the noise of the gradient", minimum=1, maximum=8)
    ] = 4,
    weight_bits: Annotated[int, Option("digits of the released weight", minimum=1, maximum=8)] = 3,
    add_remove: AddRemove = True,
) -> Instance:
    """Return the tables of `_intercept`, where label 0 has the weight 1 and label 1 is heavier."""
    mechanism = _coarse(
        epsilon,
        relation(add_remove),
        l2,
        noise_bits=noise_bits,
        weight_bits=weight_bits,
        class_weights=(Fraction(1), heavy),
    )
    return _instance(mechanism, rows)


def _coarse(
    epsilon: Fraction, neighbours: str, l2: Fraction, **options: Any
) -> ObjectivePerturbation:
    """Return the mechanism for an intercept, with a large part of epsilon for the rounding."""
    return ObjectivePerturbation(
        epsilon,
        (1,),
        neighbours,
        l2,
        tolerance=Fraction(1, 1 << 10),
        rounding_share=Fraction(1, 4),
        **options,
    )


def _instance(mechanism: ObjectivePerturbation, rows: int) -> Instance:
    """Return the instance of all neighbouring tables with up to some number of rows."""

    def release(learner: ObjectivePerturbation) -> Run:
        return Stepwise(_Perturbed(learner))

    pairs = neighbouring_tables((0, 1), rows, mechanism.neighbours)
    return Instance(mechanism, release, tuple(((None, a, None), (None, b, None)) for a, b in pairs))


AUDITS = (
    AuditEntry(
        "logistic_regression",
        "logistic regression with only an intercept; rows replaced, or added",
        _intercept,
        measured=Fraction(399, 100),
        reason="a quarter of epsilon covers the largest possible distance from the minimum, and "
        "the curvature needs its part only where the gradient does not need its part",
        unseen=(
            UndetectedVariant(
                "scales the noise of the gradient for half of its largest change",
                "the noise has few digits, so the noise of the released weight is large and hides "
                "the difference",
            ),
        ),
    ),
    AuditEntry(
        "weighted_logistic_regression",
        "logistic regression with only an intercept and a heavier class; rows replaced, or added",
        _weighted,
        measured=Fraction(355, 100),
        reason="a quarter of epsilon covers the largest possible distance from the minimum, and "
        "the curvature needs its part only where the gradient does not need its part",
    ),
)
