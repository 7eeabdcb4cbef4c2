"""Models of naive Bayes for several classes: a score for each class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from learners.tables.bayes import CellScores
from learners.tables.columns import FixedColumns
from learners.tables.models import Holds, Model, checked_name, plain
from learners.tables.saved import Common, Entries
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class ClassBayesModel(Model):
    """A naive Bayes model of several classes, which predicts a class with the largest score.

    Each column adds to the score of each class. If several classes have the largest score, the
    model predicts the first of these classes.

    Attributes
    ----------
    scores : tuple of CellScores
        The scores of each class.

    Examples
    --------
    >>> from learners.tables.columns import Cuts
    >>> columns = FixedColumns(("age",), (Cuts([40]),))
    >>> scores = tuple(CellScores(b << 20, ((c << 20, 0),)) for b, c in ((0, 2), (1, 0), (-1, 0)))
    >>> model = ClassBayesModel(columns, ("low", "middle", "high"), "risk", None, scores)
    >>> print(model.text())
    the class with the largest sum of these:
    low:
      +0.00
      age: +2.00 if age < 40, +0.00 if age >= 40
    middle:
      +1.00
    high:
      -1.00
    >>> from learners.tables.records import as_records
    >>> model.predict(as_records([{"age": 20}, {"age": 50}]))
    ['low', 'middle']
    """

    kind = "naive Bayes of classes"
    most_classes = 255
    scores: tuple[CellScores, ...]

    def _sums(self, holds: Holds, rows: int) -> np.ndarray:
        """Return the scores of rows, shape (rows, classes)."""
        return np.column_stack([each.of(self.columns, holds, rows) for each in self.scores])

    def _labels(self, holds: Holds, rows: int) -> np.ndarray:
        found: np.ndarray = self._sums(holds, rows).argmax(axis=1).astype(np.uint8)
        return found

    def on(self, columns: FixedColumns) -> ClassBayesModel:
        """Return the model for other columns."""
        scores = tuple(each.on(columns) for each in self.scores)
        return replace(self, columns=columns, scores=scores)

    def text(self) -> str:
        """Return the scores of each class in words, the most informative columns first."""
        lines = ["the class with the largest sum of these:"]
        for name, scores in zip(self.classes, self.scores, strict=True):
            lines += [f"{name}:", *scores.lines(self.columns)]
        return "\n".join(lines)

    def details(self) -> dict[str, object]:
        """Return the scores of each class as a mapping, for programs."""
        pairs = zip(self.classes, self.scores, strict=True)
        return {
            "scores": [{"class": plain(name), **each.details(self.columns)} for name, each in pairs]
        }

    def probabilities(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the class probabilities of naive Bayes, shape (rows, classes)."""
        return self._chances(*self._features(table, unknown))

    def scores_of(self, matrix: np.ndarray) -> np.ndarray:
        """Return the scores of rows of features as logarithms, shape (rows, classes)."""
        sums = self._sums(lambda j: np.asarray(matrix[:, j]), len(matrix))
        found: np.ndarray = sums / self.scores[0].unit
        return found

    def chances_of(self, matrix: np.ndarray) -> np.ndarray:
        """Return the class probabilities of rows of features, shape (rows, classes)."""
        return self._chances(lambda j: np.asarray(matrix[:, j]), len(matrix))

    def _chances(self, holds: Holds, rows: int) -> np.ndarray:
        sums = self._sums(holds, rows) / self.scores[0].unit
        odds = np.exp(np.maximum(sums - sums.max(axis=1, keepdims=True), -700))
        found: np.ndarray = odds / odds.sum(axis=1, keepdims=True)
        return found

    def to_python(self, function: str = "predict") -> str:
        """Return Python source of a function of a row, a dict from columns' names to entries."""
        lines = [f"def {checked_name(function)}(row):", *self.columns.imports, "    scores = []"]
        for each in self.scores:
            lines += [*each.source(self.columns), "    scores.append(score)"]
        names = [plain(label) for label in self.classes]
        return "\n".join([*lines, f"    return {names!r}[scores.index(max(scores))]", ""])

    def _rule_json(self) -> dict[str, object]:
        return {"scores": [each.to_json() for each in self.scores]}

    @classmethod
    def _from_rule(
        cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]
    ) -> ClassBayesModel:
        given = data["scores"]
        if not isinstance(given, list) or len(given) != len(data["classes"]):
            raise InvalidInput(f"there must be scores for each class. Got {given!r:.200}.")
        scores = tuple(CellScores.from_json(each, columns) for each in given)
        if len({each.unit for each in scores}) > 1:
            raise InvalidInput("the scores of all classes must have one unit. Got several units.")
        return cls(columns, scores=scores, **common)
