"""Symmetries of a class, which are permutations of its points that map it to itself.

The maps may also complement points. So searches may use these permutations for quantities that do
not depend on complements, such as the VC dimension.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from lsclasses.limits import Meter, tick
from lsclasses.searching.bit_matrix import row_order
from lsclasses.searching.look_ahead import NORMAL_UP_TO_POINTS
from lsclasses.searching.version_space import (
    Arrangement,
    VersionSpace,
    arranged_matrix,
    arranged_rows,
    canonical_order,
)

LEVELS = 6
"""Largest number of points that are fixed, one after another, to find symmetries."""
FAILURES = 48
"""Number of consecutive comparisons without a new symmetry after which the search gives up."""


class Symmetry(NamedTuple):
    """A permutation of points, with complements at some points, that maps a class to itself.

    Attributes
    ----------
    points : array of int
        Images of the columns: column j of the version space is mapped to column points[j].
    concepts : array of int
        Images of the concepts: concept i is mapped to concept concepts[i].
    """

    points: np.ndarray
    concepts: np.ndarray


def generators(space: VersionSpace, meter: Meter) -> list[Symmetry]:
    """Return some symmetries of a version space, which need not generate all symmetries.

    Raises
    ------
    TooLarge
        If the meter's limit is reached.

    Examples
    --------
    >>> chain = VersionSpace.of_labels(np.tri(4, 3, -1, dtype=np.uint8))
    >>> [(g.points.tolist(), g.concepts.tolist()) for g in generators(chain, Meter(None))]
    [([2, 1, 0], [3, 2, 1, 0])]
    """
    search = _SymmetrySearch(space, meter)
    # The call is made for its side effect, because it collects the pairs of arrangements.
    search.elements(1)
    same = np.arange(len(space.words))
    # Perhaps it does not change when every label is complemented.
    plain, complemented = (
        Arrangement((), same, np.full(len(same), flip, dtype=np.uint8)) for flip in (0, 1)
    )
    tried = [*search.pairs, (plain, complemented)]
    return [g for pair in tried if (g := _symmetry(space, *pair)) is not None]


def _symmetry(space: VersionSpace, before: Arrangement, after: Arrangement) -> Symmetry | None:
    """Return the permutation from one arrangement to the other, if their rows are equal."""
    rows, images = (arranged_matrix(space, each.order, each.flip) for each in (before, after))
    order, other = row_order(rows), row_order(images)
    if not np.array_equal(rows[:, order], images[:, other]):
        return None
    points, concepts = np.empty_like(before.order), np.empty_like(order)
    points[before.order] = after.order
    concepts[order] = other
    return Symmetry(points, concepts)


def orbit_starts(concepts: int, symmetries: list[Symmetry]) -> np.ndarray:
    """Return the first concept of every orbit under the group that the symmetries generate.

    Examples
    --------
    >>> chain = VersionSpace.of_labels(np.tri(4, 3, -1, dtype=np.uint8))
    >>> orbit_starts(4, generators(chain, Meter(None))).tolist()
    [0, 1]
    """
    # For each concept, the least known concept of its orbit, at first the concept itself.
    first = np.arange(concepts)
    while symmetries:
        before = first
        for g in symmetries:
            tick()
            earlier = np.minimum(first, first[g.concepts])
            first = earlier.copy()
            first[g.concepts] = np.minimum(earlier[g.concepts], earlier)
        # Each entry jumps to the entry of its entry, so long chains need few passes.
        first = first[first]
        # Without a change, the entries are constant on each orbit. They equal the first concept,
        # whose entry cannot be later.
        if np.array_equal(first, before):
            break
    return np.flatnonzero(first == np.arange(concepts))


def orbit(
    concept: int, points: int, symmetries: list[Symmetry]
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield every concept of an orbit once, with a symmetry that maps the given concept to it.

    The symmetry is given as a permutation of the points.

    Examples
    --------
    >>> chain = VersionSpace.of_labels(np.tri(4, 3, -1, dtype=np.uint8))
    >>> [(i, p.tolist()) for i, p in orbit(1, 3, generators(chain, Meter(None)))]
    [(1, [0, 1, 2]), (2, [2, 1, 0])]
    """
    reached = {concept}
    waiting = [(concept, np.arange(points))]
    while waiting:
        i, moved = waiting.pop()
        yield i, moved
        for g in symmetries:
            image = int(g.concepts[i])
            if image not in reached:
                reached.add(image)
                waiting.append((image, g.points[moved]))


def point_symmetries(space: VersionSpace, most: int, meter: Meter) -> np.ndarray:
    """Return permutations of the columns that map the version space to itself up to complements.

    Each row p of the result maps column j to column p[j]. All rows are symmetries, because each was
    found by bringing the space into one form in two ways. The result need not contain all
    symmetries. If the symmetries generate more than `most` permutations, the result contains `most`
    random products, drawn with a fixed seed.

    Parameters
    ----------
    space : VersionSpace
    most : int
        Largest number of permutations.
    meter : Meter
        Meter of the time limit, which ticks on every normal form.

    Returns
    -------
    array of int, shape (permutations, columns)
        The first row is the identity.

    Raises
    ------
    TooLarge
        If the limit is reached before the search is complete.

    Examples
    --------
    >>> square = VersionSpace.of_labels(np.array([[0, 0], [0, 1], [1, 0]], dtype=np.uint8))
    >>> point_symmetries(square, 10, Meter(None)).tolist()
    [[0, 1], [1, 0]]
    """
    return _SymmetrySearch(space, meter).elements(most)


def moved_columns(
    space: VersionSpace, columns: Sequence[int], meter: Meter
) -> tuple[list[int], list[tuple[Arrangement, Arrangement]]]:
    """Return representative columns, and symmetries that map every other column to them.

    Parameters
    ----------
    space : VersionSpace
    columns : sequence of int
        Columns to be represented.
    meter : Meter
        Meter of the time limit, which ticks on every arrangement.

    Returns
    -------
    list of int, list of (Arrangement, Arrangement)
        A symmetry sends each column of the first order to the column at the same place of the
        second order, complemented if their flips differ. There may be more symmetries than the
        function finds. It computes none for more than `NORMAL_UP_TO_POINTS` columns.

    Raises
    ------
    TooLarge
        If the limit of the meter is reached.

    Examples
    --------
    >>> chain = VersionSpace.of_labels(np.tri(4, 3, -1, dtype=np.uint8))
    >>> kept, [(before, after)] = moved_columns(chain, [0, 1, 2], Meter(None))
    >>> kept, sorted(zip(before.order.tolist(), after.order.tolist()))
    ([0, 1], [(0, 2), (1, 1), (2, 0)])
    """
    if len(columns) < 2 or len(space.words) > NORMAL_UP_TO_POINTS:
        return list(columns), []
    search = _SymmetrySearch(space, meter)
    return search.representatives(columns), search.pairs


class _SymmetrySearch:
    """A chain of point stabilisers, which fixes one point after another while points look alike.

    On the way back from the last level, the search finds the symmetries that fix the points of a
    level but move the next point. For this, it marks the fixed points and compares normal forms.
    """

    def __init__(self, space: VersionSpace, meter: Meter) -> None:
        self._space = space
        self._meter = meter
        self._failures = 0
        self.pairs: list[tuple[Arrangement, Arrangement]] = []
        self._target: tuple[Arrangement, bytes] | None = None
        self._points, self._concepts = len(space.words), space.concepts
        self._both = space.both.astype(np.int64)
        self._ones = np.diagonal(self._both)
        # The distance of two columns from independence, whose absolute value ignores complements.
        outer = self._ones[:, None] * self._ones[None, :]
        self._covariance = self._both * self._concepts - outer
        self._dependence = np.abs(self._covariance)
        self._profile = np.column_stack(
            [
                np.minimum(self._ones, self._concepts - self._ones),
                np.sort(self._dependence, axis=1),
            ]
        )

    def elements(self, most: int) -> np.ndarray:
        """Return the products of one representative per level."""
        base: list[int] = []
        alike: list[np.ndarray] = []
        # A permutation that fixes all points but one also fixes the last point.
        while len(base) < min(LEVELS, self._points - 1):
            candidates = self._alike(base)
            if len(candidates) < 2:
                break
            base.append(int(candidates[0]))
            alike.append(candidates)
        identity = np.arange(self._points, dtype=np.min_scalar_type(self._points))
        generators: list[np.ndarray] = []
        transversals: list[np.ndarray] = []
        # Generators of deeper levels fix all earlier points. They also serve at this level, so the
        # search goes from the last level to the first.
        for level in range(len(base) - 1, -1, -1):
            self._find(base[: level + 1], alike[level], generators)
            transversals.append(_transversal(base[level], generators, identity))
        group = identity[None, :]
        size = 1
        for transversal in transversals:
            # Products of one representative per level are all distinct, so `size` counts them.
            size *= len(transversal)
        if size <= most:
            for transversal in transversals:
                group = transversal[:, group].reshape(-1, self._points)
            return group
        # The seed is fixed, so that each run of a search takes the same steps.
        rng = np.random.default_rng(0)
        group = np.repeat(group, most, axis=0)
        for transversal in transversals:
            drawn = transversal[rng.integers(len(transversal), size=most - 1)]
            group[1:] = np.take_along_axis(drawn, group[1:], axis=1)
        return group

    def _alike(self, fixed: list[int]) -> np.ndarray:
        """Return the largest set of points that look alike to counting after some are fixed."""
        profile = np.column_stack([self._dependence[:, fixed], self._profile])
        kind = np.unique(profile, axis=0, return_inverse=True)[1].ravel()
        # Each fixed point gets its own class, so a class of two or more contains only other points.
        kind[fixed] = kind.max() + 1 + np.arange(len(fixed))
        return np.flatnonzero(kind == np.bincount(kind).argmax())

    def _find(self, fixed: list[int], alike: np.ndarray, generators: list[np.ndarray]) -> None:
        """Add symmetries that move the last of the fixed points and fix all others of them."""
        *before, moved = fixed
        target: Arrangement | None = None
        settled = _orbit(moved, generators)
        for y in alike.tolist():
            if y in settled or self._failures >= FAILURES:
                continue
            if target is None:
                target = self._marked(fixed)
            other = self._marked([*before, y])
            generator = self._moving(target, other)
            # Keys do not contain the marks, so a symmetry may move the marked points elsewhere. The
            # images are therefore compared.
            if generator is not None and generator[fixed].tolist() == [*before, y]:
                generators.append(generator)
                settled = _orbit(moved, generators)
                self._failures = 0
            else:
                self._failures += 1
                # The last point cannot move to any point to which this point can move.
                settled |= _orbit(y, generators)

    def representatives(self, columns: Sequence[int]) -> list[int]:
        """Return columns such that symmetries map each given column to one of them."""
        found: list[int] = []
        marked: dict[int, Arrangement] = {}
        generators: list[np.ndarray] = []
        settled: set[int] = set()
        for x in columns:
            if x in settled:
                continue
            alike = [y for y in found if np.array_equal(self._profile[x], self._profile[y])]
            for y in alike:
                for each in (x, y):
                    if each not in marked:
                        marked[each] = self._marked([each])
                generator = self._moving(marked[y], marked[x])
                if generator is not None and generator[y] == x:
                    generators.append(generator)
                    settled = set().union(*(_orbit(each, generators) for each in found))
                    break
            else:
                found.append(x)
                settled |= _orbit(x, generators)
        return found

    def _moving(self, before: Arrangement, after: Arrangement) -> np.ndarray | None:
        """Return the permutation between two arrangements. Keep the pair if it is a symmetry."""
        if before.key != after.key or not self._same_rows(before, after):
            return None
        self.pairs.append((before, after))
        generator = np.empty(self._points, dtype=np.intp)
        generator[before.order] = after.order
        return generator

    def _marked(self, marks: list[int]) -> Arrangement:
        """Return an arrangement with marked points, in order, whose key consists of counts."""
        self._meter.tick()
        # Columns cannot have these counts with themselves, and complements do not change the
        # counts.
        both = self._both.copy()
        both[marks, marks] -= (self._concepts + 1) * (1 + np.arange(len(marks)))
        order, flip = canonical_order(self._ones, both, self._concepts)
        ones = np.where(flip, self._concepts - self._ones[order], self._ones[order])
        signs = 1 - 2 * flip.astype(np.int64)
        signed = self._covariance[order[:, None], order] * signs[:, None] * signs
        return Arrangement((ones.tobytes(), signed.tobytes()), order, flip)

    def _same_rows(self, target: Arrangement, other: Arrangement) -> bool:
        """Return whether two arrangements have equal rows. The target's rows are kept."""
        if self._target is None or self._target[0] is not target:
            # The old rows are dropped first, so that memory never holds two targets.
            self._target = None
            self._target = target, arranged_rows(self._space, target.order, target.flip)
        return self._target[1] == arranged_rows(self._space, other.order, other.flip)


def _orbit(point: int, generators: list[np.ndarray]) -> set[int]:
    reached, waiting = {point}, [point]
    while waiting:
        x = waiting.pop()
        for generator in generators:
            image = int(generator[x])
            if image not in reached:
                reached.add(image)
                waiting.append(image)
    return reached


def _transversal(point: int, generators: list[np.ndarray], identity: np.ndarray) -> np.ndarray:
    """Return, for every point of the orbit, a product of generators that sends `point` to it."""
    # The identity is the first representative. All products of first representatives are therefore
    # the identity.
    sends = {point: identity}
    waiting = [point]
    while waiting:
        x = waiting.pop()
        for generator in generators:
            image = int(generator[x])
            if image not in sends:
                sends[image] = generator[sends[x]]
                waiting.append(image)
    return np.array(list(sends.values()), dtype=identity.dtype)
