"""Samples of m labelled points as multisets, the allowed answers of a learner, and their errors.

The order of the rows does not matter. Averaging a private learner over all orders of its rows keeps
its privacy, since orders of neighbouring samples can be matched so that the samples stay
neighbours, and keeps its error, since rows are independent. So a learner is a distribution p(a | S)
for each multiset S of m examples.

A sample may also have *public rows*, which privacy does not protect. The other rows belong to
*users* with equally many rows each. A changed user changes all rows of the user. Then the order of
the public rows, of the users and of the rows of each user does not matter (`UserSamples`). Rows of
different users must not be exchanged, because one changed user could become two changed users.

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
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from learners.optimal.linear import LISTED
from learners.optimal.symmetries import Integers, Labels, Symmetry, generators, image
from lsclasses.errors import TooLarge
from lsclasses.numbers import size_in_words

Outputs = Literal["any", "class", "prediction"]


def multiset_count(kinds: int, size: int) -> int:
    """Return the number of multisets of a size.

    >>> multiset_count(6, 4)
    126
    """
    return comb(kinds + size - 1, size) if kinds else int(size == 0)


def user_sample_count(kinds: int, users: int, each: int = 1, public: int = 0) -> int:
    """Return the number of samples of users with equally many rows each, and public rows.

    >>> user_sample_count(4, 2), user_sample_count(4, 1, each=2), user_sample_count(4, 1, public=1)
    (10, 10, 16)
    """
    private = multiset_count(multiset_count(kinds, each), users)
    return private * multiset_count(kinds, public)


class Multisets:
    """All multisets of `size` numbers from 0 to `kinds` - 1, in lexicographic order.

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

    @cached_property
    def _earlier(self) -> Integers:
        """The number of multisets before each number at each place, shape (size, kinds + 1).

        Entry (i, x) counts the multisets of the last size - i numbers that begin with a number
        below x.
        """
        counts = np.zeros((self.size, self.kinds + 1), dtype=np.int64)
        for place in range(self.size):
            begin = [
                multiset_count(self.kinds - x, self.size - place - 1) for x in range(self.kinds)
            ]
            counts[place, 1:] = np.cumsum(begin)
        return counts

    def index(self, members: Integers) -> Integers:
        """Return the position of each given multiset in the lexicographic order, shape (...).

        No intermediate number exceeds the number of multisets.

        Parameters
        ----------
        members : array of int, shape (..., size)
            Multisets, each in any order.
        """
        places, ordered = np.arange(self.size), np.sort(members, axis=-1)
        before = np.concatenate([np.zeros_like(ordered[..., :1]), ordered[..., :-1]], axis=-1)
        counts = self._earlier[places, ordered] - self._earlier[places, before]
        found: Integers = counts.sum(axis=-1, dtype=np.int64)
        return found


class UserSamples:
    """All samples of some public examples and of users with equally many examples each.

    A sample is a multiset of public examples with a multiset of users, and a user is a multiset of
    examples. With one example for each user and no public examples, these are the multisets of
    examples, in the order of `Multisets`.

    Parameters
    ----------
    kinds : int
        Number of examples.
    users : int
        Number of users.
    each : int
        Number of rows of each user.
    public : int
        Number of public rows.

    Examples
    --------
    >>> samples = UserSamples(2, users=1, each=2, public=1)
    >>> samples.members.tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 1]]
    >>> samples.orders, samples.index(np.array([[1, 1, 0]])).tolist()
    ([1, 2, 1, 1, 2, 1], [4])
    """

    def __init__(self, kinds: int, users: int, each: int = 1, public: int = 0) -> None:
        self.kinds, self.public_rows = kinds, public
        self.records = Multisets(kinds, each)
        self.users = Multisets(len(self.records), users)
        self.public = Multisets(kinds, public)

    def __len__(self) -> int:
        return len(self.public) * len(self.users)

    @cached_property
    def members(self) -> Integers:
        """The public examples, then the examples of each user, shape (samples, rows)."""
        private = self.records.members[self.users.members].reshape(len(self.users), -1)
        public = np.repeat(self.public.members, len(self.users), axis=0)
        return np.hstack([public, np.tile(private, (len(self.public), 1))])

    @cached_property
    def orders(self) -> list[int]:
        """The number of sequences of rows that are each sample."""
        each = self.records.orders
        private = [
            count * prod(each[record] for record in users)
            for count, users in zip(self.users.orders, self.users.members.tolist(), strict=True)
        ]
        return [public * count for public in self.public.orders for count in private]

    def index(self, members: Integers) -> Integers:
        """Return the positions of samples, each the public rows and then the rows of each user."""
        public, private = np.split(members, [self.public_rows], axis=-1)
        shape = (*private.shape[:-1], self.users.size, self.records.size)
        users = self.users.index(self.records.index(private.reshape(shape)))
        return self.public.index(public) * len(self.users) + users

    def with_each_user(self, shared: UserSamples, numbers: Integers) -> Integers:
        """Return the samples of one more user, a column for each user.

        Parameters
        ----------
        shared : UserSamples
            Samples of one user less.
        numbers : array of int
            Positions in `shared`.
        """
        public, users = np.divmod(numbers, len(shared.users))
        known = np.repeat(shared.users.members[users][:, None, :], len(self.records), axis=1)
        new = np.broadcast_to(np.arange(len(self.records)), known.shape[:2])
        found = self.users.index(np.concatenate([known, new[:, :, None]], axis=2))
        return public[:, None] * len(self.users) + found


@dataclass(frozen=True)
class SampleProblem:
    """The problem of learning from samples: a class, a sample size, and the allowed answers.

    Parameters
    ----------
    concepts : tuple of tuple of 0 or 1
        Distinct concepts, on at least one point.
    rows : int
        Number of all rows, public and private.
    outputs : "any", "class" or "prediction"
        Allowed outputs of the learners.
    rows_per_user : int
        Number of private rows of each user.
    public_rows : int
        Number of rows that privacy does not protect.

    Examples
    --------
    >>> asked = SampleProblem(((1, 0), (0, 1)), 2, "any")
    >>> len(asked.samples), asked.answers, asked.groups
    (10, 4, 1)
    >>> asked = SampleProblem(((1, 0), (0, 1)), 3, "any", rows_per_user=2, public_rows=1)
    >>> asked.users, len(asked.samples)
    (1, 40)
    """

    concepts: tuple[Labels, ...]
    rows: int
    outputs: Outputs
    rows_per_user: int = 1
    public_rows: int = 0

    @property
    def users(self) -> int:
        """The number of users."""
        return (self.rows - self.public_rows) // self.rows_per_user

    @property
    def points(self) -> int:
        """The number of points of the class."""
        return len(self.concepts[0])

    @property
    def examples(self) -> int:
        """The number of labelled points. (x, y) has the number 2x + y."""
        return 2 * self.points

    @cached_property
    def samples(self) -> UserSamples:
        """The samples of `rows` examples."""
        return UserSamples(self.examples, self.users, self.rows_per_user, self.public_rows)

    @cached_property
    def shared(self) -> UserSamples:
        """The rows that neighbouring samples share: all except the rows of one user."""
        return UserSamples(self.examples, self.users - 1, self.rows_per_user, self.public_rows)

    @cached_property
    def multisets(self) -> Multisets:
        """The multisets of `rows` examples, without users."""
        return Multisets(self.examples, self.rows)

    @property
    def ordered(self) -> int:
        """The common denominator of the means of `mean_errors`."""
        plain = self.rows_per_user == 1 and not self.public_rows
        return 1 if plain else factorial(self.rows)

    def mean_errors(self, errors: NDArray[Any]) -> NDArray[Any]:
        """Return the mean error over all samples with equal rows, times `ordered`.

        Independent rows are equally likely in each order. So given the multiset of all rows, each
        sample has a probability in proportion to its number of orders.

        Parameters
        ----------
        errors : array, shape (samples, examples)
            Error for each sample and test example.

        Returns
        -------
        array, shape (multisets, examples)
        """
        if self.ordered == 1:
            return errors
        found = np.zeros((len(self.multisets), self.examples), dtype=errors.dtype)
        of = self.multisets.index(self.samples.members)
        orders = np.array(self.samples.orders, dtype=errors.dtype)
        np.add.at(found, of, orders[:, None] * errors)
        repeats = [self.ordered // count for count in self.multisets.orders]
        found *= np.array(repeats, dtype=errors.dtype)[:, None]
        return found

    @cached_property
    def hypotheses(self) -> tuple[Labels, ...]:
        """The hypotheses that may be published, or an empty tuple for private prediction."""
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
        """Return the image of each example under a symmetry."""
        to, flips = symmetry
        return np.array([2 * to[z // 2] + (z % 2 ^ flips[z // 2]) for z in range(self.examples)])

    def moved_answers(self, symmetry: Symmetry) -> Integers:
        """Return the image of each answer under a symmetry."""
        if self.outputs == "prediction":
            return self.moved_examples(symmetry)
        number = {h: i for i, h in enumerate(self.hypotheses)}
        return np.array([number[image(symmetry, h)] for h in self.hypotheses])

    def moved_concepts(self, symmetry: Symmetry) -> Integers:
        """Return the image of each concept under a symmetry."""
        number = {c: i for i, c in enumerate(self.concepts)}
        return np.array([number[image(symmetry, c)] for c in self.concepts])


def require_few_samples(question: SampleProblem) -> None:
    """Refuse a problem whose samples cannot be listed.

    Raises
    ------
    TooLarge
        If the samples have more than `LISTED` rows or answers in total.
    """
    samples = multiset_count(question.examples, question.rows)
    listed = samples * max(question.rows, question.answers)
    if listed > LISTED:
        raise TooLarge(
            f"{question.rows} rows have {size_in_words(samples, ',')} samples, with "
            f"{size_in_words(listed, ',')} rows or answers. The limit is {LISTED:,}. Use fewer "
            "rows.",
            estimate=listed,
            limit=LISTED,
        )


def all_labellings(points: int) -> tuple[Labels, ...]:
    """Return all functions from some points to labels."""
    return tuple(product((0, 1), repeat=points))


def labels_of(rows: Sequence[Sequence[int]] | NDArray[np.uint8]) -> tuple[Labels, ...]:
    """Return the labels of concepts as tuples of integers."""
    return tuple(tuple(int(y) for y in row) for row in rows)
