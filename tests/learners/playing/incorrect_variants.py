"""Broken twins of doubling, which their audits have to see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from learners.coins import Coins
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.playing.doubling import Doubling
from learners.playing.evidence import Hint, Hinting
from tests.learners.breaking import Broken, Twin


def buckets_of(make: Callable[[Hinting], Hinting]) -> Broken:
    """Doubling of other learners."""

    def doubled(built: Any) -> Doubling:
        learner = make(built.mechanism.learner(0))
        return replace(built.mechanism, learner_for=lambda rounds: learner)

    return doubled


def dear_hints(learner: Hinting) -> Hinting:
    return replace(learner, response=RandomizedResponse(2 * learner.response.epsilon))


class Announcing(Hinting):
    """Draws beforehand, and shows, whether all examples will be revealed; (epsilon, delta)-DP."""

    def _begin(self, coins: Coins) -> Hint:
        return Hint(0, sure=coins.flip(self.revealed))

    def _receive(self, state: Hint, point: Any, label: int, coins: Coins) -> Hint:
        return Hint(label if state.sure else self.response.release(label, coins), state.sure)


def announcing(learner: Hinting) -> Announcing:
    return Announcing(learner.response, learner.revealed)


TWINS = (
    Twin("doubling", "runs learners with twice their epsilon", buckets_of(dear_hints)),
    Twin(
        "doubling",
        "runs learners that announce in advance whether they will reveal an example",
        buckets_of(announcing),
    ),
)
