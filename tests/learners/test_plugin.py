"""What somebody else wrote, in a package of its own: `examples/plugin`, and broken topics."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import catalog
from catalog import check_family
from learners.audit.audit_registry import AUDITABLE
from learners.checks import check_learner, check_mechanism
from learners.claim_checks import TOPICS
from learners.papers.coverage import recomputed
from learners.playing.entries import ONLINE_LEARNERS
from learners.sanitizers.sanitizer_checks import check_sanitizer
from tests.conftest import Installer
from tests.house import code_lines
from tests.lsclasses.commands.test_cli import error_of, run, run_json

PAGE = Path(__file__).parents[2] / "docs" / "write-your-own.md"


def test_the_page_shows_the_modules_as_they_are(plugin: Path) -> None:
    """The page has every module of the package but the column, word by word."""
    shown = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    modules = {path.stem: path.read_text() for path in (plugin / "lsclasses_plugin").glob("*.py")}
    assert sorted(shown) == sorted(
        modules[name] for name in modules if name not in {"__init__", "largest_support_column"}
    )
    (declared,) = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert (plugin / "pyproject.toml").read_text().endswith(f"\n\n{declared}")
    assert code_lines(modules["largest_support"]) <= 5
    assert all(code_lines(text) <= 60 for text in modules.values())


def test_what_a_package_adds_is_checked(plugin: Path) -> None:
    """By what checks ours, without touching a file of this package; the page runs its claims."""
    check_family(catalog.FAMILIES["arcs"])
    check_learner(ONLINE_LEARNERS["noisy-majority"].learner("arcs:n=4", rounds=24), "arcs:n=4")
    check_mechanism(AUDITABLE[name] for name in ("noisy_sum", "noisy_majority", "noisy_counts"))
    C = catalog.build("thresholds:n=6").to_table()
    check_sanitizer(import_module("lsclasses_plugin.noisy_counts").NoisyCounts(C, 1))


def test_an_adversary_that_sweeps_forces_a_mistake_wherever_two_concepts_differ(
    plugin: Path,
) -> None:
    """Against the optimal learner, n on the cube and one on singletons."""
    for spec, forced in (("cube:n=5", 5), ("points:n=5", 1)):
        game = run_json("run", "soa", spec, "--rounds", 5, "--adversary", "sweeping")
        assert game["games"][0]["mistakes"] == forced


ONE = """
from learners.claim_checks import Claim, ClaimCheck, compare, recomputes
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
    "": r"names no topic\. A topic is a module with a function checks\(\)",
    "def checks(): pass": r"checks\(\) is to return ClaimCheck objects\. Got None",
    "def checks(): return ['toys']": r"checks\(\) is to return ClaimCheck objects\. Got 'toys'",
    "def checks(): return 1 / 0": r"checks\(\) fails: ZeroDivisionError",
    topic_of_one_check(function="unmarked"): r"toys: unmarked\(\) is to be marked by @recomputes",
    topic_of_one_check(statements="('GL21 Lemma 9',)"): "no statement 'GL21 Lemma 9'",
    topic_of_one_check(function="recomputes(CLAIM)(lambda: [])"): "must be a function at module",
    topic_of_one_check(
        topic="ledger"
    ): r"ledger: work\(\) has the topic 'ledger', not the listed topic",
}


@pytest.mark.parametrize(("text", "said"), BROKEN.items(), ids=range(len(BROKEN)))
def test_a_broken_topic_is_refused_before_any_work(
    installed: Installer, text: str, said: str
) -> None:
    """With its entry point and its package."""
    installed("toy_module", text, (TOPICS, "toys", "toy_module"))
    error = error_of("verify", "--topic", "toys")
    assert "'toys' (toy_module of the package 'toy_module')" in error
    assert re.search(said, error)


def test_a_broken_topic_stops_only_who_asks_for_all_topics(installed: Installer) -> None:
    installed("toy_module", "", (TOPICS, "toys", "toy_module"))
    recomputed.cache_clear()
    for command in (("verify", "--only", "BLM20", "--topic", "ledger"), ("explain", "BLM20")):
        assert "names no topic" in error_of(*command)
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
    assert "The selection is empty, because no check is listed." in error_of(
        "verify", "--topic", "toys"
    )


SUPPORT = """
import json
from catalog import atlas
from catalog.family_checks import check_family
from catalog.family import Fact
from catalog.points import Points
from lsclasses.commands.application import app

class Singles(Points):
    facts = (*Points.facts, Fact("largest_support", "1", source="a concept is one point"))

check_family(Singles())
print(json.dumps([C["largest_support"] for C in atlas.classes(2, flips=False)]))
app(["refute", "largest_support <= vcdim", "--json"], standalone_mode=False)
"""


def test_a_dimension_of_five_lines_is_measured_explained_and_refuted(plugin: Path) -> None:
    """With a column of the atlas, and facts that families state of it."""
    measured = run_json("dims", "thresholds:n=4", "--only", "largest_support,ldim")[0]
    assert (measured["largest_support"], measured["ldim"]) == (4, 2)
    assert 'DIMENSIONS["largest_support"](C)  # 5' in run("explain", "largest_support").stdout
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
