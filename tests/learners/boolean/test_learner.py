"""The learner of decision lists by its name: for which classes it is, its defaults, its audit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from learners.accounting import basic
from learners.auditable import AUDITABLE
from learners.batch.trainable import TRAINABLE
from learners.boolean.greedy_cover import GreedyCover
from learners.boolean.learner import AUDITS, DecisionListLearner
from learners.online.features import ShortConjunctions
from lsclasses import FiniteDomain, Table
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import smallest_instances

GREEDY = TRAINABLE["greedy-cover"]
BUDGET = {"epsilon": 2, "delta": Fraction(1, 10**6)}


def test_it_has_the_literals_of_a_cube():
    for n in (1, 3):
        learner = GREEDY.learner(f"decision-lists:n={n}", **BUDGET)
        assert learner.features == ShortConjunctions(n, 1)
        assert learner.mechanism == GreedyCover(Fraction(2), Fraction(1, 10**6))
    assert GREEDY.learner("decision-lists:n=3", k=2, **BUDGET).features == ShortConjunctions(3, 2)


@pytest.mark.parametrize(
    "source",
    [
        "points:n=4",
        Table([[0, 1]], domain=FiniteDomain(((0, 0), (0, 1)))),
        Table([[0, 1, 1]], domain=FiniteDomain(((0,), (1,), (2,)))),
        Table([[0]], domain=FiniteDomain(((),))),
    ],
)
def test_other_domains_are_refused(source):
    with pytest.raises(InvalidInput, match="over the coordinates of the points of"):
        GREEDY.learner(source, **BUDGET)


def test_budgets_that_protect_nobody_have_to_be_asked_for():
    weak = {"epsilon": 30, "delta": Fraction(1, 10**6)}
    with pytest.raises(InvalidInput, match="accept"):
        GREEDY.learner("decision-lists:n=2", **weak)
    assert GREEDY.learner("decision-lists:n=2", accept_weak=1, **weak).mechanism.epsilon == 30


def test_promises_are_about_a_tenth_unless_another_error_is_asked_for():
    features = ShortConjunctions(2, 1)
    mechanism = GreedyCover(Fraction(1), Fraction(1, 1000))
    learner = DecisionListLearner(features, mechanism)
    assert (learner.alpha, learner.beta) == (Fraction(1, 10), Fraction(1, 20))
    assert not learner.labels_only
    # Without a number of rows it is for as many as are needed.
    assert learner.bounds()[0].applies and learner.bounds(learner.rows)[0].applies
    assert not learner.bounds(learner.rows - 1)[0].applies
    same = DecisionListLearner(features, mechanism, Fraction(1, 10))
    assert learner == same and hash(learner) == hash(same)
    assert replace(learner, alpha=Fraction(1, 5)).rows < learner.rows
    with pytest.raises(InvalidInput):
        DecisionListLearner(features, mechanism, Fraction(0))


def test_the_audited_samples_differ_in_points_and_in_labels():
    built = AUDITABLE["decision_list_learner"].instance(rows=1)
    assert built.mechanism.features.count == 1
    assert {row for pair in built.pairs for (row,) in pair} == {
        ((x,), y) for x in (0, 1) for y in (0, 1)
    }
    assert basic(built.privacy) == (2, Fraction(1, 100))


def test_samples_of_a_single_row_are_the_least_that_is_audited():
    built = smallest_instances(AUDITS, rows=1)["decision_list_learner"]
    assert len(built.pairs) == 6  # of two points with either label
