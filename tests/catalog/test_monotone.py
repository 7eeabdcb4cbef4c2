"""Monotone functions against the definition."""

from __future__ import annotations

import itertools

import pytest

from catalog.monotone import MonotoneFunctions


def cube(n):
    return list(itertools.product((0, 1), repeat=n))


def below(x, y):
    return all(a <= b for a, b in zip(x, y, strict=True))


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_all_functions_tried(n):
    comparable = [
        (i, j) for i, x in enumerate(cube(n)) for j, y in enumerate(cube(n)) if below(x, y)
    ]
    expected = {
        f
        for f in itertools.product((0, 1), repeat=2**n)
        if all(f[i] <= f[j] for i, j in comparable)
    }
    table = MonotoneFunctions().table(n=n)
    assert set(map(tuple, table.labels.tolist())) == expected
    assert table.points == tuple(cube(n))
    assert table.merged == 0


def test_dedekind_numbers():
    tables = [MonotoneFunctions().table(n=n) for n in range(6)]
    assert [table.size for table in tables] == [2, 3, 6, 20, 168, 7581]  # OEIS A000372
    largest = tables[5]
    for i, x in enumerate(largest.points):
        for j, y in enumerate(largest.points):
            if below(x, y):
                assert (largest.labels[:, i] <= largest.labels[:, j]).all()


@pytest.mark.slow
def test_six_variables():
    table = MonotoneFunctions().table(n=6)
    assert table.size == 7828354
    for i, x in enumerate(table.points[:20]):
        for j in range(i + 1, 64):
            if below(x, table.points[j]):
                assert not (table._column(i) & ~table._column(j) & 1).any()
