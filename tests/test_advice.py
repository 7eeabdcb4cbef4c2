"""Every option, command and name that a refusal recommends exists, and can be used there."""

from __future__ import annotations

import pkgutil
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsclasses.commands.test_cli import COMMANDS

REFUSED = Path(__file__).parent / "recorded" / "refused"
NAMED = re.compile(r"'lsclasses ([^']+)'|\"lsclasses ([^\"]+)\"")
"""A command that a sentence names."""
PYTHON = {"--cuts", "--drop", "--positive", "--drop-unlabelled", "--neighbours", "--target"}
"""Options that sentences about tables name for readers of the command line, also in Python."""


def refusals() -> Iterator[tuple[str, str, str]]:
    """Yield the file, the statement or command, and the sentence of each recorded refusal."""
    for path in sorted(REFUSED.glob("*.txt")):
        last = ""
        for line in path.read_text().splitlines():
            if line.startswith("! "):
                yield path.name, last, line[2:]
            elif line and not line.startswith("#"):
                last = line


def command_of(words: str) -> str | None:
    """Return the longest name of a command at the beginning of a line."""
    try:
        parts = shlex.split(words, comments=False)
    except ValueError:
        parts = words.split()
    for length in (3, 2, 1):
        name = " ".join(parts[:length])
        if name in COMMANDS:
            return name
    return None


def options_of(name: str) -> set[str]:
    context = COMMANDS[name].make_context(name, [], resilient_parsing=True)
    return {option for each in COMMANDS[name].get_params(context) for option in each.opts}


COMMANDED = [
    pytest.param(statement[2:], sentence, id=f"{file}: {statement[2:60]}")
    for file, statement, sentence in refusals()
    if statement.startswith("$ ") and "--" in sentence
]


@pytest.mark.parametrize("words, sentence", COMMANDED)
def test_recommended_options_exist_in_the_command(words: str, sentence: str) -> None:
    name = command_of(words.removeprefix("lsclasses "))
    if name is None:
        return
    # An option after the name of another command belongs to that command.
    own = NAMED.sub("", sentence)
    given = set(re.findall(r"(?<!\S)--[a-z][a-z-]+", words))
    unknown = set(re.findall(r"--[a-z][a-z-]+", own)) - options_of(name) - given
    assert not unknown, sentence


def test_recommended_commands_exist_with_their_options() -> None:
    found = 0
    for _, _, sentence in refusals():
        for match in NAMED.finditer(sentence):
            text = match[1] or match[2]
            if "..." in text or "COMMAND" in text:
                continue
            name = command_of(text)
            groups = {each.rpartition(" ")[0] for each in COMMANDS if " " in each}
            first = text.split()[0]
            assert name or first in groups or first.startswith("-"), sentence
            if name:
                found += 1
                wanted = set(re.findall(r"--[a-z][a-z-]+", text)) - {"--help"}
                assert wanted <= options_of(name), sentence
    assert found > 5


def test_recommended_names_of_python_exist() -> None:
    found = 0
    for _, _, sentence in refusals():
        for name in re.findall(r"\b(?:lsclasses|catalog|learners)(?:\.\w+)+", sentence):
            if name.endswith((".toml", ".json", ".csv")):
                continue
            pkgutil.resolve_name(name)
            found += 1
    assert found > 5
