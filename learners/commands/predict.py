"""``lsclasses predict``: the predictions of a saved model on the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import Data, TableFile, Unknown
from learners.commands.session import NOT_PRIVATE, warnings_as_notes
from lsclasses.commands.application import TABLES, AsJson, Force, command
from lsclasses.commands.output import note, print_json
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural
from lsclasses.outputs import FileFormat, Reads, Writes

if TYPE_CHECKING:
    import numpy as np

    from learners.tables.records import Records
    from learners.tables.saved import SavedModel

PREDICTIONS = FileFormat("predictions", {".csv": None})
"""The file format of predictions. An existing file may be the user's own table, because its content
does not show who wrote it."""


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
    file: TableFile,
    schema: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Schema with which the model was learned. The command refuses a table or a "
            "model whose columns differ from the schema.",
        ),
        Reads(),
    ] = None,
    proba: Annotated[
        bool,
        typer.Option(
            "--proba",
            help="Also print the probabilities of the classes. The model must be naive "
            "Bayes, logistic regression, or rules that store noisy numbers of training rows "
            "('learn rules --report-support 0.2').",
        ),
    ] = False,
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION",
            help="Predict the second class if its probability is at least FRACTION, for a model of "
            "two classes. The second class is the value that 'lsclasses learn --positive' named, "
            "or 1 if --positive was not given. Thresholds have no privacy cost.",
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

    The table must have the columns that the model uses, and the command ignores other columns. A
    hypothesis of 'lsclasses pac' uses the column point. If the table has the column of the target,
    a note states the accuracy.
    """
    from learners.tables.saved import load_model
    from lsclasses.files.writing import atomic_write

    loaded, table = load_model(model), file.read(data)
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
    """Print the share of right predictions, of the rows whose target is one of the classes."""
    from learners.tables.targets import true_classes

    truth = true_classes(model.classes, table.cells(model.target))
    pairs = [pair for pair in zip(predicted, truth, strict=True) if pair[1] is not None]
    right = sum(guess == label for guess, label in pairs)
    note(NOT_PRIVATE)
    note(f"  {right} of {len(pairs)} predictions agree with the column {model.target!r}.")
    if len(pairs) < len(truth):
        others = plural(len(truth) - len(pairs), "row has", "rows have")
        note(f"  {others} no target, or a target that is not a class of the model.")
