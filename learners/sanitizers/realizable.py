r"""Which concepts are 1 somewhere on the data: realizable sanitization [LWY25, Def. E.1].

A realizable sanitizer of error alpha says of every concept h of a class 1 if P_S(h) >= alpha and 0
if P_S(h) = 0, except with probability beta; in between, either will do. It is less than a sanitizer
says (whose answer, cut at alpha/2, is one if it is right up to alpha/2), and needs fewer rows.

`HistogramSanitizer` is one for **all** functions at once: `BoundedHistogram` releases points of the
data, and h is said to be 1 somewhere if it is 1 at a released point.

**Accuracy.** With certainty, for h that is 1 at s points of the domain: 0 if P_S(h) = 0, and 1 if
n P_S(h) > 2 t s. *Proof.* Only points that occur are released, so a concept that is 1 at none of
the data is 1 at none of the released ones. If it is 1 at more than 2 t s of the data, one of the s
points occurs more than 2t times; its noisy count is at least 2t + 1 - t, the threshold. QED So
alpha = (2 t s + 1)/n for the largest s, with beta = 0: of order 1/n, where [LWY25, Thm E.5] has
n^(-2/3). On few points, or for concepts that are seldom 1, nothing comes close to it.

**Privacy.** That of the histogram; which points are released is computed from its counts.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, islice

import numpy as np

from learners import checked
from learners.accounting import Event
from learners.bounds import Bound
from learners.coins import Coins
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import TRIVIAL_ERROR, Release, Sanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import plural
from lsclasses.point_names import Point
from lsclasses.table import Table

REALIZABLE_ERROR = "realizable sanitization error"
"""The quantity of bounds on `realizable_error`."""


class RealizableRelease(Release):
    """The release of a realizable sanitizer: every estimate is 0 or 1.

    A subclass supplies `domain`, `_estimate` and `hitting_dataset`.
    """

    @abstractmethod
    def hitting_dataset(self, size: int) -> PointSample:
        """Return a data set of `size` points that hits every concept of estimate 1.

        They are computed from the estimates alone, and never from the data (below [LWY25, Alg 5]).

        Raises
        ------
        InvalidInput
            If no so few points were found. That is computed from what was released, too.
        """


@dataclass(frozen=True)
class ReleasedPoints(RealizableRelease):
    """A release of points: a concept has estimate 1 if it is 1 at one of them.

    Parameters
    ----------
    of : FiniteDomain
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
            raise InvalidInput("Released points are different, and in the order of the domain.")

    @property
    def domain(self) -> FiniteDomain:
        """The domain of the concepts."""
        return self.of

    def _estimate(self, h: Hypothesis) -> Fraction:
        return Fraction(any(h._label(x) for x in self.points))

    def _estimates(self, C: Table) -> list[Fraction]:
        places = [self.of.index(x) for x in self.points]
        return [Fraction(ones > 0) for ones in C.labels[:, places].sum(axis=1).tolist()]

    def hitting_dataset(self, size: int) -> PointSample:
        """Return the released points, repeated.

        If none was released, every estimate is 0, and any points will do: it is the first one.
        """
        size = checked.positive(size, "number of rows")
        if size < len(self.points):
            raise InvalidInput(
                f"There are {len(self.points)} released points, too many for {plural(size, 'row')}."
            )
        points = self.points or (self.of[0],)
        return PointSample(self.of, islice(cycle(points), size))


@dataclass(frozen=True)
class HistogramSanitizer(Sanitizer):
    """A realizable sanitizer: the points released by a bounded histogram; see the module.

    Parameters
    ----------
    of : Table
        The class. It does not matter to what is released, only to the bound.
    histogram : BoundedHistogram
        For replaced rows.

    Raises
    ------
    InvalidInput
        If the histogram is one for added and removed rows, so that their number is not public.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=8").to_table()
    >>> sanitizer = HistogramSanitizer(C, BoundedHistogram(1, Fraction(1, 10**6)))
    >>> print(sanitizer.bounds(10**4)[0])
    realizable sanitization error <= 2*t*s/n = 27/5000 (proved in lsclasses)
    >>> released = sanitizer.release([3] * 9000 + [5] * 990 + [6] * 10, SeededCoins(1))
    >>> released.points
    (3, 5)
    """

    of: Table
    histogram: BoundedHistogram

    def __post_init__(self) -> None:
        if self.histogram.neighbours != "replace_one":
            raise InvalidInput(
                "A sanitizer keeps the number of rows, so its histogram must be one for a replaced "
                f"row. Got one for {self.histogram.neighbours}."
            )

    @property
    def privacy(self) -> Event:
        """The privacy cost of a release."""
        return self.histogram.privacy

    @property
    def missed(self) -> int:
        """The most rows on which a concept is 1 and at no released point: 2 t s."""
        largest = int(self.of.labels.sum(axis=1, dtype=np.int64).max(initial=0))
        return self.histogram.error * largest

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """The bound on the largest missed share of the rows; no value if rows are omitted."""
        value = None if rows is None else Fraction(self.missed, checked.positive(rows, "rows"))
        return (Bound(__name__, REALIZABLE_ERROR, "2*t*s/n", value, TRIVIAL_ERROR),)

    def _release(self, sample: PointSample, coins: Coins) -> ReleasedPoints:
        domain = self.domain
        counts = dict(zip(domain, sample.counts.tolist(), strict=True))
        released = self.histogram.release(counts, coins, key=domain.index, domain=domain)
        named = sorted((x for x, _ in released), key=domain.index)
        return ReleasedPoints(domain, tuple(named))


def realizable_error(sanitized: Release, C: Table, points: PointSample) -> Fraction:
    """Return the largest share of a concept with estimate 0; looks at the data.

    The estimates are a realizable sanitization for every alpha above it [LWY25, Def. E.1]; it is 1,
    so that they are none, if a concept that is 1 nowhere on the data is said to be 1 somewhere.

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
            raise InvalidInput(f"Estimates of a realizable sanitizer are 0 or 1. Got {estimate}.")
        if estimate and not share:
            return Fraction(1)
        if not estimate:
            worst = max(worst, share)
    return worst
