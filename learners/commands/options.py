"""Options that several commands about people's data share."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.session import Session
from lsclasses.commands import completion
from lsclasses.commands.application import AsJson
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike
from lsclasses.options import Option
from lsclasses.outputs import FileFormat, Reads, Writes, json_head

if TYPE_CHECKING:
    from learners.budget import Budget
    from learners.tables.records import Records

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
        help="A class: a specification such as thresholds:n=16, or a file with a table.",
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
        "--allow-weak-privacy", help="Allow an epsilon above 20 or a delta of 1/10 or more."
    ),
]
BudgetOption = Annotated[
    Path | None,
    typer.Option(
        "--budget",
        metavar="FILE",
        help="File of a privacy budget that 'lsclasses budget new' wrote. Before the release, "
        "the command charges the cost of the release to this budget. The command refuses a "
        "release that costs more than the rest of the budget.",
    ),
    Reads(),
]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the learned model to FILE."),
    Writes(MODEL),
]
CardFile = Annotated[
    Path | None,
    typer.Option(
        "--card",
        metavar="FILE",
        help="Write a model card, a description of the model in plain words, to FILE (.md, "
        ".html or .htm).",
    ),
    Writes(CARD),
]


def number_option(doc: str) -> object:
    """Return an option for a number of any size, read exactly."""
    return typer.Option(metavar="FRACTION", help=doc)


Separator = Annotated[
    str, Option("character between the entries of a line, or the word tab", metavar="CHARACTER")
]


@dataclass(frozen=True, kw_only=True)
class TableFile(OptionGroup):
    """The separator of a file and its markers of missing values."""

    missing: Annotated[
        Collection[str],
        Option(
            "strings that mark missing values, in addition to NA, NaN, nan, ? and empty entries. "
            "For example, NULL,N/A marks missing values in every column, and age=-1 only in the "
            "column age",
            metavar="MARKERS",
        ),
    ] = ()
    separator: Separator = ","

    def read(self, path: PathLike) -> Records:
        """Read the table from its file."""
        from learners.tables.records import load_records, read_separator

        return load_records(path, separator=read_separator(self.separator), missing=self.missing)


@dataclass(frozen=True, kw_only=True)
class BudgetLimits(OptionGroup):
    """The options for epsilon and delta of a command, and for the consent to weak privacy."""

    epsilon: Annotated[str, number_option("Epsilon of the guarantee.")] = "1"
    delta: Annotated[str, number_option("Delta of the guarantee.")] = "1e-6"
    allow_weak_privacy: AllowWeakPrivacy = False

    def budget(self) -> Budget:
        """Return the privacy budget of these options.

        Raises
        ------
        InvalidInput
            If a number is out of range, or the guarantee is weak without consent.
        """
        from learners.budget import Budget
        from lsclasses.numbers import as_printed

        return Budget(
            as_printed(self.epsilon, "epsilon"),
            as_printed(self.delta, "delta"),
            allow_weak_privacy=self.allow_weak_privacy,
        )


@dataclass(frozen=True, kw_only=True)
class ReleaseOptions(OptionGroup):
    """The randomness, the budget and the output format of a release about people's rows."""

    seed: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER",
            min=0,
            help="Seed of the random numbers. With a seed, the output is only a simulation, "
            "so do not publish the output.",
        ),
    ] = None
    secure: Annotated[
        bool,
        typer.Option(
            "--secure",
            help="Take random numbers from the operating system. This choice is the "
            "default without --seed.",
        ),
    ] = False
    budget: BudgetOption = None
    as_json: AsJson = False

    def __post_init__(self) -> None:
        if self.secure and self.seed is not None:
            raise InvalidInput(
                "Randomness comes from --seed (a simulation) or is --secure. Got both options."
            )

    def session(self) -> Session:
        """Return the steps before and after the release, such as its charge to a budget."""
        return Session(self.seed, self.budget, self.as_json)


Unknown = Annotated[
    str,
    typer.Option(
        metavar="POLICY",
        help="Policy for entries that are not declared categories of "
        "their column: warn, error, ignore.",
    ),
]


def adversaries(incomplete: str) -> list[str]:
    """Return the specifications of adversaries that complete a word, for shells."""
    from learners.playing.adversaries import NAMED

    return completion.specification(lambda: NAMED, "stream:")(incomplete)


def read_count(
    command: str, name: str, text: str | None, *, least: int = 1, most: int | None = None
) -> int:
    """Parse a count, such as 1000 or 2^20.

    Raises
    ------
    InvalidInput
        If the number is not an integer, or is out of range.
    """
    from lsclasses.specifications import Parameter

    return int(Parameter(name, "", minimum=least, maximum=most).read(command, text))


MOST_ROUNDS = 10**12
"""Largest number of rounds of a game. Such a game would take years."""


def read_rounds(text: str) -> int:
    """Parse a number of rounds.

    Raises
    ------
    InvalidInput
        If the number is not an integer, or is out of range.
    """
    try:
        return read_count("a game", "rounds", text, most=MOST_ROUNDS)
    except InvalidInput:
        raise InvalidInput(
            f"--rounds is a number from 1 to 10^12, such as 10000, 1e4 or 2^14. Got {text!r}."
        ) from None
