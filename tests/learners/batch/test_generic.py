from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import combinations, product
from math import ceil, exp, log

import numpy as np
import pytest

import catalog
from learners.accounting import basic
from learners.audit import audit, neighbouring_pairs
from learners.batch.distributions import FiniteDistribution
from learners.batch.generic import (
    AUDITS,
    GenericLearner,
    rows_agnostic,
    rows_for_best,
    rows_realizable,
)
from learners.batch.samples import Sample
from learners.claims.private_pac import choice_failure
from learners.coins import SeededCoins
from learners.exact import exact_law
from lsclasses import Concept, Constant, IntegerRange, InvalidInput, Table, TooLarge

HALF, TENTH, TWENTIETH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 20)


def test_the_choice_has_the_law_of_the_paper():
    C = Table([[0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 1]])
    rows = [(0, 1), (1, 1), (1, 0), (2, 0), (2, 0)]
    epsilon = Fraction(2, 3)
    for hypotheses in (C, list(C), [C[2], Constant(C.domain, 1), C[0]]):
        learner = GenericLearner(hypotheses, epsilon)
        law = exact_law(lambda coins, learner=learner: learner.fit(Sample(C.domain, rows), coins))
        weights = [exp(-sum(h(x) != y for x, y in rows) / 3) for h in hypotheses]
        assert len(law) == len(weights)
        for h, weight in zip(hypotheses, weights, strict=True):
            assert float(law[h]) == pytest.approx(weight / sum(weights), rel=1e-12)


def test_it_is_private_and_tight_where_it_can_be():
    C = Table([[0, 0], [0, 1], [1, 0], [1, 1]])
    learner = GenericLearner(C, 1)
    examples = list(product(C.domain, (0, 1)))
    found = audit(
        lambda rows, coins: str(learner.fit(Sample(C.domain, rows), coins)),
        neighbouring_pairs(product(examples, repeat=2)),
        learner.privacy,
    )
    assert found.verdict == "holds exactly on this instance"
    # Without the factor 1/2 it is not.
    twin = GenericLearner(C, 2)
    assert float(found.least_epsilon) > 0.5
    found = audit(
        lambda rows, coins: str(twin.fit(Sample(C.domain, rows), coins)),
        neighbouring_pairs(product(examples, repeat=2)),
        (1, 0),
    )
    assert found.verdict == "violated"


def test_the_audit_that_ships_compares_all_rows_and_has_power():
    (entry,) = AUDITS
    built = entry.instance()
    found = audit(built.run, built.pairs, built.privacy)
    assert found.verdict == "holds exactly on this instance"
    claimed = basic(built.privacy)[0]
    assert audit(built.run, built.pairs, (claimed * 3 / 4, 0)).verdict == "violated"
    # One row, labelled in either way at either of two points, and all four tables.
    small = entry.instance(points=2, rows=1)
    assert {frozenset(pair) for pair in small.pairs} == {
        frozenset(((one,), (other,))) for one, other in combinations(product((0, 1), repeat=2), 2)
    }
    assert {tuple(h.labels) for h in small.mechanism.hypotheses} == set(product((0, 1), repeat=2))
    assert len(entry.instance(points=1, rows=8).pairs) == 8
    for name, values in (("points", (0, 3)), ("rows", (0, 9))):
        for value in values:
            with pytest.raises(InvalidInput, match=name):
                entry.instance(**{name: value})


def test_a_single_hypothesis_is_always_chosen():
    C = Table([[0, 1, 1]])
    for hypotheses in (C, list(C)):
        learner = GenericLearner(hypotheses, 1)
        assert learner.fit(Sample(C.domain, [(0, 1)]), SeededCoins(1)) == C[0]
        assert learner.rows == rows_realizable(1, Fraction(1), learner.alpha, learner.beta)


def test_it_is_a_value():
    one, same = (GenericLearner(Table([[0], [1]]), 1) for _ in range(2))
    assert one == same and hash(one) == hash(same)
    with pytest.raises(FrozenInstanceError):
        one.epsilon = Fraction(2)


@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(1, 3), Fraction(1), Fraction(4)])
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


def test_promises_hold_for_the_exact_law_of_the_choice():
    """On two points, at the smallest numbers of rows that the promises allow."""
    hypotheses = list(product((0, 1), repeat=2))
    alpha, beta, epsilon = Fraction(2, 5), Fraction(2, 5), Fraction(2)
    rows = rows_realizable(len(hypotheses), epsilon, alpha, beta)
    assert rows == 60
    for share in (Fraction(41, 100), HALF, Fraction(9, 10)):
        weights = {(0, 1): share, (1, 0): 1 - share}
        found = choice_failure(weights, hypotheses, epsilon, rows, alpha)
        assert found <= float(beta) / 100
    # Far fewer rows are not enough.
    assert choice_failure({(0, 1): HALF, (1, 0): HALF}, hypotheses, epsilon, 1, alpha) > float(beta)
    noisy = {(0, 1): Fraction(3, 10), (0, 0): Fraction(1, 10), (1, 0): Fraction(6, 10)}
    rows = rows_agnostic(len(hypotheses), epsilon, alpha, beta)
    assert choice_failure(noisy, hypotheses, epsilon, rows, Fraction(1, 10) + alpha) <= float(beta)


def test_many_hypotheses_and_rows():
    rng = np.random.default_rng(1)
    C = Table(rng.integers(2, size=(3000, 64)))
    target = C[1234]
    D = FiniteDistribution.labelled(target)
    learner = GenericLearner(C, Fraction(1, 2), alpha=TENTH)
    h = learner.fit(D.sample(learner.rows, SeededCoins(1)), SeededCoins(2))
    assert D.loss(h) <= TENTH


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


def test_bad_input_is_refused():
    C = catalog.build("thresholds:n=9")
    with pytest.raises(InvalidInput, match="the list is empty"):
        GenericLearner([], 1)
    with pytest.raises(InvalidInput, match="must label one domain"):
        GenericLearner([Concept.from_labels("a", [0]), Concept.from_labels("b", [0])], 1)
    with pytest.raises(InvalidInput, match=r"less than 1/2"):
        GenericLearner(C, 1, alpha=HALF)
    with pytest.raises(InvalidInput, match="must be positive"):
        GenericLearner(C, 0)
    with pytest.raises(InvalidInput, match="failure probability"):
        GenericLearner(C, 1, beta=Fraction(1))
    with pytest.raises(InvalidInput, match="The learner labels 9 points"):
        GenericLearner(C, 1).fit(Sample(IntegerRange(0, 4), []), SeededCoins(1))
    with pytest.raises(TooLarge):
        GenericLearner(catalog.build("points:n=2^40"), 1)
    with pytest.raises(InvalidInput, match=r"at least 1. Got 0"):
        rows_realizable(0, Fraction(1), TENTH, TWENTIETH)
