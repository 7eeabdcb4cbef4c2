r"""Realizable sanitization: finding the concepts that are 1 on some data [LWY25, Def. E.1].

A realizable sanitizer of error alpha returns 1 for every concept h of a class with P_S(h) >= alpha,
and 0 if P_S(h) = 0, except with probability beta. Between these cases, both answers are allowed.
This is less information than the estimates of a sanitizer, so it needs fewer rows. For example,
take estimates that are right up to a < alpha/2. The answer 1 for all estimates of at least alpha/2
is such an answer.

`HistogramSanitizer` is a realizable sanitizer for **all** functions at once. `BoundedHistogram`
releases points of the data, and the answer for h is 1 if h is 1 at a released point.

**Accuracy.** With certainty, for h that is 1 at s points of the domain: 0 if P_S(h) = 0, and 1 if
n P_S(h) > 2 t s. *Proof.* Only points that occur are released. So a concept that is 0 on all data
is 0 on all released points. If it is 1 at more than 2 t s of the data, one of the s points occurs
more than 2t times. Its noisy count is at least 2t + 1 - t, the threshold. QED So alpha = (2 t s +
1)/n for the largest s, with beta = 0. This is of order 1/n, while [LWY25, Thm E.5] has n^(-2/3). On
few points, or for concepts that are seldom 1, no other sanitizer is nearly as good.

**Privacy.** The guarantee is the guarantee of the histogram, because the released points are
computed from its counts.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, islice

import numpy as np

from learners.accounting import Event
from learners.bounds import Bound
from learners.checked import Rows
from learners.coins import Coins
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import TRIVIAL_ERROR, Release, Sanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import plural
from lsclasses.options import check_arguments
from lsclasses.point_names import Point
from lsclasses.table import Table

REALIZABLE_ERROR = "realizable sanitization error"
"""Name of the quantity in bounds on `realizable_error`."""


class RealizableRelease(Release):
    """The release of a realizable sanitizer: for every concept, the estimate 0 or 1.

    The estimate is 0 for concepts that are 0 on all rows, and 1 for concepts that are 1 on at least
    a share alpha of the rows, except with probability beta.

    A subclass supplies `domain`, `_estimate` and `hitting_dataset`.
    """

    @abstractmethod
    def hitting_dataset(self, size: int) -> PointSample:
        """Return a data set of `size` points that hits every concept of estimate 1.

        A data set hits a concept if the concept is 1 at one of the points.

        The points are computed only from the estimates, not from the data [LWY25, Alg 5].

        Raises
        ------
        InvalidInput
            If the method finds no set of so few points. This error depends only on the release.
        """


@dataclass(frozen=True)
class ReleasedPoints(RealizableRelease):
    """A release of points, where a concept has estimate 1 if it is 1 at one of the points.

    Parameters
    ----------
    of : FiniteDomain
        Points that may occur.
    points : tuple
        Different points of the domain, in its order.

    Examples
    --------
    >>> from lsclasses.hypothesis import Concept
    >>> released = ReleasedPoints(FiniteDomain("abcd"), ("b", "d"))
    >>> released.estimate(Concept.from_labels("abcd", [1, 0, 1, 1]))
    Fraction(1, 1)
    >>> "".join(released.hitting_dataset(5))
    'bdbdb'
    """

    of: FiniteDomain
    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        places = [self.of.index(x) for x in self.points]
        if sorted(set(places)) != places:
            raise InvalidInput("Released points must be different, in the order of the domain.")

    @property
    def domain(self) -> FiniteDomain:
        """The domain of the concepts."""
        return self.of

    def _estimate(self, h: Hypothesis) -> Fraction:
        return Fraction(any(h._label(x) for x in self.points))

    def _estimates(self, C: Table) -> list[Fraction]:
        places = [self.of.index(x) for x in self.points]
        return [Fraction(ones > 0) for ones in C.labels[:, places].sum(axis=1).tolist()]

    @check_arguments
    def hitting_dataset(self, size: Rows) -> PointSample:
        """Return a data set that repeats the released points.

        If no points were released, every estimate is 0, so every data set is suitable. Then the
        method repeats the first point of the domain.
        """
        if size < len(self.points):
            raise InvalidInput(
                f"There are {len(self.points)} released points, too many for {plural(size, 'row')}."
            )
        points = self.points or (self.of[0],)
        return PointSample(self.of, islice(cycle(points), size))


@dataclass(frozen=True)
class HistogramSanitizer(Sanitizer):
    """A realizable sanitizer that releases points of the data by a bounded histogram.

    The estimate of a concept is 1 if the concept is 1 at a released point, and 0 otherwise. The
    docstring of the module `learners.sanitizers.realizable` contains the proofs.

    Parameters
    ----------
    of : Table
        Class of the concepts. The accuracy bound depends on the class, but the release does not.
    histogram : BoundedHistogram
        Histogram with the neighbour relation ``"replace_one"``.

    Raises
    ------
    InvalidInput
        If the neighbour relation is ``"add_remove"``, under which the number of rows is not public.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=8").to_table()
    >>> sanitizer = HistogramSanitizer(C, BoundedHistogram(1, Fraction(1, 10**6)))
    >>> print(sanitizer.bounds(10**4)[0])
    realizable sanitization error <= 2*t*s/n = 27/5000 (proved in docs/sanitizers.md)
    >>> released = sanitizer.release([3] * 9000 + [5] * 990 + [6] * 10, SeededCoins(1))
    >>> released.points
    (3, 5)
    """

    of: Table
    histogram: BoundedHistogram

    def __post_init__(self) -> None:
        if self.histogram.neighbours != "replace_one":
            raise InvalidInput(
                "A sanitizer keeps the number of rows, so its histogram must be for a replaced "
                f"row. Got a histogram for {self.histogram.neighbours}."
            )

    @property
    def privacy(self) -> Event:
        """The privacy cost of a release."""
        return self.histogram.privacy

    @property
    def missed(self) -> int:
        """The largest number of rows on which a concept with estimate 0 can be 1.

        The number is 2 t s, where every noise is at most t, and every concept is 1 on at most s
        points of the domain.
        """
        largest = int(self.of.labels.sum(axis=1, dtype=np.int64).max(initial=0))
        return self.histogram.error * largest

    @check_arguments
    def bounds(self, rows: Rows | None = None) -> tuple[Bound, ...]:
        """Return the bound on the largest share of ones of a concept with estimate 0.

        Without a number of rows, the bound has no value.
        """
        value = None if rows is None else Fraction(self.missed, rows)
        return (Bound(__name__, REALIZABLE_ERROR, "2*t*s/n", value, TRIVIAL_ERROR),)

    def _release(self, sample: PointSample, coins: Coins) -> ReleasedPoints:
        domain = self.domain
        counts = dict(zip(domain, sample.counts.tolist(), strict=True))
        released = self.histogram.release(counts, coins, key=domain.index, domain=domain)
        named = sorted((x for x, _ in released), key=domain.index)
        return ReleasedPoints(domain, tuple(named))


def realizable_error(sanitized: Release, C: Table, points: PointSample) -> Fraction:
    """Return the largest share of ones of a concept with estimate 0. The value is not private.

    The share of ones is the share of the true points that a concept labels 1. The estimates are a
    realizable sanitization for every error alpha above the returned share [LWY25, Def. E.1]. If a
    concept that is 0 on all data has estimate 1, the estimates are not a realizable sanitization
    for any alpha, and the result is 1.

    Raises
    ------
    InvalidInput
        If an estimate is neither 0 nor 1, or the domains differ.

    Examples
    --------
    >>> C = Table([[1, 0, 0], [0, 1, 0], [0, 1, 1]])
    >>> sample = PointSample(C.domain, [0, 0, 0, 1])
    >>> realizable_error(ReleasedPoints(C.domain, (0,)), C, sample)
    Fraction(1, 4)
    >>> realizable_error(ReleasedPoints(C.domain, (2,)), C, sample[:3])
    Fraction(1, 1)
    """
    worst = Fraction(0)
    for estimate, share in zip(sanitized.estimates(C), points.frequencies(C), strict=True):
        if estimate not in (0, 1):
            raise InvalidInput(
                f"Estimates of a realizable sanitizer must be 0 or 1. Got {estimate}."
            )
        if estimate and not share:
            return Fraction(1)
        if not estimate:
            worst = max(worst, share)
    return worst
