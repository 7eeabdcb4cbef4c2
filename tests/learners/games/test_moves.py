"""What is seen, move by move."""

from __future__ import annotations

from learners.games import Ask, View


def test_nobody_has_halted_until_it_is_said() -> None:
    assert View() == View(None, None, (), (), False)
    assert View().after(Ask(0), 1) == View(None, None, (Ask(0),), (1,), False)
    assert View().after(Ask(0), 1, True).halted
