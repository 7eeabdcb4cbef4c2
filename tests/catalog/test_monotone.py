"""Monotone functions against the definition."""

from __future__ import annotations

import pytest

from catalog.monotone import MonotoneFunctions


def below(x, y):
    return all(a <= b for a, b in zip(x, y, strict=True))


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
