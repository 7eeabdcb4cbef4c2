"""What the parameters and classes of the database are called here: `mapping.toml`, read."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from catalog.registry import build
from lsclasses.dimensions.expressions import Expression
from lsclasses.table import Table

FILE = Path(__file__).with_name("mapping.toml")


@dataclass(frozen=True)
class ParameterMap:
    """The counterpart in this library of a parameter of the database.

    Attributes
    ----------
    ours : str
        A formula; empty if the parameter is not comparable.
    defined : str
        A condition under which its definition gives a number, if that is not always.
    remark : str
        What differs, or is not said in the record.
    open : str
        A convention that the record leaves open, on which the value depends.
    why : str
        Why it is not comparable.
    """

    ours: str = ""
    defined: str = ""
    remark: str = ""
    open: str = ""
    why: str = ""


@dataclass(frozen=True)
class Member:
    """A class of the database with one value of its n."""

    n: int
    spec: str

    @property
    def table(self) -> Table:
        """The class."""
        return build(self.spec).to_table()


@dataclass(frozen=True)
class ClassMap:
    """The counterpart in this library of a class of the database.

    Attributes
    ----------
    ours : str
        A specification with the parameters of the grid in braces.
    grid : mapping of str to list of int
    n : str
        The record's n, a formula in the grid's parameters.
    remark : str
        What differs.
    """

    ours: str
    grid: Mapping[str, list[int]]
    n: str = "n"
    remark: str = ""

    def members(self) -> Iterator[Member]:
        """The instances on which values are compared, in the order of the grid."""
        formula = Expression(self.n)
        for values in itertools.product(*self.grid.values()):
            chosen = dict(zip(self.grid, values, strict=True))
            yield Member(int(formula(chosen)), self.ours.format(**chosen))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Names:
    """The whole table: parameters and classes by the database's short names."""

    parameters: Mapping[str, ParameterMap] = field(default_factory=dict)
    classes: Mapping[str, ClassMap] = field(default_factory=dict)


@cache
def names() -> Names:
    """The table that is kept in ``mapping.toml``.

    Examples
    --------
    >>> names().parameters["covc_dimension"].ours, names().classes["addressing"].ours
    ('hollow_star_number', 'addressing:k={k}')
    """
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return Names(
        {name: ParameterMap(**entry) for name, entry in data["parameters"].items()},
        {name: ClassMap(**entry) for name, entry in data["classes"].items()},
    )
