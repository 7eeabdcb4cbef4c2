"""Coverage of the accuracy on further rows by the intervals of rules with supports.

For each setting, the table lists the share of tables in which the accuracy on a quarter as many
further rows is within the stated distance, and within the distance for the noise only.
"""

from __future__ import annotations

import numpy as np

from learners.tables import PrivateRuleListClassifier

RUNS = 120
SETTINGS = (
    (400, 0.3, 1),
    (1000, 0.2, 1),
    (1000, 0.45, 1),
    (4000, 0.3, 1),
    (4000, 0.3, 4),
    (10_000, 0.2, 4),
    (400, 0.5, 20),
)
"""Rows, share of flipped labels, and epsilon."""


def coverage(rows: int, flipped: float, epsilon: float, runs: int) -> tuple[float, float]:
    """Return the shares of tables that the interval covers, and that the noise covers."""
    covered = by_noise = 0
    for run in range(runs):
        rng = np.random.default_rng([0, run])
        X = rng.integers(0, 100, (rows + rows // 4, 4))
        y = ((X[:, 0] >= 50) & (X[:, 1] < 75)) ^ (rng.random(len(X)) < flipped)
        model = PrivateRuleListClassifier(
            epsilon=epsilon, columns=[[20, 40, 50, 60, 75]] * 4, support_share=0.2, random_state=run
        ).fit(X[:rows], y[:rows])
        found = model.model_.details()["accuracy"]
        error = abs((model.predict(X[rows:]) == y[rows:]).mean() - found["share"])
        covered += int(error <= found["share of further rows +- (95 %)"])
        by_noise += int(error <= found["share +- (95 %)"])
    return covered / runs, by_noise / runs


def main() -> None:
    """Print the coverage of all settings."""
    print(f"{RUNS} tables for each setting")
    print("  rows  flipped  epsilon  interval  noise only")
    for rows, flipped, epsilon in SETTINGS:
        interval, noise = coverage(rows, flipped, epsilon, RUNS)
        print(f"{rows:6}  {flipped:7}  {epsilon:7}  {interval:8.3f}  {noise:10.3f}", flush=True)


if __name__ == "__main__":
    main()
