from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.recorded import (
    COMMANDS,
    DIFFERING,
    HELPS,
    VERIFIED,
    answer,
    commands,
    entries,
    helps,
    printed,
    recorded,
    run,
)
from tests.recorded import verified as rows_of
from tests.recorded.schema import described, merged, problems, published, title, unions


def test_every_command_has_an_answer() -> None:
    assert list(recorded()) == list(COMMANDS)
    assert len({*COMMANDS, *DIFFERING}) == len(COMMANDS) + len(DIFFERING)


LONG = "compare points:n=3 --rounds 40 --rows 20 --seeds 1 --seconds 60"
"""A comparison of all learners, which plans each learner for several numbers of rounds."""


def optional(line: str) -> Any:
    """Mark lines that need an optional package or half a minute."""
    own = line.startswith("atlas") and "find" not in line
    marks = [pytest.mark.slow] if line == LONG else []
    if own and not find_spec("duckdb"):
        marks = [pytest.mark.skip("needs the extra atlas")]
    return pytest.param(line, marks=marks)


@pytest.mark.parametrize("line", [optional(line) for line in (*COMMANDS, *DIFFERING)])
def test_the_answer_is_what_it_was_and_as_published(line: str, tmp_path: Path) -> None:
    found = list(run(line, tmp_path))
    if line in COMMANDS:
        assert [answer(status, output) for _, status, output in found] == recorded()[line]
    for command, status, output in found:
        # docs/schema.json (python -m tests.recorded.schema); refusals are sentences
        assert output.strip() or status == 2, command
        if output.strip():
            name = title(command)
            assert list(problems(json.loads(output), published()[name], name)) == []


@pytest.mark.parametrize("known", [pytest.param(e, id=e.partition("\n")[0]) for e in entries()])
def test_what_is_printed_is_what_it_was(known: str) -> None:
    """A text that is meant to change is recorded anew, too (python -m tests.recorded)."""
    assert printed(known) == known


def test_every_command_is_published() -> None:
    """All that have --json: a command that is added needs a line in `tests/recorded`."""
    found = dict(commands())
    for path, command in found.items():
        assert any("--json" in parameter.opts for parameter in command.params), path
    assert {"learn", "budget", "atlas sql", "dims", "run"} < {title(f"{path} x") for path in found}
    assert {title(f"{path} x") for path in found} - set(published()) == set()


def test_verify_finds_what_it_found(verified: Path | None) -> None:
    """Every stated, computed and refuted value: `make verify`, then python -m tests.recorded."""
    if verified is None:
        pytest.skip("`make verify` was not run on these sources")
    assert rows_of(verified) == VERIFIED.read_text()


def test_help_says_what_it_said() -> None:
    """A text that is meant to change is recorded anew, too (python -m tests.recorded)."""
    assert helps() == HELPS.read_text()


def test_names_may_be_anything() -> None:
    """A table with named concepts and points has the same fields as one without."""
    named = described({"point": "a", "points": ["a", [1, 2]], "evidence": {"target": [3, 4]}})
    assert named == described({"point": 1, "points": [1, 2], "evidence": {"target": 5}})
    assert described({"points": 3})["properties"]["points"] == {"type": "integer"}


def test_every_field_has_one_type() -> None:
    schemas = published()
    schemas.pop("name")
    assert [each for name, schema in schemas.items() for each in unions(schema, name)] == []


def test_wrong_answers_are_seen() -> None:
    schema = merged(described({"n": 1, "of": [1.5]}), described({"n": None, "of": [], "more": "x"}))
    assert schema["properties"]["n"] == {"type": ["integer", "null"]}
    assert list(problems({"n": 3, "of": [2]}, schema, "it")) == []
    for wrong, message in (
        ({"n": "3", "of": []}, "it.n is string"),
        ({"n": 3}, "it has no 'of'"),
        ({"n": 3, "of": [None]}, r"it.of\[\] is null".replace("\\", "")),
        ({"n": 3, "of": [], "m": 1}, "it has 'm'"),
    ):
        assert message in "; ".join(problems(wrong, schema, "it"))
    assert list(unions(merged(described({"n": 1}), described({"n": "1"})), "it")) == [
        "it.n is integer or string"
    ]
