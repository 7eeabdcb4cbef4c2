from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsclasses import Limit, TooLarge
from lsclasses.limits import within
from lsclasses.searching import bitsets
from lsclasses.searching.bitsets import disjoint, maximal, members, of_members


@given(st.sets(st.integers(0, 200)))
def test_members_and_back(numbers: set[int]) -> None:
    assert list(members(of_members(numbers))) == sorted(numbers)


def test_while_members_of_a_large_set_are_told_the_time_may_end() -> None:
    large = 1 << bitsets.SLOW | 1 << 5
    assert list(members(large)) == [5, bitsets.SLOW]
    with pytest.raises(TooLarge), within(Limit(seconds=1e-9)):
        list(members(large))


@given(st.lists(st.sets(st.integers(0, 6)), max_size=12))
def test_maximal(families: list[set[int]]) -> None:
    expected = {frozenset(s) for s in families if not any(s < other for other in families)}
    found = [frozenset(members(s)) for s in maximal(map(of_members, families))]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert [len(s) for s in found] == sorted(map(len, found), reverse=True)


@given(st.lists(st.sets(st.integers(0, 7), min_size=1), max_size=7))
def test_disjoint_sets_are_counted_and_no_other_one_could_be_added(
    families: list[set[int]],
) -> None:
    """So there are no fewer than the most there can be, divided by the size of the largest."""
    sets = [of_members(s) for s in families]
    most = 0
    for chosen in range(1 << len(sets)):
        parts = [s for i, s in enumerate(sets) if chosen >> i & 1]
        if (
            sum(map(int.bit_count, parts))
            == of_members(x for s in parts for x in members(s)).bit_count()
        ):
            most = max(most, len(parts))
    largest = max(map(len, families), default=1)
    assert -(-most // largest) <= disjoint(sets) <= most


def test_small_sets_are_taken_first() -> None:
    assert disjoint([0b1111, 0b0001, 0b0010, 0b1100]) == 3
    assert disjoint([0b111, 0b111]) == disjoint([0b1]) == 1
    assert disjoint([]) == 0
