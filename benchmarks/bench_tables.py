"""Reading tables and predicting their rows: time and memory beside a plain way in the same run.

Times are processor time of one thread. Memory is what a process of its own needed at most,
beyond what it held before. `python -m benchmarks tables`.
"""

from __future__ import annotations

import csv
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from learners.rules import PackedFeatures
from learners.tables import (
    PrivateDecisionListClassifier,
    PrivateRuleListClassifier,
    PrivateWinnowClassifier,
    load_records,
)

ROWS = 10**6


def write_people(path: Path) -> None:
    rng = np.random.default_rng(1)
    jobs = rng.choice(["cook", "nurse", "pilot", "teacher", "miner"], ROWS).tolist()
    towns = rng.choice(["Paris", "London", "Oslo", "Rome", "Lima"], ROWS).tolist()
    ages, incomes = rng.integers(18, 98, ROWS).tolist(), rng.integers(10**5, size=ROWS).tolist()
    scores, heights, weights = rng.random((3, ROWS)).tolist()
    flags = rng.integers(2, size=(2, ROWS)).tolist()
    with path.open("w") as file:
        file.write("id,age,income,job,town,score,smoker,height,weight,risk\n")
        for i in range(ROWS):
            file.write(
                f"{i},{ages[i]},{incomes[i]},{jobs[i]},{towns[i]},{scores[i]:.9f},{flags[0][i]},"
                f"{140 + 60 * heights[i]:.6f},{40 + 60 * weights[i]:.5f},{flags[1][i]}\n"
            )


def with_the_module_csv(path: Path) -> object:
    """A list of texts for each row, turned into one array of objects: the plain way."""
    with path.open(newline="") as file:
        return np.array(list(csv.reader(file)), dtype=object)


def with_pandas(path: Path) -> object:
    """All columns by pandas, which turns each into the numbers or texts that it holds."""
    import pandas

    return pandas.read_csv(path)


def measured(job: Callable[[Path], object], path: Path) -> tuple[float, float]:
    """Seconds and megabytes of a job, in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_measured, (job, path))


def _measured(job: Callable[[Path], object], path: Path) -> tuple[float, float]:
    held = _most()
    before = time.process_time()
    made = job(path)
    spent = time.process_time() - before
    del made
    return spent, _most() - held


def _most() -> float:
    """The most memory that this process held so far, in MB; not what its parent held."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1000


def reading() -> None:
    print("| reading a CSV file | seconds | ratio | peak memory | ratio |\n|" + "---|" * 5)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        write_people(path)
        size = path.stat().st_size / 1e6
        base = measured(with_the_module_csv, path)
        for name, job in (("the module csv, objects", None), ("load_records", load_records)):
            spent, peak = base if job is None else measured(job, path)
            print(
                f"| {ROWS} rows, {size:.0f} MB: {name} | {spent:.2f} | {base[0] / spent:.1f} "
                f"| {peak:.0f} MB | {base[1] / peak:.1f} |"
            )


def write_wide(path: Path) -> None:
    """A million rows of 50 columns: 30 of numbers below 1000, 10 flags, 10 of categories."""
    rng = np.random.default_rng(1)
    names = [*(f"n{j}" for j in range(30)), *(f"f{j}" for j in range(10)), *"abcdefghij"]
    with path.open("w") as file:
        file.write(",".join(names) + "\n")
        for _ in range(0, ROWS, 10**5):
            parts = (
                rng.integers(0, 1000, (10**5, 30)).astype(str),
                rng.integers(0, 2, (10**5, 10)).astype(str),
                rng.choice(["cook", "nurse", "pilot", "teacher"], (10**5, 10)),
            )
            file.writelines(",".join(row) + "\n" for row in np.hstack(parts).tolist())


def wide() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.csv"
        write_wide(path)
        base, most = measured(with_pandas, path)
        spent, peak = measured(load_records, path)
        print(
            f"\nload_records, {ROWS} rows of 50 columns: {spent:.2f} s, {peak:.0f} MB; "
            f"pandas.read_csv {base:.2f} s, {most:.0f} MB (ratio {spent / base:.2f})"
        )


def learning() -> None:
    """Rules from 10^5 rows, with threads and with one, beside a greedy tree."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, 100, (10**5, 10)), rng.random((10**5, 4)) < 0.3])
    y = ((X[:, 0] >= 50) & (X[:, 10] == 1)) | (X[:, 1] >= 80)
    y = y ^ (rng.random(10**5) < 0.1)
    columns = [*([[20, 40, 60, 80]] * 10), *(["flag"] * 4)]
    rules = PrivateRuleListClassifier(columns=columns, score_share="best", random_state=1)
    free = best(lambda: rules.fit(X, y), 2)
    with threadpool_limits(1):
        one = best(lambda: rules.fit(X, y), 2)
    greedy = best(lambda: DecisionTreeClassifier(max_depth=3).fit(X, y), 2)
    print(
        f"\nbest of 10^5 rows: {free:.2f} s of the processor, {one:.2f} s with one thread "
        f"(ratio {free / one:.2f}); a tree without privacy {greedy:.2f} s"
    )


WIDE_ROWS = 300_000


def write_wide_rows(path: Path) -> None:
    """300,000 rows of 50 columns: 30 of numbers, 10 flags, 9 of categories, and the target."""
    rng = np.random.default_rng(1)
    numbers, flags = rng.integers(0, 1000, (WIDE_ROWS, 30)), rng.integers(0, 2, (WIDE_ROWS, 10))
    jobs = rng.choice(["cook", "nurse", "pilot", "teacher"], (WIDE_ROWS, 9))
    risk = ((numbers[:, 0] >= 500) & (flags[:, 1] == 1)) | (numbers[:, 1] >= 800)
    risk ^= rng.random(WIDE_ROWS) < 0.1
    names = [*(f"n{j}" for j in range(30)), *(f"f{j}" for j in range(10)), *"abcdefghi", "risk"]
    with path.open("w") as file:
        file.write(",".join(names) + "\n")
        for start in range(0, WIDE_ROWS, 10**5):
            place = slice(start, start + 10**5)
            labels = np.where(risk[place], "high", "low")[:, None]
            parts = numbers[place].astype(str), flags[place].astype(str), jobs[place], labels
            file.writelines(",".join(row) + "\n" for row in np.hstack(parts).tolist())


PANDAS_TREE = """
import sys
import pandas
from sklearn.tree import DecisionTreeClassifier
rows = pandas.read_csv(sys.argv[1])
features = pandas.get_dummies(rows.drop(columns="risk"))
DecisionTreeClassifier(max_depth=3).fit(features, rows["risk"])
"""


def learning_wide() -> None:
    """The command `learn best` beside pandas and a greedy tree, each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.csv"
        write_wide_rows(path)
        cuts = [f"n{j}=0..1000/9" for j in range(30)]
        cuts += [f"{name}=cook,nurse,pilot,teacher" for name in "abcdefghi"]
        ours = [sys.executable, "-m", "lsclasses", "learn", "best", str(path), "--seed", "1"]
        ours += ["--target", "risk", "--positive", "high", "--epsilon", "1"]
        ours += [word for each in cuts for word in ("--cuts", each)]
        base = _of_a_process([sys.executable, "-c", PANDAS_TREE, str(path)])
        spent = _of_a_process(ours)
    print(
        f"\nlearn best, {WIDE_ROWS} rows of 50 columns: {spent:.1f} s of the processor; pandas and "
        f"a tree of depth 3 without privacy {base:.1f} s (ratio {spent / base:.1f})"
    )


def best(job: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        before = time.process_time()
        job()
        found.append(time.process_time() - before)
    return min(found)


BARE = """
from pathlib import Path
from typing import Annotated
import numpy, typer
app = typer.Typer()
@app.command()
def predict(model: Path, data: Path, proba: Annotated[bool, typer.Option()] = False) -> None:
    print(model, data)
app()
"""


def commands() -> None:
    """One row predicted by the command, beside a command that imports NumPy and does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.csv"
        rows.write_text("age,risk\n" + "30,low\n70,high\n" * 500)
        model, one = str(Path(folder) / "model.json"), Path(folder) / "one.csv"
        one.write_text("age\n70\n")
        ours = [sys.executable, "-m", "lsclasses"]
        learn = ["learn", "rules", "rows.csv", "--target", "risk", "--positive", "high"]
        learn += ["--cuts", "age=50", "--seed", "1"]
        subprocess.run(
            [*ours, *learn, "--save", model], cwd=folder, check=True, capture_output=True
        )
        spent = {
            name: min(_of_a_process([*words, model, str(one)]) for _ in range(9))
            for name, words in (
                ("predict", [*ours, "predict"]),
                ("bare", [sys.executable, "-c", BARE]),
            )
        }
    print(
        f"\nlsclasses predict of one row: {spent['predict']:.2f} s; a command that does nothing "
        f"{spent['bare']:.2f} s (ratio {spent['predict'] / spent['bare']:.2f})"
    )


def _of_a_process(words: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def packing() -> None:
    print("\n| 1000000 x 250 truth values | seconds | ratio to Fortran order |\n|" + "---|" * 3)
    rng = np.random.default_rng(1)
    rows = np.empty((ROWS, 250), dtype=bool)
    for start in range(0, ROWS, 10**5):
        rows[start : start + 10**5] = rng.random((10**5, 250), dtype=np.float32) < 0.5
    labels = rows[:, 3] | (rows[:, 7] & rows[:, 1])
    columns = np.asfortranarray(rows)
    learner = PrivateDecisionListClassifier(epsilon=0.1, columns="flag", random_state=1)
    for name, job in (
        ("packed", PackedFeatures.from_matrix),
        ("private list fitted", lambda matrix: learner.fit(matrix, labels)),
    ):
        baseline = best(lambda job=job: job(columns), 2)
        for order, matrix in (("Fortran", columns), ("C", rows)):
            spent = baseline if matrix is columns else best(lambda job=job: job(rows), 2)
            print(f"| {name}, {order} order | {spent:.2f} | {spent / baseline:.2f} |")


def single_rows() -> None:
    print("\n| one row of 500 columns | ms | rows/s | ratio to 1000 rows at once |\n|" + "---|" * 4)
    rng = np.random.default_rng(1)
    X = rng.random((20_000, 500)) < 0.5
    y = X[:, 3] | X[:, 7]
    for learner in (
        PrivateDecisionListClassifier(columns="flag", random_state=1),
        PrivateWinnowClassifier(columns="flag", random_state=1),
    ):
        name = type(learner).__name__
        learner.fit(X, y)
        one = best(lambda learner=learner: learner.predict(X[:1]), 50)
        many = best(lambda learner=learner: learner.predict(X[:1000]), 10) / 1000
        print(f"| predict, {name} | {1e3 * one:.2f} | {1 / one:.0f} | {one / many:.0f} |")
    stream = PrivateWinnowClassifier(columns="flag", rows=len(X), random_state=1)
    stream.partial_fit(X[:10], y[:10], classes=[False, True])

    def row_by_row() -> None:
        for i in range(10, 1010):
            stream.partial_fit(X[i : i + 1], y[i : i + 1])

    one = best(row_by_row, 2) / 1000
    many = best(lambda: stream.partial_fit(X[1000:2000], y[1000:2000]), 5) / 1000
    print(f"| partial_fit | {1e3 * one:.2f} | {1 / one:.0f} | {one / many:.0f} |")


def main() -> None:
    warnings.simplefilter("ignore")
    reading()
    wide()
    learning()
    learning_wide()
    commands()
    packing()
    single_rows()
