from __future__ import annotations

import pytest

from tests.recorded import COMMANDS, answer, recorded


def test_every_command_has_an_answer() -> None:
    assert list(recorded()) == list(COMMANDS)
    assert len(set(COMMANDS)) == len(COMMANDS) >= 60


@pytest.mark.parametrize("command", COMMANDS)
def test_the_answer_is_what_it_was(command: str) -> None:
    assert answer(command) == recorded()[command]
