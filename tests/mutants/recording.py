"""Which tests concern a module, how long they take, and which of them run a line.

Every test file is run once, with marks on the lines of all guarded modules. Its record is kept in a
folder that several checkouts may share: what it says of the tests holds as long as the test file is
as it was, and what it says of a module's lines as long as the module is as well.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import signal
import sys
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from lsclasses.files.writing import atomic_write
from tests.mutants.forks import in_session, load_libraries, side_by_side
from tests.mutants.lines import Marking
from tests.mutants.sampling import ROOT, Mutant

IMPORTERS = 6
"""How many test files that are not a module's own are taken."""
ENOUGH = 12.0
"""The fastest tests that run a line are taken until they last so many seconds together."""
OWN = 2.5
"""The module's own tests and doctests are taken until they last so many times as long."""
REFUSED = "tests/recorded/refused"
"""The folder of what is refused; each of its files is a test."""
FOREVER = 7200.0
"""Seconds after which a test file is thought to hang."""


def tests_of(module: str, importers: int = IMPORTERS) -> list[str]:
    """The tests that concern a module: its doctests, its own, and those that speak of it most.

    Own ones are named like it and import from it, or lie where it lies, and what is recorded of its
    refusals; of the others that import from it so many are taken, by how often they mention what
    they import. A part of a longer module that no test names has the tests of the modules beside
    it that import it.
    """
    own, others = _concerned(module)
    if not own:
        own = sorted({each for user in _users(module) for each in _concerned(user)[0]})
        others = [each for each in others if each[1] not in {path for _, path in own}]
    files = sorted(own) + sorted(others)[:importers]
    refused = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / REFUSED).glob("*.txt"))
    refused = [path for path in refused if _is_own(path, module)]
    return [module, *dict.fromkeys(path for _, path in files), *refused]


def _users(module: str) -> list[str]:
    """Return the modules of the same folder that import it, and those that import these."""
    folder, found = (ROOT / module).parent, [module]
    names = {
        path: {source for source, _, _ in _names(path)[0]} for path in sorted(folder.glob("*.py"))
    }
    for each in found:
        dotted = each.removesuffix(".py").replace("/", ".")
        users = [path.relative_to(ROOT).as_posix() for path in names if dotted in names[path]]
        found += [user for user in users if user not in found]
    return found[1:]


def _concerned(module: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Its own tests and others, each with how often it mentions the module, negative."""
    name = module.removesuffix(".py").replace("/", ".")
    own, others = [], []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        file = path.relative_to(ROOT).as_posix()
        mentioned, named = _mentions(path, name), _is_own(file, module)
        if mentioned or (named and Path(file).parent == "tests" / Path(module).parent):
            (own if named else others).append((-mentioned, file))
    return own, others


def _is_own(file: str, module: str) -> bool:
    """Its name is that of the module, or of the folder that the module is in.

    The name of a file of refusals has dots, such as ``learners.pop.txt``.
    """
    stem, path = Path(file).stem, Path(module)
    if file.startswith(REFUSED):
        dotted = ".".join(path.with_suffix("").parts)
        return f"{dotted}.".removeprefix("lsclasses.").startswith(f"{stem}.")
    return (
        file == module or stem.startswith(f"test_{path.stem}") or stem == f"test_{path.parent.name}"
    )


def _mentions(path: Path, module: str) -> int:
    """How often a test file mentions names that it imports from a module, or the module itself.

    They may come from the package, which passes on names of its modules.
    """
    parent, _, last = module.rpartition(".")
    if parent not in path.read_text(encoding="utf-8"):
        return 0
    imports, counts = _names(path)
    passed_on = {shown for source, _, shown in _passed_on(parent) if source == module}
    found = {
        shown
        for source, name, shown in imports
        if (source == module) or (source == parent and name in {last, *passed_on})
    }
    return sum(counts[name] for name in found) + len(found)


def _passed_on(package: str) -> list[tuple[str, str, str]]:
    """What a package imports, and others import from it."""
    path = ROOT / package.replace(".", "/") / "__init__.py"
    return _names(path)[0] if path.exists() else []


@cache
def _names(path: Path) -> tuple[list[tuple[str, str, str]], Counter[str]]:
    """What a file imports, (module, name, what it is called here), and the names it mentions."""
    imports, counts = [], Counter[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            imports += [(node.module, a.name, a.asname or a.name) for a in node.names]
        elif isinstance(node, ast.Import):
            imports += [(a.name, "", a.asname or a.name.split(".")[0]) for a in node.names]
        elif isinstance(node, ast.Name):
            counts[node.id] += 1
    return imports, counts


def digest(paths: Iterable[str]) -> str:
    """Return a digest of the texts of files."""
    texts = b"\0".join((ROOT / path).read_bytes() for path in paths)
    return hashlib.sha256(texts).hexdigest()[:16]


@dataclass(frozen=True)
class Baseline:
    """The tests of a module without a mutant.

    Attributes
    ----------
    seconds : dict
        How long each takes.
    lines : dict
        The tests that run a line; "" stands for an import.
    own : set
        The module's own tests and its doctests.
    """

    seconds: dict[str, float]
    lines: dict[int, set[str]]
    own: set[str]

    def at_import(self, mutant: Mutant) -> bool:
        """Return whether an import runs what the mutant changes."""
        return any("" in self.lines.get(line, ()) for line in mutant.lines)

    def concerned(self, mutant: Mutant, enough: float = ENOUGH) -> list[str]:
        """Tests that run what a mutant changes, the fastest first; not all if they take long.

        Others than the module's own are taken until all last so many seconds.
        """
        found = {test for line in mutant.lines for test in self.lines.get(line, ())}
        if "" in found:
            # A constant is not run by the test that looks at it.
            found = self.own.union(*self.lines.values())
        ordered = sorted(found - {""}, key=lambda test: (self.seconds[test], test))
        taken = self._fastest([t for t in ordered if t in self.own], OWN * enough)
        others = [test for test in ordered if test not in self.own]
        left = enough - sum(self.seconds[test] for test in taken)
        kept = {*taken, *self._fastest(others, left)}
        return [test for test in ordered if test in kept]

    def _fastest(self, tests: Iterable[str], enough: float) -> list[str]:
        taken: list[str] = []
        for test in tests:
            if enough <= 0:
                break
            enough -= self.seconds[test]
            taken.append(test)
        return taken


class Records:
    """The records in a folder.

    Parameters
    ----------
    folder : Path
        One file for each test file.
    modules : sequence of str
        The modules whose lines are recorded.
    importers : int, optional
        How many test files that are not a module's own are taken.
    """

    def __init__(self, folder: Path, modules: Sequence[str], importers: int = IMPORTERS) -> None:
        self._folder = folder / "records"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._modules = modules
        self._importers = importers

    def files(self, module: str) -> list[str]:
        """What pytest is told to test for a module."""
        return tests_of(module, self._importers)

    def _path(self, file: str) -> Path:
        return self._folder / (file.replace("/", "--") + ".json")

    def _read(self, file: str, module: str) -> dict[str, Any] | None:
        """Return the record of a test file, if it is up to date for a module."""
        path = self._path(file)
        if not path.exists():
            return None
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        told = record["lines"].get(module)
        valid = record["digest"] == digest([file]) and told and told["digest"] == digest([module])
        return record if valid else None

    def stale(self, modules: Iterable[str]) -> list[str]:
        """Return the test files of modules that have to be recorded."""
        pairs = ((file, module) for module in modules for file in self.files(module))
        return list(dict.fromkeys(file for file, module in pairs if not self._read(file, module)))

    def baseline(self, module: str) -> Baseline:
        """What the records say of a module; they have been made."""
        seconds: dict[str, float] = {}
        lines: dict[int, set[str]] = defaultdict(set)
        own = set()
        for file in self.files(module):
            record = self._read(file, module)
            assert record is not None, f"{file} has no record for {module}"
            seconds |= record["seconds"]
            if _is_own(file, module):
                own |= set(record["seconds"])
            for test, found in record["lines"][module]["tests"].items():
                for line in found:
                    lines[line].add(test)
        return Baseline(seconds, dict(lines), own)

    def make(self, files: Sequence[str], workers: int, patience: float = FOREVER) -> None:
        """Run test files, each in a fork of one session, and keep their records.

        There is none of a file that lasts longer than so many seconds.

        Raises
        ------
        SystemExit
            If they can't be collected, or one ends before its tests have.
        """
        load_libraries()
        output = self._folder / f"collecting-{os.getpid()}.txt"
        shown = os.dup(1)
        marking = Marking(ROOT, self._modules)
        work = partial(self._record, marking, workers, shown, patience)
        # What conftest.py imports is loaded before the session starts.
        sys.meta_path.insert(0, marking)
        child = in_session(files, self._modules, output, work, marking)
        sys.meta_path.remove(marking)
        _, status = os.waitpid(child, 0)
        os.close(shown)
        if status:
            raise SystemExit(f"Tests could not be recorded, see {output}: {' '.join(files)}")
        for printed in (output, *self._folder.glob(f"{child}-*.txt")):
            printed.unlink()

    def _record(
        self, marking: Marking, workers: int, shown: int, patience: float, session: Any
    ) -> None:
        items: dict[str, list[Any]] = {
            path.relative_to(ROOT).as_posix(): [] for path in session._initialpaths
        }
        for item in session.items:
            items[item.nodeid.split("::")[0]].append(item)
        at_import = marking.taken()
        waiting = deque(
            (file, partial(self._run, file, items[file], marking, at_import), patience)
            for file in sorted(items)
        )
        broken = {}
        for file, status in side_by_side(waiting, workers, self._folder):
            if status == -signal.SIGKILL and patience < FOREVER:
                os.write(shown, f"{file} lasts longer than {patience:g} s\n".encode())
                continue
            if status:
                broken[file] = status
                continue
            failed = json.loads(self._path(file).read_text())["failed"]
            note = f"; without a mutant these fail and are left out: {failed}" if failed else ""
            os.write(shown, f"recorded {file}{note}\n".encode())
        if broken:
            raise RuntimeError(f"Test files that ended early, with their statuses: {broken}")

    def _run(
        self, file: str, items: Sequence[Any], marking: Marking, at_import: dict[str, list[int]]
    ) -> int:
        # The clock of the system, and not of a test that replaces it.
        clock = time.process_time
        seconds, failed = {}, []
        lines = {
            module: {"digest": digest([module]), "tests": {"": found}}
            for module, found in at_import.items()
        }
        for item, after in zip(items, [*items[1:], None], strict=False):
            start, failures = clock(), item.session.testsfailed
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            lasted, found = clock() - start, marking.taken()
            if item.session.testsfailed > failures:
                failed.append(item.nodeid)
                continue
            seconds[item.nodeid] = round(lasted, 4)
            for module, run in found.items():
                if run:
                    lines[module]["tests"][item.nodeid] = run
        record = {"digest": digest([file]), "seconds": seconds, "failed": failed, "lines": lines}
        atomic_write(self._path(file), json.dumps(record))
        return 0
