from __future__ import annotations

import json
import re

import pytest

from tests.learners.commands.test_learn import learn, notes, people
from tests.lsclasses.commands.test_cli import error_of, run

__all__ = ["people"]


@pytest.mark.parametrize("method", ["best", "rules", "naive-bayes", "logistic"])
def test_from_csv_to_a_model_with_a_pure_ledger(people, tmp_path, method):
    saved = tmp_path / "model.json"
    result = run(*learn(method, people, "--seed", 1, "--epsilon", 3), "--save", saved)
    assert "in all: (3, 0)-differentially private" in result.stdout
    assert "This is a simulation" in result.stdout
    again = run("predict", saved, people)
    assert len(again.stdout.splitlines()) == 1001
    assert int(notes(again).split(" of 1000")[0].split()[-1]) > 830


def test_probabilities_are_paid_for_and_thresholds_are_free(people, tmp_path):
    saved, bare = tmp_path / "sure.json", tmp_path / "bare.json"
    given = ("rules", people, "--seed", 1)
    said = json.loads(
        run(*learn(*given, "--report-support", "0.2", "--json"), "--save", saved).stdout
    )
    assert said["literals"] >= 1
    assert set(said["evidence"][0]) == {"rows", "rows +- (95 %)", "share", "share +- (95 %)"}
    lines = run("predict", saved, people, "--proba").stdout.splitlines()
    assert lines[0].split(",")[1].startswith("probability of ")
    assert all(0 < float(line.split(",")[1]) < 1 for line in lines[1:])
    found = json.loads(run("predict", saved, people, "--proba", "--json").stdout)
    classes, chances = found["classes"], found["probabilities"]
    every, none = (
        json.loads(run("predict", saved, people, "--threshold", each, "--json").stdout)
        for each in ("0", "1")
    )
    assert set(every["predictions"]) == {classes[1]} and set(none["predictions"]) == {classes[0]}
    least = str(min(chance for _, chance in chances) + 1e-6)
    some = run("predict", saved, people, "--threshold", least, "--json").stdout
    assert json.loads(some)["predictions"] == [classes[c >= float(least)] for _, c in chances]
    run(*learn(*given), "--save", bare)
    for options, why in (
        ((bare, people, "--proba"), "--report-support"),
        ((bare, people, "--threshold", "0.5"), "--report-support"),
        ((saved, people, "--threshold", "2"), "from 0 to 1"),
    ):
        assert why in error_of("predict", *options)


def test_best_chooses_by_public_numbers(people):
    given = ("best", people, "--seed", 1, "--test-split", "0")
    assert "naive Bayes" not in run(*learn(*given, "--epsilon", "4")).stdout
    many = run(*learn(*given, "--epsilon", "12")).stdout
    assert "naive Bayes: epsilon 3.6" in many and "Gibbs tree: epsilon 8.4" in many
    hidden = (*given, "--neighbours", "add_remove", "--epsilon", "12")
    assert "naive Bayes" not in run(*learn(*hidden)).stdout
    declared = run(*learn(*hidden, "--rows", 1000)).stdout
    assert "naive Bayes: epsilon 3.6" in declared
    assert "rows to learn from" not in declared


def test_what_is_promised_is_about_the_rows_and_may_be_nothing(people):
    def promised(*options):
        said = run(*learn("rules", people, "--seed", 1, "--test-split", "0", *options)).stdout
        return re.search("(The rules label|No bound on the).*", said)[0]

    assert promised() == (
        "The rules label at most 16 fewer rows correctly than the best single rule, and at most 54 "
        "fewer than the best tree, except with probability 1/20"
    )
    weighted = promised("--weights", "1,3")
    assert weighted.startswith("The rules label at most 50 fewer weighted rows correctly than the")
    assert promised("--epsilon", "1e-3") == (
        "No bound on the correctly labelled rows applies. Compared with the best single rule, the "
        "bound of 16815 is vacuous for 1000"
    )
    assert promised("--epsilon", "3e-2").endswith(
        "except with probability 1/20. Compared with the best tree, the bound of 1800 is vacuous "
        "for 1000"
    )
    # A guess of 10^12 rows is named, and takes a sample of next to nothing.
    guess = 10**12
    guessed = promised("--neighbours", "add_remove", "--rows", guess, "--depth", 3)
    assert guessed.endswith(f"except with probability 1/20, if there are at most {guess} rows")
    assert int(guessed.split()[5]) > 10**7


def test_winnow_says_when_rows_are_too_few(people):
    result = run(*learn("winnow", people, "--seed", 1, "--updates", 8))
    assert "the theorem about private Winnow allows" in notes(result)
