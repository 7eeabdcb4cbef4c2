"""``lsclasses learn best``, ``rules`` and ``naive-bayes``: short rules and scores, privately."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from learners.commands.budget import BudgetOption
from learners.commands.learn import (
    AcceptWeak,
    Cuts,
    Data,
    Drop,
    Epsilon,
    Negative,
    Positive,
    Save,
    Secure,
    Seed,
    Target,
    TestSplit,
    Unknown,
    coins_for,
    conclude,
    learn,
    learning,
    warnings_as_notes,
)
from learners.commands.told import Declared, Person, RowsPerPerson, pay_for, told
from lsclasses.commands.application import AsJson, Force
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural

if TYPE_CHECKING:
    from pathlib import Path

    from learners.bounds import Bound
    from learners.coins import Coins
    from learners.rules.gibbs_tree import GibbsTree
    from learners.tables.rule_training import Plan
    from learners.tables.training import Task

__all__ = ["best", "learn", "naive_bayes", "rules"]

Neighbours = Annotated[
    str, typer.Option(metavar="RELATION", help="Of the guarantee: replace_one or add_remove.")
]
DeclaredRows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        metavar="COUNT",
        min=1,
        help="For add_remove, where the number of rows is protected: a public guess at it.",
        show_default=False,
    ),
]
ReportSupport = Annotated[
    str,
    typer.Option(
        metavar="SHARE",
        help="Say how many rows each rule decides, with noise, for this share of epsilon.",
    ),
]
Weights = Annotated[
    str,
    typer.Option(
        metavar="NEGATIVE,POSITIVE",
        help="What a right row of each class counts, public integers: for unbalanced classes.",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        metavar="COUNT",
        min=1,
        max=3,
        help="The most conditions in a rule; 3, or 2 where there are very many.",
        show_default=False,
    ),
]


@learning.command()
def best(
    data: Data,
    *,
    target: Target = None,
    positive: Positive = None,
    negative: Negative = None,
    schema: Declared = None,
    epsilon: Epsilon = "1",
    cuts: Cuts = None,
    drop: Drop = None,
    person: Person = None,
    rows_per_person: RowsPerPerson = None,
    test_split: TestSplit = "0.2",
    neighbours: Neighbours = "replace_one",
    rows: DeclaredRows = None,
    weights: Weights = "1,1",
    report_support: ReportSupport = "0",
    unknown: Unknown = "warn",
    seed: Seed = None,
    secure: Secure = False,
    accept_weak: AcceptWeak = False,
    budget: BudgetOption = None,
    save: Save = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn at most four rules; on large tables they may ask a score of naive Bayes.

    The choice is a rule of public numbers: from 10,000 rows times epsilon on, 3/10 of epsilon is
    spent on the score. Otherwise this is 'learn rules'.
    """
    _rules(
        data,
        "best",
        target=target,
        positive=positive,
        negative=negative,
        schema=schema,
        epsilon=epsilon,
        cuts=cuts,
        drop=drop,
        person=person,
        rows_per_person=rows_per_person,
        test_split=test_split,
        neighbours=neighbours,
        rows=rows,
        weights=weights,
        depth=None,
        report_support=report_support,
        unknown=unknown,
        coins=coins_for(seed, secure),
        accept_weak=accept_weak,
        budget=budget,
        save=save,
        as_json=as_json,
    )


@learning.command()
def rules(
    data: Data,
    *,
    target: Target = None,
    positive: Positive = None,
    negative: Negative = None,
    schema: Declared = None,
    epsilon: Epsilon = "1",
    cuts: Cuts = None,
    drop: Drop = None,
    person: Person = None,
    rows_per_person: RowsPerPerson = None,
    test_split: TestSplit = "0.2",
    neighbours: Neighbours = "replace_one",
    rows: DeclaredRows = None,
    weights: Weights = "1,1",
    depth: Depth = None,
    report_support: ReportSupport = "0",
    unknown: Unknown = "warn",
    seed: Seed = None,
    secure: Secure = False,
    accept_weak: AcceptWeak = False,
    budget: BudgetOption = None,
    save: Save = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn at most four disjoint rules and an else, with pure differential privacy.

    One private choice among all decision trees of depth 3 on the declared conditions. Accuracies
    and the comparison without privacy are computed from the rows as they are; no guarantee covers
    them, and they go to standard error (with --json, under a name that says so).
    """
    _rules(
        data,
        "0",
        target=target,
        positive=positive,
        negative=negative,
        schema=schema,
        epsilon=epsilon,
        cuts=cuts,
        drop=drop,
        person=person,
        rows_per_person=rows_per_person,
        test_split=test_split,
        neighbours=neighbours,
        rows=rows,
        weights=weights,
        depth=depth,
        report_support=report_support,
        unknown=unknown,
        coins=coins_for(seed, secure),
        accept_weak=accept_weak,
        budget=budget,
        save=save,
        as_json=as_json,
    )


@learning.command("naive-bayes")
def naive_bayes(
    data: Data,
    *,
    target: Target = None,
    positive: Positive = None,
    negative: Negative = None,
    schema: Declared = None,
    epsilon: Epsilon = "1",
    delta: Annotated[
        str,
        typer.Option(
            metavar="NUMBER",
            help="0 for a pure guarantee; more allows Gaussian noise, better from five columns on.",
        ),
    ] = "0",
    cuts: Cuts = None,
    drop: Drop = None,
    person: Person = None,
    rows_per_person: RowsPerPerson = None,
    test_split: TestSplit = "0.2",
    neighbours: Neighbours = "replace_one",
    unknown: Unknown = "warn",
    seed: Seed = None,
    secure: Secure = False,
    accept_weak: AcceptWeak = False,
    budget: BudgetOption = None,
    save: Save = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Learn a score that every column adds to, from noisy counts of its cells and classes.

    Accuracies and the comparison without privacy are computed from the rows as they are; no
    guarantee covers them, and they go to standard error (with --json, under a name that says so).
    """
    from learners.numbers import as_printed, checked_delta
    from learners.tables.bayes import BayesModel
    from learners.tables.rule_training import private_bayes

    spare = as_printed(delta, "delta")
    if spare and person is not None:
        raise InvalidInput("With --person, naive Bayes has a pure guarantee only: --delta 0.")
    coins = coins_for(seed, secure)
    task = _task(
        data,
        target=target,
        positive=positive,
        negative=negative,
        schema=schema,
        epsilon=epsilon,
        delta=checked_delta(spare) if spare else None,
        cuts=cuts,
        drop=drop,
        person=person,
        rows_per_person=rows_per_person,
        test_split=test_split,
        neighbours=neighbours,
        unknown=unknown,
        coins=coins,
        accept_weak=accept_weak,
        budget=budget,
        what="naive-bayes",
    )
    scores, event = private_bayes(
        task.prepared, task.labels, task.prepared.left, spare or None, coins, neighbours=neighbours
    )
    guarantee = task.prepared.guarantee(event, spare or None, coins)
    model = BayesModel(task.prepared.columns, task.classes, task.target, guarantee, scores)
    conclude(task, model, file=data, sizes="one histogram a column", as_json=as_json, save=save)


def _task(
    data: Path,
    *,
    epsilon: str,
    delta: Fraction | None,
    accept_weak: bool,
    target: str | None,
    positive: str | None,
    negative: str | None,
    schema: Path | None,
    cuts: list[str] | None,
    drop: list[str] | None,
    person: str | None,
    rows_per_person: int | None,
    test_split: str,
    neighbours: str,
    unknown: str,
    coins: Coins,
    budget: Path | None,
    what: str,
) -> Task:
    from learners.accounting import checked_neighbours
    from learners.numbers import as_printed, checked_budget
    from learners.tables.training import set_task

    whole, spare = checked_budget(as_printed(epsilon, "epsilon"), delta or 0, accept_weak)
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
            test_share=as_printed(test_split, "share of rows for testing"),
            neighbours=checked_neighbours(neighbours),
            unknown=unknown,
        )
    pay_for(budget, task, coins, data=said.digest, what=what, spent=(whole, spare), person=person)
    return task


def _rules(
    data: Path,
    score: str,
    *,
    rows: int | None,
    weights: str,
    depth: int | None,
    report_support: str,
    coins: Coins,
    neighbours: str,
    save: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    from learners.numbers import as_printed
    from learners.tables.rule_training import best_share, private_rules, public_rows

    public_rows(None, rows, neighbours)  # before anything is paid for
    support = as_printed(report_support, "share of epsilon for supports")
    counted = _weights(weights)
    what = "best" if score == "best" else "rules"
    task = _task(data, delta=None, coins=coins, neighbours=neighbours, what=what, **given)
    public = public_rows(len(task.labels), rows, neighbours)
    left = task.prepared.left
    model, _, mechanism, planned = private_rules(
        task.prepared,
        task.labels,
        coins,
        neighbours=neighbours,
        classes=task.classes,
        target=task.target,
        score_share=best_share(public, left) if score == "best" else Fraction(0),
        support_share=support,
        weights=counted,
        depth=depth,
        rows=rows,
    )
    sizes = _sizes(mechanism, planned, public)
    conclude(task, model, file=data, sizes=sizes, as_json=as_json, save=save)


def _sizes(mechanism: GibbsTree, planned: Plan, rows: int | None) -> str:
    """What was chosen from, and what is proved of it: public numbers."""
    sample = f", of a secret sample of {planned.sample} rows" if planned.sample else ""
    conditions = plural(len(planned.conditions), "condition")
    return f"trees of depth {planned.depth} over {conditions}{sample}; " + _promised(
        mechanism.bounds(planned.conditions, rows), "weighted " * (max(mechanism.weights) > 1)
    )


def _promised(bounds: tuple[Bound, ...], weighted: str) -> str:
    """By how many rows rules are worse than the best single rule and the best tree, if known."""
    one, full = bounds[1], bounds[-1]
    given = "".join(f", if {each}" for each in one.hypotheses)
    fewer = f"at most {one.value} {weighted}rows fewer right than the best single rule"
    surely = "except with probability 1/20"
    if not full.vacuous:
        return f"{fewer} and {full.value} fewer than the best tree, {surely}{given}"
    bound = f"the bound of {full.value} is vacuous for {full.trivial}"
    if not one.vacuous:
        return f"{fewer}, {surely}{given}; beside the best tree {bound}"
    return (
        f"nothing is promised of the {weighted}rows that are right: beside the best single rule "
        f"the bound of {one.value} is vacuous for {one.trivial}"
    )


def _weights(text: str) -> tuple[int, int]:
    try:
        negative, positive = (int(part) for part in text.split(","))
    except ValueError:
        raise InvalidInput(
            f"The weights of the two classes are written such as 1,3. Got {text!r}."
        ) from None
    return negative, positive
