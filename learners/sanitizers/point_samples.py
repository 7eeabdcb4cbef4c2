"""Samples of points without labels, on a public finite domain."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Self, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners import checked
from lsclasses.domain import Domain, FiniteDomain, OnDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.packed_sums import weighted_sums
from lsclasses.point_names import Point
from lsclasses.table import Table

Counted = TypeVar("Counted", bound=Hashable)


def finite(domain: Domain | Iterable[object]) -> FiniteDomain:
    """Return the list of the points of a finite domain."""
    return domain if isinstance(domain, FiniteDomain) else FiniteDomain(domain)


class PointSample(OnDomain[FiniteDomain], Sequence[Point]):
    """A data set to be sanitized, with points of one finite domain in a fixed order.

    The points of a labelled data set are pairs (x, y), on the domain of `Table.label_class`. The
    domain is given and never computed from the points, because a sanitizer must not reveal which
    points occur.

    Parameters
    ----------
    domain : Domain
        Finite domain.
    points : iterable
        Points in order. The items of a `Sample` are pairs of a point and a label.

    Raises
    ------
    InvalidInput
        If an item is not a point of the domain.

    Examples
    --------
    >>> from lsclasses import FiniteDomain
    >>> sample = PointSample(FiniteDomain("abc"), "abbabb")
    >>> len(sample), sample[0], sample.counts.tolist()
    (6, 'a', [2, 4, 0])
    >>> PointSample(FiniteDomain("abc"), "abd")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: 'd' is not a point of the domain. It has 3 points: 'a', 'b', 'c'.
    """

    def __init__(self, domain: Domain, points: Iterable[object]) -> None:
        of = finite(domain)
        self._assign(of, np.fromiter((of.index(x) for x in points), dtype=np.int64))

    def _assign(self, domain: FiniteDomain, places: NDArray[np.int64]) -> None:
        self._domain = domain
        self._places = places

    @classmethod
    def at(cls, domain: Domain, places: ArrayLike) -> Self:
        """Return the sample of the points at given positions of the domain.

        Examples
        --------
        >>> from lsclasses import FiniteDomain
        >>> list(PointSample.at(FiniteDomain("abc"), [2, 0, 0]))
        ['c', 'a', 'a']
        """
        of, given = finite(domain), np.array(places)
        if given.ndim != 1 or (len(given) and given.dtype.kind not in "iu"):
            raise InvalidInput(
                "Positions of points must be a vector of integers. Got an array of "
                f"{given.dtype} of shape {given.shape}."
            )
        if len(given) and not (int(given.min()) >= 0 and int(given.max()) < len(of)):
            wrong = given[(given < 0) | (given >= len(of))][0]
            raise InvalidInput(
                f"A position must be at least 0 and less than {len(of)}, the number of points. "
                f"Got {wrong}."
            )
        sample = cls.__new__(cls)
        sample._assign(of, given.astype(np.int64))
        return sample

    @classmethod
    def counted(cls, domain: Domain, counts: Mapping[Counted, int]) -> Self:
        """Return the sample with given numbers of copies of the points, in the domain's order.

        Examples
        --------
        >>> from lsclasses import FiniteDomain
        >>> list(PointSample.counted(FiniteDomain("abc"), {"c": 1, "a": 2}))
        ['a', 'a', 'c']
        """
        of = finite(domain)
        numbers = [0] * len(of)
        for x, number in counts.items():
            numbers[of.index(x)] += checked.nonnegative(number, f"number of points {x!r}")
        sample = cls.__new__(cls)
        sample._assign(of, np.repeat(np.arange(len(of), dtype=np.int64), numbers))
        return sample

    @property
    def places(self) -> NDArray[np.int64]:
        """An array with the position in the domain of each point of the sample."""
        return self._places.copy()

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """A read-only array with the number of copies of each point of the domain."""
        counts = np.bincount(self._places, minlength=len(self._domain))
        counts.flags.writeable = False
        return counts

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Point: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> Point | Self:
        if not isinstance(place, slice):
            return self._domain[int(self._places[place])]
        part = type(self).__new__(type(self))
        part._assign(self._domain, self._places[place])
        return part

    def __repr__(self) -> str:
        return f"<PointSample of {len(self)} rows on {len(self._domain)} points>"

    def frequency(self, h: Hypothesis) -> Fraction:
        """Return the share of the points that a hypothesis labels 1, P_S(h) in [LWY25, Def. 2.7].

        Raises
        ------
        InvalidInput
            If there are no points, or the hypothesis labels another domain.
        """
        self._require(h.domain)
        ones = sum(
            n for x, n in zip(self._domain, self.counts.tolist(), strict=True) if h._label(x)
        )
        return Fraction(ones, len(self))

    def frequencies(self, C: Table) -> list[Fraction]:
        """Return, for every concept of a table, the share of the sample's points with label 1.

        Raises
        ------
        InvalidInput
            If there are no points, or the table has another domain.
        """
        self._require(C.domain)
        size = len(self)
        return [Fraction(ones, size) for ones in weighted_sums(C.packed, self.counts.tolist())]

    def _require(self, domain: Domain) -> None:
        if not len(self):
            raise InvalidInput("A share needs at least one point. Got no points.")
        if domain != self._domain:
            raise InvalidInput(
                "Concepts must be on the domain of the points, "
                f"{self._domain.describe()}. Got concepts on {domain.describe()}."
            )
