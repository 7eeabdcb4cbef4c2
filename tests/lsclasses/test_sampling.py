"""Exact laws of random integers, points, concepts and streams."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsclasses import Concept, FiniteDomain, IntegerRange, Table, Vectors
from lsclasses.random_integers import spread, uniform_below
from tests.strategies import tables


class Scripted:
    """A generator whose bytes are given."""

    def __init__(self, *scripts: bytes) -> None:
        self._scripts = list(scripts)

    def bytes(self, length: int) -> bytes:
        script = self._scripts.pop(0)
        assert len(script) == length
        return script


def test_large_integers_take_every_value_that_the_bytes_allow() -> None:
    n = 2**64 + 5
    assert uniform_below(Scripted(bytes([128, *[0] * 8])), n) == 1
    assert uniform_below(Scripted(bytes([0, 2, *[0] * 6, 128])), n) == 2**64 + 4
    # Too large a number is drawn again.
    assert uniform_below(Scripted(bytes([255] * 9), bytes(9)), n) == 0
    assert uniform_below(Scripted(bytes([255] * 8)), 2**64) == 2**64 - 1


def require_uniform(counts: Counter[Any], values: Iterable[Any], expected: int) -> None:
    """Each value came up the expected number of times, to six roots of that number."""
    assert set(counts) == set(values)
    assert all(abs(count - expected) < 6 * expected**0.5 for count in counts.values())


@pytest.mark.parametrize("n", [1, 7])
def test_uniform_below_is_uniform(n: int) -> None:
    rng = np.random.default_rng(0)
    counts = Counter(uniform_below(rng, n) for _ in range(2000 * n))
    require_uniform(counts, range(n), 2000)


def test_spread_has_the_law_of_the_elias_gamma_code() -> None:
    rng = np.random.default_rng(0)
    draws = 20_000
    counts = Counter(spread(rng) for _ in range(draws))
    for x in range(15):
        expected = draws * 2.0 ** -(2 * ((x + 1).bit_length() - 1) + 1)
        assert abs(counts[x] - expected) < 6 * expected**0.5
    assert max(counts) > 1000


@pytest.mark.parametrize(
    "X",
    [FiniteDomain("abc"), IntegerRange(-1, 3), Vectors(3, 2), IntegerRange(5, 6)],
    ids=repr,
)
def test_points_are_uniform(X) -> None:
    rng = np.random.default_rng(0)
    counts = Counter(X.sample(rng) for _ in range(1000 * X.size))
    require_uniform(counts, X, 1000)


@pytest.mark.parametrize("X", [IntegerRange(0, 2**100), Vectors(2**70, 3), Vectors(2, 500)])
def test_points_of_huge_domains(X) -> None:
    drawn = {X.sample(rng=seed) for seed in range(20)}
    assert len(drawn) == 20
    assert all(x in X for x in drawn)
    assert X.sample(rng=3) == X.sample(rng=3)


@settings(max_examples=10)
@given(tables(max_concepts=6, max_points=4))
def test_concepts_of_a_table_are_uniform(table: Table) -> None:
    rng = np.random.default_rng(0)
    counts = Counter(table.position(table.sample(rng)) for _ in range(500 * len(table)))
    require_uniform(counts, range(len(table)), 500)


@given(tables(), st.integers(0, 5))
def test_streams_are_labelled_by_a_concept(table: Table, seed: int) -> None:
    stream = list(table.sample_stream(20, seed))
    assert len(stream) == 20
    assert not table.given(stream).is_empty
    assert stream == list(table.sample_stream(20, seed))
    target = table[0]
    chosen = list(table.sample_stream(20, seed, target=target))
    assert all(target(x) == y for x, y in chosen)


def test_streams_are_lazy() -> None:
    C = Table([[0, 1], [1, 1]])
    assert len(list(itertools.islice(C.sample_stream(10**15, 0), 5))) == 5


def test_the_empty_class_has_streams_of_another_target() -> None:
    labelled = Concept.from_labels("ab", [0, 1])
    stream = list(Table([], domain="ab").sample_stream(3, 0, target=labelled))
    assert len(stream) == 3 and all(labelled(x) == y for x, y in stream)
