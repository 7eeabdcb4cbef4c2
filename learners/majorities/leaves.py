"""Leaves: version spaces with weights, each with few members that represent its SOA.

`learners.majorities.algorithm` uses this module. It solves the game of a leaf by linear programming
and proves the solution in integers, and refines leaves whose game has a large value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from learners.playing.base.proper_soa import FREE, Subclasses
from lsclasses.errors import TooLarge
from lsclasses.table import Table

SLACK = Fraction(1, 10**4)
"""The gap xi' - xi. A good leaf has shares of at most xi', and every other leaf has shares of at
least xi."""
UNIT = 1 << 30
"""The sum of the integer weights of a solution."""
LEAVES_LIMIT = 1 << 14
"""The largest number of leaves."""
KNOWN_SOLUTIONS = 1 << 14
"""Number of leaves whose solution is remembered."""

Leaf = tuple[int, int]
"""A leaf: a subclass in the form of `Subclasses`, and its weight of at least 1."""


@dataclass(frozen=True)
class Solved:
    """The solution of the game of a version space, in which a member errs at a point.

    Attributes
    ----------
    labels : tuple of 0 or 1
        Labels b, one for each point. The concepts with the opposite label have a smaller
        Littlestone dimension.
    good : bool
        Whether the weights are weights of members. Then, at every point, the members that
        contradict b have at most the share xi + `SLACK` of the weight. Otherwise the weights are
        weights of points, and every member contradicts b on points with at least the share xi.
    weights : tuple of (int, int)
        Positions with positive weights that add up to `UNIT`.
    """

    labels: tuple[int, ...]
    good: bool
    weights: tuple[tuple[int, int], ...]


class LeafSolver:
    """A solver of the games of a table's subclasses, equal for equal `Subclasses` and xi.

    Parameters
    ----------
    table : Table
        Table with at least one concept.
    keep : Fraction
        Share xi that a leaf keeps after a mistake, between 0 and 1/2.
    """

    def __init__(self, table: Table, keep: Fraction) -> None:
        self.subclasses = Subclasses(table)
        self.keep = keep
        self._solved: dict[int, Solved] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LeafSolver):
            return NotImplemented
        return (self.subclasses, self.keep) == (other.subclasses, other.keep)

    def __hash__(self) -> int:
        return hash((self.subclasses, self.keep))

    def __reduce__(self) -> tuple[type[LeafSolver], tuple[Table, Fraction]]:
        return LeafSolver, (self.subclasses.table, self.keep)

    # ---- one leaf

    def solved(self, subclass: int) -> Solved:
        """Return weights of members that represent the SOA, or of points that exclude such weights.

        Parameters
        ----------
        subclass : int
            Subclass V, which is not empty.
        """
        found = self._solved.get(subclass)
        if found is None:
            found = self._solve(subclass)
            if len(self._solved) >= KNOWN_SOLUTIONS:
                self._solved.clear()
            self._solved[subclass] = found
        return found

    def _solve(self, subclass: int) -> Solved:
        members = self.subclasses.members(subclass)
        rows = self.subclasses.rows[members]
        labels = self.subclasses.labels(subclass)
        forced = np.flatnonzero(labels != FREE)
        agreeing = np.flatnonzero((rows[:, forced] == labels[forced]).all(axis=1))
        if len(agreeing):
            chosen = agreeing[0]
            return _solved(rows[chosen], True, members[[chosen]], np.array([UNIT]))
        good, weights = self._game((rows[:, forced] != labels[forced]).T)
        if not good:
            # Errors at forced points are enough. At all other points, either label is possible.
            return _solved(np.where(labels == FREE, 0, labels), False, forced, weights)
        # A free label may follow the members.
        says = (2 * (weights @ rows.astype(np.int64)) >= UNIT).astype(np.int8)
        labels = np.where(labels == FREE, says, labels)
        errors = (rows != labels).T
        if self._is_good(errors, weights):
            return _solved(labels, True, members, weights)
        good, weights = self._game(errors)
        points = np.arange(len(labels))
        return _solved(labels, good, members if good else points, weights)

    def _is_good(self, errors: NDArray[np.bool_], weights: NDArray[np.int64]) -> bool:
        """Return whether, at every point, at most the larger share of these weights errs."""
        share = self.keep + SLACK
        worst = int((errors.astype(np.int64) @ weights).max(initial=0))
        return worst * share.denominator <= share.numerator * int(weights.sum())

    def _keeps(self, errors: NDArray[np.bool_], weights: NDArray[np.int64]) -> bool:
        """Return whether every member errs on at least the smaller share of these point weights."""
        least = int((weights @ errors.astype(np.int64)).min())
        return least * self.keep.denominator >= self.keep.numerator * int(weights.sum())

    def _game(self, errors: NDArray[np.bool_]) -> tuple[bool, NDArray[np.int64]]:
        """Return whether the game is good, with weights of members (or of points) that prove it.

        Floating point numbers only propose weights, which are then checked in integers.

        Parameters
        ----------
        errors : ndarray of bool, shape (points, members)
        """
        members, points = _minimax(errors)
        if self._is_good(errors, members):
            return True, members
        if self._keeps(errors, points):
            return False, points
        return self._played(errors)

    def _played(self, errors: NDArray[np.bool_]) -> tuple[bool, NDArray[np.int64]]:
        """Return the result of `_game` by fictitious play, if a solver's weights prove no result.

        Each side plays the best response to all previous moves of the other. Its frequencies
        converge to optimal weights (Robinson 1951). The two shares are `SLACK` apart, so one of
        them is proved in the end. All numbers are integers.
        """
        wrong = errors.astype(np.int64)
        points, members = (np.zeros(size, np.int64) for size in errors.shape)
        erring, caught = np.zeros(len(points), np.int64), np.zeros(len(members), np.int64)
        played = 0
        while True:
            played += 1
            member = int(caught.argmin())
            members[member] += 1
            erring += wrong[:, member]
            point = int(erring.argmax())
            points[point] += 1
            caught += wrong[point]
            # Frequencies are rounded to the unit of all solutions, and may fail by that.
            if erring[point] <= (self.keep + SLACK) * played:
                rounded = _rounded(members)
                if self._is_good(errors, rounded):
                    return True, rounded
            if caught.min() >= self.keep * played:
                rounded = _rounded(points)
                if self._keeps(errors, rounded):
                    return False, rounded

    # ---- many

    def refined(self, leaves: Mapping[int, Fraction]) -> tuple[Leaf, ...]:
        """Return leaves with good games that replace the given leaves.

        The solution of a leaf V that is not good has labels b and weights of points. For each point
        x of positive weight, V is replaced by the set of its concepts with the label 1 - b(x) at x.
        This set gets the share of V's weight that x has in the solution. Empty sets are omitted.
        The replacement ends, because dimensions decrease and a version space with one member is
        good.

        Parameters
        ----------
        leaves : mapping of subclass to weight
            At least one leaf, with positive weights.

        Returns
        -------
        tuple of Leaf
            Leaves in increasing order, equal leaves merged. The weights are integers without a
            common divisor.

        Raises
        ------
        TooLarge
            If there are more than 2^14 leaves.
        """
        good: dict[int, Fraction] = {}
        waiting = dict(leaves)
        while waiting:
            # Sides of large dimension come first, so that equal ones meet before they are split.
            largest = max(map(self.subclasses.dimension, waiting))
            level = [leaf for leaf in waiting if self.subclasses.dimension(leaf) == largest]
            for leaf in level:
                weight = waiting.pop(leaf)
                solution = self.solved(leaf)
                if solution.good:
                    good[leaf] = good.get(leaf, Fraction(0)) + weight
                    continue
                for x, share in solution.weights:
                    side = self.subclasses.side(leaf, x, 1 - solution.labels[x])
                    if side:
                        part = weight * Fraction(share, UNIT)
                        waiting[side] = waiting.get(side, Fraction(0)) + part
            if len(good) + len(waiting) > LEAVES_LIMIT:
                raise TooLarge(
                    f"The version space falls into more than {LEAVES_LIMIT} leaves. This happens "
                    "on large classes without structure. Take the SOA or halving for such classes.",
                    estimate=len(good) + len(waiting),
                    limit=LEAVES_LIMIT,
                )
        common = lcm(*(weight.denominator for weight in good.values()))
        whole = {leaf: int(weight * common) for leaf, weight in good.items()}
        divisor = gcd(*whole.values())
        return tuple(sorted((leaf, weight // divisor) for leaf, weight in whole.items()))


def _solved(
    labels: NDArray[np.integer], good: bool, positions: NDArray[np.intp], weights: NDArray[np.int64]
) -> Solved:
    pairs = zip(positions.tolist(), weights.tolist(), strict=True)
    return Solved(tuple(labels.tolist()), good, tuple(pair for pair in pairs if pair[1]))


def _minimax(errors: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return nearly optimal weights of members and of points, which both add up to `UNIT`."""
    from scipy.optimize import linprog

    points, members = errors.shape
    # The least v such that some weights p >= 0 of members, sum 1, err at most v at every point.
    found = linprog(
        np.append(np.zeros(members), 1.0),
        A_ub=np.hstack([errors.astype(np.float64), -np.ones((points, 1))]),
        b_ub=np.zeros(points),
        A_eq=np.append(np.ones(members), 0.0)[None, :],
        b_eq=[1.0],
        method="highs-ds",
    )
    if found.x is None:
        return _rounded(np.ones(members)), _rounded(np.ones(points))
    return _rounded(found.x[:members]), _rounded(-found.ineqlin.marginals)


def _rounded(weights: NDArray[np.floating] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return integers in nearly the same ratios that add up to `UNIT`."""
    positive = np.nan_to_num(np.maximum(weights, 0), posinf=0)
    if not positive.any():
        positive = np.ones(len(positive))
    scaled = positive / positive.sum() * UNIT
    whole: NDArray[np.int64] = np.floor(scaled).astype(np.int64)
    missing = UNIT - int(whole.sum())
    # By largest remainder, ties by position. Rounding may have made the sum too large by a few.
    order = np.argsort(whole - scaled, kind="stable")
    if missing >= 0:
        whole[order[:missing]] += 1
    else:
        whole[int(whole.argmax())] += missing
    return whole
