"""``lsclasses compare``: every learner on one class, in one table.

A learner runs in a separate process, which ends when its time is over. The table contains the
results that the process has reported by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from learners.commands.options import (
    BudgetLimits,
    ClassSource,
    adversaries,
    number_option,
    read_count,
    read_rounds,
)
from lsclasses.commands.application import LEARNING, AsJson, Force, command, read_seconds
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import counts, print_json, progress_line, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.figures import FIGURE
from lsclasses.numbers import format_number, plural
from lsclasses.outputs import Writes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from learners.learner_comparison import Comparison
    from learners.trials import ComparisonSetting, Trial


# ---- compare


ONLINE_HEADS = ("mistakes", "2nd half", "bound", "rounds needed")
SAMPLE_HEADS = ("error", "bound", "rows needed")
LEGEND = """
rounds needed: first of 10, 20, 50, 100, ... that is larger than the bound
rows needed: number of rows for a proved error of 1/10
(bound): does not apply to these rounds or rows"""
"""Explanation of the columns."""
"""The columns between a learner's privacy and its seconds."""


@dataclass(frozen=True, kw_only=True)
class ComparisonBudget(BudgetLimits):
    """The budget of every learner. A learner with a pure guarantee takes no delta."""

    delta: Annotated[
        str, number_option("Delta of the guarantee, for learners that use a delta.")
    ] = "1e-6"


@dataclass(frozen=True, kw_only=True)
class ComparisonOptions(OptionGroup):
    """The games and the samples of a comparison."""

    rounds: Annotated[
        str,
        typer.Option(
            "--rounds", "-T", metavar="INTEGER", help="Number of rounds per game, such as 1e4."
        ),
    ] = "1000"
    rows: Annotated[str, typer.Option(metavar="INTEGER", help="Number of rows per sample.")] = (
        "1000"
    )
    adversary: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTIONS]",
            help="Adversary that chooses points and labels.",
            autocompletion=adversaries,
        ),
    ] = "random"
    seed: Annotated[int, typer.Option(metavar="INTEGER", min=0, help="Seed of the simulation.")] = 0
    seeds: Annotated[
        int,
        typer.Option(
            metavar="INTEGER",
            min=1,
            help="Number of games of each online learner, and number of samples of each other "
            "learner. The seeds are the value of --seed, this value + 1, and so on.",
        ),
    ] = 3


@command(LEARNING)
def compare(
    source: ClassSource,
    *,
    limits: ComparisonBudget,
    games: ComparisonOptions,
    seconds: Annotated[
        str,
        number_option(
            "Time limit for each learner, in seconds. After this time, the command stops the "
            "learner."
        ),
    ] = "10",
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the mistakes, the errors and the bounds of all learners (.svg, .pdf, .png).",
        ),
        Writes(FIGURE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compare all learners on one class: online learners in games, the other learners on samples.

    The table lists the privacy guarantee of each learner, its mistakes or its error, and the proved
    bound. It also lists the least number of rounds or rows for which the bound is not vacuous.
    Below the table, the command lists the learners that cannot run, each with a reason. The last
    line recommends a learner. By default, the points are random, and in each game or sample, one
    random concept labels them. --adversary chooses another adversary for the games. All games and
    samples are simulations.
    """
    from learners.learner_comparison import compared, require_simulation
    from learners.trials import ComparisonSetting
    from lsclasses.figures import figure_format, save

    if plot is not None:
        figure_format(plot)
    question = ComparisonSetting(
        *(source, load(source), limits.budget()),
        rounds=read_rounds(games.rounds),
        rows=read_count("compare", "rows", games.rows),
        adversary=games.adversary,
        seeds=range(games.seed, games.seed + games.seeds),
        specified=not is_file(source),
    )
    require_simulation(question)
    with progress_line() as show:
        found = compared(question, read_seconds(seconds), show=show)
    if plot is not None:
        save(_drawn(question, found.trials), plot)
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)


# ---- in words


def _print(found: Comparison) -> None:
    from learners.trials import ONLINE, SAMPLE

    question, trials = found.setting, found.trials
    games = plural(len(question.seeds), "game")
    say(
        f"{question.source}: {counts(question.C)}\n"
        f"Privacy budget: epsilon {format_number(question.budget.epsilon)}, and delta "
        f"{format_number(question.budget.delta)} for learners with a delta"
    )
    say(f"\nOnline: {games} of {plural(question.rounds, 'round')}, {question.adversary}")
    terminal().print(_grid(ONLINE_HEADS, trials, ONLINE, _online_cells))
    samples = plural(len(question.seeds), "sample")
    say(f"\nFrom samples: {samples} of {plural(question.rows, 'row')}")
    terminal().print(_grid(SAMPLE_HEADS, trials, SAMPLE, _sample_cells))
    _print_unfinished("Guarantee does not cover this game:", trials, lambda each: each.uncovered)
    _print_unfinished("Not finished:", trials, lambda each: each.stopped)
    _print_unfinished("Not run:", trials, lambda each: each.refused)
    say(LEGEND)
    say(f"\n{found.advice}")


def _print_unfinished(head: str, trials: Sequence[Trial], why: Callable[[Trial], str]) -> None:
    those = [each for each in trials if why(each)]
    if those:
        say(f"\n{head}")
    for each in those:
        say(f"  {each.learner} ({each.setting}): {why(each)}")


def _grid(
    heads: Sequence[str],
    trials: Sequence[Trial],
    setting: str,
    cells: Callable[[Trial], Iterator[str]],
) -> Grid:
    optional = ("seconds", "2nd half", "rounds needed")
    grid = Grid(
        *("learner", "privacy", *heads, "seconds"),
        right=[*heads, "seconds"],
        optional=optional,
    )
    for each in _in_order(trials, setting):
        privacy = "none" if each.privacy is None else each.privacy.summary
        grid.add_row(each.learner, privacy, *cells(each), f"{each.seconds:.1f}")
    return grid


def _online_cells(trial: Trial) -> Iterator[str]:
    from learners.learner_comparison import count_text, late_mean, mean_text

    assert trial.mean is not None
    yield mean_text(trial.mean)
    yield mean_text(late_mean(trial))
    yield _bound(trial)
    if trial.enough is not None:
        yield count_text(trial.enough)
    else:
        yield f"> {count_text(trial.tried)}" if trial.tried else ""


def _sample_cells(trial: Trial) -> Iterator[str]:
    from learners.learner_comparison import count_text, mean_text

    assert trial.mean is not None
    yield mean_text(trial.mean)
    yield _bound(trial)
    yield "" if trial.enough is None else count_text(trial.enough)


# ---- drawn


def _drawn(question: ComparisonSetting, trials: Sequence[Trial]) -> Figure:
    """Mistakes and errors as bars, with and without privacy, and bounds as marks."""
    from learners.trials import ONLINE, SAMPLE
    from lsclasses.figures import common_legend, figure

    panels: dict[str, tuple[Fraction | int, str]] = {
        ONLINE: (question.rounds, f"mistakes in {plural(question.rounds, 'round')}"),
        SAMPLE: (Fraction(1, 2), f"error after {plural(question.rows, 'row')}"),
    }
    shares = [max(1, len(_in_order(trials, setting))) for setting in panels]
    height = 2.4 + 0.22 * sum(shares)
    drawn, axes = figure(len(panels), height, rows=len(panels), shares=shares)
    for ax, (setting, (most, name)) in zip(axes, panels.items(), strict=True):
        _draw_bars(ax, _in_order(trials, setting)[::-1], most)
        ax.set_xlabel(name)
        ax.set_xlim(left=0)
        ax.grid(visible=False, axis="y")
    if any(each.mean is not None for each in trials):
        common_legend(drawn, axes)
    budget = question.budget
    title = (
        f"{question.source}, adversary {question.adversary}\n"
        f"epsilon = {format_number(budget.epsilon)}, delta = {format_number(budget.delta)}"
    )
    drawn.suptitle(title, fontsize="medium")
    return drawn


def _draw_bars(ax: Axes, trials: Sequence[Trial], most: Fraction | int) -> None:
    from lsclasses.figures import COLORS, REFERENCE

    names = {True: "with privacy", False: "without privacy"}
    colors = {True: COLORS["sky"], False: REFERENCE}
    for place, each in enumerate(trials):
        assert each.mean is not None
        private = each.privacy is not None
        style: dict[str, Any] = {"color": colors[private], "label": names[private]}
        if private:
            style |= {"hatch": "//", "edgecolor": "white"}
        ax.barh(place, float(each.mean), **style)
        measured = [float(value) for value in each.measured]
        ax.plot(measured, [place] * len(measured), "k.", label="one game or sample")
        stated = each.bound.value if each.bound is not None and each.bound.applies else None
        if stated is not None and stated <= most:
            red = COLORS["vermilion"]
            ax.plot(float(stated), place, "|", color=red, ms=12, mew=2, ls="", label="bound")
    ax.set_yticks(range(len(trials)), [each.learner for each in trials])


def _in_order(trials: Sequence[Trial], setting: str) -> list[Trial]:
    """Return the measured learners: private learners first, then by the number of errors."""
    measured = [each for each in trials if each.setting == setting and each.mean is not None]
    return sorted(measured, key=lambda each: (each.privacy is None, each.mean))


def _bound(trial: Trial) -> str:
    """Return the bound, with its quantity if it differs, in brackets if it need not hold."""
    from learners.pac.base import POPULATION_ERROR

    if trial.bound is None or trial.bound.value is None:
        return ""
    value = format_number(trial.bound.value, 3)
    if trial.bound.quantity not in ("mistakes", POPULATION_ERROR):
        value += f", {trial.bound.quantity}"
    return value if trial.bound.applies else f"({value})"
