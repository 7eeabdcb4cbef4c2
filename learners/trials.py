"""Trials of one learner on a class: its guarantee, its measurements, and its state at the deadline.

A trial runs in a separate process, which ends when its time is over.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from multiprocessing.connection import Connection
from operator import ne
from typing import TYPE_CHECKING, Any, TypeVar

from learners.accounting import Privacy
from learners.bounds import Bound
from learners.coins import SeededCoins
from learners.not_private import NotPrivateNotice
from learners.pac.distributions import UniformDistribution
from learners.pac.sample_verdicts import Population, not_judged
from learners.playing.adversaries import adversary
from learners.playing.entries import OnlineEntry
from learners.playing.game_privacy import uncovered_game
from learners.playing.learner import as_learner
from learners.playing.play import held_to, play
from lsclasses.errors import InfiniteDimension, LsclassesError, TooLarge
from lsclasses.numbers import plural

if TYPE_CHECKING:
    from learners.budget import Budget
    from learners.pac.base import BatchLearner
    from learners.pac.entries import SampleEntry
    from learners.playing.learner import OnlineLearner
    from lsclasses.concept_class import ConceptClass
    from lsclasses.specifications import Entry

ONLINE, SAMPLE = "online", "sample"
"""The two settings of learners: a game with one example per round, and a sample of rows."""

MOST = 10**9
"""Default of `ComparisonSetting.most`: the largest number of rounds compared with a bound."""


@dataclass(frozen=True)
class ComparisonSetting:
    """The class, budget and sizes with which every learner is tried.

    Attributes
    ----------
    source : str
        Name of the class as the user wrote it, such as a specification.
    C : ConceptClass
        Class on which learners run.
    budget : Budget
        Privacy budget of each private learner.
    rounds, rows : int
        Number of rounds of each game, and of rows of each sample.
    adversary : str
        Adversary that chooses the examples of a game.
    seeds : range
        Seeds of the random draws, one for each game and each sample.
    most : int
        Largest number of rounds T at which a bound is compared with T, or 0 for no comparison.
    specified : bool
        Whether `source` is a specification. Some learners are built from the specification.
    """

    source: str
    C: ConceptClass
    budget: Budget
    rounds: int
    rows: int
    adversary: str
    seeds: range
    most: int = MOST
    specified: bool = True

    def options(self, entry: Entry) -> dict[str, object]:
        """Return the options that this setting fixes for a learner, such as its budget.

        If no formula gives the Littlestone dimension, the base learner is the best other learner.
        """
        known = ("epsilon", "delta", "allow_weak_privacy")
        names = [each.name for each in entry.parameters]
        found = {name: getattr(self.budget, name) for name in names if name in known}
        if "base" in names and not self._runs_soa:
            found["base"] = "best"
        return found

    def load(self) -> None:
        """Import the modules for the Littlestone dimension of the class, which takes long."""
        _ = self._runs_soa

    @cached_property
    def _runs_soa(self) -> bool:
        """Whether a formula or a search may find the Littlestone dimension."""
        try:
            self.C._closed_form("ldim")
        except TooLarge as error:
            return isinstance(error, InfiniteDimension)
        return True


@dataclass(frozen=True)
class Trial:
    """The results of one learner, which may be incomplete.

    Attributes
    ----------
    learner, title : str
        Name of the learner, and its title.
    setting : str
        `ONLINE` or `SAMPLE`.
    privacy : Privacy or None
        Total privacy, or None without a guarantee.
    uncovered : str
        Reason why the guarantee does not cover the game, or an empty string.
    bound : Bound or None
        The most informative proved bound on mistakes or the error.
    enough : int or None
        Least number of rounds, among 10, 20, 50, 100, ..., from which a bound is below the number
        of rounds. For samples, the number of rows that guarantees an error of 1/10.
    tried : int
        Largest number of rounds that was tried to find `enough`.
    measured : tuple of Fraction or int
        Mistakes of each game, or the error after each sample.
    late : tuple of int
        Number of mistakes of each game in the second half.
    stopped : str
        Progress when the time limit was reached, or the round of the halt.
    refused : str
        Reason why the learner does not run on this class.
    seconds : float
        Duration of the trial.
    """

    learner: str
    title: str
    setting: str
    privacy: Privacy | None = None
    uncovered: str = ""
    bound: Bound | None = None
    enough: int | None = None
    tried: int = 0
    measured: tuple[Fraction | int, ...] = ()
    late: tuple[int, ...] = ()
    stopped: str = "while it was set up"
    refused: str = ""
    seconds: float = 0.0

    @property
    def mean(self) -> Fraction | None:
        """The mean of the measured mistakes or errors."""
        return Fraction(sum(self.measured)) / len(self.measured) if self.measured else None

    @property
    def complete(self) -> bool:
        """Whether all requested measurements were made."""
        return not (self.refused or self.stopped)


@dataclass
class _Notes:
    """The results on a learner as it is tried, each sent to the waiting process."""

    known: Trial
    tell: Callable[[Trial], None] = field(repr=False)

    def add(self, **found: Any) -> None:
        self.known = replace(self.known, **found)
        self.tell(self.known)


def run_trial(
    entry: OnlineEntry | SampleEntry, question: ComparisonSetting, tell: Callable[[Trial], None]
) -> None:
    """Try a learner, and report its results whenever there are new ones.

    An exception of the learner, even of a plug-in, is reported as the reason why it does not run.
    """
    notes = _Notes(new_trial(entry), tell)
    try:
        with warnings.catch_warnings():
            # The notice is redundant, because the table states the number of rows of a guarantee.
            warnings.simplefilter("ignore", NotPrivateNotice)
            if isinstance(entry, OnlineEntry):
                _play(entry, question, notes)
            else:
                _learn(entry, question, notes)
    except LsclassesError as error:
        notes.add(refused=str(error), stopped="")
    except Exception as error:
        notes.add(refused=f"It ends with {type(error).__name__}: {error}", stopped="")


def new_trial(entry: OnlineEntry | SampleEntry) -> Trial:
    """Return the trial of a learner before any measurement."""
    setting = ONLINE if isinstance(entry, OnlineEntry) else SAMPLE
    return Trial(entry.name, entry.title, setting)


def _privacy(learner: Any) -> Privacy | None:
    event = learner.privacy
    return None if event is None else Privacy.of(event, getattr(learner, "delta", None))


def _telling(bounds: Iterable[Bound], most: int | Fraction) -> Bound | None:
    """Return the most informative of the bounds on the measured quantity."""
    about = [b for b in bounds if b.quantity.split()[-1] in ("mistakes", "regret", "error")]
    return min(
        about,
        key=lambda b: (b.value is None, not _helps(b, most), not b.applies, b.value or 0),
        default=None,
    )


def _helps(bound: Bound, most: int | Fraction) -> bool:
    return bound.applies and bound.value is not None and bound.value < most


# ---- timed


T = TypeVar("T")
Tell = Callable[[T], None]

GRACE = 1.0
"""Seconds that interrupted work has to report its progress, before its process is killed."""


def told_in_time(
    work: Callable[[Tell[T]], None],
    first: T,
    seconds: float,
    died: Callable[[T, int], T] = lambda known, _: known,
) -> T:
    """Run a function in another process, and return the last result that arrives in time.

    When the time is over, the process is interrupted as by Ctrl-C. If it does not end, it is
    killed. For example, a search in C does not react to the interruption.

    Parameters
    ----------
    work : callable
        Function ``work(tell)`` that calls ``tell(result)`` for each new result.
    first : object
        Result before the first call of ``tell``.
    seconds : float
        Time limit.
    died : callable, optional
        Function ``died(known, code)`` that returns the result of work whose process ends by itself,
        with an exit code that is not 0.

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
    """Run functions one after the other in another process, and return their last results.

    Each work has the given time, as in `told_in_time`. A work that does not react to the
    interruption ends the process, and a new process continues with the next work.

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


# ---- online


def _play(entry: OnlineEntry, question: ComparisonSetting, notes: _Notes) -> None:
    make = partial(_learner, entry, question)
    learner, rounds = make(question.rounds), question.rounds
    opponent = adversary(question.adversary, question.C)
    bounds = [held_to(each, opponent) for each in learner.bounds]
    privacy = _privacy(learner)
    uncovered = uncovered_game(privacy, opponent)
    notes.add(privacy=privacy, uncovered=uncovered, bound=_telling(bounds, rounds))
    for number, seed in enumerate(question.seeds, start=1):
        tell = partial(_note_progress, notes, number, rounds)
        tell(0, 0)
        game = play(learner, opponent, rounds, SeededCoins(seed), keep_points=False, progress=tell)
        if game.interrupted:
            tell(game.played, game.mistakes)
            return
        if game.halted and game.played < rounds:
            notes.add(stopped=f"it halts in round {game.halted_at} of game {number}")
            return
        known, half = notes.known, rounds // 2
        late = sum(map(ne, game.predictions[half:], game.labels[half:]))
        notes.add(measured=(*known.measured, game.mistakes), late=(*known.late, late))
    notes.add(stopped="")
    _note_enough(
        lambda T: [held_to(each, opponent) for each in make(T).bounds], question.most, notes
    )


def _learner(entry: OnlineEntry, question: ComparisonSetting, rounds: int) -> OnlineLearner:
    source = question.source if entry.specified and question.specified else question.C
    return as_learner(entry.learner(source, rounds, **question.options(entry)))


def _note_progress(notes: _Notes, number: int, rounds: int, played: int, mistakes: int) -> None:
    made = plural(mistakes, "mistake")
    notes.add(stopped=f"in game {number}, {made} in {played} of {plural(rounds, 'round')}")


def _note_enough(bounds: Callable[[int], list[Bound]], most: int, notes: _Notes) -> None:
    """Note a number of rounds from which on a bound is below their number."""

    def helps(rounds: int) -> bool:
        try:
            best = _telling(bounds(rounds), rounds)
        except LsclassesError:
            return False
        return best is not None and _helps(best, rounds)

    rounds = 10
    while rounds <= most and not helps(rounds):
        notes.add(tried=rounds)
        rounds *= 10
    if rounds <= most:
        fewer = (rounds // 5, rounds // 2) if rounds > 10 else ()
        notes.add(enough=next(n for n in chain(fewer, [rounds]) if n == rounds or helps(n)))


# ---- from samples


def _learn(entry: SampleEntry, question: ComparisonSetting, notes: _Notes) -> None:
    options, C, rows = question.options(entry), question.C, question.rows
    law = _population(C, question.seeds[0])
    enough = _enough_rows(entry, question, law)
    learner = entry.learner(C, rows, **options)
    bound = _telling(_held(law, learner, rows), Fraction(1, 2))
    notes.add(privacy=_privacy(learner), bound=bound, enough=enough)
    for number, seed in enumerate(question.seeds, start=1):
        notes.add(stopped=f"in sample {number}")
        law = _population(C, seed)
        sample = law.distribution.sample_seeded(rows, seed)
        hypothesis = learner.fit(sample, SeededCoins(seed))
        try:
            error = law.distribution.loss(hypothesis)
        except TooLarge as stopped:
            raise TooLarge(f"The learner runs, but its exact error is unknown. {stopped}") from None
        notes.add(measured=(*notes.known.measured, error))
    notes.add(stopped="")


def _enough_rows(entry: SampleEntry, question: ComparisonSetting, law: Population) -> int | None:
    """Return the number of rows from which an error bound applies, or None."""
    options = question.options(entry)
    try:
        planned = entry.learner(question.C, None, **options)
    except TooLarge:
        # The learner may be too slow for so many rows, but not for the rows of the comparison.
        return None
    enough = planned.rows
    if enough is None or not any(b.applies for b in _held(law, planned, enough)):
        return None
    return enough


def _population(C: ConceptClass, seed: int) -> Population:
    """Uniform points, labelled by a random concept."""
    return Population(UniformDistribution(C.domain, C.sample(rng=seed)), Fraction(0))


def _held(law: Population, learner: BatchLearner, rows: int) -> list[Bound]:
    """Return the bounds, with hypotheses that are not known to be met as unmet."""
    bounds = law.bounds(learner, rows)
    return [
        replace(each, unmet=tuple(dict.fromkeys((*each.unmet, *not_judged(each)))))
        for each in bounds
    ]
