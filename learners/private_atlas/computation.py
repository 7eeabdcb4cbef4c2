"""The values of the private atlas, each computed with a certificate for both bounds.

A *task* is a class with a quantity. Its result has a certificate for each epsilon. The hard
instances for one epsilon start the computation for the next epsilon, which saves most of the cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from catalog.atlas.orbits import representatives
from catalog.atlas.private_values import EPSILONS, PrivateColumn, Quantity
from catalog.atlas.structured import structured
from learners.optimal.error import optimal_error
from learners.optimal.error_program import HardInstance
from learners.optimal.frontier_certificates import PrivateFrontier
from learners.optimal.mistakes import optimal_mistakes
from lsclasses.errors import TooLarge
from lsclasses.isomorphism import class_of_mask, orbit_name
from lsclasses.table import Table

FEW_POINTS = 3
"""Largest number of points of classes with the small tolerance."""
TOLERANCES = Fraction(1, 10**6), Fraction(1, 10**4)
"""Largest distances of the bounds: for classes on at most `FEW_POINTS` points, and for larger
classes."""
MOST_CONCEPTS = 12
"""Largest number of concepts of classes on five points."""
MOST_ROWS = 25_000
"""Approximate number of rows of the largest linear programs for mistakes. A program of this size
takes 3 to 5 seconds. The programs of the remaining classes on four points have up to 82,000 rows
and take 20 to 60 seconds for each epsilon."""
ORDER = Fraction(1), Fraction(1, 2), Fraction(2)
"""The values of epsilon for which optima are computed, in the order of the computation."""
SIZES: tuple[tuple[Quantity, int, int, int], ...] = (
    ("V", 1, 1, 4),
    ("V", 2, 1, 4),
    ("V", 3, 1, 3),
    ("M", 1, 1, 4),
    ("M", 2, 1, 4),
    ("M", 3, 1, 3),
    ("M", 4, 1, 2),
    ("V", 1, 5, 5),
    ("M", 3, 4, 4),
)
"""Computed quantities: V (error) or M (mistakes), number of rows or rounds, and the least and the
largest number of points of the classes."""


@dataclass(frozen=True)
class Task:
    """A class of the atlas with a quantity, for all epsilons.

    Parameters
    ----------
    points, mask : int
        Number of points and least mask of the class.
    quantity : "V" or "M"
        Error from samples (V), or mistakes online (M).
    size : int
        Number of rows or rounds.

    Examples
    --------
    >>> print(Task(3, 0b10110, "V", 2))
    V2 of 3:16
    """

    points: int
    mask: int
    quantity: Quantity
    size: int

    def __str__(self) -> str:
        return f"{self.quantity}{self.size} of {self.name}"

    @property
    def name(self) -> str:
        """Name of the class in the atlas."""
        return orbit_name(self.points, self.mask)

    @property
    def table(self) -> Table:
        """The class of the task, as a table."""
        return class_of_mask(self.points, self.mask)

    @property
    def tolerance(self) -> Fraction:
        """Largest allowed distance between the lower and the upper bound."""
        return TOLERANCES[self.points > FEW_POINTS]

    @property
    def columns(self) -> tuple[PrivateColumn, ...]:
        """The columns of the results, in the order of the computation."""
        return tuple(PrivateColumn(self.quantity, self.size, epsilon) for epsilon in ORDER)


@dataclass(frozen=True)
class CertifiedValue:
    """Bounds on a value with their certificate.

    Attributes
    ----------
    column : PrivateColumn
        Quantity and its parameters.
    lower, upper : Fraction
        Proved bounds on the value.
    certificate : bytes
        Certificate file, compressed by gzip.
    """

    column: PrivateColumn
    lower: Fraction
    upper: Fraction
    certificate: bytes


def tasks(sizes: Sequence[tuple[Quantity, int, int, int]] = SIZES) -> Iterator[Task]:
    """Yield all tasks in the order of the computation.

    Classes of one concept have no task, because their values are 0.

    Examples
    --------
    >>> [str(task) for task in tasks([("V", 1, 1, 2)])]
    ['V1 of 1:3', 'V1 of 2:3', 'V1 of 2:6', 'V1 of 2:7', 'V1 of 2:f']
    """
    for quantity, size, fewest, most in sizes:
        for points in range(fewest, most + 1):
            for mask in atlas_masks(points):
                if mask.bit_count() > 1:
                    yield Task(points, mask, quantity, size)


@cache
def atlas_masks(points: int) -> tuple[int, ...]:
    """Return the masks of the classes of the private atlas on a number of points.

    On five points, these are the maximum, extremal and intersection-closed classes of at most
    `MOST_CONCEPTS` concepts. The first two types come first, then classes with fewer concepts.

    Examples
    --------
    >>> [len(atlas_masks(points)) for points in (1, 2, 3, 4)]
    [2, 5, 21, 401]
    """
    if points < 5:
        return tuple(int(mask) for mask in representatives(points).masks)
    first = [structured("maximum", points, d) for d in range(points + 1)]
    first.append(structured("extremal", points))
    few = {int(mask) for each in first for mask in each.masks}
    closed = {int(mask) for mask in structured("intersection-closed", points).masks}
    found = [mask for mask in few | closed if mask.bit_count() <= MOST_CONCEPTS]
    return tuple(sorted(found, key=lambda mask: (mask not in few, mask.bit_count(), mask)))


def computed(task: Task) -> tuple[CertifiedValue, ...]:
    """Return the value for each epsilon, without values whose program is too large.

    Examples
    --------
    >>> first, *_ = computed(Task(2, 6, "V", 1))
    >>> first.column.name, round(float(first.lower), 4), float(first.upper - first.lower) < 1e-6
    ('V1', 0.2689, True)
    """
    found: list[CertifiedValue] = []
    known: tuple[HardInstance, ...] = ()
    C = task.table
    for column in task.columns:
        try:
            if task.quantity == "V":
                result = optimal_error(
                    C, task.size, column.epsilon, tolerance=task.tolerance, known=known
                )
                if result.upper - result.lower > task.tolerance:
                    # Without known instances, the learner is another one, whose error may be flat
                    # at fewer distributions.
                    result = optimal_error(C, task.size, column.epsilon, tolerance=task.tolerance)
                known = tuple(each for each, _ in result.evidence.challenges)
            else:
                result = optimal_mistakes(C, task.size, column.epsilon, most_rows=MOST_ROWS)
        except TooLarge:
            continue
        proof = PrivateFrontier.of(C, result.evidence)
        found.append(CertifiedValue(column, result.lower, result.upper, proof.to_compressed()))
    return tuple(found)


assert set(ORDER) == set(EPSILONS.values())
