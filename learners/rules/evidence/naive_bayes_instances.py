"""Small instances of `learners.rules.naive_bayes` and its correction for their audits."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    Margin,
    Run,
    clipped,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.exact import CensoredCoins, Stepwise
from learners.rules.bayes_correction import CorrectedBayes
from learners.rules.naive_bayes import NaiveBayes, Tables
from lsclasses.specifications import Option

Row = tuple[int, ...]
"""The cell of a row in each column, and the label of the row."""

FAR = "far"
"""The answer if a noisy count is out of the range that is shown."""

Columns = Annotated[int, Option("columns of the table", minimum=1, maximum=3)]
Cells = Annotated[int, Option("cells of the first column", minimum=1, maximum=2)]
Share = Annotated[
    Fraction, Option("part of epsilon for the sums of residuals", minimum=Fraction(1, 10))
]
Unit = Annotated[int, Option("residuals are multiples of 1/unit", minimum=1, maximum=4)]
OtherCells = Annotated[int, Option("cells of each other column", minimum=1, maximum=2)]


def _counts(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(0),
    columns: Columns = 2,
    cells: Cells = 2,
    others: OtherCells = 1,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=4)] = 1,
    margin: Margin = 0,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of a small size, with noisy counts clipped to a range.

    The range contains all possible counts and a margin on both sides. Clipping is post-processing.
    For independent Laplace noise, clipping does not reduce the loss between two tables: beyond the
    range of the true counts, the loss is constant. For Gaussian noise, and for noise that several
    counts share, clipping may reduce the loss.
    """
    mechanism = NaiveBayes(epsilon, columns, delta or None, neighbours=relation(add_remove))
    sizes = (cells, *(others,) * (columns - 1))

    def release(learner: NaiveBayes) -> Callable[[tuple[Row, ...], Coins], Tables]:
        def run(data: tuple[Row, ...], coins: Coins) -> Tables:
            places, labels = _arrays(data, columns)
            noisy = CensoredCoins(coins, rows + margin)
            found = learner.release(places, sizes, labels, noisy)
            tables: Tables = clipped(found, -margin, rows + margin)
            return tables

        return run

    return Instance(mechanism, release, _tables(sizes, rows, mechanism.neighbours))


def _gaussian_counts(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 20),
    columns: Columns = 2,
    cells: Cells = 1,
    others: OtherCells = 1,
    margin: Margin = 2,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables with one row, with a delta that allows discrete Gaussian noise."""
    return _counts(
        epsilon=epsilon,
        delta=delta,
        columns=columns,
        cells=cells,
        others=others,
        margin=margin,
        add_remove=add_remove,
    )


@dataclass(frozen=True)
class _Corrected:
    """Release of `CorrectedBayes` in two steps: counts, and then sums of residuals.

    The first answer has the clipped counts, and the probability of label 1 for every possible row.
    If a count is out of range, then the first answer is `FAR`, and the run ends. Both is
    post-processing. The second step reads only the probabilities, so they are the state. Both steps
    read one table, which no release comes between.
    """

    at_once = True

    mechanism: CorrectedBayes
    sizes: tuple[int, ...]
    rows: int
    margin: int
    known: dict[Tables, tuple[int, ...]] = field(default_factory=dict, compare=False)

    @property
    def kinds(self) -> list[Row]:
        """The cells that a row can have, one for each column."""
        return list(product(*map(range, self.sizes)))

    def start(self, coins: Coins) -> Any:
        """The state before the counts."""
        return ()

    def answer(self, state: Any, item: tuple[Row, ...], coins: Coins) -> tuple[Any, Hashable]:
        """The next state, and the counts or sums."""
        return self._sums(state, item, coins) if state else self._counts(item, coins)

    def _counts(self, item: tuple[Row, ...], coins: Coins) -> tuple[Any, Hashable]:
        places, labels = _arrays(item, len(self.sizes))
        least, most = -self.margin, self.rows + self.margin
        # Noise at the reach moves every possible count out of range, as all noise beyond it does.
        noisy = CensoredCoins(coins, most + 1)
        counts = self.mechanism.parts[0].release(places, self.sizes, labels, noisy)
        if clipped(counts, least, most) != counts:
            return None, FAR
        if counts not in self.known:
            every = list(np.array(self.kinds, dtype=int).T)
            found = self.mechanism.row_probabilities(counts, every)
            self.known[counts] = tuple(found.tolist())
        return self.known[counts], (counts, self.known[counts])

    def _sums(self, state: Any, item: tuple[Row, ...], coins: Coins) -> tuple[Any, Hashable]:
        learner, (places, labels) = self.mechanism, _arrays(item, len(self.sizes))
        table = dict(zip(self.kinds, state, strict=True))
        probabilities = np.array([table[row[:-1]] for row in item], dtype=np.int64)
        most = self.rows * learner.unit
        noisy = CensoredCoins(coins, 2 * most + self.margin)
        sums = learner.release_sums(places, self.sizes, labels, probabilities, noisy)
        return state, clipped(sums, -most - self.margin, most + self.margin)


def _corrected(
    *,
    epsilon: ClaimedEpsilon = Fraction(12),
    delta: ClaimedDelta = Fraction(0),
    share: Share = Fraction(2, 5),
    unit: Unit = 1,
    columns: Columns = 1,
    cells: Cells = 2,
    others: OtherCells = 1,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=2)] = 1,
    margin: Margin = 0,
    add_remove: AddRemove = False,
) -> Instance:
    """All neighbouring tables of a small size, with counts and clipped sums of residuals.

    A row that moves to the other cell and has the other label changes two sums by U each, if the
    counts predict each of the two rows wrongly and with certainty.
    """
    mechanism = CorrectedBayes(epsilon, columns, share, delta or None, relation(add_remove), unit)
    sizes = (cells, *(others,) * (columns - 1))

    def release(learner: CorrectedBayes) -> Run:
        return Stepwise(_Corrected(learner, sizes, rows, margin))

    tables = _tables(sizes, rows, mechanism.neighbours)
    return Instance(mechanism, release, tuple(((a, a), (b, b)) for a, b in tables))


def _gaussian_corrected(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 10),
    share: Share = Fraction(1, 2),
    unit: Unit = 1,
    columns: Columns = 1,
    cells: Cells = 1,
    others: OtherCells = 1,
    rows: Annotated[int, Option("rows of the table", minimum=1, maximum=2)] = 1,
    margin: Margin = 4,
    add_remove: AddRemove = True,
) -> Instance:
    """All neighbouring tables of a small size, with a delta that allows discrete Gaussian noise.

    A row is added, because one added row changes one sum by U, which is all that the noise is for.
    """
    return _corrected(
        epsilon=epsilon,
        delta=delta,
        share=share,
        unit=unit,
        columns=columns,
        cells=cells,
        others=others,
        rows=rows,
        margin=margin,
        add_remove=add_remove,
    )


def _arrays(data: tuple[Row, ...], columns: int) -> tuple[list[NDArray[Any]], NDArray[Any]]:
    """The cells of each column, and the labels."""
    table = np.array(data, dtype=int).reshape(len(data), columns + 1)
    return list(table.T[:-1]), table[:, -1]


def _tables(sizes: tuple[int, ...], rows: int, neighbours: str) -> Any:
    """All neighbouring tables with these numbers of cells."""
    return neighbouring_tables(list(product(*map(range, sizes), (0, 1))), rows, neighbours)


AUDITS = (
    AuditEntry(
        "naive_bayes",
        "noisy counts of every column, cell and label; rows replaced, or added",
        _counts,
    ),
    AuditEntry(
        "naive_bayes_gaussian",
        "the same counts with discrete Gaussian noise",
        _gaussian_counts,
    ),
    AuditEntry(
        "corrected_naive_bayes",
        "naive Bayes counts, and sums of the residuals that they leave; rows replaced, or added",
        _corrected,
    ),
    AuditEntry(
        "corrected_naive_bayes_gaussian",
        "the same counts and sums with discrete Gaussian noise; rows added",
        _gaussian_corrected,
        measured=Fraction(141, 100),
        reason="zCDP gives a larger epsilon than the noise loses at this delta",
    ),
)
