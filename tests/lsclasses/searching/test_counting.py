"""Counts in floating point are exact: the type is large enough, and no larger than need be."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses.searching.bit_matrix import counting_type


@pytest.mark.parametrize("most", [1, 2**24 - 1, 2**24, 2**24 + 1, 2**24 + 3, 2**31 + 1, 2**53])
def test_the_last_integers_of_a_type_are_told_apart(most: int) -> None:
    kind = counting_type(most)
    for sign in (1, -1):
        assert int(kind(sign * most)) == sign * most
        assert int(kind(sign * (most - 1)) + kind(sign)) == sign * most
    result_key = int(np.float32(most)) == most and int(np.float32(most - 1)) == most - 1
    assert (kind is np.float32) == (result_key and most <= 2**24)


@pytest.mark.slow
def test_a_product_that_reaches_the_limit_is_exact() -> None:
    """As many concepts as float32 counts, and one more, of which all are counted."""
    for size in (2**24, 2**24 + 1):
        ones = np.ones((1, size), dtype=counting_type(size))
        assert int(np.matmul(ones, ones.T)[0, 0]) == size
