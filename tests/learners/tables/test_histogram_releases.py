"""Histograms of a column: which rows a bin has, what follows from a release, and files of it."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from learners.budget import Budget
from learners.coins import SeededCoins
from learners.tables.histogram_releases import Bins, HistogramRelease, PrivateHistogram
from learners.tables.records import as_records
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import with_checksum
from tests.lsclasses.commands.test_cli import error_of, run

SURE = Budget(10**6, allow_weak_privacy=True)
"""Hardly any noise."""


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        # In the order of the bins, then what is elsewhere: of -1, 0, 0.5, 1, 2.99, 3, 7, missing.
        ("0..2", [2, 1, 1, 4]),
        ("0..1,2..3", [3, 2, 3]),
        ("0..1,3..9", [3, 2, 3]),
        ("0..3/2", [3, 1, 4]),
        ("-1,0.5,7", [2, 4, 2]),
    ],
)
def test_numbers_are_counted_from_a_start_up_to_an_end(text, counts):
    entries = [-1, 0, 0.5, 1, 2.99, 3, 7, None]
    table = as_records([{"x": entry} for entry in entries])
    assert Bins(text).counts(table, "x") == counts


def test_categories_are_counted_by_their_text_and_others_are_elsewhere():
    table = as_records([{"x": entry} for entry in ("a", "b ", "a", 1, None, "NA")])
    assert Bins("a,b").counts(table, "x") == [2, 1, 3]
    assert Bins("categories:1,NA").counts(table, "x") == [1, 1, 4]


def test_sums_and_quantiles_are_those_of_the_rows_where_there_is_hardly_any_noise():
    ages = [17 + i * i % 80 for i in range(500)]
    for ranges in (False, True):
        made = PrivateHistogram.within(SURE, "age", "17..90", ranges=ranges)
        found = made.release([{"age": age} for age in ages], SeededCoins(1))
        inside = sorted(age for age in ages if age <= 90)
        assert found.total(*found.bins.range("30..49")) == sum(30 <= age <= 49 for age in ages)
        assert sum(found.estimates) == 500 and found.rows == 500
        for k in (1, 2, 3):
            place = -(-k * len(inside) // 4) - 1
            assert found.quantile(Fraction(k, 4)) == str(inside[place])


def test_ranges_of_bins_between_numbers_end_where_a_bin_ends():
    bins = Bins("0,10,50,100")
    assert bins.range("0..50") == (0, 2) and bins.range("50..100") == (2, 3)
    assert Bins("0..9,10..49").range("0..49") == (0, 2)


def test_a_file_holds_what_was_released(tmp_path):
    rows = [{"age": i % 100} for i in range(300)]
    for given in ({}, {"ranges": True, "neighbours": "add_remove"}, {"branching": 4}):
        budget = Budget(1, Fraction(1, 10**6)) if given else Budget(1)
        release = PrivateHistogram.within(budget, "age", "0..80", **given).release(
            rows, SeededCoins(1)
        )
        release.save(tmp_path / "h.json")
        assert HistogramRelease.load(tmp_path / "h.json") == release
        data = json.loads(release.to_json())
        for name, value in (
            ("rows", 5 if data["rows"] is None else None),
            ("budget", ["1/2", data["budget"][1]]),
            ("bins", "0..79"),
            ("counts", data["counts"][:-1]),
            ("branching", 3),
            ("more", 1),
        ):
            changed = {k: v for k, v in (data | {name: value}).items() if k != "checksum"}
            with pytest.raises(InvalidInput):
                HistogramRelease.from_json(json.loads(with_checksum(changed)))
        counts = [[each + 1 for each in level] for level in data["counts"]]
        with pytest.raises(InvalidInput, match="checksum"):
            HistogramRelease.from_json(data | {"counts": counts})


def test_the_command_pays_before_it_releases(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("age\n" + "\n".join(str(i % 50) for i in range(200)) + "\n")
    budget = tmp_path / "budget.json"
    run("budget", "new", budget, "--epsilon", 1)
    words = ("histogram", rows, "--column", "age", "--bins", "0..49", "--epsilon", "0.6")
    run(*words, "--budget", budget)
    assert "The release was refused" in error_of(*words, "--budget", budget)
    # A row that cannot be read is told before anything is paid.
    rows.write_text(rows.read_text() + "old\n")
    before = budget.read_text()
    assert "'old'" in error_of(*words[:-1], "0.1", "--budget", budget)
    assert budget.read_text() == before


def test_quantiles_of_nothing_are_told_with_what_was_paid_for(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("age\n" + "200\n" * 50)
    words = ("histogram", rows, "--column", "age", "--bins", "0..1", "--seed", "3")
    done = run(*words, "--quantile", "1/2", "--epsilon", "20", "--json")
    assert json.loads(done.stdout)["quantiles"][0]["bin"] is None
    assert "Quantiles need at least one row" in done.stderr


def test_the_first_rows_of_each_person_are_counted_and_paid_for_the_person(tmp_path):
    rows = as_records([{"who": i // 5, "age": i % 5} for i in range(500)])
    made = PrivateHistogram.within(
        Budget(30, allow_weak_privacy=True),
        "age",
        "0..4",
        neighbours="add_remove",
        persons=("who", 3),
    )
    assert made.tree.epsilon == 10
    assert made.bins.counts(made.used(rows), "age")[2:] == [100, 0, 0, 0]
    release = made.release(rows, SeededCoins(1))
    assert release.guarantee.epsilon == 30 and "at most 3 rows used" in str(release.guarantee)
    release.save(tmp_path / "ages.json")
    assert HistogramRelease.load(tmp_path / "ages.json") == release
    data = json.loads(release.to_json())
    for persons in (["who", 2], ["age", 3], ["who", 0], ["who"], 3):
        changed = {k: v for k, v in (data | {"persons": persons}).items() if k != "checksum"}
        with pytest.raises(InvalidInput):
            HistogramRelease.from_json(json.loads(with_checksum(changed)))
