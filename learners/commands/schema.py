"""``lsclasses schema``: a file in which the owner of a table declares public facts about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from learners.commands.options import Data, TableFile
from lsclasses.commands.application import TABLES, AsJson, Force, command
from lsclasses.commands.output import note, print_json
from lsclasses.outputs import FileFormat, Writes

SCHEMA = FileFormat("a schema", {".toml": None})
"""The file format of schemas. The owner fills in a schema by hand, so the command never takes an
existing file for its own output."""


@command(TABLES)
def schema(
    data: Data,
    *,
    file: TableFile,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the schema to FILE."),
        Writes(SCHEMA),
    ] = None,
    not_private: Annotated[
        bool,
        typer.Option(
            "--look-at-values-not-private",
            help="Fill the schema with the quartiles and the observed categories of the "
            "rows. A model that uses this schema has no privacy guarantee.",
        ),
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a template of a schema, a file that declares the columns of a table.

    The template has one line for each column, and contains only the names of the columns. Add the
    allowed values of each column. These values must be public, so do not take them from the rows.
    'lsclasses learn --schema' and 'lsclasses predict --schema' read the schema.
    """
    from learners.tables.missing_values import MissingMarkers
    from learners.tables.records import load_header, read_separator
    from learners.tables.schemas import infer_schema, skeleton
    from lsclasses.files.writing import atomic_write

    if not_private:
        table = file.read(data)
        text = infer_schema(table, str(data))
        note(
            "Note: this schema depends on the rows. Before a publication, replace the values from "
            "the rows by public knowledge."
        )
    else:
        table = load_header(data, read_separator(file.separator))
        table = table.with_markers(MissingMarkers.parse(file.missing, table.names))
        text = skeleton(table, str(data))
        _note_numbers(table.names)
    if out is not None:
        atomic_write(out, text)
    if as_json:
        print_json(
            {
                "data": str(data),
                "columns": list(table.names),
                "schema": text,
                "private": not not_private,
                "saved": None if out is None else str(out),
            }
        )
    elif out is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"{len(table.names)} columns are listed in {out}. Fill in public knowledge.")


def _note_numbers(names: Sequence[str]) -> None:
    """Note that names which are numbers may be the entries of a row."""
    from learners.tables.declarations import NUMBER

    numbers = [name for name in names if re.fullmatch(NUMBER, name)]
    if numbers:
        note(
            f"Note: the first line of the table contains the number {numbers[0]}. If this line is "
            "a row, the schema contains its entries. Then delete the schema, and write a line with "
            "the names of the columns above the row."
        )
