"""Learners of thresholds as exact tables, their homogeneous sets, and the reduction to families.

The points are 0, ..., n - 1. A *balanced* sample has m increasing points, of which the first m/2
have label 0 and the others label 1 (m is even). So a set of m points determines the sample. Let h
be the hypothesis that a learner A draws from the sample S. Write A_S(x) for the probability that
h(x) = 1. Write ord_S(x) for the number of points of S that are at most x.

A set X' of points is *homogeneous* with tolerance t if numbers p_0, ..., p_m exist such that
|A_S(x) - p_i| <= t for all balanced samples S of points of X', and all other points x of X' with
ord_S(x) = i. On a homogeneous set, the learner depends only on comparisons.

**Reduction.** Fix all points of a sample of X' except the i-th point, which moves through N points
of X' between its neighbours. These N samples pairwise differ in one example. Their output
distributions, as bits h(x) at the N points, are a comparison family (`learners.lower_bounds.gaps`)
with a = p_(i-1) + t and b = p_i - t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb

import numpy as np
from flint import arb

from learners.balls import ball, rational_below
from learners.lower_bounds.gaps import gap_bound
from learners.optimal.sample_learner import OptimalLearner
from lsclasses.errors import InvalidInput, TooLarge

Points = tuple[int, ...]
"""A set of points as an increasing tuple."""
LARGEST = 200_000
"""Largest number of sets of m + 1 points of a search."""


@dataclass(frozen=True)
class ThresholdTable:
    """A learner of thresholds as output distributions for all balanced samples.

    A balanced sample has m increasing points. The first m/2 points have label 0, and the other
    points have label 1. So its points determine the sample.

    Parameters
    ----------
    points : int
        Number n of points.
    rows : int
        Even sample size m.
    hypotheses : tuple of tuple of 0 or 1
        Labels of the possible outputs.
    weights : mapping of tuple of int to tuple of int
        Weight of each hypothesis for the points of each balanced sample.

    Raises
    ------
    InvalidInput
        If the number of rows is odd, or a sample is missing.
    """

    points: int
    rows: int
    hypotheses: tuple[tuple[int, ...], ...]
    weights: Mapping[Points, tuple[int, ...]]

    def __post_init__(self) -> None:
        if self.rows < 2 or self.rows % 2:
            raise InvalidInput(f"The number of rows must be even and at least 2. Got {self.rows}.")
        if len(self.weights) != comb(self.points, self.rows):
            raise InvalidInput(
                f"A table of {self.rows} of {self.points} points needs "
                f"{comb(self.points, self.rows)} samples. Got {len(self.weights)}."
            )

    @classmethod
    def exponential_mechanism(cls, points: int, rows: int, epsilon: Fraction) -> ThresholdTable:
        """Return the exponential mechanism on all thresholds, with the errors as scores.

        A threshold with k errors has a weight of q^-k for a rational q closely below e^(epsilon/2),
        so the mechanism is epsilon-DP for all samples.

        Examples
        --------
        >>> table = ThresholdTable.exponential_mechanism(4, 2, Fraction(1))
        >>> float(table.one((1, 2), 0)), float(table.one((1, 2), 3))
        (0.177..., 0.822...)
        """
        base = rational_below(lambda: ball(epsilon / 2).exp(), 1000)
        concepts = _thresholds(points)

        def weight(concept: Sequence[int], sample: Points) -> int:
            errors = sum(concept[x] != int(2 * i >= rows) for i, x in enumerate(sample))
            return int(base.denominator**errors * base.numerator ** (rows - errors))

        samples = combinations(range(points), rows)
        return cls(
            points, rows, concepts, {s: tuple(weight(c, s) for c in concepts) for s in samples}
        )

    @classmethod
    def of_optimal(cls, learner: OptimalLearner) -> ThresholdTable:
        """Return the table of an optimal private learner of thresholds, for balanced samples.

        Raises
        ------
        InvalidInput
            If some rows of the learner are public, or its users have several rows.
        """
        question = learner.choices.program.question
        if question.public_rows or question.rows_per_user > 1:
            raise InvalidInput(
                "The learner must be private for each single row. Got a learner with "
                f"{question.public_rows} public rows and users of {question.rows_per_user} rows."
            )
        points, rows = question.points, question.rows
        weights = {}
        for sample in combinations(range(points), rows):
            examples = [2 * x + int(2 * i >= rows) for i, x in enumerate(sample)]
            index = int(question.samples.index(np.array([examples], dtype=np.int64))[0])
            weights[sample] = tuple(map(int, learner.choices.table[index, 0].tolist()))
        return cls(points, rows, question.hypotheses, weights)

    @classmethod
    def exposed_median(cls, points: int, rows: int, delta: Fraction) -> ThresholdTable:
        """Return the learner that publishes the sample's own threshold with probability delta.

        Otherwise, the hypothesis is constant, and a fair coin chooses its label. The learner is
        (0, delta)-DP, and all points together are homogeneous with tolerance 0.

        Examples
        --------
        >>> table = ThresholdTable.exposed_median(6, 2, Fraction(1, 100))
        >>> table.tolerance(range(6)), table.divergence(Fraction(1)), table.family(range(6), 2).gap
        (Fraction(0, 1), Fraction(1, 100), Fraction(1, 100))
        """
        concepts = _thresholds(points)
        exposed, total = delta.numerator, delta.denominator

        def weights(sample: Points) -> tuple[int, ...]:
            found = [0] * (points + 1)
            found[0] = found[-1] = total - exposed
            found[sample[rows // 2]] += 2 * exposed
            return tuple(found)

        samples = combinations(range(points), rows)
        return cls(points, rows, concepts, {sample: weights(sample) for sample in samples})

    def divergence(self, ratio: Fraction) -> Fraction:
        """Return the least delta such that the learner is (epsilon, delta)-DP on balanced samples.

        The ratio is e^epsilon. Neighbours differ in one example, so they share all examples with
        label 0 or all examples with label 1.
        """
        half, worst = self.rows // 2, Fraction(0)
        for one, other in product(self.weights, repeat=2):
            moved = len({*one[:half]} - {*other[:half]}), len({*one[half:]} - {*other[half:]})
            if sum(moved) == 1:
                first, second = self.weights[one], self.weights[other]
                share = ratio * Fraction(sum(first), sum(second))
                excess = sum(
                    max(p - share * q, Fraction(0)) for p, q in zip(first, second, strict=True)
                )
                worst = max(worst, Fraction(excess) / sum(first))
        return worst

    def one(self, sample: Points, x: int) -> Fraction:
        """Return A_S(x), the probability that the hypothesis labels a point with 1."""
        weights = self.weights[sample]
        return Fraction(
            sum(w for w, h in zip(weights, self.hypotheses, strict=True) if h[x]), sum(weights)
        )

    def error(self, sample: Points) -> Fraction:
        """Return the expected share of errors on the sample itself."""
        half = self.rows // 2
        errors = [
            self.one(sample, x) if i < half else 1 - self.one(sample, x)
            for i, x in enumerate(sample)
        ]
        return sum(errors, Fraction(0)) / self.rows

    @cached_property
    def profiles(self) -> dict[Points, tuple[Fraction, ...]]:
        """The values A_S(x) for each set of m + 1 points, by the removed point x.

        For the i-th entry, x is the i-th point of the set, and S is the rest of the set. So
        ord_S(x) = i.
        """
        if comb(self.points, self.rows + 1) > LARGEST:
            raise TooLarge(
                f"There are more than {LARGEST:,} sets of {self.rows + 1} points.",
                estimate=comb(self.points, self.rows + 1),
                limit=LARGEST,
            )
        return {
            each: tuple(self.one(each[:i] + each[i + 1 :], x) for i, x in enumerate(each))
            for each in combinations(range(self.points), self.rows + 1)
        }

    def levels(self, points: Sequence[int]) -> tuple[tuple[Fraction, Fraction], ...]:
        """Return the least and the largest A_S(x) on a set of points, for each ord_S(x)."""
        found = [self.profiles[each] for each in combinations(sorted(points), self.rows + 1)]
        if not found:
            raise InvalidInput(f"Levels need at least {self.rows + 1} points. Got {len(points)}.")
        return tuple((min(each), max(each)) for each in zip(*found, strict=True))

    def tolerance(self, points: Sequence[int]) -> Fraction:
        """Return half the largest spread of the profiles of samples from a set of points.

        A set is *homogeneous* with a tolerance if this number is at most the tolerance.
        """
        return max(high - low for low, high in self.levels(points)) / 2

    def largest_homogeneous_set(self, tolerance: Fraction) -> Points:
        """Return a largest homogeneous set with a tolerance, by exhaustive search.

        Every set of m points is homogeneous. Subsets of homogeneous sets are homogeneous, so the
        search drops a set as soon as it exceeds the tolerance.

        Examples
        --------
        >>> table = ThresholdTable.exponential_mechanism(8, 2, Fraction(1))
        >>> [len(table.largest_homogeneous_set(Fraction(1, k))) for k in (4, 10, 100)]
        [6, 4, 3]
        """
        best: Points = tuple(range(min(self.points, self.rows)))
        stack: list[tuple[Points, int]] = [((), 0)]
        while stack:
            kept, following = stack.pop()
            if len(kept) + self.points - following <= len(best):
                continue
            stack.append((kept, following + 1))
            grown = (*kept, following)
            if len(grown) > self.rows and self.tolerance(grown) > tolerance:
                continue
            best = max(best, grown, key=len)
            stack.append((grown, following + 1))
        return best

    def family(self, points: Sequence[int], moved: int) -> MovedFamily:
        """Return the output distributions while one example moves through a set of points.

        Parameters
        ----------
        points : sequence of int
            Homogeneous set X' of more than m points.
        moved : int
            Number i of the moved example, from 1 to m.
        """
        chosen = tuple(sorted(points))
        before, after = chosen[: moved - 1], chosen[len(chosen) - self.rows + moved :]
        between = chosen[moved - 1 : len(chosen) - self.rows + moved]
        outputs = [self._bits((*before, x, *after), between) for x in between]
        return MovedFamily(between, tuple(outputs))

    def _bits(self, sample: Points, between: Points) -> dict[tuple[int, ...], Fraction]:
        """Return the distribution of the labels of some points."""
        weights = self.weights[sample]
        total, found = sum(weights), dict[tuple[int, ...], Fraction]()
        for weight, h in zip(weights, self.hypotheses, strict=True):
            bits = tuple(h[x] for x in between)
            found[bits] = found.get(bits, Fraction(0)) + Fraction(weight, total)
        return found


def _thresholds(points: int) -> tuple[tuple[int, ...], ...]:
    """Return the labels of the n + 1 thresholds."""
    return tuple(tuple(int(x >= i) for x in range(points)) for i in range(points + 1))


@dataclass(frozen=True)
class MovedFamily:
    """The output distributions of a learner while one example moves.

    Attributes
    ----------
    positions : tuple of int
        The points through which the example moves.
    distributions : tuple of dict
        Distribution of the labels of these points, for each position of the example.
    """

    positions: Points
    distributions: tuple[dict[tuple[int, ...], Fraction], ...]

    @property
    def gap(self) -> Fraction:
        """The least P_i[v_j = 1] for j > i minus the largest for j < i."""
        places = range(len(self.positions))
        ones = [
            [sum((p for bits, p in each.items() if bits[j]), Fraction(0)) for j in places]
            for each in self.distributions
        ]
        after = min(ones[i][j] for i in places for j in places if j > i)
        return after - max(ones[i][j] for i in places for j in places if j < i)

    def divergence(self, ratio: Fraction) -> Fraction:
        """Return the least delta for a ratio e^epsilon, over all pairs of distributions."""
        worst = Fraction(0)
        for one, other in product(self.distributions, repeat=2):
            excess = (p - ratio * other.get(bits, Fraction(0)) for bits, p in one.items())
            worst = max(worst, sum((each for each in excess if each > 0), Fraction(0)))
        return worst


def spaced_sample(points: Sequence[int], rows: int) -> Points:
    """Return the balanced sample of the error bound, from a set of at least 2m points.

    A point of the set precedes each example with label 0 directly, and a point of the set follows
    each example with label 1 directly.

    Examples
    --------
    >>> spaced_sample(range(8), 4)
    (1, 3, 4, 6)
    """
    if len(points) < 2 * rows:
        raise InvalidInput(f"The sample needs at least {2 * rows} points. Got {len(points)}.")
    chosen, half = sorted(points), rows // 2
    return tuple(chosen[2 * i + int(i < half)] for i in range(rows))


def error_bound(
    rows: int, positions: int, tolerance: Fraction, epsilon: Fraction, delta: Fraction
) -> arb:
    """Return a lower bound on the expected error on a spaced sample of homogeneous points.

    The set has at least max(2m, N + m - 1) points, where N is the number of positions of the
    family. With the bound G on its gap, the error is at least

        e^-epsilon (1 - 2 t - 2 delta - (m/2 - 1) (G + 2t)) / 2.

    Parameters
    ----------
    rows : int
        Even sample size m.
    positions : int
        Number N of positions, at least 3.
    tolerance : Fraction
        Tolerance t of the homogeneous set.
    epsilon, delta : Fraction
        Privacy of the learner.

    Examples
    --------
    >>> round(float(error_bound(2, 3, Fraction(0), Fraction(1, 10), Fraction(0))), 4)
    0.4524
    """
    gap = gap_bound(positions, epsilon, delta)
    return error_bound_of_gap(rows, gap, tolerance, epsilon, delta)


def error_bound_of_gap(
    rows: int, gap: arb, tolerance: Fraction, epsilon: Fraction, delta: Fraction
) -> arb:
    """Return the error bound for a given bound on the gap of the family."""
    steps = rows // 2 - 1
    left = 1 - ball(2 * tolerance + 2 * delta) - steps * (gap + ball(2 * tolerance))
    return (-ball(epsilon)).exp() * left / 2
