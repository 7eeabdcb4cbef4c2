"""What drawing one private tree costs, beside a greedy tree without privacy on the same rows.

Processor time of one run; the ratio is to scikit-learn's tree of depth 3. Rows are random, so that
no two of them are equal, and conditions are all features: what takes longest. Samples are those of
`learners.tables.rule_plans.plan`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from learners.coins import SecureCoins
from learners.rules import GibbsTree
from learners.tables.columns import FixedColumns, Flag
from learners.tables.rule_plans import plan

SHAPES = ((2_000, 50), (39_000, 60), (39_000, 145), (9_000, 350), (262_000, 62), (10**6, 100))


def seconds(job: Callable[[], object]) -> float:
    before = time.process_time()
    job()
    return time.process_time() - before


def main() -> None:
    from sklearn.tree import DecisionTreeClassifier

    print("| rows | features | depth | sample | private tree | greedy tree | ratio |")
    print("|" + "---|" * 7)
    rng = np.random.default_rng(1)
    for rows, features in SHAPES:
        matrix = rng.random((rows, features), dtype=np.float32) < 0.4
        labels = (matrix[:, 3] & ~matrix[:, 7]) ^ (rng.random(rows) < 0.1)
        names = tuple(f"x{j}" for j in range(features))
        planned = plan(FixedColumns(names, (Flag(),) * features), rows)
        mechanism = GibbsTree(1, planned.depth, rows=planned.rows, sample=planned.sample)
        ours = seconds(
            lambda m=mechanism, p=planned, x=matrix, y=labels: m.fit(
                p.conditions, x, y, SecureCoins()
            )
        )
        greedy = DecisionTreeClassifier(max_depth=3)
        theirs = seconds(lambda g=greedy, x=matrix, y=labels: g.fit(x, y))
        print(
            f"| {rows} | {features} | {planned.depth} | {planned.sample or 'all'} | {ours:.2f} s | "
            f"{theirs:.2f} s | {ours / theirs:.1f} |",
            flush=True,
        )
