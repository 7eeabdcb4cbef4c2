"""What mechanisms on streams share, on two that draw no coins."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from learners.coins import SeededCoins
from learners.mechanisms.runs import StreamMechanism, StreamRun
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class Sums(StreamMechanism):
    """Answers with the sum so far, until it is this large."""

    most: int

    cost = "patience"

    def start(self, coins):
        return SumsRun(self, 0)


@dataclass(frozen=True)
class SumsRun(StreamRun):
    mechanism: Sums
    total: int

    @property
    def halted(self):
        return self.total >= self.mechanism.most

    def _ask(self, value, coins):
        return self.total + value, replace(self, total=self.total + value)


def test_a_run_that_never_halts_answers_all():
    assert Sums(99).answers([4, 5, 6, -9], SeededCoins(1)) == (4, 9, 15, 6)
    assert Sums(99).answers([], SeededCoins(1)) == ()


def test_a_run_answers_up_to_the_answer_with_which_it_halts_and_then_no_more():
    coins = SeededCoins(1)
    assert Sums(10).answers([4, 5, 6, -9], coins) == (4, 9, 15)
    before = Sums(10).start(coins)
    answer, run = before.ask(10, coins)
    assert (answer, run.halted) == (10, True)
    with pytest.raises(InvalidInput, match="patience"):
        run.ask(1, coins)
    # The run before is a state of its own, and can be asked again.
    assert before.ask(3, coins)[0] == 3
