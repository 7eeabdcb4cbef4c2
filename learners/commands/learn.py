"""``lsclasses learn`` and ``lsclasses predict``: rules and scores from real tables, privately."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from learners.commands.learn_report import Learned
from learners.commands.learner_commands import command_for, learner_group
from learners.commands.options import (
    AllowWeakPrivacy,
    BudgetOption,
    CardFile,
    Data,
    Save,
    Secure,
    Seed,
    Unknown,
)
from learners.commands.schema import Schema, declared_table
from learners.commands.session import NOT_PRIVATE, NotPrivate, Session, warnings_as_notes
from lsclasses.commands.application import INTERRUPTED, TABLES, AsJson, Force, command, split_names
from lsclasses.commands.output import note, print_json
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural
from lsclasses.outputs import FileFormat, Reads, Writes

if TYPE_CHECKING:
    import numpy as np
    from typer.core import TyperCommand

    from learners.accounting import Event
    from learners.budget import Budget
    from learners.coins import Coins
    from learners.tables.entries import TableEntry, Training
    from learners.tables.models import Model
    from learners.tables.records import Records
    from learners.tables.saved import SavedModel
    from learners.tables.training import Task, TaskPlan
    from lsclasses.registry import Registry

PREDICTIONS = FileFormat("predictions", {".csv": None})
"""A column of labels, which might as well be the user's own."""


def _trainings() -> Registry[TableEntry]:
    from learners.tables.entries import TRAININGS

    return TRAININGS


def _build(entry: TableEntry) -> TyperCommand:
    """Build the command of one learner."""
    return command_for(entry, _learn, _help(entry), last=7)


def _help(entry: TableEntry) -> str:
    details = f"{entry.details}\n\n" if entry.details else ""
    return (
        f"Learn {entry.title}.\n\n{details}The model and its ledger may be published. "
        "The command also computes accuracies and compares the model with rules without privacy. "
        "No guarantee covers these results, so they go to standard error (with --json, to a field "
        "whose name marks them as not private)."
    )


learn = command(TABLES)(
    learner_group(
        _trainings,
        _build,
        _help,
        name="learn",
        rows="FILE",
        text="Learn a rule from a table (CSV) with differential privacy, and print the privacy "
        "cost. Without a learner, the command lists all learners.",
    )
)


@warnings_as_notes()
def _learn(
    entry: Any,
    options: Mapping[str, object],
    data: Data,
    *,
    target: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column to predict, unless the schema names it."),
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            metavar="VALUE",
            help="Value of the target that counts as 1. All other values count as 0. Without this "
            "option the target must be 0 or 1.",
        ),
    ] = None,
    negative: Annotated[
        str | None,
        typer.Option(metavar="VALUE", help="Only other value that the target may have."),
    ] = None,
    schema: Schema = None,
    cuts: Annotated[
        list[str] | None,
        typer.Option(
            "--cuts",
            metavar="COLUMN=SPEC|FILE",
            help="Conditions for a column: age=30,40,50 (public cut points), age=0..100/9 (steps "
            "in a public range), age=0..100/50:3@0.1 (3 private cut points from a grid of 50 "
            "steps, for epsilon 0.1), job=cook,nurse (public categories) or "
            "job=cook,nurse+missing (missing values form a category). FILE is a JSON file with "
            "conditions by column. '*' denotes all columns without conditions. Without it, these "
            "columns must hold 0 and 1.",
        ),
        Reads(unless="="),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option(
            "--drop",
            metavar="COLUMNS",
            help="Columns to leave out, separated by commas. '' is the column without a name, such "
            "as the index of a data frame.",
        ),
    ] = None,
    test_split: Annotated[
        str,
        typer.Option(metavar="FRACTION", help="Probability with which a row is kept for testing."),
    ] = "0.2",
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            "--sensitive",
            metavar="COLUMNS",
            help="Sensitive columns to leave out, separated by commas. A schema can also name "
            "sensitive columns. A rule that uses such a column then gives a warning.",
        ),
    ] = None,
    report_groups: Annotated[
        str | None,
        typer.Option(
            "--report-groups",
            metavar="COLUMN=SHARE",
            help="Print noisy rates of right and wrong predictions for each group, for this share "
            "of epsilon. The groups are the declared values of COLUMN. --drop may leave COLUMN "
            "out.",
        ),
    ] = None,
    unknown: Unknown = "warn",
    epsilon: Annotated[
        str, typer.Option(metavar="FRACTION", help="Privacy budget of the whole command.")
    ] = "1",
    allow_weak_privacy: AllowWeakPrivacy = False,
    seed: Seed = None,
    secure: Secure = False,
    budget: BudgetOption = None,
    no_comparison: Annotated[
        bool,
        typer.Option(
            "--no-comparison",
            help="Omit the comparison with rules without privacy, which takes half of the time.",
        ),
    ] = False,
    save: Save = None,
    card: CardFile = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    from learners.budget import Budget
    from learners.tables.training import plan_task
    from lsclasses.numbers import as_printed

    if secure and seed is not None:
        raise InvalidInput(
            "Randomness comes from --seed (a simulation) or is --secure. Got both options."
        )
    session = Session(seed, budget, as_json)
    training: Training = entry.training(**options)
    spent = Budget(
        as_printed(epsilon, "epsilon"), training.delta, allow_weak_privacy=allow_weak_privacy
    )
    share = as_printed(test_split, "share of rows for testing")
    table = declared_table(
        session.rows(data),
        schema,
        target=target,
        positive=positive,
        negative=negative,
        drop=drop or (),
    )
    plan = plan_task(
        table.records,
        table.target,
        spent.epsilon,
        delta=spent.delta,
        positive=table.positive,
        negative=table.negative,
        cuts=cuts or (),
        drop=table.drop,
        schema=table.schema,
        person=training.person,
        rows_per_person=training.rows_per_person,
        test_share=share,
        neighbours=training.neighbours,
        unknown=unknown,
        sensitive=split_names(sensitive or (), table.records.names),
        report_groups=report_groups,
    )

    def train(coins: Coins) -> tuple[Task, Model, str]:
        task = plan.draw(coins)
        learned, sizes = training.learn(task, coins)
        return task, task.with_groups(learned, coins), sizes

    event, what = _charge(entry.name, training, plan, spent)
    task, model, sizes = session.release(event, what, train)
    _warn_of_sensitive(model)
    saved = session.save(save, model.save)
    session.save(card, lambda path: _save_card(model, path))
    found = Learned(task, model, data, sizes, saved)
    interrupted = not no_comparison and not _compare(found)
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
    name: str, training: Training, plan: TaskPlan, spent: Budget
) -> tuple[Event | None, str]:
    """The charge of a model: its whole budget, and a description of the release."""
    from learners.accounting import ApproximateDP, Scope

    unit = "item" if training.person is None else "person"
    scope = Scope.adaptive(plan.neighbours, unit=unit)
    event = ApproximateDP(*spent, scope=scope) if plan.private else None
    what = f"learn {name} --target {plan.target}"
    return event, what if training.person is None else f"{what} --person {training.person}"


# ---- predictions


@command(TABLES)
def predict(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model that 'lsclasses learn' or 'lsclasses pac' saved.",
        ),
        Reads(),
    ],
    data: Data,
    *,
    schema: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Schema of the training. The command refuses a table or a model of other columns.",
        ),
        Reads(),
    ] = None,
    proba: Annotated[
        bool,
        typer.Option(
            "--proba",
            help="Also print the probabilities of the classes. The model needs noisy numbers of "
            "rows ('learn rules --report-support 0.2') or must be naive Bayes.",
        ),
    ] = False,
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION",
            help="Predict the second class from this probability on, for a model of two classes. "
            "Every threshold is free of privacy cost.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the predictions to FILE, as CSV."),
        Writes(PREDICTIONS),
    ] = None,
    force: Force = False,
    unknown: Unknown = "warn",
    as_json: AsJson = False,
) -> None:
    """Predict the rows of a table with a saved model, one line per row, in order.

    The table needs the columns that the model uses. A hypothesis of 'lsclasses pac' uses the column
    point. The command ignores other columns. If the table has the target, a note states the
    accuracy.
    """
    from learners.tables.records import load_records
    from learners.tables.saved import load_model
    from lsclasses.files.writing import atomic_write

    # The unused column may be the index of a data frame.
    loaded, table = load_model(model), load_records(data, drop=[""])
    if schema is not None:
        _require_agreed(loaded, table, schema)
    with warnings_as_notes():
        chances = None
        if proba or threshold is not None:
            chances = loaded.probabilities(table, unknown)
        if chances is None or threshold is None:
            predicted: Sequence[object] = loaded.predict(table, unknown)
        else:
            predicted = _by_threshold(loaded, chances, threshold)
    if loaded.target in table.names:
        _note_share_right(loaded, table, predicted)
    text = _predictions_csv(loaded, predicted, chances if proba else None)
    if out is not None:
        atomic_write(out, text)
        note(f"{len(predicted)} predictions are in {out}.")
    if as_json:
        found: dict[str, object] = {"target": loaded.target, "predictions": predicted}
        if proba and chances is not None:
            found |= {"classes": list(loaded.classes), "probabilities": chances.tolist()}
        print_json(found)
    elif out is None:
        typer.echo(text, nl=False)


def _require_agreed(model: SavedModel, table: Records, path: Path) -> None:
    """Refuse a table that does not fit the schema, or has other columns than the model.

    Raises
    ------
    InvalidInput
    """
    from learners.tables.columns import FixedColumn
    from learners.tables.models import Model
    from learners.tables.schemas import load_schema

    schema = load_schema(path)
    there = {model.target}.union(() if schema.target is None else {schema.target})
    schema.require(table.names, there)
    if not isinstance(model, Model):
        return
    for name, column in zip(model.columns.names, model.columns.columns, strict=True):
        declared = schema.columns.get(name)
        if declared is None or (isinstance(declared, FixedColumn) and declared != column):
            raise InvalidInput(
                f"The model uses the column {name!r} in another way than the schema "
                f"{str(path)!r} declares. The model was trained with {column!r}."
            )


def _by_threshold(model: SavedModel, chances: np.ndarray, threshold: str) -> list[object]:
    """The second class where its probability is at least the threshold."""
    from lsclasses.numbers import as_printed

    share = as_printed(threshold, "threshold")
    if not 0 <= share <= 1 or len(model.classes) != 2:
        raise InvalidInput(
            "A threshold is a probability from 0 to 1, for the second of two classes. "
            f"Got {threshold}, and {plural(len(model.classes), 'class', 'classes')}."
        )
    return [model.classes[int(each)] for each in chances[:, 1] >= float(share)]


def _predictions_csv(
    model: SavedModel, predicted: Sequence[object], chances: np.ndarray | None
) -> str:
    """Return the predictions, with the probabilities of the second class or of all classes."""
    import csv
    import io

    columns: list[Sequence[object]] = [predicted]
    names = [model.target or "prediction"]
    for i, each in enumerate(model.classes):
        if chances is not None and (i or len(model.classes) > 2):
            names.append(f"probability of {each}")
            columns.append([f"{chance:.4g}" for chance in chances[:, i]])
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return buffer.getvalue()


def _note_share_right(model: SavedModel, table: Records, predicted: Sequence[object]) -> None:
    """Print the share of right predictions, where the target can be read."""
    from learners.tables.records import FLAGS

    texts = table.texts(model.target, blank=True).tolist()
    if len(model.classes) > 2:
        right = [str(guess) == text for guess, text in zip(predicted, texts, strict=True)]
    else:
        negative, positive = model.classes
        if (negative, positive) == (0, 1):
            truth = [FLAGS.get(text.lower()) for text in texts]
        else:
            truth = [text == str(positive) for text in texts]
        right = [
            (guess == positive) == label for guess, label in zip(predicted, truth, strict=True)
        ]
    note(NOT_PRIVATE)
    note(f"  {sum(right)} of {len(right)} predictions agree with the column {model.target!r}.")
