"""Products of codes: any two of their columns are independent, and only weights tell the groups."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses.searching.products import factors
from tests.strategies import disguised_product


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
