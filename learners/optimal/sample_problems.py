"""Samples of m labelled points as multisets, the allowed answers of a learner, and their errors.

The order of the rows does not matter. Averaging a private learner over all orders of its rows keeps
its privacy, since orders of neighbouring samples can be matched so that the samples stay
neighbours, and keeps its error, since rows are independent. So a learner is a distribution p(a | S)
for each multiset S of m examples.

The answers fall into *groups*, and each group has a separate distribution. Learners of hypotheses
have one group, all functions or all concepts. Private prediction has a group for each point of a
possible query, with the labels 0 and 1 as answers, since each query is charged separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from learners.optimal.symmetries import Integers, Labels, Symmetry, generators, image

Outputs = Literal["any", "class", "prediction"]


def multiset_count(kinds: int, size: int) -> int:
    """Return the number of multisets of a size.

    >>> multiset_count(6, 4)
    126
    """
    return comb(kinds + size - 1, size) if kinds else int(size == 0)


class Multisets:
    """All multisets of a size, of the numbers below `kinds`, in lexicographic order.

    Examples
    --------
    >>> pairs = Multisets(3, 2)
    >>> pairs.members.tolist()
    [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]]
    >>> pairs.index(np.array([[2, 1], [0, 0]])).tolist()
    [4, 0]
    """

    def __init__(self, kinds: int, size: int) -> None:
        self.kinds, self.size = kinds, size
        listed = list(combinations_with_replacement(range(kinds), size))
        self.members: Integers = np.array(listed, dtype=np.int64).reshape(len(listed), size)
        self._place = kinds ** np.arange(size - 1, -1, -1, dtype=np.int64)
        self._keys = self.members @ self._place

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def counts(self) -> Integers:
        """The count of each number in each multiset, shape (multisets, kinds)."""
        found = np.zeros((len(self), self.kinds), dtype=np.int64)
        for column in self.members.T:
            found[np.arange(len(self)), column] += 1
        return found

    @cached_property
    def orders(self) -> list[int]:
        """The number of orders of each multiset."""
        whole = factorial(self.size)
        return [whole // prod(map(factorial, row)) for row in self.counts.tolist()]

    def index(self, members: Integers) -> Integers:
        """Return the positions of multisets, each a row in any order."""
        found: Integers = np.searchsorted(self._keys, np.sort(members, axis=-1) @ self._place)
        return found


@dataclass(frozen=True)
class SampleProblem:
    """A problem: a class, a sample size, and the allowed answers.

    Parameters
    ----------
    concepts : tuple of tuple of 0 or 1
        Distinct concepts, on at least one point.
    rows : int
    outputs : "any", "class" or "prediction"

    Examples
    --------
    >>> asked = SampleProblem(((1, 0), (0, 1)), 2, "any")
    >>> len(asked.samples), asked.answers, asked.groups
    (10, 4, 1)
    """

    concepts: tuple[Labels, ...]
    rows: int
    outputs: Outputs

    @property
    def points(self) -> int:
        """The number of points of the class."""
        return len(self.concepts[0])

    @property
    def examples(self) -> int:
        """The number of labelled points. (x, y) has the number 2x + y."""
        return 2 * self.points

    @cached_property
    def samples(self) -> Multisets:
        """The multisets of `rows` examples."""
        return Multisets(self.examples, self.rows)

    @cached_property
    def hypotheses(self) -> tuple[Labels, ...]:
        """The hypotheses that may be published. Empty for private prediction."""
        if self.outputs == "prediction":
            return ()
        return self.concepts if self.outputs == "class" else all_labellings(self.points)

    @property
    def groups(self) -> int:
        """The number of distributions for each sample."""
        return self.points if self.outputs == "prediction" else 1

    @property
    def answers(self) -> int:
        """The number of answers of all groups together. Answers of a group are consecutive."""
        return self.examples if self.outputs == "prediction" else len(self.hypotheses)

    @cached_property
    def wrong(self) -> Integers:
        """Whether each answer errs on each example, shape (answers, examples).

        A prediction for x errs only on examples of x, so the errors of all groups add up to the
        error of the predictor.
        """
        if self.outputs == "prediction":
            numbers = np.arange(self.examples)
            same = numbers[:, None] // 2 == numbers // 2
            other: Integers = (same & (numbers[:, None] != numbers)).astype(np.int64)
            return other
        return np.array(
            [[h[z // 2] != z % 2 for z in range(self.examples)] for h in self.hypotheses]
        ).astype(np.int64)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Generators of the automorphisms of the class."""
        return generators(self.concepts)

    def moved_examples(self, symmetry: Symmetry) -> Integers:
        """Return the image of each example."""
        to, flips = symmetry
        return np.array([2 * to[z // 2] + (z % 2 ^ flips[z // 2]) for z in range(self.examples)])

    def moved_answers(self, symmetry: Symmetry) -> Integers:
        """Return the image of each answer."""
        if self.outputs == "prediction":
            return self.moved_examples(symmetry)
        number = {h: i for i, h in enumerate(self.hypotheses)}
        return np.array([number[image(symmetry, h)] for h in self.hypotheses])

    def moved_concepts(self, symmetry: Symmetry) -> Integers:
        """Return the image of each concept."""
        number = {c: i for i, c in enumerate(self.concepts)}
        return np.array([number[image(symmetry, c)] for c in self.concepts])


def all_labellings(points: int) -> tuple[Labels, ...]:
    """Return all functions on points."""
    return tuple(product((0, 1), repeat=points))


def labels_of(rows: Sequence[Sequence[int]] | NDArray[np.uint8]) -> tuple[Labels, ...]:
    """Return the labels of concepts as tuples of integers."""
    return tuple(tuple(int(y) for y in row) for row in rows)
