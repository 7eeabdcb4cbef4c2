"""Options that several commands about people's data share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lsclasses.commands import completion
from lsclasses.errors import InvalidInput
from lsclasses.outputs import FileFormat, Reads, Writes, json_head

CARD = FileFormat(
    "a model card",
    {
        **dict.fromkeys((".html", ".htm"), rb"<!doctype html>\n<!-- lsclasses: card -->"),
        ".md": rb"<!-- lsclasses: card -->",
    },
)
MODEL = FileFormat("a model", {".json": json_head("lsclasses-model")})

ClassSource = Annotated[
    str,
    typer.Argument(
        metavar="SPEC|FILE",
        help="A class: a specification such as thresholds:n=16, or a table in a file.",
        autocompletion=completion.CLASS,
    ),
    Reads(),
]
Data = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A CSV file whose first line names the columns."),
    Reads(),
]
AllowWeakPrivacy = Annotated[
    bool,
    typer.Option(
        "--allow-weak-privacy", help="Allow an epsilon above 20, or a delta of 1/10 or more."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="SEED", min=0, help="Simulate: not for publication."),
]
Secure = Annotated[
    bool,
    typer.Option("--secure", help="Draw from the operating system; the default without --seed."),
]
BudgetOption = Annotated[
    Path | None,
    typer.Option(
        "--budget",
        metavar="FILE",
        help="Pay from this budget ('lsclasses budget new') before anything is released; refuse "
        "if it is spent.",
    ),
    Reads(),
]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the private model here."),
    Writes(MODEL),
]
CardFile = Annotated[
    Path | None,
    typer.Option("--card", metavar="FILE", help="Write a model card here, as .md, .html or .htm."),
    Writes(CARD),
]
Unknown = Annotated[
    str, typer.Option(metavar="POLICY", help="Undeclared categories: warn, error or ignore.")
]


def adversaries(incomplete: str) -> list[str]:
    """The specifications of adversaries that begin so, for shells that complete."""
    from learners.playing.adversaries import NAMED

    return completion.specification(lambda: NAMED, "stream:")(incomplete)


def number_option(doc: str) -> object:
    """An option for a number of any size, read exactly."""
    return typer.Option(metavar="NUMBER", help=doc)


def read_count(
    command: str, name: str, text: str | None, *, least: int = 1, most: int | None = None
) -> int:
    """Parse a count, such as 1000 or 2^20.

    Raises
    ------
    InvalidInput
        If it is no integer, or out of range.
    """
    from lsclasses.specifications import Parameter

    return int(Parameter(name, "", minimum=least, maximum=most).read(command, text))


MOST_ROUNDS = 10**12
"""The largest number of rounds of a game; it would take years."""


def read_rounds(text: str) -> int:
    """Parse a number of rounds.

    Raises
    ------
    InvalidInput
        If it is no integer, or out of range.
    """
    try:
        return read_count("a game", "rounds", text, most=MOST_ROUNDS)
    except InvalidInput:
        raise InvalidInput(
            f"--rounds is a number from 1 to 10^12, such as 10000, 1e4 or 2^14. Got {text!r}."
        ) from None
