"""The runner of mutants: what it changes, which tests it runs, and what it calls noticed."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.mutants import running, sampling
from tests.mutants.__main__ import PAGE, judged
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


def test_the_sample_stays_when_something_else_changes(module: str) -> None:
    first = sample(module, 100)
    path = sampling.ROOT / module
    path.write_text(path.read_text().replace('"""\n', '"""\n\nOTHER = "text"\n\n', 1))
    assert [m.key for m in sample(module, 100)] == [m.key for m in first]
    assert [m.lines for m in sample(module, 100)] != [m.lines for m in first]


def test_a_mistake_is_noticed_and_the_file_is_not_touched(tmp_path: Path) -> None:
    path = "learners/mechanisms/randomized_response.py"
    text = (ROOT / path).read_text()
    least = next(m for m in sample(path, 60) if m.after == "if not 1 <= answer < self.answers:")
    # In a process of its own: mutants are forked from one that runs no tests. A file whose doctests
    # run is loaded by pytest in its own way, so it is tried as well.
    script = f"""
from pathlib import Path
from tests.mutants import running
from tests.mutants.sampling import sample
mutant = next(m for m in sample({path!r}, 60) if m.key == {least.key!r})
tests = [
    "tests/learners/mechanisms/test_randomized_response.py",
    "learners/mechanisms/randomized_response.py",
]
jobs = [(mutant, some, 60.0) for some in (tests[:1], tests[::-1], [])]
print(sorted(running.outcomes(jobs, 2, Path({str(tmp_path)!r}))))
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert found.stdout.strip() == "[(0, False), (1, False), (2, True)]"
    assert (ROOT / path).read_text() == text


def test_tests_of_a_module_are_its_own_first() -> None:
    tests = running.tests_of("learners/mechanisms/randomized_response.py")
    assert tests[:2] == [
        "learners/mechanisms/randomized_response.py",
        "tests/learners/mechanisms/test_randomized_response.py",
    ]
    assert "tests/learners/test_audit_controls.py" in tests
    assert all((ROOT / test).is_file() for test in tests)


def test_only_tests_that_run_the_statement_are_asked() -> None:
    mutant = Mutant("", "m.py", "f", "a", "b", lines=(4, 5))
    known = running.Baseline({"slow": 2.0, "fast": 1.0, "other": 0.5}, {})
    for lines, concerned in (
        ({4: ["slow"], 5: ["fast", "slow"], 9: ["other"]}, ["fast", "slow"]),
        ({9: ["other"]}, []),
        # A line that an import runs concerns every test that runs the module at all.
        ({4: [""], 5: ["slow"], 9: ["other"]}, ["other", "slow"]),
    ):
        assert running.Baseline(known.seconds, lines).concerned(mutant) == concerned


@pytest.mark.parametrize("pattern", sampling.GUARDED)
def test_each_pattern_names_modules(pattern: str) -> None:
    assert any(path.name != "__init__.py" for path in ROOT.glob(pattern))


def test_judgements_are_of_lines_that_are_there_and_give_a_reason() -> None:
    for (module, _, before, after, _), because in judged().items():
        text = " ".join(line.strip() for line in (ROOT / module).read_text().splitlines())
        assert before in text, f"judged.toml: {module} no longer has {before!r}"
        assert before != after and len(because) > 20


def test_the_page_tells_of_modules_that_are_there() -> None:
    rows = [line.split("`")[1] for line in PAGE.read_text().splitlines() if line[:3] == "| `"]
    assert set(rows) <= set(guarded_modules())
