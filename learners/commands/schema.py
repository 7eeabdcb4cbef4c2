"""``lsclasses schema``: a file in which the owner of a table declares public facts about it.

The module also reads a table with the declarations of its owner, in options and in a schema.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import Data
from lsclasses.commands.application import TABLES, AsJson, Force, command, split_names
from lsclasses.commands.output import note, print_json
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike
from lsclasses.outputs import FileFormat, Reads, Writes

if TYPE_CHECKING:
    from learners.tables import schemas
    from learners.tables.records import Records


# ---- schema options


Schema = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="TOML file with public declarations of the columns. 'lsclasses schema' writes a "
        "template.",
    ),
    Reads(),
]


@dataclass(frozen=True)
class DeclaredTable:
    """A table, with the declarations of its options and its schema.

    Attributes
    ----------
    records : Records
    target : str
    positive, negative : str or None
    drop : tuple of str
        Columns to leave out, in addition to the schema's columns.
    schema : learners.tables.schemas.Schema or None
    """

    records: Records
    target: str
    positive: str | None
    negative: str | None
    drop: tuple[str, ...]
    schema: schemas.Schema | None


def declared_table(
    rows: PathLike,
    schema: Path | None,
    *,
    target: str | None,
    positive: str | None,
    negative: str | None,
    drop: Collection[str],
) -> DeclaredTable:
    """Read a table, and determine its target from options and schema.

    Raises
    ------
    InvalidInput
        If a file cannot be read, if the target is missing, or if two declarations contradict.
    """
    from learners.tables.records import load_records
    from learners.tables.schemas import load_schema

    known = None if schema is None else load_schema(schema)

    def agreed(name: str, given: str | None, said: str | None) -> str | None:
        if None not in (given, said) and given != said:
            raise InvalidInput(
                f"The schema declares the {name} {said!r}, but --{name} is {given!r}. Remove one "
                "of the two declarations."
            )
        return said if given is None else given

    if known is not None:
        target = agreed("target", target, known.target)
        positive = agreed("positive", positive, known.positive)
        negative = agreed("negative", negative, known.negative)
    if target is None:
        raise InvalidInput("The target is missing. Add --target COLUMN, or a target in the schema.")
    left_out = {*drop, *(() if known is None else known.dropped)}
    records = load_records(rows, drop=left_out & {""})
    dropped = tuple(name for name in split_names(drop, records.names) if name)
    return DeclaredTable(records, target, positive, negative, dropped, known)


# ---- schema


SCHEMA = FileFormat("a schema", {".toml": None})
"""It is filled in by hand, so one that is there is never replaced."""


@command(TABLES)
def schema(
    data: Data,
    *,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the schema to FILE."),
        Writes(SCHEMA),
    ] = None,
    not_private: Annotated[
        bool,
        typer.Option(
            "--look-at-values-not-private",
            help="Fill the schema with quartiles and observed categories of these rows. Models "
            "that use it have no guarantee.",
        ),
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a schema template with one line for each column of a table.

    The template contains only the names of the columns. The allowed values of a column must be
    known without these rows. 'lsclasses learn' and 'lsclasses predict' read the schema with
    --schema.
    """
    from learners.tables.records import column_names, load_records
    from learners.tables.schemas import infer_schema, skeleton
    from lsclasses.files.writing import atomic_write

    if not_private:
        table = load_records(data, drop=[""])
        names, text = table.names, infer_schema(table, str(data))
        note(
            "Note: this schema depends on the rows. Before a publication, replace the values from "
            "the rows by public knowledge."
        )
    else:
        names = column_names(data)
        text = skeleton(names, str(data))
    if out is not None:
        atomic_write(out, text)
    if as_json:
        print_json(
            {
                "data": str(data),
                "columns": list(names),
                "schema": text,
                "private": not not_private,
                "saved": None if out is None else str(out),
            }
        )
    elif out is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"{len(names)} columns are listed in {out}. Fill in public knowledge.")
