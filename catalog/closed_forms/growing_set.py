"""Immutable sets that grow one element at a time without being copied."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T", bound=Hashable)

_EXTENDING = threading.Lock()


class GrowingSet(Generic[T]):
    """An immutable, hashable set; `added` takes constant time along a line of growing sets.

    A version space keeps the points that were labelled 0, one more in every round. Copying a set of
    a hundred thousand points in each round would dominate everything else. So a set and those grown
    from it share one dictionary, element to position, and each knows how many positions are its
    own. Only a second, different element added to the same set costs a copy.

    Parameters
    ----------
    elements : iterable of hashable

    Examples
    --------
    >>> small = GrowingSet([3, 5])
    >>> large = small.added(7)
    >>> 7 in large, 7 in small, len(large), large == GrowingSet([7, 5, 3])
    (True, False, 3, True)
    """

    __slots__ = ("_hash", "_length", "_positions")

    def __init__(self, elements: Iterable[T] = ()) -> None:
        self._positions: dict[T, int] = {}
        for x in elements:
            self._positions.setdefault(x, len(self._positions))
        self._length = len(self._positions)
        self._hash = 0
        for x in self._positions:
            self._hash ^= hash((x,))

    def added(self, x: T) -> GrowingSet[T]:
        """The set with `x` as well."""
        if x in self:
            return self
        grown: GrowingSet[T] = GrowingSet.__new__(GrowingSet)
        with _EXTENDING:
            shared = self._positions
            if len(shared) != self._length and shared.get(x) != self._length:
                shared = dict(itertools.islice(shared.items(), self._length))
            shared[x] = self._length
        grown._positions = shared
        grown._length = self._length + 1
        grown._hash = self._hash ^ hash((x,))
        return grown

    def __contains__(self, x: object) -> bool:
        position = self._positions.get(x)  # type: ignore[arg-type]
        return position is not None and position < self._length

    def __iter__(self) -> Iterator[T]:
        # A snapshot: the shared dictionary may grow while this set is walked through.
        return iter(list(itertools.islice(self._positions, self._length)))

    def __len__(self) -> int:
        return self._length

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GrowingSet):
            return NotImplemented
        if self._length != other._length or self._hash != other._hash:
            return False
        return self._positions is other._positions or all(x in other for x in self)

    def __hash__(self) -> int:
        return hash((self._length, self._hash))

    def __reduce__(self) -> tuple[Any, ...]:
        return GrowingSet, (list(self),)

    def __repr__(self) -> str:
        return f"GrowingSet({list(self)!r})"
