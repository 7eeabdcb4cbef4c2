"""Smallest sets of literals that meet all given sets, and the number of sets that meet them.

Both problems are hard in general. In online learning, the examples usually leave few short sets, or
so many long sets that a few literals meet all of them. The searches stop after a fixed amount of
work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from lsclasses.errors import TooLarge
from lsclasses.searching.bitsets import disjoint, members

SEARCH_LIMIT = 1 << 20
"""Largest number of sets that the search for a smallest set examines before it gives up."""
COUNT_LIMIT = 1 << 18
"""Largest number of sets that counting examines before it gives up."""


def minimal_sets(sets: Collection[int]) -> list[int]:
    """Return the sets that contain no other set, each once. Sets are bits of integers.

    Examples
    --------
    >>> [bin(s) for s in minimal_sets([0b11, 0b110, 0b1, 0b11])]
    ['0b1', '0b110']
    """
    found: list[int] = []
    for candidate in sorted(set(sets), key=lambda s: (s.bit_count(), s)):
        if all(smaller & ~candidate for smaller in found):
            found.append(candidate)
    return found


def smallest_hitting_set(sets: Collection[int], opposites: Sequence[int]) -> int:
    """Return a smallest set of literals that meets all sets and has no opposite literals.

    Parameters
    ----------
    sets : collection of int
        Sets of literals as bits of integers.
    opposites : sequence of int
        Opposite literals of every literal, as bits, or 0 without such literals. A literal and
        an opposite literal exclude each other. Some set without opposite literals must meet all
        sets.

    Raises
    ------
    TooLarge
        If `SEARCH_LIMIT` does not suffice. `lower` and `upper` bound the size.

    Examples
    --------
    >>> bin(smallest_hitting_set([0b0011, 0b0110, 0b1100], [0] * 4))
    '0b110'
    >>> bin(smallest_hitting_set([0b0101, 0b0110, 0b1001], [0b100, 0b1000, 0b1, 0b10]))
    '0b11'
    """
    chosen = _greedy(sets, opposites)
    search = _Search(opposites)
    size = disjoint(sets)
    try:
        while size < chosen.bit_count():
            found = search.within(sorted(sets, key=int.bit_count), size, 0)
            if found is not None:
                return found
            size += 1
    except _Stopped:
        raise TooLarge(
            f"The smallest set of literals that meets {len(sets)} sets, of {size} to "
            f"{chosen.bit_count()} literals, was not found within {SEARCH_LIMIT} steps.",
            limit=SEARCH_LIMIT,
            lower=size,
            upper=chosen.bit_count(),
        ) from None
    return chosen


def _greedy(sets: Collection[int], opposites: Sequence[int]) -> int:
    """Return a set that meets all sets, always adding the literal that meets most remaining sets.

    Opposite literals do not block the search. If literals have opposites, the remaining sets
    represent forbidden points of a subcube, and a literal represents one half of the subcube. The
    share of forbidden points in the chosen half is at most their share in the whole, so the half is
    never completely forbidden.
    """
    left = list(sets)
    chosen = excluded = 0
    while left:
        counts: dict[int, int] = {}
        for s in left:
            for literal in members(s & ~excluded):
                counts[literal] = counts.get(literal, 0) + 1
        best = max(counts, key=lambda literal: (counts[literal], -literal))
        chosen |= 1 << best
        excluded |= opposites[best]
        left = [s for s in left if not s >> best & 1]
    return chosen


class _Stopped(Exception):
    """Signal that the search has reached its limit."""


class _Search:
    """A depth-first search that counts its steps."""

    def __init__(self, opposites: Sequence[int]) -> None:
        self._opposites = opposites
        self._work = 0

    def within(self, sets: list[int], size: int, excluded: int) -> int | None:
        """Return a set of at most `size` literals, none of them excluded, that meets all sets."""
        self._work += len(sets) + 1
        if self._work > SEARCH_LIMIT:
            raise _Stopped
        if not sets:
            return 0
        # Every literal of some set is tried. Literals tried before are excluded in later branches.
        branch = min((s & ~excluded for s in sets), key=int.bit_count)
        if not branch or size <= 0:
            return None
        if size == 1:
            common = ~excluded
            for s in sets:
                common &= s
            common &= branch
            return common & -common or None
        if len(sets) > size and disjoint([s & ~excluded for s in sets]) > size:
            return None
        counts = {e: sum(s >> e & 1 for s in sets) for e in members(branch)}
        for literal in sorted(counts, key=lambda e: -counts[e]):
            rest = [s for s in sets if not s >> literal & 1]
            found = self.within(rest, size - 1, excluded | self._opposites[literal])
            if found is not None:
                return found | 1 << literal
            excluded |= 1 << literal
        return None


def count_hitting_sets(sets: Collection[int], variables: Sequence[tuple[int, ...]]) -> int:
    """Return the number of sets of literals, at most one per variable, that meet all sets.

    Parameters
    ----------
    sets : collection of int
        Sets of literals as bits of integers.
    variables : sequence of tuple of int
        Literals of each variable, as numbers of bits.

    Raises
    ------
    TooLarge
        If `COUNT_LIMIT` does not suffice.

    Examples
    --------
    >>> count_hitting_sets([0b01, 0b11], [(0,), (1,)])
    2
    """
    ways = [1]
    for literals in reversed(variables):
        ways.append(ways[-1] * (1 + len(literals)))
    ways.reverse()
    # Sets that are not met yet, with the number of choices that miss exactly these sets.
    missed: dict[frozenset[int], int] = {frozenset(sets): 1}
    total = work = 0
    for i, literals in enumerate(variables):
        later = 0
        for literal in (b for other in variables[i + 1 :] for b in other):
            later |= 1 << literal
        following: dict[frozenset[int], int] = {}
        for left, number in missed.items():
            if not left:
                total += number * ways[i]
                continue
            work += len(left)
            if work > COUNT_LIMIT:
                raise TooLarge(
                    f"The sets of literals that meet {len(sets)} sets were not counted within "
                    f"{COUNT_LIMIT} steps.",
                    limit=COUNT_LIMIT,
                )
            for rest in _choices(left, literals):
                if all(s & later for s in rest):
                    following[rest] = following.get(rest, 0) + number
        missed = following
    return total + missed.get(frozenset(), 0)


def _choices(left: frozenset[int], literals: Sequence[int]) -> Iterator[frozenset[int]]:
    """Yield the sets that are still missed, for no literal and for each literal."""
    yield left
    for literal in literals:
        yield frozenset(s for s in left if not s >> literal & 1)
