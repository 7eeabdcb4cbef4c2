"""Recorded answers of commands, which a change of the code must not alter by accident.

If an answer changes on purpose, record it again by ``python -m tests.recorded``, and state the
reason in a line of CHANGELOG. Records omit seconds and the engine of the search. Long answers are
recorded as a digest.

Each line of ``commands.txt`` contains one command, or several commands with ``&&`` between them.
Later commands read the files of earlier commands, in the folder ``{}``. The words after ``<`` are
typed while the command runs, one word per line. The answers of the commands in ``differing.txt``
are not recorded, because they differ between runs: they use secure coins, stop after a given time,
or ask for moves. But the tests compare the form of every answer with the published schema
(`tests.recorded.schema`).

``printed.txt`` contains the output of commands without ``--json``. Each command is a line that
begins with ``$``, and ``python -m tests.recorded`` writes the lines after it.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from lsclasses.commands.application import app, help_text

HERE = Path(__file__).parent
COMMANDS, DIFFERING = (
    tuple((HERE / name).read_text().splitlines()) for name in ("commands.txt", "differing.txt")
)
ANSWERS, HELPS = HERE / "answers.json", HERE / "help.txt"
PRINTED = HERE / "printed.txt"
"""Commands, and their output without ``--json``."""
VERIFIED = HERE / "verified.txt"
"""A digest of each check of ``lsclasses verify``, from the results file of `make verify`."""

ENGINE = re.compile(r',\s*"engine": "(?:native|numpy)"')
SECONDS = re.compile(r'("[a-z_]*seconds": )([0-9.e+-]+|\{[^{}]*\})')
SHORT = 2000


def typed_at(line: str) -> tuple[str, str]:
    """Return a command, and the words after ``<``, which are typed while it runs, one per line."""
    command, _, typed = line.partition(" < ")
    return command, "".join(f"{word}\n" for word in typed.split())


def run(line: str, folder: Path) -> Iterator[tuple[str, int, str]]:
    """Yield each command of a line, with its exit status and its answer in JSON."""
    for part in line.replace("{}", str(folder)).split(" && "):
        command, typed = typed_at(part)
        result = CliRunner().invoke(app, [*shlex.split(command), "--json"], input=typed)
        yield command, result.exit_code, result.stdout.replace(str(folder), "{}")


def printed(known: str) -> str:
    """Return the present output of a command, in the form of its entry in `PRINTED`.

    The first line of an entry is the command. Lines of standard output follow ``|``, and lines of
    standard error follow ``!``.
    """
    line, *_ = known.splitlines()
    command, typed = typed_at(line.removeprefix("$ "))
    result = CliRunner().invoke(app, shlex.split(command), input=typed, env={"COLUMNS": "120"})
    lines = [
        *(f"| {each}".rstrip() for each in result.stdout.splitlines()),
        *(f"! {each}" for each in result.stderr.splitlines()),
        *[f"exit status {result.exit_code}"] * (result.exit_code != 0),
    ]
    return "\n".join([line, *lines])


def entries() -> list[str]:
    """Return the entries of `PRINTED`."""
    return PRINTED.read_text().removesuffix("\n").split("\n\n")


def answer(status: int, output: str) -> dict[str, Any]:
    """Return the recorded form of an answer."""
    text = ENGINE.sub("", SECONDS.sub(r"\1null", output))
    printed = text if len(text) <= SHORT else hashlib.sha256(text.encode()).hexdigest()
    return {"status": status, "printed": printed}


def recorded() -> dict[str, list[dict[str, Any]]]:
    """Return the recorded answers by line."""
    found: dict[str, list[dict[str, Any]]] = json.loads(ANSWERS.read_text())
    return found


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with the words that call it."""

    def leaves(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        if not hasattr(command, "list_commands"):
            yield " ".join(path), command
            return
        context = command.make_context("lsclasses", [], resilient_parsing=True)
        for name in command.list_commands(context):
            yield from leaves(command.get_command(context, name), (*path, name))

    return leaves(get_command(app), ())


def helps() -> str:
    """Return the help texts of all commands, arguments and options, without their layout."""
    texts = []
    for path, command in commands():
        texts.append(f"# {path}\n\n{cleandoc(command.help or '')}\n")
        for each in command.params:
            names = ", ".join((*each.opts, *each.secondary_opts)) if each.opts else each.name
            default = "" if callable(each.default) else f" [{each.default}]"
            texts.append(f"{names} {each.metavar or ''}{default}: {help_text(each)}")
        texts.append("")
    return "\n".join(texts)


def verified(kept: Path) -> str:
    """Return a digest of the rows of each check, without seconds, from a results file."""
    lines = []
    for line in kept.read_text().splitlines()[1:]:
        found = json.loads(line)
        rows = [{k: v for k, v in row.items() if k != "seconds"} for row in found["found"]]
        digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
        lines.append(f"{digest} {found['of']}\n")
    return "".join(sorted(lines, key=lambda each: each.partition(" ")[2]))
