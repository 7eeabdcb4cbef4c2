"""What is played: publishing learners, and states that are made playable."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import catalog
from learners.coins import Coins, SeededCoins
from learners.playing.learner import PublishingLearner, as_learner
from learners.playing.play import play
from lsclasses.randomized_soa import RandomizedSOA
from lsclasses.soa import SOA

C = catalog.build("thresholds:n=3")


class Follows(PublishingLearner):
    """Publishes the first concept that fits the last example; it halts after `examples` of them.

    With `silent`, it publishes functions that are no hypotheses.
    """

    def __init__(self, examples: int, silent: bool = False) -> None:
        self.examples, self.silent = examples, silent

    def _begin(self, coins: Coins) -> Any:
        return 0, C.to_table()[0]

    def _publish(self, state: Any, coins: Coins) -> tuple[Any, Any]:
        seen, concept = state
        published = (lambda x: concept(x)) if self.silent else concept
        return (None if seen == self.examples else state), published

    def _receive(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        return state[0] + 1, next(h for h in C.to_table() if h(point) == label)


def test_a_learner_halts_with_the_hypothesis_that_is_its_last() -> None:
    coins = SeededCoins(1)
    learner = Follows(2)
    state = learner.start(coins)
    for point, label in ((1, 1), (0, 0)):
        before, hypothesis = learner.publish(state, coins)
        assert before is state and hypothesis == state.hypothesis
        state = learner.receive(state, (point, label), coins)
        assert state.hypothesis(point) == label
    after, last = learner.publish(state, coins)
    assert after is None and last == state.hypothesis
    # It still predicts by it; another example changes nothing any more.
    assert learner.predict(state, 0, coins)[1] == last(0)
    assert learner.receive(state, (0, 1), coins) is None


def test_hypotheses_are_published_where_they_can_be_compared_with_concepts() -> None:
    coins = SeededCoins(1)
    state = Follows(2).start(coins)
    assert Follows(2).published(state) == C.to_table()[0]
    assert Follows(2, silent=True).published(Follows(2, silent=True).start(coins)) is None


def test_a_switch_is_another_hypothesis() -> None:
    coins = SeededCoins(1)
    learner = Follows(9)
    start = learner.start(coins)
    same = learner.receive(start, (0, start.hypothesis(0)), coins)
    other = learner.receive(start, (0, 1 - start.hypothesis(0)), coins)
    for before, after, switched in ((start, start, False), (start, same, False),
                                    (start, other, True), (other, start, True)):  # fmt: skip
        assert learner.switched(before, after) is switched


@pytest.mark.parametrize("state", [SOA(C), RandomizedSOA(C)])
def test_a_state_that_is_made_playable_switches_when_it_becomes_another(state: Any) -> None:
    coins = SeededCoins(1)
    learner = as_learner(state)
    start = learner.start(coins)
    told = learner.learn(start, 1, 1, coins)
    again = learner.learn(told, 1, 1, coins)
    assert start == state and told == state.observe(1, 1)
    assert not learner.switched(start, start) and not learner.switched(told, again)
    assert learner.switched(start, told) and learner.switched(told, start)
    assert play(learner, [(1, 1), (1, 1)], 2, coins).switches == 1


def test_a_game_counts_how_often_the_hypothesis_changes() -> None:
    stream = [(0, 1), (0, 1), (0, 0), (2, 1), (0, 0), (0, 1)]
    game = play(Follows(9), stream, 6, SeededCoins(1))
    hypotheses = [C.to_table()[0], *(next(h for h in C.to_table() if h(x) == y) for x, y in stream)]
    assert list(game.predictions) == [h(x) for h, (x, _) in zip(hypotheses, stream, strict=False)]
    assert game.switches == sum(one != other for one, other in pairwise(hypotheses)) > 1
