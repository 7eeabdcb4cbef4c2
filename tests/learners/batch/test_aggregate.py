from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

import catalog
from learners.audit import audit, clopper_pearson, neighbouring_pairs
from learners.batch import FewRows, Sample
from learners.batch.aggregate import SubsampleAggregate
from learners.batch.distributions import FiniteDistribution
from learners.batch.plain import EmpiricalRiskMinimizer, FinalHypothesis
from learners.batch.stability import stability
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.online.halving import Halving
from lsclasses import InvalidInput, Table

MILLIONTH = Fraction(1, 10**6)


CUT = {"tail": Fraction(1, 2**16), "resolution": Fraction(1, 100)}


def test_it_is_private_on_all_samples():
    C = Table([[0, 0], [0, 1], [1, 1]])
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), 2, 4, Fraction(1, 4))
    assert learner.histogram.threshold == 2
    examples = list(product(C.domain, (0, 1)))

    def run(rows, coins):
        return str(learner.fit(Sample(C.domain, rows), coins))

    pairs = neighbouring_pairs(product(examples, repeat=2))
    found = audit(run, pairs, learner.privacy, **CUT)
    assert found.verdict == "holds exactly on this instance"
    # If both batches hold the same row, it costs more.
    twice = [((one, one), (other, other)) for one, other in combinations(examples, 2)]
    apart = [pair for pair in twice if learner.base.fit(Sample(C.domain, pair[0]), None)
             != learner.base.fit(Sample(C.domain, pair[1]), None)]  # fmt: skip
    assert audit(run, apart, learner.privacy, **CUT).verdict == "violated"


@pytest.mark.parametrize("eta", [Fraction(3, 5), Fraction(9, 10), Fraction(1)])
def test_the_bound_on_success_is_one(eta):
    """Against the exact law of what is output, for batches of one row."""
    C, k = Table([[0], [1]]), 9
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), k, 4, Fraction(1, 4))
    success = 0.0
    for ones in range(k + 1):
        sample = Sample(C.domain, [(0, 1)] * ones + [(0, 0)] * (k - ones))
        law = exact_law(
            lambda coins, sample=sample: learner.fit(sample, coins), tail=Fraction(1, 2**16)
        )
        chance = float(comb(k, ones) * eta**ones * (1 - eta) ** (k - ones))
        success += chance * float(law.get(C[1], 0) + law.tail)
    assert learner.success(eta) <= success


def test_what_the_bound_says():
    C = Table([[0], [1]])
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), 9, 4, Fraction(1, 4))
    assert learner.success(Fraction(1)) > Fraction(1, 2)
    assert learner.success(Fraction(1, 3)) < Fraction(1, 10)
    assert learner.success(Fraction(0)) == 0
    assert SubsampleAggregate(EmpiricalRiskMinimizer(C), 2, 1, MILLIONTH).success(Fraction(1)) == 0


def test_success_in_simulation():
    C = catalog.build("points:n=3").to_table()
    D = FiniteDistribution.labelled(C[1])
    base = FinalHypothesis(Halving(C))
    length = 4
    eta = stability(base, D, length).law.rational(C[1])
    learner = SubsampleAggregate(base, 40, 3, Fraction(1, 1000))
    promised = learner.success(eta)
    assert promised > Fraction(9, 10)
    runs = 60
    right = sum(
        learner.fit(D.sample_seeded(40 * length, seed), SeededCoins(seed)) == C[1]
        for seed in range(runs)
    )
    assert clopper_pearson(right, runs, MILLIONTH)[1] >= promised


def test_without_a_frequent_hypothesis_the_rows_say_nothing():
    C = catalog.build("thresholds:n=30")
    learner = SubsampleAggregate(EmpiricalRiskMinimizer(C), 5, 1, MILLIONTH)
    sample = Sample(C.domain, [(x, 1) for x in range(20, 30)])
    empty = EmpiricalRiskMinimizer(C).fit(sample[:0], SeededCoins(0))
    assert learner.fit(sample, SeededCoins(1)) == empty
    with pytest.warns(FewRows, match=r"3 rows for 5 batches"):
        assert learner.fit(sample[:3], SeededCoins(1)) == empty
    assert learner.concept_class == C
    assert learner.rows is None


def test_bad_input_is_refused():
    C = catalog.build("thresholds:n=4")
    base = EmpiricalRiskMinimizer(C)
    for arguments, message in (
        ((base, 0, 1, MILLIONTH), "number of batches"),
        ((base, 3, 0, MILLIONTH), "positive"),
        ((base, 3, 1, 0), "strictly between"),
    ):
        with pytest.raises(InvalidInput, match=message):
            SubsampleAggregate(*arguments)
    learner = SubsampleAggregate(base, 3, 1, MILLIONTH)
    with pytest.raises(InvalidInput, match="from 0 to 1"):
        learner.success(Fraction(3, 2))
    with pytest.raises(InvalidInput, match="The learner labels 4 points"):
        learner.fit(Sample(catalog.build("points:n=5").domain, []), SeededCoins(1))
