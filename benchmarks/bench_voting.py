"""Bounds on the mistakes of private learners at Littlestone dimension 1, and a figure.

``python -m benchmarks voting`` prints the number of mistakes that 5% of the games of the voting
learner exceed, and draws docs/voting.svg. The class has one concept for each of 2^64 points. The
adversary repeats a point until the learner labels it right, so the games attain the exact
distribution of the number of mistakes of the learner.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import catalog
from benchmarks.kept import Kept, write
from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.playing.adversaries import Repeating
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import as_learner
from learners.playing.play import play
from learners.voting.algorithm import VotingLearner
from lsclasses.figures import series_style
from lsclasses.soa import SOA

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DELTA = Fraction(1, 10**6)
ROUNDS = [10**power for power in range(3, 10)]
EPSILONS = [Fraction(1, 10), Fraction(1, 5), Fraction(1, 2), *map(Fraction, (1, 2, 4, 8))]
GAMES = 200
LINES = {
    "voting, every size": ("wine", "voting", "points:n=2^64"),
    "layered-soa, every size": ("blue", "layered-soa", "points:n=2^64"),
    "sparse-experts, 2 concepts": ("sky", "sparse-experts", "points:n=2"),
    "sparse-experts, 10^3 concepts": ("purple", "sparse-experts", "points:n=1000"),
    "sparse-experts, 2^64 concepts": ("vermilion", "sparse-experts", "points:n=2^64"),
}
"""Curves of the figure: the colour, the learner and the class."""


def bound(name: str, spec: str, rounds: int, epsilon: Fraction) -> int:
    """Return the proved bound on the mistakes or the regret."""
    learner = as_learner(ONLINE_LEARNERS[name].learner(spec, rounds, epsilon=epsilon, delta=DELTA))
    value = learner.bounds[0].value
    assert value is not None
    return int(value)


def usual_mistakes(rounds: int, epsilon: Fraction) -> int:
    """Return a number of mistakes that at most 5% of the games of the voting learner exceed."""
    C = catalog.build("points:n=2^64")
    learner = VotingLearner.within(Budget(epsilon, DELTA), SOA(C), rounds)
    long = 3 * learner.parameters.threshold
    found = sorted(
        play(learner, Repeating(C), min(long, rounds), SeededCoins(seed)).mistakes
        for seed in range(GAMES)
    )
    return found[GAMES - 1 - GAMES // 20]


def bounds() -> Figure:
    """Bounds against the rounds at epsilon 1, and against epsilon in 10^6 rounds."""
    kept = Kept("voting")
    drawn, panels = plots.figure(2, 4.2, one_scale=True)
    settings = [[(T, Fraction(1)) for T in ROUNDS], [(10**6, epsilon) for epsilon in EPSILONS]]
    for ax, points, axis in zip(panels, settings, (0, 1), strict=True):
        x = [float(each[axis]) for each in points]
        for label, (color, name, spec) in LINES.items():
            values = [
                kept.get(name, spec, *each, measured=partial(bound, name, spec, *each))
                for each in points
            ]
            ax.plot(x, values, label=label, **series_style(color))
        found = [kept.get("games", *p, measured=partial(usual_mistakes, *p)) for p in points]
        ax.plot(x, found, "k_", label=f"voting, 95% of {GAMES} games")
        ax.set(xscale="log", yscale="log", xlabel=("rounds T", "epsilon")[axis])
    panels[0].set_ylabel("bound on mistakes")
    panels[0].set_title("epsilon = 1", fontsize="medium")
    panels[1].set_title("T = 10^6", fontsize="medium")
    plots.common_legend(drawn, panels, columns=2)
    return drawn


FIGURES = {"voting": bounds}


def main() -> None:
    for power in range(4, 10):
        counters = 10**power, Fraction(1)
        print(
            f"T = 10^{power}: bound {bound('voting', 'points:n=2^64', *counters)}, "
            f"games {usual_mistakes(*counters)}"
        )
    write(FIGURES)


if __name__ == "__main__":
    main()
