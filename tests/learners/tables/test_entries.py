"""Learners from tables by name: what a declaration is asked, and a package that adds one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from learners.tables.entries import TRAININGS
from tests.lsclasses.commands.test_cli import run, run_json

TOY = """
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting import PureDP, Scope
from learners.tables.entries import TableEntry, Trained, Training
from learners.tables.models import ListModel
from lsclasses.options import Option


@dataclass(frozen=True, kw_only=True)
class Constant(Training):
    label: Annotated[int, Option("the label of all rows", minimum=0, maximum=2)] = 1

    def learn(self, data, coins):
        task = data.task
        event = PureDP(Fraction(1, 8), scope=Scope.adaptive("replace_one"))
        guarantee = data.guarantee(event, None, coins)
        model = ListModel(
            data.columns, task.classes, task.target, guarantee, (), self.label % 2
        )
        return Trained(model, "no choice at all")


LEARNERS = (TableEntry("constant", "one label", Constant, "It looks at nothing."),)
"""


def test_a_learner_of_an_installed_package_has_a_command(installed: Any, tmp_path: Path) -> None:
    installed("toy_tables", TOY, (TRAININGS, "constant", "toy_tables:LEARNERS"))
    assert "one label" in run("learn").stdout
    assert "It looks at nothing." in run("learn", "constant", "--help").stdout
    table = tmp_path / "table.csv"
    table.write_text("a,y\n" + "1,1\n0,0\n" * 20)
    found = run_json("learn", "constant", table, "--target", "y", "--label", 2, "--seed", 1)
    assert found["rules"] == ["always: 0"]
    assert found["ledger"]["epsilon"] == "1/8"
