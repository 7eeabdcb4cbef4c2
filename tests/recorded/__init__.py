"""Commands and what they answered in JSON: reordering the code changes none of it.

An answer that is meant to change is recorded anew, with a line in the CHANGELOG that says why:
``python -m tests.recorded``. Seconds and the engine that searched are left out; long answers are
kept as a digest.

A line of ``commands.txt`` is one command or several with ``&&`` between them, of which later ones
read the files of earlier ones, in a folder that ``{}`` stands for. What stands behind ``<`` is
typed in, one word a line. The answers to the lines of ``differing.txt`` are not recorded, since
they differ from run to run: secure coins, searches that end with the time, moves that are asked
for. They have the published form (`tests.recorded.schema`), as all others.

``printed.txt`` has what some commands print for people: a line that begins with ``$`` is one, and
``python -m tests.recorded`` writes what follows.
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
"""Commands, and what they print without ``--json``."""
VERIFIED = HERE / "verified.txt"
"""A digest for each check of ``lsclasses verify``; recorded from what `make verify` keeps."""

ENGINE = re.compile(r',\s*"engine": "(?:native|numpy)"')
SECONDS = re.compile(r'("[a-z_]*seconds": )([0-9.e+-]+|\{[^{}]*\})')
SHORT = 2000


def typed_at(line: str) -> tuple[str, str]:
    """A command, and what is typed while it runs: the words behind ``<``, one a line."""
    command, _, typed = line.partition(" < ")
    return command, "".join(f"{word}\n" for word in typed.split())


def run(line: str, folder: Path) -> Iterator[tuple[str, int, str]]:
    """Each command of a line, its exit status and what it printed as JSON."""
    for part in line.replace("{}", str(folder)).split(" && "):
        command, typed = typed_at(part)
        result = CliRunner().invoke(app, [*shlex.split(command), "--json"], input=typed)
        yield command, result.exit_code, result.stdout.replace(str(folder), "{}")


def printed(known: str) -> str:
    """What a command prints today, in the form of its entry in `PRINTED`.

    Its first line is the command. Behind ``|`` is what goes to standard output, behind ``!`` to
    standard error.
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
    """Those of `PRINTED`."""
    return PRINTED.read_text().removesuffix("\n").split("\n\n")


def answer(status: int, output: str) -> dict[str, Any]:
    """What is kept of one of them."""
    text = ENGINE.sub("", SECONDS.sub(r"\1null", output))
    printed = text if len(text) <= SHORT else hashlib.sha256(text.encode()).hexdigest()
    return {"status": status, "printed": printed}


def recorded() -> dict[str, list[dict[str, Any]]]:
    """The recorded answers, by line."""
    found: dict[str, list[dict[str, Any]]] = json.loads(ANSWERS.read_text())
    return found


def commands() -> Iterator[tuple[str, Any]]:
    """Every command, by the words that call it."""

    def leaves(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        if not hasattr(command, "list_commands"):
            yield " ".join(path), command
            return
        context = command.make_context("lsclasses", [], resilient_parsing=True)
        for name in command.list_commands(context):
            yield from leaves(command.get_command(context, name), (*path, name))

    return leaves(get_command(app), ())


def helps() -> str:
    """What `--help` says of every command, its arguments and its options, without their layout."""
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
    """A digest of the rows of each check, without seconds, from what `make verify` keeps."""
    lines = []
    for line in kept.read_text().splitlines()[1:]:
        found = json.loads(line)
        rows = [{k: v for k, v in row.items() if k != "seconds"} for row in found["found"]]
        digest = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]
        lines.append(f"{digest} {found['of']}\n")
    return "".join(sorted(lines, key=lambda each: each.partition(" ")[2]))
