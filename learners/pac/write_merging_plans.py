"""Search for the stored plans again: ``python -m learners.pac.write_merging_plans FILE``.

FILE is usually ``learners/pac/merging_plans.toml``. The search starts from the plans of
`learners.merging.planner` and keeps the better plan for each dimension.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

from learners.budget import Budget
from learners.concentration import FAILURE
from learners.merging.planner import DIMENSIONS
from learners.merging.write_plans import DELTA, plan_lines
from learners.pac.merging_plans import MergingRowPlan, search_row_plan, stored_row_plans

ALPHA = Fraction(1, 10)


def text(plans: list[MergingRowPlan]) -> str:
    """Return the file of the stored plans."""
    lines = [
        "# Plans of MergingSampleLearner, found by python -m learners.pac.write_merging_plans."
    ]
    for each in plans:
        lines += ["", "[[plan]]", f"# {each.rows} rows"]
        lines += [f'{name} = "{getattr(each, name)}"' for name in ("alpha", "beta", "test_failure")]
        lines += ["[plan.plan]", *plan_lines(each.plan, "plan.plan")]
    return "\n".join(lines) + "\n"


def write(path: Path, trials: int) -> None:
    """Write the best plan of the file and of a new search, for every dimension."""
    known = {each.plan.parameters.dimension: each for each in stored_row_plans()}
    for dimension in DIMENSIONS:
        start = known[dimension].plan if dimension in known else None
        found = search_row_plan(
            dimension, Budget(Fraction(1), DELTA), ALPHA, FAILURE, start=start, trials=trials
        )
        if dimension not in known or found.rows < known[dimension].rows:
            known[dimension] = found
        print(dimension, known[dimension].rows, flush=True)
        path.write_text(text([known[d] for d in DIMENSIONS if d in known]), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--trials", type=int, default=1500)
    given = parser.parse_args()
    write(given.file, given.trials)
