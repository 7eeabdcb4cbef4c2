"""Blockwise addressing, point by point."""

from __future__ import annotations

import itertools

import pytest

from catalog.blockwise_addressing import BlockwiseAddressing
from catalog.constants import Constants


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_each_kind_is_single_at_home_and_binary_elsewhere(d: int) -> None:
    C = BlockwiseAddressing().table(d=d)
    for concept in C:
        kind, i = concept.name
        home, away = ("x", "y") if kind == "f" else ("y", "x")
        assert concept("z") == (kind == "g")
        assert [j for j in range(2**d) if concept((home, j))] == [i]
        digits = f"{i:0{d}b}"
        assert all(concept((away, j)) == int(digits[j % d]) for j in range(2**d))
    for start in range(0, 2**d - d + 1, d):
        block = [("y", j) for j in range(start, start + d)]
        shown = {tuple(c(x) for x in block) for c in C if c.name[0] == "f"}
        assert shown == set(itertools.product((0, 1), repeat=d))


def test_the_constants() -> None:
    C = Constants().table(n=4)
    assert [c.name for c in C] == [0, 1] and C.labels.tolist() == [[0] * 4, [1] * 4]
