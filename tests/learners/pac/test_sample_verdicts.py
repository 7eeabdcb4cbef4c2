"""Which hypotheses of a bound a distribution meets, and what is measured, by the definitions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from learners.bounds import Bound
from learners.pac.base import (
    EMPIRICAL_ERROR,
    HALF_LOSS,
    INDEPENDENT,
    POPULATION_ERROR,
    REALIZABLE,
    ZERO_LOSS,
    BatchLearner,
    enough_rows,
)
from learners.pac.distributions import FiniteDistribution
from learners.pac.sample_verdicts import Population, excess
from learners.pac.samples import Sample
from lsclasses import Table

C = Table([[0, 0], [0, 1], [1, 1]])
QUARTER = Fraction(1, 4)
D = FiniteDistribution(C.domain, {(0, 0): 2 * QUARTER, (1, 1): QUARTER, (1, 0): QUARTER})
LEAST = min(D.loss(c) for c in C)


class Promising(BatchLearner):
    """Learns nothing, and states the bounds that it is made with."""

    def __init__(self, *stated):
        self.stated = stated

    domain = C.domain

    def bounds(self, rows=None):
        return self.stated

    def fit(self, sample, coins):
        return C[0]


def bound(value, *hypotheses, unmet=()):
    return Bound("[a paper]", POPULATION_ERROR, "a", value, hypotheses=hypotheses, unmet=unmet)


@pytest.mark.parametrize(
    ("least", "value", "unmet"),
    [
        (Fraction(0), Fraction(1, 5), ()),
        (Fraction(1, 10), Fraction(1, 5), (REALIZABLE, ZERO_LOSS)),
        (Fraction(1, 9), Fraction(1, 5), (REALIZABLE, ZERO_LOSS, HALF_LOSS)),
        (Fraction(1, 2), Fraction(1, 5), (REALIZABLE, ZERO_LOSS, HALF_LOSS)),
        (Fraction(0), None, (HALF_LOSS,)),
    ],
)
def test_what_a_distribution_does_not_meet(least, value, unmet):
    names = REALIZABLE, ZERO_LOSS, HALF_LOSS, INDEPENDENT
    learner = Promising(bound(value, *names), bound(value), bound(value, *names, unmet=names[:2]))
    with_all, with_none, told = Population(D, least).bounds(learner, 5)
    assert with_all.unmet == unmet
    assert with_none.unmet == ()
    # What was unmet before still is, and is said once.
    assert sorted(told.unmet) == sorted({*names[:2], *unmet})


def test_what_is_exceeded_is_violated_if_all_that_it_rests_on_is_judged():
    population = Population(D, LEAST)
    judged = (REALIZABLE, ZERO_LOSS, HALF_LOSS, INDEPENDENT, enough_rows(120), enough_rows(7))
    for names in ((), *((name,) for name in judged), judged):
        assert population.verdict(bound(1, *names), [Fraction(1)]) == "consistent"
        assert population.verdict(bound(1, *names), [Fraction(2)]) == "violated"
    for name in ("at least some rows", "at least 7 rows are read", "it is full moon"):
        found = population.verdict(bound(1, *judged, name), [Fraction(2)])
        assert found == f"exceeded, but it depends on a condition without a verdict: {name}"


def test_quantities_are_measured_as_they_are_defined():
    rows = [(0, 0), (1, 1), (1, 0), (1, 1)]
    sample, h = Sample(C.domain, rows), C[2]
    population = Population(D, LEAST)
    assert {population} == {Population(D, LEAST)}

    def measured(quantity, of=C):
        return population.measured(quantity, h, sample, of)

    wrong = [sum(c(x) != y for x, y in rows) for c in C]
    assert (wrong, LEAST) == ([2, 1, 2], QUARTER)
    assert measured(POPULATION_ERROR) == 3 * QUARTER
    assert measured(excess(POPULATION_ERROR)) == 3 * QUARTER - LEAST
    assert measured(EMPIRICAL_ERROR) == 2 * QUARTER
    assert measured(excess(EMPIRICAL_ERROR)) == (2 - 1) * QUARTER
    # Without a class nothing is known of the excess on the rows; others are not measured at all.
    assert measured(POPULATION_ERROR, None) == 3 * QUARTER
    for quantity in (excess(EMPIRICAL_ERROR), "a", "mistakes", "zeal", ""):
        assert measured(quantity, None) is None
    for quantity in ("a", "mistakes", "zeal", ""):
        assert measured(quantity) is None
