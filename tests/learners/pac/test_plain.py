"""Learners without privacy, by their definitions on all small samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from learners.coins import SeededCoins
from learners.pac.distributions import FiniteDistribution
from learners.pac.entries import LEARNERS, EmpiricalRiskMinimizer, FinalHypothesis
from learners.pac.samples import Sample
from learners.playing.base.halving import Halving
from lsclasses import Table
from lsclasses.soa import SOA, ConservativeSOA

C = Table([[0, 1, 1], [0, 0, 1], [1, 1, 0], [1, 0, 1]])
SAMPLES = [Sample(C.domain, rows) for rows in product(product(C.domain, (0, 1)), repeat=2)]


def test_the_first_concept_that_is_wrong_on_fewest_rows():
    learner = EmpiricalRiskMinimizer(C)
    for sample in SAMPLES:
        best = min(C, key=lambda c, sample=sample: sum(c(x) != y for x, y in sample))
        assert learner.fit(sample, SeededCoins(1)) == best


@pytest.mark.parametrize("base", [SOA(C), Halving(C), ConservativeSOA(C)])
def test_the_rule_after_all_rows(base):
    learner = FinalHypothesis(base)
    assert learner.consistent == base.consistent
    assert learner.concept_class == C
    for sample in SAMPLES:
        (first, second) = sample
        expected = base.observe(*first).observe(*second).hypothesis
        assert learner.fit(sample, SeededCoins(1)).disagreement(expected) is None
    # Its law is that over all samples.
    shares = {(0, 1): Fraction(1, 7), (1, 0): Fraction(2, 7), (2, 1): Fraction(4, 7)}
    law = learner.law(FiniteDistribution(C.domain, shares), 2)
    expected = dict.fromkeys(law, Fraction(0))
    for one, other in product(shares, repeat=2):
        rule = learner.fit(Sample(C.domain, [one, other]), SeededCoins(1))
        expected[rule] += shares[one] * shares[other]
    assert {rule: law.rational(rule) for rule in law} == expected


def test_they_are_found_by_name_and_are_values():
    assert {entry.learner(C): entry.name for entry in LEARNERS} == {
        EmpiricalRiskMinimizer(C): "erm",
        FinalHypothesis(SOA(C)): "soa",
        FinalHypothesis(Halving(C)): "halving",
    }
