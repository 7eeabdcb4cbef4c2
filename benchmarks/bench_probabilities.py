"""Probabilities of private rules: area under the ROC curve, balanced accuracy, calibration.

The tables, splits and declarations are those of ``python -m benchmarks accuracy``; epsilon is 1.
Rules pay a fifth of it for noisy numbers of rows at the leaves, which `predict_proba` reads. The
same numbers of weighted rules, of naive Bayes and of peers are measured by ``python -m benchmarks
real_tables --peers``.

``python -m benchmarks probabilities`` prints a table and draws docs/reliability.svg.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from benchmarks.bench_accuracy import splits
from benchmarks.kept import Kept, write
from benchmarks.real_tables import RealTable, compas, fair, german, titanic
from learners.tables.records import as_records
from learners.tables.rule_lists import PrivateRuleListClassifier
from lsclasses import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLES = (titanic, german, compas, fair)
SPLITS = 10
SHARE = 0.2


def _rules(
    table: RealTable, train: np.ndarray, test: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities of the rows to test."""
    model = PrivateRuleListClassifier(
        1, columns=list(table.columns.values()), support_share=SHARE, random_state=seed
    )
    names = list(table.columns)
    model.fit(as_records(table.entries[train], names), table.labels[train])
    rows = as_records(table.entries[test], names)
    return model.predict(rows), model.predict_proba(rows)[:, 1]


def measured(load: Callable[[], RealTable]) -> dict[str, Any]:
    """AUC, accuracy, balanced accuracy and calibration error; how often what is said is so."""
    table = load()
    numbers, said, true = [], [], []
    for seed, (train, test) in enumerate(splits(table, SPLITS)):
        labels, chances = _rules(table, train, test, seed)
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
    drawn, (axis,) = figures.figure(1, 4.4)
    axis.plot([0, 1], [0, 1], color=figures.REFERENCE, linestyle=":", label="perfect calibration")
    for load, color in zip(TABLES, figures.SERIES, strict=False):
        found = kept.get(load.__name__, "rules", measured=partial(measured, load))
        style = figures.series_style(color)
        axis.plot(*zip(*found["points"], strict=True), label=load.__name__, **style)
    axis.set_xlabel("predicted probability of the label 1")
    axis.set_ylabel("share of rows with the label 1")
    axis.set_title(
        f"Calibration of rule lists at epsilon = 1, delta = 0,\nfour tables, {SPLITS} splits each",
        fontsize="medium",
    )
    figures.common_legend(drawn, [axis])
    return drawn


FIGURES = {"reliability": reliability}


def main() -> None:
    """Measure what is not kept, print the table, draw the figure."""
    kept = Kept("reliability")
    print("| table | AUC | accuracy | balanced accuracy | calibration error |")
    print("|---|---|---|---|---|")
    for load in TABLES:
        found = kept.get(load.__name__, "rules", measured=partial(measured, load))
        means = " | ".join(f"{each:.3f}" for each in found["means"])
        print(f"| {load.__name__} | {means} |", flush=True)
    write(FIGURES)


if __name__ == "__main__":
    main()
