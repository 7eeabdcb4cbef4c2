r"""Histograms over public bins, with noisy counts of bins and of groups of bins for large sums.

**Released counts.** Level 0 has a count for each of m bins. With a branching b, b neighbouring
nodes of a level form a node of the next level, as long as the level has more than b nodes. Without
a branching, level 0 is the only level. Every row is in one bin, hence in one node of each of the L
levels. So a replaced row changes 2L counts by 1 each, and an added or removed row changes L counts.
The noise is `CountNoise` for this number.

**Estimates.** The noisy counts contradict each other, because a node is not the sum of its
children. The estimates of the bins have the least sum of squared differences from all noisy counts
[HRMS10]. If the number of rows is public, the estimates add up to this number. As the noises are
independent and have one variance, the estimates are the unbiased linear estimates of least variance
(Gauss and Markov), for all sums of bins. Two passes compute them. The upward pass measures
variances in units of the variance of the noise. A bin of noisy count y has the estimate z = y and
the variance v = 1. A node of noisy count y whose children have the sums s = sum z_c and w = sum v_c
has

    z = (w y + s)/(w + 1),    v = w/(w + 1),

the mean of two independent estimates of one number, weighted by the inverse of their variances.
In the downward pass, a node of final value x gives x_c = z_c + (v_c/w)(x - s) to a child. Both
passes are exact, in fractions.

**Error of a sum of bins.** If the bins were Gaussian with a flat prior, the passes above would
compute conditional means, and the conditional variances equal the variances of the estimates. Given
the value x of a node, the sum P of the requested bins inside it has variance t and mean
a x + const. The pair (a, t) is (1, 0) if all bins of the node are requested and (0, 0) if none of
them is requested. Otherwise the children's values have variances v_c and the sum x, so

    a = sum a_c v_c/w,    t = sum a_c^2 v_c - (sum a_c v_c)^2/w + sum t_c.

At the top, x is either known or has variance w.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import sqrt
from typing import Annotated

import numpy as np

from learners.accounting import Event
from learners.coins import Coins
from learners.mechanisms.count_noise import CountNoise
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import integer, plural
from lsclasses.options import Option, check_fields

Levels = tuple[tuple[int, ...], ...]
"""The noisy counts of all nodes, with the counts of the bins first."""

MOST_BINS = 1 << 16
BRANCHINGS = (None, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Branchings that `CountTree.for_ranges` compares."""
TRIED = 13
"""Number of parts into which `CountTree.for_ranges` divides the bins. Ranges consist of parts."""


@dataclass(frozen=True)
class CountTree:
    """Noisy counts of rows in public bins, and in the nodes of a tree over the bins.

    A node of the tree is a range of consecutive bins. The counts of nodes make the counts of long
    ranges more accurate. The docstring of the module `learners.mechanisms.count_trees` contains the
    proofs.

    **Guarantee.** All counts together are (epsilon, delta)-DP, with delta = 0 unless delta is
    given.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of all counts.
    bins : int
        Number of bins. Every row is in one bin.
    branching : int, optional
        Number of nodes of one level that form a node of the next level. If omitted, only the bins
        are counted.
    delta : Fraction, optional
        Delta of the guarantee. Gaussian noise is used if it is smaller than Laplace noise.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation. With ``replace_one`` the number of rows is public.
    composition : {"gaussian", "zcdp"}
        Rule that calibrates Gaussian noise, see `CountNoise`. ``zcdp`` is the rule of earlier
        versions.

    Raises
    ------
    InvalidInput
        If a number is out of range, or the relation is unknown.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> flat = CountTree(1, 4)
    >>> levels = flat.release([500, 300, 200, 0], SeededCoins(1))
    >>> levels
    ((500, 297, 200, 1),)
    >>> [float(x) for x in flat.estimates(levels, 1000)]
    [500.5, 297.5, 200.5, 1.5]
    >>> tree = CountTree.for_ranges(1, 1024)
    >>> tree.branching, tree.sizes
    (32, (1024, 32))
    >>> [round(each.deviation(100, 612, known=True)) for each in (tree, CountTree(1, 1024))]
    [22, 45]
    """

    epsilon: Fraction
    bins: Annotated[int, Option("number of bins", minimum=1)]
    branching: Annotated[int, Option("branching", minimum=1)] | None = None
    delta: Fraction | None = None
    neighbours: str = "replace_one"
    composition: str = "gaussian"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.bins > MOST_BINS:
            raise InvalidInput(f"A histogram can have at most {MOST_BINS} bins. Got {self.bins}.")
        if self.branching == 1:
            raise InvalidInput("The branching of a tree of counts must be at least 2. Got 1.")
        set_frozen_fields(self, epsilon=self.noise.epsilon, delta=self.noise.delta)

    @classmethod
    def for_ranges(
        cls,
        epsilon: Fraction | int,
        bins: int,
        delta: Fraction | None = None,
        neighbours: str = "replace_one",
    ) -> CountTree:
        """Return the tree with the least mean variance of the estimated counts of ranges of bins.

        The method compares trees with the branchings in `BRANCHINGS` that are less than the number
        of bins. It divides the bins into `TRIED` parts of about equal size, and computes the mean
        variance over all ranges that consist of whole parts. The choice depends on public numbers
        only.
        """
        known = neighbours == "replace_one"
        made = [
            cls(epsilon, bins, branching, delta, neighbours)  # type: ignore[arg-type]
            for branching in BRANCHINGS
            if branching is None or branching < bins
        ]
        ends = sorted({round(bins * place / TRIED) for place in range(TRIED + 1)})

        def cost(tree: CountTree) -> float:
            return sum(tree.deviation(*pair, known=known) ** 2 for pair in combinations(ends, 2))

        return min(made, key=cost)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of nodes of each level."""
        found = [self.bins]
        while self.branching is not None and found[-1] > self.branching:
            found.append(-(-found[-1] // self.branching))
        return tuple(found)

    @property
    def changes(self) -> int:
        """The largest number of counts that one row changes. Each count changes by 1."""
        return len(self.sizes) * (2 if self.neighbours == "replace_one" else 1)

    @property
    def noise(self) -> CountNoise:
        """The noise of every count."""
        return CountNoise(
            self.epsilon,
            self.changes,
            self.delta,
            self.neighbours,
            "histogram",
            composition=self.composition,
        )

    @property
    def privacy(self) -> Event:
        """The privacy cost of all counts."""
        return self.noise.privacy

    def release(self, counts: Sequence[int], coins: Coins) -> Levels:
        """Return noisy counts of all nodes, level by level, with the bins first.

        Parameters
        ----------
        counts : sequence of int
            Number of rows in each bin.
        coins : Coins
            Source of the random draws.

        Raises
        ------
        InvalidInput
            If the number of counts differs from the number of bins.
        """
        if len(counts) != self.bins:
            raise InvalidInput(f"Expected one count for each of {self.bins} bins. Got {counts!r}.")
        levels = [[integer(count, "count") for count in counts]]
        for size in self.sizes[1:]:
            levels.append([sum(levels[-1][slice(*self._children(i))]) for i in range(size)])
        noise = iter(self.noise.draw(sum(self.sizes), coins))
        return tuple(tuple(count + next(noise) for count in level) for level in levels)

    def require(self, levels: Levels) -> None:
        """Check that given noisy counts have the numbers of levels and nodes of this tree.

        Raises
        ------
        InvalidInput
            If a level is missing, or the number of counts of a level is wrong.
        """
        if tuple(map(len, levels)) != self.sizes:
            raise InvalidInput(
                f"This tree has {plural(len(self.sizes), 'level')} of {self.sizes} nodes. "
                f"Got counts for {tuple(map(len, levels))} nodes."
            )

    def _children(self, node: int) -> tuple[int, int]:
        """Return the first child of a node in the level below, and the end of its children."""
        assert self.branching is not None
        return node * self.branching, (node + 1) * self.branching

    # ---- estimates

    def estimates(self, levels: Levels, rows: int | None = None) -> tuple[Fraction, ...]:
        """Return least-squares estimates of the numbers of rows in all bins, from the noisy counts.

        If the number of all rows is given, the estimates add up to this number.

        Raises
        ------
        InvalidInput
            If the counts do not match the nodes of this tree.
        """
        self.require(levels)
        found = [[(Fraction(count), Fraction(1)) for count in levels[0]]]
        for level in levels[1:]:
            above = []
            for node, count in enumerate(level):
                s, w = _sums(found[-1][slice(*self._children(node))])
                above.append(((w * count + s) / (w + 1), w / (w + 1)))
            found.append(above)
        top = _sums(found[-1])[0] if rows is None else Fraction(rows)
        values = _left(found[-1], top)
        for below in reversed(found[:-1]):
            values = [
                child
                for node, value in enumerate(values)
                for child in _left(below[slice(*self._children(node))], value)
            ]
        return tuple(values)

    @cached_property
    def _variances(self) -> list[np.ndarray]:
        """The variance v of each node of each level, in units of the variance of the noise."""
        found = [np.ones(self.bins)]
        for size in self.sizes[1:]:
            starts = [self._children(node)[0] for node in range(size)]
            w = np.add.reduceat(found[-1], starts)
            found.append(w / (w + 1))
        return found

    def deviation(self, first: int, end: int, *, known: bool) -> float:
        """Return the standard deviation of the estimated number of rows in a range of bins.

        Parameters
        ----------
        first, end : int
            First bin of the range, and the bin after its last bin.
        known : bool
            Whether the estimates are adjusted to a known number of all rows.
        """
        top = len(self.sizes) - 1
        a, t = self._conditional(top, 0, self.sizes[top], (first, end))
        free = 0.0 if known else a * a * float(self._variances[top].sum())
        return self.noise.deviation * sqrt(max(t + free, 0.0))

    def _conditional(
        self, level: int, start: int, stop: int, asked: tuple[int, int]
    ) -> tuple[float, float]:
        """Return (a, t): how the sum of the requested bins depends on the sum of these nodes."""
        width = 1 if self.branching is None else self.branching**level
        low = width * np.arange(start, stop)
        high = np.minimum(low + width, self.bins)
        first, end = asked
        held = ((first <= low) & (high <= end)).astype(np.float64)
        t = 0.0
        for i in np.flatnonzero((held == 0) & (low < end) & (first < high)).tolist():
            begin, stop_below = self._children(start + i)
            below = begin, min(stop_below, self.sizes[level - 1])
            held[i], rest = self._conditional(level - 1, *below, asked)
            t += rest
        v = self._variances[level][start:stop]
        weighted, w = float(held @ v), float(v.sum())
        return weighted / w, t + float(held**2 @ v) - weighted**2 / w


def _sums(parts: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    return sum((z for z, _ in parts), Fraction(0)), sum((v for _, v in parts), Fraction(0))


def _left(parts: Sequence[tuple[Fraction, Fraction]], value: Fraction) -> list[Fraction]:
    """Return the values of children that add up to a value."""
    s, w = _sums(parts)
    return [z + v / w * (value - s) for z, v in parts]
