"""Play an online learner against an adversary, and record the game as a `Transcript`.

Every online learner of the library is played in the same way. It is an `OnlineLearner`, which may
be private or publish hypotheses, or a state such as the SOA or the randomized SOA. A `LossLearner`
over experts that do not label points is played with vectors of losses instead of examples.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from learners.bounds import FEW_ERRORS, MARGIN, OBLIVIOUS, REALIZABLE, UNSEEN, Bound
from learners.coins import Coins, SecureCoins, SeededCoins, require_coins
from learners.playing.adversaries import NOTHING, THIS, FixedStream, StreamAdversary
from learners.playing.game import (
    GameState,
    LossGame,
    LossRound,
    PausedGame,
    Progress,
    Recordings,
    Round,
    Watch,
    shown_progress,
)
from learners.playing.learner import OnlineLearner, Playable, as_learner
from learners.playing.transcript import Transcript
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput, NotRealizable
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import integer
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA

if TYPE_CHECKING:
    from learners.accounting import Privacy
    from learners.playing.expert_sources import ExpertSource
    from learners.playing.loss_adversaries import LossAdversary
    from learners.playing.loss_learner import LossLearner

__all__ = ["LossRound", "Round", "play", "replay"]


def _line(thing: object) -> str:
    """Return the first line of its description, truncated if long."""
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
    resume: PausedGame | None = None,
    pause: Callable[[PausedGame], object] | None = None,
) -> Transcript:
    """Play a game of an online learner against an adversary and return a transcript.

    In every round, the adversary presents a point, the learner predicts its label, the adversary
    reveals the true label, and the learner learns. Some adversaries fix the label before the
    prediction, and others after it. The game ends early when the learner halts, the adversary has
    no more points, or Ctrl-C interrupts the game. The transcript then contains only the finished
    rounds.

    Parameters
    ----------
    learner : OnlineLearner, OnlineState or RandomizedSOA
        Learner, or starting state of a learner (`learners.playing.learner.as_learner`).
    adversary : StreamAdversary or iterable of (point, label)
        Adversary of `learners.playing.adversaries`, or a stream of examples, of which at most
        `rounds` are read. For a `LossLearner` whose experts do not label points, a `LossAdversary`
        or a stream of vectors of losses.
    rounds : int
        Largest number of rounds.
    coins : Coins
        Source of randomness of the game. The adversary draws first, so an oblivious adversary
        presents the same stream to every learner.
    experts : ExpertSource, optional
        Experts such as ``experts_of(C)``. The regret is the learner's loss minus the least loss of
        one of these experts. The default is the property ``comparators`` of the learner. If this
        property is None, the game does not count regret.
    keep_points : bool
        Whether the transcript contains the points of the rounds.
    diagnostics : int
        Number of rounds between two records of ``inspect(state)``, the secret diagnostics of the
        learner, or 0 for no records. A record can take much longer than a round.
    watch : callable, optional
        Function called at the end of each round with its `Round`. An exception that it raises ends
        the game.
    progress : bool or callable
        True draws a progress bar on standard error, if standard error is a terminal and the game
        takes more than a moment. A callable receives the number of rounds played and the number of
        mistakes so far.
    note : str
        Remark about the randomness in addition to the type of coins, such as the seed.
    resume : PausedGame, optional
        End of an earlier segment of the game, which this call continues with a new segment. The
        argument `rounds` and most fields of the transcript refer to the new segment only. The field
        ``earlier`` contains the counts of the earlier segments. Bounds and regret refer to all
        segments. The stream does not count as realizable.
    pause : callable, optional
        Function called after the last round with a `PausedGame`, from which the game can be
        resumed. The function is not called if the learner has halted, or if Ctrl-C interrupted a
        round that the adversary may have observed.

    Returns
    -------
    Transcript
        Record of the game with the learner's privacy guarantee. If the guarantee does not cover
        adversaries of this type, the transcript states the reason.

    Raises
    ------
    InvalidInput
        If `coins` is not a `Coins` object, the learner rejects the number of rounds, or the domains
        of the learner and of the adversary differ. Also in the following cases, in which the
        message states the round: a point lies outside the domain, a label is neither 0 nor 1, the
        learner predicts no label, or an adversary that must fix the label before the prediction
        presents a point without a label.
    NotRealizable
        If no concept is consistent with all examples, so that the learner cannot continue.

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
    before = 0 if resume is None else resume.counts.played
    if player.rounds is not None and before + rounds > player.rounds:
        played = f" after {before} that were played" * bool(before)
        raise InvalidInput(
            f"The learner is set up for at most {player.rounds} rounds. Got {rounds}{played}."
        )
    asked = Recordings(keep_points, every, watch, resume)
    if experts is None:
        experts = player.comparators
    game: GameState
    if (learns_from_losses := _loss_learner(player)) is not None:
        adversary = _of_losses(adversary, rounds)
        # The adversary draws first.
        losses = adversary.begin(coins)
        game = LossGame(learns_from_losses, losses, coins, sees=adversary.sees, asked=asked)
    else:
        adversary = _of_examples(adversary, rounds)
        domain = _common_domain(player, adversary, experts)
        opponent = adversary.begin(coins)
        game = GameState(player, opponent, coins, domain, experts, sees=adversary.sees, asked=asked)
    with shown_progress(progress, rounds) as tell:
        game.run(rounds, tell)
    privacy, uncovered = _stated_privacy(player, adversary, resumed=resume is not None)
    transcript = game.transcript(
        privacy=privacy,
        uncovered=uncovered,
        learner=_line(player),
        adversary=_line(adversary),
        randomness=_randomness(coins, note),
        rounds=rounds,
        realizable=adversary.realizable and resume is None,
        bounds=tuple(
            held_to(bound, adversary, resumed=resume is not None) for bound in player.bounds
        ),
    )
    if transcript.violations and transcript.realizable and transcript.losses is None:
        _require_fitting(opponent.concept, transcript)
    if pause is not None and (paused := game.paused(transcript)) is not None:
        pause(paused)
    return transcript


def _of_examples(adversary: object, rounds: int) -> StreamAdversary:
    """Return the adversary of a game with examples. A list of examples is a fixed stream."""
    if isinstance(adversary, StreamAdversary):
        return adversary
    if not isinstance(adversary, Iterable):
        raise InvalidInput(
            f"An adversary is a StreamAdversary or a list of examples. Got {adversary!r}."
        )
    return FixedStream(itertools.islice(adversary, rounds))


def _loss_learner(player: OnlineLearner) -> LossLearner | None:
    """Return the learner if it learns from losses. Other games do not import its modules."""
    if player.domain is not None:
        return None
    from learners.playing.loss_learner import LossLearner

    return player if isinstance(player, LossLearner) else None


def _of_losses(adversary: object, rounds: int) -> LossAdversary:
    """Return the adversary of a game with losses. A list of vectors is a fixed adversary."""
    from learners.playing.loss_adversaries import FixedLosses, LossAdversary

    if isinstance(adversary, LossAdversary):
        return adversary
    if isinstance(adversary, StreamAdversary) or not isinstance(adversary, Iterable):
        raise InvalidInput(
            "The experts of this learner label no points. Play it with a LossAdversary or a "
            f"list of vectors of losses. Got {adversary!r}."
        )
    return FixedLosses(itertools.islice(adversary, rounds))


def _common_domain(
    player: OnlineLearner, adversary: StreamAdversary, experts: ExpertSource | None
) -> Domain | None:
    """Return the points of the game, on which learner, adversary and experts agree."""
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
    """Run the SOA on a stream of examples, and return a report (`Round`) of each round.

    Parameters
    ----------
    state : SOA
        Starting state of the SOA.
    examples : iterable of (point, label)
        Stream of examples.
    require_realizable : bool
        Whether to raise `NotRealizable` at an example after which no concept is consistent.
    watch : callable, optional
        Function called at the end of each round with its `Round`.

    Raises
    ------
    NotRealizable
        At the first example that contradicts every remaining concept, if `require_realizable`.
    InvalidInput
        If `state` is not a state of the SOA, or an example is not a labelled point of the domain.
    KeyboardInterrupt
        If Ctrl-C interrupts the run.

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
            "A replay starts from a state of the SOA: SOA(C) or ConservativeSOA(C). "
            f"Got {state!r:.200}."
        )
    stream = FixedStream(examples).examples
    fitting = _fitting(state, stream) if require_realizable else len(stream)
    rounds: list[Round] = []

    def record(played: Round) -> None:
        rounds.append(played)
        if watch is not None:
            watch(played)

    # The stream and the learner use no coins, so the game draws none.
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
    """Return the number of examples before the first contradiction.

    The state itself does not record a contradiction, because a conservative state ignores examples.
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


def held_to(
    bound: Bound, adversary: StreamAdversary | LossAdversary, *, resumed: bool = False
) -> Bound:
    """Return a bound in which hypotheses without the adversary's guarantee are marked as unmet.

    In a resumed game, the guarantees of the adversary cover only the last segment.
    """
    vouched = adversary.realizable and not resumed
    broken: tuple[str, ...] = () if vouched else (REALIZABLE, MARGIN)
    if adversary.sees != NOTHING:
        broken += (OBLIVIOUS,)
    if adversary.sees == THIS:
        broken += (UNSEEN,)
    broken += tuple(
        hypothesis
        for hypothesis in bound.hypotheses
        if (errors := FEW_ERRORS.fullmatch(hypothesis))
        and (resumed or adversary.errors is None or adversary.errors > int(errors[1]))
    )
    unmet = [each for each in bound.hypotheses if each in bound.unmet or each in broken]
    return replace(bound, unmet=tuple(unmet)) if len(unmet) > len(bound.unmet) else bound


def _stated_privacy(
    learner: OnlineLearner, adversary: StreamAdversary | LossAdversary, *, resumed: bool
) -> tuple[Privacy | None, str]:
    """Return the privacy of a learner, and why it does not cover the game."""
    event = learner.privacy
    if event is None:
        return None, ""
    # Only a game of a learner with a guarantee needs an accountant.
    from learners.accounting import Privacy
    from learners.playing.game_privacy import uncovered_game

    privacy = Privacy.of(event, learner.delta)
    return privacy, uncovered_game(privacy, adversary, resumed=resumed)


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
