"""Warmuth's class, concept by concept."""

from __future__ import annotations

from catalog.warmuth import Warmuth


def test_concepts_as_printed():
    rows = {"".join(map(str, row)) for row in Warmuth().table().labels.tolist()}
    assert rows == {
        *("11000", "01100", "00110", "00011", "10001"),
        *("11010", "01101", "10110", "01011", "10101"),
    }
