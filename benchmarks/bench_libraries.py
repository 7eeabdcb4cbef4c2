"""Libraries that could replace code of this project, next to that code in the same run.

Libraries that are not installed are skipped. Times are medians of processor time, and the two sides
take turns. ``python -m benchmarks libraries`` measures the table of docs/architecture.md.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from timeit import timeit
from typing import Any

import numpy as np

from benchmarks.own_process import in_own_process

STARTS = {
    "rich.table": "lsclasses.commands.tables",
    "filelock": "learners.locked_files",
    "cattrs": "learners.codec",
    "pydantic.type_adapter": "learners.codec",
    "pyarrow.csv": "lsclasses.csv_columns",
}
"""Each library with the module that it could replace."""
START = "import sys, time, {}; print(1000 * time.process_time(), len(sys.modules))"
NAMES = list("abcdefghij")


def compare(what: str, units: Sequence[str], runs: Sequence[Sequence[Sequence[float]]]) -> None:
    """Print the medians of runs. A run has the numbers of the present code and of a library."""
    for j, unit in enumerate(units):
        now, then = (statistics.median(run[side][j] for run in runs) for side in (0, 1))
        print(f"| {what} | {now:.3g} {unit} | {then:.3g} {unit} | {then / now:.2f} |", flush=True)


def race(what: str, *jobs: Callable[[], object]) -> None:
    clock = partial(timeit, timer=time.process_time, number=1)
    compare(what, ["ms"], [[[1000 * clock(job)] for job in jobs] for _ in range(7)])


def started(modules: str) -> list[float]:
    """Milliseconds and modules of a Python process that imports some modules."""
    command = [sys.executable, "-c", START.format(modules)]
    return list(map(float, subprocess.check_output(command).split()))


def tables() -> None:
    from rich.console import Console
    from rich.table import Table

    from lsclasses.commands.tables import Grid

    heads = "learner", "privacy", "mistakes", "2nd half", "bound", "rounds needed", "seconds"
    cells = "follow-the-leader", "(0.9997, 1e-06)-DP", "92.3", "7.67", "104, mean", "> 1e+09", "0.2"
    both: list[Any] = [Grid(*heads, optional=["seconds", "2nd half"]), Table(*heads)]
    for side in 200 * both:
        side.add_row(*cells)
    draw = [partial(Console(width=80).render_lines, side) for side in both]
    race("table of 200 rows, 80 columns", *draw)
    compare("this table", ["lines"], [[[len(job())] for job in draw]])


def locks() -> None:
    from learners.locked_files import locked

    def thousand(lock: Callable[[], Any]) -> None:
        for _ in range(1000):
            with lock():
                pass

    with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryDirectory() as folder:
        made = partial(import_module("filelock").FileLock, f"{folder}/lock")
        present = partial(locked, Path(file.name), "a budget")
        race("1000 locks", partial(thousand, present), partial(thousand, made))


def documents(library: str) -> None:
    from learners.budget_files import CODEC, BudgetState, Charge

    charges = (Charge("2026-01-01T00:00:00+00:00", "rules", Fraction(1, 3), Fraction(0)),) * 1000
    state = BudgetState(Fraction(999), Fraction(0), "replace_one", "row", "fixed", None, charges)
    data = {each.name: json.loads(state.to_json())[each.name] for each in fields(state)}
    if library == "cattrs":
        converter = import_module(library).Converter(forbid_extra_keys=True)
        converter.register_structure_hook(Fraction, lambda value, _: Fraction(value))
        read = partial(converter.structure, data, BudgetState)
    else:
        read = partial(import_module(library).TypeAdapter(BudgetState).validate_python, data)
    present = partial(CODEC.read, BudgetState, data)
    assert read() == present() == state
    race("budget of 1000 charges", present, read)


def read_rows(path: Path, side: str) -> tuple[float, float]:
    """Seconds and megabytes of reading a CSV file as strings."""
    from lsclasses.csv_columns import as_texts, csv_columns

    csv, text = import_module("pyarrow.csv"), import_module("pyarrow").string()
    before, start = time.process_time(), most_memory()
    if side == "present":
        kept: Any = [as_texts(column) for column in csv_columns(path).columns]
    else:
        types = csv.ConvertOptions(column_types=dict.fromkeys(NAMES, text))
        kept = csv.read_csv(path, csv.ReadOptions(use_threads=False), convert_options=types)
        if side == "NumPy":
            kept = [column.to_numpy().astype(np.dtypes.StringDType()) for column in kept.columns]
    return time.process_time() - before, most_memory() - start


def most_memory() -> float:
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1000


def rows() -> None:
    numbers = np.random.default_rng(1).integers(0, 10**9, (10**6, 10)).astype(str).tolist()
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_text("\n".join(map(",".join, [NAMES, *numbers])))
        run = partial(in_own_process, read_rows, Path(file.name))
        for side in ("NumPy", "Arrow"):
            found = [(run("present"), run(side)) for _ in range(3)]
            compare(f"10^6 x 10 strings of {side}", ("s", "MB"), found)


def main() -> None:
    print("| measured | present code | library | ratio |\n|---|---|---|---|")
    jobs = tables, locks, partial(documents, "cattrs"), partial(documents, "pydantic"), rows
    for (library, present), job in zip(STARTS.items(), jobs, strict=True):
        if find_spec(library.partition(".")[0]) is None:
            print(f"| {library} is not installed | | | |")
            continue
        found = [(started(present), started(f"{present}, {library}")) for _ in range(7)]
        compare(f"start with {library}", ("ms", "modules"), found)
        job()


if __name__ == "__main__":
    main()
