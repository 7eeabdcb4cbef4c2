"""`check_sanitizer` passes what is built here, and names what is wrong with others."""

from fractions import Fraction

import numpy as np
import pytest

import catalog
from learners.accounting import PureDP
from learners.bounds import Bound
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import SANITIZATION_ERROR, ExactSanitizer, Sanitizer, SyntheticData
from learners.sanitizers.checks import check_sanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.points import PointSample
from learners.sanitizers.realizable import HistogramSanitizer
from lsclasses import Table
from lsclasses.errors import InvalidInput

C = catalog.build("thresholds:n=6").to_table()
DELTA = Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("sanitizer", "rows"),
    [
        (ExactSanitizer(C), None),
        (MWEMSanitizer.for_error(C, Fraction(1, 5), 1, DELTA), 30_000),
        (MWEMSanitizer.for_error(C.label_class(), Fraction(1, 3), 2, DELTA), 9_000),
        (MWEMSanitizer.for_error(C, Fraction(1, 5), 1, DELTA), 10),
        (HistogramSanitizer(C, BoundedHistogram(1, DELTA)), 3000),
    ],
)
def test_what_is_built_here_passes(sanitizer, rows):
    check_sanitizer(sanitizer=sanitizer, rows=rows)


class Made(Sanitizer):
    concept_class = C

    def _fit(self, sample, coins):
        return SyntheticData(self.domain, tuple(sample.counts.tolist()), len(sample))


class Impatient(Made):
    calls = 0

    def _fit(self, sample, coins):
        Impatient.calls += 1
        return SyntheticData(self.domain, (Impatient.calls,) + (1,) * 5, len(sample))


class OwnNoise(Made):
    def _fit(self, sample, coins):
        np.random.random()  # noqa: NPY002
        return super()._fit(sample, coins)


class Elsewhere(Made):
    def _fit(self, sample, coins):
        return SyntheticData(Table([[0, 1]]).domain, (1, 1), len(sample))


class NoSanitized(Made):
    def _fit(self, sample, coins):
        return tuple(sample.counts.tolist())


class Unequal(SyntheticData):
    def _estimates(self, of):
        return [Fraction(1, 2)] * len(of)


class Twofold(Made):
    def _fit(self, sample, coins):
        return Unequal(self.domain, (1,) + (0,) * 5, len(sample))


class Beyond(SyntheticData):
    def _estimates(self, of):
        return [Fraction(3, 2)] * len(of)

    def _estimate(self, h):
        return Fraction(3, 2)


class TooMuch(Made):
    def _fit(self, sample, coins):
        return Beyond(self.domain, (1,) * 6, len(sample))


class Below(SyntheticData):
    def _estimates(self, of):
        return [Fraction(-1, 2)] * len(of)

    def _estimate(self, h):
        return Fraction(-1, 2)


class TooLittle(Made):
    def _fit(self, sample, coins):
        return Below(self.domain, (1,) * 6, len(sample))


class Few(SyntheticData):
    def _estimates(self, of):
        return super()._estimates(of)[1:]


class Missing(Made):
    def _fit(self, sample, coins):
        return Few(self.domain, (1,) * 6, len(sample))


class Hashed(SyntheticData):
    def __hash__(self):
        return id(self)


class OtherHash(Made):
    def _fit(self, sample, coins):
        # It is kept, so that no other one has its id.
        self.kept = [*getattr(self, "kept", []), Hashed(self.domain, (1,) * 6, len(sample))]
        return self.kept[-1]


class Crooked(SyntheticData):
    def dataset(self, size=None):
        return PointSample.counted(self.domain, {0: size or self.rows})


class BadRows(Made):
    def _fit(self, sample, coins):
        return Crooked(self.domain, (1,) * 6, len(sample))


class TakesNothing(Made):
    def fit(self, points, coins):
        return SyntheticData(self.domain, (1,) * 6, 1)


class TakesNobody(Made):
    """It refuses what is from elsewhere, and nothing else."""

    def fit(self, points, coins):
        if len(points):
            return super().fit(points, coins)
        return SyntheticData(self.domain, (1,) * 6, 1)


class Breaks(Made):
    def fit(self, points, coins):
        if not len(points):
            raise ValueError("no points")
        return super().fit(points, coins)


class NoTable(Made):
    concept_class = tuple(C)


class NoConcept(Made):
    concept_class = Table([], "ab")


class NoEvent(Made):
    privacy = (1, 0)


class Promising(Made):
    def bounds(self, rows=None):
        return (Bound("[x]", SANITIZATION_ERROR, "0", 0, 1),)

    def _fit(self, sample, coins):
        return SyntheticData(self.domain, (1,) * 6, len(sample))


class PromisingAtLast(Promising):
    def bounds(self, rows=None):
        return (Bound("[x]", "something else", "0", 0, 1), *super().bounds(rows))


class NoBound(Made):
    def bounds(self, rows=None):
        return ("alpha",)


@pytest.mark.parametrize(
    ("sanitizer", "message"),
    [
        (Impatient(), "not equal"),
        (OwnNoise(), "global random number generator"),
        (Elsewhere(), "another domain"),
        (NoSanitized(), "is a Sanitized"),
        (Twofold(), "in a table and"),
        (TooMuch(), "between 0 and 1"),
        (TooLittle(), "between 0 and 1"),
        (Missing(), "every concept has an estimate: 7. Missing gave 6"),
        (OtherHash(), "hash otherwise"),
        (BadRows(), "off by"),
        (TakesNothing(), "must be refused"),
        (TakesNobody(), "without points must be refused with InvalidInput. TakesNobody took it"),
        (Breaks(), "without points must be refused with InvalidInput. Breaks raised ValueError"),
        (NoTable(), "concepts of a Table"),
        (NoConcept(), "at least one"),
        (NoEvent(), "event of the ledger"),
        (Promising(), "exceeds a bound"),
        (PromisingAtLast(), "exceeds a bound"),
        (NoBound(), "are Bounds"),
    ],
)
def test_what_is_wrong_is_named(sanitizer, message):
    with pytest.raises(InvalidInput, match=message):
        check_sanitizer(sanitizer)


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_every_data_set_is_released_with_coins_of_its_own(seed):
    drawn = []

    class Tossing(Made):
        def _fit(self, sample, coins):
            drawn.append(coins.below(2**60))
            return super()._fit(sample, coins)

    # Bounds that may fail are held against independent runs.
    check_sanitizer(Tossing(), seed=seed)
    assert len(set(drawn)) == len(drawn) / 2 == 12


def test_a_class_may_have_hundreds_of_concepts():
    class Larger(Made):
        concept_class = Table([[i >> j & 1 for j in range(9)] for i in range(300)])

    check_sanitizer(Larger(), rows=3)


def test_a_ledger_is_no_obstacle():
    class Costly(Made):
        privacy = PureDP(1)

    check_sanitizer(Costly())
