"""`check_sanitizer` passes what is built here, and names what is wrong with others."""

from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

import catalog
from learners.accounting import PureDP, Scope
from learners.bounds import Bound
from learners.budget import Budget
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import SANITIZATION_ERROR, ExactSanitizer, Sanitizer, SyntheticData
from learners.sanitizers.independent import IndependentAnswers
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import HistogramSanitizer
from learners.sanitizers.sanitizer_checks import check_sanitizer
from lsclasses import Table
from lsclasses.errors import InvalidInput

C = catalog.build("thresholds:n=6").to_table()
DELTA = Fraction(1, 10**6)


class Made(Sanitizer):
    concept_class = C

    def _release(self, sample, coins):
        return SyntheticData(self.domain, tuple(sample.counts.tolist()), len(sample))


class Costly(Made):
    privacy = PureDP(1, scope=Scope.adaptive("replace_one"))


class Larger(Made):
    concept_class = Table([[i >> j & 1 for j in range(9)] for i in range(300)])


@pytest.mark.parametrize(
    ("built", "rows"),
    [
        (lambda: ExactSanitizer(C), None),
        (lambda: MWEMSanitizer.for_error(C, Fraction(1, 5), Budget(1, DELTA)), 10),
        (lambda: MWEMSanitizer.for_error(C.label_class(), Fraction(1, 3), Budget(2, DELTA)), 9_000),
        (lambda: HistogramSanitizer(C, BoundedHistogram(1, DELTA)), 3000),
        (lambda: IndependentAnswers.within(Budget(1, DELTA), C), 3000),
        (Costly, None),
        (Larger, 3),
    ],
)
def test_what_is_built_here_passes(built, rows):
    check_sanitizer(sanitizer=built(), rows=rows)


class Impatient(Made):
    calls = 0

    def _release(self, sample, coins):
        Impatient.calls += 1
        return SyntheticData(self.domain, (Impatient.calls,) + (1,) * 5, len(sample))


class OwnNoise(Made):
    def _release(self, sample, coins):
        np.random.random()  # noqa: NPY002
        return super()._release(sample, coins)


class Elsewhere(Made):
    def _release(self, sample, coins):
        return SyntheticData(Table([[0, 1]]).domain, (1, 1), len(sample))


class NoRelease(Made):
    def _release(self, sample, coins):
        return tuple(sample.counts.tolist())


def releasing(kind):
    """A sanitizer that releases this kind of synthetic data."""

    class Broken(Made):
        def _release(self, sample, coins):
            return kind(self.domain, (1,) * 6, len(sample))

    return Broken()


def always(value):
    class Constantly(SyntheticData):
        def _estimates(self, of):
            return [value] * len(of)

        def _estimate(self, h):
            return value

    return Constantly


class Unequal(SyntheticData):
    def _estimates(self, of):
        return [Fraction(1, 2)] * len(of)


class Few(SyntheticData):
    def _estimates(self, of):
        return super()._estimates(of)[1:]


class Hashed(SyntheticData):
    kept: ClassVar[list[SyntheticData]] = []  # so that no other one has its id

    def __hash__(self):
        Hashed.kept.append(self)
        return id(self)


class Crooked(SyntheticData):
    def dataset(self, size=None):
        return PointSample.counted(self.domain, {0: size or self.rows})


class TakesNothing(Made):
    def release(self, points, coins):
        return SyntheticData(self.domain, (1,) * 6, 1)


class TakesNobody(Made):
    """It refuses what is from elsewhere, and nothing else."""

    def release(self, points, coins):
        if len(points):
            return super().release(points, coins)
        return SyntheticData(self.domain, (1,) * 6, 1)


class Breaks(Made):
    def release(self, points, coins):
        if not len(points):
            raise ValueError("no points")
        return super().release(points, coins)


class NoTable(Made):
    concept_class = tuple(C)


class NoConcept(Made):
    concept_class = Table([], "ab")


class NoEvent(Made):
    privacy = (1, 0)


class Promising(Made):
    """What is promised first is not measured."""

    def bounds(self, rows=None):
        bounds = ("something else", SANITIZATION_ERROR)
        return tuple(Bound("[x]", each, "0", 0, 1) for each in bounds)

    def _release(self, sample, coins):
        return SyntheticData(self.domain, (1,) * 6, len(sample))


class NoBound(Made):
    def bounds(self, rows=None):
        return ("alpha",)


@pytest.mark.parametrize(
    ("sanitizer", "message"),
    [
        (Impatient(), "must be equal"),
        (OwnNoise(), "global random number generator"),
        (Elsewhere(), "another domain"),
        (NoRelease(), "must be a Release"),
        (releasing(Unequal), "in a table and"),
        (releasing(always(Fraction(3, 2))), "between 0 and 1"),
        (releasing(always(Fraction(-1, 2))), "between 0 and 1"),
        (releasing(Few), "concept of a table must have an estimate: 7. Broken gave 6"),
        (releasing(Hashed), "have equal hashes"),
        (releasing(Crooked), "off by"),
        (TakesNothing(), "must be refused"),
        (TakesNobody(), "must be refused with InvalidInput. TakesNobody accepted it"),
        (Breaks(), "without points must be refused with InvalidInput. Breaks raised ValueError"),
        (NoTable(), "must be for a Table"),
        (NoConcept(), "at least one"),
        (NoEvent(), "event of the ledger"),
        (Promising(), "exceeds a bound"),
        (NoBound(), "must be Bounds"),
    ],
)
def test_what_is_wrong_is_named(sanitizer, message):
    with pytest.raises(InvalidInput, match=message):
        check_sanitizer(sanitizer)


@pytest.mark.parametrize("seed", [0, 7])
def test_every_data_set_is_released_with_coins_of_its_own(seed):
    """Bounds that may fail are held against independent runs."""
    drawn = []

    class Tossing(Made):
        def _release(self, sample, coins):
            drawn.append(coins.below(2**60))
            return super()._release(sample, coins)

    check_sanitizer(Tossing(), seed=seed)
    assert len(set(drawn)) == len(drawn) / 2 == 12
