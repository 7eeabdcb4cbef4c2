from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import catalog
from learners.coins import SeededCoins
from learners.pac import Sample
from learners.sanitizers.base import (
    ExactSanitizer,
    SyntheticData,
    sanitization_error,
    worst_estimate,
)
from learners.sanitizers.point_samples import PointSample
from lsclasses import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.learners.sanitizers.small_classes import all_concepts


def test_largest_remainders_are_no_worse_than_any_rounding():
    weights, size, C = (5, 4, 2, 2, 1), 4, all_concepts(5)
    data = SyntheticData(C.domain, weights, size)

    def error(counts):
        sample = PointSample.counted(C.domain, dict(enumerate(counts)))
        return sanitization_error(data, C, sample)

    others = [c for c in product(range(size + 1), repeat=5) if sum(c) == size]
    assert error(data.counts()) == min(map(error, others))


def test_estimates_of_a_table_are_those_of_its_concepts():
    C = catalog.build("intervals:n=9").to_table()
    data = SyntheticData(C.domain, tuple(7**i for i in range(9)), 3)
    naive = [Fraction(sum(7**i for i, x in enumerate(C.domain) if c(x)), data.total) for c in C]
    assert data.estimates(C) == naive == [data.estimate(c) for c in C]


def test_the_exact_sanitizer_tells_the_truth():
    C = catalog.build("thresholds:n=6").to_table()
    sample = PointSample.at(C.domain, np.arange(60) % 7 % 6)
    sanitized = ExactSanitizer(C).release(sample, SeededCoins(1))
    assert sanitization_error(sanitized, C, sample) == 0
    assert sorted(sanitized.dataset()) == sorted(sample)
    assert ExactSanitizer(C).bounds()[0].check([0], exact=True) == Verdict.HOLDS


def test_labelled_data_are_sanitized_by_the_class_of_errors():
    C = catalog.build("thresholds:n=5").to_table()
    rows = [(x, int(x > 2) ^ (x == 4)) for x in range(5)] * 2
    sample = Sample(C.domain, rows)
    sanitized = ExactSanitizer(C.label_class()).release(sample, SeededCoins(1))
    assert [sanitized.error(c) for c in C] == [sample.loss(c) for c in C]
    assert sanitized.estimates(C.label_class()) == [sample.loss(c) for c in C]


def test_the_worst_estimate_is_found():
    C = all_concepts(3)
    sample = PointSample(C.domain, [0, 0, 0, 1, 2, 2])
    data = SyntheticData(C.domain, (1, 1, 1), 6)
    naive = [abs(data.estimate(c) - sample.frequency(c)) for c in C]
    assert worst_estimate(data, C, sample) == (naive.index(max(naive)), max(naive))


def test_a_sanitizer_for_a_number_of_points_takes_no_other():
    class OfThree(ExactSanitizer):
        rows = 3

    sanitizer = OfThree(catalog.build("thresholds:n=4").to_table())
    assert sanitizer.release([0, 1, 1], SeededCoins(1)).rows == 3
    for points in ([0, 1], [0, 1, 1, 1]):
        with pytest.raises(InvalidInput, match="needs 3 points"):
            sanitizer.release(points, SeededCoins(1))


def test_domains_are_compared_by_their_points():
    C = catalog.build("thresholds:n=300").to_table()
    points = PointSample(FiniteDomain(range(300)), [3, 299])
    assert points.domain is not C.domain
    found = ExactSanitizer(C).release(points, SeededCoins(1))
    assert sanitization_error(found, C, points) == 0
