"""Objects and mechanisms as players."""

from __future__ import annotations

from learners.games import AdaptiveInputs, Oblivious, PickledObject, view_law
from tests.learners.games.players import Memory, NoisySum


def test_objects_that_change_are_kept() -> None:
    stream = Oblivious.of([0, 1, 1], [1, 1, 1])
    for bit in (0, 1):
        kept = view_law(AdaptiveInputs(PickledObject(lambda coins: Memory()), 3), stream, bit)
        plain = view_law(AdaptiveInputs(NoisySum(halts_after=2), 3), stream, bit)
        assert {view: kept.rational(view) for view in kept} == {
            view: plain.rational(view) for view in plain
        }
