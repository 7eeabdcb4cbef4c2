"""Domains: the points that the concepts of a class are defined on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from lsclasses.errors import InvalidInput
from lsclasses.points import Point, plain

__all__ = ["Domain", "FiniteDomain"]


class Domain(ABC):
    """A set of points, finite or not, in a fixed order.

    Subclasses say how many points there are, which objects are points, and enumerate them.
    """

    @property
    @abstractmethod
    def size(self) -> int | None:
        """The number of points; None when there are infinitely many."""

    @abstractmethod
    def __contains__(self, x: object) -> bool: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Point]: ...

    def require(self, x: Any) -> Point:
        """`x` itself, if it is a point.

        Raises
        ------
        InvalidInput
            If `x` is no point of this domain.
        """
        point = plain(x)
        if point not in self:
            raise InvalidInput(f"{x!r} is not a point of the domain. It has {self.describe()}.")
        return point

    def describe(self) -> str:
        """A few words for error messages: how many points, and the first of them."""
        shown: list[str] = []
        for x in self:
            if len(shown) == 4:
                shown.append("...")
                break
            shown.append(repr(x))
        count = "infinitely many" if self.size is None else str(self.size)
        return f"{count} point{'' if self.size == 1 else 's'}: {', '.join(shown)}"


class FiniteDomain(Domain):
    """An explicit, ordered list of distinct points.

    Parameters
    ----------
    points : iterable of hashable
        The points, in order.

    Raises
    ------
    InvalidInput
        If a point appears twice or there is none.

    Examples
    --------
    >>> X = FiniteDomain(["a", "b", "c"])
    >>> X.size, X.index("b"), "d" in X
    (3, 1, False)
    """

    __slots__ = ("_index", "points")

    def __init__(self, points: Iterable[Any]) -> None:
        self.points: tuple[Point, ...] = tuple(plain(x) for x in points)
        self._index = {x: j for j, x in enumerate(self.points)}
        if not self.points:
            raise InvalidInput("A domain needs at least one point. Got none.")
        if len(self._index) != len(self.points):
            seen: set[Point] = set()
            twice = next(x for x in self.points if x in seen or seen.add(x))  # type: ignore[func-returns-value]
            raise InvalidInput(
                f"The points of a domain must be distinct. Got {twice!r} more than once."
            )

    @property
    def size(self) -> int:
        """The number of points."""
        return len(self.points)

    def index(self, x: Any) -> int:
        """The position of the point `x`.

        Raises
        ------
        InvalidInput
            If `x` is no point of this domain.
        """
        try:
            return self._index[x]
        except (KeyError, TypeError):
            return self._index[self.require(x)]

    def __contains__(self, x: object) -> bool:
        try:
            return x in self._index
        except TypeError:
            return False

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, j: int) -> Point:
        return self.points[j]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteDomain):
            return NotImplemented
        return self is other or self.points == other.points

    def __hash__(self) -> int:
        return hash(self.points)

    def __repr__(self) -> str:
        return f"FiniteDomain({list(self.points)!r})"
