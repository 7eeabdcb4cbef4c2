"""``lsclasses learn`` and ``lsclasses predict``: rules from real tables, privately."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from learners.commands.budget import BudgetOption
from learners.commands.told import (
    Declared,
    Person,
    RowsPerPerson,
    pay_for,
    require_agreed,
    told,
)
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
from lsclasses.numbers import plural
from lsclasses.outputs import Kind, Reads, Writes, json_head

if TYPE_CHECKING:
    from learners.coins import Coins
    from learners.tables.guarantees import Guarantee
    from learners.tables.models import Model
    from learners.tables.records import Records
    from learners.tables.saved import SavedModel
    from learners.tables.training import Task

__all__ = ["MODEL", "Save", "decision_list", "learn", "learning", "predict", "winnow"]

SHOWN = 15
"""How many rules of the list without privacy are printed; noisy labels make it long."""

MODEL = Kind("a model", {".json": json_head("lsclasses-model")})
PREDICTIONS = Kind("predictions", {".csv": None})
"""A column of labels, which might as well be the user's own."""

learning = Commands(
    no_args_is_help=True,
    help="Learn a rule from a table (CSV) with differential privacy, and show what it cost.",
)
learn = command(LEARNING)(learning)

Data = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A CSV file whose first line names the columns.", show_default=False
    ),
    Reads(),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column to predict, unless the schema names it.",
        show_default=False,
    ),
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
    typer.Option(
        "--drop",
        metavar="COLUMN",
        help="Leave a column out; '' is the one without a name, such as the index of a data frame.",
        show_default=False,
    ),
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


@learning.command("decision-list")
def decision_list(
    data: Data,
    *,
    target: Target = None,
    positive: Positive = None,
    negative: Negative = None,
    schema: Declared = None,
    epsilon: Epsilon = "1",
    delta: Delta = "1e-6",
    k: Annotated[
        int, typer.Option("--k", metavar="COUNT", min=1, help="The most conditions in a rule.")
    ] = 1,
    cuts: Cuts = None,
    drop: Drop = None,
    person: Person = None,
    rows_per_person: RowsPerPerson = None,
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
    budget: BudgetOption = None,
    save: Save = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn if / else-if rules, privately, by covering rows greedily.

    The private rules and the ledger may be published. Accuracies and the rules without privacy that
    they are compared with are computed from the rows as they are; no guarantee covers them, and
    they go to standard error (with --json, under a name that says so).
    """
    from learners.accounting import checked_neighbours
    from learners.numbers import as_printed
    from learners.tables.persons import share_of_a_row
    from learners.tables.training import private_list, set_task

    coins = coins_for(seed, secure)
    whole, spare, share = _shares(epsilon, delta, test_split, accept_weak)
    hoped = as_printed(accuracy, "accuracy")
    with warnings_as_notes():
        said = told(
            data,
            schema,
            target=target,
            positive=positive,
            negative=negative,
            drop=drop,
            budget=budget,
        )
        task = set_task(
            said.table,
            said.target,
            whole,
            coins,
            positive=said.positive,
            negative=said.negative,
            cuts=cuts or (),
            drop=said.drop,
            schema=said.schema,
            person=person,
            rows_per_person=rows_per_person,
            test_share=share,
            neighbours=checked_neighbours(neighbours),
            unknown=unknown,
        )
        pay_for(
            budget,
            task,
            coins,
            data=said.digest,
            what="decision-list",
            spent=(whole, spare),
            person=person,
        )
        model, packed, _ = private_list(
            task.prepared,
            task.labels,
            k,
            share_of_a_row(whole, spare, rows_per_person or 1)[1],
            coins,
            neighbours=neighbours,
            classes=task.classes,
            target=task.target,
            accuracy=hoped or None,
        )
    sizes = f"{packed.count} candidate conditions (k = {k})"
    conclude(task, model, file=data, sizes=sizes, as_json=as_json, save=save)


@learning.command()
def winnow(
    data: Data,
    *,
    target: Target = None,
    positive: Positive = None,
    negative: Negative = None,
    schema: Declared = None,
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
    budget: BudgetOption = None,
    save: Save = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn a weighted vote of features, privately, reading the rows once in random order.

    The weights and the ledger may be published. Accuracies and the rules without privacy that they
    are compared with are computed from the rows as they are; no guarantee covers them, and they go
    to standard error (with --json, under a name that says so).
    """
    import numpy as np

    from learners.tables.training import (
        private_winnow,
        released_weights,
        set_task,
        warn_of_short_stream,
        winnow_for,
    )

    coins = coins_for(seed, secure)
    whole, spare, share = _shares(epsilon, delta, test_split, accept_weak)
    with warnings_as_notes():
        said = told(
            data,
            schema,
            target=target,
            positive=positive,
            negative=negative,
            drop=drop,
            budget=budget,
        )
        task = set_task(
            said.table,
            said.target,
            whole,
            coins,
            positive=said.positive,
            negative=said.negative,
            cuts=cuts or (),
            drop=said.drop,
            schema=said.schema,
            test_share=share,
            neighbours="replace_one",
            unknown=unknown,
        )
    pay_for(budget, task, coins, data=said.digest, what="winnow", spent=(whole, spare))
    prepared = task.prepared
    learner = winnow_for(
        prepared.columns.count,
        prepared.left,
        spare,
        len(task.labels),
        updates=updates,
        draws=draws,
        batch=batch,
    )
    with warnings_as_notes():
        warn_of_short_stream(learner, len(task.labels), prepared.left, spare)
    order = np.array(coins.shuffle(len(task.labels)))
    run = learner.run(prepared.matrix[order], task.labels[order], coins)
    guarantee = prepared.guarantee(learner.privacy, spare, coins)
    model = private_winnow(
        released_weights(learner, run),
        prepared.columns,
        guarantee,
        classes=task.classes,
        target=task.target,
    )
    sizes = (
        f"at most {plural(learner.updates, 'update')} of {plural(learner.batch, 'mistake')}, "
        f"{plural(learner.draws, 'draw')} each"
    )
    conclude(task, model, file=data, sizes=sizes, as_json=as_json, save=save)


@command(LEARNING)
def predict(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model that 'lsclasses learn' or 'lsclasses pac' saved.",
            show_default=False,
        ),
        Reads(),
    ],
    data: Data,
    *,
    schema: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The schema that was learned with: refuse a table or a model of other columns.",
            show_default=False,
        ),
        Reads(),
    ] = None,
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

    The table needs the columns that the model looks at (a hypothesis of 'lsclasses pac' looks at
    the column point); others are ignored. If it has the target too, the share of right predictions
    is noted.
    """
    from learners.tables.records import load_records
    from learners.tables.saved import load_model
    from lsclasses.files import atomic_write

    # What the model does not look at may be the index of a data frame.
    loaded, table = load_model(model), load_records(data, drop=[""])
    if schema is not None:
        require_agreed(loaded, table, schema)
    with warnings_as_notes():
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


def _shares(
    epsilon: str, delta: str, test_split: str, accept_weak: bool
) -> tuple[Fraction, Fraction, Fraction]:
    """The budget and the share of rows for testing."""
    from learners.numbers import as_printed, checked_budget, checked_delta

    budget, spare = checked_budget(
        as_printed(epsilon, "epsilon"), checked_delta(as_printed(delta, "delta")), accept_weak
    )
    return budget, spare, as_printed(test_split, "share of rows for testing")


def coins_for(seed: int | None, secure: bool) -> Coins:
    from learners.coins import SecureCoins, SeededCoins

    if seed is None:
        return SecureCoins()
    if secure:
        raise InvalidInput(
            "Randomness comes from --seed (a simulation) or is --secure. Got both options."
        )
    return SeededCoins(seed)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for warning in caught:
                note(f"Note: {warning.message}")


# ---- what is shown


def _share(right: Any) -> float | None:
    return float(right.mean()) if len(right) else None


def _shown(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def conclude(
    task: Task,
    model: Model,
    *,
    file: Path,
    sizes: str,
    as_json: bool,
    save: Path | None,
) -> None:
    """Save and show what was learned. It is paid for, so it is shown whatever else goes wrong."""
    from learners.tables.rule_training import plain_rules

    failed: InvalidInput | None = None
    baseline: Model | None = None
    if save is not None:
        try:
            model.save(save)
        except InvalidInput as error:
            failed, save = error, None
    with suppress(KeyboardInterrupt):
        baseline = plain_rules(
            model.columns,
            task.prepared.matrix,
            task.labels,
            classes=task.classes,
            target=task.target,
        )
    _report(task, model, baseline, file=file, sizes=sizes, as_json=as_json, save=save)
    if failed is not None:
        raise failed
    if baseline is None:
        raise typer.Exit(INTERRUPTED)


def _report(
    task: Task,
    model: Model,
    baseline: Model | None,
    *,
    file: Path,
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
                "data": str(file),
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
    sample = f"{plural(len(train), 'row')} to learn from and {len(test)} to test"
    typer.echo(
        f"{file}: {sample + '; ' if public else ''}"
        f"{plural(task.columns, 'column')}, {plural(model.columns.count, 'feature')}, {sizes}\n"
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
    note(f"  {baseline.kind} without privacy, the best here of several rule learners:")
    lines = baseline.text().splitlines()
    if len(lines) > SHOWN + 1:
        lines = [*lines[:SHOWN], f"... {len(lines) - SHOWN} more lines, which --json prints"]
    note(_indented(_indented("\n".join(lines))))


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


def _note_share_right(model: SavedModel, table: Records, predicted: Sequence[Any]) -> None:
    """Say how often the prediction is the target, where the target can be read."""
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
    note(f"{sum(right)} of {len(right)} predictions are the value of {model.target!r}.")
