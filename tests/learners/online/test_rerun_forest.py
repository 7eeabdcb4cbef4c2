from __future__ import annotations

from fractions import Fraction

import pytest

import catalog
from learners.accounting import zcdp
from learners.bounds import DOES_NOT_APPLY, UNSEEN, VACUOUS
from learners.checks import check_learner
from learners.coins import SeededCoins
from learners.online.adversaries import RandomConcept, Repeating, Seeking
from learners.online.play import play
from learners.online.rerun_forest import RerunForest, RerunParameters
from learners.online.runnable import RUNNABLE
from learners.online.transcript import verdicts
from lsclasses.soa import SOA, ConservativeSOA
from lsclasses.table import Table

TINY = Fraction(1, 10**6)
SMALL = Table([[0, 0], [0, 1], [1, 1]])
POINTS = catalog.build("points:n=2^64")


def few(**changed):
    given = {
        "leaves": 2,
        "trees": 3,
        "frequency": Fraction(1, 2),
        "rounds": 8,
        "epsilon": Fraction(30),
        "delta": Fraction(1, 100),
        "total": Fraction(1, 2),
    }
    return RerunParameters(**{**given, **changed})


def test_it_is_what_every_learner_must_be():
    check_learner(RerunForest(SOA(SMALL), few()), SMALL, rounds=8)


@pytest.mark.parametrize("composition", ["zcdp", "printed"])
def test_all_rounds_cost_no_more_than_the_budget(composition):
    for epsilon, rounds in ((1, 100), (8, 2000)):
        parameters = RerunParameters.practical(1, rounds, epsilon, TINY, composition=composition)
        spent, delta = zcdp(parameters.privacy, TINY)
        assert delta == TINY
        assert spent <= epsilon
        if composition == "zcdp":
            assert spent > Fraction(999, 1000) * epsilon


def test_what_is_published_depends_on_the_past_and_fresh_coins_only():
    learner = RerunForest(SOA(SMALL), few())
    coins = SeededCoins(1)
    state = learner.start(coins)
    for x, y in [(0, 1), (1, 1), (0, 1)]:
        state = learner.learn(state, x, y, coins)
    again = [learner._publish(state.kept, SeededCoins(seed))[1] for seed in (5, 5)]
    assert again[0] == again[1]


def test_games_hold_the_bounds_against_what_happened():
    learner = RerunForest(SOA(POINTS), RerunParameters.from_theorem(1, 30, 1, TINY))
    found = {}
    for adversary in (RandomConcept(POINTS), Seeking(POINTS), Repeating(POINTS)):
        game = play(learner, adversary, 30, SeededCoins(1))
        found[adversary.sees] = verdicts([game])[0][1]
    assert found == {
        "nothing": VACUOUS,
        "earlier predictions": VACUOUS,
        "this prediction": DOES_NOT_APPLY,
    }
    bound = learner.bounds[0]
    assert UNSEEN in bound.hypotheses and not bound.unmet
    assert RerunForest(SOA(POINTS), few()).bounds[0].unmet


def test_it_learns():
    few_trees = RerunParameters(2, 20, Fraction(1, 4), 100, Fraction(9), TINY, Fraction(1, 1000))
    learner = RerunForest(ConservativeSOA(POINTS), few_trees)
    game = play(learner, Repeating(POINTS), 100, SeededCoins(2))
    assert game.curve("mistakes")[79] > game.mistakes - 10


def test_it_is_found_by_name():
    entry = RUNNABLE["rerun-forest"]
    assert entry.learner("points:n=9", 100, trees="50").parameters.trees == 50
    assert entry.learner("points:n=9", 100, theorem=True).parameters.leaves == 4
