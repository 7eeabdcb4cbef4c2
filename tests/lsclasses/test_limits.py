"""Limits stop a search in time and in memory, and refuse nonsense."""

from __future__ import annotations

import time

import pytest

from lsclasses import InvalidInput, Limit, TooLarge
from lsclasses.limits import Meter


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), "60", [60]])
@pytest.mark.parametrize("name", ["seconds", "memory"])
def test_bounds_are_positive_numbers(name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=rf"{name!r} of a Limit must be a positive number"):
        Limit(**{name: value})  # type: ignore[arg-type]


def test_without_a_limit_nothing_stops() -> None:
    meter = Meter(None)
    for _ in range(10_000):
        meter.tick()
        meter.charge(1 << 40)
    assert meter.used == 10_000 << 40


def test_time_is_up_when_it_is_up() -> None:
    meter = Meter(Limit(seconds=0.05))
    start = time.monotonic()
    with pytest.raises(TooLarge, match=r"No answer within the limit of 0.05 seconds") as caught:
        while time.monotonic() - start < 20:
            meter.tick()
    assert time.monotonic() - start >= 0.05
    assert caught.value.limit == 0.05


def test_memory_may_be_used_up_to_the_limit() -> None:
    meter = Meter(Limit(memory=100))
    meter.charge(60)
    meter.charge(40)
    with pytest.raises(TooLarge, match=r"more than its limit of 100 bytes") as caught:
        meter.charge(1)
    assert caught.value.estimate == 101
    assert caught.value.limit == 100


def test_what_was_used_before_counts() -> None:
    with pytest.raises(TooLarge):
        Meter(Limit(memory=100), used=90).charge(11)
