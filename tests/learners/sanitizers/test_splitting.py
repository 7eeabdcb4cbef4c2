"""Labelled data split by labels: exact where the parts are; what noise and parts cost."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from learners.accounting import basic
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.pac import Sample
from learners.sanitizers.base import ExactSanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.splitting import LabelledBySplitting
from tests.learners.sanitizers.small_classes import table

DELTA = Fraction(1, 10**6)
QUARTER = Fraction(1, 4)


class Noisy(SeededCoins):
    """The number of ones is off by 2."""

    def laplace(self, scale):
        return 2


def test_a_release_is_off_by_the_noise_once_where_parts_are_exact():
    C = table("intervals:n=5")
    sanitizer = LabelledBySplitting(ExactSanitizer(C), Fraction(1))
    rows = [(0, 1), (1, 0), (1, 1), (1, 1), (2, 0), (3, 1), (4, 0), (4, 0)]
    found = sanitizer.release(rows, Noisy(1)).estimates(sanitizer.concept_class)
    # x* is the first point; the more ones, the more errors of concepts that are 0 there.
    signs = [1 - 2 * h(C.domain[0]) for h in C]
    sample = Sample(C.domain, rows)
    off = [sample.loss(h) + s * Fraction(2, 8) for h, s in zip(C, signs, strict=True)]
    assert found == [min(max(each, 0), 1) for each in off]


def test_prices_and_bounds():
    C = table("thresholds:n=8")
    inner = MWEMSanitizer.for_error(C, QUARTER, Budget(1, DELTA))
    sanitizer = LabelledBySplitting(inner, Fraction(1, 2), Fraction(1, 100))
    n = inner.needed
    assert basic(sanitizer.privacy)[0] == 2 * basic(inner.privacy)[0] + Fraction(1, 2)
    assert sanitizer.delta == 2 * DELTA
    (bound,) = sanitizer.bounds(n)
    assert bound.failure == Fraction(1, 10) + Fraction(1, 100)
    q = exp(-1 / 2)
    larger = [2 * q ** (z + 1) / (1 + q) for z in range(12)]
    least = next(z for z, p in enumerate(larger) if p <= 1 / 100)
    assert bound.value == Fraction(1, 2) + Fraction(least, n)
    assert not sanitizer.bounds(n - 1)[0].applies
    assert sanitizer.bounds()[0].value is None


def test_a_bound_needs_a_number_of_rows_or_a_sanitizer_made_for_one():
    class OfSeven(ExactSanitizer):
        rows = 7

    C = table("points:n=3")
    noise = LabelledBySplitting(ExactSanitizer(C), Fraction(1)).noise
    assert LabelledBySplitting(ExactSanitizer(C), Fraction(1)).bounds()[0].value is None
    sanitizer = LabelledBySplitting(OfSeven(C), Fraction(1))
    assert sanitizer.rows == 7
    assert sanitizer.bounds()[0].value == Fraction(noise, 7)
    assert sanitizer.bounds(70)[0].value == Fraction(noise, 70)


def test_nothing_is_promised_where_it_may_always_fail():
    inner = MWEMSanitizer.for_error(
        table("thresholds:n=8"), QUARTER, Budget(1, DELTA), beta=Fraction(1, 4)
    )
    assert LabelledBySplitting(inner, Fraction(1), Fraction(49, 100)).bounds(inner.needed)
    assert not LabelledBySplitting(inner, Fraction(1), Fraction(1, 2)).bounds(inner.needed)
