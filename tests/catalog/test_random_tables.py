"""Random tables that are the same everywhere."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import catalog
from catalog.random_tables import RandomTables, random_labels


def test_the_same_seed_gives_the_same_table():
    first = catalog.build("random:m=40,n=30,seed=7,density=1/3")
    assert first == catalog.build("random:n=30,m=40,density=2/6,seed=7")
    assert first != catalog.build("random:m=40,n=30,seed=8,density=1/3")
    assert first != catalog.build("random:m=40,n=30,seed=7,density=1/4")


def test_labels_follow_from_the_documented_stream():
    raw = np.random.default_rng(11).bit_generator.random_raw(6)
    expected = [Fraction(int(word) >> 1, 2**63) < Fraction(2, 5) for word in raw]
    assert random_labels(2, 3, seed=11, density=Fraction(2, 5)).ravel().tolist() == expected


@pytest.mark.parametrize("density", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)])
def test_the_share_of_ones_is_about_the_density(density):
    labels = random_labels(200, 500, seed=1, density=density)
    deviation = abs(labels.mean() - float(density))
    assert deviation < 5 * (float(density * (1 - density)) / labels.size) ** 0.5


@pytest.mark.parametrize("density", [0, 1])
def test_extreme_densities_leave_a_constant(density):
    table = RandomTables().table(m=5, n=4, density=density)
    assert table.labels.tolist() == [[density] * 4]
    assert table.merged == 4
