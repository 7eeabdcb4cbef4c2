"""What learners over features share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from learners.online.base import FeatureStack
from learners.online.decision_lists import DecisionListElimination
from learners.online.features import Literals, ShortConjunctions
from learners.online.winnow import Winnow
from lsclasses import PatchedHypothesis
from lsclasses.points import Point
from tests.catalog.forms.closed_form_checks import check_stack


def test_rules_over_different_features_are_not_confused() -> None:
    plain, pairs = Literals(4), ShortConjunctions(4, 2)
    learners: list[Any] = [
        DecisionListElimination(pairs, 3),
        Winnow(plain, Fraction(1, 5)),
        Winnow(plain, Fraction(1, 3)),
        DecisionListElimination(plain, 3),
        Winnow(pairs, Fraction(1, 3)),
    ]
    rng = np.random.default_rng(0)
    rules = [learner.hypothesis for learner in learners]
    for _ in range(6):
        x, y = plain.domain.sample(rng), int(rng.integers(2))
        learners = [learner.observe(x, y) for learner in learners]
        rules += [learner.hypothesis for learner in learners]
    check_stack(rules)
    check_stack([PatchedHypothesis(h, {(0, 0, 1, 0): 1}) for h in rules])


def test_features_are_computed_once_for_all_rules() -> None:
    computed: list[Point] = []

    class Told(Literals):
        def values(self, x: Point) -> np.ndarray:
            computed.append(x)
            return super().values(x)

    state = DecisionListElimination(Told(3), 3)
    stack = state.hypothesis._stack()
    assert isinstance(stack, FeatureStack)
    for h in (state.hypothesis, state.observe((1, 0, 1), 1).hypothesis):
        stack.append(h)
    computed.clear()
    assert stack.labels((1, 0, 1)).tolist() == [False, True]
    assert stack.labels((1, 0, 1)).tolist() == [False, True]
    assert computed == [(1, 0, 1)]
