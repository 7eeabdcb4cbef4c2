"""A table and what its owner says of it, in options and in a schema."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike
from lsclasses.outputs import Reads

if TYPE_CHECKING:
    from learners.tables import schemas
    from learners.tables.records import Records

Schema = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="Public declarations of the columns, in TOML; 'lsclasses schema' writes one to be "
        "filled in.",
    ),
    Reads(),
]


@dataclass(frozen=True)
class DeclaredTable:
    """A table, with what its options and its schema together declare of it.

    Attributes
    ----------
    records : Records
    target : str
    positive, negative : str or None
    drop : tuple of str
        Columns that are left out besides those of the schema.
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
    left_out = {*drop, *(() if known is None else known.dropped)}
    return DeclaredTable(
        load_records(rows, drop=left_out & {""}),
        target,
        positive,
        negative,
        tuple(name for name in drop if name),
        known,
    )
