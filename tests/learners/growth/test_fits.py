"""Fitted exponents and their intervals, and the page of rates."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.bench_growth import PAGE, page
from learners.growth.all_rates import RATES
from learners.growth.fits import Fit, fit
from learners.growth.page import Measured, row
from lsclasses.errors import InvalidInput


def test_a_power_is_found_exactly():
    found = fit([(u, [3 * u**1.5]) for u in (1, 2, 4, 8)])
    assert found.exponent == pytest.approx(1.5)
    assert found.high - found.low == pytest.approx(0, abs=1e-9)


def test_intervals_cover_the_exponent_as_often_as_they_say():
    rng, covered = np.random.default_rng(1), 0
    for _ in range(400):
        values = [(u, u**0.7 * np.exp(0.2 * rng.standard_normal(3))) for u in (1, 2, 4, 8, 16)]
        found = fit(values)
        covered += found.low <= 0.7 <= found.high
    # 400 intervals of confidence 95 % cover between 366 and 394 times, but for a chance of 10^-3.
    assert 366 <= covered <= 394


def test_slope_is_the_slope_of_scipy():
    from scipy.stats import linregress

    measured = [(1, [2, 3]), (3, [7, 9]), (10, [40, 31])]
    points = [(np.log(u), np.log(value)) for u, values in measured for value in values]
    known, found = linregress(*zip(*points, strict=True)), fit(measured)
    assert found.exponent == pytest.approx(known.slope)
    # The quantile of the t distribution with 4 degrees of freedom.
    assert found.high - found.exponent == pytest.approx(2.7764451 * known.stderr)


def test_too_few_values_are_refused():
    with pytest.raises(InvalidInput, match="2 values and 2 parameters"):
        fit([(1, [2]), (2, [3])])


def test_a_row_has_the_ratios_and_the_comparison():
    cells = row(RATES["majority-d"], Measured("x", Fit(0.5, 0.4, 0.6))).split(" | ")
    assert cells[5].startswith("2 (2.2), 2.083 (2.091)")
    assert cells[6] == "0.50 (0.40 to 0.60), smaller"
    assert "log2\\|H\\|" in row(RATES["agnostic-H"], None)


@pytest.mark.slow
def test_the_page_has_the_numbers_of_the_records():
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text
