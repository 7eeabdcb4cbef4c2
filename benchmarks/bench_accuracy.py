"""Accuracy of private rules on ten real tables, beside their peers, on the same splits.

Each table of `benchmarks.real_tables` is split 20 times, 80 % to learn from, as many of each label
in both parts as in the whole; every learner has the same splits and the same public features. What
learners differ by is measured in pairs, split by split: the standard deviation over splits is .01
to .02 on the smaller tables, that of the difference less.

Private learners get epsilon (delta = 0, or 10^-6 for those that need one); seeds, so that a run can
be repeated, make them simulations. Peers without privacy are measured once. diffprivlib is run in a
folder of its own, with the scikit-learn that it was written for; where it cannot be had, it is left
out, and the output says so. imodels is used if it is installed (extra ``peers``).

``python -m benchmarks accuracy`` prints the tables and draws docs/accuracy-tables.svg. What was
measured is kept in ``build/accuracy``, and measured again only if it is deleted; what the figure
shows of it, in benchmarks/numbers.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import t as student
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from benchmarks.kept import Kept, band, summary, write
from benchmarks.real_tables import DESIGNED_ON, FURTHER, RealTable, flights, name_of, tables
from learners import plots
from learners.tables.columns import FixedColumns
from learners.tables.decision_list_classifier import PrivateDecisionListClassifier
from learners.tables.records import as_records
from learners.tables.rule_lists import PrivateNaiveBayesClassifier, PrivateRuleListClassifier
from learners.tables.winnow_classifier import PrivateWinnowClassifier
from lsclasses import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "accuracy"
PEERS = ROOT / "build" / "peers"
DELTA = 1e-6
SPLITS = 20
EPSILONS = (0.5, 1.0, 4.0)
LARGE = 100_000
"""Tables of more rows are measured at epsilon 1 alone and without diffprivlib, which takes long."""

Make = Callable[[float, int, RealTable], object]


def _columns(table: RealTable) -> list:
    return list(table.columns.values())


PRIVATE: dict[str, Make] = {
    "rules": lambda epsilon, seed, table: PrivateRuleListClassifier(
        epsilon, columns=_columns(table), random_state=seed, allow_weak_privacy=True
    ),
    "best": lambda epsilon, seed, table: PrivateRuleListClassifier(
        epsilon,
        columns=_columns(table),
        score_share="best",
        random_state=seed,
        allow_weak_privacy=True,
    ),
    "naive Bayes": lambda epsilon, seed, table: PrivateNaiveBayesClassifier(
        epsilon, columns=_columns(table), random_state=seed, allow_weak_privacy=True
    ),
    "naive Bayes, delta": lambda epsilon, seed, table: PrivateNaiveBayesClassifier(
        epsilon, DELTA, columns=_columns(table), random_state=seed, allow_weak_privacy=True
    ),
    "covering list, delta": lambda epsilon, seed, table: PrivateDecisionListClassifier(
        epsilon, DELTA, columns=_columns(table), random_state=seed, allow_weak_privacy=True
    ),
    "Winnow, delta": lambda epsilon, seed, table: PrivateWinnowClassifier(
        epsilon, DELTA, columns=_columns(table), random_state=seed, allow_weak_privacy=True
    ),
}
PLAIN: dict[str, Callable[[], object]] = {
    "tree of depth 3": lambda: DecisionTreeClassifier(max_depth=3, random_state=0),
    "tree of depth 5": lambda: DecisionTreeClassifier(max_depth=5, random_state=0),
    "logistic regression": lambda: LogisticRegression(max_iter=500),
}
if importlib.util.find_spec("imodels") and importlib.util.find_spec("six"):
    from imodels import GreedyRuleListClassifier

    PLAIN["greedy list (imodels)"] = lambda: GreedyRuleListClassifier(max_depth=5)
DIFFPRIVLIB = ("diffprivlib logistic regression", "diffprivlib tree", "diffprivlib forest")


def splits(table: RealTable, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rows to learn from and those kept for testing."""
    shuffled = StratifiedShuffleSplit(count, test_size=0.2, random_state=2026)
    return list(shuffled.split(table.entries, table.labels))


def features(table: RealTable) -> np.ndarray:
    """The public features of all rows, as numbers."""
    names = list(table.columns)
    fixed = FixedColumns(tuple(names), tuple(_columns(table)))
    found = fixed.matrix(as_records(table.entries, names))
    return np.asarray(found, dtype=np.float32)


class Runs:
    """Accuracies that were measured, in a file for each table and learner."""

    def __init__(self, table: RealTable, count: int) -> None:
        self._folder = KEPT / table.name
        self._count = count
        self._folder.mkdir(parents=True, exist_ok=True)

    def accuracies(
        self, learner: str, epsilon: float | None, measure: Callable[[], list[float]]
    ) -> np.ndarray:
        """Those of one learner, one for each split."""
        name = learner.replace(" ", "-").replace(",", "")
        path = self._folder / f"{name}{'' if epsilon is None else f'-{epsilon:g}'}.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        if len(known.get("accuracies", ())) != self._count:
            before = time.process_time()
            found = measure()
            seconds = (time.process_time() - before) / self._count
            known = {"accuracies": found, "seconds": seconds}
            path.write_text(json.dumps(known))
            print(f"  {path.stem}: {np.mean(found):.3f}, {seconds:.2f} s a run", flush=True)
        return np.array(known["accuracies"])


Found = dict[tuple[str, float | None], np.ndarray]


def measured(table: RealTable, count: int, epsilons: Sequence[float]) -> Found:
    """The accuracies of all learners on one table; None stands for no privacy."""
    rows, kept = splits(table, count), Runs(table, count)
    X, y, names = table.entries, table.labels, list(table.columns)
    found: Found = {}

    def private(make: Make, epsilon: float) -> list[float]:
        scores = []
        for seed, (train, test) in enumerate(rows):
            model = make(epsilon, seed, table)
            model.fit(as_records(X[train], names), y[train])  # type: ignore[attr-defined]
            guess = model.predict(as_records(X[test], names))  # type: ignore[attr-defined]
            scores.append(float(np.mean(guess == y[test])))
        return scores

    for learner, make in PRIVATE.items():
        for epsilon in epsilons:
            found[learner, epsilon] = kept.accuracies(
                learner, epsilon, lambda make=make, epsilon=epsilon: private(make, epsilon)
            )
    matrix = features(table)

    def plain(make: Callable[[], object]) -> list[float]:
        return [
            float(make().fit(matrix[train], y[train]).score(matrix[test], y[test]))  # type: ignore[attr-defined]
            for train, test in rows
        ]

    for learner, make_plain in PLAIN.items():
        found[learner, None] = kept.accuracies(learner, None, lambda make=make_plain: plain(make))
    if (PEERS / "diffprivlib").exists() and len(y) <= LARGE:
        for learner in DIFFPRIVLIB:
            for epsilon in epsilons:
                found[learner, epsilon] = kept.accuracies(
                    learner,
                    epsilon,
                    lambda learner=learner, epsilon=epsilon: _diffprivlib(
                        learner, epsilon, matrix, y, rows
                    ),
                )
    majority = [float(np.mean(y[test] == (y[train].mean() > 0.5))) for train, test in rows]
    found["majority", None] = np.array(majority)
    return found


def install_diffprivlib() -> None:
    """Put diffprivlib and a scikit-learn that it imports beside into a folder of their own."""
    if (PEERS / "diffprivlib").exists():
        return
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PEERS)]
    done = subprocess.run(
        [*command, "diffprivlib==0.6.6", "scikit-learn<1.6", "scipy<1.16", "numpy<2.3"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"diffprivlib is left out: {last}")


def _diffprivlib(
    learner: str,
    epsilon: float,
    matrix: np.ndarray,
    y: np.ndarray,
    rows: Sequence[tuple[np.ndarray, np.ndarray]],
) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "given.npz"
        parts = {
            f"{part}{i}": split[j]
            for i, split in enumerate(rows)
            for j, part in ((0, "train"), (1, "test"))
        }
        np.savez(given, matrix=matrix, y=y, splits=len(rows), **parts)
        script = str(Path(__file__).with_name("diffprivlib_peer.py"))
        done = subprocess.run(
            [sys.executable, script, str(given), learner, str(epsilon)],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": str(PEERS), "OMP_NUM_THREADS": "1"},
        )
    return [float(value) for value in done.stdout.split()]


def on(table: RealTable) -> Found:
    """The accuracies at all epsilons that this table is measured at."""
    print(f"{table.name}: {len(table.labels)} rows", flush=True)
    return measured(table, SPLITS, EPSILONS if len(table.labels) <= LARGE else (1.0,))


def interval(differences: np.ndarray) -> tuple[float, float]:
    """The mean of paired differences, and half the width of its 95 % interval (Student's t).

    Splits overlap, so it is a description of these splits rather than a test.
    """
    n = len(differences)
    width = student.ppf(0.975, n - 1) * differences.std(ddof=1) / np.sqrt(n)
    return float(differences.mean()), float(width)


def print_table(results: dict[str, Found], epsilons: Sequence[float]) -> None:
    """Mean accuracies, a row for each learner."""
    names = list(results)
    print("| mean accuracy | " + " | ".join(names) + " |\n|---" + "|---" * len(names) + "|")
    learners = dict.fromkeys(learner for found in results.values() for learner, _ in found)
    for learner in learners:
        cells = []
        for found in results.values():
            at = [found[learner, e] for e in (None, *epsilons) if (learner, e) in found]
            cells.append("/".join(f"{a.mean():.3f}"[1:] for a in at) or "-")
        print(f"| {learner} | " + " | ".join(cells) + " |")


def print_differences(
    results: dict[str, Found], ours: str, epsilon: float, others: Sequence[str]
) -> None:
    """By how much one of our learners is more accurate than others, in pairs."""
    present = [
        o for o in others if any((o, e) in f for f in results.values() for e in (None, epsilon))
    ]
    print(f"\n{ours} at epsilon {epsilon:g}: more accurate by (pairs, 95 % interval)\n")
    print("| table | " + " | ".join(present) + " |\n|---" + "|---" * len(present) + "|")
    for name, found in results.items():
        cells = []
        for other in present:
            key = (other, None) if (other, None) in found else (other, epsilon)
            if key not in found or (ours, epsilon) not in found:
                cells.append("-")
                continue
            mean, width = interval(found[ours, epsilon] - found[key])
            cells.append(f"{mean:+.3f} ± {width:.3f}")
        print(f"| {name} | " + " | ".join(cells) + " |")


SHOWN = [load for load in (*DESIGNED_ON, *FURTHER) if load is not flights]
"""Tables of the figure: all on which several epsilons are measured."""
# Where both are the same, rules are seen on top of best.
BANDS = ("best", "rules", "naive Bayes", "covering list, delta")
LINES = {"tree of depth 3": "--", "majority": ":"}


def seen(found: Found) -> dict[str, Any]:
    """What the figure shows of a table: bands and means."""
    bands = {
        name: summary(np.stack([found[name, epsilon] for epsilon in EPSILONS], axis=1))
        for name in BANDS
    }
    return {**bands, **{name: round(float(found[name, None].mean()), 6) for name in LINES}}


def on_tables() -> Figure:
    """Accuracy against epsilon, a panel for each table, with bands over the splits."""
    kept = Kept("accuracy-tables")
    drawn, (*panels, free) = figures.figure(10, 10.5, rows=5)
    for ax, load in zip(panels, SHOWN, strict=True):
        name = name_of(load)
        found = kept.get(name, measured=lambda load=load: seen(on(load())))  # type: ignore[misc]
        for learner in BANDS:
            band(ax, EPSILONS, found[learner], learner, **plots.learner_style(learner))
        for learner, style in LINES.items():
            ax.axhline(found[learner], linestyle=style, color=figures.REFERENCE, label=learner)
        ax.set_xscale("log", base=2)
        ax.set_xticks(EPSILONS, [f"{e:g}" for e in EPSILONS])
        ax.set_title(name, fontsize="medium")
    for ax in panels[-2:]:
        ax.set_xlabel("epsilon")
    drawn.supylabel("accuracy on test rows", fontsize="medium")
    figures.common_legend(drawn, panels, panel=free)
    drawn.suptitle(
        "Accuracy against epsilon (delta = 10^-6 for the covering\n"
        f"list, else 0), median of {SPLITS} splits",
        fontsize="medium",
    )
    return drawn


FIGURES = {"accuracy-tables": on_tables}


def main() -> None:
    """Measure what is not kept, print the tables, draw the figure."""
    install_diffprivlib()
    results = {table.name: on(table) for table in tables()}
    print(f"\nMeans of {SPLITS} splits; private learners at epsilon {EPSILONS}.\n")
    print_table(results, EPSILONS)
    private = ("naive Bayes", "naive Bayes, delta", "covering list, delta", "Winnow, delta")
    for epsilon in EPSILONS:
        print_differences(results, "rules", epsilon, (*private, *DIFFPRIVLIB))
        print_differences(results, "rules", epsilon, ("majority", *PLAIN))
        print_differences(results, "best", epsilon, ("rules", *PLAIN))
    write(FIGURES)


if __name__ == "__main__":
    main()
