"""Exact audits of games against all deterministic adversaries, by backward induction."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from operator import is_
from typing import Annotated, Any

from flint import arb, ctx

from learners.accounting import ADAPTIVE, Event, scope
from learners.audit.claims import RESOLUTION, Claim, checked_claim, checked_resolution, verdict_of
from learners.audit.losses import PrivacyLoss, midpoint
from learners.audit.pairs import PairFinding, finding, fraction
from learners.audit.strategies import (
    GameFinding,
    Mass,
    PlayedAdversary,
    Steps,
    Strategy,
    _branches,
    _gather,
    _Met,
    _States,
    _Step,
    view_loss,
)
from learners.balls import ball
from learners.exact import (
    PRECISION,
    TAIL,
    OutputDistribution,
    distinct,
    exact_distribution,
    require_same,
)
from learners.games import Adversary, Ask, Challenge, Datasets, Game, Move, View
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import rational
from lsclasses.options import Option, check_arguments
from lsclasses.verdicts import Verdict

ROUNDED = Fraction(1, 10**9)
"""A sufficient epsilon is rounded up to a multiple of this number."""


@dataclass
class _Search:
    """Backward induction over the positions of a game, for one epsilon and one direction."""

    explored: ExploredGame
    factor: arb
    first: int
    moves: tuple[Move, ...]
    least: arb | None = None
    """If given, each history of at least this probability is examined separately."""
    nodes: int = 0
    chosen: dict[View, Move] = field(default_factory=dict)
    conditional: arb = field(default_factory=lambda: arb(0))
    """The largest hockey stick given a history before the challenge, of those looked at."""
    where: tuple[View, Move] | None = None
    skipped: bool = False
    """Whether some history was less likely than that."""
    cut: bool = False
    """Whether some distribution was truncated."""

    def strategy(self) -> Strategy:
        """Return the strategy of the best moves, for the positions that they lead to."""
        found: dict[tuple[Hashable, tuple[Hashable, ...]], Move] = {}
        for view, move in sorted(self.chosen.items(), key=lambda entry: len(entry[0].moves)):
            before = (found.get((view.opening, view.answers[:i])) for i in range(len(view.moves)))
            if all(map(is_, before, view.moves)):
                found[view.opening, view.answers] = move
        return Strategy(found)

    def lead_there(self) -> None:
        """Choose the moves of the history with the largest conditional hockey stick."""
        if self.where is None:
            return
        view, move = self.where
        for i, before in enumerate((*view.moves, move)):
            past = View(opening=view.opening, moves=view.moves[:i], answers=view.answers[:i])
            self.chosen[past] = before

    def root(self) -> arb:
        law = exact_distribution(self.explored.game.begin, tail=self.explored.tail)
        self.cut = not law.tail.is_zero()
        masses: dict[Hashable, tuple[Hashable, Mass]] = {}
        # Where the mechanism has halted already, the continuation is independent of the secret bit.
        for state, opening, twin, weight in _branches(law):
            if state is not None:
                known, mass = masses.setdefault(opening, (opening, {}))
                require_same(known, opening)
                _gather(mass, self.explored._states.met(state, twin), weight)
        worth = self._lost(law.tail, law.tail)
        for opening, mass in masses.values():
            worth += self._worth(View(opening=opening), mass, mass, law.tail)
        return worth

    def _lost(self, mine: arb, other: arb) -> arb:
        """Return the interval by which mass that was cut may change a hockey-stick divergence."""
        return (-self.factor * other).lower().union(mine.upper())

    def _leaf(self, mine: Mass, other: Mass) -> arb:
        mass, others = (sum(side.values(), arb(0)) for side in (mine, other))
        return (mass - self.factor * others).nonnegative_part()

    def _look(self, view: View, move: Move, mine: Mass, worth: arb, cut: arb) -> None:
        """Note the value of a challenge conditional on the history before it."""
        if self.least is None or not _differs(move) or any(map(_differs, view.moves)):
            return
        mass = sum(mine.values(), arb(0))
        if not mass >= self.least:
            self.skipped = True
            return
        # Any part of the mass that was cut earlier may belong to this history.
        there = (worth + self._lost(cut, cut)) / mass.union(mass + cut)
        if self.where is None or midpoint(there) > midpoint(self.conditional):
            self.where = view, move
        self.conditional = self.conditional.max(there.nonnegative_part())

    def _worth(self, view: View, mine: Mass, other: Mass, cut: arb) -> arb:
        """Return the value of the position, where `cut` bounds the probability of its cut parts."""
        game, moves, limit = self.explored.game, self.moves, self.explored.max_nodes
        self.nodes += 1
        if self.nodes > limit:
            turns, branching = game.turns, len(moves)
            raise TooLarge(
                f"The game has more than {limit} positions. {turns} turns with {branching} moves "
                f"make at least {float(branching) ** turns:.3g}. Choose fewer turns or moves.",
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
                self.explored._refused.setdefault(number, error)
                continue
            self.explored._refused[number] = None
            worth = self._after(view, move, mine, other, cut)
            self._look(view, move, mine, worth, cut)
            if best is None or midpoint(worth) > midpoint(best):
                self.chosen[view] = move
            best = worth if best is None else best.max(worth)
        return self._leaf(mine, other) if best is None else best

    def _after(self, view: View, move: Move, mine: Mass, other: Mass, cut: arb) -> arb:
        game, states = self.explored.game, self.explored._states
        ends = len(view.moves) + 1 == game.turns
        shown = game.shows_halt(len(view.moves) + 1)
        children: dict[tuple[Hashable, bool], tuple[Hashable, tuple[Mass, Mass]]] = {}
        cuts = [arb(0), arb(0)]
        for side, mass in enumerate((mine, other)):
            bit = self.first ^ side
            for hidden, weight in mass.items():
                step = self.explored._step(hidden, move, bit)
                if step.cut is not None:
                    self.cut = True
                    cuts[side] += weight * step.cut
                for met, answer, probability in step.followed(None if ends else states):
                    halted = met.state is None and (shown or not ends)
                    child = children.setdefault((answer, halted), (answer, ({}, {})))
                    require_same(child[0], answer)
                    _gather(child[1][side], met, weight * probability)
        worth = self._lost(*cuts)
        for (_, halted), (answer, (one_side, other_side)) in children.items():
            worth += (
                self._leaf(one_side, other_side)
                if ends or halted
                else self._worth(
                    view.after(move, answer), one_side, other_side, cut + cuts[0].max(cuts[1])
                )
            )
        return worth


def _swapped(move: Move) -> Move | None:
    """Return the move with its two versions exchanged, or None if it has one version."""
    if isinstance(move, Challenge):
        return Challenge(move.one, move.zero)
    return Datasets(move.one, move.zero) if isinstance(move, Datasets) else None


def _differs(move: Move) -> bool:
    """Return whether the mechanism gets different items for the two values of the secret bit."""
    return distinct(move.input(0)) != distinct(move.input(1))


class ExploredGame:
    """A game explored against **all** adaptive adversaries with finitely many moves.

    If `moves` contains a move with two versions of an item or with two data sets, the adversary may
    also swap these two.

    The constructor explores the mechanism once. The method `against` then compares any number of
    claims with the exploration, and each further claim takes little time.

    Parameters
    ----------
    game, moves, tail, max_nodes, resolution
        The arguments of `audit_game`.

    Raises
    ------
    InvalidInput
        If the mechanism cannot be audited with these moves.

    Examples
    --------
    >>> from learners.games import AdaptiveInputs
    >>> class Response:
    ...     def start(self, coins): return "ready"
    ...     def answer(self, state, bit, coins): return state, bit ^ coins.flip(Fraction(1, 4))
    >>> explored = ExploredGame(AdaptiveInputs(Response(), 2), [Ask(0), Challenge(0, 1)])
    >>> [explored.against((claim, 0)).verdict for claim in (2, Fraction(3, 2), 1)]
    ['holds', 'holds', 'violated']
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
        # The better order of the two versions of an item can depend on the history, because the
        # hockey sticks of different histories add up. It can also depend on the other challenges
        # of a group.
        self._swapped = tuple(
            each
            for each in map(_swapped, self.moves)
            if each is not None and each not in self.moves
        )
        self.tail = rational(tail, "tail")
        self.max_nodes = max_nodes
        self.resolution = checked_resolution(resolution)
        _require_secret(game, self.moves)
        self._states = _States()
        self._steps: Steps = {}
        self._refused: dict[int, InvalidInput | None] = {}
        """The moves tried so far, each with the reason of its refusal, or None if it is allowed."""

    def against(self, claim: Claim) -> GameFinding:
        """Return the result of `audit_game` for a claim, or raise the errors of `audit_game`."""
        return self._against(claim, None)

    @check_arguments
    def on_every_history(
        self,
        claim: Claim,
        *,
        least: Annotated[Fraction, Option("least probability")] = Fraction(1, 10**9),
    ) -> GameFinding:
        """Return whether a claim holds conditionally on every history before the challenge.

        A *history* is a sequence of moves and answers. If the claim holds on every history for each
        of several learners that are played one after another, their total has the delta of only one
        learner (`learners.accounting.OneAtATime`).

        Parameters
        ----------
        claim : Event or (epsilon, delta)
            Claimed privacy.
        least : Fraction
            Least probability of the examined histories, positive and at most 1. Less likely
            histories are not examined, because truncation by `tail` may have removed a large part
            of them.

        Returns
        -------
        GameFinding
            The field `measured` is the largest conditional delta(epsilon) given a history, and
            `adversary` is an adversary that attains this value. The verdict is `UNDECIDED` if the
            claim holds on all examined histories, but some histories were not examined or a
            distribution was truncated.

        Raises
        ------
        InvalidInput, TooLarge
            The errors of `audit_game`. Also if the game reads the secret bit from its beginning,
            because no history precedes the bit, or if `least` is out of range.

        Examples
        --------
        In the example, a learner announces with probability 1/10 that it will reveal the next item:

        >>> from learners.games import AdaptiveInputs
        >>> class Announcing:
        ...     def start(self, coins): return coins.flip(Fraction(1, 10))
        ...     def answer(self, state, item, coins): return state, (state, item * state)
        >>> explored = ExploredGame(AdaptiveInputs(Announcing(), 2), [Ask(0), Challenge(0, 1)])
        >>> claim = (1, Fraction(1, 10))
        >>> explored.against(claim).verdict, explored.on_every_history(claim).verdict
        ('holds', 'violated')
        """
        if self.game.reads_bit:
            raise InvalidInput(
                f"{type(self.game).__name__} reads the secret bit from its beginning, so there is "
                "no history before a challenge. Use the method `against` for this claim."
            )
        if not 0 < least <= 1:
            raise InvalidInput(f"The least probability is positive and at most 1. Got {least}.")
        return self._against(claim, least)

    def _against(self, claim: Claim, least: Fraction | None) -> GameFinding:
        epsilon, delta = checked_claim(claim)
        _require_comparable(self.game, claim)
        with ctx.workprec(PRECISION):
            factor = ball(epsilon).exp()
            bound = None if least is None else ball(least)
            moves = self.moves + self._swapped
            searches = [_Search(self, factor, first, moves, bound) for first in (0, 1)]
            worths = [search.root().nonnegative_part().min(arb(1)) for search in searches]
            if least is not None:
                worths = [search.conditional.min(arb(1)) for search in searches]
                for search in searches:
                    search.lead_there()
            for step in reversed(self._steps.values()):
                step.require_repeated()
            measured = worths[0].max(worths[1])
        for number, error in self._refused.items():
            if error is not None and number < len(self.moves):
                raise InvalidInput(
                    f"The rules never allow the move {self.moves[number]!r}. {error}"
                )
        direction = int(midpoint(worths[1]) > midpoint(worths[0]))
        verdict = verdict_of(measured, delta, self.resolution)
        cut = any(search.skipped or search.cut for search in searches)
        if least is not None and verdict == Verdict.HOLDS and cut:
            verdict = Verdict.UNDECIDED
        return GameFinding(
            epsilon,
            delta,
            verdict,
            direction,
            measured,
            searches[direction].strategy(),
            sum(search.nodes for search in searches),
        )

    def finding(self, claim: Claim) -> PairFinding:
        """Return the result for a claim in the form of the results of `learners.audit.audit`.

        Returns
        -------
        PairFinding
            The field `pair` contains two objects `PlayedAdversary`: the worst adversary with each
            value of the secret bit. It needs the largest epsilon at the claimed delta. The field
            `pairs` is the number of positions of the game.
        """
        found = self.against(claim)
        delta = found.delta
        adversary = self._neediest(delta)[0] or found.adversary
        played, loss = self._played(adversary)
        neediest = finding([(played, loss)], found.epsilon, delta, loss.branches, self.resolution)
        # A little more than the neediest needs is enough against all, unless too much was cut.
        above = self._neediest(delta + self.resolution)[1] * (1 + ROUNDED)
        if self.against((above, delta)).measured <= ball(delta + self.resolution):
            enough = ball(above)
        else:
            enough = ball(found.epsilon) if found.verdict == Verdict.HOLDS else arb("inf")
        return replace(
            neediest,
            verdict=found.verdict,
            measured=found.measured,
            enough_epsilon=enough,
            pairs=found.nodes,
            branches=sum(len(step.branches) for step in self._steps.values()),
            attaining=(
                neediest.attaining
                if adversary == found.adversary
                else self._played(found.adversary)
            ),
        )

    def _played(
        self, adversary: Adversary
    ) -> tuple[tuple[PlayedAdversary, PlayedAdversary], PrivacyLoss[View]]:
        """Return an adversary with both values of the secret bit, and its privacy loss."""
        played = PlayedAdversary(adversary, 0), PlayedAdversary(adversary, 1)
        return played, view_loss(self.game, adversary, tail=self.tail)

    def _neediest(self, delta: Fraction) -> tuple[Strategy | None, Fraction]:
        """Return the adversary that needs the largest epsilon at this delta, with a lower bound.

        The worst adversary at some epsilon needs a larger epsilon. At the larger epsilon, another
        adversary may be worse.
        """
        adversary, least = None, Fraction(0)
        while (found := self.against((least, delta))).measured > ball(delta):
            adversary = found.adversary
            needed = view_loss(self.game, adversary, tail=self.tail).epsilon(delta)
            if not needed.is_finite() or fraction(needed.lower()) <= least:
                break
            least = fraction(needed.lower())
        return adversary, least

    def _step(self, met: _Met, move: Move, bit: int) -> _Step:
        """Return the possible next states and answers, given a hidden state and a move."""
        read = bit if self.game.reads_bit else None
        key = met, distinct(move.input(bit)), isinstance(move, Challenge), read
        step = self._steps.get(key)
        if step is not None:
            return step

        def compute(bit: int, hidden: object) -> OutputDistribution[Any]:
            return exact_distribution(
                lambda coins: self.game.respond(hidden, move, bit, coins), tail=self.tail
            )

        # If the mechanism gets the same item for both bits, the repetition uses the other bit.
        same = read is None and not _differs(move)
        law = compute(bit, met.state)
        cut = None if law.tail.is_zero() else law.tail
        self._steps[key] = _Step(met, _branches(law), cut, partial(compute, bit ^ same))
        return self._steps[key]


def audit_game(
    game: Game,
    moves: Iterable[Move],
    claim: Claim,
    *,
    tail: Fraction = TAIL,
    max_nodes: int = 1 << 16,
    resolution: Fraction = RESOLUTION,
) -> GameFinding:
    """Return the least delta at the claimed epsilon that holds against **all** adversaries.

    The game has two worlds, which differ in a secret bit. For one adversary, delta(epsilon) is the
    hockey-stick divergence of the adversary's views in the two worlds. The least delta is the
    largest delta(epsilon) over all adversaries that use the given moves. The divergence is a sum
    over the ends of the game. So the adversary's choice after one history is independent of the
    gain after another history, and the audit computes the best choice at each position by backward
    induction. A position consists of the adversary's view and two measures, one for each bit, on
    the hidden states of the mechanism that lead to the view. Random moves do not help, because the
    divergence of a random adversary is the average of the divergences of deterministic adversaries.

    Parameters
    ----------
    game : Game
        Mechanism and rules of the game.
    moves : iterable of Move
        Moves that the adversary may choose in the game. A move is ignored at positions where the
        rules forbid this move. The rules must allow each move at some position, and one of the
        moves must depend on the secret bit.
    claim : Event or (epsilon, delta)
        Claimed privacy. The total of an event is computed by basic composition.
    tail : Fraction
        Largest probability that an infinite distribution loses when it is cut, as in
        `learners.exact.exact_distribution`.
    max_nodes : int
        Largest number of positions.
    resolution : Fraction
        Tolerance. The verdict is "holds" if the upper bound on delta(epsilon) is at most the
        claimed delta plus the tolerance. If the lower bound exceeds the claimed delta, the claim is
        violated.

    Returns
    -------
    GameFinding

    Raises
    ------
    TooLarge
        If the game has more than `max_nodes` positions.
    InvalidInput
        If the mechanism cannot be audited with these moves, or the claim is out of range or about
        another neighbour relation than the game. Also if a query that the audit repeats at the end
        has another output distribution, or two answers compare as equal although a program could
        distinguish them.

    See Also
    --------
    ExploredGame : Audit of several claims about one game.

    Notes
    -----
    *Assumptions.* Hidden states of the mechanism that compare as equal behave equally, and all
    randomness comes from the coins. A mechanism wrapped in `learners.games.Unmerged` does not need
    the first assumption.

    Examples
    --------
    Two answers of randomized response, where the first answer may decide the second query:

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
        raise InvalidInput("The audit needs at least one move of the adversary. Got none.")
    for move in moves:
        if not isinstance(move, (Ask, Challenge, Datasets)):
            raise InvalidInput(f"A move is an Ask, a Challenge or Datasets. Got {move!r}.")
    if not game.reads_bit and all(not _differs(move) for move in moves):
        raise InvalidInput(
            "The audit needs a move that depends on the secret bit. At least one move must be a "
            "Challenge, or Datasets, with two different versions."
        )


def _require_comparable(game: Game, claim: Claim) -> None:
    """Refuse a claim that the game cannot refute."""
    held = scope(claim) if isinstance(claim, Event) else None
    relation = None if held is None else held.neighbours
    if held is not None and not held.adversary.covers(ADAPTIVE):
        raise InvalidInput(
            "The claim is about streams that are fixed in advance, and the adversary of "
            f"{type(game).__name__} is adaptive. Audit the claim on pairs of fixed streams "
            "(`learners.audit.audit`), or claim numbers."
        )
    if relation is not None and not game.compares(relation):
        raise InvalidInput(
            f"The claim is about neighbours under {relation}. The game {type(game).__name__} does "
            "not compare such neighbours, so it cannot refute the whole claim. Claim the guarantee "
            "that follows for this game (`UnderChallenge` for the view of all users but one), or "
            "numbers."
        )
