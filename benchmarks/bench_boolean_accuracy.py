"""Accuracy of [BF25]'s lists and Winnow against epsilon, on two tables; figures in docs/.

**Breast cancer** (scikit-learn's copy of the Wisconsin diagnostic data, 569 rows). Cut points are
7 in equal steps inside the ranges that the data set's published description prints for each column.
Beside all 30 columns, the three that the description at the UCI repository (wdbc.names) names for
separating the classes: worst area, worst smoothness and mean texture. For data of your own, ranges
and columns have to come from such public knowledge too, not from the rows.

**Synthetic** (100000 rows, shaped like the forest cover data): 10 numeric columns, uniform on
0..1000; one of 4 areas and one of 26 soils, as 30 flags; the label follows the list

    if soil 3: 0, else if c0 >= 800: 1, else if area 1 and not c1 >= 400: 0,
    else if c2 < 200: 0, else if soil 7: 1, else if c3 >= 600: 1, else 0

with 5 % of the labels flipped. Numeric columns have cut points at 200, 400, 600 and 800. Rules
have at most one condition, so that the third rule has to be approximated.

Every run draws a new split (80 % to learn from) and new noise from its seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.datasets import load_breast_cancer

from benchmarks.kept import Kept, band, summary, write
from benchmarks.real_tables import published_ranges
from learners import plots
from learners.tables.columns import Column, Cuts, Flag, PrivateCuts
from learners.tables.decision_list_classifier import (
    DecisionListClassifier,
    PrivateDecisionListClassifier,
)
from learners.tables.winnow_classifier import PrivateWinnowClassifier
from lsclasses.figures import REFERENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DELTA = 1e-6
NAMED = ("worst area", "worst smoothness", "mean texture")

Table = tuple[np.ndarray, np.ndarray]
Make = Callable[[float, int], object]


def breast_cancer(names: Sequence[str] | None = None) -> tuple[Table, list[tuple[str, str]]]:
    """The rows of all or some columns, and the published ranges of these."""
    data = load_breast_cancer()
    chosen = list(data.feature_names) if names is None else list(names)
    places = [list(data.feature_names).index(name) for name in chosen]
    ranges = published_ranges()
    return (data.data[:, places], data.target), [ranges[name] for name in chosen]


def synthetic(rows: int = 100_000, seed: int = 2025) -> tuple[Table, list[Column]]:
    """The table of the recipe above."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 1001, (rows, 10))
    area = np.eye(4, dtype=int)[rng.integers(4, size=rows)]
    soil = np.eye(26, dtype=int)[rng.integers(26, size=rows)]
    y = np.select(
        [
            soil[:, 3] == 1,
            numbers[:, 0] >= 800,
            (area[:, 1] == 1) & (numbers[:, 1] < 400),
            numbers[:, 2] < 200,
            soil[:, 7] == 1,
            numbers[:, 3] >= 600,
        ],
        [0, 1, 0, 0, 1, 1],
        0,
    )
    y = y ^ (rng.random(rows) < 0.05)
    columns: list[Column] = [Cuts([200, 400, 600, 800])] * 10
    return (np.hstack([numbers, area, soil]).astype(float), y), columns + [Flag()] * 30


def accuracy(table: Table, make: Make, epsilon: float, seed: int) -> float:
    """The share of right predictions on the rows kept for testing."""
    X, y = table
    order = np.random.default_rng([seed, 1]).permutation(len(y))
    train, test = np.split(order, [int(0.8 * len(y))])
    model = make(epsilon, seed).fit(X[train], y[train])  # type: ignore[attr-defined]
    return float(model.score(X[test], y[test]))


def measured(table: Table, make: Make, epsilons: Sequence[float], seeds: int) -> dict[str, Any]:
    """The accuracies at each epsilon, and the seconds of a run."""
    before = time.perf_counter()
    rows = [[accuracy(table, make, epsilon, seed) for epsilon in epsilons] for seed in range(seeds)]
    seconds = (time.perf_counter() - before) / (seeds * len(epsilons))
    return {"accuracies": summary(rows), "seconds": round(seconds, 2)}


def curves(
    title: str,
    kept: Kept,
    learners: dict[str, tuple[Table, Make]],
    epsilons: Sequence[float],
    seeds: int,
) -> Figure:
    """Accuracy against epsilon, a curve for each learner; the first has the table."""
    head(epsilons)
    drawn, (ax,) = plots.figure(1, 5)
    for name, (table, make) in learners.items():
        found = kept.get(name, measured=partial(measured, table, make, epsilons, seeds))
        medians = " | ".join(f"{median:.3f}" for _, median, _ in found["accuracies"])
        print(f"| {name} | {medians} | {found['seconds']:.2f} s |", flush=True)
        style = plots.learner_style(name, ax)
        band(ax, epsilons, found["accuracies"], fill(name, 44), **style)
    (_, labels), _ = next(iter(learners.values()))
    chance = max(labels.mean(), 1 - labels.mean())
    ax.axhline(chance, linestyle=":", color=REFERENCE, label="always the more frequent label")
    ax.set_xscale("log", base=2)
    ax.set_xticks(epsilons, [str(Fraction(epsilon)) for epsilon in epsilons])
    ax.set(xlabel="epsilon (delta = 10^-6)", ylabel="accuracy on test rows")
    plots.common_legend(drawn, [ax])
    ax.set_title(f"{title},\nmedian of {seeds} seeds, band from 10 % to 90 %", fontsize="medium")
    return drawn


def head(epsilons: Sequence[float]) -> None:
    print("| median accuracy at epsilon | " + " | ".join(f"{e:g}" for e in epsilons) + " | a run |")
    print("|---" * (len(epsilons) + 2) + "|")


def on_breast_cancer() -> Figure:
    """The accuracy of lists and Winnow on the breast cancer data."""
    epsilons = [2.0**i for i in range(-1, 7)]
    few, few_ranges = breast_cancer(NAMED)
    every, all_ranges = breast_cancer()
    few_columns, all_columns = (
        [Cuts.steps(low, high, 7) for low, high in ranges] for ranges in (few_ranges, all_ranges)
    )

    def private(columns: list[Cuts]) -> Make:
        return lambda epsilon, seed: PrivateDecisionListClassifier(
            epsilon, DELTA, columns=columns, allow_weak_privacy=True, random_state=seed
        )

    def with_private_cuts(epsilon: float, seed: int) -> object:
        # A quarter of epsilon for cut points, in equal shares.
        columns = [
            PrivateCuts(low, high, grid=64, count=3, epsilon=str(epsilon / 12))
            for low, high in few_ranges
        ]
        return PrivateDecisionListClassifier(
            epsilon, DELTA, columns=columns, allow_weak_privacy=True, random_state=seed
        )

    return curves(
        "Breast cancer table, 569 rows",
        Kept("accuracy-breast-cancer"),
        {
            "private list, 3 columns": (few, private(few_columns)),
            "private list, 3 columns, private cut points": (few, with_private_cuts),
            "private list, 30 columns": (every, private(all_columns)),
            "private Winnow, 3 columns": (
                few,
                lambda epsilon, seed: PrivateWinnowClassifier(
                    epsilon, DELTA, columns=few_columns, allow_weak_privacy=True, random_state=seed
                ),
            ),
            "without privacy, 3 columns": (
                few,
                lambda epsilon, seed: DecisionListClassifier(columns=few_columns),
            ),
        },
        epsilons,
        seeds=25,
    )


def on_synthetic() -> Figure:
    """The accuracy of lists and Winnow on synthetic rows."""
    epsilons = [2.0**i for i in range(-5, 4)]
    table, columns = synthetic()
    return curves(
        "Synthetic table, 10^5 rows, 5 % of labels flipped",
        Kept("accuracy-synthetic"),
        {
            "private list": (
                table,
                lambda epsilon, seed: PrivateDecisionListClassifier(
                    epsilon, DELTA, columns=columns, random_state=seed
                ),
            ),
            "private Winnow": (
                table,
                lambda epsilon, seed: PrivateWinnowClassifier(
                    epsilon, DELTA, columns=columns, random_state=seed
                ),
            ),
            "without privacy": (
                table,
                lambda epsilon, seed: DecisionListClassifier(columns=columns),
            ),
        },
        epsilons,
        seeds=10,
    )


FIGURES = {"accuracy-breast-cancer": on_breast_cancer, "accuracy-synthetic": on_synthetic}


def run_large(rows: int = 1_000_000, columns: int = 250) -> None:
    """Whole fits of a large Boolean table: if c3: 1, else if c5: 0, else if c9: 1, else 0."""
    X = np.random.default_rng(0).random((rows, columns), dtype=np.float32) < 0.5
    y = np.where(X[:, 3], 1, np.where(X[:, 5], 0, X[:, 9]))
    print("| learner | epsilon | fit | accuracy on the same rows |\n|---|---|---|---|")
    for model in (
        PrivateDecisionListClassifier(0.1, DELTA, random_state=1),
        PrivateWinnowClassifier(1, DELTA, random_state=1),
    ):
        before = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - before
        name = type(model).__name__
        print(f"| {name} | {model.epsilon:g} | {seconds:.1f} s | {model.score(X, y):.4f} |")


def main() -> None:
    write(FIGURES)
    print("\n### 1000000 rows, 250 Boolean columns\n")
    run_large()


if __name__ == "__main__":
    main()
