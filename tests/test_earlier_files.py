"""Files that version 0.1 wrote before each learner had a folder of its own are read as they were.

They lie in ``tests/recorded/earlier`` and are never written anew: models, a budget with a charge,
synthetic data, a certificate.
"""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from learners.accounting import PureDP, Scope
from learners.budget_files import BudgetFile
from learners.sanitizers.files import SyntheticRelease
from learners.tables.hypothesis_models import HypothesisModel
from learners.tables.saved import load_model
from tests.lsclasses.commands.test_cli import run, run_json

EARLIER = Path(__file__).parent / "recorded" / "earlier"
MODELS = ("best", "decision-list", "naive-bayes", "rules", "winnow")


@pytest.mark.parametrize("name", MODELS)
def test_models_predict_and_know_what_they_cost(name: str, tmp_path: Path) -> None:
    model = load_model(EARLIER / f"{name}.json")
    again = tmp_path / "again.json"
    model.save(again)
    # An adversary model was not stated then, so the weakest one is read.
    saved, earlier = (
        json.loads(again.read_text()),
        json.loads((EARLIER / f"{name}.json").read_text()),
    )
    assert saved["privacy"]["adversary"]["stream"] == "fixed"
    assert {**saved, "privacy": 0, "checksum": 0} == {**earlier, "privacy": 0, "checksum": 0}
    for number in ("epsilon", "delta", "neighbours", "method", "ledger"):
        assert saved["privacy"][number] == earlier["privacy"][number]
    people = Path(__file__).parents[1] / "examples" / "people.csv"
    answers = run("predict", EARLIER / f"{name}.json", people).stdout.split()
    assert {"high", "low"} <= set(answers)


def test_a_hypothesis_has_the_names_of_today() -> None:
    """Version 0.2 wrote the parameter ``accept_weak``, now ``allow_weak_privacy``."""
    written = json.loads((EARLIER / "hypothesis.json").read_text())
    assert written["parameters"]["accept_weak"] == "0"
    model = load_model(EARLIER / "hypothesis.json")
    assert isinstance(model, HypothesisModel)
    assert model.parameters["allow_weak_privacy"] == "0"
    assert [model.hypothesis(x) for x in (1, 7)] == [0, 1]


def test_a_budget_knows_its_charge_and_is_paid_from(tmp_path: Path) -> None:
    budget = Path(shutil.copy(EARLIER / "budget.json", tmp_path / "budget.json"))
    shown = run_json("budget", "show", budget)
    assert len(shown["charges"]) == 1
    assert shown["charges"][0]["what"] == "learn decision-list --target risk"
    # The file states no adversary model, so the budget covers streams fixed in advance.
    assert shown["stream"] == "fixed"
    BudgetFile(budget).charge(
        PureDP(9, scope=Scope.adaptive("replace_one")),
        "the rest",
        data=BudgetFile(budget).state.data,
    )
    assert BudgetFile(budget).state.remaining == (0, Fraction(99, 10**7))


def test_synthetic_data_and_a_certificate_are_read(tmp_path: Path) -> None:
    release = SyntheticRelease.load(EARLIER / "synthetic.json")
    again = tmp_path / "again.json"
    release.save(again)
    saved, earlier = (
        json.loads(again.read_text()),
        json.loads((EARLIER / "synthetic.json").read_text()),
    )
    assert {**saved, "privacy": 0, "checksum": 0} == {**earlier, "privacy": 0, "checksum": 0}
    assert saved["privacy"]["epsilon"] == earlier["privacy"]["epsilon"]
    assert "Ldim = 3" in run("check", EARLIER / "certificate.json", "thresholds:n=7").stdout
