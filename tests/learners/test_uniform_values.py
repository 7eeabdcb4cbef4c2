"""Uniform numbers and drop-in generators behave as in production, or refuse."""

from __future__ import annotations

import copy
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from learners.audit import program
from learners.exact import (
    CannotEnumerate,
    EnumeratedGenerator,
    EnumeratedRandom,
    exact_distribution,
)
from lsclasses.errors import TooLarge

HALF = Fraction(1, 2)


def law_of_python(run):
    return exact_distribution(lambda coins: run(EnumeratedRandom(coins)))


def law_of_numpy(run):
    return exact_distribution(lambda coins: run(EnumeratedGenerator(coins)))


# ---- uniform numbers


NAN = float("nan")


@pytest.mark.parametrize("name", ["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"])
@pytest.mark.parametrize("threshold", [NAN, -1.0, 0.0, 0.25, 2.0, math.inf, 1, Fraction(1, 3)])
def test_comparisons_agree_with_floats(name: str, threshold) -> None:
    """The true share of k/2^53 is the share of the multiples of 1/60, up to single points."""
    compare = getattr(__import__("operator"), name)
    for run, value in (
        (lambda u: u, lambda v: v),
        (lambda u: 1 - u, lambda v: 1 - v),
        (lambda u: -2 * u, lambda v: -2 * v),
    ):
        law = law_of_python(lambda rng, run=run: compare(run(rng.random()), threshold))
        listed = [compare(value((k + 0.5) / 60), threshold) for k in range(60)]
        share = Fraction(sum(listed), 60)
        assert abs(law.rational(True) - share) <= Fraction(1, 2**50)
        for threshold_array in (np.array([threshold], float), np.array([threshold], object)):
            arrays = law_of_python(
                lambda rng, run=run, bound=threshold_array: bool(
                    compare(run(rng.random()), bound)[0]
                )
            )
            assert abs(arrays.rational(True) - share) <= Fraction(1, 2**50)


def test_nan_thresholds_do_not_hide_a_loss() -> None:
    def above(bit, rng):
        return rng.random() > (NAN if bit == 0 else -1.0)

    for source in ("random", "numpy"):
        found = program(above, [0, 1], "all", source=source)
        assert found.enumerated and found.epsilon().lower == math.inf


def test_arithmetic_errors_occur_where_production_raises_them() -> None:
    def divided(bit, rng):
        try:
            value = rng.random() / bit
        except ZeroDivisionError:
            return "zero"
        return "ok" if value is not None else ""

    for operation in (divided, lambda bit, rng: _floor_divided(bit, rng)):
        found = program(operation, [0, 1], "all", source="random")
        assert found.enumerated and found.delta().lower == 1
        assert found.epsilon().lower == math.inf
    law = law_of_python(_overflows)
    assert law.rational("overflow") == 1


def _floor_divided(bit, rng):
    try:
        rng.random() // bit
    except ZeroDivisionError:
        return "zero"
    return "ok"


def _overflows(rng):
    try:
        rng.random() * 10**400
    except OverflowError:
        return "overflow"
    return "none"


@pytest.mark.parametrize(
    "use",
    [
        str,
        repr,
        "{:.2f}".format,
        "%s".__mod__,
        "%.3f".__mod__,
        hash,
        float,
        complex,
        Fraction,
        math.log,
        math.sqrt,
        np.log,
        np.array,
        lambda u: u.is_integer(),
        lambda u: u.hex(),
        lambda u: u.as_integer_ratio(),
        lambda u: u.real,
        lambda u: u**2,
        lambda u: 2**u,
        lambda u: u % 1,
        lambda u: divmod(u, 1),
        lambda u: 1 / u,
        lambda u: 1 // u,
        lambda u: abs(u - 0.5),
        lambda u: u * math.inf,
        lambda u: u + NAN,
        lambda u: u * 1e308 * 1e308,
        lambda u: np.float64(1) / u,
        lambda u: u / np.float64(0),
        lambda u: round(u, 2),
        lambda u: u == "a",
        lambda u: np.arange(3) * u,
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_uses_of_a_float_with_many_branches_are_refused_although_caught(use) -> None:
    def run(rng):
        try:
            use(rng.random())
        except Exception:
            return 0
        return 1

    with pytest.raises(CannotEnumerate):
        law_of_python(run)


def test_printed_and_converted_numbers_are_sampled() -> None:
    def printed(bit, rng):
        return bit if str(rng.random()) < "0.5" else 0

    found = program(printed, [0, 1], "all", source="random", samples=2000)
    assert not found.enumerated and found.delta().lower > 0.3

    def exact(bit, rng):
        return (bit if Fraction(rng.random()) < HALF else 0), rng.random().is_integer()

    found = program(exact, [0, 1], "all", source="random", samples=2000)
    assert not found.enumerated and found.delta().lower > 0.3


def test_uses_in_other_libraries_are_sampled() -> None:
    def decimal(bit, rng):
        return bit if Decimal(rng.random()) < Decimal("0.5") else 0

    found = program(decimal, [0, 1], "all", source="random", samples=2000)
    assert not found.enumerated and "in a function" in found.reason
    assert found.delta().lower > 0.3


def test_a_uniform_number_is_a_float() -> None:
    def run(rng):
        u = rng.random()
        return isinstance(u, float), copy.copy(u) is u, copy.deepcopy(u) is u, abs(-u) <= 1

    assert law_of_python(run).rational((True, True, True, True)) == 1


def test_arrays_compare_in_their_type() -> None:
    """A float32 array converts the number to float32: it rounds to 1 with probability 2^-25."""
    law = law_of_numpy(lambda rng: bool((rng.random() < np.ones(1, np.float32))[0]))
    assert law.rational(False) == Fraction(1, 2**25)
    law = law_of_numpy(lambda rng: bool(np.ones(1, np.float32)[0] > rng.random()))
    assert law.rational(False) == Fraction(1, 2**25)
    law = law_of_numpy(lambda rng: bool((rng.random() < np.ones(1))[0]))
    assert law.rational(True) == 1


@pytest.mark.parametrize(
    "run",
    [
        lambda u: np.isnan(u).any(),
        lambda u: u.sum() > 1,
        lambda u: u.mean() > 1,
        lambda u: u.max() > 1,
        lambda u: np.sort(u)[0] > 1,
        lambda u: np.log(u)[0] > 1,
        lambda u: u.astype(float)[0] > 1,
        lambda u: u.any(),
        lambda u: np.isnan(u[0]),
        lambda u: u[0].item(),
    ],
)
def test_functions_of_arrays_with_many_branches_are_refused_although_caught(run) -> None:
    def caught(rng):
        try:
            return bool(run(rng.random(2)))
        except Exception:
            return False

    with pytest.raises(CannotEnumerate):
        law_of_numpy(caught)


@pytest.mark.parametrize(
    ("run", "probability"),
    [
        (lambda u: (u < 0.25).all(), Fraction(1, 16)),
        (lambda u: ~(u[0] < 0.25), Fraction(3, 4)),
        (lambda u: (np.floor(4 * u) == 3).all(), Fraction(1, 16)),
        (lambda u: ((4 * u).astype(int) == 3).any(), Fraction(7, 16)),
        (lambda u: np.signbit(np.ceil(u - 1)).all(), Fraction(1)),
        (lambda u: np.rint(2 * u)[0] == 1, Fraction(1, 2)),
        (lambda u: u.dtype == float and isinstance(u[0], np.float64), Fraction(1)),
        (lambda u: type(u[0] < 0.5) is np.bool_, Fraction(1)),
        (lambda u: (u / 2 < 0.25)[0], Fraction(1, 2)),
        (lambda u: np.where(u < 0.5, 1, 0).sum() == 1, Fraction(1, 2)),
    ],
)
def test_arrays_of_uniform_numbers_have_their_probabilities(run, probability) -> None:
    """The production code also returns True in the stated share of 2000 draws."""
    law = law_of_numpy(lambda rng: bool(run(rng.random(2))))
    assert abs(law.rational(True) - probability) <= Fraction(1, 2**50)
    rng = np.random.default_rng(5)
    share = sum(bool(run(rng.random(2))) for _ in range(2000)) / 2000
    assert abs(share - probability) < 0.06


# ---- NumPy's checks


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(2, p=[0.5, 0.25])),
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(2, p=[1.5, -0.5])),
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(3, p=[0.5, 0.5])),
        (lambda rng: rng.choice(2, p=[0.5, 0.5]), lambda rng: rng.choice(2, p=[0.5, NAN])),
        (lambda rng: rng.choice(2), lambda rng: rng.choice(2, 3, replace=False)),
        (lambda rng: rng.binomial(2, 1.0), lambda rng: rng.binomial(2, 1.5)),
        (lambda rng: rng.binomial(2, 1.0), lambda rng: rng.binomial(-1, 0.5)),
        (lambda rng: rng.geometric(1.0), lambda rng: rng.geometric(0.0)),
        (lambda rng: rng.integers(2), lambda rng: rng.integers(0)),
        (
            lambda rng: rng.integers(0, 2, dtype=np.uint8),
            lambda rng: rng.integers(-1, 2, None, np.uint8),
        ),
    ],
)
def test_wrong_arguments_raise_the_errors_of_numpy(good, bad) -> None:
    def run(bit, rng):
        try:
            (bad if bit else good)(rng)
        except ValueError:
            return "error"
        return "value"

    for bit in (0, 1):
        drawn = run(bit, np.random.default_rng(0))
        assert drawn == ("value", "error")[bit]
        assert law_of_numpy(lambda rng, bit=bit: run(bit, rng)).rational(drawn) == 1


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.integers(3),
        lambda rng: rng.integers(3, dtype=np.uint8),
        lambda rng: rng.integers(0, 2, dtype=bool),
        lambda rng: rng.binomial(2, 0.5),
        lambda rng: rng.geometric(0.5),
        lambda rng: rng.choice(3),
        lambda rng: rng.choice([1, 2]),
        lambda rng: rng.choice(["a", "b"]),
        lambda rng: rng.choice(3, 2),
        lambda rng: rng.choice(3, (1, 2), replace=False),
        lambda rng: rng.integers(3, size=(2, 1)),
        lambda rng: rng.binomial(2, 0.5, size=2),
        lambda rng: rng.random() < np.float64(0.5),
        lambda rng: rng.random() < 0.5,
    ],
)
def test_draws_have_the_types_of_numpy(draw) -> None:
    def kind(value):
        return type(value), getattr(value, "dtype", None), getattr(value, "shape", None)

    drawn = kind(draw(np.random.default_rng(0)))
    law = exact_distribution(
        lambda coins: kind(draw(EnumeratedGenerator(coins))) == drawn, tail=Fraction(1, 1000)
    )
    assert set(law) == {True}


@pytest.mark.parametrize(
    ("law_of", "draw"),
    [
        (law_of_python, lambda rng: rng.sample(range(10**12), 1)),
        (law_of_python, lambda rng: rng.getrandbits(10**12)),
        (law_of_python, lambda rng: rng.randbytes(10**12)),
        (law_of_numpy, lambda rng: rng.choice(10**12)),
        (law_of_numpy, lambda rng: rng.choice(10**12, 2, replace=False)),
        (law_of_numpy, lambda rng: rng.permutation(10**12)),
        (law_of_numpy, lambda rng: rng.random(10**12)),
        (law_of_numpy, lambda rng: rng.integers(2, size=10**12)),
    ],
)
def test_large_populations_are_refused_before_they_take_memory(law_of, draw) -> None:
    with pytest.raises((TooLarge, CannotEnumerate)):
        law_of(draw)


def test_samples_without_replacement_are_uniform_with_repeated_members() -> None:
    law = law_of_python(lambda rng: "".join(rng.sample("ab", 3, counts=[2, 3])))
    exact = {"bbb": 1, "aab": 1, "aba": 1, "baa": 1, "abb": 2, "bab": 2, "bba": 2}
    assert {each: law.rational(each) * 10 for each in law} == exact


def test_binomial_draws_of_many_trials_are_exact() -> None:
    law = law_of_numpy(lambda rng: rng.binomial(200, 0.25))
    for k in (0, 50, 200):
        assert law.rational(k) == math.comb(200, k) * Fraction(1, 4) ** k * Fraction(3, 4) ** (
            200 - k
        )
