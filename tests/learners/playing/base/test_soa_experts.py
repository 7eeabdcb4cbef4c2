"""Halving over experts that override the SOA: one by one, against groups of them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from learners.playing.base.soa_experts import SOAExperts, experts_bound
from learners.playing.copies import Copies
from lsclasses import Table
from lsclasses.errors import TooLarge
from lsclasses.soa import ConservativeSOA


def subsets(rounds, most):
    return [
        frozenset(chosen)
        for size in range(most + 1)
        for chosen in itertools.combinations(range(rounds), size)
    ]


class Listed:
    """The same learner with every expert by itself: (its sets, its run of the SOA)."""

    def __init__(self, C, errors):
        n = experts_bound(C.ldim(), errors) + 1
        self.round = 0
        self.experts = [
            (overrides, errs, ConservativeSOA(C))
            for overrides in subsets(n, C.ldim())
            for errs in subsets(n, errors)
        ]

    def votes(self, x):
        found = []
        for overrides, errs, soa in self.experts:
            said = soa.predict(x)
            after = soa
            if self.round in overrides:
                said = 1 - said
                after = soa.observe(x, said)
                if not after.realizable:
                    continue
                # Experts who cannot carry out the overrides that are left are not counted.
                later = sum(i > self.round for i in overrides)
                if later > after.version_space.ldim():
                    continue
            found.append((said ^ (self.round in errs), (overrides, errs, after)))
        return found

    def predict(self, x):
        forecasts = [forecast for forecast, _ in self.votes(x)]
        return int(2 * sum(forecasts) > len(forecasts))

    def observe(self, x, y):
        if self.predict(x) != y:
            self.experts = [expert for forecast, expert in self.votes(x) if forecast == y]
            self.round += 1


CLASSES = [
    Table([[0, 0, 0], [0, 1, 1], [1, 1, 1]]),
    Table([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]),
    Table([[0, 0], [0, 1], [1, 0], [1, 1]]),
    Table([[0, 1, 0]]),
]


@given(st.sampled_from(CLASSES), st.integers(0, 1), st.data())
def test_groups_behave_as_their_experts(C, errors, data):
    points = len(C.domain)
    state, listed = SOAExperts(C, errors), Listed(C, errors)
    for x, y in data.draw(
        st.lists(st.tuples(st.integers(0, points - 1), st.integers(0, 1)), max_size=7)
    ):
        if not listed.experts or state.exhausted:
            assert state.exhausted and state.mistake_bound is None
            break
        assert len(listed.experts) <= state.experts
        assert [state.predict(p) for p in range(points)] == [
            listed.predict(p) for p in range(points)
        ]
        state = state.observe(x, y)
        listed.observe(x, y)


@given(st.integers(0, 3), st.data())
def test_the_bound_holds_and_is_updated(errors, data):
    rows = data.draw(
        st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=1, max_size=6)
    )
    C = Table([list(row) for row in dict.fromkeys(map(tuple, rows))])
    state = SOAExperts(C, errors)
    assert state.mistake_bound == experts_bound(C.ldim(), errors)
    mistakes, wrong = 0, [0] * len(C)
    concepts = list(C)
    for x, y in data.draw(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=40)):
        erred = state.predict(x) != y
        before, state = state.mistake_bound, state.observe(x, y)
        wrong = [w + (c(x) != y) for c, w in zip(concepts, wrong, strict=True)]
        if min(wrong) > errors:
            break
        # Some concept errs at most so often: the learner knows of no contradiction.
        assert not state.exhausted
        mistakes += erred
        assert mistakes <= experts_bound(C.ldim(), errors)
        assert state.mistake_bound <= before - erred


def test_the_bound_by_definition():
    def sets(n, most):
        return len(subsets(n, most))

    for d, errors in itertools.product(range(3), range(4)):
        n = experts_bound(d, errors)
        assert 2**n <= sets(n, d) * sets(n, errors)
        for later in range(n + 1, n + 4):
            assert 2**later > sets(later, d) * sets(later, errors)


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_closed_form_of_the_bound(d, errors):
    assert experts_bound(d, errors) == experts_bound(errors, d) >= d + errors
    assert experts_bound(d, errors) < 9.1 * max(d, errors, 0.2)
    assert experts_bound(d, 0) == d and experts_bound(10**8, 0) == 10**8


def test_states_are_values():
    C = catalog.build("thresholds:n=2^10")
    one = SOAExperts(C, 1).observe(512, 1)
    two = SOAExperts(C, 1).observe(3, 0).observe(512, 1)
    assert one == two and hash(one) == hash(two) and one != SOAExperts(C, 1)
    assert one.hypothesis == two.hypothesis
    copies = Copies.of(SOAExperts(C, 1), 100).advanced(0, 512, 1).advanced(0, 512, 1)
    assert copies.distinct == 2


def test_too_many_groups(monkeypatch):
    monkeypatch.setattr("learners.playing.base.soa_experts.MOST_GROUPS", 3)
    with pytest.raises(TooLarge, match="more than 3 groups") as stopped:
        state = SOAExperts(CLASSES[2], 2)
        for x, y in [(0, 1), (1, 1), (0, 0)]:
            state = state.observe(x, y)
    assert stopped.value.estimate > 3
