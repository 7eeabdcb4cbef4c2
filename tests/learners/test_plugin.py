"""A learner, a sanitizer and a dimension that somebody else wrote, in packages of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import catalog
from catalog.atlas.columns import COLUMNS
from learners.audit.registry import AUDITABLE
from learners.papers.coverage import recomputed
from learners.playing.entries import RUNNABLE
from learners.sanitizers.checks import check_sanitizer
from learners.verify import TOPICS
from lsclasses.dimensions import DIMENSIONS
from tests.conftest import Installer
from tests.house import code_lines
from tests.lsclasses.commands.test_cli import error_of, run, run_json

EXAMPLES = Path(__file__).parents[2] / "examples"
GROUPS = {
    registry.group: registry for registry in (RUNNABLE, AUDITABLE, TOPICS, DIMENSIONS, COLUMNS)
}


def install(installed: Installer, folder: str, module: str) -> str:
    """The package's text, installed with the entry points of its own metadata."""
    text = (EXAMPLES / folder / f"{module}.py").read_text()
    declared = tomllib.loads((EXAMPLES / folder / "pyproject.toml").read_text())["project"]
    points = [
        (GROUPS[group], name, value)
        for group, named in declared["entry-points"].items()
        for name, value in named.items()
        if value.partition(":")[0] == module
    ]
    installed(module, text, *points)
    return text


def test_a_learner_of_forty_lines_is_run_audited_and_verified(installed: Installer) -> None:
    """With its audit and its claim, and without touching a file of this package."""
    assert code_lines(install(installed, "plugin", "noisy_majority")) <= 40
    game = run_json("run", "noisy-majority", "points:n=4", "--rounds", 50, "--epsilon", 1)
    assert game["rounds"] == 50 and game["privacy"]["epsilon"] == "1"
    shown = run("run", "noisy-majority", "points:n=4", "--rounds", 5, "--epsilon", 1).stdout
    assert shown.startswith("NoisyMajority on points:n=4, 5 rounds\n")
    require_audited_and_verified("noisy_majority")


def test_a_sanitizer_is_checked_audited_and_verified(installed: Installer) -> None:
    """As CONTRIBUTING.md says, without touching a file of this package."""
    assert code_lines(install(installed, "sanitizer", "noisy_counts")) <= 60
    C = catalog.build("thresholds:n=6").to_table()
    check_sanitizer(import_module("noisy_counts").NoisyCounts(C, 1))
    require_audited_and_verified("noisy_counts")


def require_audited_and_verified(name: str) -> None:
    assert run_json("audit", name)["verdict"] == "holds exactly on this instance"
    said = run("verify", "--topic", name.replace("_", "-"), "--jobs", 1).stdout
    assert "1 comparison" in said and "1 hold" in said


ONE = """
from learners.verify import Claim, ClaimCheck, compare, recomputes
CLAIM = Claim("toys", "1", "==", statements={statements}, falsified="2")
@recomputes(CLAIM)
def work():
    {work}
def unmarked():
    yield
def checks():
    return [ClaimCheck({topic!r}, {function})]
"""


def topic_of_one_check(
    topic: str = "toys", statements: str = "()", work: str = "yield", function: str = "work"
) -> str:
    return ONE.format(topic=topic, statements=statements, work=work, function=function)


BROKEN = {
    "raise SystemExit('Goodbye')": r"cannot be loaded: SystemExit\('Goodbye'\)\. Mend or uninst",
    "from learners.online.pop import POP": r"cannot be loaded: .*Each learner has a folder",
    "": r"names no topic\. A topic is a module with a function checks\(\)",
    "def checks(): pass": r"checks\(\) is to return ClaimCheck objects\. Got None",
    "def checks(): return ['toys']": r"checks\(\) is to return ClaimCheck objects\. Got 'toys'",
    "def checks(): return 1 / 0": r"checks\(\) fails: ZeroDivisionError",
    topic_of_one_check(function="unmarked"): r"toys: unmarked\(\) is to be marked by @recomputes",
    topic_of_one_check(statements="('GL21 Lemma 9',)"): "no statement 'GL21 Lemma 9'",
    topic_of_one_check(function="recomputes(CLAIM)(lambda: [])"): "to be a function at module lev",
    topic_of_one_check(
        topic="ledger"
    ): r"ledger: work\(\) is of the topic 'ledger', not of this one",
}


@pytest.mark.parametrize(("text", "said"), BROKEN.items(), ids=range(len(BROKEN)))
def test_a_broken_topic_is_refused_before_any_work(
    installed: Installer, text: str, said: str
) -> None:
    """With its entry point and its package, and only where something is asked of it."""
    installed("toy_module", text, (TOPICS, "toys", "toy_module"))
    recomputed.cache_clear()
    alone, wide = ("--topic", "toys"), ("--only", "BLM20", "--topic", "ledger")
    for command in (("verify", *alone), ("verify", *wide), ("explain", "BLM20")):
        error = error_of(*command)
        assert "'toys' (toy_module of the package 'toy_module')" in error
        assert re.search(said, error)
    assert "all hold" in run("verify", "--topic", "dyadic-intervals", "--jobs", 1).stdout


@pytest.mark.parametrize(
    ("work", "said"),
    [
        ("raise KeyError('toy')", "toys: work() fails: KeyError('toy')."),
        ("raise SystemExit(0)", "toys: work() fails: SystemExit(0)."),
        ("yield 'toy'", "toys: work() is to yield outcomes. Got 'toy'."),
    ],
)
def test_work_that_fails_leaves_what_others_found(
    installed: Installer, work: str, said: str
) -> None:
    installed("toy_module", topic_of_one_check(work=work), (TOPICS, "toys", "toy_module"))
    asked = ("--topic", "dyadic-intervals", "--topic", "toys", "--jobs", 1)
    result = run("verify", *asked, status=2)
    assert f"lsclasses: {said} 1 check is not finished (toys)." in result.stderr
    assert "4 comparisons" in result.stdout and "before it was stopped" in result.stdout
    assert error_of("verify", "--topic", "toys", "--jobs", 1) == f"lsclasses: {said}"


def test_a_topic_without_checks_is_named_by_what_was_asked(installed: Installer) -> None:
    installed("toy_module", "def checks(): return []", (TOPICS, "toys", "toy_module"))
    assert "Nothing is recomputed there: no check is listed." in error_of(
        "verify", "--topic", "toys"
    )


SUPPORT = """
import json
from catalog import atlas
from catalog.checks import check_family
from catalog.family import Fact
from catalog.points import Points
from lsclasses.commands.application import app

class Singles(Points):
    facts = (*Points.facts, Fact("largest_support", "1", source="a concept is one point"))

check_family(Singles())
print(json.dumps([C["largest_support"] for C in atlas.classes(2, flips=False)]))
app(["refute", "largest_support <= vcdim", "--json"], standalone_mode=False)
"""


def test_a_dimension_of_five_lines_is_measured_explained_and_refuted(installed: Installer) -> None:
    """With a column of the atlas, and facts that families state of it."""
    assert code_lines(install(installed, "dimension", "largest_support")) <= 5
    measured = run_json("dims", "thresholds:n=4", "--only", "largest_support,ldim")[0]
    assert (measured["largest_support"], measured["ldim"]) == (4, 2)
    assert 'DIMENSIONS["largest_support"](C)  # 5' in run("explain", "largest_support").stdout
    install(installed, "dimension", "largest_support_column")
    # A process of its own, since the atlas is read once.
    done = subprocess.run(
        [sys.executable, "-c", SUPPORT],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path[:2])},
        capture_output=True,
        text=True,
        check=True,
    )
    column, refuted = done.stdout.split("\n", 1)
    assert json.loads(column) == [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    assert json.loads(refuted)["counterexample"]["values"]["largest_support"] == 1
