"""The figures of the documentation, written to docs/; the same command gives the same files."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

import catalog
from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.playing.adversaries import Repeating
from learners.playing.play import play
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.soa import ConservativeSOA

DOCS = Path(__file__).parents[1] / "docs"
GAMES = 5


def pop_points() -> None:
    """POP on 2^64 point functions: what a privacy budget costs in mistakes."""
    rounds, delta = 100_000, Fraction(1, 10**6)
    C = catalog.build("points:n=2^64")
    drawn, (left, right) = plots.figure(2, 7, rows=2)
    for epsilon in (4, 8, 16):
        learner = POP(ConservativeSOA(C), POPParameters.within(Budget(epsilon, delta), rounds))
        games = [
            play(
                learner,
                Repeating(C),
                rounds,
                SeededCoins(seed),
                diagnostics=rounds // 200,
            )
            for seed in range(GAMES)
        ]
        label = f"epsilon = {epsilon}, {learner.parameters.copies} copies"
        plots.mistakes(games, ax=left, label=label, bounds=False)
        plots.disagreement(games, ax=right, label=label)
        counts = [sorted(getattr(each, name) for each in games) for name in ("mistakes", "reports")]
        shown = " | ".join(f"{count[0]} to {count[-1]}" for count in counts)
        print(f"| {epsilon} | {learner.parameters.copies} | {shown} |", flush=True)
    drawn.suptitle(
        "POP over the SOA on 2^64 point functions, delta = 10^-6,\n"
        f"against the repeating adversary; median of {GAMES} games, band from 10 % to 90 %",
        fontsize="medium",
    )
    plots.save(drawn, DOCS / "pop-points.svg")


def main() -> None:
    print("| epsilon | copies | mistakes | reports |\n|---|---|---|---|")
    before = time.perf_counter()
    pop_points()
    print(f"\n{GAMES} games each, in {time.perf_counter() - before:.0f} s; docs/pop-points.svg")


if __name__ == "__main__":
    main()
