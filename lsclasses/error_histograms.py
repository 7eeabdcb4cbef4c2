"""Histograms of errors: the number of concepts of a class with each number of errors on a sample.

The exponential mechanism weighs a concept by its number of errors, so a histogram and a uniform
concept with a given number of errors are enough to draw a concept. A class in closed form computes
both without a list of its concepts. `error_histogram` returns the histogram of every finite class.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np

from lsclasses.domain import Domain
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point, check_label
from lsclasses.random_integers import uniform_below
from lsclasses.stacks import HypothesisStack

__all__ = ["ErrorHistogram", "error_histogram"]

Weights = Mapping[tuple[Point, Label], int]
"""A sample as a mapping from examples (point, label) to numbers of rows."""

MOST_STEPS = 1 << 21
"""The largest product of the number of groups of concepts and the number of rows.

The search by restrictions refuses a larger product.
"""

MACHINE = 1 << 62
"""Least number of rows for which errors are added as Python's integers."""

MOST_COEFFICIENTS = 1 << 24
"""The largest number of coefficients of a polynomial that is stored densely."""

MOST_PRODUCTS = 1 << 16
"""Largest number of pairs that `convolved` multiplies one by one."""

Cell = TypeVar("Cell")


# ---- the interface


class RestrictedClass(Protocol):
    """Protocol of the methods of `lsclasses.ConceptClass` that the histograms use."""

    @property
    def domain(self) -> Domain: ...

    @property
    def is_empty(self) -> bool: ...

    @property
    def size(self) -> int | None: ...

    def vcdim(self) -> int: ...

    def _restrict(self, x: Point, y: Label) -> Self: ...

    def _sample(self, rng: np.random.Generator) -> Hypothesis: ...

    def _counts_version_spaces(self, rows: int | None = None) -> bool: ...

    def _error_histogram(self, weights: Weights, rows: int) -> ErrorHistogram: ...


class ErrorHistogram(ABC):
    """The number of concepts of a class with each number of errors on a sample.

    Attributes
    ----------
    counts : mapping of int to int
        Number of concepts by number of errors, in increasing order of the errors.
    """

    counts: Mapping[int, int]

    @property
    def least(self) -> int:
        """The least number of errors of a concept."""
        return next(iter(self.counts))

    def sample(self, errors: int, rng: Any = None) -> Hypothesis:
        """Return a uniformly random concept with a given number of errors.

        Parameters
        ----------
        errors : int
            Number of errors.
        rng : numpy.random.Generator or seed, optional
            Seed or generator, as for `numpy.random.default_rng`. An object with the methods
            `integers` and `bytes` of a generator is used as it is.

        Raises
        ------
        InvalidInput
            If no concept has this number of errors.
        """
        if errors not in self.counts:
            raise InvalidInput(f"No concept has {errors} errors on the sample.")
        generator = rng if hasattr(rng, "integers") else np.random.default_rng(rng)
        concept: Hypothesis = self._sample(errors, generator)
        return concept

    @abstractmethod
    def _sample(self, errors: int, rng: np.random.Generator) -> Any: ...


def error_histogram(
    C: RestrictedClass, examples: Mapping[tuple[Any, Any], int] | Iterable[tuple[Any, Any]]
) -> ErrorHistogram:
    """Return the number of concepts of a finite class with each number of errors on a sample.

    Parameters
    ----------
    C : ConceptClass
        Finite class, not empty.
    examples : mapping of (point, label) to int, or iterable of (point, label)
        Rows of the sample, or the number of rows that equal each example.

    Raises
    ------
    InvalidInput
        If the class is empty or infinite, or an example does not fit the domain.
    TooLarge
        If the class has no closed form for the histogram, and a sample of this length may
        distinguish too many groups of its concepts. This error depends only on the class and on
        the number of rows.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=2^64")
    >>> histogram = error_histogram(C, [(5, 0), (7, 1), (9, 0)])
    >>> dict(histogram.counts)
    {1: 18446744073709551609, 2: 8}
    >>> histogram.sample(2, rng=1)
    Steps(IntegerRange(0, 18446744073709551616), 0, [3])
    """
    if C.is_empty:
        raise InvalidInput("The class must have at least one concept. Got an empty class.")
    if C.size is None:
        raise InvalidInput(f"{C!r} has infinitely many concepts. A histogram needs a finite class.")
    if not isinstance(examples, Iterable):
        raise InvalidInput(f"A list of examples (point, label) is needed. Got {examples!r:.200}.")
    rows = examples.items() if isinstance(examples, Mapping) else ((row, 1) for row in examples)
    weights: dict[tuple[Point, Label], int] = {}
    for example, count in _pairs(rows):
        x, y = example
        if not isinstance(count, (int, np.integer)) or count < 0:
            raise InvalidInput(f"The number of equal rows is at least 0. Got {count!r}.")
        checked = C.domain.require(x), check_label(y)
        if count:
            weights[checked] = weights.get(checked, 0) + int(count)
    return C._error_histogram(weights, sum(weights.values()))


def _pairs(rows: Iterable[tuple[Any, Any]]) -> Iterator[tuple[tuple[Any, Any], Any]]:
    """Yield the examples, which must be pairs of a point and a label."""
    for example, count in rows:
        if not isinstance(example, tuple | list) or len(example) != 2:
            raise InvalidInput(
                f"An example is a pair of a point and its label. Got {example!r:.200}."
            )
        yield (example[0], example[1]), count


def label_weights(weights: Weights) -> dict[Point, list[int]]:
    """Return, for each point of a sample, its numbers of rows with label 0 and with label 1."""
    found: dict[Point, list[int]] = {}
    for (x, y), count in weights.items():
        found.setdefault(x, [0, 0])[y] += count
    return found


# ---- histograms from cells


class CellHistogram(ErrorHistogram, Generic[Cell]):
    """A histogram of a class whose concepts are divided into cells.

    The concepts of a cell have equal labels on the sample.

    Parameters
    ----------
    cells : iterable of (int, int, cell)
        Number of errors of each concept of a cell, number of its concepts, and the cell.
    member : callable
        ``member(cell, rng)`` returns a uniformly random concept of a cell.
    """

    def __init__(
        self,
        cells: Iterable[tuple[int, int, Cell]],
        member: Callable[[Cell, np.random.Generator], Any],
    ) -> None:
        found: dict[int, tuple[list[int], list[Cell]]] = {}
        for errors, number, cell in cells:
            if number:
                numbers, group = found.setdefault(errors, ([], []))
                numbers.append(number)
                group.append(cell)
        self._cells = dict(sorted(found.items()))
        self._member = member
        self.counts = {errors: sum(numbers) for errors, (numbers, _) in self._cells.items()}

    def _sample(self, errors: int, rng: np.random.Generator) -> Any:
        numbers, cells = self._cells[errors]
        return self._member(cells[weighted_place(numbers, rng)], rng)


def weighted_place(numbers: Sequence[int], rng: np.random.Generator) -> int:
    """Return a random position in a list, with probability proportional to the number there."""
    ends = list(itertools.accumulate(numbers))
    return bisect_right(ends, uniform_below(rng, ends[-1]))


def cells_by_restriction(C: RestrictedClass, weights: Weights, rows: int) -> ErrorHistogram:
    """Return the histogram of a class on a sample, computed by restrictions of the class.

    Each distinct point splits every group of concepts into its two restrictions. A group of one
    concept is evaluated on the remaining points together with the other groups of one concept.

    Raises
    ------
    TooLarge
        If a sample with this number of rows may distinguish too many groups.
    """
    require_few_cells(C, rows)
    points = list(label_weights(weights).items())
    groups: list[tuple[RestrictedClass, int]] = [(C, 0)]
    single = _SingleConcepts(C)
    for place, (x, (zeros, ones)) in enumerate(points):
        split: list[tuple[RestrictedClass, int]] = []
        for group, errors in groups:
            for label, wrong in ((0, ones), (1, zeros)):
                part = group._restrict(x, label)
                if part.is_empty:
                    continue
                if part.size == 1:
                    single.append(part, errors + wrong, place + 1)
                else:
                    split.append((part, errors + wrong))
        groups = split
    cells: Iterator[tuple[int, int, Any]] = (
        (errors, group.size or 0, group) for group, errors in groups
    )

    def member(cell: Any, rng: np.random.Generator) -> Hypothesis:
        return cell if isinstance(cell, Hypothesis) else cell._sample(rng)

    return CellHistogram(itertools.chain(cells, single.cells(points)), member)


def require_few_cells(C: RestrictedClass, rows: int) -> None:
    """Raise `TooLarge` if a sample may divide the concepts of a class into too many groups.

    Raises
    ------
    TooLarge
        If the bound on the number of groups, times the number of rows, exceeds `MOST_STEPS`.
    """
    points = min(rows, C.domain.size or rows)
    limit = MOST_STEPS // max(1, points)
    try:
        dimension = C.vcdim()
    except (TooLarge, InfiniteDimension):
        dimension = points
    # The Sauer-Shelah lemma.
    most = min(sauer_bound(points, dimension, limit), C.size or limit + 1)
    if not C._counts_version_spaces(points):
        raise TooLarge(
            f"The errors of all concepts of {C!r} need the number of concepts after the labels of "
            f"the sample. With {rows} rows, this may take too long. Take fewer rows or a smaller "
            "class.",
            limit=limit,
        )
    if most > limit:
        raise TooLarge(
            f"The errors of all concepts of {C!r} need a list of the groups that the sample "
            f"distinguishes. A sample of {rows} rows may distinguish more than {limit} groups, "
            "and no formula counts the concepts by their errors. Take fewer rows or a smaller "
            "class.",
            estimate=most,
            limit=limit,
        )


def sauer_bound(points: int, dimension: int, most: int) -> int:
    """Return the sum of C(points, i) over i <= dimension, or `most` + 1 if the sum exceeds `most`.

    Examples
    --------
    >>> sauer_bound(10, 2, 10**6), sauer_bound(10**6, 3, 10**6)
    (56, 1000001)
    """
    total = term = 1
    for i in range(min(points, dimension)):
        term = term * (points - i) // (i + 1)
        total += term
        if total > most:
            return most + 1
    return total


class _SingleConcepts:
    """Groups that have only one concept, with the place of the next point of each group."""

    def __init__(self, C: RestrictedClass) -> None:
        self._concepts: list[Hypothesis] = []
        self._stack = HypothesisStack(C.domain)
        self._errors: list[int] = []
        self._next: list[int] = []

    def append(self, part: RestrictedClass, errors: int, place: int) -> None:
        concept = part._sample(np.random.default_rng(0))
        self._concepts.append(concept)
        self._stack.append(concept)
        self._errors.append(errors)
        self._next.append(place)

    def cells(
        self, points: Sequence[tuple[Point, list[int]]]
    ) -> Iterator[tuple[int, int, Hypothesis]]:
        # Sums of machine integers would wrap around.
        total = sum(zeros + ones for _, (zeros, ones) in points)
        errors = np.array(self._errors, dtype=np.int64 if total < MACHINE else object)
        first = np.array(self._next, dtype=np.int64)
        for place, (x, (zeros, ones)) in enumerate(points):
            if len(errors):
                labels = self._stack.labels(x)
                errors += np.where(first <= place, np.where(labels, zeros, ones), 0)
        for number, concept in zip(errors.tolist(), self._concepts, strict=True):
            yield number, 1, concept


# ---- histograms of tables


class ListedHistogram(ErrorHistogram):
    """The histogram of a list of concepts with known numbers of errors.

    Parameters
    ----------
    concepts : sequence of Hypothesis, or Table
    errors : sequence of int
        Number of errors of each concept.
    """

    def __init__(self, concepts: _Listed, errors: Sequence[int]) -> None:
        self._concepts, self._errors = concepts, errors
        self.counts = dict(sorted(Counter(errors).items()))

    def _sample(self, errors: int, rng: np.random.Generator) -> Hypothesis:
        places = [i for i, number in enumerate(self._errors) if number == errors]
        return self._concepts[places[uniform_below(rng, len(places))]]


class _Listed(Protocol):
    def __getitem__(self, place: int, /) -> Hypothesis: ...


# ---- sums of independent parts


@dataclass(frozen=True)
class SumNode:
    """Choices of one concept from each of some parts, counted by their total number of errors.

    Attributes
    ----------
    counts : mapping of int to int
        Number of choices by the total number of errors.
    part : ErrorHistogram or None
        The only part, if the node is a leaf.
    halves : tuple of SumNode
        Two nodes, one for each half of the parts. A leaf has none.
    """

    counts: Mapping[int, int]
    part: ErrorHistogram | None = None
    halves: tuple[SumNode, ...] = ()

    @classmethod
    def of(cls, parts: Sequence[ErrorHistogram]) -> SumNode:
        """Return a sum node for some parts, at least one."""
        if len(parts) == 1:
            return cls(parts[0].counts, parts[0])
        middle = len(parts) // 2
        one, other = cls.of(parts[:middle]), cls.of(parts[middle:])
        return cls(convolved(one.counts, other.counts), None, (one, other))

    def sample(self, errors: int, rng: np.random.Generator) -> list[Any]:
        """Return a uniformly random choice with a given total number of errors."""
        if self.part is not None:
            return [self.part._sample(errors, rng)]
        one, other = self.halves
        own = [e for e in one.counts if errors - e in other.counts]
        e = own[weighted_place([one.counts[e] * other.counts[errors - e] for e in own], rng)]
        return [*one.sample(e, rng), *other.sample(errors - e, rng)]


class SumHistogram(ErrorHistogram):
    """The histogram of a class whose concepts consist of independent choices.

    The errors of the choices add up. The parts are combined in a binary tree, so only few products
    are large.

    Parameters
    ----------
    parts : sequence of ErrorHistogram
        Histogram of each choice. At least one choice is required.
    join : callable
        Function that returns the concept for a list of choices.
    """

    def __init__(
        self, parts: Sequence[ErrorHistogram], join: Callable[[list[Any]], Hypothesis]
    ) -> None:
        self._tree, self._join = SumNode.of(parts), join
        self.counts = self._tree.counts

    def _sample(self, errors: int, rng: np.random.Generator) -> Hypothesis:
        return self._join(self._tree.sample(errors, rng))


def convolved(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    """Return how many pairs of two independent choices have each sum, in increasing order.

    The arguments map numbers to numbers of choices.

    Examples
    --------
    >>> convolved({0: 1, 2: 3}, {0: 1, 1: 5})
    {0: 1, 1: 5, 2: 3, 3: 15}
    """
    spread = max(one) - min(one) + max(other) - min(other)
    if len(one) * len(other) <= MOST_PRODUCTS or spread > MOST_COEFFICIENTS:
        found: dict[int, int] = {}
        for a, m in one.items():
            for b, n in other.items():
                found[a + b] = found.get(a + b, 0) + m * n
        return dict(sorted(found.items()))
    start, product = polynomial_product(one, other)
    return {start + i: c for i, c in enumerate(product) if c}


def polynomial_product(one: Mapping[int, int], other: Mapping[int, int]) -> tuple[int, list[int]]:
    """Return the least exponent and the coefficients of a product of two sparse polynomials."""
    from flint import fmpz_poly

    def dense(counts: Mapping[int, int]) -> tuple[int, Any]:
        least = min(counts)
        coefficients = [0] * (max(counts) - least + 1)
        for exponent, number in counts.items():
            coefficients[exponent - least] = number
        return least, fmpz_poly(coefficients)

    (a, p), (b, q) = dense(one), dense(other)
    return a + b, [int(c) for c in (p * q).coeffs()]


# ---- alternatives


class UnionHistogram(ErrorHistogram):
    """The histogram of a disjoint union of sets of concepts.

    Parameters
    ----------
    parts : sequence of (ErrorHistogram, int, callable)
        For each set: its histogram, a number of additional errors of all its concepts, and a
        function. The function returns the concept of the union for a concept of the set, or None
        for a concept that another set already contains.
    repeated : mapping of int to int
        Number of concepts for which the function returns None, by number of errors.
    """

    def __init__(
        self,
        parts: Sequence[tuple[ErrorHistogram, int, Callable[[Hypothesis], Hypothesis | None]]],
        repeated: Mapping[int, int] | None = None,
    ) -> None:
        self._parts = parts
        found: dict[int, int] = {}
        for part, more, _ in parts:
            for errors, number in part.counts.items():
                found[errors + more] = found.get(errors + more, 0) + number
        for errors, number in (repeated or {}).items():
            found[errors] -= number
        self.counts = {errors: number for errors, number in sorted(found.items()) if number}

    def _sample(self, errors: int, rng: np.random.Generator) -> Hypothesis:
        numbers = [part.counts.get(errors - more, 0) for part, more, _ in self._parts]
        while True:
            part, more, embedded = self._parts[weighted_place(numbers, rng)]
            # A repeated concept is drawn again, so the other concepts stay equally likely.
            if (concept := embedded(part._sample(errors - more, rng))) is not None:
                return concept


def identity(concept: Hypothesis) -> Hypothesis:
    """Return the concept itself, for unions whose parts have the same domain."""
    return concept
