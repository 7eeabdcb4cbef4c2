"""Private online learning: mistakes against the number of rounds, and what a game costs.

Every learner has the budget epsilon = 1, delta = 10^-6 and is played against the adversary that
asks where it errs (`repeating`; `seeking` for learners that draw in every round) and against
random points labelled by a random concept, half of them with the label 1. In the last panel the
stream is `late`: on T points, every round asks another one and its label is 0, until, in a round of
the first half that is drawn, one point comes that has the label 1, and comes again and again. It
is the kind of stream on which private learners of point functions have to err of order log T times
(Cohen, Lyu, Nelson, Sarlos, Stemmer 2024, as quoted in [BF25, section 4.4]).

The figure shows the median over seeds as a curve and every game as a pale mark. It shows each bound
that is not vacuous. Every game is a process of its own. A row of the table is the longest game;
"states" is in how many different states the parts of the learner are at its end.
"""

from __future__ import annotations

import math
import multiprocessing
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.kept import Kept, write
from learners import plots
from learners.accounting import CHALLENGE, Privacy
from learners.coins import SeededCoins
from learners.playing.adversaries import FixedStream, StreamAdversary, adversary
from learners.playing.entries import ONLINE_LEARNERS, class_of
from learners.playing.learner import as_learner
from learners.playing.play import play
from lsclasses.concept_class import ConceptClass
from lsclasses.figures import REFERENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BUDGET = {"epsilon": Fraction(1), "delta": Fraction(1, 10**6)}
HORIZONS = (10**3, 10**4, 10**5, 10**6)
SEEDS = {500: 3, 10**3: 3, 2000: 1, 10**4: 3, 10**5: 3, 10**6: 1}
"""How many games there are of so many rounds."""

RANDOM = "random:points=balanced"
LATE = "late"


@dataclass(frozen=True)
class Entry:
    """A learner by name, for classes it can be run on, up to so many rounds."""

    label: str
    setting: str
    name: str
    most: int
    options: dict[str, Any] = field(default_factory=dict)
    worst: str = "repeating"
    random: int = 10**6
    """The greatest number of rounds that is played against random points."""
    horizons: tuple[int, ...] = HORIZONS


@dataclass(frozen=True)
class Panel:
    """What is drawn of a class; `T` in its specification is the number of rounds."""

    spec: str
    title: str
    entries: tuple[Entry, ...]
    opponents: tuple[str, ...] = ()
    """Instead of each learner's worst adversary and random points."""


LAYERS = Entry("LayeredSOA", "Theorem P", "layered-soa", 10**6, BUDGET)
POP = Entry("POP (challenge-DP)", "", "pop", 10**5, BUDGET)
SOA = Entry("SOA, not private", "", "conservative-soa", 10**5)
SPARSE = Entry("SparseVectorExperts", "", "sparse-experts", 10**5, BUDGET)
FOREST = {**BUDGET, "frequency": Fraction(1, 2), "histograms": 2}

PANELS = (
    Panel(
        "points:n=2^64",
        "points:n=2^64 (Ldim 1)",
        (
            LAYERS,
            Entry("ForestSOA", "2 names", "forest-soa", 10**5, FOREST),
            Entry(
                "RerunForest",
                "",
                "rerun-forest",
                2000,
                {**BUDGET, "frequency": Fraction(1, 2)},
                "seeking",
                horizons=(500, 1000, 2000),
            ),
            Entry("DPHedge", "", "dp-hedge", 10**4, BUDGET, "seeking", random=10**3),
            replace(SPARSE, most=10**3),
            POP,
            SOA,
        ),
    ),
    Panel(
        "thresholds:n=3",
        "thresholds:n=3 (Ldim 2)",
        (
            Entry(
                "LayeredSOA",
                "2^16 sequences",
                "layered-soa",
                10**6,
                {**BUDGET, "sequences": 2**16},
            ),
            Entry("DPHedge", "", "dp-hedge", 10**5, BUDGET, "seeking"),
            SPARSE,
            POP,
            SOA,
        ),
    ),
    Panel(
        "thresholds:n=2^16",
        "thresholds:n=2^16 (Ldim 16)",
        (
            Entry(
                "LayeredSOA",
                "2^18 sequences",
                "layered-soa",
                10**5,
                {**BUDGET, "sequences": 2**18},
            ),
            Entry(
                "ForestSOA",
                "10^4 trees of 4 leaves",
                "forest-soa",
                10**5,
                {**FOREST, "leaves": 4, "trees": 10**4},
            ),
            Entry("DPHedge", "", "dp-hedge", 10**4, BUDGET, "seeking", random=10**3),
            replace(SPARSE, most=10**3),
            POP,
            SOA,
        ),
    ),
    Panel(
        "points:n=T",
        "points:n=T (Ldim 1)",
        (LAYERS, replace(SPARSE, most=10**4), POP, SOA),
        (LATE,),
    ),
)
"""What is drawn; learners that are not installed are left out."""


def class_for(spec: str, rounds: int) -> ConceptClass:
    return class_of(spec.replace("=T", f"={rounds}"))


def late(C: ConceptClass, rounds: int, seed: int) -> StreamAdversary:
    """Fresh points labelled 0, and then one that is labelled 1 for ever."""
    start = int(np.random.default_rng(seed).integers(1, rounds // 2))
    points = list(C.domain)
    asked = [(x, 0) for x in points[:start]] + [(points[start], 1)] * (rounds - start)
    return FixedStream(asked, C)


def game(spec: str, entry: Entry, opponent: str, rounds: int, seed: int) -> dict[str, Any]:
    C = class_for(spec, rounds)
    posing = late(C, rounds, seed) if opponent == LATE else adversary(opponent, C)
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    learner = as_learner(ONLINE_LEARNERS[entry.name].learner(C, rounds, **entry.options))
    before, last = time.process_time(), []

    def watch(played: Any) -> None:
        last[:] = [played.state]

    transcript = play(learner, posing, rounds, SeededCoins(seed), keep_points=False, watch=watch)
    seconds = time.process_time() - before
    found = learner.inspect(last[0]) if last and last[0] is not None else {}
    return {
        "mistakes": transcript.mistakes,
        "seconds": seconds,
        "megabytes": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - loaded) / 1024,
        "states": found.get("kinds", found.get("states")),
        "privacy": _protected(transcript.privacy),
        "proved": smallest(transcript.bounds),
    }


def _protected(privacy: Privacy | None) -> str:
    """What is protected, in a word."""
    if privacy is None:
        return "none"
    return "challenge" if privacy.neighbours == CHALLENGE else "published"


def smallest(bounds: Any) -> float | None:
    """The first bound on mistakes that applies and says something."""
    return next(
        (
            float(bound.value)
            for bound in bounds
            if bound.quantity in ("mistakes", "regret")
            and bound.applies
            and bound.value
            and not bound.vacuous
        ),
        None,
    )


def proved(spec: str, entry: Entry) -> list[float | None]:
    """The bound for each number of rounds, also where no game is played."""
    if entry.horizons != HORIZONS:
        return [None] * len(HORIZONS)
    found = []
    for rounds in HORIZONS:
        learner = as_learner(
            ONLINE_LEARNERS[entry.name].learner(class_for(spec, rounds), rounds, **entry.options)
        )
        found.append(smallest(learner.bounds))
    return found


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


def played(arguments: tuple[Any, ...]) -> dict[str, Any]:
    """The mistakes of all games with these arguments, least first, and the costs of the first."""
    *_, rounds = arguments
    games = [apart(*arguments, seed) for seed in range(SEEDS[rounds])]
    return games[0] | {"mistakes": [each["mistakes"] for each in games]}


def of_class(panel: Panel, axes: Sequence[Any], kept: Kept) -> None:
    """Draw the games of a class, and print a row of the table for the longest ones."""
    for entry in (each for each in panel.entries if each.name in ONLINE_LEARNERS):
        for ax, opponent in zip(axes, panel.opponents or (entry.worst, RANDOM), strict=True):
            most = min(entry.most, entry.random) if opponent == RANDOM else entry.most
            horizons = [T for T in entry.horizons if most >= T]
            games = [
                kept.get(
                    *(panel.spec, entry.label, opponent, T),
                    measured=partial(played, (panel.spec, entry, opponent, T)),
                )
                for T in horizons
            ]
            print(_row(panel.spec, entry, opponent, horizons[-1], games[-1]), flush=True)
            counts = [each["mistakes"] for each in games]
            draw(ax, entry.label, horizons, counts)
        line = kept.get(
            panel.spec, entry.label, "proved", measured=partial(proved, panel.spec, entry)
        )
        if any(line):
            style = plots.learner_style(entry.label, linestyle="--", fillstyle="none", linewidth=1)
            for ax in axes:
                ax.plot(HORIZONS, line, **style)
    for ax, stream in zip(axes, STREAMS[panel.opponents], strict=True):
        trimmings(panel, ax)
        ax.set_title(f"{panel.title},\n{stream}", fontsize="medium")


def draw(ax: Any, label: str, horizons: Sequence[int], counts: Sequence[Sequence[int]]) -> None:
    """Draw the median of the games of each length as a curve, and every game as a pale mark."""
    found = [sorted(max(count, 1) for count in each) for each in counts]
    middle = [each[len(each) // 2] for each in found]
    games = [(T, count) for T, each in zip(horizons, found, strict=True) for count in each]
    pale = plots.learner_style(label, linestyle="", alpha=0.35, markeredgewidth=0)
    ax.plot(*zip(*games, strict=True), **pale)
    ax.plot(horizons, middle, label=label, **plots.learner_style(label, linestyle="-"))


def trimmings(panel: Panel, ax: Any) -> None:
    """What mistakes are compared with, the names of the styles, and the title."""
    gray = REFERENCE
    for style, text in (
        ({"linestyle": "-"}, "median of the games"),
        ({"linestyle": "", "marker": "o", "alpha": 0.35}, "one game"),
        ({"linestyle": "--", "marker": "o", "fillstyle": "none"}, "proved bound"),
    ):
        ax.plot([], [], color=gray, ms=5, label=text, **style)
    ax.plot(HORIZONS, HORIZONS, ":", color=gray, label="T, every round")
    roots = [math.sqrt(T) for T in HORIZONS]
    ax.plot(HORIZONS, roots, "-.", color=gray, linewidth=1, label="sqrt(T)")
    if panel.opponents:
        logs = [math.log(T) for T in HORIZONS]
        ax.plot(
            HORIZONS,
            logs,
            color=gray,
            linewidth=3,
            alpha=0.5,
            label="ln T, order of the\nlower bound",
        )
    ax.set(xscale="log", yscale="log", xlabel="rounds T", ylim=(0.5, 2e6))


def _row(spec: str, entry: Entry, opponent: str, rounds: int, found: dict[str, Any]) -> str:
    costs = (
        "-" if found[name] is None else f"{found[name]:.0f}"
        for name in ("proved", "seconds", "megabytes", "states")
    )
    cells = [
        *(
            f"`{spec}`",
            ", ".join(filter(None, (entry.label, entry.setting))),
            found["privacy"],
            opponent.partition(":")[0],
            f"{rounds:.0e}",
        ),
        *(str(found["mistakes"][0]), *costs),
    ]
    return f"| {' | '.join(cells)} |"


STREAMS = {(): ("adversary seeks mistakes", "random points"), (LATE,): ("late label 1",)}
"""Titles of the panels of a class, by its opponents."""
HEAD = ("class", "learner", "privacy", "adversary", "T", "mistakes", "proved", "seconds", "MB")


def mistakes() -> Figure:
    """Mistakes against rounds, a panel for each class, and the table of the longest games."""
    kept = Kept("online-mistakes")
    print(f"| {' | '.join(HEAD)} | states |\n|{'---|' * (len(HEAD) + 1)}")
    drawn, axes = plots.figure(2 * len(PANELS), 11.5, rows=len(PANELS), one_scale=True)
    for row, panel in enumerate(PANELS):
        places = axes[2 * row : 2 * row + 2]
        of_class(panel, places[: len(panel.opponents) or 2], kept)
    for ax in axes[::2]:
        ax.set_ylabel("mistakes")
    plots.common_legend(drawn, axes[:-1], panel=axes[-1])
    drawn.suptitle(
        "Mistakes at epsilon = 1, delta = 10^-6,\nthree games each (of 2000 and 10^6 rounds: one)",
        fontsize="medium",
    )
    return drawn


FIGURES = {"online-mistakes": mistakes}


def main() -> None:
    write(FIGURES)


if __name__ == "__main__":
    main()
