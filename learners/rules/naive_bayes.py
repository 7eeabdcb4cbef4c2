r"""Naive Bayes from noisy counts: one histogram for each column and label, released with noise.

Every row is in one cell of each of c columns (`learners.tables.columns`: an interval between two
cut points, or a category). For every column, cell and label, the mechanism releases the number of
rows with noise. A replaced row changes each histogram in at most two places, by 1 each. So c
columns change in total by 2c in the sum of absolute values, and by 2c in the sum of squares. An
added or removed row changes one place of each histogram: c and c. These numbers do not depend on
the number of labels, because a row has one label, so one release covers every number of classes.

The noise is the noise of `learners.mechanisms.count_noise`, which has the proof, for this number of
changes: discrete Laplace noise, or with a delta discrete Gaussian noise, whose variance is less
once c > epsilon^2/(4 mu^2), about five columns at epsilon = 1 and delta = 10^-6, where mu-GDP
implies (epsilon, delta).

All other numbers are computed from the release and have no privacy cost. The share of a label among
all rows is computed from the sums of its histograms, each weighted by the inverse of its variance
(its number of cells). Counts below 0 become 0. Every cell gets additional rows with labels in these
shares, as many as `ADDED` standard deviations of the noise. So a cell with no more rows than the
noise contributes almost no evidence, instead of the noise. The score of a row is

    z(x) = ln P(1)/P(0) + sum_j (ln P(1 | cell_j(x))/P(0 | cell_j(x)) - ln P(1)/P(0)),

where each summand is rounded to a multiple of 2^-20. So z(x) is a sum of integers, which does not
depend on the other rows or on their order. With more than two labels, label k has the score

    z_k(x) = ln P(k) + sum_j (ln P(k | cell_j(x)) - ln P(k)),

and the prediction is a label with the largest score. For two labels, z = z_1 - z_0. Floating point
is used only once, to compute the table of summands from public numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from learners.accounting import Event, checked_neighbours
from learners.checked import Delta, Epsilon
from learners.mechanisms.count_noise import CountNoise
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural
from lsclasses.options import Option, check_fields

if TYPE_CHECKING:
    from learners.coins import Coins

SCORE_UNIT = 1 << 20
"""Integer score that represents a logarithm of 1."""

ADDED = 3
"""Number of standard deviations of the noise that each cell gets as rows, besides two rows."""

Tables = tuple[tuple[tuple[int, ...], ...], ...]
"""Noisy numbers of rows of each label, for every column and cell."""


@dataclass(frozen=True)
class NaiveBayes:
    """Private naive Bayes counts, the noisy numbers of rows by label and cell of every column.

    **Guarantee.** (epsilon, delta)-DP, with delta = 0 unless it is given. The proof is in the
    module's docstring.

    Parameters
    ----------
    epsilon : Fraction or int
        Epsilon of the guarantee.
    columns : int
        Number of columns.
    delta : Fraction, optional
        Delta of the guarantee. Gaussian noise is used if it is smaller than Laplace noise.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    classes : int
        Number of labels.

    Raises
    ------
    InvalidInput
        If a number is out of range, or the relation does not exist.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> cells, labels = [np.array([0, 0, 1] * 500)], np.array([0, 0, 1] * 500)
    >>> mechanism = NaiveBayes(1, 1)
    >>> tables = mechanism.release(cells, [2], labels, SeededCoins(1))
    >>> tables
    (((1000, -3), (0, 501)),)
    >>> bias, scores = cell_scores(tables, mechanism.noise.deviation)
    >>> [round((bias + score) / SCORE_UNIT, 1) for score in scores[0]]
    [-5.7, 4.3]
    """

    epsilon: Epsilon
    columns: Annotated[int, Option("number of columns", minimum=1)]
    delta: Delta | None = None
    neighbours: str = "replace_one"
    classes: Annotated[int, Option("number of labels", minimum=2)] = 2

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @property
    def changes(self) -> int:
        """The largest number of counts that one row changes, each by 1."""
        return self.columns * (2 if self.neighbours == "replace_one" else 1)

    @property
    def noise(self) -> CountNoise:
        """The noise of every count."""
        return CountNoise(self.epsilon, self.changes, self.delta, self.neighbours, "naive Bayes")

    @property
    def privacy(self) -> Event:
        """The privacy cost of the counts."""
        return self.noise.privacy

    def release(
        self,
        cells: Sequence[NDArray[np.integer]],
        sizes: Sequence[int],
        labels: NDArray[np.integer],
        coins: Coins,
    ) -> Tables:
        """Release the noisy counts.

        Parameters
        ----------
        cells : sequence of array, each of shape (rows,)
            Cells of the rows, for each column.
        sizes : sequence of int
            Number of cells of each column.
        labels : array of int, shape (rows,)
            Labels, from 0 to `classes` - 1.
        coins : Coins
            Source of the random noise.

        Raises
        ------
        InvalidInput
            If the number of columns differs from the number of the privacy cost, a column does not
            have one cell per row, or a label does not exist.
        """
        if not len(cells) == len(sizes) == self.columns:
            raise InvalidInput(
                f"The noise is for {plural(self.columns, 'column')}. "
                f"Got {plural(len(cells), 'column')} and {plural(len(sizes), 'size')}."
            )
        ones = np.asarray(labels).astype(np.int64)
        if ones.ndim != 1 or any(np.shape(each) != ones.shape for each in cells):
            raise InvalidInput(
                "Every row must have one label, and one cell in each column. Got labels of shape "
                f"{ones.shape} and cells of shapes {[np.shape(each) for each in cells][:5]}."
            )
        kinds = self.classes
        if not np.isin(ones, range(kinds)).all():
            known = "0 and 1" if kinds == 2 else f"from 0 to {kinds - 1}"
            raise InvalidInput(f"Labels must be {known}. Got {np.unique(ones)[:5]}.")
        counts = [
            np.bincount(kinds * np.asarray(each, dtype=np.int64) + ones, minlength=kinds * size)
            for each, size in zip(cells, sizes, strict=True)
        ]
        if any(len(found) > kinds * size for found, size in zip(counts, sizes, strict=True)):
            raise InvalidInput("A cell of a row must be a cell of its column.")
        total = kinds * sum(sizes)
        noise = self.noise.draw(total, coins)
        # Python's integers, because noise for a small epsilon exceeds 64 bits.
        exact = np.concatenate(counts).tolist()
        noisy = iter([count + drawn for count, drawn in zip(exact, noise, strict=True)])
        return tuple(
            tuple(tuple(next(noisy) for _ in range(kinds)) for _ in range(size)) for size in sizes
        )


def cell_scores(tables: Tables, deviation: float) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return the bias and the score of each cell of each column, in units of `SCORE_UNIT`.

    The function uses only released counts and the standard deviation of their noise.
    """
    totals = label_totals(tables)
    added = ADDED * deviation + 2
    scores = tuple(
        tuple(_rounded(_score(zero, one, totals, added)) for zero, one in column)
        for column in tables
    )
    return _rounded(_odds(totals)), scores


def cell_noise(tables: Tables, noise: CountNoise) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return the distances of `cell_scores` from the scores of the true counts, in units.

    Each distance holds separately, in 95 % of draws. The two counts of a cell, and the two totals,
    are within the radii of their noise except with probability 1/80 each, so by the union bound all
    four hold in 95 of 100 draws. The score of a cell, ln (one + m P(1))/(zero + m P(0)) - ln
    P(1)/P(0) with m rows added, is monotone in each: it decreases in P(1) = 1 - P(0), because
    one/(one + m P(1)) and zero/(zero + m P(0)) are not negative. So its largest and least value
    over this box are at two corners. The function uses only released counts.
    """
    weight = sum((Fraction(1, len(column)) for column in tables), Fraction(0))
    rare = Fraction(1, 80 * len(tables))
    radii = (noise.radius(len(column), rare) / (len(column) * weight) for column in tables)
    stray = sum(radii, Fraction(0))
    radius = noise.radius(1, Fraction(1, 80))
    zeros, ones = label_totals(tables)
    bias, scores = cell_scores(tables, noise.deviation)
    added = ADDED * noise.deviation + 2
    corners = [(sign, (zeros - stray * sign, ones + stray * sign)) for sign in (1, -1)]
    found = tuple(
        tuple(
            max(
                abs(_rounded(_score(zero + sign * radius, one - sign * radius, end, added)) - score)
                for sign, end in corners
            )
            for (zero, one), score in zip(column, own, strict=True)
        )
        for column, own in zip(tables, scores, strict=True)
    )
    return max(abs(_rounded(_odds(end)) - bias) for _, end in corners), found


def class_scores(
    tables: Tables, deviation: float
) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """Return the scores of all rows and of cells for each label, in units of `SCORE_UNIT`.

    The function uses only released counts and the standard deviation of their noise. The module
    defines the scores.

    Examples
    --------
    >>> for bias, cells in class_scores((((60, 0, 0), (0, 30, 30)),), 0.0):
    ...     print([round(score / SCORE_UNIT, 2) for score in (bias, *cells[0])])
    [-0.7, 0.68, -3.04]
    [-1.38, -3.04, 0.66]
    [-1.38, -3.04, 0.66]
    """
    kinds = len(tables[0][0])
    totals = [max(total, Fraction(0)) + 1 for total in _totals(tables, range(kinds))]
    shares = [float(total / sum(totals)) for total in totals]
    added = ADDED * deviation + kinds

    def scores(cell: tuple[int, ...]) -> list[int]:
        counts = [max(count, 0) + added * share for count, share in zip(cell, shares, strict=True)]
        whole = sum(counts)
        pairs = zip(counts, shares, strict=True)
        return [_rounded(log(count / whole) - log(share)) for count, share in pairs]

    found = [[scores(cell) for cell in column] for column in tables]
    return tuple(
        (_rounded(log(share)), tuple(tuple(cell[k] for cell in column) for column in found))
        for k, share in enumerate(shares)
    )


Totals = tuple[Fraction, Fraction]
"""Noisy numbers of all rows of label 0 and 1."""


def label_totals(tables: Tables) -> Totals:
    """Return the noisy numbers of all rows of label 0 and 1, from all columns."""
    zeros, ones = _totals(tables, range(2))
    return zeros, ones


def _totals(tables: Tables, labels: range) -> list[Fraction]:
    """Return the noisy numbers of all rows by label, from all columns.

    Each column's sums are weighted by the inverse of their variance.
    """
    parts = [Fraction(1, len(column)) for column in tables]

    def total(label: int) -> Fraction:
        sums = (sum(cell[label] for cell in column) for column in tables)
        each = (part * found for part, found in zip(parts, sums, strict=True))
        return sum(each, Fraction(0)) / sum(parts)

    return [total(label) for label in labels]


def _odds(totals: Totals) -> float:
    """Return the logarithm of the odds of label 1 among all rows."""
    zeros, ones = (float(max(total, Fraction(0))) + 1 for total in totals)
    return log(ones / zeros)


def _score(zero: int, one: int, totals: Totals, added: float) -> float:
    """Return the difference of a cell's log-odds and the log-odds of all rows."""
    odds = _odds(totals)
    share = 1 / (1 + exp(-odds))
    # Large noise can make the odds so large that 1 - share would be 0.
    rest = 1 - share if share < 1 else 1 / (1 + exp(odds))
    return log((max(one, 0) + added * share) / (max(zero, 0) + added * rest)) - odds


def _rounded(logarithm: float) -> int:
    return round(logarithm * SCORE_UNIT)
