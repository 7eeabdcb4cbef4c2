from __future__ import annotations

import json
import re

import pytest

from tests.learners.commands.test_learn import learn, notes, people
from tests.lsclasses.commands.test_cli import error_of, run

__all__ = ["people"]

METHODS = ["best", "rules", "naive-bayes"]


@pytest.mark.parametrize("method", METHODS)
def test_from_csv_to_a_model_with_a_pure_ledger(people, tmp_path, method):
    saved = tmp_path / "model.json"
    result = run(*learn(method, people, "--seed", 1), "--save", saved)
    assert "in all: (1, 0)-differentially private" in result.stdout
    assert "This is a simulation" in result.stdout
    again = run("predict", saved, people)
    assert len(again.stdout.splitlines()) == 3001
    right = int(notes(again).split(" of 3000")[0])
    assert right > 2500
    assert run(*learn(method, people, "--seed", 1)).stdout == result.stdout.split("\nThe model")[0]


def test_supports_are_paid_for(people):
    result = run(*learn("rules", people, "--seed", 1, "--report-support", "0.2"))
    assert "supports of rules: epsilon 0.2" in result.stdout and "[about" in result.stdout
    assert "in all: (1, 0)-" in result.stdout
    message = error_of(*learn("rules", people, "--report-support", "1"))
    assert "less than 1" in message


def test_the_comparison_is_the_best_of_several_learners(people):
    result = run(*learn("rules", people, "--seed", 1))
    assert "without privacy, the best here of several rule learners" in notes(result)
    data = json.loads(run(*learn("rules", people, "--seed", 1, "--json")).stdout)
    accuracy = data["not covered by the guarantee"]["accuracy"]
    assert accuracy["without privacy"]["training"] >= accuracy["private"]["training"] - 0.01


def test_best_chooses_by_public_numbers(people):
    few = run(*learn("best", people, "--seed", 1, "--test-split", "0"))
    many = run(*learn("best", people, "--seed", 1, "--test-split", "0", "--epsilon", "4"))
    assert "naive Bayes" not in few.stdout
    assert "naive Bayes: epsilon 1.2" in many.stdout and "Gibbs tree: epsilon 2.8" in many.stdout
    hidden = "--neighbours", "add_remove", "--epsilon", "4", "--seed", 1
    assert "naive Bayes" not in run(*learn("best", people, *hidden)).stdout
    declared = run(*learn("best", people, *hidden, "--rows", 3000)).stdout
    assert "naive Bayes: epsilon 1.2" in declared
    assert "rows to learn from" not in declared


def test_bad_options_are_refused(people):
    for options, said in (
        (("--weights", "1"), "such as 1,3"),
        (("--rows", "3000"), "public and counted"),
        (("--weights", "0,1"), "at least 1"),
        (("--epsilon", "21"), "accept"),
        (("--neighbours", "one"), "add_remove"),
    ):
        assert said in error_of(*learn("rules", people, *options))


def test_what_is_promised_is_about_the_rows_and_may_be_nothing(people):
    def promised(*options):
        said = run(*learn("rules", people, "--seed", 1, "--test-split", "0", *options)).stdout
        return re.search("(at most [0-9]|nothing is promised).*", said)[0]

    assert promised() == (
        "at most 16 rows fewer right than the best single rule and 54 fewer than the best tree, "
        "except with probability 1/20"
    )
    weighted = promised("--weights", "1,3")
    assert weighted.startswith("at most 50 weighted rows fewer right than the best single rule")
    assert promised("--epsilon", "1e-3") == (
        "nothing is promised of the rows that are right: beside the best single rule the bound of "
        "16815 is vacuous for 3000"
    )
    assert promised("--epsilon", "1e-2").endswith(
        "except with probability 1/20; beside the best tree the bound of 5402 is vacuous for 3000"
    )
    # A guess of 10^12 rows is named, and takes a sample of next to nothing.
    guess = 10**12
    guessed = promised("--neighbours", "add_remove", "--rows", guess, "--depth", 3)
    assert guessed.endswith(f"except with probability 1/20, if there are at most {guess} rows")
    assert int(guessed.split()[2]) > 10**7


def test_weights_move_the_rules(people):
    heavy = run(*learn("rules", people, "--seed", 1, "--weights", "1,40")).stdout
    assert heavy != run(*learn("rules", people, "--seed", 1)).stdout


def test_winnow_says_when_rows_are_too_few(people):
    result = run(*learn("winnow", people, "--seed", 1))
    assert "the theorem about private Winnow allows" in notes(result)
