"""What learners over features share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from learners.playing.base.decision_list_elimination import DecisionListElimination
from learners.playing.base.winnow import Winnow
from learners.playing.features import Literals, ShortConjunctions
from lsclasses import PatchedHypothesis
from tests.catalog.closed_forms.closed_form_checks import check_stack


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
