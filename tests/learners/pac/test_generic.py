from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, exp, log

import pytest

import catalog
from learners.audit.audit_registry import AUDITABLE
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.mechanisms.selection import ReportNoisyMax
from learners.pac.generic import GenericLearner, rows_agnostic, rows_for_best, rows_realizable
from learners.pac.samples import Sample
from lsclasses import Constant, Table
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

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


@pytest.mark.parametrize("rate", [Fraction(1, 50), Fraction(1, 2), Fraction(3)])
def test_the_difference_of_two_noises_has_the_tail_of_the_proof(rate):
    q, r = exp(-rate), float(rate)
    chance = [(1 - q) / (1 + q) * q ** abs(z) for z in range(-3000, 3001)]
    for d in (0, 1, 2, 7, 40):
        # The first noise is at least the second noise plus d.
        above, tail = 0.0, 0.0
        for place in reversed(range(len(chance) - d)):
            above += chance[place + d]
            tail += chance[place] * above
        stated = q**d * ((1 - q) * d + 1 + 2 * q * q / (1 + q)) / (1 + q) ** 2
        assert tail == pytest.approx(stated, rel=1e-9)
        assert stated <= (1 + r * d) * exp(-r * d)


@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(1), Fraction(4)])
def test_rows_of_noisy_max_make_its_failure_as_unlikely_as_promised(epsilon):
    for count, alpha, beta in ((1, Fraction(1, 7), HALF), (10**6, Fraction(2, 5), TENTH)):
        e, a, b = map(float, (epsilon, alpha, beta))
        for rows, part in ((rows_realizable, 2), (rows_agnostic, 3), (rows_for_best, 6)):
            needed = rows(count, epsilon, alpha, beta, "noisy-max")
            assert needed >= rows(count, epsilon, alpha, beta)
            # The choice may err by alpha/part more rows than the best hypothesis.
            y = e * needed * a / part / 2
            assert count * (1 + y) * exp(-y) <= b / 2 * (1 + 1e-9)


def test_the_audit_of_noisy_max_holds_and_detects_half_of_the_noise():
    built = AUDITABLE["generic_learner"].instance(rows=2, choice="noisy-max")
    assert built.mechanism.choice == "noisy-max"
    assert built.audit().verdict == Verdict.HOLDS
    twice = replace(built.mechanism, epsilon=2 * built.mechanism.epsilon)
    assert built.audit(twin=twice).verdict == Verdict.VIOLATED


def test_the_audit_of_noisy_max_has_one_point():
    with pytest.raises(InvalidInput, match=r"number of points must be 1\. Got 2"):
        AUDITABLE["generic_learner"].instance(points=2, choice="noisy-max")


@pytest.mark.parametrize("spec", ["thresholds:n=3", "points:n=3,empty=1", "intervals:n=2"])
def test_noisy_max_on_a_closed_form_chooses_as_on_the_table(spec, monkeypatch):
    """The exact distributions of `fit`, by groups of equal errors and by a list of all concepts."""
    C = catalog.build(spec)
    rows = [(x, i % 2) for i, x in enumerate(C.domain) for _ in range(1 + i)]
    listed = GenericLearner(C.to_table(), 8, choice="noisy-max")
    monkeypatch.setattr("learners.pac.generic.table_or_class", lambda given: given)
    grouped = GenericLearner(C, 8, choice="noisy-max")
    assert grouped.hypotheses is C and grouped.count == listed.count
    assert grouped.privacy == listed.privacy == ReportNoisyMax(8).privacy
    by_errors, by_table = (
        exact_distribution(
            lambda coins, learner=learner: learner.fit(Sample(C.domain, rows), coins),
            tail=Fraction(1, 100),
        ).map(lambda concept: tuple(map(concept, C.domain)))
        for learner in (grouped, listed)
    )
    assert by_errors.tail == 0 and by_table.tail <= 1e-2
    assert set(by_errors) == {tuple(map(c, C.domain)) for c in C.to_table()}
    for concept in by_errors:
        enclosure = by_table.probability(lambda drawn, of=concept: drawn == of)
        assert enclosure.overlaps(by_errors[concept])


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
