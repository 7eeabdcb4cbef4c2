"""Copies against a plain list of states, for every kind of learner."""

from __future__ import annotations

import copy
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.playing import copies as module
from learners.playing.base.decision_list_elimination import DecisionListElimination
from learners.playing.base.halving import Halving
from learners.playing.base.winnow import Winnow
from learners.playing.copies import Copies
from learners.playing.features import Literals, ShortConjunctions
from learners.winnow.confident import ConfidentWinnow
from lsclasses import Hypothesis, Table
from lsclasses.soa import SOA, ConservativeSOA
from tests.strategies import tables

SPECS = (
    "thresholds:n=2^64",
    "points:n=inf,empty=1",
    "at-most:n=2^64,k=3",
    "affine:q=2,n=70,k=2,empty=1",
    "intervals:n=2^20",
    "conjunctions:n=40",
)
OTHERS: dict[str, Callable[[], Any]] = {
    "halving": lambda: Halving(catalog.build("thresholds:n=100")),
    "halving on a table": lambda: Halving(catalog.family("decision-lists").table(n=2)),
    "elimination": lambda: DecisionListElimination(ShortConjunctions(5, 2), blocks=3),
    "winnow": lambda: Winnow(Literals(6), Fraction(1, 3), bias=True),
    "confident winnow": lambda: ConfidentWinnow(Literals(6), Fraction(1, 3), Fraction(1, 2)),
}


def play(start: Any, k: int, examples: list[tuple[int, Any, int]]) -> Copies[Any]:
    """Every example goes to the copy with the given number, in `Copies` and in a list."""
    copies, states = Copies.of(start, k), [start] * k
    for i, x, y in examples:
        check(copies, states, [x])
        chosen = copies.chosen(i)
        copies = copies.advanced(i, x, y)
        states[states.index(chosen)] = chosen.observe(x, y)
    check(copies, states, [x for _, x, _ in examples])
    return copies


def check(copies: Copies[Any], states: list[Any], points: list[Any]) -> None:
    counts = Counter(states)
    assert copies.count == len(states)
    assert copies.distinct == len(counts)
    assert Counter(dict(copies.items())) == counts
    assert Counter(copies.chosen(i) for i in range(copies.count)) == counts
    for x in points:
        assert copies.ones(x) == sum(state.predict(x) for state in states)
    written = Copies(reversed(counts.items()))
    assert copies == written
    assert hash(copies) == hash(written)


@given(tables(), st.data())
@pytest.mark.parametrize("learner", [SOA, ConservativeSOA, Halving])
def test_on_tables_the_multiset_is_that_of_the_list(
    learner: Any, table: Table, data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, 6))
    example = st.tuples(st.integers(0, k - 1), st.sampled_from(table.points), st.integers(0, 1))
    play(learner(table), k, data.draw(st.lists(example, max_size=12)))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("learner", [SOA, ConservativeSOA])
def test_on_closed_forms_the_multiset_is_that_of_the_list(spec: str, learner: Any) -> None:
    """On a realizable stream of ten examples, then on one with wrong labels."""
    rng = np.random.default_rng(len(spec))
    C = catalog.build(spec)
    flips = (0,) * 10 + (0, 0, 1) * 4
    stream = zip(C.sample_stream(22, rng), flips, strict=True)
    play(learner(C), 5, [(int(rng.integers(5)), x, y ^ flip) for (x, y), flip in stream])


@pytest.mark.parametrize("name", OTHERS)
def test_with_other_learners_the_multiset_is_that_of_the_list(name: str) -> None:
    rng = np.random.default_rng(1)
    start = OTHERS[name]()
    sample = start.hypothesis.domain.sample
    examples = [(int(rng.integers(4)), sample(rng), int(rng.integers(2))) for _ in range(30)]
    play(start, 4, examples)


@given(st.data())
def test_earlier_collections_stay_as_they_were(data: st.DataObject) -> None:
    """Collections are extended at random, not only the newest one, with a small pool."""
    spare = data.draw(st.sampled_from([0, 3, module.SPARE_STATES]))
    k = data.draw(st.integers(1, 5))
    C = catalog.build(data.draw(st.sampled_from(["thresholds:n=9", "points:n=5", "intervals:n=6"])))
    start = data.draw(st.sampled_from([SOA, ConservativeSOA]))(C)
    known: list[tuple[Copies[Any], list[Any]]] = [(Copies.of(start, k), [start] * k)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SPARE_STATES", spare)
        for _ in range(data.draw(st.integers(0, 15))):
            copies, states = known[data.draw(st.integers(0, len(known) - 1))]
            i = data.draw(st.integers(0, k - 1))
            x, y = data.draw(st.sampled_from(list(C.domain))), data.draw(st.integers(0, 1))
            chosen = copies.chosen(i)
            after = list(states)
            after[after.index(chosen)] = chosen.observe(x, y)
            known.append((copies.advanced(i, x, y), after))
            assert len(known[-1][0]._counts) <= 2 * known[-1][0].distinct + spare
    for copies, states in known:
        check(copies, states, list(C.domain))
        for other, theirs in known:
            assert (copies == other) == (Counter(states) == Counter(theirs))
            assert copies != other or hash(copies) == hash(other)


def test_steps_are_computed_once_and_remembered_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[Any] = []
    observe = SOA._observe
    monkeypatch.setattr(SOA, "_observe", lambda *args: calls.append(args) or observe(*args))
    start = SOA(catalog.build("thresholds:n=15"))
    copies = Copies.of(start, 10)
    for _ in range(10):
        # Copies in the first state come first; each moves to the same other state.
        copies = copies.advanced(0, 3, 1)
    assert calls == [(start, 3, 1)]
    assert copies == Copies.of(observe(start, 3, 1), 10)
    for x in (0, 1, 2) * 3:
        copies.advanced(0, x, 0)
    assert len(calls) == 4
    monkeypatch.setattr(module, "KNOWN_STEPS", 1)
    for x in (0, 1, 2, 1):
        copies.advanced(0, x, 1)
    assert len(copies._pool._steps) == 1


def test_states_are_shared_while_half_of_them_have_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SPARE_STATES", 0)
    copies = Copies.of(SOA(catalog.build("thresholds:n=2^64")), 40)
    for step in range(30):
        # Another copy of the first state moves to a state of its own.
        later = copies.advanced(0, 2**63 - step, 1)
        assert later.distinct == step + 2
        assert later._pool is copies._pool
        copies = later


def test_states_with_equal_hashes_are_told_apart() -> None:
    """Equality of collections is trusted where laws are enumerated, so no hash decides it."""

    class Crowded(SOA):
        def __hash__(self) -> int:
            return 1

    C = catalog.build("thresholds:n=15")
    one, other = Crowded(C), Crowded(C.restrict(3, 1))
    assert Copies([(one, 2), (other, 1)]) == Copies([(other, 1), (one, 2)])
    assert Copies.of(one, 3) != Copies.of(other, 3)
    assert Copies([(one, 2), (other, 1)]) != Copies([(one, 1), (other, 2)])


def test_an_example_without_effect_changes_nothing() -> None:
    copies = Copies.of(ConservativeSOA(catalog.build("points:n=2^64")), 10)
    assert copies.advanced(3, 2**63, 0) is copies


def test_huge_numbers_of_copies_are_counted_exactly() -> None:
    C = catalog.build("thresholds:n=7")
    k = 2**62 - 1
    copies = Copies([(SOA(C.restrict(3, 1)), k - 2), (SOA(C), 2)]).advanced(k - 1, 5, 0)
    assert copies.ones(3) == k - 2
    assert (copies.count, copies.distinct) == (k, 3)
    assert copies.chosen(k - 3).version_space == C.restrict(3, 1)


def test_collections_can_be_copied_and_stored() -> None:
    C = catalog.build("thresholds:n=2^20")
    copies = Copies.of(SOA(C), 8).advanced(1, 500, 1).advanced(5, 700, 0)
    assert copy.deepcopy(copies) == copy.copy(copies) == copies
    assert pickle.loads(pickle.dumps(copies)) == copies
    assert repr(Copies.of(SOA(C), 1)) == "<1 copy in 1 state>"


def test_threads_may_share_a_collection() -> None:
    C = catalog.build("points:n=2^64")
    start = Copies.of(SOA(C), 50)

    def run(seed: int) -> Copies[SOA]:
        rng = np.random.default_rng(seed)
        copies = start
        for x in rng.integers(2**60, size=60).tolist():
            assert copies.ones(x) <= 50
            copies = copies.advanced(int(rng.integers(50)), x, int(rng.integers(2)))
        return copies

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            together = list(threads.map(run, range(8)))
    finally:
        sys.setswitchinterval(interval)
    assert together == [run(seed) for seed in range(8)]


def test_states_get_their_slots_one_at_a_time() -> None:
    """What is read of a state, which may take long, is read while no other state can arrive."""
    alone: list[bool] = []

    class Told(SOA):
        @property
        def hypothesis(self) -> Hypothesis:
            alone.append(start._pool._lock.locked())
            return super().hypothesis

    C = catalog.build("thresholds:n=15")
    start = Copies.of(SOA(C), 4)
    start._pool.slot(Told(C.restrict(3, 1)))
    assert alone == [True]
