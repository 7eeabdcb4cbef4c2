from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

import catalog
from learners.exact import exact_distribution
from learners.pac.distributions import FiniteDistribution
from learners.pac.globally_stable import GloballyStableLearner
from learners.pac.samples import Sample
from lsclasses import Table, TooLarge
from lsclasses.soa import SOA


def test_a_short_sample_is_its_own_budget():
    C = Table([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    D = FiniteDistribution.labelled(C[1])
    learner = GloballyStableLearner(SOA(C), 1, 64)
    for rows in (2, 3, 4):
        # The last row is kept for the end.
        short = learner.law(D, rows)
        same = GloballyStableLearner(SOA(C), 1, rows - 1).law(D)
        assert {h.to_concept() for h in short} == set(same)
        assert all(short[h].overlaps(same[h.to_concept()]) for h in short)
    # Without a row, or with fewer than n, there is no tournament.
    patient = GloballyStableLearner(SOA(C), 2)
    for rows in ([], [(1, 1)]):
        found = exact_distribution(
            lambda coins, rows=rows: patient.fit(Sample(C.domain, rows), coins)
        )
        told = SOA(C).observe(1, 1) if rows else SOA(C)
        assert set(found) == {told.hypothesis.to_concept(), SOA(C).hypothesis.to_concept()}


def test_where_all_rows_are_alike_no_tournament_is_decided():
    """The rule after n rows is always the same, so that only k = 0 yields it."""
    C = catalog.build("thresholds:n=7").to_table()
    before = SOA(C).hypothesis
    target = next(c for c in C if c(3) != before(3))
    learner = GloballyStableLearner(SOA(C), 2)
    law = learner.law(FiniteDistribution.labelled(target, [3]))
    after = SOA(C).observe(3, target(3)).hypothesis
    assert set(law) == {before.to_concept(), after.to_concept()}
    assert law[after.to_concept()].overlaps(arb(1) / 4)
    assert law[before.to_concept()].overlaps(arb(3) / 4)
    assert law.tail.is_zero()


def test_what_is_too_large_is_left_open():
    C = catalog.build("thresholds:n=31")
    D = FiniteDistribution.labelled(C.given([(16, 1), (15, 0)]).soa())
    learner = GloballyStableLearner(SOA(C), 4)
    law = learner.law(D, max_branches=1000)
    assert (law.tail * 6).overlaps(arb(5))
    best = max(law, key=lambda h: float(law[h]))
    # D_0 alone shows more than 1/((d + 1) 2^(d+1)) = 1/384.
    assert law[best] > arb(1) / 384
    assert D.loss(best) <= Fraction(5, 4)
    with pytest.raises(TooLarge, match="The limit is 10 states"):
        learner.law(D, max_branches=10)


def test_parameters_of_the_theorem():
    C = catalog.build("affine:q=2,n=5,k=1,empty=1")
    learner = GloballyStableLearner.for_error(SOA(C), Fraction(1, 20))
    assert (learner.n, learner.budget) == (40, 512)
    assert learner.rows == (8**3 + 1) * 40
    assert learner.printed_eta == Fraction(1, 24)
    assert Fraction(23, 288) < learner.eta <= Fraction(1, 12)
    assert learner.privacy is None
    (bound,) = learner.bounds()
    assert (bound.value, bound.unmet) == (Fraction(1, 20), ())
    assert learner.bounds(100)[0].unmet == ("at least 20520 rows",)
    # Tournaments of depth 2 take 6 times n rows at least.
    assert GloballyStableLearner(SOA(C), 40, 6).eta > Fraction(1, 40)
    (bound,) = GloballyStableLearner(SOA(C), 40, 5).bounds()
    assert bound.unmet == ("the budget is enough for tournaments of depth d",)
    assert learner.concept_class == C
    assert learner.fallback == C.soa()
    assert learner.fallback.disagreement(C.soa()) is None
