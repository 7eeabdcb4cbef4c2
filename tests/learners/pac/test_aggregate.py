from __future__ import annotations

from fractions import Fraction
from math import comb, exp

import pytest

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.exact import exact_distribution
from learners.pac import FewRows, Sample
from learners.pac.aggregate import LEARNERS, SubsampleAggregate
from learners.pac.entries import EmpiricalRiskMinimizer, FinalHypothesis
from learners.playing.base.halving import Halving
from lsclasses import Table

HALF = Fraction(1, 2)
MILLIONTH = Fraction(1, 10**6)


def test_the_bound_on_success_is_one():
    """Against the exact law of what is output, for batches of one row."""
    C, k, eta = Table([[0], [1]]), 5, Fraction(9, 10)
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), k, 8, Fraction(1, 4))
    success = 0.0
    for ones in range(k + 1):
        sample = Sample(C.domain, [(0, 1)] * ones + [(0, 0)] * (k - ones))
        law = exact_distribution(
            lambda coins, sample=sample: learner.fit(sample, coins), tail=Fraction(1, 2**16)
        )
        chance = float(comb(k, ones) * eta**ones * (1 - eta) ** (k - ones))
        success += chance * float(law.get(C[1], 0) + law.tail)
    assert 0 < learner.success(eta) <= success


def test_what_the_bound_says():
    C = Table([[0], [1]])
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), 9, 4, Fraction(1, 4))
    assert learner.success(Fraction(1)) > Fraction(1, 2)
    assert learner.success(Fraction(1, 3)) < Fraction(1, 10)
    assert learner.success(Fraction(0)) == 0
    assert SubsampleAggregate(EmpiricalRiskMinimizer(C), 2, 1, MILLIONTH).success(Fraction(1)) == 0


def test_the_error_bound_holds_for_the_exact_output():
    """Two concepts that differ at a point of mass p: a batch is wrong if it misses the point."""
    k, m, epsilon, delta = 40, 30, Fraction(2), Fraction(1, 100)
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(Table([[0, 0], [0, 1]])), k, epsilon, delta)
    (bound,) = learner.bounds(k * m)
    assert bound.applies and not bound.vacuous
    p = float(bound.value) + 1e-9
    histogram, missed = learner.histogram, (1 - p) ** m
    q = exp(-1 / float(histogram.scale))

    def passes(count):
        """Return the probability that count + noise reaches the threshold."""
        gap = histogram.threshold - count
        return q**gap / (1 + q) if gap > 0 else 1 - q ** (1 - gap) / (1 + q)

    # The output is wrong only if the wrong count passes, or if no count passes.
    wrong = sum(
        comb(k, c)
        * missed**c
        * (1 - missed) ** (k - c)
        * (passes(c) + (1 - passes(c)) * (1 - passes(k - c)))
        for c in range(k + 1)
    )
    assert wrong <= float(bound.failure)
    # With a tenth of the batches, no count passes often enough, and the bound does not apply.
    few = SubsampleAggregate(learner.base, 4, epsilon, delta).bounds(4 * m)
    assert not few[0].applies
    assert (1 - passes(2)) ** 2 > few[0].failure


def test_no_error_bound_for_learners_that_return_other_functions():
    C = Table([[0, 0, 1], [0, 1, 0], [1, 0, 0]])
    learner = SubsampleAggregate(FinalHypothesis(Halving(C)), 400, 1, MILLIONTH)
    assert learner.base.consistent and learner.bounds(40_000) == ()


def test_no_error_bound_without_rows():
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(Table([[0], [1]])), 5, 1, MILLIONTH)
    assert learner.bounds() == learner.bounds(4) == ()


@pytest.mark.parametrize(
    ("k", "epsilon", "eta"),
    [(30, Fraction(1), Fraction(1)), (31, Fraction(1), Fraction(19, 20)), (60, 2, Fraction(3, 4))],
)
def test_the_bound_is_that_of_the_best_t(k, epsilon, eta):
    """P[Bin(k, eta) >= c] - 2 k P[Z > t], for the least c that is output if no noise exceeds t."""
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(Table([[0], [1]])), k, epsilon, HALF / 2)
    threshold, q = learner.histogram.threshold, exp(-1 / learner.histogram.scale)

    def bound(t):
        enough = [c for c in range(k + 1) if c - t >= threshold and c - t > k - c + t]
        hit = sum(comb(k, c) * eta**c * (1 - eta) ** (k - c) for c in enough)
        return float(hit) - 2 * k * q ** (t + 1) / (1 + q)

    bounds = [bound(t) for t in range(k + 1)]
    assert 0 < float(learner.success(eta)) == pytest.approx(max(bounds), abs=1e-9)


def test_as_few_batches_as_success_needs():
    base = EmpiricalRiskMinimizer(Table([[0], [1]]))
    counts = []
    for eta in (Fraction(3, 4), Fraction(9, 10), Fraction(1)):
        for beta in (Fraction(1, 10), Fraction(1, 4)):
            learner = SubsampleAggregate.for_success(base, Budget(4, HALF / 9), eta=eta, beta=beta)
            assert learner.success(eta) >= 1 - beta
            fewer = SubsampleAggregate(base, learner.batches - 1, 4, HALF / 9)
            assert fewer.success(eta) < 1 - beta
            counts.append(learner.batches)
    assert {count % 2 for count in counts} == {0, 1}


def test_the_learner_by_name_finds_what_comes_up_on_three_quarters():
    C = Table([[0], [1]])
    (trainable,) = LEARNERS
    learner = trainable.learner(C, epsilon=1, delta=MILLIONTH)
    assert learner.success(Fraction(3, 4)) >= Fraction(19, 20)
    assert learner.privacy == SubsampleAggregate(learner.base, 5, 1, MILLIONTH).privacy


def test_without_a_frequent_hypothesis_the_rows_say_nothing():
    C = catalog.build("thresholds:n=30")
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), 5, 1, MILLIONTH)
    sample = Sample(C.domain, [(x, 1) for x in range(20, 30)])
    empty = EmpiricalRiskMinimizer(C).fit(sample[:0], SeededCoins(0))
    assert learner.fit(sample, SeededCoins(1)) == empty
    with pytest.warns(FewRows, match=r"3 rows for 5 batches") as told:
        assert learner.fit(sample[:3], SeededCoins(1)) == empty
    # It points at the line that has the rows.
    assert told[0].filename == __file__
    assert learner.concept_class == C
    assert learner.rows is None
