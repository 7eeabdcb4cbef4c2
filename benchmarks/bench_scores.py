"""What `best` loses where it prefers rules that ask no score, and how often it asks one still.

Tables, splits and declarations are those of ``python -m benchmarks accuracy``. Three learners are
measured on each split: `best` that prefers nothing (``score_tolerance=0``), `best` as it is, and
rules without a score, which have all of epsilon. Where rows times epsilon are below 10,000, `best`
is the last of these, so nothing is preferred to anything.

``python -m benchmarks scores`` prints medians; ``--epsilon 4``, ``--splits 5`` and the name of one
table after ``--only-`` measure less. What was measured is kept in ``build/scores``.
"""

from __future__ import annotations

import json
import time
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.bench_accuracy import ROOT, splits
from benchmarks.real_tables import DESIGNED_ON, FURTHER, RealTable, name_of, tables
from learners.tables.records import as_records
from learners.tables.rule_lists import PrivateRuleListClassifier
from learners.tables.rule_plans import best_share

KEPT = ROOT / "build" / "scores"
LEARNERS: dict[str, dict[str, Any]] = {
    "prefers nothing": {"score_share": "best", "score_tolerance": 0},
    "best": {"score_share": "best"},
    "without a score": {"score_share": 0},
}


def runs(table: RealTable, epsilon: int, count: int, learner: str) -> list[tuple[float, bool]]:
    """The accuracy on the rows kept for testing, and whether a rule asks a score, by split."""
    path = KEPT / f"{table.name}-{epsilon}-{learner.replace(' ', '-')}.json"
    found = json.loads(path.read_text()) if path.exists() else []
    names, columns = list(table.columns), list(table.columns.values())
    before, known = time.process_time(), len(found)
    for seed, (train, test) in list(enumerate(splits(table, count)))[known:]:
        model = PrivateRuleListClassifier(
            epsilon, columns=columns, random_state=seed, **LEARNERS[learner]
        )
        model.fit(as_records(table.entries[train], names), table.labels[train])
        right = model.predict(as_records(table.entries[test], names)) == table.labels[test]
        found.append((float(np.mean(right)), model.model_.score is not None))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found))
    if len(found) > known:
        seconds = (time.process_time() - before) / (len(found) - known)
        print(f"  {path.stem}: {seconds:.2f} s a run", flush=True)
    return found[:count]


def line(table: RealTable, epsilon: int, count: int) -> str:
    """A row of the table."""
    cells = []
    for learner in LEARNERS:
        found = runs(table, epsilon, count, learner)
        accuracy = f"{np.median([each for each, _ in found]):.4f}"[1:]
        asked = f", {sum(score for _, score in found)} of {count}" * (learner[-5:] != "score")
        cells.append(accuracy + asked)
    return f"| {table.name}, epsilon {epsilon} | {' | '.join(cells)} |"


def main(*flags: str) -> None:
    """Measure what is not kept, and print the table."""
    given = dict(flag.removeprefix("--").split("=") for flag in flags if "=" in flag)
    only = [flag.removeprefix("--only-") for flag in flags if flag.startswith("--only-")]
    count = int(given.get("splits", 20))
    epsilons = [int(given["epsilon"])] if "epsilon" in given else [1, 4]
    wanted = (load for load in (*DESIGNED_ON, *FURTHER) if not only or name_of(load) in only)
    lines, plain = [], []
    for table in tables(wanted):
        for epsilon in epsilons:
            if best_share(len(table.labels) * 4 // 5, Fraction(epsilon)):
                lines.append(line(table, epsilon, count))
            else:
                plain.append(f"{table.name}, epsilon {epsilon}")
    print(f"\n| medians of {count} splits, runs that ask a score | {' | '.join(LEARNERS)} |")
    print("|---|---|---|---|", *lines, sep="\n")
    print(f"\nToo few rows for a score, so `best` is rules: {'; '.join(plain) or 'none'}.")


if __name__ == "__main__":
    main()
