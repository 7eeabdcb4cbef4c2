"""Logistic regression by objective perturbation: the objective, its minimum and its noise."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.mechanisms.k_norm_noise import KNormNoise
from learners.rules import logistic_objective
from learners.rules.logistic_objective import CURVATURE, VALUES, LogisticObjective, Weights
from learners.rules.logistic_regression import ObjectivePerturbation
from lsclasses.errors import InvalidInput, TooLarge

# ---- the interpolated logistic function


def test_the_interpolated_function_is_convex_and_close_to_the_logistic_function():
    slopes = np.diff(VALUES)
    assert (slopes >= 0).all() and VALUES[0] == 0 and VALUES[-1] == 1 << 16
    assert max(slopes) * 64 == CURVATURE * (1 << 16) and Fraction(1, 4) <= CURVATURE
    z = np.linspace(-20, 20, 100_001)
    interpolated = np.interp(z, np.arange(-1024, 1025) / 64, VALUES / 65536)
    assert np.abs(interpolated - 1 / (1 + np.exp(-z))).max() < 2e-5


def fraction_gradient(table, labels, l2, noise, weights) -> list[Fraction]:
    """Return the gradient by its definition, in fractions."""
    found = [l2 * w + b for w, b in zip(weights, noise, strict=True)]
    for row, label in zip(table, labels, strict=True):
        x = [Fraction(int(each), 256) for each in row]
        z = sum(a * b for a, b in zip(x, weights, strict=True))
        place = min(max(z, -16), 16) * 64
        node = min(math.floor(place), 1023)
        low, high = (Fraction(int(VALUES[node + 1024 + k]), 65536) for k in (0, 1))
        residual = low + (high - low) * (place - node) - int(label)
        found = [g + residual * each for g, each in zip(found, x, strict=True)]
    return found


@pytest.mark.parametrize("size", [1, 40, 10**6])
def test_the_gradient_is_exact(size):
    rng = np.random.default_rng(1)
    table, labels = rng.integers(-256, 257, (20, 3)), rng.integers(0, 2, 20)
    noise = [5, -7, 1 << 20]
    objective = LogisticObjective(table, labels, Fraction(5, 2), noise, 10)
    # Large weights leave the range of 64 bits.
    values = tuple(rng.integers(-size << 42, size << 42, 3).tolist())
    weights = [Fraction(v, 1 << 42) for v in values]
    expected = fraction_gradient(
        table, labels, Fraction(5, 2), [Fraction(b, 1 << 10) for b in noise], weights
    )
    assert objective.gradient(Weights(values, 42)) == expected


def small_objective(noise: tuple[int, int] = (3, -2)) -> LogisticObjective:
    table = np.array([[256, 256], [256, -256], [256, 100]])
    return LogisticObjective(table, np.array([1, 0, 0]), Fraction(1), noise, 1)


TIGHT = Fraction(1, 1 << 20)


def test_newton_and_descent_agree_within_the_certificate():
    objective = small_objective()
    first, second = objective.newton(), objective.descent(TIGHT)
    assert objective.certifies(first, TIGHT) and objective.certifies(second, TIGHT)
    distance = sum(
        abs(Fraction(a, 1 << first.bits) - Fraction(b, 1 << second.bits))
        for a, b in zip(first.values, second.values, strict=True)
    )
    assert distance <= 2 * 2 * TIGHT  # D t/l2 for each


def test_a_failed_newton_method_is_replaced_by_descent(monkeypatch):
    wrong = Weights((1 << 50, -(1 << 50)), 42)
    monkeypatch.setattr(LogisticObjective, "newton", lambda self, enough=0: wrong)
    objective = small_objective()
    assert not objective.certifies(wrong, TIGHT)
    assert objective.certifies(objective.certified_minimum(TIGHT), TIGHT)


def test_a_singular_matrix_and_huge_noise_raise_nothing_in_newtons_method(monkeypatch):
    """An exception that depends on the rows would be an output without noise."""
    assert small_objective((10**400, -(10**400))).newton() == Weights((0, 0), 42)

    def refuse(*_matrices):
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "solve", refuse)
    assert small_objective().newton() == Weights((0, 0), 42)
    assert small_objective().certifies(small_objective().certified_minimum(TIGHT), TIGHT)


def test_one_class_no_rows_constant_and_equal_columns_have_certified_minima():
    constant = np.full((50, 3), 256)
    for table, labels in (
        (constant, np.ones(50, dtype=int)),
        (constant, np.arange(50) % 2),
        (constant[:0], np.zeros(0, dtype=int)),
    ):
        objective = LogisticObjective(table, labels, Fraction(1, 4), [1000, 0, -1000], 2)
        assert objective.certifies(objective.certified_minimum(TIGHT), TIGHT)


def test_many_rows_are_added_up_in_parts(monkeypatch):
    rng = np.random.default_rng(2)
    table, labels = rng.integers(-256, 257, (300, 2)), rng.integers(0, 2, 300)
    objective = LogisticObjective(table, labels, Fraction(1), (0, 0), 0)
    whole = objective.gradient(Weights((1 << 40, 3), 42))
    monkeypatch.setattr(logistic_objective, "CHUNK", 7)
    assert objective.gradient(Weights((1 << 40, 3), 42)) == whole


# ---- noise


def test_the_norm_of_the_noise_is_a_sum_of_exponential_variables():
    noise, coins = KNormNoise(1000, (1, 1, 3)), SeededCoins(3)
    drawn = np.array([noise.draw(coins) for _ in range(6_000)]) / 1000
    norms = np.maximum(np.abs(drawn[:, :2]).max(axis=1), np.abs(drawn[:, 2:]).sum(axis=1))
    # D = 5: mean 5, variance 5. The standard errors are .03 and .12.
    assert abs(norms.mean() - 5) < 0.1 and abs(norms.var() - 5) < 0.5
    # Five standard errors of the mean of each coordinate, by symmetry 0.
    assert (np.abs(drawn.mean(axis=0)) < 0.25).all()
    # Independent of the norm, the block of three is the largest one in 3 of 5 draws.
    largest = np.abs(drawn[:, 2:]).sum(axis=1) >= np.abs(drawn[:, :2]).max(axis=1)
    assert abs(largest.mean() - 0.6) < 0.03


def test_each_gap_of_a_block_has_the_moments_of_a_uniform_point_of_the_cross_polytope():
    noise, coins = KNormNoise(1000, (1, 3)), SeededCoins(4)
    drawn = np.array([noise.draw(coins) for _ in range(6_000)]) / 1000
    # D = 4, E r^2 = 20. A size in the block of m = 3 has E g^2 = 2/((m + 1)(m + 2)) = .1 inside,
    # and 2/(m (m + 1)) = 1/6 on the boundary, with probability 3/4.
    expected = 20 * (0.1 / 4 + 3 / 4 / 6)
    assert np.allclose((drawn[:, 1:] ** 2).mean(axis=0), expected, rtol=0.12)


# ---- parameters


@pytest.mark.parametrize(("neighbours", "changes"), [("replace_one", 2), ("add_remove", 1)])
def test_the_parts_of_epsilon_add_up(neighbours, changes):
    mechanism = ObjectivePerturbation(Fraction(1), (1, 1, 4), neighbours)
    parts = mechanism.gradient_epsilon, mechanism.curvature_epsilon, mechanism.rounding_epsilon
    assert sum(parts) == 1 and min(parts) > 0
    assert float(mechanism.curvature_epsilon) >= math.log1p(3 / 4 / float(mechanism.l2))
    assert mechanism.noise.scale / 2**26 >= changes / mechanism.gradient_epsilon
    assert mechanism.rounding_scale >= 2 * mechanism.distance / mechanism.rounding_epsilon
    assert basic(mechanism.privacy) == (1, 0)
    assert not set(mechanism.noise.blocks) - {1, 4}


def test_wrong_arguments_are_refused():
    with pytest.raises(InvalidInput, match="too small for epsilon"):
        ObjectivePerturbation(1, (1, 1), l2=Fraction(1, 1024))
    with pytest.raises(InvalidInput, match="multiple of a power"):
        ObjectivePerturbation(1, (1, 1), l2=Fraction(1, 3))
    with pytest.raises(TooLarge, match="10001"):
        ObjectivePerturbation(1, (1,) * 10_001)
    mechanism = ObjectivePerturbation(1, (1, 2))
    with pytest.raises(InvalidInput, match="257"):
        mechanism.fit(np.array([[256, 256, 1]]), np.array([1]), SeededCoins(1))
    with pytest.raises(InvalidInput, match="Labels"):
        mechanism.fit(np.array([[256, 255, 1]]), np.array([2]), SeededCoins(1))
    with pytest.raises(InvalidInput, match="3 coordinates"):
        mechanism.fit(np.array([[256, 255]]), np.array([1]), SeededCoins(1))


# ---- the density of the exact minimum, in two dimensions


def log_density(rows, l2: float, scale: float, weights, w) -> float:
    """Return ln of p(g(w)) |det A(w)| up to a constant, with the logistic function itself."""
    x = np.array([x for x, _ in rows], dtype=float).reshape(-1, 2)
    y = np.array([label for _, label in rows], dtype=int)
    v = np.array(weights, dtype=float)[y]
    p = 1 / (1 + np.exp(-x @ w))
    g = x.T @ (v * (p - y)) + l2 * w
    a = (x.T * (v * p * (1 - p))) @ x + l2 * np.eye(2)
    return float(-np.abs(g).max() / scale + np.log(np.linalg.det(a)))


def largest_loss(neighbours: str, l2: float, scale: float, weights=(1, 1)) -> float:
    """Return the largest difference of log-densities of neighbours, on a grid of weights."""
    kinds = [((1, x), y) for x in (-1, 1) for y in (0, 1)]
    rest = [kinds[0]]
    alone = [[*rest, kind] for kind in kinds]
    pairs = (
        list(product(alone, repeat=2))
        if neighbours == "replace_one"
        else [(rest, more) for more in alone]
    )
    grid = [np.array(w) for w in product(np.linspace(-30, 30, 41), repeat=2)]
    found = {
        tuple(map(tuple, rows)): np.array([log_density(rows, l2, scale, weights, w) for w in grid])
        for rows in (*alone, rest)
    }
    return max(
        float(np.abs(found[tuple(map(tuple, a))] - found[tuple(map(tuple, b))]).max())
        for a, b in pairs
    )


# For a replaced row and two features, the loss of the gradient attains 3/4 of its bound: one of the
# two coordinates of the gradient changes by 2 only where the other coordinate is larger.
@pytest.mark.parametrize(("neighbours", "share"), [("replace_one", 0.75), ("add_remove", 0.93)])
def test_the_density_of_the_exact_minimum_keeps_the_claim_and_needs_most_of_it(neighbours, share):
    mechanism = ObjectivePerturbation(2, (1, 1), neighbours)
    claimed = float(mechanism.gradient_epsilon + mechanism.curvature_epsilon)
    scale = float(mechanism.noise.scale) / 2**26
    assert share * claimed < largest_loss(neighbours, float(mechanism.l2), scale) <= claimed


def test_noise_without_the_factor_two_for_a_replaced_row_exceeds_the_claim():
    mechanism = ObjectivePerturbation(2, (1, 1), "replace_one")
    scale = float(mechanism.noise.scale) / 2**26 / 2
    assert largest_loss("replace_one", float(mechanism.l2), scale) > 2.8


def test_a_hardly_regularised_objective_exceeds_the_claim():
    mechanism = ObjectivePerturbation(2, (1, 1), "add_remove")
    scale = float(mechanism.noise.scale) / 2**26
    assert largest_loss("add_remove", float(mechanism.l2) / 512, scale) > 3


# ---- class weights


@pytest.mark.parametrize(("neighbours", "share"), [("replace_one", 0.55), ("add_remove", 0.93)])
def test_the_density_of_a_weighted_minimum_keeps_the_claim(neighbours, share):
    """Replaced rows may have two classes of different weights."""
    weights = 1, 3
    mechanism = ObjectivePerturbation(2, (1, 1), neighbours, class_weights=weights)
    claimed = float(mechanism.gradient_epsilon + mechanism.curvature_epsilon)
    scale = float(mechanism.noise.scale) / 2**26
    loss = largest_loss(neighbours, float(mechanism.l2), scale, weights)
    assert share * claimed < loss <= claimed
    # The noise for weights of 1 is too small.
    assert largest_loss(neighbours, float(mechanism.l2), scale / 3, weights) > 1.5 * claimed


def test_the_weight_multiplies_the_part_of_epsilon_for_the_determinant():
    weights = 1, 12
    heavy = ObjectivePerturbation(4, (1, 1), "add_remove", class_weights=weights)
    light = ObjectivePerturbation(4, (1, 1), "add_remove")
    claimed, flat = float(heavy.curvature_epsilon), 1e12
    # With noise of a huge scale, only the determinant changes the density.
    loss = largest_loss("add_remove", float(heavy.l2), flat, weights)
    assert 0.99 * claimed < loss <= claimed
    assert largest_loss("add_remove", float(light.l2), flat, weights) > 4 * claimed


@pytest.mark.parametrize("size", [1, 10**6])
def test_the_weighted_gradient_is_exact(size):
    rng = np.random.default_rng(6)
    table, labels = rng.integers(-256, 257, (20, 3)), rng.integers(0, 2, 20)
    noise, row_weights = [5, -7, 1 << 20], (Fraction(2, 7), Fraction(3))
    values = tuple(rng.integers(-size << 42, size << 42, 3).tolist())
    weights = [Fraction(v, 1 << 42) for v in values]
    expected = [
        Fraction(5, 2) * w + Fraction(b, 1 << 10) for w, b in zip(weights, noise, strict=True)
    ]
    for row, label in zip(table, labels, strict=True):
        alone = fraction_gradient([row], [label], Fraction(0), [Fraction(0)] * 3, weights)
        expected = [a + row_weights[label] * b for a, b in zip(expected, alone, strict=True)]
    objective = LogisticObjective(
        table, labels, Fraction(5, 2), noise, 10, kind_weights=row_weights
    )
    assert objective.gradient(Weights(values, 42)) == expected


def test_an_integer_weight_counts_like_copies_of_a_row():
    rng = np.random.default_rng(7)
    table, labels = rng.integers(-256, 257, (30, 2)), rng.integers(0, 2, 30)
    copies = np.repeat(np.arange(30), np.where(labels == 1, 3, 1))
    at = Weights((1 << 40, -5), 42)
    weighted = LogisticObjective(table, labels, Fraction(1), (3, -2), 1, kind_weights=(1, 3))
    copied = LogisticObjective(table[copies], labels[copies], Fraction(1), (3, -2), 1)
    assert weighted.gradient(at) == copied.gradient(at)
    # Kinds other than the labels weight the rows too.
    kinds = LogisticObjective(
        table, 1 - labels, Fraction(1), (3, -2), 1, kinds=labels, kind_weights=(1, 3)
    )
    flipped = LogisticObjective(table[copies], 1 - labels[copies], Fraction(1), (3, -2), 1)
    assert kinds.gradient(at) == flipped.gradient(at)


@pytest.mark.parametrize("heavy", [Fraction(1, 3), Fraction(20)])
def test_weighted_minima_are_certified_by_newton_and_by_descent(heavy):
    table = np.array([[256, 256], [256, -256], [256, 100]])
    objective = LogisticObjective(
        table, np.array([1, 0, 0]), Fraction(2), (3, -2), 1, kind_weights=(Fraction(1), heavy)
    )
    assert objective.certifies(objective.newton(), TIGHT)
    assert objective.certifies(objective.descent(TIGHT), TIGHT)


def test_equal_weights_of_1_release_the_recorded_weights():
    """The numbers are from a release before class weights existed."""
    rng = np.random.default_rng(1)
    ages = rng.integers(-256, 257, 2000)
    table = np.column_stack([np.full(2000, 256), ages])
    expected = (-105853901, 24923176709)
    for options in ({}, {"class_weights": (1, 1)}, {"class_weights": (1, Fraction(1))}):
        mechanism = ObjectivePerturbation(1, (1, 1), **options)
        assert mechanism.fit(table, ages > 0, SeededCoins(1)) == expected


@pytest.mark.parametrize("heavy", [Fraction(3), Fraction(1, 2)])
@pytest.mark.parametrize(("neighbours", "changes"), [("replace_one", 2), ("add_remove", 1)])
def test_the_largest_weight_multiplies_the_noise_and_the_curvature(heavy, neighbours, changes):
    mechanism = ObjectivePerturbation(
        1, (1, 1, 4), neighbours, class_weights=(Fraction(1, 4), heavy)
    )
    parts = mechanism.gradient_epsilon, mechanism.curvature_epsilon, mechanism.rounding_epsilon
    assert mechanism.heaviest == heavy and sum(parts) == 1 and min(parts) > 0
    assert mechanism.noise.scale / 2**26 >= changes * heavy / mechanism.gradient_epsilon
    factor = 1 + float(CURVATURE * heavy) * 3 / float(mechanism.l2)
    assert math.log(factor) <= float(mechanism.curvature_epsilon) <= 1 / 16
    unweighted = ObjectivePerturbation(1, (1, 1, 4), neighbours)
    assert abs(mechanism.l2 - heavy * unweighted.l2) <= Fraction(1, 128)


def test_a_row_of_a_heavy_class_moves_the_minimum_more():
    table = np.full((40, 1), 256)
    labels = np.arange(40) % 2
    light, heavy = (
        ObjectivePerturbation(1, (1,), class_weights=weights).minimum(table, labels, [0])
        for weights in ((1, 1), (1, 3))
    )
    assert abs(light.values[0]) < 1 << 30 < heavy.values[0]


@pytest.mark.parametrize("weights", [(1, 0), (1, -1), (1, 10**7), (0.5, 1)])
def test_weights_out_of_range_are_refused(weights):
    with pytest.raises(InvalidInput, match="weight of a class"):
        ObjectivePerturbation(1, (1,), class_weights=weights)


# ---- several classes


@pytest.mark.parametrize(("neighbours", "changes"), [("replace_one", 2), ("add_remove", 1)])
def test_several_classes_share_the_parts_of_epsilon(neighbours, changes):
    mechanism = ObjectivePerturbation(1, (1, 4), neighbours, class_weights=(1, 2, 3))
    parts = mechanism.gradient_epsilon, mechanism.curvature_epsilon, mechanism.rounding_epsilon
    assert sum(parts) == 1 and min(parts) > 0 and basic(mechanism.privacy) == (1, 0)
    assert mechanism.noise.blocks == (1, 4) * 3 and mechanism.coordinates == 15
    assert mechanism.noise.scale / 2**26 >= changes * 3 / mechanism.gradient_epsilon
    factor = 1 + 3 * float(CURVATURE) * 2 / float(mechanism.l2)
    assert 3 * math.log(factor) <= float(mechanism.curvature_epsilon) <= 1 / 16
    assert mechanism.rounding_scale >= 2 * mechanism.distance / mechanism.rounding_epsilon
    # Each of 15 coordinates of the gradients may exceed 0 by the tolerance and the error of 17.
    gradient = 3 * Fraction(1, 1 << 16) + Fraction(17, 1 << 26)
    assert mechanism.distance >= 15 * (gradient * 2**32 / mechanism.l2 + Fraction(1, 2))


@pytest.mark.parametrize("heavy", [Fraction(1, 50), Fraction(40)])
def test_the_distance_covers_certified_weights_of_weighted_rows(heavy):
    """Any weights with the certificate may be released, here weights at its limit."""
    rng = np.random.default_rng(9)
    table, labels = rng.integers(-256, 257, (40, 2)), rng.integers(0, 2, 40)
    mechanism = ObjectivePerturbation(1, (1, 1), class_weights=(heavy / 2, heavy))
    noise = [1 << 20, -(1 << 21)]
    exact = mechanism.minimum(table, labels, noise)
    objective = LogisticObjective(
        table, labels, mechanism.l2, noise, 26, kind_weights=mechanism.class_weights
    )
    far = exact
    for step in (1 << k for k in range(42, 0, -1)):
        moved = Weights((far.values[0] + step, far.values[1] - step), far.bits)
        if objective.certifies(moved, mechanism.certified):
            far = moved
    sizes = zip(far.values, exact.values, strict=True)
    distance = sum(abs(Fraction(a - b, 1 << far.bits)) for a, b in sizes)
    assert 0 < distance * 2**32 <= mechanism.distance


def test_each_class_has_a_regression_against_the_rest():
    """With hardly any noise, the weights are the minima of the three objectives."""
    rng = np.random.default_rng(8)
    table = np.column_stack([np.full(60, 256), rng.integers(-256, 257, 60)])
    classes, weights = rng.integers(0, 3, 60), (Fraction(1), Fraction(2), Fraction(1, 2))
    mechanism = ObjectivePerturbation(10**9, (1, 1), l2=Fraction(1), class_weights=weights)
    found = np.array(mechanism.fit(table, classes, SeededCoins(1))) / 2**32
    for k in range(3):
        objective = LogisticObjective(
            table, (classes == k).astype(int), Fraction(1), (0, 0), 0, classes, weights
        )
        minimum = objective.certified_minimum(TIGHT)
        expected = np.array(minimum.values) / 2**minimum.bits
        assert np.allclose(found[2 * k : 2 * k + 2], expected, atol=1e-4)


def log_density_of_classes(counts, l2: float, scale: float, w, size) -> float:
    """Return ln of p(g(w)) |det A(w)| for regressions with only an intercept."""
    p, rows = 1 / (1 + np.exp(-w)), sum(counts)
    g = rows * p - np.array(counts) + l2 * w
    return float(-size(g) / scale + np.log(rows * p * (1 - p) + l2).sum())


def largest_loss_of_classes(mechanism: ObjectivePerturbation, size) -> float:
    """Return the largest difference of log-densities for tables of one to two rows."""
    l2, scale = float(mechanism.l2), float(mechanism.noise.scale) / 2**26
    rest = (1, 0, 0)
    alone = [tuple(np.add(rest, row)) for row in np.eye(3, dtype=int)]
    pairs = (
        list(product(alone, repeat=2))
        if mechanism.neighbours == "replace_one"
        else [(rest, more) for more in alone]
    )
    grid = [np.array(w) for w in product(np.linspace(-9, 9, 13), repeat=3)]
    found = {
        counts: np.array([log_density_of_classes(counts, l2, scale, w, size) for w in grid])
        for counts in (rest, *alone)
    }
    return max(float(np.abs(found[a] - found[b]).max()) for a, b in pairs)


@pytest.mark.parametrize(("neighbours", "share"), [("replace_one", 0.4), ("add_remove", 0.9)])
def test_the_density_of_three_minima_keeps_the_claim(neighbours, share):
    mechanism = ObjectivePerturbation(2, (1,), neighbours, class_weights=(1, 1, 1))
    claimed = float(mechanism.gradient_epsilon + mechanism.curvature_epsilon)
    loss = largest_loss_of_classes(mechanism, lambda g: np.abs(g).max())
    assert share * claimed < loss <= claimed
    # Independent noise of this scale for each regression costs the part of epsilon three times.
    if neighbours == "add_remove":
        assert largest_loss_of_classes(mechanism, lambda g: np.abs(g).sum()) > 2 * claimed


@pytest.mark.parametrize(
    ("row", "dtype", "blocks"),
    [([256, -32768], np.int16, (1, 1)), ([127, -128, -128, -128], np.int8, (1, 3))],
)
def test_the_least_number_of_a_small_type_has_a_size(row, dtype, blocks) -> None:
    with pytest.raises(InvalidInput, match="must add up to at most"):
        ObjectivePerturbation(1, blocks).fit(
            np.array([row], dtype=dtype), np.array([1]), SeededCoins(1)
        )
