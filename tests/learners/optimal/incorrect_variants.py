"""Broken twins of the best private learners, which their audits have to see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import catalog
from learners.accounting import basic
from learners.coins import Coins
from learners.optimal.challenge import optimal_answers
from learners.optimal.error import optimal_error
from learners.optimal.evidence.instances import ONE_BIT
from learners.optimal.mistakes import optimal_mistakes
from learners.optimal.predictor import AnswersState, OptimalAnswers
from learners.optimal.publisher import OptimalPublisher, PublisherState
from learners.optimal.sample_learner import OptimalLearner
from learners.pac.samples import Sample
from tests.learners.breaking import Twin, program, relative


class Forgetful(OptimalPublisher):
    """Each hypothesis is drawn as if nothing had been published before."""

    def _publish(self, played: PublisherState, coins: Coins) -> tuple[PublisherState, Any]:
        numbers, examples = played.number, []
        for _ in range(min(played.rounds, self.rounds - 1)):
            numbers, z = divmod(numbers, self.law.transcripts.examples)
            numbers //= len(self.law.transcripts.outputs)
            examples.append(z)
        again, hypothesis = super()._publish(PublisherState(0, 0), coins)
        for z in reversed(examples):
            point, label = self.points[z // 2], z % 2
            again, hypothesis = super()._publish(self._receive(again, point, label, coins), coins)
        return again, hypothesis


def forgetful(built: Any) -> Forgetful:
    learner = built.mechanism
    return Forgetful(learner.points, learner.law, learner.guarantee, learner.mistakes)


def of_twice_the_epsilon(built: Any) -> OptimalPublisher:
    learner = built.mechanism
    cheap = optimal_mistakes(ONE_BIT, learner.rounds, 2 * learner.guarantee.epsilon).learner
    return replace(cheap, guarantee=learner.guarantee)


def for_fixed_streams(built: Any) -> OptimalPublisher:
    """The best learner for delta > 0, which is private for fixed streams only."""
    learner, (epsilon, delta) = built.mechanism, basic(built.privacy)
    found: OptimalPublisher = optimal_mistakes(ONE_BIT, learner.rounds, epsilon, delta).learner
    return found


def twice_the_epsilon(learner: OptimalLearner) -> OptimalLearner:
    C = catalog.build(f"points:n={learner.points.size}")
    cheap = optimal_error(C, learner.rows, 2 * learner.guarantee.epsilon).learner
    return replace(cheap, guarantee=learner.guarantee)


class OneStream(OptimalAnswers):
    """Each answer after the first is drawn as if all earlier answers had been 0."""

    def _learn(self, state: AnswersState, point: Any, label: Any, coins: Coins) -> AnswersState:
        return super()._learn(replace(state, answer=0), point, label, coins)


def without_answers(built: Any) -> OneStream:
    learner = built.mechanism
    return OneStream(learner.points, learner.law, learner.guarantee, learner.mistakes)


def answers_for_twice_the_epsilon(built: Any) -> OptimalAnswers:
    learner = built.mechanism
    cheap = optimal_answers(ONE_BIT, learner.rounds, 2 * learner.guarantee.epsilon).learner
    return replace(cheap, guarantee=learner.guarantee)


class FirstRowTwice(OptimalLearner):
    """The first row is read in the place of the last one, too."""

    def fit(self, sample: Sample, coins: Coins) -> Any:
        rows = list(sample)
        return super().fit(Sample(sample.domain, [*rows[:-1], rows[0]]), coins)


TWINS = (
    Twin(
        "optimal_learner", "is the best learner for twice the epsilon", program(twice_the_epsilon)
    ),
    Twin("optimal_learner", "reads the first row instead of the last row", relative(FirstRowTwice)),
    Twin(
        "optimal_predictor",
        "is the best predictor for twice the epsilon",
        answers_for_twice_the_epsilon,
    ),
    Twin(
        "optimal_predictor",
        "draws each answer as if all earlier answers had been 0",
        without_answers,
    ),
    Twin(
        "optimal_publisher",
        "draws each hypothesis as if it had published no hypothesis before",
        forgetful,
    ),
    Twin("optimal_publisher", "is the best learner for twice the epsilon", of_twice_the_epsilon),
    Twin(
        "optimal_publisher",
        "claims for adaptive streams a guarantee that holds only for fixed streams",
        for_fixed_streams,
    ),
)
