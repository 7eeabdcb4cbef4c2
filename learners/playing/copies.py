"""Many copies of one learner, stored as distinct states with numbers of copies."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from learners import checked
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import integer
from lsclasses.online import MistakeBounded
from lsclasses.point_names import Label, Point, check_label
from lsclasses.stacks import HypothesisStack

__all__ = ["Copies"]

COPIES_LIMIT = 1 << 62
"""The largest number of copies. Sums of numbers of copies are exact in 64 bits."""
SPARE_STATES = 1 << 10
"""Number of states without copies that a pool may store, in addition to the number of states with
copies."""
KNOWN_STEPS = 1 << 14
"""Largest number of transitions of a pool that are stored."""

S = TypeVar("S", bound=MistakeBounded)


class _Pool(Generic[S]):
    """States in separate slots, shared by all collections of copies that grow from one.

    Slots are only added, so the state in a slot never changes.
    """

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.states: list[S] = []
        self.hashes: list[int] = []
        self._slots: dict[S, int] = {}
        self._stack = HypothesisStack(domain)
        self._steps: dict[tuple[int, Point, Label], int] = {}
        self._lock = threading.Lock()

    def slot(self, state: S) -> int:
        """Return the slot of a state, or a new slot if the state has none yet."""
        with self._lock:
            slot = self._slots.get(state)
            if slot is None:
                slot = len(self.states)
                self._stack.append(state.hypothesis)
                self.states.append(state)
                self.hashes.append(hash(state))
                self._slots[state] = slot
        return slot

    def labels(self, x: Point) -> NDArray[np.bool_]:
        """Return the predictions of the states in all slots at a point."""
        with self._lock:
            return self._stack.labels(x)

    def after(self, slot: int, x: Point, y: Label) -> int:
        """Return the slot of the state after an example. Each step is computed once."""
        step = slot, x, y
        after = self._steps.get(step)
        if after is None:
            after = self.slot(self.states[slot]._observe(x, y))
            if len(self._steps) >= KNOWN_STEPS:
                self._steps.clear()
            self._steps[step] = after
        return after


class Copies(Generic[S]):
    """An immutable multiset of the states of many copies of a learner.

    Copies differ only because of examples, so a hundred thousand copies of a learner have few
    distinct states. The class stores the number of copies in each state. The predictions of all
    states at a point come from one pass over arrays (`lsclasses.stacks`). An example costs one
    transition, of the copy that receives it. Collections that are derived from one another share
    their states.

    Copies have numbers from 0 on, and copies in one state have consecutive numbers. So a uniform
    number is a uniform copy. The numbering may change when a copy observes an example, and equal
    collections may number their copies differently.

    Parameters
    ----------
    items : iterable of (state, int)
        States with their numbers of copies. All states label one domain.

    Raises
    ------
    InvalidInput
        If there is no copy, or a number of copies is negative, or domains differ.
    TooLarge
        If there are 2^62 copies or more.

    Notes
    -----
    *Which learner to copy.* `SOA` and `ConservativeSOA` have the same mistake bound. The state of
    `SOA` changes with nearly every example, but the state of `ConservativeSOA` changes on mistakes
    only. So `ConservativeSOA` has far fewer distinct states, and rounds are faster in proportion.

    *Costs.* With d distinct states, the predictions of all copies take time and memory
    proportional to d, and so does an example for one copy. A state takes a few bytes of arrays.
    States without copies stay in the shared pool until they outnumber the states with copies.
    Then the collection leaves the pool behind.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> copies = Copies.of(SOA(catalog.build("thresholds:n=2^20")), 10**5)
    >>> later = copies.advanced(7, 2**19, 1).advanced(0, 2**18, 1)
    >>> copies.ones(2**18), later.ones(2**18), later.distinct
    (0, 1, 3)
    >>> sorted(count for state, count in later.items())
    [1, 1, 99998]
    """

    __slots__ = ("_count", "_counts", "_distinct", "_pool", "_terms")

    _pool: _Pool[S]
    _counts: NDArray[np.int64]
    _count: int
    _distinct: int
    _terms: int

    def __init__(self, items: Iterable[tuple[S, int]]) -> None:
        pool: _Pool[S] | None = None
        counts: list[int] = []
        for state, multiplicity in items:
            number = checked.nonnegative(multiplicity, "number of copies")
            if not number:
                continue
            if pool is None:
                pool = _Pool(state.hypothesis.domain)
            slot = pool.slot(state)
            if slot == len(counts):
                counts.append(0)
            counts[slot] += number
        total = sum(counts)
        if pool is None:
            raise InvalidInput("There must be at least one copy. Got none.")
        if total >= COPIES_LIMIT:
            raise TooLarge(
                f"There may be less than 2^62 copies. Got {total}.",
                estimate=total,
                limit=COPIES_LIMIT,
            )
        terms = sum(map(_term, pool.hashes, counts))
        self._assign(pool, np.array(counts, np.int64), total, len(counts), terms)

    def _assign(
        self, pool: _Pool[S], counts: NDArray[np.int64], count: int, distinct: int, terms: int
    ) -> None:
        counts.setflags(write=False)
        self._pool, self._counts = pool, counts
        self._count, self._distinct, self._terms = count, distinct, terms

    @classmethod
    def of(cls, state: S, count: int) -> Copies[S]:
        """Return a collection of `count` copies in one state.

        Parameters
        ----------
        state : MistakeBounded
            The state, for example the `SOA` of a class or `Halving`.
        count : int
            Number of copies, at least 1.
        """
        return cls([(state, count)])

    @property
    def count(self) -> int:
        """The number of copies of the base learner."""
        return self._count

    @property
    def distinct(self) -> int:
        """The number of distinct states among the copies."""
        return self._distinct

    def items(self) -> Iterator[tuple[S, int]]:
        """Return the distinct states with their numbers of copies, in the order of the copies."""
        slots = np.flatnonzero(self._counts)
        numbers = self._counts[slots].tolist()
        return zip(map(self._pool.states.__getitem__, slots.tolist()), numbers, strict=True)

    def ones(self, x: object) -> int:
        """Return the number of copies that predict 1 at the point x.

        Raises
        ------
        InvalidInput
            If x is not a point of the domain.
        """
        return self._ones(self._pool.domain.require(x))

    def _ones(self, x: Point) -> int:
        return int(self._counts @ self._pool.labels(x)[: len(self._counts)])

    def chosen(self, i: int) -> S:
        """Return the state of copy number i, from 0 to `count` - 1.

        Raises
        ------
        InvalidInput
            If there is no such copy.
        """
        return self._pool.states[self._slot(integer(i, "number of a copy"))]

    def _slot(self, i: int) -> int:
        if not 0 <= i < self._count:
            raise InvalidInput(f"Copies are numbered from 0 to {self._count - 1}. Got {i}.")
        return int(self._counts.cumsum().searchsorted(i, side="right"))

    def advanced(self, i: int, x: object, y: object) -> Copies[S]:
        """Return the copies after only copy number i has observed the label y of the point x.

        Raises
        ------
        InvalidInput
            If the copy does not exist, x is not a point of the domain, or y is not a label.
        """
        return self._advanced(
            integer(i, "number of a copy"), self._pool.domain.require(x), check_label(y)
        )

    def _advanced(self, i: int, x: Point, y: Label) -> Copies[S]:
        pool, slot = self._pool, self._slot(i)
        after = pool.after(slot, x, y)
        if after == slot:
            return self
        counts = np.zeros(max(len(self._counts), after + 1), np.int64)
        counts[: len(self._counts)] = self._counts
        left, joined = int(counts[slot]), int(counts[after])
        counts[slot], counts[after] = left - 1, joined + 1
        distinct = self._distinct - (left == 1) + (joined == 0)
        terms = self._terms
        for where, before, now in ((slot, left, left - 1), (after, joined, joined + 1)):
            terms += _term(pool.hashes[where], now) - _term(pool.hashes[where], before)
        copies: Copies[S] = Copies.__new__(Copies)
        copies._assign(pool, counts, self._count, distinct, terms)
        # Slots of states without copies cost as much as others.
        return Copies(copies.items()) if len(counts) > 2 * distinct + SPARE_STATES else copies

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Copies):
            return NotImplemented
        if (self._terms, self._count, self._distinct) != (
            other._terms,
            other._count,
            other._distinct,
        ):
            return False
        if self._pool is other._pool:
            # The longer collection has no distinct states beyond the states of the shorter one.
            common = min(len(self._counts), len(other._counts))
            return self._counts[:common].tobytes() == other._counts[:common].tobytes()
        return dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash((self._count, self._terms))

    def __reduce__(self) -> tuple[object, ...]:
        return Copies, (list(self.items()),)

    def __repr__(self) -> str:
        copies = "copy" if self._count == 1 else "copies"
        states = "state" if self._distinct == 1 else "states"
        return f"<{self._count} {copies} in {self._distinct} {states}>"


def _term(state: int, count: int) -> int:
    """Return the contribution of `count` copies of a state to the hash of the collection."""
    return hash((state, count)) if count else 0
