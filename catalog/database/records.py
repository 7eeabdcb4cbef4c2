"""The records of a local copy of the database: one JSON file each, in four folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsclasses.errors import InvalidInput
from lsclasses.files.documents import read_json

FOLDERS = ("parameters", "classes", "relationships", "values")
NEEDED = {
    "parameters": (),
    "classes": (),
    "relationships": ("parameter_1_id", "parameter_2_id", "relationship_type"),
    "values": ("class_id", "parameter_id", "value"),
}
"""The texts that a record needs beside its name to be compared."""


@dataclass(frozen=True)
class Record:
    """A record of the database, read from one file.

    Attributes
    ----------
    file : str
        Its name with that of its folder.
    name : str
        The short name; empty for a record that has none.
    data : mapping
        All that it holds; nothing if it cannot be read.
    problem : str
        Why nothing can be said of it; empty if it has what it needs.
    """

    file: str
    name: str
    data: Mapping[str, object]
    problem: str = ""

    def reference(self, field: str) -> str:
        """The short name that a field refers to: ``#classes/singletons`` is ``singletons``."""
        return self.text(field).rpartition("/")[2]

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

    @property
    def records(self) -> tuple[Record, ...]:
        """All of them."""
        return (*self.parameters, *self.classes, *self.relationships, *self.values)

    def named(self, folder: str) -> dict[str, Record]:
        """The records of a folder by short name, where they have one."""
        return {each.name: each for each in getattr(self, folder) if each.name}


def read_database(folder: str | Path) -> Database:
    """Read the ``data`` folder of a copy of the database.

    A record that cannot be read or lacks something says so itself, and keeps no other from being
    compared.

    Raises
    ------
    InvalidInput
        If it is no such folder.
    """
    root = Path(folder)
    if not (root / "relationships").is_dir() and (root / "data" / "relationships").is_dir():
        root = root / "data"
    missing = [name for name in FOLDERS if not (root / name).is_dir()]
    if missing:
        lacks = "is no folder" if not root.is_dir() else f"has no {_listed(missing)} in it"
        raise InvalidInput(
            f"{str(root)!r} {lacks}. The database's data are the folder 'data' of the repository "
            "obousquet/Combinatorial-Parameters."
        )
    return Database(*(_read(root / name) for name in FOLDERS))


def _listed(names: Sequence[str]) -> str:
    """Names of folders in a sentence."""
    *most, last = map(repr, names)
    return f"folders {', '.join(most)} and {last}" if most else f"folder {last}"


def _read(folder: Path) -> tuple[Record, ...]:
    return tuple(
        _record(path) for path in sorted(folder.glob("*.json")) if path.name != "schema.json"
    )


def _record(path: Path) -> Record:
    folder = path.parent.name
    file = f"{folder}/{path.name}"
    try:
        data = read_json(path)
    except InvalidInput as error:
        return Record(file, "", {}, str(error).removesuffix("."))
    if not isinstance(data, dict):
        return Record(file, "", {}, "it is no record, which is an object with fields")
    # A value that nobody has written yet is a text without characters, or is not there.
    lacking = [
        f"it has no {field!r}" if data.get(field) is None else f"its {field!r} is no text"
        for field in NEEDED[folder]
        if not isinstance(data.get(field), str)
    ]
    return Record(file, str(data.get("short_name") or ""), data, " and ".join(lacking))
