"""Classes as halfspaces: the margin of concepts as features, and which features are taken."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.playing.base.winnow import signed_values
from learners.playing.features import ConceptFeatures, Literals
from learners.winnow.algorithm import DPWinnow
from learners.winnow.embeddings import best_embedding, concept_embedding, own_embedding
from lsclasses.table import Table
from tests.learners.four_classes import FOUR

BUDGET = Budget(4, Fraction(1, 10**6))
FAILURE = Fraction(1, 20)


@pytest.mark.parametrize("spec", ["thresholds:n=7", "decision-lists:n=3", "points:n=1"])
def test_every_concept_has_margin_one_over_the_concepts(spec: str) -> None:
    embedding = concept_embedding(spec)
    C = catalog.build(spec).to_table()
    assert (embedding.margin, embedding.experts) == (1, len(C))
    values = np.array([embedding.features.values(x) for x in C.domain])
    signs = np.array([signed_values(row, bias=False) for row in values])
    for i in range(len(C)):
        target = np.eye(len(C), dtype=int)[i]
        assert set((2 * C.labels[i].astype(int) - 1) * (signs @ target)) == {1}


def test_features_are_equal_if_they_are_the_same_functions_in_the_same_order() -> None:
    C = Table([[0, 1], [1, 1]], domain="ab")
    turned = Table([[1, 1], [0, 1]], domain="ab")
    assert turned == C and ConceptFeatures(C) != ConceptFeatures(turned)
    assert ConceptFeatures(C) == ConceptFeatures(Table([[0, 1], [1, 1]], domain="ab"))
    assert ConceptFeatures(C) != ConceptFeatures(Table([[0, 1], [1, 1]], domain="bc"))
    assert hash(ConceptFeatures(C)) == hash(ConceptFeatures(Table([[0, 1], [1, 1]], domain="ab")))


def test_the_features_with_the_smaller_bound_are_taken() -> None:
    lists = "decision-lists:n=3"
    assert best_embedding(lists, BUDGET, 40_000, FAILURE) == concept_embedding(lists)
    # Eight experts either way, and margin 1: on a tie, its own.
    halfspaces = "margin-halfspaces:d=4,norm=1"
    assert own_embedding(halfspaces).experts == concept_embedding(halfspaces).experts == 8
    assert best_embedding(halfspaces, BUDGET, 100, FAILURE) == own_embedding(halfspaces)
    # What cannot be listed has its own features, or none.
    many = best_embedding("margin-halfspaces:d=28,norm=3", BUDGET, 100, FAILURE)
    assert many.features == Literals(28, signed=True)
    # A class without a name has its concepts only.
    C = catalog.build(lists)
    assert best_embedding(C, BUDGET, 40_000, FAILURE).experts == 96


def test_the_bound_is_below_the_rounds_and_holds_on_all_four_classes() -> None:
    for source in FOUR.values():
        learner = DPWinnow.for_class(source, BUDGET, 10_000)
        bound, C = learner.bounds[0], learner.features.of
        assert bound.applies and not bound.vacuous
        places = np.random.default_rng(1).integers(len(C.domain), size=10_000)
        X = np.array([learner.features.values(x) for x in C.domain])[places]
        for i in (0, len(C) - 1):
            assert learner.run(X, X[:, i], SeededCoins(i)).mistakes <= bound.value
