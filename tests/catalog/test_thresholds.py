"""Thresholds against their definition."""

from __future__ import annotations

import itertools

import pytest

from catalog.thresholds import ThresholdConcepts, Thresholds


def supports(table):
    return {c.support for c in table}


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("zeros", [0, 1])
@pytest.mark.parametrize("ones", [0, 1])
def test_thresholds_are_the_monotone_labellings(n, zeros, ones):
    if n - 1 + zeros + ones < 1:
        return
    labellings = {
        tuple(x for x in range(n) if labels[x])
        for labels in itertools.product((0, 1), repeat=n)
        if all(a <= b for a, b in itertools.pairwise(labels))
        and (zeros or any(labels))
        and (ones or not all(labels))
    }
    assert supports(Thresholds().table(n=n, zeros=zeros, ones=ones)) == labellings


def test_a_threshold_is_named_by_the_first_point_with_label_1():
    for c in Thresholds().table(n=5):
        assert c.name == (c.support[0] if c.support else 5)


@pytest.mark.parametrize("m", range(2, 8))
def test_the_two_ways_of_counting(m):
    by_concepts = ThresholdConcepts().table(m=m)
    assert by_concepts == Thresholds().table(n=m - 1)
    assert len(by_concepts) == m
