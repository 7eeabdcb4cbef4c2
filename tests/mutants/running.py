"""Mutants against tests: each in a process of its own that has only the libraries loaded.

The file on disk is never touched. A process that stands ready is forked, and in the copy the module
is compiled from the mutated text when the tests import it.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import coverage
import pytest

from tests.mutants.sampling import ROOT, Mutant

NEVER_LOADED = 99
"""The status of tests that did not import the mutated module, which is a mistake here."""
MEMORY = 6 << 30
"""What a mutant may allocate, in bytes; more is noticed."""
SLACK = 4.0
"""A mutant whose tests take so many times as long as without it is noticed."""
IMPORTERS = 6
"""How many test files that are not a module's own are taken."""
AT_LEAST = 20.0
"""Seconds of processor time that every mutant has."""


def tests_of(module: str) -> list[str]:
    """The tests that concern a module: its own, its doctests, and those that speak of it most.

    Of the tests that import from it, the own ones are named like it; of the others `IMPORTERS` are
    taken, by how often they mention what they import.
    """
    name = module.removesuffix(".py").replace("/", ".")
    own, others = [], []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if mentioned := _mentions(_parsed(path), name):
            mine = path.stem.startswith(f"test_{Path(module).stem}")
            (own if mine else others).append((-mentioned, path.relative_to(ROOT).as_posix()))
    files = sorted(own) + sorted(others)[:IMPORTERS]
    return [module, *(path for _, path in files)]


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _mentions(tree: ast.Module, module: str) -> int:
    """How often a text mentions names that it imports from a module, or the module itself."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {
                alias.asname or alias.name
                for alias in node.names
                if module in (node.module, f"{node.module}.{alias.name}")
            }
        elif isinstance(node, ast.Import):
            found |= {a.asname or a.name.split(".")[0] for a in node.names if a.name == module}
    names = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return sum(name in found for name in names) + len(found)


class _Mutated(importlib.abc.MetaPathFinder):
    """Compiles one module from a text that is given, and leaves the others alone."""

    def __init__(self, module: str, text: str) -> None:
        self._name = module.removesuffix(".py").replace("/", ".")
        self._path = str(ROOT / module)
        self._text = text
        self.loaded = False

    def pytest_sessionstart(self) -> None:
        """Stand before pytest's own finder, which loads the files that it is told to test."""
        sys.meta_path.remove(self)
        sys.meta_path.insert(0, self)

    def pytest_sessionfinish(self) -> None:
        """Tests that never saw the mutant say nothing about it."""
        if not self.loaded:
            os._exit(NEVER_LOADED)

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name != self._name:
            return None
        text = self._text

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname):  # type: ignore[no-untyped-def]
                return compile(text, self.path, "exec", dont_inherit=True)

        self.loaded = True
        loader = Loader(name, self._path)
        return importlib.util.spec_from_file_location(name, self._path, loader=loader)


class _Recorder:
    """A plug-in for pytest: which tests run each line of a module, and how long they take."""

    def __init__(self, module: str) -> None:
        self._path = str(ROOT / module)
        self._coverage = coverage.Coverage(data_file=None, include=[self._path], config_file=False)
        self._coverage.start()
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        start = time.process_time()
        yield
        self.seconds[item.nodeid] = time.process_time() - start
        self._coverage.switch_context("")

    def lines(self) -> dict[int, list[str]]:
        """The tests by the lines that they run; "" stands for lines run by an import."""
        self._coverage.stop()
        return dict(self._coverage.get_data().contexts_by_lineno(self._path))


@dataclass(frozen=True)
class Baseline:
    """The tests of a module without a mutant: the seconds of each, and which run a line."""

    seconds: dict[str, float]
    lines: dict[int, list[str]]

    def concerned(self, mutant: Mutant) -> list[str]:
        """The tests that run what a mutant changes, the fastest first."""
        found = {test for line in mutant.lines for test in self.lines.get(line, ())}
        if "" in found:
            found = {test for tests in self.lines.values() for test in tests}
        return sorted(found - {""}, key=lambda test: self.seconds[test])


def baseline(module: str, folder: Path) -> Baseline:
    """Run the tests of a module as it is.

    Raises
    ------
    SystemExit
        If they fail.
    """
    answer, tests = folder / "baseline.json", tests_of(module)
    answer.unlink(missing_ok=True)

    def work() -> int:
        recorder = _Recorder(module)
        status = _pytest(tests, folder / "baseline.txt", recorder)
        answer.write_text(json.dumps([recorder.seconds, recorder.lines()]))
        return status

    _load_libraries()
    _, status = os.waitpid(_forked(work, 0), 0)
    if status:
        raise SystemExit(
            f"The tests of {module} fail without a mutant, see {folder / 'baseline.txt'}: "
            + " ".join(tests)
        )
    seconds, lines = json.loads(answer.read_text())
    return Baseline(seconds, {int(line): found for line, found in lines.items()})


def _pytest(tests: Sequence[str], output: Path, *plugins: object) -> int:
    """Pytest's status for these tests; they stop at the first failure."""
    # What this process needed of the library is forgotten, so that all of it is loaded anew.
    for name in [n for n in sys.modules if n.split(".")[0] in ("lsclasses", "catalog", "learners")]:
        del sys.modules[name]
    with output.open("w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    options = ["--exitfirst", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist"]
    # Hypothesis is loaded already.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return int(pytest.main([*options, *tests], plugins=list(plugins)))


def _with_mutant(mutant: Mutant, tests: Sequence[str], output: Path) -> int:
    """The same with a mutant in place."""
    mutated = _Mutated(mutant.module, mutant.source())
    sys.meta_path.insert(0, mutated)
    return _pytest(tests, output, mutated)


def outcomes(
    jobs: Sequence[tuple[Mutant, Sequence[str], float]], workers: int, folder: Path
) -> Iterator[tuple[int, bool]]:
    """Run jobs side by side, and tell for each whether the tests passed, as they end.

    Parameters
    ----------
    jobs : sequence of (mutant, tests, seconds)
        The last is how much processor time is allowed.
    workers : int
        How many run at a time.
    folder : Path
        Where what the tests print is kept, in a file for each worker's job.

    Yields
    ------
    (number of the job, passed)
    """
    _load_libraries()
    # A mutant that no test runs is not noticed; pytest without tests would run them all.
    yield from ((number, True) for number, (_, tests, _) in enumerate(jobs) if not tests)
    waiting = [(number, job) for number, job in enumerate(jobs) if job[1]][::-1]
    running: dict[int, tuple[int, float, float]] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            number, (mutant, tests, seconds) = waiting.pop()
            child = _forked(partial(_with_mutant, mutant, tests, folder / f"{number}.txt"), seconds)
            running[child] = number, time.monotonic(), seconds
        child, status = os.waitpid(-1, os.WNOHANG)
        if child:
            number, _, _ = running.pop(child)
            if os.waitstatus_to_exitcode(status) == NEVER_LOADED:
                raise RuntimeError(f"{jobs[number][0]} was not loaded by {jobs[number][1]}.")
            yield number, status == 0
            continue
        for each, (_, started, seconds) in running.items():
            # Processor time is limited by the system; this is for those that sleep or wait.
            if time.monotonic() - started > 30 * seconds + 600:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(each, signal.SIGKILL)
        time.sleep(0.02)


def _load_libraries() -> None:
    """What every test imports anyway, and no mutant changes: loaded once, before the forks."""
    with contextlib.redirect_stdout(io.StringIO()):
        import flint  # noqa: F401
        import hypothesis.strategies  # noqa: F401
        import networkx  # noqa: F401
        import numpy  # noqa: F401
        import scipy.optimize
        import scipy.stats  # noqa: F401
        import sympy  # noqa: F401
        import typer.testing  # noqa: F401


def _forked(work: Callable[[], int], seconds: float) -> int:
    """Start a copy of this process that does some work and ends with its status."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        sys.setrecursionlimit(1000)
        status = work()
        sys.stdout.flush()
    finally:
        os._exit(status)
