"""Parameters of small classes, and decorators that register them with their witnesses.

A class is given as the set of the numbers of its concepts and its number of points. Bit j of the
number of a concept is the label at the point j.

A witness shows that a value is not smaller, or not larger. A search (``find_...``) takes a class
and the value, and returns the parts of the evidence by names of points and concepts. A check
(``check_...``) takes the labels of a class, the parts and the value. It returns the error, or an
empty string. Checks read labels point by point and share no code with searches.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lsclasses.dimensions.base import Evidence, Witness
from lsclasses.dimensions.definitions import Check, Labels, Problem, _counted
from lsclasses.dimensions.expressions import Quantity
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge
from lsclasses.limits import Limit, tick, within
from lsclasses.point_names import Point
from lsclasses.searching.bitsets import members
from lsclasses.table import Table

if TYPE_CHECKING:
    from lsclasses.concept_class import ConceptClass


Numbers = frozenset[int]
Compute = Callable[[Numbers, int], Quantity]
Search = Callable[[Table, Limit | None], Quantity]

SETS, PROJECTED, PAIRS = 10, 7, 64
"""Largest numbers of points for three types of computations.

The first type tries all sets of points, the second type tries all sets of points of each
projection, and the third type tries no sets.
"""


@dataclass(frozen=True)
class ClassParameter:
    """A parameter of small classes, called with a non-empty class to return its value.

    Parameters
    ----------
    name, title, symbol : str
    definition : str
        Definition in one or two sentences.
    search : callable
        ``search(table, limit)`` returns the value for a non-empty class. The second argument is the
        `Limit` of the search, or None.
    reference : str
        Work that defined the parameter, if it is known.
    flips_change : bool
        Whether flips of all labels at a point can change the parameter.
    most_points : int
        Largest number of points. On more points, the computation takes too long.
    whole : bool
        Whether the values of the parameter are integers.
    sequence : bool
        Whether the value is a sequence, with an entry for each number of points. A witness proves a
        bound on one entry. The number of points in the witness, or the depth of its tree, is the
        index of the entry.
    needs : str
        Optional package that the parameter needs.

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
    sequence: bool = False

    def __call__(self, table: Table, *, limit: Limit | None = None) -> Quantity:
        """Return the value for a non-empty class.

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
        """Raise an `LsclassesError` if the package that the parameter needs is missing."""
        if not self.available:
            raise LsclassesError(f"{self.name} needs the package {self.needs!r}, which is missing.")

    @property
    def evidence(self) -> Evidence | None:
        """Evidence for bounds on the value, or None if no evidence is registered."""
        return EVIDENCE.get(self.name)

    def witness(self, C: ConceptClass, *, limit: Limit | None = None) -> Witness:
        """Return a witness of a bound on the value for a class, found by search.

        Each parameter has witnesses either of lower bounds or of upper bounds.

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
        """Whether the parameter can be computed, because the package that it needs is installed."""
        return not self.needs or find_spec(self.needs) is not None


KNOWN: dict[str, ClassParameter] = {}
"""Parameters that the decorators have registered so far."""


EVIDENCE: dict[str, Evidence] = {}
"""Evidence for the value of a parameter, by name, which `evidence` registers."""


class ParameterWitness(Witness):
    """A witness of a parameter of small classes, whose field `dimension` names the parameter."""

    @property
    def _subject(self) -> tuple[Evidence, str]:
        parameter = KNOWN[self.dimension]
        return _evidence_of(parameter), "integer" if parameter.whole else "fraction"

    @property
    def _claim(self) -> str:
        if not KNOWN[self.dimension].sequence:
            return super()._claim
        parts = self.evidence if isinstance(self.evidence, Mapping) else {}
        points = parts.get("points")
        entry = len(points) if isinstance(points, Sequence) else "?"
        if "nested_tree" in parts:
            entry = _depth(parts["nested_tree"])
        return f"{self.dimension}[{entry}] >= {self.value}"


def _depth(tree: object) -> int:
    """Return the depth of a tree of nested tuples, and 0 for an object that is not a tree."""
    subtrees = tree[2:] if isinstance(tree, tuple) else ()
    return 1 + max(map(_depth, subtrees)) if subtrees else 0


def _evidence_of(parameter: ClassParameter) -> Evidence:
    if parameter.evidence is None:
        raise InvalidInput(
            f"There are no witnesses of {parameter.name}. docs/parameters.md explains why. There "
            f"are witnesses of {', '.join(EVIDENCE)}."
        )
    return parameter.evidence


def numbers_of(table: Table) -> Numbers:
    """Return the numbers of the concepts of a class."""
    return frozenset(numbers_in_order(table))


def numbers_in_order(table: Table) -> list[int]:
    """Return the numbers of the concepts of a class, in the order of its rows."""
    return [sum(int(y) << j for j, y in enumerate(row)) for row in table.labels.tolist()]


def subsets(points: int) -> Iterator[int]:
    """Yield all sets of points as masks, with a check of the time limit before each set."""
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
    """Return a decorator that registers a function as a parameter of small classes.

    The arguments of the function are the set of the numbers of the concepts and the number of
    points. The first paragraph of its docstring is the definition.
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
    title: str,
    symbol: str,
    most_points: int = SETS,
    *,
    reference: str = "",
    needs: str = "",
    sequence: bool = False,
    whole: bool = True,
    flips_change: bool = False,
) -> Callable[[Search], Search]:
    """Return a decorator that registers a search as a parameter of small classes.

    The arguments of the search are a table and a limit. The first paragraph of its docstring is the
    definition.
    """

    def add(search: Search) -> Search:
        register(
            ClassParameter(
                *(search.__name__, title, symbol, first_paragraph(search), search, reference),
                flips_change=flips_change,
                most_points=most_points,
                needs=needs,
                sequence=sequence,
                whole=whole,
            )
        )
        return search

    return add


def register(made: ClassParameter) -> None:
    """Add a parameter to the known parameters."""
    assert made.definition and made.name not in KNOWN
    KNOWN[made.name] = made


def first_paragraph(function: Callable[..., object]) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((function.__doc__ or "").partition("\n\n")[0].split())


# ---- the largest of a parameter over all projections


def projected(
    title: str, symbol: str, name: str, compute: Compute, *, what: str = "", whole: bool = True
) -> None:
    """Register the largest value of a parameter over all projections to sets of points.

    `what` names the value in the definition if the title does not.
    """

    def search(table: Table, limit: Limit | None) -> Quantity:
        parts = projections(numbers_of(table), len(table.points))
        found: list[Quantity] = [compute(*each) for each in parts]
        return max(found)  # type: ignore[type-var]

    definition = f"The largest {what or title} over all projections to sets of points."
    register(
        ClassParameter(
            *(name, f"projected {title}", symbol, definition, search),
            most_points=PROJECTED,
            whole=whole,
        )
    )


def projections(numbers: Numbers, points: int) -> Iterator[tuple[Numbers, int]]:
    """Yield the projection of a class to each set of its points."""
    for size in range(points + 1):
        for chosen in itertools.combinations(range(points), size):
            yield (
                frozenset(sum((c >> x & 1) << j for j, x in enumerate(chosen)) for c in numbers),
                size,
            )


# ---- witnesses


Parts = Mapping[str, Any]


class Named:
    """A class with the numbers of its concepts, and methods that return names for witnesses.

    Parameters
    ----------
    table : Table
    limit : Limit or None
        Time and memory of the searches.
    """

    def __init__(self, table: Table, limit: Limit | None) -> None:
        self.table, self.limit = table, limit
        self.rows = numbers_in_order(table)
        self.numbers: Numbers = frozenset(self.rows)
        self.n = len(table.points)

    def points(self, mask: int) -> tuple[Point, ...]:
        """Return the names of the points of a set, given as a mask."""
        return tuple(self.table.points[j] for j in members(mask))

    def concept(self, number: int) -> Point:
        """Return the name of the concept with a number."""
        return self.table.concept_name(self.rows.index(number))

    def concepts(self, numbers: Iterator[int] | list[int]) -> tuple[Point, ...]:
        """Return the names of the concepts with some numbers."""
        return tuple(map(self.concept, numbers))

    def sample(self, mask: int, labels: int) -> tuple[tuple[Point, int], ...]:
        """Return the points of a set with their labels, which are the bits of `labels`."""
        return tuple((self.table.points[j], labels >> j & 1) for j in members(mask))

    def sets(self, good: Callable[[int], bool]) -> Iterator[int]:
        """Yield the sets of points for which a condition holds."""
        return (s for s in subsets(self.n) if good(s))

    def shown(self, s: int) -> frozenset[int]:
        """Return the patterns of labels that concepts have on a set of points, as masks."""
        return frozenset(c & s for c in self.numbers)

    def concept_with(self, s: int, pattern: int) -> int:
        """Return the number of a concept that has a pattern of labels on a set of points."""
        return next(c for c in self.rows if c & s == pattern)

    def parts(self) -> Iterator[tuple[int, Numbers, int]]:
        """Yield each set of points, with the projection to the set and its number of points."""
        masks = (
            sum(1 << j for j in chosen)
            for size in range(self.n + 1)
            for chosen in itertools.combinations(range(self.n), size)
        )
        for s, (numbers, points) in zip(masks, projections(self.numbers, self.n), strict=True):
            yield s, numbers, points

    def lifted(self, s: int, number: int) -> int:
        """Return the number of a concept whose projection to a set of points has a given number."""
        spread = sum(1 << j for i, j in enumerate(members(s)) if number >> i & 1)
        return self.concept_with(s, spread)


def least_points(C: Named, value: int, good: Callable[[int], bool]) -> Parts:
    """Return, as evidence, a set of `value` points for which a condition holds."""
    return {"points": C.points(next(C.sets(lambda s: s.bit_count() == value and good(s))))}


def projection_where(C: Named, good: Callable[[Numbers, int], bool]) -> Parts:
    """Return, as evidence, a set of points for whose projection a condition holds."""
    return {"points": C.points(next(s for s, numbers, n in C.parts() if good(numbers, n)))}


Pattern = tuple[int, ...]


def pattern_on(labels: Labels, concept: Point, points: Sequence[Point]) -> Pattern:
    """Return the labels that a concept gives some points."""
    return tuple(labels.label(concept, x) for x in points)


def patterns_on(labels: Labels, points: Sequence[Point]) -> set[Pattern]:
    """Return all patterns of labels that concepts have on some points."""
    return {pattern_on(labels, c, points) for c in labels.concepts}


def too_many(names: Sequence[Point], value: int, what: str) -> Problem:
    """Return an error text if there are more than `value` names, or an empty string."""
    if len(names) > value:
        return f"at most {value} {what} are needed, and these are {len(names)}"
    return ""


def unknown_names(
    labels: Labels, points: Sequence[Point], concepts: Sequence[Point] = ()
) -> Problem:
    """Return an error text if a name is unknown or a point occurs twice, or an empty string."""
    return labels.missing(concepts, points) or _counted(points, len(points), "points")


def not_a_label(labels: Iterable[Any]) -> Problem:
    """Return an error text if a label is neither 0 nor 1, or an empty string."""
    return next((f"a label is 0 or 1, and not {y!r}" for y in labels if y not in (0, 1)), "")


Find = Callable[[Named, Any], Parts]


def evidence(name: str, shows: str, find: Find, check: Check, *, at_most: bool = False) -> None:
    """Register evidence for a bound on a parameter: a search for it, and a check of it.

    Parameters
    ----------
    name : str
        Name of the parameter.
    shows : str
        Parts of the evidence, in words.
    find : callable
        Function of the class and the value that returns the evidence.
    check : callable
        Function of the labels, the evidence and the value that returns an error text.
    at_most : bool
        Whether the evidence proves an upper bound instead of a lower bound.
    """
    parameter = KNOWN[name]

    def found(table: Table, limit: Limit | None) -> tuple[Any, Parts]:
        value: Any = parameter(table, limit=limit)
        if parameter.sequence:
            value = value[-1]
        return value, find(Named(table, limit), value)

    EVIDENCE[name] = Evidence(found, shows, check, at_most=at_most)
