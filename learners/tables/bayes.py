"""Naive Bayes as a model in a file, and as a scikit-learn classifier's score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Unpack

import numpy as np

from learners.numbers import integer
from learners.rules.naive_bayes import SCORE_UNIT
from learners.tables.columns import FixedColumns, shown
from learners.tables.models import WEIGHT_LIMIT, Holds, Model, checked_name, plain
from learners.tables.saved import Common, Entries
from lsclasses.errors import InvalidInput


def places_of(columns: FixedColumns) -> list[range]:
    """The features of each column."""
    ends = np.cumsum([0, *(column.count for column in columns.columns)]).tolist()
    return [range(start, end) for start, end in pairwise(ends)]


def cells_of(columns: FixedColumns, j: int, holds: Holds) -> np.ndarray:
    """The cells of rows in column j, shape (rows,)."""
    place = places_of(columns)[j]
    return columns.columns[j].cells(np.stack([holds(feature) for feature in place], axis=1))


@dataclass(frozen=True)
class CellScores:
    """A score of rows: an integer for each cell of each column, and a bias.

    Attributes
    ----------
    bias : int
    cells : tuple of tuple of int
        In units of `learners.rules.naive_bayes.SCORE_UNIT`.
    """

    bias: int
    cells: tuple[tuple[int, ...], ...]

    def of(self, columns: FixedColumns, holds: Holds, rows: int) -> np.ndarray:
        """The scores of rows, shape (rows,): integer sums that depend on one row each."""
        found = np.full(rows, self.bias, dtype=np.int64)
        for j, scores in enumerate(self.cells):
            if any(scores):
                found += np.array(scores, dtype=np.int64)[cells_of(columns, j, holds)]
        return found

    def on(self, columns: FixedColumns) -> CellScores:
        """The scores by the cells of other columns, which replace a flag for each feature.

        Examples
        --------
        >>> from learners.tables.columns import Cuts
        >>> flags = CellScores(5, ((0, 1), (0, 10)))
        >>> flags.on(FixedColumns(("age",), (Cuts([40, 60]),)))
        CellScores(bias=5, cells=((0, 1, 11),))
        """
        return CellScores(
            self.bias,
            tuple(
                tuple(
                    sum(
                        self.cells[feature][cell in column.holding(index)]
                        for index, feature in enumerate(place)
                    )
                    for cell in range(column.count + 1)
                )
                for column, place in zip(columns.columns, places_of(columns), strict=True)
            ),
        )

    def source(self, columns: FixedColumns) -> list[str]:
        """Lines of Python that compute the score of the dict ``row``."""
        lines = [f"    score = {self.bias}"]
        for name, column, scores in zip(columns.names, columns.columns, self.cells, strict=True):
            groups = _groups(scores)
            for i, (score, cells) in enumerate(groups.items()):
                if len(groups) == 1:
                    lines.append(f"    score += {score}")
                elif i == len(groups) - 1:
                    lines += ["    else:", f"        score += {score}"]
                else:
                    test = column.source_cells(name, frozenset(cells))
                    lines += [
                        f"    {'el' if i else ''}if {test}:",
                        f"        score += {score}",
                    ]
        return lines

    def to_json(self) -> dict[str, object]:
        """Write the scores for `from_json`."""
        return {"bias": self.bias, "cells": [list(scores) for scores in self.cells]}

    @classmethod
    def from_json(cls, data: object, columns: FixedColumns) -> CellScores:
        """Read the scores that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If there is not an integer for every cell of every column, or they are too large.
        """
        if not isinstance(data, dict) or set(data) != {"bias", "cells"}:
            raise InvalidInput('a score has a "bias" and "cells".')
        bias = integer(data["bias"], "bias")
        cells = tuple(
            tuple(integer(score, "score") for score in _listed(scores))
            for scores in _listed(data["cells"])
        )
        wanted = [column.count + 1 for column in columns.columns]
        if [len(scores) for scores in cells] != wanted:
            raise InvalidInput(
                f"there must be a score for every cell, {wanted}. Got "
                f"{[len(scores) for scores in cells]}."
            )
        if abs(bias) + sum(max(map(abs, scores)) for scores in cells) > WEIGHT_LIMIT:
            raise InvalidInput(f"scores may add up to {WEIGHT_LIMIT} at most.")
        return cls(bias, cells)


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise InvalidInput(f"scores are a list. Got {value!r:.200}.")
    return value


def _groups(scores: tuple[int, ...]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for cell, score in enumerate(scores):
        groups.setdefault(score, []).append(cell)
    return groups


def shown_score(score: int) -> str:
    """A score in natural logarithms."""
    return f"{score / SCORE_UNIT:+.2f}"


@dataclass(frozen=True)
class BayesModel(Model):
    """A naive Bayes model: each column adds to a score, the log-odds of label 1.

    Attributes
    ----------
    scores : CellScores

    Examples
    --------
    >>> from learners.tables.columns import Cuts, Flag
    >>> columns = FixedColumns(("age", "smoker"), (Cuts([40]), Flag()))
    >>> scores = CellScores(-(1 << 20), ((0, 1 << 20), (-(1 << 19), 1 << 21)))
    >>> model = BayesModel(columns, ("low", "high"), "risk", None, scores)
    >>> print(model.text())
    high if the sum of these is at least 0, else low:
      -1.00
      smoker: -0.50 if not smoker, +2.00 if smoker
      age: +0.00 if age < 40, +1.00 if age >= 40
    >>> from learners.tables.records import as_records
    >>> model.predict(as_records([{"age": 70, "smoker": 1}, {"age": 20, "smoker": 0}]))
    ['high', 'low']
    """

    kind = "naive Bayes"
    scores: CellScores

    def _labels(self, holds: Holds, rows: int) -> np.ndarray:
        return (self.scores.of(self.columns, holds, rows) >= 0).astype(np.uint8)

    def on(self, columns: FixedColumns) -> BayesModel:
        """The scores on other columns."""
        return replace(self, columns=columns, scores=self.scores.on(columns))

    def log_odds(self, matrix: np.ndarray) -> np.ndarray:
        """The log-odds of label 1: features of shape (rows, features) to shape (rows,)."""
        found = self.scores.of(self.columns, lambda j: np.asarray(matrix[:, j]), len(matrix))
        return found / SCORE_UNIT

    def text(self) -> str:
        """The scores in words, the most informative columns first."""
        columns = self.columns
        lines = [
            f"{self.classes[1]} if the sum of these is at least 0, else {self.classes[0]}:",
            f"  {shown_score(self.scores.bias)}",
        ]
        order = sorted(
            range(len(columns.names)),
            key=lambda j: min(self.scores.cells[j]) - max(self.scores.cells[j]),
        )
        for j in order:
            name, column, scores = columns.names[j], columns.columns[j], self.scores.cells[j]
            groups = _groups(scores)
            if len(groups) > 1:
                said = shown(name)
                parts = [
                    f"{shown_score(score)} if {column.described_cells(said, frozenset(cells))}"
                    for score, cells in groups.items()
                ]
                lines.append(f"  {said}: {', '.join(parts)}")
        return "\n".join(lines)

    def to_python(self, function: str = "predict") -> str:
        """Python source of a function of a row, a dict from columns' names to entries."""
        negative, positive = (plain(label) for label in self.classes)
        return "\n".join(
            [
                f"def {checked_name(function)}(row):",
                *self.scores.source(self.columns),
                f"    return {positive!r} if score >= 0 else {negative!r}",
                "",
            ]
        )

    def _rule_json(self) -> dict[str, object]:
        return {"scores": self.scores.to_json()}

    @classmethod
    def _from_rule(
        cls, data: Entries, columns: FixedColumns, **common: Unpack[Common]
    ) -> BayesModel:
        return cls(columns, scores=CellScores.from_json(data["scores"], columns), **common)
