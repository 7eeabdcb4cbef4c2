from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.decision_lists import decision_lists
from learners.pac.base import FewRows
from learners.rules.cover import cover_rate
from learners.rules.packed import conjunction_count
from learners.rules.sample_sizes import (
    _rows_to_generalize,
    errors_bound,
    promised_error,
    sample_size,
    warn_of_few_rows,
)
from lsclasses.table import Table

MILLIONTH = Fraction(1, 10**6)

budgets = st.tuples(
    st.integers(1, 400),
    st.fractions(Fraction(1, 10), 8),
    st.fractions(Fraction(1, 10**9), Fraction(1, 10)),
    st.fractions(Fraction(1, 100), Fraction(1, 3)),
    st.fractions(Fraction(1, 1000), Fraction(1, 3)),
)


@given(budgets)
def test_the_formulas_are_those_of_the_theorem(budget):
    F, epsilon, delta, alpha, beta = budget
    size = sample_size(F, epsilon, delta, alpha, beta)
    e, a, b, log_delta = float(epsilon), float(alpha), float(beta), math.log(1 / delta)
    v = F + 1
    printed = max(
        64 / a * (v * math.log(64 / a) + math.log(16 / b)),
        8 * F * math.log(2 * F / math.sqrt(b)) * (2 * log_delta + 3 / 2) / (a * e),
    )
    corrected = max(
        64 / a * (v * math.log(64 / a) + math.log(32 / b)),
        4 * (F + 1) / a * math.log(4 * (F + 1) ** 2 / b) * (2 * log_delta + 3) / e,
    )
    assert size.printed == pytest.approx(printed, abs=1.001, rel=1e-12)
    assert size.corrected == pytest.approx(corrected, abs=1.001, rel=1e-12)
    assert size.rows <= size.corrected
    errors = errors_bound(F, cover_rate(epsilon, delta, rounds=F + 1), beta / 2)
    assert size.rows * alpha / 2 >= errors.value


@given(st.integers(1, 300), st.integers(2, 60), st.integers(2, 10**6))
def test_the_least_number_of_rows_generalizes_and_one_less_does_not(v, inverse_alpha, inverse_b):
    alpha, failure = Fraction(1, inverse_alpha), Fraction(1, inverse_b)
    n = _rows_to_generalize(v, alpha, failure)

    def log_tail(n):
        return math.log(4) + v * math.log(2 * math.e * n / v) - n / inverse_alpha / 16

    assert log_tail(n) <= math.log(failure) + 1e-9
    assert n == math.ceil(16 * v * inverse_alpha) or log_tail(n - 1) > math.log(failure) - 1e-9
    # [BF25, Thm A.6] asks for more.
    a = float(alpha)
    assert n <= 64 / a * (v * math.log(64 / a) + math.log(16 / failure)) + 1


@given(st.integers(1, 100), st.fractions(Fraction(1, 100), 2), st.integers(2, 10**6))
def test_the_bound_on_errors_is_the_formula_it_prints(features, rate, inverse):
    failure = Fraction(1, inverse)
    bound = errors_bound(features, rate, failure)
    names = {"M": features + 1, "b": float(failure), "t": float(rate)}
    functions = {"log": math.log, "sqrt": math.sqrt, "Min": min}
    assert math.floor(eval(bound.formula, functions, names)) == pytest.approx(
        float(bound.value), abs=1
    )
    assert bound._repr_latex_()


@pytest.mark.parametrize("count", [1, 2])
def test_decision_lists_shatter_at_most_one_point_more_than_features(count):
    # All lists over all sets of features of four points; the VC dimension is found by search.
    features = itertools.combinations(itertools.product((0, 1), repeat=4), count)
    assert max(decision_lists(Table(list(chosen))).vcdim() for chosen in features) == count + 1


def test_numbers_for_short_conjunctions():
    size = sample_size(conjunction_count(20, 2), 1, MILLIONTH, Fraction(1, 10), Fraction(1, 20))
    assert (size.features, size.rows) == (800, 1405140)
    assert not size.vacuous
    assert sample_size(5, 1, MILLIONTH, Fraction(1, 2), Fraction(1, 20)).vacuous
    assert str(size).endswith(f"{size.printed}; by its proof, {size.corrected})")


def test_more_features_need_more_rows_and_more_budget_fewer():
    def rows(F, epsilon):
        return sample_size(F, epsilon, MILLIONTH, Fraction(1, 10), Fraction(1, 20)).rows

    needed = [rows(F, 1) for F in (1, 2, 5, 20, 100, 500)]
    assert needed == sorted(needed)
    assert rows(100, 4) <= rows(100, 1) <= rows(100, Fraction(1, 4))
    known = sample_size(100, 8, MILLIONTH, Fraction(1, 10), Fraction(1, 20), vc=3).rows
    assert known < rows(100, 8)


def test_the_promised_error_is_the_least_that_is_promised():
    arguments = (20, 60_000, Fraction(1), MILLIONTH, Fraction(1, 20))
    error = promised_error(*arguments)
    assert sample_size(20, 1, MILLIONTH, error, Fraction(1, 20)).rows <= 60_000
    assert sample_size(20, 1, MILLIONTH, error - Fraction(1, 1000), Fraction(1, 20)).rows > 60_000
    assert promised_error(20, 5, *arguments[2:]) is None


def test_errors_just_below_that_of_a_coin_are_promised_too():
    budget = {"epsilon": Fraction(1), "delta": MILLIONTH, "beta": Fraction(1, 20)}
    largest = Fraction(499, 1000)
    needed = sample_size(features=20, alpha=largest, **budget).rows
    assert promised_error(features=20, rows=needed, **budget) == largest
    assert promised_error(features=20, rows=needed - 1, **budget) is None


def test_the_warning_has_the_numbers():
    with pytest.warns(FewRows, match="there are 10") as caught:
        warn_of_few_rows(3, 10, Fraction(1), MILLIONTH, Fraction(1, 10))
    needed = sample_size(3, 1, MILLIONTH, Fraction(1, 10), Fraction(1, 20)).rows
    assert str(needed) in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_few_rows(3, needed, Fraction(1), MILLIONTH, Fraction(1, 10))
