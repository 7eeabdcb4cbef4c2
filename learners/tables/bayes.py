"""Naive Bayes models in files, and the score of the scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, Unpack

import numpy as np

from learners import checked
from learners.rules.naive_bayes import SCORE_UNIT
from learners.tables.columns import FixedColumns, shown
from learners.tables.models import WEIGHT_LIMIT, Holds, Model, checked_name, plain
from learners.tables.saved import Common, Entries
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer


def cells_of(columns: FixedColumns, j: int, holds: Holds) -> np.ndarray:
    """Return the cells of rows in column j, shape (rows,)."""
    place = columns.places[j]
    # Features are stored one after the other.
    return columns.columns[j].cells(np.stack([holds(feature) for feature in place]).T)


POINTS = 10
"""Number of points that represent log-odds of 1, in scores that rules compare."""

KNOWN = {"bias", "cells", "unit", "noise"}
"""Names of the entries of a score in a file."""


@dataclass(frozen=True)
class CellScores:
    """A score of rows: an integer for each cell of each column, and a bias.

    Attributes
    ----------
    bias : int
        Score that every row has in addition.
    cells : tuple of tuple of int
        For each column, the score of each cell.
    unit : int
        Integer that represents log-odds of 1: `POINTS`, or the finer
        `learners.rules.naive_bayes.SCORE_UNIT`.
    noise : pair of int and tuple of tuple of int, or None
        Largest changes of bias and cells by the noise (`learners.rules.naive_bayes.cell_noise`).
    """

    bias: int
    cells: tuple[tuple[int, ...], ...]
    unit: int = SCORE_UNIT
    noise: tuple[int, tuple[tuple[int, ...], ...]] | None = None

    def in_points(self) -> CellScores:
        """Return the score in small integers, with the noise that rounding adds."""
        step = SCORE_UNIT // POINTS if self.unit == SCORE_UNIT else 1

        def far(radius: int) -> int:
            return -(-(2 * radius + step) // (2 * step))

        return CellScores(
            round(self.bias / step),
            tuple(tuple(round(score / step) for score in scores) for scores in self.cells),
            POINTS,
            None
            if self.noise is None
            else (far(self.noise[0]), tuple(tuple(map(far, each)) for each in self.noise[1])),
        )

    def of(self, columns: FixedColumns, holds: Holds, rows: int) -> np.ndarray:
        """Return the scores of rows, shape (rows,): integer sums that depend on one row each."""
        found = np.full(rows, self.bias, dtype=np.int64)
        for j, scores in enumerate(self.cells):
            if any(scores):
                found += np.array(scores, dtype=np.int64)[cells_of(columns, j, holds)]
        return found

    def on(self, columns: FixedColumns) -> CellScores:
        """Return the scores for columns with several cells instead of one feature per cut point.

        Examples
        --------
        >>> from learners.tables.columns import Cuts
        >>> flags = CellScores(5, ((0, 1), (0, 10)))
        >>> flags.on(FixedColumns(("age",), (Cuts([40, 60]),)))
        CellScores(bias=5, cells=((0, 1, 11),), unit=1048576, noise=None)
        """

        def added(cells: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
            return tuple(
                tuple(
                    sum(
                        cells[feature][cell in column.holding(index)]
                        for index, feature in enumerate(place)
                    )
                    for cell in range(column.count + 1)
                )
                for column, place in zip(columns.columns, columns.places, strict=True)
            )

        noise = None if self.noise is None else (self.noise[0], added(self.noise[1]))
        return CellScores(self.bias, added(self.cells), self.unit, noise)

    def said(self, score: int, radius: int | None) -> str:
        """Return a score as a string, in points or as log-odds."""
        fine = self.unit == SCORE_UNIT
        text = f"{score / SCORE_UNIT:+.2f}" if fine else f"{score:+d}"
        if radius is None:
            return text
        if abs(score) <= radius:
            return f"{text} (?)"
        return f"{text} +- {radius / SCORE_UNIT:.2f}" if fine else f"{text} +- {radius}"

    def conditions(
        self, columns: FixedColumns
    ) -> list[tuple[str, list[tuple[str, int, int | None]]]]:
        """Return the conditions of every column that changes the score, with numbers and noise.

        The most informative columns come first.
        """
        found = []
        for j in sorted(
            range(len(columns.names)), key=lambda j: min(self.cells[j]) - max(self.cells[j])
        ):
            name, column, scores = columns.names[j], columns.columns[j], self.cells[j]
            if len(set(scores)) > 1:
                radii = scores if self.noise is None else self.noise[1][j]
                listed = [
                    (
                        column.described_cells(shown(name), frozenset(cells)),
                        score,
                        None if self.noise is None else radius,
                    )
                    for (score, radius), cells in _groups(
                        tuple(zip(scores, radii, strict=True))
                    ).items()
                ]
                if len(listed) > 1:
                    found.append((shown(name), listed))
        return found

    def lines(self, columns: FixedColumns) -> list[str]:
        """Return a line with the bias, and a line for every column that changes the score."""
        lines = [f"  {self.said(self.bias, None if self.noise is None else self.noise[0])}"]
        for name, listed in self.conditions(columns):
            parts = [f"{self.said(score, radius)} if {said}" for said, score, radius in listed]
            lines.append(f"  {name}: {', '.join(parts)}")
        if self.noise is not None:
            lines.append(
                "  (+-: distance from the number without noise, at most this in 95 % of draws; "
                "(?): within the noise, so the number may be 0)"
            )
        return lines

    def details(self, columns: FixedColumns) -> dict[str, object]:
        """Return scale, bias and conditions as a mapping, for programs."""
        return {
            "integers in a logarithm of odds": self.unit,
            "bias": self.bias,
            "noise of the bias": None if self.noise is None else self.noise[0],
            "conditions": [
                {"if": said, "adds": score, "noise": radius}
                for _, listed in self.conditions(columns)
                for said, score, radius in listed
            ],
        }

    def source(self, columns: FixedColumns) -> list[str]:
        """Return lines of Python that compute the score of the dict ``row``."""
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
        """Return the scores as JSON values, for `from_json`."""
        return {
            "bias": self.bias,
            "cells": [list(scores) for scores in self.cells],
            **({} if self.unit == SCORE_UNIT else {"unit": self.unit}),
            **({} if self.noise is None else {"noise": [self.noise[0], *map(list, self.noise[1])]}),
        }

    @classmethod
    def from_json(cls, data: object, columns: FixedColumns) -> CellScores:
        """Return the scores that `to_json` wrote.

        Raises
        ------
        InvalidInput
            If a cell of a column has no integer, or the integers are too large.
        """
        if not isinstance(data, dict) or not {"bias", "cells"} <= set(data) <= KNOWN:
            raise InvalidInput('a score has a "bias" and "cells".')
        unit = integer(data.get("unit", SCORE_UNIT), "unit of a score")
        if unit not in (POINTS, SCORE_UNIT):
            raise InvalidInput(f"the unit of a score is {POINTS} or {SCORE_UNIT}. Got {unit}.")
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
        noise = None
        if "noise" in data:
            far, *rest = _listed(data["noise"])
            radii = tuple(
                tuple(checked.nonnegative(each, "noise") for each in _listed(scores))
                for scores in rest
            )
            if [len(scores) for scores in radii] != wanted:
                raise InvalidInput(f"the noise of a score must cover every cell, {wanted}.")
            noise = checked.nonnegative(far, "noise"), radii
        return cls(bias, cells, unit, noise)


def _listed(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise InvalidInput(f"scores are a list. Got {value!r:.200}.")
    return value


Score = TypeVar("Score")


def _groups(scores: tuple[Score, ...]) -> dict[Score, list[int]]:
    groups: dict[Score, list[int]] = {}
    for cell, score in enumerate(scores):
        groups.setdefault(score, []).append(cell)
    return groups


def sigmoid(odds: np.ndarray) -> np.ndarray:
    """Return the probabilities of both classes from log-odds of the second, shape (rows, 2)."""
    positive = 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
    return np.column_stack([1 - positive, positive])


@dataclass(frozen=True)
class BayesModel(Model):
    """A naive Bayes model: each column adds to a score, the log-odds of label 1.

    Attributes
    ----------
    scores : CellScores
        Scores of the model.

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
        """Return an equivalent model on columns with cells, which replace flags."""
        return replace(self, columns=columns, scores=self.scores.on(columns))

    def log_odds(self, matrix: np.ndarray) -> np.ndarray:
        """Return the log-odds of label 1 for rows of features, shape (rows,)."""
        found = self.scores.of(self.columns, lambda j: np.asarray(matrix[:, j]), len(matrix))
        return found / self.scores.unit

    def scores_of(self, matrix: np.ndarray) -> np.ndarray:
        """Return the probabilities of label 1 of rows of features, shape (rows,)."""
        found: np.ndarray = sigmoid(self.log_odds(matrix))[:, 1]
        return found

    def text(self) -> str:
        """Return the scores in words, the most informative columns first."""
        first = f"{self.classes[1]} if the sum of these is at least 0, else {self.classes[0]}:"
        return "\n".join([first, *self.scores.lines(self.columns)])

    def details(self) -> dict[str, object]:
        """Return the score of the model as a mapping, for programs."""
        return {"score": self.scores.details(self.columns)}

    def probabilities(self, table: object, unknown: str = "warn") -> np.ndarray:
        """Return the class probabilities, which are too extreme if columns are dependent.

        Shape (rows, 2).
        """
        holds, rows = self._features(table, unknown)
        return sigmoid(self.scores.of(self.columns, holds, rows) / self.scores.unit)

    def to_python(self, function: str = "predict") -> str:
        """Return Python source of a function of a row, a dict from columns' names to entries."""
        negative, positive = (plain(label) for label in self.classes)
        return "\n".join(
            [
                f"def {checked_name(function)}(row):",
                *self.columns.imports,
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
