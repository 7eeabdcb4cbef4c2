"""The records of a local copy of the database, and the findings about one record.

A record is a JSON file in one of four folders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from catalog.database.names import ParameterMap, names
from catalog.parameters import PARAMETERS
from lsclasses.dimensions.expressions import Expression
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import read_json
from lsclasses.table import Table

# ---- records


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
        """Return a field as text; empty if it is not there."""
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
        """Return the records of a folder by short name, where they have one."""
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
    """Return names of folders in a sentence."""
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


# ---- findings


Agreement = Literal["confirmed", "refuted", "not comparable"]


@dataclass(frozen=True)
class ComparedClass:
    """A class with the two sides of a statement: the parameters' values on that class.

    Attributes
    ----------
    name : str
        Its specification; empty for a class of the atlas.
    table : Table
    left, right : str
        For a value: what is computed, and what is stated.
    """

    name: str
    table: Table
    left: str
    right: str


@dataclass(frozen=True)
class ComparedRecord:
    """The finding about one record.

    Attributes
    ----------
    kind : "relation" or "value"
    file : str
        The record's file.
    stated : str
        The record as it stands there.
    ours : str
        The same in the names of this library; empty if it is not comparable.
    verdict : str
    instances : int
        On how many classes both sides were compared.
    failing : int
        On how many of them they are not as stated.
    why : str
        Why it is not comparable.
    remarks : tuple of str
        What differs between the definitions, where n was rounded, and what else there is to know.
    case : Case or None
        The smallest class for which it is false.
    correction : mapping or None
        For a refuted record, the fields of a record that no class looked at refutes, where one was
        found.
    """

    kind: Literal["relation", "value"]
    file: str
    stated: str
    ours: str
    verdict: Agreement
    instances: int = 0
    failing: int = 0
    why: str = ""
    remarks: tuple[str, ...] = ()
    case: ComparedClass | None = field(default=None, compare=False)
    correction: Mapping[str, str] | None = field(default=None, compare=False)


class Incomparable(Exception):
    """The reason why a record cannot be compared."""


def parameter(database: Database, name: str) -> ParameterMap:
    """What a parameter of the database is here.

    Raises
    ------
    Incomparable
        If it is not computed here.
    """
    found = names().parameters.get(name)
    if found is None:
        known = database.named("parameters").get(name)
        title = known.text("name") if known else name
        raise Incomparable(f"nothing here computes the parameter '{title}'")
    if found.why:
        raise Incomparable(f"'{name}': {found.why}")
    computed = {*quantity_names(), *PARAMETERS}
    missing = [each for each in Expression(found.ours).names if each not in computed]
    assert not missing, f"{name}: {missing}"
    for each in Expression(found.ours).names & set(PARAMETERS):
        if not PARAMETERS[each].available:
            raise Incomparable(f"the package {PARAMETERS[each].needs!r} is missing")
    return found


def condition(*parameters: ParameterMap, more: str = "") -> str:
    """The condition that all definitions give numbers, and another one, as a statement's end."""
    conditions = sorted({each.defined for each in parameters if each.defined})
    joined = " and ".join([*conditions, *([more] if more else [])])
    return f" when {joined}" if joined else ""


def left_open(conventions: str) -> str:
    """Why something is not refuted that is false by one convention."""
    return f"false as it is taken here, but the record leaves open {conventions}"
