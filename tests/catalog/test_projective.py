"""Projective planes against their axioms."""

from __future__ import annotations

import itertools

import pytest

from catalog.projective import ProjectiveLines


@pytest.mark.parametrize("q", [2, 3, 5, 7])
def test_two_points_lie_on_one_line_and_two_lines_meet_in_one_point(q):
    table = ProjectiveLines().table(q=q)
    lines = [frozenset(c.support) for c in table]
    assert len(lines) == len(table.points) == q * q + q + 1
    assert {len(line) for line in lines} == {q + 1}
    for x, y in itertools.combinations(table.points, 2):
        assert sum({x, y} <= line for line in lines) == 1
    for L, M in itertools.combinations(lines, 2):
        assert len(L & M) == 1


@pytest.mark.parametrize("q", [2, 3, 5])
def test_points_and_lines_are_named_by_normalised_vectors(q):
    table = ProjectiveLines().table(q=q)
    assert all(next(entry for entry in x if entry) == 1 for x in table.points)
    for c in table:
        assert set(c.support) == {
            x for x in table.points if sum(a * b for a, b in zip(c.name, x, strict=True)) % q == 0
        }
