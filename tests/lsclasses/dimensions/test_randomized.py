from __future__ import annotations

from fractions import Fraction

from lsclasses.dimensions.littlestone import balanced_depth


def test_balanced_depths_are_the_best_of_all_shapes() -> None:
    best = {1: Fraction(0)}
    for m in range(2, 40):
        best[m] = max(1 + (best[a] + best[m - a]) / 2 for a in range(1, m))
        assert balanced_depth(m) == best[m]
