"""Bounds on the mistakes of the merging learner, the table of which-learner.md, and a figure.

``python -m benchmarks merging`` prints the bounds, the largest numbers of mistakes of simulated
games, and the table, and draws docs/merging.svg. The targets of the games are sets of d points. The
adversary observes the published hypothesis and presents a random point of the target at which it
errs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import catalog
from benchmarks.kept import Kept, write
from learners import plots
from learners.budget import Budget
from learners.merging.algorithm import MergingSOA
from learners.merging.evidence.games import mixed_game
from learners.merging.planner import plan_for
from lsclasses.figures import series_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DELTA = Fraction(1, 10**6)
ROUNDS = [10**power for power in range(4, 10)]
EPSILONS = [Fraction(1, 10), Fraction(1, 2), *map(Fraction, (1, 2, 4, 8))]
GAMES = {2: 100, 3: 20}
SIMULATED = [Fraction(epsilon) for epsilon in (2, 4, 8)]
MARKERS = {2: "_", 3: "x"}
COLORS = {2: "orange", 3: "blue", 4: "green"}


def bound(dimension: int, rounds: int, epsilon: Fraction) -> int:
    """Return the proved bound on the mistakes."""
    return plan_for(dimension, rounds, Budget(epsilon, DELTA)).bound


def most_mistakes(dimension: int, epsilon: Fraction) -> int:
    """Return the largest number of mistakes of the simulated games."""
    C = catalog.build(f"at-most:n={dimension + 2},k={dimension}")
    learner = MergingSOA.of_plan(C, plan_for(dimension, 10**6, Budget(epsilon, DELTA)))
    points = tuple(range(dimension))
    return max(mixed_game(learner, points, seed) for seed in range(GAMES[dimension]))


def bounds() -> Figure:
    """Bounds against the rounds at epsilon 1, and against epsilon in 10^6 rounds."""
    kept = Kept("merging")
    drawn, panels = plots.figure(2, 4.2, one_scale=True)
    settings = [[(T, Fraction(1)) for T in ROUNDS], [(10**6, epsilon) for epsilon in EPSILONS]]
    for ax, points, axis in zip(panels, settings, (0, 1), strict=True):
        x = [float(each[axis]) for each in points]
        for dimension, color in COLORS.items():
            values = [
                kept.get(dimension, *each, measured=partial(bound, dimension, *each))
                for each in points
            ]
            ax.plot(x, values, label=f"merging, d = {dimension}", **series_style(color))
        ax.set(xscale="log", yscale="log", xlabel=("rounds T", "epsilon")[axis])
    for dimension in GAMES:
        found = [
            kept.get("games", dimension, e, measured=partial(most_mistakes, dimension, e))
            for e in SIMULATED
        ]
        style = f"k{MARKERS[dimension]}"
        label = f"most mistakes of games, d = {dimension}"
        panels[1].plot([float(e) for e in SIMULATED], found, style, label=label)
    panels[0].plot(ROUNDS, ROUNDS, color="0.5", label="T, from which a bound is vacuous")
    panels[0].set_ylabel("bound on mistakes")
    panels[0].set_title("epsilon = 1", fontsize="medium")
    panels[1].set_title("T = 10^6", fontsize="medium")
    plots.common_legend(drawn, panels, columns=2)
    return drawn


FIGURES = {"merging": bounds}


def main() -> None:
    for dimension in COLORS:
        for epsilon in EPSILONS:
            print(f"d = {dimension}, epsilon {epsilon}: bound {bound(dimension, 10**6, epsilon)}")
    for dimension, games in GAMES.items():
        for epsilon in SIMULATED:
            most = most_mistakes(dimension, epsilon)
            print(f"d = {dimension}, epsilon {epsilon}: at most {most} mistakes in {games} games")
    write(FIGURES)


if __name__ == "__main__":
    main()
