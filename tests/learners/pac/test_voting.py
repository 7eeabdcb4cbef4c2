"""The voting learner from samples: its rows, its output and its refusals."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from learners.balls import ball
from learners.coins import SeededCoins
from learners.mechanisms.histograms import StableHistogram
from learners.pac.base import FewRows
from learners.pac.entries import BATCH_LEARNERS
from learners.pac.littlestone_parameters import sample_complexity
from learners.pac.samples import Sample
from learners.pac.voting import rows_by_votes, unreleased
from lsclasses.errors import InvalidInput

MILLIONTH, TENTH, TWENTIETH = Fraction(1, 10**6), Fraction(1, 10), Fraction(1, 20)


def summed(histogram: StableHistogram, rows: int, alpha: Fraction) -> arb:
    """The sum over all numbers of votes, with tails of the noise that are summed term by term."""
    q = (-1 / ball(histogram.scale)).exp()

    def below(m: int) -> arb:
        """P[Z < m]."""
        if m <= 0:
            return q ** (1 - m) / (1 + q)
        return 1 - q**m / (1 + q)

    total = ball((1 - alpha) ** rows)
    for k in range(1, rows + 1):
        chance = ball(comb(rows, k) * alpha**k * (1 - alpha) ** (rows - k))
        total += chance * below(histogram.threshold - k)
    return total


@given(
    st.sampled_from((Fraction(1, 2), Fraction(1), Fraction(6))),
    st.fractions(Fraction(1, 50), Fraction(2, 5), max_denominator=50),
    st.integers(1, 60),
)
def test_the_failure_is_the_sum_over_all_numbers_of_votes(
    epsilon: Fraction, alpha: Fraction, rows: int
) -> None:
    histogram = StableHistogram(epsilon, TENTH)
    found = unreleased(histogram, rows, alpha)
    assert abs(float(found - summed(histogram, rows, alpha))) < 1e-12


@pytest.mark.parametrize(
    ("alpha", "rows"), [(TENTH, 380), (Fraction(1, 100), 3836), (Fraction(49, 100), 74)]
)
def test_the_rows_are_the_fewest_that_suffice(alpha: Fraction, rows: int) -> None:
    histogram = StableHistogram(1, MILLIONTH)
    assert rows_by_votes(1, MILLIONTH, alpha, TWENTIETH) == rows
    assert unreleased(histogram, rows, alpha) <= ball(TWENTIETH)
    assert unreleased(histogram, rows - 1, alpha) > ball(TWENTIETH)


def test_rows_do_not_depend_on_the_class_and_are_listed_with_the_others() -> None:
    found = [BATCH_LEARNERS["voting"].learner(f"points:n={n}").rows for n in (3, 2**64)]
    assert found == [380, 380]
    assert sample_complexity(1, TENTH, 1, MILLIONTH).voting == 380
    assert "voting needs 380 rows" in sample_complexity(1, TENTH, 1, MILLIONTH).sentence
    assert sample_complexity(2, TENTH, 1, MILLIONTH).voting is None


def test_the_output_is_the_first_hypothesis_or_has_many_votes() -> None:
    learner = BATCH_LEARNERS["voting"].learner("points:n=2^64")
    C, coins = learner.concept_class, SeededCoins(1)
    assert C is not None
    target = C.restrict(5, 1).soa()
    rows = [(5, 1)] * 100 + [(4, 0)] * 280
    assert learner.fit(Sample(learner.domain, rows), coins) == target
    rows = [(x, 1) for x in range(380)]
    assert learner.fit(Sample(learner.domain, rows), coins) == C.soa()


def test_few_rows_are_reported_and_classes_of_larger_dimension_refused() -> None:
    learner = BATCH_LEARNERS["voting"].learner("points:n=3", 5)
    (bound,) = learner.bounds(5)
    assert not bound.applies and learner.bounds()[0].applies
    with pytest.warns(FewRows, match="needs 380 rows"):
        learner.fit(Sample(learner.domain, [(0, 1)] * 5), SeededCoins(1))
    with pytest.raises(InvalidInput, match="errs at most once"):
        BATCH_LEARNERS["voting"].learner("thresholds:n=3")
