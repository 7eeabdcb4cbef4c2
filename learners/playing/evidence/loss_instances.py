"""The view of an audit on learners from losses, and the streams that it compares."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import product

from learners.audit.instances import Pairs, neighbouring_streams
from learners.coins import Coins
from learners.exact import Stepwise
from learners.playing.learner import PublishedState
from learners.playing.loss_learner import LossLearner

Stream = tuple[tuple[int, ...], ...]
"""The losses of all experts, round by round."""


@dataclass(frozen=True)
class _Published:
    """The published expert of each round and the number of draws so far, for audits.

    That an expert was drawn anew is more than is published: it may be the same one. The proofs of
    privacy cover it, and audits see more with it.
    """

    learner: LossLearner

    def start(self, coins: Coins) -> PublishedState | None:
        return self.learner.start(coins)

    def answer(
        self, state: PublishedState, item: object, coins: Coins
    ) -> tuple[PublishedState | None, Hashable]:
        return self.learner.receive(state, item, coins), (state.inner.drawn, state.hypothesis)


def published(learner: LossLearner) -> Stepwise:
    """The published experts of a learner, for an audit."""
    return Stepwise(_Published(learner))


def loss_streams(experts: int, rounds: int) -> Pairs:
    """All neighbouring streams of loss vectors in {0, 1}, but for the names of the experts.

    The last round is read by nobody, so it is the same in all. Of streams that differ by the names
    of the experts only, one pair stands for all: that with the least vector, first in the round
    that differs. (A learner that treats some experts otherwise than others needs all pairs.)

    Examples
    --------
    >>> loss_streams(2, 2)[:2]
    ((((0, 0), (0, 0)), ((0, 1), (0, 0))), (((0, 0), (0, 0)), ((1, 1), (0, 0))))
    """
    vectors = list(product((0, 1), repeat=experts))
    found: dict[Hashable, tuple[Stream, Stream]] = {}
    for zero, one in neighbouring_streams(vectors, rounds - 1):
        # An expert is the column of its losses in both streams; names order the columns.
        key = tuple(sorted(zip(*zero, *one, strict=True)))
        found.setdefault(key, (zero, one))
    rest = ((0,) * experts,)
    return tuple((zero + rest, one + rest) for zero, one in found.values())
