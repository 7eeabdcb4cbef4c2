from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from learners.bounds import VACUOUS
from learners.coins import SeededCoins
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import SyntheticData
from learners.sanitizers.points import PointSample
from learners.sanitizers.realizable import (
    AUDITS,
    HistogramSanitizer,
    ReleasedPoints,
    realizable_error,
)
from lsclasses import FiniteDomain, Table
from lsclasses.errors import InvalidInput
from tests.learners.privacy_checks import smallest_instances

DELTA = Fraction(1, 100)


def all_concepts(points):
    return Table(list(product((0, 1), repeat=points)))


def test_the_bound_is_never_exceeded_and_attained_when_every_noise_is_the_worst():
    """On all subsets as concepts; with a histogram that always adds -t, its worst."""
    C = all_concepts(3)
    sanitizer = HistogramSanitizer(C, BoundedHistogram(1, DELTA))
    rng = np.random.default_rng(1)
    bound = sanitizer.bounds(200)[0]
    for seed in range(60):
        sample = PointSample.at(C.domain, rng.choice(3, 200, p=rng.dirichlet([0.4] * 3)))
        released = sanitizer.fit(sample, SeededCoins(seed))
        assert bound.check([realizable_error(released, C, sample)]) in ("consistent", VACUOUS)
        assert set(released.points) <= set(sample)

    class Unlucky(BoundedHistogram):
        def _noise(self, count, coins):
            return [-self.bound] * count

    histogram = Unlucky(1, DELTA)
    worst = 2 * histogram.bound
    sample = PointSample.counted(C.domain, {0: worst, 1: worst, 2: worst})
    released = HistogramSanitizer(C, histogram).fit(sample, SeededCoins(1))
    assert released.points == ()
    assert realizable_error(released, C, sample) == 1
    one_more = PointSample.counted(C.domain, {0: worst + 1, 1: worst, 2: worst})
    assert HistogramSanitizer(C, histogram).fit(one_more, SeededCoins(1)).points == (0,)
    assert HistogramSanitizer(C, histogram).missed == 3 * worst
    # Where there is no concept, none is missed.
    assert HistogramSanitizer(Table([], "ab"), histogram).missed == 0


def test_realizable_errors_are_those_of_the_definition():
    """For every set of released points and every sample: all alpha on a grid, by hand."""
    C = all_concepts(3)
    for places in product(range(3), repeat=3):
        sample = PointSample.at(C.domain, places)
        for points in ((), (0,), (1, 2), (0, 1, 2)):
            released = ReleasedPoints(C.domain, points)
            error = realizable_error(released, C, sample)
            for alpha in (Fraction(k, 12) for k in range(1, 13)):
                right = all(
                    (est == 1 if share >= alpha else True) and (est == 0 if share == 0 else True)
                    for est, share in zip(released.estimates(C), sample.frequencies(C), strict=True)
                )
                assert right == (error < alpha)


def test_hitting_data_sets_hit_whatever_is_said_to_occur():
    C = all_concepts(4)
    for points in product((0, 1), repeat=4):
        released = ReleasedPoints(C.domain, tuple(x for x, y in enumerate(points) if y))
        data = released.hitting_dataset(5)
        assert len(data) == 5
        for h, estimate in zip(C, released.estimates(C), strict=True):
            assert estimate == released.estimate(h)
            assert not estimate or data.frequency(h) > 0
    assert list(ReleasedPoints(C.domain, ()).hitting_dataset(3)) == [C.domain[0]] * 3
    both = ReleasedPoints(C.domain, (0, 3))
    assert list(both.hitting_dataset(2)) == [0, 3]
    with pytest.raises(InvalidInput, match="2 released points, too many for 1 rows"):
        ReleasedPoints(C.domain, (0, 3)).hitting_dataset(1)


def test_what_is_no_realizable_sanitizer_is_refused():
    domain = FiniteDomain("ab")
    for points in (("b", "a"), ("a", "a"), ("a", "a", "b"), ("c",)):
        with pytest.raises(InvalidInput):
            ReleasedPoints(domain, points)
    with pytest.raises(InvalidInput, match="replaced row"):
        HistogramSanitizer(all_concepts(2), BoundedHistogram(1, DELTA, "add_remove"))
    with pytest.raises(InvalidInput, match=r"0 or 1\. Got 1/2"):
        sample = PointSample(domain, "ab")
        realizable_error(SyntheticData(domain, (1, 1), 2), Table([[1, 0]], "ab"), sample)


def test_a_single_row_and_two_points_are_the_least_that_is_audited():
    built = smallest_instances(AUDITS, points=2, rows=1)["histogram_sanitizer"]
    assert built.pairs == (((0,), (1,)),)
