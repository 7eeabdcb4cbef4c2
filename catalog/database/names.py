r"""Counterparts in this library of the parameters, classes and values of the database.

The module reads `mapping.toml`. It converts values in the notation of the database, such as
``$n+\lceil \log n \rceil$``, to formulas. The database uses a small part of LaTeX, and its
logarithms are binary ("the (binary) log"), which general parsers do not know. The module therefore
rewrites a string into a formula of `lsclasses.dimensions.expressions`, which parses or refuses it.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from catalog.family_registry import build
from lsclasses.dimensions.expressions import Expression
from lsclasses.errors import InvalidInput
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
    """A class of the database, for one value n of its parameter."""

    n: int
    spec: str

    @property
    def table(self) -> Table:
        """The class, as a table, for this value of n."""
        return build(self.spec).to_table()


@dataclass(frozen=True)
class ClassMap:
    """The counterpart in this library of a class of the database.

    Attributes
    ----------
    ours : str
        Specification with the parameters of the grid in braces.
    grid : mapping of str to list of int
        Values of each parameter of the specification.
    n : str
        Value of the record's parameter, as a formula in the parameters of the grid.
    letter : str
        Letter of this parameter in stated values.
    remark : str
        Differences from the record.
    """

    ours: str
    grid: Mapping[str, list[int]]
    n: str = "n"
    letter: str = "n"
    remark: str = ""

    def members(self) -> Iterator[Member]:
        """Yield the members of the class on which values are compared, in the order of the grid."""
        formula = Expression(self.n)
        for values in itertools.product(*self.grid.values()):
            chosen = dict(zip(self.grid, values, strict=True))
            yield Member(int(formula(chosen)), self.ours.format(**chosen))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Names:
    """The content of ``mapping.toml``: parameters and classes by the database's short names."""

    parameters: Mapping[str, ParameterMap] = field(default_factory=dict)
    classes: Mapping[str, ClassMap] = field(default_factory=dict)


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
    )


# ---- latex


ASYMPTOTIC = re.compile(r"\\(Omega|Theta|omega)|\bO\s*\(|\bo\s*\(|\\sim|\\approx")
FRACTION = re.compile(r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
REWRITTEN = (
    (r"\\left|\\right|\\,|\\;|\\!", ""),
    (r"\\lceil", " ceil("),
    (r"\\lfloor", " floor("),
    (r"\\rceil|\\rfloor", ")"),
    (r"\\(log|lg)(_2|_\{2\})?\s*\(", " log2("),
    (r"\\(log|lg)(_2|_\{2\})?\s*([a-z]|\d+)", r" log2(\3)"),
    (r"\\cdot|\\times", "*"),
    (r"\^", "**"),
    (r"\{", "("),
    (r"\}", ")"),
    (r"(\d)\s*(?=[a-z(])", r"\1*"),
    (r"(?<![a-z\d])([a-z])\s*(?=\()", r"\1*"),
    (r"\)\s*(?=[a-z(\d])", ")*"),
)
FUNCTION_NAMES = re.compile(r"(log2|ceil|floor)\*\(")


def formula(text: str) -> Expression:
    r"""Return the formula, as a string, of a value that the database writes in LaTeX.

    Raises
    ------
    InvalidInput
        If the value is not a formula. The message states the reason.

    Examples
    --------
    >>> formula(r"$\left\lceil\frac{n}{2}\right\rceil$")({"n": 5})
    3
    >>> formula(r"$n+\lceil\log n\rceil +1$"), formula("$2^n$"), formula(r"$n/\log n$")
    (Expression('n+ ceil( log2(n)) +1'), Expression('2**n'), Expression('n/ log2(n)'))
    >>> formula(r"$\Omega(\log n)$")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: an order of growth, without constants
    """
    written = text.strip().strip("$").strip()
    if not written:
        raise InvalidInput("no value is given")
    if ASYMPTOTIC.search(written):
        raise InvalidInput("an order of growth, without constants")
    while FRACTION.search(written):
        written = FRACTION.sub(r"((\1)/(\2))", written)
    for pattern, replacement in REWRITTEN:
        written = re.sub(pattern, replacement, written)
    written = FUNCTION_NAMES.sub(r"\1(", written)
    if "\\" in written:
        raise InvalidInput(f"the value {text:.80} is not understood")
    try:
        return Expression(written)
    except InvalidInput:
        raise InvalidInput(f"the value {text:.80} is not understood") from None
