"""``lsclasses compare``: every learner on one class, in one table.

A learner runs in a separate process, which ends when its time is over. The table contains the
results that the process has reported by then.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from learners.commands.options import (
    AllowWeakPrivacy,
    ClassSource,
    adversaries,
    number_option,
    read_count,
    read_rounds,
)
from lsclasses.commands.application import LEARNING, AsJson, Force, command, read_seconds
from lsclasses.commands.classes import load
from lsclasses.commands.output import counts, print_json, progress_line, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput
from lsclasses.figures import FIGURE
from lsclasses.numbers import format_number, plural
from lsclasses.outputs import Writes
from lsclasses.specifications import split

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from learners.commands.trials import ComparisonSetting, Trial
    from learners.pac.entries import SampleEntry
    from learners.playing.entries import OnlineEntry


# ---- timed


T = TypeVar("T")
Tell = Callable[[T], None]

GRACE = 1.0
"""Seconds that interrupted work has to say how far it came, before it is killed."""


def told_in_time(
    work: Callable[[Tell[T]], None],
    first: T,
    seconds: float,
    died: Callable[[T, int], T] = lambda known, _: known,
) -> T:
    """Run work in another process, and return the last result it sent in time.

    When the time is up the work is interrupted as by Ctrl-C, and killed if that does not end it:
    a search in C, or a number of a million digits, hears no interruption.

    Parameters
    ----------
    work : callable
        ``work(tell)`` tells what is known whenever there is more.
    first : object
        What is known before.
    seconds : float
    died : callable, optional
        ``died(known, code)`` is what is known of work whose process ends by itself, with an exit
        code that is not 0.

    Examples
    --------
    >>> def count(tell):
    ...     for number in range(3):
    ...         tell(number)
    ...     time.sleep(60)
    >>> told_in_time(count, None, 0.5)
    2
    """
    return told_in_turn([work], [first], seconds, died)[0]


def told_in_turn(
    works: Sequence[Callable[[Tell[T]], None]],
    firsts: Sequence[T],
    seconds: float,
    died: Callable[[T, int], T] = lambda known, _: known,
) -> list[T]:
    """Run works one after the other in another process, and return the last result of each.

    Each work has the given time, as in `told_in_time`. A work that does not hear the interruption
    ends the process, and a new process continues with the next work.

    Examples
    --------
    >>> def wait(seconds, tell):
    ...     tell(f"waits {seconds} s")
    ...     time.sleep(seconds)
    ...     tell("done")
    >>> told_in_turn([partial(wait, 60), partial(wait, 0)], ["", ""], 0.5)
    ['waits 60 s', 'done']
    """
    results, start = list(firsts), 0
    while start < len(works):
        parent, child = multiprocessing.Pipe()
        process = multiprocessing.Process(
            target=_work_in_turn, args=(works[start:], child), daemon=True
        )
        with _uninterrupted():
            process.start()
        child.close()
        interrupted, deadline = False, time.monotonic() + seconds
        try:
            while start < len(works):
                if parent.poll(max(0.0, deadline - time.monotonic())):
                    ended, known = parent.recv()
                    if not ended:
                        results[start] = known
                        continue
                    start += 1
                    interrupted, deadline = False, time.monotonic() + seconds
                    parent.send(None)
                elif interrupted or process.pid is None:
                    break
                else:
                    os.kill(process.pid, signal.SIGINT)
                    interrupted, deadline = True, deadline + GRACE
        except (EOFError, ConnectionError):
            process.join(GRACE)
            if process.exitcode and start < len(works) and not interrupted:
                results[start] = died(results[start], process.exitcode)
        finally:
            process.kill()
            process.join()
            parent.close()
        if start < len(works):
            start += 1
    return results


def _work_in_turn(works: Sequence[Callable[[Tell[T]], None]], channel: Connection) -> None:
    def tell(known: T) -> None:
        with _uninterrupted():
            channel.send((False, known))

    signal.signal(signal.SIGINT, signal.default_int_handler)
    for work in works:
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            work(tell)
        except KeyboardInterrupt:
            pass
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        channel.send((True, None))
        channel.recv()
        # An interruption of this work that came too late must not reach the next work.
        signal.sigtimedwait({signal.SIGINT}, 0)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay interruptions until the block has ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- compare


ONLINE_HEADS = ("mistakes", "2nd half", "bound", "helps from")
SAMPLE_HEADS = ("error", "bound", "rows for 1/10")
"""The columns between a learner's privacy and its seconds."""


@command(LEARNING)
def compare(
    source: ClassSource,
    *,
    epsilon: Annotated[str, number_option("Privacy budget.")] = "1",
    delta: Annotated[str, number_option("Privacy budget, where a learner takes one.")] = "1e-6",
    allow_weak_privacy: AllowWeakPrivacy = False,
    rounds: Annotated[
        str,
        typer.Option(
            "--rounds", "-T", metavar="COUNT", help="Number of rounds per game, such as 1e4."
        ),
    ] = "1000",
    rows: Annotated[str, typer.Option(metavar="COUNT", help="Number of rows per sample.")] = "1000",
    adversary: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTIONS]",
            help="Adversary that chooses points and labels.",
            autocompletion=adversaries,
        ),
    ] = "random",
    seconds: Annotated[
        str, number_option("Time for each learner. A learner that takes longer is stopped.")
    ] = "10",
    seed: Annotated[int, typer.Option(metavar="SEED", min=0, help="Seed of the simulation.")] = 0,
    seeds: Annotated[
        int,
        typer.Option(
            metavar="COUNT",
            min=1,
            help="Number of games, and of samples; seeds count up from --seed.",
        ),
    ] = 3,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw mistakes and errors beside bounds (.svg, .pdf, .png).",
        ),
        Writes(FIGURE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Try every learner on one class: online ones in games, the others on samples.

    Side by side are what each guarantees, how many mistakes it makes or how large its error is, its
    bound, and from how many rounds or rows on the bound says something; what does not run, and why;
    and in the end which one to take. Points are random and labelled by random concepts, unless
    another adversary plays. All is simulated.
    """
    from learners.budget import Budget
    from learners.commands.trials import ComparisonSetting
    from learners.number_arguments import as_printed
    from learners.playing.adversaries import adversary as named
    from lsclasses.figures import figure_format, save

    if plot is not None:
        figure_format(plot)
    if split(adversary)[0] == "stream":
        raise InvalidInput(
            "What is compared are simulations, which are no place for people's examples; "
            f"'lsclasses run LEARNER' plays those. Got {adversary!r}."
        )
    budget = Budget(
        as_printed(epsilon, "epsilon"),
        as_printed(delta, "delta"),
        allow_weak_privacy=allow_weak_privacy,
    )
    C = load(source)
    named(adversary, C)  # a name that is wrong is refused once
    question = ComparisonSetting(
        *(source, C, budget),
        rounds=read_rounds(rounds),
        rows=read_count("compare", "rows", rows),
        adversary=adversary,
        seeds=range(seed, seed + seeds),
    )
    trials = compared(question, read_seconds(seconds))
    if plot is not None:
        save(_drawn(question, trials), plot)
    if as_json:
        print_json(_json(question, trials))
    else:
        _print(question, trials)


def compared(question: ComparisonSetting, seconds: float) -> list[Trial]:
    """Try every learner, one after the other, so that they do not share processor time."""
    from time import monotonic

    from learners.commands.trials import new_trial, run_trial
    from learners.pac.entries import BATCH_LEARNERS
    from learners.playing.entries import ONLINE_LEARNERS

    entries: list[OnlineEntry | SampleEntry] = [*ONLINE_LEARNERS.values(), *BATCH_LEARNERS.values()]
    trials = []
    with progress_line() as show:
        for number, entry in enumerate(entries, start=1):
            show(f"{entry.name}, {number} of {len(entries)}")
            begun = monotonic()
            work = partial(run_trial, entry, question)
            trial = told_in_time(work, new_trial(entry), seconds, _died)
            trials.append(replace(trial, seconds=monotonic() - begun))
    return trials


def try_learners(questions: Sequence[ComparisonSetting], seconds: float) -> list[list[Trial]]:
    """Try every learner on several classes in one process, without the times that they take."""
    from learners.commands.trials import new_trial, run_trial
    from learners.pac.entries import BATCH_LEARNERS
    from learners.playing.entries import ONLINE_LEARNERS

    entries: list[OnlineEntry | SampleEntry] = [*ONLINE_LEARNERS.values(), *BATCH_LEARNERS.values()]
    works = [partial(run_trial, entry, each) for each in questions for entry in entries]
    firsts = [new_trial(entry) for entry in entries] * len(questions)
    trials = told_in_turn(works, firsts, seconds, _died)
    count = len(entries)
    return [trials[i : i + count] for i in range(0, len(trials), count)]


def _died(trial: Trial, code: int) -> Trial:
    return replace(trial, stopped="", refused=f"Its process ends with exit code {code}.")


# ---- which one to take


def _best(trials: Iterable[Trial], setting: str, private: bool) -> Trial | None:
    """The learner with the fewest errors among those measured to the end."""
    able = [
        each
        for each in trials
        if (each.setting, each.privacy is not None) == (setting, private) and each.complete
    ]
    return min(able, key=lambda each: (each.mean, each.enough or 1 << 64), default=None)


def advice(question: ComparisonSetting, trials: Sequence[Trial]) -> str:
    """Advice on the learner to take for the class, and from how many rounds or rows on."""
    return f"{_online_advice(question, trials)}; {_sample_advice(trials)}."


def _online_advice(question: ComparisonSetting, trials: Sequence[Trial]) -> str:
    from learners.commands.trials import ONLINE

    best = _best(trials, ONLINE, True)
    if best is None:
        return "Online: no private learner came to the end"
    assert best.mean is not None
    rounds = plural(question.rounds, "round")
    made = (
        f"{_mean(best.mean)} mistakes in {rounds}, {_mean(_late(best))} of them in the second half"
    )
    if 4 * best.mean >= question.rounds:
        head = f"Online: {rounds} are too few for privacy, since {best.learner} makes {made}"
    else:
        head = f"Online: take {best.learner}, which makes {made}"
    first = _first_that_helps(trials, ONLINE)
    if best.enough is not None:
        helps = f"; its bound is below T for T >= {_large(best.enough)} rounds"
    elif first is not None:
        helps = f"; the bound of {first[0]} is below T for T >= {_large(first[1])} rounds"
    else:
        helps = f"; its bound is not below T for T <= {_large(best.tried)}" * bool(best.tried)
    return f"{head}{_without(trials, ONLINE)}{helps}"


def _sample_advice(trials: Sequence[Trial]) -> str:
    from learners.commands.trials import SAMPLE

    best = _best(trials, SAMPLE, True)
    if best is None:
        return "from samples no private learner came to the end"
    assert best.mean is not None
    promise = (
        "promises nothing for any number of rows"
        if best.enough is None
        else f"promises {_promised(best)} of 1/10 from {_large(best.enough)} rows on"
    )
    return (
        f"from samples take {best.learner}, whose error is "
        f"{_mean(best.mean)}{_without(trials, SAMPLE)} and which {promise}"
    )


def _promised(trial: Trial) -> str:
    """The quantity in the bound of a learner from samples."""
    from learners.pac.base import POPULATION_ERROR

    quantity = POPULATION_ERROR if trial.bound is None else trial.bound.quantity
    return "an error" if quantity == POPULATION_ERROR else f"an {quantity}"


def _first_that_helps(trials: Iterable[Trial], setting: str) -> tuple[str, int] | None:
    """The private learner whose bound needs the fewest rounds to be below their number."""
    able = [
        (each.learner, each.enough)
        for each in trials
        if each.setting == setting and each.privacy is not None and each.enough is not None
    ]
    return min(able, key=lambda each: each[1], default=None)


def _without(trials: Sequence[Trial], setting: str) -> str:
    """The result of the best learner without privacy, in brackets."""
    plain = _best(trials, setting, False)
    if plain is None or plain.mean is None:
        return ""
    return f" (without privacy the best has {_mean(plain.mean)})"


def _late(trial: Trial) -> Fraction:
    return Fraction(sum(trial.late), len(trial.late))


def _mean(value: Fraction) -> str:
    return format_number(value, 3)


def _large(count: int) -> str:
    return f"{count:,}" if count < 10**9 else format_number(Fraction(count), 3)


# ---- as JSON


def _json(question: ComparisonSetting, trials: Sequence[Trial]) -> dict[str, object]:
    return {
        "class": question.source,
        "epsilon": str(question.budget.epsilon),
        "delta": str(question.budget.delta),
        "rounds": question.rounds,
        "rows": question.rows,
        "adversary": question.adversary,
        "seeds": list(question.seeds),
        "learners": [_trial_json(each) for each in trials],
        "sentence": advice(question, trials),
    }


def _trial_json(trial: Trial) -> dict[str, object]:
    privacy, bound, mean = trial.privacy, trial.bound, trial.mean
    return {
        "name": trial.learner,
        "title": trial.title,
        "setting": trial.setting,
        "privacy": None if privacy is None else privacy.to_json(),
        "not covered": trial.uncovered or None,
        "bound": None if bound is None else {**bound.to_json(), "unmet": list(bound.unmet)},
        "enough": trial.enough,
        "tried": trial.tried or None,
        "measured": [str(value) for value in trial.measured],
        "mean": None if mean is None else str(mean),
        "second half": list(trial.late),
        "stopped": trial.stopped or None,
        "refused": trial.refused or None,
        "seconds": round(trial.seconds, 3),
    }


# ---- in words


def _print(question: ComparisonSetting, trials: Sequence[Trial]) -> None:
    from learners.commands.trials import ONLINE, SAMPLE

    games = plural(len(question.seeds), "game")
    say(
        f"{question.source}: {counts(question.C)}; epsilon "
        f"{format_number(question.budget.epsilon)}, "
        f"delta {format_number(question.budget.delta)} where there is one"
    )
    say(f"\nOnline: {games} of {plural(question.rounds, 'round')}, {question.adversary}")
    terminal().print(_grid(ONLINE_HEADS, trials, ONLINE, _online_cells))
    samples = plural(len(question.seeds), "sample")
    say(f"\nFrom samples: {samples} of {plural(question.rows, 'row')}")
    terminal().print(_grid(SAMPLE_HEADS, trials, SAMPLE, _sample_cells))
    _print_unfinished("Guarantee does not cover this game:", trials, lambda each: each.uncovered)
    _print_unfinished("Not finished:", trials, lambda each: each.stopped)
    _print_unfinished("Not run:", trials, lambda each: each.refused)
    say(f"\n{advice(question, trials)}")


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
    optional = ("seconds", "2nd half", "helps from")
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
    assert trial.mean is not None
    yield _mean(trial.mean)
    yield _mean(_late(trial))
    yield _bound(trial)
    if trial.enough is not None:
        yield _large(trial.enough)
    else:
        yield f"> {_large(trial.tried)}" if trial.tried else ""


def _sample_cells(trial: Trial) -> Iterator[str]:
    assert trial.mean is not None
    yield _mean(trial.mean)
    yield _bound(trial)
    yield "" if trial.enough is None else _large(trial.enough)


# ---- drawn


def _drawn(question: ComparisonSetting, trials: Sequence[Trial]) -> Figure:
    """Mistakes and errors as bars, with and without privacy, and bounds as marks."""
    from learners.commands.trials import ONLINE, SAMPLE
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


def _in_order(trials: Iterable[Trial], setting: str) -> list[Trial]:
    """The measured learners, private ones first, the one with fewest errors on top."""
    measured = [each for each in trials if each.setting == setting and each.mean is not None]
    return sorted(measured, key=lambda each: (each.privacy is None, each.mean))


def _bound(trial: Trial) -> str:
    """The bound, with its quantity if another was measured; in brackets if it need not hold."""
    from learners.pac.base import POPULATION_ERROR

    if trial.bound is None or trial.bound.value is None:
        return ""
    value = format_number(trial.bound.value, 3)
    if trial.bound.quantity not in ("mistakes", POPULATION_ERROR):
        value += f", {trial.bound.quantity}"
    return value if trial.bound.applies else f"({value})"
