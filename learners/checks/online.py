"""Checks of online learners by games in which every call is made twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from learners.checked import Rounds
from learners.checks.values import _check_ledger, _hash, _require_equal, no_other_randomness
from learners.coins import Coins, SeededCoins
from learners.playing.adversaries import NOTHING, Optimal, RandomConcept, Seeking, StreamAdversary
from learners.playing.base.state import Prediction
from learners.playing.entries import Source, class_of
from learners.playing.learner import Deterministic, OnlineLearner, Playable, as_learner
from learners.playing.play import play
from learners.playing.transcript import verdicts
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.numbers import integer
from lsclasses.online import OnlineState
from lsclasses.options import check_arguments
from lsclasses.point_names import Label, Point, check_label
from lsclasses.verdicts import Verdict

S = TypeVar("S")

PROBES = 6
"""The number of points at which the predictions of two states are compared."""
ASKED = 8
"""Number of repeated queries of one state about one point. A prediction by a fair coin of a foreign
generator gives equal answers in one round with probability only 1/128."""
GAMES = 3
"""Number of games against each adversary to check a bound."""


@check_arguments
def check_learner(learner: Playable, source: Source, *, rounds: Rounds = 24, seed: int = 1) -> None:
    """Check that an online learner satisfies the rules of games, audits and private predictors.

    The learner plays on streams that a concept of the class agrees with: random streams, and the
    streams of the adversaries `Seeking` and `Optimal`. Every call is made twice.

    * With the same coins it returns the same result, and it uses no other generator.
    * No call changes a state that it was given. The state still hashes and predicts as before.
    * States are equal by value. Equal states have equal hashes and predict equally with the same
      coins.
    * No bound on mistakes is exceeded. This covers ``bounds``, and the ``mistake_bound`` of a state
      for the rounds from this state on.
    * ``privacy``, if stated, is an event of the ledger with a total epsilon and delta.

    Parameters
    ----------
    learner : OnlineLearner, OnlineState or RandomizedSOA
        See `learners.playing.learner.as_learner`. A state is taken as the starting state.
    source : str or ConceptClass
        The class to learn, small and of finite Littlestone dimension.
    rounds : int
        Number of rounds per game, at least 1. A learner with fewer rounds plays fewer.
    seed : int
        Seed of all coins.

    Raises
    ------
    InvalidInput
        If the learner breaks a rule. The message states the rule.
    TooLarge
        If the class is too large for the optimal adversary.

    Examples
    --------
    >>> from learners.playing.base.halving import Halving
    >>> import catalog
    >>> C = catalog.build("thresholds:n=5")
    >>> check_learner(Halving(C), C)

    A learner that keeps its examples in one dictionary has no states:

    >>> from lsclasses.online import OnlineState
    >>> class Remembering(OnlineState):
    ...     def __init__(self): self.labels = {}
    ...     def _predict(self, x): return self.labels.get(x, 0)
    ...     def _observe(self, x, y): self.labels[x] = y; return self
    >>> check_learner(Remembering(), C)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Round 4: learning the label 1 of the point 2 changed the state \
that was given. At the point 2 it predicted 0 and predicts 1 now. Return a new state instead.
    """
    C = class_of(source)
    player = as_learner(learner)
    if player.rounds is not None:
        rounds = min(rounds, player.rounds)
    if player.privacy is not None:
        _check_ledger(player, "learner")
    adversaries = (RandomConcept(C), RandomConcept(C, points="balanced"), Seeking(C), Optimal(C))
    seen: list[tuple[Hashable, Point]] = []
    for adversary in adversaries:
        try:
            with no_other_randomness("learner"):
                seen += _Walk(player, seed).along(adversary, rounds)
        except NotRealizable as error:
            raise InvalidInput(f"The learner refused a realizable stream. {error}") from None
    _check_equal_states(player, seen, seed)
    for adversary in adversaries:
        _check_bounds(player, adversary, rounds, seed)


class _Walk:
    """A game in which every call is made twice, and every state checked before and after."""

    def __init__(self, player: OnlineLearner, seed: int) -> None:
        self._player, self._seed = player, seed

    def along(self, adversary: StreamAdversary, rounds: int) -> list[tuple[Hashable, Point]]:
        """Return the states, each with the point of its query."""
        player, opponent = self._player, adversary.begin(SeededCoins(self._seed))
        points: list[Point] = []
        wrong: list[bool] = []
        promised: list[int | None] = []
        found: list[tuple[Hashable, Point]] = []
        state = self._state(player.start, "Starting")
        while state is not None and len(points) < rounds:
            posed = opponent.pose()
            if posed is None:
                break
            x, y = posed
            where = f"Round {len(points) + 1}: "
            self._require_determined(state, x, where)
            probes = list(dict.fromkeys((x, *reversed(points))))[:PROBES]
            with self._kept(state, probes, f"{where}predicting at the point {x!r}"):
                after, shown = self._predicted(state, x, where)
            if after is None and shown is None:
                break
            label, coin = _read(shown, where)
            found.append((state, x))
            promised.append(_promise(state) if isinstance(player, Deterministic) else None)
            if y is None:
                y = opponent.reveal(label, coin)
            points.append(x)
            wrong.append(label != y)
            if adversary.sees != NOTHING:
                opponent.hear(label, coin)
            if after is None:
                break
            act = f"{where}learning the label {y} of the point {x!r}"
            # The state after a prediction may serve only for learning, so it is not queried again.
            number = _hash(after)
            with self._kept(state, probes, act):
                learned = self._state(partial(player.learn, after, x, y), act)
            if _hash(after) != number:
                raise InvalidInput(f"{act} {CHANGED}. Its hash is different now. {ANEW}")
            state = learned
        for number, promise in enumerate(promised):
            if promise is not None and sum(wrong[number:]) > promise:
                raise InvalidInput(
                    f"The mistake bound before round {number + 1} is {promise}, but the learner "
                    f"errs {sum(wrong[number:])} times from this round on, on a realizable stream "
                    f"({adversary}, the points {points[: len(wrong)]})."
                )
        return found

    def _predicted(self, state: object, x: Point, where: str) -> tuple[Hashable, Hashable]:
        (after, shown), (twin, _) = (_asked(self._player, state, x, self._seed) for _ in "ab")
        _require_equal(after, twin, f"{where}predicting at the point {x!r}")
        return after, shown

    def _require_determined(self, state: object, x: Point, where: str) -> None:
        shown, *others = _answers(self._player, state, (x,) * ASKED, self._seed)
        for again in others:
            if shown != again:
                raise InvalidInput(
                    f"{where}for a repeated query of the point {x!r} in one state with the same "
                    f"coins, the learner predicted {_text(shown)} and then {_text(again)}. It must "
                    "be determined by its state and the coins."
                )

    def _state(self, step: Callable[[Coins], S], act: str) -> S:
        state, twin = step(SeededCoins(self._seed)), step(SeededCoins(self._seed))
        _require_equal(state, twin, act)
        return state

    @contextmanager
    def _kept(self, state: object, probes: Sequence[Point], act: str) -> Iterator[None]:
        """Refuse a call that changes the state it was given."""
        number = _hash(state)
        before = _answers(self._player, state, probes, self._seed)
        yield
        after = _answers(self._player, state, probes, self._seed)
        for x, old, new in zip(probes, before, after, strict=True):
            if old != new:
                raise InvalidInput(
                    f"{act} {CHANGED}. At the point {x!r} it predicted {_text(old)} and predicts "
                    f"{_text(new)} now. {ANEW}"
                )
        if _hash(state) != number:
            raise InvalidInput(f"{act} {CHANGED}. Its hash is different now. {ANEW}")


CHANGED = "changed the state that was given"
ANEW = "Return a new state instead."


def _read(shown: object, where: str) -> tuple[Label, bool]:
    """Return the label, and whether it is a coin."""
    try:
        if isinstance(shown, Prediction):
            return check_label(shown.label), shown.coin
        return check_label(shown), False
    except InvalidInput:
        raise InvalidInput(f"{where}the learner must predict 0 or 1. Got {shown!r}.") from None


def _text(shown: Hashable) -> str:
    if isinstance(shown, Prediction):
        return f"{shown.label} by a coin" if shown.coin else str(shown.label)
    return str(shown)


def _asked(player: OnlineLearner, state: object, x: Point, seed: int) -> tuple[Hashable, Hashable]:
    answer = player.predict(state, x, SeededCoins(seed))
    if type(answer) is not tuple or len(answer) != 2:
        raise InvalidInput(f"A learner answers with a pair (state, prediction). Got {answer!r}.")
    return answer


def _answers(
    player: OnlineLearner, state: object, points: Iterable[Point], seed: int
) -> list[Hashable]:
    return [_asked(player, state, x, seed)[1] for x in points]


def _promise(state: OnlineState) -> int | None:
    try:
        bound = state.mistake_bound
    except TooLarge:
        return None
    return None if bound is None else integer(bound, "mistake bound")


def _check_equal_states(
    player: OnlineLearner, seen: Sequence[tuple[Hashable, Point]], seed: int
) -> None:
    """Check that equal states, reached on different paths, hash equally and predict equally."""
    points = list(dict.fromkeys(x for _, x in seen))
    # The first state of each value, with its predictions.
    known: list[tuple[Hashable, list[Hashable]]] = []
    for state, _ in seen:
        equal = next((entry for entry in known if entry[0] == state), None)
        if equal is None:
            known.append((state, _answers(player, state, points, seed)))
            continue
        if equal[0] is state:
            continue
        if _hash(state) != _hash(equal[0]):
            raise InvalidInput(
                f"Two states of type {type(state).__name__} are equal but have different hashes. "
                "Base the hash on the compared fields."
            )
        for x, old, new in zip(
            points, equal[1], _answers(player, state, points, seed), strict=True
        ):
            if old != new:
                raise InvalidInput(
                    f"Two states of type {type(state).__name__} are equal, but at the point {x!r} "
                    f"one predicts {_text(old)} and the other {_text(new)}. Compare all that "
                    "predictions depend on."
                )


def _check_bounds(
    player: OnlineLearner, adversary: StreamAdversary, rounds: int, seed: int
) -> None:
    played = [play(player, adversary, rounds, SeededCoins(seed + i)) for i in range(GAMES)]
    for transcript in played:
        for violation in transcript.violations:
            raise InvalidInput(f"The learner breaks a bound that it states: {violation}.")
    for bound, verdict in verdicts(played):
        if verdict == Verdict.VIOLATED:
            raise InvalidInput(
                f"The learner exceeds a bound that it states, {bound}, in too many of {GAMES} "
                f"games against an adversary: {adversary}."
            )
