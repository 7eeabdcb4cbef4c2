from __future__ import annotations

import sys

import pytest

from lsclasses import TooLarge
from lsclasses.searching.search_bounds import Bounds


def test_bounds_only_improve_and_are_told() -> None:
    seen: list[tuple[int, int]] = []
    with Bounds("q", 0, 9, lambda low, high: seen.append((low, high))) as bounds:
        bounds.at_least(3)
        bounds.at_least(2)
        bounds.at_least(3)
        bounds.at_most(12)
        bounds.at_most(9)
        bounds.at_most(5)
        assert not bounds.decided
        bounds.at_least(5)
        assert bounds.decided
    assert seen == [(0, 9), (3, 9), (3, 5), (5, 5)]


def test_an_error_leaves_with_the_bounds() -> None:
    message = r"Enough\. So far: 2 <= q <= 9\."
    with pytest.raises(TooLarge, match=message) as caught, Bounds("q", 0, 9) as bounds:
        bounds.at_least(2)
        raise TooLarge("Enough.", estimate=5, limit=3)
    error = caught.value
    assert (error.lower, error.upper, error.estimate, error.limit) == (2, 9, 5, 3)


def test_nesting_too_deep_is_too_large() -> None:
    def nest() -> None:
        nest()

    with pytest.raises(TooLarge, match="recursion limit") as caught, Bounds("q", 2, 9):
        nest()
    error = caught.value
    assert (error.lower, error.upper, error.limit) == (2, 9, sys.getrecursionlimit())


def test_bounds_that_have_passed_each_other_are_decided() -> None:
    assert [Bounds("q", low, 3).decided for low in (2, 3, 4)] == [False, True, True]


def test_other_errors_pass() -> None:
    with pytest.raises(KeyError), Bounds("q", 0, 9):
        raise KeyError
