"""Sets of small non-negative integers as Python integers, where bit i is 1 if i is in the set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsclasses.limits import tick

SLOW = 1 << 14
"""Least number of bits of sets for which a step takes as long as a check of the time limit."""


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set, in increasing order.

    Examples
    --------
    >>> list(members(0b10110))
    [1, 2, 4]
    """
    slow = bits.bit_length() > SLOW
    while bits:
        if slow:
            tick()
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def of_members(numbers: Iterable[int]) -> int:
    """Return the set, as an integer, of the given members.

    Examples
    --------
    >>> bin(of_members([1, 4, 2]))
    '0b10110'
    """
    bits = 0
    for i in numbers:
        bits |= 1 << i
    return bits


def maximal(sets: Iterable[int]) -> list[int]:
    """Return the sets that no other given set contains, without duplicates, largest first.

    Examples
    --------
    >>> [bin(s) for s in maximal([0b01, 0b11, 0b100, 0b11])]
    ['0b11', '0b100']
    """
    found: list[int] = []
    # A proper superset has more members, so it comes first. A comparison with the maximal sets
    # found so far suffices, because each discarded set has a superset among them.
    for candidate in sorted(set(sets), key=lambda s: (-s.bit_count(), s)):
        tick()
        if all(candidate & ~larger for larger in found):
            found.append(candidate)
    return found


def disjoint(sets: Iterable[int]) -> int:
    """Return a number of pairwise disjoint sets among some sets, found by a greedy choice.

    Examples
    --------
    >>> disjoint([0b011, 0b110, 0b100])
    2
    """
    taken = count = 0
    # Every order of the sets gives a valid count. Small sets come first, because they exclude fewer
    # of the later sets.
    for s in sorted(sets, key=int.bit_count):
        if not s & taken:
            taken |= s
            count += 1
    return count
