"""The exact output distributions of programs that answer items in order, composed from steps."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Protocol, TypeVar

from flint import arb, ctx, fmpq

from learners.coins import Coins
from learners.exact.branches import PRECISION, ExactCoins, Probability, _Cut
from learners.exact.identity import Outcome, better_twin, distinct, looks_apart, require_same
from learners.exact.output_distributions import (
    DEPTH,
    MAX_BRANCHES,
    TAIL,
    OutputDistribution,
    Weights,
    _add,
    _explore,
)
from lsclasses.options import Option, check_arguments


class _Halted(Enum):
    HALTED = "halted"

    def __repr__(self) -> str:
        return self.name


HALTED = _Halted.HALTED
"""The mark after the last answer of a program that halted, which reveals the halt."""


class Program(Protocol):
    """A program that answers the items of a stream. States, items and answers are hashable."""

    def start(self, coins: Coins) -> Any:
        """Return the state of the program before the first item."""

    def answer(self, state: Any, item: Any, coins: Coins) -> tuple[Any, Hashable]:
        """Return the next state (None after the halt), and the answer."""


AGAIN = 50
"""Number of explored steps that are explored again, to check whether they repeat."""

Asked = TypeVar("Asked")
Answers = tuple[Hashable, ...]
Masses = dict[int | None, Probability]
"""Probability of each state, where states are numbered and None is the end of a halted program."""
Moves = tuple[tuple[Hashable, tuple[tuple[int | None, Probability], ...]], ...]
"""The answers that a state can give to an item, each with the states that may come next."""


@dataclass(frozen=True)
class Stepwise:
    """A program that answers a stream of items, with the exact distribution of its answers.

    The distribution is composed from steps, one for each item. A step is enumerated once for each
    state of the program, not once for every sequence of draws that leads to the state. Steps of
    earlier streams are reused. So the distributions for all short streams take little more time
    than the distribution for one stream.

    The outcome is the tuple of answers, with `HALTED` at its end if the program halted, also if it
    halted in the last round.

    Parameters
    ----------
    program : Program
        The program whose distributions are computed.

    Notes
    -----
    *Assumption.* Equal states behave equally. The method `StepLaws.repeats` checks this assumption
    for states that differ in attributes that ``==`` ignores.

    Examples
    --------
    A walk that halts where it started, and the distribution of its answers after ten steps:

    >>> class Walk:
    ...     def start(self, coins): return 0
    ...     def answer(self, place, item, coins):
    ...         place += item if coins.flip(Fraction(1, 2)) else -item
    ...         return place or None, abs(place)
    >>> laws = Stepwise(Walk()).laws()
    >>> law = laws((1,) * 10)
    >>> sum(law.rational(answers) for answers in law if HALTED in answers)
    Fraction(193, 256)
    >>> law.branches, laws((1,) * 9 + (2,)).branches  # of 1024, and what the last step adds
    (39, 20)
    """

    program: Program

    def __call__(self, items: Sequence[object], coins: Coins) -> Answers:
        """Return one run."""
        state = self.program.start(coins)
        answers: list[Hashable] = []
        for item in items:
            state, answer = self.program.answer(state, item, coins)
            answers.append(answer)
            if state is None:
                answers.append(HALTED)
                break
        return tuple(answers)

    @check_arguments
    def laws(
        self,
        *,
        tail: Annotated[Fraction, Option("tail", above=0, below=1)] = TAIL,
        max_branches: int = MAX_BRANCHES,
    ) -> StepLaws:
        """Return an object that computes the distributions for streams and stores their steps.

        Parameters
        ----------
        tail : Fraction
            The argument of `exact_distribution`, for the start and for every step.
        max_branches : int
            Largest number of branches (sequences of outcomes of draws) that are newly enumerated
            for one distribution. The field `branches` of a distribution is the number of its newly
            enumerated branches.
        """
        return StepLaws(self.program, tail, max_branches)


@dataclass
class StepLaws:
    """The output distributions of one program on several streams, made by `Stepwise.laws`.

    The object stores explored steps, so later streams take less time. States are numbered when they
    first occur, because hashing a state of a learner takes long.
    """

    program: Program
    tail: Fraction
    max_branches: int
    _branches: int = 0
    _numbers: dict[Hashable, int] = field(default_factory=dict)
    _states: list[tuple[object, object]] = field(default_factory=list)
    _answers: dict[Hashable, Hashable] = field(default_factory=dict)
    _moves: dict[tuple[int, Hashable], tuple[Moves, Probability, object]] = field(
        default_factory=dict
    )
    _reached: dict[Answers, tuple[dict[Answers, Masses], Probability]] = field(default_factory=dict)

    def __call__(self, items: Sequence[object]) -> OutputDistribution[Answers]:
        """Return the distribution of the answers to these items.

        Raises
        ------
        TooLarge
            If there are more branches to explore than allowed.
        InvalidInput
            If the program does not repeat itself, or gives two equal answers that can be
            distinguished (see `require_same`).
        """
        self._branches = 0
        exact, ball = fmpq(0), arb(0)
        weights: Weights[Answers] = {}
        with ctx.workprec(PRECISION):
            reached, cut = self._after(tuple(items))
            for answers, masses in reached.items():
                for number, mass in masses.items():
                    outcome = answers if number is not None else (*answers, HALTED)
                    if isinstance(mass, fmpq):
                        _add(weights, outcome, mass, ball)
                    else:
                        _add(weights, outcome, exact, mass)
        return OutputDistribution(weights, cut, self._branches)

    def repeats(self) -> bool:
        """Return whether recomputed steps have the same distributions as before.

        If the program has reached two equal states with different attributes, the method computes
        the steps from the second state. It also recomputes `AGAIN` other steps.
        """
        apart: list[tuple[int, Hashable]] = []
        others: list[tuple[int, Hashable]] = []
        for key in self._moves:
            (apart if looks_apart(*self._states[key[0]]) else others).append(key)
        with ctx.workprec(PRECISION):
            return self._starts_again() and all(map(self._answers_again, apart + spread(others)))

    def _starts_again(self) -> bool:
        before, now = self._reached.get(()), self._started()
        return before is None or _overlap(before[0][()], now[0][()])

    def _answers_again(self, key: tuple[int, Hashable]) -> bool:
        moves, _, item = self._moves[key]
        self._branches = 0
        return _alike(moves, self._explored_moves(self._states[key[0]][1], item)[0])

    def _after(self, stream: tuple[object, ...]) -> tuple[dict[Answers, Masses], Probability]:
        """Return the states after a stream, by the answers to it, and the cut probability."""
        keys = tuple(map(distinct, stream))
        known = len(keys)
        while known and keys[:known] not in self._reached:
            known -= 1
        if not known and () not in self._reached:
            self._reached[()] = self._started()
        for end in range(known, len(keys)):
            self._reached[keys[: end + 1]] = self._step(
                *self._reached[keys[:end]], stream[end], keys[end]
            )
        return self._reached[keys]

    def _started(self) -> tuple[dict[Answers, Masses], Probability]:
        first, cut = self._explored(self.program.start)
        masses: Masses = {}
        for state, chance in first:
            number = self._number(state)
            masses[number] = masses[number] + chance if number in masses else chance
        return {(): masses}, cut

    def _step(
        self, reached: dict[Answers, Masses], cut: Probability, item: object, key: Hashable
    ) -> tuple[dict[Answers, Masses], Probability]:
        after: dict[Answers, Masses] = {}
        for answers, masses in reached.items():
            for number, mass in masses.items():
                if number is None:
                    after.setdefault(answers, {})[None] = mass
                    continue
                if (number, key) not in self._moves:
                    found = self._explored_moves(self._states[number][0], item)
                    self._moves[number, key] = (*found, item)
                moves, lost, _ = self._moves[number, key]
                cut = mass * lost + cut
                for answer, successors in moves:
                    into = after.setdefault((*answers, answer), {})
                    for successor, chance in successors:
                        more = mass * chance
                        into[successor] = into[successor] + more if successor in into else more
        return after, cut

    def _explored_moves(self, state: object, item: object) -> tuple[Moves, Probability]:
        law, cut = self._explored(lambda coins: self.program.answer(state, item, coins))
        by_answer: dict[Hashable, list[tuple[int | None, Probability]]] = {}
        for (successor, answer), chance in law:
            require_same(self._answers.setdefault(answer, answer), answer)
            by_answer.setdefault(answer, []).append((self._number(successor), chance))
        return tuple((answer, tuple(found)) for answer, found in by_answer.items()), cut

    def _number(self, state: object) -> int | None:
        if state is None:
            return None
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append((state, state))
        else:
            first, twin = self._states[number]
            require_same(first, state)
            self._states[number] = first, better_twin(first, twin, state)
        return number

    def _explored(
        self, run: Callable[[Coins], Outcome]
    ) -> tuple[list[tuple[Outcome, Probability]], Probability]:
        """Return all outcomes with their probabilities, and keep distinguishable ones apart."""
        coins = ExactCoins(fmpq(1), self.tail, self.max_branches, DEPTH, used=self._branches)
        weights: Weights[Outcome] = {}
        cut = _Cut(fmpq(0))
        _explore(run, coins, weights, cut)
        self._branches += coins.branches
        found: list[tuple[Outcome, Probability]] = []
        for weight in weights.values():
            found.append((weight.first, weight.probability))
            if weight.twin is not weight.first:
                found.append((weight.twin, fmpq(0)))
        return found, cut.mass


def spread(listed: Sequence[Asked]) -> list[Asked]:
    """Return at most `AGAIN` evenly spaced elements of a list, of which the first element is one.

    Examples
    --------
    >>> spread(range(3)), len(spread(range(1000))), spread(range(1000))[:3]
    ([0, 1, 2], 50, [0, 20, 40])
    """
    return list(listed[:: -(-len(listed) // AGAIN) or 1])


def _alike(one: Moves, other: Moves) -> bool:
    """Return whether two distributions of (next state, answer) may be the same."""
    found = [
        {
            (answer, successor): chance
            for answer, successors in moves
            for successor, chance in successors
        }
        for moves in (one, other)
    ]
    return _overlap(*found)


def _overlap(one: Mapping[Any, Probability], other: Mapping[Any, Probability]) -> bool:
    """Return whether two distributions may be the same."""
    found = [{each: arb(p) for each, p in law.items() if p != 0} for law in (one, other)]
    return found[0].keys() == found[1].keys() and all(
        found[0][key].overlaps(found[1][key]) for key in found[0]
    )
