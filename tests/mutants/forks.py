"""Work in copies of this process, side by side, and sessions of pytest that are copied."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pytest

MEMORY = 6 << 30
"""What a copy may allocate, in bytes; one that needs more fails."""
Key = TypeVar("Key")


def load_libraries() -> None:
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


def forked(work: Callable[[], int], output: Path) -> int:
    """Start a copy of this process that does some work, prints to a file, and ends."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with output.open("w", encoding="utf-8") as file, Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        status = work()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def side_by_side(
    waiting: deque[tuple[Key, Callable[[], int], float]], workers: int, folder: Path
) -> Iterator[tuple[Key, int]]:
    """Do work in forks, some at a time; who iterates may add to what is waiting.

    Parameters
    ----------
    waiting : deque of (key, work, seconds)
        Work that takes longer than the seconds, sleeping included, is ended.
    workers : int
        How many work at a time.
    folder : Path
        Where what they print is kept, in a file for each worker.

    Yields
    ------
    (key, status)
        As `os.waitstatus_to_exitcode` has it: negative after a signal.
    """
    running: dict[int, tuple[Key, int, float]] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            key, work, seconds = waiting.popleft()
            slot = min(set(range(workers)) - {slot for _, slot, _ in running.values()})
            child = forked(work, folder / f"{os.getpid()}-{slot}.txt")
            running[child] = key, slot, time.monotonic() + seconds
        child, status = os.waitpid(-1, os.WNOHANG)
        if child:
            yield running.pop(child)[0], os.waitstatus_to_exitcode(status)
            continue
        for each, (_, _, until) in running.items():
            if time.monotonic() > until:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(each, signal.SIGKILL)
        time.sleep(0.005)


def limit_seconds(more: float) -> None:
    """End this process once it has used so many more seconds of processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + more) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


class _Plugin:
    """Let hypothesis try 25 inputs, and end at a failure without shrinking it."""

    def pytest_sessionstart(self) -> None:
        from hypothesis import Phase, settings

        # The settings of the suite are loaded by now, and no test is.
        phases = (Phase.explicit, Phase.generate, Phase.target)
        settings.register_profile("mutants", settings.default, phases=phases, max_examples=25)
        settings.load_profile("mutants")


def run_pytest(tests: Sequence[str], temporary: Path, *plugins: object) -> int:
    """Pytest's status for these tests; they stop at the first failure."""
    # What this process needed of the library is forgotten, so that all of it is loaded anew.
    for name in [n for n in sys.modules if n.split(".")[0] in ("lsclasses", "catalog", "learners")]:
        del sys.modules[name]
    options = ["--exitfirst", "--tb=line", "--capture=no", f"--basetemp={temporary}"]
    options += ["-p", "no:cacheprovider", "-p", "no:xdist"]
    # Hypothesis is loaded already.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return int(pytest.main([*options, *tests], plugins=[_Plugin(), *plugins]))


def in_session(
    files: Sequence[str],
    modules: Sequence[str],
    output: Path,
    work: Callable[[Any], None],
    *plugins: object,
) -> int:
    """Collect tests in a copy of this process, and give the session to some work.

    Parameters
    ----------
    files : sequence of str
        What pytest is told to test.
    modules : sequence of str
        Paths of modules that are imported in any case.
    output : Path
        Where what it prints is kept.
    work : callable
        Called with pytest's session, whose items have been collected and not run.
    plugins : object
        Further plug-ins for pytest.

    Returns
    -------
    int
        The copy's identifier, for `os.waitpid`. Its status is 0 if nothing went wrong.
    """

    class Loop:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtestloop(self, session: Any) -> bool | None:
            if session.testsfailed:
                return None
            for module in modules:
                importlib.import_module(module.removesuffix(".py").replace("/", "."))
            # Made here, the folder of temporary files is that of all forks.
            session.config._tmp_path_factory.getbasetemp()
            work(session)
            return True

    def collect() -> int:
        with TemporaryDirectory() as temporary:
            status = run_pytest(files, Path(temporary) / "tests", Loop(), *plugins)
        return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status

    return forked(collect, output)
