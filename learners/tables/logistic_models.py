"""Models of logistic regression, for two or several classes, in files and in words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Unpack

import numpy as np

from learners.rules.logistic_sharpening import LARGEST
from learners.tables.bayes import BayesModel, CellScores, sigmoid
from learners.tables.class_bayes import ClassBayesModel
from learners.tables.columns import FixedColumns
from learners.tables.models import Holds
from learners.tables.saved import Common, Entries
from lsclasses.errors import InvalidInput

FACTOR = "factor"
"""Name of the entry of the factor in a file."""


def _named(factor: Fraction) -> dict[str, object]:
    return {} if factor == 1 else {FACTOR: float(factor)}


def _said(factor: Fraction) -> str:
    return "" if factor == 1 else f"\n  log-odds: {float(factor):.2f} times the sum"


def _factor_of(data: Entries) -> Fraction:
    given = data.get(FACTOR, 1)
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 < given <= LARGEST:
        raise InvalidInput(
            f"the factor of the scores must be a positive number of at most {LARGEST}. Got "
            f"{given!r:.200}."
        )
    return Fraction(given)


@dataclass(frozen=True)
class LogisticModel(BayesModel):
    """A logistic regression: each cell of a column adds to a score of label 1.

    The log-odds of label 1 are the score, multiplied by `factor`.

    Examples
    --------
    >>> from learners.tables.columns import Cuts
    >>> from learners.tables.logistic import cell_codes, scores_of
    >>> columns = FixedColumns(("age",), (Cuts([40, 60]),))
    >>> scores = scores_of([0, 2], 0, [cell_codes(columns.columns[0])])
    >>> print(LogisticModel(columns, ("low", "high"), "risk", None, scores).text())
    high if the sum of these is at least 0, else low:
      +0.00
      age: -2.00 if age < 40, +0.00 if 40 <= age < 60, +2.00 if age >= 60
    """

    kind = "logistic regression"
    factor: Fraction = Fraction(1)

    def log_odds(self, matrix: np.ndarray) -> np.ndarray:
        """Return the log-odds of label 1 for rows of features, shape (rows,)."""
        return super().log_odds(matrix) * float(self.factor)

    def text(self) -> str:
        """Return the scores in words, and the factor between scores and log-odds."""
        return super().text() + _said(self.factor)

    def details(self) -> dict[str, object]:
        """Return the score and the factor as a mapping, for programs."""
        return {**super().details(), **_named(self.factor)}

    def probabilities(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the class probabilities of the regression, shape (rows, 2)."""
        holds, rows = self._features(table, unknown)
        sums = self.scores.of(self.columns, holds, rows) / self.scores.unit
        return sigmoid(sums * float(self.factor))

    def _rule_json(self) -> dict[str, object]:
        return {**super()._rule_json(), **_named(self.factor)}

    @classmethod
    def _from_rule(
        cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]
    ) -> LogisticModel:
        scores = CellScores.from_json(data["scores"], columns)
        return cls(columns, scores=scores, factor=_factor_of(data), **common)


@dataclass(frozen=True)
class ClassLogisticModel(ClassBayesModel):
    """A logistic regression of several classes: one regression of each class against the rest.

    The model predicts a class with the largest score. The log-odds of a class against the rest are
    its score, multiplied by `factor`. The class probabilities are the probabilities of the
    regressions, divided by their sum.

    Examples
    --------
    >>> from learners.tables.columns import Cuts
    >>> from learners.tables.logistic import cell_codes, scores_of
    >>> from learners.tables.records import as_records
    >>> columns = FixedColumns(("age",), (Cuts([40, 60]),))
    >>> codes = [cell_codes(columns.columns[0])]
    >>> scores = tuple(scores_of(weights, 0, codes) for weights in ([0, -2], [1, 0], [-2, 2]))
    >>> model = ClassLogisticModel(columns, ("low", "mid", "high"), "risk", None, scores)
    >>> model.predict(as_records([{"age": 20}, {"age": 50}]))
    ['low', 'mid']
    >>> model.probabilities(as_records([{"age": 50}])).round(2).tolist()
    [[0.37, 0.54, 0.09]]
    """

    kind = "logistic regression of classes"
    factor: Fraction = Fraction(1)

    def text(self) -> str:
        """Return the scores of each class, and the factor between scores and log-odds."""
        return super().text() + _said(self.factor)

    def details(self) -> dict[str, object]:
        """Return the scores and the factor as a mapping, for programs."""
        return {**super().details(), **_named(self.factor)}

    def probabilities(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the class probabilities of the regressions, shape (rows, classes)."""
        return super().probabilities(table, unknown)

    def log_odds(self, matrix: np.ndarray) -> np.ndarray:
        """Return the log-odds of each class against the rest, shape (rows, classes)."""
        return self._odds(lambda j: np.asarray(matrix[:, j]), len(matrix))

    def _odds(self, holds: Holds, rows: int) -> np.ndarray:
        found: np.ndarray = self._sums(holds, rows) * (float(self.factor) / self.scores[0].unit)
        return found

    def _chances(self, holds: Holds, rows: int) -> np.ndarray:
        odds = self._odds(holds, rows)
        chances = np.column_stack([sigmoid(odds[:, k])[:, 1] for k in range(odds.shape[1])])
        found: np.ndarray = chances / chances.sum(axis=1, keepdims=True)
        return found

    def _rule_json(self) -> dict[str, object]:
        return {**super()._rule_json(), **_named(self.factor)}

    @classmethod
    def _from_rule(
        cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]
    ) -> ClassLogisticModel:
        found = ClassBayesModel._from_rule(data, columns, **common)
        return cls(columns, scores=found.scores, factor=_factor_of(data), **common)
