"""Private prediction from experts: how fast it is, and regret against T and epsilon.

``python -m benchmarks experts`` measures the times and draws docs/experts-regret.svg and
docs/experts-epsilon.svg. What games cost is kept; those against T take 35 minutes of processor
time. In these games, zCDP calibrates the rates. Losses are drawn a round at a time: one expert
loses with probability 2/5, all others with 1/2. An adaptive adversary lets the expert lose that was
published last.

The baseline of the times is exponential weights in floating point, which is neither exact nor, on a
real machine, private: one cumulated sum and one uniform number a round, on the same losses.
"""

from __future__ import annotations

import time
from fractions import Fraction
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.kept import Kept, write
from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge, Hedge
from learners.playing.expert_sources import LossVectors
from learners.playing.loss_adversaries import Chasing, RandomLosses
from learners.playing.play import play
from lsclasses.figures import REFERENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DELTA = Fraction(1, 10**6)
EXPERTS = 100
SEEDS = 3
ROUNDS = (10**3, 10**4, 10**5, 10**6)
LONGEST = ROUNDS[-1]
"""Of so many rounds, one game is played."""
EPSILONS = (1, 4, 16)
FILLED = {"full": "random losses", "none": "losses that chase\nthe learner"}
"""Fill styles of the markers of games, with the adversaries."""
PRIVATE = {"DPHedge": DPHedge, "ShrinkingDartboard": ShrinkingDartboard}


def floating(experts: int, rounds: int, rate: float) -> float:
    """Seconds that the same takes with floating point weights."""
    run, rng = RandomLosses(experts).begin(SeededCoins(1)), np.random.default_rng(1)
    totals, before = np.zeros(experts, dtype=np.int64), time.process_time()
    for _ in range(rounds):
        ends = np.exp(-rate * (totals - totals.min())).cumsum()
        int(np.searchsorted(ends, rng.random() * ends[-1]))
        totals += run.losses()
    return time.process_time() - before


def seconds(learner: Any, experts: int) -> float:
    before = time.process_time()
    play(learner, RandomLosses(experts), learner.rounds, SeededCoins(1))
    return time.process_time() - before


def times() -> None:
    print("| learner | experts | rounds | seconds | floating point, no regret counted |")
    print("|---|---|---|---|---|")
    for experts, rounds in ((10**4, 10**5), (10**5, 10**4)):
        hedge = DPHedge.within(
            Budget(Fraction(1), DELTA), LossVectors(experts), rounds, composition="zcdp"
        )
        plain = floating(experts, rounds, float(hedge.rate))
        print(
            f"| `DPHedge` | {experts} | {rounds} | {seconds(hedge, experts):.0f} | {plain:.0f} |",
            flush=True,
        )
    experts, rounds = 10**4, 10**6
    dartboard = ShrinkingDartboard.within(
        Budget(Fraction(1), DELTA), LossVectors(experts), rounds, batch=5, composition="zcdp"
    )
    took = seconds(dartboard, experts)
    print(f"| `ShrinkingDartboard`, batches of 5 | {experts} | {rounds} | {took:.0f} | |")


def made(name: str, rounds: int, epsilon: Fraction | int) -> Any:
    """The learner, with this budget if it is private."""
    if name == "Hedge":
        return Hedge(LossVectors(EXPERTS), rounds)
    budget = Budget(Fraction(epsilon), DELTA)
    return PRIVATE[name].within(budget, LossVectors(EXPERTS), rounds, composition="zcdp")


def bound(*of: Any) -> float:
    """The bound on the expected regret of the learner that is `made`."""
    found = next(each for each in made(*of).bounds if each.quantity == "expected regret")
    return float(found.value or 0)


def regret(adversary: Any, *of: Any) -> float:
    """The median regret of a few games."""
    found, learner = [], made(*of)
    for seed in range(1 if learner.rounds == LONGEST else SEEDS):
        game = play(learner, adversary, learner.rounds, SeededCoins(seed))
        found.append(float(game.regret or 0))
    return median(found)


def played(name: str, epsilon: int, kept: Kept) -> list[list[float]]:
    """The bounds, and the median regrets on random losses and against who chases, printed."""
    found = []
    for T in ROUNDS:
        key, of = (name, "not private" if name == "Hedge" else epsilon, T), (name, T, epsilon)
        row = [kept.get(*key, "bound", measured=partial(bound, *of))]
        for adversary in (RandomLosses(EXPERTS), Chasing(EXPERTS)):
            measured = partial(regret, adversary, *of)
            row.append(kept.get(*key, type(adversary).__name__, measured=measured))
        found.append(row)
        cells = " | ".join(f"{value:.0f}" for value in row)
        print(f"| {T} | `{name}` | {key[1]} | {cells} |", flush=True)
    return found


def against_rounds() -> Figure:
    """Regret against T, for three budgets."""
    kept = Kept("experts-regret")
    drawn, (*panels, free) = plots.figure(4, 5.6, rows=2, one_scale=True)
    print("\n| rounds | learner | epsilon | bound | random losses | chased |")
    print("|---|---|---|---|---|---|")
    for epsilon, ax in zip(EPSILONS, panels, strict=True):
        for name in ("Hedge", *PRIVATE):
            bounds, *regrets = zip(*played(name, epsilon, kept), strict=True)
            ax.plot(ROUNDS, bounds, color=plots.color_of(name))
            for losses, filled in zip(regrets, FILLED, strict=True):
                style = plots.learner_style(name, linestyle="", fillstyle=filled)
                ax.plot(ROUNDS, [max(each, 1) for each in losses], **style)
            ax.plot([], [], label=name, **plots.learner_style(name, linestyle="-"))
        ax.plot(ROUNDS, ROUNDS, ":", color=REFERENCE, label="T, loss in every round")
        ax.plot([], [], color=REFERENCE, label="bound")
        for filled, text in FILLED.items():
            ax.plot([], [], "o", color=REFERENCE, fillstyle=filled, label=text)
        ax.set(xscale="log", yscale="log", xlabel="rounds T")
        ax.set_title(f"epsilon = {epsilon}", fontsize="medium")
    for ax in (panels[0], panels[2]):
        ax.set_ylabel("regret")
    plots.common_legend(drawn, panels, panel=free)
    drawn.suptitle(
        f"Regret with {EXPERTS} experts, delta = 10^-6,\n"
        f"median of {SEEDS} games (of 10^6 rounds: one)",
        fontsize="medium",
    )
    return drawn


def game(name: str, rounds: int, budget: Fraction, seed: int) -> list[float]:
    """The regret of a game on random losses, and how often the expert was switched."""
    found = play(made(name, rounds, budget), RandomLosses(EXPERTS), rounds, SeededCoins(seed))
    return [float(found.regret or 0), found.switches or 0]


def switches(rounds: int, budget: Fraction) -> list[int]:
    """The rounds of a batch of the dartboard, and how often it may switch."""
    dartboard = made("ShrinkingDartboard", rounds, budget)
    return [dartboard.batch, dartboard.switches]


def against_epsilon() -> Figure:
    """Regret and switches against epsilon."""
    rounds, kept = 10**4, Kept("experts-epsilon")
    drawn, (left, right) = plots.figure(2, 7, rows=2)
    budgets = [Fraction(2) ** power for power in range(-2, 5)]
    games = {
        name: np.array(
            [
                [
                    kept.get(name, budget, seed, measured=partial(game, name, rounds, budget, seed))
                    for budget in budgets
                ]
                for seed in range(SEEDS)
            ]
        )
        for name in PRIVATE
    }
    across = [float(budget) for budget in budgets]
    for name, found in games.items():
        style = plots.learner_style(name, linestyle="-")
        plots.band(left, across, found[..., 0], f"{name}, games", **style)
        stated = [
            kept.get(name, budget, "bound", measured=partial(bound, name, rounds, budget))
            for budget in budgets
        ]
        style |= {"linestyle": "--", "fillstyle": "none"}
        left.plot(across, stated, label=f"{name}, bound", **style)
    print("\n| epsilon | batch | switches allowed | switches |\n|---|---|---|---|")
    switched = games["ShrinkingDartboard"][..., 1]
    allowed = []
    for budget, seeds in zip(budgets, switched.T, strict=True):
        batch, most = kept.get("switches", budget, measured=partial(switches, rounds, budget))
        allowed.append(most)
        print(f"| {budget} | {batch} | {most} | {median(seeds):g} |", flush=True)
    style = plots.learner_style("ShrinkingDartboard", linestyle="-")
    plots.band(right, across, switched, "ShrinkingDartboard, games", **style)
    style |= {"linestyle": "--", "fillstyle": "none"}
    right.plot(across, allowed, label="allowed switches K", **style)
    for ax, text in ((left, "regret"), (right, "switches")):
        ax.set_xscale("log", base=2)
        ax.set_xlabel("epsilon")
        ax.set_ylabel(text)
        plots.legend(ax)
    drawn.suptitle(
        f"{EXPERTS} experts, T = {rounds}, delta = 10^-6,\nrandom losses, median of {SEEDS} games",
        fontsize="medium",
    )
    return drawn


FIGURES = {"experts-regret": against_rounds, "experts-epsilon": against_epsilon}


def main() -> None:
    times()
    write(FIGURES)


if __name__ == "__main__":
    main()
