"""The private Winnow: states that cannot be, blocks of any size, and what is audited."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from learners.accounting import basic
from learners.audit import HOLDS, audit
from learners.auditable import instance
from learners.coins import SeededCoins
from learners.online import dp_winnow
from learners.online.dp_winnow import DPWinnow
from learners.online.features import Literals
from lsclasses import InvalidInput
from tests.learners.privacy_checks import CUT


def tiny(**changes: Any) -> DPWinnow:
    """Two updates after about one mistake, one draw, three experts."""
    chosen: dict[str, Any] = {"updates": 2, "draws": 1, "threshold": 1, "bias": False}
    chosen |= {"balanced": False, "threshold_epsilon": Fraction(2)} | changes
    return DPWinnow(Literals(3), Fraction(1, 2), **chosen)


def test_every_phase_before_the_last_update_is_counted_and_none_after_it() -> None:
    """A phase that nothing counts would be free; one after the last is not paid for."""
    learner = tiny()
    state = learner.start(SeededCoins(1))
    assert replace(state, updates=1).updates == 1
    assert replace(state, updates=2, waiting=None).waiting is None
    for updates, waiting in ((0, None), (1, None), (2, state.waiting)):
        with pytest.raises(InvalidInput, match="in the 2 phases that end with an update"):
            replace(state, updates=updates, waiting=waiting)


def test_what_is_spent_without_a_delta_is_spent_at_delta_0() -> None:
    learner = tiny()
    assert learner.spent() == learner.spent(Fraction(0)) == basic(learner.privacy)
    assert learner.spent()[0] == 2 + 2 * 4 * learner.rate


@pytest.mark.parametrize("block", [1, 2, 3, 10])
def test_no_size_of_blocks_changes_a_run(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """Even if one row is more than a block."""
    learner = tiny()
    X = np.random.default_rng(1).random((40, 3)) < 0.5
    run = learner.run(X, X[:, 0], SeededCoins(1))
    monkeypatch.setattr(dp_winnow, "BLOCK", block)
    again = learner.run(X, X[:, 0], SeededCoins(1))
    assert again.predictions.tolist() == run.predictions.tolist()
    assert (again.phases, again.state) == (run.phases, run.state)
    assert again.hypothesis.labels(X).tolist() == run.hypothesis.labels(X).tolist()


@pytest.mark.parametrize("kind", ["U4", "M8[Y]", "O", "f8"])
def test_features_of_other_types_are_refused_with_their_type(kind: str) -> None:
    rows = np.full((2, 3), "2001").astype(kind)
    with pytest.raises(InvalidInput, match=r"as bool or integers\. Got the type"):
        tiny().run(rows, np.zeros(2, dtype=bool), SeededCoins(1))


# ---- audited instances


@pytest.mark.parametrize("features", [1, 2])
def test_few_features_are_audited_on_all_examples_with_negations(features: int) -> None:
    built = instance(f"dp_winnow:features={features},rounds=1")
    assert built.mechanism.balanced
    examples = list(product((0, 1), repeat=features + 1))
    assert {frozenset((zero[0], one[0])) for zero, one in built.pairs} == {
        frozenset(pair) for pair in combinations(examples, 2)
    }


@pytest.mark.parametrize("features", [3, 4, 5, 6, 7])
def test_many_features_are_audited_on_the_two_mistakes_that_differ_most(features: int) -> None:
    """Of the first hypothesis; what they add to the scores is 1 and -1, opposite in the first.

    The second one raises half of the scores, and if it raised one more it would be no mistake.
    """
    built = instance(f"dp_winnow:features={features},rounds=1")
    learner = built.mechanism
    assert not learner.balanced
    ((zero, one),) = {frozenset(pair): pair for pair in built.pairs}.values()
    first, second = sorted((zero[0], one[0]), key=lambda example: -example[-1])
    start = learner.hypothesis(learner.start(SeededCoins(1)))

    def added(example: tuple[int, ...]) -> list[int]:
        *x, y = example
        return [(2 * y - 1) * (2 * bit - 1) for bit in x]

    for *x, y in (first, second):
        assert start(tuple(x)) != y
    assert added(first) == [1] + [-1] * (features - 1)
    raised = added(second)
    assert raised[0] == -1 and raised.count(1) == features // 2
    # Label 0: one score more that is raised is one feature less that is 1.
    more = list(second[:-1])
    more[more.index(1, 1)] = 0
    assert start(tuple(more)) == second[-1]


def test_an_audit_sees_each_hypothesis_and_how_many_there_were() -> None:
    """After every example, learned with its own label, as the learner makes them."""
    built = instance("dp_winnow:features=2,rounds=2,draws=2")
    learner = built.mechanism
    right, wrong, other = (1, 1, 1), (0, 0, 1), (0, 1, 0)
    for seed, stream in enumerate([(wrong, right), (other, wrong)]):
        coins, shown = SeededCoins(seed), []
        state = learner.start(coins)
        for *x, y in stream:
            state = learner.learn(state, tuple(x), y, coins)
            shown.append((state.updates, tuple(state.votes.array.tolist())))
        assert list(built.run(stream, SeededCoins(seed))) == shown


@pytest.mark.parametrize("threshold", [10**6, -(10**6)])
def test_a_threshold_may_be_a_million_away_and_no_further(threshold: int) -> None:
    assert instance(f"dp_winnow:threshold={threshold}").mechanism.threshold == threshold
    with pytest.raises(InvalidInput, match="'threshold'"):
        instance(f"dp_winnow:threshold={threshold + threshold // 10**6}")


@pytest.mark.slow
def test_a_threshold_may_be_out_of_reach_or_always_reached() -> None:
    """Then nothing is told of anybody, or a hypothesis is drawn after every example."""
    never, always = (
        instance(f"dp_winnow:threshold={threshold}") for threshold in (10**6, -(10**6))
    )
    found = audit(never.run, never.pairs, never.privacy, **CUT)
    assert found.verdict == HOLDS and found.least_epsilon == 0
    found = audit(always.run, always.pairs, always.privacy, **CUT)
    # Two draws of which each loses at most 4 rates; the count itself says nothing.
    assert found.verdict == HOLDS and 6 < found.least_epsilon < 8


def test_a_hypothesis_of_no_experts_is_no_instance() -> None:
    with pytest.raises(InvalidInput, match=r"'draws'.* from 1 to"):
        instance("dp_winnow:draws=0")
