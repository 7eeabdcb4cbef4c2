"""Products are recognised, and nothing else is; their factors add up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsclasses import Table
from lsclasses.limits import Meter
from lsclasses.searching import products
from lsclasses.searching.numpy_engine import NumpyEngine
from lsclasses.searching.products import PRIME, factors
from lsclasses.searching.version_space import VersionSpace
from tests.lsclasses.searching.conftest import LEVELS
from tests.lsclasses.searching.spaces import true_ldim
from tests.strategies import disguised_product

pytestmark = pytest.mark.usefixtures("engine")


@st.composite
def small_factors(draw: st.DrawFn, concepts: int, points: int) -> list[np.ndarray]:
    """Two or three random classes, none of them of one concept."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1), label="seed"))
    found = []
    for _ in range(draw(st.integers(2, 3), label="factors")):
        shape = (int(rng.integers(2, concepts + 1)), int(rng.integers(1, points + 1)))
        rows = np.unique(rng.integers(0, 2, shape, dtype=np.uint8), axis=0)
        rows = rows if len(rows) > 1 else np.concatenate([rows, 1 - rows])
        found.append(rows)
    return found


def projections(labels: np.ndarray, parts: list[VersionSpace]) -> int:
    """In how many ways labellings of the groups can be chosen."""
    ways = 1
    for part in parts:
        ways *= len({tuple(row) for row in labels[:, part.source].tolist()})
    return ways


@given(small_factors(concepts=6, points=4), st.integers(0, 2**32 - 1))
def test_a_product_is_recognised_with_its_factors(drawn, seed):
    """Their groups are all columns, and every way to choose labellings of them is a concept.

    A factor that was drawn may fall into more than one.
    """
    table = disguised_product(drawn, np.random.default_rng(seed))
    parts = factors(table._space)
    assert len(parts) >= len(drawn)
    columns = sorted(x for part in parts for x in part.source.tolist())
    assert columns == sorted(table._space.source.tolist())
    assert projections(table.labels, parts) == len(table)
    assert np.prod([part.concepts for part in parts]) == len(table)
    total = sum(Table(part.columns.T).ldim() for part in parts)
    assert total == table.ldim() == true_ldim(table.labels)


def test_every_class_on_three_points_is_split_as_far_as_it_is_a_product():
    for V in range(1, 256):
        rows = np.array([[c >> x & 1 for x in range(3)] for c in range(8) if V >> c & 1])
        space = VersionSpace.of_labels(rows.astype(np.uint8))
        parts = factors(space)
        assert not parts or projections(rows, parts) == len(rows)
        splits = 0
        for x in range(3):
            others = [y for y in range(3) if y != x]
            ways = [len(np.unique(rows[:, group], axis=0)) for group in ([x], others)]
            splits += min(ways) > 1 and ways[0] * ways[1] == len(rows)
        # Each of the splits cuts one point off; with two of them there are three groups.
        assert len(parts) == (0, 2, 2 if len(space.words) == 2 else 3, 3)[splits], rows.tolist()


def test_groups_that_depend_only_three_at_a_time_are_told_apart():
    """Any two of their columns are independent; the third is their sum."""
    rows = np.array([[x, y, x ^ y] for x in (0, 1) for y in (0, 1)], dtype=np.uint8)
    assert factors(VersionSpace.of_labels(rows)) == []
    rng = np.random.default_rng(0)
    table = disguised_product([rows, np.tri(4, 3, -1), rows], rng)
    assert [len(part.source) for part in factors(table._space)] == [3, 3, 3]
    code = np.array([[*c, sum(c) % 2] for c in np.ndindex(*[2] * 6)], dtype=np.uint8)
    table = disguised_product([code, code], rng)
    assert [len(part.source) for part in factors(table._space)] == [7, 7]
    assert table.ldim() == 12


def test_chance_can_hide_a_product_but_makes_none(monkeypatch):
    """Modulo 3, random weights often make columns look independent that are not."""
    monkeypatch.setattr(products, "PRIME", 3)
    rng = np.random.default_rng(4)
    hidden = 0
    for _ in range(80):
        drawn = [np.unique(rng.integers(0, 2, (6, 3), dtype=np.uint8), axis=0) for _ in range(2)]
        table = disguised_product(drawn, rng)
        near = Table(table.labels[:-1])
        for labels in (near.labels, table.labels):
            space = VersionSpace.of_labels(labels)
            parts = factors(space)
            assert not parts or projections(labels, parts) == len(labels)
        with monkeypatch.context() as usual:
            usual.setattr(products, "PRIME", 2**31 - 1)
            hidden += len(factors(table._space)) > len(parts)
    assert hidden > 3


def test_columns_that_are_equal_constant_or_complementary_do_not_matter():
    rows = np.array([[x, y, 1 - x, 1, y] for x in (0, 1) for y in (0, 1)], dtype=np.uint8)
    assert [part.source.tolist() for part in factors(VersionSpace.of_labels(rows))] == [[0], [1]]
    assert factors(VersionSpace.of_labels(rows[:2])) == []
    assert (
        factors(VersionSpace.of_labels(rows[:1])) == factors(VersionSpace.of_labels(rows[:0])) == []
    )


ENGINES = [None, *((level, n) for level in LEVELS for n in (200, 0))]


@pytest.mark.parametrize("engine", ["numpy"], indirect=True)  # the one given below is asked
@pytest.mark.parametrize("made_of", ENGINES, ids=str)
@settings(max_examples=12)
@given(small_factors(concepts=16, points=5), st.integers(0, 2**32 - 1), st.integers(0, 2))
def test_engines_agree_with_the_recursion_on_products_and_near_them(made_of, drawn, seed, fewer):
    rng = np.random.default_rng(seed)
    table = disguised_product(drawn[:2], rng)
    table = Table(rng.permutation(table.labels, axis=0)[: max(1, len(table) - fewer)])
    engine = NumpyEngine()
    engine.products_from_concepts = int(rng.choice([0, 200]))
    if made_of is not None:
        from lsclasses.searching.native_engine import NativeEngine

        engine = NativeEngine(*made_of)
    value = true_ldim(table.labels)
    for k in rng.permutation(np.arange(value + 3)).tolist():
        assert engine.at_least(table._space, k, Meter(None)) == (k <= value)


def test_weights_are_counted_modulo_a_prime_in_64_bits():
    """Two polynomials agree at random weights of a field by accident only; in a ring they may."""
    assert all(PRIME % d for d in range(2, math.isqrt(PRIME) + 1))
    # What is added up: 2^31 weights, and a product of two.
    assert max(PRIME << 31, (PRIME - 1) ** 2) < 1 << 64


# ---- codes: any two of their columns are independent, and only weights tell the groups


def simplex(dimension: int) -> np.ndarray:
    """All values of each linear function but 0: half of them are 1, independently for every two."""
    words = np.arange(1 << dimension)
    return (np.bitwise_count(words[:, None] & words[None, 1:]) & 1).astype(np.uint8)


@pytest.mark.parametrize("dimensions", [(2, 3), (6, 5)])
def test_products_of_codes_with_many_ones_are_recognised(dimensions):
    """Weights of concepts with 48 ones are products of 48 factors; none may become 0."""
    table = disguised_product([simplex(d) for d in dimensions], np.random.default_rng(0))
    groups = sorted(len(part.source) for part in factors(table._space))
    assert groups == sorted((1 << d) - 1 for d in dimensions)
