from __future__ import annotations

import json

import pytest

from tests.recorded import COMMANDS, answer, recorded, run
from tests.recorded.schema import MORE, described, merged, problems, published, title, unions


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
def test_other_answers_fit_the_published_schema(command: str) -> None:
    _fits(command, run(command)[1])


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
