"""Objects and mechanisms as players."""

from __future__ import annotations

import pytest

from learners.games import (
    AdaptiveInputs,
    MechanismQuerier,
    MechanismResponder,
    Oblivious,
    PickledObject,
    view_law,
)
from learners.mechanisms import TreeCounter
from tests.learners.games.players import Memory, NoisySum


def test_objects_that_change_are_kept() -> None:
    stream = Oblivious.of([0, 1, 1], [1, 1, 1])
    for bit in (0, 1):
        kept = view_law(AdaptiveInputs(PickledObject(lambda coins: Memory()), 3), stream, bit)
        plain = view_law(AdaptiveInputs(NoisySum(halts_after=2), 3), stream, bit)
        assert {view: kept.rational(view) for view in kept} == {
            view: plain.rational(view) for view in plain
        }


@pytest.mark.parametrize("kind", [MechanismResponder, MechanismQuerier])
def test_states_of_equal_mechanisms_are_explored_once(kind: type) -> None:
    assert len({kind(TreeCounter(1, 3)), kind(TreeCounter(1, 3)), kind(TreeCounter(1, 4))}) == 2
