"""What the owner of a table says of it, in options and in a schema, and what is paid for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.budget import pay, rows_of
from lsclasses.errors import InvalidInput
from lsclasses.outputs import Reads

if TYPE_CHECKING:
    from fractions import Fraction

    from learners.coins import Coins
    from learners.tables.records import Records
    from learners.tables.saved import SavedModel
    from learners.tables.schemas import Schema
    from learners.tables.training import Task

__all__ = ["Declared", "Person", "RowsPerPerson", "Told", "pay_for", "require_agreed", "told"]

Declared = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="What is publicly known of the columns, in TOML; 'lsclasses schema' writes one to be "
        "filled in.",
        show_default=False,
    ),
    Reads(),
]


Person = Annotated[
    str | None,
    typer.Option(
        "--person",
        metavar="COLUMN",
        help="The column that says whose row it is: the guarantee is about persons then.",
        show_default=False,
    ),
]
RowsPerPerson = Annotated[
    int | None,
    typer.Option(
        "--rows-per-person",
        metavar="COUNT",
        min=1,
        help="With --person: how many rows of each are used, the first ones; a public number.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class Told:
    """The table and what options and schema say of it.

    Attributes
    ----------
    table : Records
    target : str
    positive, negative : str or None
    drop : tuple of str
        Columns that are left out besides those of the schema.
    schema : Schema or None
    digest : str or None
        Of the bytes that the table was read from, where it may be paid for.
    """

    table: Records
    target: str
    positive: str | None
    negative: str | None
    drop: tuple[str, ...]
    schema: Schema | None
    digest: str | None


def told(
    data: Path,
    schema: Path | None,
    *,
    target: str | None,
    positive: str | None,
    negative: str | None,
    drop: Sequence[str] | None,
    budget: Path | None,
) -> Told:
    """Read a table, and agree on its target.

    Raises
    ------
    InvalidInput
        If a file cannot be read, nobody names the target, or two say different things of it.
    """
    from learners.tables.records import load_records
    from learners.tables.schemas import load_schema

    known = None if schema is None else load_schema(schema)

    def agreed(name: str, given: str | None, said: str | None) -> str | None:
        if None not in (given, said) and given != said:
            raise InvalidInput(f"The schema says {said!r} of the {name}, and --{name} {given!r}.")
        return said if given is None else given

    if known is not None:
        target = agreed("target", target, known.target)
        positive = agreed("positive", positive, known.positive)
        negative = agreed("negative", negative, known.negative)
    if target is None:
        raise InvalidInput("Say which column is predicted: --target COLUMN, or in a schema.")
    left_out = {*(drop or ()), *(() if known is None else known.dropped)}
    rows, digest = rows_of(data, budget)
    return Told(
        load_records(rows, drop=left_out & {""}),
        target,
        positive,
        negative,
        tuple(name for name in drop or () if name),
        known,
        digest,
    )


def pay_for(
    budget: Path | None,
    task: Task,
    coins: Coins,
    *,
    data: str | None,
    what: str,
    spent: tuple[Fraction, Fraction],
    person: str | None = None,
) -> None:
    """Charge all that may be spent on a model to a budget, before anything is learned.

    `data` is the digest of the bytes that the table was read from (`Told.digest`).

    Raises
    ------
    InvalidInput
        As `learners.commands.budget.pay`.
    """
    from learners.accounting import ApproximateDP
    from learners.tables.guarantees import is_simulation

    private = task.prepared.cost is not None
    event = ApproximateDP(*spent, neighbours=task.neighbours) if private else None
    called = f"learn {what} --target {task.target}"
    unit = "row" if person is None else "person"
    if person is not None:
        called += f" --person {person}"
    pay(budget, event, called, simulated=is_simulation(coins), data=data, unit=unit)


def require_agreed(model: SavedModel, table: Records, path: Path) -> None:
    """Refuse a table that a schema does not describe, or a model of other columns than it has.

    Raises
    ------
    InvalidInput
    """
    from learners.tables.columns import FixedColumn
    from learners.tables.models import Model
    from learners.tables.schemas import load_schema

    schema = load_schema(path)
    there = {model.target}.union(() if schema.target is None else {schema.target})
    schema.require(table.names, there)
    if not isinstance(model, Model):
        return
    for name, column in zip(model.columns.names, model.columns.columns, strict=True):
        declared = schema.columns.get(name)
        if declared is None or (isinstance(declared, FixedColumn) and declared != column):
            raise InvalidInput(
                f"The model looks at the column {name!r} in another way than the schema "
                f"{str(path)!r} declares: the model was learned with {column!r}."
            )
