"""Samples of points: what they count, what they refuse, and that they don't change."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from learners.sanitizers.point_samples import PointSample, finite
from lsclasses import FiniteDomain, Table
from lsclasses.hypothesis import Concept

X = FiniteDomain("abc")


def test_points_keep_their_order_and_are_counted():
    sample = PointSample(X, "cab")
    assert list(sample) == ["c", "a", "b"] and list(sample[1:]) == ["a", "b"]
    assert sample.places.tolist() == [2, 0, 1] and sample.counts.tolist() == [1, 1, 1]
    assert PointSample.counted(X, {"b": 2, "c": 1})[2] == "c"
    for empty in (PointSample.at(X, []), PointSample.at(X, np.array([])), PointSample(X, "")):
        assert len(empty) == 0 and empty.counts.tolist() == [0, 0, 0]


def test_domains_are_made_finite_and_finite_ones_stay_themselves():
    assert finite(X) is X
    assert finite("abc") == X and isinstance(finite(iter("abc")), FiniteDomain)
    assert PointSample("abc", "a").domain == X


def test_shares_are_those_of_the_rows():
    sample = PointSample(X, "cab")
    for one, other in combinations(("", "a", "ab"), 2):
        C = Table.from_sets("abc", [one, other])
        by_hand = [Fraction(sum(map(h, sample)), 3) for h in C]
        assert sample.frequencies(C) == [sample.frequency(c) for c in C] == by_hand
    assert sample.frequency(Concept.from_labels("abc", [1, 1, 0])) == Fraction(2, 3)


def test_what_is_shown_of_a_sample_cannot_change_it():
    sample = PointSample(FiniteDomain("ab"), "ab")
    sample.places[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        sample.counts[0] = 5
    assert list(sample) == ["a", "b"]


def test_a_sample_does_not_follow_the_array_it_was_made_of():
    places = np.array([0, 1], dtype=np.int64)
    sample = PointSample.at(X, places)
    places[0] = 2
    assert list(sample) == ["a", "b"]
