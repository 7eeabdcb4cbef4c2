"""Several noisy Newton steps under zCDP, compared with the perturbed objective.

``python -m benchmarks noisy_steps`` prints mean areas under the ROC curve on held-out rows, for
epsilon 1, delta 10^-6 and a row added or removed. Each step adds Gaussian noise to the exact
gradient of the logistic loss, and the steps share the budget of zCDP equally. A step is divided by
public guesses of the second derivatives. The comparison favours the steps: the number of rows
counts as public, and the better of the last weights and of the mean of the last half is chosen on
the held-out rows. Its noise comes from a simulation with normal numbers, so it is not a release.
"""

from __future__ import annotations

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.bench_accuracy import splits
from benchmarks.bench_real_tables import DELTA, EPSILON, SPLITS, TABLES
from benchmarks.real_tables import RealTable
from learners.rules.logistic_gaussian import GaussianPerturbation
from learners.tables import PrivateLogisticRegression
from learners.tables.bayes import cells_of
from learners.tables.logistic import cell_codes

STEPS = 1, 3, 10, 30
SLOPE = 0.2
"""Guess of the mean slope of the logistic function at the scores."""


def features(model: PrivateLogisticRegression, entries: np.ndarray, *, by_cell: bool) -> np.ndarray:
    """Return the features of rows: the features of the model, or one feature for each cell."""
    columns = model.columns_
    matrix = columns.matrix(model._read(entries, reset=False))
    found = [np.ones((len(matrix), 1))]
    for j, column in enumerate(columns.columns):
        codes = cell_codes(column) / 256
        if by_cell:
            codes = np.eye(len(codes))
        found.append(codes[cells_of(columns, j, lambda i: matrix[:, i])])
    return np.hstack(found)


def noisy_steps(
    x: np.ndarray, y: np.ndarray, *, steps: int, rho: float, blocks: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the last weights, and the mean of the weights of the last half of the steps.

    Each row has a gradient of Euclidean norm at most the root of the number of blocks.
    """
    deviation = np.sqrt(blocks * steps / (2 * rho))
    # Entries that are uniform on [-1, 1] have the mean square 1/3. Dependent columns need damping.
    squares = np.full(x.shape[1], 1 / 3)
    squares[0] = 1
    curvature = len(x) * SLOPE * squares * np.sqrt(blocks)
    weights = mean = np.zeros(x.shape[1])
    for step in range(steps):
        gradient = x.T @ (1 / (1 + np.exp(-x @ weights)) - y)
        weights = weights - (gradient + rng.normal(0, deviation, len(weights))) / curvature
        late = step - steps // 2
        mean = weights if late < 0 else mean + (weights - mean) / (late + 1)
    return weights, mean


def compared(table: RealTable) -> dict[str, list[float]]:
    """Return the area under the ROC curve for each split, by learner."""
    found: dict[str, list[float]] = {}
    for seed, (train, test) in enumerate(splits(table, SPLITS)):
        rng = np.random.default_rng(seed)
        model = PrivateLogisticRegression(
            EPSILON,
            columns=list(table.columns.values()),
            neighbours="add_remove",
            delta=DELTA,
            random_state=seed,
        ).fit(table.entries[train], table.labels[train])
        truth = table.labels[test]
        scores = model.decision_function(table.entries[test])
        found.setdefault("objective", []).append(float(roc_auc_score(truth, scores)))
        blocks = model.mechanism_.blocks
        rho = float(GaussianPerturbation(1, blocks, "add_remove").rho)
        for by_cell, name in ((False, "features"), (True, "cells")):
            x, there = (
                features(model, table.entries[part], by_cell=by_cell) for part in (train, test)
            )
            for steps in STEPS:
                both = noisy_steps(
                    x, table.labels[train], steps=steps, rho=rho, blocks=len(blocks), rng=rng
                )
                best = max(float(roc_auc_score(truth, there @ weights)) for weights in both)
                found.setdefault(f"{steps} steps, {name}", []).append(best)
    return found


def main() -> None:
    rows: dict[str, list[str]] = {}
    loaded = [load() for load in TABLES]
    for table in loaded:
        found = compared(table)
        first = np.array(found["objective"])
        for name, areas in found.items():
            gain = np.array(areas) - first
            error = gain.std(ddof=1) / np.sqrt(len(gain))
            entry = f"{np.mean(areas):.3f}"
            if name != "objective":
                entry += f" ({gain.mean():+.3f} +- {2 * error:.3f})"
            rows.setdefault(name, []).append(entry)
    print("| learner | " + " | ".join(table.name for table in loaded) + " |")
    print("|---" * (len(loaded) + 1) + "|")
    for name, entries in rows.items():
        print(f"| {name} | {' | '.join(entries)} |")
