"""What is printed for the private Winnow, and the batch that is taken without being asked for."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from learners.online.winnow_parameters import WinnowParameters

TINY = Fraction(1, 10**6)


@pytest.mark.parametrize("rounds", [1, 3, 1000])
def test_the_printed_error_is_that_of_a_union_over_rounds(rounds: int) -> None:
    """Threshold 8 ln(2T/beta)/epsilon', error 8 ln(2T^2/beta)/epsilon', twice for each update.

    The paper's beta is half of the failure here.
    """
    failure = Fraction(9, 10)
    found = WinnowParameters.from_theorem(
        12, Fraction(1, 2), rounds, Fraction(2), TINY, failure=failure
    ).printed
    beta = float(failure) / 2
    assert found["error of the threshold"] / found["threshold"] == pytest.approx(
        math.log(2 * rounds**2 / beta) / math.log(2 * rounds / beta), rel=1e-12
    )
    assert found["mistakes"] == 2 * found["updates"] * found["error of the threshold"]


@pytest.mark.parametrize(
    ("margin", "epsilon", "share"),
    [
        (Fraction(1, 2), Fraction(1), Fraction(1, 3)),
        (Fraction(1, 3), Fraction(5), Fraction(1, 3)),
        (Fraction(1), Fraction(1, 5), Fraction(9, 10)),
        (Fraction(1, 5), Fraction(3), Fraction(1, 10)),
    ],
)
def test_the_batch_is_about_the_best(margin: Fraction, epsilon: Fraction, share: Fraction) -> None:
    """None from a tenth to ten times of it makes the bound two hundredths smaller."""
    given = 100, margin, 10**6, epsilon, TINY
    third = Fraction(1, 3)
    best = WinnowParameters.from_theorem(*given, share=share)
    for tenths in (1, 3, 5, 7, 9, 11, 13, 17, 30, 100):
        batch = max(2, best.batch * tenths // 10)
        other = WinnowParameters.from_theorem(*given, share=share, batch=batch, confidence=third)
        assert best.mistakes < other.mistakes * Fraction(51, 50)
