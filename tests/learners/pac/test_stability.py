"""Global stability [BLM20, Def. 4], and what it says about consistent learners [BLM20, Prop. 5]."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log, prod

from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.coins import SeededCoins
from learners.pac.distributions import FiniteDistribution
from learners.pac.entries import EmpiricalRiskMinimizer, FinalHypothesis
from learners.pac.globally_stable import stability
from learners.pac.samples import Sample
from learners.playing.base.halving import Halving
from lsclasses import Table
from lsclasses.soa import SOA, ConservativeSOA
from tests.learners.pac.test_tournaments import instances

LEARNERS = {
    "soa": lambda C: FinalHypothesis(SOA(C)),
    "halving": lambda C: FinalHypothesis(Halving(C)),
    "erm": EmpiricalRiskMinimizer,
}


def law_by_definition(learner, D, rows):
    """Every sample with its probability; the learners here toss no coins."""
    law = Counter()
    for examples in product(D.weights.items(), repeat=rows):
        sample = Sample(D.domain, [example for example, _ in examples])
        h = learner.fit(sample, SeededCoins(0)).to_concept()
        law[h] += prod((weight for _, weight in examples), start=Fraction(1))
    return law


@settings(max_examples=10)
@given(instances(), st.sampled_from(sorted(LEARNERS)), st.integers(1, 3))
def test_laws_and_proposition_5(instance, name, rows):
    C, D = instance
    learner = LEARNERS[name](C)
    law = law_by_definition(learner, D, rows)
    found = stability(learner, D, rows)
    assert {h.to_concept(): found.law.rational(h) for h in found.law} == law
    assert found.law.rational(found.mode) == max(law.values())
    assert found.loss == sum(w for (x, y), w in D.weights.items() if found.mode(x) != y)
    assert found.bound.applies
    for h, p in law.items():
        # [BLM20, Prop. 5] for every hypothesis that comes up, not only for the mode.
        assert float(D.loss(h)) <= log(1 / p) / rows + 1e-12
    assert found.loss <= found.bound.value
    assert abs(float(found.bound.value) - log(1 / max(law.values())) / rows) < 1e-12


def test_hypotheses_of_proposition_5_that_are_not_met():
    C = Table([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 1]])
    D = FiniteDistribution.labelled(C[2], [0, 1])
    found = stability(FinalHypothesis(ConservativeSOA(C)), D, 2)
    assert found.bound.unmet == ("the learner is consistent",)
    assert found.bound.check([found.loss]) == "does not apply"
    noisy = FiniteDistribution(C.domain, {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 2)})
    found = stability(EmpiricalRiskMinimizer(C), noisy, 2)
    assert len(found.bound.unmet) == 1


def test_states_are_merged():
    """So that many rows are no trouble where there are few states."""
    C = catalog.build("thresholds:n=3")
    D = FiniteDistribution.labelled(C.soa())
    assert len(stability(FinalHypothesis(SOA(C)), D, 200).law) <= 3
