"""Audits of interactive Python objects: the adversary chooses its moves and when to challenge."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from learners.audit.blind_spots import HIDDEN
from learners.audit.claims import RESOLUTION, Claim
from learners.audit.games import audit_game
from learners.audit.outcomes import hashable_output
from learners.audit.programs import enumerated_source
from learners.audit.strategies import GameFinding
from learners.coins import Coins
from learners.exact import TAIL, refused_other_randomness, require_same, state_key
from learners.games import AdaptiveInputs, AdaptiveQueries, Ask, Challenge, Datasets, Game, Move

InteractiveSource = Literal["coins", "random", "numpy"]


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
        return ObjectState(self.make(*data, enumerated_source(self.source, coins)))

    def answer(
        self, state: ObjectState, item: object, coins: Coins
    ) -> tuple[ObjectState | None, Hashable]:
        kept: Any = copy.deepcopy(state.kept)
        answer = hashable_output(kept.answer(item, enumerated_source(self.source, coins)))
        return (None if getattr(kept, "halted", False) else ObjectState(kept)), answer


def interactive(
    make: Callable[..., Any],
    items: Iterable[Hashable],
    claim: Claim,
    *,
    rounds: int,
    datasets: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
    source: InteractiveSource = "coins",
    tail: Fraction = TAIL,
    resolution: Fraction = RESOLUTION,
) -> GameFinding:
    """Audit an interactive Python object against all adaptive adversaries.

    Without ``datasets``, the object reads a stream of items. The adversary chooses each item after
    it has observed all earlier answers. In one round of its choice, it presents two items, of which
    the object receives the item that a secret bit selects. With ``datasets``, the object reads one
    of two neighbouring data sets, and the adversary chooses the queries.

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
        Claimed privacy.
    rounds : int
        Number of rounds or queries.
    datasets : (sequence, sequence), optional
        Two neighbouring data sets, which differ in one item.
    source : str
        Type of the source: ``"coins"``, ``"random"`` or ``"numpy"``, as for
        `learners.audit.program`.
    tail, resolution : Fraction
        The arguments of `learners.audit.audit_game`.

    Returns
    -------
    GameFinding

    Raises
    ------
    InvalidInput
        If the object keeps its source or a part with an invisible state (see
        `learners.exact.state_key`), behaves differently in equal states, or draws from another
        source. A draw with too many branches raises `learners.exact.CannotEnumerate`.
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
        moves.append(Datasets(tuple(datasets[0]), tuple(datasets[1])))
    with refused_other_randomness():
        found = audit_game(game, moves, claim, tail=tail, resolution=resolution)
    return replace(found, untested=(HIDDEN,))
