"""The runner of mutants: what it changes, which tests it runs, and what it calls noticed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import textwrap
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from learners.audit.audit_registry import AUDITABLE
from tests.mutants import __main__ as command
from tests.mutants import recording, sampling
from tests.mutants.sampling import ROOT, Mutant, guarded_modules, sample


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sampling, "ROOT", tmp_path)
    (tmp_path / "small.py").write_text(
        textwrap.dedent('''\
            """Nothing here changes: 1 < 2."""
            LIMIT: int | None = 7

            def least(a: int, b: int) -> int:
                if a < b:
                    return a
                raise ValueError(f"{a + b} is wrong")
            ''')
    )
    return "small.py"


def test_a_mutant_changes_one_place_that_runs(module: str) -> None:
    mutants = sample(module, 100)
    places = {(m.function, m.before) for m in mutants}
    assert places == {("", "LIMIT: int | None = 7"), ("least", "if a < b:")}
    for mutant in mutants:
        assert mutant.before != mutant.after
        ast.parse(mutant.source())


def test_a_change_that_is_no_python_is_no_mutant(module: str) -> None:
    (sampling.ROOT / module).write_text("def f(a):\n    return a & -1\n")
    mutants = sample(module, 100)
    assert mutants
    for mutant in mutants:
        sampling.compiled(mutant.source(), module)


def test_the_sample_stays_when_something_else_changes(module: str) -> None:
    first = sample(module, 100)
    path = sampling.ROOT / module
    path.write_text(path.read_text().replace('"""\n', '"""\n\nOTHER = "text"\n\n', 1))
    assert [m.key for m in sample(module, 100)] == [m.key for m in first]
    assert [m.lines for m in sample(module, 100)] != [m.lines for m in first]


TINY = '''\
"""A module with everything that is exchanged in a way of its own."""
import functools

LIMIT = 7

def counted(function):
    @functools.wraps(function)
    def inner(*arguments):
        return function(*arguments) + 0
    return inner

@functools.cache
def square(n):
    return n * n

class Pair:
    """Two numbers."""

    def __init__(self, a, b=2):
        self.a, self.b = a, b

    @property
    def larger(self):
        return self.a if self.a > self.b else self.b

    @staticmethod
    @counted
    def least(a, b):
        """
        >>> Pair.least(3, 2)
        2
        """
        return min((a, b), key=lambda n: n * 1)

def below(numbers):
    for n in numbers:
        if n < LIMIT:
            yield n

def unused(n):
    return n + 1

SQUARE = square(3)
'''
TESTS = """\
import pytest
from tiny import SQUARE, Pair, below, square

@pytest.fixture(scope="module", params=[2, 3])
def number(request):
    return request.param

def test_square(number):
    assert square(number) == number**2

def test_at_import():
    assert SQUARE == 9

def test_larger():
    assert Pair(1, 5).larger == 5
    assert Pair(1).larger == 2

def test_below():
    assert list(below([3, 9])) == [3]
"""
TRIAL = """
import json, sys
import hypothesis  # once, before the forks
from pathlib import Path
from tests.mutants import forks, recording, running, sampling
from tests.mutants.running import Job, cold, warm

root = Path(sys.argv[1])
recording.ROOT = running.ROOT = sampling.ROOT = root
recording.tests_of = lambda module, importers: ["tiny.py", "test_tiny.py"]
recording.load_libraries = lambda: None
records = recording.Records(root / "kept", ["tiny.py"])
assert records.stale(["tiny.py"]) == ["tiny.py", "test_tiny.py"]
records.make(records.stale(["tiny.py"]), 2)
assert records.stale(["tiny.py"]) == []
alone = records.baseline("tiny.py")
mutants = sampling.sample("tiny.py", 26)
jobs = [
    Job(m, tuple(tests := alone.concerned(m)), tuple(alone.seconds[t] for t in tests))
    for m in mutants
]
files = ["tiny.py", "test_tiny.py"]
found = []
for way in (warm(jobs, files, 2, root), cold(jobs, 2, root)):
    verdicts = dict(way)
    found.append([[*m.key, m.lines, verdicts[m]] for m in mutants])
print(json.dumps(found))
"""


def test_both_ways_agree_and_the_file_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(TINY)
    (tmp_path / "test_tiny.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q --doctest-modules\n")
    # In a process of its own: forks are made of one that runs no tests.
    environment = os.environ | {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    result = subprocess.run(
        [sys.executable, "-c", TRIAL, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    warm, cold = json.loads(result.stdout.splitlines()[-1])
    assert (tmp_path / "tiny.py").read_text() == TINY
    exchanged = [pair for pair in zip(warm, cold, strict=True) if pair[0][-1] is not None]
    assert len(exchanged) >= 10
    for one, other in exchanged:
        assert one == other
    noticed = {(entry[1], entry[3]) for entry in cold if not entry[-1]}
    # Obvious mistakes: in a cached function, in one made at import, in a generator, in a constant.
    assert ("square", "return n - n") in noticed
    assert ("counted.inner", "return function(*arguments) * 0") in noticed
    assert ("below", "if not n < LIMIT:") in noticed
    assert ("", "SQUARE = square( 2)") in noticed
    assert ("unused", "return n + 0") not in noticed


def test_tests_of_a_module_are_its_own_first() -> None:
    tests = recording.tests_of("learners/mechanisms/randomized_response.py")
    assert tests[:2] == [
        "learners/mechanisms/randomized_response.py",
        "tests/learners/mechanisms/test_randomized_response.py",
    ]
    assert "tests/learners/mechanisms/test_subsampling.py" in tests
    assert all((ROOT / test).is_file() for test in tests)


def test_names_that_a_package_passes_on_count_for_the_module_they_come_from() -> None:
    """That test imports FoldedTree from lsclasses.certificates, and nothing from its module."""
    tests = recording.tests_of("lsclasses/certificates/folded.py")
    assert tests[1] == "tests/lsclasses/certificates/test_folded_trees.py"


def test_a_part_that_no_test_names_has_the_tests_of_who_imports_it() -> None:
    tests = recording.tests_of("learners/audit/strategies.py")
    assert "tests/learners/audit/test_games.py" in tests
    assert "tests/learners/winnow/test_algorithm.py" in recording.tests_of(
        "learners/winnow/votes.py"
    )


def test_what_is_named_like_a_module_beside_it_is_its_own() -> None:
    """That test runs commands, and imports nothing of the module."""
    assert "tests/learners/test_budget_files.py" in recording.tests_of("learners/budget.py")
    # In another folder the name says nothing.
    assert not any(
        "test_recorded" in test
        for test in recording.tests_of("learners/exact/output_distributions.py")
    )
    assert "tests/catalog/test_fact_checks.py" not in recording.tests_of("learners/claim_checks.py")


def test_recorded_refusals_of_a_room_are_tests_of_its_modules() -> None:
    refused = "tests/recorded/refused/learners.majorities.txt"
    assert recording.tests_of("learners/majorities/certificates.py", importers=0)[-1] == refused
    assert refused not in recording.tests_of("learners/audit/pairs.py")


def test_only_tests_that_run_the_statement_are_asked() -> None:
    mutant = Mutant("", "m.py", "f", "a", "b", lines=(4, 5))
    seconds = {"slow": 2.0, "fast": 1.0, "other": 0.5, "mine": 0.1}
    for lines, concerned in (
        ({4: {"slow"}, 5: {"fast", "slow"}, 9: {"other"}}, ["fast", "slow"]),
        ({9: {"other"}}, []),
        # A line that an import runs concerns every test that runs the module at all, and its own.
        ({4: {""}, 9: {"other"}}, ["mine", "other"]),
    ):
        assert recording.Baseline(seconds, lines, {"mine"}).concerned(mutant) == concerned


def test_long_tests_are_left_out_and_own_ones_before_others_are() -> None:
    mutant = Mutant("", "m.py", "f", "a", "b", lines=(4,))
    seconds = {"quick": 1.0, "long": 100.0, "own": 15.0, "longer": 200.0, "own too": 20.0}
    lines = {4: set(seconds)}
    some = recording.Baseline(seconds, lines, set()).concerned(mutant)
    assert some == ["quick", "own"]
    own = recording.Baseline(seconds, lines, {"own", "own too"}).concerned(mutant)
    assert own == ["own", "own too"]


@pytest.mark.parametrize("pattern", sampling.GUARDED)
def test_each_pattern_names_modules(pattern: str) -> None:
    assert any(path.name != "__init__.py" for path in ROOT.glob(pattern))


def test_whatever_is_audited_is_guarded() -> None:
    modules = {declared.build.__module__ for declared in AUDITABLE.values()}
    audited = {f"{module.replace('.', '/')}.py" for module in modules}
    assert len(audited) > 10
    assert audited <= set(guarded_modules())


def test_judgements_are_of_lines_that_are_there_and_give_a_reason() -> None:
    for (module, _, before, after, _), because in command.judged().items():
        text = " ".join(line.strip() for line in (ROOT / module).read_text().splitlines())
        assert before in text, f"judged: {module} no longer has {before!r}"
        assert before != after and len(because) > 20


@pytest.mark.parametrize("survived", [True, False])
def test_a_judgement_is_refuted_by_a_test_that_notices(
    survived: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    module = "learners/mechanisms/runs.py"
    mutant, *others = sample(module, command.ALL)
    found = command.Known(tmp_path, module, [module])
    found.learn(mutant, survived, 1)
    for other in others:
        found.learn(other, False, 1)
    monkeypatch.setattr(command, "judged", lambda: {mutant.key: "because it is said"})
    given = ["--judged", "--only-known", "--kept", str(tmp_path), module]
    monkeypatch.setattr(sys, "argv", ["tests.mutants", *given])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    refuted = "A test kills 1 mutants classified as equivalent."
    assert stopped.value.code == (0 if survived else refuted)
    assert (json.dumps(mutant.after) in capsys.readouterr().out) == (not survived)


def test_a_smaller_sample_does_not_replace_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "PAGE", tmp_path / "mutants.md")
    module = "learners/exact/output_distributions.py"
    figures = f"| `{module}` | 60 | 57 | 2 | 1 | 98% |"
    (tmp_path / "mutants.md").write_text(f"{command.HEAD}\n|---|\n{figures} |\n")
    today = date.today().isoformat()
    for row, written in (
        (command.Tally(module, 5, 0, 1), f"{figures} {today}, the first 6: 1 open |"),
        (command.Tally(module, 6, 0, 0), f"{figures} {today}, the first 6 |"),
        (command.Tally(module, 58, 2, 0), f"| `{module}` | 60 | 58 | 2 | 0 | 100% | {today} |"),
    ):
        command._write_page([row])
        assert (tmp_path / "mutants.md").read_text().splitlines()[-1] == written


def test_the_page_tells_of_modules_that_are_there() -> None:
    rows = [
        line.split("`")[1] for line in command.PAGE.read_text().splitlines() if line[:3] == "| `"
    ]
    assert set(rows) <= set(guarded_modules())
