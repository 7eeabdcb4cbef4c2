"""Each release is charged to the budget before its first coin is drawn.

The source of random words reads the file of the budget, so a draw before the charge fails.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import learners
import learners.tables
from learners.budget_files import BudgetFile
from learners.coins import SecureCoins
from learners.tables import (
    Binarizer,
    PrivateCuts,
    PrivateDecisionListClassifier,
    PrivateLogisticRegression,
    PrivateNaiveBayesClassifier,
    PrivateRuleListClassifier,
    PrivateWinnowClassifier,
)
from lsclasses.commands.application import app
from tests.learners.commands.test_channels import CASES, Case
from tests.recorded import commands

BUDGET = "rows.budget"


class Watched:
    """Watches whether a number of charges is on the disk whenever words are drawn."""

    def __init__(self) -> None:
        self.expected = 1
        self.draws = 0

    def __call__(self, draw: Callable[[Any], list[int]], coins: SecureCoins) -> list[int]:
        charges = json.loads(Path(BUDGET).read_text())["charges"]
        assert len(charges) == self.expected, "a coin was drawn before the charge"
        self.draws += 1
        return draw(coins)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """A new budget for every kind of release, and words that are drawn only after a charge."""
    monkeypatch.chdir(tmp_path)
    # A guarantee under any relation and adversary model converts to the model of this budget.
    BudgetFile.new(BUDGET, 1000, "1/2", relation="challenge", stream="fixed")
    found, draw = Watched(), SecureCoins._read
    monkeypatch.setattr(SecureCoins, "_read", lambda coins: found(draw, coins))
    return found


# ---- commands


def _first_of_each() -> dict[str, Case]:
    """One case for each command, and one for each option that changes the order of draws."""
    found: dict[str, Case] = {}
    for case in CASES:
        special = {"--state", "--doubling", "--report-groups"}.intersection(case.words)
        found.setdefault("-".join([*case.words[:2], *sorted(special)]), case)
    return found


RELEASES = _first_of_each()


def release(case: Case) -> Any:
    """Run a command with the budget."""
    Path("rows.csv").write_text(case.first)
    result = CliRunner().invoke(app, [*case.words, "--budget", BUDGET])
    if isinstance(result.exception, AssertionError):
        raise result.exception
    return result


@pytest.mark.parametrize("name", RELEASES)
def test_a_command_charges_before_it_draws(name: str, watched: Watched) -> None:
    result = release(RELEASES[name])
    assert result.exit_code == 0, result.output
    assert watched.draws > 0


def test_every_command_with_a_budget_is_watched() -> None:
    """`tests.learners.commands.test_channels` compares its cases with the list of commands."""
    groups = {
        words.partition(" ")[0]
        for words, command in commands()
        if any("--budget" in each.opts for each in command.params)
    }
    assert groups == {case.words[0] for case in RELEASES.values()}
    private_cuts = [case for case in RELEASES.values() if "age=0..100/20:2@0.5" in case.words]
    assert private_cuts and all("--test-split" in case.words for case in private_cuts)


@pytest.mark.parametrize("name", ["learn-rules---report-groups", "histogram-rows.csv"])
def test_an_incorrect_order_is_detected(
    name: str, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def release_first(
        self: BudgetFile, event: Any, what: str, run: Callable[[], Any], **said: Any
    ) -> Any:
        made = run()
        return made, self.charge(event, what, **said)

    monkeypatch.setattr(BudgetFile, "release_with_charge", release_first)
    with pytest.raises(AssertionError, match="before the charge"):
        release(RELEASES[name])


@pytest.mark.parametrize("name", ["learn-rules", "histogram-rows.csv", "sanitize-intervals:n=16"])
def test_no_coin_is_drawn_if_the_charge_is_refused(name: str, watched: Watched) -> None:
    Path(BUDGET).unlink()
    BudgetFile.new(BUDGET, "1/1000")
    before = Path(BUDGET).read_bytes()
    result = release(RELEASES[name])
    assert result.exit_code == 2 and "The release was refused" in result.stderr
    assert watched.draws == 0 and Path(BUDGET).read_bytes() == before


# ---- estimators

ROWS = np.random.default_rng(1).integers(0, 100, (300, 2))
LABELS = ROWS[:, 0] > 40
CUTS = PrivateCuts(0, 100, 10, 2, 0.25)
CLASSIFIERS: dict[str, Callable[..., Any]] = {
    "decision list": partial(PrivateDecisionListClassifier, epsilon=2),
    "rule list": partial(PrivateRuleListClassifier, epsilon=2),
    "naive bayes": partial(PrivateNaiveBayesClassifier, epsilon=2),
    "logistic regression": partial(PrivateLogisticRegression, epsilon=2),
    "winnow": partial(PrivateWinnowClassifier, epsilon=2),
}


@pytest.mark.parametrize("columns", [[30, 60], CUTS], ids=["public cuts", "private cuts"])
@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.filterwarnings("ignore")
def test_a_classifier_charges_before_it_draws(name: str, columns: Any, watched: Watched) -> None:
    CLASSIFIERS[name](columns=columns, budget=BUDGET).fit(ROWS, LABELS)
    assert watched.draws > 0


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.filterwarnings("ignore")
def test_a_binarizer_charges_before_it_draws(name: str, watched: Watched) -> None:
    """Its private cut points and the classifier behind it are two charges."""
    features = Binarizer(columns=CUTS, budget=BUDGET).fit_transform(ROWS)
    drawn, watched.expected = watched.draws, 2
    assert drawn > 0
    CLASSIFIERS[name](columns="flag", budget=BUDGET).fit(features, LABELS)
    assert watched.draws > drawn


def test_every_estimator_with_a_budget_is_watched() -> None:
    public = (getattr(learners.tables, name) for name in dir(learners.tables))
    paying = {
        each
        for each in public
        if isinstance(each, type)
        and hasattr(each, "get_params")
        and "budget" in each().get_params()
    }
    assert paying == {Binarizer, *(each.func for each in CLASSIFIERS.values())}  # type: ignore[attr-defined]


# ---- the code


def test_only_the_functions_of_a_budget_charge() -> None:
    """All other code calls a function that charges and then releases."""
    root = Path(learners.__file__).parents[1]
    charging = {
        str(path.relative_to(root))
        for package in ("learners", "catalog")
        for path in (root / package).rglob("*.py")
        if ".charge(" in (text := path.read_text())
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "charge"
    }
    assert charging == {"learners/accounting/filters.py", "learners/budget_files.py"}
