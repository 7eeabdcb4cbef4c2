"""Evaluated hypotheses: sensitivity of inputs, covered items, and the number of challenges."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from learners.audit.audit_registry import instance
from learners.audit.instances import Instance
from learners.games import AdaptiveInputs, Challenge, ChallengeATGame, Datasets, OnlineGame
from learners.general_checks.games import BiasedTally, Tired
from learners.general_checks.mechanism_hypotheses import COVERED, SENSITIVITY, hypotheses
from learners.general_checks.plans import challenges_allowed
from learners.pop.evidence.repeated_example import expected_mistakes, mistake_chances, most_errors
from learners.pop.plan import POPParameters
from lsclasses.soa import SOA
from lsclasses.table import Table

FLIP = Challenge(("x", 0), ("x", 1))


FAR = {
    "discrete_laplace": (0, 2),
    "exponential_mechanism": ((0, 0), (0, 2)),
    "above_threshold": ((0, 0), (1, 2)),
    "fresh_noise_threshold": ((0, 0), (2, 0)),
    "challenge_at": (((-100, True), (0, False)), ((100, True), (2, False))),
}
"""Inputs that differ by more than the sensitivity of the default instance."""


@pytest.mark.parametrize("name", SENSITIVITY)
def test_numbers_that_differ_too_much_break_the_sensitivity(name: str) -> None:
    built = instance(name)
    assert isinstance(built, Instance)
    assert set(hypotheses(name, built).values()) == {True}
    assert set(hypotheses(name, replace(built, pairs=(FAR[name],))).values()) == {False}


def test_an_item_that_changes_other_scores_is_noticed() -> None:
    built = instance("em_cover")
    assert isinstance(built, Instance)
    assert hypotheses("em_cover", built) == {COVERED: True}
    other = replace(built.mechanism, score=lambda word, candidate, chosen: -len(word))
    assert hypotheses("em_cover", replace(built, mechanism=other)) == {COVERED: False}


def test_challenges_are_counted_by_the_rules() -> None:
    assert challenges_allowed(AdaptiveInputs(BiasedTally(), 3), Challenge(0, 1)) == 1
    assert challenges_allowed(OnlineGame(BiasedTally(), 3, group=2), FLIP) == 2
    game = ChallengeATGame(Tired(), 2)
    challenge = Challenge(0, 5)
    assert challenges_allowed(game, challenge) == 0  # the data sets come first
    assert challenges_allowed(game, challenge, Datasets((0,), (1,))) == 1


@pytest.mark.parametrize("copies", [23, 24])
def test_expected_mistakes_are_a_sum_over_states(copies: int) -> None:
    """The chances of a round follow from the noise of the threshold test."""
    none = Fraction(0)
    parameters = POPParameters(
        copies, 1, 9, Fraction(9, 2), none, none, none, Fraction(9, 10), "never"
    )
    q, wrong = float(np.exp(-1 / 2)), np.arange(1, copies + 1)
    total = 0.0
    for w in wrong.tolist():
        least = -(-copies // 4) - min(w, copies - w)
        report = q**least / (1 + q) if least >= 1 else 1 - q ** (1 - least) / (1 + q)
        chance = report / 2 + (1 - report) * (2 * w > copies)
        assert mistake_chances(parameters, np.array([w]))[0] == pytest.approx(chance)
        total += copies / w * chance
    low, high = map(float, expected_mistakes(parameters))
    assert low == pytest.approx(total) and high == pytest.approx(total)


def test_the_soa_errs_at_most_as_often_as_its_dimension() -> None:
    cube = Table([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert [most_errors(SOA(cube), cube, rounds) for rounds in range(4)] == [0, 1, 2, 2]
