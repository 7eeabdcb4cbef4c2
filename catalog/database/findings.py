"""What is found about one record, and the names that records of both kinds refer to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from catalog.database.names import ParameterMap, names
from catalog.database.records import Database
from catalog.parameters import PARAMETERS
from lsclasses.dimensions.expressions import Expression
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.table import Table

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
