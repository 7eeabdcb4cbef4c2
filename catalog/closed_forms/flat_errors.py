"""Histograms of the errors of affine and linear subspaces (flats) on a sample.

Three types of flats have simple histograms:

* Flats of dimension at most 0, and over GF(2) at most 1, are sets of at most one or two points.
* If all flats contain a flat F and have at most one dimension more, each sample point outside F
  spans a single flat with F. Points that span the same flat belong together.

Other flats of dimension at most k, without a common flat, have up to n^(k+1) groups on n rows. The
generic algorithm lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import numpy as np

from catalog.closed_forms.counted_sets import CountedSets
from catalog.closed_forms.exceptions import AllBut
from catalog.closed_forms.linear_algebra import Subspace, Vector
from lsclasses.domain import Vectors
from lsclasses.error_histograms import CellHistogram, ErrorHistogram, UnionHistogram, Weights
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Point
from lsclasses.random_integers import uniform_below

REJECTIONS = 1000
"""Largest number of rejected random vectors. After these rejections, all vectors are listed."""

FEW = 1 << 10
"""Largest number of vectors that are listed without trying random vectors first."""


def errors_of_point_sets(
    domain: Vectors,
    sizes: range,
    excluded: Iterable[Point],
    weights: Weights,
    *,
    rows: int,
    flat: Callable[[Iterable[Point]], Hypothesis],
) -> ErrorHistogram:
    """Return the histogram of the number of errors on a sample, over flats of few points.

    The counted flats contain no excluded point.

    Parameters
    ----------
    domain : Vectors
    sizes : range
        Numbers of points of a set.
    excluded : iterable of point
        Points that no counted flat contains.
    weights : mapping of (point, label) to int
        Number of rows that equal each example.
    rows : int
        Public number of rows.
    flat : callable
        Function that returns the concept with some points.
    """
    sets = CountedSets(domain, sizes[0], sizes[-1])
    for x in excluded:
        sets = sets._restrict(x, 0)

    def embedded(concept: Hypothesis) -> Hypothesis:
        assert isinstance(concept, AllBut)
        few = concept.label == 0
        return flat(concept.exceptional_points if few else filter(concept._label, domain))

    return UnionHistogram([(sets._error_histogram(weights, rows), 0, embedded)])


def errors_through(
    hull: Subspace,
    excluded: Collection[Vector],
    number: int,
    gains: Iterable[tuple[Vector | None, int, int]],
    member: Callable[[Subspace], Hypothesis],
) -> ErrorHistogram:
    """Return the histogram of the number of errors on a sample, over a flat F and larger flats.

    The larger flats contain F and have one dimension more.

    Parameters
    ----------
    hull : Subspace
        Span of the vectors (1, x) of the points x of the flat F, which is not empty.
    excluded : collection of vectors
        Remainders modulo the hull that the counted flats do not contain.
    number : int
        Number of flats of the class.
    gains : iterable of (vector or None, int, int)
        For each sample point, its remainder modulo the hull, or None if it belongs to the hull, and
        its numbers of rows with label 0 and 1.
    member : callable
        Function that returns the concept of a span.
    """
    errors = 0
    changes: dict[Vector, int] = {}
    for remainder, zeros, ones in gains:
        errors += zeros if remainder is None else ones
        if remainder is not None and remainder not in excluded:
            changes[remainder] = changes.get(remainder, 0) + zeros - ones
    cells: list[tuple[int, int, Subspace | None]] = [(errors, 1, hull)]
    cells += [(errors + gain, 1, hull.extended(w)) for w, gain in changes.items()]
    cells.append((errors, number - len(cells), None))

    def drawn(span: Subspace | None, rng: np.random.Generator) -> Hypothesis:
        return member(span or hull.extended(_other(hull, excluded, changes, rng)))

    return CellHistogram(cells, drawn)


def _other(
    hull: Subspace,
    excluded: Collection[Vector],
    changes: Collection[Vector],
    rng: np.random.Generator,
) -> Vector:
    """Return a uniformly random remainder that is neither excluded nor of a sample point."""
    domain = Vectors(hull.q, hull.width - 1)
    few = hull.q ** (hull.width - hull.dimension) <= FEW
    for _ in range(0 if few else REJECTIONS):
        w = hull.remainder(hull.vector((1, *domain._sample(rng))))
        if w is not None and w not in excluded and w not in changes:
            return w
    left = [w for w in hull.projective_points() if w not in excluded and w not in changes]
    return left[uniform_below(rng, len(left))]
