"""Small instances on which a mechanism is audited, declared next to its code.

A module of evidence ends with ``AUDITS``, a tuple of `AuditEntry`. An entry has a name, and a
function that builds an `Instance`. The signature of the function declares the parameters with their
defaults. ``names.toml`` of the folder lists the names (`learners.audit.audit_registry`). The
defaults make the instance sensitive: audited at three quarters of the claimed epsilon, the default
instance is violated. If it is not, the declaration states the epsilon that it measures and the
reason. An audit detects a small mistake only if the loss of the instance is close to the claim. The
declaration also lists known mistakes that the default instance does not show (`UndetectedVariant`),
each with an instance that shows it, if one exists.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Annotated, Any

from learners.accounting import ADAPTIVE, Event, basic, scope
from learners.audit import (
    RESOLUTION,
    ExploredGame,
    PairFinding,
    PlayedAdversary,
    audit,
    neighbouring_pairs,
)
from learners.audit.claims import Claim
from learners.audit.pairs import Run
from learners.checked import EPSILON
from learners.coins import Coins
from learners.exact import TAIL, Program, Stepwise
from learners.games import HIDDEN, Ask, Game, MechanismResponder, Move, Oblivious, draw_view
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.options import Option
from lsclasses.specifications import Entry

__all__ = [
    "AddRemove",
    "AuditEntry",
    "ClaimedDelta",
    "ClaimedEpsilon",
    "GameInstance",
    "HiddenAnswers",
    "Instance",
    "Margin",
    "Pairs",
    "Run",
    "UndetectedVariant",
    "asked",
    "challenged",
    "clipped",
    "neighbouring_streams",
    "neighbouring_tables",
    "opposite_numbers",
    "relation",
]

MAX_PAIRS = 1 << 16
"""The largest number of pairs of inputs of an instance."""

Pairs = tuple[tuple[Any, Any], ...]


@dataclass(frozen=True)
class Instance:
    """An instance to audit: a mechanism, its run, and pairs of neighbouring inputs.

    Attributes
    ----------
    mechanism : object
        The audited mechanism.
    release : callable
        ``release(mechanism)`` returns the run: a function of data and coins that returns the
        release, or a `Stepwise`. `release` also accepts an incorrect variant of the mechanism.
    pairs : tuple
        The neighbouring inputs.
    privacy : Event, optional
        The claimed guarantee of the run, if it differs from the mechanism's `privacy`.
    """

    mechanism: Any
    release: Callable[[Any], Run]
    pairs: Pairs
    privacy: Event = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        set_frozen_fields(self, privacy=self.privacy or self.mechanism.privacy)
        _require_related(self.privacy, self.pairs[:1] + self.pairs[-1:])

    @cached_property
    def run(self) -> Run:
        """The run of the mechanism that the audit enumerates."""
        return self.release(self.mechanism)

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The first pair of neighbouring inputs, or an empty tuple if the instance has no pairs."""
        return self.pairs[0] if self.pairs else ()

    def audit(
        self,
        claim: Claim | None = None,
        *,
        twin: Any = None,
        tail: Fraction = TAIL,
        resolution: Fraction = RESOLUTION,
    ) -> PairFinding:
        """Compare a claim with the exact distributions of all pairs, by `learners.audit.audit`.

        Parameters
        ----------
        claim : Event or (epsilon, delta), optional
            The claim to audit. The default is the claim of the mechanism.
        twin : object, optional
            Mechanism to audit instead of the mechanism of the instance.
        tail, resolution : Fraction
            The arguments of `learners.audit.audit`.

        Examples
        --------
        >>> from learners.audit.audit_registry import instance
        >>> from learners.mechanisms.noise import DiscreteLaplace
        >>> built = instance("discrete_laplace:epsilon=1/2")
        >>> built.audit().verdict, built.audit(twin=DiscreteLaplace(1)).verdict
        ('holds', 'violated')
        """
        run = self.run if twin is None else self.release(twin)
        claim = self.privacy if claim is None else claim
        return audit(run, self.pairs, claim, tail=tail, resolution=resolution)


@dataclass(frozen=True)
class GameInstance:
    """An instance to audit as a game of a mechanism against adversaries with few moves.

    During a game, the adversary also chooses *when* to challenge. Pairs of fixed inputs do not
    express this choice.

    Attributes
    ----------
    mechanism : object
        The audited mechanism.
    play : callable
        ``play(mechanism)`` is the game, with the mechanism or an incorrect variant of it.
    moves : tuple of Move
        Moves of the adversary.
    privacy : Event
        The claim of the mechanism.
    """

    mechanism: Any
    play: Callable[[Any], Game]
    moves: tuple[Move, ...]
    privacy: Event

    def release(self, mechanism: Any) -> Run:
        """The function that plays the game of a `learners.audit.PlayedAdversary` and returns the
        view.
        """
        game = self.play(mechanism)
        return lambda data, coins: draw_view(game, data.adversary, data.bit, coins)

    @cached_property
    def run(self) -> Run:
        """The run of the mechanism's game that the audit enumerates."""
        return self.release(self.mechanism)

    @property
    def inputs(self) -> tuple[Any, ...]:
        """An adversary that challenges first, with both values of the secret bit."""
        first = next(move for move in self.moves if not isinstance(move, Ask))
        return tuple(PlayedAdversary(Oblivious((first,)), bit) for bit in (0, 1))

    def audit(
        self,
        claim: Claim | None = None,
        *,
        twin: Any = None,
        tail: Fraction = TAIL,
        resolution: Fraction = RESOLUTION,
    ) -> PairFinding:
        """Compare a claim with all adversaries (`learners.audit.ExploredGame.finding`).

        The parameters are the parameters of `Instance.audit`.
        """
        game = self.play(self.mechanism if twin is None else twin)
        explored = ExploredGame(game, self.moves, tail=tail, resolution=resolution)
        return explored.finding(self.privacy if claim is None else claim)


@dataclass(frozen=True)
class UndetectedVariant:
    """A mistake in a mechanism that the audit of its default instance does not detect.

    `tests/learners/incorrect_variants.py` has a mechanism that makes the mistake. This mechanism
    satisfies the claim of the default instance. If `seen_by` names another instance, the mechanism
    violates the claim of this instance.

    Attributes
    ----------
    mistake : str
        The mistake in words.
    reason : str
        Why the audit of the default instance does not detect the mistake.
    seen_by : str
        Specification of another instance of the same entry, whose audit detects the mistake. It is
        empty if no such instance is known.
    """

    mistake: str
    reason: str
    seen_by: str = ""


@dataclass(frozen=True)
class AuditEntry(Entry):
    """The declaration of the audit of one mechanism.

    The module that declares the audit is next to the code of the mechanism. It collects its entries
    in a tuple ``AUDITS``.

    Attributes
    ----------
    name, title : str
        Name in specifications, and heading in reports.
    build : callable
        Function that returns an `Instance` or a `GameInstance`. Its keyword-only parameters can be
        chosen. Each is annotated with an `Option` and has a default. The defaults give the default
        instance.
    parameters : tuple of Parameter
        Parameters of `build`.
    measured : Fraction or None
        The least epsilon that the exact distributions of the default instance allow at the claimed
        delta, rounded down to hundredths. Only stated if it is less than three quarters of the
        claim. (`tests/learners/audit/test_audit_registry.py` measures it.)
    reason : str
        Reason of the smaller epsilon, if `measured` is stated.
    unseen : tuple of UndetectedVariant
        Known mistakes in the mechanism that the audit of the default instance does not detect.
    """

    build: Callable[..., Instance | GameInstance]
    measured: Fraction | None = None
    reason: str = ""
    unseen: tuple[UndetectedVariant, ...] = ()

    def instance(self, /, **given: Any) -> Instance | GameInstance:
        """Return the instance with the given parameters, and defaults for the other parameters.

        Raises
        ------
        InvalidInput
            If a parameter is unknown, or has a value that is not allowed.
        """
        found: Instance | GameInstance = self.built(**given)
        return found


@dataclass(frozen=True)
class HiddenAnswers:
    """A program that hides the answers to one user. Each item states whether its answer is hidden.

    The view always shows that the program halted.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.games import MechanismResponder
    >>> from learners.mechanisms.sparse_vector import Sparse
    >>> mechanism = Sparse(1, reports=2, threshold=50)
    >>> run = Stepwise(HiddenAnswers(MechanismResponder(mechanism)))
    >>> run([(3, False), (100, True), (120, False)], SeededCoins(1))
    (False, HIDDEN, True, HALTED)
    """

    program: Program

    def start(self, coins: Coins) -> Any:
        """Return the state before the first item."""
        return self.program.start(coins)

    def answer(self, state: Any, item: tuple[Any, bool], coins: Coins) -> tuple[Any, Hashable]:
        """Return the next state (None after the halt), and the answer or `HIDDEN`."""
        asked, hidden = item
        after, answer = self.program.answer(state, asked, coins)
        return after, HIDDEN if hidden else answer


def asked(mechanism: Any) -> Stepwise:
    """Return the audited program of a mechanism that answers one number after another."""
    return Stepwise(MechanismResponder(mechanism))


def audited_streams(built: Instance | GameInstance) -> str:
    """Return the streams that an audit compares, and why they suffice for the stated model.

    Examples
    --------
    >>> from learners.audit.audit_registry import instance
    >>> audited_streams(instance("discrete_laplace"))
    'read in one step'
    >>> audited_streams(instance("above_threshold"))
    'fixed streams, which suffice because delta = 0'
    >>> audited_streams(instance("optimal_publisher"))
    'adaptive streams'
    """
    if isinstance(built, GameInstance):
        return "adaptive streams"
    # A release of one table may be enumerated in steps, too.
    if not isinstance(built.run, Stepwise) or getattr(built.run.program, "at_once", False):
        return "read in one step"
    held = scope(built.privacy)
    if held is not None and not held.adversary.covers(ADAPTIVE):
        return "fixed streams, as stated"
    if basic(built.privacy)[1] == 0:
        return "fixed streams, which suffice because delta = 0"
    return "fixed streams only"


def _require_related(event: Event, pairs: Pairs) -> None:
    """Refuse pairs of tuples whose numbers of entries do not fit the claimed relation."""
    held = scope(event) if isinstance(event, Event) else None
    for one, two in pairs:
        if held is None or not (isinstance(one, tuple) and isinstance(two, tuple)):
            continue
        equal = _entries(one) == _entries(two)
        if equal == (held.neighbours == "add_remove"):
            raise InvalidInput(
                f"The claim is about neighbours under {held.neighbours}, and the pairs of the "
                f"instance have {'equal' if equal else 'different'} numbers of entries. Compare "
                f"pairs of this relation. Got {one!r:.100} and {two!r:.100}."
            )


def _entries(data: object) -> int:
    """Return the number of entries of nested tuples."""
    return sum(map(_entries, data)) if isinstance(data, tuple) else 1


# ---- annotations of builders


ClaimedEpsilon = Annotated[Fraction, EPSILON.with_doc("privacy parameter")]
"""The claimed epsilon of the mechanism."""
ClaimedDelta = Annotated[Fraction, Option("privacy parameter")]
"""The claimed delta of the mechanism."""
Margin = Annotated[
    int, Option("range of clipped numbers beyond the true numbers", minimum=0, maximum=8)
]
"""Number by which the range of clipped numbers exceeds the range of the possible true numbers."""
AddRemove = Annotated[bool, Option("add or remove rows instead of replacing rows")]


def relation(add_remove: bool) -> str:
    """Return the neighbour relation: ``"add_remove"`` if true, else ``"replace_one"``."""
    return "add_remove" if add_remove else "replace_one"


def clipped(numbers: Any, least: int, most: int) -> Any:
    """Return nested tuples of integers in which every integer is clipped to a range.

    Examples
    --------
    >>> clipped(((3, -1), (0,)), 0, 2)
    ((2, 0), (0,))
    """
    if isinstance(numbers, tuple):
        return tuple(clipped(each, least, most) for each in numbers)
    return min(max(numbers, least), most)


# ---- pairs of inputs


def _few(count: int) -> None:
    if count > MAX_PAIRS:
        raise InvalidInput(
            f"The instance has {format_number(count)} pairs of inputs. The limit is {MAX_PAIRS}. "
            "Choose a smaller instance."
        )


def opposite_numbers(count: int) -> Pairs:
    """Return all sequences of 0 and 1 paired with their complements, each pair once.

    Assume that every number may differ by one between neighbours. These pairs suffice for a claim
    with delta = 0 under two conditions. First, the answers are independent of each other given
    draws that do not depend on the numbers. Second, a larger number makes "yes" likelier. Proof:
    under these conditions the probability of given answers is an average of products, with one
    factor for each number. It is largest if the number is 1 where the answer is yes and 0 where the
    answer is no, and least for the complementary numbers. So no pair has a larger ratio at these
    answers than these two sequences.

    Examples
    --------
    >>> opposite_numbers(2)
    (((0, 0), (1, 1)), ((0, 1), (1, 0)))
    """
    return tuple(
        (zero, tuple(1 - number for number in zero))
        for zero in product((0, 1), repeat=count)
        if not any(zero[:1])
    )


def neighbouring_streams(items: Iterable[Any], length: int) -> Pairs:
    """Return all pairs of streams of the items that differ in one place.

    Examples
    --------
    >>> neighbouring_streams((0, 1), 2)[:2]
    (((0, 0), (0, 1)), ((0, 0), (1, 0)))
    """
    return tuple(neighbouring_pairs(product(items, repeat=length)))


def neighbouring_tables(kinds: Sequence[Any], size: int, neighbours: str, least: int = 0) -> Pairs:
    """Return neighbouring tables of rows of some types, up to the order of the common rows.

    The replaced or added row is always the first row. So a mechanism fails the audit if its output
    reveals the order of the rows, for example the first row.

    Parameters
    ----------
    kinds : sequence
        Possible values of a row.
    size : int
        Number of rows. Under ``"add_remove"``, the largest number.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    least : int
        Least number of rows, under ``"add_remove"``.

    Raises
    ------
    InvalidInput
        If there is no such pair, or there are too many.

    Examples
    --------
    >>> neighbouring_tables("ab", 2, "replace_one")
    ((('a', 'a'), ('b', 'a')), (('a', 'b'), ('b', 'b')))
    >>> neighbouring_tables("ab", 1, "add_remove")
    (((), ('a',)), ((), ('b',)))
    """
    if neighbours == "add_remove" and size <= least:
        raise InvalidInput(
            f"The tables must have at least {least} row{'s' * (least != 1)} and at most {size}, so "
            "no table has one row more than another. Choose a larger size."
        )
    shared = comb(len(kinds) + size - 1, size - 1)
    _few(shared * len(kinds) ** 2)
    if neighbours == "add_remove":
        return tuple(
            (rest, (row, *rest))
            for others in range(least, size)
            for rest in combinations_with_replacement(kinds, others)
            for row in kinds
        )
    return tuple(
        ((zero, *rest), (one, *rest))
        for rest in combinations_with_replacement(kinds, size - 1)
        for zero, one in combinations(kinds, 2)
    )


def challenged(
    rests: Iterable[tuple[Sequence[Any], Sequence[Any]]], versions: Iterable[tuple[Any, Any]]
) -> Pairs:
    """Return streams for `HiddenAnswers`, with one hidden item in two versions at every place.

    Parameters
    ----------
    rests : iterable of (items, items)
        The queries other than the challenge in the two worlds, of one length.
    versions : iterable of (item, item)
        The challenge in the two worlds, which is put at every place.

    Examples
    --------
    >>> challenged([("a", "a")], [(0, 1)])[0]
    (((0, True), ('a', False)), ((1, True), ('a', False)))
    """

    def stream(rest: Sequence[Any], at: int, item: Any) -> tuple[tuple[Any, bool], ...]:
        open_items = [(each, False) for each in rest]
        return (*open_items[:at], (item, True), *open_items[at:])

    listed = tuple(versions)
    return tuple(
        (stream(zero_rest, at, zero), stream(one_rest, at, one))
        for zero_rest, one_rest in rests
        for at in range(len(zero_rest) + 1)
        for zero, one in listed
    )
