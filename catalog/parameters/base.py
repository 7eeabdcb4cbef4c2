"""What a parameter of small classes is, and the decorator that registers one.

A class is given as the set of the numbers of its concepts (bit j is the label at the point j) and
its number of points.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from lsclasses.dimensions.base import Evidence, Witness
from lsclasses.dimensions.expressions import Quantity
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge
from lsclasses.limits import Limit, tick, within
from lsclasses.table import Table

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass

Numbers = frozenset[int]
Compute = Callable[[Numbers, int], Quantity]
Search = Callable[[Table, Limit | None], Quantity]

SETS, PROJECTED, PAIRS = 10, 7, 64
"""How many points there may be where all sets of points are tried, where that is done for each
projection, and where no set is tried."""


@dataclass(frozen=True)
class ClassParameter:
    """A parameter of small classes; call it on a class that is not empty.

    Parameters
    ----------
    name, title, symbol : str
    definition : str
        One sentence.
    search : callable
        ``search(table, limit)`` for a class that is not empty.
    reference : str
        Who defined it, if anybody is known.
    flips_change : bool
        Whether flipping all labels at a point can change it.
    most_points : int
        On more points it takes too long.
    whole : bool
        Whether its values are integers.
    needs : str
        A package that it needs, which is not always there.

    Examples
    --------
    >>> import catalog
    >>> from catalog.parameters import PARAMETERS
    >>> PARAMETERS["effective_range"](catalog.build("thresholds:n=5").to_table())
    5
    """

    name: str
    title: str
    symbol: str
    definition: str
    search: Search = field(repr=False)
    reference: str = ""
    flips_change: bool = False
    most_points: int = SETS
    whole: bool = True
    needs: str = ""

    def __call__(self, table: Table, *, limit: Limit | None = None) -> Quantity:
        """Return the value for a class that is not empty.

        Raises
        ------
        InvalidInput
            If the class is empty.
        TooLarge
            If there are too many points, or the limit is reached.
        LsclassesError
            If a package is missing.
        """
        if table.is_empty:
            raise InvalidInput(
                f"{self.name} is not defined for the empty class. "
                f"Expected a class with at least one concept. Got {table!r}."
            )
        points = len(table.points)
        if points > self.most_points:
            raise TooLarge(
                f"{self.name} is computed on at most {self.most_points} points. Got {points}.",
                estimate=points,
                limit=self.most_points,
            )
        self.require()
        with within(limit):
            return self.search(table, limit)

    def require(self) -> None:
        """Raise an `LsclassesError` if the package that it needs is missing."""
        if not self.available:
            raise LsclassesError(f"{self.name} needs the package {self.needs!r}, which is missing.")

    @property
    def evidence(self) -> Evidence | None:
        """What shows its value, if something does."""
        return EVIDENCE.get(self.name)

    def witness(self, C: ConceptClass, *, limit: Limit | None = None) -> Witness:
        """What shows that the value for a class is not smaller, or not larger, found by search.

        Raises
        ------
        InvalidInput
            If there are no witnesses of this parameter, or the class is empty.
        TooLarge
            If there are too many points, or the limit is reached.

        Examples
        --------
        >>> import catalog
        >>> from catalog.parameters import PARAMETERS
        >>> C = catalog.build("thresholds:n=3")
        >>> for name in ("diameter", "hamming_radius"):
        ...     print(PARAMETERS[name].witness(C))
        diameter >= 3: points 0, 1, 2; concepts 0, 3
        hamming_radius <= 2: sample (0, 0), (1, 1), (2, 0)
        """
        return _evidence_of(self).witness(ParameterWitness, self.name, C, limit)

    @property
    def available(self) -> bool:
        """Whether the package that it needs, if any, is there."""
        return not self.needs or find_spec(self.needs) is not None


KNOWN: dict[str, ClassParameter] = {}
"""What the decorators have registered so far."""


EVIDENCE: dict[str, Evidence] = {}
"""What shows the value of a parameter, by its name: `catalog.parameters.witnesses` registers it."""


class ParameterWitness(Witness):
    """A witness of a parameter of small classes; its parameter is called its dimension."""

    @property
    def _subject(self) -> tuple[Evidence, str]:
        parameter = KNOWN[self.dimension]
        return _evidence_of(parameter), "integer" if parameter.whole else "fraction"


def _evidence_of(parameter: ClassParameter) -> Evidence:
    if parameter.evidence is None:
        raise InvalidInput(
            f"There are no witnesses of {parameter.name}; docs/parameters.md says why. There are "
            f"of {', '.join(EVIDENCE)}."
        )
    return parameter.evidence


def numbers_of(table: Table) -> Numbers:
    """The numbers of the concepts of a class."""
    return frozenset(numbers_in_order(table))


def numbers_in_order(table: Table) -> list[int]:
    """The numbers of the concepts of a class, in the order of its rows."""
    return [sum(int(y) << j for j, y in enumerate(row)) for row in table.labels.tolist()]


def subsets(points: int) -> Iterator[int]:
    """The sets of points as masks; the clock of a search is looked at for each."""
    for s in range(2**points):
        tick()
        yield s


def parameter(
    title: str,
    symbol: str,
    most_points: int = SETS,
    *,
    reference: str = "",
    flips_change: bool = False,
    whole: bool = True,
) -> Callable[[Compute], Compute]:
    """Register a function of the numbers of concepts and the number of points as a parameter.

    Its docstring's first paragraph is the definition.
    """

    def add(compute: Compute) -> Compute:
        def search(table: Table, limit: Limit | None) -> Quantity:
            return compute(numbers_of(table), len(table.points))

        register(
            ClassParameter(
                *(compute.__name__, title, symbol, first_paragraph(compute), search, reference),
                flips_change=flips_change,
                most_points=most_points,
                whole=whole,
            )
        )
        return compute

    return add


def searched(
    title: str, symbol: str, most_points: int = SETS, *, reference: str = "", needs: str = ""
) -> Callable[[Search], Search]:
    """Register a search in a table, which heeds a limit, as a parameter that flips do not change.

    Its docstring's first paragraph is the definition.
    """

    def add(search: Search) -> Search:
        register(
            ClassParameter(
                *(search.__name__, title, symbol, first_paragraph(search), search, reference),
                most_points=most_points,
                needs=needs,
            )
        )
        return search

    return add


def register(made: ClassParameter) -> None:
    """Add a parameter to those that are known."""
    assert made.definition and made.name not in KNOWN
    KNOWN[made.name] = made


def first_paragraph(function: Callable[..., object]) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((function.__doc__ or "").partition("\n\n")[0].split())


# ---- the largest of a parameter over all projections


def projected(title: str, symbol: str, name: str, compute: Compute, *, whole: bool = True) -> None:
    """Register the largest value of a parameter over all projections to sets of points."""

    def search(table: Table, limit: Limit | None) -> Quantity:
        parts = projections(numbers_of(table), len(table.points))
        found: list[Quantity] = [compute(*each) for each in parts]
        return max(found)  # type: ignore[type-var]

    definition = f"The largest {title} over all projections to sets of points."
    register(
        ClassParameter(
            *(name, f"projected {title}", symbol, definition, search),
            most_points=PROJECTED,
            whole=whole,
        )
    )


def projections(numbers: Numbers, points: int) -> Iterator[tuple[Numbers, int]]:
    """The class on each set of its points."""
    for size in range(points + 1):
        for chosen in itertools.combinations(range(points), size):
            yield (
                frozenset(sum((c >> x & 1) << j for j, x in enumerate(chosen)) for c in numbers),
                size,
            )
