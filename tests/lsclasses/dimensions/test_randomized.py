from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from lsclasses import Table
from lsclasses.dimensions.randomized import balanced_depth


def test_balanced_depths_are_the_best_of_all_shapes() -> None:
    best = {1: Fraction(0)}
    for m in range(2, 40):
        best[m] = max(1 + (best[a] + best[m - a]) / 2 for a in range(1, m))
        assert balanced_depth(m) == best[m]


@pytest.mark.parametrize("points", [1, 2, 3])
def test_it_is_between_half_the_littlestone_dimension_and_all_of_it(points: int) -> None:
    labellings = list(product((0, 1), repeat=points))
    tight = set()
    for mask in range(1, 2 ** len(labellings)):
        table = Table([row for i, row in enumerate(labellings) if mask >> i & 1])
        ldim, randomized = table.ldim(), table.randomized_ldim()
        assert ldim <= 2 * randomized <= 2 * ldim
        tight |= {ldim} if ldim == 2 * randomized else set()
    # On a class that shatters all points each costs half a mistake, for all coins.
    assert points in tight
