"""Private prediction from experts: how fast it is, and regret against T and epsilon.

``python -m benchmarks experts`` measures the times and writes docs/experts-regret.svg and
docs/experts-epsilon.svg. Games against T take 35 minutes of processor time; their regrets are kept
in benchmarks/experts.json, and what is not there is played. Losses are drawn a round at a time: one
expert loses with probability 2/5, all others with 1/2. An adaptive adversary lets the expert lose
that was published last.

The baseline of the times is exponential weights in floating point, which is neither exact nor, on a
real machine, private: one cumulated sum and one uniform number a round, on the same losses.
"""

from __future__ import annotations

import json
import time
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge, Hedge
from learners.playing.expert_sources import LossVectors
from learners.playing.loss_adversaries import Chasing, RandomLosses
from learners.playing.play import play
from lsclasses.figures import REFERENCE

DOCS = Path(__file__).parents[1] / "docs"
STORED = Path(__file__).with_name("experts.json")
DELTA = Fraction(1, 10**6)
EXPERTS = 100
SEEDS = 3
ROUNDS = (10**3, 10**4, 10**5, 10**6)
LONGEST = ROUNDS[-1]
"""Of so many rounds, one game is played."""
EPSILONS = (1, 4, 16)


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
        hedge = DPHedge.within(Budget(Fraction(1), DELTA), LossVectors(experts), rounds)
        plain = floating(experts, rounds, float(hedge.rate))
        print(
            f"| `DPHedge` | {experts} | {rounds} | {seconds(hedge, experts):.0f} | {plain:.0f} |",
            flush=True,
        )
    experts, rounds = 10**4, 10**6
    dartboard = ShrinkingDartboard.within(
        Budget(Fraction(1), DELTA), LossVectors(experts), rounds, batch=5
    )
    took = seconds(dartboard, experts)
    print(f"| `ShrinkingDartboard`, batches of 5 | {experts} | {rounds} | {took:.0f} | |")


def learners(rounds: int, epsilon: Fraction | int) -> dict[str, Any]:
    """The private learners with this budget."""
    given = Budget(Fraction(epsilon), DELTA), LossVectors(EXPERTS), rounds
    return {
        "DPHedge": DPHedge.within(*given),
        "ShrinkingDartboard": ShrinkingDartboard.within(*given),
    }


def bound(learner: Any) -> float:
    """The bound on the expected regret."""
    found = next(each for each in learner.bounds if each.quantity == "expected regret")
    return float(found.value or 0)


def regrets(learner: Any, adversary: Any) -> list[float]:
    """The regrets of a few games."""
    found = []
    for seed in range(1 if learner.rounds == LONGEST else SEEDS):
        game = play(learner, adversary, learner.rounds, SeededCoins(seed))
        found.append(float(game.regret or 0))
    return found


def kept_regret(name: str, epsilon: str, learner: Any, adversary: Any) -> float:
    """The median regret of a few games, read from the file if it is there, else played and kept."""
    kept = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    key = ", ".join([name, epsilon or "not private", str(learner.rounds), type(adversary).__name__])
    if key not in kept:
        kept[key] = median(regrets(learner, adversary))
        STORED.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    regret: float = kept[key]
    return regret


Row = tuple[int, float, float]
"""Rounds, and the median regrets on random losses and against who chases."""


def played(name: str, epsilon: str, made: dict[int, Any]) -> list[Row]:
    """The regrets of a learner at several numbers of rounds, printed."""
    found = []
    for T in ROUNDS:
        regular = kept_regret(name, epsilon, made[T], RandomLosses(EXPERTS))
        chased = kept_regret(name, epsilon, made[T], Chasing(EXPERTS))
        found.append((T, regular, chased))
        row = f"{bound(made[T]):.0f} | {regular:.0f} | {chased:.0f}"
        print(f"| {T} | `{name}` | {epsilon} | {row} |", flush=True)
    return found


def against_rounds() -> None:
    drawn, panels = plots.figure(3, 4, one_scale=True)
    print("\n| rounds | learner | epsilon | bound | random losses | chased |")
    print("|---|---|---|---|---|---|")
    hedges = {rounds: Hedge(LossVectors(EXPERTS), rounds) for rounds in ROUNDS}
    without = played("Hedge", "", hedges)
    for epsilon, ax in zip(EPSILONS, panels, strict=True):
        private = {rounds: learners(rounds, epsilon) for rounds in ROUNDS}
        for name in ("Hedge", *private[LONGEST]):
            made = hedges if name == "Hedge" else {T: private[T][name] for T in ROUNDS}
            found = without if name == "Hedge" else played(name, str(epsilon), made)
            color = plots.color_of(name)
            ax.plot(ROUNDS, [bound(made[T]) for T in ROUNDS], color=color, label=name)
            for at, marker in ((1, "o"), (2, "x")):
                losses = [max(row[at], 1) for row in found]
                ax.plot(ROUNDS, losses, marker, color=color)
        ax.plot(ROUNDS, ROUNDS, ":", color=REFERENCE, label="T")
        for style, text in (("-", "bound"), ("o", "random losses"), ("x", "chased")):
            ax.plot([], [], style, color=REFERENCE, label=text)
        ax.set(xscale="log", yscale="log", xlabel="rounds T")
        ax.set_title(f"epsilon = {epsilon}", fontsize="medium")
    panels[0].set_ylabel("regret")
    plots.common_legend(drawn, panels)
    drawn.suptitle(
        f"{EXPERTS} experts, delta = 10^-6: bounds (lines),\n"
        f"medians of {SEEDS} games (of 10^6 rounds: one)",
        fontsize="medium",
    )
    plots.save(drawn, DOCS / "experts-regret.svg")


def against_epsilon() -> None:
    rounds = 10**4
    drawn, (left, right) = plots.figure(2, 3.6)
    budgets = [Fraction(2) ** power for power in range(-2, 5)]
    made = [learners(rounds, budget) for budget in budgets]
    games = {
        name: [
            [
                play(each[name], RandomLosses(EXPERTS), rounds, SeededCoins(seed))
                for seed in range(SEEDS)
            ]
            for each in made
        ]
        for name in ("DPHedge", "ShrinkingDartboard")
    }
    across = [float(budget) for budget in budgets]
    for name, found in games.items():
        samples = np.array([[float(game.regret or 0) for game in each] for each in found]).T
        color = plots.color_of(name)
        plots.band(left, across, samples, f"{name}, games", color=color)
        stated = [bound(each[name]) for each in made]
        left.plot(across, stated, "--", color=color, label=f"{name}, bound")
    print("\n| epsilon | batch | switches allowed | switches |\n|---|---|---|---|")
    for budget, each, seeds in zip(budgets, made, games["ShrinkingDartboard"], strict=True):
        dartboard = each["ShrinkingDartboard"]
        switches = median(game.switches or 0 for game in seeds)
        print(f"| {budget} | {dartboard.batch} | {dartboard.switches} | {switches} |", flush=True)
    switched = [[game.switches or 0 for game in each] for each in games["ShrinkingDartboard"]]
    color = plots.color_of("ShrinkingDartboard")
    plots.band(right, across, np.array(switched).T, "of the dartboard", color=color)
    allowed = [each["ShrinkingDartboard"].switches for each in made]
    right.plot(across, allowed, "--", color=color, label="allowed, K")
    for ax, text in ((left, "regret"), (right, "switches")):
        ax.set_xscale("log", base=2)
        ax.set_xlabel("epsilon")
        ax.set_ylabel(text)
        plots.legend(ax)
    drawn.suptitle(
        f"{EXPERTS} experts, T = {rounds}, delta = 10^-6, random losses; {SEEDS} games each",
        fontsize="medium",
    )
    plots.save(drawn, DOCS / "experts-epsilon.svg")


def main() -> None:
    times()
    against_rounds()
    against_epsilon()


if __name__ == "__main__":
    main()
