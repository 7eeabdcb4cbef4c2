"""``python -m tests.mutants [MODULE ...]``: see `tests.mutants` and CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from lsclasses.files import atomic_write
from tests.mutants.running import AT_LEAST, SLACK, baseline, outcomes, tests_of
from tests.mutants.sampling import ROOT, Mutant, guarded_modules, sample

COUNT = 60
"""How many mutants of a module are tried."""
JUDGED = Path(__file__).with_name("judged.toml")
PAGE = ROOT / "docs" / "mutants.md"
KEPT = ROOT / "build" / "mutants"
"""Where what is known is kept, so that a run that was stopped goes on."""
HEAD = "| module | mutants | noticed | equivalent | open | noticed of those not equivalent |"


def judged() -> dict[tuple[str, str, str, str, int], str]:
    """Why survivors are equivalent, by the key of the mutant."""
    with JUDGED.open("rb") as file:
        entries = tomllib.load(file)["survivor"]
    return {
        (e["module"], e["function"], e["before"], e["after"], e.get("repeated", 0)): e["because"]
        for e in entries
    }


@dataclass
class Row:
    """What became of the sample of one module."""

    module: str
    noticed: int
    equivalent: int
    open: int

    def __str__(self) -> str:
        tried = self.noticed + self.equivalent + self.open
        share = self.noticed / max(1, self.noticed + self.open)
        return (
            f"| `{self.module}` | {tried} | {self.noticed} | {self.equivalent} | {self.open} | "
            f"{share:.0%} |"
        )


class Known:
    """What earlier runs found, in a file: kept for as long as the module is as it was.

    A mutant that survived is tried again if its tests have changed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[str, dict[str, object]] = (
            json.loads(path.read_text()) if path.exists() else {}
        )

    def survived(self, mutant: Mutant, tests: Iterable[str]) -> bool | None:
        entry = self._found.get(repr(mutant.key))
        if entry is None or entry["module"] != _digest([mutant.module]):
            return None
        if entry["survived"] and entry["tests"] != _digest(tests):
            return None
        return bool(entry["survived"])

    def learn(self, mutant: Mutant, tests: Iterable[str], survived: bool) -> None:
        self._found[repr(mutant.key)] = {
            "module": _digest([mutant.module]),
            "tests": _digest(tests),
            "survived": survived,
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(self._path, json.dumps(self._found, indent=0))


def _digest(paths: Iterable[str]) -> str:
    texts = b"\0".join((ROOT / path).read_bytes() for path in paths)
    return hashlib.sha256(texts).hexdigest()[:16]


def changed_modules() -> list[str]:
    """The guarded modules, those changed last first; without a history, in order."""
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


def _tried(
    module: str, mutants: list[Mutant], known: Known, workers: int, until: float
) -> dict[Mutant, bool]:
    """Whether each mutant survived; those for which there was no time are left out."""
    tests = tests_of(module)
    found = {m: known.survived(m, tests) for m in mutants}
    left = [m for m, survived in found.items() if survived is None]
    if left:
        alone = baseline(module, KEPT)
        for start in range(0, len(left), step := 4 * workers):
            if time.monotonic() > until:
                break
            jobs = []
            for mutant in left[start : start + step]:
                concerned = alone.concerned(mutant)
                seconds = SLACK * sum(alone.seconds[test] for test in concerned) + AT_LEAST
                jobs.append((mutant, concerned, seconds))
            for number, passed in outcomes(jobs, workers, KEPT):
                mutant = jobs[number][0]
                found[mutant] = passed
                known.learn(mutant, tests, passed)
                print("S" if passed else ".", end="", flush=True)
        print()
    return {m: survived for m, survived in found.items() if survived is not None}


def _write_page(rows: Iterable[Row]) -> None:
    """Put rows into the table of the page in place of those of the same modules."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, table = text.partition(HEAD)
    lines = [line for line in table.splitlines()[2:] if line.startswith("|")]
    known = {line.split("`")[1]: line for line in lines}
    known |= {row.module: str(row) for row in rows}
    guarded = set(guarded_modules())
    body = "\n".join(line for module, line in sorted(known.items()) if module in guarded)
    atomic_write(PAGE, f"{before}{HEAD}\n|---|---|---|---|---|---|\n{body}\n")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="paths; all if none is given")
    parser.add_argument("--count", type=int, default=COUNT, help="mutants of a module")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--changed", action="store_true", help="only modules changed last")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--page", action="store_true", help="write the table of docs/mutants.md")
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    known, excuses = Known(KEPT / "known.json"), judged()
    modules = options.modules or (changed_modules() if options.changed else guarded_modules())
    unknown = [m for m in modules if not (ROOT / m).is_file()]
    if unknown:
        raise SystemExit(f"{unknown[0]} is no file. Name a module as learners/coins.py.")
    until = time.monotonic() + options.seconds
    rows = []
    for module in modules:
        if time.monotonic() > until:
            break
        print(module, flush=True)
        tried = _tried(module, sample(module, options.count), known, options.jobs, until)
        survivors = [m for m, survived in tried.items() if survived]
        unjudged = [m for m in survivors if m.key not in excuses]
        row = Row(
            module,
            len(tried) - len(survivors),
            len(survivors) - len(unjudged),
            len(unjudged),
        )
        rows.append(row)
        print(row)
        for mutant in unjudged:
            print(_entry(mutant))
    if options.page:
        _write_page(rows)
    noticed, left = sum(r.noticed for r in rows), sum(r.open for r in rows)
    print(f"{noticed} noticed, {sum(r.equivalent for r in rows)} equivalent, {left} open")
    if 4 * left > noticed + left:
        sys.exit(
            "More than a quarter of these mutants survived and are not judged: tests are missing."
        )


def _entry(mutant: Mutant) -> str:
    """An open survivor as it would stand in `judged.toml`."""
    fields = ("module", "function", "before", "after")
    lines = [f"{name} = {json.dumps(asdict(mutant)[name])}" for name in fields]
    if mutant.repeated:
        lines.append(f"repeated = {mutant.repeated}")
    return "\n".join(["[[survivor]]", *lines, 'because = ""', ""])


if __name__ == "__main__":
    main()
