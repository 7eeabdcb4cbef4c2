from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from lsclasses.commands.application import app
from tests.recorded import COMMANDS, answer, recorded, run
from tests.recorded.schema import (
    MORE,
    answers,
    described,
    merged,
    problems,
    published,
    title,
    unions,
)


def test_every_command_has_an_answer() -> None:
    assert list(recorded()) == list(COMMANDS)
    assert len(set(COMMANDS)) == len(COMMANDS) >= 60


def _fits(command: str, output: str) -> None:
    """The answer is as published in docs/schema.json (python -m tests.recorded.schema)."""
    if output.strip():
        name = title(command)
        assert list(problems(json.loads(output), published()[name], name)) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_answer_is_what_it_was(command: str) -> None:
    status, output = run(command)
    assert answer(status, output) == recorded()[command]
    _fits(command, output)


@pytest.mark.parametrize("command", MORE)
def test_other_answers_fit_the_published_schema(command: str, tmp_path: Path) -> None:
    if command.startswith("atlas") and "find" not in command:
        for module in ("pyarrow", "duckdb", "matplotlib"):
            pytest.importorskip(module)
    for name, output in answers(command, tmp_path):
        assert list(problems(json.loads(output), published()[name], name)) == []


def test_every_command_is_published() -> None:
    """All that have --json: a command that is added needs an answer in `MORE`."""

    def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
        if not hasattr(command, "list_commands"):
            assert any("--json" in parameter.opts for parameter in command.params)
            yield path
            return
        context = command.make_context("lsclasses", [], resilient_parsing=True)
        for name in command.list_commands(context):
            yield from leaves(command.get_command(context, name), (*path, name))

    commands = {title(" ".join((*path, "x"))) for path in leaves(get_command(app))}
    assert {"learn", "budget", "atlas sql", "dims", "run"} < commands
    assert commands - set(published()) == set()


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
