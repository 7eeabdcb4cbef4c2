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
        "no half",
        other(mechanism=lambda m, right: ExponentialMechanism(2 * m.epsilon)),
    ),
    Twin("generic_learner", "weights in sixteenths", in_sixteenths),
    Twin("private_littlestone", "outcomes counted twice", relative(OutcomesTwice)),
    Twin(
        "private_littlestone", "choice at twice its price", multiplied("parameters.choice_epsilon")
    ),
    Twin(
        "subsample_aggregate",
        "noise of scale 1/epsilon",
        other(histogram=lambda m, right: SmallNoise(m.epsilon, m.delta)),
    ),
    Twin("agnostic_empirical", "the first rows are drawn", relative(FirstRows)),
    Twin("agnostic_empirical", "rows are drawn with replacement", relative(DrawnAgain)),
    Twin("agnostic_empirical", "labels that fit all rows best", relative(BestLabels)),
    Twin(
        "agnostic_empirical",
        "labels are chosen at twice the price",
        other(choice=lambda m, right: replace(right, epsilon=2 * right.epsilon)),
    ),
    Twin("agnostic_empirical", "the learner at twice its price", multiplied("inner.epsilon")),
)
