r"""The base class of sanitizers, and their releases [LWY25, Def. 2.7].

A sanitizer for a class H turns n points into estimates Est(h). For every concept h of H, Est(h)
estimates the share of the points on which h is 1: |Est(h) - P_S(h)| <= alpha for all h at once,
except with probability beta. The estimates are released, so the sanitizer must be private. All
values computed from the release have no further privacy cost.

Labelled data are points (x, y) of X x {0, 1}. The class of queries is then `Table.label_class`, of
the concepts (x, y) -> [h(x) != y], and Est estimates the share of the rows on which h errs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from learners import checked
from learners.accounting import Event
from learners.bounds import Bound
from learners.checked import Rows
from learners.coins import Coins, require_coins
from learners.sanitizers.point_samples import PointSample
from lsclasses.domain import Domain, FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import plural
from lsclasses.options import check_arguments, check_fields
from lsclasses.packed_sums import weighted_sums
from lsclasses.point_names import check_label
from lsclasses.table import Table

__all__ = [
    "SANITIZATION_ERROR",
    "TRIVIAL_ERROR",
    "ExactSanitizer",
    "Release",
    "Sanitizer",
    "SyntheticData",
    "sanitization_error",
    "worst_estimate",
]

SANITIZATION_ERROR = "sanitization error"
"""Name of the quantity in bounds on `sanitization_error`."""

TRIVIAL_ERROR = Fraction(1)
"""Largest possible error of an estimate in [0, 1]."""


class Release(ABC):
    """The release of a sanitizer: for every concept, the estimated share of points with label 1.

    A subclass supplies `domain` and `_estimate`.
    """

    @property
    @abstractmethod
    def domain(self) -> FiniteDomain:
        """The domain of the concepts for which the release contains estimates."""

    @abstractmethod
    def _estimate(self, h: Hypothesis) -> Fraction: ...

    def _estimates(self, C: Table) -> Sequence[Fraction]:
        return [self._estimate(h) for h in C]

    def estimate(self, h: Hypothesis) -> Fraction:
        """Return the estimate of the share of the true points that a concept labels 1.

        Raises
        ------
        InvalidInput
            If the hypothesis labels another domain.
        """
        self._require(h.domain)
        return self._estimate(h)

    def estimates(self, C: Table) -> list[Fraction]:
        """Return the estimates for all concepts of a table, in the order of the table.

        Raises
        ------
        InvalidInput
            If the table is on another domain.
        """
        self._require(C.domain)
        return list(self._estimates(C))

    def _require(self, domain: Domain) -> None:
        if domain != self.domain:
            raise InvalidInput(
                f"The estimates are about concepts on {self.domain.describe()}. "
                f"Got {domain.describe()}."
            )


@dataclass(frozen=True)
class SyntheticData(Release):
    """Synthetic data: integer weights of the points of a public domain.

    The share of a concept is the weight of the points that it labels 1, divided by the total
    weight. It estimates the share of the true points with label 1.

    Parameters
    ----------
    of : FiniteDomain
        All points that could have occurred.
    weights : sequence of int
        Weight of each point, at least 0 and not all 0. Only their ratios matter.
    rows : int
        Number of true points, which is public under replace-one. It is the default size of
        `dataset`.

    Raises
    ------
    InvalidInput
        If the weights do not match the domain, are negative or all 0, or a number is not an
        integer.

    Examples
    --------
    >>> from lsclasses import FiniteDomain
    >>> data = SyntheticData(FiniteDomain("abc"), (3, 2, 2), 10)
    >>> from lsclasses.hypothesis import Concept
    >>> data.estimate(Concept.from_labels("abc", [1, 0, 1]))
    Fraction(5, 7)
    >>> "".join(data.dataset()), data.counts(4)
    ('aaaabbbccc', (2, 1, 1))
    """

    of: FiniteDomain
    weights: tuple[int, ...]
    rows: Rows

    def __post_init__(self) -> None:
        weights = checked.counts(self.weights, "weight")
        if len(weights) != len(self.domain):
            raise InvalidInput(
                f"Every point must have a weight. Got {plural(len(weights), 'weight')} for "
                f"{plural(len(self.domain), 'point')}."
            )
        if min(weights) < 0 or not any(weights):
            raise InvalidInput(
                "Weights of points must be at least 0, and one of them must be positive. "
                f"Got {'a negative one' if min(weights) < 0 else 'zeros only'}."
            )
        check_fields(self)
        set_frozen_fields(self, weights=weights)

    @property
    def domain(self) -> FiniteDomain:
        """The public domain of the synthetic points."""
        return self.of

    @property
    def total(self) -> int:
        """The sum of the weights of all synthetic points."""
        return sum(self.weights)

    def _estimate(self, h: Hypothesis) -> Fraction:
        pairs = zip(self.domain, self.weights, strict=True)
        return Fraction(sum(weight for x, weight in pairs if h._label(x)), self.total)

    def _estimates(self, C: Table) -> list[Fraction]:
        total = self.total
        return [Fraction(weight, total) for weight in weighted_sums(C.packed, self.weights)]

    def error(self, h: Hypothesis) -> Fraction:
        """Return the estimated share of the true labelled rows on which a hypothesis errs.

        Raises
        ------
        InvalidInput
            If the points are not pairs of a point and a label, or h does not label a point.

        Examples
        --------
        >>> from lsclasses import Constant, FiniteDomain
        >>> X = FiniteDomain("ab")
        >>> data = SyntheticData(FiniteDomain((x, y) for x in X for y in (0, 1)), (1, 3, 3, 1), 8)
        >>> data.error(Constant(X, 0))
        Fraction(1, 2)
        """
        wrong = 0
        for pair, weight in zip(self.domain, self.weights, strict=True):
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise InvalidInput(
                    "Errors are counted on pairs of a point and a label. Got the point "
                    f"{pair!r}. To estimate the share on which a concept is 1, use `estimate`."
                )
            wrong += weight if h(pair[0]) != check_label(pair[1]) else 0
        return Fraction(wrong, self.total)

    @check_arguments
    def counts(self, size: Rows | None = None) -> tuple[int, ...]:
        """Return the number of copies of each point in `dataset`, in the order of the domain.

        Every count is `size` times the point's share of the total weight, rounded down. The missing
        copies go, one each, to the points with the largest fractional parts. Among equal fractional
        parts, the first points of the domain get the copies.

        **Accuracy.** For a domain X, the share of every concept changes by at most |X|/(4 size).
        *Proof.* Let the fractional parts add up to r, so that the r largest parts are rounded up.
        Let f be the r-th largest part. Let s be the sum of 1 - part over the points rounded up. The
        sum of the parts of all other points is also s. So the count of any set of points rises or
        falls by at most s. We have s <= r (1 - f) and s <= (|X| - r) f. The average of these two
        bounds with weights (|X| - r)/|X| and r/|X| is r (|X| - r)/|X| <= |X|/4. QED

        Raises
        ------
        InvalidInput
            If the size is not a positive integer.
        """
        size = self.rows if size is None else size
        total = self.total
        counts, parts = zip(*(divmod(size * weight, total) for weight in self.weights), strict=True)
        missing = size - sum(counts)
        up = set(sorted(range(len(parts)), key=lambda i: -parts[i])[:missing])
        return tuple(count + (i in up) for i, count in enumerate(counts))

    def dataset(self, size: int | None = None) -> PointSample:
        """Return a data set in which each point occurs about in proportion to its weight.

        The method `counts` computes the numbers of copies. The points are in the order of the
        domain.

        Parameters
        ----------
        size : int, optional
            Number of points. By default, the number of true points.

        Raises
        ------
        InvalidInput
            If the size is not a positive integer.
        """
        counts = self.counts(size)
        return PointSample.counted(self.domain, dict(zip(self.domain, counts, strict=True)))

    def __repr__(self) -> str:
        return f"<SyntheticData for {self.rows} rows on {len(self.domain)} points>"


class Sanitizer(ABC):
    """A mechanism that estimates, for every concept of a class, the share of points with label 1.

    A subclass defines `_release`, and either a field `of` with the class or the property
    `concept_class`. A subclass that does not override `privacy` and `bounds` is not private and has
    no bounds.
    """

    composition_delta: Fraction | None = None
    """The delta of the stated total privacy, or None if basic composition determines it."""

    of: Table

    @property
    def concept_class(self) -> Table:
        """The class whose concepts have estimated shares of points with label 1."""
        return self.of

    @property
    def domain(self) -> FiniteDomain:
        """The public domain of the points, which is never computed from the data."""
        return self.concept_class.domain

    @property
    def privacy(self) -> Event | None:
        """The privacy cost of a release, for all data, or None if the sanitizer is not private."""
        return None

    @property
    def delta(self) -> Fraction | None:
        """The delta of the stated total privacy, or None if basic composition determines it."""
        return self.composition_delta

    @property
    def rows(self) -> int | None:
        """The number of rows of the data, or None if the sanitizer accepts every number."""
        return None

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the proved bounds for a number of rows. The default is the property ``rows``."""
        return ()

    def release(self, points: PointSample | Iterable[object], coins: Coins) -> Release:
        """Release private estimates of the share of points with label 1, for all concepts.

        Parameters
        ----------
        points : PointSample, or iterable of points
            Data set of points of the sanitizer's domain, at least one. The points of a labelled
            data set are pairs of a point and a label.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.

        Raises
        ------
        InvalidInput
            If there are no points, the number of points differs from `rows`, or a point is not in
            the domain.
        """
        require_coins(coins)
        sample = points if isinstance(points, PointSample) else PointSample(self.domain, points)
        if sample.domain != self.domain:
            raise InvalidInput(
                f"The sanitizer needs points of {self.domain.describe()}. "
                f"Got points of {sample.domain.describe()}."
            )
        if not len(sample):
            raise InvalidInput("A sanitizer needs at least one point. Got no points.")
        if self.rows is not None and len(sample) != self.rows:
            raise InvalidInput(f"The sanitizer needs {self.rows} points. Got {len(sample)}.")
        return self._release(sample, coins)

    @abstractmethod
    def _release(self, sample: PointSample, coins: Coins) -> Release: ...


@dataclass(frozen=True)
class ExactSanitizer(Sanitizer):
    """A sanitizer that releases the exact share of ones of every concept, without privacy.

    Parameters
    ----------
    of : Table
        Class of the queries.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=4").to_table()
    >>> sanitized = ExactSanitizer(C).release([0, 3, 3], SeededCoins(1))
    >>> [str(share) for share in sanitized.estimates(C)]
    ['1', '2/3', '2/3', '2/3', '0']
    """

    of: Table

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the bound 0 on the error."""
        return (Bound(__name__, SANITIZATION_ERROR, "0", 0, TRIVIAL_ERROR),)

    def _release(self, sample: PointSample, coins: Coins) -> SyntheticData:
        return SyntheticData(self.domain, tuple(sample.counts.tolist()), len(sample))


def worst_estimate(sanitized: Release, C: Table, points: PointSample) -> tuple[int, Fraction]:
    """Return the first concept whose estimate has the largest error, and the error.

    This function reads the true data, so its result is not private.

    Returns
    -------
    index : int
        Position of the concept in the table.
    error : Fraction

    Raises
    ------
    InvalidInput
        If the class has no concepts, or the domains differ.
    """
    if not len(C):
        raise InvalidInput("A class without concepts has no estimates to compare.")
    pairs = zip(sanitized.estimates(C), points.frequencies(C), strict=True)
    errors = [abs(estimate - share) for estimate, share in pairs]
    worst = max(errors)
    return errors.index(worst), worst


def sanitization_error(sanitized: Release, C: Table, points: PointSample) -> Fraction:
    """Return the exact error max_{h in C} |Est(h) - P_S(h)| of a release [LWY25, Def. 2.7].

    This function reads the true data, so its result is not private.

    Examples
    --------
    >>> C = Table([[1, 0, 0], [1, 1, 0]])
    >>> sample = PointSample(C.domain, [0, 0, 1, 2])
    >>> sanitization_error(SyntheticData(C.domain, (1, 1, 1), 4), C, sample)
    Fraction(1, 6)
    """
    return worst_estimate(sanitized, C, points)[1]
