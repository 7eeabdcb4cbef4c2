"""The learner of decision lists by its name: for which classes it is, its defaults, its audit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import catalog
from learners.coins import SeededCoins
from learners.pac.entries import BATCH_LEARNERS
from learners.pac.samples import Sample
from learners.playing.features import ConceptFeatures, ShortConjunctions
from learners.rules.algorithm import DecisionListLearner, conditions_for
from learners.rules.greedy_cover import GreedyCover
from learners.rules.sample_sizes import sample_size
from lsclasses.domain import Vectors
from lsclasses.table import Table

GREEDY = BATCH_LEARNERS["greedy-cover"]
BUDGET = {"epsilon": 2, "delta": Fraction(1, 10**6)}


def test_it_has_the_literals_of_a_cube():
    for n in (1, 3):
        learner = GREEDY.learner(f"decision-lists:n={n}", **BUDGET)
        assert learner.features == ShortConjunctions(n, 1)
        assert learner.mechanism == GreedyCover(Fraction(2), Fraction(1, 10**6))
        assert learner in {GREEDY.learner(f"decision-lists:n={n}", **BUDGET)}
    assert GREEDY.learner("decision-lists:n=3", k=2, **BUDGET).features == ShortConjunctions(3, 2)
    weak = BUDGET | {"epsilon": 30}
    assert (
        GREEDY.learner("decision-lists:n=2", allow_weak_privacy=1, **weak).mechanism.epsilon == 30
    )


def test_its_features_are_those_with_fewer_rows_of_which_every_concept_is_a_list():
    own, ours = ShortConjunctions(2, 1), ConceptFeatures(catalog.build("parities:n=2").to_table())
    assert conditions_for(catalog.build("decision-lists:n=2")) == own
    # The parity of two variables is no list of literals, but one of conjunctions of two.
    parities = catalog.build("parities:n=2")
    assert conditions_for(parities) == ours
    assert conditions_for(parities, features="own") == own
    # The negation of a literal, and the constants, are lists; two concepts are fewer features.
    few = Table([[0, 0, 0, 0], [1, 1, 0, 0]], domain=Vectors(2, 2))
    assert conditions_for(few) == ConceptFeatures(few) and conditions_for(few).count == 2
    assert conditions_for(catalog.build("decision-lists:n=2"), features="concepts").count == 14
    assert conditions_for(catalog.build("conjunctions:n=40")) == ShortConjunctions(40, 1)


def test_every_concept_of_every_class_is_a_list_over_concepts():
    for spec in ("thresholds:n=4", "parities:n=3", "points:n=5"):
        learner = GREEDY.learner(spec, **BUDGET)
        assert isinstance(learner.features, ConceptFeatures)
        C = learner.features.of
        for c in C:
            rows = [(x, c(x)) for x in C.domain] * (learner.rows // C.domain.size + 1)
            found = learner.fit(Sample(C.domain, rows), SeededCoins(1))
            assert [found(x) for x in C.domain] == list(c.labels)


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
