"""What all learners from samples share: exact laws by enumeration, checked errors, warnings."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from learners.pac.base import BatchLearner, FewRows, warn_of_few_rows
from learners.pac.distributions import FiniteDistribution
from lsclasses import Constant, FiniteDomain, TooLarge

DOMAIN = FiniteDomain("ab")


@dataclass(frozen=True)
class Doubting(BatchLearner):
    """Says everywhere what the last row says, or the opposite with probability 1/3."""

    domain = DOMAIN

    def fit(self, sample, coins):
        said = sample[-1][1] if len(sample) else 0
        return Constant(DOMAIN, said ^ coins.flip(Fraction(1, 3)))


WEIGHTS = {("a", 0): Fraction(1, 2), ("a", 1): Fraction(1, 6), ("b", 1): Fraction(1, 3)}


def test_a_learner_that_says_nothing_of_itself_promises_nothing():
    learner = Doubting()
    assert learner.privacy is None and learner.bounds(7) == ()
    assert learner.concept_class is None and learner.rows is None
    # It may err on its sample, and shows nothing of what it found but labels.
    assert not learner.consistent and learner.labels_only


@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_the_law_is_the_sum_over_all_samples(rows):
    law = Doubting().law(FiniteDistribution(DOMAIN, WEIGHTS), rows)
    expected = {0: Fraction(0), 1: Fraction(0)}
    for examples in product(WEIGHTS, repeat=rows):
        said = examples[-1][1] if rows else 0
        chance = prod((WEIGHTS[each] for each in examples), start=Fraction(1))
        expected[said] += chance * Fraction(2, 3)
        expected[1 - said] += chance * Fraction(1, 3)
    assert {y: law.rational(Constant(DOMAIN, y)) for y in (0, 1)} == expected


def test_too_many_samples_are_refused_before_any_is_drawn():
    D = FiniteDistribution(DOMAIN, WEIGHTS)
    # Each of the 3^2 samples has two branches.
    assert len(Doubting().law(D, 2, max_branches=18)) == 2
    with pytest.raises(TooLarge, match="27 samples of 3 rows, more than 26") as refused:
        Doubting().law(D, 3, max_branches=26)
    assert (refused.value.estimate, refused.value.limit) == (27, 26)
    with pytest.raises(TooLarge, match="samples of 60 rows"):
        Doubting().law(D, 60)


@pytest.mark.parametrize(("given", "warned"), [(0, True), (6, True), (7, False)])
def test_few_rows_are_told_to_who_holds_them(given, warned):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warn_of_few_rows(7, given)
    assert [each.category for each in told] == [FewRows] * warned
    assert all(f"needs 7 rows, but there are {given}" in str(each.message) for each in told)
