"""Estimates of least squares from a tree of counts, held against dense linear algebra."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from learners.accounting import basic, gaussian_epsilon, zcdp_epsilon
from learners.audit.audit_registry import AUDITABLE
from learners.coins import SeededCoins
from learners.mechanisms.count_noise import CountNoise
from learners.mechanisms.count_trees import CountTree
from lsclasses.verdicts import Verdict

MILLION = Fraction(1, 10**6)
SHAPES = [(1, None), (4, None), (7, 2), (9, 3), (10, 4), (17, 16), (27, 3), (5, 2)]


def nodes(tree: CountTree) -> np.ndarray:
    """A row for each node, with ones at its bins: from the definition of the levels."""
    rows = [np.eye(tree.bins)]
    while tree.branching is not None and len(rows[-1]) > tree.branching:
        below = rows[-1]
        starts = range(0, len(below), tree.branching)
        rows.append(np.array([below[i : i + tree.branching].sum(axis=0) for i in starts]))
    return np.concatenate(rows)


def with_total(A: np.ndarray) -> np.ndarray:
    """The covariance of least squares under the constraint that the bins' total is known."""
    size = A.shape[1]
    basis = np.linalg.svd(np.ones((1, size)))[2][1:].T  # of the changes that keep the total
    return basis @ np.linalg.inv(basis.T @ A.T @ A @ basis) @ basis.T


@pytest.mark.parametrize(("bins", "branching"), SHAPES)
def test_estimates_and_deviations_are_those_of_dense_least_squares(bins, branching):
    tree = CountTree(Fraction(1, 2), bins, branching)
    A = nodes(tree)
    assert len(A) == sum(tree.sizes)
    counts = [(7 * i * i) % 50 for i in range(bins)]
    levels = tree.release(counts, SeededCoins(bins))
    noisy = np.array([x for level in levels for x in level], dtype=float)
    free = np.linalg.lstsq(A, noisy, rcond=None)[0]
    assert np.allclose([float(x) for x in tree.estimates(levels)], free)
    n = sum(counts)
    found = tree.estimates(levels, n)
    assert sum(found) == n
    fixed = np.full(bins, n / bins)
    if bins > 1:
        fixed += with_total(A) @ A.T @ (noisy - A @ fixed)
    assert np.allclose([float(x) for x in found], fixed)
    for known in (False, True):
        covariance = np.linalg.inv(A.T @ A) if not known else np.zeros((bins, bins))
        if known and bins > 1:
            covariance = with_total(A)
        for first, end in combinations(range(bins + 1), 2):
            asked = np.zeros(bins)
            asked[first:end] = 1
            wanted = tree.noise.deviation * np.sqrt(max(asked @ covariance @ asked, 0))
            assert tree.deviation(first, end, known=known) == pytest.approx(wanted, abs=1e-6)


def test_a_row_changes_as_many_counts_as_the_noise_is_for():
    for bins, branching in SHAPES:
        A = nodes(CountTree(1, bins, branching))
        for neighbours, most in (("replace_one", 2), ("add_remove", 1)):
            tree = CountTree(1, bins, branching, neighbours=neighbours)
            assert tree.changes == most * A[:, 0].sum()


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_the_noise_of_less_variance_is_taken(neighbours):
    kinds = set()
    for changes in (1, 2, 5, 9, 12, 40):
        noise = CountNoise(1, changes, MILLION, neighbours)
        kinds.add(noise.variance is None)
        if noise.variance is not None:
            assert noise.variance < 2 * noise.scale**2
            assert gaussian_epsilon(changes / noise.variance, MILLION) <= 1 + 100 * MILLION
            # Noise of earlier versions, calibrated by zCDP.
            old = CountNoise(1, changes, MILLION, neighbours, composition="zcdp")
            if old.variance is not None:
                assert noise.variance < old.variance * Fraction(9, 10)
                assert zcdp_epsilon(changes / (2 * old.variance), MILLION) <= 1
            assert basic(noise.privacy) == (1, MILLION)
    assert kinds == {True, False}


def test_the_deviation_is_that_of_noise_that_is_drawn():
    for noise in (CountNoise(Fraction(1, 3), 2), CountNoise(1, 60, MILLION)):
        drawn = np.array(noise.draw(5_000, SeededCoins(1)))
        assert drawn.std() == pytest.approx(noise.deviation, rel=0.05)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"add_remove": 1},
        pytest.param({"bins": 3, "branching": 2, "rows": 1, "epsilon": 14}, marks=pytest.mark.slow),
    ],
)
def test_exact_audits(given):
    built = AUDITABLE["count_tree"].instance(**given)
    epsilon = basic(built.privacy)[0]
    tail = Fraction(1, 2**30)
    assert built.audit((epsilon, 0), tail=tail).verdict != Verdict.VIOLATED
    assert built.audit((3 * epsilon / 4, 0), tail=tail).verdict == Verdict.VIOLATED
