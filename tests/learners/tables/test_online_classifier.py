from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.playing.base.state import Prediction
from learners.playing.base.winnow import Winnow
from learners.playing.features import Literals
from learners.playing.learner import OnlineLearner
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from learners.tables.binarizer import Binarizer, DefaultCutsWarning
from learners.tables.columns import Cuts, FixedColumns, Flag, NotPrivateWarning, PrivateCuts
from learners.tables.declarations import NOT_PRIVATE
from learners.tables.online_classifier import OnlineClassifier
from learners.winnow.algorithm import DPWinnow
from lsclasses.errors import InvalidInput
from lsclasses.soa import SOA, ConservativeSOA

STATES = [SOA(catalog.build("conjunctions:n=3")), Winnow(Literals(3), Fraction(1, 5), bias=True)]


@pytest.mark.parametrize("state", STATES, ids=lambda state: type(state).__name__)
def test_states_predict_and_learn_as_by_hand(state):
    rng = np.random.default_rng(1)
    model, expected, mistakes = OnlineClassifier(state), state, 0
    for _ in range(20):
        x = tuple(rng.integers(0, 2, 3).tolist())
        y = int(x[0] and x[2])
        predicted = expected.predict(x)
        assert model.predict_one(x) == predicted
        mistakes += predicted != y
        model.learn_one(x, y)
        expected = expected.observe(x, y)
        assert model.state == expected
    assert (model.rounds, model.mistakes) == (20, mistakes)
    assert model.guarantee is None


def test_learners_that_draw_play_their_protocol():
    """The same draws as `DPWinnow.run` on the same stream."""
    learner = DPWinnow(Literals(4), Fraction(1, 10), updates=5, draws=20, threshold=10,
                       threshold_epsilon=Fraction(1), batch=8)  # fmt: skip
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (600, 4)), rng.integers(0, 2, 600)
    run = learner.run(X, y, SeededCoins(3))
    with pytest.raises(InvalidInput, match="An epsilon above 20"):
        OnlineClassifier(learner, SeededCoins(3))
    model = OnlineClassifier(learner, SeededCoins(3), allow_weak_privacy=True)
    predicted = []
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        predicted.append(model.predict_one(tuple(row)))
        model.learn_one(tuple(row), label)
    assert predicted == run.predictions.astype(int).tolist()
    assert model.state == run.state
    assert model.mistakes == run.mistakes


def test_private_prediction_is_played_one_by_one():
    """POP on rows of a table; the same draws as its protocol by hand."""
    learner = POP(
        ConservativeSOA(catalog.build("conjunctions:n=3")),
        POPParameters.within(Budget(8, Fraction(1, 10**6)), 200),
    )
    columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    model = OnlineClassifier(learner, SeededCoins(2), columns=columns)
    coins = SeededCoins(2)
    state, rng = learner.start(coins), np.random.default_rng(4)
    for age, smoker in rng.integers((18, 0), (90, 2), (50, 2)).tolist():
        row, point, y = {"age": age, "smoker": smoker}, (age >= 40, age >= 60, smoker), age >= 60
        point = tuple(map(int, point))
        state, answer = learner.predict(state, point, coins)
        assert model.predict_one(row) == int(answer)
        model.learn_one(row, int(y))
        if state is None:
            break
        state = learner.learn(state, point, int(y), coins)
        assert model.state == state
    assert model.rounds == 50


def test_the_ledger_of_features_is_added_to_that_of_the_learner():
    """Under the relation of the learner; the cost of cut points is not forgotten."""
    rows = [{"age": age, "smoker": age % 2} for age in range(20, 90)]
    pop = POP(
        ConservativeSOA(catalog.build("conjunctions:n=2")),
        POPParameters.within(Budget(8, Fraction(1, 10**6)), 200),
    )
    winnow = DPWinnow.within(
        Budget(Fraction(2), Fraction(1, 10**6)), Literals(2), updates=5, draws=20, batch=8
    )
    cuts = PrivateCuts(0, 100, 10, 1, Fraction(1, 2))
    private = Binarizer({"age": cuts}, random_state=1).fit(rows)
    for learner, relation in ((pop, "challenge"), (winnow, "replace_one")):
        alone, with_cuts = OnlineClassifier(learner), OnlineClassifier(learner, columns=private)
        assert alone.guarantee.conditional and not with_cuts.guarantee.conditional
        assert not alone.guarantee.simulated and with_cuts.guarantee.simulated
        assert alone.guarantee.neighbours == with_cuts.guarantee.neighbours == relation
        cost = with_cuts.guarantee.epsilon - alone.guarantee.epsilon
        assert cost == Fraction(1, 2) if learner is pop else 0 < cost <= Fraction(1, 2)
        assert with_cuts.guarantee.ledger[0][:2] == ("a cut point of 'age'", Fraction(1, 2))
        assert not OnlineClassifier(learner, names=["age", "smoker"]).guarantee.conditional
    assert "as all other users see it" in str(OnlineClassifier(pop).guarantee)
    with pytest.warns(NotPrivateWarning):
        leaking = Binarizer({"age": NOT_PRIVATE}).fit(rows)
    assert OnlineClassifier(pop, columns=leaking).guarantee is None
    with pytest.warns(DefaultCutsWarning):
        undeclared = Binarizer().fit([[1.0, 2.0]])
    assert OnlineClassifier(pop, columns=undeclared).guarantee.conditional
    added = Binarizer({"age": cuts}, neighbours="add_remove").fit(rows)
    for learner in (pop, winnow):
        with pytest.raises(InvalidInput, match="add_remove"):
            OnlineClassifier(learner, columns=added)
    assert OnlineClassifier(STATES[0]).guarantee is None


class Halting(OnlineLearner):
    """Answers with Prediction objects and halts with its third answer."""

    def start(self, coins):
        return 0

    def _predict(self, state, point, coins):
        return (None if state == 2 else state), Prediction(coins.below(2), coin=True)

    def _learn(self, state, point, label, coins):
        return state + 1


def test_one_prediction_an_example_and_none_after_the_end():
    model = OnlineClassifier(Halting(), SeededCoins(1))
    first = model.predict_one("a")
    assert type(first) is int
    assert [model.predict_one("a") for _ in range(20)] == [first] * 20
    with pytest.raises(InvalidInput, match=r"predicts once per example\. Give the label of 'a'"):
        model.predict_one("b")
    with pytest.raises(InvalidInput, match="predicts once"):
        model.learn_one("b", 1)
    model.learn_one("a", 1)
    model.learn_one("b", 0)  # without a prediction: makes one
    model.predict_one("c")
    model.learn_one("c", 0)
    assert model.rounds == 3
    with pytest.raises(InvalidInput, match="halted after 3 examples"):
        model.predict_one("d")


def test_rows_become_points_of_bits_signs_or_entries():
    columns = FixedColumns(("age", "smoker"), (Cuts([40, 60]), Flag()))
    row = {"age": 50, "smoker": "1"}
    seen = []

    @dataclass(frozen=True)
    class Recorder(OnlineLearner):
        domain: Any = None

        def start(self, coins):
            return 0

        def _predict(self, state, point, coins):
            seen.append(point)
            return state, 0

        def _learn(self, state, point, label, coins):
            return state

    OnlineClassifier(Recorder(Literals(3).domain), columns=columns).predict_one(row)
    OnlineClassifier(Recorder(Literals(3, signed=True).domain), columns=columns).predict_one(row)
    OnlineClassifier(Recorder(None), names=["smoker", "age"]).predict_one(row)
    binarizer = Binarizer({"age": [40, 60]}).fit([row])
    OnlineClassifier(Recorder(Literals(3).domain), columns=binarizer).predict_one(row)
    assert seen == [(1, 0, 1), (1, -1, 1), ("1", 50), (1, 0, 1)]
