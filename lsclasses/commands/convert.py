"""``lsclasses convert`` writes a class, from a file or a family, to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lsclasses.commands.application import CLASSES, AsJson, Force, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import print_json
from lsclasses.numbers import plural
from lsclasses.outputs import FileFormat, Writes

TABLE = FileFormat(
    "a table",
    dict.fromkeys((".csv", ".json", ".npy", ".npz", ".tsv", ".dat", ".cxt", ".hgr", ".hif.json")),
)
"""Formats of tables that the command writes. A user may also have made files in these formats."""


@command(CLASSES)
def convert(
    source: OneClass,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="File for the table. Its suffix is .csv, .tsv, .json, .npy, .npz, .cxt (formal "
            "context), .dat (one line per concept with its points), .hgr (hMETIS) or .hif.json "
            "(Hypergraph Interchange Format).",
        ),
        Writes(TABLE, argument="convert"),
    ],
    *,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a class to a file in another format.

    Equal concepts are written once. Files with the suffix .npy or .hgr contain no names of points
    and concepts. Files with the suffix .dat contain the names of points, but no names of concepts.
    """
    table = load(source).to_table()
    table.save(out)
    if as_json:
        print_json(
            {
                "class": source,
                "concepts": len(table),
                "points": len(table.points),
                "merged": table.merged,
                "out": str(out),
            }
        )
    else:
        counts = f"{plural(len(table), 'concept')} on {plural(len(table.points), 'point')}"
        typer.echo(f"{out}: {counts}.")
