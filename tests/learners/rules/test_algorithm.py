"""The learner of decision lists by its name: for which classes it is, its defaults, its audit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from learners.accounting import basic
from learners.auditable import AUDITABLE
from learners.pac.entries import TRAINABLE
from learners.playing.features import ShortConjunctions
from learners.rules.algorithm import DecisionListLearner
from learners.rules.greedy_cover import GreedyCover

GREEDY = TRAINABLE["greedy-cover"]
BUDGET = {"epsilon": 2, "delta": Fraction(1, 10**6)}


def test_it_has_the_literals_of_a_cube():
    for n in (1, 3):
        learner = GREEDY.learner(f"decision-lists:n={n}", **BUDGET)
        assert learner.features == ShortConjunctions(n, 1)
        assert learner.mechanism == GreedyCover(Fraction(2), Fraction(1, 10**6))
    assert GREEDY.learner("decision-lists:n=3", k=2, **BUDGET).features == ShortConjunctions(3, 2)
    weak = BUDGET | {"epsilon": 30}
    assert GREEDY.learner("decision-lists:n=2", accept_weak=1, **weak).mechanism.epsilon == 30


def test_promises_are_about_a_tenth_unless_another_error_is_asked_for():
    mechanism = GreedyCover(Fraction(1), Fraction(1, 1000))
    learner = DecisionListLearner(ShortConjunctions(2, 1), mechanism)
    assert (learner.alpha, learner.beta) == (Fraction(1, 10), Fraction(1, 20))
    assert not learner.labels_only
    # Without a number of rows it is for as many as are needed.
    assert learner.bounds()[0].applies and learner.bounds(learner.rows)[0].applies
    assert not learner.bounds(learner.rows - 1)[0].applies
    assert replace(learner, alpha=Fraction(1, 5)).rows < learner.rows


def test_the_audited_samples_differ_in_points_and_in_labels():
    built = AUDITABLE["decision_list_learner"].instance(rows=1)
    assert built.mechanism.features.count == 1
    assert {row for pair in built.pairs for (row,) in pair} == {
        ((x,), y) for x in (0, 1) for y in (0, 1)
    }
    assert basic(built.privacy) == (2, Fraction(1, 100))
