from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsclasses.searching.bitsets import maximal, members, of_members


@given(st.sets(st.integers(0, 200)))
def test_members_and_back(numbers: set[int]) -> None:
    assert list(members(of_members(numbers))) == sorted(numbers)


@given(st.lists(st.sets(st.integers(0, 6)), max_size=12))
def test_maximal(families: list[set[int]]) -> None:
    expected = {frozenset(s) for s in families if not any(s < other for other in families)}
    found = [frozenset(members(s)) for s in maximal(map(of_members, families))]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert [len(s) for s in found] == sorted(map(len, found), reverse=True)
