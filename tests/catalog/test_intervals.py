"""Unions of intervals against their definition, and what their closed form rests on."""

from __future__ import annotations

import itertools
from functools import cache

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


@cache
def sticks_allow(sticks, depth):
    """Whether cuts of these sticks can follow one another as the proof of the Ldim fact asks.

    The first of `depth` cuts takes pieces u, v with floor(log2 u) + floor(log2 v) >= depth - 1.
    """
    if depth == 0:
        return True
    return any(
        (u.bit_length() - 1) + ((stick - u).bit_length() - 1) >= depth - 1
        and sticks_allow(tuple(sorted((*sticks[:i], *sticks[i + 1 :], u, stick - u))), depth - 1)
        for i, stick in enumerate(sticks)
        for u in range(1, stick // 2 + 1)
    )


@pytest.mark.parametrize("n", [*range(3, 16), 23, 24, 25])
def test_the_ldim_of_intervals_is_that_of_its_proof(n):
    family = Intervals()
    (stated,) = (s.value for s in family.stated(n=n) if s.fact.quantity == "ldim")
    depth = int(stated)
    assert sticks_allow((n + 1,), depth)
    assert not sticks_allow((n + 1,), depth + 1)
