"""Logistic regression on the cells of declared columns: features, training and models.

Every cell of a column has a public code, a few integers in units of 1/256 whose sizes add up to at
most 256. The codes of a column of cut points run from -1 to 1 in equal steps. A flag has the codes
-1 and 1. A column of categories has one coordinate for each category (two categories: -1 and 1),
and 0 everywhere for all other entries. A missing value of a column with cut points or of a flag has
a separate coordinate, and the code 0 in the other coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from learners.accounting import Event
from learners.coins import Coins
from learners.rules.logistic_objective import FEATURE_UNIT
from learners.rules.logistic_regression import ObjectivePerturbation
from learners.rules.naive_bayes import SCORE_UNIT
from learners.tables.bayes import BayesModel, CellScores, cells_of
from learners.tables.columns import FixedColumn, FixedColumns, WithMissing
from learners.tables.entries import Neighbours, Person, RowsPerPerson, TableEntry, Trained, Training
from learners.tables.task import TableTask, TrainingData
from lsclasses.numbers import plural
from lsclasses.options import Option

LARGEST_SCORE = 1 << 30
"""Scores of cells are limited to this size, 1024 in logarithms of odds."""

Codes = NDArray[np.int16]
"""Codes of the cells of a column, shape (cells, coordinates), in units of 1/256."""


def cell_codes(column: FixedColumn) -> Codes:
    """Return the codes of the cells of a column.

    Examples
    --------
    >>> from learners.tables.columns import Categories, Cuts
    >>> cell_codes(Cuts([20, 40, 60])).ravel().tolist()
    [-256, -85, 85, 256]
    >>> cell_codes(Categories(["red", "green", "blue"])).tolist()
    [[256, 0, 0], [0, 256, 0], [0, 0, 256], [0, 0, 0]]
    >>> cell_codes(WithMissing(Cuts([20]))).tolist()
    [[-256, 0], [256, 0], [0, 256]]
    """
    if isinstance(column, WithMissing):
        inner = cell_codes(column.column)
        width = inner.shape[1]
        found = np.zeros((len(inner) + 1, width + 1), dtype=np.int16)
        found[:-1, :width], found[-1, width] = inner, FEATURE_UNIT
        return found
    count = column.count
    if column.rising == count or count == 1:
        steps = [round(Fraction(FEATURE_UNIT * (2 * k - count), count)) for k in range(count + 1)]
        return np.array(steps, dtype=np.int16)[:, None]
    if count == 2:
        return np.array([[-FEATURE_UNIT], [FEATURE_UNIT], [0]], dtype=np.int16)
    return FEATURE_UNIT * np.eye(count + 1, count, dtype=np.int16)


def mechanism_for(
    columns: FixedColumns, epsilon: Fraction, neighbours: str, l2: Fraction | None
) -> ObjectivePerturbation:
    """Return the mechanism for the blocks of the columns, after the block of the intercept."""
    blocks = (1, *(cell_codes(column).shape[1] for column in columns.columns))
    return ObjectivePerturbation(epsilon, blocks, neighbours, l2)


def private_logistic(
    data: TrainingData, coins: Coins, *, l2: Fraction | None = None
) -> tuple[CellScores, Event, ObjectivePerturbation]:
    """Learn the scores of cells privately, with the remaining epsilon of the task.

    Parameters
    ----------
    data : TrainingData
    coins : Coins
    l2 : Fraction, optional
        Regularisation. The default is the public rule of the mechanism.
    """
    columns, matrix = data.columns, data.matrix
    mechanism = mechanism_for(columns, data.remaining, data.task.neighbours, l2)
    codes = [cell_codes(column) for column in columns.columns]
    rows = np.full((len(data.labels), mechanism.dimension), FEATURE_UNIT, dtype=np.int16)
    place = 1
    for j, code in enumerate(codes):
        rows[:, place : place + code.shape[1]] = code[cells_of(columns, j, lambda i: matrix[:, i])]
        place += code.shape[1]
    weights = mechanism.fit(rows, data.labels, coins)
    return scores_of(weights, mechanism.weight_bits, codes), mechanism.privacy, mechanism


def scores_of(weights: Sequence[int], bits: int, codes: Sequence[Codes]) -> CellScores:
    """Return the scores of cells for weights in units of 2^-bits. This is post-processing."""

    def rounded(sized: int, unit: int) -> int:
        score = round(Fraction(sized * SCORE_UNIT, unit << bits))
        return max(-LARGEST_SCORE, min(score, LARGEST_SCORE))

    found, place = [], 1
    for code in codes:
        own = weights[place : place + code.shape[1]]
        sums = (sum(a * b for a, b in zip(cell, own, strict=True)) for cell in code.tolist())
        found.append(tuple(rounded(each, FEATURE_UNIT) for each in sums))
        place += code.shape[1]
    return CellScores(rounded(weights[0], 1), tuple(found))


@dataclass(frozen=True)
class LogisticModel(BayesModel):
    """A logistic regression: each cell of a column adds to a score, the log-odds of label 1.

    Examples
    --------
    >>> from learners.tables.columns import Cuts
    >>> columns = FixedColumns(("age",), (Cuts([40, 60]),))
    >>> scores = scores_of([0, 2], 0, [cell_codes(columns.columns[0])])
    >>> print(LogisticModel(columns, ("low", "high"), "risk", None, scores).text())
    high if the sum of these is at least 0, else low:
      +0.00
      age: -2.00 if age < 40, +0.00 if 40 <= age < 60, +2.00 if age >= 60
    """

    kind = "logistic regression"

    def probabilities(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the class probabilities of the regression, shape (rows, 2)."""
        return super().probabilities(table, unknown)


@dataclass(frozen=True, kw_only=True)
class LogisticTraining(Training):
    """A score by `private_logistic`."""

    person: Person = None
    rows_per_person: RowsPerPerson = None
    neighbours: Neighbours = "replace_one"
    l2: Annotated[
        Fraction | None,
        Option(
            "strength of the L2 regularisation, a public number. Choose it without looking at "
            "the rows. The default depends only on epsilon and on the number of columns",
            above=0,
        ),
    ] = None

    def require(self, task: TableTask) -> None:
        """Refuse too many coordinates, or a regularisation that is too small for epsilon."""
        if columns := task.largest_columns:
            mechanism_for(columns, task.remaining, task.neighbours, self.l2)

    def learn(self, data: TrainingData, coins: Coins) -> Trained:
        """Perturb the objective, and compute scores of cells from the released weights."""
        task = data.task
        scores, event, mechanism = private_logistic(data, coins, l2=self.l2)
        guarantee = data.guarantee(event, None, coins)
        model = LogisticModel(data.columns, task.classes, task.target, guarantee, scores)
        return Trained(model, described(mechanism, public_count(data)))


def public_count(data: TrainingData) -> int | None:
    """Return the number of rows if it is public, because rows are replaced."""
    return len(data.labels) if data.task.neighbours == "replace_one" else None


def described(mechanism: ObjectivePerturbation, rows: int | None) -> str:
    """Return the public numbers of the mechanism in words."""
    noise = mechanism.noise_deviation
    text = (
        f"{plural(mechanism.dimension, 'coordinate')}, l2 = {float(mechanism.l2 or 0):.4g}. The "
        f"noise of the gradient has the size of about {noise:.3g} rows in a column of cut points"
    )
    if rows is not None and noise >= rows:
        text += f", which exceeds the signal of all {plural(rows, 'row')}"
    return text


LEARNERS = (
    TableEntry(
        "logistic",
        "a score with one summand for each column, by logistic regression with a perturbed "
        "objective",
        LogisticTraining,
        "A column with cut points counts as a number from -1 to 1. Each category of a column "
        "has a separate weight.",
    ),
)
