"""POP on 2^64 point functions: what a privacy budget costs in mistakes; with a figure in docs."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import catalog
from benchmarks.kept import Kept, band, summary, write
from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.playing.adversaries import Repeating
from learners.playing.play import play
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.soa import ConservativeSOA

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES, ROUNDS, EVERY = 5, 100_000, 500


def measured(learner: Any, opponent: Any) -> dict[str, Any]:
    """Mistakes and reports of the games; and mistakes and disagreement every `EVERY` rounds."""
    games = [
        play(learner, opponent, ROUNDS, SeededCoins(seed), diagnostics=EVERY)
        for seed in range(GAMES)
    ]
    at = np.arange(EVERY, ROUNDS + 1, EVERY)
    ones = np.array([game.secret["ones"] for game in games])
    return {
        "mistakes": [game.mistakes for game in games],
        "reports": [game.reports for game in games],
        "mistakes by rounds": summary([game.curve("mistakes")[at - 1] for game in games]),
        "minority by rounds": summary(np.minimum(ones, 1 - ones)),
    }


def points() -> Figure:
    """Mistakes and disagreement by rounds, for three budgets."""
    delta, kept = Fraction(1, 10**6), Kept("pop-points")
    C = catalog.build("points:n=2^64")
    across = range(EVERY, ROUNDS + 1, EVERY)
    print("| epsilon | copies | mistakes | reports |\n|---|---|---|---|")
    drawn, (left, right) = plots.figure(2, 6.4, rows=2)
    for epsilon in (4, 8, 16):
        learner = POP(ConservativeSOA(C), POPParameters.within(Budget(epsilon, delta), ROUNDS))
        found = kept.get(epsilon, measured=partial(measured, learner, Repeating(C)))
        label = f"epsilon = {epsilon}, {learner.parameters.copies} copies"
        band(left, across, found["mistakes by rounds"], label)
        band(right, across, found["minority by rounds"], label)
        shown = " | ".join(f"{min(found[n])} to {max(found[n])}" for n in ("mistakes", "reports"))
        print(f"| {epsilon} | {learner.parameters.copies} | {shown} |", flush=True)
    left.set(ylabel="mistakes", ylim=(0, None))
    right.set(ylabel="minority share of copies", ylim=(0, 0.5))
    for ax in (left, right):
        ax.set_xlabel("round")
        plots.whole_ticks(ax, y=ax is left)
    plots.common_legend(drawn, (left, right), columns=1)
    drawn.suptitle(
        "POP on 2^64 point functions, delta = 10^-6,\n"
        f"repeating adversary, median of {GAMES} games",
        fontsize="medium",
    )
    return drawn


FIGURES = {"pop-points": points}


def main() -> None:
    write(FIGURES)


if __name__ == "__main__":
    main()
