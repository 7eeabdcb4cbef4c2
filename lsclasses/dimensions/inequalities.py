"""Inequalities between the dimensions of a class, as objects.

Each inequality states that one formula in the dimensions never exceeds another formula. An object
also contains the reason, and the least difference of the two sides on small classes. The file
``inequalities.toml`` contains the inequalities, and `INEQUALITIES` is the single list. The
documentation prints the list. ``lsclasses verify`` recomputes it on all classes of the atlas and on
members of the catalog. ``lsclasses dims`` derives bounds from it if a search stops
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

    Both sides increase with each quantity in them. Because of this, bounds on one quantity imply
    bounds on another quantity.

    Parameters
    ----------
    left, right : str
        Formulas in the syntax of `lsclasses.dimensions.expressions`.
    source : str
        Reference to the literature.
    proof : str
        Reason, in a sentence or two.
    slack : int
        Least value of right - left on all classes of the atlas, 0 if equality occurs. For
        `OPERATIONS` and `MAJORITIES`, the classes are all classes with three points. A right
        side that is smaller by more than the slack would be wrong.
    every : str
        "k" if the formulas have an index k, which runs from 0 to the number of points.
    when : str
        Condition in addition to a non-empty class, if any.
    statements : tuple of str
        Statements of papers that the inequality covers, such as "LWY25 Fact A.17".

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
        """The left and the right side of the inequality as formulas."""
        return Expression(self.left), Expression(self.right)

    @cached_property
    def condition(self) -> Expression | None:
        """The condition of the inequality as a formula, or None without a condition."""
        return Expression(self.when) if self.when else None

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all quantities in the inequality."""
        both = self.sides[0].names | self.sides[1].names
        if self.condition is not None:
            both |= self.condition.names
        if self.every:
            both |= {"points"}
        return both - {self.every}

    def margins(self, values: Mapping[str, Quantity]) -> list[Real]:
        """Return the values of right - left for each index, negative at a violation.

        The list is empty if the condition is false.

        Parameters
        ----------
        values : mapping
            All quantities of the inequality, for a class that is not empty.

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
"""The inequalities for two non-empty classes on one domain, their union, and their aggregation by a
Boolean function (`lsclasses.aggregate`)."""

MAJORITIES = _listed("majorities")
"""The inequalities for the class of all majorities of three concepts (`Table.majority`)."""
