"""Audits of interactive Python objects: the adversary chooses its moves and when to challenge."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from learners.audit.blind_spots import HIDDEN
from learners.audit.claims import RESOLUTION, Claim, Number, checked_resolution, checked_share
from learners.audit.games import audit_game
from learners.audit.outcomes import hashable_output
from learners.audit.program_sources import (
    InteractiveSource,
    enumerated_source,
    require_source,
    run_with,
)
from learners.audit.strategies import GameFinding
from learners.coins import Coins
from learners.exact import TAIL, refused_other_randomness, require_same, state_key
from learners.games import (
    AdaptiveInputs,
    AdaptiveQueries,
    Ask,
    Challenge,
    Datasets,
    Game,
    Move,
    are_neighbours,
)
from lsclasses.errors import InvalidInput


class ObjectState:
    """A copy of an object between two answers. Copies with equal states are equal.

    Parameters
    ----------
    kept : object
        The object. Its state has all parts at every depth (see `learners.exact.state_key`).
    """

    __slots__ = ("kept", "key")

    def __init__(self, kept: Any) -> None:
        self.kept = kept
        self.key = state_key(kept)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectState) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"ObjectState{self.key!r}"


@dataclass(frozen=True)
class _ObjectPlayer:
    """An object with a method ``answer`` as a player of a game."""

    make: Callable[..., Any]
    source: InteractiveSource

    def start(self, *arguments: Any) -> ObjectState:
        *data, coins = arguments
        given = enumerated_source(self.source, coins)
        return ObjectState(run_with(self.source, given, lambda source: self.make(*data, source)))

    def answer(
        self, state: ObjectState, item: object, coins: Coins
    ) -> tuple[ObjectState | None, Hashable]:
        kept: Any = copy.deepcopy(state.kept)
        given = enumerated_source(self.source, coins)
        found = run_with(self.source, given, lambda source: kept.answer(item, source))
        answer = hashable_output(found)
        return (None if getattr(kept, "halted", False) else ObjectState(kept)), answer


def interactive(
    make: Callable[..., Any],
    items: Iterable[Hashable],
    claim: Claim,
    *,
    rounds: int,
    datasets: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
    source: InteractiveSource = "coins",
    tail: Number = TAIL,
    resolution: Number = RESOLUTION,
) -> GameFinding:
    """Audit an interactive Python object against all adaptive adversaries.

    Without ``datasets``, the object reads a stream of items. The adversary chooses each item after
    it has observed all earlier answers. In one round that the adversary chooses, it presents two
    items, and a secret bit selects the item that the object receives. With ``datasets``, the object
    reads one of two neighbouring data sets, and the adversary chooses the queries.

    Parameters
    ----------
    make : callable
        ``make(source)``, or ``make(data, source)`` with data sets, returns a new object. Its method
        ``answer(item, source)`` returns the answer to an item or a query. If the object has a true
        attribute ``halted``, the game ends. The audit copies the object before each answer, and
        compares its parts at every depth. It does not observe state outside the object, such as
        global variables and attributes of the class.
    items : iterable of hashable
        Items of the stream, or queries.
    claim : Event or (epsilon, delta)
        Claimed privacy. A float is read as it is printed: 0.1 is 1/10.
    rounds : int
        Number of rounds or queries.
    datasets : (sequence, sequence), optional
        Two neighbouring data sets, which differ in one item.
    source : str
        Type of the source of randomness: ``"coins"``, ``"random"`` or ``"numpy"``, as for
        `learners.audit.program`.
    tail, resolution : Fraction, float or str
        The arguments of `learners.audit.audit_game`.

    Returns
    -------
    GameFinding

    Raises
    ------
    InvalidInput
        If the object stores its source of randomness or a part whose state the audit cannot compare
        (`learners.exact.state_key`), behaves differently in equal states, or draws from another
        source. Also if the data sets do not differ in exactly one item.
    CannotEnumerate
        If a draw has too many possible values, for example Gaussian noise or Laplace noise in
        floating point. The audit of a game cannot sample. Use draws of `learners.coins.Coins`
        instead.
    TooLarge
        If the game has too many positions.

    Examples
    --------
    An object that answers bits by randomized response is private in every round:

    >>> class Responder:
    ...     def answer(self, bit, rng):
    ...         return bit if rng.random() < 0.5 else rng.randrange(2)
    >>> def make(rng):
    ...     return Responder()
    >>> interactive(make, [0, 1], ("11/10", 0), rounds=2, source="random").verdict
    'holds'

    If the object repeats its first noise, the adversary removes the noise in the second round:

    >>> class Repeater:
    ...     def __init__(self, rng):
    ...         self.noise = rng.randrange(2)
    ...     def answer(self, bit, rng):
    ...         return bit ^ self.noise
    >>> interactive(Repeater, [0, 1], (5, 0), rounds=2, source="random").verdict
    'violated'
    """
    require_source(source, get_args(InteractiveSource))
    known: dict[Hashable, Hashable] = {}
    for item in items:
        require_same(known.setdefault(item, item), item)
    listed = list(known)
    player = _ObjectPlayer(make, source)
    moves: list[Move] = [Ask(item) for item in listed]
    game: Game
    if datasets is None:
        game = AdaptiveInputs(player, rounds)
        moves += [Challenge(zero, one) for zero in listed for one in listed if zero != one]
    else:
        # A query may be any object, so its sensitivity is a promise of the caller.
        game = AdaptiveQueries(player, rounds)
        moves.append(_checked_datasets(datasets))
    with refused_other_randomness():
        found = audit_game(
            game,
            moves,
            claim,
            tail=checked_share(tail, "tail"),
            resolution=checked_resolution(resolution),
        )
    return replace(found, untested=(HIDDEN,))


def _checked_datasets(datasets: Sequence[Sequence[Hashable]]) -> Datasets:
    """Return two data sets that differ in one item, as a move."""
    listed = [tuple(each) for each in datasets]
    if len(listed) != 2 or listed[0] == listed[1] or not are_neighbours(listed[0], listed[1]):
        raise InvalidInput(
            "The datasets must be two sequences of the same length that differ in one item. Got "
            f"{datasets!r:.200}."
        )
    return Datasets(listed[0], listed[1])
