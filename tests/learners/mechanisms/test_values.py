"""Descriptions are values: equal ones hash alike, and none can be changed after it was checked."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from learners.audit.registry import AUDITABLE
from learners.pac.aggregate import SubsampleAggregate
from learners.pac.distributions import FiniteDistribution
from learners.pac.entries import TRAINABLE
from learners.pac.globally_stable import GloballyStableLearner
from learners.pac.littlestone_parameters import sample_complexity
from learners.pac.plain import EmpiricalRiskMinimizer, FinalHypothesis
from learners.pac.stability import stability
from learners.pac.verdicts import Population
from learners.sanitizers.base import ExactSanitizer, SyntheticData
from learners.sanitizers.sketches import ConceptSet
from learners.sanitizers.splitting import LabelledBySplitting
from lsclasses import SOA, Table

C = Table([[0, 1], [1, 1]])
D = FiniteDistribution.labelled(C[0])
TENTH = Fraction(1, 10)

MADE: list[Callable[[], Any]] = [
    *(
        lambda name=name: AUDITABLE[name].instance().mechanism
        for name in (
            "randomized_response",
            "generic_learner",
            "agnostic_empirical",
            "private_littlestone",
            "realizable_fooling",
            "cut_sanitizer",
        )
    ),
    lambda: SubsampleAggregate(EmpiricalRiskMinimizer(C), 3, 1, TENTH),
    lambda: FinalHypothesis(SOA(C)),
    lambda: GloballyStableLearner(SOA(C), 4),
    lambda: sample_complexity(1, TENTH, 1, TENTH),
    lambda: stability(EmpiricalRiskMinimizer(C), D, 1),
    lambda: Population(D, Fraction(0)),
    lambda: TRAINABLE["erm"],
    lambda: ExactSanitizer(C),
    lambda: SyntheticData(C.domain, (1, 2), 3),
    lambda: ConceptSet(C, (0, 1)),
    lambda: LabelledBySplitting(ExactSanitizer(C), Fraction(1)),
]


@pytest.mark.parametrize("make", MADE)
def test_equal_descriptions_are_one_value(make: Callable[[], Hashable]) -> None:
    one, same = make(), make()
    assert one == same
    with pytest.raises(AttributeError):
        setattr(one, fields(one)[0].name, None)
