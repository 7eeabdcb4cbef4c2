"""Unions of intervals against their definition, and what their closed form rests on."""

from __future__ import annotations

import itertools

import pytest

from catalog.intervals import Intervals


def runs(labels):
    return [label for label, _ in itertools.groupby(labels)].count(1)


@pytest.mark.parametrize("n", range(1, 8))
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("empty", [0, 1])
def test_a_concept_has_at_most_k_runs_of_ones(n, k, empty):
    labellings = {
        y for y in itertools.product((0, 1), repeat=n) if runs(y) <= k and (empty or any(y))
    }
    assert {
        tuple(c.labels.tolist()) for c in Intervals().table(n=n, k=k, empty=empty)
    } == labellings


def test_a_union_is_named_by_the_ends_of_its_intervals():
    for c in Intervals().table(n=7, k=3):
        assert len(c.name) == runs(c.labels.tolist())
        members = [x for first, last in c.name for x in range(first, last + 1)]
        assert c.support == tuple(members)
