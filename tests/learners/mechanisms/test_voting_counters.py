"""Voting counters: lazy noise against the coins of every round, thresholds, and states."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import basic, scope
from learners.audit.instances import asked
from learners.balls import ball
from learners.coins import Coins, SeededCoins
from learners.exact import PRECISION, Stepwise
from learners.mechanisms.voting_counters import Ballot, VotingCounters, VotingRun
from learners.voting.evidence.firing_times import FiringTimes, hockey_stick
from lsclasses.errors import InvalidInput

CUT = Fraction(1, 2**30)
TWENTIETH = Fraction(1, 20)


@dataclass(frozen=True)
class RoundByRound:
    """The definition: in each round, each item with a vote tosses a coin."""

    mechanism: VotingCounters

    def start(self, coins: Coins) -> Any:
        return ()

    def answer(self, state: Any, item: Any, coins: Coins) -> tuple[Any, Hashable]:
        missing = dict(state)
        if item is not None:
            if item not in missing:
                noise = coins.laplace(1 / self.mechanism.rate)
                missing[item] = self.mechanism.threshold + (noise if noise >= 0 else -1 - noise)
            missing[item] -= 1
        rate = self.mechanism.rate
        firing = [g for g, m in sorted(missing.items()) if m <= 0 or coins.decays(rate * m)]
        if not firing:
            return tuple(sorted(missing.items())), None
        return None, firing[coins.below(len(firing))]


SMALL = VotingCounters(6, Fraction(1, 2), 3)


@pytest.mark.parametrize("votes", [("a", "b", "a"), ("a", "a", None), ("b", None, "a")])
def test_lazy_noise_gives_the_distribution_of_a_coin_per_round(votes: Any) -> None:
    law = asked(SMALL).laws(tail=CUT)(votes)
    defined = Stepwise(RoundByRound(SMALL)).laws(tail=CUT)(votes)
    with ctx.workprec(PRECISION):
        for outcome in {*law, *defined}:
            both = [each.probability(lambda x, of=outcome: x == of) for each in (law, defined)]
            assert abs(float(both[0].mid() - both[1].mid())) < 1e-6


def test_firing_times_give_the_distribution_of_the_production_code() -> None:
    names = {None: None, 0: "a", 1: "b"}
    times, laws = FiringTimes(SMALL.rate, SMALL.threshold, 2), asked(SMALL).laws(tail=CUT)
    for votes in product((None, 0, 1), repeat=3):
        law, expected = laws([names[each] for each in votes]), times.law(votes)
        for t, i in product(range(3), range(2)):
            found = law.probability(lambda x, t=t, i=i: len(x) == t + 2 and x[t] == "ab"[i])
            assert abs(float(found.mid()) - float(expected[2 * t + i])) < 1e-6


@pytest.mark.slow
def test_lazy_noise_gives_the_distribution_for_all_short_streams() -> None:
    mechanism = VotingCounters(4, Fraction(1, 5), 4)
    laws, defined = (
        each.laws(tail=Fraction(1, 2**16))
        for each in (asked(mechanism), Stepwise(RoundByRound(mechanism)))
    )
    for votes in product((None, "a", "b"), repeat=4):
        one, two = laws(votes), defined(votes)
        for outcome in {*one, *two}:
            both = [each.probability(lambda x, of=outcome: x == of) for each in (one, two)]
            assert abs(float(both[0].mid() - both[1].mid())) < 1e-3


# ---- constants


@given(
    st.fractions(Fraction(1, 50), 9, max_denominator=50),
    st.integers(1, 12),
    st.integers(1, 10**9),
)
def test_the_threshold_is_the_least_that_the_proof_allows(
    epsilon: Fraction, exponent: int, rounds: int
) -> None:
    delta = Fraction(1, 10**exponent)
    mechanism = VotingCounters(epsilon, delta, rounds)
    with ctx.workprec(256):
        x = (-ball(epsilon) / 2).exp()
        lost = [2 * rounds * x ** (r - 1) / (1 + x) for r in range(mechanism.threshold + 1)]
    assert lost[mechanism.threshold] <= ball(delta) < lost[mechanism.threshold - 1]


@given(st.fractions(Fraction(1, 20), 9, max_denominator=20), st.integers(2, 1000))
def test_the_number_of_votes_is_the_least_with_this_failure(epsilon: Fraction, odds: int) -> None:
    mechanism, failure = VotingCounters(epsilon, TWENTIETH, 10), Fraction(1, odds)
    r, most = mechanism.threshold, mechanism.most_votes(failure)

    def more(m: int) -> arb:
        x = (-ball(mechanism.rate)).exp()
        return (1 - x) * x ** (m - r + 1) / (1 - x ** (m + 1))

    with ctx.workprec(256):
        assert more(most) <= ball(failure)
        assert most == r - 1 or more(most - 1) > ball(failure)


@pytest.mark.parametrize("rate, threshold", [(Fraction(1), 4), (Fraction(1, 3), 6)])
def test_rounds_without_votes_only_help(rate: Fraction, threshold: int) -> None:
    """The bound on the number of votes, for all orders of votes and of other rounds."""
    times, x = FiringTimes(rate, threshold, 1), (-ball(rate)).exp()
    for votes in product((False, True), repeat=threshold + 2):
        m = sum(votes)
        if m >= threshold - 1:
            stated = (1 - x) * x ** (m - threshold + 1) / (1 - x ** (m + 1))
            unpublished = times.of_item(votes)[-1]
            if all(votes[votes.index(True) :]):
                assert abs(float(unpublished - stated)) < 1e-12
            else:
                assert unpublished < stated


def test_epsilon_decides_in_a_stream_of_twice_the_threshold() -> None:
    mechanism = VotingCounters(2, Fraction(1, 10), 12)
    times, r = FiringTimes(mechanism.rate, mechanism.threshold, 2), mechanism.threshold
    laws = [times.law((g, *(1,) * (r - 2), *(0,) * (13 - r))) for g in (0, 1)]
    assert hockey_stick(*laws, Fraction(5, 4)) > ball(Fraction(1, 10))
    assert hockey_stick(*laws, Fraction(2)) < ball(Fraction(1, 10))


# ---- runs


def test_a_run_is_for_its_rounds_and_ends_with_the_item() -> None:
    mechanism, coins = VotingCounters(8, TWENTIETH, 5), SeededCoins(1)
    run = mechanism.start(coins)
    for _ in range(5):
        answer, run = run.ask(None, coins)
        assert answer is None
    with pytest.raises(InvalidInput, match="for 5 rounds"):
        run.ask(None, coins)
    *_, last = VotingCounters(8, TWENTIETH, 50).answers(["a"] * 50, coins)
    assert last == "a"
    run = VotingRun(mechanism, halted=True)
    with pytest.raises(InvalidInput, match="has halted"):
        run.ask("a", coins)


def test_the_event_has_the_scope_of_the_theorem() -> None:
    mechanism = VotingCounters(2, TWENTIETH, 5)
    held = scope(mechanism.privacy)
    assert held is not None and held.adversary.stream == "adaptive"
    assert held.neighbours == "replace_one"
    assert basic(mechanism.privacy) == (2, TWENTIETH)


@pytest.mark.parametrize(
    "given", [(0, TWENTIETH, 5), (1, 0, 5), (1, 1, 5), (1, TWENTIETH, 0), (0.5, TWENTIETH, 5)]
)
def test_numbers_out_of_range_are_refused(given: Any) -> None:
    with pytest.raises(InvalidInput):
        VotingCounters(*given)


def test_a_run_continues_from_a_file() -> None:
    mechanism = VotingCounters(1, TWENTIETH, 40)
    votes = ["a", "b", None, "a"] * 10

    def answers(start: int, run: VotingRun, coins: Coins) -> tuple[list[Any], VotingRun]:
        given = []
        for item in votes[start : start + 20]:
            if run.halted:
                break
            answer, run = run.ask(item, coins)
            given.append(answer)
        return given, run

    for seed in range(20):
        coins = SeededCoins(seed)
        _, run = answers(0, mechanism.start(coins), coins)
        data = json.loads(json.dumps(run.to_json(str)))
        again = VotingRun.from_json(mechanism, data, str)
        assert again == run and hash(again) == hash(run)
        rest = [answers(20, each, SeededCoins(seed))[0] for each in (run, again)]
        assert rest[0] == rest[1]


@given(st.lists(st.tuples(st.integers(0, 600), st.integers(-3, 9))))
def test_a_ballot_is_a_mapping_that_shares_its_parts(changes: list[tuple[int, int]]) -> None:
    expected: dict[int, int] = {}
    ballot = Ballot()
    for item, missing in changes:
        before, copy = ballot, dict(ballot)
        ballot = ballot.changed(item, missing)
        expected[item] = missing
        assert dict(before) == copy
    assert dict(ballot) == expected and len(ballot) == len(expected)
    other = Ballot.of(dict(reversed(expected.items())))
    assert other == ballot and hash(other) == hash(ballot)
