from fractions import Fraction
from itertools import combinations_with_replacement, product

from learners.coins import SeededCoins
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import HistogramSanitizer, ReleasedPoints, realizable_error
from lsclasses import Table
from tests.learners.sanitizers.small_classes import all_concepts

DELTA = Fraction(1, 100)


class Unlucky(BoundedHistogram):
    """Always adds -t, its worst."""

    def _noise(self, count, coins):
        return [-self.bound] * count


def test_the_bound_is_attained_when_every_noise_is_the_worst():
    """On all subsets as concepts."""
    C, histogram = all_concepts(3), Unlucky(1, DELTA)
    worst = 2 * histogram.bound
    sanitizer = HistogramSanitizer(C, histogram)
    sample = PointSample.counted(C.domain, {0: worst, 1: worst, 2: worst})
    released = sanitizer.release(sample, SeededCoins(1))
    assert released.points == ()
    assert realizable_error(released, C, sample) == 1
    one_more = PointSample.counted(C.domain, {0: worst + 1, 1: worst, 2: worst})
    assert sanitizer.release(one_more, SeededCoins(1)).points == (0,)
    assert sanitizer.missed == 3 * worst
    assert sanitizer.bounds(6 * worst)[0].check([Fraction(1, 2)]) == "consistent"
    # Where there is no concept, none is missed.
    assert HistogramSanitizer(Table([], "ab"), histogram).missed == 0


def test_realizable_errors_are_those_of_the_definition():
    """For every set of released points and every sample: all alpha on a grid, by hand."""
    C = all_concepts(3)
    for places in combinations_with_replacement(range(3), 3):
        sample = PointSample.at(C.domain, places)
        for points in ((), (0,), (1, 2), (0, 1, 2)):
            released = ReleasedPoints(C.domain, points)
            error = realizable_error(released, C, sample)
            for alpha in (Fraction(k, 6) for k in range(1, 7)):
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
