"""Winnow where sums of weights are next to nothing, or nothing, and bounds are integers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from learners.online.base import IntegerVector
from learners.online.features import Literals
from learners.online.winnow import Winnow, winnow_bound


@pytest.mark.parametrize(("negative", "label"), [(0, 1), (1, 0), (2, 0)])
def test_the_sign_of_a_sum_is_exact(negative: int, label: int) -> None:
    """At margin 1/2 weights are as 3^a, and 3^40 - 2 (3^39 + ... + 1) = 1, far below rounding.

    With one or two more features of weight 1 against it, the sum is 0, which counts as -1, or -1.
    """
    agreements = [40, *(a for a in range(40) for _ in range(2)), *(0,) * negative]
    votes = tuple(int(a == 40) for a in agreements)
    sums = sum((2 * vote - 1) * 3**a for vote, a in zip(votes, agreements, strict=True))
    assert sums == 1 - negative
    state = Winnow(
        Literals(len(votes)),
        Fraction(1, 2),
        balanced=False,
        agreements=IntegerVector.of(np.array(agreements)),
        mistakes=40,
    )
    assert state.predict(votes) == label


@pytest.mark.parametrize("balanced", [False, True])
def test_at_margin_1_a_feature_that_erred_has_no_weight(balanced: bool) -> None:
    """So where all have erred, the sum is 0 and the prediction is 0, whatever the features are."""
    state = Winnow(Literals(3), Fraction(1), balanced=balanced)
    for x, y in (((1, 1, 0), 0), ((1, 1, 0), 1), ((0, 0, 1), 1), ((1, 0, 1), 1)):
        # Corrected whether it errs or not: the weights are what mistakes make them.
        state = state._corrected(x, y)
    assert state.mistake_bound is None
    assert {state.predict((a, b, c)) for a in (0, 1) for b in (0, 1) for c in (0, 1)} == {0}


@pytest.mark.parametrize("bits", range(1, 13))
def test_at_margin_1_each_mistake_halves_the_experts(bits: int) -> None:
    """The bound is log2 of their number, an integer that no rounding may fall short of."""
    for balanced in (False, True):
        state = Winnow(Literals(2 ** (bits - balanced)), Fraction(1), balanced=balanced)
        assert state.experts == 2**bits
        assert state.mistake_bound == bits


def test_there_is_a_weight_for_each_feature_its_negation_and_the_constants() -> None:
    counts = {
        (bias, balanced): Winnow(Literals(5), Fraction(1, 2), bias, balanced).experts
        for bias in (False, True)
        for balanced in (False, True)
    }
    assert counts == {
        (False, False): 5,
        (True, False): 6,
        (False, True): 10,
        (True, True): 12,
    }


@pytest.mark.parametrize("power", [0, 3, 14, 16, 30, 61, 200])
@pytest.mark.parametrize("factor", [1, 2, 3, 7, 13])
def test_no_margin_is_too_small_for_the_bound(factor: int, power: int) -> None:
    """It is ln N / KL, computed here to a thousand digits, at margins down to 10^-200."""
    denominator, experts = factor * 10**power, 20_002
    state = Winnow(Literals(10_000), Fraction(1, denominator), bias=True)
    assert state.experts == experts
    with ctx.workdps(1000):
        rho = arb(fmpq(1, denominator))
        kept = 0 if denominator == 1 else (1 - rho) * (1 - rho).log()
        exact = 2 * arb(experts).log() / ((1 + rho) * (1 + rho).log() + kept)
        bound = exact.floor().unique_fmpz()
    assert winnow_bound(experts, state.margin) == state.mistake_bound == bound


def test_bounds_that_are_integers_are_reached() -> None:
    """At margin 1 the bound of 2^n experts is n, and that of one expert less is less."""
    for bits in (1, 5, 60, 100, 120):
        assert winnow_bound(2**bits, Fraction(1)) == bits
        assert winnow_bound(2**bits - 1, Fraction(1)) == bits - 1


def test_a_sum_may_be_0_where_no_term_is() -> None:
    """At margin 1/3 the weights of no and one agreement are as 1 to 2."""
    state = Winnow(
        Literals(1), Fraction(1, 3), agreements=IntegerVector.of(np.array([1])), mistakes=1
    )
    signs = [state._sign(np.array(counts)) for counts in ([-2, 1], [2, -1], [-1, 1], [1, -1])]
    assert signs == [0, 0, 1, -1]
