"""Trials of all learners on public rows, and the sampling error of their accuracies."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from benchmarks.measured_tables import summary
from learners.tables.entries import TRAININGS
from learners.tables.learner_trials import MAJORITY, RunQuality, TrialSetting, try_learners
from learners.tables.measured import measured_tables
from learners.tables.records import as_records
from learners.tables.score_quality import sampling_error
from learners.tables.task import TaskOptions
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import error_of, run, run_json

OPTIONS = TaskOptions(target="ill", cuts=["age=0,1,2"])


def table(rows: int, shares: tuple[float, ...], seed: int):
    """Rows whose age is uniform on four values, and whose label is 1 with the share of the age."""
    rng = np.random.default_rng(seed)
    ages = rng.integers(0, 4, rows)
    ill = rng.random(rows) < np.array(shares)[ages]
    return as_records(
        [{"age": int(a) - 0.5, "ill": int(b)} for a, b in zip(ages, ill, strict=True)]
    )


@pytest.mark.parametrize("rows", [1, 7, 25])
def test_the_sampling_error_covers_every_true_accuracy(rows):
    """By the exact binomial distribution, for a grid of accuracies."""
    errors = [sampling_error(right, rows) for right in range(rows + 1)]
    for p in np.linspace(0, 1, 101):
        covered = sum(
            comb(rows, right) * p**right * (1 - p) ** (rows - right)
            for right in range(rows + 1)
            if abs(right / rows - p) <= errors[right] + 1e-12
        )
        assert covered >= 0.95 - 1e-9


def test_the_sampling_error_shrinks_with_the_rows_and_is_not_twice_the_normal_error():
    for rows in (400, 10_000):
        normal = 1.96 * np.sqrt(0.25 * 0.75 / rows)
        assert normal < sampling_error(rows * 3 // 4, rows) < 1.2 * normal


class Chosen(dict):
    """Some of the table learners."""

    def names(self):
        return list(self)


def test_the_interval_of_a_trial_covers_the_accuracy_on_the_distribution(monkeypatch):
    """The best rule is known, so its exact accuracy is compared with the intervals of 60 tables."""
    shares = (0.1, 0.4, 0.7, 0.9)
    true = np.mean(np.maximum(shares, 1 - np.array(shares)))  # of ill if age >= 1
    missed = 0
    # Training further learners would only take time.
    only = {"naive-bayes": TRAININGS["naive-bayes"]}
    monkeypatch.setattr("learners.tables.learner_trials.TRAININGS", Chosen(only))
    for seed in range(60):
        setting = TrialSetting(epsilon=Fraction(20), runs=2, seed=seed)
        found = next(
            each
            for each in try_learners(OPTIONS, table(900, shares, seed), setting)
            if each.learner == "naive-bayes"
        )
        missed += abs(found.accuracy - true) > found.accuracy_error
    assert missed <= 6  # 3 are expected at most, and more than 6 have probability below .04


def test_every_learner_is_trained_and_finds_a_clear_threshold():
    setting = TrialSetting(epsilon=Fraction(8), share=Fraction(1, 2), runs=2)
    found = {
        each.learner: each for each in try_learners(OPTIONS, table(900, (0, 0, 1, 1), 1), setting)
    }
    assert set(found) == {*TRAININGS.names(), MAJORITY}
    for name in TRAININGS.names():
        assert found[name].epsilon == 4
        if name != "winnow":
            assert found[name].accuracy == 1 and found[name].auc == 1
            assert found[name].brier < 0.1
    assert found[MAJORITY].epsilon is None and found[MAJORITY].accuracy < 0.6


def test_labels_without_signal_have_no_ranking():
    setting = TrialSetting(epsilon=Fraction(1), runs=3)
    for each in try_learners(OPTIONS, table(3000, (0.5,) * 4, 2), setting):
        assert abs(each.auc - 0.5) < 0.06


def test_all_learners_have_equal_held_out_rows():
    found = try_learners(
        OPTIONS, table(500, (0.1, 0.4, 0.7, 0.9), 3), TrialSetting(epsilon=Fraction(1))
    )
    sizes = {tuple(run.rows for run in each.runs) for each in found}
    assert len(sizes) == 1 and len(set(*sizes)) > 1


def test_a_learner_without_a_guarantee_for_the_relation_states_the_reason():
    setting = TrialSetting(epsilon=Fraction(1), neighbours="add_remove", runs=1)
    found = {
        each.learner: each for each in try_learners(OPTIONS, table(500, (0, 0, 1, 1), 4), setting)
    }
    assert "add_remove" in found["winnow"].refused and not found["winnow"].runs
    assert found["logistic"].runs and found["best"].runs


def test_labels_count_as_probabilities_zero_and_one():
    truth, labels = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0])
    found = RunQuality.of(truth, labels, None)
    assert (found.right, found.rows) == (3, 5)
    assert found.brier == pytest.approx(2 / 5)  # the share of wrong labels
    assert found.auc == pytest.approx((1 / 2 + 2 / 3) / 2)  # the balanced accuracy


def test_trials_need_held_out_rows():
    with pytest.raises(InvalidInput, match="Got 0"):
        try_learners(
            TaskOptions(target="ill", cuts=["age=1"], test_split=0),
            table(9, (0, 0, 1, 1), 0),
            TrialSetting(epsilon=Fraction(1)),
        )


# ---- the command


def test_the_command_needs_a_declaration_and_states_that_rows_are_not_protected(tmp_path):
    path = tmp_path / "rows.csv"
    rng = np.random.default_rng(5)
    path.write_text("a,y\n" + "".join(f"{a},{a}\n" for a in rng.integers(0, 2, 400)))
    assert "--declare public" in error_of("learn", "try", path, "--target", "y")
    weak = ("--target", "y", "--declare", "public", "--epsilon", 25)
    assert "Got 25" in error_of("learn", "try", path, *weak)
    assert "'yes'" in error_of("learn", "try", path, "--target", "y", "--declare", "yes")
    task = ("learn", "try", path, "--target", "y", "--declare", "public", "--runs", 2)
    shown = run(*task).stdout
    assert "These rows are not protected." in shown and "the public rows" in shown
    found = run_json(*task)
    assert found["protected"] is False
    by_name = {each["learner"]: each for each in found["results"]}
    assert by_name["rules"]["accuracy"] == 1 and by_name["rules"]["epsilon"] == "1"
    assert "Brier score" in shown and "AUC" in shown


def test_the_recorded_tables_are_the_results_of_the_benchmarks():
    assert {each.name: each.learners for each in measured_tables()} == summary()
    found = run_json("learn", "try")["tables"]
    assert [each["name"] for each in found] == list(summary())
    logistic = next(each for each in found[0]["results"] if each["learner"] == "logistic")
    assert logistic["mean AUC"] == summary()["titanic"]["logistic"]["mean AUC"]
    assert f"on {len(found)} public tables" in run("learn", "try").stdout
