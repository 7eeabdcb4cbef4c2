"""``python -m tests.mutants [MODULE ...]``: see `tests.mutants` and CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lsclasses.files.writing import atomic_write
from tests.mutants.forks import load_libraries
from tests.mutants.recording import ENOUGH, FOREVER, IMPORTERS, Baseline, Records, digest
from tests.mutants.running import Job, cold, warm
from tests.mutants.sampling import ROOT, Mutant, guarded_modules, sample

COUNT = 60
"""Number of mutants of a module that are tried."""
ALL = 1 << 20
"""A number above the number of mutants of every module."""
JUDGED = Path(__file__).with_name("judged")
"""Folder with a file for each module with classified survivors, at the path of the module."""
PAGE = ROOT / "docs" / "mutants.md"
KEPT = ROOT / "build" / "mutants"
"""Folder of the results, from which a stopped run resumes."""
HEAD = (
    "| module | mutants in the sample | killed | equivalent | open "
    "| killed, as a share of the mutants that are not equivalent | date of the last trial |"
)


def judged() -> dict[tuple[str, str, str, str, int], str]:
    """Return the reasons why survivors are equivalent, by the key of the mutant."""
    reasons = {}
    for path in sorted(JUDGED.rglob("*.toml")):
        module = path.relative_to(JUDGED).with_suffix(".py").as_posix()
        for e in tomllib.loads(path.read_text(encoding="utf-8"))["survivor"]:
            key = module, e["function"], e["before"], e["after"], e.get("repeated", 0)
            reasons[key] = e["because"]
    return reasons


@dataclass
class Tally:
    """Results for the sample of one module."""

    module: str
    noticed: int
    equivalent: int
    open: int

    @property
    def tried(self) -> int:
        """Number of mutants in the sample."""
        return self.noticed + self.equivalent + self.open

    def __str__(self) -> str:
        share = self.noticed / max(1, self.noticed + self.open)
        return (
            f"| `{self.module}` | {self.tried} | {self.noticed} | {self.equivalent} "
            f"| {self.open} | {share:.0%} |"
        )


class Known:
    """Results of earlier runs for a module, in a file, which are valid until the module changes.

    Several processes may add results.
    """

    def __init__(self, folder: Path, module: str, tests: Sequence[str]) -> None:
        self._path = folder / "known" / (module.replace("/", "--") + ".json")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._module = digest([module])
        self._tests = digest(tests)

    def _found(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = (
            json.loads(self._path.read_text()) if self._path.exists() else {}
        )
        return found

    def survived(self, mutants: Iterable[Mutant]) -> dict[Mutant, bool]:
        """Return whether each mutant that was tried on this version of the module survived."""
        entries = self._found()
        found = {mutant: entries.get(repr(mutant.key)) for mutant in mutants}
        return {m: e["survived"] for m, e in found.items() if e and e["module"] == self._module}

    def doubtful(self, mutants: Iterable[Mutant], enough: float) -> list[Mutant]:
        """Return the mutants for which another run may change the result.

        They were not tried, or survived other tests than the current ones, or shorter tests.
        """
        entries, survived = self._found(), self.survived(mutants)

        def settled(mutant: Mutant) -> bool:
            if not survived.get(mutant, True):
                return True
            entry = entries.get(repr(mutant.key), {})
            same = (entry.get("module"), entry.get("tests")) == (self._module, self._tests)
            return same and bool(entry["enough"] >= enough)

        return [mutant for mutant in mutants if not settled(mutant)]

    def learn(self, mutant: Mutant, survived: bool, enough: float) -> None:
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            entry = {
                "module": self._module,
                "tests": self._tests,
                "enough": enough,
                "survived": survived,
            }
            found = self._found() | {repr(mutant.key): entry}
            atomic_write(self._path, json.dumps(found, indent=0))


def changed_modules() -> list[str]:
    """Return the guarded modules, latest changes first, or in order without a history."""
    log = subprocess.run(
        ["git", "log", "-n", "40", "--format=", "--name-only"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    guarded = guarded_modules()
    latest = dict.fromkeys(line for line in log.stdout.splitlines() if line in guarded)
    return list(latest) or guarded


def _baseline(module: str, records: Records, jobs: int, patience: float) -> Baseline | None:
    """Return the baseline of a module, and record it if necessary.

    The result is None if its tests take too long to record, or if no test runs any of its code.
    """
    if stale := records.stale([module]):
        records.make(stale, jobs, patience)
        if records.stale([module]):
            return None
    alone = records.baseline(module)
    if not set().union(*alone.lines.values()) - {""}:
        print("none of these tests runs the module")
        return None
    return alone


def _try(
    left: Sequence[Mutant],
    alone: Baseline,
    files: Sequence[str],
    learn: Callable[[Mutant, bool], None],
    options: argparse.Namespace,
) -> None:
    """Run the tests in some files on the remaining mutants of a module, and report the results."""
    load_libraries()
    at_import, others = [], []
    for mutant in left:
        tests = alone.concerned(mutant, options.enough)
        job = Job(mutant, tuple(tests), tuple(alone.seconds[test] for test in tests))
        (at_import if alone.at_import(mutant) else others).append(job)
    started = time.monotonic()

    def tell(mutant: Mutant, survived: bool) -> None:
        learn(mutant, survived)
        print("S" if survived else ".", end="", flush=True)

    with TemporaryDirectory() as folder:
        for mutant, survived in warm(others, files, options.jobs, Path(folder)):
            if survived is None:
                at_import += [job for job in others if job.mutant == mutant]
            else:
                tell(mutant, survived)
        print("|", end="", flush=True)
        for mutant, survived in cold(at_import, options.jobs, Path(folder)):
            # Tests that never import the module cannot kill a mutant that changes its import.
            tell(mutant, survived is not False)
    print(f" {time.monotonic() - started:.0f} s")


def _survived(
    module: str, mutants: Sequence[Mutant], records: Records, options: argparse.Namespace
) -> dict[Mutant, bool] | None:
    """Try mutants, and return whether each mutant with a known result survives.

    The result is None if the tests of the module take too long, or run none of its code.
    """
    known = Known(options.kept, module, records.files(module))
    left = known.doubtful(mutants, options.enough)
    if left and not options.only_known:
        alone = _baseline(module, records, options.jobs, options.patience)
        if alone is None:
            return None
        learn = partial(known.learn, enough=options.enough)
        _try(left, alone, records.files(module), learn, options)
    return known.survived(mutants)


def _row(module: str, found: Mapping[Mutant, bool], excuses: Container[object]) -> Tally:
    survivors = [mutant for mutant, survived in found.items() if survived]
    excused = sum(mutant.key in excuses for mutant in survivors)
    return Tally(module, len(found) - len(survivors), excused, len(survivors) - excused)


def _write_page(rows: Iterable[Tally]) -> None:
    """Replace the rows of some modules in the table of the page.

    A row about more mutants stays. Its last column then contains the date and the result of the
    smaller sample.
    """
    text = PAGE.read_text(encoding="utf-8")
    before, _, table = text.partition(HEAD)
    lines = [line for line in table.splitlines()[2:] if line.startswith("|")]
    known = {line.split("`")[1]: line for line in lines}
    today = date.today().isoformat()
    for row in rows:
        figures, tried = str(row), today
        if (old := known.get(row.module)) and row.tried < int(old.split("|")[2]):
            figures = old.removesuffix("|").rpartition("|")[0] + "|"
            tried = f"{today}, the first {row.tried}" + f": {row.open} open" * (row.open > 0)
        known[row.module] = f"{figures} {tried} |"
    guarded = set(guarded_modules())
    body = "\n".join(line for module, line in sorted(known.items()) if module in guarded)
    atomic_write(PAGE, f"{before}{HEAD}\n|---|---|---|---|---|---|---|\n{body}\n")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="module paths, default all")
    parser.add_argument("--count", type=int, default=COUNT, help="number of mutants per module")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--changed", action="store_true", help="only recently changed modules")
    parser.add_argument("--own", action="store_true", help="only tests of the module itself")
    parser.add_argument(
        "--patience",
        type=float,
        default=FOREVER,
        help="leave out modules with a test file that takes longer to record, in seconds",
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time limit in seconds")
    parser.add_argument("--page", action="store_true", help="write the table of docs/mutants.md")
    parser.add_argument("--kept", type=Path, default=KEPT, help="folder of the results")
    parser.add_argument(
        "--enough", type=float, default=ENOUGH, help="seconds of tests for a mutant"
    )
    parser.add_argument("--only-known", action="store_true", help="use known results only")
    parser.add_argument("--record", action="store_true", help="only record the tests")
    parser.add_argument(
        "--judged",
        action="store_true",
        help="try mutants that are classified as equivalent, and fail if a test kills one",
    )
    options = parser.parse_args()
    modules = options.modules or (changed_modules() if options.changed else guarded_modules())
    unknown = [m for m in modules if not (ROOT / m).is_file()]
    if unknown:
        raise SystemExit(
            f"{unknown[0]} is not a file. Name a module as a path, such as learners/coins/words.py."
        )
    recorded = sorted({*guarded_modules(), *modules})
    importers = 0 if options.own else IMPORTERS
    records, excuses = Records(options.kept.resolve(), recorded, importers), judged()
    if options.record:
        records.make(records.stale(modules), options.jobs)
        return
    until = time.monotonic() + options.seconds
    rows, complete, refuted = [], [], []
    known, asked = 0, 0
    for module in modules:
        if time.monotonic() > until:
            break
        mutants = sample(module, ALL if options.judged else options.count)
        excused = [mutant for mutant in mutants if mutant.key in excuses]
        # Mutants that are classified as equivalent need no tests, unless --judged tries them.
        tried = excused if options.judged else [m for m in mutants if m not in excused]
        print(module, flush=True)
        survived = _survived(module, tried, records, options)
        if survived is None:
            continue
        if options.judged:
            known, asked = known + len(survived), asked + len(tried)
            refuted += [mutant for mutant, survives in survived.items() if not survives]
            continue
        found = survived | dict.fromkeys(excused, True)
        rows.append(_row(module, found, excuses))
        if len(found) == len(mutants):
            complete.append(rows[-1])
        print(rows[-1])
        for mutant, is_open in survived.items():
            if is_open:
                print(_entry(mutant))
    if options.judged:
        for mutant in refuted:
            print(mutant.module, _entry(mutant), sep="\n")
        print(f"{known} of {asked} classified mutants were tried")
        sys.exit(f"A test kills {len(refuted)} mutants classified as equivalent." if refuted else 0)
    if options.page:
        _write_page(complete)
    noticed, left_open = sum(r.noticed for r in rows), sum(r.open for r in rows)
    print(f"{noticed} killed, {sum(r.equivalent for r in rows)} equivalent, {left_open} open")
    # Tests of other modules may also kill mutants.
    most, many = (2, "half") if options.own else (4, "a quarter")
    if most * left_open > noticed + left_open:
        sys.exit(
            f"More than {many} of these mutants survived and are not classified. Tests are missing."
        )


def _entry(mutant: Mutant) -> str:
    """Return the entry of an open survivor for the file of its module in `judged`."""
    fields = ("function", "before", "after")
    lines = [f"{name} = {json.dumps(asdict(mutant)[name])}" for name in fields]
    if mutant.repeated:
        lines.append(f"repeated = {mutant.repeated}")
    return "\n".join(["[[survivor]]", *lines, 'because = ""', ""])


if __name__ == "__main__":
    main()
