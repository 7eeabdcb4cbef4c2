"""Decision trees whose nodes test conditions of a public list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from learners import checked
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer


@dataclass(frozen=True)
class Conditions:
    """The conditions of a tree's nodes: features, and pairs of a true and a false feature.

    Parameters
    ----------
    features : int
        Number of features.
    listed : iterable of (int, int or None)
        Conditions. Feature `a` holds, or, for a pair (a, b), `a` holds and `b` does not hold, where
        `b` must imply `a`. For example, the range 30 <= x < 60 is the pair of x >= 30 and x >= 60.
    counts : iterable of int, optional
        Prior weight of each condition, at least 1. The default is 1.
    plain : int, optional
        Number of plain conditions, which come first. Trees that test only plain conditions are a
        separate family, which `GibbsTree` may prefer.

    Raises
    ------
    InvalidInput
        If there are no conditions, a feature does not exist, a count is not positive, or the plain
        conditions are not some of the conditions.

    Examples
    --------
    >>> conditions = Conditions(2, [(0, None), (1, None), (0, 1)])
    >>> rows = np.array([[0, 0], [1, 0], [1, 1]], dtype=bool)
    >>> conditions.values(rows).astype(int)
    array([[0, 0, 0],
           [1, 0, 1],
           [1, 1, 0]])
    """

    features: int
    listed: tuple[tuple[int, int | None], ...]
    counts: tuple[int, ...]
    plain: int | None

    def __init__(
        self,
        features: int,
        listed: Iterable[tuple[int, int | None]] | None = None,
        counts: Iterable[int] | None = None,
        plain: int | None = None,
    ) -> None:
        features = checked.positive(features, "number of features")
        pairs = tuple((j, None) for j in range(features)) if listed is None else tuple(listed)
        weights = (1,) * len(pairs) if counts is None else checked.counts(counts, "count")
        if not pairs:
            raise InvalidInput("A tree needs at least one condition to test. Got none.")
        if len(weights) != len(pairs) or min(weights) < 1:
            raise InvalidInput(
                f"Every condition needs a count of at least 1, {len(pairs)} in all. Got {weights}."
            )
        for feature in (each for pair in pairs for each in pair if each is not None):
            if not 0 <= integer(feature, "feature") < features:
                raise InvalidInput(
                    f"A feature must be one of {features}, counted from 0. Got {feature}."
                )
        if plain is not None and checked.positive(plain, "number of conditions") >= len(pairs):
            raise InvalidInput(
                f"Some of the {len(pairs)} conditions must be plain, but not all. Got {plain}."
            )
        set_frozen_fields(self, features=features, listed=pairs, counts=weights, plain=plain)

    def __len__(self) -> int:
        return len(self.listed)

    @cached_property
    def total(self) -> int:
        """The sum of the counts."""
        return sum(self.counts)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of conditions of each family of trees: plain conditions, then all."""
        return (len(self),) if self.plain is None else (self.plain, len(self))

    @cached_property
    def families(self) -> tuple[Conditions, ...]:
        """The conditions of each family of trees."""
        if self.plain is None:
            return (self,)
        return tuple(
            Conditions(self.features, self.listed[:size], self.counts[:size]) for size in self.sizes
        )

    def holds(self, condition: int, matrix: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the rows where a condition holds, shape (rows,), given the features of rows."""
        first, second = self.listed[condition]
        found: NDArray[np.bool_] = np.asarray(matrix[:, first], dtype=bool)
        return found if second is None else found & ~np.asarray(matrix[:, second], dtype=bool)

    def values(self, matrix: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return all conditions on all rows: shape (rows, features) to (rows, conditions)."""
        return np.stack([self.holds(c, matrix) for c in range(len(self))], axis=1)


@dataclass(frozen=True)
class Leaf:
    """A leaf of a tree, whose label is the prediction.

    Attributes
    ----------
    label : int
        Label of all rows that reach the leaf.
    """

    label: int

    def labels(self, conditions: Conditions, matrix: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Return the labels of rows, shape (rows,)."""
        return np.full(len(matrix), self.label, dtype=np.uint8)

    def paths(self) -> Iterator[tuple[tuple[tuple[int, bool], ...], int]]:
        """Yield the leaves from left to right, each with the answers on its path and its label."""
        yield (), self.label

    def pruned(self, known: frozenset[tuple[int, bool]] = frozenset()) -> Tree:
        """Return the leaf itself, because it has no splits."""
        return self

    def prior(self, conditions: Conditions, depth: int, labels: int) -> Fraction:
        """Return the prior probability of this leaf in `GibbsTree`, with `depth` levels left."""
        return Fraction(1, labels * (2 if depth else 1))


@dataclass(frozen=True)
class Split:
    """An inner node of a tree, with a condition.

    Attributes
    ----------
    condition : int
        Number of the tested condition.
    holds, fails : Leaf or Split
        Subtrees of the rows on which the condition holds, and of the other rows.

    Examples
    --------
    >>> tree = Split(2, Leaf(1), Split(0, Leaf(0), Leaf(0)))
    >>> tree.pruned()
    Split(condition=2, holds=Leaf(label=1), fails=Leaf(label=0))
    >>> list(tree.pruned().paths())
    [(((2, True),), 1), (((2, False),), 0)]
    >>> tree.prior(Conditions(3), depth=2, labels=2)  # 1/2 1/3, 1/2 1/2, 1/2 1/3, 1/2 and 1/2
    Fraction(1, 576)
    """

    condition: int
    holds: Tree
    fails: Tree

    def labels(self, conditions: Conditions, matrix: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Return the labels of rows, shape (rows,), given their features."""
        found = self.fails.labels(conditions, matrix)
        yes = conditions.holds(self.condition, matrix)
        found[yes] = self.holds.labels(conditions, matrix[yes])
        return found

    def paths(self) -> Iterator[tuple[tuple[tuple[int, bool], ...], int]]:
        """Yield the leaves from left to right, each with the answers on its path and its label."""
        for answer, branch in ((True, self.holds), (False, self.fails)):
            for path, label in branch.paths():
                yield ((self.condition, answer), *path), label

    def pruned(self, known: frozenset[tuple[int, bool]] = frozenset()) -> Tree:
        """Return an equivalent tree without splits into equal branches and repeated conditions.

        Parameters
        ----------
        known : frozenset of (int, bool)
            Conditions whose answers are known.
        """
        if (self.condition, True) in known:
            return self.holds.pruned(known)
        if (self.condition, False) in known:
            return self.fails.pruned(known)
        holds = self.holds.pruned(known | {(self.condition, True)})
        fails = self.fails.pruned(known | {(self.condition, False)})
        return holds if holds == fails else Split(self.condition, holds, fails)

    def prior(self, conditions: Conditions, depth: int, labels: int) -> Fraction:
        """Return the prior probability of this split in `GibbsTree`, with `depth` levels left."""
        chosen = Fraction(conditions.counts[self.condition], 2 * conditions.total)
        return chosen * prod(
            branch.prior(conditions, depth - 1, labels) for branch in (self.holds, self.fails)
        )


Tree = Leaf | Split


def number_of_trees(conditions: int, depth: int, labels: int = 2) -> int:
    """Return the number of trees in `all_trees`.

    The recursion is t(0) = labels, and t(d) = labels + conditions t(d - 1)^2.

    Examples
    --------
    >>> number_of_trees(3, 2), number_of_trees(100, 3) > 10**15
    (590, True)
    """
    trees = labels
    for _ in range(depth):
        trees = labels + conditions * trees**2
    return trees


def all_trees(conditions: int, depth: int, labels: int = 2) -> Iterator[Tree]:
    """Yield every tree of at most this depth, the smallest first. `number_of_trees` counts them.

    Examples
    --------
    >>> sum(1 for _ in all_trees(3, 2))
    590
    """
    yield from map(Leaf, range(labels))
    if depth:
        below = list(all_trees(conditions, depth - 1, labels))
        for condition, holds, fails in product(range(conditions), below, below):
            yield Split(condition, holds, fails)
