"""Inequalities between the dimensions of a class, as objects.

Each says that one formula in the dimensions never exceeds another, why, and how close they come on
small classes. They stand in ``inequalities.toml``, and `INEQUALITIES` is the single list: the
documentation prints it, ``lsclasses verify`` recomputes it on all classes of the atlas and on
members of the catalog, and ``lsclasses dims`` uses it where a search was stopped
(`lsclasses.dimensions.derived`).

Formulas contain the quantities of `lsclasses.dimensions.quantities`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files

from lsclasses.data_files import from_table, parse
from lsclasses.dimensions.expressions import Expression, Quantity, Real

__all__ = ["INEQUALITIES", "MAJORITIES", "OPERATIONS", "Inequality"]


@dataclass(frozen=True)
class Inequality:
    """A proved inequality between two formulas in the dimensions of a class.

    Both sides increase with each quantity in them, which is what lets bounds on one quantity be
    turned into bounds on another.

    Parameters
    ----------
    left, right : str
        Formulas, see `lsclasses.dimensions.expressions`.
    source : str
        A reference.
    proof : str
        The reason in a sentence or two.
    slack : int
        The least value of right - left on all classes of the atlas (for `OPERATIONS` and
        `MAJORITIES`: on all classes with three points); 0 if equality occurs. Anything less on the
        right would be wrong.
    every : str
        "k" if the formulas have an index k, which runs from 0 to the number of points.
    when : str
        A condition, if there is one beside that the class is not empty.
    statements : tuple of str
        The statements of papers that this is, such as "LWY25 Fact A.17".

    Examples
    --------
    >>> sauer = Inequality("size", "sauer(points, vcdim)", "Sauer 1972", "By induction.")
    >>> str(sauer), sauer.margins({"size": 3, "points": 2, "vcdim": 1})
    ('size <= sauer(points, vcdim)', [0])
    """

    left: str
    right: str
    source: str
    proof: str
    slack: int = 0
    every: str = ""
    when: str = ""
    statements: tuple[str, ...] = field(default=(), kw_only=True)

    @cached_property
    def sides(self) -> tuple[Expression, Expression]:
        """Both formulas, parsed."""
        return Expression(self.left), Expression(self.right)

    @cached_property
    def condition(self) -> Expression | None:
        """The condition, parsed, if there is one."""
        return Expression(self.when) if self.when else None

    @property
    def names(self) -> frozenset[str]:
        """The quantities that occur in it."""
        both = self.sides[0].names | self.sides[1].names
        if self.condition is not None:
            both |= self.condition.names
        if self.every:
            both |= {"points"}
        return both - {self.every}

    def margins(self, values: Mapping[str, Quantity]) -> list[Real]:
        """Return the values of right - left, one for each index: negative where it is violated.

        There are none if the condition is not met.

        Parameters
        ----------
        values : mapping
            All quantities of the inequality, of a class that is not empty.

        Examples
        --------
        >>> sauer = Inequality("growth_function[k]", "sauer(k, vcdim)", "", "", every="k")
        >>> sauer.margins({"growth_function": (1, 2, 3, 3), "vcdim": 1, "points": 3})
        [0, 0, 0, 1]
        """
        if self.condition is not None and not self.condition(values):
            return []
        left, right = self.sides
        return [right(at) - left(at) for at in self._at_every_index(values)]

    def _at_every_index(self, values: Mapping[str, Quantity]) -> Iterator[Mapping[str, Quantity]]:
        if not self.every:
            yield values
            return
        points = values["points"]
        assert isinstance(points, int)
        for k in range(points + 1):
            yield {**values, self.every: k}

    def __str__(self) -> str:
        """Return the inequality with its condition and the range of its index."""
        text = f"{self.left} <= {self.right}"
        if self.when:
            text += f" when {self.when}"
        return f"{text} for every {self.every}" if self.every else text


def _listed(table: str) -> tuple[Inequality, ...]:
    return tuple(from_table(Inequality, each, f"'{table}'") for each in _TABLES[table])


_TABLES = parse(files(__package__).joinpath("inequalities.toml").read_text(encoding="utf-8"))

INEQUALITIES = _listed("classes")
"""The inequalities between the dimensions of every non-empty class."""

OPERATIONS = _listed("operations")
"""The inequalities for two non-empty classes on one domain, their union, and the class that a
Boolean function makes of them point by point (`lsclasses.aggregate`)."""

MAJORITIES = _listed("majorities")
"""The inequalities for the class of all majorities of three concepts (`Table.majority`)."""
