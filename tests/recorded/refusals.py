"""Inputs that must be rejected, each with its error message.

A file of ``refused/`` has the inputs of one area. It consists of lines of Python, which run in a
namespace of their own; there, ``folder`` is an empty directory::

    from lsclasses import Table

    Table([[0, 2]])
    ! InvalidInput: A label must be 0 or 1. Got 2 in row 0, column 1.

    $ dims thresholds:n=-1
    ! lsclasses: ...

The code above a line that begins with ``!`` must fail with the error and message behind the ``!``
(each line of a longer message begins with ``!``). Code that is followed by an empty line must
succeed, and prepares the entries below it. A line that begins with ``$`` is a command. ``{}`` in a
command or message stands for the folder. ``python -m tests.recorded`` writes all messages, so a
new entry needs only a line ``!``.
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
    """Code, and the error message it must cause (None for code that must succeed)."""

    code: str
    sentence: str | None
    after_a_gap: bool


def entries(text: str) -> Iterator[Entry]:
    """Yield the entries of a file, in order."""
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
    """Run a command that must fail, and return its only output, one sentence on standard error."""
    result = CliRunner().invoke(app, shlex.split(line))
    if result.exit_code != 2:
        return f"{ACCEPTED}: exit status {result.exit_code}"
    error = str(result.stderr).removesuffix("\n")
    if result.stdout or "\n" in error or not error.startswith("lsclasses: "):
        return f"{ACCEPTED} in one sentence: {result.output}"
    return error


def answers(name: str, folder: Path) -> Iterator[tuple[Entry, str | None]]:
    """Yield each entry of a file with the error message that its code causes today."""
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
    """Return the text of a file with the error messages of today."""
    text = ""
    for entry, sentence in answers(name, folder):
        text += "\n" * entry.after_a_gap + entry.code + "\n"
        if sentence is not None:
            text += "".join(f"! {line}".rstrip() + "\n" for line in sentence.split("\n"))
    return text
