"""Accuracies of a learner of diffprivlib, for `benchmarks.bench_accuracy`, in its own process.

``python diffprivlib_peer.py GIVEN.npz LEARNER EPSILON`` prints one accuracy for each split.
Features are 0 and 1, which bounds the norm of every row by the root of how many there are.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from diffprivlib.models import DecisionTreeClassifier, LogisticRegression, RandomForestClassifier


def main(given: str, learner: str, epsilon: float) -> None:
    data = np.load(given)
    X, y = data["matrix"], data["y"]
    warnings.simplefilter("ignore")
    for i in range(int(data["splits"])):
        public = {"epsilon": epsilon, "random_state": i}
        bounds = (np.zeros(X.shape[1]), np.ones(X.shape[1]))
        if "regression" in learner:
            norm = float(np.sqrt(X.shape[1]))
            model = LogisticRegression(data_norm=norm, max_iter=500, **public)
        elif "tree" in learner:
            model = DecisionTreeClassifier(bounds=bounds, classes=[0, 1], **public)
        else:
            model = RandomForestClassifier(bounds=bounds, classes=[0, 1], **public)
        train, test = data[f"train{i}"], data[f"test{i}"]
        print(model.fit(X[train], y[train]).score(X[test], y[test]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
