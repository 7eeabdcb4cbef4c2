"""Mistakes with a budget and in apple tasting, of all classes of a batch at once.

`lsclasses.mistake_budgets` defines the dimensions L_k and RL_k, and proves the recursion. Here, the
states are the same for all classes. A concept errs on each example whose label it contradicts. So
its number of errors depends only on the numbers of labels 0 and 1 at each point. Each pair of a
label 0 and a label 1 at one point costs every concept one mistake, so it lowers k by one. The
remaining examples give a difference for each point: the number of labels 1 minus the number of
labels 0. Differences beyond -(k + 1) and k + 1 are equivalent, because all concepts with the other
label have erred too often.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from catalog.atlas.columns.batch import FREE, Batch, Subcube, column, with_
from catalog.atlas.orbits import least_masks

Together = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function that returns the value of a state of the game if the next point is given.

The value is the largest number of mistakes that the adversary can still force. At the point, the
remaining concepts disagree. The two arguments are the values of the states that follow the label 0
and the label 1 at this point. One entry of each array belongs to one class.
"""


class _Level(NamedTuple):
    """States with k mistakes left and the same sum of absolute differences.

    Attributes
    ----------
    states : array of int, shape (count,)
        Indices of the states.
    affordable : array of uint64, shape (count,)
        Concepts that err at most k times, as masks.
    after : list of (array of int, array of int)
        For each point, the indices of the states after the label 0 and after the label 1. An index
        is -1 - i for the state i with one mistake less.
    """

    states: np.ndarray
    affordable: np.ndarray
    after: list[tuple[np.ndarray, np.ndarray]]


def budget_values(batch: Batch, mistakes: int, unit: int, together: Together) -> np.ndarray:
    """Return the k-mistake dimension L_k or RL_k of each class, as integers in units of 1/`unit`.

    L_k is the least mistake bound of a deterministic learner, if the best concept makes at most k
    mistakes. RL_k is the same number for randomized learners. `lsclasses.mistake_budgets` defines
    both dimensions. An integer v of the output denotes the value v/`unit`.

    Parameters
    ----------
    batch : Batch
    mistakes : int
        Largest number k of mistakes of the best concept.
    unit : int
        Integer that denotes the value 1.
    together : callable
        Function of type `Together`, for points at which the remaining concepts disagree. The
        function determines whether the result is L_k or RL_k.

    Examples
    --------
    >>> constants = Batch(np.array([0b11], dtype=np.uint64), 1)
    >>> [int(budget_values(constants, k, 1, complete)[0]) for k in range(4)]
    [1, 3, 5, 7]
    """
    numbers = np.arange(2**batch.points)
    ones = [np.uint64(sum(1 << int(c) for c in numbers if c >> j & 1)) for j in range(batch.points)]
    fewer = np.full((1, batch.classes), -unit, dtype=np.int32)
    for k in range(mistakes + 1):
        values = np.full(((2 * k + 3) ** batch.points, batch.classes), -unit, dtype=np.int32)
        for level in _levels(batch.points, k):
            alive = level.affordable[:, None] & batch.masks[None, :]
            best = np.where(alive != 0, 0, -unit).astype(np.int32)
            for column_, (zero, one) in zip(ones, level.after, strict=True):
                side_0, side_1 = (_values_at(each, values, fewer) for each in (zero, one))
                with_1, with_0 = (alive & column_) != 0, (alive & ~column_) != 0
                # If all remaining concepts agree, only the wrong label changes the state.
                deeper = np.where(with_1, side_0, side_1) + unit
                both = with_1 & with_0
                deeper[both] = together(side_0[both], side_1[both])
                np.maximum(best, deeper, out=best, where=with_1 | with_0)
            values[level.states] = best
        fewer = values
    whole: np.ndarray = fewer[len(fewer) // 2]
    return whole


def _values_at(states: np.ndarray, values: np.ndarray, fewer: np.ndarray) -> np.ndarray:
    """Return the values of states with as many mistakes left, or one less."""
    found: np.ndarray = values[np.maximum(states, 0)]
    lower = states < 0
    found[lower] = fewer[-1 - states[lower]]
    return found


@cache
def _levels(points: int, k: int) -> list[_Level]:
    """Return the states with k mistakes left, such that the states after a label come first."""
    every = sorted(
        itertools.product(range(-k - 1, k + 2), repeat=points), key=lambda d: -sum(map(abs, d))
    )
    return [
        _level(list(group), points, k)
        for _, group in itertools.groupby(every, key=lambda d: sum(map(abs, d)))
    ]


def _level(states: list[tuple[int, ...]], points: int, k: int) -> _Level:
    affordable = [
        sum(1 << c for c in range(2**points) if _errors(c, differences) <= k)
        for differences in states
    ]
    after = [
        (
            np.array([_index_after(differences, j, -1, k) for differences in states]),
            np.array([_index_after(differences, j, 1, k) for differences in states]),
        )
        for j in range(points)
    ]
    indices = np.array([_index(differences, k) for differences in states])
    return _Level(indices, np.array(affordable, dtype=np.uint64), after)


def _errors(concept: int, differences: tuple[int, ...]) -> int:
    """Return the errors of a concept that the differences show."""
    return sum(max(0, -d if concept >> j & 1 else d) for j, d in enumerate(differences))


def _index_after(differences: tuple[int, ...], point: int, step: int, k: int) -> int:
    after = list(differences)
    after[point] += step
    if step * differences[point] < 0:
        # One mistake of every concept is paid by a lower k. Without mistakes left, none remains.
        return -1 - _index(tuple(after), k - 1) if k else -1
    return _index(tuple(after), k)


def _index(differences: tuple[int, ...], k: int) -> int:
    index = 0
    for d in differences:
        index = index * (2 * k + 3) + min(max(d, -k - 1), k + 1) + k + 1
    return index


def complete(zeros: np.ndarray, ones: np.ndarray) -> np.ndarray:
    """Return the depth of a complete tree from the depths on both sides: 1 + their minimum."""
    depth: np.ndarray = 1 + np.minimum(zeros, ones)
    return depth


@column(most_points=4)
def one_mistake_ldim(batch: Batch) -> np.ndarray:
    """Return the 1-mistake Littlestone dimension L_1 of each class."""
    return budget_values(batch, 1, 1, complete).astype(np.int8)


def _up_to_flips(batch: Batch, mistakes: int) -> np.ndarray:
    """Return L_k, from one class of each orbit under permutations and flips."""
    least = least_masks(batch.masks, batch.points, flips=True)
    masks, which = np.unique(least, return_inverse=True)
    found = budget_values(Batch(masks, batch.points), mistakes, 1, complete)
    depths: np.ndarray = found[which].astype(np.int8)
    return depths


@column(most_points=4)
def two_mistake_ldim(batch: Batch) -> np.ndarray:
    """Return the 2-mistake Littlestone dimension L_2 of each class."""
    return _up_to_flips(batch, 2)


@column(most_points=4)
def three_mistake_ldim(batch: Batch) -> np.ndarray:
    """Return the 3-mistake Littlestone dimension L_3 of each class."""
    return _up_to_flips(batch, 3)


def unit_of_random_branches(points: int) -> int:
    """Return a common denominator of RL_1 for all classes on a number of points.

    With n points, the remaining concepts disagree at no more than 2n + 2 places of a branch. To
    count these places, consider the difference of the numbers of labels 1 and 0 at each point. The
    labels move each difference away from 0 at most twice. The whole branch has at most one move
    towards 0, because such a move costs every concept one mistake. After this move, the difference
    can move away once more.
    """
    return 1 << (2 * points + 2)


@column(denominator=unit_of_random_branches, most_points=4)
def one_mistake_randomized_ldim(batch: Batch) -> np.ndarray:
    """Return the 1-mistake randomized Littlestone dimension RL_1 of each class."""
    unit = unit_of_random_branches(batch.points)
    return budget_values(batch, 1, unit, lambda zeros, ones: (unit + zeros + ones) // 2)


# ---- apple tasting


EMPTY = np.int8(-100)
"""Value of an empty version space, below every number of mistakes."""


class _AppleTasting:
    """Values of apple tasting over subcubes, with predictions of 0 at free points.

    `lsclasses.apple_tasting` proves the recursion. A subcube is the version space of the received
    labels. `silent` contains the number of predictions of 0 for each axis.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._known: dict[tuple[Subcube, Subcube, int], np.ndarray] = {}

    def mistakes(self, cube: Subcube, silent: Subcube, rounds: int) -> np.ndarray:
        """Return the number of forced mistakes for each class."""
        if (cube, silent, rounds) not in self._known:
            found = self.settled(cube, silent) if not rounds else self.mistakes(cube, silent, 0)
            for axis, entry in enumerate(cube):
                if rounds and entry == FREE:
                    found = np.maximum(found, self._forced(cube, silent, rounds, axis))
            self._known[cube, silent, rounds] = found
        return self._known[cube, silent, rounds]

    def _forced(self, cube: Subcube, silent: Subcube, rounds: int, axis: int) -> np.ndarray:
        """Return the forced mistakes if the next round is at an axis, `EMPTY` without a split."""
        sides = [with_(cube, axis, label) for label in (0, 1)]
        rest, more = with_(silent, axis, 0), with_(silent, axis, silent[axis] + 1)
        zeros, ones = (self.mistakes(side, rest, rounds - 1) for side in sides)
        tasted = np.maximum(1 + zeros, silent[axis] + ones)
        forced = np.minimum(tasted, self.mistakes(cube, more, rounds - 1))
        splits = self.batch.shown[sides[0]] & self.batch.shown[sides[1]]
        return np.where(splits, forced, EMPTY)

    def settled(self, cube: Subcube, silent: Subcube) -> np.ndarray:
        """Return the largest number of mistakes of the predictions of 0, over all concepts."""
        for axis, count in enumerate(silent):
            if count:
                rest = with_(silent, axis, 0)
                zeros, ones = (self.settled(with_(cube, axis, label), rest) for label in (0, 1))
                with_one = np.where(ones > EMPTY, ones + np.int8(count), EMPTY)
                either: np.ndarray = np.maximum(zeros, with_one)
                return either
        return np.where(self.batch.shown[cube], np.int8(0), EMPTY)


@column(sequence=True, most_points=4)
def apple_tasting_mistakes(batch: Batch) -> np.ndarray:
    """Return the number of mistakes in n rounds of apple tasting, for n = 0, ..., points.

    Each class has one row of the result.
    """
    game, points = _AppleTasting(batch), batch.points
    curve = [game.mistakes((FREE,) * points, (0,) * points, n) for n in range(points + 1)]
    return np.stack(curve, axis=1).astype(np.int8)


@column()
def apple_littlestone_dim(batch: Batch) -> np.ndarray:
    """Return the Apple Littlestone dimension AL_1 (width 1) of each class.

    AL_1 is the largest 1 + AL_1 of the side with label 0, over all points that split the version
    space. It is 0 if no point splits the version space.
    """
    found = np.where(batch.shown, np.int8(0), EMPTY)
    for cube in batch.subcubes:
        for zeros, ones in batch.sides(cube):
            splits = batch.shown[zeros] & batch.shown[ones]
            np.maximum(found[cube], np.where(splits, 1 + found[zeros], EMPTY), out=found[cube])
    return batch.of_whole(found)
