"""Newton's method for logistic objectives: derivatives, samples of rows and reused matrices."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from learners.rules import logistic_newton, logistic_objective
from learners.rules.logistic_newton import FloatObjective
from learners.rules.logistic_objective import LogisticObjective, Weights

TIGHT = Fraction(1, 1 << 20)


def objective(rows: int, columns: int = 4, seed: int = 1, **given) -> LogisticObjective:
    rng = np.random.default_rng(seed)
    table = rng.integers(-256, 257, (rows, columns), dtype=np.int16)
    labels = (table[:, 0] + rng.integers(-200, 200, rows) > 40).astype(int)
    noise = rng.integers(-5, 6, columns).tolist()
    return LogisticObjective(table, labels, Fraction(3, 2), noise, 0, **given)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("size", [0.1, 9.0])
def test_the_derivatives_are_those_of_the_exact_gradient(size, weighted, monkeypatch):
    monkeypatch.setattr(logistic_newton, "AT_ONCE", 17)
    given = {"kind_weights": (Fraction(1, 2), Fraction(3))} if weighted else {}
    exact = objective(40, **given)
    values = tuple((np.random.default_rng(2).normal(0, size, 4) * 2**42).astype(int).tolist())
    weights = np.array(values) / 2**42
    slope, curvature = exact._floats.derivatives(weights)
    assert np.allclose(slope, list(map(float, exact.gradient(Weights(values, 42)))), atol=1e-10)
    assert np.allclose(slope, exact._floats.slope(weights), atol=1e-12)
    step = 1e-7
    for j, unit in enumerate(np.eye(4)):
        ahead, behind = (exact._floats.slope(weights + s * step * unit) for s in (1, -1))
        assert np.allclose(curvature[j], (ahead - behind) / (2 * step), atol=1e-4)


def test_a_sample_of_equal_rows_has_the_derivatives_of_all_rows():
    base = objective(16 * 5)
    equal = np.repeat(base.features[:5], 16, axis=0)
    whole = replace(base, features=equal, labels=np.repeat([0, 1, 1, 0, 1], 16))._floats
    weights = np.array([0.5, -1, 2, 0.1])
    for a, b in zip(whole.derivatives(weights), whole.sample().derivatives(weights), strict=True):
        assert np.allclose(a, b)


@pytest.mark.parametrize("order", ["drawn", "sorted", "adversarial"])
def test_the_start_at_a_sample_does_not_change_the_minimum(order, monkeypatch):
    found = objective(600, seed=3)
    place = np.arange(600)
    if order == "sorted":
        place = np.argsort(found.labels)
    if order == "adversarial":  # every row of the sample has the label 1
        ones, zeros = (np.flatnonzero(found.labels == label) for label in (1, 0))
        place = np.full(600, -1)
        place[::16] = ones[:38]
        place[place < 0] = np.concatenate([ones[38:], zeros])
    found = replace(found, features=found.features[place], labels=found.labels[place])
    plain = found.newton(1e-9)
    monkeypatch.setattr(logistic_newton, "FEW_ROWS", 20)
    sampled = found.newton(1e-9)
    assert found.certifies(plain, TIGHT) and found.certifies(sampled, TIGHT)
    assert np.allclose(np.array(plain.values) / 2**42, np.array(sampled.values) / 2**42, atol=1e-9)


def test_few_matrices_of_all_rows_are_computed(monkeypatch):
    monkeypatch.setattr(logistic_newton, "FEW_ROWS", 500)
    sizes = {"slope": [], "derivatives": []}
    for name, calls in sizes.items():
        original = getattr(FloatObjective, name)

        def counted(self, weights, original=original, calls=calls):
            calls.append(len(self.labels))
            return original(self, weights)

        monkeypatch.setattr(FloatObjective, name, counted)
    found = objective(20_000, seed=4)
    assert found.certifies(found.newton(1e-8), TIGHT)
    assert sizes["derivatives"].count(20_000) <= 1 < sizes["slope"].count(20_000) <= 15


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_raise_nothing(bad, monkeypatch):
    monkeypatch.setattr(logistic_newton, "FEW_ROWS", 20)
    floats = replace(objective(100)._floats, noise=np.array([bad, 0, 0, 0]))
    with np.errstate(all="ignore"):
        floats.minimum(1e-3)
        floats.derivatives(np.array([bad, 1, 1, 1]))


@pytest.mark.parametrize("bits", [1, 20, 21, 42, 60])
def test_digits_represent_integers_exactly(bits):
    numbers = np.random.default_rng(bits).integers(-(1 << bits), 1 << bits, 50)
    numbers[:2] = (1 << bits) - 1, -(1 << bits)
    digits = logistic_objective._digits(numbers)
    assert (digits[:2] >= 0).all() and (digits[:2] < 1 << 21).all()
    found = [sum(int(d) << 21 * k for k, d in enumerate(column)) for column in digits.T]
    assert found == numbers.tolist()


def test_the_exact_gradient_in_floats_equals_the_gradient_in_python_integers(monkeypatch):
    found = objective(3_000, columns=30, seed=5)
    values = tuple(np.random.default_rng(6).integers(-(1 << 45), 1 << 45, 30).tolist())
    fast = found.gradient(Weights(values, 42))
    # Weights with finer units take the path of Python's integers.
    assert fast == found.gradient(Weights(tuple(v << 5 for v in values), 47))
