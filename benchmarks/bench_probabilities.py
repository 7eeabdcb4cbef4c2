"""Probabilities of private rules: area under the ROC curve, balanced accuracy, calibration.

The tables, splits and declarations are those of ``python -m benchmarks accuracy``; epsilon is 1.
Rules pay a fifth of it for noisy numbers of rows at the leaves, which `predict_proba` reads;
"weighted" are rules with a class weight of 2 for the rarer class. The peer is DP-EBM of
interpret-core 0.7.8, which needs a delta and is told public ranges; it is left out, with a line
that says so, if it cannot be imported.

``python -m benchmarks probabilities`` prints a table and draws docs/reliability.svg.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from benchmarks.bench_accuracy import splits
from benchmarks.kept import Kept, write
from benchmarks.real_tables import RealTable, compas, fair, german, titanic
from learners.tables.columns import Categories, Cuts
from learners.tables.records import as_records
from learners.tables.rule_lists import PrivateNaiveBayesClassifier, PrivateRuleListClassifier
from lsclasses import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLES = (titanic, german, compas, fair)
SPLITS = 10
SHARE = 0.2

Fitted = Callable[[RealTable, np.ndarray, np.ndarray, int], tuple[np.ndarray, np.ndarray]]
"""From a table, rows to learn from and to test, and a seed to labels and probabilities."""


def _rules(weight: int) -> Fitted:
    def run(
        table: RealTable, train: np.ndarray, test: np.ndarray, seed: int
    ) -> tuple[np.ndarray, np.ndarray]:
        # Which class is rarer is public here; it is not computed from the rows to learn from.
        rarer = int(table.labels.mean() < 0.5)
        model = PrivateRuleListClassifier(
            1,
            columns=list(table.columns.values()),
            support_share=SHARE,
            class_weight={rarer: weight},
            random_state=seed,
        )
        return _of(model, table, train, test)

    return run


def _bayes(
    table: RealTable, train: np.ndarray, test: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    model = PrivateNaiveBayesClassifier(1, columns=list(table.columns.values()), random_state=seed)
    return _of(model, table, train, test)


def _of(
    model: PrivateRuleListClassifier | PrivateNaiveBayesClassifier,
    table: RealTable,
    train: np.ndarray,
    test: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    names = list(table.columns)
    model.fit(as_records(table.entries[train], names), table.labels[train])
    rows = as_records(table.entries[test], names)
    return model.predict(rows), model.predict_proba(rows)[:, 1]


def _ebm(
    table: RealTable, train: np.ndarray, test: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    from interpret.privacy import DPExplainableBoostingClassifier

    kinds: list[str] = []
    bounds: dict[int, tuple[float, float]] = {}
    for j, column in enumerate(table.columns.values()):
        kinds.append("nominal" if isinstance(column, Categories) else "continuous")
        if kinds[-1] == "continuous":
            ends = (column.points[0], column.points[-1]) if isinstance(column, Cuts) else (0, 1)
            beyond = max(ends[1] - ends[0], 1) / 4
            bounds[j] = (ends[0] - beyond, ends[1] + beyond)
    frame = [
        np.array([str(each) for each in column])
        if kind == "nominal"
        else np.array(column, dtype=float)
        for column, kind in zip(table.entries.T, kinds, strict=True)
    ]
    X = np.empty(table.entries.shape, dtype=object)
    for j, values in enumerate(frame):
        X[:, j] = values
    model = DPExplainableBoostingClassifier(
        epsilon=1,
        delta=1e-6,
        feature_types=kinds,
        privacy_bounds=bounds,
        random_state=seed,
        n_jobs=1,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[train], table.labels[train])
        return model.predict(X[test]), model.predict_proba(X[test])[:, 1]


def learners() -> dict[str, Fitted]:
    """Those that can be had."""
    found: dict[str, Fitted] = {
        "rules": _rules(1),
        "rules, weighted": _rules(2),
        "naive Bayes": _bayes,
    }
    try:
        import interpret.privacy  # noqa: F401
    except ImportError as reason:
        print(f"DP-EBM is left out: {reason}")
    else:
        found["DP-EBM, delta"] = _ebm
    return found


def measured(run: Fitted, load: Callable[[], RealTable]) -> dict[str, Any]:
    """AUC, accuracy, balanced accuracy and calibration error; how often what is said is so."""
    table = load()
    numbers, said, true = [], [], []
    for seed, (train, test) in enumerate(splits(table, SPLITS)):
        labels, chances = run(table, train, test, seed)
        truth = table.labels[test]
        numbers.append(
            (
                roc_auc_score(truth, chances),
                float(np.mean(labels == truth)),
                balanced_accuracy_score(truth, labels),
            )
        )
        said.append(chances)
        true.append(truth)
    chances, truth = np.concatenate(said), np.concatenate(true)
    bins = np.minimum((chances * 10).astype(int), 9)
    there = [i for i in range(10) if (bins == i).sum() >= 50]
    points = [(chances[bins == i].mean(), truth[bins == i].mean()) for i in there]
    error = sum((bins == i).mean() * abs(a - b) for i, (a, b) in zip(there, points, strict=True))
    means = [*np.mean(numbers, axis=0), error]
    return {
        "means": [round(float(each), 6) for each in means],
        "points": [[round(float(each), 6) for each in point] for point in points],
    }


def reliability() -> Figure:
    """What is said against what is so, for rules on four tables."""
    kept = Kept("reliability")
    drawn, (axis,) = figures.figure(1, 3.6)
    axis.plot([0, 1], [0, 1], color=figures.REFERENCE, linestyle=":")
    for load in TABLES:
        found = kept.get(load.__name__, "rules", measured=partial(measured, _rules(1), load))
        axis.plot(*zip(*found["points"], strict=True), marker="o", label=load.__name__)
    axis.set_xlabel("probability that is given")
    axis.set_ylabel("share of rows of the class")
    axis.legend(fontsize="small")
    return drawn


FIGURES = {"reliability": reliability}


def main() -> None:
    """Measure what is not kept, print the table, draw the figure."""
    kept = Kept("reliability")
    print("| table | learner | AUC | accuracy | balanced accuracy | calibration error |")
    print("|---|---|---|---|---|---|")
    for load in TABLES:
        for name, run in learners().items():
            found = kept.get(load.__name__, name, measured=partial(measured, run, load))
            means = " | ".join(f"{each:.3f}" for each in found["means"])
            print(f"| {load.__name__} | {name} | {means} |", flush=True)
    write(FIGURES)


if __name__ == "__main__":
    main()
