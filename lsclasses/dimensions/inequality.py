"""What an inequality between the dimensions of a class is: two formulas, a reason, a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lsclasses.dimensions.expressions import Expression, Quantity, Real


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
        """The values of right - left, one for each index: negative where it is violated.

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
        """The inequality with its condition and the range of its index."""
        text = f"{self.left} <= {self.right}"
        if self.when:
            text += f" when {self.when}"
        return f"{text} for every {self.every}" if self.every else text
