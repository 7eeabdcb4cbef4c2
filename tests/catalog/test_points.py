"""Point functions against their definition."""

from __future__ import annotations

import itertools

import pytest

from catalog.points import Points


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("empty", [0, 1])
def test_point_functions_have_one_1(n, empty):
    allowed = {0, 1} if empty else {1}
    labellings = {y for y in itertools.product((0, 1), repeat=n) if sum(y) in allowed}
    table = Points().table(n=n, empty=empty)
    assert {tuple(c.labels.tolist()) for c in table} == labellings
    assert table.points == tuple(range(n))


def test_a_point_function_is_named_by_its_point():
    for c in Points().table(n=4, empty=1):
        assert c.support == (() if c.name == "empty" else (c.name,))
