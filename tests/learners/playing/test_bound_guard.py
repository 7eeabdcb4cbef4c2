"""Learners that break their mistake bound are caught, with the examples on which they do."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.playing.base.halving import Halving
from learners.playing.bound_guard import BoundExceeded, BoundGuard
from learners.playing.copies import Copies
from learners.playing.play import play
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.online import MistakeBounded
from lsclasses.soa import SOA, ConservativeSOA

C = catalog.build("thresholds:n=7").to_table()
LEARNERS = st.sampled_from([SOA, ConservativeSOA, Halving])
STREAMS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1)), max_size=25)


@dataclass(frozen=True)
class Stubborn(MistakeBounded):
    """It promises one mistake and never learns."""

    left: int = 1

    @property
    def hypothesis(self):
        return SOA(C).hypothesis

    @property
    def mistake_bound(self):
        return 1

    def _predict(self, x):
        return 0

    def _observe(self, x, y):
        return self


def errors(state, stream):
    made = 0
    for x, y in stream:
        made += state.predict(x) != y
        state = state.observe(x, y)
    return made


@given(LEARNERS, STREAMS)
def test_what_is_caught_is_a_stream_with_too_many_mistakes(learner, stream):
    state = watched = BoundGuard(learner(C))
    assert watched.bound == learner(C).mistake_bound
    try:
        for x, y in stream:
            assert state.predict(x) == state.state.predict(x)
            state = state.observe(x, y)
    except BoundExceeded as found:
        assert found.mistakes == watched.bound + 1
        assert errors(learner(C), found.examples) == found.mistakes
        remaining = iter(stream)
        assert all(example in remaining for example in found.examples)
        # The learners are right: no concept agrees with the examples.
        assert C.given(found.examples).is_empty
        assert "No concept agrees" in str(found)
    else:
        assert errors(learner(C), stream) == state.mistakes <= watched.bound


def test_wrong_bounds_are_not_blamed_on_the_stream():
    with pytest.raises(BoundExceeded, match="or the bound is wrong") as caught:
        BoundGuard(Stubborn()).observe(3, 1).observe(3, 0).observe(4, 1)
    assert caught.value.examples == ((3, 1), (4, 1))


def test_copies_share_records_and_keep_their_own_counts():
    copies = Copies.of(BoundGuard(Stubborn()), 3)
    one = copies.advanced(0, 3, 1)
    assert one.distinct == 2
    assert {state.mistakes: count for state, count in one.items()} == {0: 2, 1: 1}


def test_the_private_predictor_reports_the_stream_if_it_is_watched():
    parameters = POPParameters(3, 1, 40, 800, 0, 0, 0, 0, halting="never", raise_delta=True)
    stream = [(5, 1), (2, 0)] * 20
    unwatched = POP(Stubborn(), parameters)
    assert play(unwatched, stream, 40, SeededCoins(1)).played == 40
    with pytest.raises(BoundExceeded) as caught:
        play(POP(BoundGuard(Stubborn()), parameters), stream, 40, SeededCoins(1))
    assert caught.value.examples == ((5, 1), (5, 1))
    right = POP(BoundGuard(SOA(C)), parameters)
    transcript = play(right, stream, 40, SeededCoins(1))
    assert transcript.played == 40
    assert (
        transcript.predictions
        == play(POP(SOA(C), parameters), stream, 40, SeededCoins(1)).predictions
    )
