"""What mechanisms on streams share, on two that draw no coins."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from learners.coins import SeededCoins
from learners.mechanisms.runs import StreamMechanism, StreamRun
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class Sums(StreamMechanism):
    """Answers with the sum so far."""

    cost = "patience"

    def start(self, coins):
        return SumsRun(self, 0)


@dataclass(frozen=True)
class SumsRun(StreamRun):
    mechanism: Sums
    total: int

    def _ask(self, value, coins):
        return self.total + value, type(self)(self.mechanism, self.total + value)


@dataclass(frozen=True)
class UpToTen(Sums):
    """The same, until it is 10 or more."""

    def start(self, coins):
        return UpToTenRun(self, 0)


@dataclass(frozen=True)
class UpToTenRun(SumsRun):
    @property
    def halted(self):
        return self.total >= 10


def test_a_run_that_never_halts_answers_all():
    assert Sums().answers([4, 5, 6, -9], SeededCoins(1)) == (4, 9, 15, 6)
    assert Sums().answers([], SeededCoins(1)) == ()


def test_a_run_answers_up_to_the_answer_with_which_it_halts_and_then_no_more():
    coins = SeededCoins(1)
    assert UpToTen().answers([4, 5, 6, -9], coins) == (4, 9, 15)
    run = UpToTen().start(coins)
    _, run = run.ask(9, coins)
    assert not run.halted
    answer, run = run.ask(1, coins)
    assert (answer, run.halted) == (10, True)
    with pytest.raises(InvalidInput, match=r"has halted.* its patience again"):
        run.ask(1, coins)
    # The run before is a state of its own, and can be asked again.
    assert UpToTen().start(coins).ask(3, coins)[0] == 3
