"""Version spaces of more columns than a word has bits, as bytes and as bits."""

from __future__ import annotations

import numpy as np
import pytest

from lsclasses.searching import version_space
from lsclasses.searching.version_space import VersionSpace


@pytest.mark.parametrize("most", [0, 1 << 19])
@pytest.mark.parametrize("points", [63, 64, 65, 130, 200])
def test_both_sides_of_each_column_are_the_concepts_with_that_label(monkeypatch, points, most):
    monkeypatch.setattr(version_space, "UNPACKED_UP_TO", most)
    labels = np.random.default_rng(points).integers(0, 2, (70, points), dtype=np.uint8)
    space = VersionSpace.of_labels(labels)
    assert space.large == (most == 0) and space.source.tolist() == list(range(points))
    for j in range(0, points, 7 if points > 100 else 1):
        for y in (0, 1):
            side, alone = space.side(j, y), labels[labels[:, j] == (y ^ space.flipped[j])]
            expected = VersionSpace.of_labels(alone)
            assert side.concepts == len(alone) and set(side.words) == set(expected.words)
            assert side.source.tolist() == expected.source.tolist()
