"""A private peer on one table, for `benchmarks.bench_real_tables`, in a Python of its own.

``python real_table_peer.py GIVEN.npz PEER EPSILON DELTA OUT.npz`` writes, for each split, the
probabilities of label 1 on the rows that were kept. Everything that peers are told of the columns
is public: features of 0 and 1 (diffprivlib), numbers of cells (dpmm), or kinds of columns and
ranges around the cut points (DP-EBM).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

Given = Any
"""The arrays of the file: ``features``, ``cells``, ``sizes``, ``entries``, ``kinds``, ``bounds``,
``y``."""
Rows = np.ndarray
Run = Callable[..., np.ndarray]
"""From the arrays, the rows to learn from and to test, epsilon, delta and a seed."""


def ebm(given: Given, train: Rows, test: Rows, *, epsilon: float, delta: float, seed: int) -> Rows:
    """DP-EBM of interpret."""
    from interpret.privacy import DPExplainableBoostingClassifier

    kinds, bounds = given["kinds"].tolist(), given["bounds"]
    model = DPExplainableBoostingClassifier(
        epsilon=epsilon,
        delta=delta,
        feature_types=kinds,
        privacy_bounds={j: tuple(bounds[j]) for j, kind in enumerate(kinds) if kind != "nominal"},
        random_state=seed,
        n_jobs=1,
    )
    entries = given["entries"]
    return model.fit(entries[train], given["y"][train]).predict_proba(entries[test])[:, 1]


def logistic(
    given: Given, train: Rows, test: Rows, *, epsilon: float, delta: float, seed: int
) -> Rows:
    """Logistic regression of diffprivlib."""
    from diffprivlib.models import LogisticRegression

    X = given["features"].astype(float)
    norm = float(np.sqrt(X.shape[1]))
    model = LogisticRegression(epsilon=epsilon, data_norm=norm, max_iter=500, random_state=seed)
    return model.fit(X[train], given["y"][train]).predict_proba(X[test])[:, 1]


def synthetic(
    given: Given, train: Rows, test: Rows, *, epsilon: float, delta: float, seed: int
) -> Rows:
    """Logistic regression, without noise, on synthetic rows of dpmm's MST."""
    import pandas as pd
    from dpmm.pipelines import MSTPipeline
    from sklearn.linear_model import LogisticRegression

    sizes = given["sizes"].tolist()
    names = [f"c{j}" for j in range(len(sizes))]
    rows = pd.DataFrame(given["cells"][train], columns=names).astype(int)
    rows["y"] = given["y"][train].astype(int)
    pipeline = MSTPipeline(epsilon=epsilon, delta=delta, disable_processing=True, n_jobs=1)
    pipeline.fit(rows, {**dict(zip(names, sizes, strict=True)), "y": 2}, random_state=seed)
    made = pipeline.generate(n_records=len(rows), random_state=seed).astype(int)

    def indicators(cells: np.ndarray) -> np.ndarray:
        return np.concatenate([np.eye(size)[cells[:, j]] for j, size in enumerate(sizes)], axis=1)

    labels = made["y"].to_numpy()
    if len(set(labels.tolist())) == 1:
        return np.full(len(test), float(labels[0]))
    model = LogisticRegression(max_iter=500).fit(indicators(made[names].to_numpy()), labels)
    return model.predict_proba(indicators(given["cells"][test].astype(int)))[:, 1]


PEERS: dict[str, Run] = {"DP-EBM": ebm, "diffprivlib": logistic, "dpmm": synthetic}


def main(path: str, peer: str, epsilon: str, delta: str, out: str) -> None:
    warnings.simplefilter("ignore")
    given = np.load(path, allow_pickle=True)
    count = int(given["splits"])
    found = [
        PEERS[peer](
            given,
            given[f"train{i}"],
            given[f"test{i}"],
            epsilon=float(epsilon),
            delta=float(delta),
            seed=i,
        )
        for i in range(count)
    ]
    np.savez(out, **{f"chances{i}": chances for i, chances in enumerate(found)})


if __name__ == "__main__":
    main(*sys.argv[1:])
