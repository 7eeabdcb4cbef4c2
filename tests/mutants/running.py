"""Mutants against tests: each in a process of its own. The file on disk is never touched.

There are two ways. *Warm*: the tests are collected once, and in a fork of this session the changed
functions get their new code (`tests.mutants.exchange`). *Cold*, for what runs at import: a process
that has only the libraries loaded is forked, and in the copy the module is compiled from the
mutated text when the tests import it.

In both a test counts only if it passes without a mutant, tried once in the same way when it first
fails; and survivors count only if the changed function, or the module, was run.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import mmap
import os
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.mutants.exchange import Change, Live, change
from tests.mutants.forks import in_session, limit_seconds, run_pytest, side_by_side
from tests.mutants.sampling import ROOT, Mutant, compiled

NOT_RUN = 99
"""The status of tests that did not run the mutated code."""
SLACK = 4.0
"""A mutant whose tests take so many times as long as without it is noticed."""
AT_LEAST = 5.0
"""Seconds of processor time that every mutant has beyond that."""
OURS = ("lsclasses", "catalog", "learners", "tests")


@dataclass(frozen=True)
class Job:
    """A mutant and the tests that are run on it, in this order.

    Attributes
    ----------
    mutant : Mutant
    tests : tuple of str
    seconds : tuple of float
        How long each test takes.
    """

    mutant: Mutant
    tests: tuple[str, ...]
    seconds: tuple[float, ...]

    def without(self, left_out: set[str]) -> Job:
        """Return the same without some tests."""
        pairs = [p for p in zip(self.tests, self.seconds, strict=True) if p[0] not in left_out]
        return Job(self.mutant, tuple(t for t, _ in pairs), tuple(s for _, s in pairs))


class _Watched:
    """A plug-in for pytest: which test is running, seen from outside, and how long it may take."""

    def __init__(self, job: Job) -> None:
        self._place = mmap.mmap(-1, 4)
        self._job = job

    def begin(self, test: str) -> None:
        number = self._job.tests.index(test)
        self._place[:] = (number + 1).to_bytes(4, "little")
        limit_seconds(AT_LEAST + SLACK * sum(self._job.seconds[: number + 1]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> None:
        self.begin(item.nodeid)

    @property
    def last(self) -> str | None:
        """The test that was begun last."""
        number = int.from_bytes(self._place[:], "little")
        return self._job.tests[number - 1] if number else None


Way = Callable[[Job, bool, _Watched], int]
"""Runs the tests of a job with its mutant, or without, and returns a status."""


def _verdicts(
    jobs: Sequence[Job], way: Way, workers: int, folder: Path
) -> Iterator[tuple[Mutant, bool | None]]:
    """Return whether each mutant survived, as they are known; None if the way can't tell."""
    trusted: set[str] = set()
    left_out: set[str] = set()
    doubtful: dict[str, list[Job]] = defaultdict(list)
    waiting: deque[Any] = deque()

    def add(job: Job, mutated: bool) -> None:
        watched = _Watched(job)
        wall = 600 + 30 * sum(job.seconds)
        entry = (job, mutated, watched), partial(way, job, mutated, watched), wall
        # What is in doubt is settled first, so that a run that is stopped has learned from it.
        (waiting.append if mutated else waiting.appendleft)(entry)

    for job in jobs:
        if job.tests:
            add(job, True)
        else:
            yield job.mutant, True
    for (job, mutated, watched), status in side_by_side(waiting, workers, folder):
        test = watched.last
        if not mutated:
            # The last test of the job is the one in doubt.
            asked = job.tests[-1]
            (left_out if status else trusted).add(asked)
            for other in doubtful.pop(asked):
                if not status:
                    yield other.mutant, False
                elif other.without(left_out).tests:
                    add(other.without(left_out), True)
                else:
                    yield other.mutant, True
        elif status in (0, NOT_RUN):
            yield job.mutant, True if status == 0 else None
        elif test is None:
            # Nothing can be imported any more.
            yield job.mutant, False
        elif test in trusted:
            yield job.mutant, False
        elif test in left_out:
            add(job.without(left_out), True)
        else:
            doubtful[test].append(job)
            if len(doubtful[test]) == 1:
                number = job.tests.index(test) + 1
                add(Job(job.mutant, job.tests[:number], job.seconds[:number]), False)


def warm(
    jobs: Sequence[Job], files: Sequence[str], workers: int, folder: Path
) -> Iterator[tuple[Mutant, bool | None]]:
    """Run jobs of one module in forks of a session.

    Parameters
    ----------
    jobs : sequence of Job
    files : sequence of str
        The files that the tests are in.
    workers : int
        How many run at a time.
    folder : Path
        Where what the tests print is kept.

    Yields
    ------
    (mutant, whether it survived)
        None for a mutant that can't be tried in this way.
    """
    if not jobs:
        return
    module = jobs[0].mutant.module
    numbers = {job.mutant: number for number, job in enumerate(jobs)}
    reading, writing = os.pipe()

    def work(session: Any) -> None:
        os.close(reading)
        items = {item.nodeid: item for item in session.items}
        live = Live(ROOT / module, OURS)
        text = (ROOT / module).read_text(encoding="utf-8")
        changes: dict[Mutant, Change] = {}
        for job in jobs:
            found = change(text, job.mutant.source(), ROOT / module)
            if found is not None and live.takes(found):
                changes[job.mutant] = found

        def run(job: Job, mutated: bool, watched: _Watched) -> int:
            runs = []
            live.forget()
            if mutated:
                live.make(changes[job.mutant], lambda: None if runs else runs.append(True))
            asked = [items[test] for test in job.tests]
            for item, after in zip(asked, [*asked[1:], None], strict=True):
                watched.begin(item.nodeid)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
                if session.testsfailed:
                    return 1
            return 0 if runs or not mutated else NOT_RUN

        able = [job for job in jobs if job.mutant in changes]
        for mutant, survived in _verdicts(able, run, workers, folder):
            os.write(writing, f"{json.dumps([numbers[mutant], survived])}\n".encode())

    output = folder / f"{os.getpid()}-session.txt"
    child = in_session(files, [module], output, work)
    os.close(writing)
    left = {job.mutant for job in jobs}
    with os.fdopen(reading) as answers:
        for line in answers:
            number, survived = json.loads(line)
            left.remove(jobs[number].mutant)
            yield jobs[number].mutant, survived
    _, status = os.waitpid(child, 0)
    if status:
        told = "\n".join(output.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
        raise SystemExit(f"The tests of {module} can't be run: {' '.join(files)}\n{told}")
    yield from ((mutant, None) for mutant in sorted(left))


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

    def find_spec(self, name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name != self._name:
            return None
        text = self._text

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname):  # type: ignore[no-untyped-def]
                return compiled(text, self.path)

        self.loaded = True
        loader = Loader(name, self._path)
        return importlib.util.spec_from_file_location(name, self._path, loader=loader)


def cold(jobs: Sequence[Job], workers: int, folder: Path) -> Iterator[tuple[Mutant, bool | None]]:
    """Run jobs in forks that import everything anew.

    Yields
    ------
    (mutant, whether it survived)
        None for a mutant whose module the tests never imported.
    """
    with TemporaryDirectory() as temporary:

        def run(job: Job, mutated: bool, watched: _Watched) -> int:
            module = job.mutant.module
            text = job.mutant.source() if mutated else (ROOT / module).read_text(encoding="utf-8")
            finder = _Mutated(module, text)
            sys.meta_path.insert(0, finder)
            limit_seconds(6 * AT_LEAST)
            status = run_pytest(job.tests, Path(temporary) / str(os.getpid()), finder, watched)
            return status if finder.loaded else NOT_RUN

        yield from _verdicts(jobs, run, workers, folder)
