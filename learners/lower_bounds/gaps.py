"""Families of similar distributions with contradictory expectations, and their largest gap.

A *comparison family* with N positions consists of distributions P_1, ..., P_N of bits v_1, ..., v_N
such that for two numbers a < b,

    P_i[v_j = 1] <= a for j < i,   P_i[v_j = 1] >= b for j > i,

and any two of the distributions are (epsilon, delta)-indistinguishable. So the bits of P_i reveal
the position i, although P_i and P_j are similar. The *gap* is b - a. A private learner that depends
only on comparisons contains such a family (`learners.lower_bounds.threshold_tables`). A family with
a positive gap has boundedly many positions. ``docs/lower-bounds.md`` proves these bounds.

**One copy.** Take a binary search tree with L <= (N + 1)/2 leaves. Its leaves are odd positions,
and its comparisons are at even positions. Let D be the least total depth of L leaves. Then the gap
is at most 1 - 2 L (L - 1)(1 - delta) / (D (L - 1 + e^epsilon)). For L = 2, this is the bound of
three positions, (e^epsilon - 1 + 2 delta)/(e^epsilon + 1).

**Many copies.** Majorities of k independent copies are wrong with probability at most
e^(-k gap^2 / 2) and are (k epsilon, k delta)-indistinguishable. So let N >= 2^(d+1) - 1,
k = floor(d ln 2 / epsilon) and k delta <= 1/2. Then the gap is at most sqrt(2 ln(6d) / k).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from flint import arb

from learners import checked
from learners.balls import ball, floor, log
from learners.optimal.frontier import checked_privacy, ratios
from learners.optimal.linear import Array, LinearProgram, over_scale
from lsclasses.errors import InvalidInput, TooLarge

MOST_POSITIONS = 9
"""Largest number of positions. Eleven positions take a minute."""
MIXED = 30
"""Exponent 30 of the share 2^-30 of the uniform distribution, which makes the computed family
private."""
BITS = 50

# ---- bounds


def least_total_depth(leaves: int) -> int:
    """Return the least total depth of a binary tree with a number of leaves.

    Examples
    --------
    >>> [least_total_depth(leaves) for leaves in (1, 2, 3, 4, 5)]
    [0, 2, 5, 8, 12]
    """
    depth = leaves.bit_length() - 1
    return leaves * depth + 2 * (leaves - (1 << depth))


def gap_bound(positions: int, epsilon: Fraction, delta: Fraction) -> arb:
    """Return an upper bound on the gap of comparison families with N positions.

    `ComparisonFamily` defines the gap. The bound uses one copy of a family, and the best number of
    leaves of a search tree.

    Parameters
    ----------
    positions : int
        Number N of positions, at least 3.
    epsilon, delta : Fraction
        Privacy of the family.

    Examples
    --------
    >>> [round(float(gap_bound(n, Fraction(2), Fraction(0))), 4) for n in (3, 5, 7, 15)]
    [0.7616, 0.7444, 0.7112, 0.6757]
    """
    if positions < 3:
        raise InvalidInput(f"A bound on the gap needs at least 3 positions. Got {positions}.")
    best = arb(1)
    for leaves in range(2, (positions + 1) // 2 + 1):
        share = Fraction(2 * leaves * (leaves - 1), least_total_depth(leaves)) * (1 - delta)
        bound = 1 - ball(share) / (leaves - 1 + ball(epsilon).exp())
        best = bound if bound < best else best
    return best


def copies(levels: int, epsilon: Fraction, delta: Fraction) -> int:
    """Return the number k of independent copies in the bound for 2^(d+1) - 1 positions."""
    most = floor(lambda: levels * log(2) / ball(epsilon))
    return min(most, int(1 / (2 * delta))) if delta else most


def gap_bound_of_levels(levels: int, epsilon: Fraction, delta: Fraction) -> arb:
    """Return an upper bound on the gap of comparison families, by many copies of a family.

    The families have 2^(d+1) - 1 positions.

    Parameters
    ----------
    levels : int
        The number d.
    epsilon, delta : Fraction
        Privacy of the family.

    Examples
    --------
    >>> tenth = Fraction(1, 10)
    >>> [round(float(gap_bound_of_levels(10**k, tenth, Fraction(0))), 4) for k in (2, 3, 4)]
    [0.1359, 0.0501, 0.0178]
    """
    k = copies(levels, epsilon, delta)
    if k < 1:
        return arb(1)
    return (2 * log(6 * levels) / k).sqrt()


# ---- exact optimum


@dataclass(frozen=True)
class ComparisonFamily:
    """A comparison family whose probabilities are integers over a common total.

    A comparison family consists of N similar distributions of bits v_1, ..., v_N. For numbers a <
    b, distribution P_i has P_i[v_j = 1] <= a for j < i and P_i[v_j = 1] >= b for j > i. The gap is
    b - a.

    Attributes
    ----------
    positions : int
        Number N of positions.
    weights : tuple of tuple of int
        Weight of each outcome for each distribution. An outcome is a tuple of bits v_2, ...,
        v_(N-1), in lexicographic order, since v_1 and v_N are constant in some best family.
    """

    positions: int
    weights: tuple[tuple[int, ...], ...]

    @property
    def gap(self) -> Fraction:
        """The gap b - a of the family."""
        outcomes = np.array(_outcomes(self.positions), dtype=object)
        table = np.array(self.weights, dtype=object)
        ones = table @ outcomes
        total = int(table[0].sum())
        inner = range(1, self.positions - 1)
        above = [ones[i, j - 1] for j in inner for i in range(self.positions) if i < j]
        below = [ones[i, j - 1] for j in inner for i in range(self.positions) if i > j]
        return Fraction(int(min(above)) - int(max(below)), total)

    def divergence(self, ratio: Fraction) -> Fraction:
        """Return the least delta for a ratio e^epsilon, over all pairs of distributions."""
        table = np.array(self.weights, dtype=object)
        worst = Fraction(0)
        for one in table:
            excess = one * ratio.denominator - table * ratio.numerator
            sums = np.maximum(excess, 0).sum(axis=1)
            worst = max(worst, Fraction(int(sums.max()), ratio.denominator))
        return worst / int(table[0].sum())


@dataclass(frozen=True)
class LargestGap:
    """The largest gap of all private comparison families, between two proved bounds.

    Attributes
    ----------
    lower, upper : Fraction
        Proved bounds on the largest gap.
    family : ComparisonFamily
        Family that attains the lower bound.
    """

    lower: Fraction
    upper: Fraction
    family: ComparisonFamily

    def __str__(self) -> str:
        return f"{float(self.lower):.6f} <= gap <= {float(self.upper):.6f}"


def largest_gap(
    positions: int, epsilon: Fraction | int | str, delta: Fraction | int | str = 0
) -> LargestGap:
    """Return the largest gap of all comparison families, by a linear program.

    Some best family has a = 1 - b. The reason is that reversed positions and flipped bits map a
    family to a family, and a fair coin can choose between the family and its image. The program
    minimises a.

    Parameters
    ----------
    positions : int
        Number N of positions, from 3 to 9.
    epsilon : Fraction or int
        Positive epsilon.
    delta : Fraction or int
        Delta of at least 0 and less than 1.

    Raises
    ------
    InvalidInput
        If a parameter is out of range.
    TooLarge
        If there are more than 9 positions.

    Examples
    --------
    >>> for positions in (3, 5, 7):
    ...     print(positions, largest_gap(positions, 1))
    3 0.462117 <= gap <= 0.462117
    5 0.331689 <= gap <= 0.331689
    7 0.275816 <= gap <= 0.275816
    """
    positions = checked.positive(positions, "number of positions")
    exact, failure = checked_privacy(
        epsilon, delta, infinite="The largest gap is then 1.", zero="The largest gap is then delta."
    )
    if positions < 3:
        raise InvalidInput(f"A family needs at least 3 positions. Got {positions}.")
    if positions > MOST_POSITIONS:
        raise TooLarge(
            f"A family may have at most {MOST_POSITIONS} positions. Got {positions}.",
            estimate=positions,
            limit=MOST_POSITIONS,
        )
    below, above = ratios(exact)
    linear, columns = _program(positions, failure)
    proposal = linear.propose(below)
    multipliers = over_scale(np.maximum(proposal.multipliers, 0))
    least = linear.bound(multipliers, over_scale(proposal.prices), above)
    family = _private(positions, proposal.primal[columns], below, failure)
    return LargestGap(family.gap, min(Fraction(1), 1 - 2 * least), family)


def _outcomes(positions: int) -> list[tuple[int, ...]]:
    return list(product((0, 1), repeat=positions - 2))


def _program(positions: int, delta: Fraction) -> tuple[LinearProgram, Array]:
    """Return the program and the columns of all probabilities, a row for each distribution."""
    linear, outcomes = LinearProgram(), np.array(_outcomes(positions))
    count = len(outcomes)
    columns = linear.new(positions * count).reshape(positions, count)
    sums = linear.equal.new(positions)
    linear.equal.add(sums[:, None], columns)
    linear.totals |= dict.fromkeys(sums.tolist(), 1)
    if delta:
        _add_slacks(linear, columns, delta)
    else:
        hubs = linear.new(count)
        for each in columns:
            over, under = linear.plain.new(count), linear.plain.new(count)
            linear.plain.add(over, hubs)
            linear.plain.add(over, each, -1)
            linear.plain.add(under, each)
            linear.ratio.add(under, hubs, -1)
    worst = linear.new(1)
    for i in range(positions):
        for j in range(1, positions - 1):
            if i != j:
                row = linear.plain.new(1)
                linear.plain.add(row, columns[i][outcomes[:, j - 1] == int(i > j)])
                linear.plain.add(row, worst, -1)
    return linear, columns


def _add_slacks(linear: LinearProgram, columns: Array, delta: Fraction) -> None:
    """Add the excess of each ordered pair of distributions, whose sum is at most delta."""
    for i, one in enumerate(columns):
        for j, other in enumerate(columns):
            if i != j:
                slacks, rows = linear.new(len(one)), linear.plain.new(len(one))
                linear.plain.add(rows, one)
                linear.ratio.add(rows, other, -1)
                linear.plain.add(rows, slacks, -1)
                limit = linear.plain.new(1)
                linear.plain.add(limit, slacks)
                linear.right[int(limit[0])] = delta


def _private(positions: int, shares: Array, ratio: Fraction, delta: Fraction) -> ComparisonFamily:
    """Return a family of indistinguishable distributions near the proposal, in integers."""
    count = shares.shape[1]
    for mixed in (*range(MIXED, 0, -6), 0):
        kept = np.maximum(shares, 0) * (1 - 2.0**-mixed) + 2.0**-mixed / count
        weights = []
        for row in kept / kept.sum(axis=1)[:, None]:
            found = [int(share * 2**BITS) for share in row.tolist()]
            found[int(np.argmax(row))] += 2**BITS - sum(found)
            weights.append(tuple(found))
        family = ComparisonFamily(positions, tuple(weights))
        if family.divergence(ratio) <= delta:
            break
    return family
