"""Constructed experts: how many there are, in how few groups they stand, how long a game takes.

``python -m benchmarks constructed_experts`` measures the times, says which links of the chain say
something, and draws docs/constructed-experts.svg and docs/constructed-experts-regret.svg. Points
are uniform, labelled by a random concept, a tenth of the labels flipped. Synthetic points are few;
where the points are kept instead, there are the most groups that these streams can make.

The baseline of the times is the same game with the concepts themselves as experts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
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
from learners.experts.constructed import number_of_experts
from learners.experts.hedge import DPHedge
from learners.mechanisms.histograms import BoundedHistogram
from learners.playing.adversaries import Noisy, RandomConcept
from learners.playing.expert_sources import experts_of
from learners.playing.play import play
from learners.sanitizers.interval_sanitizer import IntervalSanitizer, KeptPoints, SanitizerReplacer
from learners.sanitizers.realizable import HistogramSanitizer
from lsclasses.figures import REFERENCE, SERIES, series_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DELTA, NOISE = Fraction(1, 10**6), Fraction(1, 10)
CLASSES = {1: "at-most:n=8,k=1", 2: "at-most:n=8,k=2", 3: "thresholds:n=7"}
ROUNDS = {1: (10, 30, 100, 300, 1000, 3000, 10**4), 2: (10, 30, 100, 300), 3: (10, 30, 60)}
HORIZONS = (10**3, 10**4, 10**5, 10**6, 10**7)
EPSILONS = (1, 4, 16)
BUDGETS = (4, 16)
GAMES = (300, 1000, 3000, 10**4, 3 * 10**4)
COUNTED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"linestyle": "-"}, "experts"),
    ({"linestyle": "--"}, "groups, points kept"),
    ({"linestyle": ":", "fillstyle": "none"}, "groups, synthetic points"),
)
"""Lines of the figure of experts, with their meanings."""
MADE: dict[str, Callable[[Any, int, Fraction], Any]] = {
    "constructed experts": lambda C, T, epsilon: agnostic_experts(
        C, T, Budget(epsilon, DELTA), composition="zcdp"
    ),
    "constructed experts, oblivious": lambda C, T, epsilon: agnostic_experts(
        C, T, Budget(epsilon, DELTA), oblivious=True, composition="zcdp"
    ),
    "DPHedge over the class": lambda C, T, epsilon: DPHedge.within(
        Budget(epsilon, DELTA), experts_of(C), T, composition="zcdp"
    ),
}


def seconds_of(function: Any, *arguments: Any) -> float:
    before = time.process_time()
    function(*arguments)
    return time.process_time() - before


def interval_sanitizer(rounds: int, points: int) -> float:
    """Of [g(x) != h(x)] for the sets of at most one of these points, all lengths replaced."""
    C = catalog.build(f"at-most:n={points},k=1").to_table()
    sanitizer = HistogramSanitizer(C ^ C, BoundedHistogram(1, DELTA))
    lengths = rounds.bit_length()
    intervals = IntervalSanitizer(
        rounds, tuple(SanitizerReplacer(sanitizer, 1 << i) for i in range(lengths)), C.domain
    )
    coins = SeededCoins(1)

    def run() -> None:
        state = intervals.start(coins)
        for t in range(rounds):
            _, state = state.ask(C.domain[t * t % points], coins)

    return seconds_of(run)


def game(learner: Any, opponent: Any) -> tuple[float, Any]:
    """Seconds of a game, and the learner's last state."""
    states: list[Any] = []

    def watch(played: Any) -> None:
        states[:] = [played.state]

    rounds = learner.rounds
    taken = seconds_of(
        lambda: play(learner, opponent, rounds, SeededCoins(1), keep_points=False, watch=watch)
    )
    return taken, states[0]


def compared(specification: str, rounds: int) -> list[Any]:
    """Experts; groups with synthetic points and with true ones; seconds of both, and without."""
    C = catalog.build(specification)
    opponent = Noisy(RandomConcept(C), NOISE)
    learner = agnostic_experts(C, rounds, Budget(Fraction(4), DELTA), composition="zcdp")
    lengths = len(learner.sanitizer.replacers)
    kept = replace(
        learner, sanitizer=IntervalSanitizer(rounds, (KeptPoints(),) * lengths), delta=None
    )
    taken, groups = [], []
    for player in (learner, kept):
        seconds, state = game(player, opponent)
        taken.append(seconds)
        groups.append(len(state.inner.chosen.tally.groups))
    weighed = DPHedge.within(Budget(Fraction(4), DELTA), experts_of(C), rounds, composition="zcdp")
    taken.append(game(weighed, opponent)[0])
    return [learner.experts.size, groups, [round(each, 2) for each in taken]]


def experts() -> Figure:
    """How many experts there are, and in how few groups they stand."""
    kept = Kept("constructed-experts")
    head = ("M", "T", "experts", "groups", "points kept", "s", "points kept, s", "no switches, s")
    print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    drawn, (ax,) = plots.figure(1, 4.8)
    for switches, specification in CLASSES.items():
        found = []
        for rounds in ROUNDS[switches]:
            measured = partial(compared, specification, rounds)
            size, groups, taken = kept.get(specification, rounds, measured=measured)
            assert size == number_of_experts(rounds, switches)
            found.append((rounds, size, *groups))
            cells = [switches, rounds, f"{size:.3g}", *groups, *(f"{each:.1f}" for each in taken)]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
        across = [row[0] for row in found]
        color = list(SERIES)[switches - 1]
        for at, (style, _) in zip((1, 3, 2), COUNTED, strict=True):
            ax.plot(across, [row[at] for row in found], **series_style(color, **style))
        label = f"M = {switches}, {specification}"
        ax.plot([], [], label=label, **series_style(color, linestyle="-"))
    for style, text in COUNTED:
        ax.plot([], [], color=REFERENCE, marker="o", label=text, **style)
    ax.set(xscale="log", yscale="log", xlabel="rounds T", ylabel="number")
    ax.set_title(
        "Constructed experts and their groups,\nepsilon = 4, delta = 10^-6", fontsize="medium"
    )
    plots.common_legend(drawn, [ax])
    return drawn


def chains() -> None:
    """Where which link of the chain says nothing; nothing is played."""
    head = ("M", "epsilon", "T", "missed, lengths", "K", "M K", "R", "R + M K")
    print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for specification, support in (("at-most:n=2^64,k=1", 2), ("thresholds:n=7", None)):
        C = catalog.build(specification)
        for epsilon in EPSILONS:
            for rounds in HORIZONS:
                learner = agnostic_experts(
                    C, rounds, Budget(Fraction(epsilon), DELTA), support=support
                )
                chain = learner.parameters
                choosing = float(chain.choosing or 0)
                values = chain.missed, chain.seen, chain.excess, choosing, choosing + chain.excess
                texts = [
                    "vacuous"
                    if value >= rounds
                    else f"{value:.0f}"
                    if value < 10**6
                    else f"{value:.2g}"
                    for value in values
                ]
                texts[0] += f", {chain.lengths}"
                cells = (chain.switches, epsilon, f"{rounds:.0e}".replace("e+0", "e"), *texts)
                print(f"| {' | '.join(map(str, cells))} |")


def bound(name: str, rounds: int, epsilon: int) -> float | None:
    """The bound on the expected regret."""
    learner = MADE[name](catalog.build(CLASSES[1]), rounds, Fraction(epsilon))
    value = next(each for each in learner.bounds if each.quantity == "expected regret").value
    return None if value is None else float(value)


def regret(name: str, rounds: int, epsilon: int) -> float:
    """The median regret of three games."""
    C = catalog.build(CLASSES[1])
    learner, opponent = MADE[name](C, rounds, Fraction(epsilon)), Noisy(RandomConcept(C), NOISE)
    games = [
        play(learner, opponent, rounds, SeededCoins(seed), keep_points=False) for seed in range(3)
    ]
    return median(float(game.regret or 0) for game in games)


def regrets() -> Figure:
    """Of games, and bounds, against T; a bound of T or more is drawn, above the dotted line."""
    kept = Kept("constructed-experts-regret")
    drawn, panels = plots.figure(len(BUDGETS), 4.6, one_scale=True)
    print("\n| epsilon | T | learner | bound | regret, median |\n|---|---|---|---|---|")
    for epsilon, ax in zip(BUDGETS, panels, strict=True):
        for name in MADE:
            stated, found = (
                {
                    T: kept.get(
                        name, epsilon, T, what.__name__, measured=partial(what, name, T, epsilon)
                    )
                    for T in rounds
                }
                for what, rounds in ((bound, sorted({*HORIZONS, *GAMES})), (regret, GAMES))
            )
            style = plots.learner_style(name, linestyle="--", fillstyle="none", linewidth=1)
            ax.plot(HORIZONS, [stated[T] for T in HORIZONS], **style)
            label = fill(name, 22)
            ax.plot(
                GAMES, [*found.values()], label=label, **plots.learner_style(name, linestyle="-")
            )
            for T, value in found.items():
                says = stated[T] is not None and stated[T] < T
                text = f"{stated[T]:.0f}" if says else "vacuous"
                print(f"| {epsilon} | {T} | {name} | {text} | {value:.0f} |", flush=True)
        ax.plot(HORIZONS, HORIZONS, ":", color=REFERENCE, label="T, above it bounds\nare vacuous")
        for style, text in (
            ({"linestyle": "--", "fillstyle": "none"}, "bound"),
            ({"linestyle": "-"}, "median of 3 games"),
        ):
            ax.plot([], [], color=REFERENCE, marker="o", label=text, **style)
        ax.set(xscale="log", yscale="log", xlabel="rounds T")
        ax.set_title(f"epsilon = {epsilon}", fontsize="medium")
    panels[0].set_ylabel("regret")
    plots.common_legend(drawn, panels)
    drawn.suptitle(
        f"Regret on {CLASSES[1]}, delta = 10^-6,\na tenth of the labels flipped", fontsize="medium"
    )
    return drawn


FIGURES = {"constructed-experts": experts, "constructed-experts-regret": regrets}


def main() -> None:
    print("| what | seconds |\n|---|---|")
    print(f"| interval sanitizer, T = 1000, 50 concepts | {interval_sanitizer(1000, 49):.1f} |")
    chains()
    write(FIGURES)


if __name__ == "__main__":
    main()
