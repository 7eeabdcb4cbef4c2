"""Distributions over labelled points, with exact rational weights.

The error of a batch learner is defined on a distribution. The distributions draw rows from `Coins`.
So one code runs in simulations, in releases and in exact enumerations. The population loss of a
hypothesis is a fraction, not an estimate.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import Any

from learners import checked
from learners.coins import Coins, require_coins
from learners.pac.samples import (
    Example,
    Hypotheses,
    RememberedRows,
    Sample,
    SeededRows,
    count_errors,
)
from lsclasses.concept_class import ConceptClass
from lsclasses.domain import Domain, OnDomain
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import format_number, integer, rational
from lsclasses.point_names import check_label
from lsclasses.table import Table


class Distribution(ABC):
    """Base class of distributions of labelled points.

    A subclass defines `domain`, `draw`, `loss` and `disagreement`.
    """

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The domain, which contains all points that can be drawn."""

    @abstractmethod
    def draw(self, coins: Coins) -> Example:
        """Draw one point with its label."""

    @abstractmethod
    def _loss(self, h: Hypothesis) -> Fraction: ...

    @abstractmethod
    def _disagreement(self, f: Hypothesis, g: Hypothesis) -> Fraction: ...

    def loss(self, h: Hypothesis) -> Fraction:
        """Return the exact population loss P[h(x) != y] of a hypothesis h [BLM20, Def. 7].

        Raises
        ------
        InvalidInput
            If the hypothesis is defined on another domain.
        TooLarge
            If the computation would enumerate a domain that is too large.
        """
        self._require(h)
        return self._loss(h)

    def disagreement(self, f: Hypothesis, g: Hypothesis) -> Fraction:
        """Return the exact probability P[f(x) != g(x)] that two hypotheses f and g differ.

        Raises
        ------
        InvalidInput
            If a hypothesis is defined on another domain.
        TooLarge
            If the computation would enumerate a domain that is too large.
        """
        self._require(f)
        self._require(g)
        return self._disagreement(f, g)

    def best(self, hypotheses: Hypotheses | ConceptClass) -> tuple[Fraction, Hypothesis]:
        """Return the least population loss of some hypotheses, and the first one that attains it.

        Parameters
        ----------
        hypotheses : sequence of Hypothesis, or ConceptClass
            Candidates. A class is enumerated as a table.

        Raises
        ------
        InvalidInput
            If there are no hypotheses.
        """
        listed = hypotheses.to_table() if isinstance(hypotheses, ConceptClass) else hypotheses
        if not len(listed):
            raise InvalidInput("At least one hypothesis is needed. Got none.")
        losses = self._losses(listed)
        least = min(losses)
        return least, listed[losses.index(least)]

    def _losses(self, hypotheses: Hypotheses) -> list[Fraction]:
        return [self.loss(hypotheses[i]) for i in range(len(hypotheses))]

    def sample(self, rows: int, coins: Coins) -> Sample:
        """Return a sample of `rows` independent rows, which are all drawn immediately.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0, 1], [0, 1, 1]])
        >>> from learners.coins import SeededCoins
        >>> D = UniformDistribution(C.domain, C[1])
        >>> list(D.sample(4, SeededCoins(1)))
        [(2, 1), (1, 1), (2, 1), (0, 0)]
        """
        require_coins(coins)
        return Sample.drawn(
            self.domain,
            tuple(self.draw(coins) for _ in range(_checked_rows(rows))),
        )

    def sample_on_demand(self, rows: int, coins: Coins) -> Sample:
        """Return a sample of independent rows, each drawn when it is first read and then stored.

        Use this method to compute exact output distributions of a learner. Then the computation
        enumerates only the rows that the learner reads.
        """
        require_coins(coins)
        return Sample.drawn(self.domain, RememberedRows(self.draw, _checked_rows(rows), coins))

    def sample_seeded(self, rows: int, seed: int) -> Sample:
        """Return a sample of independent rows, each computed from a seed whenever it is read.

        A row depends only on the seed and its position. So a sample of 10^10 rows is available at
        once, does not change, and takes no memory.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0, 1], [0, 1, 1]])
        >>> sample = UniformDistribution(C.domain, C[1]).sample_seeded(10**10, seed=1)
        >>> sample[-1] == sample[10**10 - 1], sample[10**9 : 10**9 + 3]
        (True, <Sample of 3 rows on 3 points>)
        """
        return Sample.drawn(
            self.domain,
            SeededRows(self.draw, _checked_rows(rows), integer(seed, "seed")),
        )

    def noisy(self, rate: Fraction | int) -> NoisyLabels:
        """Return this distribution with noise that flips each label with a given probability.

        Raises
        ------
        InvalidInput
            If the rate is not a probability, or is a float.
        """
        return NoisyLabels(self, rate)

    def _require(self, h: Hypothesis) -> None:
        if h.domain != self.domain:
            raise InvalidInput(
                f"A hypothesis must label the points of the distribution, "
                f"{self.domain.describe()}. Got a hypothesis on {h.domain.describe()}."
            )


def _checked_rows(rows: int) -> int:
    count = checked.nonnegative(rows, "number of rows")
    if count > sys.maxsize:
        raise TooLarge(
            f"A sample may have at most {sys.maxsize} rows, even if none is read. "
            f"Got {format_number(count, 3, exact=10)}.",
            estimate=count,
            limit=sys.maxsize,
        )
    return count


class FiniteDistribution(OnDomain[Domain], Distribution):
    """A distribution on finitely many labelled points with rational probabilities.

    Parameters
    ----------
    domain : Domain
        Points of the distribution.
    weights : mapping of (point, label) to Fraction or int
        Positive probabilities of sum 1.

    Raises
    ------
    InvalidInput
        If a weight is a float or not positive, the weights do not sum to 1, or a key is not a
        labelled point of the domain.

    Examples
    --------
    >>> from lsclasses import FiniteDomain
    >>> third = Fraction(1, 3)
    >>> D = FiniteDistribution(FiniteDomain("ab"), {("a", 1): third, ("b", 0): 2 * third})
    >>> from lsclasses import Constant
    >>> D.loss(Constant(D.domain, 1))
    Fraction(2, 3)
    >>> FiniteDistribution(FiniteDomain("ab"), {("a", 1): third, ("b", 0): third})
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The probabilities must sum to 1. Got 2/3.
    """

    def __init__(self, domain: Domain, weights: Mapping[tuple[Any, Any], Fraction | int]) -> None:
        self._domain = domain
        given: dict[Example, Fraction] = {}
        for (x, y), weight in weights.items():
            example = domain.require(x), check_label(y)
            number = rational(weight, f"probability of {(x, y)!r}")
            if number <= 0:
                raise InvalidInput(f"A probability must be positive. Got {number} for {(x, y)!r}.")
            given[example] = given.get(example, Fraction(0)) + number
        total = sum(given.values(), Fraction(0))
        if total != 1:
            raise InvalidInput(f"The probabilities must sum to 1. Got {total}.")
        scale = lcm(*(weight.denominator for weight in given.values()))
        self._set({example: int(weight * scale) for example, weight in given.items()})

    def _set(self, counts: dict[Example, int]) -> None:
        common = gcd(*counts.values())
        self._counts = {example: count // common for example, count in counts.items()}
        self._examples = tuple(self._counts)
        self._ends = list(accumulate(self._counts.values()))

    @classmethod
    def of_counts(cls, domain: Domain, counts: Mapping[Example, int]) -> FiniteDistribution:
        """Return the empirical distribution of a sample, given the number of rows of each example.

        Raises
        ------
        InvalidInput
            If there are no rows, or an example is not a labelled point of the domain.
        """
        total = sum(counts.values())
        if total < 1:
            raise InvalidInput("A distribution needs at least one row. Got none.")
        shares = {example: Fraction(count, total) for example, count in counts.items() if count}
        return cls(domain, shares)

    @classmethod
    def labelled(
        cls,
        target: Hypothesis,
        weights: Mapping[Any, Fraction | int] | Iterable[Any] | None = None,
    ) -> FiniteDistribution:
        """Return a distribution of labelled points, where a target hypothesis gives the labels.

        Parameters
        ----------
        target : Hypothesis
            Hypothesis that labels the points.
        weights : mapping of point to Fraction, or iterable of points, optional
            Probabilities of the points. If only points are given, the given points are equally
            likely. By default, all points of the domain are equally likely.

        Raises
        ------
        InvalidInput
            If `FiniteDistribution` rejects the probabilities, or there are no points.

        Examples
        --------
        >>> from lsclasses import Table
        >>> C = Table([[0, 0, 1], [0, 1, 1]])
        >>> FiniteDistribution.labelled(C[1], {0: Fraction(1, 4), 2: Fraction(3, 4)}).weights
        {(0, 0): Fraction(1, 4), (2, 1): Fraction(3, 4)}
        """
        if not isinstance(weights, Mapping):
            listed = list(target.domain if weights is None else weights)
            if not listed:
                raise InvalidInput("A distribution needs at least one point. Got none.")
            share = Fraction(1, len(listed))
            shares: dict[Any, Fraction] = {}
            for x in listed:
                shares[x] = shares.get(x, Fraction(0)) + share
            weights = shares
        return cls(target.domain, {(x, target(x)): weight for x, weight in weights.items()})

    @property
    def counts(self) -> dict[Example, int]:
        """The probabilities, multiplied by their least common denominator (`total`)."""
        return dict(self._counts)

    @property
    def total(self) -> int:
        """The least common denominator of the probabilities, which is the sum of `counts`."""
        return self._ends[-1]

    @property
    def weights(self) -> dict[Example, Fraction]:
        """The positive probabilities, by labelled point (x, y)."""
        total = self.total
        return {example: Fraction(count, total) for example, count in self._counts.items()}

    def is_realizable(self, C: ConceptClass) -> bool:
        """Return whether some concept of a class has population loss 0 on this distribution."""
        return not C.given(self._examples).is_empty

    def require_realizable(self, C: ConceptClass) -> None:
        """Raise `NotRealizable` unless some concept of a class has population loss 0."""
        if not self.is_realizable(C):
            raise NotRealizable(
                f"No concept of {C!r} agrees with all labels that have a positive probability."
            )

    def draw(self, coins: Coins) -> Example:
        """Return one labelled point, drawn from this distribution."""
        ends = self._ends
        return self._examples[bisect_right(ends, coins._below(ends[-1])) if ends[-1] > 1 else 0]

    def _loss(self, h: Hypothesis) -> Fraction:
        wrong = sum(count for (x, y), count in self._counts.items() if h._label(x) != y)
        return Fraction(wrong, self.total)

    def _losses(self, hypotheses: Hypotheses) -> list[Fraction]:
        for h in [hypotheses[0]] if isinstance(hypotheses, Table) else hypotheses:
            self._require(h)
        return [Fraction(wrong, self.total) for wrong in count_errors(hypotheses, self._counts)]

    def _disagreement(self, f: Hypothesis, g: Hypothesis) -> Fraction:
        apart = sum(n for (x, _), n in self._counts.items() if f._label(x) != g._label(x))
        return Fraction(apart, self.total)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteDistribution):
            return NotImplemented
        return self._domain == other._domain and self._counts == other._counts

    def __hash__(self) -> int:
        return hash((self._domain, frozenset(self._counts.items())))

    def __repr__(self) -> str:
        return f"<FiniteDistribution on {len(self._counts)} labelled points>"


class UniformDistribution(OnDomain[Domain], Distribution):
    """The uniform distribution on a finite domain of any size, labelled by a hypothesis.

    Population losses are exact for hypotheses that can compute their distance from the target
    (`Hypothesis.distance`), for example for concepts of classes in closed form.

    Parameters
    ----------
    domain : Domain
        Finite domain of the points.
    target : Hypothesis
        Hypothesis that labels the points.

    Raises
    ------
    InvalidInput
        If the target is defined on another domain, or the domain is empty.
    TooLarge
        If the domain is infinite, because an infinite domain has no uniform distribution.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=2^64")
    >>> from learners.coins import SeededCoins
    >>> D = UniformDistribution(C.domain, C.restrict(2**63, 1).soa())
    >>> D.loss(C.soa())
    Fraction(1, 4)
    >>> D.draw(SeededCoins(1))
    (18267386912429988197, 1)
    """

    def __init__(self, domain: Domain, target: Hypothesis) -> None:
        if domain.size is None:
            raise TooLarge(
                "Infinitely many points have no uniform distribution. "
                f"The domain has {domain.describe()}."
            )
        if not domain.size:
            raise InvalidInput("A distribution needs at least one point. Got none.")
        if target.domain != domain:
            raise InvalidInput(
                f"The target must label the points, {domain.describe()}. "
                f"Got a target on {target.domain.describe()}."
            )
        self._domain = domain
        self._size = domain.size
        self.target = target

    def draw(self, coins: Coins) -> Example:
        """Return one labelled point, drawn from this distribution."""
        x = self._domain._at(coins._below(self._size) if self._size > 1 else 0)
        return x, self.target._label(x)

    def _loss(self, h: Hypothesis) -> Fraction:
        return Fraction(h.distance(self.target), self._size)

    def _disagreement(self, f: Hypothesis, g: Hypothesis) -> Fraction:
        return Fraction(f.distance(g), self._size)

    def __repr__(self) -> str:
        return f"<UniformDistribution on {self._size} points labelled by {self.target!r}>"


class NoisyLabels(Distribution):
    """A distribution of labelled points whose labels are flipped at random.

    Parameters
    ----------
    base : Distribution
        Distribution of the examples without noise.
    rate : Fraction or int
        Probability of a flip, from 0 to 1.

    Raises
    ------
    InvalidInput
        If the rate is not a probability, or is a float.

    Examples
    --------
    >>> from lsclasses import Table
    >>> C = Table([[0, 0, 1], [0, 1, 1]])
    >>> from learners.coins import SeededCoins
    >>> D = UniformDistribution(C.domain, C[1]).noisy(Fraction(1, 10))
    >>> D.loss(C[1]), D.loss(C[0]), D.best(C)[0]
    (Fraction(1, 10), Fraction(11, 30), Fraction(1, 10))
    """

    def __init__(self, base: Distribution, rate: Fraction | int) -> None:
        self.base = base
        self.rate = rational(rate, "rate of label noise")
        if not 0 <= self.rate <= 1:
            raise InvalidInput(f"A rate of label noise must lie from 0 to 1. Got {self.rate}.")

    @property
    def domain(self) -> Domain:
        """The domain, which contains all points that can be drawn."""
        return self.base.domain

    def draw(self, coins: Coins) -> Example:
        """Draw one point with its noisy label."""
        x, y = self.base.draw(coins)
        return x, y ^ coins.flip(self.rate)

    def _loss(self, h: Hypothesis) -> Fraction:
        loss = self.base._loss(h)
        return loss * (1 - self.rate) + (1 - loss) * self.rate

    def _disagreement(self, f: Hypothesis, g: Hypothesis) -> Fraction:
        return self.base._disagreement(f, g)

    def __repr__(self) -> str:
        return f"<{self.base!r}, labels flipped with probability {self.rate}>"


class Mixture(Distribution):
    """A mixture of distributions of labelled points with given probabilities.

    Parameters
    ----------
    parts : sequence of (Fraction, Distribution)
        Positive probabilities of sum 1, and distributions on one domain.

    Raises
    ------
    InvalidInput
        If there are no parts, domains differ, or probabilities are not positive with sum 1.

    Examples
    --------
    Half of the rows are at two points near the target's change, and half are uniform:

    >>> import catalog
    >>> C = catalog.build("points:n=2^40")
    >>> target = C.restrict(77, 1).soa()
    >>> half = Fraction(1, 2)
    >>> D = Mixture([
    ...     (half, FiniteDistribution.labelled(target, [76, 77])),
    ...     (half, UniformDistribution(C.domain, target)),
    ... ])
    >>> D.loss(C.soa()) == Fraction(1, 4) + Fraction(1, 2**41)
    True
    """

    def __init__(self, parts: Iterable[tuple[Fraction | int, Distribution]]) -> None:
        listed = [(rational(weight, "probability of a part"), part) for weight, part in parts]
        if not listed or min(weight for weight, _ in listed) <= 0:
            raise InvalidInput("A mixture needs at least one part, each with a positive weight.")
        total = sum((weight for weight, _ in listed), Fraction(0))
        if total != 1:
            raise InvalidInput(f"The probabilities must sum to 1. Got {total}.")
        for _, part in listed[1:]:
            if part.domain != listed[0][1].domain:
                raise InvalidInput("The parts of a mixture must be distributions on one domain.")
        self.parts = tuple(listed)
        scale = lcm(*(weight.denominator for weight, _ in listed))
        self._ends = list(accumulate(int(weight * scale) for weight, _ in listed))

    @property
    def domain(self) -> Domain:
        """The domain, which contains all points that can be drawn."""
        return self.parts[0][1].domain

    def draw(self, coins: Coins) -> Example:
        """Draw one point with its label."""
        # This method draws most rows of huge samples, so it leaves out the checks of the coins.
        ends = self._ends
        part = bisect_right(ends, coins._below(ends[-1])) if ends[-1] > 1 else 0
        return self.parts[part][1].draw(coins)

    def _loss(self, h: Hypothesis) -> Fraction:
        return sum((weight * part._loss(h) for weight, part in self.parts), Fraction(0))

    def _disagreement(self, f: Hypothesis, g: Hypothesis) -> Fraction:
        apart = (weight * part._disagreement(f, g) for weight, part in self.parts)
        return sum(apart, Fraction(0))

    def __repr__(self) -> str:
        shown = ", ".join(f"{weight} {part!r}" for weight, part in self.parts)
        return f"<Mixture of {shown}>"
