"""The state of a game of online learning, with its rounds, records and progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from learners.coins import Coins
from learners.playing.adversaries import NOTHING, THIS
from learners.playing.base.state import Prediction
from learners.playing.counts import NONE_YET, Counts
from learners.playing.learner import Kept, OnlineLearner
from learners.playing.transcript import Transcript
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, NotRealizable
from lsclasses.point_names import Label, Point, check_label

if TYPE_CHECKING:
    from learners.playing.expert_sources import Expert, ExpertSource, Revealed, Tally
    from learners.playing.loss_adversaries import LossRun
    from learners.playing.loss_learner import LossLearner


# ---- progress


PATIENCE = 2.0
"""Number of seconds after which a game shows its progress."""


Progress = Callable[[int, int], None]
"""Function that is called from time to time with the numbers of rounds and mistakes so far."""


@contextmanager
def shown_progress(progress: bool | Progress | None, rounds: int) -> Iterator[Progress | None]:
    """Yield the function that displays progress: a given function, or a progress bar."""
    if callable(progress):
        yield progress
        return
    if not progress or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.completed} of {task.total} rounds, {task.fields[mistakes]} mistakes"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=rounds, mistakes=0)
    begun = time.monotonic()

    def tell(played: int, mistakes: int) -> None:
        if time.monotonic() - begun > PATIENCE:
            bar.start()
            bar.update(task, completed=played, mistakes=mistakes)

    try:
        yield tell
    finally:
        bar.stop()


# ---- game


AT_A_TIME = 256
"""Number of rounds between two checks of the clock."""
Watch = Callable[[Any], None]
"""Function that is called with each `Round` or `LossRound` at its end."""


@dataclass(frozen=True)
class Round:
    """A played round: point, prediction and label.

    Attributes
    ----------
    number : int
        Number of the round, from 1 on.
    point, prediction, label
        The point of the round, the learner's prediction, and the true label.
    mistakes : int
        Number of mistakes so far, including this round.
    state : object
        The learner's state after the round, which is secret, or None if the learner has halted.
    """

    number: int
    point: Point
    prediction: Label
    label: Label
    mistakes: int
    state: Kept

    @property
    def mistake(self) -> bool:
        """Whether the prediction of the round was wrong."""
        return self.prediction != self.label


@dataclass(frozen=True)
class LossRound:
    """A round that was played with a vector of losses.

    Attributes
    ----------
    number : int
        Number of the round, from 1 on.
    losses : object
        Losses of all experts, in the format of their source: for `LossVectors`, an array in units.
    expert : object
        Expert that was published before the round.
    loss : int
        Loss of this expert, in units.
    state : object
        The learner's state after the round, which is secret.
    """

    number: int
    losses: Revealed
    expert: Expert
    loss: int
    state: Kept


@dataclass(frozen=True)
class PausedGame:
    """A game between two rounds, from which `learners.playing.play.play` resumes.

    Attributes
    ----------
    state : object
        The learner's state, which is secret.
    tally : Tally or None
        Losses of the experts with which the regret compares, or None if regret is not counted.
    counts : Counts
        Counts of the game so far.
    """

    state: Kept
    tally: Tally | None
    counts: Counts


@dataclass(frozen=True)
class Recordings:
    """The recordings that are requested of a game, from the arguments of `play`."""

    keep_points: bool
    diagnostics: int
    watch: Watch | None
    resume: PausedGame | None = None


class GameState:
    """The state of a game, with its records up to the current round."""

    def __init__(
        self,
        learner: OnlineLearner,
        opponent: Any,
        coins: Coins,
        domain: Domain | None = None,
        experts: ExpertSource | None = None,
        *,
        sees: str,
        asked: Recordings,
    ) -> None:
        self._learner, self._opponent, self._domain, self._coins = learner, opponent, domain, coins
        self._resumed = asked.resume
        if asked.resume is not None:
            self._tally = asked.resume.tally
        else:
            self._tally = None if experts is None else experts.begin()
        self._whole: tuple[int, Kept, Tally | None] | None = None
        self._best: list[int] = []
        self._sees = sees
        self._hear = None if sees == NOTHING else opponent.hear
        reads = sees == THIS and type(learner).published is not OnlineLearner.published
        self._read = opponent.read if reads else None
        says = learner.counts_switches
        self._switched = learner.switched if says else None
        self._every = asked.diagnostics
        self._watch = asked.watch
        self._points: list[Point] | None = [] if asked.keep_points else None
        self._predictions, self._labels = bytearray(), bytearray()
        self._tossed = bytearray()
        self._changed = bytearray() if says else None
        self._secret: list[Mapping[str, float]] = []
        self._halted_at: int | None = None
        self._interrupted = False
        self._mistakes = 0

    def run(self, rounds: int, tell: Progress | None) -> None:
        """Play the rounds of the game, and record them."""
        number = 0
        try:
            if self._resumed is None:
                state = self._learner.start(self._coins)
            else:
                state = self._resumed.state
            self._whole = 0, state, self._tally
            if state is None:
                self._halted_at = 0
            while state is not None and number < rounds:
                stop = min(number + AT_A_TIME, rounds)
                while number < stop:
                    number += 1
                    state = self._round(number, state)
                    if state is None:
                        break
                if tell is not None:
                    tell(self._played, self._mistakes)
        except KeyboardInterrupt:
            self._interrupted = True
        except (InvalidInput, NotRealizable) as error:
            raise type(error)(f"Round {number}: {error}") from error

    def _round(self, number: int, state: Kept) -> Kept:
        """Play one round, and return the learner's state, or None if the game is over."""
        opponent, coins = self._opponent, self._coins
        if self._read is not None:
            hypothesis = self._learner.published(state)
            if hypothesis is not None:
                self._read(hypothesis)
        posed = opponent.pose()
        if posed is None:
            return None
        x, y = posed
        if self._domain is not None:
            x = self._domain.require(x)
        answered = self._learner._predict(state, x, coins)
        if type(answered) is not tuple or len(answered) != 2:
            raise InvalidInput(
                f"A learner answers with a pair (state, prediction). Got {answered!r}."
            )
        after, shown = answered
        if after is None and shown is None:
            self._halted_at = number
            return None
        label, coin = _read(shown)
        if y is None:
            if self._sees != THIS:
                raise InvalidInput(
                    f"The adversary observes {self._sees!r}, so it must choose the label with the "
                    f"point. To wait for the prediction, it must declare sees = {THIS!r}."
                )
            y = opponent.reveal(label, coin)
        y = check_label(y)
        if after is not None:
            after = self._learner._learn(after, x, y, coins)
        if self._hear is not None:
            self._hear(label, coin)
        if self._points is not None:
            self._points.append(x)
        self._predictions.append(label)
        self._labels.append(y)
        if self._changed is not None and self._switched is not None:
            self._changed.append(
                after is not None and after is not state and self._switched(state, after)
            )
        if self._every and after is not None and number % self._every == 0:
            self._secret.append(self._learner.inspect(after))
        if self._tally is not None:
            self._tally = self._tally.after((x, y))
            self._best.append(self._tally.least)
        self._mistakes += label != y
        self._tossed.append(coin)
        self._whole = self._played, after, self._tally
        if after is None:
            self._halted_at = number
        if self._watch is not None:
            self._watch(Round(number, x, label, y, self._mistakes, after))
        return after

    @property
    def _played(self) -> int:
        """The number of complete rounds, whose last entry exists."""
        return len(self._tossed)

    def transcript(self, **known: Any) -> Transcript:
        """Return the transcript of all complete rounds, without an interrupted round."""
        played = self._played
        diagnosed = self._secret[: played // self._every] if self._every else []
        names = sorted({name for each in diagnosed for name in each})
        return Transcript(
            predictions=bytes(self._predictions[:played]),
            labels=bytes(self._labels[:played]),
            coins=bytes(self._tossed),
            changed=None if self._changed is None else bytes(self._changed[:played]),
            best=None if self._tally is None else tuple(self._best[:played]),
            points=None if self._points is None else tuple(self._points[:played]),
            halted_at=self._halted_at,
            interrupted=self._interrupted,
            secret={
                name: tuple(float(each.get(name, nan)) for each in diagnosed) for name in names
            },
            secret_every=self._every,
            earlier=NONE_YET if self._resumed is None else self._resumed.counts,
            **known,
        )

    def paused(self, transcript: Transcript) -> PausedGame | None:
        """Return the game after its last complete round, or None if it cannot be resumed.

        The game cannot be resumed if the learner has halted. An interruption in the middle of a
        round that the adversary may have observed also prevents it, because no randomness may be
        drawn twice for that round.
        """
        if self._whole is None or self._halted_at is not None:
            return None
        played, state, tally = self._whole
        unseen = self._sees == NOTHING or not self._interrupted
        if played != self._played or state is None or not unseen:
            return None
        return PausedGame(state, tally, transcript.counts)


class LossGame(GameState):
    """A game with vectors of losses, whose rounds have an expert instead of a prediction."""

    def __init__(
        self,
        learner: LossLearner,
        opponent: LossRun,
        coins: Coins,
        *,
        sees: str,
        asked: Recordings,
    ) -> None:
        super().__init__(learner, opponent, coins, experts=learner.experts, sees=sees, asked=asked)
        self._loss_learner = learner
        self._chosen: list[Expert] = []
        self._losses: list[int] = []

    @property
    def _played(self) -> int:
        return len(self._losses)

    def _round(self, number: int, state: Kept) -> Kept:
        item = self._opponent.losses()
        if item is None:
            return None
        experts = self._loss_learner.experts
        item = experts.require(item)
        expert = state.hypothesis
        lost = experts.loss(expert, item)
        after = self._loss_learner._received(state, item, self._coins)
        if self._hear is not None:
            self._hear(expert)
        assert self._tally is not None
        self._tally = self._tally.after(item)
        self._best.append(self._tally.least)
        self._chosen.append(expert)
        if self._changed is not None and self._switched is not None:
            self._changed.append(after is not None and self._switched(state, after))
        if self._every and after is not None and number % self._every == 0:
            self._secret.append(self._learner.inspect(after))
        self._mistakes += lost
        self._losses.append(lost)
        self._whole = self._played, after, self._tally
        if self._watch is not None:
            self._watch(LossRound(number, item, expert, lost, after))
        return after

    def transcript(self, **known: Any) -> Transcript:
        played = self._played
        return super().transcript(
            chosen=tuple(self._chosen[:played]),
            losses=tuple(self._losses),
            unit=self._loss_learner.experts.unit,
            **known,
        )


def _read(shown: Hashable) -> tuple[Label, bool]:
    """Return the label, and whether it is a coin."""
    if type(shown) is int and (shown == 0 or shown == 1):
        return shown, False
    if isinstance(shown, Prediction):
        return check_label(shown.label), bool(shown.coin)
    try:
        return check_label(shown), False
    except InvalidInput:
        raise InvalidInput(f"The learner must predict 0 or 1. Got {shown!r}.") from None
