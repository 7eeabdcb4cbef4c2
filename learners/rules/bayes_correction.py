r"""Naive Bayes with a correction step, from noisy sums of its residuals in each cell.

Naive Bayes adds up the evidence of each column, so it counts twice the evidence that two columns
share. One Newton step of logistic regression, starting from its scores, removes much of this double
counting. The step needs one more release.

**Mechanism.** A part 1 - s of the budget pays for the counts of `learners.rules.naive_bayes`. They
give public scores z, and for every row x a public probability p(x), a multiple of 1/U that depends
only on the row's cells (`probabilities`: integer arithmetic and a table). A part s pays for noisy
sums: for every column and cell, the sum of the residuals y - p(x) of the rows in the cell, in units
of 1/U.

**Privacy.** For every first release, p is a fixed function of a row, and each residual is an
integer from -U to U. An added or removed row changes one sum of each of c columns by at most U. The
change is at most c U in the sum of absolute values, and at most c U^2 in the sum of squares. A
replaced row changes, in each column, two sums by at most U each or one sum by at most 2 U. The
changes are at most 2 c U and 4 c U^2. The noise is the noise of `learners.mechanisms.count_noise`
for these changes, and for the parts 1 - s and s of one budget. Both noises are Laplace or both are
Gaussian under one rule of composition, so their costs add up to the budget. The proof in that
module allows the second release to depend on the first.

**Post-processing, free of charge.** Let n_k be the noisy number of rows of cell k, g_k its noisy
sum, v the variance of the noise of g_k, and w the information P(1) P(0) of a label. The mean
residual of all rows changes the bias, by a Newton step. The rest of g_k in its cell changes the
cell's score by

    (1/2) f g_k/(w (n_k + `ADDED` sqrt(v)) + 1),   f = max(0, 1 - v/mean of g_k^2),

where f, for each column, is the share of the squares that is not noise. The factor 1/2 is needed
because all columns move at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import exp
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from learners.accounting import ApproximateDP, Event, PureDP, Scope, checked_neighbours
from learners.checked import Delta, Epsilon
from learners.coins import Coins
from learners.mechanisms.count_noise import COMPOSITIONS, CountNoise
from learners.rules.naive_bayes import (
    ADDED,
    SCORE_UNIT,
    NaiveBayes,
    Tables,
    cell_scores,
    label_totals,
)
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_fields

Sums = tuple[tuple[int, ...], ...]
"""Noisy sums of residuals for every column and cell, in units of 1/U with U =
`CorrectedBayes.unit`."""

Scores = tuple[int, tuple[tuple[int, ...], ...]]
"""A bias, and a score for each cell of each column."""

STEPS = 64
"""Number of steps of the probability table for each unit of the logarithm of odds."""

LARGEST = 8
"""Largest log-odds of the table. Larger log-odds get the probability of this number."""


@dataclass(frozen=True)
class CorrectedBayes:
    """Private naive Bayes counts, and sums of residuals by cell. The module has the proof.

    **Guarantee.** (epsilon, delta)-DP, with delta = 0 unless it is given.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of the release.
    columns : int
        Number of columns.
    share : Fraction
        Part of the budget for the sums of residuals, between 0 and 1.
    delta : Fraction, optional
        Delta of the guarantee. Gaussian noise is used if it is smaller than Laplace noise.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    unit : int
        Number U such that residuals are multiples of 1/U.

    Raises
    ------
    InvalidInput
        If a number is out of range, or the relation does not exist.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> cell, labels = np.array([0, 0, 1] * 500), np.array([0, 0, 1] * 500)
    >>> mechanism = CorrectedBayes(1, 2, Fraction(3, 10))
    >>> counts, sums = mechanism.release([cell, cell], [2, 2], labels, SeededCoins(1))
    >>> bias, scores = mechanism.corrected(counts, sums)
    >>> [round((bias + 2 * score) / SCORE_UNIT, 1) for score in scores[0]]
    [-8.8, 7.0]
    """

    epsilon: Epsilon
    columns: Annotated[int, Option("number of columns", minimum=1)]
    share: Annotated[Fraction, Option("share of the correction", above=0)]
    delta: Delta | None = None
    neighbours: str = "replace_one"
    unit: Annotated[int, Option("unit of residuals", minimum=1)] = 256

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)
        if self.share >= 1:
            raise InvalidInput(
                "The correction must leave budget for the counts, so its share must be less than "
                f"1. Got {self.share}."
            )

    @property
    def changes(self) -> int:
        """The largest change of the sums by one row, measured in the l_1 norm."""
        return self.columns * self.unit * (2 if self.neighbours == "replace_one" else 1)

    @property
    def squares(self) -> int:
        """The largest change of the sums by one row, as a sum of squares."""
        return self.columns * self.unit**2 * (4 if self.neighbours == "replace_one" else 1)

    def _both(
        self, delta: Fraction | None, composition: str = "gaussian"
    ) -> tuple[NaiveBayes, CountNoise]:
        counts = NaiveBayes(
            self.epsilon, self.columns, delta, self.neighbours, 1 - self.share, composition
        )
        name = "correction of naive Bayes"
        noise = (self.epsilon, self.changes, delta, self.neighbours, name, self.squares, self.share)
        return counts, CountNoise(*noise, composition)

    @property
    def parts(self) -> tuple[NaiveBayes, CountNoise]:
        """The release of the counts, and the noise of the sums."""
        for composition in COMPOSITIONS if self.delta is not None else ():
            counts, sums = self._both(self.delta, composition)
            other = self._both(self.delta, "zcdp")
            found = counts.noise.variance, sums.variance
            # Both parts need one rule. Each part must have at most the noise that zCDP allows.
            if all(
                each is not None and (old is None or each <= old)
                for each, old in zip(
                    found, (other[0].noise.variance, other[1].variance), strict=True
                )
            ):
                return counts, sums
        return self._both(None)

    @property
    def privacy(self) -> Event:
        """The privacy cost of counts and sums together."""
        name = "corrected naive Bayes"
        if self.delta is None or self.parts[1].variance is None:
            return PureDP(self.epsilon, name=name, scope=Scope.adaptive(self.neighbours))
        return ApproximateDP(
            self.epsilon, self.delta, name=name, scope=Scope.adaptive(self.neighbours)
        )

    def release(
        self,
        cells: Sequence[NDArray[np.integer]],
        sizes: Sequence[int],
        labels: NDArray[Any],
        coins: Coins,
    ) -> tuple[Tables, Sums]:
        """Release the counts, and the sums of the residuals with respect to these counts.

        Parameters
        ----------
        cells, sizes, labels, coins
            Arguments of `NaiveBayes.release`.
        """
        counts = self.parts[0].release(cells, sizes, labels, coins)
        return counts, self.release_sums(
            cells, sizes, labels, self.row_probabilities(counts, cells), coins
        )

    def row_probabilities(
        self, counts: Tables, cells: Sequence[NDArray[np.integer]]
    ) -> NDArray[np.int64]:
        """Return the probability of label 1 for each row, in units of 1/U for U = `unit`.

        The probability depends only on the released counts and on the cells of the row.

        Parameters
        ----------
        counts : tuple
            Released counts.
        cells : sequence of array, each of shape (rows,)
            Cell of each row, for each column.

        Examples
        --------
        >>> mechanism = CorrectedBayes(1, 1, Fraction(1, 2), unit=8)
        >>> mechanism.row_probabilities((((900, 100), (200, 800)),), [np.array([0, 1, 1])])
        array([1, 6, 6])
        """
        bias, scores = cell_scores(counts, self.parts[0].noise.deviation)
        odds = np.full(len(cells[0]), bias, dtype=np.int64)
        for each, column in zip(cells, scores, strict=True):
            odds += np.array(column, dtype=np.int64)[each]
        return self.probabilities(odds)

    def release_sums(
        self,
        cells: Sequence[NDArray[np.integer]],
        sizes: Sequence[int],
        labels: NDArray[Any],
        probabilities: NDArray[np.int64],
        coins: Coins,
    ) -> Sums:
        """Release the noisy sums of the residuals by column and cell.

        Parameters
        ----------
        cells, sizes, labels, coins
            Arguments of `NaiveBayes.release`.
        probabilities : array of integers, shape (rows,)
            Result of `row_probabilities`.
        """
        noise = self.parts[1]
        residuals = self.unit * np.asarray(labels).astype(np.int64) - probabilities
        sums = []
        for each, size in zip(cells, sizes, strict=True):
            found = np.zeros(size, dtype=np.int64)
            np.add.at(found, np.asarray(each), residuals)
            # Python's integers, because noise for a small epsilon exceeds 64 bits.
            drawn = noise.draw(size, coins)
            sums.append(tuple(a + b for a, b in zip(found.tolist(), drawn, strict=True)))
        return tuple(sums)

    def probabilities(self, odds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the probability of label 1, from the score of each row.

        The probability is in units of 1/U for U = `unit`.
        """
        end = LARGEST * STEPS
        places = np.clip(odds // (SCORE_UNIT // STEPS), -end, end) + end
        found: NDArray[np.int64] = _logistic(self.unit)[places]
        return found

    def corrected(self, counts: Tables, sums: Sums) -> Scores:
        """Return the bias and the corrected score of each cell, in units of `SCORE_UNIT`.

        The method uses only released counts and sums.
        """
        counting, noise = self.parts
        bias, scores = cell_scores(counts, counting.noise.deviation)
        zeros, ones = (max(float(total), 1.0) for total in label_totals(counts))
        information = zeros * ones / (zeros + ones) ** 2
        deviation = noise.deviation / self.unit
        missed = [np.array(column, dtype=np.float64) / self.unit for column in sums]
        weights = np.array([1 / len(column) for column in missed])
        total = float(np.dot([column.sum() for column in missed], weights) / weights.sum())
        found = []
        for column, own, residual in zip(counts, scores, missed, strict=True):
            rows = np.maximum(np.array(column, dtype=np.float64).sum(axis=1), 0)
            left = residual - total * rows / max(rows.sum(), 1)
            signal = max(0.0, 1 - deviation**2 / max(float((left**2).mean()), 1e-9))
            step = signal * left / (information * (rows + ADDED * deviation) + 1) / 2
            moved = np.rint(np.clip(step, -LARGEST, LARGEST) * SCORE_UNIT).astype(np.int64)
            found.append(tuple((np.array(own, dtype=np.int64) + moved).tolist()))
        step = total / (information * (zeros + ones) + ADDED * deviation)
        return bias + round(max(min(step, LARGEST), -LARGEST) * SCORE_UNIT), tuple(found)


@cache
def _logistic(unit: int) -> NDArray[np.int64]:
    """Return the probabilities of the scores -8, ..., 8 in steps of 1/64, in units of 1/U."""
    end = LARGEST * STEPS
    return np.array([round(unit / (1 + exp(-k / STEPS))) for k in range(-end, end + 1)], np.int64)
