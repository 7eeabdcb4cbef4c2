"""Winnow where sums of weights are next to nothing, or nothing, and bounds are integers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from learners.online.base import IntegerVector
from learners.online.features import Literals
from learners.online.winnow import Winnow


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
