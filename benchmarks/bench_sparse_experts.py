"""Mistakes and bounds of SparseVectorExperts by both of its rules at epsilon = 1, and a figure.

Twenty games by the sharp rule and four by the cautious one. One adversary draws a concept and
random points; the other, `repeating`, repeats a point until the learner labels it rightly. It sees
the published hypotheses, so the bound does not apply to it.

docs/experts-perfect.svg shows it beside the other private learners, on random losses of which one
expert has none.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

import catalog
from benchmarks.kept import Kept, write
from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.experts.sparse import Rule, SparseVectorExperts
from learners.playing.adversaries import RandomConcept, Repeating
from learners.playing.expert_sources import LossVectors, experts_of
from learners.playing.loss_adversaries import RandomLosses
from learners.playing.play import play
from lsclasses.figures import REFERENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUNDS = 20_000
BUDGET = Budget(1, Fraction(1, 10**6))
SPECS = ("thresholds:n=1023", "points:n=1000", "thresholds:n=7")
SEEDS = {"sharp": range(20), "cautious": range(4)}
EXPERTS, GAMES = 100, 3
BOUNDED = [10**power for power in range(2, 7)]
PLAYED = BOUNDED[:3]
"""The numbers of rounds for which bounds are drawn, and games."""


def measured(spec: str, rule: Rule, adversary: type) -> str:
    """The mean and the most of what games cost."""
    C = catalog.build(spec)
    learner = SparseVectorExperts.within(BUDGET, experts_of(C), ROUNDS, rule=rule)
    games = [
        play(learner, adversary(C), ROUNDS, SeededCoins(seed)).mistakes for seed in SEEDS[rule]
    ]
    bound = learner.bounds[0].value
    return (
        f"| `{spec}` | {rule} | {adversary.__name__} | {len(games)} | "
        f"{sum(games) / len(games):.0f} | {max(games)} | {bound} |"
    )


def bound(made: Callable[[int], Any], rounds: int) -> float:
    """The first bound on the regret, in expectation or not."""
    return float(next(each for each in made(rounds).bounds if "regret" in each.quantity).value or 0)


def loss(made: Callable[[int], Any], rounds: int) -> float:
    """The median loss of games in which one expert has none."""
    learner, perfect = made(rounds), RandomLosses(EXPERTS, best=Fraction(0))
    games = [play(learner, perfect, rounds, SeededCoins(seed)) for seed in range(GAMES)]
    return median(float(each.loss) for each in games)


def beside_others() -> Figure:
    """What private learners lose where one expert is perfect."""
    kept = Kept("experts-perfect")
    drawn, panels = plots.figure(2, 4.2, one_scale=True)
    for epsilon, ax in zip((1, 4), panels, strict=True):
        budget = Budget(Fraction(epsilon), Fraction(1, 10**6))
        for kind in (DPHedge, ShrinkingDartboard, SparseVectorExperts):
            made = partial(kind.within, budget, LossVectors(EXPERTS))
            bounds, losses = (
                [
                    kept.get(
                        *(kind.__name__, epsilon, T, what.__name__), measured=partial(what, made, T)
                    )
                    for T in rounds
                ]
                for what, rounds in ((bound, BOUNDED), (loss, PLAYED))
            )
            name = kind.__name__
            style = plots.learner_style(name, linestyle="--", fillstyle="none", linewidth=1)
            ax.plot(BOUNDED, bounds, **style)
            style = plots.learner_style(name, linestyle="-")
            ax.plot(PLAYED, [max(1.0, each) for each in losses], label=name, **style)
        ax.plot(BOUNDED, BOUNDED, ":", color=REFERENCE, label="T, loss in every round")
        for style, text in (
            ({"linestyle": "--", "fillstyle": "none"}, "bound"),
            ({"linestyle": "-"}, "random losses"),
        ):
            ax.plot([], [], marker="o", color=REFERENCE, label=text, **style)
        ax.set(xscale="log", yscale="log", xlabel="rounds T")
        ax.set_title(f"epsilon = {epsilon}", fontsize="medium")
    panels[0].set_ylabel("loss")
    plots.common_legend(drawn, panels)
    drawn.suptitle(
        f"{EXPERTS} experts, one of them perfect,\ndelta = 10^-6, median of {GAMES} games",
        fontsize="medium",
    )
    return drawn


FIGURES = {"experts-perfect": beside_others}


def main() -> None:
    print("| class | rule | adversary | games | mean | most | bound |")
    print("|---|---|---|---|---|---|---|")
    for rule in SEEDS:
        for spec in SPECS:
            for adversary in (RandomConcept, Repeating):
                print(measured(spec, rule, adversary), flush=True)
    write(FIGURES)


if __name__ == "__main__":
    main()
