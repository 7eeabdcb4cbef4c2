"""The accuracy bound of private logistic regression: its constants, its steps, its probability."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from learners.balls import at_most, ball
from learners.coins import SeededCoins
from learners.concentration import exponential_sum
from learners.rules import logistic_accuracy
from learners.rules.logistic_accuracy import LOSS_GAP, ExcessLogLoss, noise_square
from learners.rules.logistic_objective import CURVATURE, VALUES, LogisticObjective
from learners.rules.logistic_regression import ObjectivePerturbation
from lsclasses.errors import InvalidInput

# ---- constants


def test_the_loss_gap_covers_the_difference_of_both_losses():
    """The losses differ by an even function. Balls enclose it at the nodes from 0 to 16."""
    upper = [int(each) for each in VALUES[1024:]]
    sums, found = 0, []
    for k, (low, high) in enumerate(pairwise(upper), start=1):
        sums += low + high
        integral = Fraction(sums, 2 << 22)
        found.append(ball(integral) - ((ball(Fraction(k, 64)).exp() + 1) / 2).log())
    # Between the nodes and beyond them, the difference changes by less than 2 * 10^-7.
    largest = max(0.0, *(float(each.upper()) for each in found))
    least = min(0.0, *(float(each.lower()) for each in found))
    assert largest - least + 4e-7 <= float(LOSS_GAP)
    assert at_most(1 / (ball(1) + ball(16).exp()), Fraction(2, 10**7))


@pytest.mark.parametrize("count", [1, 2, 7, 40])
@pytest.mark.parametrize("failure", [Fraction(1, 20), Fraction(1, 80), Fraction(1, 10**6)])
def test_the_sum_of_exponential_variables_has_this_quantile(count, failure):
    def exceeded(x: float) -> float:
        """The probability of fewer than `count` events of a Poisson variable of mean x."""
        return sum(math.exp(-x + k * math.log(x) - math.lgamma(k + 1)) for k in range(count))

    found, t = float(exponential_sum(count, failure)), -math.log(failure)
    assert exceeded(found) <= failure * (1 + 1e-9) < exceeded(found - 1 / 1024) * (1 + 1e-9)
    assert found <= count + math.sqrt(2 * count * t) + t + 1 / 1024


@pytest.mark.parametrize("blocks", [(1,) * 12, (3, 1, 1, 5), (1, 19)])
def test_the_noise_rarely_exceeds_its_square_and_its_product(blocks):
    mechanism, coins = ObjectivePerturbation(1, blocks), SeededCoins(5)
    drawn = np.array([mechanism.noise.draw(coins) for _ in range(1500)]) / 2**26
    ends = np.cumsum((0, *blocks))
    norms = np.max([abs(drawn[:, a:b]).sum(axis=1) for a, b in pairwise(ends)], axis=0)
    failure = Fraction(1, 20)
    square = float(noise_square(blocks, failure))
    far = (drawn**2).sum(axis=1) > square * norms**2
    u = np.random.default_rng(1).normal(size=sum(blocks))
    m = min(math.sqrt(len(blocks)), math.sqrt(-2 * math.log(failure)))
    beyond = drawn @ u > m * norms * math.sqrt(u @ u)
    # Each statement holds but for 75 expected draws. The standard deviation is 8.4.
    assert far.sum() <= 110 and beyond.sum() <= 110
    if len(blocks) > 10:
        assert square < len(blocks)


# ---- the inequality of step 1


def interpolated_loss(table, labels, w) -> float:
    """Return the sum of the interpolated losses: integrals of piecewise linear derivatives."""
    nodes = np.arange(-1024, 1025) / 64
    values = VALUES / 65536
    sums = np.concatenate([[0.0], np.cumsum((values[1:] + values[:-1]) / 128)])
    z = table @ w / 256
    inside = np.clip(z, -16, 16)
    place = np.minimum((inside * 64 + 1024).astype(int), 2047)
    rest = inside - nodes[place]
    slopes = (values[place + 1] - values[place]) * 64
    integral = sums[place] + values[place] * rest + slopes * rest**2 / 2 + np.maximum(z - 16, 0)
    return float((integral - labels * z).sum())


def shortfall(table, labels, l2: float, *, b, v, u) -> tuple[float, float]:
    """Return the excess of the interpolated loss at w* + v over u, and the bound of step 1."""
    noise = [round(each * 2**26) for each in b]
    objective = LogisticObjective(table, labels, Fraction(l2), noise, 26)
    found = objective.certified_minimum(Fraction(1, 1 << 24))
    w = np.array(found.values) / 2**found.bits + v
    excess = interpolated_loss(table, labels, w) - interpolated_loss(table, labels, u)
    gap = u + b / l2 - v
    return excess, l2 / 4 * gap @ gap + float(CURVATURE) / 2 * ((table @ v / 256) ** 2).sum()


def test_the_excess_loss_is_below_the_quadratic_bound():
    rng = np.random.default_rng(3)
    for _ in range(60):
        rows, l2 = int(rng.integers(1, 30)), float(rng.choice([0.25, 1.0, 4.0]))
        table = rng.integers(-256, 257, (rows, 3))
        labels = rng.integers(0, 2, rows)
        b, u = rng.normal(scale=rng.choice([0.3, 10]), size=3), rng.normal(size=3)
        v = rng.normal(scale=rng.choice([1e-3, 0.5]), size=3)
        excess, bound = shortfall(table, labels, l2, b=b, v=v, u=u)
        assert excess <= bound + 1e-4


def test_rows_with_linear_losses_attain_the_quadratic_bound():
    # Eight rows of label 0 with the single feature 1, and noise -16: w* = (16 - 8)/l2 = 32.
    table, labels = np.full((8, 1), 256), np.zeros(8, dtype=int)
    excess, bound = shortfall(
        table, labels, 0.25, b=np.array([-16.0]), v=np.zeros(1), u=np.zeros(1)
    )
    # Weights of 0 have the log loss ln 2 instead of 0.
    assert bound == pytest.approx(256) and excess == pytest.approx(256 - 8 * math.log(2), abs=1e-3)


# ---- the bound


def intercepts(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of label 0 whose second block, of 19 coordinates, has only entries of 0."""
    table = np.zeros((rows, 20), dtype=np.int64)
    table[:, 0] = 256
    return table, np.zeros(rows, dtype=np.int64)


MANY = ObjectivePerturbation(2, (1, 19), "add_remove", l2=Fraction(4))


def test_the_bound_fails_at_most_with_its_probability(monkeypatch):
    table, labels = intercepts(10)
    first = [MANY.fit(table, labels, SeededCoins(seed))[0] for seed in range(150)]
    excesses = [10 * (np.logaddexp(0, w / 2**MANY.weight_bits) - math.log(2)) for w in first]

    def exceeded(found: ExcessLogLoss) -> float:
        return sum(each > found.bound(10).value for each in excesses) / len(excesses)

    correct = ExcessLogLoss.of(MANY, 0)
    assert exceeded(correct) <= correct.failure
    # Without the factor D, the radius of the noise is an exponential variable.
    monkeypatch.setattr(
        logistic_accuracy, "exponential_sum", lambda count, failure: exponential_sum(1, failure)
    )
    false = ExcessLogLoss.of(MANY, 0)
    assert exceeded(false) > 2 * false.failure


def test_releases_are_close_to_the_best_weights_of_a_norm():
    rng = np.random.default_rng(4)
    table = np.column_stack([np.full(300, 256), 256 * rng.choice([-1, 1], (300, 2))])
    labels = (rng.random(300) < 1 / (1 + np.exp(-table @ [0.2, 1, -1] / 256))).astype(int)
    mechanism = ObjectivePerturbation(4, (1, 1, 1))
    found = ExcessLogLoss.of(mechanism, 2, Fraction(1, 4))

    def loss(w) -> float:
        z = table @ np.asarray(w) / 256
        return float((np.logaddexp(0, z) - labels * z).sum())

    grid = [w for w in product(np.linspace(-2, 2, 21), repeat=3) if np.dot(w, w) <= 4]
    least = min(map(loss, grid))
    bound = found.bound(300)
    excesses = [
        loss(np.array(mechanism.fit(table, labels, SeededCoins(seed))) / 2**32) - least
        for seed in range(20)
    ]
    assert not bound.vacuous and sum(each > bound.value for each in excesses) <= 5
    assert max(excesses) > 0


def test_the_bound_of_three_regressions_is_about_the_sum_of_their_losses():
    classes = np.repeat([0, 1, 2], [200, 60, 40])
    table = np.full((300, 1), 256)
    mechanism = ObjectivePerturbation(4, (1,), class_weights=(1, 1, 2))
    found = ExcessLogLoss.of(mechanism, 3, Fraction(1, 4))
    row_weights = np.array([1, 1, 2])[classes]

    def loss(w) -> float:
        z = np.tile(w, (300, 1))
        each = np.logaddexp(0, z) - (classes[:, None] == np.arange(3)) * z
        return float((row_weights[:, None] * each).sum())

    grid = [w for w in product(np.linspace(-3, 3, 25), repeat=3) if np.dot(w, w) <= 9]
    least = min(map(loss, grid))
    excesses = [
        loss(np.array(mechanism.fit(table, classes, SeededCoins(seed))) / 2**32) - least
        for seed in range(20)
    ]
    bound = found.bound(300)
    assert not bound.vacuous and sum(each > bound.value for each in excesses) <= 5
    assert found.zero_loss <= Fraction(6) * Fraction(math.log(2))
    assert bound.quantity.startswith("weighted log loss of all regressions")


def test_the_bound_is_not_vacuous_from_the_stated_number_of_rows_on():
    found = ExcessLogLoss.of(ObjectivePerturbation(1, (1, 1, 4)))
    least = found.least_rows
    assert least is not None
    assert found.bound(least - 1).vacuous and not found.bound(least).vacuous
    assert ExcessLogLoss.of(ObjectivePerturbation(1, (1, 1)), rounding=1).least_rows is None


def test_larger_norms_and_smaller_failure_probabilities_give_larger_bounds():
    mechanism = ObjectivePerturbation(1, (1, 1, 4))
    values = [ExcessLogLoss.of(mechanism, norm).fixed for norm in (0, 1, Fraction(7, 2))]
    assert values == sorted(set(values))
    rare = ExcessLogLoss.of(mechanism, failure=Fraction(1, 10**6))
    assert rare.fixed > ExcessLogLoss.of(mechanism).fixed


def test_wrong_norms_and_failure_probabilities_are_refused():
    mechanism = ObjectivePerturbation(1, (1,))
    with pytest.raises(InvalidInput, match="norm of the compared weights must be at least 0"):
        ExcessLogLoss.of(mechanism, -1)
    with pytest.raises(InvalidInput, match="failure probability"):
        ExcessLogLoss.of(mechanism, failure=Fraction(1))


def test_small_weights_also_bound_the_weighted_loss() -> None:
    """If a class has a weight below 1, the bound is not about the plain log loss."""
    for weights, word in (((1, 1), "log loss"), ((Fraction(1, 2), 1), "weighted log loss")):
        mechanism = ObjectivePerturbation(1, (1, 1), class_weights=tuple(map(Fraction, weights)))
        assert ExcessLogLoss.of(mechanism).loss == word
