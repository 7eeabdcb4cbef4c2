"""Domains: the points on which the concepts of a class are defined."""

from __future__ import annotations

import itertools
import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import tick
from lsclasses.numbers import size_in_words
from lsclasses.point_names import Point, canonical, plain
from lsclasses.random_integers import uniform_below

AT_ONCE = 1 << 16
"""Number of points that are numbered between two checks of a search's time limit."""

WALK_LIMIT = 1 << 22
"""Largest number of points that are enumerated to convert between a point and its position."""

LONGEST_NAME = 60
"""Number of characters from which on a message shortens the name of a point."""


class Domain(ABC):
    """A domain: a finite or infinite set of points in a fixed order.

    A subclass defines the number of points, recognizes points, and enumerates them. If the subclass
    can compute the position of a point without an enumeration, it overrides `_position` and `_at`.

    Two domains of one type are equal if their keys (`_key`) are equal. A `FiniteDomain` also equals
    each domain of another type that has the same points in the same order.
    """

    @property
    @abstractmethod
    def size(self) -> int | None:
        """The number of points, or None if the domain is infinite."""

    @abstractmethod
    def __contains__(self, x: object) -> bool: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Point]: ...

    def _key(self) -> Hashable:
        """Return the key that distinguishes domains of one type, by default the identity."""
        return id(self)

    def _position(self, x: Point) -> int:
        """Return the position of a point, by enumeration unless overridden."""
        for i, point in enumerate(self):
            if point == x:
                return i
            if i >= WALK_LIMIT:
                break
        raise TooLarge(
            f"The position of {x!r} in its domain needs an enumeration of more than {WALK_LIMIT} "
            "points.",
            limit=WALK_LIMIT,
        )

    def _at(self, i: int) -> Point:
        """Return the point at an existing position, by enumeration unless overridden."""
        if i >= WALK_LIMIT:
            raise TooLarge(
                f"The point at position {i} of a domain needs an enumeration of the {i} points "
                f"before it. The limit is {WALK_LIMIT}.",
                estimate=i,
                limit=WALK_LIMIT,
            )
        return next(itertools.islice(self, i, None))

    def _sample(self, rng: np.random.Generator) -> Point:
        """Return a uniform point of a finite domain. Domains of tuples override this method."""
        assert self.size is not None
        return self._at(uniform_below(rng, self.size))

    def index(self, x: Any) -> int:
        """Return the position of a point in the order of the domain, counted from 0.

        Raises
        ------
        InvalidInput
            If `x` is not a point of this domain.
        TooLarge
            If the method must enumerate more than 2^22 points.

        Examples
        --------
        >>> Vectors(2, 64).index((0,) * 61 + (1, 0, 1))
        5
        """
        return self._position(self.require(x))

    def point(self, i: int) -> Point:
        """Return the point at a position in the order of the domain, counted from 0.

        Raises
        ------
        InvalidInput
            If the domain has no point at this position.
        TooLarge
            If the method must enumerate more than 2^22 points.

        Examples
        --------
        >>> Vectors(3, 4).point(5), IntegerRange(10).point(2**70) == 10 + 2**70
        ((0, 0, 1, 2), True)
        """
        i = operator.index(i)
        if i < 0 or (self.size is not None and i >= self.size):
            raise InvalidInput(
                f"A position must be at least 0 and less than the number of points. Got {i}. The "
                f"domain has {self.describe()}."
            )
        return self._at(i)

    def sample(self, rng: Any = None) -> Point:
        """Return a uniformly random point of a finite domain.

        Parameters
        ----------
        rng : numpy.random.Generator or seed, optional
            Generator or seed for `numpy.random.default_rng`.

        Raises
        ------
        InvalidInput
            If the domain is infinite.

        Examples
        --------
        >>> FiniteDomain("abc").sample(rng=0)
        'c'
        """
        if self.size is None:
            raise InvalidInput(
                "There is no uniform distribution on infinitely many points. The domain has "
                f"{self.describe()}."
            )
        return self._sample(np.random.default_rng(rng))

    def __eq__(self, other: object) -> bool:
        if type(self) is type(other):
            return self is other or self._key() == other._key()
        if not isinstance(other, Domain):
            return NotImplemented
        if not (isinstance(self, FiniteDomain) or isinstance(other, FiniteDomain)):
            return False
        return self.size == other.size and all(x == y for x, y in zip(self, other, strict=True))

    def __hash__(self) -> int:
        # An explicit list of the points must have the hash of the domain that it lists.
        return hash((self.size, next(iter(self))))

    def require(self, x: Any) -> Point:
        """Return the point of this domain that equals a given object, such as 1 for True.

        Equal objects give the same representation of the point (`lsclasses.point_names.canonical`).
        So later results do not depend on the form of `x`. If that function does not suffice for the
        points of a domain, the domain overrides this method.

        Raises
        ------
        InvalidInput
            If `x` is not a point of this domain.
        """
        return canonical(self._member(x))

    def _member(self, x: Any) -> Point:
        """Return the element that equals a point of this domain, or the error of `require`."""
        point = plain(x)
        if point not in self:
            raise InvalidInput(f"{x!r} is not a point of the domain. It has {self.describe()}.")
        return point

    def describe(self) -> str:
        """Return a string with the number of points and the first points, for error messages."""
        shown: list[str] = []
        for x in self:
            if len(shown) == 4:
                shown.append("...")
                break
            name = repr(x)
            shown.append(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}...")
        count = "infinitely many" if self.size is None else size_in_words(self.size)
        return f"{count} point{'' if self.size == 1 else 's'}: {', '.join(shown)}"


D_co = TypeVar("D_co", bound=Domain, covariant=True)


class OnDomain(Generic[D_co]):
    """Base of objects on a domain that they store."""

    __slots__ = ()

    _domain: D_co

    @property
    def domain(self) -> D_co:
        """The points on which this object is defined."""
        return self._domain


class FiniteDomain(Domain):
    """A finite domain, given as an explicit, ordered list of distinct points.

    Parameters
    ----------
    points : iterable of hashable
        The points, in order.

    Raises
    ------
    InvalidInput
        If a point appears twice.

    Examples
    --------
    >>> X = FiniteDomain(["a", "b", "c"])
    >>> X.size, X.index("b"), "d" in X
    (3, 1, False)
    """

    __slots__ = ("_index", "points")

    def __init__(self, points: Iterable[Any]) -> None:
        self.points: tuple[Point, ...] = tuple(plain(x) for x in points)
        self._index: dict[Point, int] = {}
        for start in range(0, len(self.points), AT_ONCE):
            tick()
            some = self.points[start : start + AT_ONCE]
            self._index.update(zip(some, range(start, start + len(some)), strict=True))
        if len(self._index) != len(self.points):
            seen: set[Point] = set()
            twice = next(x for x in self.points if x in seen or seen.add(x))  # type: ignore[func-returns-value]
            raise InvalidInput(
                f"The points of a domain must be distinct. Got {twice!r} more than once."
            )

    @property
    def size(self) -> int:
        """The number of points of the domain."""
        return len(self.points)

    def index(self, x: Any) -> int:
        """Return the position of a point in the list of points, counted from 0.

        Raises
        ------
        InvalidInput
            If `x` is not a point of this domain.
        """
        try:
            return self._index[x]
        except (KeyError, TypeError):
            return self._index[self.require(x)]

    def require(self, x: Any) -> Point:
        """Return the listed point that equals `x`, such as 1 for 1.0."""
        return self.points[self._index[self._member(x)]]

    def _position(self, x: Point) -> int:
        return self._index[x]

    def _at(self, i: int) -> Point:
        return self.points[i]

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

    def _key(self) -> Hashable:
        return self.points

    def __repr__(self) -> str:
        return f"FiniteDomain({list(self.points)!r})"


class IntegerRange(Domain):
    """The domain of the integers from `start` to `stop` - 1, or of all integers from `start` on.

    Parameters
    ----------
    start : int
        First point.
    stop : int, optional
        Last point plus 1. The default is infinity.

    Raises
    ------
    InvalidInput
        If the range has no points.

    Examples
    --------
    >>> X = IntegerRange(0, 2**64)
    >>> X.size, 2**63 in X, -1 in X
    (18446744073709551616, True, False)
    >>> IntegerRange(0, 3) == FiniteDomain([0, 1, 2])
    True
    """

    __slots__ = ("start", "stop")

    def __init__(self, start: int, stop: int | None = None) -> None:
        if stop is not None and stop <= start:
            raise InvalidInput(
                f"A domain needs at least one point. Got the integers from {start} to {stop - 1}."
            )
        self.start = start
        self.stop = stop

    @property
    def size(self) -> int | None:
        """The number of integers in the range, or None if the range is infinite."""
        return None if self.stop is None else self.stop - self.start

    def __contains__(self, x: object) -> bool:
        x = plain(x) if isinstance(x, (np.integer, bool)) else x
        return isinstance(x, int) and self.start <= x and (self.stop is None or x < self.stop)

    def __iter__(self) -> Iterator[int]:
        if self.stop is None:
            return itertools.count(self.start)
        return iter(range(self.start, self.stop))

    def require(self, x: Any) -> int:
        """Return the integer of this range that equals `x`, such as 1 for True."""
        if type(x) is int and x >= self.start and (self.stop is None or x < self.stop):
            return x
        point = super().require(x)
        assert isinstance(point, int)
        return point

    def _key(self) -> Hashable:
        return self.start, self.stop

    def _position(self, x: Point) -> int:
        assert isinstance(x, int)
        return x - self.start

    def _at(self, i: int) -> int:
        return self.start + i

    def __repr__(self) -> str:
        return f"IntegerRange({self.start}{'' if self.stop is None else f', {self.stop}'})"


_BITS = [bytes(map(int, f"{byte:08b}")) for byte in range(256)]
"""The eight binary digits of each byte, the highest digit first."""


class Vectors(Domain):
    """The domain of all tuples of n integers from 0 to q - 1, in lexicographic order.

    Parameters
    ----------
    q : int
        Number of values of an entry.
    n : int
        Number of entries of a tuple.

    Raises
    ------
    InvalidInput
        If q or n is less than 1.

    Examples
    --------
    >>> X = Vectors(2, 64)
    >>> X.size == 2**64, (0, 1) * 32 in X, (0, 2) * 32 in X
    (True, True, False)
    >>> list(Vectors(2, 2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """

    __slots__ = ("_bytes", "n", "q")

    def __init__(self, q: int, n: int) -> None:
        if q < 1 or n < 1:
            raise InvalidInput(
                f"Vectors need n >= 1 entries with q >= 1 values. Got n={n} and q={q}."
            )
        self.q = q
        self.n = n
        # A learner checks its points every round, and the check of bytes is much faster.
        self._bytes = bytes(range(q)) if q <= 256 else None

    @property
    def size(self) -> int:
        """The number q^n of tuples."""
        return int(self.q**self.n)

    def _holds(self, x: Any) -> bool:
        if type(x) is not tuple or len(x) != self.n or set(map(type, x)) != {int}:
            return False
        if self._bytes is None:
            return bool(min(x) >= 0 and max(x) < self.q)
        try:
            return not bytes(x).translate(None, self._bytes)
        except ValueError:
            return False

    def __contains__(self, x: object) -> bool:
        return self._holds(x) or (isinstance(x, tuple) and self._holds(plain(x)))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        # itertools.product would enumerate all q values first.
        vector = [0] * self.n
        last = self.n - 1
        while last >= 0:
            yield tuple(vector)
            last = self.n - 1
            while last >= 0 and vector[last] == self.q - 1:
                vector[last] = 0
                last -= 1
            if last >= 0:
                vector[last] += 1

    def require(self, x: Any) -> tuple[int, ...]:
        """Return the tuple of this domain that equals `x`, such as (0, 1) for (False, True)."""
        if self._holds(x):
            return x  # type: ignore[no-any-return]
        point = super().require(x)
        assert isinstance(point, tuple)
        return point

    def _key(self) -> Hashable:
        return self.q, self.n

    def _position(self, x: Point) -> int:
        assert isinstance(x, tuple)
        if self.q == 2:
            return int("".join(map(str, x)), 2)
        position = 0
        for entry in x:
            position = position * self.q + entry
        return position

    def _at(self, i: int) -> tuple[int, ...]:
        if self.q == 2:
            whole = b"".join(map(_BITS.__getitem__, i.to_bytes(-(-self.n // 8))))
            return tuple(whole[-self.n :])
        entries = [0] * self.n
        for place in range(self.n - 1, -1, -1):
            i, entries[place] = divmod(i, self.q)
        return tuple(entries)

    def _sample(self, rng: np.random.Generator) -> tuple[int, ...]:
        if self.q <= 1 << 63:
            return tuple(rng.integers(self.q, size=self.n).tolist())
        return tuple(uniform_below(rng, self.q) for _ in range(self.n))

    def __repr__(self) -> str:
        return f"Vectors({self.q}, {self.n})"


class IntegerGrid(Domain):
    """The domain of all tuples of integers with bounded entries, in lexicographic order.

    Parameters
    ----------
    *sides : int
        Number n of values of an entry of the tuples, at least 1. The values are 0, ..., n - 1.

    Raises
    ------
    InvalidInput
        If there are no entries, or an entry has no values.

    Examples
    --------
    >>> list(IntegerGrid(2, 3))
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    >>> IntegerGrid(2**64, 10).index((3, 4)), IntegerGrid(2**64, 10).point(34)
    (34, (3, 4))
    """

    __slots__ = ("sides",)

    def __init__(self, *sides: int) -> None:
        if not sides or min(sides) < 1:
            raise InvalidInput(f"A grid needs sides of at least 1 point. Got {sides}.")
        self.sides = sides

    @property
    def size(self) -> int:
        """The number of tuples."""
        return math.prod(self.sides)

    def __contains__(self, x: object) -> bool:
        point = plain(x)
        return (
            isinstance(point, tuple)
            and len(point) == len(self.sides)
            and all(
                type(entry) is int and 0 <= entry < side
                for entry, side in zip(point, self.sides, strict=True)
            )
        )

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return lattice_points([range(side) for side in self.sides])

    def _key(self) -> Hashable:
        return self.sides

    def _position(self, x: Point) -> int:
        assert isinstance(x, tuple)
        position = 0
        for entry, side in zip(x, self.sides, strict=True):
            position = position * side + entry
        return position

    def _at(self, i: int) -> tuple[int, ...]:
        entries = []
        for side in reversed(self.sides):
            i, entry = divmod(i, side)
            entries.append(entry)
        return tuple(reversed(entries))

    def _sample(self, rng: np.random.Generator) -> tuple[int, ...]:
        return tuple(uniform_below(rng, side) for side in self.sides)

    def __repr__(self) -> str:
        return f"IntegerGrid({', '.join(map(str, self.sides))})"


def lattice_points(ranges: Sequence[range]) -> Iterator[tuple[int, ...]]:
    """Yield all tuples whose i-th entry is in the i-th range, in lexicographic order.

    The ranges may be arbitrarily long.

    Examples
    --------
    >>> next(lattice_points([range(3, 2**70), range(5)]))
    (3, 0)
    """
    if not ranges:
        yield ()
        return
    # itertools.product would enumerate all ranges first.
    for first in ranges[0]:
        for rest in lattice_points(ranges[1:]):
            yield first, *rest
