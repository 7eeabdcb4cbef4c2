"""The parameters of `MergingSOA`, with their mechanisms and their privacy.

Privacy holds for all parameters. `learners.merging.plan` adds the numbers of a mistake bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Annotated

from learners.accounting import AtOnce, Sequential, StreamParallel
from learners.checked import Delta, EpsilonOrZero, Rounds
from learners.mechanisms.list_histogram import Cost, ListHistogram, Noise
from learners.mechanisms.sparse_vector import AboveThreshold, OneSidedThreshold
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_fields

LARGEST_DIMENSION = 6
"""Largest supported dimension. The lists of level 7 would have more than 10^10 functions."""

PAIR = 2
"""Number of nodes that merge into one node, unless a level has larger groups."""


def tree_depth(level: int) -> int:
    """Return b_r = 2^(r-1) - 1, the depth of the trees at level r.

    Two nodes with trees of depth b_r merge into a node with a tree of depth b_(r+1) = 2 b_r + 1, or
    they share a function that was not published.

    Examples
    --------
    >>> [tree_depth(level) for level in range(1, 6)]
    [0, 1, 3, 7, 15]
    """
    return (1 << (level - 1)) - 1


def list_length(level: int) -> int:
    """Return l_r, the largest length of a list at level r, the sum of C(b_r, j) for j < r.

    Examples
    --------
    >>> [list_length(level) for level in range(1, 7)]
    [1, 2, 7, 64, 1941, 206368]
    """
    depth = tree_depth(level)
    return sum(comb(depth, j) for j in range(level))


@dataclass(frozen=True)
class MergingLevel:
    """The parameters of the histogram of one level and of the merging of its nodes.

    Parameters
    ----------
    cost : Fraction or int
        Privacy cost of the histogram, epsilon for Laplace noise and rho for Gaussian noise.
    delta : Fraction
        Part of delta of the histogram.
    functions : int
        Largest number j_r of released functions that the learner publishes. The last level
        publishes all released functions and ignores this number.
    noise : {"laplace", "gaussian"}
        Noise of the histogram.
    group : int
        Number q of nodes that merge into one node. The last level ignores this number.
    target : int
        Number of ready groups that the test of a draw of groups aims at, for q >= 3.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float.
    """

    cost: Cost
    delta: Delta
    functions: Annotated[int, Option("number of published functions", minimum=1)] = 1
    noise: Noise = "gaussian"
    group: Annotated[int, Option("number of nodes of a group", minimum=2)] = PAIR
    target: Annotated[int, Option("target of ready groups", minimum=0)] = 0

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class MergingParameters:
    """The parameters of the learner `MergingSOA`, level by level.

    **Privacy.** One `StreamParallel` of one-sided thresholds costs epsilon_A. Each level has one
    `ListHistogram`. Each level with groups of three or more nodes has one `AboveThreshold` with
    epsilon_C. A histogram and a test read all their nodes at once (`AtOnce`). `MergingSOA` has the
    proof.

    Parameters
    ----------
    dimension : int
        Dimension d. A mistake bound needs at least the Littlestone dimension of the class.
    rounds : int
        Largest number T of rounds.
    nodes : int
        Number k of nodes of the last level. Level r has k_r nodes, where k_d = k and k_r = q_r
        k_(r+1).
    epsilon : Fraction or int
        Privacy cost epsilon_A of the mistake thresholds.
    margin : int
        Margin a. Each threshold exceeds the needed number of mistakes by a - 1.
    levels : tuple of MergingLevel
        The levels 1, ..., d.
    group_epsilon : Fraction or int
        Privacy cost epsilon_C of a test of groups, positive if a level has groups of three or more
        nodes.
    draws : int
        Largest number w of draws of groups.

    Raises
    ------
    InvalidInput
        If a parameter is out of range or a float, or the number of levels is not d.

    Examples
    --------
    >>> level = MergingLevel(1, Fraction(1, 10**7), noise="laplace")
    >>> parameters = MergingParameters(2, 1000, 100, Fraction(1, 2), 10, (level, level))
    >>> parameters.nodes_at(1), parameters.counter(1).threshold
    (200, 109)
    >>> from learners.accounting import basic
    >>> basic(parameters.privacy)
    (Fraction(5, 2), Fraction(1, 5000000))
    """

    dimension: Annotated[int, Option("dimension", minimum=1, maximum=LARGEST_DIMENSION)]
    rounds: Rounds
    nodes: Annotated[int, Option("number of nodes of the last level", minimum=1)]
    epsilon: EpsilonOrZero
    margin: Annotated[int, Option("margin of the thresholds", minimum=1)]
    levels: tuple[MergingLevel, ...]
    group_epsilon: EpsilonOrZero = Fraction(0)
    draws: Annotated[int, Option("number of draws of groups", minimum=1)] = 1

    def __post_init__(self) -> None:
        check_fields(self)
        set_frozen_fields(self, levels=tuple(self.levels))
        if not self.epsilon:
            raise InvalidInput("The epsilon of the thresholds must be positive. Got 0.")
        if len(self.levels) != self.dimension:
            raise InvalidInput(
                f"With d = {self.dimension} there are {self.dimension} levels. "
                f"Got {len(self.levels)}."
            )
        if self.grouped and not self.group_epsilon:
            raise InvalidInput(
                "A level with groups of 3 or more nodes needs a positive epsilon for its test. "
                "Got 0."
            )

    @cached_property
    def grouped(self) -> tuple[int, ...]:
        """The levels whose groups have three or more nodes."""
        return tuple(r for r, level in enumerate(self.levels[:-1], start=1) if level.group > PAIR)

    def level(self, r: int) -> MergingLevel:
        """Return the parameters of level r, from 1 on."""
        return self.levels[r - 1]

    def nodes_at(self, r: int) -> int:
        """Return k_r, the largest number of nodes of level r."""
        needed = self.nodes
        for level in self.levels[r - 1 : -1]:
            needed *= level.group
        return needed

    def needed(self, r: int) -> int:
        """Return the number of mistakes that a published function of level r needs to be replaced.

        Level 0 is the SOA of the class. The number is k_(r+1) for r < d, because every node of
        level r + 1 needs a mistake. Functions of level d need one mistake, which shows that they
        are not the target.
        """
        return self.nodes_at(r + 1) if r < self.dimension else 1

    def counter(self, r: int) -> OneSidedThreshold:
        """Return the threshold for the mistakes of a published function of level r."""
        return OneSidedThreshold(self.epsilon, self.needed(r) + self.margin - 1)

    @cached_property
    def _counters(self) -> tuple[OneSidedThreshold, ...]:
        return tuple(map(self.counter, range(self.dimension + 1)))

    @cached_property
    def histograms(self) -> tuple[ListHistogram, ...]:
        """The histograms of the levels 1, ..., d."""
        return tuple(
            ListHistogram(list_length(r), level.cost, level.delta, level.noise)
            for r, level in enumerate(self.levels, start=1)
        )

    @property
    def silent(self) -> tuple[int, ...]:
        """The levels whose number of nodes does not exceed the threshold of the histogram.

        A count is at most the number of nodes. So only noise can release a function at such a
        level.
        """
        levels = enumerate(self.histograms, start=1)
        return tuple(r for r, each in levels if self.nodes_at(r) <= each.threshold)

    def group_test(self, r: int) -> AboveThreshold:
        """Return the test of a draw of groups at level r."""
        return AboveThreshold(self.group_epsilon, self.level(r).target)

    @cached_property
    def privacy(self) -> Sequential:
        """The privacy cost of a whole game of `MergingSOA`."""
        waiting = StreamParallel(self.counter(0).privacy, self.rounds)
        released = [AtOnce(each.privacy) for each in self.histograms]
        tests = [AtOnce(self.group_test(r).privacy) for r in self.grouped]
        return Sequential((waiting, *released, *tests))

    def __str__(self) -> str:
        lines = [
            f"{self.dimension} levels, at most {self.rounds} rounds, thresholds with epsilon "
            f"{format_number(self.epsilon, 3)} and margin {self.margin}"
        ]
        for r, level in enumerate(self.levels, start=1):
            published = f", {level.functions} published" if r < self.dimension else ""
            lines.append(
                f"  level {r}: at most {self.nodes_at(r)} version spaces, {level.noise} noise, "
                f"released from a count of {self.histograms[r - 1].threshold}{published}"
            )
        return "\n".join(lines)
