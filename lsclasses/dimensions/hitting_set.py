"""Small sets that meet all of some given sets, by branch and bound."""

from __future__ import annotations

from collections.abc import Sequence

from lsclasses.limits import Meter
from lsclasses.searching.bitsets import disjoint, members


def hitting_set(sets: Sequence[int], size: int, meter: Meter) -> int | None:
    """A set of at most `size` elements that meets all the given sets, or None if there is none.

    Parameters
    ----------
    sets : sequence of int
        Sets as bits of integers. The search is faster when none contains another.
    size : int
    meter : Meter
        Ticks on every step.

    Raises
    ------
    TooLarge
        When the time of the meter is over.

    Examples
    --------
    >>> sets = [0b0011, 0b0110, 0b1100]
    >>> bin(hitting_set(sets, 2, Meter(None))), hitting_set(sets, 1, Meter(None))
    ('0b110', None)
    """
    meter.tick()
    forced = 0
    for s in sets:
        if s.bit_count() == 1:
            forced |= s
    if forced:
        rest = [s for s in sets if not s & forced]
        size -= forced.bit_count()
        found = None if size < 0 else hitting_set(rest, size, meter)
        return None if found is None else found | forced
    if not sets:
        return 0
    if disjoint(sets) > size:
        return None
    smallest = min(sets, key=int.bit_count)
    often = {e: sum(s >> e & 1 for s in sets) for e in members(smallest)}
    excluded = 0
    for element in sorted(often, key=lambda e: -often[e]):
        bit = 1 << element
        # A solution with an element tried before has been ruled out.
        rest = [s & ~excluded for s in sets if not s & bit]
        if all(rest):
            found = hitting_set(rest, size - 1, meter)
            if found is not None:
                return found | bit
        excluded |= bit
    return None
