"""``lsclasses learn`` and ``lsclasses predict``: rules from real tables, privately."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lsclasses.commands.application import (
    INTERRUPTED,
    LEARNING,
    AsJson,
    Commands,
    Force,
    command,
)
from lsclasses.commands.output import note, print_json
from lsclasses.errors import InvalidInput
from lsclasses.outputs import Kind, Reads, Writes, json_head

if TYPE_CHECKING:
    import numpy as np

    from learners.boolean.packed import PackedFeatures
    from learners.coins import Coins
    from learners.estimators.columns import Column
    from learners.estimators.guarantees import Guarantee
    from learners.estimators.models import Model
    from learners.estimators.tables import Records
    from learners.estimators.training import Prepared

__all__ = ["decision_list", "learn", "predict", "winnow"]

SHOWN = 15
"""How many rules of the list without privacy are printed; noisy labels make it long."""

OTHERS = "*"
"""Declares the columns that are not declared by name."""

MODEL = Kind("a model", {".json": json_head("lsclasses-model")})
PREDICTIONS = Kind("predictions", {".csv": None})
"""A column of labels, which might as well be the user's own."""

_learn = Commands(
    no_args_is_help=True,
    help="Learn a rule from a table (CSV) with differential privacy, and show what it cost.",
)
learn = command(LEARNING)(_learn)

Data = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A CSV file whose first line names the columns.", show_default=False
    ),
    Reads(),
]
Target = Annotated[
    str,
    typer.Option(metavar="COLUMN", help="The column to predict.", show_default=False),
]
Positive = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help="The value of the target that counts as 1; all others count as 0. Without it the "
        "target must be 0 or 1.",
        show_default=False,
    ),
]
Negative = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE",
        help="The only other value that the target may have.",
        show_default=False,
    ),
]
Epsilon = Annotated[str, typer.Option(metavar="NUMBER", help="Privacy budget, for everything.")]
Delta = Annotated[str, typer.Option(metavar="NUMBER", help="Privacy budget, for everything.")]
Cuts = Annotated[
    list[str] | None,
    typer.Option(
        "--cuts",
        metavar="COLUMN=SPEC|FILE",
        help="How a column becomes true or false: age=30,40,50 (public cut points), "
        "age=0..100/9 (steps in a public range), age=0..100/50:3@0.1 (3 private ones from a grid "
        "of 50 steps, for epsilon 0.1), job=cook,nurse (public categories), or a JSON file with "
        "these by column. '*' stands for columns not named; they hold 0 and 1 otherwise.",
        show_default=False,
    ),
    Reads(unless="="),
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="COLUMN", help="Leave a column out.", show_default=False),
]
AcceptWeak = Annotated[
    bool,
    typer.Option("--accept-weak", help="Allow an epsilon above 20, or a delta of 1/10 or more."),
]
TestSplit = Annotated[
    str,
    typer.Option(
        metavar="SHARE", help="Each row is kept for testing with this probability; 0 for none."
    ),
]
Unknown = Annotated[
    str, typer.Option(metavar="POLICY", help="Undeclared categories: warn, error or ignore.")
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="SEED", min=0, help="Simulate: not for publication.", show_default=False),
]
Secure = Annotated[
    bool,
    typer.Option("--secure", help="Draw from the operating system; the default without --seed."),
]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the private model here.", show_default=False),
    Writes(MODEL),
]


@_learn.command("decision-list")
def decision_list(
    data: Data,
    *,
    target: Target,
    positive: Positive = None,
    negative: Negative = None,
    epsilon: Epsilon = "1",
    delta: Delta = "1e-6",
    k: Annotated[
        int, typer.Option("--k", metavar="COUNT", min=1, help="The most conditions in a rule.")
    ] = 1,
    cuts: Cuts = None,
    drop: Drop = None,
    test_split: TestSplit = "0.2",
    neighbours: Annotated[
        str,
        typer.Option(metavar="RELATION", help="Of the guarantee: replace_one or add_remove."),
    ] = "replace_one",
    accuracy: Annotated[
        str,
        typer.Option(
            metavar="ERROR", help="Say how many rows a theorem needs for this error; 0 for not."
        ),
    ] = "0.1",
    unknown: Unknown = "warn",
    seed: Seed = None,
    secure: Secure = False,
    accept_weak: AcceptWeak = False,
    save: Save = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn if / else-if rules, privately, and beside them the best list without privacy.

    The private rules and the ledger may be published. Accuracies and the list without privacy are
    computed from the rows as they are; no guarantee covers them, and they go to standard error
    (with --json, under a name that says so).
    """
    from learners.accounting import checked_neighbours
    from learners.estimators.training import private_list
    from learners.numbers import as_printed

    coins = _coins(seed, secure)
    hoped = as_printed(accuracy, "accuracy")
    with _warnings_as_notes():
        task = _task(
            data,
            target=target,
            positive=positive,
            negative=negative,
            epsilon=epsilon,
            delta=delta,
            cuts=cuts or (),
            drop=drop or (),
            test_split=test_split,
            neighbours=checked_neighbours(neighbours),
            unknown=unknown,
            coins=coins,
            accept_weak=accept_weak,
        )
        model, packed, _ = private_list(
            task.prepared,
            task.labels,
            k,
            task.delta,
            coins,
            neighbours=neighbours,
            classes=task.classes,
            target=target,
            accuracy=hoped or None,
        )
    sizes = f"{packed.count} candidate conditions (k = {k})"
    _conclude(task, model, packed, sizes=sizes, as_json=as_json, save=save)


@_learn.command()
def winnow(
    data: Data,
    *,
    target: Target,
    positive: Positive = None,
    negative: Negative = None,
    epsilon: Epsilon = "1",
    delta: Delta = "1e-6",
    cuts: Cuts = None,
    drop: Drop = None,
    test_split: TestSplit = "0.2",
    updates: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT", min=1, help="The most updates of the weights.", show_default=False
        ),
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT", min=1, help="Features drawn for a hypothesis.", show_default=False
        ),
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option(
            metavar="COUNT", min=1, help="The most mistakes in an update.", show_default=False
        ),
    ] = None,
    unknown: Unknown = "warn",
    seed: Seed = None,
    secure: Secure = False,
    accept_weak: AcceptWeak = False,
    save: Save = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn a weighted vote of features, privately, reading the rows once in random order.

    The weights and the ledger may be published. Accuracies and the list without privacy are
    computed from the rows as they are; no guarantee covers them, and they go to standard error
    (with --json, under a name that says so).
    """
    import numpy as np

    from learners.estimators.models import pack
    from learners.estimators.training import private_winnow, released_weights, winnow_for

    coins = _coins(seed, secure)
    with _warnings_as_notes():
        task = _task(
            data,
            target=target,
            positive=positive,
            negative=negative,
            epsilon=epsilon,
            delta=delta,
            cuts=cuts or (),
            drop=drop or (),
            test_split=test_split,
            neighbours="replace_one",
            unknown=unknown,
            coins=coins,
            accept_weak=accept_weak,
        )
    prepared = task.prepared
    learner = winnow_for(
        prepared.columns.count,
        prepared.left,
        task.delta,
        len(task.labels),
        updates=updates,
        draws=draws,
        batch=batch,
    )
    order = np.array(coins.shuffle(len(task.labels)))
    run = learner.run(prepared.matrix[order], task.labels[order], coins)
    guarantee = prepared.guarantee(learner.privacy, task.delta, coins)
    model = private_winnow(
        released_weights(learner, run),
        prepared.columns,
        guarantee,
        classes=task.classes,
        target=target,
    )
    packed = pack(prepared.columns, prepared.matrix, 1)
    sizes = (
        f"at most {learner.updates} updates of {learner.batch} mistakes, {learner.draws} draws each"
    )
    _conclude(task, model, packed, sizes=sizes, as_json=as_json, save=save)


@command(LEARNING)
def predict(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL", help="A model that 'lsclasses learn' saved.", show_default=False
        ),
        Reads(),
    ],
    data: Data,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the predictions here, as CSV.", show_default=False
        ),
        Writes(PREDICTIONS),
    ] = None,
    force: Force = False,
    unknown: Unknown = "warn",
    as_json: AsJson = False,
) -> None:
    """Predict the rows of a table with a saved model, one line a row, in order.

    The table needs the columns that the model looks at; others are ignored. If it has the target
    too, the share of right predictions is noted.
    """
    from learners.estimators.models import load_model
    from learners.estimators.tables import load_records
    from lsclasses.files import atomic_write

    loaded, table = load_model(model), load_records(data)
    with _warnings_as_notes():
        predicted = loaded.predict(table, unknown)
    if loaded.target in table.names:
        _note_share_right(loaded, table, predicted)
    text = _predictions_csv(loaded.target, predicted)
    if out is not None:
        atomic_write(out, text)
        note(f"{len(predicted)} predictions are in {out}.")
    if as_json:
        print_json({"target": loaded.target, "predictions": predicted})
    elif out is None:
        typer.echo(text, nl=False)


# ---- what is learned from


@dataclass(frozen=True)
class _Task:
    """A table made ready for learning, with rows set aside for testing."""

    name: str
    target: str
    classes: tuple[Any, Any]
    prepared: Prepared
    labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    delta: Fraction
    columns: int
    neighbours: str


def _coins(seed: int | None, secure: bool) -> Coins:
    from learners.coins import SecureCoins, SeededCoins

    if seed is None:
        return SecureCoins()
    if secure:
        raise InvalidInput(
            "Randomness comes from --seed (a simulation) or is --secure. Got both options."
        )
    return SeededCoins(seed)


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        note(f"Note: {warning.message}")


def _task(
    data: Path,
    *,
    target: str,
    positive: str | None,
    negative: str | None,
    epsilon: str,
    delta: str,
    cuts: Sequence[str],
    drop: Sequence[str],
    test_split: str,
    neighbours: str,
    unknown: str,
    coins: Coins,
    accept_weak: bool,
) -> _Task:
    import numpy as np

    from learners.estimators.columns import UNKNOWN
    from learners.estimators.declarations import declared_columns
    from learners.estimators.tables import load_records
    from learners.estimators.training import prepare
    from learners.numbers import as_printed, checked_budget, checked_delta

    budget, spare = checked_budget(
        as_printed(epsilon, "epsilon"), checked_delta(as_printed(delta, "delta")), accept_weak
    )
    share = as_printed(test_split, "share of rows for testing")
    if not 0 <= share < 1:
        raise InvalidInput(
            f"The share of rows for testing must be at least 0 and less than 1. Got {test_split}."
        )
    if unknown not in UNKNOWN:
        raise InvalidInput(f"--unknown is one of {', '.join(UNKNOWN)}. Got {unknown!r}.")
    table = load_records(data)
    labels, classes = _labels(table, target, positive, negative)
    for name in drop:
        if name == target:
            raise InvalidInput(f"The target {target!r} cannot be dropped.")
    features = table.without([target, *drop])
    if not features.names:
        raise InvalidInput(
            f"No column is left to learn from besides the target {target!r} and what is dropped."
        )
    declared = declared_columns(features.names, _declarations(cuts, features.names, target))
    # Each row is drawn for itself: rows that differ in one have parts that differ in one.
    testing = np.array([coins.flip(share) for _ in range(len(table))])
    kept = np.flatnonzero(~testing)
    if not len(kept):
        raise InvalidInput(
            f"All {len(table)} rows were kept for testing. Learn from more rows, or use "
            "--test-split 0."
        )
    training = features.rows(kept)
    _note_constant(training)
    prepared = prepare(
        training,
        declared,
        budget,
        neighbours=neighbours,
        unknown=unknown,
        coins=coins,
        conditional=False,  # the guarantee is about the rows of this file
    )
    # Looked at before anything is learned, so that what is wrong in them is told in time.
    rest = np.flatnonzero(testing)
    test = prepared.columns.matrix(features.rows(rest), unknown)
    return _Task(
        name=str(data),
        target=target,
        classes=classes,
        prepared=prepared,
        labels=labels[kept],
        test=test,
        test_labels=labels[rest],
        delta=spare,
        columns=len(features.names),
        neighbours=neighbours,
    )


def _labels(
    table: Records, target: str, positive: str | None, negative: str | None
) -> tuple[np.ndarray, tuple[Any, Any]]:
    import numpy as np

    from learners.estimators.tables import FLAGS

    if positive is None and negative is not None:
        raise InvalidInput("--negative needs --positive, the value that counts as 1.")
    texts = table.texts(target).tolist()
    if positive is None:
        classes: tuple[Any, Any] = (0, 1)
        known = {text: FLAGS.get(text.lower()) for text in set(texts)}
        advice = (
            "name the value that counts as 1, such as --positive {got!r}; all others count as 0"
        )
    else:
        positive, negative = positive.strip(), None if negative is None else negative.strip()
        classes = f"not {positive}" if negative is None else negative, positive
        known = {text: text == positive for text in set(texts)}
        if negative == positive:
            raise InvalidInput(f"--positive and --negative are different. Got {positive!r} twice.")
        if positive not in known:
            values = ", ".join(map(repr, sorted(known)[:5]))
            raise InvalidInput(
                f"No row has {positive!r} as its {target!r}; its values are {values}"
                f"{', ...' * (len(known) > 5)}."
            )
        advice = "leave out --negative to count everything but --positive as 0"
        if negative is not None:
            known = {
                text: True if text == positive else False if text == negative else None
                for text in known
            }
    for row, text in enumerate(texts):
        if known[text] is None:
            expected = "0 or 1" if positive is None else f"{positive!r} or {negative!r}"
            raise InvalidInput(
                f"The target {target!r} must be {expected}. Got {text!r} in {table.place(row)}; "
                f"{advice.format(got=text)}."
            )
    labels = np.array([known[text] for text in texts], dtype=bool)
    if labels.all() or not labels.any():
        note(
            f"Note: the target {target!r} is {classes[int(labels[0])]!r} in every row; are "
            "--target and --positive right?"
        )
    return labels, classes


def _declarations(cuts: Sequence[str], names: Sequence[str], target: str) -> dict[str, Column]:
    """What --cuts says of each column."""
    from learners.estimators.declarations import as_column, column_from_text
    from lsclasses.files import read_json

    found: dict[str, Column] = {}
    for text in cuts:
        name, equals, spec = text.partition("=")
        if equals:
            if name.strip() in found:
                raise InvalidInput(f"{name.strip()!r} is declared twice by --cuts.")
            found[name.strip()] = column_from_text(spec)
            continue
        if not text.endswith(".json"):
            raise InvalidInput(
                f"--cuts takes COLUMN=SPEC or a JSON file with a spec by column. Got {text!r}."
            )
        loaded = read_json(text)
        if not isinstance(loaded, dict):
            raise InvalidInput(f"{text!r} must hold an object, from columns to their specs.")
        twice = [name for name in loaded if name in found]
        if twice:
            raise InvalidInput(f"{twice[0]!r} is declared twice by --cuts.")
        found |= {
            name: column_from_text(spec) if isinstance(spec, str) else as_column(spec)
            for name, spec in loaded.items()
        }
    if target in found:
        raise InvalidInput(
            f"{target!r} is the target, and the target is no feature: do not declare it."
        )
    others = found.pop(OTHERS, None)
    if others is not None:
        found |= {name: others for name in names if name not in found}
    return found


def _note_constant(table: Records) -> None:
    constant = [
        name
        for name, column in zip(table.names, table.columns, strict=True)
        if all(entry == column[0] for entry in column[1:].tolist())
    ]
    if constant and len(table) > 1:
        note(
            f"Note: constant in the rows learned from: {', '.join(map(repr, constant))}. They are "
            "kept: leaving them out would say that they are constant. Drop what is useless on "
            "public grounds by --drop."
        )


# ---- what is shown


def _share(right: Any) -> float | None:
    return float(right.mean()) if len(right) else None


def _shown(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _conclude(
    task: _Task,
    model: Model,
    packed: PackedFeatures,
    *,
    sizes: str,
    as_json: bool,
    save: Path | None,
) -> None:
    """Save and show what was learned. It is paid for, so it is shown whatever else goes wrong."""
    from learners.estimators.training import exact_list

    failed: InvalidInput | None = None
    baseline: Model | None = None
    if save is not None:
        try:
            model.save(save)
        except InvalidInput as error:
            failed, save = error, None
    with suppress(KeyboardInterrupt):
        baseline = exact_list(
            model.columns, packed, task.labels, classes=task.classes, target=task.target
        )
    _report(task, model, baseline, sizes=sizes, as_json=as_json, save=save)
    if failed is not None:
        raise failed
    if baseline is None:
        raise typer.Exit(INTERRUPTED)


def _report(
    task: _Task,
    model: Model,
    baseline: Model | None,
    *,
    sizes: str,
    as_json: bool,
    save: Path | None,
) -> None:
    import numpy as np

    train, test = task.prepared.matrix, task.test
    common = int(2 * task.labels.sum() >= len(task.labels))
    guarantee = model.guarantee
    guesses = {
        "private" if guarantee else f"this {model.kind}": (
            model.labels_of(train),
            model.labels_of(test),
        ),
        **(
            {"without privacy": (baseline.labels_of(train), baseline.labels_of(test))}
            if baseline is not None
            else {}
        ),
        f"always {task.classes[common]}": (
            np.full(len(train), common),
            np.full(len(test), common),
        ),
    }
    accuracies = {
        name: (_share(one == task.labels), _share(two == task.test_labels))
        for name, (one, two) in guesses.items()
    }
    # Under the other relation the number of rows is protected.
    public = task.neighbours == "replace_one"
    rows = {"rows": {"training": len(train), "test": len(test)}}
    if as_json:
        print_json(
            {
                "data": task.name,
                "target": task.target,
                "classes": list(task.classes),
                **(rows if public else {}),
                "columns": task.columns,
                "features": model.columns.count,
                "rules": model.text().splitlines(),
                "ledger": None if guarantee is None else guarantee.to_json(),
                "not covered by the guarantee": {
                    **({} if public else rows),
                    "accuracy": {
                        name: {"training": one, "test": two}
                        for name, (one, two) in accuracies.items()
                    },
                    "rules without privacy": (
                        None if baseline is None else baseline.text().splitlines()
                    ),
                },
                "saved": None if save is None else str(save),
            }
        )
        return
    sample = f"{_many(len(train), 'row')} to learn from and {len(test)} to test"
    typer.echo(
        f"{task.name}: {sample + '; ' if public else ''}"
        f"{_many(task.columns, 'column')}, {_many(model.columns.count, 'feature')}, {sizes}\n"
    )
    private = "Private " if guarantee else "Not private: "
    typer.echo(f"{private}{model.kind} for {task.target}:")
    typer.echo(_indented(model.text()))
    typer.echo("\nLedger:")
    typer.echo(_indented(_ledger(guarantee)))
    if save is not None:
        typer.echo(f"\nThe model is in {save}.")
    note("\nNot covered by the guarantee, so for your eyes only:")
    if not public:
        note(f"  {sample}")
    width = max(map(len, accuracies))
    note(f"  {'accuracy':{width}}  training   test")
    for name, (one, two) in accuracies.items():
        note(f"  {name:{width}}  {_shown(one):>8}  {_shown(two):>5}")
    if baseline is None:
        return
    note("  decision list without privacy:")
    lines = baseline.text().splitlines()
    if len(lines) > SHOWN + 1:
        lines = [*lines[:SHOWN], f"... {len(lines) - SHOWN} more lines, which --json prints"]
    note(_indented(_indented("\n".join(lines))))


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def _ledger(guarantee: Guarantee | None) -> str:
    if guarantee is None:
        return (
            "There is no guarantee: cut points or categories were taken from the data. Do not "
            "publish anything."
        )
    return str(guarantee)


def _predictions_csv(target: str, predicted: Sequence[Any]) -> str:
    import csv
    import io

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([target or "prediction"])
    writer.writerows([label] for label in predicted)
    return buffer.getvalue()


def _note_share_right(model: Model, table: Records, predicted: Sequence[Any]) -> None:
    """Say how often the prediction is the target, where the target can be read."""
    from learners.estimators.tables import FLAGS

    texts = table.texts(model.target, blank=True).tolist()
    negative, positive = model.classes
    if (negative, positive) == (0, 1):
        truth = [FLAGS.get(text.lower()) for text in texts]
    else:
        truth = [text == str(positive) for text in texts]
    right = [(guess == positive) == label for guess, label in zip(predicted, truth, strict=True)]
    note(f"{sum(right)} of {len(right)} predictions are the value of {model.target!r}.")
