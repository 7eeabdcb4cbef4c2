"""Least sizes of sample compression schemes, by two SAT solvers that serve all classes.

The clauses of a solver describe the samples of the full cube. Assumptions select the samples and
the concepts of a class and the type of scheme. The clauses that the solver learns from one class
therefore also serve later classes. The size for one type of scheme bounds the sizes for the other
types, and these bounds decide most sizes without a search.
"""

from __future__ import annotations

import atexit
import itertools
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from catalog.atlas.columns.batch import (
    AtlasColumn,
    Batch,
    column,
    parameter_values,
    searched,
    shared,
)
from catalog.atlas.columns.teaching import projected_recursive_teaching_dim
from catalog.parameters import PARAMETERS
from lsclasses.isomorphism import class_of_mask
from lsclasses.searching.bitsets import members

MOST_POINTS = 4
Sample = tuple[int, int]
"""A sample as two masks: the set of its points, and the set of its points with label 1."""


class SchemeKind(NamedTuple):
    """A type of sample compression scheme: labelled or not, proper or not, stable or not."""

    labelled: bool
    proper: bool
    stable: bool

    def needs_no_more_than(self, other: SchemeKind) -> bool:
        """Return whether every scheme of another type yields a scheme of this type.

        The sizes of both schemes are equal. For example, an unlabelled scheme yields a labelled
        scheme that ignores labels.
        """
        return (
            self.labelled >= other.labelled
            and self.proper <= other.proper
            and self.stable <= other.stable
        )


KINDS = sorted(
    itertools.starmap(SchemeKind, itertools.product((False, True), repeat=3)), reverse=True
)
"""All types of schemes. Labelled types come first, and types with more conditions come earlier."""


class Schemes:
    """A SAT solver that decides whether a class has a compression scheme of a type and size.

    Parameters
    ----------
    points : int
        Number of points of the classes.
    labelled : bool
        Whether the schemes keep labels.

    Examples
    --------
    Three points that one concept each labels with 1 (concepts 1, 2 and 4):

    >>> unlabelled = Schemes(3, labelled=False)
    >>> [unlabelled.exist([1, 2, 4], 1, proper=proper, stable=False) for proper in (False, True)]
    [True, False]
    """

    def __init__(self, points: int, *, labelled: bool) -> None:
        from pysat.formula import IDPool
        from pysat.solvers import Glucose4

        self._number = IDPool().id
        self._points = points
        self._samples = [(s, y) for s in range(2**points) for y in range(2**points) if not y & ~s]
        self._labelled = labelled
        self._sets = self._samples if labelled else [(s, 0) for s in range(2**points)]
        self._solver = Glucose4()
        clauses = self._rebuilt, self._proper, self._stable
        self._solver.append_formula(itertools.chain.from_iterable(each() for each in clauses))

    def exist(self, concepts: list[int], size: int, *, proper: bool, stable: bool) -> bool:
        """Return whether the class of the given concepts has a scheme of size at most `size`."""
        n = self._number
        samples = {(s, c & s) for s in range(2**self._points) for c in concepts}
        known = [n(("sample", each)) for each in samples]
        known += [-n(("concept", c)) for c in set(range(2**self._points)).difference(concepts)]
        known += [n("proper") if proper else -n("proper"), n("stable") if stable else -n("stable")]
        known += [-n(("set of size", k)) for k in range(size + 1, self._points + 1)]
        return bool(self._solver.solve(assumptions=known))

    def _kept(self, sample: Sample) -> Iterator[Sample]:
        """Yield the compression sets of a sample, in which all labels are 0 without labels."""
        for s, y in self._sets:
            if not s & ~sample[0] and y == (sample[1] & s if self._labelled else 0):
                yield s, y

    def _rebuilt(self) -> Iterator[list[int]]:
        """Yield clauses: a sample of the class is compressed to a set, which rebuilds it."""
        n = self._number
        for sample in self._samples:
            kept = list(self._kept(sample))
            yield [-n(("sample", sample)), *(n((sample, each)) for each in kept)]
            for each in kept:
                yield [-n((sample, each)), n(("set of size", each[0].bit_count()))]
                for x in members(sample[0]):
                    rebuilt = n(("rebuilt", each, x))
                    yield [-n((sample, each)), rebuilt if sample[1] >> x & 1 else -rebuilt]

    def _proper(self) -> Iterator[list[int]]:
        """Yield clauses: every set is rebuilt to a concept, even if no sample compresses to it."""
        n, everything = self._number, range(2**self._points)
        for each in self._sets:
            yield [-n("proper"), *(n((each, "is", c)) for c in everything)]
            for c in everything:
                yield [-n((each, "is", c)), n(("concept", c))]
                for x in range(self._points):
                    rebuilt = n(("rebuilt", each, x))
                    yield [-n((each, "is", c)), rebuilt if c >> x & 1 else -rebuilt]

    def _stable(self) -> Iterator[list[int]]:
        """Yield clauses: parts of a sample around its compression set are rebuilt as the sample."""
        n = self._number
        for s, y in self._samples:
            for each in self._kept((s, y)):
                around = [t for t in range(s) if not t & ~s and not each[0] & ~t]
                same = [("rebuilt", each), *(("whole", (t, y & t)) for t in around)]
                for (what, of), x in itertools.product(same, range(self._points)):
                    one, other = n(("whole", (s, y), x)), n((what, of, x))
                    yield [-n("stable"), -n(((s, y), each)), -one, other]
                    yield [-n("stable"), -n(((s, y), each)), one, -other]


schemes = cache(Schemes)
"""Return the solver `Schemes` for a number of points, which is created once."""
# Solvers must be deleted before the library that frees them.
atexit.register(schemes.cache_clear)


@cache
def least_sizes(points: int, mask: int, upper: int) -> dict[SchemeKind, int]:
    """Return the least size of a compression scheme of a class, for each type of scheme.

    Parameters
    ----------
    points : int
        Number of points.
    mask : int
        The class. Bit c is 1 if the concept with the number c belongs to the class.
    upper : int
        Value of the parameter ``proper_order_compression`` of the class. It is an upper bound,
        because an order of the concepts makes a labelled, proper and stable scheme.

    Examples
    --------
    >>> set(least_sizes(2, 0b1111, 1).values())    # the cube: 2 without labels, 1 with them
    {1, 2}
    """
    concepts = list(members(mask))
    least = {kind: counted(points, concepts, labelled=kind.labelled) for kind in KINDS}
    # The solver decides whether a proper scheme without labels exists at all.
    most = {kind: upper if kind.labelled else points + kind.proper for kind in KINDS}
    for kind in KINDS:
        while least[kind] < most[kind]:
            size = least[kind]
            there = schemes(points, labelled=kind.labelled).exist(
                concepts, size, proper=kind.proper, stable=kind.stable
            )
            for other in KINDS:
                if there and other.needs_no_more_than(kind):
                    most[other] = min(most[other], size)
                elif not there and kind.needs_no_more_than(other):
                    least[other] = max(least[other], size + 1)
    assert max(least.values()) <= points
    return least


def counted(points: int, concepts: list[int], *, labelled: bool) -> int:
    """Return a lower bound on the size of every compression scheme of a class, by counting.

    Different samples on equal points need different compression sets.
    """
    bounds = [0]
    for s in range(2**points):
        shown = {c & s for c in concepts}
        inside = [t for t in range(2**points) if not t & ~s]
        sets = [(t.bit_count(), len({c & t for c in shown}) if labelled else 1) for t in inside]
        within = (sum(n for k, n in sets if k <= size) for size in itertools.count())
        bounds.append(next(k for k, number in enumerate(within) if number >= len(shown)))
    return max(bounds)


# ---- columns


@column(most_points=MOST_POINTS)
def proper_order_compression(batch: Batch) -> np.ndarray:
    """Return, for each class, the least size of sample compression by an order of the concepts.

    The scheme keeps some examples of each sample. From these examples, it rebuilds the first
    concept in the order that agrees with them. This concept must agree with the whole sample.
    The values come from the search of the parameter in `catalog.parameters`.
    """
    return _of_orders_of_concepts(batch)


@shared
def _of_orders_of_concepts(batch: Batch) -> np.ndarray:
    return parameter_values(batch, "proper_order_compression")


@column(most_points=MOST_POINTS)
def order_compression(batch: Batch) -> np.ndarray:
    """Return, for each class, the least size of sample compression by an order of labellings.

    An order of all labellings of the points replaces the order of `proper_order_compression`. A
    search decides the classes whose lower and upper bounds differ.
    """
    found = _of_orders_of_concepts(batch).copy()
    lower = projected_recursive_teaching_dim(batch)

    def search(mask: int, place: int) -> int:
        value = PARAMETERS["order_compression"](class_of_mask(batch.points, mask))
        assert isinstance(value, int)
        return value

    open_ = np.flatnonzero(lower < found)
    found[open_] = searched(batch, open_, search, flips=True)
    return found


def _column(kind: SchemeKind) -> AtlasColumn:
    """Return the column of a type, by the name of its parameter."""
    words = [word for word, is_so in (("proper", kind.proper), ("stable", kind.stable)) if is_so]
    name = "_".join([*words, "labelled" if kind.labelled else "unlabelled", "compression"])

    def compute(batch: Batch) -> np.ndarray:
        PARAMETERS[name].require()
        upper = _of_orders_of_concepts(batch)

        def search(mask: int, place: int) -> int:
            return least_sizes(batch.points, mask, int(upper[place]))[kind]

        return searched(batch, np.arange(batch.classes), search, flips=True)

    compute.__name__ = name
    compute.__doc__ = f"The least size of {' '.join(name.split('_')[:-1])} schemes."
    return column(most_points=MOST_POINTS)(compute)


labelled_compression = _column(SchemeKind(True, False, False))
stable_labelled_compression = _column(SchemeKind(True, False, True))
proper_labelled_compression = _column(SchemeKind(True, True, False))
proper_stable_labelled_compression = _column(SchemeKind(True, True, True))
unlabelled_compression = _column(SchemeKind(False, False, False))
stable_unlabelled_compression = _column(SchemeKind(False, False, True))
proper_unlabelled_compression = _column(SchemeKind(False, True, False))
proper_stable_unlabelled_compression = _column(SchemeKind(False, True, True))
