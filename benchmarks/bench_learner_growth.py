"""Growth of the time of every learner in the number of concepts N and of rounds or rows T.

``python -m benchmarks learner_growth`` measures processor time at doublings of N and T, keeps the
seconds in benchmarks/numbers/learner-growth.json, and writes a table of docs/which-learner.md. The
exponent is the slope of a line through the logarithms, by least squares. Seconds that are kept are
not measured again. ``--written`` only writes the table.

The time of a game is the time of `play`, and of a batch learner the time of `fit`. The choice of
parameters is not included. Each learner and axis has a process, which ends after `LIMIT` seconds.
"""

from __future__ import annotations

import math
import signal
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

import catalog
from benchmarks.kept import DOCS, Kept
from benchmarks.own_process import in_own_process
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.pac.entries import BATCH_LEARNERS
from learners.papers.coverage import marked
from learners.playing.adversaries import adversary
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import as_learner
from learners.playing.play import play
from learners.trials import ComparisonSetting, _learner, _population
from lsclasses.errors import LsclassesError
from lsclasses.markdown import fill_markdown

PAGE = DOCS / "which-learner.md"
LIMIT = 12
"""Seconds of processor time of a learner on an axis."""
FEWEST = 3
"""Number of measured sizes from which an exponent is fitted."""
SHORTEST = 0.2
"""Runs that take fewer seconds are repeated, because the clock of a processor is coarse."""
FIXED, ROWS = 200, 2000
"""Number of rounds and of rows, while N grows."""
ROUNDS = (500, 1000, 2000, 4000)
SAMPLES = (2000, 4000, 8000, 16000)
LISTED, CLOSED = "cube:n={}", "thresholds:n=2^{}"
FROM = "thresholds:n=2^20"
"""The class, while T grows."""
AXES: dict[str, tuple[int, ...]] = {
    "N, listed": (13, 14, 15, 16, 17),
    "N, closed form": (40, 41, 42, 43, 44),
    "T": (0, 1, 2, 3),
}
"""The sizes: binary logarithms of N, or positions in `ROUNDS` and `SAMPLES`."""

Seconds = list[float]


def spec_of(axis: str, size: int) -> str:
    """The class of a measurement."""
    if axis == "T":
        return FROM
    return (LISTED if axis == "N, listed" else CLOSED).format(size)


def seconds(kind: str, name: str, axis: str) -> tuple[Seconds, str]:
    """Seconds at each size that was reached, and the reason why no further size was measured."""
    found: Seconds = []

    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        for size in AXES[axis]:
            found.append(once(kind, name, axis, size))
    except TimeoutError:
        return found, "stopped"
    except (LsclassesError, MemoryError) as error:
        return found, f"refuses: {error}"
    return found, ""


def once(kind: str, name: str, axis: str, size: int) -> float:
    """Seconds of a game, or of a sample."""
    spec = spec_of(axis, size)
    C = catalog.build(spec)
    if axis == "N, listed":
        C = C.to_table()
    online = kind == "online"
    number = (ROUNDS if online else SAMPLES)[size] if axis == "T" else FIXED if online else ROWS
    budget = Budget(Fraction(1), Fraction(1, 10**6))
    question = ComparisonSetting(
        spec, C, budget, number, number, "random", range(1), 0, specified=axis != "N, listed"
    )
    if online:
        entry = ONLINE_LEARNERS[name]
        learner, opponent = as_learner(_learner(entry, question, number)), adversary("random", C)
        run = partial(play, learner, opponent, number, SeededCoins(1), keep_points=False)
    else:
        batch = BATCH_LEARNERS[name].learner(C, number, **question.options(BATCH_LEARNERS[name]))
        law = _population(C, 1)
        run = partial(batch.fit, law.distribution.sample_seeded(number, 1), SeededCoins(1))
    spent = timed(run, 1)
    if spent > SHORTEST:
        return spent
    # The first run also builds the parts that a learner keeps, such as transposed tables.
    runs = min(100, int(SHORTEST / max(spent, 0.002)) + 1)
    return timed(run, runs) / runs


def timed(run: Callable[[], object], runs: int) -> float:
    """Seconds of several runs."""
    before = time.process_time()
    for _ in range(runs):
        run()
    return time.process_time() - before


def exponent(axis: str, kind: str, spent: Sequence[float]) -> float:
    """The slope of log seconds against log size."""
    sizes = [float(size) for size in AXES[axis][: len(spent)]]
    slope = np.polyfit(sizes, [math.log2(max(each, 1e-6)) for each in spent], 1)[0]
    return round(float(slope), 1) + 0.0


def shown(axis: str, kind: str, measured: tuple[Seconds, str] | None) -> str:
    """The exponent, and the seconds at the largest size."""
    if measured is None:
        return "stopped"
    spent, why = measured
    if len(spent) < FEWEST:
        return "refuses" if why.startswith("refuses") else "stopped"
    return f"{exponent(axis, kind, spent):.1f} ({spent[-1]:.2g} s{' *' * (why == 'stopped')})"


def table(kept: Kept, *, measure: bool) -> str:
    heads = ["learner", "T", "N, listed", "N, closed form"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for kind, learners in (("online", ONLINE_LEARNERS), ("sample", BATCH_LEARNERS)):
        for name in learners:
            row = [f"`{'run' if kind == 'online' else 'pac'} {name}`"]
            for axis in heads[1:]:
                job = partial(in_own_process, seconds, kind, name, axis)
                if measure or f"{kind}, {name}, {axis}" in list(kept):
                    row.append(shown(axis, kind, kept.get(kind, name, axis, measured=job)))
                else:
                    row.append("not measured")
            print("| " + " | ".join(row) + " |", flush=True)
            lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def main(*flags: str) -> None:
    text = table(Kept("learner-growth"), measure="--written" not in (*flags, *sys.argv))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(marked(page, "growth", fill_markdown(text)), encoding="utf-8")


if __name__ == "__main__":
    main()
