"""Broken twins of the learners from samples, which their audits have to see."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from learners.coins import Coins
from learners.mechanisms.selection import ExponentialMechanism
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from tests.learners.breaking import Twin, in_sixteenths, multiplied, other, relative
from tests.learners.mechanisms.incorrect_variants import SmallNoise


class OutcomesTwice(PrivateLittlestoneLearner):
    """Every outcome counts as two."""

    def choose(self, outcomes: Any, fresh: Any, coins: Coins) -> Any:
        return super().choose({h: 2 * count for h, count in outcomes.items()}, fresh, coins)


class FirstRows(AgnosticEmpirical):
    """The first rows are drawn."""

    def _draw(self, sample: Any, coins: Coins) -> Any:
        return [sample[i] for i in range(self.drawn)]


class DrawnAgain(AgnosticEmpirical):
    """Rows are drawn with replacement."""

    def _draw(self, sample: Any, coins: Coins) -> Any:
        return [sample[coins.below(len(sample))] for _ in range(self.drawn)]


class BestLabels(AgnosticEmpirical):
    """The drawn rows are labelled as fits all rows best."""

    @property
    def choice(self) -> Any:
        return SimpleNamespace(release=lambda scores, coins: int(np.argmax(scores)))


TWINS = (
    Twin(
        "generic_learner",
        "omits the factor 1/2 in the exponent of the weights",
        other(mechanism=lambda m, right: ExponentialMechanism(2 * m.epsilon)),
    ),
    Twin(
        "generic_learner",
        "rounds each weight to a multiple of 1/16 of the largest weight",
        in_sixteenths,
    ),
    Twin(
        "private_littlestone", "counts the hypothesis of each batch twice", relative(OutcomesTwice)
    ),
    Twin(
        "private_littlestone",
        "chooses the hypothesis with twice the epsilon",
        multiplied("parameters.choice_epsilon"),
    ),
    Twin(
        "subsample_aggregate",
        "adds noise of scale 1/epsilon instead of 2/epsilon",
        other(histogram=lambda m, right: SmallNoise(m.epsilon, m.delta)),
    ),
    Twin("agnostic_empirical", "takes the first rows instead of random rows", relative(FirstRows)),
    Twin("agnostic_empirical", "draws rows with replacement", relative(DrawnAgain)),
    Twin(
        "agnostic_empirical",
        "chooses the labels with the fewest errors on all rows, without noise",
        relative(BestLabels),
    ),
    Twin(
        "agnostic_empirical",
        "chooses the labels with twice their epsilon",
        other(choice=lambda m, right: replace(right, epsilon=2 * right.epsilon)),
    ),
    Twin(
        "agnostic_empirical",
        "runs the private learner with twice its epsilon",
        multiplied("inner.epsilon"),
    ),
)
