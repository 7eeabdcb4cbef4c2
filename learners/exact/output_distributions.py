"""The exact output distribution of a run, a mapping from outcomes to probabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Generic, TypeVar

from flint import arb, ctx, fmpq

from learners import checked
from learners.coins import Coins
from learners.exact.branches import PRECISION, ExactCoins, Probability, _Cut, _Dropped
from learners.exact.identity import Outcome, better_twin, require_same
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_arguments

TAIL = Fraction(1, 1 << 60)
"""Default probability below which a branch is cut at its next infinite draw."""

MAX_BRANCHES = 1 << 18
"""The default limit on the number of branches."""

DEPTH = 512
"""Default number of draws after which a branch with probability below the tail is cut at any
draw."""

Image = TypeVar("Image", bound=Hashable)


@dataclass(slots=True)
class Weight(Generic[Outcome]):
    """The probability of an outcome, as far as it has been computed.

    Attributes
    ----------
    exact, ball : fmpq and arb
        Two summands of the probability: the total of all branches with rational probabilities, and
        a ball for all other branches.
    first, twin : object
        Two objects that the program returned for this outcome. They are equal, but may differ in
        attributes that ``==`` ignores (`better_twin`).
    """

    exact: fmpq
    ball: arb
    first: Outcome
    twin: Outcome

    @property
    def enclosure(self) -> arb:
        """The probability of the outcome as a ball."""
        return self.ball + self.exact

    @property
    def probability(self) -> Probability:
        """The probability as a number, which is exact if all draws have rational probabilities."""
        return self.exact if self.ball.is_zero() else self.enclosure


Weights = dict[Outcome, Weight[Outcome]]


class OutputDistribution(Mapping[Outcome, arb], Generic[Outcome]):
    """The output distribution of a random program: a mapping from outcomes to probabilities.

    A branch is a sequence of outcomes of the program's draws. Branches of very small probability
    may be cut off, and the tail is their total probability. So the true probability of an outcome
    lies between ``law[outcome]`` and ``law[outcome] + law.tail``, and unlisted outcomes may also
    occur. Probabilities are balls (numbers with error bounds). If all draws have finitely many
    values, no branch is cut off and the tail is zero.

    Attributes
    ----------
    weights : mapping of outcome to Weight
        The computed probability of each outcome.
    tail : arb
        The total probability of the branches that were cut off.
    branches : int
        Number of explored branches.
    """

    def __init__(self, weights: Weights[Outcome], tail: Probability, branches: int) -> None:
        self.weights = weights
        self._tail = tail
        self.branches = branches

    @classmethod
    def of(
        cls,
        probabilities: Mapping[Outcome, Fraction | arb],
        *,
        tail: Fraction | arb = Fraction(0),
        branches: int | None = None,
    ) -> OutputDistribution[Outcome]:
        """Return the distribution with given probabilities, without an enumeration of branches.

        Parameters
        ----------
        probabilities : mapping of outcome to Fraction or arb
            Probabilities whose sum with the tail is 1.
        tail : Fraction or arb
            The total probability of the branches that were cut off.
        branches : int, optional
            Number of branches or states of the computation. The default is the number of outcomes.

        Examples
        --------
        >>> law = OutputDistribution.of({"a": Fraction(1, 3), "b": Fraction(2, 3)})
        >>> law.rational("a"), law.map(len).rational(1)
        (Fraction(1, 3), Fraction(1, 1))
        """
        exact, ball = fmpq(0), arb(0)
        weights: Weights[Outcome] = {
            outcome: Weight(exact, p, outcome, outcome)
            if isinstance(p, arb)
            else Weight(fmpq(p.numerator, p.denominator), ball, outcome, outcome)
            for outcome, p in probabilities.items()
        }
        cut = tail if isinstance(tail, arb) else fmpq(tail.numerator, tail.denominator)
        return cls(weights, cut, len(weights) if branches is None else branches)

    @property
    def tail(self) -> arb:
        """The probability mass of all branches that were not explored."""
        return arb(self._tail)

    def __getitem__(self, outcome: Outcome) -> arb:
        with ctx.workprec(PRECISION):
            return self.weights[outcome].enclosure

    def __contains__(self, outcome: object) -> bool:
        return outcome in self.weights

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"Law({len(self)} outcomes, {self.branches} branches, tail {_brief(self.tail)})"

    def rational(self, outcome: Outcome) -> Fraction:
        """Return the probability of an outcome as a fraction, if all draws were rational.

        Raises
        ------
        InvalidInput
            If a draw on a branch to the outcome has irrational probabilities, or a branch was cut
            off.

        Examples
        --------
        >>> law = exact_distribution(lambda coins: coins.below(6) + coins.below(6))
        >>> law.rational(5)
        Fraction(1, 6)
        """
        known = self.weights.get(outcome)
        exact = fmpq(0) if known is None else known.exact
        if not (known is None or known.ball.is_zero()) or not self.tail.is_zero():
            raise InvalidInput(
                f"The probability of {outcome!r} is a ball, not a fraction, because the run drew "
                "noise or an exponential weight. Index the distribution instead."
            )
        return Fraction(int(exact.p), int(exact.q))

    def probability(self, event: Callable[[Outcome], bool]) -> arb:
        """Return a ball that contains the probability of an event, including the cut-off branches.

        Examples
        --------
        >>> law = exact_distribution(lambda coins: coins.laplace(1))
        >>> print(law.probability(lambda z: abs(z) <= 1).str(15, radius=False))
        0.802123960397106
        """
        with ctx.workprec(PRECISION):
            listed = sum((self[outcome] for outcome in self if event(outcome)), arb(0))
            return listed.union(listed + self.tail)

    def map(self, function: Callable[[Outcome], Image]) -> OutputDistribution[Image]:
        """Return the distribution of a function of the outcome (post-processing).

        Raises
        ------
        InvalidInput
            If two equal images can be distinguished (see `require_same`).

        Examples
        --------
        >>> exact_distribution(lambda coins: coins.below(6)).map(lambda x: x % 2).rational(1)
        Fraction(1, 2)
        """
        images: Weights[Image] = {}
        with ctx.workprec(PRECISION):
            for outcome, weight in self.weights.items():
                _add(images, function(outcome), weight.exact, weight.ball)
        return OutputDistribution(images, self._tail, self.branches)

    def then(
        self,
        step: Callable[[Outcome, Coins], Image],
        *,
        tail: Fraction = TAIL,
        max_branches: int = MAX_BRANCHES,
        depth: int = DEPTH,
    ) -> OutputDistribution[Image]:
        """Return the distribution after one more random step, whose input is only the outcome.

        Use steps for long interactions, with states as outcomes. Equal states are merged after
        every step, so the step is enumerated once for each state, not once for every branch that
        leads to the state.

        Parameters
        ----------
        step : callable
            ``step(outcome, coins)`` returns the next outcome.
        tail, max_branches, depth
            The arguments of `exact_distribution`.

        Examples
        --------
        A walk of 40 steps has 2^40 branches and 41 ends:

        >>> import math
        >>> law = exact_distribution(lambda coins: 0)
        >>> for _ in range(40):
        ...     law = law.then(lambda place, coins: place + coins.flip(Fraction(1, 2)))
        >>> law.rational(20) == Fraction(math.comb(40, 20), 2**40), len(law)
        (True, 41)
        """
        gathered: Weights[Image] = {}
        with ctx.workprec(PRECISION):
            cut, branches = _Cut(self._tail), self.branches
            for outcome, weight in self.weights.items():
                coins = ExactCoins(
                    weight.probability,
                    checked.share(tail, "tail"),
                    max_branches,
                    depth,
                    used=branches - self.branches,
                )
                _explore(partial(step, outcome), coins, gathered, cut)
                branches += coins.branches
        return OutputDistribution(gathered, cut.mass, branches)


@check_arguments
def exact_distribution(
    run: Callable[[Coins], Outcome],
    *,
    tail: Annotated[Fraction, Option("tail", above=0, below=1)] = TAIL,
    max_branches: int = MAX_BRANCHES,
    depth: int = DEPTH,
) -> OutputDistribution[Outcome]:
    """Return the exact output distribution of ``run(coins)``, by an enumeration of all branches.

    Parameters
    ----------
    run : callable
        Function of a `Coins` object that returns a hashable value. All randomness of the function
        must come from the coins. The function is called once for every *branch*, that is, for every
        sequence of outcomes of its draws. It must make the same draws after the same outcomes.
    tail : Fraction
        Bound on the probability that is cut off at a draw with infinitely many values, such as
        Laplace noise. On a branch of probability p, only the values of the noise within some
        distance are followed. The values beyond this distance have a probability of less than
        `tail` times p. If p is below `tail`, the whole branch is cut off at the noise. ``law.tail``
        is the sum of all probabilities that are cut off.
    max_branches : int
        Largest number of explored branches.
    depth : int
        Number of draws after which a branch of probability below `tail` is cut off at the next
        draw. This ends loops that draw until a coin succeeds. In the first `depth` draws, all
        outcomes of draws with finitely many values are followed.

    Returns
    -------
    OutputDistribution

    Raises
    ------
    TooLarge
        If there are more than `max_branches` branches. The message estimates the number of
        branches.
    InvalidInput
        If the run makes different draws after the same outcomes, continues after its branch was cut
        off, returns an unhashable value, or returns two equal outcomes that a program can
        distinguish (`require_same`).

    Examples
    --------
    >>> law = exact_distribution(lambda coins: coins.at_least(3, 2, 5))
    >>> print(law[True])  # e^-1/(1 + e^-1/2)
    [0.228989990914488 +/- 1.18e-17]
    >>> law.branches, law.tail.is_zero()
    (2, True)
    >>> exact_distribution(lambda coins: coins.laplace(3) + coins.laplace(3) >= 1)
    Law(2 outcomes, 30011 branches, tail 7.7e-17)
    >>> exact_distribution(lambda coins: coins.shuffle(30), max_branches=1000)
    Traceback (most recent call last):
        ...
    lsclasses.errors.TooLarge: The run has more than 1000 branches, about 2.65e+32. Choose a \
smaller instance or a larger tail, or split the run into steps (OutputDistribution.then) that \
merge equal states.
    """
    coins = ExactCoins(fmpq(1), tail, max_branches, depth)
    weights: Weights[Outcome] = {}
    cut = _Cut(fmpq(0))
    with ctx.workprec(PRECISION):
        _explore(run, coins, weights, cut)
    return OutputDistribution(weights, cut.mass, coins.branches)


_NO_FRACTION, _NO_BALL = fmpq(0), arb(0)


def _explore(
    run: Callable[[Coins], Outcome],
    coins: ExactCoins,
    weights: Weights[Outcome],
    cut: _Cut,
) -> None:
    """Add the distribution of the run to the weights, and its cut probability to the cut."""
    with coins.explored():
        more = True
        while more:
            _explore_branch(run, coins, weights)
            more = coins.advance()
    cut.mass = coins._cut + cut.mass


def _explore_branch(
    run: Callable[[Coins], Outcome], coins: ExactCoins, weights: Weights[Outcome]
) -> None:
    """Add the outcome of the current branch to the weights, unless the branch is cut."""
    try:
        outcome = run(coins)
    except _Dropped:
        if not coins.is_cut:
            raise  # the end of an exploration around this exploration
        coins.require_accepted()
        return
    except Exception:
        # The run may have caught a refusal and raised another exception.
        coins.require_accepted()
        raise
    probability = coins.finish()
    try:
        if isinstance(probability, fmpq):
            _add(weights, outcome, probability, _NO_BALL)
        else:
            _add(weights, outcome, _NO_FRACTION, probability)
    except TypeError:
        raise InvalidInput(
            "The run must return hashable values, such as tuples and frozen dataclasses, "
            f"because equal values are counted together. Got {_unhashable(outcome)}."
        ) from None


def _add(weights: Weights[Outcome], outcome: Outcome, exact: fmpq, ball: arb) -> None:
    known = weights.get(outcome)
    if known is None:
        weights[outcome] = Weight(exact, ball, outcome, outcome)
    else:
        require_same(known.first, outcome)
        known.twin = better_twin(known.first, known.twin, outcome)
        known.exact += exact
        known.ball += ball


def _unhashable(value: object) -> str:
    """Return the part of a value that has no hash, with its place, in words.

    Examples
    --------
    >>> _unhashable(({"a": 1}, 0))
    "a tuple with a dict in it: {'a': 1}"
    """
    part = _unhashable_part(value)
    shown = f"a {type(part).__name__}"
    if part is not value:
        shown = f"a {type(value).__name__} with {shown} in it"
    return f"{shown}: {part!r:.80}"


def _unhashable_part(value: object) -> object:
    inner: Iterable[object] = value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        inner = [getattr(value, each.name) for each in fields(value)]
    for each in inner:
        try:
            hash(each)
        except TypeError:
            return _unhashable_part(each)
    return value


def _brief(ball: arb) -> str:
    return f"{float(ball.abs_upper()):.2g}"
