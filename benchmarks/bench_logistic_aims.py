"""Quality of private logistic regression on tables on which no setting was chosen.

``python -m benchmarks logistic_aims`` prints medians over nine splits at epsilon 1. With ``--rows
1000000``, it prints the time of one fit of 20 columns instead, and the time of scikit-learn's
logistic regression without privacy.
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.bench_accuracy import splits
from benchmarks.real_tables import RealTable, pima, spambase
from learners.tables import PrivateLogisticRegression
from learners.tables.score_quality import ScoreQuality

SPLITS = 9
SETTINGS = (("add_remove", 1e-6), ("add_remove", None), ("replace_one", None))


def measures(table: RealTable, neighbours: str, delta: float | None) -> tuple[list[float], str]:
    """Return medians of AUC, Brier score, log loss, calibration error and its floor, and the noise.

    The floor is the mean calibration error of labels that are drawn with the predicted
    probabilities. For add/remove, the guess of the number of rows has one digit.
    """
    found, rng = [], np.random.default_rng(1)
    for seed, (train, test) in enumerate(splits(table, SPLITS)):
        model = PrivateLogisticRegression(
            1,
            columns=list(table.columns.values()),
            neighbours=neighbours,
            delta=delta,
            rows=None if neighbours == "replace_one" else int(float(f"{len(train):.0e}")),
            random_state=seed,
        ).fit(table.entries[train], table.labels[train])
        chances = model.predict_proba(table.entries[test])[:, 1]
        quality = ScoreQuality.of(table.labels[test], chances)
        drawn = [
            ScoreQuality.of(rng.random(len(chances)) < chances, chances).calibration_error
            for _ in range(20)
        ]
        errors = quality.calibration_error, float(np.mean(drawn))
        found.append((quality.auc, quality.brier, quality.log_loss, *errors))
    noise = type(model.mechanism_.noise).__name__
    return np.median(np.array(found, dtype=float), axis=0).tolist(), noise


def timed(rows: int) -> tuple[float, float]:
    """Return the processor times of a private fit and of a fit by scikit-learn, in seconds.

    The random table has 20 columns of cut points. The fit of scikit-learn is not private. It
    receives the intervals between the cut points as numbers from -1 to 1.
    """
    rng = np.random.default_rng(1)
    X = rng.random((rows, 20))
    y = rng.random(rows) < 1 / (1 + np.exp(-X[:, :5].sum(axis=1) * 4 + 10))
    cuts = [k / 10 for k in range(1, 10)]
    start = time.process_time()
    PrivateLogisticRegression(1, columns=[cuts] * 20, random_state=1).fit(X, y)
    private = time.process_time() - start
    intervals = np.floor(X * 10) / 4.5 - 1
    start = time.process_time()
    LogisticRegression().fit(intervals, y)
    return private, time.process_time() - start


def main(*flags: str) -> None:
    for flag in flags:
        name, _, rows = flag.partition("=")
        if name == "--rows":
            private, plain = timed(int(rows))
            print(
                f"{rows} rows, 20 columns: {private:.2f} s of processor time. scikit-learn without "
                f"privacy: {plain:.2f} s. Ratio: {private / plain:.2f}"
            )
            return
    print("| table | neighbours | delta | noise | AUC | Brier | log loss | error | floor |")
    print("|---|---|---|---|---|---|---|---|---|")
    for table in (pima(), spambase()):
        for neighbours, delta in SETTINGS:
            found, noise = measures(table, neighbours, delta)
            numbers = " | ".join(f"{each:.3f}" for each in found)
            row = f"| {table.name} | {neighbours} | {delta or 0:g} | {noise} | {numbers} |"
            print(row, flush=True)
