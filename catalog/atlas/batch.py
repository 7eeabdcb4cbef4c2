"""The dimensions of many classes on few points at once, by dynamic programming over subcubes.

A subcube fixes the labels at some points and leaves the others free: there are 3^n of them. What a
subcube contains of a class is a version space, or, seen from the fixed points, tells whether the
class shows that pattern of labels there. Every dimension of the registry is a recursion over
subcubes, which NumPy does for all classes of a batch together, in integers.

Arrays over subcubes have one axis for each point, with the entries 0 and 1 for the label and 2 for
free, and a last axis for the classes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

__all__ = ["dimensions"]

FREE = 2
Subcube = tuple[int, ...]


def dimensions(masks: np.ndarray, points: int) -> dict[str, np.ndarray]:
    """All dimensions of the registry, of many classes on the same points.

    Parameters
    ----------
    masks : array of uint64, shape (classes,)
        Non-empty classes: bit c tells whether the concept with the number c belongs to one.
    points : int
        At most 5.

    Returns
    -------
    dict of str to array
        By the names of the registry, in its order. Arrays have the shape (classes,), except
        `growth_function` with (classes, points + 1). All are integers: `randomized_ldim` is given
        in units of 2^-(points + 1), of which it always is a multiple.

    Examples
    --------
    >>> found = dimensions(np.array([0b0111, 0b1111], dtype=np.uint64), 2)
    >>> found["ldim"].tolist(), found["randomized_ldim"].tolist()
    ([1, 2], [6, 8])
    >>> found["growth_function"].tolist()
    [[1, 2, 3], [1, 2, 4]]
    """
    batch = _Batch(masks, points)
    growth = batch.growth_function()
    threshold_dim, star_number, hollow_star_number = batch.largest_patterns()
    return {
        "ldim": batch.ldim(),
        "vcdim": (growth == 1 << np.arange(points + 1)).sum(axis=1) - 1,
        "dual_ldim": batch.dual_ldim(),
        "dual_vcdim": batch.dual_vcdim(),
        "threshold_dim": threshold_dim,
        "randomized_ldim": batch.randomized_ldim(),
        "star_number": star_number,
        "hollow_star_number": hollow_star_number,
        "teaching_dim": batch.teaching_dim(),
        "recursive_teaching_dim": batch.recursive_teaching_dim(),
        "growth_function": growth,
    }


class _Batch:
    def __init__(self, masks: np.ndarray, points: int) -> None:
        self._points = points
        self._classes = len(masks)
        bits = masks[None, :] >> np.arange(2**points, dtype=np.uint64)[:, None] & np.uint64(1)
        self._present = bits.astype(bool)
        self._shown = self._counts(self._present) > 0
        # The first axis of a cube is its highest bit: axis i belongs to the point points - 1 - i.
        self._subcubes = sorted(
            itertools.product((0, 1, FREE), repeat=points), key=lambda cube: cube.count(FREE)
        )

    def _counts(self, present: np.ndarray) -> np.ndarray:
        """How many concepts each subcube contains of each class, shape (3, ..., 3, classes)."""
        counts = present.astype(np.int8).reshape((2,) * self._points + (self._classes,))
        for axis in range(self._points):
            either = counts.sum(axis=axis, keepdims=True, dtype=np.int8)
            counts = np.concatenate([counts, either], axis=axis)
        return counts

    def _sides(self, cube: Subcube) -> Iterator[tuple[Subcube, Subcube]]:
        """The two halves of a subcube at each of its free points."""
        for axis, entry in enumerate(cube):
            if entry == FREE:
                yield _with(cube, axis, 0), _with(cube, axis, 1)

    def _of_whole(self, found: np.ndarray) -> np.ndarray:
        """The entries of the subcube that fixes nothing: of the classes themselves."""
        whole: np.ndarray = found[(FREE,) * self._points]
        return whole

    # ---- version spaces

    def ldim(self) -> np.ndarray:
        """Ldim = max over x of 1 + min of both sides; 0 if no x splits, -1 if empty."""
        found = self._shown.astype(np.int8) - 1
        for cube in self._subcubes:
            for zeros, ones in self._sides(cube):
                # An empty side gives 1 + (-1) = 0, what a version space without a split has.
                deeper = np.where(self._shown[cube], 1 + np.minimum(found[zeros], found[ones]), -1)
                np.maximum(found[cube], deeper, out=found[cube])
        return self._of_whole(found)

    def randomized_ldim(self) -> np.ndarray:
        """RL = max over splitting x of 1/2 + (RL + RL) / 2, in units of 2^-(points + 1)."""
        # Twice RL is an expected depth; of a subcube with f free points it is a multiple of
        # 2^-(f - 1), so halving the sum of two sides is exact in units of 2^-points.
        depth = np.zeros(self._shown.shape, dtype=np.int16)
        for cube in self._subcubes:
            for zeros, ones in self._sides(cube):
                deeper = (1 << self._points) + (depth[zeros] + depth[ones]) // 2
                splits = self._shown[zeros] & self._shown[ones]
                np.maximum(depth[cube], np.where(splits, deeper, 0), out=depth[cube])
        return self._of_whole(depth)

    # ---- patterns on sets of points

    def growth_function(self) -> np.ndarray:
        """The largest number of patterns on a set, for each size of sets."""
        growth = np.zeros((self._classes, self._points + 1), dtype=np.int8)
        for fixed in _subsets(self._points):
            patterns = sum(self._shown[cube].astype(np.int8) for cube in _patterns(fixed))
            size = sum(fixed)
            np.maximum(growth[:, size], patterns, out=growth[:, size])
        return growth

    def largest_patterns(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The sizes of the largest lines of thresholds, stars and hollow stars."""
        thresholds, stars, hollow = np.zeros((3, self._classes), dtype=np.int8)
        # Whether concepts h_1, ..., h_i show 1...1, then one 0 more each, up to this pattern.
        line = np.zeros(self._shown.shape, dtype=bool)
        for fixed in _subsets(self._points):
            size = sum(fixed)
            for cube in sorted(_patterns(fixed), key=lambda cube: cube.count(0)):
                shown = self._shown[cube]
                near = [_with(cube, axis, 1 - y) for axis, y in enumerate(cube) if y != FREE]
                rays = np.ones(self._classes, dtype=bool)
                before = np.full(self._classes, 0 not in cube)
                for other in near:
                    rays &= self._shown[other]
                    if other.count(0) < cube.count(0):
                        before |= line[other]
                line[cube] = shown & before
                stars[shown & rays] = size
                hollow[~shown & rays] = size
                if cube.count(1) == 1:
                    thresholds[line[cube]] = size
        return thresholds, stars, hollow

    # ---- teaching

    def _taught(self, present: np.ndarray, size: int) -> np.ndarray:
        """Which concepts some `size` or fewer points tell from all other present ones."""
        alone = self._counts(present) == 1
        taught = np.zeros(present.shape, dtype=bool).reshape((2,) * self._points + (-1,))
        for fixed in _subsets(self._points):
            if sum(fixed) == size:
                # A pattern that one concept shows teaches it, wherever it lies in the subcube.
                taught |= alone[
                    tuple(slice(0, 2) if here else slice(FREE, FREE + 1) for here in fixed)
                ]
        together: np.ndarray = taught.reshape(present.shape) & present
        return together

    def teaching_dim(self) -> np.ndarray:
        """The least size at which every concept is taught against all others."""
        found = np.zeros(self._classes, dtype=np.int8)
        for size in range(self._points):
            untaught = (self._present & ~self._taught(self._present, size)).any(axis=0)
            found[untaught] = size + 1
        return found

    def recursive_teaching_dim(self) -> np.ndarray:
        """The least size at which all concepts go when those that are taught are taken away."""
        left = self._present.copy()
        found = np.zeros(self._classes, dtype=np.int8)
        for size in range(self._points + 1):
            while (taught := self._taught(left, size)).any():
                left &= ~taught
            found[left.any(axis=0)] = size + 1
        return found

    # ---- the dual class, whose version spaces are sets of points

    def dual_ldim(self) -> np.ndarray:
        """The Littlestone dimension over sets of points, which concepts split."""
        found = np.zeros((2**self._points, self._classes), dtype=np.int8)
        for points in sorted(range(1, 2**self._points), key=int.bit_count):
            for concept in range(2**self._points):
                ones = points & concept
                if ones in (0, points):
                    continue
                deeper = 1 + np.minimum(found[ones], found[points ^ ones])
                deeper[~self._present[concept]] = 0
                np.maximum(found[points], deeper, out=found[points])
        everything: np.ndarray = found[-1]
        return everything

    def dual_vcdim(self) -> np.ndarray:
        """The largest number of concepts that the points label in every way: at most 2."""
        found = np.zeros(self._classes, dtype=np.int8)
        everywhere = 2**self._points - 1
        for concept in range(1, everywhere):
            found[self._present[concept]] = 1
        for c, d in itertools.combinations(range(2**self._points), 2):
            if c & d and c & ~d and d & ~c and everywhere & ~(c | d):
                found[self._present[c] & self._present[d]] = 2
        return found


def _with(cube: Subcube, axis: int, entry: int) -> Subcube:
    return (*cube[:axis], entry, *cube[axis + 1 :])


def _subsets(points: int) -> list[tuple[int, ...]]:
    """Sets of points as 0s and 1s, the smaller ones first."""
    return sorted(itertools.product((0, 1), repeat=points), key=sum)


def _patterns(fixed: tuple[int, ...]) -> Iterator[Subcube]:
    """The subcubes that fix exactly these points."""
    return itertools.product(*((0, 1) if here else (FREE,) for here in fixed))
