"""Extremal classes: held against every class of few points."""

from __future__ import annotations

import pytest

from catalog import atlas
from catalog.atlas.columns import COLUMNS, column_names
from catalog.atlas.extremal import extremes, page


@pytest.mark.parametrize("name", ["ldim", "randomized_ldim", "size", "growth_function"])
def test_they_are_those_of_the_classes(name: str) -> None:
    for points in (1, 3):
        classes = atlas.classes(points)
        found = extremes(atlas.table(points), name)
        values = [each.value for each in found]
        assert values == sorted({C[name] for C in classes})  # type: ignore[type-var]
        for each in found:
            alike = [C for C in classes if C[name] == each.value]
            sizes = [len(C.table) for C in alike]
            assert (each.classes, each.fewest, each.most) == (len(alike), min(sizes), max(sizes))
            for size, mask in ((each.fewest, each.smallest), (each.most, each.largest)):
                assert mask == min(C.mask for C in alike if len(C.table) == size)


def test_the_page_has_every_parameter() -> None:
    text = page(atlas.table(4))
    assert "all 401 classes on 4 points" in text
    for name in column_names(4, flips=True):
        shown = not COLUMNS[name].sequence and name != "size"
        assert (f"`{name}`:" in text) == shown
    assert "| 2 | 189 | 4 | 15 | 11 |" in text
