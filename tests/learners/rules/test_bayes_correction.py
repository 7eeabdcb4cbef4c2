from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from learners.accounting import ApproximateDP, PureDP, Scope, Sequential, total, zcdp_rho
from learners.coins import SeededCoins
from learners.rules.bayes_correction import CorrectedBayes
from learners.rules.naive_bayes import SCORE_UNIT, cell_scores
from lsclasses.errors import InvalidInput

MILLION = Fraction(1, 10**6)
SHARE = Fraction(3, 10)


def sums_of(rows, probability, unit):
    """The true sums by column and cell, of two columns with two cells."""
    found = np.zeros((2, 2), dtype=int)
    for *cells, y in rows:
        for j, cell in enumerate(cells):
            found[j, cell] += unit * y - probability[tuple(cells)]
    return found


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_one_row_changes_the_sums_by_what_the_proof_says_and_may_do_so(neighbours):
    """All rows of two columns of two cells, and all probabilities 0, 1/2 and 1 of their cells."""
    unit = 2
    mechanism = CorrectedBayes(1, 2, SHARE, None, neighbours, unit)
    rows = list(product((0, 1), repeat=3))
    others = [()] if neighbours == "add_remove" else [(row,) for row in rows]
    absolute, squares = set(), set()
    for chances in product(range(unit + 1), repeat=4):
        probability = dict(zip(product((0, 1), repeat=2), chances, strict=True))
        for row, other in product(rows, others):
            change = sums_of([row], probability, unit) - sums_of(other, probability, unit)
            absolute.add(int(abs(change).sum()))
            squares.add(int((change**2).sum()))
    assert max(absolute) == mechanism.changes
    # With more than two columns, all but one of them have squares of 4 U^2: here one of two has.
    assert max(squares) <= mechanism.squares
    assert max(squares) == (8 if neighbours == "add_remove" else 4 * unit**2 + 2 * unit**2)


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_the_parts_cost_the_budget_together(neighbours):
    changed = 2 if neighbours == "replace_one" else 1
    pure = CorrectedBayes(2, 5, SHARE, None, neighbours)
    counts, sums = pure.parts
    assert 5 * changed / counts.noise.scale + pure.changes / sums.scale == 2
    assert pure.privacy == PureDP(2, name="corrected naive Bayes", scope=Scope.adaptive(neighbours))
    many = CorrectedBayes(1, 30, SHARE, MILLION, neighbours)
    counts, sums = many.parts
    together = total(Sequential((counts.privacy, sums.privacy)), MILLION)
    assert together.method == "gaussian" and Fraction(999, 1000) < together.epsilon <= 1
    # The noise of each part is less than the noise of its part of rho.
    rho = 30 * changed / (2 * counts.noise.variance) + many.squares / (2 * sums.variance)
    assert rho > Fraction(114, 100) * zcdp_rho(Fraction(1), MILLION)
    assert isinstance(many.privacy, ApproximateDP) and many.privacy.delta == MILLION
    few = CorrectedBayes(1, 1, SHARE, MILLION, neighbours)
    assert {each.variance for each in (few.parts[0].noise, few.parts[1])} == {None}
    assert isinstance(few.privacy, PureDP)


def test_columns_that_say_the_same_are_counted_once():
    """Four copies of one column: naive Bayes trusts them four times, the correction takes back."""
    rng = np.random.default_rng(1)
    cell = rng.integers(0, 2, 20_000)
    labels = (rng.random(20_000) < np.where(cell == 1, 0.7, 0.3)).astype(int)
    mechanism = CorrectedBayes(4, 4, SHARE)
    counts, sums = mechanism.release([cell] * 4, [2] * 4, labels, SeededCoins(1))
    true = float(np.log(0.7 / 0.3))
    odds = []
    for bias, scores in (
        cell_scores(counts, mechanism.parts[0].noise.deviation),
        mechanism.corrected(counts, sums),
    ):
        odds.append((bias + sum(column[1] for column in scores)) / SCORE_UNIT)
    assert odds[0] > 3.5 * true
    assert true < odds[1] < odds[0] - true


def test_residuals_in_proportion_to_rows_move_no_cell_and_all_rows_together():
    """What is missed alike everywhere is no column's fault; cells have 10, 20 and 30 rows."""
    mechanism = CorrectedBayes(1000, 1, SHARE)
    counts = (((4, 6), (8, 12), (12, 18)),)
    sums = (tuple(rows * mechanism.unit // 10 for rows in (10, 20, 30)),)
    bias, scores = cell_scores(counts, mechanism.parts[0].noise.deviation)
    moved, kept = mechanism.corrected(counts, sums)
    assert kept == scores
    assert moved > bias


def test_probabilities_are_those_of_integer_scores():
    mechanism = CorrectedBayes(1, 1, SHARE)
    odds = np.array([-40, 0, 1, 40]) * SCORE_UNIT
    assert mechanism.probabilities(odds).tolist() == [0, 128, 187, 256]


@pytest.mark.parametrize("share", [0, 1, Fraction(3, 2), 0.3])
def test_a_share_is_a_part_of_the_budget(share):
    with pytest.raises(InvalidInput, match="share"):
        CorrectedBayes(1, 2, share)
