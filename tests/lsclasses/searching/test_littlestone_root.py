"""The column at the root is defined by which sides shatter enough, not by which is asked first."""

from __future__ import annotations

import numpy as np

from lsclasses import Table, naive
from lsclasses.searching import littlestone
from tests.strategies import plain


def test_both_sides_of_the_root_shatter_enough_whichever_is_asked_first(engine, monkeypatch):
    usual = littlestone.candidates

    def turned(space, k, meter):
        tried = usual(space, k, meter)
        return tried._replace(first=[1 - first for first in tried.first])

    asked = []
    for seed in range(6):
        table = Table(np.random.default_rng(seed).random((40, 6)) < 0.4)
        value, ones = naive.ldim_recursive(plain(table)), table.labels.sum(axis=0)
        balance = np.minimum(ones, len(table) - ones).tolist()
        works = [
            x
            for x in table.points
            if min(naive.ldim_recursive(plain(table.restrict(x, y))) for y in (0, 1)) == value - 1
        ]
        for candidates in (usual, turned):
            monkeypatch.setattr(littlestone, "candidates", candidates)
            space = Table(table.labels)._space
            j = littlestone.LittlestoneSearch().root_column(space, value)
            assert int(space.source[j]) == max(works, key=lambda x: (balance[x], -x))
        asked.append(len(works) < 6)
    assert any(asked)
