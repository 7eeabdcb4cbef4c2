"""Sets that grow without being copied."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from catalog.closed_forms.exceptions import GrowingSet


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 6)), max_size=40))
def test_every_branch_is_the_set_it_would_be_if_copied(steps: list[tuple[int, int]]) -> None:
    branches: list[tuple[GrowingSet[int], frozenset[int]]] = [(GrowingSet(), frozenset())]
    for parent, x in steps:
        grown, copied = branches[parent % len(branches)]
        branches.append((grown.added(x), copied | {x}))
    for grown, copied in branches:
        assert set(grown) == copied
        assert len(grown) == len(copied) == len(list(grown))
        assert [x in grown for x in range(7)] == [x in copied for x in range(7)]
        for other, other_copied in branches:
            assert (grown == other) == (copied == other_copied)
            assert grown != other or hash(grown) == hash(other)


def test_a_line_of_sets_shares_its_storage() -> None:
    line: list[GrowingSet[int]] = [GrowingSet()]
    for x in range(1000):
        line.append(line[-1].added(x))
    assert len({id(grown._positions) for grown in line}) == 1
    assert all(len(grown) == i for i, grown in enumerate(line))
    # Adding again what was added next anyway needs no copy; adding something else does.
    assert line[500].added(500)._positions is line[500]._positions
    other = line[500].added(-1)
    assert other._positions is not line[500]._positions
    assert (len(other), 500 in other, 499 in other) == (501, False, True)


def test_walking_through_a_set_while_it_grows() -> None:
    grown = GrowingSet(range(5))
    seen = []
    for x in grown:
        seen.append(x)
        grown = grown.added(x + 100)
    assert seen == [0, 1, 2, 3, 4]


def test_pickling_keeps_the_elements_only() -> None:
    small = GrowingSet([3, 1])
    small.added(99)
    copy = pickle.loads(pickle.dumps(small))
    assert copy == small
    assert set(copy._positions) == {1, 3}


def test_threads_may_add_to_the_same_set() -> None:
    base = GrowingSet(range(100))
    with ThreadPoolExecutor(8) as pool:
        grown = list(pool.map(base.added, range(1000, 1400)))
    for x, one in zip(range(1000, 1400), grown, strict=True):
        assert set(one) == {*range(100), x}
