"""The laws of one layer: exact ones against simulation, and what is kept against what is proved."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.balls import ball
from learners.coins import Coins
from learners.exact import exact_distribution
from learners.layers.laws import kept_pairs, release_failures
from learners.mechanisms.histograms import BoundedHistogram
from tests.learners.layers.cases import TINY


def simulated(
    pairs: int, histogram: BoundedHistogram, mistakes: int, coins: Coins, cut: int = 0
) -> bool:
    """Whether the right hypothesis is released; each step as it is described."""
    hit = {coins.below(pairs) for _ in range(mistakes)}
    right = sum(coins.below(2) for _ in sorted(hit))
    stands = coins.places(right, pairs)
    both = sum(place % 2 == 0 and place + 1 in stands for place in stands)
    return any(count >= cut for _, count in histogram.release({"f": both}, coins))


@pytest.mark.parametrize("pairs", [2, 4])
@pytest.mark.parametrize("budget", [(4, Fraction(1, 50)), (1, Fraction(1, 3)), (8, Fraction(1, 9))])
def test_release_failures_are_exact(pairs: int, budget: Any) -> None:
    histogram = BoundedHistogram(*budget, "add_remove")
    failures = release_failures(pairs, histogram, 4)
    for mistakes in range(5 if pairs == 2 else 4):
        law = exact_distribution(partial(simulated, pairs, histogram, mistakes))
        # Rounded up, by a relative 2^-29.
        assert float(law[False]) <= failures[mistakes] <= float(law[False]) * (1 + 1e-8)


def test_release_failures_with_a_cut() -> None:
    histogram = BoundedHistogram(4, Fraction(1, 50), "add_remove")
    assert histogram.bound == 1
    exact = float(exact_distribution(partial(simulated, 4, histogram, 3, cut=3))[False])
    assert exact <= release_failures(4, histogram, 3, cut=3)[3] <= exact * (1 + 1e-8)


@settings(max_examples=20)
@given(st.integers(1, 40), st.integers(1, 6))
def test_more_mistakes_are_released_more_surely(half: int, budget: int) -> None:
    failures = release_failures(2 * half, BoundedHistogram(budget, TINY, "add_remove"), 99)
    assert (np.diff(failures) <= 1e-12).all() and failures[0] == 1.0


def test_no_pairs_are_kept_without_mistakes_or_if_they_may_deviate_by_more() -> None:
    size, good = 2**20, 2**19
    for mistakes in (0, -1, -(10**12)):
        assert kept_pairs(good, size, mistakes, ball(1), last=True) == 0
    assert kept_pairs(4, 8, 4, ball(50), last=False) == 0


def test_nothing_is_looked_at_beyond_what_is_enough() -> None:
    histogram = BoundedHistogram(2, TINY, "add_remove")
    whole = release_failures(200, histogram, 10**4, enough=Fraction(0))
    assert len(whole) == 801, "four times as many mistakes as pairs"
    for enough in (Fraction(1, 2), Fraction(1, 100)):
        found = release_failures(200, histogram, 10**4, enough=enough)
        assert found[-1] <= enough < found[-2]
        assert (found == whole[: len(found)]).all()


def proved(good: int, sequences: int, mistakes: int, deviation: int, *, last: bool) -> float:
    """Each step of the proof as it stands in docs/private-online.md, in floats."""
    n = sequences / 2

    def share(deviation: float, mean: float) -> float:
        """1 - e, with e^2 mean = deviation."""
        return max(0.0, 1 - sqrt(deviation / mean)) if mean > 0 else 0.0

    def meet(count: float) -> float:
        """Of so many with one hypothesis: g^2 a/4 = Lambda, then e^2 (1 - g^2) a^2/(4n)."""
        rest = max(0.0, 1 - deviation / (count / 4)) * count**2 if count > 0 else 0.0
        return rest / (2 * n) * share(deviation, rest / (4 * n))

    mean = good * (1 - exp(-mistakes / n))
    hit = mean * share(deviation, mean / 2)
    right = hit / 2 * share(deviation, hit / 4)
    if last:
        return meet(right)
    # Two groups of a third at least: g^2 (U/3)/4 = Lambda, then e^2 (1 - g)^2 a b/(4n).
    groups = share(deviation, right / 12) ** 2 * 2 * right**2 / 9
    return min(meet(2 * right / 3), 2 * groups / (2 * n) * share(deviation, groups / (4 * n)))


def agrees(kept: int, promised: float) -> bool:
    return promised * (1 - 1e-9) - 1 <= kept <= promised * (1 + 1e-9)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("deviation", [1, 3])
def test_few_pairs_are_kept_as_proved(deviation: int, last: bool) -> None:
    """Every step begins to promise something at another number of pairs."""
    kept = []
    for good in range(1, 1024, 3):
        kept.append(kept_pairs(good, 2048, 10**5, ball(deviation), last=last))
        assert agrees(kept[-1], proved(good, 2048, 10**5, deviation, last=last))
    assert kept[0] == 0 < kept[-1]


@given(
    st.integers(8, 40),
    st.fractions(Fraction(1, 100), 1, max_denominator=100),
    st.fractions(Fraction(1, 50), 5, max_denominator=50),
    st.integers(1, 60),
    st.booleans(),
)
def test_pairs_are_kept_as_proved(
    size: int, share: Fraction, covered: Fraction, deviation: int, last: bool
) -> None:
    half = 1 << size
    given = int(share * half), 2 * half, int(covered * half)
    kept = kept_pairs(*given, ball(deviation), last=last)
    assert agrees(kept, proved(*given, deviation, last=last))
