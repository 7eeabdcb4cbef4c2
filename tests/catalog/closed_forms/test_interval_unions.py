"""Unions of at most k intervals in closed form, against the tables of their family."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.interval_unions import IntervalUnions, places_in
from lsclasses import IntegerRange
from lsclasses.error_histograms import error_histogram
from lsclasses.errors import InvalidInput, TooLarge
from tests.catalog.closed_forms.closed_form_checks import check_all

FAMILY = catalog.family("intervals")


@pytest.mark.parametrize("empty", [0, 1])
@pytest.mark.parametrize(("n", "k"), [(1, 2), (2, 2), (3, 2), (4, 2), (4, 3)])
@pytest.mark.parametrize("states", [30, pytest.param(150, marks=pytest.mark.slow)])
def test_every_version_space_is_the_one_of_the_table(
    n: int, k: int, empty: int, states: int
) -> None:
    closed = IntervalUnions(IntegerRange(0, n), k, empty=bool(empty))
    check_all(closed, FAMILY.table(n=n, k=k, empty=empty), max_states=states)


@st.composite
def samples(draw: Any) -> tuple[Any, dict[tuple[int, int], int]]:
    n, k = draw(st.integers(1, 8)), draw(st.integers(2, 3))
    C: Any = IntervalUnions(IntegerRange(0, n), k, empty=draw(st.booleans()))
    point = st.tuples(st.integers(0, n - 1), st.integers(0, 1))
    for x, y in draw(st.lists(point, max_size=3)):
        C = C if C.restrict(x, y).is_empty else C.restrict(x, y)
    return C, draw(st.dictionaries(point, st.integers(1, 3), max_size=10))


@given(samples(), st.integers(0, 2**32))
def test_the_histogram_counts_and_draws_the_concepts_of_the_table(case: Any, seed: int) -> None:
    C, rows = case
    errors = Counter(sum(n for (x, y), n in rows.items() if c(x) != y) for c in C.to_table())
    histogram = error_histogram(C, rows)
    assert dict(histogram.counts) == dict(sorted(errors.items()))
    for number in histogram.counts:
        concept = histogram.sample(number, seed)
        assert concept in C
        assert sum(n for (x, y), n in rows.items() if concept(x) != y) == number


def test_random_concepts_are_uniform() -> None:
    C = IntervalUnions(IntegerRange(0, 4), 2, empty=False).restrict(1, 1)
    rng = np.random.default_rng(5)
    drawn = Counter(C.sample(rng) for _ in range(200 * C.size))
    assert len(drawn) == C.size
    # The standard deviation of each number is at most 15. The seed is fixed.
    assert max(abs(number - 200) for number in drawn.values()) < 60


def test_places_are_a_uniform_set() -> None:
    rng = np.random.default_rng(2)
    drawn = Counter(tuple(sorted(places_in(range(3, 8), 2, rng))) for _ in range(2000))
    assert len(drawn) == math.comb(5, 2)
    assert max(abs(number - 200) for number in drawn.values()) < 60


def test_the_family_has_a_closed_form_where_the_table_is_too_large() -> None:
    C = catalog.build("intervals:n=2^64,k=3,empty=0")
    assert isinstance(C, IntervalUnions)
    assert C.size == sum(math.comb(2**64 + 1, 2 * j) for j in (1, 2, 3))
    assert C.vcdim() == 6
    with pytest.raises(TooLarge, match="steps"):
        error_histogram(C, {(0, 1): 10**6})


def test_one_interval_and_infinite_domains_are_refused() -> None:
    with pytest.raises(InvalidInput, match="k=1"):
        IntervalUnions(IntegerRange(0, 5), 1)
    with pytest.raises(InvalidInput, match="finite"):
        IntervalUnions(IntegerRange(0), 2)
