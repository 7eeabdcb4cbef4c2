from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learners.playing.features import ShortConjunctions
from learners.rules import packed as module
from learners.rules.packed import PackedFeatures, conjunction_count
from tests.memory import most_memory


@st.composite
def matrices(draw, most_rows=200, most_columns=6):
    rows = draw(st.integers(0, most_rows))
    columns = draw(st.integers(1, most_columns))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return rng.random((rows, columns)) < draw(st.sampled_from([0.02, 0.5, 0.9]))


def holds(matrix, conjunction, names):
    """On which rows a conjunction holds, row by row."""
    return [
        all(row[names.index(name)] == wanted for name, wanted in conjunction.literals)
        for row in matrix.tolist()
    ]


@given(matrices(most_rows=130, most_columns=4), st.integers(1, 3), st.booleans(), st.data())
def test_counts_and_columns_are_those_of_the_matrix(matrix, k, monotone, data):
    names = [f"c{j}" for j in range(matrix.shape[1])]
    plain = PackedFeatures.from_matrix(matrix, names)
    packed = plain.conjunctions(k, monotone=monotone)
    chosen = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(matrix), max_size=len(matrix))), dtype=bool
    )
    mask = packed.mask(chosen)
    counts = packed.counts(mask)
    for j, conjunction in enumerate(packed.descriptions):
        expected = np.array(holds(matrix, conjunction, names), dtype=bool)
        assert packed.unpacked(packed.column(j)).tolist() == expected.tolist()
        assert counts[j] == np.sum(expected & chosen)
        assert packed.name(j) == str(conjunction)


@given(st.integers(1, 6), st.integers(1, 7), st.booleans())
def test_conjunctions_are_all_of_them_once(width, k, monotone):
    packed = PackedFeatures.from_matrix(np.zeros((1, width), dtype=bool)).conjunctions(
        k, monotone=monotone
    )
    said = [frozenset(c.literals) for c in packed.descriptions]
    values = (True,) if monotone else (True, False)
    expected = {
        frozenset(zip((f"x{v}" for v in variables), signs, strict=True))
        for size in range(1, k + 1)
        for variables in itertools.combinations(range(width), size)
        for signs in itertools.product(values, repeat=size)
    }
    assert set(said) == expected
    assert len(said) == len(expected) == conjunction_count(width, k, monotone=monotone)
    assert len(said) + 1 <= math.e**2 * width**k  # [BF25, Prop. A.9], the empty one counted
    assert not any((name, True) in c and (name, False) in c for c in said for name, _ in c)


@given(st.integers(1, 5), st.integers(1, 3), st.booleans())
def test_conjunctions_are_ordered_as_the_features_of_online_learners(n, k, monotone):
    points = list(itertools.product((0, 1), repeat=n))
    online = ShortConjunctions(n, k, monotone=monotone)
    packed = PackedFeatures.from_matrix(points).conjunctions(k, monotone=monotone)
    assert packed.count == online.count
    table = np.array([packed.unpacked(packed.column(j)) for j in range(packed.count)])
    for i, x in enumerate(points):
        assert table[:, i].tolist() == online.values(x).tolist()


def test_blocks_of_rows_and_of_features_fit_together(monkeypatch):
    rng = np.random.default_rng(5)
    matrix = rng.random((1000, 7)) < 0.4
    whole = PackedFeatures.from_matrix(matrix)
    expected = whole.conjunctions(2).counts(whole.everything)
    monkeypatch.setattr(module, "BLOCK", 16)
    split = PackedFeatures.from_matrix(matrix)
    assert split.conjunctions(2).counts(split.everything).tolist() == expected.tolist()
    assert [split.unpacked(split.column(j)).tolist() for j in range(7)] == matrix.T.tolist()


def test_blocks_of_many_rows_fit_together(monkeypatch):
    matrix = np.random.default_rng(6).random((12_000, 3)) < 0.4
    # Of the 10,000 rows that would fit a block, 9,984: whole words.
    monkeypatch.setattr(module, "BLOCK", 3 * 10_000)
    packed = PackedFeatures.from_matrix(matrix)
    assert [packed.unpacked(packed.column(j)).tolist() for j in range(3)] == matrix.T.tolist()
    assert packed.conjunctions(k=2, monotone=True).counts(packed.everything).tolist() == [
        int(np.all(matrix[:, list(chosen)], axis=1).sum())
        for chosen in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    ]


def test_matrices_are_packed_and_conjunctions_counted_a_block_at_a_time(monkeypatch):
    matrix = np.random.default_rng(8).integers(2, size=(4096, 64), dtype=np.uint8)
    monkeypatch.setattr(module, "BLOCK", 1 << 12)
    assert most_memory(lambda: PackedFeatures.from_matrix(matrix)) < matrix.size / 2
    packed = PackedFeatures.from_matrix(matrix).conjunctions(2, monotone=True)
    everything = packed.everything
    # Written out, they would take a bit for each conjunction and row.
    assert most_memory(lambda: packed.counts(everything)) < packed.count * packed.rows / 8 / 2


def test_counting_takes_as_much_as_the_words_of_the_mask_that_are_not_empty():
    packed = PackedFeatures.from_matrix(np.ones((1 << 16, 32), dtype=bool))
    one = packed.mask(np.arange(packed.rows) == 1000)
    assert packed.counts(one).tolist() == [1] * 32
    # With all words it would take a bit for each feature and row.
    assert most_memory(lambda: packed.counts(one)) < packed.count * packed.rows / 8 / 2


def test_counting_few_rows_is_counting_all_and_leaving_out():
    rng = np.random.default_rng(7)
    packed = PackedFeatures.from_matrix(rng.random((5000, 9)) < 0.3).literals()
    few = packed.mask(rng.random(5000) < 0.001)
    rest = packed.everything ^ few
    total = packed.counts(packed.everything)
    assert (packed.counts(few) + packed.counts(rest)).tolist() == total.tolist()


def test_zeros_and_ones_are_truth_values():
    for values in ([[0, 1], [1, 1]], [[0.0, 1.0], [1.0, 1.0]], [[False, True], [True, True]]):
        packed = PackedFeatures.from_matrix(values)
        assert packed.counts(packed.everything).tolist() == [1, 2]


@given(matrices())
def test_the_order_in_memory_does_not_matter(matrix):
    padded = np.zeros((2 * len(matrix), matrix.shape[1] + 1), dtype=bool)
    padded[::2, :-1] = matrix
    wanted = PackedFeatures.from_matrix(np.asfortranarray(matrix))
    for other in (np.ascontiguousarray(matrix), padded[::2, :-1], matrix.astype(int)):
        packed = PackedFeatures.from_matrix(other)
        assert all((packed.column(j) == wanted.column(j)).all() for j in range(packed.count))
        assert np.array_equal(packed.unpacked(packed.column(0)), matrix[:, 0])
