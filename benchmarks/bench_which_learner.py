"""Every private online learner on thresholds: which errs least, and what is proved of it.

``python -m benchmarks which_learner`` plays the games, keeps their numbers in
benchmarks/numbers, and writes the tables of docs/which-learner.md and the figure
docs/which-learner.svg from them; numbers that are kept are not measured again, so that it can be
interrupted. ``python -m benchmarks.bench_which_learner --written`` only writes what is kept.
Learners are tried as by ``lsclasses compare``, each in a process of its own. A learner is stopped
that cannot end one game within `SECONDS` of its processor's time, or whose games of fewer rounds
say that it could not; its bound is computed all the same. Not all settings are played (`settings`).
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, Any

import catalog
from benchmarks.kept import DOCS, FOLDER
from benchmarks.kept import write as write_figures
from learners import plots
from learners.budget import Budget
from learners.papers.coverage import marked
from learners.playing.entries import ONLINE_LEARNERS
from learners.trials import GRACE, ComparisonSetting, Trial, new_trial, run_trial, told_in_time
from lsclasses.figures import REFERENCE
from lsclasses.markdown import fill_markdown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STORED = FOLDER / "which-learner.json"
PAGE = DOCS / "which-learner.md"

SECONDS = {10**3: 20, 10**4: 20, 10**5: 20, 10**6: 150}
"""Of processor time, for the games of one learner in one setting, by the rounds of a game."""
HOPELESS = 1.5
"""How often that time a game would take that is not begun, as fewer rounds tell."""
PATIENCE = 60
"""How often that time may pass on the clock of a machine that has other work."""
GAMES = {10**3: 2, 10**4: 1, 10**5: 1, 10**6: 1}
"""The number of games by their rounds; fewer are played if `SECONDS` pass before."""
ROUNDS = tuple(GAMES)
CLASSES = {8: "thresholds:n=7", 10**3: "thresholds:n=999", 10**6: "thresholds:n=999999"}
"""The class with each number of concepts."""
EPSILONS = (Fraction(1, 2), Fraction(1), Fraction(4))
DELTA = Fraction(1, 10**6)
ADVERSARIES = {
    "random": "random points, labelled by a concept",
    "repeating": "repeats a point until it is predicted right, labelled by a concept",
    "noisy": "random points, a tenth of the labels flipped",
    "noisy:of=repeating": "repeats a point until it is predicted right, a tenth of the labels "
    "flipped",
}
PRIVATE = {
    "sparse-experts": "SparseVectorExperts",
    "dartboard": "ShrinkingDartboard",
    "dp-hedge": "DPHedge",
    "dp-winnow": "private Winnow",
    "pop": "POP",
    "agnostic-pop": "",
    "layered-soa": "LayeredSOA",
    "forest-soa": "ForestSOA",
    "rerun-forest": "",
    "sanitized": "",
    "constructed-experts": "",
}
"""Private learners, and the name under which the figure draws some of them."""
PLAIN = ("soa", "hedge", "follow-the-leader")
"""Learners without privacy; the best of them is what privacy is measured against."""
OPTIMUM = "without privacy"
NOT_BEGUN = "before a game was begun"


@dataclass(frozen=True)
class Cell:
    """One learner in one setting."""

    concepts: int
    adversary: str
    epsilon: str
    rounds: int
    learner: str
    games: int
    mean: float | None
    bound: float | None
    quantity: str
    holds: bool
    refused: str
    seconds: float
    stopped: str = ""

    @property
    def setting(self) -> tuple[int, str, str, int]:
        return self.concepts, self.adversary, self.epsilon, self.rounds

    @property
    def halts(self) -> bool:
        """Whether the learner ends the game itself."""
        return self.stopped.startswith("it halts")


# ---- played


Setting = tuple[int, str, str, int]


def settings() -> Iterator[Setting]:
    """Number of concepts, adversary, epsilon and rounds: those that are played, cheap ones first.

    Noise is played at all epsilons in 10^3 rounds only; 10^5 rounds and 10^6 concepts, at epsilon 1
    without noise; 10^6 rounds, on random points and 8 concepts.
    """
    for T, concepts, adversary, epsilon in product(ROUNDS, CLASSES, ADVERSARIES, EPSILONS):
        noisy, one = adversary.startswith("noisy"), epsilon == 1
        large = concepts > 10**3 or T > 10**4
        if T == 10**6:
            played = concepts == 8 and adversary == "random" and one
        elif large:
            played = one and not noisy
        else:
            played = one or not noisy or T == 10**3
        if played:
            yield concepts, adversary, str(epsilon), T


def played(cells: Iterable[Cell]) -> Iterator[Cell]:
    """All cells, printed as they come; those that are given are not played again."""
    kept = {(*each.setting, each.learner): each for each in cells}
    pace: dict[tuple[int, str], float] = {}
    for setting in settings():
        concepts, _, _, T = setting
        for learner in (*PRIVATE, *PLAIN):
            known = pace.get((concepts, learner), 0.0)
            out = known * T >= HOPELESS * SECONDS[T]
            games = 0 if out else GAMES[T]
            cell = kept.get((*setting, learner)) or measured(*setting, learner, games)
            if games and not cell.refused:
                spent = cell.seconds / ((cell.games or 1) * T)
                if not cell.games and not cell.halts:
                    spent = HOPELESS * SECONDS[T] / T
                pace[concepts, learner] = min(known or spent, spent)
            print(cell, flush=True)
            yield cell


def measured(*setting: Any) -> Cell:
    """One learner tried; of games that are too long only the bound is computed."""
    concepts, adversary, epsilon, rounds, learner, games = setting
    spec, entry = CLASSES[concepts], ONLINE_LEARNERS[learner]
    C, budget = catalog.build(spec), Budget(Fraction(epsilon), DELTA)
    question = ComparisonSetting(spec, C, budget, rounds, 1, adversary, range(games), most=0)
    seconds, begun = SECONDS[rounds], processor_time()
    work = partial(on_processor, partial(run_trial, entry, question), seconds)
    trial: Trial = told_in_time(work, new_trial(entry), PATIENCE * seconds)
    bound = trial.bound
    return Cell(
        *setting[:5],
        games=len(trial.measured),
        mean=None if trial.mean is None else float(trial.mean),
        bound=None if bound is None or bound.value is None else float(bound.value),
        quantity="" if bound is None else bound.quantity,
        holds=bound is not None and bound.applies,
        refused=trial.refused,
        seconds=round(processor_time() - begun, 3),
        stopped=trial.stopped if games else NOT_BEGUN,
    )


def on_processor(
    work: Callable[[Callable[[Trial], None]], None], seconds: int, tell: Callable[[Trial], None]
) -> None:
    """Do the work until a limit of processor time, which does not depend on the load."""
    # What `tell` must not be interrupted by is the signal of Ctrl-C.
    signal.signal(signal.SIGPROF, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    limit = ceil(seconds + GRACE)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    work(tell)


def processor_time() -> float:
    """Seconds of processor time that ended processes took."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def stored() -> list[Cell]:
    """The cells that were kept."""
    if not STORED.exists():
        return []
    return [Cell(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))]


def keep(cells: Iterable[Cell]) -> None:
    lines = ",\n".join(json.dumps(asdict(each)) for each in cells)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


# ---- the tables


def best(cells: Iterable[Cell], names: Iterable[str]) -> float | None:
    """The fewest mistakes that one of these learners made."""
    return min((c.mean for c in cells if c.learner in names and c.mean is not None), default=None)


def tables(cells: list[Cell]) -> str:
    """A table for each adversary, and below it who was stopped or refused."""
    lines = []
    for adversary, meaning in ADVERSARIES.items():
        lines += [f"**`{adversary}`**: {meaning}.", "", *table(cells, adversary), ""]
    return "\n".join(lines + refusals(cells)).rstrip()


def table(cells: list[Cell], adversary: str) -> list[str]:
    heads = ["concepts", "epsilon", "rounds", *(f"`{name}`" for name in PRIVATE), OPTIMUM]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    order = {size: number for number, size in enumerate(CLASSES)}
    winners: dict[tuple[int, str, str], str] = {}
    for setting in sorted(settings(), key=lambda s: (order[s[0]], Fraction(s[2]), s[3])):
        here = {each.learner: each for each in cells if each.setting == setting}
        if setting[1] != adversary or not here:
            continue
        least = best(here.values(), PRIVATE)
        line = setting[:3]
        winner = winners.get(line, "")
        if winner in here and here[winner].mean is None:
            least = None  # who erred least in fewer rounds may do so here
        elif least is not None:
            winners[line] = next(name for name in PRIVATE if here[name].mean == least)
        row = [power(setting[0]), setting[2], power(setting[3])]
        row += [said(here[name], least) if name in here else "not played" for name in PRIVATE]
        plain = best(here.values(), PLAIN)
        ended = "stopped" if any(name in here for name in PLAIN) else "not played"
        row.append(ended if plain is None else number(plain))
        lines.append("| " + " | ".join(row) + " |")
    return lines


def said(cell: Cell, least: float | None) -> str:
    """The mean number of mistakes, bold where it is the least, and the bound in brackets."""
    if cell.refused:
        return ""
    ended = "halts" if cell.halts else "stopped"
    mean = ended if cell.mean is None else number(cell.mean)
    if cell.mean is not None and cell.mean == least:
        mean = f"**{mean}**"
    if cell.bound is None or not cell.holds:
        return mean
    return f"{mean} ({number(cell.bound) if cell.bound < cell.rounds else '> T'})"


def refusals(cells: list[Cell]) -> list[str]:
    """Who does not run, in the words of the refusal."""
    found: dict[tuple[str, str], dict[int, None]] = {}
    for each in cells:
        if each.refused:
            found.setdefault((each.learner, each.refused), {})[each.concepts] = None
    lines = ["Cells are empty where a learner does not run:", ""]
    for (learner, why), where in found.items():
        places = ", ".join(power(concepts) for concepts in where)
        lines.append(f"* `{learner}`, {places} concepts: {why.replace('<', '&lt;')}")
    return lines if found else []


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"


def power(value: int) -> str:
    """A power of ten as such."""
    exponent = len(str(value)) - 1
    return f"10^{exponent}" if exponent > 2 and value == 10**exponent else str(value)


# ---- the figure


def draw() -> Figure:
    """Mistakes against rounds at epsilon = 1, for two adversaries and two sizes of the class."""
    cells = stored()
    shown_adversaries = ("random", "repeating")
    drawn, axes = plots.figure(2 * len(CLASSES), 8.2, rows=len(CLASSES), one_scale=True)
    for ax, (concepts, adversary) in zip(axes, product(CLASSES, shown_adversaries), strict=True):
        here = [c for c in cells if c.setting[:3] == (concepts, adversary, "1")]
        for name, shown in {**PRIVATE, OPTIMUM: OPTIMUM}.items():
            names = PLAIN if name == OPTIMUM else (name,)
            means = {T: best((c for c in here if c.rounds == T), names) for T in ROUNDS}
            points = [(T, max(mean, 1)) for T, mean in means.items() if mean is not None]
            if shown and points:
                ax.plot(*zip(*points, strict=True), label=name, **plots.learner_style(shown))
        ax.plot(ROUNDS, ROUNDS, ":", color=REFERENCE, label="T, every round")
        ax.set(xscale="log", yscale="log")
        ax.set_title(f"{power(concepts)} concepts,\n{adversary} points", fontsize="medium")
    for ax in axes[-2:]:
        ax.set_xlabel("rounds T")
    for ax in axes[::2]:
        ax.set_ylabel("mistakes")
    plots.common_legend(drawn, axes)
    drawn.suptitle("Mistakes on thresholds, epsilon = 1, delta = 10^-6", fontsize="medium")
    return drawn


FIGURES = {"which-learner": draw}


def main() -> None:
    known = stored()
    if "--written" in sys.argv:
        write(known)
        return
    before = time.monotonic()
    done: dict[tuple[Any, ...], Cell] = {(*each.setting, each.learner): each for each in known}
    for cell in played(known):
        key = *cell.setting, cell.learner
        if done.get(key) != cell:
            done[key] = cell
            keep(done.values())
    write(list(done.values()))
    print(f"\n{processor_time():.0f} s of processor time in {time.monotonic() - before:.0f} s")


def write(cells: list[Cell]) -> None:
    """The tables and the figure from numbers."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(marked(page, "games", fill_markdown(tables(cells))), encoding="utf-8")
    write_figures(FIGURES)


if __name__ == "__main__":
    main()
