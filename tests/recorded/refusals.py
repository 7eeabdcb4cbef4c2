"""What is refused, and the sentence that says so: each message is tested once, in a table.

A file of ``refused/`` is a room's part of the table. It is Python, line by line, in a namespace of
its own in which ``folder`` is an empty directory::

    from lsclasses import Table

    Table([[0, 2]])
    ! InvalidInput: A label must be 0 or 1. Got 2 in row 0, column 1.

    $ dims thresholds:n=-1
    ! lsclasses: ...

What stands above a line that begins with ``!`` is refused, with the error and the sentence behind
the ``!`` (a sentence of several lines has a ``!`` before each). What is followed by an empty line
prepares for what comes after it. A line that begins with ``$`` is a command; ``{}`` stands for
the folder, in commands and in sentences. ``python -m tests.recorded`` writes the sentences, also
where only a ``!`` stands so far.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from lsclasses.commands.application import app

REFUSED = Path(__file__).with_name("refused")
FILES = tuple(sorted(path.name for path in REFUSED.glob("*.txt")))
ACCEPTED = "nothing was refused"


@dataclass
class Entry:
    """A piece of code, and the sentence that it is refused with, or None if it prepares."""

    code: str
    sentence: str | None
    after_a_gap: bool


def entries(text: str) -> Iterator[Entry]:
    """What a file has, in order."""
    code: list[str] = []
    said: list[str] = []
    gap = False
    for line in [*text.splitlines(), ""]:
        if said and not line.startswith("!"):
            yield Entry("\n".join(code), "\n".join(said), gap)
            code, said, gap = [], [], False
        if line.startswith("!"):
            said.append(line[2:])
        elif line:
            code.append(line)
        else:
            if code:
                yield Entry("\n".join(code), None, gap)
            code, gap = [], True


def command_refused(line: str) -> str:
    """What a command prints that refuses: one sentence on standard error, and nothing else."""
    result = CliRunner().invoke(app, shlex.split(line))
    if result.exit_code != 2:
        return f"{ACCEPTED}: exit status {result.exit_code}"
    error = str(result.stderr).removesuffix("\n")
    if result.stdout or "\n" in error or not error.startswith("lsclasses: "):
        return f"{ACCEPTED} in one sentence: {result.output}"
    return error


def answers(name: str, folder: Path) -> Iterator[tuple[Entry, str | None]]:
    """Each entry of a file, and the sentence that it is refused with today."""
    namespace: dict[str, Any] = {"folder": folder, "__name__": name}
    for entry in entries((REFUSED / name).read_text()):
        if entry.sentence is None:
            exec(compile(entry.code, name, "exec"), namespace)
            yield entry, None
            continue
        if entry.code.startswith("$ "):
            found = command_refused(entry.code[2:].replace("{}", str(folder)))
        else:
            found = ACCEPTED
            try:
                exec(compile(entry.code, name, "exec"), namespace)
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
        yield entry, found.replace(str(folder), "{}")


def written(name: str, folder: Path) -> str:
    """The file with the sentences of today."""
    text = ""
    for entry, sentence in answers(name, folder):
        text += "\n" * entry.after_a_gap + entry.code + "\n"
        if sentence is not None:
            text += "".join(f"! {line}".rstrip() + "\n" for line in sentence.split("\n"))
    return text
