"""Play an online learner against an adversary, and keep what happened as a `Transcript`.

Every online learner of the library is played in the same way: an `OnlineLearner`, which may be
private or publish hypotheses, and a state such as the SOA or the randomized SOA. A `LossLearner`
over experts that label nothing is played with vectors of losses instead of examples.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

from learners.bounds import MARGIN, OBLIVIOUS, REALIZABLE, UNSEEN, Bound
from learners.coins import Coins, SecureCoins, SeededCoins, require_coins
from learners.numbers import integer
from learners.playing.adversaries import NOTHING, THIS, FixedStream, StreamAdversary
from learners.playing.base.state import Prediction
from learners.playing.expert_sources import Expert, ExpertSource, Revealed
from learners.playing.learner import Kept, OnlineLearner, Playable, as_learner
from learners.playing.loss_adversaries import FixedLosses, LossAdversary, LossRun
from learners.playing.loss_learner import LossLearner
from learners.playing.progress import Progress, shown_progress
from learners.playing.transcript import Transcript
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, NotRealizable
from lsclasses.hypothesis import Hypothesis
from lsclasses.points import Label, Point, check_label
from lsclasses.soa import SOA

if TYPE_CHECKING:
    from learners.playing.privacy import Privacy

__all__ = ["LossRound", "Round", "play", "replay"]

AT_A_TIME = 256
"""Rounds between two looks at the clock."""
Watch = Callable[[Any], None]
"""Called with each `Round` as it ends, or each `LossRound`."""


@dataclass(frozen=True)
class Round:
    """A round that was played.

    Attributes
    ----------
    number : int
        1 for the first round.
    point, prediction, label
        The points that the learner saw, its predictions, and the labels.
    mistakes : int
        Mistakes so far, this round included.
    state : object
        The learner's state after the round, which is secret; None if it has halted.
    """

    number: int
    point: Point
    prediction: Label
    label: Label
    mistakes: int
    state: Kept

    @property
    def mistake(self) -> bool:
        """Whether the prediction was wrong."""
        return self.prediction != self.label


@dataclass(frozen=True)
class LossRound:
    """A round that was played with a vector of losses.

    Attributes
    ----------
    number : int
        1 for the first round.
    losses : object
        What every expert lost, as their source takes it: of `LossVectors`, an array in units.
    expert : object
        Who was published before.
    loss : int
        What that one lost, in units.
    state : object
        The learner's state after the round, which is secret.
    """

    number: int
    losses: Revealed
    expert: Expert
    loss: int
    state: Kept


def _line(thing: object) -> str:
    """The first line of its description, truncated if long."""
    line = next(iter(str(thing).splitlines()), "")
    return line if len(line) <= 200 else line[:199] + "…"


def play(
    learner: Playable,
    adversary: StreamAdversary | LossAdversary | Iterable[object],
    rounds: int,
    coins: Coins,
    *,
    experts: ExpertSource | None = None,
    keep_points: bool = True,
    diagnostics: int = 0,
    watch: Watch | None = None,
    progress: bool | Progress | None = False,
    note: str = "",
) -> Transcript:
    """Play a game of a learner against an adversary.

    In every round the adversary poses a point, the learner predicts, the adversary reveals the
    label (which it may have had to fix before), and the learner learns. The game ends early when
    the learner halts, the adversary has no more points, or the keyboard interrupts; nothing that
    was played is lost.

    Parameters
    ----------
    learner : OnlineLearner, OnlineState or RandomizedSOA
        See `learners.playing.learner.as_learner`.
    adversary : StreamAdversary or iterable of (point, label)
        See `learners.playing.adversaries`. Of an iterator, at most `rounds` examples are drawn. For
        a `LossLearner` over experts that label nothing, a `LossAdversary` or vectors of losses.
    rounds : int
        How many, at most.
    coins : Coins
        The adversary draws first, so an oblivious one poses the same stream to every learner.
    experts : ExpertSource, optional
        Whose best the regret is counted against, such as ``experts_of(C)``; the learner's own
        ``comparators`` when omitted. Without either, no regret is counted.
    keep_points : bool
        Whether the transcript holds the points.
    diagnostics : int
        The number of rounds between records of the learner's ``inspect(state)``; 0 for none. For a
        learner of many copies it can cost much more than the round.
    watch : callable, optional
        Called with each `Round` as it ends; what it raises ends the game.
    progress : bool or callable
        True draws a bar on standard error, if that is a terminal, once the game has lasted a
        while. A callable receives the rounds played and the mistakes so far.
    note : str
        What to say about the randomness beside the kind of coins, such as the seed.

    Returns
    -------
    Transcript

    Raises
    ------
    InvalidInput
        If the coins are none, the learner refuses the number of rounds, its domain is not the
        adversary's, a point lies outside the domain, a label is neither 0 nor 1 or waits for a
        prediction that the adversary does not see, or the learner predicts no label. The message
        names the round.
    NotRealizable
        If no concept fits any more, and the learner cannot go on.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import RandomConcept
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
    require_coins(coins)
    rounds = integer(rounds, "number of rounds")
    every = integer(diagnostics, "number of rounds between diagnostics")
    if every < 0:
        raise InvalidInput(
            f"Diagnostics are made after every 1 or more rounds, or never (0). Got {every}."
        )
    if rounds < 0:
        raise InvalidInput(f"The number of rounds must be at least 0. Got {rounds}.")
    if player.rounds is not None and rounds > player.rounds:
        raise InvalidInput(
            f"The learner is set up for at most {player.rounds} rounds. Got {rounds}."
        )
    asked = _Asked(keep_points, every, watch)
    if experts is None:
        experts = player.comparators
    game: _Game
    if isinstance(player, LossLearner) and player.domain is None:
        adversary = _of_losses(adversary, rounds)
        # The adversary draws first.
        losses = adversary.begin(coins)
        game = _LossGame(player, losses, coins, sees=adversary.sees, asked=asked)
    else:
        adversary = _of_examples(adversary, rounds)
        domain = _common_domain(player, adversary, experts)
        opponent = adversary.begin(coins)
        game = _Game(player, opponent, coins, domain, experts, sees=adversary.sees, asked=asked)
    with shown_progress(progress, rounds) as tell:
        game.run(rounds, tell)
    transcript = game.transcript(
        learner=_line(player),
        adversary=_line(adversary),
        randomness=_randomness(coins, note),
        rounds=rounds,
        realizable=adversary.realizable,
        bounds=tuple(held_to(bound, adversary) for bound in player.bounds),
    )
    if transcript.violations and transcript.realizable and transcript.losses is None:
        _require_fitting(opponent.concept, transcript)
    return transcript


def _of_examples(adversary: object, rounds: int) -> StreamAdversary:
    """The adversary of a game with examples; a list of examples is a fixed stream."""
    if isinstance(adversary, StreamAdversary):
        return adversary
    if isinstance(adversary, LossAdversary) or not isinstance(adversary, Iterable):
        raise InvalidInput(
            f"An adversary is a StreamAdversary or a list of examples. Got {adversary!r}."
        )
    return FixedStream(itertools.islice(adversary, rounds))


def _of_losses(adversary: object, rounds: int) -> LossAdversary:
    """The adversary of a game with losses; a list of vectors is a fixed one."""
    if isinstance(adversary, LossAdversary):
        return adversary
    if isinstance(adversary, StreamAdversary) or not isinstance(adversary, Iterable):
        raise InvalidInput(
            "The experts of this learner label nothing, so it is played with a LossAdversary or a "
            f"list of vectors of losses. Got {adversary!r}."
        )
    return FixedLosses(itertools.islice(adversary, rounds))


def _common_domain(
    player: OnlineLearner, adversary: StreamAdversary, experts: ExpertSource | None
) -> Domain | None:
    """The points of the game, on which learner, adversary and experts agree."""
    domain = player.domain
    if domain is None:
        domain = adversary.domain
    elif adversary.domain is not None and adversary.domain != domain:
        raise InvalidInput(
            f"The learner labels a domain of {domain.describe()}, but the adversary asks about "
            f"one of {adversary.domain.describe()}."
        )
    if experts is not None:
        if experts.domain is None or experts.domain != (domain or experts.domain):
            raise InvalidInput(
                "The experts that the regret is counted against must label the points of the game. "
                f"Got {experts}."
            )
        domain = experts.domain
    return domain


def replay(
    state: SOA,
    examples: Iterable[tuple[object, object]],
    *,
    require_realizable: bool = True,
    watch: Watch | None = None,
) -> list[Round]:
    """Run the SOA on a stream and report each round: a view of `play`.

    Parameters
    ----------
    state : SOA
        Where to start.
    examples : iterable of (point, label)
    require_realizable : bool
        Whether to stop at an example after which no concept fits.
    watch : callable, optional
        Called with each `Round` as it ends.

    Raises
    ------
    NotRealizable
        At the first example that no concept left agrees with, if that is required.
    InvalidInput
        If the state is none of the SOA, or an example is no labelled point of the domain.
    KeyboardInterrupt
        If the keyboard interrupts.

    Examples
    --------
    >>> import catalog
    >>> from lsclasses.soa import SOA
    >>> stream = [(3, 1), (1, 1), (0, 0)]
    >>> [r.mistakes for r in replay(SOA(catalog.build("thresholds:n=7")), stream)]
    [1, 2, 2]
    """
    if not isinstance(state, SOA):
        raise InvalidInput(
            "What is replayed starts from a state of the SOA: SOA(C) or ConservativeSOA(C). "
            f"Got {state!r:.200}."
        )
    stream = FixedStream(examples).examples
    fitting = _fitting(state, stream) if require_realizable else len(stream)
    rounds: list[Round] = []

    def record(played: Round) -> None:
        rounds.append(played)
        if watch is not None:
            watch(played)

    # Nothing is drawn: neither the stream nor the learner uses coins.
    game = play(state, stream[:fitting], fitting, SeededCoins(0), keep_points=False, watch=record)
    if game.interrupted:
        raise KeyboardInterrupt
    if fitting < len(stream):
        x, y = stream[fitting]
        raise NotRealizable(
            f"Example {fitting + 1}, the point {x!r} with label {y}, contradicts the examples "
            "before it: no concept of the class agrees with all of them."
        )
    return rounds


def _fitting(state: SOA, stream: Sequence[tuple[Point, Label]]) -> int:
    """The number of examples before the first contradiction.

    The state itself cannot tell: a conservative one ignores examples.
    """
    left = state.version_space
    for number, (x, y) in enumerate(stream):
        if x in left.domain:  # or the game refuses it
            left = left.restrict(x, y)
        if left.is_empty or not state.realizable:
            return number
    return len(stream)


def _randomness(coins: Coins, note: str) -> str:
    kind = "the operating system's" if isinstance(coins, SecureCoins) else "a simulation's"
    return f"{kind} coins{', ' if note else ''}{note}"


def held_to(bound: Bound, adversary: StreamAdversary | LossAdversary) -> Bound:
    """The bound without the hypotheses that the adversary does not guarantee."""
    broken: tuple[str, ...] = () if adversary.realizable else (REALIZABLE, MARGIN)
    if adversary.sees != NOTHING:
        broken += (OBLIVIOUS,)
    if adversary.sees == THIS:
        broken += (UNSEEN,)
    unmet = [each for each in bound.hypotheses if each in bound.unmet or each in broken]
    return replace(bound, unmet=tuple(unmet)) if len(unmet) > len(bound.unmet) else bound


def _require_fitting(concept: Hypothesis | None, transcript: Transcript) -> None:
    """Refuse an adversary whose own concept does not fit the examples."""
    if concept is None or transcript.points is None:
        return
    for number, (x, y) in enumerate(transcript.examples, start=1):
        if concept(x) != y:
            raise InvalidInput(
                f"Round {number}: the adversary vouches for a concept that labels {x!r} with "
                f"{1 - y}, but revealed {y}."
            )


@dataclass(frozen=True)
class _Asked:
    """The recordings that are requested of a game, as `play` takes them."""

    keep_points: bool
    diagnostics: int
    watch: Watch | None


class _Game:
    """The state of a game: its records so far."""

    def __init__(
        self,
        learner: OnlineLearner,
        opponent: Any,
        coins: Coins,
        domain: Domain | None = None,
        experts: ExpertSource | None = None,
        *,
        sees: str,
        asked: _Asked,
    ) -> None:
        self._learner, self._opponent, self._domain, self._coins = learner, opponent, domain, coins
        self._tally = None if experts is None else experts.begin()
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
                    tell(self._played, self._mistakes)
        except KeyboardInterrupt:
            self._interrupted = True
        except (InvalidInput, NotRealizable) as error:
            raise type(error)(f"Round {number}: {error}") from error

    def _round(self, number: int, state: Kept) -> Kept:
        """Play one round; returns the learner's state, None if the game is over."""
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
                    f"The adversary sees {self._sees!r}, so it must name the label with the point. "
                    f"One that waits for the prediction has sees = {THIS!r}."
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
        """The transcript of the whole rounds; an interruption may come within a round."""
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
            privacy=_stated_privacy(self._learner),
            secret={
                name: tuple(float(each.get(name, nan)) for each in diagnosed) for name in names
            },
            secret_every=self._every,
            **known,
        )


def _stated_privacy(learner: OnlineLearner) -> Privacy | None:
    event = learner.privacy
    if event is None:
        return None
    # A game of a learner that promises nothing does without accountants.
    from learners.playing.privacy import Privacy

    return Privacy.of(event, learner.delta)


class _LossGame(_Game):
    """A game with vectors of losses: a round has an expert instead of a prediction."""

    def __init__(
        self,
        learner: LossLearner,
        opponent: LossRun,
        coins: Coins,
        *,
        sees: str,
        asked: _Asked,
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
    """The label, and whether it is a coin."""
    if type(shown) is int and (shown == 0 or shown == 1):
        return shown, False
    if isinstance(shown, Prediction):
        return check_label(shown.label), bool(shown.coin)
    try:
        return check_label(shown), False
    except InvalidInput:
        raise InvalidInput(f"The learner must predict 0 or 1. Got {shown!r}.") from None
