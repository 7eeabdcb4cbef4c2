from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import combinations, product
from math import comb, exp

import pytest

import catalog
from learners.audit import audit, clopper_pearson, neighbouring_pairs
from learners.batch import FewRows, Sample
from learners.batch.aggregate import LEARNERS, SubsampleAggregate
from learners.batch.distributions import FiniteDistribution
from learners.batch.plain import EmpiricalRiskMinimizer, FinalHypothesis
from learners.batch.stability import stability
from learners.coins import SeededCoins
from learners.exact import exact_law
from learners.online.halving import Halving
from lsclasses import InvalidInput, Table

HALF = Fraction(1, 2)
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
            learner = SubsampleAggregate.for_success(base, 4, HALF / 9, eta=eta, beta=beta)
            assert learner.success(eta) >= 1 - beta
            fewer = SubsampleAggregate(base, learner.batches - 1, 4, HALF / 9)
            assert fewer.success(eta) < 1 - beta
            counts.append(learner.batches)
    assert {count % 2 for count in counts} == {0, 1}
    for eta in (HALF, Fraction(0), Fraction(11, 10)):
        with pytest.raises(InvalidInput, match="above 1/2 and at most 1"):
            SubsampleAggregate.for_success(base, 2, MILLIONTH, eta=eta, beta=Fraction(1, 4))


def test_the_learner_by_name_finds_what_comes_up_on_three_quarters():
    C = Table([[0], [1]])
    (trainable,) = LEARNERS
    learner = trainable.learner(C, epsilon=1, delta=MILLIONTH)
    assert learner.success(Fraction(3, 4)) >= Fraction(19, 20)
    assert learner.privacy == SubsampleAggregate(learner.base, 5, 1, MILLIONTH).privacy


def test_it_is_a_value():
    one, same = (
        SubsampleAggregate(EmpiricalRiskMinimizer(Table([[0], [1]])), 3, 1, MILLIONTH)
        for _ in range(2)
    )
    assert one == same and hash(one) == hash(same)
    with pytest.raises(FrozenInstanceError):
        one.batches = 4


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
    with pytest.warns(FewRows, match=r"3 rows for 5 batches") as told:
        assert learner.fit(sample[:3], SeededCoins(1)) == empty
    # It points at the line that has the rows.
    assert told[0].filename == __file__
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
