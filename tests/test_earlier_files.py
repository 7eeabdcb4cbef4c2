"""Files that version 0.1 wrote before each learner had a folder of its own are read as they were.

They lie in ``tests/recorded/earlier`` and are never written anew: models, a budget with a charge,
synthetic data, a certificate. ``histogram.json`` is of version 0.2, with Gaussian noise by zCDP.
"""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from learners.accounting import PureDP, Scope, zcdp_rho
from learners.budget import Budget
from learners.budget_files import BudgetFile
from learners.coins import SeededCoins
from learners.sanitizers.files import SyntheticRelease
from learners.tables.histogram_releases import HistogramRelease, PrivateHistogram
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


def test_a_histogram_has_the_noise_of_its_release(tmp_path: Path) -> None:
    """Until version 1 of histograms, zCDP calibrated Gaussian noise. Exact noise is less."""
    release = HistogramRelease.load(EARLIER / "histogram.json")
    rho = zcdp_rho(Fraction(1), Fraction(1, 10**6))
    assert release.tree.noise.variance == release.tree.changes / (2 * rho)
    release.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (EARLIER / "histogram.json").read_bytes()
    today = PrivateHistogram.within(Budget(1, Fraction(1, 10**6)), "age", "0..63", branching=2)
    made = today.release([{"age": 7}] * 300, SeededCoins(1))
    assert made.deviation(0, 1) < release.deviation(0, 1) * 0.94
    made.save(tmp_path / "new.json")
    assert json.loads((tmp_path / "new.json").read_text())["version"] == 2
    again = HistogramRelease.load(tmp_path / "new.json")
    assert again == made and again.deviation(0, 1) == made.deviation(0, 1)


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
