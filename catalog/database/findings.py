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
"""Names of the fields that a record needs, in addition to its name, to be compared."""


@dataclass(frozen=True)
class Record:
    """A record of the database, read from one file.

    Attributes
    ----------
    file : str
        Name of the file with the name of its folder.
    name : str
        Short name, which is empty for a record without one.
    data : mapping
        Content of the record, which is empty if the record cannot be read.
    problem : str
        Reason why the record cannot be compared, which is empty if it is complete.
    """

    file: str
    name: str
    data: Mapping[str, object]
    problem: str = ""

    def reference(self, field: str) -> str:
        """Return the short name in a field that refers to another record.

        For example, the short name in ``#classes/singletons`` is ``singletons``.
        """
        return self.text(field).rpartition("/")[2]

    def text(self, field: str) -> str:
        """Return a field as a string, which is empty if the field is missing."""
        found = self.data.get(field)
        return "" if found is None else str(found)


@dataclass(frozen=True)
class Database:
    """All records of the database, by folder and in the order of their files."""

    parameters: tuple[Record, ...]
    classes: tuple[Record, ...]
    relationships: tuple[Record, ...]
    values: tuple[Record, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """All records of the database, in all folders."""
        return (*self.parameters, *self.classes, *self.relationships, *self.values)

    @property
    def titles(self) -> dict[str, str]:
        """The names of the parameters, by short name."""
        return {name: each.text("name") for name, each in self.named("parameters").items()}

    def named(self, folder: str) -> dict[str, Record]:
        """Return the records of a folder that have a short name, by this name."""
        return {each.name: each for each in getattr(self, folder) if each.name}


def read_database(folder: str | Path) -> Database:
    """Return the records in the ``data`` folder of a copy of the database.

    A record that cannot be read, or that is incomplete, contains its problem. It does not prevent
    the comparison of other records.

    Raises
    ------
    InvalidInput
        If the folder is not the ``data`` folder of the database.
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
    # A value that has not been entered yet is an empty string or is missing.
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
    """A class, with the values that the two sides of a statement have on this class.

    Attributes
    ----------
    name : str
        Specification of the class, which is empty for a class of the atlas.
    table : Table
    left, right : str
        Values of the sides. If the statement gives the value of a parameter, the left side is the
        computed value and the right side is the stated value.
    """

    name: str
    table: Table
    left: str
    right: str


@dataclass(frozen=True)
class ComparedRecord:
    """The result of comparing one record of the database with computed values.

    Attributes
    ----------
    kind : "relation" or "value"
    file : str
        File of the record.
    stated : str
        Statement of the record in the notation of the database.
    ours : str
        Statement with the names of this library, empty if the record is not comparable.
    verdict : str
        Result of the comparison, such as "confirmed" or "refuted".
    instances : int
        Number of classes on which both sides were compared.
    failing : int
        Number of these classes on which the statement is false.
    why : str
        Reason why the record is not comparable.
    remarks : tuple of str
        Differences between the definitions, places where n was rounded, and other remarks.
    case : ComparedClass or None
        Smallest class for which the statement is false.
    correction : mapping or None
        For a refuted record, the fields of a corrected record that no examined class refutes, if
        such a correction was found.
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
    """Error: a record cannot be compared, for the reason in the message."""


def parameter(titles: Mapping[str, str], name: str) -> ParameterMap:
    """Return the counterpart in this library of a parameter of the database.

    Parameters
    ----------
    titles : mapping of str to str
        Names of the parameters of the database, by short name.
    name : str
        Short name of the parameter.

    Raises
    ------
    Incomparable
        If this library does not compute the parameter.
    """
    found = names().parameters.get(name)
    if found is None:
        raise Incomparable(f"nothing here computes the parameter '{titles.get(name) or name}'")
    if found.why:
        raise Incomparable(f"'{name}': {found.why}")
    computed = {*quantity_names(), *PARAMETERS}
    used = set().union(*(Expression(each).names for each in found.formulas))
    assert used <= computed, f"{name}: {used - computed}"
    for each in used & set(PARAMETERS):
        if not PARAMETERS[each].available:
            raise Incomparable(f"the package {PARAMETERS[each].needs!r} is missing")
    return found


def condition(*parameters: ParameterMap, more: str = "") -> str:
    """Return the clause " when ..." of a statement.

    Its condition is that all values of the parameters are defined, and that `more` holds.
    """
    conditions = sorted({each.defined for each in parameters if each.defined})
    joined = " and ".join([*conditions, *([more] if more else [])])
    return f" when {joined}" if joined else ""


def left_open(conventions: str) -> str:
    """Return the reason why a counterexample does not refute a statement.

    The reason is that the record leaves some conventions open.
    """
    return f"false as it is taken here, but the record leaves open {conventions}"


def numbers_text(numbers: Mapping[str, int]) -> str:
    """Return numbers with their letters in a sentence.

    Examples
    --------
    >>> numbers_text({"k": 2, "n": 3})
    'k = 2, n = 3'
    """
    return ", ".join(f"{letter} = {number}" for letter, number in numbers.items())


def status_remarks(record: Record) -> tuple[str, ...]:
    """Return a remark about a record whose status is not "established"."""
    status = record.text("status")
    return (
        (f"The status of the record is {status!r}.",) if status not in ("", "established") else ()
    )
