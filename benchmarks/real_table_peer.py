"""A private peer on one table, for `benchmarks.bench_real_tables`, in a Python of its own.

``python real_table_peer.py GIVEN.npz PEER EPSILON`` prints the accuracy and AUC of each split.
Features are 0 and 1, so their bounds are public.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from sklearn.metrics import roc_auc_score


def made(peer: str, features: int, epsilon: float, seed: int) -> object:
    """The learner, with what is declared to it."""
    if peer == "DP-EBM":
        from interpret.privacy import DPExplainableBoostingClassifier

        return DPExplainableBoostingClassifier(
            epsilon=epsilon,
            delta=1e-6,
            feature_types=["continuous"] * features,
            privacy_bounds=dict.fromkeys(range(features), (0.0, 1.0)),
            random_state=seed,
            n_jobs=1,
        )
    from diffprivlib.models import LogisticRegression

    return LogisticRegression(
        epsilon=epsilon, data_norm=float(np.sqrt(features)), max_iter=500, random_state=seed
    )


def main(given: str, peer: str, epsilon: float) -> None:
    data = np.load(given)
    X, y = data["matrix"].astype(float), data["y"]
    warnings.simplefilter("ignore")
    for i in range(int(data["splits"])):
        train, test = data[f"train{i}"], data[f"test{i}"]
        model = made(peer, X.shape[1], epsilon, i).fit(X[train], y[train])  # type: ignore[attr-defined]
        scores = model.predict_proba(X[test])[:, 1]
        right = float((model.predict(X[test]) == y[test]).mean())
        print(right, roc_auc_score(y[test], scores), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
