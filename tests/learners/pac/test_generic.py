from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, log

import pytest

import catalog
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.pac.generic import GenericLearner, rows_agnostic, rows_for_best, rows_realizable
from learners.pac.samples import Sample
from lsclasses import Constant, Table

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


def test_the_choice_has_the_law_of_the_paper():
    C = Table([[0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 1]])
    rows = [(0, 1), (1, 1), (1, 0), (2, 0), (2, 0)]
    epsilon = Fraction(2, 3)
    for hypotheses in (C, list(C), [C[2], Constant(C.domain, 1), C[0]]):
        learner = GenericLearner(hypotheses, epsilon)
        law = exact_distribution(
            lambda coins, learner=learner: learner.fit(Sample(C.domain, rows), coins)
        )
        weights = [exp(-sum(h(x) != y for x, y in rows) / 3) for h in hypotheses]
        assert len(law) == len(weights)
        for h, weight in zip(hypotheses, weights, strict=True):
            assert float(law[h]) == pytest.approx(weight / sum(weights), rel=1e-12)


def test_a_single_hypothesis_is_always_chosen():
    C = Table([[0, 1, 1]])
    for hypotheses in (C, list(C)):
        learner = GenericLearner(hypotheses, 1)
        assert learner.fit(Sample(C.domain, [(0, 1)]), SeededCoins(1)) == C[0]
        assert learner.rows == rows_realizable(1, Fraction(1), learner.alpha, learner.beta)


@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(4)])
def test_numbers_of_rows_are_the_formulas(epsilon):
    for count, alpha, beta in (
        (1, Fraction(1, 7), HALF),
        (3, Fraction(1, 1000), Fraction(8, 9)),
        (10**6, Fraction(2, 5), TENTH / 10**5),
    ):
        e, a, b = map(float, (epsilon, alpha, beta))
        assert rows_for_best(count, epsilon, alpha, beta) == ceil(
            max(72 / a * log(4 * count / b), 12 / (a * e) * log(2 * count / b))
        )
        assert rows_realizable(count, epsilon, alpha, beta) == ceil(
            max(8, 4 / e) * log(2 * count / b) / a
        )
        assert rows_agnostic(count, epsilon, alpha, beta) == ceil(
            max(9 / (2 * a * a) * log(4 * count / b), 6 / (a * e) * log(2 * count / b))
        )


def test_bounds_say_what_they_need():
    C = catalog.build("thresholds:n=9")
    learner = GenericLearner(C, 1)
    realizable, best, agnostic = learner.bounds()
    assert realizable.applies
    assert not best.applies
    assert not agnostic.applies
    assert all(bound.applies for bound in learner.bounds(10**4))
    assert learner.bounds(10)[0].check([HALF]) == "does not apply"
    assert learner.concept_class == C.to_table()
    assert GenericLearner(list(C.to_table()), 1).concept_class is None
