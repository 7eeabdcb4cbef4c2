"""The learner of decision lists by its name: for which classes it is, its defaults, its audit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from learners.pac.entries import TRAINABLE
from learners.playing.features import ShortConjunctions
from learners.rules.algorithm import DecisionListLearner
from learners.rules.greedy_cover import GreedyCover
from learners.rules.sample_size import sample_size

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
    needed = sample_size(4, mechanism.epsilon, mechanism.delta, learner.alpha, learner.beta)
    assert learner.rows == needed.rows and learner.privacy == mechanism.privacy
    assert learner.bounds()[0].quantity == "population error"
    # Without a number of rows it is for as many as are needed.
    assert learner.bounds()[0].applies and learner.bounds(learner.rows)[0].applies
    assert not learner.bounds(learner.rows - 1)[0].applies
    assert replace(learner, alpha=Fraction(1, 5)).rows < learner.rows
