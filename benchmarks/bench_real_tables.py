"""Private learners of others beside ours, on real tables, in one command.

``python -m benchmarks real_tables --peers`` puts each peer into an environment of its own in
``build/peers``, where pip can; a peer that does not install is left out, with pip's reason. Beside
every number stands what was declared, the delta, and the relation of neighbours, since these
differ: no two guarantees in the table are the same. Without ``--peers`` only ours is measured.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.bench_accuracy import features, splits
from benchmarks.real_tables import RealTable, breast_cancer, german, tables, titanic
from learners.tables import PrivateNaiveBayesClassifier, PrivateRuleListClassifier, as_records

PEERS = Path(__file__).parents[1] / "build" / "peers"
EPSILON = 1.0
SPLITS = 5


@dataclass(frozen=True)
class Peer:
    """A learner of others: what is installed, and what its guarantee is about."""

    name: str
    packages: tuple[str, ...]
    declared: str
    delta: str
    neighbours: str

    def python(self) -> Path:
        """Its Python, installed if it is not there.

        Raises
        ------
        OSError
            If pip does not get it; the message is pip's.
        """
        folder = PEERS / self.name.lower().replace(" ", "-")
        python, done = folder / "bin" / "python", folder / "installed"
        if not done.exists():
            venv.create(folder, with_pip=True, clear=True)
            command = [str(python), "-m", "pip", "install", "--quiet", *self.packages]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode:
                raise OSError((run.stderr.strip().splitlines() or ["no message"])[-1])
            done.touch()
        return python

    def measure(self, table: RealTable) -> list[tuple[float, float]]:
        """The accuracy and AUC of each split."""
        python = self.python()
        given = {f"train{i}": train for i, (train, _) in enumerate(splits(table, SPLITS))}
        given |= {f"test{i}": test for i, (_, test) in enumerate(splits(table, SPLITS))}
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file, matrix=features(table), y=table.labels, splits=SPLITS, **given)
            file.flush()
            script = Path(__file__).with_name("real_table_peer.py")
            command = [str(python), str(script), file.name, self.name, str(EPSILON)]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            raise OSError((run.stderr.strip().splitlines() or ["no message"])[-1])
        return [
            (float(one), float(two))
            for one, two in (row.split() for row in run.stdout.splitlines())
        ]


FOREIGN = (
    Peer(
        "DP-EBM",
        ("interpret-core==0.6.3", "scikit-learn<1.6", "numpy<2.3", "dill"),
        "features of 0 and 1, as ours are cut",
        "1e-6",
        "one row, as its authors say; its documentation names no relation",
    ),
    Peer(
        "diffprivlib",
        ("diffprivlib==0.6.6", "scikit-learn<1.6", "scipy<1.16", "numpy<2.3"),
        "features of 0 and 1, a bound on their norm",
        "0",
        "one row replaced, objective perturbation of logistic regression",
    ),
)


def ours(table: RealTable, kind: str) -> list[tuple[float, float]]:
    """The accuracy and AUC of each split."""
    columns, names = list(table.columns.values()), list(table.columns)
    found = []
    for seed, (train, test) in enumerate(splits(table, SPLITS)):
        model = (
            PrivateRuleListClassifier(
                EPSILON, columns=columns, score_share="best", support_share="1/5", random_state=seed
            )
            if kind == "best"
            else PrivateNaiveBayesClassifier(EPSILON, columns=columns, random_state=seed)
        )
        model.fit(as_records(table.entries[train], names), table.labels[train])
        rows, truth = as_records(table.entries[test], names), table.labels[test]
        right = float(np.mean(model.predict(rows) == truth))
        found.append((right, float(roc_auc_score(truth, model.decision_function(rows)))))
    return found


def main(*flags: str) -> None:
    """Print the table; ``--peers`` measures others, too."""
    print("| table | learner | accuracy | AUC | declared | delta | neighbours |\n|" + "---|" * 7)
    for table in tables((titanic, german, breast_cancer)):
        for kind in ("best", "naive Bayes"):
            _line(
                table.name, kind, ours(table, kind), "cut points, categories", "0", "one replaced"
            )
        for peer in FOREIGN if "--peers" in flags else ():
            try:
                found = peer.measure(table)
            except OSError as problem:
                print(f"| {table.name} | {peer.name} | left out: {problem} | | | | |", flush=True)
                continue
            _line(table.name, peer.name, found, peer.declared, peer.delta, peer.neighbours)


def _line(table: str, learner: str, found: list[tuple[float, float]], *said: str) -> None:
    right, area = (median(each) for each in zip(*found, strict=True))
    print(f"| {table} | {learner} | {right:.3f} | {area:.3f} | {' | '.join(said)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
