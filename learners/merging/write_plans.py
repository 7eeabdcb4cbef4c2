"""Search for the stored plans again: ``python -m learners.merging.write_plans FILE``.

FILE is usually ``learners/merging/plans.toml``. The search starts from the plans of the file, and
keeps the better plan for each entry. With ``--trials N`` each search changes N random shares.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path
from typing import Any

from learners.concentration import FAILURE
from learners.merging import planner
from learners.merging.plan import MergingPlan

DELTA = Fraction(1, 10**6)
EPSILONS = (Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8))
ROUNDS = tuple(10**exponent for exponent in range(4, 10))
USUAL = 10**6
"""Number of rounds of the stored plans for an epsilon other than 1."""

ASKED = tuple(
    (dimension, rounds, epsilon, DELTA, FAILURE)
    for dimension in planner.DIMENSIONS
    for rounds, epsilon in (
        *((USUAL, epsilon) for epsilon in EPSILONS),
        *((rounds, Fraction(1)) for rounds in ROUNDS if rounds != USUAL),
    )
)
"""Dimension, rounds, epsilon, delta and failure probability of the stored plans."""


def _inline(value: Any) -> str:
    """Return a value in TOML."""
    if isinstance(value, dict):
        entries = (f"{name} = {_inline(each)}" for name, each in value.items())
        return f"{{ {', '.join(entries)} }}"
    if isinstance(value, list):
        return f"[\n{''.join(f'    {_inline(each)},' + chr(10) for each in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def plan_lines(plan: MergingPlan, table: str) -> list[str]:
    """Return the lines of a plan in TOML, with the heading of its table in the line before."""
    data = plan.to_json()
    parameters = data.pop("parameters")
    proofs, levels = data.pop("proofs"), parameters.pop("levels")
    lines = [f"{name} = {_inline(value)}" for name, value in data.items()]
    lines += [f"proofs = {_inline(proofs)}", f"[{table}.parameters]"]
    lines += [f"{name} = {_inline(value)}" for name, value in parameters.items()]
    return [*lines, f"levels = {_inline(levels)}"]


def text(plans: list[MergingPlan]) -> str:
    """Return the file of the stored plans."""
    lines = [
        "# Plans of MergingSOA, found by python -m learners.merging.write_plans.",
        "# MergingPlan checks a plan when it is read.",
    ]
    for plan in plans:
        lines += ["", "[[plan]]", f"# mistakes <= {plan.bound}", *plan_lines(plan, "plan")]
    return "\n".join(lines) + "\n"


def write(path: Path, trials: int) -> None:
    """Write the best plan of the file and of a new search, for every entry."""
    known = {
        (
            plan.parameters.dimension,
            plan.parameters.rounds,
            plan.epsilon,
            plan.delta,
            plan.failure,
        ): plan
        for plan in planner.stored_plans()
    }
    for asked in ASKED:
        start = known.get(asked) or planner.nearest_plan(*asked)
        found = planner.search_plan(asked, start, trials)
        if asked not in known or found.bound < known[asked].bound:
            known[asked] = found
        print(*map(str, asked), known[asked].bound, flush=True)
        path.write_text(text([known[each] for each in ASKED if each in known]), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--trials", type=int, default=3000)
    given = parser.parse_args()
    write(given.file, given.trials)
