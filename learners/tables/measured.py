"""Recorded results of the table learners on public tables, at epsilon 1.

``python -m benchmarks.measured_tables`` writes ``measured.toml`` from the stored results of the
benchmarks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("measured.toml")

NOTES = (
    "Median accuracy: 20 random splits, with 80 % of the rows for learning ('python -m benchmarks "
    "accuracy').",
    "Mean accuracy and mean AUC: 10 random splits ('python -m benchmarks real_tables'). In these "
    "runs, 'best' spends a fifth of epsilon on probabilities.",
    "decision-list has delta 10^-6, and the other learners have delta 0. The guarantee is for a "
    "replaced row. A dash marks a number that is not recorded, and no Brier score is recorded.",
)
"""Explanations of the recorded numbers, which `learn try` prints."""


@dataclass(frozen=True)
class MeasuredTable:
    """The recorded results on one public table.

    Attributes
    ----------
    name : str
        Name of the table.
    learners : mapping
        The measures of each learner by name: ``median accuracy``, ``mean accuracy`` and
        ``mean AUC``.
    """

    name: str
    learners: Mapping[str, Mapping[str, float]]

    def to_json(self) -> dict[str, object]:
        """Return the results as JSON."""
        results = [{"learner": name, **found} for name, found in self.learners.items()]
        return {"name": self.name, "results": results}


@cache
def measured_tables() -> tuple[MeasuredTable, ...]:
    """Return the recorded results, one object for each public table.

    Examples
    --------
    >>> [each.name for each in measured_tables()][:3]
    ['titanic', 'german', 'compas']
    """
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple(MeasuredTable(name, learners) for name, learners in found.items())
