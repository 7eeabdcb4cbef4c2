"""Objects and mechanisms as players."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from learners.games import (
    AdaptiveInputs,
    MechanismQuerier,
    MechanismResponder,
    Oblivious,
    PickledObject,
    view_law,
)
from learners.mechanisms.sparse_vector import AboveThreshold
from tests.learners.games.players import Memory, NoisySum


def test_objects_that_change_are_kept() -> None:
    stream = Oblivious.of([0, 1, 1], [1, 1, 1])
    for bit in (0, 1):
        kept = view_law(AdaptiveInputs(PickledObject(lambda coins: Memory()), 3), stream, bit)
        plain = view_law(AdaptiveInputs(NoisySum(halts_after=2), 3), stream, bit)
        assert {view: kept.rational(view) for view in kept} == {
            view: plain.rational(view) for view in plain
        }


def test_mechanisms_that_play_are_values() -> None:
    """Equal ones count as one in an enumeration, so they must hash alike and never change."""
    for make in (
        lambda: MechanismQuerier(AboveThreshold(1, 2)),
        lambda: MechanismResponder(AboveThreshold(1, 2)),
        lambda: PickledObject(Memory),
    ):
        one = make()
        assert one == make() and hash(one) == hash(make())
        with pytest.raises(FrozenInstanceError):
            one.mechanism = None  # type: ignore[union-attr]
