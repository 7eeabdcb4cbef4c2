"""``lsclasses learn``: rules and scores from real tables, learned privately, and their report."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.learner_commands import OtherCommand, command_for, learner_group
from learners.commands.options import AllowWeakPrivacy, CardFile, Data, ReleaseOptions, Save
from learners.commands.session import NotPrivate, warnings_as_notes
from learners.commands.try_learners import HELP, NAME, try_command
from lsclasses.commands.application import INTERRUPTED, TABLES, Force, command
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.numbers import plural

if TYPE_CHECKING:
    import numpy as np
    from typer.core import TyperCommand

    from learners.accounting import Event
    from learners.budget import Budget
    from learners.coins import Coins
    from learners.tables.entries import TableEntry, Training
    from learners.tables.models import Model
    from learners.tables.score_quality import ClassScoreQuality, ScoreQuality
    from learners.tables.task import TableTask, TaskOptions, TrainingData
    from lsclasses.registry import Registry


def _trainings() -> Registry[TableEntry]:
    from learners.tables.entries import TRAININGS

    return TRAININGS


def _build(entry: TableEntry) -> TyperCommand:
    """Build the command of one learner."""
    from learners.tables.task import TaskOptions

    return command_for(entry, _learn, _help(entry), described=TaskOptions)


def _help(entry: TableEntry) -> str:
    details = f"{entry.details}\n\n" if entry.details else ""
    return (
        f"Learn {entry.title}.\n\n{details}You may publish the model and its ledger, the list of "
        "its privacy costs. The command also computes accuracies, and compares the model with "
        "rules that are learned without privacy. No privacy guarantee covers these results. The "
        "command prints these results on standard error, or with --json in a field whose name "
        "marks the results as not private."
    )


learn = command(TABLES)(
    learner_group(
        _trainings,
        _build,
        _help,
        name="learn",
        rows="FILE",
        text="Learn a rule from a table (CSV) with differential privacy, and print the privacy "
        "cost. Without a learner, the command lists all learners. 'learn try' compares all "
        "learners on public or synthetic rows.",
        others={NAME: OtherCommand(try_command, HELP)},
    )
)


@dataclass(frozen=True, kw_only=True)
class ModelFiles(OptionGroup):
    """The files about a model, and the comparison in the output."""

    no_comparison: Annotated[
        bool,
        typer.Option(
            "--no-comparison",
            help="Omit the comparison with rules that are learned without privacy. The "
            "comparison takes half of the time.",
        ),
    ] = False
    save: Save = None
    card: CardFile = None
    force: Force = False


@warnings_as_notes()
def _learn(
    entry: TableEntry,
    data: Data,
    *,
    described: TaskOptions,
    epsilon: Annotated[
        str, typer.Option(metavar="FRACTION", help="Epsilon of the whole command.")
    ] = "1",
    allow_weak_privacy: AllowWeakPrivacy = False,
    options: Mapping[str, object],
    files: ModelFiles,
    release: ReleaseOptions,
) -> None:
    from learners.budget import Budget
    from lsclasses.numbers import as_printed

    session = release.session()
    training: Training = entry.training(**options)
    spent = Budget(
        as_printed(epsilon, "epsilon"), training.delta, allow_weak_privacy=allow_weak_privacy
    )
    table = described.read(session.rows(data))
    task = described.task(
        table,
        spent.epsilon,
        delta=spent.delta,
        neighbours=training.neighbours,
        person=training.person,
        rows_per_person=training.rows_per_person,
    )

    task.require_classes(several=training.several_classes)
    training.require(task)

    def train(coins: Coins) -> Learned:
        rows = task.draw(coins)
        model, sizes = training.learn(rows, coins)
        return Learned(rows, rows.with_groups(model, coins), data, sizes)

    event, what = _charge(entry.name, training, task, spent)
    found = session.release(event, what, train)
    _warn_of_sensitive(found.model)
    found.saved = session.save(files.save, found.model.save)
    session.save(files.card, lambda path: _save_card(found.model, path))
    interrupted = not files.no_comparison and not _compare(found)
    session.answer(found.to_json, found.show, NotPrivate(found.measures_json, found.measures))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _compare(found: Learned) -> bool:
    """Find rules without privacy. Return whether the user let the comparison end."""
    from learners.not_private import NotPrivateNotice

    try:
        found.compare()
    except KeyboardInterrupt:
        return False
    except Exception as error:  # another exit status would depend on the rows
        warnings.warn(f"rules without privacy: {error}", NotPrivateNotice, stacklevel=2)
    return True


def _save_card(model: Model, path: Path) -> None:
    from learners.tables.cards import save_card

    save_card(model, path)


def _warn_of_sensitive(model: Model) -> None:
    """Warn about sensitive columns that the published model uses."""
    from learners.not_private import PublicWarning

    used = set(model.looks_at).intersection(() if model.stated is None else model.stated.sensitive)
    for name in sorted(used):
        warnings.warn(
            f"the model uses the column {name!r}, which is declared as sensitive. --sensitive "
            f"{shlex.quote(name)} leaves it out, but other columns may still reveal it. "
            f"--report-groups {shlex.quote(name)}=0.1 prints rates for its groups.",
            PublicWarning,
            stacklevel=2,
        )


def _charge(
    name: str, training: Training, task: TableTask, spent: Budget
) -> tuple[Event | None, str]:
    """The charge of a model: its whole budget, and a description of the release."""
    from learners.accounting import ApproximateDP, Scope

    unit = "item" if training.person is None else "person"
    scope = Scope.adaptive(task.neighbours, unit=unit)
    event = ApproximateDP(*spent, scope=scope) if task.cost is not None else None
    what = f"learn {name} --target {task.target}"
    return event, what if training.person is None else f"{what} --person {training.person}"


# ---- report


SHOWN = 15
"""Largest number of printed rules of the comparison without privacy. Noisy labels make this list
long."""

NO_GUARANTEE = (
    "cuts from data: cut points or categories were taken from the rows, so there is no guarantee. "
    "Do not publish anything."
)


@dataclass
class Learned:
    """A learned model with its ledger and its results, some of which no guarantee covers.

    Attributes
    ----------
    data : TrainingData
        Rows for training and for testing.
    model : Model
        The learned model.
    file : Path
        Path of the rows.
    sizes : str
        Public numbers about the training, in words.
    saved : Path or None
        Path of the saved model.
    baseline : Model or None
        Rules without privacy, see `compare`.
    """

    data: TrainingData
    model: Model
    file: Path
    sizes: str
    saved: Path | None = None
    baseline: Model | None = None

    def compare(self) -> None:
        """Find rules without privacy for comparison, which may take a while."""
        from learners.tables.rule_training import plain_rules

        task = self.data.task
        self.baseline = plain_rules(
            self.model.columns,
            self.data.matrix,
            self.data.labels,
            classes=task.classes,
            target=task.target,
        )

    @property
    def counted(self) -> bool:
        """Whether the number of rows is public. It is secret under the add/remove relation."""
        return self.data.task.neighbours == "replace_one"

    @cached_property
    def accuracies(self) -> dict[str, tuple[float | None, float | None]]:
        """The accuracies on the training rows and on the test rows."""
        return self._measured(_accuracy)

    def _measured(
        self, measure: Callable[[np.ndarray, np.ndarray], float | None]
    ) -> dict[str, tuple[float | None, float | None]]:
        """A measure of labels and predictions, on both parts of the rows."""
        import numpy as np

        data = self.data
        common = data.common_label
        parts = (data.matrix, data.labels), (data.test, data.test_labels)

        def of(model: Model) -> tuple[float | None, float | None]:
            one, two = (measure(labels, model.labels_of(rows)) for rows, labels in parts)
            return one, two

        one, two = (measure(labels, np.full(len(rows), common)) for rows, labels in parts)
        return {
            "private" if self.model.guarantee else f"this {self.model.kind}": of(self.model),
            **({} if self.baseline is None else {"without privacy": of(self.baseline)}),
            f"always {data.task.classes[common]}": (one, two),
        }

    @cached_property
    def balanced(self) -> dict[str, tuple[float | None, float | None]]:
        """The balanced accuracies: the share of correct predictions, averaged over the classes."""
        kinds = len(self.data.task.classes)
        return self._measured(lambda labels, found: _balanced(labels, found, kinds))

    @cached_property
    def score_quality(self) -> ScoreQuality | ClassScoreQuality | None:
        """The quality of the probabilities, or of the labels, on the test rows."""
        from learners.tables.score_quality import ClassScoreQuality, ScoreQuality

        data, kinds = self.data, len(self.data.task.classes)
        if not len(data.test_labels):
            return None
        if kinds > 2:
            chances = self.model.chances_of(data.test)
            if chances is None:
                labels = self.model.labels_of(data.test)
                return ClassScoreQuality.of_labels(data.test_labels, labels, kinds)
            return ClassScoreQuality.of(data.test_labels, chances)
        found = self.model.scores_of(data.test)
        if found is None:
            return ScoreQuality.of_labels(data.test_labels, self.model.labels_of(data.test))
        return ScoreQuality.of(data.test_labels, found)

    @cached_property
    def sampling_error(self) -> float | None:
        """The sampling error of the accuracy on the test rows, if some rows are for testing."""
        from learners.tables.score_quality import sampling_error

        data = self.data
        if not len(data.test_labels):
            return None
        right = int((data.test_labels == self.model.labels_of(data.test)).sum())
        return sampling_error(right, len(data.test_labels))

    def to_json(self) -> dict[str, object]:
        """Return all results of learning as JSON values."""
        task, model = self.data.task, self.model
        return {
            "data": str(self.file),
            "target": task.target,
            "classes": list(task.classes),
            **(self._rows_json if self.counted else {}),
            "columns": len(task.declared),
            "features": model.columns.count,
            "rules": model.text().splitlines(),
            **model.details(),
            **({} if model.groups is None else {"groups": model.groups.to_json()}),
            "ledger": None if model.guarantee is None else model.guarantee.to_json(),
            "saved": None if self.saved is None else str(self.saved),
        }

    @property
    def _rows_json(self) -> dict[str, object]:
        return {"rows": {"training": len(self.data.labels), "test": len(self.data.test_labels)}}

    def measures_json(self) -> dict[str, object]:
        """Return accuracies and rules that are computed from the true rows."""
        measures = (("accuracy", self.accuracies), ("balanced accuracy", self.balanced))
        baseline, quality = self.baseline, self.score_quality
        return {
            **({} if self.counted else self._rows_json),
            **{
                measure: {
                    name: {"training": one, "test": two} for name, (one, two) in found.items()
                }
                for measure, found in measures
            },
            "accuracy on the test rows +- (95 %)": self.sampling_error,
            **({} if quality is None else {"score on the test rows": quality.to_json()}),
            "rules without privacy": None if baseline is None else baseline.text().splitlines(),
        }

    def show(self) -> None:
        """Print the results, except values that no guarantee covers."""
        task, model = self.data.task, self.model
        typer.echo(
            f"{self.file}: {self._rows + '; ' if self.counted else ''}"
            f"{plural(len(task.declared), 'column')}, {plural(model.columns.count, 'feature')}, "
            f"{self.sizes}\n"
        )
        private = "Private " if model.guarantee else "Not private: "
        typer.echo(f"{private}{model.kind} for {task.target}:")
        typer.echo(_indented(model.text()))
        if model.groups is not None:
            typer.echo(f"\nRates by {model.groups.column}, +- one standard deviation of the noise:")
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
        rows, test = len(self.data.labels), len(self.data.test_labels)
        return f"{plural(rows, 'row')} to learn from and {test} to test"

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
        if self.sampling_error is not None:
            _, test = next(iter(self.accuracies.values()))
            yield (
                f"accuracy on further rows: {_shown(test)} +- {self.sampling_error:.3f} (95 %, by "
                f"the sampling error of {plural(len(self.data.test_labels), 'test row')})"
            )
        if self.score_quality is not None:
            yield from self.score_quality.lines(self.data.task.classes)
        if self.baseline is not None:
            yield f"{self.baseline.kind} without privacy, the best here of several rule learners:"
            lines = self.baseline.text().splitlines()
            if len(lines) > SHOWN + 1:
                more = len(lines) - SHOWN
                lines = [*lines[:SHOWN], f"... {more} more lines, which --json prints"]
            yield _indented("\n".join(lines))


def _accuracy(labels: np.ndarray, said: np.ndarray) -> float | None:
    return float((labels == said).mean()) if len(labels) else None


def _balanced(labels: np.ndarray, said: np.ndarray, kinds: int) -> float | None:
    """Return the mean accuracy over the classes, or None if a class has no row."""
    shares = [_accuracy(labels[labels == b], said[labels == b]) for b in range(kinds)]
    return None if None in shares else sum(share or 0.0 for share in shares) / kinds


def _shown(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
