"""The database Combinatorial Parameters (O. Bousquet), compared with computed values.

The database lists parameters of set families, relations between them, and values for classes, with
one JSON file per record. `mapping.toml` maps its parameters and classes to their counterparts in
this library, with a remark wherever definitions differ. `definitions` contains the parameters that
are not dimensions of this library.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catalog.database.comparison import compared
    from catalog.database.findings import (
        ComparedClass,
        ComparedRecord,
        Database,
        Record,
        read_database,
    )

__all__ = ["ComparedClass", "ComparedRecord", "Database", "Record", "compared", "read_database"]


def __getattr__(name: str) -> object:
    # The list of commands is printed without searches.
    if name not in __all__:
        raise AttributeError(f"module 'catalog.database' has no attribute {name!r}")
    from catalog.database import comparison, findings

    return {**vars(findings), **vars(findings), **vars(comparison)}[name]
