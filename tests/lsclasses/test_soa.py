"""The SOA against its definition, its mistake bound by exhaustive play, and its extension."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.coins import SeededCoins
from learners.playing.adversaries import Optimal
from learners.playing.play import play, replay
from lsclasses import Concept, NotRealizable, Table
from lsclasses.online import OnlineState
from lsclasses.soa import SOA, ConservativeSOA
from tests import oracles
from tests.strategies import plain, tables

LEARNERS = [SOA, ConservativeSOA]
examples = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=8)


@given(tables())
def test_the_rule_is_the_definition(table):
    state = SOA(table)
    for x in table.points:
        assert state.predict(x) == state.hypothesis(x) == oracles.soa_label(plain(table), x)


@given(tables(max_concepts=7, max_points=4))
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_best_adversary_forces_exactly_ldim_mistakes(learner, table):
    known: dict[object, int] = {}

    def worst(state, left):
        """Mistakes that an adversary who must stay realizable can still force."""
        key = (state, left)
        if key not in known:
            known[key] = 0  # an example that changes nothing can be repeated for ever, for free
            known[key] = max(
                (y != state.predict(x)) + worst(state.observe(x, y), left.restrict(x, y))
                for x in table.points
                for y in (0, 1)
                if not left.restrict(x, y).is_empty
            )
        return known[key]

    assert worst(learner(table), table) == table.ldim()


@given(tables(), st.integers(0, 2**16))
def test_the_tree_adversary_forces_ldim_mistakes_on_any_deterministic_learner(table, seed):
    class Fickle(OnlineState):
        """Predicts by a hash of everything it has seen."""

        def __init__(self, seen=()):
            self.seen = seen

        def _predict(self, x):
            return hash((seed, self.seen, x)) % 2

        def _observe(self, x, y):
            return Fickle((*self.seen, (x, y)))

    forced = play(Fickle(), Optimal(table), table.ldim(), SeededCoins(1)).examples
    assert len(forced) == table.ldim()
    learner = Fickle()
    for x, y in forced:
        assert learner.predict(x) != y
        learner = learner.observe(x, y)
    assert not table.given(forced).is_empty


@given(tables(max_points=3), examples)
@pytest.mark.parametrize("learner", LEARNERS)
def test_after_a_contradiction_only_the_last_point_changes(learner, table, stream):
    """[BLM20, Def. 8], transcribed."""
    state, h, left, contradicted = learner(table), {}, table, False
    h = {x: state.predict(x) for x in table.points}
    for x, y in stream:
        if x not in table.domain:
            continue
        ignored = learner.conservative and h[x] == y
        state = state.observe(x, y)
        if not ignored:
            contradicted = contradicted or left.restrict(x, y).is_empty
            if contradicted:
                h = {**h, x: y}
            else:
                left = left.restrict(x, y)
                h = {z: oracles.soa_label(plain(left), z) for z in table.points}
        assert {z: state.predict(z) for z in table.points} == h
        assert state.hypothesis == Concept.from_labels(table.domain, h.values())
        assert state.realizable is not contradicted
        assert state.mistake_bound == (None if contradicted else left.ldim())


@given(tables(max_points=3), st.permutations(list(itertools.product(range(3), (0, 1)))))
def test_states_with_one_version_space_are_one_state(table, order):
    realizable = [(x, y) for x, y in order if x in table.domain and table[0](x) == y]
    first, second = (replay(SOA(table), stream) for stream in (realizable, realizable[::-1]))
    assert first[-1].state == second[-1].state
    assert hash(first[-1].state) == hash(second[-1].state)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_contradicting_example_is_named_unless_it_is_allowed(learner):
    table = Table([[0, 0], [0, 1], [1, 1]], domain="ab")
    contradiction = [("a", 1), ("b", 0)]
    with pytest.raises(NotRealizable, match="Example 2, the point 'b' with label 0"):
        replay(learner(table), contradiction)
    assert len(replay(learner(table), contradiction, require_realizable=False)) == 2


def test_a_replayed_round_is_a_mistake_if_its_prediction_is_not_its_label():
    """All four cases come up, and the sum is what the round says."""
    C = Table([[int(x >= start) for x in range(7)] for start in range(8)])
    rounds = replay(SOA(C), [(3, 1), (2, 0), (5, 1), (0, 0)])
    assert len({(played.prediction, played.label) for played in rounds}) == 4
    wrong = [played.prediction != played.label for played in rounds]
    assert [played.mistake for played in rounds] == wrong
    assert [played.mistakes for played in rounds] == list(itertools.accumulate(wrong))
