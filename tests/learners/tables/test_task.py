"""Tasks: the split of the budget and of the rows, and one object for commands and estimators."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from learners.accounting import basic
from learners.audit import audit
from learners.audit.instances import neighbouring_tables
from learners.coins import SeededCoins
from learners.exact import CensoredCoins
from learners.tables import PrivateRuleListClassifier
from learners.tables.columns import Cuts, Flag, PrivateCuts
from learners.tables.entries import TRAININGS
from learners.tables.groups import GroupShare, PrivateGroupCounts
from learners.tables.records import Records, as_records
from learners.tables.schemas import load_schema
from learners.tables.task import TableTask, TaskOptions
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict

ROWS = 200
PEOPLE = [{"age": 20 + 7 * i % 60, "smoker": i % 3 % 2, "ill": i // 7 % 2} for i in range(ROWS)]
AGES = "age=30,40,50,60"


def people() -> Records:
    return as_records(PEOPLE)


def whole_task(**given) -> TableTask:
    table = people()
    fields = {
        "features": table.without(["ill"]),
        "declared": (Cuts([30, 40, 50, 60]), Flag()),
        "labels": table.cells("ill").flags(),
        "classes": (0, 1),
        "epsilon": Fraction(1),
        "neighbours": "replace_one",
        "unknown": "error",
    }
    return TableTask(**fields | given)


def test_a_task_and_an_estimator_learn_the_same_rules():
    data = whole_task().draw(coins := SeededCoins(4))
    model, _ = TRAININGS["rules"].training().learn(data, coins)
    table = people()
    classifier = PrivateRuleListClassifier(
        1, columns={"age": [30, 40, 50, 60], "smoker": "flag"}, random_state=SeededCoins(4)
    ).fit(table.without(["ill"]), table.cells("ill").flags().astype(int))
    assert model.text() == classifier.model_.text()


def test_every_row_is_a_training_row_or_a_test_row():
    data = TaskOptions(target="ill", cuts=[AGES]).task(people(), Fraction(1)).draw(SeededCoins(2))
    assert len(data.labels) + len(data.test_labels) == ROWS
    assert (len(data.matrix), len(data.test)) == (len(data.labels), len(data.test_labels))
    both = np.concatenate([data.labels, data.test_labels])
    assert both.sum() == people().cells("ill").flags().sum()


def test_private_cut_points_and_groups_pay_from_one_budget():
    options = TaskOptions(
        target="ill", cuts=["age=0..100/20:2@0.25", "smoker=0,1"], report_groups="smoker=1/3"
    )
    task = options.task(people(), Fraction(1))
    assert task.cost is not None and basic(task.cost) == (Fraction(1, 4), 0)
    data = task.draw(SeededCoins(1))
    assert data.remaining == Fraction(3, 4) * Fraction(2, 3)
    assert data.groups is not None and data.groups.mechanism.epsilon == Fraction(1, 4)
    model, _ = TRAININGS["rules"].training().learn(data, SeededCoins(3))
    assert model.guarantee is not None and model.guarantee.epsilon == 1


def test_a_task_refuses_private_cut_points_that_cost_the_whole_budget():
    with pytest.raises(InvalidInput, match="no epsilon remains"):
        whole_task(declared=(PrivateCuts(0, 100, 20, 1, 1), Flag()))


def test_the_budget_of_a_row_is_the_share_of_its_person():
    table = as_records([{"who": i // 2, **row} for i, row in enumerate(PEOPLE)])
    task = TaskOptions(target="ill", cuts=[AGES]).task(
        table, Fraction(1), neighbours="add_remove", person="who", rows_per_person=2
    )
    assert (task.epsilon, len(task.features), task.features.names) == (
        Fraction(1, 2),
        ROWS,
        ("age", "smoker"),
    )


def test_a_schema_and_options_describe_one_task(tmp_path):
    path = tmp_path / "people.toml"
    path.write_text('[target]\ncolumn = "ill"\n[columns]\nage = [30, 40]\nsmoker = "flag"\n')
    for schema in (path, load_schema(path)):
        task = TaskOptions(schema=schema, sensitive=["smoker"]).task(people(), Fraction(1))
        assert task.features.names == ("age",) and task.declared == (Cuts([30, 40]),)
        assert task.stated is not None and task.stated.left_out == ("smoker",)
    with pytest.raises(InvalidInput, match="declares the target 'ill', but --target is 'age'"):
        _ = TaskOptions(schema=path, target="age").declaration


def test_reading_a_task_draws_no_coins_and_reports_errors_of_entries():
    rows = [*PEOPLE, {"age": "old", "smoker": 0, "ill": 0}]
    with pytest.raises(InvalidInput, match="'old' in row 200"):
        TaskOptions(target="ill", cuts=[AGES]).task(as_records(rows), Fraction(1))


KINDS = ((0, "0"), (0, "1"), (0, ""))


@cache
def task_of(rows, neighbours):
    """The task of some rows and one common row. It is read without coins, so it is made once."""
    options = TaskOptions(target="y", drop_unlabelled=True, test_split=0)
    table = as_records([{"x": x, "y": y} for x, y in [(1, "0"), *rows]])
    return options.task(table, Fraction(2), neighbours=neighbours)


def counted(rows, coins, neighbours):
    """Noisy counts of the labels of the labelled rows, and of one common row."""
    data = task_of(tuple(rows), neighbours).draw(coins)
    labels = data.labels
    counts = PrivateGroupCounts(2, neighbours).release(
        np.zeros(len(labels), dtype=int), 1, labels, labels, CensoredCoins(coins, 3)
    )
    sizes = len(labels) if neighbours == "replace_one" else None
    return tuple(min(max(count, 0), 3) for count in counts[0]), sizes


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rows", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_leaving_out_rows_without_a_target_keeps_the_guarantee(rows: int):
    pairs = neighbouring_tables(KINDS, rows, "add_remove")
    found = audit(lambda rows, coins: counted(rows, coins, "add_remove"), pairs, (2, 0))
    assert found.verdict == Verdict.HOLDS


@pytest.mark.filterwarnings("ignore")
def test_leaving_out_rows_under_replace_one_would_publish_their_number(monkeypatch):
    """The incorrect variant: the number of used rows is public, and a replaced row changes it."""
    monkeypatch.setattr(
        TaskOptions,
        "_labelled",
        lambda self, table, target, neighbours: table.rows(
            np.flatnonzero(~table.cells(target).missing())
        ),
    )
    pairs = neighbouring_tables(KINDS, 1, "replace_one")
    found = audit(lambda rows, coins: counted(rows, coins, "replace_one"), pairs, (2, 0))
    assert found.verdict == Verdict.VIOLATED


def test_rows_without_a_target_are_refused_with_advice_that_works():
    table = as_records([*PEOPLE, {"age": 40, "smoker": 1, "ill": ""}])
    options = TaskOptions(target="ill", cuts=[AGES])
    with pytest.raises(InvalidInput, match="--drop-unlabelled --neighbours add_remove"):
        options.task(table, Fraction(1))
    with pytest.raises(InvalidInput, match="needs --neighbours add_remove"):
        replace(options, drop_unlabelled=True).task(table, Fraction(1))
    task = replace(options, drop_unlabelled=True).task(table, Fraction(1), neighbours="add_remove")
    assert len(task.labels) == ROWS


def test_rates_by_group_need_test_rows():
    groups = GroupShare("smoker", Fraction(1, 3))
    with pytest.raises(InvalidInput, match="Rates by group need a share of test rows"):
        whole_task(groups=groups)
    assert whole_task(groups=groups, test_share=Fraction(0)).remaining == Fraction(2, 3)
