"""How much privacy a release really costs: exact where it can be enumerated, else from samples.

The exact audits take the output laws of the production code for two inputs (`exact_law`) or of an
adversary's view in a game, and compute delta(epsilon), the hockey-stick divergence
sum_o max(0, P(o) - e^epsilon Q(o)), the larger of both directions. The release is
(epsilon, delta)-DP for this pair if and only if delta(epsilon) <= delta. Numbers are balls that
contain the true value, including whatever the enumeration cut.

A verdict is one of *holds exactly on this instance*, *violated*, *undecided*, and, from samples,
*consistent at confidence p*. None of them is a proof for other instances.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations
from operator import is_
from typing import Any, Generic, TypeVar

from flint import arb, ctx, fmpq

from learners.accounting import Event, basic, neighbours
from learners.coins import Coins, SeededCoins
from learners.exact import (
    MAX_BRANCHES,
    PRECISION,
    TAIL,
    Law,
    StepLaws,
    Stepwise,
    better_twin,
    distinct,
    exact_law,
    require_same,
)
from learners.games import (
    Adversary,
    Ask,
    Challenge,
    Datasets,
    Game,
    Move,
    View,
    are_neighbours,
    view_law,
)
from learners.numbers import (
    checked_nonnegative_fraction,
    checked_positive,
    checked_share,
    rational,
    real,
    whole,
)
from lsclasses.errors import InvalidInput, TooLarge

__all__ = [
    "CONSISTENT",
    "ExploredGame",
    "Finding",
    "GameFinding",
    "HOLDS",
    "PrivacyLoss",
    "RESOLUTION",
    "SampledFinding",
    "Strategy",
    "UNDECIDED",
    "VIOLATED",
    "audit",
    "audit_game",
    "audit_joint",
    "audit_samples",
    "clopper_pearson",
    "neighbouring_pairs",
    "view_loss",
]

HOLDS = "holds exactly on this instance"
VIOLATED = "violated"
UNDECIDED = "undecided"
CONSISTENT = "consistent"

RESOLUTION = Fraction(1, 10**12)
"""What delta may exceed its claim by before a claim no longer counts as held: a loss of exactly
epsilon is a ball around 0, and infinite laws are cut somewhere."""

FAR = 1 << 16
"""The largest loss that is searched for."""

NOT_REPEATED = (
    "What is audited does not repeat itself: asked the same again, it answers by another law. It "
    "must keep nothing outside of its states (`learners.games.PickledObject` makes a state of an "
    "object that changes), and draw from its coins only; states that are equal must behave alike; "
    "and a game that says that it does not read the secret bit must not."
)

Outcome = TypeVar("Outcome", bound=Hashable)
Input = TypeVar("Input")


def _interval(lower: arb, upper: arb) -> arb:
    return lower.union(upper)


class PrivacyLoss(Generic[Outcome]):
    """How well an outcome tells two laws apart: the exact privacy loss of a pair of inputs.

    Parameters
    ----------
    zero, one : Law
        The laws of the outcome for either input.

    Examples
    --------
    >>> def response(bit):
    ...     return exact_law(lambda coins: coins.pick([0, 1]) ^ bit)
    >>> loss = PrivacyLoss(response(0), response(1))
    >>> print(loss.loss()[0].str(15, radius=False))
    1.00000000000000
    >>> print(loss.delta(Fraction(1, 2)).str(15, radius=False))  # (e - e^(1/2)) / (1 + e)
    0.287649136644968
    """

    def __init__(self, zero: Law[Outcome], one: Law[Outcome]) -> None:
        self._pairs: list[tuple[Outcome, arb, arb]] = []
        for outcome in zero:
            if outcome in one:
                require_same(outcome, one.listed(outcome))
        with ctx.workprec(PRECISION):
            for outcome in {**dict.fromkeys(zero), **dict.fromkeys(one)}:
                p = zero[outcome] if outcome in zero else arb(0)
                q = one[outcome] if outcome in one else arb(0)
                self._pairs.append((outcome, p, q))
        self._cuts = zero.tail, one.tail
        self.branches = zero.branches + one.branches

    @property
    def cut(self) -> arb:
        """The probability that the enumeration did not explore, the larger of both."""
        return self._cuts[0].max(self._cuts[1])

    def __len__(self) -> int:
        return len(self._pairs)

    def delta(self, epsilon: Fraction | int, direction: int | None = None) -> arb:
        """A ball that contains delta(epsilon).

        Parameters
        ----------
        epsilon : Fraction or int
            At least 0.
        direction : int, optional
            0 for max_E P(E) - e^epsilon Q(E), 1 for the reverse, else the larger of them.

        Raises
        ------
        InvalidInput
            If epsilon is negative, or a float.
        """
        epsilon = checked_nonnegative_fraction(epsilon, "epsilon")
        if direction is None:
            with ctx.workprec(PRECISION):
                return self.delta(epsilon, 0).max(self.delta(epsilon, 1))
        with ctx.workprec(PRECISION):
            factor, found = real(epsilon).exp(), arb(0)
            for _, p, q in self._pairs:
                excess = (q - factor * p) if direction else (p - factor * q)
                found += excess.nonnegative_part()
            mine, other = self._cuts[direction], self._cuts[1 - direction]
            # What was cut may add all its mass, or fill up the other law where it lacks.
            wide = _interval((found - factor * other).lower(), (found + mine).upper())
            return wide.nonnegative_part().min(arb(1))

    def event(self, epsilon: Fraction | int) -> tuple[int, tuple[Outcome, ...]]:
        """The direction in which delta(epsilon) is attained, and the event that attains it."""
        epsilon = checked_nonnegative_fraction(epsilon, "epsilon")
        direction = int(_middle(self.delta(epsilon, 1)) > _middle(self.delta(epsilon, 0)))
        with ctx.workprec(PRECISION):
            factor = real(epsilon).exp()
            return direction, tuple(
                outcome
                for outcome, p, q in self._pairs
                if ((q - factor * p) if direction else (p - factor * q)) > 0
            )

    def loss(self) -> tuple[arb, Outcome | None]:
        """A lower bound on the least epsilon with delta(epsilon) = 0, and the outcome behind it.

        It is max_o |ln P(o)/Q(o)|, where the smaller probability may have grown by everything
        that was cut; infinite if an outcome is possible for one input only and nothing was cut.

        Examples
        --------
        >>> laws = [exact_law(lambda coins: n + coins.laplace(2)) for n in (0, 1)]
        >>> bound, outcome = PrivacyLoss(*laws).loss()
        >>> 0.499999999 < bound < 0.5
        True
        """
        best, witness = arb(0), None
        with ctx.workprec(PRECISION):
            for outcome, p, q in self._pairs:
                for large, small in ((p, q + self._cuts[1]), (q, p + self._cuts[0])):
                    if not large > small:
                        continue
                    bound = arb.pos_inf() if small.is_zero() else (large / small).log().lower()
                    if bound > best:
                        best, witness = bound, outcome
        return best, witness

    def witness(self) -> tuple[int, tuple[Outcome, ...]]:
        """For which law the outcome behind `loss` is likelier, and that outcome, if there is one.

        Examples
        --------
        >>> laws = [exact_law(lambda coins: coins.pick([n, 0])) for n in (0, 1)]
        >>> PrivacyLoss(*laws).witness()
        (0, (1,))
        """
        outcome = self.loss()[1]
        for known, p, q in self._pairs:
            if outcome is not None and known == outcome:
                return int(_middle(q) > _middle(p)), (outcome,)
        return 0, ()

    def epsilon(self, delta: Fraction | int = 0, digits: int = 12) -> arb:
        """A lower bound on the least epsilon for which this pair is (epsilon, delta)-close.

        With delta = 0 it is `loss`; otherwise it is found by bisection to so many digits, up to
        a loss of 65536. It is infinite if outcomes that are possible for one input only make up
        more than delta, and nothing was cut that could hide among them.

        Examples
        --------
        >>> laws = [exact_law(lambda coins: n + coins.laplace(1)) for n in (0, 1)]
        >>> print(PrivacyLoss(*laws).epsilon(Fraction(1, 10)).str(6, radius=False))
        0.852905
        """
        delta = rational(delta, "delta")
        if not delta:
            return self.loss()[0]
        allowed = fmpq(delta.numerator, delta.denominator)
        if not self.delta(0) > allowed:
            return arb(0)
        if self._escaping() > allowed:
            return arb.pos_inf()
        low, high = Fraction(0), Fraction(1)
        while self.delta(high) > allowed:
            low, high = high, 2 * high
            if high > FAR:
                return real(low)
        while (high - low) * 10**digits > 1:
            middle = (low + high) / 2
            if self.delta(middle) > allowed:
                low = middle
            else:
                high = middle
        return real(low)

    def enough(self, delta: Fraction | int, digits: int = 12, least: Fraction | int = 0) -> arb:
        """An upper bound on the least epsilon for which this pair is (epsilon, delta)-close.

        It is found by bisection to so many digits, from `least` on and up to 65536; beyond, or if
        what was cut might exceed delta, it is infinite.

        Examples
        --------
        >>> laws = [exact_law(lambda coins: n + coins.laplace(1)) for n in (0, 1)]
        >>> loss, tenth = PrivacyLoss(*laws), Fraction(1, 10)
        >>> print(loss.enough(tenth).str(6, radius=False))
        0.852905
        >>> bool(loss.epsilon(tenth) <= loss.enough(tenth)), float(loss.enough(0))
        (True, inf)
        """
        allowed, low = (
            real(rational(delta, "delta")),
            checked_nonnegative_fraction(least, "epsilon"),
        )
        if self.delta(low) <= allowed:
            return real(low)
        high = low + 1
        while not self.delta(high) <= allowed:
            low, high = high, 2 * high
            if high > FAR:
                return arb.pos_inf()
        while (high - low) * 10**digits > 1:
            middle = (low + high) / 2
            if self.delta(middle) <= allowed:
                high = middle
            else:
                low = middle
        return real(high)

    def _escaping(self) -> arb:
        """How much of one law surely lies where the other has nothing, the larger of both."""
        with ctx.workprec(PRECISION):
            found = [arb(0), arb(0)]
            for _, p, q in self._pairs:
                for side, (mine, other) in enumerate(((p, q), (q, p))):
                    if other.is_zero() and self._cuts[1 - side].is_zero():
                        found[side] += mine
            return found[0].max(found[1])


def _middle(ball: arb) -> float:
    return float(ball.mid())


# ---- pairs of inputs


def neighbouring_pairs(
    inputs: Iterable[Sequence[Any]], relation: str = "replace_one"
) -> list[tuple[Any, Any]]:
    """All pairs of different neighbours among the inputs, each once.

    Examples
    --------
    >>> from itertools import product
    >>> len(neighbouring_pairs(product((0, 1), repeat=3)))
    12
    >>> neighbouring_pairs(["a", "ab", "b"], "add_remove")
    [('a', 'ab'), ('ab', 'b')]
    """
    listed = list(dict.fromkeys(inputs))
    return [
        (zero, one) for zero, one in combinations(listed, 2) if are_neighbours(zero, one, relation)
    ]


@dataclass(frozen=True)
class Finding:
    """What an exact audit found.

    Attributes
    ----------
    epsilon, delta : Fraction
        What was claimed.
    verdict : str
        `HOLDS`, `VIOLATED` or `UNDECIDED`.
    measured : arb
        delta(epsilon) at the claimed epsilon, the largest over all pairs.
    least_epsilon : arb
        A lower bound on the least epsilon that holds with the claimed delta, over all pairs.
    enough_epsilon : arb
        An upper bound on the least epsilon that holds if delta may be larger by the resolution;
        infinite if more was cut than that. What the claim exceeds the two by is its slack here.
    pair : tuple
        The worst pair: if the claim is violated, the one for which delta(epsilon) is largest; else
        the one that needs the largest epsilon at the claimed delta.
    event : tuple
        The outcomes that attain delta(epsilon); where that is 0, the outcome of largest loss.
    direction : int
        0 if they are likelier for the first of the pair, 1 for the second.
    loss : PrivacyLoss
        The worst pair's curve.
    pairs, branches : int
        How many pairs were compared, how many branches explored.
    cut : arb
        The probability left unexplored, at most.
    """

    epsilon: Fraction
    delta: Fraction
    verdict: str
    measured: arb
    least_epsilon: arb
    enough_epsilon: arb
    pair: tuple[Any, Any]
    event: tuple[Any, ...]
    direction: int
    loss: PrivacyLoss[Any] = field(repr=False, compare=False)
    pairs: int
    branches: int
    cut: arb


def _claim(claim: Event | tuple[Any, Any]) -> tuple[Fraction, Fraction]:
    epsilon, delta = basic(claim) if isinstance(claim, Event) else claim
    epsilon, delta = checked_nonnegative_fraction(epsilon, "epsilon"), rational(delta, "delta")
    if not 0 <= delta < 1:
        raise InvalidInput(f"The delta must be at least 0 and less than 1. Got {delta}.")
    return epsilon, delta


def _resolution(value: object) -> Fraction:
    resolution = rational(value, "resolution")
    if not 0 <= resolution < 1:
        raise InvalidInput(f"The resolution must be at least 0 and less than 1. Got {resolution}.")
    return resolution


def _verdict(measured: arb, delta: Fraction, resolution: Fraction) -> str:
    if measured > real(delta):
        return VIOLATED
    if measured <= real(delta + resolution):
        return HOLDS
    return UNDECIDED


def audit(
    run: Callable[[Any, Coins], Hashable],
    pairs: Iterable[tuple[Any, Any]],
    claim: Event | tuple[Fraction | int, Fraction | int],
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
    resolution: Fraction = RESOLUTION,
) -> Finding:
    """Compare the exact output laws of every pair of inputs with what is claimed.

    Parameters
    ----------
    run : callable
        ``run(data, coins)`` returns what is released, something hashable. For `Stepwise` the laws
        are put together from steps, which is faster by far.
    pairs : iterable of (data, data)
        Neighbouring inputs, hashable; `neighbouring_pairs` makes them from an input space.
    claim : Event or (epsilon, delta)
        A mechanism's ``privacy``, folded by basic composition, or numbers.
    tail, max_branches
        As in `learners.exact.exact_law`.
    resolution : Fraction
        A claim holds if delta(epsilon) surely exceeds its delta by no more than this; what was
        cut has to fit in.

    Returns
    -------
    Finding

    Raises
    ------
    InvalidInput
        If there is no pair, the claim is out of range, or the run does not repeat itself.
    TooLarge
        If an input has more branches than allowed.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> found = audit(lambda n, coins: n + coins.laplace(2), [(0, 1), (1, 2)], (half, 0))
    >>> found.verdict
    'holds exactly on this instance'
    >>> found = audit(lambda n, coins: n + coins.laplace(1), [(0, 1)], (half, 0))
    >>> found.verdict, found.pair, max(found.event)
    ('violated', (0, 1), 0)
    >>> print(found.measured.str(12, radius=False))
    0.287649136645
    """
    epsilon, delta = _claim(claim)
    laws: dict[Any, tuple[Any, Law[Any]]] = {}

    def laws_of(run: Any) -> Callable[[Any], Law[Any]]:
        if isinstance(run, Stepwise):
            return run.laws(tail=tail, max_branches=max_branches)
        return lambda data: exact_law(
            lambda coins: run(data, coins), tail=tail, max_branches=max_branches
        )

    explored = laws_of(run)

    def law_of(data: Any) -> Law[Any]:
        key = distinct(data)
        if key not in laws:
            laws[key] = data, explored(data)
        return laws[key][1]

    losses = [((zero, one), PrivacyLoss(law_of(zero), law_of(one))) for zero, one in pairs]
    if all(distinct(zero) == distinct(one) for (zero, one), _ in losses):
        raise InvalidInput(
            "There is nothing to audit: no pair of neighbouring inputs was given that differ."
        )
    first, law = next(iter(laws.values()))
    _require_repeated(_weights(law), _weights(laws_of(run)(first)))
    if isinstance(explored, StepLaws) and not explored.repeats():
        raise InvalidInput(NOT_REPEATED)
    branches = sum(law.branches for _, law in laws.values())
    return _finding(losses, epsilon, delta, branches, _resolution(resolution))


def audit_joint(
    run: Callable[[Any, Coins], Sequence[Hashable]],
    inputs: Iterable[Sequence[Any]],
    claim: Event | tuple[Fraction | int, Fraction | int],
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
    resolution: Fraction = RESOLUTION,
) -> Finding:
    """Joint differential privacy [KMMNS23, Def 2.5]: everybody is told an answer of their own.

    For two inputs that differ in what one person gave, the laws of all answers **but that
    person's** are compared.

    Parameters
    ----------
    run : callable
        ``run(data, coins)`` returns one answer for each entry of the data, in their order.
    inputs : iterable of sequence
        Data sets, hashable; all pairs that differ in one entry are compared.
    claim, tail, max_branches, resolution
        As in `audit`.

    Returns
    -------
    Finding
        Its `pair` consists of (data, person) with the number of the person whose entry differs.

    Raises
    ------
    InvalidInput
        If no two inputs differ in one entry, a run returns too many or too few answers, or the
        claim is out of range.
    TooLarge
        If an input has more branches than allowed.

    Examples
    --------
    Three households are told whether they use more water than a third of a noisy total. What they
    are told depends on their own bit as strongly as it likes:

    >>> from itertools import product
    >>> def bills(data, coins):
    ...     total = sum(data) + coins.laplace(1)
    ...     return tuple(3 * bit > total for bit in data)
    >>> streams = list(product((0, 1), repeat=3))
    >>> audit_joint(bills, streams, (1, 0)).verdict
    'holds exactly on this instance'
    >>> audit(bills, neighbouring_pairs(streams), (1, 0)).verdict
    'violated'
    """

    def others(entry: tuple[Any, int], coins: Coins) -> Hashable:
        data, person = entry
        answers = tuple(run(data, coins))
        if len(answers) != len(data):
            raise InvalidInput(
                f"There must be one answer a person, {len(data)} in all. Got {len(answers)}."
            )
        return answers[:person] + answers[person + 1 :]

    pairs = []
    for zero, one in neighbouring_pairs(inputs):
        person = next(i for i, (x, y) in enumerate(zip(zero, one, strict=True)) if x != y)
        pairs.append(((zero, person), (one, person)))
    return audit(others, pairs, claim, tail=tail, max_branches=max_branches, resolution=resolution)


def _finding(
    losses: Losses,
    epsilon: Fraction,
    delta: Fraction,
    branches: int,
    resolution: Fraction,
) -> Finding:
    measured = [loss.delta(epsilon) for _, loss in losses]
    # Where no pair exceeds the claim, the one that needs the largest epsilon says most.
    strictest, closest = _strictest(losses, delta)
    over = [_middle(ball) if ball > real(delta) else 0.0 for ball in measured]
    if max(over):
        worst = over.index(max(over))
    elif strictest > 0:
        worst = closest
    else:
        worst = max(range(len(losses)), key=lambda i: _middle(measured[i]))
    pair, loss = losses[worst]
    if _middle(measured[worst]) > float(resolution):
        direction, event = loss.event(epsilon)
    else:
        direction, event = loss.witness()
    with ctx.workprec(PRECISION):
        largest, cut = arb(0), arb(0)
        for ball, (_, each) in zip(measured, losses, strict=True):
            largest, cut = largest.max(ball), cut.max(each.cut)
    return Finding(
        epsilon,
        delta,
        _verdict(largest, delta, resolution),
        largest,
        strictest,
        _enough(losses, delta + resolution),
        pair,
        event,
        direction,
        loss,
        len(losses),
        branches,
        cut,
    )


Losses = list[tuple[tuple[Any, Any], PrivacyLoss[Any]]]


def _strictest(losses: Losses, delta: Fraction) -> tuple[arb, int]:
    """The largest lower bound on the least epsilon at this delta, and which pair it belongs to."""
    largest, at = arb(0), 0
    for i, (_, loss) in enumerate(losses):
        # A pair that is close enough at the largest bound so far cannot raise it.
        if delta and not loss.delta(_fraction(largest.lower())) > real(delta):
            continue
        bound = loss.epsilon(delta)
        if not bound > largest:
            continue
        if _middle(bound) > _middle(largest) * (1 + 1e-9):  # else it is the same but for rounding
            at = i
        largest = bound
        if not largest.is_finite():
            break
    return largest, at


def _enough(losses: Losses, delta: Fraction) -> arb:
    """An upper bound on the least epsilon at this delta, over all pairs."""
    largest = arb(0)
    for _, loss in losses:
        largest = loss.enough(delta, least=_fraction(largest.upper()))
        if not largest.is_finite():
            break
    return largest


def _fraction(exact: arb) -> Fraction:
    """The value of a ball of radius 0."""
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


# ---- games


def view_loss(
    game: Game,
    adversary: Adversary,
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
) -> PrivacyLoss[View]:
    """The exact privacy loss of a game against one adversary.

    Parameters
    ----------
    game, adversary
        As in `learners.games.draw_view`.
    tail, max_branches
        As in `learners.exact.exact_law`.
    """
    zero, one = (
        view_law(game, adversary, bit, tail=tail, max_branches=max_branches) for bit in (0, 1)
    )
    return PrivacyLoss(zero, one)


@dataclass(frozen=True)
class Strategy(Adversary):
    """A deterministic adversary as a table: the moves for the views that it can meet."""

    moves: dict[tuple[Hashable, tuple[Hashable, ...]], Move] = field(hash=False)

    def move(self, view: View) -> Move | None:
        """The move in the table; it stops where there is none."""
        return self.moves.get((view.opening, view.answers))


@dataclass(frozen=True)
class GameFinding:
    """What a search over all deterministic adversaries found.

    Attributes
    ----------
    epsilon, delta : Fraction
        What was claimed.
    verdict : str
        `HOLDS`, `VIOLATED` or `UNDECIDED`.
    measured : arb
        The largest delta(epsilon) over all adversaries, both directions.
    adversary : Strategy
        One that attains it, up to the width of the balls.
    direction : int
        0 if its events are too likely for the bit 0, 1 for 1.
    nodes : int
        How many positions of the game were visited.
    """

    epsilon: Fraction
    delta: Fraction
    verdict: str
    measured: arb
    adversary: Strategy
    direction: int
    nodes: int


def _weights(law: Law[Any]) -> dict[Hashable, arb]:
    return {outcome: law[outcome] for outcome in law}


def _require_repeated(before: dict[Hashable, arb], now: dict[Hashable, arb]) -> None:
    """Two computations of one law must agree, whatever was computed in between."""
    if before.keys() != now.keys() or not all(before[each].overlaps(now[each]) for each in now):
        raise InvalidInput(NOT_REPEATED)


@dataclass(frozen=True)
class _Met:
    """A hidden state that was met, and one that equals it: another object, if there was one."""

    state: Any
    twin: Any

    def and_(self, other: _Met) -> _Met:
        """The same, with what was met of an equal one."""
        require_same(self.state, other.state)
        twin = self.twin
        for each in (other.state, other.twin):
            twin = better_twin(self.state, twin, each)
        return self if twin is self.twin else _Met(self.state, twin)


Mass = dict[Any, tuple[_Met, arb]]
"""Hidden states with their weights."""


@dataclass
class _Step:
    """What may follow from a hidden state and an item: states, answers, weights; what was cut."""

    hidden: _Met
    branches: list[tuple[_Met, Hashable, arb]]
    cut: arb | None
    again: Callable[[Any], Law[Any]]

    def require_repeated(self) -> None:
        """Compute it anew, from an equal state if one was met: what is shown follows one law."""
        shown: list[dict[Hashable, arb]] = [{}, {}]
        again = _met(self.again(self.hidden.twin))
        for found, branches in zip(shown, (self.branches, again), strict=True):
            for met, answer, weight in branches:
                key = answer, met.state is None
                found[key] = found.get(key, arb(0)) + weight
        _require_repeated(*shown)


def _met(law: Law[Any]) -> list[tuple[_Met, Hashable, arb]]:
    """The branches of a law of (hidden state, what is shown)."""
    return [
        (_Met(outcome[0], law.twin(outcome)[0]), outcome[1], weight)
        for outcome, weight in law.items()
    ]


Steps = dict[tuple[Any, Hashable, bool, int | None], _Step]


@dataclass
class _Search:
    """Backward induction over the positions of a game, for one epsilon and one direction."""

    explored: ExploredGame
    factor: arb
    first: int
    nodes: int = 0
    chosen: dict[View, Move] = field(default_factory=dict)

    def strategy(self) -> Strategy:
        """The best moves, of the positions that they lead to."""
        found: dict[tuple[Hashable, tuple[Hashable, ...]], Move] = {}
        for view, move in sorted(self.chosen.items(), key=lambda entry: len(entry[0].moves)):
            before = (found.get((view.opening, view.answers[:i])) for i in range(len(view.moves)))
            if all(map(is_, before, view.moves)):
                found[view.opening, view.answers] = move
        return Strategy(found)

    def root(self) -> arb:
        law = exact_law(self.explored.game.begin, tail=self.explored.tail)
        masses: dict[Hashable, tuple[Hashable, Mass]] = {}
        # Where the mechanism has halted already, nothing depends on the secret bit.
        for met, opening, weight in _met(law):
            if met.state is not None:
                known, mass = masses.setdefault(opening, (opening, {}))
                require_same(known, opening)
                _gather(mass, met, weight)
        worth = self._lost(law.tail, law.tail)
        for opening, mass in masses.values():
            worth += self._worth(View(opening=opening), mass, mass)
        return worth

    def _lost(self, mine: arb, other: arb) -> arb:
        """What mass that was cut may add to a hockey stick, or take from it."""
        return _interval((-self.factor * other).lower(), mine.upper())

    def _leaf(self, mine: Mass, other: Mass) -> arb:
        mass, others = (
            sum((weight for _, weight in side.values()), arb(0)) for side in (mine, other)
        )
        return (mass - self.factor * others).nonnegative_part()

    def _worth(self, view: View, mine: Mass, other: Mass) -> arb:
        game, moves, limit = self.explored.game, self.explored.moves, self.explored.max_nodes
        self.nodes += 1
        if self.nodes > limit:
            turns, branching = game.turns, len(moves)
            raise TooLarge(
                f"The game has more than {limit} positions: {turns} turns with {branching} moves "
                f"make at least {float(branching) ** turns:.3g}; ask for fewer of either.",
                estimate=float(branching) ** turns,
                limit=limit,
            )
        last = len(view.moves) == game.turns
        if last:
            return self._leaf(mine, other)
        best: arb | None = None
        for number, move in enumerate(moves):
            try:
                game.check(view, move)
            except InvalidInput as error:
                self.explored.refused.setdefault(number, error)
                continue
            self.explored.refused[number] = None
            worth = self._after(view, move, mine, other)
            if best is None or _middle(worth) > _middle(best):
                self.chosen[view] = move
            best = worth if best is None else best.max(worth)
        return self._leaf(mine, other) if best is None else best

    def _after(self, view: View, move: Move, mine: Mass, other: Mass) -> arb:
        game = self.explored.game
        ends = len(view.moves) + 1 == game.turns
        shown = game.shows_halt(len(view.moves) + 1)
        children: dict[tuple[Hashable, bool], tuple[Hashable, tuple[Mass, Mass]]] = {}
        cuts = [arb(0), arb(0)]
        for side, mass in enumerate((mine, other)):
            bit = self.first ^ side
            for hidden, weight in mass.values():
                step = self.explored.step(hidden, move, bit)
                if step.cut is not None:
                    cuts[side] += weight * step.cut
                for met, answer, probability in step.branches:
                    halted = met.state is None and (shown or not ends)
                    child = children.setdefault((answer, halted), (answer, ({}, {})))
                    require_same(child[0], answer)
                    _gather(child[1][side], ENDED if ends else met, weight * probability)
        worth = self._lost(*cuts)
        for (_, halted), (answer, (one_side, other_side)) in children.items():
            worth += (
                self._leaf(one_side, other_side)
                if ends or halted
                else self._worth(view.after(move, answer), one_side, other_side)
            )
        return worth


ENDED = _Met(None, None)
"""What is left of hidden states at the end of the game."""


def _gather(mass: Mass, met: _Met, weight: arb) -> None:
    """Add weight to a hidden state."""
    known = mass.get(met.state)
    mass[met.state] = (met, weight) if known is None else (known[0].and_(met), known[1] + weight)


class ExploredGame:
    """A game against **all** adaptive adversaries with finitely many moves, for several claims.

    What the mechanism does is explored once, whatever is claimed of it: `against` holds one claim
    after another against it, and the second costs a small part of the first.

    Parameters
    ----------
    game, moves, tail, max_nodes, resolution
        As in `audit_game`.

    Raises
    ------
    InvalidInput
        If there is nothing to audit with these moves.

    Examples
    --------
    >>> from learners.games import AdaptiveInputs
    >>> class Response:
    ...     def start(self, coins): return "ready"
    ...     def answer(self, state, bit, coins): return state, bit ^ coins.flip(Fraction(1, 4))
    >>> explored = ExploredGame(AdaptiveInputs(Response(), 2), [Ask(0), Challenge(0, 1)])
    >>> [explored.against((claim, 0)).verdict for claim in (2, Fraction(3, 2), 1)]
    ['holds exactly on this instance', 'holds exactly on this instance', 'violated']
    """

    def __init__(
        self,
        game: Game,
        moves: Iterable[Move],
        *,
        tail: Fraction = TAIL,
        max_nodes: int = 1 << 16,
        resolution: Fraction = RESOLUTION,
    ) -> None:
        self.game = game
        self.moves = tuple(moves)
        self.tail = rational(tail, "tail")
        self.max_nodes = max_nodes
        self.resolution = _resolution(resolution)
        _require_secret(game, self.moves)
        self._steps: Steps = {}
        self._repeated = 0
        self.refused: dict[int, InvalidInput | None] = {}
        """The moves that were tried: why the rules forbid them, None once they allowed them."""

    def against(self, claim: Event | tuple[Fraction | int, Fraction | int]) -> GameFinding:
        """What `audit_game` finds of a claim; it raises the same."""
        epsilon, delta = _claim(claim)
        _require_comparable(self.game, claim)
        with ctx.workprec(PRECISION):
            factor = real(epsilon).exp()
            searches = [_Search(self, factor, first) for first in (0, 1)]
            worths = [search.root().nonnegative_part().min(arb(1)) for search in searches]
            for step in reversed(list(self._steps.values())[self._repeated :]):
                step.require_repeated()
            self._repeated = len(self._steps)
            measured = worths[0].max(worths[1])
        for number, error in self.refused.items():
            if error is not None:
                raise InvalidInput(
                    f"The rules never allow the move {self.moves[number]!r}. {error}"
                )
        direction = int(_middle(worths[1]) > _middle(worths[0]))
        return GameFinding(
            epsilon,
            delta,
            _verdict(measured, delta, self.resolution),
            measured,
            searches[direction].strategy(),
            direction,
            sum(search.nodes for search in searches),
        )

    def step(self, met: _Met, move: Move, bit: int) -> _Step:
        """What may follow from a hidden state if the mechanism is given this move."""
        read = bit if self.game.reads_bit else None
        key = met.state, distinct(move.given(bit)), isinstance(move, Challenge), read
        step = self._steps.get(key)
        if step is not None:
            step.hidden = step.hidden.and_(met)
            return step

        def compute(bit: int, hidden: Any) -> Law[Any]:
            return exact_law(
                lambda coins: self.game.respond(hidden, move, bit, coins), tail=self.tail
            )

        # What is the same for both bits is asked with the other one the second time.
        same = read is None and distinct(move.given(0)) == distinct(move.given(1))
        law = compute(bit, met.state)
        cut = None if law.tail.is_zero() else law.tail
        self._steps[key] = _Step(met, _met(law), cut, partial(compute, bit ^ same))
        return self._steps[key]


def audit_game(
    game: Game,
    moves: Iterable[Move],
    claim: Event | tuple[Fraction | int, Fraction | int],
    *,
    tail: Fraction = TAIL,
    max_nodes: int = 1 << 16,
    resolution: Fraction = RESOLUTION,
) -> GameFinding:
    """The largest delta(epsilon) over **all** adaptive adversaries with finitely many moves.

    The hockey stick of the view is a sum over the ends of the game, so what an adversary does
    after one history does not touch what it gains after another: the best choice at each
    position is a maximum, computed backwards. A position is what the adversary has seen; with it
    come the two measures on the mechanism's hidden states that lead there, one for each bit.
    Randomness gains nothing: a random adversary's hockey stick is the average of those of the
    deterministic ones.

    Parameters
    ----------
    game : Game
    moves : iterable of Move
        What the adversary may choose from; where the rules forbid a move it is left out, but they
        must allow it somewhere, and one of the moves must depend on the secret bit.
    claim : Event or (epsilon, delta)
    tail : Fraction
        As in `learners.exact.exact_law`.
    max_nodes : int
        How many positions may be visited.
    resolution : Fraction
        As in `audit`.

    Returns
    -------
    GameFinding

    Raises
    ------
    TooLarge
        If the game has more positions.
    InvalidInput
        If there is nothing to audit with these moves, the claim is out of range or about other
        neighbours than the game's, the mechanism does not repeat itself (asked the same again at
        the end, it must answer by the same law), or shows equal answers that can be told apart.

    See Also
    --------
    ExploredGame : for several claims about one game.

    Notes
    -----
    *What is trusted.* That equal hidden states behave alike, which `learners.games.Unmerged` does
    without, and that all randomness comes from the coins.

    Examples
    --------
    Two answers of randomized response, where the first may decide what is asked next:

    >>> from learners.games import AdaptiveInputs, Ask, Challenge
    >>> class Response:
    ...     def start(self, coins): return "ready"
    ...     def answer(self, state, bit, coins): return state, bit ^ coins.flip(Fraction(1, 4))
    >>> found = audit_game(AdaptiveInputs(Response(), 2), [Ask(0), Ask(1), Challenge(0, 1)], (1, 0))
    >>> found.verdict, found.nodes > 10
    ('violated', True)
    >>> print(found.measured.str(12, radius=False))  # 3/4 - e/4
    0.0704295428852
    """
    explored = ExploredGame(game, moves, tail=tail, max_nodes=max_nodes, resolution=resolution)
    return explored.against(claim)


def _require_secret(game: Game, moves: tuple[Move, ...]) -> None:
    """Refuse an audit that could only find that everything holds."""
    if not moves:
        raise InvalidInput("There is nothing to audit: the adversary has no move.")
    for move in moves:
        if not isinstance(move, (Ask, Challenge, Datasets)):
            raise InvalidInput(f"A move is an Ask, a Challenge or Datasets. Got {move!r}.")
    if not game.reads_bit and all(
        distinct(move.given(0)) == distinct(move.given(1)) for move in moves
    ):
        raise InvalidInput(
            "There is nothing to audit: no move depends on the secret bit. At least one must be a "
            "Challenge, or Datasets, with two different versions."
        )


def _require_comparable(game: Game, claim: Event | tuple[Any, Any]) -> None:
    """Refuse a claim that the game cannot refute."""
    relation = neighbours(claim) if isinstance(claim, Event) else None
    if relation is not None and not game.compares(relation):
        raise InvalidInput(
            f"The claim is about neighbours under {relation}, which this game does not compare: "
            f"{type(game).__name__} cannot refute all of it. Claim what follows of it for this "
            "game (`UnderChallenge` for what all but one user see), or numbers."
        )


# ---- samples


def clopper_pearson(successes: int, trials: int, error: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds on a probability, each of which is wrong with probability at most `error`.

    Parameters
    ----------
    successes, trials : int
        How often the event happened.
    error : Fraction
        Strictly between 0 and 1.

    Returns
    -------
    lower, upper : Fraction
        Rounded outwards.

    Raises
    ------
    InvalidInput
        If the numbers do not fit together.

    References
    ----------
    Clopper, Pearson 1934.

    Examples
    --------
    >>> [round(float(bound), 4) for bound in clopper_pearson(0, 100, Fraction(1, 20))]
    [0.0, 0.0295]
    """
    successes, trials = whole(successes, "number of successes"), whole(trials, "number of trials")
    error = rational(error, "error")
    if not 0 <= successes <= trials or trials < 1 or not 0 < error < 1:
        raise InvalidInput(
            "Clopper-Pearson needs 0 <= successes <= trials, trials >= 1 and 0 < error < 1. "
            f"Got {successes} of {trials} with error {error}."
        )
    lower = Fraction(0) if successes == 0 else _tail_root(successes, trials, error)
    upper = (
        Fraction(1) if successes == trials else 1 - _tail_root(trials - successes, trials, error)
    )
    return lower, upper


def _tail_root(least: int, trials: int, error: Fraction) -> Fraction:
    """A p, close to the largest, with P[Bin(trials, p) >= least] <= error."""
    low, high = Fraction(0), Fraction(least, trials)
    with ctx.workprec(64):
        allowed = real(error)
        for _ in range(40):
            middle = (low + high) / 2
            # P[Bin(n, p) >= k] is the regularized incomplete beta function I_p(k, n - k + 1).
            reached = real(middle).beta_lower(least, trials - least + 1, True)
            if reached <= allowed:
                low = middle
            else:
                high = middle
    return low


@dataclass(frozen=True)
class SampledFinding:
    """What a sampled audit found.

    Attributes
    ----------
    epsilon, delta : Fraction
        What was claimed.
    verdict : str
        `VIOLATED` or `CONSISTENT`.
    confidence : Fraction
        `VIOLATED` is said of a true claim with probability at most 1 - confidence.
    bound : float
        With this confidence, delta(epsilon) is at least so much (0 or less says nothing).
    least_epsilon : float
        With this confidence, no smaller epsilon holds with the claimed delta.
    direction : int
        0 if the event is too likely for the first input, 1 for the second.
    event : tuple
        The outcomes of the event that was chosen on the first half.
    counts : tuple of int
        How often it happened on the second half, for the likelier and for the other input.
    samples : int
        Draws for each input and half.
    """

    epsilon: Fraction
    delta: Fraction
    verdict: str
    confidence: Fraction
    bound: float
    least_epsilon: float
    direction: int
    event: tuple[Any, ...]
    counts: tuple[int, int]
    samples: int


def audit_samples(
    zero: Callable[[Coins], Hashable],
    one: Callable[[Coins], Hashable],
    claim: Event | tuple[Fraction | int, Fraction | int],
    *,
    samples: int = 50_000,
    confidence: Fraction = 1 - Fraction(1, 10**6),
    rng: Any = None,
) -> SampledFinding:
    """Look for an event that is likelier than claimed, on samples.

    One half of the samples chooses the event and the direction; the other half certifies it, by
    Clopper-Pearson bounds that hold together with the stated confidence. Finding nothing proves
    nothing: outcomes that were not sampled are never part of the event.

    Parameters
    ----------
    zero, one : callable
        ``zero(coins)`` returns what is released for one input, `one` for its neighbour.
    claim : Event or (epsilon, delta)
    samples : int
        Draws for each input and half.
    confidence : Fraction
    rng
        Anything `numpy.random.default_rng` takes.

    Returns
    -------
    SampledFinding

    Raises
    ------
    InvalidInput
        If a parameter is out of range.

    Examples
    --------
    >>> noisy = [lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)]
    >>> audit_samples(*noisy, (Fraction(1, 2), 0), samples=5000, rng=1).verdict
    'violated'
    >>> audit_samples(*noisy, (1, 0), samples=5000, rng=1).verdict
    'consistent'
    """
    epsilon, delta = _claim(claim)
    samples = checked_positive(samples, "number of samples")
    confidence = checked_share(confidence, "confidence")
    coins = SeededCoins(rng)
    halves = [[Counter(run(coins) for _ in range(samples)) for run in (zero, one)] for _ in "ab"]
    (chooser, certifier), factor = halves, math.exp(float(epsilon))
    direction, gain = 0, -1.0
    event: tuple[Hashable, ...] = ()
    for side in (0, 1):
        mine, other = chooser[side], chooser[1 - side]
        candidate = tuple(
            outcome for outcome, count in mine.items() if count > factor * other[outcome]
        )
        worth = sum(mine[outcome] - factor * other[outcome] for outcome in candidate)
        if worth > gain:
            direction, event, gain = side, candidate, worth
    hits = sum(certifier[direction][outcome] for outcome in event)
    misses = sum(certifier[1 - direction][outcome] for outcome in event)
    error = (1 - confidence) / 2
    low = clopper_pearson(hits, samples, error)[0]
    high = clopper_pearson(misses, samples, error)[1]
    with ctx.workprec(64):
        bound = real(low) - real(epsilon).exp() * real(high)
        least = arb(0)
        if low - delta > high:
            least = (real(low - delta) / real(high)).log()
        verdict = VIOLATED if bound > real(delta) else CONSISTENT
    return SampledFinding(
        epsilon,
        delta,
        verdict,
        confidence,
        float(bound.lower()),
        max(0.0, float(least.lower())),
        direction,
        event,
        (hits, misses),
        samples,
    )
