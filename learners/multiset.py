"""Multisets of elements with few different states, where the number of elements may be huge."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from learners import checked
from learners.coins import Coins
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer

BITS = 4
WIDTH = 1 << BITS
"""Number of children of a node of the tree of counts."""
SPARE = 1 << 10
"""Number of unused states that a pool of states may store, in addition to the used states."""

S = TypeVar("S", bound=Hashable)

Node = tuple[int, tuple[Any, ...]]
"""A node of the tree of counts: a sum of counts, and its summands, which are counts or nodes."""


def _empty(level: int) -> Node:
    node: Node = (0, (0,) * WIDTH)
    for _ in range(level):
        node = (0, (node,) * WIDTH)
    return node


def _changed(node: Node, level: int, slot: int, change: int) -> Node:
    """Return the node after a change of a count, which shares its unchanged parts."""
    total, parts = node
    at = slot >> BITS * level & WIDTH - 1
    part = _changed(parts[at], level - 1, slot, change) if level else parts[at] + change
    return total + change, (*parts[:at], part, *parts[at + 1 :])


def _counts(node: Node, level: int) -> Iterator[tuple[int, int]]:
    """Yield the slots that something is in, in their order, with the counts."""
    for at, part in enumerate(node[1]):
        if not level:
            if part:
                yield at, part
        elif part[0]:
            for below, count in _counts(part, level - 1):
                yield at << BITS * level | below, count


class _Pool(Generic[S]):
    """States, each in a separate slot, shared by all multisets that grow from one multiset.

    Slots are only added, so the state of a slot never changes.
    """

    def __init__(self) -> None:
        self.states: list[S] = []
        self.hashes: list[int] = []
        self.slots: dict[S, int] = {}
        self._lock = threading.Lock()

    def slot(self, state: S) -> int:
        """Return the slot of a state, which is new if the state has no slot yet."""
        with self._lock:
            slot = self.slots.get(state)
            if slot is None:
                slot = len(self.states)
                self.states.append(state)
                self.hashes.append(hash(state))
                self.slots[state] = slot
        return slot


class Multiset(Mapping[S, int]):
    """An immutable multiset, a mapping from each state to its number of occurrences.

    Counts are Python integers, so the total may be 2^166 and more. Exchanging one element for
    another takes time and memory that grow with the logarithm of the number of *different* states.
    So does the uniform choice of one element. The counts are the leaves of a tree of sums, and a
    multiset shares most of this tree with the multisets that come from it.

    The elements are numbered from 0 on, with consecutive numbers for the elements in one state. So
    a uniform number is a uniform element. An exchange may change the numbers, and equal multisets
    may number their elements differently. Multisets from the same exchanges have the same numbers.

    (`learners.playing.copies.Copies` is for learners whose states vote. It keeps counts in arrays.)

    Parameters
    ----------
    counts : mapping, or iterable of (state, int)
        Number of occurrences of each state. Zeros are omitted.

    Raises
    ------
    InvalidInput
        If a count is negative or not an integer.

    Examples
    --------
    >>> trees = Multiset({"new": 2**166})
    >>> later = trees.exchanged("new", "old").exchanged("new", "old")
    >>> later["old"], later["new"] == 2**166 - 2, later.total == 2**166, trees["new"] == 2**166
    (2, True, True, True)
    >>> later == Multiset({"old": 2, "new": 2**166 - 2})
    True
    """

    __slots__ = ("_level", "_pool", "_root", "_terms", "_used")

    _pool: _Pool[S]
    _root: Node
    _level: int
    _used: int
    _terms: int

    def __init__(self, counts: Mapping[S, int] | Iterable[tuple[S, int]] = ()) -> None:
        pool: _Pool[S] = _Pool()
        self._pool, self._root, self._level, self._used, self._terms = pool, _empty(0), 0, 0, 0
        for state, given in counts.items() if isinstance(counts, Mapping) else counts:
            count = checked.nonnegative(given, "count of a state")
            if count:
                self._add(pool.slot(state), count)

    def _add(self, slot: int, change: int) -> None:
        """Add to a multiset under construction."""
        while slot >> BITS * (self._level + 1):
            padding = (_empty(self._level),) * (WIDTH - 1)
            self._root = (self._root[0], (self._root, *padding))
            self._level += 1
        before = self._count(slot)
        after = before + change
        self._root = _changed(self._root, self._level, slot, change)
        self._used += (after > 0) - (before > 0)
        state = self._pool.hashes[slot]
        self._terms += _term(state, after) - _term(state, before)

    def _count(self, slot: int) -> int:
        if slot >> BITS * (self._level + 1):
            return 0
        node = self._root
        for level in range(self._level, 0, -1):
            node = node[1][slot >> BITS * level & WIDTH - 1]
        count: int = node[1][slot & WIDTH - 1]
        return count

    @property
    def total(self) -> int:
        """The number of elements, counted with multiplicity."""
        return self._root[0]

    def __len__(self) -> int:
        """Return the number of distinct states."""
        return self._used

    def __getitem__(self, state: S) -> int:
        slot = self._pool.slots.get(state)
        count = 0 if slot is None else self._count(slot)
        if not count:
            raise KeyError(state)
        return count

    def __iter__(self) -> Iterator[S]:
        for slot, _ in _counts(self._root, self._level):
            yield self._pool.states[slot]

    def chosen(self, i: int) -> S:
        """Return the state of element number i, from 0 to `total` - 1.

        Raises
        ------
        InvalidInput
            If i is out of range.
        """
        left = integer(i, "number of a thing")
        if not 0 <= left < self.total:
            raise InvalidInput(f"Things are numbered from 0 to {self.total - 1}. Got {left}.")
        node, slot = self._root, 0
        for level in range(self._level, -1, -1):
            parts, at = node[1], 0
            while left >= (size := parts[at][0] if level else parts[at]):
                left, at = left - size, at + 1
            node, slot = parts[at], slot << BITS | at
        return self._pool.states[slot]

    def draw(self, coins: Coins) -> S:
        """Return the state of a uniformly random element.

        Raises
        ------
        InvalidInput
            If the multiset is empty.

        Examples
        --------
        >>> from learners.exact import exact_distribution
        >>> exact_distribution(Multiset({"a": 1, "b": 3}).draw).rational("b")
        Fraction(3, 4)
        """
        return self.chosen(coins.below(self.total))

    def exchanged(self, old: S, new: S) -> Multiset[S]:
        """Return the multiset with one `old` replaced by one `new`.

        Raises
        ------
        InvalidInput
            If there is no `old`.
        """
        slot = self._pool.slots.get(old)
        if slot is None or not self._count(slot):
            raise InvalidInput(f"Only an existing element can be exchanged. There is no {old!r}.")
        after = self._pool.slot(new)
        if after == slot:
            return self
        changed: Multiset[S] = Multiset.__new__(Multiset)
        changed._pool, changed._root, changed._level = self._pool, self._root, self._level
        changed._used, changed._terms = self._used, self._terms
        changed._add(slot, -1)
        changed._add(after, 1)
        # Drop the slots of unused states once there are many.
        spare = len(self._pool.states) > 2 * changed._used + SPARE
        return Multiset(changed.items()) if spare else changed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Multiset):
            return NotImplemented
        mine, theirs = ((each._terms, each.total, each._used) for each in (self, other))
        if mine != theirs:
            return False
        if self._pool is other._pool and self._level == other._level:
            return self._root == other._root
        return all(other.get(state, 0) == count for state, count in self.items())

    def __hash__(self) -> int:
        return hash((self.total, self._terms))

    def __reduce__(self) -> tuple[object, ...]:
        return Multiset, (list(self.items()),)

    def __repr__(self) -> str:
        things = "thing" if self.total == 1 else "things"
        states = "state" if self._used == 1 else "states"
        return f"<{self.total} {things} in {self._used} {states}>"


def _term(state: int, count: int) -> int:
    """Return the contribution of `count` copies of a state to the hash of a multiset."""
    return hash((state, count)) if count else 0


def total(counts: Mapping[S, int]) -> int:
    """Return the sum of all counts of a mapping. A `Multiset` stores this sum.

    Examples
    --------
    >>> total(Multiset({"a": 2**70})) == 2**70, total({"a": 1, "b": 3})
    (True, 4)
    """
    return counts.total if isinstance(counts, Multiset) else sum(counts.values())
