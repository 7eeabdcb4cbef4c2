"""Labellings as machine words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.cube import as_labels, as_words, distinct, new


@st.composite
def labellings(draw, points=None):
    points = draw(st.integers(1, 140)) if points is None else points
    some = st.integers(0, 3) | st.integers(0, 2**points - 1)
    rows = draw(st.lists(some, max_size=8))
    labels = [[row >> (points - 1 - j) & 1 for j in range(points)] for row in rows]
    return np.array(labels, dtype=np.uint8).reshape(len(rows), points)


@given(labellings())
def test_words_give_the_labels_back(labels):
    words = as_words(labels)
    assert words.shape == (len(labels), -(-labels.shape[1] // 64))
    assert np.array_equal(as_labels(words, labels.shape[1]), labels)


@given(labellings())
def test_distinct_rows_are_sorted_as_labels(labels):
    found = as_labels(distinct(as_words(labels)), labels.shape[1])
    assert list(map(tuple, found.tolist())) == sorted(set(map(tuple, labels.tolist())))


@given(st.data(), st.sampled_from([1, 64, 65]))
def test_new_rows_are_the_unknown_ones(data, points):
    labels, known = data.draw(labellings(points)), data.draw(labellings(points))
    found = as_labels(new(as_words(labels), known=as_words(known)), points)
    unknown = set(map(tuple, labels.tolist())) - set(map(tuple, known.tolist()))
    assert list(map(tuple, found.tolist())) == sorted(unknown)


@pytest.mark.parametrize("operation", [np.bitwise_or, np.bitwise_and, np.bitwise_xor])
def test_operations_on_words_act_on_every_point(operation):
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 2, (2, 5, 100), dtype=np.uint8)
    words = operation(as_words(first), as_words(second))
    assert np.array_equal(as_labels(words, 100), operation(first, second))
