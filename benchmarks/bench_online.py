"""Private online learning: mistakes against the number of rounds, and what a game costs.

Every learner has the budget epsilon = 1, delta = 10^-6 and is played against the adversary that
asks where it errs (`repeating`; `seeking` for learners that draw in every round) and against
random points labelled by a random concept, half of them with the label 1. The figure shows
medians over seeds with bands from the least to the largest, and each bound where it says something.
Every game is a process of its own. A row of the table is the longest game; "states" is in how
many different states the parts of the learner are at its end.
"""

from __future__ import annotations

import math
import multiprocessing
import resource
import time
from dataclasses import dataclass, field
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from learners import plots
from learners.coins import SeededCoins
from learners.online.adversaries import adversary
from learners.online.learner import as_learner
from learners.online.play import play
from learners.online.runnable import RUNNABLE, class_of

DOCS = Path(__file__).parents[1] / "docs"
BUDGET = {"epsilon": Fraction(1), "delta": Fraction(1, 10**6)}
HORIZONS = (10**3, 10**4, 10**5, 10**6)
SEEDS = {10**3: 5, 10**4: 5, 10**5: 5, 10**6: 1}
"""How many games there are of so many rounds."""


@dataclass(frozen=True)
class Entry:
    """A learner by name, for classes it can be run on, up to so many rounds."""

    label: str
    name: str
    most: int
    options: dict[str, Any] = field(default_factory=dict)
    worst: str = "repeating"


PROVED = "points:n=2^64"
MEASURED = "thresholds:n=3"
ENTRIES = {
    PROVED: (
        Entry("LayeredSOA, Theorem P", "layered-soa", 10**6, BUDGET),
        Entry(
            "ForestSOA, 2 names",
            "forest-soa",
            10**5,
            {**BUDGET, "frequency": Fraction(1, 2), "histograms": 2},
        ),
        Entry("POP (challenge-DP)", "pop", 10**5, BUDGET),
        Entry("SOA, not private", "conservative-soa", 10**5),
    ),
    MEASURED: (
        Entry("LayeredSOA, 2^16 sequences", "layered-soa", 10**6, {**BUDGET, "sequences": 2**16}),
        Entry("DPHedge", "dp-hedge", 10**5, BUDGET, "seeking"),
        Entry("POP (challenge-DP)", "pop", 10**5, BUDGET),
        Entry("SOA, not private", "conservative-soa", 10**5),
    ),
}
"""What is drawn, by class; learners that are not installed are left out."""


def entries(spec: str) -> list[Entry]:
    return [entry for entry in ENTRIES[spec] if entry.name in RUNNABLE]


def game(spec: str, entry: Entry, opponent: str, rounds: int, seed: int) -> dict[str, Any]:
    C = class_of(spec)
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    learner = as_learner(RUNNABLE[entry.name].learner(C, rounds, **entry.options))
    before, last = time.perf_counter(), []

    def watch(played: Any) -> None:
        last[:] = [played.state]

    transcript = play(
        learner,
        adversary(opponent, C),
        rounds,
        SeededCoins(seed),
        keep_points=False,
        watch=watch,
    )
    seconds = time.perf_counter() - before
    found = learner.inspect(last[0]) if last and last[0] is not None else {}
    bounds = [bound for bound in transcript.bounds if bound.quantity in ("mistakes", "regret")]
    return {
        "mistakes": transcript.mistakes,
        "seconds": seconds,
        "megabytes": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - loaded) / 1024,
        "states": found.get("kinds", found.get("states", math.nan)),
        "privacy": "none" if transcript.privacy is None else str(transcript.privacy),
        "proved": next(
            (float(b.value) for b in bounds if b.applies and b.value and not b.vacuous), math.nan
        ),
    }


def _apart(sender: Connection, *arguments: Any) -> None:
    sender.send(game(*arguments))


def apart(*arguments: Any) -> dict[str, Any]:
    """A game in a process of its own, for its memory."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_apart, args=(sender, *arguments))
    process.start()
    found: dict[str, Any] = receiver.recv()
    process.join()
    return found


def figure(spec: str, ax: Any) -> None:
    """Draw the games of a class, and print a row of the table for the longest ones."""
    for number, entry in enumerate(entries(spec)):
        color = f"C{number}"
        horizons = [T for T in HORIZONS if entry.most >= T]
        for opponent, style in ((entry.worst, "-o"), ("random:points=balanced", ":s")):
            games = [
                [apart(spec, entry, opponent, T, seed) for seed in range(SEEDS[T])]
                for T in horizons
            ]
            counts = [sorted(max(each["mistakes"], 1) for each in played) for played in games]
            middle = [count[len(count) // 2] for count in counts]
            adaptive = opponent == entry.worst
            label = entry.label if adaptive else None
            ax.plot(horizons, middle, style, color=color, label=label, markersize=4)
            low, high = ([count[i] for count in counts] for i in (0, -1))
            ax.fill_between(horizons, low, high, color=color, alpha=0.2)
            proved = [played[0]["proved"] for played in games]
            if adaptive and not all(map(math.isnan, proved)):
                ax.plot(horizons, proved, "--", color=color, linewidth=1, label="  its bound")
            print(_row(spec, entry, opponent, games[-1][0]), flush=True)
    ax.plot(HORIZONS, [math.sqrt(T) for T in HORIZONS], color="0.6", label="sqrt(T)")
    ax.plot(HORIZONS, HORIZONS, color="0.6", linestyle="-.", label="every round")
    ax.set(xscale="log", yscale="log", xlabel="rounds T", ylabel="mistakes", title=spec)
    ax.legend(fontsize="x-small")


def _row(spec: str, entry: Entry, opponent: str, found: dict[str, Any]) -> str:
    proved, states = (
        "-" if math.isnan(found[name]) else f"{found[name]:.0f}" for name in ("proved", "states")
    )
    cells = [
        *(f"`{spec}`", entry.label, found["privacy"], opponent, f"{entry.most:.0e}"),
        *(str(found["mistakes"]), proved, f"{found['seconds']:.0f}", f"{found['megabytes']:.0f}"),
        states,
    ]
    return f"| {' | '.join(cells)} |"


HEAD = ("class", "learner", "privacy", "adversary", "T", "mistakes", "proved", "seconds", "MB")


def main() -> None:
    print(f"| {' | '.join(HEAD)} | states |\n|{'---|' * (len(HEAD) + 1)}")
    before = time.perf_counter()
    drawn, axes = plots.figure(2, (11, 4.5))
    for ax, spec in zip(axes, ENTRIES, strict=True):
        figure(spec, ax)
    drawn.suptitle(
        "Mistakes against rounds at epsilon = 1, delta = 10^-6: solid against an adversary that "
        "asks where it errs, dotted\nagainst random points; median and range of five games, of "
        "one of 10^6 rounds",
        fontsize="medium",
    )
    plots.save(drawn, DOCS / "online-mistakes.svg")
    print(f"\ndocs/online-mistakes.svg, in {time.perf_counter() - before:.0f} s")


if __name__ == "__main__":
    main()
