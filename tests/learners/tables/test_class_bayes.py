"""Naive Bayes for several classes: its counts, its scores, its model and the command."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import log

import numpy as np
import pytest

from learners.audit import audit
from learners.coins import SeededCoins
from learners.exact import CensoredCoins
from learners.rules.naive_bayes import ADDED, SCORE_UNIT, NaiveBayes, cell_scores, class_scores
from learners.tables.bayes import CellScores
from learners.tables.class_bayes import ClassBayesModel
from learners.tables.columns import Categories, Cuts, FixedColumns, Flag
from learners.tables.records import as_records
from learners.tables.saved import load_model
from lsclasses.errors import InvalidInput
from lsclasses.verdicts import Verdict
from tests.lsclasses.commands.test_cli import error_of, not_private_json, run

SURE = 10**6
"""An epsilon with hardly any noise."""


def exact_counts(rows, neighbours="replace_one"):
    """The counts of rows (cell, cell, label) with two columns and three labels."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    mechanism = NaiveBayes(SURE, 2, neighbours=neighbours, classes=3)
    return mechanism.release([table[:, 0], table[:, 1]], [2, 1], table[:, 2], SeededCoins(1))


def distance(first, second):
    return sum(
        abs(a - b)
        for one, two in zip(first, second, strict=True)
        for x, y in zip(one, two, strict=True)
        for a, b in zip(x, y, strict=True)
    )


def test_no_neighbour_changes_more_counts_than_the_noise_covers():
    """All tables of at most two rows, with three labels."""
    kinds = list(itertools.product(range(2), range(1), range(3)))
    replaced = [
        distance(exact_counts([first, other]), exact_counts([second, other]))
        for first, second, other in itertools.product(kinds, repeat=3)
    ]
    assert max(replaced) == NaiveBayes(1, 2, classes=3).changes == 4
    added = [
        distance(exact_counts([first]), exact_counts([first, second]))
        for first, second in itertools.product(kinds, repeat=2)
    ]
    assert max(added) == NaiveBayes(1, 2, neighbours="add_remove", classes=3).changes == 2


@pytest.mark.parametrize("neighbours", ["replace_one", "add_remove"])
def test_the_exact_distribution_of_three_labels_keeps_the_claim(neighbours):
    """The noise for an added row is too small for a replaced row."""

    def release(rows, coins):
        table = np.array(rows, dtype=np.int64)
        mechanism = NaiveBayes(2, 1, neighbours=neighbours, classes=3)
        noisy = mechanism.release([table[:, 0]], [2], table[:, 1], CensoredCoins(coins, 1))
        return tuple(min(max(count, 0), 1) for cell in noisy[0] for count in cell)

    kinds = [((cell, label),) for cell in range(2) for label in range(3)]
    pairs = [(one, two) for one, two in itertools.permutations(kinds, 2)]
    verdict = audit(release, pairs, (Fraction(2), Fraction(0))).verdict
    expected = Verdict.HOLDS if neighbours == "replace_one" else Verdict.VIOLATED
    assert verdict == expected


def test_two_labels_have_the_difference_of_the_scores():
    rng = np.random.default_rng(2)
    for deviation in (0.0, 3.5):
        tables = tuple(
            tuple((int(a), int(b)) for a, b in rng.integers(-5, 400, (size, 2)))
            for size in (2, 3, 5)
        )
        bias, cells = cell_scores(tables, deviation)
        (zero, zeros), (one, ones) = class_scores(tables, deviation)
        assert abs(one - zero - bias) <= 1
        for known, first, second in zip(cells, zeros, ones, strict=True):
            assert all(abs(b - a - z) <= 2 for z, a, b in zip(known, first, second, strict=True))


def test_scores_are_the_logarithms_of_the_definition():
    tables = (((40, 10, 0), (5, 25, 20)), ((45, 35, 20),))
    totals = [46, 36, 21]  # one more row of each label
    deviation = 2.0
    found = class_scores(tables, deviation)
    for k, (bias, cells) in enumerate(found):
        share = totals[k] / sum(totals)
        assert bias == round(SCORE_UNIT * log(share))
        for cell, score in zip(tables[0], cells[0], strict=True):
            added = ADDED * deviation + 3
            chance = (cell[k] + added * share) / (sum(cell) + added)
            assert score == pytest.approx(SCORE_UNIT * log(chance / share), abs=1)


def model() -> ClassBayesModel:
    columns = FixedColumns(("age", "job"), (Cuts([30, 60]), Categories(["cook", "pilot"])))
    rng = np.random.default_rng(3)
    scores = tuple(
        CellScores(
            int(rng.integers(-9, 9)), tuple(tuple(map(int, rng.integers(-9, 9, 3))) for _ in "ab")
        )
        for _ in range(4)
    )
    return ClassBayesModel(columns, ("a", "b", "c", "d"), "kind", None, scores)


def test_files_source_and_probabilities_agree_with_the_prediction(tmp_path):
    found, path = model(), tmp_path / "model.json"
    found.save(path)
    rows = [{"age": age, "job": job} for age in (20, 45, 70) for job in ("cook", "pilot")]
    table = as_records(rows)
    assert load_model(path).predict(table) == found.predict(table)
    scope: dict = {}
    exec(found.to_python("guess"), scope)
    assert [scope["guess"](row) for row in rows] == found.predict(table)
    chances = found.probabilities(table)
    assert np.allclose(chances.sum(axis=1), 1)
    assert [found.classes[k] for k in chances.argmax(axis=1)] == found.predict(table)


def test_labels_outside_of_the_classes_are_refused():
    with pytest.raises(InvalidInput, match="from 0 to 2"):
        NaiveBayes(1, 1, classes=3).release([np.zeros(1, int)], [1], np.array([3]), SeededCoins(1))


# ---- the command


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    rng = np.random.default_rng(4)
    path = tmp_path_factory.mktemp("classes") / "rows.csv"
    ages = rng.integers(0, 90, 1500)
    kinds = np.array(["low", "mid", "high"])[ages // 30]
    path.write_text("age,kind\n" + "".join(f"{a},{k}\n" for a, k in zip(ages, kinds, strict=True)))
    return path


TASK = ("--target", "kind", "--cuts", "age=15,30,45,60,75", "--seed", 1)
CLASSES = ("--classes", "low,mid,high")


@pytest.mark.parametrize("method", ["naive-bayes", "best", "rules"])
def test_several_classes_are_learned_and_predicted(people, tmp_path, method):
    path = tmp_path / "model.json"
    words = ("learn", method, people, *TASK, *CLASSES, "--save", path, "--json")
    found = not_private_json(run(*words))
    assert found["accuracy"]["private"]["test"] == 1
    assert found["balanced accuracy"]["private"]["test"] == 1
    assert found["accuracy"]["without privacy"]["test"] == 1
    assert (
        0.3
        < min(
            found["accuracy"][f"always {k}"]["test"]
            for k in ("low", "mid", "high")
            if f"always {k}" in found["accuracy"]
        )
        < 0.45
    )
    assert "1500 of 1500 predictions agree" in run("predict", path, people).stderr


def test_a_schema_declares_the_classes(people, tmp_path):
    schema = tmp_path / "schema.toml"
    schema.write_text(
        '[columns]\nage = [30, 60]\n[target]\ncolumn = "kind"\nclasses = "low,mid,high"\n'
    )
    words = ("learn", "naive-bayes", people, "--schema", schema, "--seed", 1)
    assert "low:" in run(*words).stdout
    assert "declares the classes" in error_of(*words, "--classes", "low,high")


def test_other_learners_and_options_of_two_classes_are_refused(people):
    for method in ("winnow", "decision-list"):
        assert "needs two classes. Got 3" in error_of("learn", method, people, *TASK, *CLASSES)
    text = error_of("learn", "rules", people, *TASK, *CLASSES, "--weights", "1,2")
    assert "Got 2 weights" in text
    text = error_of("learn", "rules", people, *TASK, *CLASSES, "--report-groups", "age=0.1")
    assert "need two classes" in text
    text = error_of("learn", "rules", people, *TASK, "--classes", "low,mid,none")
    assert "must be one of 'low', 'mid', 'none'. Got 'high'" in text


def test_trials_of_several_classes_have_the_mean_auc_of_a_class_against_the_rest(people):
    words = ("learn", "try", people, *TASK, *CLASSES, "--declare", "public", "--runs", 1)
    shown = run(*words).stdout
    line = next(line for line in shown.splitlines() if line.startswith("naive-bayes"))
    assert line.split()[3] == "1.000" and line.split()[5] == "1.000"
    assert "winnow did not run: This learner needs two classes." in shown


def test_scores_of_wide_tables_take_time_proportional_to_the_columns(monkeypatch):
    """The places of features are computed once, and not once for each column."""
    asked = []
    monkeypatch.setattr(Flag, "count", property(lambda self: asked.append(self) or 1))
    for columns in (50, 100):
        fixed = FixedColumns(tuple(map(str, range(columns))), (Flag(),) * columns)
        scores = CellScores(0, ((0, 1),) * columns)
        features = np.eye(columns, 4, dtype=bool)
        asked.clear()
        assert scores.of(fixed, features.__getitem__, 4).tolist() == [1] * 4
        assert len(asked) <= 4 * columns
    assert fixed.places[:2] == [range(1), range(1, 2)] and fixed.places[-1] == range(99, 100)
