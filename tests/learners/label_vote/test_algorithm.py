"""The vote of randomized labels: its law by hand, and the rules of all learners."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from learners.checks import check_learner
from learners.exact import exact_distribution
from learners.label_vote.algorithm import LabelVote
from lsclasses.errors import InvalidInput


def test_the_vote_keeps_the_rules_of_learners() -> None:
    check_learner(LabelVote(Fraction(1)), "thresholds:n=4")


def test_one_label_is_predicted_as_often_as_randomized_response_keeps_it() -> None:
    learner = LabelVote(Fraction(2))

    def predicted(coins):
        state = learner.learn(learner.start(coins), 0, 1, coins)
        return learner.predict(state, 5, coins)[1]

    law = exact_distribution(predicted)
    assert float(law[1]) == pytest.approx(math.exp(2) / (1 + math.exp(2)))


def test_a_tie_predicts_0() -> None:
    learner = LabelVote(Fraction(1))
    assert [learner._predict(state, 0, None)[1] for state in (-1, 0, 1)] == [0, 0, 1]


@pytest.mark.parametrize("epsilon", [0, -1, 0.5])
def test_epsilon_is_positive_and_exact(epsilon) -> None:
    with pytest.raises(InvalidInput, match=str(epsilon)):
        LabelVote(epsilon)
