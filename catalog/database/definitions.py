"""Parameters of the database that are no dimensions here, by their definitions, for small classes.

They serve to check the database's own statements: transcribed from its texts, or, where a record
has none, from what its name means in the literature; `mapping.toml` says which. A class is given as
the set of the numbers of its concepts (bit j is the label at the point j) and its number of points.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from lsclasses.dimensions.expressions import Quantity
from lsclasses.errors import TooLarge
from lsclasses.table import Table

__all__ = ["DEFINITIONS", "Definition"]

Numbers = frozenset[int]
Compute = Callable[[Numbers, int], Quantity]


@dataclass(frozen=True)
class Definition:
    """A parameter of small classes.

    Parameters
    ----------
    name : str
    text : str
        The definition.
    compute : callable
        ``compute(numbers, points)`` for a class that is not empty.
    flips_change : bool
        Whether flipping all labels at a point can change it.
    most_points : int
        On more points it takes too long.
    whole : bool
        Whether its values are integers.
    """

    name: str
    text: str
    compute: Compute
    flips_change: bool = False
    most_points: int = 10
    whole: bool = True

    def __call__(self, table: Table) -> Quantity:
        """The value for a class that is not empty.

        Raises
        ------
        TooLarge
            If there are too many points.
        """
        points = len(table.points)
        if points > self.most_points:
            raise TooLarge(
                f"{self.name} is computed on at most {self.most_points} points. Got {points}.",
                estimate=points,
                limit=self.most_points,
            )
        return self.compute(numbers_of(table), points)


DEFINITIONS: dict[str, Definition] = {}
"""All of them by name."""


def numbers_of(table: Table) -> Numbers:
    """The numbers of the concepts of a class."""
    return frozenset(sum(int(y) << j for j, y in enumerate(row)) for row in table.labels.tolist())


SETS, PROJECTED, PAIRS = 10, 7, 64
"""How many points there may be where all sets of points are tried, where that is done for each
projection, and where no set is tried."""


def _defined(
    text: str, most_points: int = SETS, *, flips_change: bool = False, whole: bool = True
) -> Callable[[Compute], Compute]:
    def add(compute: Compute) -> Compute:
        name = compute.__name__
        DEFINITIONS[name] = Definition(name, text, compute, flips_change, most_points, whole)
        return compute

    return add


# ---- distances


def effective_points(numbers: Numbers) -> int:
    """The points at which two concepts differ, as a mask."""
    either, both = 0, -1
    for c in numbers:
        either, both = either | c, both & c
    return either & ~both


@_defined("The number of points at which two concepts differ.", PAIRS)
def effective_range(numbers: Numbers, points: int) -> int:
    return effective_points(numbers).bit_count()


@_defined("The largest number of points at which two concepts differ.", PAIRS)
def diameter(numbers: Numbers, points: int) -> int:
    return max((c ^ d).bit_count() for c in numbers for d in numbers)


@_defined(
    "The largest set of points on which one concept is 0 and another one 1.",
    PAIRS,
    flips_change=True,
)
def oriented_diameter(numbers: Numbers, points: int) -> int:
    return max((c & ~d).bit_count() for c in numbers for d in numbers)


@_defined("The least radius of a Hamming ball around any set that contains all concepts.")
def hamming_radius(numbers: Numbers, points: int) -> int:
    return min(max((c ^ centre).bit_count() for c in numbers) for centre in range(2**points))


@_defined("The least number of points whose labels tell all concepts apart.")
def distinguishing_range(numbers: Numbers, points: int) -> int:
    return min(
        s.bit_count() for s in range(2**points) if len({c & s for c in numbers}) == len(numbers)
    )


# ---- chains


@_defined(
    "The largest d with points x_1, ..., x_d such that for each k = 0, ..., d some concept is 1 at "
    "x_1, ..., x_k and 0 at the others.",
    flips_change=True,
)
def chain_dimension(numbers: Numbers, points: int) -> int:
    return _longest_chain(numbers, points)


@_defined("The largest chain dimension that flipping labels at points gives.")
def path_dimension(numbers: Numbers, points: int) -> int:
    return max(
        _longest_chain(frozenset(c ^ flip for c in numbers), points) for flip in range(2**points)
    )


def _longest_chain(numbers: Numbers, points: int) -> int:
    best = 0
    for s in range(2**points):
        shown = {c & s for c in numbers}
        if s.bit_count() <= best or 0 not in shown or s not in shown:
            continue
        reached = {0}
        for pattern in sorted(shown, key=int.bit_count):
            if any(pattern & 1 << j and pattern ^ 1 << j in reached for j in range(points)):
                reached.add(pattern)
        if s in reached:
            best = s.bit_count()
    return best


# ---- shattering


def _shattered(numbers: Numbers, points: int) -> Iterator[int]:
    for s in range(2**points):
        if len({c & s for c in numbers}) == 1 << s.bit_count():
            yield s


@_defined("The number of sets that are shattered, the empty one included.")
def shattered_sets(numbers: Numbers, points: int) -> int:
    return sum(1 for _ in _shattered(numbers, points))


@_defined(
    "The largest k for which all sets of k points at which two concepts differ are shattered."
)
def effective_vc_radius(numbers: Numbers, points: int) -> int:
    shattered = set(_shattered(numbers, points))
    moving = effective_points(numbers)
    sets = [s for s in range(2**points) if s & ~moving == 0]
    k = 0
    while k < moving.bit_count() and all(s in shattered for s in sets if s.bit_count() == k + 1):
        k += 1
    return k


@_defined("The largest dimension of a subcube all of which belongs to the class.")
def largest_strongly_shattered_set(numbers: Numbers, points: int) -> int:
    return max(
        s.bit_count()
        for s in range(2**points)
        if any(
            sum(1 for c in numbers if c & ~s == rest) == 1 << s.bit_count()
            for rest in {c & ~s for c in numbers}
        )
    )


# ---- teaching


def _teaching_size(concept: int, numbers: Numbers, points: int) -> int:
    return min(
        s.bit_count()
        for s in range(2**points)
        if all((concept ^ other) & s for other in numbers if other != concept)
    )


@_defined("The least number of points whose labels tell some concept from all others.")
def minimum_teaching_set_size(numbers: Numbers, points: int) -> int:
    return min(_teaching_size(c, numbers, points) for c in numbers)


def _recursive_teaching(numbers: Numbers, points: int) -> int:
    left, most = numbers, 0
    while left:
        sizes = {c: _teaching_size(c, left, points) for c in left}
        most = max(most, min(sizes.values()))
        left = left - {c for c in left if sizes[c] <= most}
    return most


# ---- the one-inclusion graph


def _edges(numbers: Numbers, points: int) -> list[tuple[int, int]]:
    return [
        (c, c | 1 << j)
        for c in numbers
        for j in range(points)
        if not c & 1 << j and c | 1 << j in numbers
    ]


def _degrees(numbers: Numbers, points: int) -> list[int]:
    ends = [end for edge in _edges(numbers, points) for end in edge]
    return [ends.count(c) for c in numbers]


def _maximum_degree(numbers: Numbers, points: int) -> int:
    return max(_degrees(numbers, points))


def _minimum_degree(numbers: Numbers, points: int) -> int:
    return min(_degrees(numbers, points))


def _average_degree(numbers: Numbers, points: int) -> Fraction:
    return Fraction(2 * len(_edges(numbers, points)), len(numbers))


@_defined(
    "The largest number of neighbours of a concept that are contained in it.",
    PAIRS,
    flips_change=True,
)
def maximum_positive_degree(numbers: Numbers, points: int) -> int:
    upper = [d for _, d in _edges(numbers, points)]
    return max(upper.count(c) for c in numbers)


# ---- the largest of a parameter over all projections


def _projections(numbers: Numbers, points: int) -> Iterable[tuple[Numbers, int]]:
    for size in range(points + 1):
        for chosen in itertools.combinations(range(points), size):
            yield (
                frozenset(sum((c >> x & 1) << j for j, x in enumerate(chosen)) for c in numbers),
                size,
            )


def _projected(name: str, text: str, compute: Compute) -> None:
    def largest(numbers: Numbers, points: int) -> Quantity:
        found: list[Quantity] = [compute(*each) for each in _projections(numbers, points)]
        return max(found)  # type: ignore[type-var]

    whole = name != "projected_average_degree"
    DEFINITIONS[name] = Definition(name, text, largest, most_points=PROJECTED, whole=whole)


for _name, _text, _compute in (
    ("projected_maximum_degree", "degree of the one-inclusion graph", _maximum_degree),
    ("projected_minimum_degree", "minimum degree of the one-inclusion graph", _minimum_degree),
    ("projected_average_degree", "average degree of the one-inclusion graph", _average_degree),
    ("projected_vc_radius", "effective VC radius", effective_vc_radius),
    ("projected_strongly_shattered", "subcube in the class", largest_strongly_shattered_set),
    (
        "projected_minimum_teaching_set_size",
        "least number of points that teach some concept",
        minimum_teaching_set_size,
    ),
    ("projected_recursive_teaching_dim", "recursive teaching dimension", _recursive_teaching),
):
    _projected(_name, f"The largest {_text} over all projections to sets of points.", _compute)
