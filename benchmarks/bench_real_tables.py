"""Private learners of others beside ours, on real tables, in one command.

``python -m benchmarks real_tables --peers`` puts each peer into an environment of its own in
``build/peers``, where pip can; a peer that does not install or run is left out, with the reason.
Beside every learner stands what was declared, the delta, and the relation of neighbours, since
these differ: no two guarantees in the table are the same. Without ``--peers`` only ours is
measured. Epsilon is 1; splits and declarations are those of ``python -m benchmarks accuracy``.
diffprivlib is measured on the first 5 of 10 splits, and dpmm, which takes long, on 3.

What was measured is kept in benchmarks/real_tables.json, and measured again only if its entry is
deleted. "weighted" are rules with a class weight of 2 for the rarer class; "added" is the relation
in which a row is added or removed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from benchmarks.bench_accuracy import features, splits
from benchmarks.real_tables import RealTable, compas, fair, german, hmda, name_of, tables, titanic
from learners.tables import (
    PrivateLogisticRegression,
    PrivateNaiveBayesClassifier,
    PrivateRuleListClassifier,
    as_records,
)
from learners.tables.bayes import cells_of
from learners.tables.columns import Categories, Cuts, FixedColumns

STORED = Path(__file__).with_name("real_tables.json")
PEERS = Path(__file__).parents[1] / "build" / "peers"
TABLES = (titanic, german, compas, fair, hmda)
EPSILON = 1.0
DELTA = 1e-6
SPLITS = 10
SUPPORT = Fraction(1, 5)

Found = list[tuple[np.ndarray, np.ndarray]]
"""For each split, labels and the probabilities of label 1 on the rows that were kept."""


@dataclass(frozen=True)
class Terms:
    """What a guarantee is about: what was declared, its delta, and its neighbours."""

    declared: str
    delta: str
    neighbours: str


OURS = Terms("cut points, categories", "0", "a row replaced")
WITH_DELTA = Terms("cut points, categories", "1e-6", "a row replaced")
PURE_ADDED = Terms("cut points, categories", "0", "a row added or removed")
ADDED = Terms("cut points, categories", "1e-6", "a row added or removed")

Classifier = PrivateRuleListClassifier | PrivateNaiveBayesClassifier | PrivateLogisticRegression
Make = Callable[[RealTable, int], Classifier]


def _rules(table: RealTable, seed: int, weight: int = 1) -> PrivateRuleListClassifier:
    # Which class is rarer is public here; it is not computed from the rows to learn from.
    rarer = int(table.labels.mean() < 0.5)
    return PrivateRuleListClassifier(
        EPSILON,
        columns=list(table.columns.values()),
        score_share="best",
        support_share=SUPPORT,
        class_weight={rarer: weight},
        random_state=seed,
    )


def _bayes(terms: Terms) -> Make:
    def make(table: RealTable, seed: int) -> PrivateNaiveBayesClassifier:
        return PrivateNaiveBayesClassifier(
            EPSILON,
            DELTA if terms.delta != "0" else None,
            columns=list(table.columns.values()),
            neighbours="replace_one" if terms.neighbours == "a row replaced" else "add_remove",
            random_state=seed,
        )

    return make


def _logistic(terms: Terms) -> Make:
    def make(table: RealTable, seed: int) -> PrivateLogisticRegression:
        return PrivateLogisticRegression(
            EPSILON,
            delta=DELTA if terms.delta != "0" else None,
            columns=list(table.columns.values()),
            neighbours="replace_one" if terms.neighbours == "a row replaced" else "add_remove",
            random_state=seed,
        )

    return make


LEARNERS: dict[str, tuple[Terms, Make]] = {
    "best": (OURS, _rules),
    "best, weighted": (OURS, lambda table, seed: _rules(table, seed, 2)),
    "naive Bayes": (OURS, _bayes(OURS)),
    "naive Bayes, delta": (WITH_DELTA, _bayes(WITH_DELTA)),
    "naive Bayes, delta, added": (ADDED, _bayes(ADDED)),
    "logistic regression": (OURS, _logistic(OURS)),
    "logistic regression, added": (PURE_ADDED, _logistic(PURE_ADDED)),
    "logistic regression, delta, added": (ADDED, _logistic(ADDED)),
}


@dataclass(frozen=True)
class Peer:
    """A learner of others: what is installed, and what its guarantee is about."""

    packages: tuple[str, ...]
    terms: Terms
    splits: int = SPLITS


FOREIGN = {
    "DP-EBM": Peer(
        ("interpret-core==0.7.8", "scikit-learn", "dill"),
        Terms(
            "kinds of columns, ranges a quarter wider than the cut points",
            "1e-6",
            "its documentation names none; its noise is that for a row added or removed",
        ),
    ),
    "diffprivlib": Peer(
        ("diffprivlib==0.6.6", "scikit-learn<1.6", "scipy<1.16", "numpy<2.3"),
        Terms(
            "features of 0 and 1, a bound on their norm",
            "0",
            "a row replaced (objective perturbation of logistic regression)",
        ),
        splits=5,
    ),
    "dpmm": Peer(
        ("dpmm==0.1.9",),
        Terms(
            "the cells of our cut points and categories; logistic regression on its rows",
            "1e-6",
            "its documentation names none; its noise is that for a row added or removed",
        ),
        splits=3,
    ),
}


def python_of(name: str) -> Path:
    """The Python of a peer, installed if it is not there.

    Raises
    ------
    OSError
        If pip does not get it; the message is pip's.
    """
    folder = PEERS / name.lower()
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        _run([str(python), "-m", "pip", "install", "--quiet", *FOREIGN[name].packages])
        done.touch()
    return python


def _run(command: Sequence[str]) -> None:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise OSError((run.stderr.strip().splitlines() or ["no message"])[-1])


def of_peer(name: str, table: RealTable) -> Found:
    """What a peer says: its probabilities, and the likelier labels.

    Raises
    ------
    OSError
        If it does not install or run.
    """
    python = python_of(name)
    names = tuple(table.columns)
    columns: tuple[Any, ...] = tuple(table.columns.values())
    fixed, matrix = FixedColumns(names, columns), features(table) > 0
    cells = [cells_of(fixed, j, lambda i: matrix[:, i]) for j in range(len(names))]
    kinds = ["nominal" if isinstance(each, Categories) else "continuous" for each in columns]
    entries = table.entries.copy()
    for j, kind in enumerate(kinds):
        entries[:, j] = [str(v) if kind == "nominal" else float(v) for v in entries[:, j]]
    given: dict[str, Any] = {
        "features": matrix,
        "cells": np.stack(cells, axis=1),
        "sizes": np.array([each.count + 1 for each in fixed.columns]),
        "entries": entries,
        "kinds": np.array(kinds),
        "bounds": np.array([_bounds(each) for each in columns]),
        "y": table.labels,
        "splits": FOREIGN[name].splits,
    }
    for i, (train, test) in enumerate(splits(table, SPLITS)[: FOREIGN[name].splits]):
        given |= {f"train{i}": train, f"test{i}": test}
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "given.npz", Path(folder) / "out.npz"
        np.savez(path, **given)
        script = str(Path(__file__).with_name("real_table_peer.py"))
        _run([str(python), script, str(path), name, str(EPSILON), str(DELTA), str(out)])
        found = np.load(out)
        chances = [found[f"chances{i}"] for i in range(FOREIGN[name].splits)]
    return [(each >= 0.5, each) for each in chances]


def _bounds(column: object) -> tuple[float, float]:
    low, high = (
        (float(column.points[0]), float(column.points[-1]))
        if isinstance(column, Cuts)
        else (0.0, 1.0)
    )
    beyond = max(high - low, 1) / 4
    return low - beyond, high + beyond


def of_ours(make: Make, table: RealTable) -> Found:
    """What one of our learners says."""
    names: list[str] = list(table.columns)
    found: Found = []
    for seed, (train, test) in enumerate(splits(table, SPLITS)):
        model = make(table, seed)
        model.fit(as_records(table.entries[train], names), table.labels[train])
        rows = as_records(table.entries[test], names)
        found.append((model.predict(rows), model.predict_proba(rows)[:, 1]))
    return found


Numbers = dict[str, list[float]]


def judged(table: RealTable, found: Found) -> Numbers:
    """DimensionMethods of each split, and the reliability of all of them together.

    ``said`` and ``so`` are, for each tenth of probabilities that 50 rows or more have, the mean
    probability and the share of rows of label 1; the calibration error is their mean distance.
    """
    truths = [table.labels[test] for _, test in splits(table, SPLITS)[: len(found)]]
    chances, truth = np.concatenate([each for _, each in found]), np.concatenate(truths)
    tenths = np.minimum((chances * 10).astype(int), 9)
    there = [i for i in range(10) if (tenths == i).sum() >= 50]
    said = [float(chances[tenths == i].mean()) for i in there]
    so = [float(truth[tenths == i].mean()) for i in there]
    parts = [float((tenths == i).mean()) for i in there]
    error = sum(part * abs(a - b) for part, a, b in zip(parts, said, so, strict=True))
    pairs = list(zip(truths, found, strict=True))
    numbers = {
        "AUC": [float(roc_auc_score(t, p)) for t, (_, p) in pairs],
        "accuracy": [float(np.mean(labels == t)) for t, (labels, _) in pairs],
        "balanced accuracy": [
            float(balanced_accuracy_score(t, labels.astype(int))) for t, (labels, _) in pairs
        ],
        "calibration error": [error],
        "said": said,
        "so": so,
    }
    return {name: [round(each, 4) for each in numbers[name]] for name in numbers}


def stored() -> dict[str, dict[str, Numbers]]:
    """What was measured, by table and learner."""
    known: dict[str, dict[str, Numbers]] = {}
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else known


def measured(*, peers: bool) -> dict[str, dict[str, Numbers]]:
    """What is stored, with what is not there measured and stored."""
    known = stored()
    wanted = (*LEARNERS, *(FOREIGN if peers else ()))
    lacking = [load for load in TABLES if not set(wanted) <= set(known.get(name_of(load), ()))]
    found_tables = tables(lacking)
    for name in wanted:
        for table in found_tables:
            own = known.setdefault(table.name, {})
            if name in own:
                continue
            try:
                found = (
                    of_ours(LEARNERS[name][1], table) if name in LEARNERS else of_peer(name, table)
                )
            except OSError as reason:
                print(f"{name} is left out on {table.name}: {reason}", flush=True)
                continue
            own[name] = judged(table, found)
            STORED.write_text(json.dumps(known, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    return known


def print_table(known: dict[str, dict[str, Numbers]], names: Sequence[str]) -> None:
    """Each measure, a row for each learner, means over splits; and the terms of each guarantee."""
    for measure in ("AUC", "accuracy", "balanced accuracy", "calibration error"):
        print(f"| {measure} | " + " | ".join(known) + " |\n|---" + "|---" * len(known) + "|")
        for name in names:
            cells = (
                f"{np.mean(own[name][measure]):.3f}"[1:] if name in own else "-"
                for own in known.values()
            )
            print(f"| {name} | {' | '.join(cells)} |")
        print()
    print("| learner | declared | delta | neighbours |\n|---|---|---|---|")
    for name in names:
        terms = LEARNERS[name][0] if name in LEARNERS else FOREIGN[name].terms
        print(f"| {name} | {terms.declared} | {terms.delta} | {terms.neighbours} |")


def main(*flags: str) -> None:
    """Print the tables; ``--peers`` measures others, too."""
    peers = "--peers" in flags
    known = measured(peers=peers)
    ordered = {name_of(load): known[name_of(load)] for load in TABLES if name_of(load) in known}
    print_table(ordered, (*LEARNERS, *(FOREIGN if peers else ())))


if __name__ == "__main__":
    main(*sys.argv[1:])
