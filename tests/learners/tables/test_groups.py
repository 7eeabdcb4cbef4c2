"""Rates by group: what is counted, what is paid for it, and what the owner states of a model."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from learners.accounting import basic
from learners.coins import SeededCoins
from learners.tables.groups import GroupRates, PrivateGroupCounts
from learners.tables.saved import load_model
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import with_checksum
from tests.lsclasses.commands.test_cli import run

SCHEMA = """
declared = "code book"
[target]
column = "risk"
positive = "high"
negative = "low"
[columns]
age = [40, 60]
sex = {categories = ["f", "m"], sensitive = true}
"""


def test_rates_are_those_of_the_rows_where_there_is_hardly_any_noise():
    rng = np.random.default_rng(1)
    groups, labels, said = rng.integers(0, 3, 900), rng.random(900) < 0.4, rng.random(900) < 0.5
    made = PrivateGroupCounts(10**6)
    counts = made.release(groups, 3, labels, said, SeededCoins(1))
    rates = GroupRates("g", ("a", "b", "c"), counts, made.noise.scale)
    for g in range(3):
        there = groups == g
        wanted = [said[there & rows].mean() for rows in (labels | True, labels, ~labels)]
        assert [rate[0] for rate in rates.rates(g)] == pytest.approx(wanted)


def test_the_deviation_of_a_rate_is_that_of_rates_that_are_drawn():
    made = PrivateGroupCounts(Fraction(1, 4))
    groups, labels = np.zeros(4000, dtype=int), np.arange(4000) % 4 == 0
    said = np.arange(4000) % 3 == 0
    found = []
    for seed in range(400):
        counts = made.release(groups, 1, labels, said, SeededCoins(seed))
        found.append(GroupRates("g", ("a",), counts, made.noise.scale).rates(0))
    for j in range(3):
        values = [rates[j][0] for rates in found]
        assert np.std(values) == pytest.approx(found[0][j][1], rel=0.15)


def test_too_few_rows_for_the_noise_have_no_rate():
    assert GroupRates("g", ("a",), ((3, 1, -2, 4),), Fraction(20)).rates(0) == (None,) * 3


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(2)
    lines = ["age,sex,risk"]
    for _ in range(3000):
        age, sex = rng.integers(20, 90), "fm"[rng.integers(2)]
        lines.append(f"{age},{sex},{'high' if age >= 60 and sex == 'm' else 'low'}")
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "schema.toml").write_text(SCHEMA)
    return tmp_path


def call(folder, learner, *words):
    base = ("learn", learner, folder / "rows.csv", "--schema", folder / "schema.toml", "--seed", 1)
    return run(*base, *words)


@pytest.mark.parametrize("learner", ["rules", "best", "naive-bayes", "decision-list"])
def test_groups_are_paid_out_of_the_budget_and_saved(table, learner):
    done = call(table, learner, "--report-groups", "sex=1/5", "--save", table / "m.json")
    assert "rates by group: epsilon 0.2" in done.stdout
    model = load_model(table / "m.json")
    assert basic(model.guarantee.event)[0] == 1
    assert model.groups.names[:2] == ("sex = f", "sex = m") and model.groups.scale == 10
    data = json.loads(model.to_json())
    for groups in ({}, data["groups"] | {"names": ["a"]}, data["groups"] | {"scale": "0"}):
        changed = {k: v for k, v in (data | {"groups": groups}).items() if k != "checksum"}
        (table / "changed.json").write_text(with_checksum(changed))
        with pytest.raises(InvalidInput):
            load_model(table / "changed.json")


def test_a_sensitive_column_gives_a_warning_where_it_is_used_and_only_there(table):
    used = call(table, "rules", "--save", table / "used.json")
    assert "uses the column 'sex', which is declared as sensitive" in used.stderr
    assert "declared by: code book" in used.stdout
    done = call(
        table, "rules", "--sensitive", "sex", "--report-groups", "sex=0.1", "--save",
        table / "without.json",
    )  # fmt: skip
    assert "sensitive" not in done.stderr
    one, two = (load_model(table / f"{name}.json") for name in ("used", "without"))
    assert one.looks_at == ("age", "sex") and "sex" not in two.columns.names
    assert two.stated.left_out == ("sex",) == one.stated.sensitive and not one.stated.left_out
    assert two.groups is not None and one.groups is None


def test_groups_of_persons_are_paid_for_persons(table):
    rows = (table / "rows.csv").read_text().splitlines()
    with_names = [f"{line},{i // 2}" for i, line in enumerate(rows[1:])]
    (table / "rows.csv").write_text("\n".join([rows[0] + ",who", *with_names]) + "\n")
    call(
        table, "rules", "--report-groups", "sex=0.1", "--person", "who", "--rows-per-person", 2,
        "--neighbours", "add_remove", "--save", table / "m.json",
    )  # fmt: skip
    model = load_model(table / "m.json")
    assert model.guarantee.epsilon == 1 and model.groups.scale == 20
    assert "one person added or removed, with at most 2 rows used" in str(model.guarantee)


def test_what_was_taken_from_rows_stays_so_when_one_line_is_removed(table):
    made = run("schema", table / "rows.csv", "--look-at-values-not-private")
    text = made.stdout.replace('column = ""', 'column = "risk"', 1)
    text = text.replace('positive = ""', 'positive = "high"')
    lines = text.splitlines()
    marks = [i for i, line in enumerate(lines) if line.startswith("taken-from-the-data")]
    for i in [None, *marks]:
        kept = [line for j, line in enumerate(lines) if j != i]
        (table / "schema.toml").write_text("\n".join(kept))
        assert "cuts from data" in call(table, "rules").stdout
    kept = ['declared = "code book of 2020"', *kept]
    (table / "schema.toml").write_text("\n".join(kept))
    done = call(table, "rules")
    assert "in all: (1, 0)-differentially private" in done.stdout
    assert "declared by: code book of 2020" in done.stdout


@pytest.mark.parametrize("cuts", ["cuts.json", "age=50"])
def test_a_column_that_is_left_out_is_declared_as_others_are(cuts, tmp_path, monkeypatch):
    """A column of 0 and 1 is a flag by itself, and a file of declarations may have it, too."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 90},{i % 2},{'yn'[i % 90 < 50]}\n" for i in range(400))
    (tmp_path / "people.csv").write_text(f"age,sex,risk\n{rows}")
    (tmp_path / "cuts.json").write_text('{"age": [50], "sex": "flag"}')
    words = f"learn rules people.csv --target risk --positive y --cuts {cuts} --sensitive sex"
    done = run(*words.split(), "--report-groups", "sex=0.1", "--seed", 1, "--no-comparison")
    assert "Rates by sex" in done.stdout and "1 column, " in done.stdout
