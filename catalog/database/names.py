"""Counterparts in this library of the parameters and classes of the database.

The module reads `mapping.toml`.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from catalog.database.later_classes import built
from catalog.database.notation import compare
from lsclasses.dimensions.expressions import Expression
from lsclasses.table import Table

# ---- names


FILE = Path(__file__).with_name("mapping.toml")


@dataclass(frozen=True)
class ParameterMap:
    """The counterpart in this library of a parameter of the database.

    The parameter is either a single parameter or a family, which depends on a number.

    Attributes
    ----------
    ours : str
        Formula in the names of this library, empty for a family and if the parameter is not
        comparable.
    letter : str
        Letter of the number that a family depends on.
    members : mapping of str to str
        Formulas in the names of this library for some numbers of a family.
    defined : str
        Condition under which the definition of the parameter gives a number, if this is not always
        the case.
    infinite : str
        Formula of the value by which this library represents infinity, empty if the parameter is
        always finite.
    remark : str
        Differences from the record, or facts that the record does not state.
    open : str
        Convention that the record leaves open, on which the value depends.
    why : str
        Reason why the parameter is not comparable.
    """

    ours: str = ""
    letter: str = ""
    members: Mapping[str, str] = field(default_factory=dict)
    defined: str = ""
    infinite: str = ""
    remark: str = ""
    open: str = ""
    why: str = ""

    @property
    def formulas(self) -> tuple[str, ...]:
        """The formulas of the parameter or of the members of the family."""
        return (self.ours,) if self.ours else tuple(self.members.values())

    def at(self, numbers: Mapping[str, int]) -> ParameterMap:
        """Return the member of a family for a number, or the parameter if it is not a family.

        Examples
        --------
        >>> names().parameters["prefix_littlestone_dimension"].at({"k": 2}).ours
        'two_prefix_ldim'
        """
        if not self.members:
            return self
        ours = self.members[str(numbers[self.letter])]
        return replace(self, ours=ours, letter="", members={})


def family_numbers(*parameters: ParameterMap) -> list[dict[str, int]]:
    """Return the numbers for which all given families have members.

    Each result maps the letters of the families to numbers. Families with one letter have equal
    numbers. The only result for single parameters is the empty mapping.

    Examples
    --------
    >>> prefixes, vc = (
    ...     names().parameters[name] for name in ("prefix_littlestone_dimension", "vc_dimension")
    ... )
    >>> family_numbers(prefixes, vc), family_numbers(vc)
    ([{'k': 2}, {'k': 3}], [{}])
    """
    letters = dict.fromkeys(each.letter for each in parameters if each.letter)
    known = [
        sorted(
            set.intersection(
                *(set(map(int, each.members)) for each in parameters if each.letter == letter)
            )
        )
        for letter in letters
    ]
    return [dict(zip(letters, chosen, strict=True)) for chosen in itertools.product(*known)]


@dataclass(frozen=True)
class Member:
    """A class of the database, for some values of its numbers.

    Attributes
    ----------
    at : mapping of str to int
        Values of the numbers, by the letters in stated values.
    spec : str
        Specification of the class.
    """

    at: Mapping[str, int]
    spec: str

    @property
    def table(self) -> Table:
        """The class, as a table."""
        return built(self.spec)


@dataclass(frozen=True)
class ClassMap:
    """The counterpart in this library of a class of the database.

    Attributes
    ----------
    ours : str
        Specification with the parameters of the grid in braces.
    grid : mapping of str to list of int
        Values of each parameter of the specification, which is empty for a single class.
    numbers : mapping of str to str
        Formulas in the parameters of the grid of the numbers in stated values, by letter. The
        default is the parameters of the grid.
    where : str
        Condition on the parameters of the grid, if not all combinations are compared.
    remark : str
        Differences from the record.
    """

    ours: str
    grid: Mapping[str, list[int]] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    remark: str = ""

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the numbers in stated values."""
        return tuple(self.numbers or self.grid)

    def members(self) -> Iterator[Member]:
        """Yield the members of the class on which values are compared, in the order of the grid."""
        formulas = {
            letter: Expression(each)
            for letter, each in (self.numbers or {name: name for name in self.grid}).items()
        }
        sides = Expression(self.where).sides if self.where else None
        for values in itertools.product(*self.grid.values()):
            chosen = dict(zip(self.grid, values, strict=True))
            if sides and not compare(sides[0](chosen), sides[1], sides[2](chosen)):
                continue
            at = {letter: int(each(chosen)) for letter, each in formulas.items()}  # type: ignore[arg-type]
            yield Member(at, self.ours.format(**chosen))


@dataclass(frozen=True)
class RelationScope:
    """A condition that a record of a relation states only in the text of its details.

    Attributes
    ----------
    relation : str
        Both parameters with the type of the relation between them.
    details : str
        Formula in the details of the records with this condition.
    when : str
        The condition, in the names of this library, empty if there is none.
    numbers : mapping of str to int
        The only numbers of families that the record is about.
    """

    relation: str
    details: str
    when: str = ""
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Names:
    """The content of ``mapping.toml``: parameters and classes by the database's short names."""

    parameters: Mapping[str, ParameterMap] = field(default_factory=dict)
    classes: Mapping[str, ClassMap] = field(default_factory=dict)
    scopes: tuple[RelationScope, ...] = ()

    def scope(self, relation: str, details: str) -> RelationScope:
        """Return the condition of a relation with some details, which is empty if there is none."""
        for each in self.scopes:
            if each.relation == relation and each.details in details:
                return each
        return RelationScope(relation, details)


@cache
def names() -> Names:
    """Return the content of ``mapping.toml``.

    Examples
    --------
    >>> names().parameters["covc_dimension"].ours, names().classes["addressing"].ours
    ('hollow_star_number', 'addressing:k={k}')
    """
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return Names(
        {name: ParameterMap(**entry) for name, entry in data["parameters"].items()},
        {name: ClassMap(**entry) for name, entry in data["classes"].items()},
        tuple(RelationScope(**entry) for entry in data["scopes"]),
    )
