"""Agnostic private online learning, all ways side by side: regret against T.

``python -m benchmarks agnostic_online`` says from which T on the bounds on the regret say
something, plays the games that are not kept, and draws docs/agnostic-online-regret.svg. Points are
uniform, labelled by a random concept, a tenth of the labels flipped. Each learner is played up to a
T, set by hand, at which that takes minutes; where a bound is T or more, which every learner has,
its curve is dashed.

The baseline is Hedge over the class, which is not private. A learner to compare is one more line of
`LEARNERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from statistics import median
from textwrap import fill
from typing import TYPE_CHECKING, Any

import catalog
from benchmarks.kept import Kept, write
from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.agnostic import agnostic_experts
from learners.experts.batched_online import SanitizedOnline
from learners.experts.hedge import DPHedge, Hedge
from learners.playing.adversaries import Noisy, RandomConcept
from learners.playing.expert_sources import experts_of
from learners.playing.play import play
from lsclasses.figures import REFERENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DELTA = Fraction(1, 10**6)
SPECIFICATION = "at-most:n=8,k=1"
BUDGETS = (4, 16)
HORIZONS = tuple(10**k for k in range(3, 9))
GAMES = tuple(10**k for k in range(3, 6))
SEVERAL = 10**4
"""The most rounds of which three games are played, and the median taken; of longer ones, one."""

Made = Callable[[Any, int, Fraction], Any]
LEARNERS: dict[str, tuple[Made, int]] = {
    "SanitizedOnline": (
        lambda C, T, epsilon: SanitizedOnline.within(
            Budget(epsilon, DELTA), C, T, composition="zcdp"
        ),
        10**5,
    ),
    "constructed experts": (
        lambda C, T, epsilon: agnostic_experts(C, T, Budget(epsilon, DELTA), composition="zcdp"),
        10**4,
    ),
    "DPHedge over the class": (
        lambda C, T, epsilon: DPHedge.within(
            Budget(epsilon, DELTA), experts_of(C), T, composition="zcdp"
        ),
        10**5,
    ),
    "Hedge, not private": (lambda C, T, epsilon: Hedge(experts_of(C), T), 10**5),
}
"""How a learner is made for a class, so many rounds and a budget; up to which T it is played."""


def bound(made: Made, rounds: int, epsilon: Fraction) -> float | None:
    """The bound on the expected regret."""
    learner = made(catalog.build(SPECIFICATION), rounds, epsilon)
    value = next(each for each in learner.bounds if each.quantity == "expected regret").value
    return None if value is None else float(value)


def regret(made: Made, rounds: int, epsilon: Fraction) -> float:
    """The median regret of games."""
    C = catalog.build(SPECIFICATION)
    opponent = Noisy(RandomConcept(C), Fraction(1, 10))
    games = [
        play(made(C, rounds, epsilon), opponent, rounds, SeededCoins(seed), keep_points=False)
        for seed in range(3 if rounds <= SEVERAL else 1)
    ]
    return median(float(game.regret or 0) for game in games)


def curve(ax: Any, name: str, bounds: dict[int, float | None]) -> None:
    """The bounds, dashed where they are vacuous."""
    stated = [(T, value) for T, value in bounds.items() if value is not None]
    style = plots.learner_style(name, linestyle=":", fillstyle="none", linewidth=1)
    ax.plot(*zip(*stated, strict=True), **style)
    useful = [(T, value) for T, value in stated if value < T]
    if useful:
        ax.plot(*zip(*useful, strict=True), **style | {"linestyle": "--", "linewidth": 1.5})


def compared() -> Figure:
    """Regret against T, for two budgets."""
    kept = Kept("agnostic-online-regret")
    drawn, panels = plots.figure(len(BUDGETS), 4.8, one_scale=True)
    print("| epsilon | T | learner | bound | regret of games |\n|---|---|---|---|---|", flush=True)
    for epsilon, ax in zip(BUDGETS, panels, strict=True):
        for name, (made, longest) in LEARNERS.items():
            bounds, found = (
                {
                    T: kept.get(
                        *(name, epsilon, T, what.__name__),
                        measured=partial(what, made, T, Fraction(epsilon)),
                    )
                    for T in rounds
                }
                for what, rounds in (
                    (bound, HORIZONS),
                    (regret, GAMES[: GAMES.index(longest) + 1]),
                )
            )
            curve(ax, name, bounds)
            for T, value in found.items():
                says = bounds[T] is not None and bounds[T] < T
                text = f"{bounds[T]:.0f}" if says else "vacuous"
                print(f"| {epsilon} | {T} | {name} | {text} | {value:.0f} |", flush=True)
            regrets = [max(1, each) for each in found.values()]
            style = plots.learner_style(name, linestyle="-")
            ax.plot(list(found), regrets, label=fill(name, 22), **style)
        ax.plot(HORIZONS, HORIZONS, "-.", color=REFERENCE, lw=1, label="T")
        for style, text in (
            ({"linestyle": "--", "fillstyle": "none"}, "bound"),
            ({"linestyle": ":", "fillstyle": "none"}, "bound, vacuous"),
            ({"linestyle": "-"}, "median of games"),
        ):
            ax.plot([], [], color=REFERENCE, marker="o", label=text, **style)
        ax.set(xscale="log", yscale="log", xlabel="rounds T")
        ax.set_title(f"epsilon = {epsilon}", fontsize="medium")
    panels[0].set_ylabel("regret")
    plots.common_legend(drawn, panels)
    drawn.suptitle(
        f"Regret on {SPECIFICATION}, delta = 10^-6,\na tenth of the labels flipped",
        fontsize="medium",
    )
    return drawn


FIGURES = {"agnostic-online-regret": compared}


def main() -> None:
    write(FIGURES)


if __name__ == "__main__":
    main()
