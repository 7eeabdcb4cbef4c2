"""Weighted choices from arrays, compared with definitions that use the same coins."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.coins import SeededCoins, WordCoins
from learners.coins.words import DEEPEST, SPAN
from lsclasses.errors import InvalidInput

RATES = st.fractions(min_value=Fraction(1, 500), max_value=3, max_denominator=500)


@given(
    st.lists(st.integers(0, 255) | st.integers(0, 2), min_size=1, max_size=200),
    RATES,
    st.sampled_from([np.uint8, np.uint16, np.uint32, np.int64]),
    st.booleans(),
    st.integers(0, 9),
)
def test_candidates_are_picked_by_the_levels_of_the_definition(
    gaps: list[int], rate: Fraction, kind: Any, counted: bool, seed: int
) -> None:
    """The index and the coins are those of levels that are computed one by one."""
    counts = np.arange(1, len(gaps) + 1) if counted else None
    coins, same = SeededCoins(seed), SeededCoins(seed)
    for _ in range(3):
        index = coins.pick_from(np.array(gaps, dtype=kind), -rate, counts)
        assert index == by_levels(gaps, rate, counts, same)
    assert coins.below(SPAN) == same.below(SPAN)


def by_levels(gaps: list[int], rate: Fraction, counts: Any, coins: WordCoins) -> int:
    """A candidate in proportion to exp(-rate gap), by a level and then one of its candidates."""
    numbers = [1] * len(gaps) if counts is None else counts.tolist()
    above = [rate * (gap - min(gaps)) for gap in gaps]
    levels = [min(int(x), DEEPEST) for x in above]
    sizes = [0] * (max(levels) + 1)
    for level, number in zip(levels, numbers, strict=True):
        sizes[level] += number
    proposals = [Fraction(3, 8) ** level * size for level, size in enumerate(sizes)]
    scale = 8 ** max(levels)
    while True:
        level, drawn = 0, coins.below(int(sum(proposals) * scale)) if max(levels) else 0
        while drawn >= sum(proposals[: level + 1]) * scale:
            level += 1
        members = [i for i, each in enumerate(levels) if each == level]
        rank = coins.below(sizes[level])
        while rank >= numbers[members[0]]:
            rank -= numbers[members.pop(0)]
        index = members[0]
        kept = all(coins._eight_to_three_e() for _ in range(level))
        # A fraction is not reduced, because its denominator determines the words that are read.
        rest = (gaps[index] - min(gaps)) * rate.numerator - level * rate.denominator
        if kept and coins._decays(rest, rate.denominator):
            return index


@given(
    st.lists(
        st.tuples(st.integers(0, 300), st.integers(1, 9) | st.integers(2**62, 2**64 - 1)),
        min_size=1,
        max_size=150,
    ),
    RATES,
    st.integers(0, 9),
)
def test_candidates_with_counts_are_picked_from_arrays_as_from_lists(
    candidates: list[tuple[int, int]], rate: Fraction, seed: int
) -> None:
    losses, counts = map(list, zip(*candidates, strict=True))
    coins, same = SeededCoins(seed), SeededCoins(seed)
    for unit in (-rate, rate):
        index = coins.pick_counted(np.array(losses), np.array(counts, dtype=np.uint64), unit)
        assert index == same.pick(losses, unit, counts)
    large = [2**70, *counts[1:]]
    index = coins.pick_counted(np.array(losses), np.array(large, dtype=object), rate)
    assert index == same.pick(losses, rate, large)
    assert coins.below(SPAN) == same.below(SPAN)


def test_counts_that_do_not_fit_the_weights_are_refused() -> None:
    coins, losses = SeededCoins(1), np.arange(3)
    for counts in (np.ones(2, dtype=np.uint64), np.array([1, 0, 1], dtype=np.uint64), np.ones(3)):
        with pytest.raises(InvalidInput, match="3 integers in a vector"):
            coins.pick_counted(losses, counts)
    with pytest.raises(InvalidInput, match="vector of integers"):
        coins.pick_counted(np.ones(3), np.ones(3, dtype=np.uint64))
    with pytest.raises(InvalidInput, match="less than 2\\^62"):
        coins.pick_counted(np.array([0, 2**62]), np.ones(2, dtype=np.uint64))
