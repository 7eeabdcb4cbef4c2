"""Flagged share and time of audits on mechanisms of the literature, with StatDP for comparison.

The mechanisms claim epsilon = 1 (`tests/learners/audit/controls.py`). This project enumerates them.
StatDP (Ding et al. 2018, package ``pystatdp``) samples them and flags a mechanism if its p-value is
below 0.05. It runs if it is installed. A correct audit flags all incorrect mechanisms and no
correct mechanism.
"""

from __future__ import annotations

import random
import time
from fractions import Fraction
from typing import Any

import numpy as np

from learners.audit import program
from learners.coins import SeededCoins
from lsclasses.verdicts import Verdict
from tests.learners.audit.controls import CONTROLS, EPSILON, Control

RESOLUTION = Fraction(1, 1000)
CODES = {"below": 0.0, "above": 1.0}
EVENT_RUNS, TEST_RUNS = 1_000, 4_000
SIGNIFICANT = 0.05
MOST_QUERIES = 4


def numeric_output(queries: np.ndarray, epsilon: float, number: int) -> Any:
    """Run a control as StatDP runs it: with an array of queries, and with a number or numbers."""
    control = CONTROLS[number]
    example = control.pair[0]
    data: Any = queries[0].item()
    if isinstance(example, tuple):
        data = tuple(type(example[0])(each) for each in queries)
    given = random.Random() if control.source == "random" else SeededCoins(None)
    output = control.run(data, given)
    if not isinstance(output, tuple):
        return float(output)
    numbers = [CODES[each] if isinstance(each, str) else float(each) for each in output]
    return tuple(numbers + [-1.0] * (len(queries) - len(numbers)))


def flagged_by_statdp(control: Control) -> bool | None:
    """Return whether StatDP flags a control, or None if it cannot run."""
    import pystatdp

    pair = tuple(np.atleast_1d(np.array(data)) for data in control.pair)
    if len(pair[0]) != len(pair[1]) or len(pair[0]) > MOST_QUERIES:
        return None  # StatDP needs inputs of one length, and searches all events of their outputs.
    try:
        [(_, p_value, *_)] = pystatdp.pystatdp().detect_counterexample(
            numeric_output,
            float(EPSILON),
            default_kwargs={"epsilon": float(EPSILON), "number": CONTROLS.index(control)},
            databases=pair,
            event_iterations=EVENT_RUNS,
            detect_iterations=TEST_RUNS,
            cores=1,
            quiet=True,
            loglevel=30,
        )
    except (ValueError, TypeError, IndexError):
        return None
    return bool(p_value < SIGNIFICANT)


def main() -> None:
    """Print the table."""
    try:
        import pystatdp
    except ImportError:
        pystatdp = None
    print("| mechanism | private | this project | seconds | StatDP | seconds |")
    print("|---|---|---|---|---|---|")
    right: dict[str, list[bool]] = {"this project": [], "StatDP": []}
    for control in CONTROLS:
        before = time.process_time()
        found = program(
            control.run,
            control.pair,
            "all",
            source=control.source,  # type: ignore[arg-type]
            tail=Fraction(1, 2**18),
            depth=24,
        ).against((EPSILON, 0), resolution=RESOLUTION)
        ours, spent = found.verdict == Verdict.VIOLATED, time.process_time() - before
        right["this project"].append(ours != control.private)
        theirs, other = None, ""
        if pystatdp is not None:
            before = time.perf_counter()
            theirs = flagged_by_statdp(control)
            other = f"{time.perf_counter() - before:.1f}"
            if theirs is not None:
                right["StatDP"].append(theirs != control.private)
        words = {True: "flagged", False: "passed", None: "does not run"}
        print(
            f"| {control.name} | {'yes' if control.private else 'no'} | {words[ours]} | "
            f"{spent:.1f} | {words[theirs]} | {other} |",
            flush=True,
        )
    for name, verdicts in right.items():
        if verdicts:
            print(f"\n{name}: {sum(verdicts)} of {len(verdicts)} verdicts are right.")
