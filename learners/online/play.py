"""Play an online learner against an adversary, and keep what happened as a `Transcript`.

Every online learner of the library is played in the same way: a private one that predicts
(`learners.games.Learner`), one that publishes hypotheses (`learners.games.Publisher`), and a
state such as the SOA or the randomized SOA.

A learner may also offer ``rounds`` (the most it plays), ``domain``, ``privacy`` (an `Event`),
``delta`` (at which its privacy is stated, if not by basic composition), ``bounds``,
``switched(before, after)`` (whether it predicts otherwise in another state) and
``inspect(state)`` (secret diagnostics, a mapping of names to numbers).
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import Any

from learners.bounds import MARGIN, OBLIVIOUS, REALIZABLE, Bound
from learners.coins import Coins, SecureCoins
from learners.games import Learner, Publisher
from learners.numbers import whole
from learners.online.adversaries import NOTHING, THIS, AdversaryRun, FixedStream, StreamAdversary
from learners.online.base import Prediction
from learners.online.transcript import Privacy, Transcript
from learners.states import State, require_own
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.points import Label, Point, check_label
from lsclasses.randomized_soa import RandomizedSOA
from lsclasses.soa import OnlineLearner

__all__ = ["Deterministic", "PublishedState", "Publishing", "Randomized", "as_learner", "play"]

AT_A_TIME = 256
"""Rounds between two looks at the clock."""
PATIENCE = 2.0
"""Seconds after which a run is long enough to show its progress."""

Progress = Callable[[int, int], None]
"""Called now and then with the rounds played and the mistakes made by then."""


# ---- learners


@dataclass(frozen=True)
class Deterministic:
    """A deterministic learner, given by its starting state, as a `learners.games.Learner`.

    Parameters
    ----------
    state : OnlineLearner
        Such as ``SOA(C)``, `Halving`, `Winnow`. If it has a ``mistake_bound``, that is its bound.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from lsclasses.soa import SOA
    >>> learner = Deterministic(SOA(catalog.build("thresholds:n=7")))
    >>> print(learner, learner.bounds[0], sep="; ")
    SOA; mistakes <= d = 3 mistake bound of the SOA
    >>> learner.predict(learner.start(SeededCoins(1)), 5, SeededCoins(1))[1]
    1
    """

    state: OnlineLearner

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """The mistake bound, if the state knows one."""
        try:
            bound = getattr(self.state, "mistake_bound", None)
        except TooLarge:
            return ()
        if bound is None:
            return ()
        source = f"mistake bound of the {self}"
        return (Bound(source, "mistakes", "d", bound, hypotheses=(REALIZABLE,)),)

    @property
    def domain(self) -> Any:
        """The points it labels, None if the state does not say."""
        return getattr(getattr(self.state, "hypothesis", None), "domain", None)

    def start(self, coins: Coins) -> Any:
        """The state that was given."""
        return self.state

    def predict(self, state: Any, point: Point, coins: Coins) -> tuple[Any, Label]:
        """The label that the state predicts."""
        return state, state.predict(point)

    def learn(self, state: Any, point: Point, label: Label, coins: Coins) -> Any:
        """The state after the example."""
        return state.observe(point, label)

    def switched(self, before: Any, after: Any) -> bool:
        """Whether the state is another one."""
        return bool(before != after)

    def __str__(self) -> str:
        return type(self.state).__name__


@dataclass(frozen=True)
class Randomized:
    """A randomized learner without privacy, given by its starting state, drawing from the coins.

    Parameters
    ----------
    state : RandomizedSOA

    Examples
    --------
    >>> import catalog
    >>> from learners.exact import exact_law
    >>> from lsclasses.randomized_soa import RandomizedSOA
    >>> learner = Randomized(RandomizedSOA(catalog.build("thresholds:n=3")))
    >>> law = exact_law(lambda coins: play(learner, [(1, 1), (0, 0)], 2, coins).mistakes)
    >>> sum(law.rational(mistakes) * mistakes for mistakes in law)
    Fraction(1, 1)
    """

    state: RandomizedSOA

    @property
    def domain(self) -> Domain:
        """The points it labels."""
        return self.state.version_space.domain

    def start(self, coins: Coins) -> RandomizedSOA:
        """The state that was given."""
        return self.state

    def predict(
        self, state: RandomizedSOA, point: Point, coins: Coins
    ) -> tuple[RandomizedSOA, Label]:
        """A label drawn with the state's probability."""
        return state, int(coins.flip(state.predict_probability(point)))

    def learn(
        self, state: RandomizedSOA, point: Point, label: Label, coins: Coins
    ) -> RandomizedSOA:
        """The state after the example."""
        return state.observe(point, label)

    def switched(self, before: RandomizedSOA, after: RandomizedSOA) -> bool:
        """Whether the state is another one."""
        return before != after

    def __str__(self) -> str:
        return type(self.state).__name__


@dataclass(frozen=True)
class Publishing:
    """A learner that publishes hypotheses, as a `learners.games.Learner` that predicts by them.

    Parameters
    ----------
    publisher : Publisher
        What it publishes is called with a point. Its ``privacy``, ``bounds`` and ``domain`` are
        passed on.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> class Last:
    ...     def start(self, coins): return 0
    ...     def publish(self, state, coins): return state, (int(1).__mul__, int(0).__mul__)[state]
    ...     def receive(self, state, item, coins): return item[1]
    >>> print(play(Last(), [(1, 0), (1, 1), (1, 1)], 3, SeededCoins(1)).switches)
    1
    """

    publisher: Publisher

    def __getattr__(self, name: str) -> Any:
        if name in ("privacy", "delta", "bounds", "domain", "rounds"):
            return getattr(self.publisher, name)
        raise AttributeError(name)

    def start(self, coins: Coins) -> PublishedState | None:
        """The first hypothesis."""
        return self._published(self.publisher.start(coins), coins)

    def _published(self, state: Any, coins: Coins) -> PublishedState | None:
        if state is None:
            return None
        return PublishedState(self, *self.publisher.publish(state, coins))

    def predict(
        self, state: PublishedState, point: Point, coins: Coins
    ) -> tuple[PublishedState, Any]:
        """The label that the hypothesis gives.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        return state, require_own(self, state).hypothesis(point)

    def learn(
        self, state: PublishedState, point: Point, label: Label, coins: Coins
    ) -> PublishedState | None:
        """The next hypothesis; None once the publisher has halted.

        Raises
        ------
        InvalidInput
            If another learner started the state.
        """
        kept = require_own(self, state).kept
        if kept is None:
            return None
        return self._published(self.publisher.receive(kept, (point, label), coins), coins)

    def switched(self, before: PublishedState, after: PublishedState) -> bool:
        """Whether another hypothesis is published."""
        return bool(before.hypothesis != after.hypothesis)

    def __str__(self) -> str:
        return _line(self.publisher)


@dataclass(frozen=True)
class PublishedState(State[Publishing]):
    """The state of `Publishing`.

    Attributes
    ----------
    kept : object
        The publisher's state, None once it has halted.
    hypothesis : callable
        What it published last.
    """

    kept: Any
    hypothesis: Any


def as_learner(learner: Any) -> Learner:
    """The learner itself, or what makes it playable: `Deterministic`, `Randomized`, `Publishing`.

    Raises
    ------
    InvalidInput
        If it is none of these.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> print(as_learner(SOA(catalog.build("points:n=3"))))
    SOA
    """
    if all(hasattr(learner, name) for name in ("start", "predict", "learn")):
        return learner  # type: ignore[no-any-return]
    if all(hasattr(learner, name) for name in ("start", "publish", "receive")):
        return Publishing(learner)
    if isinstance(learner, RandomizedSOA):
        return Randomized(learner)
    if all(hasattr(learner, name) for name in ("predict", "observe")):
        return Deterministic(learner)
    raise InvalidInput(
        "A learner has start, predict and learn; or start, publish and receive; or is a state "
        f"with predict and observe. Got {learner!r}."
    )


def _line(thing: Any) -> str:
    """The first line of its description, cut where nobody would read on."""
    line = next(iter(str(thing).splitlines()), "")
    return line if len(line) <= 200 else line[:199] + "…"


# ---- the game


def play(
    learner: Any,
    adversary: StreamAdversary | Iterable[tuple[Any, Any]],
    rounds: int,
    coins: Coins,
    *,
    keep_points: bool = True,
    diagnostics: int = 0,
    progress: bool | Progress | None = False,
    note: str = "",
) -> Transcript:
    """Play a learner against an adversary.

    In every round the adversary poses a point, the learner predicts, the adversary reveals the
    label (which it may have had to fix before), and the learner learns. The game ends early when
    the learner halts, the adversary has no more points, or the keyboard interrupts; nothing that
    was played is lost.

    Parameters
    ----------
    learner : Learner, Publisher or OnlineLearner
        See `as_learner`.
    adversary : StreamAdversary or iterable of (point, label)
        See `learners.online.adversaries`. Of an iterator, at most `rounds` examples are drawn.
    rounds : int
        How many, at most.
    coins : Coins
        The adversary draws first, so an oblivious one poses the same stream to every learner.
    keep_points : bool
        Whether the transcript holds the points.
    diagnostics : int
        Record the learner's ``inspect(state)`` after every so many rounds; 0 for never. For a
        learner of many copies it can cost much more than the round.
    progress : bool or callable
        True draws a bar on standard error, if that is a terminal, once the game has lasted a
        while. A callable is told the rounds played and the mistakes so far.
    note : str
        What to say about the randomness beside the kind of coins, such as the seed.

    Returns
    -------
    Transcript

    Raises
    ------
    InvalidInput
        If the learner refuses the number of rounds, its domain is not the adversary's, a point
        lies outside the domain, a label is neither 0 nor 1 or waits for a prediction that the
        adversary does not see, or the learner predicts no label. The message names the round.
    NotRealizable
        If no concept fits any more, and the learner cannot go on.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.online.adversaries import RandomConcept
    >>> from lsclasses.soa import ConservativeSOA
    >>> C = catalog.build("points:n=18446744073709551616")
    >>> play(ConservativeSOA(C), RandomConcept(C), 10_000, SeededCoins(1)).mistakes
    1
    >>> play(ConservativeSOA(C), [(3, 0), (-3, 1)], 2, SeededCoins(1))
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Round 2: -3 is not a point of the domain. It has \
18446744073709551616 points: 0, 1, 2, 3, ...
    """
    player = as_learner(learner)
    rounds = whole(rounds, "number of rounds")
    every = whole(diagnostics, "number of rounds between diagnostics")
    if every < 0:
        raise InvalidInput(
            f"Diagnostics are made after every 1 or more rounds, or never (0). Got {every}."
        )
    if rounds < 0:
        raise InvalidInput(f"The number of rounds must be at least 0. Got {rounds}.")
    most = getattr(player, "rounds", None)
    if isinstance(most, int) and rounds > most:
        raise InvalidInput(f"The learner is set up for at most {most} rounds. Got {rounds}.")
    if not isinstance(adversary, StreamAdversary):
        if not isinstance(adversary, Iterable):
            raise InvalidInput(
                f"An adversary is a StreamAdversary or a list of examples. Got {adversary!r}."
            )
        adversary = FixedStream(itertools.islice(adversary, rounds))
    domain = getattr(player, "domain", None)
    if domain is None:
        domain = adversary.domain
    elif adversary.domain is not None and adversary.domain != domain:
        raise InvalidInput(
            f"The learner labels a domain of {domain.describe()}, but the adversary asks about "
            f"one of {adversary.domain.describe()}."
        )
    opponent = adversary.begin(coins)
    game = _Game(
        player,
        opponent,
        domain,
        coins,
        sees=adversary.sees,
        keep_points=keep_points,
        diagnostics=every,
    )
    with _shown(progress, rounds) as tell:
        game.run(rounds, tell)
    transcript = game.transcript(
        learner=_line(player),
        adversary=_line(adversary),
        randomness=_randomness(coins, note),
        rounds=rounds,
        realizable=adversary.realizable,
        bounds=tuple(_held_to(bound, adversary) for bound in getattr(player, "bounds", ())),
    )
    if transcript.violations and transcript.realizable:
        _require_fitting(opponent.concept, transcript)
    return transcript


def _randomness(coins: Coins, note: str) -> str:
    kind = "the operating system's" if isinstance(coins, SecureCoins) else "a simulation's"
    return f"{kind} coins{', ' if note else ''}{note}"


def _held_to(bound: Bound, adversary: StreamAdversary) -> Bound:
    """The bound without the hypotheses that the adversary does not vouch for."""
    broken: tuple[str, ...] = () if adversary.realizable else (REALIZABLE, MARGIN)
    if adversary.sees != NOTHING:
        broken += (OBLIVIOUS,)
    unmet = [each for each in bound.hypotheses if each in bound.unmet or each in broken]
    return replace(bound, unmet=tuple(unmet)) if len(unmet) > len(bound.unmet) else bound


def _require_fitting(concept: Hypothesis | None, transcript: Transcript) -> None:
    """Before a learner is blamed: does the adversary's concept label the examples?"""
    if concept is None or transcript.points is None:
        return
    for number, (x, y) in enumerate(transcript.examples, start=1):
        if concept(x) != y:
            raise InvalidInput(
                f"Round {number}: the adversary vouches for a concept that labels {x!r} with "
                f"{1 - y}, but revealed {y}."
            )


class _Game:
    """The state of a game: what was recorded by now."""

    def __init__(
        self,
        learner: Learner,
        opponent: AdversaryRun,
        domain: Any,
        coins: Coins,
        *,
        sees: str,
        keep_points: bool,
        diagnostics: int,
    ) -> None:
        self._learner, self._opponent, self._domain, self._coins = learner, opponent, domain, coins
        self._sees = sees
        self._hear = None if sees == NOTHING else opponent.hear
        self._switched: Callable[[Any, Any], bool] | None = getattr(learner, "switched", None)
        self._inspect = getattr(learner, "inspect", None) if diagnostics else None
        self._every = diagnostics
        self._points: list[Point] | None = [] if keep_points else None
        self._predictions, self._labels = bytearray(), bytearray()
        self._tossed = bytearray()
        self._changed = None if self._switched is None else bytearray()
        self._secret: list[Mapping[str, float]] = []
        self._halted_at: int | None = None
        self._interrupted = False
        self._mistakes = 0

    def run(self, rounds: int, tell: Progress | None) -> None:
        """Play."""
        number = 0
        try:
            state = self._learner.start(self._coins)
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
                    tell(len(self._tossed), self._mistakes)
        except KeyboardInterrupt:
            self._interrupted = True
        except (InvalidInput, NotRealizable) as error:
            raise type(error)(f"Round {number}: {error}") from error

    def _round(self, number: int, state: Any) -> Any:
        """One round; returns the learner's state, None if there is nothing left to play."""
        opponent, coins = self._opponent, self._coins
        posed = opponent.pose()
        if posed is None:
            return None
        x, y = posed
        if self._domain is not None:
            x = self._domain.require(x)
        answered = self._learner.predict(state, x, coins)
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
                    f"The adversary sees {self._sees!r}, so it must name the label with the point. "
                    f"One that waits for the prediction has sees = {THIS!r}."
                )
            y = opponent.reveal(label, coin)
        y = check_label(y)
        if after is not None:
            after = self._learner.learn(after, x, y, coins)
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
        if self._inspect is not None and after is not None and number % self._every == 0:
            self._secret.append(self._inspect(after))
        self._mistakes += label != y
        self._tossed.append(coin)
        if after is None:
            self._halted_at = number
        return after

    def transcript(self, **known: Any) -> Transcript:
        """What was recorded, whole rounds only."""
        # A round is complete once its last entry is there; an interruption may come before.
        played = len(self._tossed)
        diagnosed = self._secret[: played // self._every] if self._every else []
        names = sorted({name for each in diagnosed for name in each})
        event = getattr(self._learner, "privacy", None)
        return Transcript(
            predictions=bytes(self._predictions[:played]),
            labels=bytes(self._labels[:played]),
            coins=bytes(self._tossed),
            changed=None if self._changed is None else bytes(self._changed[:played]),
            points=None if self._points is None else tuple(self._points[:played]),
            halted_at=self._halted_at,
            interrupted=self._interrupted,
            privacy=None
            if event is None
            else Privacy.of(event, getattr(self._learner, "delta", None)),
            secret={
                name: tuple(float(each.get(name, nan)) for each in diagnosed) for name in names
            },
            secret_every=self._every,
            **known,
        )


def _read(shown: Hashable) -> tuple[Label, bool]:
    """The label and whether it is a coin."""
    if type(shown) is int and (shown == 0 or shown == 1):
        return shown, False
    if isinstance(shown, Prediction):
        return check_label(shown.label), bool(shown.coin)
    try:
        return check_label(shown), False
    except InvalidInput:
        raise InvalidInput(f"The learner must predict 0 or 1. Got {shown!r}.") from None


@contextmanager
def _shown(progress: bool | Progress | None, rounds: int) -> Iterator[Progress | None]:
    """What is told of the progress: to a callable, or to a bar that appears after a while."""
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
