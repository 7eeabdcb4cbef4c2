"""The exact law of what a random program returns: every branch of it, with its probability.

`exact_law(run)` calls ``run(coins)`` once for every sequence of outcomes that its draws can have.
The program is the production code; only the coins differ. Probabilities are rational numbers as
long as the draws' are, and otherwise balls (python-flint's `arb`) that contain the true value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Generic, NoReturn, Protocol, TypeVar, cast

from flint import arb, ctx, fmpq

from learners.coins import Coins
from learners.numbers import checked_share, log_in_floats
from lsclasses.errors import InvalidInput, TooLarge

__all__ = [
    "DEPTH",
    "HALTED",
    "MAX_BRANCHES",
    "PRECISION",
    "TAIL",
    "ExactCoins",
    "Law",
    "Program",
    "StepLaws",
    "Stepwise",
    "better_twin",
    "distinct",
    "exact_law",
    "require_same",
]

PRECISION = 128
"""Bits of the balls that probabilities are computed with."""

TAIL = Fraction(1, 1 << 60)
"""The probability below which a branch is cut at its next infinite draw, unless told otherwise."""

MAX_BRANCHES = 1 << 18
"""How many branches are explored unless told otherwise."""

DEPTH = 512
"""After so many draws, any draw cuts a branch whose probability is below the tail."""

Probability = fmpq | arb
Outcome = TypeVar("Outcome", bound=Hashable)
Image = TypeVar("Image", bound=Hashable)

Weights = dict[Outcome, tuple[fmpq, arb, Outcome, Outcome]]
"""What is known of each outcome: two parts of its probability, and the outcome as it was returned
the first time and another time, which are equal and may be two."""


class Law(Mapping[Outcome, arb], Generic[Outcome]):
    """The law of a random program: a mapping from outcomes to balls around their probabilities.

    An outcome's true probability lies between ``law[outcome]`` and ``law[outcome] + law.tail``:
    what was cut could end in any outcome, also in one that is not listed. If only finite draws
    were made, nothing is cut and the tail is zero.

    Attributes
    ----------
    tail : arb
        The probability that was not explored.
    branches : int
        How many branches were explored.
    """

    def __init__(self, weights: Weights[Outcome], tail: Probability, branches: int) -> None:
        self._weights = dict(weights)
        self._tail = tail
        self.branches = branches

    @classmethod
    def of(
        cls,
        probabilities: Mapping[Outcome, Fraction | arb],
        *,
        tail: Fraction | arb = Fraction(0),
        branches: int | None = None,
    ) -> Law[Outcome]:
        """The law with given probabilities, which was computed otherwise than by branching.

        Parameters
        ----------
        probabilities : mapping of outcome to Fraction or arb
            Together with the tail, of sum 1.
        tail : Fraction or arb
            The probability that was not explored.
        branches : int, optional
            How many branches, or states, it took; as many as there are outcomes, if omitted.

        Examples
        --------
        >>> law = Law.of({"a": Fraction(1, 3), "b": Fraction(2, 3)})
        >>> law.rational("a"), law.map(len).rational(1)
        (Fraction(1, 3), Fraction(1, 1))
        """
        exact, ball = fmpq(0), arb(0)
        weights: Weights[Outcome] = {
            outcome: (exact, p, outcome, outcome)
            if isinstance(p, arb)
            else (fmpq(p.numerator, p.denominator), ball, outcome, outcome)
            for outcome, p in probabilities.items()
        }
        cut = tail if isinstance(tail, arb) else fmpq(tail.numerator, tail.denominator)
        return cls(weights, cut, len(weights) if branches is None else branches)

    @property
    def tail(self) -> arb:
        """The probability that was not explored."""
        return arb(self._tail)

    def __getitem__(self, outcome: Outcome) -> arb:
        return _ball(self._weights[outcome])

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __repr__(self) -> str:
        return f"Law({len(self)} outcomes, {self.branches} branches, tail {_brief(self.tail)})"

    def listed(self, outcome: Outcome) -> Outcome:
        """The outcome that equals this one, as the run returned it the first time.

        Raises
        ------
        KeyError
            If there is none.
        """
        return self._weights[outcome][2]

    def twin(self, outcome: Outcome) -> Outcome:
        """The outcome that equals this one, as the run returned it another time; see `better_twin`.

        Raises
        ------
        KeyError
            If there is none.
        """
        return self._weights[outcome][3]

    def rational(self, outcome: Outcome) -> Fraction:
        """The probability of an outcome as a fraction, where all draws were rational.

        Raises
        ------
        InvalidInput
            If a draw on the way to the outcome has an irrational law, or something was cut.

        Examples
        --------
        >>> law = exact_law(lambda coins: coins.below(6) + coins.below(6))
        >>> law.rational(5)
        Fraction(1, 6)
        """
        known = self._weights.get(outcome)
        exact, ball = (fmpq(0), arb(0)) if known is None else known[:2]
        if not ball.is_zero() or not self.tail.is_zero():
            raise InvalidInput(
                f"The probability of {outcome!r} is known as a ball, not as a fraction: noise or "
                "an exponential weight was drawn. Index the law instead."
            )
        return Fraction(int(exact.p), int(exact.q))

    def probability(self, event: Callable[[Outcome], bool]) -> arb:
        """A ball that contains the probability of an event, whatever the cut branches end in.

        Examples
        --------
        >>> law = exact_law(lambda coins: coins.laplace(1))
        >>> print(law.probability(lambda z: abs(z) <= 1).str(15, radius=False))
        0.802123960397106
        """
        with ctx.workprec(PRECISION):
            listed = sum((self[outcome] for outcome in self if event(outcome)), arb(0))
            return listed.union(listed + self.tail)

    def map(self, function: Callable[[Outcome], Image]) -> Law[Image]:
        """The law of a function of the outcome (post-processing); equal images are merged.

        Raises
        ------
        InvalidInput
            If two images are equal and not the same; see `require_same`.

        Examples
        --------
        >>> exact_law(lambda coins: coins.below(6)).map(lambda x: x % 2).rational(1)
        Fraction(1, 2)
        """
        images: Weights[Image] = {}
        with ctx.workprec(PRECISION):
            for outcome, (exact, ball, _, _) in self._weights.items():
                _add(images, function(outcome), exact, ball)
        return Law(images, self._tail, self.branches)

    def then(
        self,
        step: Callable[[Outcome, Coins], Image],
        *,
        tail: Fraction = TAIL,
        max_branches: int = MAX_BRANCHES,
        depth: int = DEPTH,
    ) -> Law[Image]:
        """The law after one more random step, which sees the outcome and nothing else.

        This is how long interactions stay small: equal states are merged after every step, and
        the step is explored once from each, not once for every way that leads there.

        Parameters
        ----------
        step : callable
            ``step(outcome, coins)`` returns the next outcome.
        tail, max_branches, depth
            As in `exact_law`.

        Examples
        --------
        A walk of 40 steps has 2^40 branches and 41 ends:

        >>> law = exact_law(lambda coins: 0)
        >>> for _ in range(40):
        ...     law = law.then(lambda place, coins: place + coins.flip(Fraction(1, 2)))
        >>> law.rational(20) == Fraction(math.comb(40, 20), 2**40), len(law)
        (True, 41)
        """
        gathered: Weights[Image] = {}
        with ctx.workprec(PRECISION):
            cut, branches = _Cut(self._tail), self.branches
            for outcome, (exact, ball, _, _) in self._weights.items():
                coins = ExactCoins(
                    exact if ball.is_zero() else ball + exact,
                    checked_share(tail, "tail"),
                    max_branches,
                    depth,
                    used=branches - self.branches,
                )
                _explore(partial(step, outcome), coins, gathered, cut)
                branches += coins.branches
        return Law(gathered, cut.mass, branches)


def exact_law(
    run: Callable[[Coins], Outcome],
    *,
    tail: Fraction = TAIL,
    max_branches: int = MAX_BRANCHES,
    depth: int = DEPTH,
) -> Law[Outcome]:
    """The exact law of ``run(coins)``, by running it once for every branch.

    Parameters
    ----------
    run : callable
        Any function of a `Coins` that returns something hashable and is random through its coins
        only: it is called many times and must ask for the same draws after the same outcomes.
    tail : Fraction
        Laplace noise has infinitely many values. A branch of probability p follows those that
        lie within a distance beyond which less than `tail` of p is left, and is cut there if p is
        below `tail` altogether. What was cut is added up in ``law.tail``.
    max_branches : int
        The largest number of branches to explore.
    depth : int
        After so many draws, a branch of probability below `tail` is cut at any draw (this ends
        loops that go on until some coin falls right); before, finite draws are followed in full.

    Returns
    -------
    Law

    Raises
    ------
    TooLarge
        If there are more branches; the estimate extrapolates from the share that was explored.
    InvalidInput
        If the run does not repeat itself, goes on after a branch was cut, returns something
        unhashable, or two outcomes that are equal and not the same; see `require_same`.

    Examples
    --------
    >>> law = exact_law(lambda coins: coins.at_least(3, 2, 5))
    >>> print(law[True])  # e^-1/(1 + e^-1/2)
    [0.228989990914488 +/- 1.18e-17]
    >>> law.branches, law.tail.is_zero()
    (2, True)
    >>> exact_law(lambda coins: coins.laplace(3) + coins.laplace(3) >= 1)
    Law(2 outcomes, 30011 branches, tail 7.7e-17)
    >>> exact_law(lambda coins: coins.shuffle(30), max_branches=1000)
    Traceback (most recent call last):
        ...
    lsclasses.errors.TooLarge: The run has more than 1000 branches, about 2.65e+32; ask for \
a smaller instance, cut earlier (tail), or split it into steps (Law.then) that merge equal states.
    """
    coins = ExactCoins(fmpq(1), checked_share(tail, "tail"), max_branches, depth)
    weights: Weights[Outcome] = {}
    cut = _Cut(fmpq(0))
    with ctx.workprec(PRECISION):
        _explore(run, coins, weights, cut)
    return Law(weights, cut.mass, coins.branches)


class _Halted(Enum):
    HALTED = "halted"

    def __repr__(self) -> str:
        return self.name


HALTED = _Halted.HALTED
"""What follows the last answer of a program that halted: it is seen that there are no more."""


class Program(Protocol):
    """Answers one item after the other; states, items and answers are hashable."""

    def start(self, coins: Coins) -> Any:
        """The state before the first item."""

    def answer(self, state: Any, item: Any, coins: Coins) -> tuple[Any, Hashable]:
        """The next state, None if it has halted, and the answer."""


Answers = tuple[Hashable, ...]
Masses = dict[int | None, Probability]
"""Probabilities of states by their numbers; None is the end of a program that has halted."""
Moves = tuple[tuple[Hashable, tuple[tuple[int | None, Probability], ...]], ...]
"""The answers that a state can give to an item, each with the states that may come next."""


@dataclass(frozen=True)
class Stepwise:
    """What a program answers to a stream of items: one run of it, and the exact law of that.

    The law is put together from steps. What follows one item is explored once for each state
    that the program can be in, not once for every way that leads there, nor again for another
    stream; so the laws of all streams of a small size cost little more than that of one.

    The outcome is the tuple of answers, with `HALTED` at its end if the program halted (in the last
    round, too: whoever watches would see that it answers no more).

    Parameters
    ----------
    program : Program

    Notes
    -----
    *What is trusted.* That equal states behave alike. Where an equal state was met that has other
    attributes (which ``==`` leaves out), `repeats` asks it, too.

    Examples
    --------
    A walk that halts where it started, and the law of its answers after ten steps:

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

    def __call__(self, items: Sequence[Any], coins: Coins) -> Answers:
        """One run."""
        state = self.program.start(coins)
        answers: list[Hashable] = []
        for item in items:
            state, answer = self.program.answer(state, item, coins)
            answers.append(answer)
            if state is None:
                answers.append(HALTED)
                break
        return tuple(answers)

    def laws(self, *, tail: Fraction = TAIL, max_branches: int = MAX_BRANCHES) -> StepLaws:
        """The laws for streams, which remember what has been explored.

        Parameters
        ----------
        tail : Fraction
            As in `exact_law`, for the start and for every step.
        max_branches : int
            The largest number of branches to explore for one law, beside those that are known.
            The `branches` of a law are those that were explored for it.
        """
        return StepLaws(self.program, checked_share(tail, "tail"), max_branches)


@dataclass
class StepLaws:
    """The laws of one program for several streams; made by `Stepwise.laws`.

    States are numbered when they first come up, since it takes long to hash a learner.
    """

    program: Program
    tail: Fraction
    max_branches: int
    _branches: int = 0
    _numbers: dict[Any, int] = field(default_factory=dict)
    _states: list[tuple[Any, Any]] = field(default_factory=list)
    _answers: dict[Hashable, Hashable] = field(default_factory=dict)
    _moves: dict[tuple[int, Hashable], tuple[Moves, Probability, Any]] = field(default_factory=dict)
    _reached: dict[Answers, tuple[dict[Answers, Masses], Probability]] = field(default_factory=dict)

    def __call__(self, items: Sequence[Any]) -> Law[Answers]:
        """The law of the answers to these items.

        Raises
        ------
        TooLarge
            If there are more branches to explore than allowed.
        InvalidInput
            If the program does not repeat itself, or gives two answers that are equal and not the
            same; see `require_same`.
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
        return Law(weights, cut, self._branches)

    def repeats(self) -> bool:
        """Whether states whose equals look different answer by the same laws as these."""
        with ctx.workprec(PRECISION):
            return all(
                _alike(moves, self._explored_moves(self._states[number][1], item)[0])
                for (number, _), (moves, _, item) in list(self._moves.items())
                if _looks_apart(*self._states[number])
            )

    def _after(self, stream: tuple[Any, ...]) -> tuple[dict[Answers, Masses], Probability]:
        """The states after a stream by the answers to it, and what was cut."""
        keys = tuple(map(distinct, stream))
        known = len(keys)
        while known and keys[:known] not in self._reached:
            known -= 1
        if not known and () not in self._reached:
            first, cut = self._explored(self.program.start)
            masses: Masses = {}
            for state, chance in first:
                number = self._number(state)
                masses[number] = masses[number] + chance if number in masses else chance
            self._reached[()] = {(): masses}, cut
        for end in range(known, len(keys)):
            self._reached[keys[: end + 1]] = self._step(
                *self._reached[keys[:end]], stream[end], keys[end]
            )
        return self._reached[keys]

    def _step(
        self, reached: dict[Answers, Masses], cut: Probability, item: Any, key: Hashable
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

    def _explored_moves(self, state: Any, item: Any) -> tuple[Moves, Probability]:
        law, cut = self._explored(lambda coins: self.program.answer(state, item, coins))
        by_answer: dict[Hashable, list[tuple[int | None, Probability]]] = {}
        for (successor, answer), chance in law:
            require_same(self._answers.setdefault(answer, answer), answer)
            by_answer.setdefault(answer, []).append((self._number(successor), chance))
        return tuple((answer, tuple(found)) for answer, found in by_answer.items()), cut

    def _number(self, state: Any) -> int | None:
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
        """All outcomes with their probabilities, equal ones that look different apart."""
        coins = ExactCoins(fmpq(1), self.tail, self.max_branches, DEPTH, used=self._branches)
        weights: Weights[Outcome] = {}
        cut = _Cut(fmpq(0))
        _explore(run, coins, weights, cut)
        self._branches += coins.branches
        found: list[tuple[Outcome, Probability]] = []
        for exact, ball, first, twin in weights.values():
            found.append((first, exact if ball.is_zero() else ball + exact))
            if twin is not first:
                found.append((twin, fmpq(0)))
        return found, cut.mass


def _alike(one: Moves, other: Moves) -> bool:
    """Whether two laws of (next state, answer) may be the same."""
    found = [
        {
            (answer, successor): arb(chance)
            for answer, successors in moves
            for successor, chance in successors
            if chance != 0
        }
        for moves in (one, other)
    ]
    return found[0].keys() == found[1].keys() and all(
        found[0][key].overlaps(found[1][key]) for key in found[0]
    )


@dataclass
class _Draw:
    """One draw on the current path: what was asked, its outcomes, and which one is followed."""

    key: tuple[Any, ...]
    options: tuple[tuple[Any, Probability], ...]
    count: int
    before: Probability
    chosen: int = 0


@dataclass
class _Cut:
    mass: Probability


class _Dropped(BaseException):
    """Ends a run whose branch is cut; not an `Exception`, so that no learner catches it."""


@dataclass(eq=False)
class ExactCoins(Coins):
    """Coins that follow one branch at a time: the reading behind `exact_law`, which drives it.

    The draws of the path are kept. A run repeats those it has made before and takes the first
    outcome of every new one; `advance` moves on to the next branch.

    Parameters
    ----------
    weight : fmpq or arb
        The probability with which the run is entered.
    tail, max_branches, depth
        As in `exact_law`.
    used : int
        How many of `max_branches` have been explored elsewhere.
    """

    weight: Probability
    tail: Fraction
    max_branches: int
    depth: int
    used: int = 0
    branches: int = 0
    _path: list[_Draw] = field(default_factory=list)
    _depth: int = 0
    _cut: Probability = field(default_factory=lambda: fmpq(0))
    _share: float = 0.0
    _dropped: bool = False

    def advance(self) -> bool:
        """Move on to the next branch; False when there is none."""
        share = 1.0
        for draw in self._path:
            share /= draw.count
        self.branches += 1
        self._share += share
        self._depth = 0
        self._dropped = False
        while self._path:
            draw = self._path[-1]
            draw.chosen += 1
            if draw.chosen < draw.count:
                if self.used + self.branches >= self.max_branches:
                    expected = self.branches / self._share if self._share else math.inf
                    self._refuse(self.used + expected)
                return True
            self._path.pop()
        return False

    def _refuse(self, estimate: float) -> NoReturn:
        about = f", about {estimate:.3g}" if math.isfinite(estimate) else ""
        raise TooLarge(
            f"The run has more than {self.max_branches} branches{about}; ask for "
            "a smaller instance, cut earlier (tail), or split it into steps (Law.then) that merge "
            "equal states.",
            estimate=estimate,
            limit=self.max_branches,
        )

    def _probability(self) -> Probability:
        """The probability of the path so far."""
        if not self._path:
            return self.weight
        last = self._path[-1]
        return last.before * last.options[last.chosen][1]

    def _repeat(self, key: tuple[Any, ...]) -> Any:
        draw = self._path[self._depth]
        if draw.key != key:
            raise InvalidInput(
                f"The run does not repeat itself: after the same outcomes it drew {draw.key} and "
                f"then {key}. It must be random through its coins only."
            )
        self._depth += 1
        return draw.options[draw.chosen][0]

    def _branch(
        self,
        key: tuple[Any, ...],
        options: tuple[tuple[Any, Probability], ...],
        before: Probability,
        count: int | None = None,
    ) -> Any:
        if self._depth >= self.depth and _surely_at_most(before, self.tail):
            self._drop(before)
        self._path.append(_Draw(key, options, len(options) if count is None else count, before))
        self._depth += 1
        return options[0][0]

    def _drop(self, mass: Probability) -> None:
        self._cut = mass + self._cut
        self._dropped = True
        raise _Dropped

    def finish(self) -> Probability:
        """The probability of the run that has just come to its end.

        Raises
        ------
        InvalidInput
            If the run made fewer draws than before after the same outcomes, or went on where its
            branch was cut.
        """
        if self._dropped:
            raise InvalidInput(
                "The run goes on where its branch was cut: it returns in a finally clause, or "
                "catches BaseException. Its coins must be able to end it."
            )
        if self._depth < len(self._path):
            raise InvalidInput(
                "The run does not repeat itself: after the same outcomes it drew "
                f"{self._path[self._depth].key} and then nothing. It must be random through its "
                "coins only."
            )
        return self._probability()

    def _draw(
        self,
        key: tuple[Any, ...],
        options: Callable[..., tuple[tuple[Any, Probability], ...]],
    ) -> Any:
        if self._depth < len(self._path):
            return self._repeat(key)
        return self._branch(key, options(*key[1:]), self._probability())

    def _below(self, n: int) -> int:
        if n > self.max_branches:
            self._refuse(n * math.prod(draw.count for draw in self._path))
        drawn: int = self._draw(("below", n), _uniform)
        return drawn

    def _flip(self, numerator: int, denominator: int) -> bool:
        if numerator in (0, denominator):
            return numerator != 0
        drawn: bool = self._draw(("flip", numerator, denominator), _biased)
        return drawn

    def _decays(self, numerator: int, denominator: int) -> bool:
        if numerator == 0:
            return True
        drawn: bool = self._draw(("decays", numerator, denominator), _decaying)
        return drawn

    def _pick(
        self, exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
    ) -> int:
        if len(exponents) == 1:
            return 0
        drawn: int = self._draw(("pick", exponents, denominator, counts), _weighted)
        return drawn

    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        drawn: bool = self._draw(("at_least", margin, numerator, denominator), _exceeding)
        return drawn

    def _laplace(self, numerator: int, denominator: int) -> int:
        key = ("laplace", numerator, denominator)
        drawn: int
        if self._depth < len(self._path):
            drawn = self._repeat(key)
            return drawn
        before = self._probability()
        if _surely_at_most(before, self.tail):
            self._drop(before)
        # Beyond m, 2q^(m+1)/(1+q) < 2 exp(-m/scale) is left.
        excess = math.log(2 * float(arb(before).abs_upper())) - log_in_floats(self.tail)
        try:
            reach = max(0, math.ceil(excess * (numerator / denominator)))
        except OverflowError:
            self._refuse(math.inf)
        if 2 * reach + 1 > self.max_branches:
            self._refuse((2 * reach + 1) * math.prod(draw.count for draw in self._path))
        # Ranges are rounded up, so that draws share the tables of a few.
        options, rest = _noise(numerator, denominator, 1 << reach.bit_length(), reach)
        self._cut = before * rest + self._cut
        drawn = self._branch(key, options, before, 2 * reach + 1)
        return drawn


def _explore(
    run: Callable[[Coins], Outcome],
    coins: ExactCoins,
    weights: Weights[Outcome],
    cut: _Cut,
) -> None:
    """Add the law of the run to the weights, and what was cut to the cut."""
    exact, ball = fmpq(0), arb(0)
    more = True
    while more:
        try:
            outcome = run(coins)
        except _Dropped:
            pass
        else:
            probability = coins.finish()
            try:
                if isinstance(probability, fmpq):
                    _add(weights, outcome, probability, ball)
                else:
                    _add(weights, outcome, exact, probability)
            except TypeError:
                raise InvalidInput(
                    f"The run must return something hashable. Got a {type(outcome).__name__}."
                ) from None
        more = coins.advance()
    cut.mass = coins._cut + cut.mass


def _add(weights: Weights[Outcome], outcome: Outcome, exact: fmpq, ball: arb) -> None:
    known = weights.get(outcome)
    if known is None:
        weights[outcome] = exact, ball, outcome, outcome
    else:
        require_same(known[2], outcome)
        twin = better_twin(known[2], known[3], outcome)
        weights[outcome] = known[0] + exact, known[1] + ball, known[2], twin


def require_same(one: Any, other: Any) -> None:
    """Refuse two equal values that can be told apart: 1 and True, 0.0 and -0.0, (1,) and (1.0,).

    Python holds them to be equal, so a dictionary takes them together; whoever reads them sees a
    difference that an audit must not miss. Parts of tuples, frozen sets and dataclasses are looked
    at too. Equality that other objects define (such as that of hypotheses) is trusted.

    Parameters
    ----------
    one, other : object
        Equal to each other.

    Raises
    ------
    InvalidInput
        If their types differ, or they are written differently.

    Examples
    --------
    >>> exact_law(lambda coins: (1, True)[coins.below(2)])
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The outcomes 1 and True are equal, but can be told apart by \
who reads them: the types are int and bool. Return one of them always, or make them unequal.
    """
    apart = _apart(one, other)
    if apart is not None:
        raise InvalidInput(
            f"The outcomes {one!r} and {other!r} are equal, but can be told apart by who reads "
            f"them: {apart}. Return one of them always, or make them unequal."
        )


def _apart(one: Any, other: Any) -> str | None:
    """What tells two equal values apart, if something does."""
    if one is other:
        return None
    kind = type(one)
    if kind is not type(other):
        return f"the types are {kind.__name__} and {type(other).__name__}"
    if kind in PLAIN:
        return None
    if isinstance(one, WRITTEN) and repr(one) != repr(other):
        return "they are written differently"
    parts: Iterable[tuple[Any, Any]]
    if isinstance(one, tuple):
        parts = zip(one, other, strict=True)
    elif isinstance(one, frozenset):
        twins = {each: each for each in other}
        parts = [(each, twins[each]) for each in one]
    else:
        names = _compared(cast(Hashable, kind))
        parts = [(getattr(one, name), getattr(other, name)) for name in names]
    for mine, theirs in parts:
        if mine is not theirs and (found := _apart(mine, theirs)) is not None:
            return found
    return None


@lru_cache(maxsize=1024)
def _compared(kind: Any) -> tuple[str, ...]:
    """The names of the fields that equality of a dataclass looks at; none of other types."""
    return tuple(each.name for each in fields(kind) if each.compare) if is_dataclass(kind) else ()


def better_twin(first: Outcome, twin: Outcome, other: Outcome) -> Outcome:
    """Which of two objects that equal the first is to be tried in its place.

    Equal states must behave alike. If attributes differ that equality leaves out, they may not.

    Examples
    --------
    >>> class Same:
    ...     def __init__(self, name): self.name = name
    ...     def __eq__(self, other): return True
    >>> one, again, another = Same("a"), Same("a"), Same("b")
    >>> better_twin(one, again, another).name, better_twin(one, another, again).name
    ('b', 'b')
    """
    return twin if other is first or _looks_apart(first, twin) else other


def _looks_apart(one: Any, other: Any) -> bool:
    """Whether two equal values have attributes that differ."""
    if one is other:
        return False
    if isinstance(one, tuple):
        return any(map(_looks_apart, one, other))
    try:
        return bool(vars(one) != vars(other))
    except (TypeError, ValueError):  # there are none, or arrays among them
        return False


WRITTEN = (float, complex, Decimal)
"""Types with equal values that are written differently."""


def distinct(value: Any) -> Hashable:
    """A key that two values share only if no program can tell them apart.

    Parameters
    ----------
    value : object
        Numbers, texts and tuples of these are looked into; other objects share a key with
        themselves only, and have to live as long as it does.

    Raises
    ------
    InvalidInput
        If it is not hashable: what changes cannot be told from what it was.

    Examples
    --------
    >>> distinct((1, "a")) == distinct((1, "a")), distinct(1) == distinct(True)
    (True, False)
    """
    kind = type(value)
    if kind is tuple:
        return kind, *map(distinct, value)
    if kind in PLAIN:
        return kind, value
    try:
        hash(value)
    except TypeError:
        raise InvalidInput(
            f"What a mechanism is given must be hashable, such as a tuple. Got {value!r}."
        ) from None
    return kind, id(value)


PLAIN = (int, bool, str, bytes, Fraction, type(None))
"""Types whose equal values are the same in every respect."""


def _ball(weight: tuple[fmpq, arb, Any, Any]) -> arb:
    with ctx.workprec(PRECISION):
        return weight[1] + weight[0]


def _brief(ball: arb) -> str:
    return f"{float(ball.abs_upper()):.2g}"


def _surely_at_most(probability: Probability, bound: Fraction) -> bool:
    return bool(probability <= fmpq(bound.numerator, bound.denominator))


@lru_cache(maxsize=1024)
def _uniform(n: int) -> tuple[tuple[int, fmpq], ...]:
    return tuple((value, fmpq(1, n)) for value in range(n))


def _biased(numerator: int, denominator: int) -> tuple[tuple[bool, fmpq], ...]:
    p = fmpq(numerator, denominator)
    return ((True, p), (False, 1 - p))


@lru_cache(maxsize=4096)
def _decaying(numerator: int, denominator: int) -> tuple[tuple[bool, arb], ...]:
    with ctx.workprec(PRECISION):
        exponent = arb(fmpq(-numerator, denominator))
        return ((True, exponent.exp()), (False, -exponent.expm1()))


@lru_cache(maxsize=1024)
def _weighted(
    exponents: tuple[int, ...], denominator: int, counts: tuple[int, ...] | None
) -> tuple[tuple[int, Probability], ...]:
    sizes = (1,) * len(exponents) if counts is None else counts
    if not any(exponents):
        total_size = sum(sizes)
        return tuple((index, fmpq(size, total_size)) for index, size in enumerate(sizes))
    with ctx.workprec(PRECISION):
        weights = [
            size * arb(fmpq(-exponent, denominator)).exp()
            for size, exponent in zip(sizes, exponents, strict=True)
        ]
        total = sum(weights, arb(0))
        return tuple((index, weight / total) for index, weight in enumerate(weights))


@lru_cache(maxsize=65536)
def _exceeding(
    margin: int, numerator: int, denominator: int
) -> tuple[tuple[bool, arb], tuple[bool, arb]]:
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, numerator))
        far = (-rate * (margin if margin >= 1 else 1 - margin)).exp() / (1 + (-rate).exp())
        yes, no = (far, 1 - far) if margin >= 1 else (1 - far, far)
        return ((True, yes), (False, no))


@lru_cache(maxsize=256)
def _noise_table(
    numerator: int, denominator: int, width: int
) -> tuple[tuple[tuple[int, arb], ...], arb, arb]:
    """The values 0, 1, -1, 2, ..., -width with their probabilities, the rate, and 1 + q."""
    with ctx.workprec(PRECISION):
        rate = arb(fmpq(denominator, numerator))
        q = (-rate).exp()
        centre = -(-rate).expm1() / (1 + q)
        table = [(0, centre)]
        for size in range(1, width + 1):
            p = centre * (-rate * size).exp()
            table += [(size, p), (-size, p)]
        return tuple(table), rate, 1 + q


def _noise(
    numerator: int, denominator: int, width: int, reach: int
) -> tuple[tuple[tuple[int, arb], ...], arb]:
    """A table that begins with the values up to the reach, and the probability of all others."""
    table, rate, one_and_q = _noise_table(numerator, denominator, width)
    return table, 2 * (-rate * (reach + 1)).exp() / one_and_q
