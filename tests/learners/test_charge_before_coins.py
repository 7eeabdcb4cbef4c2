"""No coin of a release is drawn before its charge is on the disk."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import learners
from learners.budget_files import BudgetFile
from learners.coins import SecureCoins
from learners.tables import Binarizer, PrivateCuts
from learners.tables.decision_lists import PrivateDecisionListClassifier
from learners.tables.rule_lists import PrivateNaiveBayesClassifier, PrivateRuleListClassifier
from learners.tables.winnow import PrivateWinnowClassifier
from tests.lsclasses.commands.test_cli import run

PEOPLE = "age,smoker,risk\n" + "".join(
    f"{20 + i % 60},{i % 2},{'high' if i % 60 > 30 else 'low'}\n" for i in range(240)
)
LEARN = ("--target", "risk", "--positive", "high", "--cuts", "age=0..100/20:2@0.25")
COMMANDS = {
    "decision-list": ("learn", "decision-list", "people.csv", *LEARN),
    "winnow": ("learn", "winnow", "people.csv", *LEARN),
    "rules": ("learn", "rules", "people.csv", *LEARN),
    "test split": ("learn", "decision-list", "people.csv", *LEARN, "--test-split", "1/4"),
    "histogram": ("histogram", "people.csv", "--column", "age", "--bins", "20,40,60,80"),
    "sanitize": ("sanitize", "intervals:n=4", "points.csv", "--epsilon", "8", "--alpha", "9/10"),
    "pac": ("pac", "generic", "thresholds:n=3", "--data", "examples.csv"),
    "run": ("run", "dp-hedge", "thresholds:n=3", "-T", "4", "--adversary", "stream:examples.csv",
            "--secure"),
}  # fmt: skip


@pytest.fixture
def charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A new budget in the present folder, and the number of charges at each read of coins."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(PEOPLE)
    Path("points.csv").write_text("point\n" + "0\n1\n2\n3\n" * 500)
    Path("examples.csv").write_text("point,label\n" + "0,0\n1,0\n2,1\n" * 2)
    BudgetFile.new("people.budget", 20, "1/100")
    seen: list[int] = []
    real = SecureCoins._read

    def watched(coins: SecureCoins) -> list[int]:
        # The file itself, not the object that charges it.
        seen.append(len(json.loads(Path("people.budget").read_text())["charges"]))
        return real(coins)

    monkeypatch.setattr(SecureCoins, "_read", watched)
    yield seen


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_charges_before_its_first_coin(name: str, charged: list[int]) -> None:
    run(*COMMANDS[name], "--budget", "people.budget")
    assert charged and min(charged) == 1
    assert len(BudgetFile("people.budget").state.charges) == 1


@pytest.mark.parametrize(
    "kind",
    [
        PrivateDecisionListClassifier,
        PrivateRuleListClassifier,
        PrivateNaiveBayesClassifier,
        PrivateWinnowClassifier,
    ],
)
def test_an_estimator_charges_before_its_private_cut_points(kind: Any, charged: list[int]) -> None:
    """Its classes are declared, so both labels need not occur."""
    rows = [{"age": 20 + i % 60, "smoker": i % 2} for i in range(240)]
    labels = np.array([int(row["age"] > 50) for row in rows])
    columns = {"age": PrivateCuts(0, 100, 20, 2, epsilon=0.25), "smoker": "flag"}
    kind(1, columns=columns, classes=(0, 1), budget="people.budget").fit(rows, labels)
    assert charged and min(charged) == 1


def test_a_binarizer_charges_before_its_private_cut_points(charged: list[int]) -> None:
    columns = {"age": PrivateCuts(0, 100, 20, 2, epsilon=0.25)}
    Binarizer(columns, budget="people.budget").fit([{"age": 20 + i % 60} for i in range(240)])
    assert charged and min(charged) == 1


def test_one_function_charges_and_then_calls_the_release() -> None:
    """`BudgetFile.release_with_charge` alone calls `charge` in the packages."""
    found = set()
    for folder in learners.__path__:
        for path in Path(folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                called = getattr(node, "func", None)
                if isinstance(called, ast.Attribute) and called.attr == "charge":
                    found.add(path.relative_to(folder).as_posix())
    assert found == {"budget_files.py", "accounting/filters.py"}
