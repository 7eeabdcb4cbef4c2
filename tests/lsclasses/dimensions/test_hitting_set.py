from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsclasses.dimensions.teaching import hitting_set
from lsclasses.limits import Meter


@given(st.lists(st.integers(1, 2**7 - 1), max_size=10))
def test_against_all_sets(sets: list[int]) -> None:
    least = min(chosen.bit_count() for chosen in range(2**7) if all(chosen & s for s in sets))
    for size in range(8):
        found = hitting_set(sets, size, Meter(None))
        if size < least:
            assert found is None
        else:
            assert found is not None
            assert found.bit_count() <= size
            assert all(found & s for s in sets)


def test_an_empty_set_cannot_be_met() -> None:
    assert hitting_set([0b1, 0], 5, Meter(None)) is None


def test_forced_elements_do_not_nest() -> None:
    assert hitting_set([1 << i for i in range(3000)], 3000, Meter(None)) == (1 << 3000) - 1
