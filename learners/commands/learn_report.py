"""The report on a model that was learned from a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lsclasses.numbers import plural

if TYPE_CHECKING:
    import numpy as np

    from learners.tables.models import Model
    from learners.tables.training import Task

SHOWN = 15
"""Number of printed rules without privacy. Noisy labels make this list long."""

NO_GUARANTEE = (
    "cuts from data: cut points or categories were taken from the rows, so there is no guarantee. "
    "Do not publish anything."
)


@dataclass
class Learned:
    """A learned model with its ledger, and the results that no guarantee covers.

    Attributes
    ----------
    task : Task
    model : Model
    file : Path
        Path of the rows.
    sizes : str
        Public numbers about how it was learned, in words.
    saved : Path or None
        Path of the saved model.
    baseline : Model or None
        Rules without privacy, see `compare`.
    """

    task: Task
    model: Model
    file: Path
    sizes: str
    saved: Path | None
    baseline: Model | None = None

    def compare(self) -> None:
        """Find rules without privacy for comparison, which may take a while."""
        from learners.tables.rule_training import plain_rules

        task = self.task
        self.baseline = plain_rules(
            self.model.columns,
            task.prepared.matrix,
            task.labels,
            classes=task.classes,
            target=task.target,
        )

    @property
    def counted(self) -> bool:
        """Whether the number of rows is public, which add/remove neighbours protect."""
        return self.task.neighbours == "replace_one"

    @cached_property
    def accuracies(self) -> dict[str, tuple[float | None, float | None]]:
        """The accuracies on the training rows and on the test rows."""
        return self._measured(_accuracy)

    def _measured(
        self, measure: Callable[[np.ndarray, np.ndarray], float | None]
    ) -> dict[str, tuple[float | None, float | None]]:
        """A measure of labels and predictions, on both parts of the rows."""
        import numpy as np

        task = self.task
        common = int(2 * task.labels.sum() >= len(task.labels))
        parts = (task.prepared.matrix, task.labels), (task.test, task.test_labels)

        def of(model: Model) -> tuple[float | None, float | None]:
            one, two = (measure(labels, model.labels_of(rows)) for rows, labels in parts)
            return one, two

        one, two = (measure(labels, np.full(len(rows), common)) for rows, labels in parts)
        return {
            "private" if self.model.guarantee else f"this {self.model.kind}": of(self.model),
            **({} if self.baseline is None else {"without privacy": of(self.baseline)}),
            f"always {task.classes[common]}": (one, two),
        }

    @cached_property
    def balanced(self) -> dict[str, tuple[float | None, float | None]]:
        """The balanced accuracies: the mean over both classes of the share that is right."""
        return self._measured(_balanced)

    def to_json(self) -> dict[str, object]:
        """All results as JSON."""
        task, model = self.task, self.model
        return {
            "data": str(self.file),
            "target": task.target,
            "classes": list(task.classes),
            **(self._rows_json if self.counted else {}),
            "columns": task.columns,
            "features": model.columns.count,
            "rules": model.text().splitlines(),
            **model.details(),
            **({} if model.groups is None else {"groups": model.groups.to_json()}),
            "ledger": None if model.guarantee is None else model.guarantee.to_json(),
            "saved": None if self.saved is None else str(self.saved),
        }

    @property
    def _rows_json(self) -> dict[str, object]:
        task = self.task
        return {"rows": {"training": len(task.labels), "test": len(task.test_labels)}}

    def measures_json(self) -> dict[str, object]:
        """Return accuracies and rules that are computed from the true rows."""
        measures = (("accuracy", self.accuracies), ("balanced accuracy", self.balanced))
        baseline = self.baseline
        return {
            **({} if self.counted else self._rows_json),
            **{
                measure: {
                    name: {"training": one, "test": two} for name, (one, two) in found.items()
                }
                for measure, found in measures
            },
            "rules without privacy": None if baseline is None else baseline.text().splitlines(),
        }

    def show(self) -> None:
        """Print the results, except values that no guarantee covers."""
        task, model = self.task, self.model
        typer.echo(
            f"{self.file}: {self._rows + '; ' if self.counted else ''}"
            f"{plural(task.columns, 'column')}, {plural(model.columns.count, 'feature')}, "
            f"{self.sizes}\n"
        )
        private = "Private " if model.guarantee else "Not private: "
        typer.echo(f"{private}{model.kind} for {task.target}:")
        typer.echo(_indented(model.text()))
        if model.groups is not None:
            typer.echo(f"\nBy {model.groups.column}, about, +- a standard deviation of the noise:")
            typer.echo(_indented(model.groups.text(task.classes[1])))
        typer.echo("\nLedger:")
        typer.echo(_indented(str(model.guarantee or NO_GUARANTEE)))
        if model.stated is not None and model.stated.declared:
            typer.echo(
                f"  The schema states that the columns are declared by: {model.stated.declared}."
            )
        if self.saved is not None:
            typer.echo(f"\nThe model is in {self.saved}.")

    @property
    def _rows(self) -> str:
        task = self.task
        return f"{plural(len(task.labels), 'row')} to learn from and {len(task.test)} to test"

    def measures(self) -> Iterator[str]:
        """Yield accuracies and rules that are computed from the true rows, in words."""
        if not self.counted:
            yield self._rows
        width = max(map(len, self.accuracies))
        yield f"{'accuracy':{width}}  training   test   balanced: training   test"
        for name, (one, two) in self.accuracies.items():
            three, four = self.balanced[name]
            yield (
                f"{name:{width}}  {_shown(one):>8}  {_shown(two):>5}  "
                f"{_shown(three):>19}  {_shown(four):>5}"
            )
        if self.baseline is not None:
            yield f"{self.baseline.kind} without privacy, the best here of several rule learners:"
            lines = self.baseline.text().splitlines()
            if len(lines) > SHOWN + 1:
                more = len(lines) - SHOWN
                lines = [*lines[:SHOWN], f"... {more} more lines, which --json prints"]
            yield _indented("\n".join(lines))


def _accuracy(labels: np.ndarray, said: np.ndarray) -> float | None:
    return float((labels == said).mean()) if len(labels) else None


def _balanced(labels: np.ndarray, said: np.ndarray) -> float | None:
    """Return the mean accuracy over both classes, or None if a class has no row."""
    shares = [_accuracy(labels[labels == b], said[labels == b]) for b in (0, 1)]
    return None if None in shares else sum(share or 0.0 for share in shares) / 2


def _shown(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
