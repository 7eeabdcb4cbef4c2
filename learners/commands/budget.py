"""The command ``lsclasses budget``: the budget of a data set and its releases."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.codec import written
from learners.commands.options import AllowWeakPrivacy
from lsclasses.commands.application import TABLES, AsJson, Commands, command
from lsclasses.commands.output import print_json, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.numbers import format_number
from lsclasses.outputs import Creates, Reads

if TYPE_CHECKING:
    from learners.budget_files import BudgetState

_budget = Commands(
    no_args_is_help=True,
    help="A budget for all releases about the same rows, kept in a file that every command shares.",
)
budget = command(TABLES)(_budget)

File = Annotated[Path, typer.Argument(metavar="FILE", help="File of the budget.")]


@_budget.command()
def new(
    file: Annotated[File, Creates()],
    *,
    epsilon: Annotated[str, typer.Option(metavar="FRACTION", help="Epsilon of the budget.")],
    delta: Annotated[str, typer.Option(metavar="FRACTION", help="Delta of the budget.")] = "0",
    neighbours: Annotated[
        str,
        typer.Option(
            metavar="RELATION",
            help="Neighbour relation of all releases: replace_one (one row is replaced), "
            "add_remove (one row is added or removed) or challenge. With challenge, one example "
            "of a stream is replaced, and the guarantee covers the answers to all other users.",
        ),
    ] = "replace_one",
    unit: Annotated[
        str,
        typer.Option(
            metavar="UNIT", help="Unit of privacy: row, or person (all rows of a person)."
        ),
    ] = "row",
    stream: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="Streams for which each release must be private: adaptive (examples may "
            "depend on earlier releases) or fixed (all examples exist before the first release).",
        ),
    ] = "adaptive",
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of the data set. The budget then refuses releases about any other file.",
        ),
        Reads(),
    ] = None,
    allow_weak_privacy: AllowWeakPrivacy = False,
    as_json: AsJson = False,
) -> None:
    """Create the file of a privacy budget, which limits all releases about one data set."""
    from learners.budget import Budget
    from learners.budget_files import BudgetFile
    from lsclasses.numbers import as_printed

    limits = as_printed(epsilon, "epsilon"), as_printed(delta, "delta")
    Budget(*limits, allow_weak_privacy=allow_weak_privacy)
    made = BudgetFile.new(file, *limits, relation=neighbours, unit=unit, stream=stream, data=data)
    _print(file, made.state, as_json)


@_budget.command()
def show(file: Annotated[File, Reads()], *, as_json: AsJson = False) -> None:
    """Print the releases and the remaining budget. The output is secret like the rows."""
    from learners.budget_files import BudgetFile

    _print(file, BudgetFile(file).state, as_json)


def _print(file: Path, state: BudgetState, as_json: bool) -> None:
    left, spent = state.remaining, state.spent
    if as_json:
        print_json(
            {
                "budget": str(file),
                "neighbours": state.neighbours,
                "unit": state.unit,
                "stream": state.stream,
                "tied to a file": state.data is not None,
                "epsilon": str(state.epsilon),
                "delta": str(state.delta),
                "spent": [str(number) for number in spent],
                "left": [str(number) for number in left],
                "charges": [written(each) for each in state.charges],
            }
        )
        return
    rows = " of one file of rows" if state.data is not None else ""
    streams = "streams fixed in advance" if state.stream == "fixed" else "adaptive streams"
    say(f"{file}: a budget{rows} for each {state.unit}, under {state.neighbours}, for {streams}\n")
    table = Grid("", "epsilon", "delta", "when")
    for each in state.charges:
        table.add_row(each.what, _up(each.epsilon), _up(each.delta), each.time)
    table.add_row("spent", *map(_up, spent), "")
    table.add_row("left", *(format_number(number, down=True) for number in left), "")
    table.add_row("in all", *(format_number(number) for number in (state.epsilon, state.delta)), "")
    terminal().print(table)


def _up(number: Fraction) -> str:
    return format_number(number, up=True)
