"""Draws made together: what statistics would not see in a lifetime."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from learners.coins import BLOCK, SPAN, SeededCoins, WordCoins, _AliasTable, _laplace_tables


class Words(WordCoins):
    """Coins whose words are given."""

    def __init__(self, words: list[int]) -> None:
        super().__init__()
        self._words = words[::-1]

    def _read(self) -> list[int]:
        raise AssertionError("more words were read than are needed")


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 1000, 2**63 + 1, SPAN - 1, SPAN])
def test_each_number_below_n_comes_of_equally_many_words(n: int) -> None:
    complete = SPAN // n * n
    for word in (0, n - 1, complete - n, complete - 1):
        assert Words([word]).below(n) == word % n
    for word in {complete, SPAN - 1} if complete < SPAN else ():
        coins = Words([word, 1])
        assert coins.below(n) == 1, "a word of the incomplete block is rejected"


COUNTS = ((1, 1, *(2,) * 20), (1, 1, *(2,) * 20, 26))
"""Of the weights 1, y, y^2, ...: the first two are half of all for a root y of a polynomial."""


def excess(counts: tuple[int, ...], x: Fraction) -> arb:
    """By how much the others exceed the first two, for y = exp(-x)."""
    y, found = (-arb(fmpq(x.numerator, x.denominator))).exp(), arb(0)
    for count in reversed(counts[2:]):
        found = found * y + count
    return found * y**2 - 1 - y


@cache
def root(counts: tuple[int, ...]) -> Fraction:
    """An x, right to 2^-250, such that the first two are half of all."""
    low, high = Fraction(0), Fraction(2)
    for _ in range(250):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(counts, middle) > 0 else (low, middle)
    return low


@pytest.mark.parametrize("close", range(170, 215, 4))
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("counts", COUNTS)
def test_the_end_of_a_part_is_never_taken_for_a_number_near_it(
    counts: tuple[int, ...], side: int, close: int
) -> None:
    """The first two parts end 2^-close before or after 1/2, and the number is nearer to 1/2.

    One word shows no difference between them. The ends are first computed to 192 bits, of which
    the last few are wrong.
    """
    with ctx.workprec(1000):
        # A larger x makes later weights lighter, so that the first parts end after 1/2.
        unit = root(counts) + Fraction(side, 2**close)
        assert (excess(counts, unit) < 0) == (side > 0)
    # At 1/2 or just below, until it is clear that the end is on the other side.
    words = [2**63, 0, 0, 0, 0, 0] if side > 0 else [2**63 - 1, *[SPAN - 1] * 5]
    drawn = Words(words).picks([-i for i in range(len(counts))], 1, unit, counts=counts)
    assert drawn == [1 if side > 0 else 2]


def test_more_draws_than_fit_a_block() -> None:
    for count in (BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3):
        assert len(SeededCoins(1).laplaces(1, count)) == count


def law_of_words(table: _AliasTable) -> Counter[int]:
    """How many of all 2^64 words stand for each value: each bucket has one or two."""
    buckets = len(table._keep)
    width = SPAN // buckets
    begin = np.arange(buckets, dtype=np.uint64) * np.uint64(width)
    low, high = begin.copy(), begin + np.uint64(width - 1)
    first, last = table.look_up(low), table.look_up(high)
    for _ in range(64):
        middle = low + (high - low) // np.uint64(2)
        same = table.look_up(middle) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found = Counter[int]()
    for one, other, end in zip(first.tolist(), last.tolist(), (high - begin).tolist(), strict=True):
        found[one] += width if one == other else end
        found[other] += 0 if one == other else width - end
    return +found


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13])
def test_a_table_has_exactly_the_law_of_its_weights(size: int) -> None:
    rng = np.random.default_rng(size)
    for place in (1, 256):
        parts = [int(part) for part in rng.integers(0, SPAN // size, size - 1, dtype=np.uint64)]
        parts.append(SPAN - sum(parts))
        expected = {place * i: part for i, part in enumerate(parts) if part}
        assert law_of_words(_AliasTable(parts, place)) == expected


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(5, 2), Fraction(64), Fraction(10**5)])
def test_tables_of_noise_are_right_to_64_bits(scale: Fraction) -> None:
    zero, digits = _laplace_tables(scale.numerator, scale.denominator)
    with ctx.workprec(400):
        rate = arb(fmpq(scale.denominator, scale.numerator))
        q = (-rate).exp()
        assert abs(zero - SPAN * (1 - q) / (1 + q)) <= 1
        for number, table in enumerate(digits):
            law = law_of_words(table)
            place = 256**number
            assert set(law) <= set(range(0, place * len(table._keep), place))
            # Digits in base 256; the highest is not bounded, but for what has no 64 bits left.
            size = 256 if number < len(digits) - 1 else None
            all_of_them = 1 - (-rate * place * size).exp() if size else arb(1)
            for value in (0, 1, 2, 7, 200):
                share = (-rate * place * value).exp() * (1 - (-rate * place).exp()) / all_of_them
                assert abs(law[place * value] - SPAN * share) <= 2
