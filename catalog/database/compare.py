"""The database held against computation: each relation and each value, or why it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from catalog.database.findings import ComparedRecord
from catalog.database.records import Database
from catalog.database.relations import compared_relation
from catalog.database.values import compared_value


def compared(
    database: Database, show: Callable[[str], None] = lambda text: None
) -> Iterator[ComparedRecord]:
    """One finding for each relation, then one for each value, in the order of the files."""
    for record in database.relationships:
        show(f"{record.file} ...")
        yield compared_relation(database, record)
    for record in database.values:
        show(f"{record.file} ...")
        yield compared_value(database, record)
