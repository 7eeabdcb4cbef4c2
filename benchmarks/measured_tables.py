"""Results of `lsclasses learn try` without a file: a summary of the stored benchmark results.

``python -m benchmarks.measured_tables`` writes the summary into the package.
"""

from __future__ import annotations

import json
from statistics import fmean

from benchmarks.kept import FOLDER
from learners.tables.measured import FILE

ACCURACIES = FOLDER / "accuracy-tables.json"
REAL_TABLES = FOLDER.with_name("real_tables.json")
LEARNERS = {
    "best": "best",
    "rules": "rules",
    "naive Bayes": "naive-bayes",
    "covering list, delta": "decision-list",
    "logistic regression": "logistic",
}
"""Names of learners on the command line, by their names in the stored results."""
EPSILON_1 = 1
"""Place of epsilon 1 among the measured epsilons 0.5, 1 and 4."""

Summary = dict[str, dict[str, dict[str, float]]]


def summary() -> Summary:
    """Return the measures by table and by learner, rounded to four digits."""
    accuracies = json.loads(ACCURACIES.read_text(encoding="utf-8"))
    real = json.loads(REAL_TABLES.read_text(encoding="utf-8"))
    found: Summary = {}
    for table in dict.fromkeys([*accuracies, *real]):
        bands, scores = accuracies.get(table, {}), real.get(table, {})
        learners = {}
        for stored, name in LEARNERS.items():
            measures = {}
            if stored in bands:
                _, median, _ = bands[stored][EPSILON_1]
                measures["median accuracy"] = round(median, 4)
            if stored in scores:
                for measure in ("accuracy", "AUC"):
                    measures[f"mean {measure}"] = round(fmean(scores[stored][measure]), 4)
            if measures:
                learners[name] = measures
        found[table] = learners
    return found


def toml_text(found: Summary) -> str:
    """Return the summary as TOML."""
    lines = ["# Written by 'python -m benchmarks.measured_tables'."]
    for table, learners in found.items():
        lines += ["", f"[{json.dumps(table)}]"]
        for learner, measures in learners.items():
            entries = ", ".join(f"{json.dumps(name)} = {value}" for name, value in measures.items())
            lines.append(f"{learner} = {{ {entries} }}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(toml_text(summary()), encoding="utf-8")
