"""The codec of dataclasses: what it wrote is read again, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.codec import Codec, written


@dataclass(frozen=True)
class Part:
    name: str
    weight: Fraction | int


@dataclass(frozen=True)
class Whole:
    count: int
    exact: bool
    total: Fraction | None
    parts: tuple[Part, ...] = ()


parts = st.builds(Part, st.text(), st.fractions())
wholes = st.builds(
    Whole, st.integers(), st.booleans(), st.none() | st.fractions(), st.lists(parts).map(tuple)
)


@given(wholes)
def test_what_was_written_is_read_again(whole: Whole) -> None:
    assert Codec().read(Whole, written(whole)) == whole


@pytest.mark.parametrize(
    "change",
    [{"count": True}, {"count": "1"}, {"exact": 1}, {"parts": "ab"}, {"surplus": 0}],
)
def test_another_kind_or_a_surplus_entry_is_refused(change: dict[str, object]) -> None:
    data = {"count": 1, "exact": True, "total": None, "parts": []}
    with pytest.raises(TypeError):
        Codec().read(Whole, data | change)


def test_a_missing_entry_is_refused_even_if_it_has_a_default() -> None:
    with pytest.raises(LookupError, match="parts"):
        Codec().read(Whole, {"count": 1, "exact": True, "total": None})
