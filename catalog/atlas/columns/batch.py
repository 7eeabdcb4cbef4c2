"""Arrays for many classes on few points, and columns of parameters computed from them.

A subcube fixes the labels at some points and leaves the others free. There are 3^n subcubes. The
concepts of a class in a subcube are a version space. From the view of the fixed points, the class
shows the pattern of labels of the subcube if this version space is not empty. Dimensions are
recursions over subcubes, which NumPy computes for all classes of a batch together, in integers.

Arrays over subcubes have one axis for each point, with the entries 0 and 1 for the label and 2 for
a free point, and a last axis for the classes. The first axis of a cube is its highest bit, so axis
i belongs to the point ``points - 1 - i``.

`searched` computes a column by a search, in one class of each orbit.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np

from catalog.atlas.orbits import least_masks
from catalog.parameters import PARAMETERS, described
from lsclasses.isomorphism import class_of_mask

# ---- batch


FREE = 2
Subcube = tuple[int, ...]
Found = TypeVar("Found")


class Batch:
    """Many classes on the same points, for which columns are computed together.

    Parameters
    ----------
    masks : array of uint64, shape (classes,)
        Non-empty classes. Bit c is 1 if the concept with the number c belongs to the class.
    points : int
        Number of points, at most 5.

    Attributes
    ----------
    points, classes : int
        Numbers of points and of classes.
    masks : array of uint64, shape (classes,)
        The classes.
    present : array of bool, shape (2^points, classes)
        Row c states for each class whether the concept with the number c belongs to it.
    shown : array of bool, shape (3, ..., 3, classes)
        For each subcube and each class, whether the class has a concept in the subcube.
    subcubes : list of tuple
        All subcubes, in increasing order of their numbers of free points.

    Examples
    --------
    >>> batch = Batch(np.array([0b0111], dtype=np.uint64), 2)
    >>> batch.present[:, 0].astype(int).tolist()
    [1, 1, 1, 0]
    >>> bool(batch.shown[1, 1, 0]), bool(batch.shown[FREE, 1, 0])    # no 11, but some with bit 0
    (False, True)
    """

    def __init__(self, masks: np.ndarray, points: int) -> None:
        self.points = points
        self.classes = len(masks)
        self.masks = masks
        bits = masks[None, :] >> np.arange(2**points, dtype=np.uint64)[:, None] & np.uint64(1)
        self.present = bits.astype(bool)
        self.shown = self.counts(self.present) > 0
        self.subcubes = sorted(
            itertools.product((0, 1, FREE), repeat=points), key=lambda cube: cube.count(FREE)
        )
        self._shared: dict[Callable[..., Any], Any] = {}

    def counts(self, present: np.ndarray) -> np.ndarray:
        """Return the number of given concepts of each class in each subcube.

        The argument has the form of `present`. The result has the shape (3, ..., 3, classes).
        """
        counts = present.astype(np.int8).reshape((2,) * self.points + (self.classes,))
        for axis in range(self.points):
            either = counts.sum(axis=axis, keepdims=True, dtype=np.int8)
            counts = np.concatenate([counts, either], axis=axis)
        return counts

    def sides(self, cube: Subcube) -> Iterator[tuple[Subcube, Subcube]]:
        """Yield, for each free point of a subcube, the halves with label 0 and 1 at this point."""
        for axis, entry in enumerate(cube):
            if entry == FREE:
                yield with_(cube, axis, 0), with_(cube, axis, 1)

    def of_whole(self, found: np.ndarray) -> np.ndarray:
        """Return the entries of an array over subcubes for the whole cube, one for each class."""
        whole: np.ndarray = found[(FREE,) * self.points]
        return whole


@dataclass(frozen=True)
class AtlasColumn:
    """A function that computes a dimension of all classes of a batch.

    Parameters
    ----------
    compute : callable
        Function that returns integers of shape (classes,), or (classes, entries) for a sequence.
    denominator : callable, optional
        Function that returns, for a number of points, the divisor of the integers. Only dimensions
        that are fractions have a divisor.
    sequence : bool
        Whether the dimension is a sequence.
    most_points : int
        Largest number of points for which the column is computed.
    """

    compute: Callable[[Batch], np.ndarray]
    denominator: Callable[[int], int] | None = None
    sequence: bool = False
    most_points: int = 5

    @property
    def name(self) -> str:
        """Name of the dimension in the registry, which is the name of the function `compute`."""
        return self.compute.__name__

    @cached_property
    def flips_change(self) -> bool:
        """Whether flipping the labels at a point can change the dimension."""
        entry = described(self.name)
        return entry is not None and entry.flips_change

    def __call__(self, batch: Batch) -> np.ndarray:
        return self.compute(batch)

    def unit(self, points: int) -> int:
        """Return the number by which the integers of the column are divided to give its values.

        The number is 1 for dimensions that are integers.
        """
        return 1 if self.denominator is None else self.denominator(points)


def column(
    *,
    denominator: Callable[[int], int] | None = None,
    sequence: bool = False,
    most_points: int = 5,
) -> Callable[[Callable[[Batch], np.ndarray]], AtlasColumn]:
    """Return a decorator that makes a function of a batch a column of the atlas.

    The name of the function is the name of the dimension. The parameters are the parameters of
    `AtlasColumn`.

    Examples
    --------
    >>> @column(denominator=lambda points: 2)
    ... def half_size(batch):
    ...     return batch.present.sum(axis=0)
    >>> half_size.name, half_size(Batch(np.array([0b0111], dtype=np.uint64), 2)).tolist()
    ('half_size', [3])
    """
    return lambda compute: AtlasColumn(compute, denominator, sequence, most_points)


def shared(compute: Callable[[Batch], Found]) -> Callable[[Batch], Found]:
    """Return a function that stores its result in the batch, so that several columns can use it."""

    @wraps(compute)
    def known(batch: Batch) -> Found:
        if compute not in batch._shared:
            batch._shared[compute] = compute(batch)
        found: Found = batch._shared[compute]
        return found

    return known


def with_(cube: Subcube, axis: int, entry: int) -> Subcube:
    """Return a subcube with one entry replaced: the entry on the given axis."""
    return (*cube[:axis], entry, *cube[axis + 1 :])


def subsets(points: int) -> list[tuple[int, ...]]:
    """Return all sets of points, each as a tuple with 1 for its points, smaller sets first."""
    return sorted(itertools.product((0, 1), repeat=points), key=sum)


def patterns(fixed: tuple[int, ...]) -> Iterator[Subcube]:
    """Return all subcubes that fix the labels at exactly the points with entry 1."""
    return itertools.product(*((0, 1) if here else (FREE,) for here in fixed))


def within(fixed: tuple[int, ...]) -> tuple[slice, ...]:
    """Return the index that selects the `patterns` of a set of points in an array over subcubes."""
    return tuple(slice(0, 2) if here else slice(FREE, FREE + 1) for here in fixed)


def largest(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """Return, for each class, the largest of its values in some columns."""
    found: np.ndarray = np.maximum.reduce(list(arrays))
    return found


@shared
def projections(batch: Batch) -> list[Batch]:
    """Return one batch for each non-empty set of points: the projections of all classes to it.

    Examples
    --------
    >>> parts = projections(Batch(np.array([0b0111], dtype=np.uint64), 2))
    >>> [(part.points, bin(part.masks[0])) for part in parts]
    [(1, '0b11'), (1, '0b11'), (2, '0b111')]
    """
    found = []
    for fixed in subsets(batch.points)[1:-1]:
        shown = batch.shown[within(fixed)].reshape(-1, batch.classes)
        powers = np.uint64(1) << np.arange(len(shown), dtype=np.uint64)
        found.append(Batch(powers @ shown.astype(np.uint64), sum(fixed)))
    return [*found, batch]


# ---- by search


def searched(
    batch: Batch, open_: np.ndarray, search: Callable[[int, int], int], *, flips: bool
) -> np.ndarray:
    """Return the values of some classes of a batch by one search for each orbit.

    Parameters
    ----------
    batch : Batch
    open_ : array of int
        Indices of the classes in the batch.
    search : callable
        ``search(mask, place)`` returns the value of the class with the least mask of an orbit.
        `place` is the index in the batch of a class of this orbit.
    flips : bool
        Whether flips leave the value unchanged.
    """
    least = least_masks(batch.masks[open_], batch.points, flips=flips)
    masks, first, which = np.unique(least, return_index=True, return_inverse=True)
    values = map(search, masks.tolist(), open_[first].tolist())
    return np.array(list(values), dtype=np.int8)[which]


def parameter_values(batch: Batch, name: str) -> np.ndarray:
    """Return the value of a parameter for each class, by the search of `catalog.parameters`.

    The search runs once for each orbit of classes.
    """
    parameter = PARAMETERS[name]

    def search(mask: int, place: int) -> int:
        found = parameter(class_of_mask(batch.points, mask))
        assert isinstance(found, int)
        return found

    everything = np.arange(batch.classes)
    return searched(batch, everything, search, flips=not parameter.flips_change)
