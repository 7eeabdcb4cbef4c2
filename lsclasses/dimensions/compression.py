"""Sample compression: the least number of examples from which a sample can be rebuilt.

A scheme has two parts. The first part maps every sample that some concept agrees with to some of
its examples, the *compression set*. The second part maps a compression set to a labelling of all
points, which must agree with the sample. A scheme is *labelled* if the second part receives the
labels of the compression set, and *unlabelled* if it receives only the points. The labelling need
not be a concept. A scheme is *proper* if every labelling is a concept. A scheme is *stable* if the
labelling does not change when a sample loses examples outside its compression set. In this module,
samples are sets of examples.

A SAT solver finds schemes (``pip install 'lsclasses[sat]'``), and an exact check follows. Counting
or the solver shows that no smaller schemes exist. The registry of dimensions does not contain the
sizes, because schemes need a package outside the core and are found on few points only.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from lsclasses.errors import BadCertificate, LsclassesError, TooLarge
from lsclasses.limits import Limit, Meter, Progress
from lsclasses.point_names import Point
from lsclasses.searching.search_bounds import Bounds

if TYPE_CHECKING:
    from lsclasses.table import Table

__all__ = [
    "CompressionScheme",
    "compression_scheme",
    "labelled_compression_size",
    "unlabelled_compression_size",
]

INSTALL = "Compression schemes need a SAT solver: pip install 'lsclasses[sat]'."
MOST_POINTS = 5
"""The largest number of points of a class for which schemes are computed."""
CLAUSE_BYTES = 100
"""Approximate number of bytes of a clause in the solver."""
CONFLICTS = 10_000
"""The number of conflicts of the solver between two checks of the time limit."""

T = TypeVar("T", bound=Hashable)
Example = tuple[Point, int]
Sample = frozenset[Example]
Kept = frozenset[Hashable]
"""A compression set, which contains examples or points."""


@dataclass(frozen=True)
class CompressionScheme:
    """A sample compression scheme: the compression of each sample, and its reconstruction.

    Parameters
    ----------
    labelled : bool
        Whether compression sets contain examples, pairs of a point and its label, or only points.
    compressed : mapping
        Compression set (a frozenset) of each sample (a frozenset of examples).
    rebuilt : mapping
        Labelling that is rebuilt from each compression set: the label of every point, in the order
        of the table's points.

    Examples
    --------
    >>> from lsclasses import Table
    >>> scheme = compression_scheme(Table([[0, 0], [0, 1], [1, 1]], domain="ab"), labelled=False)
    >>> scheme.size, len(scheme.compressed)
    (1, 8)
    """

    labelled: bool
    compressed: Mapping[Sample, Kept]
    rebuilt: Mapping[Kept, tuple[int, ...]]

    @property
    def size(self) -> int:
        """The size of the largest compression set, or -1 without samples."""
        return max(map(len, self.compressed.values()), default=-1)

    def check(self, table: Table, *, proper: bool = False, stable: bool = False) -> None:
        """Check that the scheme is a sample compression scheme of a class, on every sample.

        Parameters
        ----------
        table : Table
        proper : bool
            Whether every rebuilt labelling must be a concept.
        stable : bool
            Whether the scheme must be stable. Then each sample between a compression set and its
            sample must be rebuilt as an equal labelling.

        Raises
        ------
        BadCertificate
            If a sample is missing, is not compressed to a part of itself, or is not rebuilt. If the
            scheme compresses a set that is not a sample of the class. If the scheme is not proper,
            or not stable.
        """
        samples = set(map(frozenset, _samples(table)))
        concepts = set(map(tuple, table.labels.tolist()))
        if samples != set(self.compressed):
            raise BadCertificate("The scheme must compress the samples of the class and no others.")
        for sample, kept in self.compressed.items():
            if not kept.issubset(_all_kept(sample, self.labelled)):
                raise BadCertificate(
                    f"The compression set of {_described(sample)} is not a part of the sample."
                )
            labels = self.rebuilt.get(kept)
            if labels is None or len(labels) != len(table.points):
                raise BadCertificate(
                    "The scheme has no labelling of all points for the compression set of "
                    f"{_described(sample)}."
                )
            hypothesis = dict(zip(table.points, labels, strict=True))
            if any(hypothesis[point] != label for point, label in sample):
                raise BadCertificate(
                    f"The rebuilt labelling does not agree with {_described(sample)}."
                )
            if proper and tuple(labels) not in concepts:
                raise BadCertificate(
                    f"The rebuilt labelling for {_described(sample)} is not a concept."
                )
            for part in _between(tuple(sample), kept, self.labelled) if stable else ():
                if self.rebuilt.get(self.compressed[frozenset(part)]) != labels:
                    raise BadCertificate(
                        f"The rebuilt labelling changes if {_described(sample)} loses examples "
                        "outside of its compression set."
                    )


def labelled_compression_size(
    table: Table,
    *,
    proper: bool = False,
    stable: bool = False,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> int:
    """Return the least size of a labelled sample compression scheme.

    The size is -1 for the empty class, which no sample agrees with.

    Parameters
    ----------
    table : Table
        Table on at most 5 points.
    proper : bool
        Whether every rebuilt labelling must be a concept.
    stable : bool
        Whether only stable schemes count.
    limit : Limit, optional
        Time and memory that the search may use.
    progress : callable, optional
        Called with (lower, upper) whenever a bound improves.

    Raises
    ------
    TooLarge
        If the table has more points, or the limit is reached.
    LsclassesError
        If no SAT solver is installed. The message states how to install a solver.

    References
    ----------
    Floyd and Warmuth 1995

    Examples
    --------
    Labels contain information, too, so the size can be below the VC dimension.

    >>> import catalog
    >>> cubes = [catalog.build(f"cube:n={n}").to_table() for n in (1, 2, 3)]
    >>> [labelled_compression_size(cube) for cube in cubes]
    [1, 1, 2]
    """
    return _least_size(table, limit, progress, labelled=True, proper=proper, stable=stable)


def unlabelled_compression_size(
    table: Table,
    *,
    proper: bool = False,
    stable: bool = False,
    limit: Limit | None = None,
    progress: Progress | None = None,
) -> int:
    """Return the least size of an unlabelled sample compression scheme.

    The size is at least the VC dimension, because the samples on a shattered set need as many
    compression sets as the set has subsets. The size equals the VC dimension for every maximum
    class (Kuzmin and Warmuth 2007). The size is -1 for the empty class. `labelled_compression_size`
    documents the parameters and errors. This function also raises `LsclassesError` if `proper` is
    true and no proper scheme exists.

    References
    ----------
    Kuzmin and Warmuth 2007

    Examples
    --------
    >>> import catalog
    >>> cubes = [catalog.build(f"cube:n={n}").to_table() for n in (1, 2, 3)]
    >>> [unlabelled_compression_size(cube) for cube in cubes]
    [1, 2, 3]

    Proper schemes can be larger:

    >>> points = catalog.build("points:n=3").to_table()
    >>> unlabelled_compression_size(points), unlabelled_compression_size(points, proper=True)
    (1, 2)
    """
    return _least_size(table, limit, progress, labelled=False, proper=proper, stable=stable)


def compression_scheme(
    table: Table,
    *,
    labelled: bool,
    proper: bool = False,
    stable: bool = False,
    limit: Limit | None = None,
) -> CompressionScheme:
    """Return a checked sample compression scheme of least size, as evidence for an upper bound.

    Parameters
    ----------
    table : Table
        Table on at most 5 points.
    labelled : bool
        Whether the size is `labelled_compression_size` or `unlabelled_compression_size`, which
        document the remaining parameters and the errors.

    Examples
    --------
    >>> from lsclasses import Table
    >>> scheme = compression_scheme(Table([[0, 1], [1, 0]], domain="ab"), labelled=True)
    >>> scheme.size
    1
    >>> scheme.check(Table([[0, 1], [1, 0]], domain="ab"))
    """
    return _search(table, limit, None, labelled=labelled, proper=proper, stable=stable)[1]


def _samples(table: Table) -> Iterator[tuple[Example, ...]]:
    """Yield all samples that some concept realizes, in the order of points, some more than once."""
    for row in table.labels.tolist():
        yield from _subsets(tuple(zip(table.points, row, strict=True)))


def _subsets(whole: tuple[T, ...]) -> Iterator[tuple[T, ...]]:
    for size in range(len(whole) + 1):
        yield from itertools.combinations(whole, size)


def _all_kept(sample: Iterable[Example], labelled: bool) -> tuple[Hashable, ...]:
    """Return the candidates for elements of the compression set of a sample."""
    return tuple(sample) if labelled else tuple(point for point, _ in sample)


def _between(
    sample: tuple[Example, ...], kept: Kept, labelled: bool
) -> Iterator[tuple[Example, ...]]:
    """Yield the parts of a sample that its compression set is a part of."""
    is_kept = [(each if labelled else each[0]) in kept for each in sample]
    for left in itertools.product(*((True,) if keep else (False, True) for keep in is_kept)):
        yield tuple(itertools.compress(sample, left))


def _described(sample: Sample) -> str:
    examples = sorted(f"{point!r}: {label}" for point, label in sample)
    return f"the sample {{{', '.join(examples)}}}"


def _least_size(
    table: Table,
    limit: Limit | None,
    progress: Progress | None,
    *,
    labelled: bool,
    proper: bool,
    stable: bool,
) -> int:
    """Return the least size, even if the limit stops the search for a scheme of this size."""
    try:
        found = _search(table, limit, progress, labelled=labelled, proper=proper, stable=stable)
    except TooLarge as stopped:
        # Only proper unlabelled schemes can fail to exist.
        if stopped.lower is None or stopped.lower != stopped.upper or (proper and not labelled):
            raise
        return int(stopped.lower)
    return found[0]


def _search(
    table: Table,
    limit: Limit | None,
    progress: Progress | None,
    *,
    labelled: bool,
    proper: bool,
    stable: bool,
) -> tuple[int, CompressionScheme]:
    """Return the least size, and a scheme of that size."""
    if table.is_empty:
        return -1, CompressionScheme(labelled, {}, {})
    points = len(table.points)
    if points > MOST_POINTS:
        raise TooLarge(
            f"Compression schemes are computed on at most {MOST_POINTS} points. The class has "
            f"{points}.",
            estimate=points,
            limit=MOST_POINTS,
        )
    if find_spec("pysat") is None:
        raise LsclassesError(INSTALL)
    meter = Meter(limit)
    samples = list(dict.fromkeys(_samples(table)))
    wanted = ("proper", proper), ("stable", stable), ("labelled", labelled)
    kind = " ".join(each for each, is_so in wanted if is_so) + ("" if labelled else "unlabelled")
    name = f"the least size of {kind} compression schemes"
    # All examples can be kept. If labellings need not be concepts, the points with label 1 suffice.
    with Bounds(name, 0, points, progress) as bounds:
        while True:
            size = bounds.lower
            if _enough_sets(table, samples, size, labelled=labelled):
                problem = _Problem(table, samples, size, labelled, proper, stable)
                scheme = problem.scheme(meter)
                if scheme is not None:
                    scheme.check(table, proper=proper, stable=stable)
                    bounds.at_most(scheme.size)
                    return size, scheme
            if size == points:
                raise LsclassesError(f"The class has no {kind} compression scheme of any size.")
            bounds.at_least(size + 1)


def _enough_sets(
    table: Table, samples: list[tuple[Example, ...]], size: int, *, labelled: bool
) -> bool:
    """Return whether every set of points has as many compression sets as samples of all its points.

    Two samples of all these points differ at one of the points, so they have different compression
    sets.
    """
    asked = [(sample, frozenset(point for point, _ in sample)) for sample in samples]
    sets = {_all_kept(sample, labelled): points for sample, points in asked}
    for points in map(frozenset, _subsets(table.points)):
        wanted = sum(of == points for _, of in asked)
        if wanted > sum(of <= points and len(of) <= size for of in sets.values()):
            return False
    return True


@dataclass(frozen=True)
class _Problem:
    """The clauses that state that a scheme of at most some size exists."""

    table: Table
    samples: list[tuple[Example, ...]]
    size: int
    labelled: bool
    proper: bool
    stable: bool

    def scheme(self, meter: Meter) -> CompressionScheme | None:
        """Return a scheme of at most this size, or None if no such scheme exists."""
        from pysat.formula import IDPool
        from pysat.solvers import Glucose4

        number = IDPool().id
        with Glucose4() as solver:
            for clause in self._clauses(number):
                meter.charge(CLAUSE_BYTES * len(clause))
                solver.add_clause(clause)
            found = None
            while found is None:
                meter.tick()
                solver.conf_budget(CONFLICTS)
                found = solver.solve_limited()
            if not found:
                return None
            true = {variable for variable in solver.get_model() if variable > 0}
        compressed = {
            sample: next(kept for kept in choices if number((sample, kept)) in true)
            for sample, choices in self._choices.items()
        }
        rebuilt_from = {
            kept: tuple(
                int(number((kept, point, "rebuilt")) in true) for point in self.table.points
            )
            for kept in compressed.values()
        }
        return CompressionScheme(
            self.labelled,
            {frozenset(sample): frozenset(kept) for sample, kept in compressed.items()},
            {frozenset(kept): labels for kept, labels in rebuilt_from.items()},
        )

    @cached_property
    def _choices(self) -> dict[tuple[Example, ...], list[tuple[Hashable, ...]]]:
        """The compression sets that each sample can have."""
        return {
            sample: [
                kept
                for kept in _subsets(_all_kept(sample, self.labelled))
                if len(kept) <= self.size
            ]
            for sample in self.samples
        }

    def _clauses(self, number: Callable[[object], int]) -> Iterator[list[int]]:
        """Yield the clauses. Each variable is numbered by its meaning."""
        for sample, choices in self._choices.items():
            yield [number((sample, kept)) for kept in choices]
            for kept, (point, label) in itertools.product(choices, sample):
                rebuilt = number((kept, point, "rebuilt"))
                yield [-number((sample, kept)), rebuilt if label else -rebuilt]
            if self.stable:
                for kept in choices:
                    yield from self._as_before(sample, kept, number)
        if not self.proper:
            return
        for kept in dict.fromkeys(itertools.chain(*self._choices.values())):
            yield [number((kept, c, "is")) for c in range(len(self.table))]
            for c, row in enumerate(self.table.labels.tolist()):
                for point, label in zip(self.table.points, row, strict=True):
                    rebuilt = number((kept, point, "rebuilt"))
                    yield [-number((kept, c, "is")), rebuilt if label else -rebuilt]

    def _as_before(
        self, sample: tuple[Example, ...], kept: tuple[Hashable, ...], number: Callable[..., int]
    ) -> Iterator[list[int]]:
        """Yield clauses by which samples around a compression set are rebuilt as its sample is.

        Each sample has separate variables for its labelling, equal to the variables of its
        compression set.
        """
        chosen = -number((sample, kept))
        points = self.table.points
        whole = [number((sample, point, "whole")) for point in points]
        equal = [[number((kept, point, "rebuilt")) for point in points]]
        for part in _between(sample, frozenset(kept), self.labelled):
            if len(part) < len(sample):
                equal.append([number((part, point, "whole")) for point in points])
        for other in equal:
            for one, same in zip(whole, other, strict=True):
                yield [chosen, -one, same]
                yield [chosen, one, -same]
