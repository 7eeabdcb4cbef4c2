"""The records of a local copy of the database: one JSON file each, in four folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsclasses.errors import InvalidInput
from lsclasses.files import read_json

__all__ = ["Database", "Record", "read_database"]

FOLDERS = ("parameters", "classes", "relationships", "values")
NEEDED = {
    "parameters": (),
    "classes": (),
    "relationships": ("parameter_1_id", "parameter_2_id", "relationship_type"),
    "values": ("class_id", "parameter_id", "value"),
}
"""What a record has to have beside its name."""


@dataclass(frozen=True)
class Record:
    """One file.

    Attributes
    ----------
    file : str
        Its name with that of its folder.
    name : str
        The short name; empty for a record that has none.
    data : mapping
        All that it holds.
    """

    file: str
    name: str
    data: Mapping[str, Any]

    def reference(self, field: str) -> str:
        """The short name that a field refers to: ``#classes/singletons`` is ``singletons``."""
        return str(self.data[field]).rpartition("/")[2]

    def text(self, field: str) -> str:
        """A field as text; empty if it is not there."""
        found = self.data.get(field)
        return "" if found is None else str(found)


@dataclass(frozen=True)
class Database:
    """All records by folder, in the order of their files."""

    parameters: tuple[Record, ...]
    classes: tuple[Record, ...]
    relationships: tuple[Record, ...]
    values: tuple[Record, ...]

    def named(self, folder: str) -> dict[str, Record]:
        """The records of a folder that have a short name, by it."""
        return {each.name: each for each in getattr(self, folder) if each.name}


def read_database(folder: str | Path) -> Database:
    """Read the ``data`` folder of a copy of the database.

    Raises
    ------
    InvalidInput
        If it is no such folder, or a record is not what it has to be.
    """
    root = Path(folder)
    if not (root / "relationships").is_dir() and (root / "data" / "relationships").is_dir():
        root = root / "data"
    missing = [name for name in FOLDERS if not (root / name).is_dir()]
    if missing:
        raise InvalidInput(
            f"{str(root)!r} is no copy of the database's data: it has no folder "
            f"{' and no folder '.join(missing)}. It is the folder 'data' of the repository "
            "obousquet/Combinatorial-Parameters."
        )
    return Database(*(_read(root / name) for name in FOLDERS))


def _read(folder: Path) -> tuple[Record, ...]:
    found = []
    for path in sorted(folder.glob("*.json")):
        if path.name == "schema.json":
            continue
        file = f"{folder.name}/{path.name}"
        data = read_json(path)
        if not isinstance(data, dict):
            raise InvalidInput(f"{file} is no record: an object is needed, with its fields.")
        name = data.get("short_name") or ""
        for field in NEEDED[folder.name]:
            # A value that nobody has written yet is a text without characters.
            if not isinstance(data.get(field), str):
                raise InvalidInput(f"{file} has no text {field!r}. Got {data.get(field)!r:.60}.")
        found.append(Record(file, str(name), data))
    return tuple(found)
