"""Four classes on which every learner is tried: no structure, some, and two families."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lsclasses.table import Table


def random_table() -> Table:
    """Twelve different concepts on six points."""
    rng = np.random.default_rng(34)
    rows = {tuple(rng.integers(2, size=6).tolist()): None for _ in range(12)}
    while len(rows) < 12:
        rows[tuple(rng.integers(2, size=6).tolist())] = None
    return Table(list(rows))


def petersen() -> Table:
    """The closed neighbourhoods of the Petersen graph: pairs of five things, next if disjoint."""
    pairs = list(combinations(range(5), 2))
    return Table([[int(p == q or not {*p} & {*q}) for q in pairs] for p in pairs])


FOUR: dict[str, str | Table] = {
    "random": random_table(),
    "petersen": petersen(),
    "thresholds": "thresholds:n=7",
    "decision lists": "decision-lists:n=3",
}
