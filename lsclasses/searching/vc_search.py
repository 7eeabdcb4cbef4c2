"""The Vapnik-Chervonenkis dimension, by branch and bound over shattered sets of points.

To decide whether some set of k points is shattered, points are added one by one. The concepts form
cells, one for each labelling of the chosen points, and every further point must split every cell.
Three techniques shorten the search:

* *Pairs*: one matrix product per cell counts the four parts into which each pair of candidates
  splits the cell. With r points to come, all four parts must have 2^(r-2) concepts in every cell.
  The pairs that satisfy this form a graph in which the r points must be a clique.
* *Triples*: the graphs for single chosen points are stored and combined. So most sets with three
  incompatible points are never tried.
* *Symmetries*: if a set of points is excluded, its images under the symmetries of the class are
  excluded, too.

If the kernel is installed, it searches with pairs only, on columns packed into words. If this takes
long and the class is symmetric, the kernel instead completes small sets, one set of each orbit. It
follows a plan, which tries one point of each orbit under the symmetries that map the chosen points
to themselves. If this takes long and there are no symmetries, the kernel first decides whether any
set exists. Half of k points are in one half of all points, so most sets of k / 2 points need no
completion.
"""

from __future__ import annotations

import itertools
from contextlib import nullcontext
from functools import cached_property

import numpy as np

from lsclasses.limits import Limit, Meter, Progress
from lsclasses.searching.bit_matrix import counting_type, distinct_rows, rows_of_columns
from lsclasses.searching.blas import one_blas_thread
from lsclasses.searching.engines import engine_name
from lsclasses.searching.search_bounds import Bounds
from lsclasses.searching.symmetry import point_symmetries
from lsclasses.searching.version_space import VersionSpace

EASY_STEPS = 100
"""Number of steps of a search after which it begins to use triples and symmetries."""
SYMMETRIES = 4096
"""Largest number of symmetries for a class with few labels."""
MANY_SYMMETRIES = 1 << 19
"""Largest number of symmetries for any class."""
LABELS_A_SYMMETRY = 1 << 8
"""Number of labels per symmetry of a class with many labels."""
RULED_OUT_UP_TO = 4
"""Largest number of points of a set that is stored as part of no large shattered set."""
TRIPLES_UP_TO = 80
"""Largest number of candidates for which comparing all triples saves time."""
NATIVE_UP_TO = 31
"""Largest size of the sets that the kernel searches."""
PATIENCE = 2
"""Number of comparisons of all pairs of columns after which the kernel gives up."""
POLL = 1 << 23
"""Number of words that the kernel counts between two checks, which takes some milliseconds."""
FIXED_UP_TO = 3
"""Largest number of points of a set that the kernel completes to a larger shattered set."""
TOGETHER = 1 << 18
"""Largest number of entries of the matrices in one product that counts cells."""


def largest_shattered(
    space: VersionSpace, limit: Limit | None, progress: Progress | None
) -> tuple[int, ...]:
    """Return the columns, as numbered in the original table, of a largest shattered set of points.

    Parameters
    ----------
    space : VersionSpace
        Version space with at least one concept.
    limit : Limit or None
    progress : callable or None
        Called with (lower, upper) whenever a bound improves.

    Raises
    ------
    TooLarge
        If the limit is reached, with the bounds found by then.

    Examples
    --------
    >>> largest_shattered(VersionSpace.of_labels(np.eye(4, dtype=np.uint8)), None, None)
    (0,)
    """
    points, concepts = len(space.words), space.concepts
    # One point that is not constant is shattered.
    found: tuple[int, ...] = (0,) if points else ()
    upper = min(points, concepts.bit_length() - 1)
    bounds = Bounds("VCdim", len(found), upper, progress)
    with bounds, one_blas_thread() if points * concepts > TOGETHER else nullcontext():
        search = _ShatteredSets(space, Meter(limit))
        while not bounds.decided:
            larger = search.of_size(bounds.lower + 1)
            if larger is None:
                bounds.at_most(bounds.lower)
            else:
                found = larger
                bounds.at_least(len(found))
    return tuple(sorted(int(space.source[j]) for j in found))


def shattered_columns(space: VersionSpace, size: int, meter: Meter) -> tuple[int, ...] | None:
    """Return the first shattered set of a given size, or None if no such set exists.

    The most balanced columns come first.

    Parameters
    ----------
    space : VersionSpace
    size : int
        Size of the set, at least 0.
    meter : Meter

    Returns
    -------
    tuple of int, or None
        Columns, as numbered in the original table.

    Examples
    --------
    >>> space = VersionSpace.of_labels(np.array([[0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 0, 1]]))
    >>> shattered_columns(space, 2, Meter(None)), shattered_columns(space, 3, Meter(None))
    ((0, 1), None)
    """
    if space.concepts >> size == 0 or len(space.words) < size:
        return None
    search = _ShatteredSets(space, meter)
    # One column that is not constant is shattered.
    found = search.of_size(size) if size > 1 else tuple(search.order[:size].tolist())
    return None if found is None else tuple(int(space.source[j]) for j in found)


def balanced_columns(space: VersionSpace, size: int) -> tuple[int, ...] | None:
    """Return the `size` most balanced columns if they are shattered.

    The columns have the numbers of the original table.

    Examples
    --------
    >>> space = VersionSpace.of_labels(np.array([[0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 0, 0]]))
    >>> balanced_columns(space, 2), balanced_columns(space, 3)
    ((0, 1), None)
    """
    ones, concepts = space.ones, space.concepts
    order = _by_balance(ones, concepts)[:size]
    if len(order) < size:
        return None
    fewest = np.minimum(ones[order], concepts - ones[order])
    # In a shattered set, each label of a point occurs with 2^(size - 1) labellings of the other
    # points.
    least = 2 * int(fewest.min()) if size else concepts
    if least >> size == 0:
        return None
    labellings = distinct_rows(rows_of_columns(space.packed[order], concepts)) if size else 1
    return tuple(space.source[order].tolist()) if labellings == 1 << size else None


def _by_balance(ones: np.ndarray, concepts: int) -> np.ndarray:
    """Return the columns, ordered by how evenly they divide the concepts, most evenly first."""
    return np.argsort(np.abs(2 * ones - concepts), kind="stable")


class _ShatteredSets:
    """Decides whether some set of given size is shattered by a compacted table."""

    def __init__(self, space: VersionSpace, meter: Meter) -> None:
        self._space = space
        self._meter = meter
        self.order = _by_balance(space.ones, space.concepts)
        self._place = _places(len(space.words))
        self._symmetries: np.ndarray | None = None
        self._steps = 0
        self._size = 0
        self._ruled_out: set[int] = set()
        self._triples: dict[int, np.ndarray] = {}

    @cached_property
    def _columns(self) -> np.ndarray:
        return self._space.columns.view(np.bool_)

    @cached_property
    def _rows(self) -> np.ndarray:
        concepts = self._space.concepts
        return np.ascontiguousarray(self._space.columns.T, dtype=counting_type(concepts))

    def of_size(self, size: int) -> tuple[int, ...] | None:
        """Return the columns of a shattered set of `size` >= 2 points, or None.

        The set is the first in the order of balance, for every search that finds it, because each
        skipped column is in no shattered set.
        """
        self._size = size
        # The record concerns shattered sets of one size. A set that is ruled out may still belong
        # to a smaller shattered set.
        self._ruled_out = set()
        if engine_name() == "native" and size <= NATIVE_UP_TO:
            return self._completed((), self.order) or None
        points, concepts = self._space.columns.shape
        self._triples = {}
        pairs = ~np.eye(points, dtype=bool)
        return self._extend((), [np.arange(concepts)], self.order, pairs, counted=False)

    def _completed(self, chosen: tuple[int, ...], candidates: np.ndarray) -> tuple[int, ...]:
        """Return `chosen` and the first candidates that complete it by the kernel, or ()."""
        from lsclasses.searching.native_engine import first_shattered

        order = [*chosen, *candidates.tolist()]
        fixed, size = len(chosen), self._size
        if fixed < min(FIXED_UP_TO, size - 1):
            pairs = len(order) ** 2 * -(-self._space.concepts // 64)
            patience = 1 + PATIENCE * pairs // POLL
            found = first_shattered(
                self._space, order, size, self._meter, fixed=fixed, patience=patience
            )
            if found is not None:
                return found
        if fixed == min(FIXED_UP_TO, size - 1) or len(self._all_symmetries()) == 1:
            plan = self._planned(chosen, candidates, {x: i for i, x in enumerate(order)})
            completed: tuple[int, ...] | None = None
            # The question for any set lets the kernel divide the candidates into halves. The first
            # set in order is sought only if some set exists.
            for anywhere in (True, False):
                completed = first_shattered(
                    self._space,
                    order,
                    size,
                    self._meter,
                    fixed=fixed,
                    anywhere=anywhere,
                    plan=plan,
                )
                if not completed:
                    break
            # Without a limit of patience, the kernel continues to the end.
            assert completed is not None
            return completed
        # Invariant: no shattered set of this size contains `chosen` and an earlier candidate.
        for i, x in enumerate(candidates.tolist()):
            larger, left = (*chosen, x), candidates[i + 1 :]
            if len(left) + len(larger) < size:
                break
            if self._is_ruled_out(chosen, candidates[i : i + 1])[0]:
                continue
            for count in range(len(larger) + 1):
                for some in itertools.combinations(larger, count):
                    left = left[~self._is_ruled_out(some, left)]
            found = self._completed(larger, left)
            if found:
                return found
            self._rule_out(larger)
        return ()

    def _planned(
        self, chosen: tuple[int, ...], candidates: np.ndarray, place: dict[int, int]
    ) -> list[int]:
        """Return a plan for the kernel, with the next points and a plan for each of them.

        The entry of a point has its place in the order, the number of integers after the next
        integer, the number of points that may complete it, the places of these points, and a plan.

        If x has no completion, no shattered set of the wanted size contains the chosen points and
        x. Then no such set contains the chosen points and an image of x under a symmetry that maps
        the chosen points to themselves. The plan omits such images from then on.
        """
        if self._size - len(chosen) < 3 or len(fixing := self._fixing(chosen)) < 2:
            return [0]
        plan, dead = [0], np.zeros(len(self._space.words), dtype=bool)
        for i, x in enumerate(candidates.tolist()):
            larger, left = (*chosen, x), candidates[i + 1 :]
            if dead[x]:
                continue
            remembered = len(larger) <= RULED_OUT_UP_TO
            if remembered and self._is_ruled_out(chosen, candidates[i : i + 1])[0]:
                continue
            left = left[~dead[left]]
            for count in range(min(len(larger), RULED_OUT_UP_TO - 1) + 1):
                for some in itertools.combinations(larger, count):
                    left = left[~self._is_ruled_out(some, left)]
            if len(left) + len(larger) >= self._size:
                self._meter.tick()
                below = self._planned(larger, left, place)
                places = [place[y] for y in left.tolist()]
                plan += [place[x], len(places) + len(below), len(places), *places, *below]
                plan[0] += 1
            # The kernel follows the plan in order. It passes this place only if `larger` has no
            # completion. The identity is among these symmetries, so x is left out as well.
            dead[fixing[:, x]] = True
            if remembered:
                self._rule_out(larger)
        return plan

    def _fixing(self, chosen: tuple[int, ...]) -> np.ndarray:
        """Return the symmetries that are known to map the chosen points to themselves."""
        inside = np.zeros(len(self._space.words), dtype=bool)
        inside[list(chosen)] = True
        symmetries = self._all_symmetries()
        kept: np.ndarray = symmetries[inside[symmetries[:, chosen]].all(axis=1)]
        return kept

    def _extend(
        self,
        chosen: tuple[int, ...],
        cells: list[np.ndarray],
        candidates: np.ndarray,
        pairs: np.ndarray,
        *,
        counted: bool,
    ) -> tuple[int, ...] | None:
        """Return `chosen` completed by candidates such that every two form a pair, or None.

        `counted` states whether the pairs are known to split the cells well enough.
        """
        needed = self._size - len(chosen)
        self._steps += 1
        self._meter.tick()
        # Each cell must contain all 2^needed labellings of the missing points.
        if min(map(len, cells)) < 1 << needed:
            return None
        if needed > 2:
            self._thin_out(candidates, pairs, needed, triples=len(chosen) > 1)
            alive = pairs.any(axis=1)
            candidates, pairs = candidates[alive], pairs[np.ix_(alive, alive)]
        if not counted and len(candidates) >= needed:
            pairs &= self._pairs(cells, candidates, 1 << (needed - 2))
        if needed == 2:
            # `argwhere` lists pairs in lexicographic order. The first pair is therefore the first
            # in the order of balance.
            edge = np.argwhere(pairs)
            return (*chosen, *candidates[edge[0]].tolist()) if len(edge) else None
        self._thin_out(candidates, pairs, needed, triples=False)
        left = np.asarray(pairs.any(axis=1))
        for i, x in enumerate(candidates.tolist()):
            if not left[i]:
                continue
            # Symmetries are computed on first use. An easy search ends before that cost pays.
            remembers = len(chosen) < RULED_OUT_UP_TO and self._steps > EASY_STEPS
            if remembers:
                left &= ~self._is_ruled_out(chosen, candidates)
            if np.count_nonzero(left) < needed:
                return None
            if not left[i]:
                continue
            left[i] = False
            partners = pairs[i] & left
            if np.count_nonzero(partners) >= needed - 1:
                among = pairs[np.ix_(partners, partners)]
                found = self._extend_by(chosen, cells, x, candidates[partners], among)
                if found is not None:
                    return found
            if remembers:
                self._rule_out((*chosen, x))
        return None

    def _extend_by(
        self,
        chosen: tuple[int, ...],
        cells: list[np.ndarray],
        x: int,
        partners: np.ndarray,
        pairs: np.ndarray,
    ) -> tuple[int, ...] | None:
        """Return `chosen` and x, completed by partners of x, or None."""
        tripled = self._steps > EASY_STEPS and self._size > 3
        if tripled:
            # `np.ix_` made a copy in `_extend`, so the operator leaves the caller's graph
            # unchanged.
            pairs &= self._triples_with(x)[np.ix_(partners, partners)]
        column = self._columns[x]
        parts = [part for cell in cells for part in (cell[column[cell]], cell[~column[cell]])]
        # For the first chosen point, its triples are the pairs of its two cells. They need no
        # second count.
        return self._extend((*chosen, x), parts, partners, pairs, counted=tripled and not chosen)

    # ---- compatible points

    def _pairs(self, cells: list[np.ndarray], candidates: np.ndarray, least: int) -> np.ndarray:
        """Return the pairs that split every cell into four parts of at least `least` concepts."""
        sizes = np.array([len(cell) for cell in cells])
        widest = int(sizes.max())
        if len(cells) * widest * len(candidates) <= TOGETHER:
            # Cells of different sizes form one array. Padded entries are set to 0, so they add to
            # no count of ones.
            rows = np.zeros((len(cells), widest), dtype=np.intp)
            inside = np.arange(widest) < sizes[:, None]
            rows[inside] = np.concatenate(cells)
            labels = self._rows[rows[:, :, None], candidates] * inside[:, :, None]
            return np.asarray(_four_parts(labels, sizes[:, None, None], least).all(axis=0))
        good = np.ones((len(candidates), len(candidates)), dtype=bool)
        for cell in sorted(cells, key=len):
            good &= _four_parts(self._rows[np.ix_(cell, candidates)], len(cell), least)
            if not good.any():
                break
        return good

    def _triples_with(self, x: int) -> np.ndarray:
        """Return the pairs of columns that may form a set of the wanted size together with x."""
        if x not in self._triples:
            self._meter.tick()
            self._meter.charge(len(self._columns) ** 2)
            sides = [np.flatnonzero(self._columns[x]), np.flatnonzero(~self._columns[x])]
            least = 1 << (self._size - 3)
            self._triples[x] = self._pairs(sides, np.arange(len(self._columns)), least)
        return self._triples[x]

    def _thin_out(
        self, candidates: np.ndarray, pairs: np.ndarray, needed: int, *, triples: bool
    ) -> None:
        """Remove pairs that counting shows to be in no clique of the needed size."""
        standing: np.ndarray | None = None
        if triples and self._triples and len(candidates) <= TRIPLES_UP_TO:
            inside = np.ix_(candidates, candidates)
            standing = np.array([self._triples_with(x)[inside] for x in candidates.tolist()])
        before = -1
        while before != (before := int(np.count_nonzero(pairs))) and before:
            graph = pairs.astype(np.float32)
            # Two members of a clique have all its other needed - 2 members as common neighbours.
            pairs &= np.matmul(graph, graph) >= needed - 2
            if standing is not None:
                common = pairs[:, None, :] & pairs[None, :, :] & standing
                pairs &= np.count_nonzero(common, axis=2) >= needed - 2
            # This rule removes rows only. The transpose removes the matching columns.
            pairs &= (np.count_nonzero(pairs, axis=1) >= needed - 1)[:, None]
            pairs &= pairs.T

    # ---- sets that have been ruled out

    def _codes(self, sets: np.ndarray) -> np.ndarray:
        """Return one number for every set of columns, independent of their order."""
        # Digits start at 1, so sets of different sizes never share a code. Sorting makes the code
        # independent of the order.
        codes: np.ndarray = (1 + np.sort(sets, axis=1).astype(np.int64)) @ self._place[
            : sets.shape[1]
        ]
        return codes

    def _is_ruled_out(self, chosen: tuple[int, ...], candidates: np.ndarray) -> np.ndarray:
        """Return the candidates that cannot extend `chosen` to a part of a shattered set."""
        sets = np.empty((len(candidates), len(chosen) + 1), dtype=np.int64)
        sets[:, :-1] = chosen
        sets[:, -1] = candidates
        codes = self._codes(sets).tolist()
        return np.fromiter((code in self._ruled_out for code in codes), bool, len(codes))

    def _rule_out(self, columns: tuple[int, ...]) -> None:
        """Remember that no shattered set of the wanted size contains these columns."""
        symmetries = self._all_symmetries()
        # Without symmetries, the search meets each set only once, so a record would not help.
        if len(symmetries) > 1:
            before = len(self._ruled_out)
            self._ruled_out.update(self._codes(symmetries[:, columns]).tolist())
            self._meter.charge(100 * (len(self._ruled_out) - before))

    def _all_symmetries(self) -> np.ndarray:
        if self._symmetries is None:
            labels = self._space.concepts * len(self._space.words)
            most = max(SYMMETRIES, min(labels // LABELS_A_SYMMETRY, MANY_SYMMETRIES))
            found = point_symmetries(self._space, most, self._meter)
            self._meter.charge(found.nbytes)
            self._symmetries = found
        return self._symmetries


def _places(points: int) -> np.ndarray:
    """Return the powers of points + 1, which encode at most `RULED_OUT_UP_TO` columns.

    They are Python's integers where numbers of 64 bits could wrap, and two sets get one code.
    """
    powers = [(points + 1) ** i for i in range(RULED_OUT_UP_TO + 1)]
    return np.array(powers[:-1], dtype=np.int64 if powers[-1] <= 1 << 63 else object)


def _four_parts(labels: np.ndarray, size: np.ndarray | int, least: int) -> np.ndarray:
    """Return the pairs of columns that split the rows into four parts of at least `least`.

    `labels` has shape (..., rows, columns). Rows of zeros beyond `size` do not count.
    """
    both = np.matmul(np.swapaxes(labels, -1, -2), labels)
    ones = np.diagonal(both, axis1=-2, axis2=-1)
    first, second = ones[..., :, None] - both, ones[..., None, :] - both
    neither = size - both - first - second
    good: np.ndarray = np.minimum(np.minimum(both, neither), np.minimum(first, second)) >= least
    return good
