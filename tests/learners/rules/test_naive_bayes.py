from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from learners.accounting import basic, gaussian_epsilon, gaussian_mu_squared
from learners.coins import SeededCoins
from learners.rules.naive_bayes import ADDED, SCORE_UNIT, NaiveBayes, cell_scores

MILLION = Fraction(1, 10**6)


def test_noise_has_the_scale_of_the_proof():
    pure = NaiveBayes(Fraction(1, 2), 5)
    assert pure.noise.scale == 20 and pure.noise.variance is None
    assert NaiveBayes(Fraction(1, 2), 5, neighbours="add_remove").noise.scale == 10
    few, many = NaiveBayes(1, 2, MILLION), NaiveBayes(1, 30, MILLION)
    assert few.noise.variance is None and basic(few.privacy) == (1, 0)
    assert basic(many.privacy) == (1, MILLION)
    assert many.noise.variance is not None and many.noise.variance < 2 * many.noise.scale**2
    # 30 columns, two changed counts each. The least normal noise has mu^2 = 60/sigma^2.
    assert gaussian_epsilon(60 / many.noise.variance, MILLION) <= 1 + MILLION


def test_scores_are_the_log_odds_of_naive_bayes():
    tables = (((30, 10), (70, 90)), ((50, 50), (-4, 1), (54, 49)))
    deviation = 5.0
    bias, scores = cell_scores(tables, deviation)
    # Totals: columns of 2 and 3 cells, weighted by 1/2 and 1/3.
    zero, one = 100.0 + 1, 100.0 + 1
    assert bias == round(SCORE_UNIT * math.log(one / zero)) == 0
    added = ADDED * deviation + 2
    assert scores[0][0] == round(SCORE_UNIT * math.log((10 + added / 2) / (30 + added / 2)))
    assert scores[1][1] == round(SCORE_UNIT * math.log((1 + added / 2) / (added / 2)))


def test_cells_without_rows_say_nothing_and_cells_with_many_what_their_rows_say():
    tables = (((0, 0), (9000, 1000), (90_000, 10_000)),)
    bias, (none, *many) = cell_scores(tables, 20.0)[0], cell_scores(tables, 20.0)[1][0]
    assert abs(none) <= 1
    assert all(abs(bias + each - SCORE_UNIT * math.log(1 / 9)) < 20 for each in many)


def test_shares_of_labels_are_weighted_means_of_what_columns_say():
    for tables, zero, one in (
        ((((30, 10),),), 30, 10),
        # No total is below 0.
        ((((-5, 10),),), 0, 10),
        # 30 of two cells and 26 of three: (30/2 + 26/3)/(1/2 + 1/3); and 12 and 6.
        ((((30, 10), (0, 2)), ((3, 0), (3, 1), (20, 5))), 28.4, 9.6),
    ):
        bias, _ = cell_scores(tables, 1.0)
        assert bias == round(SCORE_UNIT * math.log((one + 1) / (zero + 1)))


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_the_noise_of_less_variance_is_taken(neighbours):
    kinds = set()
    for columns in range(1, 40):
        each = NaiveBayes(1, columns, MILLION, neighbours)
        changes = columns * (2 if neighbours == "replace_one" else 1)
        # Normal noise: changes/sigma^2 = mu^2. Laplace: 2 scale^2, for the scale changes/epsilon.
        gaussian = changes / gaussian_mu_squared(Fraction(1), MILLION)
        variance = each.noise.variance
        assert (variance is None) == (gaussian > 2 * changes**2)
        assert variance is None or abs(variance / gaussian - 1) < Fraction(1, 500)
        assert variance is None or variance < 2 * changes**2
        kinds.add(variance is None)
    assert kinds == {True, False}


def test_many_columns_are_counted_like_few():
    # At so large an epsilon there is hardly any noise.
    cells = [np.array([j % 2, 1, 0]) for j in range(300)]
    found = NaiveBayes(10**6, 300).release(cells, [2] * 300, np.array([0, 1, 1]), SeededCoins(1))
    assert found[0] == ((1, 1), (0, 1)) and found[299] == ((0, 1), (1, 1))
