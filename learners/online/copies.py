"""Many copies of one learner, kept as the states they are in and how many copies are in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from learners.coins import whole
from learners.online.base import MistakeBounded
from lsclasses.errors import InvalidInput

__all__ = ["Copies"]

S = TypeVar("S", bound=MistakeBounded)


class Copies(Generic[S]):
    """A multiset of states of one learner: equal and hashed by which states and how often.

    Parameters
    ----------
    items : iterable of (state, int)
        How many copies are in which state, at least 0 each.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> copies = Copies.of(SOA(catalog.build("thresholds:n=2**20")), 10**5)
    >>> later = copies.advanced(7, 2**19, 1)
    >>> copies.ones(2**18), later.ones(2**18), later.distinct
    (0, 1, 2)
    """

    __slots__ = ("_counts", "_total")

    def __init__(self, items: Iterable[tuple[S, int]]) -> None:
        counts: dict[S, int] = {}
        for state, multiplicity in items:
            if multiplicity:
                counts[state] = counts.get(state, 0) + multiplicity
        self._counts = counts
        self._total = sum(counts.values())

    @classmethod
    def of(cls, state: S, count: int) -> Copies[S]:
        """So many copies, all in one state."""
        count = whole(count, "number of copies")
        if count < 1:
            raise InvalidInput(f"There must be at least one copy. Got {count}.")
        return cls([(state, count)])

    @property
    def count(self) -> int:
        """The number of copies."""
        return self._total

    @property
    def distinct(self) -> int:
        """The number of states they are in."""
        return len(self._counts)

    def items(self) -> Iterator[tuple[S, int]]:
        """The states with their numbers of copies."""
        return iter(self._counts.items())

    def ones(self, x: Any) -> int:
        """How many copies predict 1 at the point x."""
        return sum(count for state, count in self._counts.items() if state.predict(x))

    def chosen(self, i: int) -> S:
        """The state of copy number i."""
        i = whole(i, "number of a copy")
        if 0 <= i < self._total:
            for state, count in self._counts.items():
                if i < count:
                    return state
                i -= count
        raise InvalidInput(f"Copies are numbered from 0 to {self._total - 1}. Got {i}.")

    def advanced(self, i: int, x: Any, y: Any) -> Copies[S]:
        """The copies after number i has observed the label y of the point x."""
        before = self.chosen(i)
        after = before.observe(x, y)
        if after == before:
            return self
        counts = dict(self._counts)
        counts[before] -= 1
        counts[after] = counts.get(after, 0) + 1
        return Copies(counts.items())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Copies):
            return NotImplemented
        return self._counts == other._counts

    def __hash__(self) -> int:
        return hash(frozenset(self._counts.items()))

    def __repr__(self) -> str:
        return f"<{self._total} copies in {len(self._counts)} states>"
