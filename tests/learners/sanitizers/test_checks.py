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
    check_sanitizer(sanitizer, rows=rows)


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


class Crooked(SyntheticData):
    def dataset(self, size=None):
        return PointSample.counted(self.domain, {0: size or self.rows})


class BadRows(Made):
    def _fit(self, sample, coins):
        return Crooked(self.domain, (1,) * 6, len(sample))


class TakesNothing(Made):
    def fit(self, points, coins):
        return SyntheticData(self.domain, (1,) * 6, 1)


class NoEvent(Made):
    privacy = (1, 0)


class Promising(Made):
    def bounds(self, rows=None):
        return (Bound("[x]", SANITIZATION_ERROR, "0", 0, 1),)

    def _fit(self, sample, coins):
        return SyntheticData(self.domain, (1,) * 6, len(sample))


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
        (BadRows(), "off by"),
        (TakesNothing(), "must be refused"),
        (NoEvent(), "event of the ledger"),
        (Promising(), "exceeds a bound"),
        (NoBound(), "are Bounds"),
    ],
)
def test_what_is_wrong_is_named(sanitizer, message):
    with pytest.raises(InvalidInput, match=message):
        check_sanitizer(sanitizer)


def test_a_ledger_is_no_obstacle():
    class Costly(Made):
        privacy = PureDP(1)

    check_sanitizer(Costly())
