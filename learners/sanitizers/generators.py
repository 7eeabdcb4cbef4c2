r"""Generators of sequential fooling games, which propose a distribution [LWY25, Lemma D.8].

A generator proposes a distribution P_t on the domain and receives a concept h with a label y. The
label y = 1 means that P_S(h) - P_t(h) >= alpha/2. The label y = 0 means that P_t(h) - P_S(h) >=
alpha/2 (then the discriminator found the complement of h). All inputs of the generator are public,
so it costs no privacy. It guarantees that it receives at most `rounds` - 1 such answers.

Each generator is a learner of the dual class. The points of the dual class are the concepts h, and
its concepts are the points x, which label h by h(x). A received pair (h, y) is an example, x errs
on it if h(x) != y, and the loss of P_t is |P_t(h) - y|. The loss of the data is |P_S(h) - y|. So an
answer means that P_t loses at least alpha/2 more than the data in this round. A learner with regret
at most R(T) receives at most 2 R(T)/alpha answers.

* `HedgeGenerator` runs exponential weights over the points of a finite domain. It is the generator
  of `learners.sanitizers.mwem` for the target error 4 alpha/5, whose gap 5/8 of 4 alpha/5 is
  alpha/2, with integer weights. It needs floor(ln|X|/D) + 1 rounds, with D nearly alpha^2/2, so
  about 2 ln|X|/alpha^2.
* `DualGenerator` follows Lemma D.8, for classes of small dual Littlestone dimension d*.

**Experts.** Number all rounds, R of them. An expert is a set of at most d* rounds. It runs the SOA
of the dual class. In its rounds, it predicts the opposite of the SOA's prediction, and in all other
rounds the prediction. Only in its rounds does it give the SOA the predicted label. For every point
x, consider the rounds in which the SOA, updated in this way, errs on x. The expert of these rounds
predicts like x, and there are at most d* such rounds. (Ben-David, Pal and Shalev-Shwartz 2009.)
There are N = sum of C(R, i) over i <= d* experts. Experts whose predictions are not consistent with
any point are dropped. Exponential weights of rate sqrt(8 ln(N)/R) over them give a forecast Q(h) in
[0, 1]. For all examples, its losses |Q(h) - y| exceed the losses of the best point, and so of every
distribution, by at most sqrt(R ln(N)/2).

**From forecasts to data** (Bousquet, Livni and Moran 2020). Q need not be the shares of a
distribution. If some P has |P(h) - Q(h)| <= alpha/4 for all h, it is proposed. The experts receive
the answer (h, y), and Q has lost at least alpha/4 more than the data. Otherwise, by the minimax
theorem, there is a distribution mu of examples (h, y) on which Q loses more than alpha/4 more than
every point, on average over mu. In this case, an example is drawn from mu and given to the experts,
without a query to the discriminator. P and mu are solutions of linear programs.

**Rounds.** So in each of the R rounds, Q loses on average alpha/4 more than the data, with
certainty or by a fair draw. By Azuma's inequality, the sum is at least R alpha/4 - sqrt(2 R
ln(1/b)), except with probability b. With the regret, this is impossible for

    R alpha/4 > sqrt(R ln(N)/2) + sqrt(2 R ln(1/b)),

so with the least such R, "WIN" is reached before. R = O((d* ln(d*/alpha) + ln(1/b))/alpha^2). In
the code, alpha/4 is 6 alpha/25 on the left, which leaves alpha/100 for the errors of linear
programs and floating point numbers. Proposals are integer weights. All of this is public, so
privacy does not depend on it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb, exp, sqrt
from math import log as ln

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from learners.balls import ball, floor, log
from learners.checked import Alpha, Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.number_arguments import least_integer
from learners.sanitizers.mwem import MWEMSanitizer
from lsclasses.errors import InvalidInput
from lsclasses.options import check_fields
from lsclasses.point_names import Label
from lsclasses.soa import ConservativeSOA
from lsclasses.table import Table

Answer = tuple[int, Label]
"""An answer: the position of a concept in the class, and whether its proposed share is too
small."""

GRAIN = 1 << 40
"""Approximate sum of the weights of a proposal."""
SLACK = Fraction(6, 25)
"""Part of alpha by which the forecast's mean loss in a round exceeds the loss of the data in
`DualGenerator`."""


class Proposal(ABC):
    """The immutable state of a generator: its proposal in a round."""

    @property
    @abstractmethod
    def weights(self) -> tuple[int, ...]:
        """The proposed distribution P_t, as weights of the points of the domain."""

    @abstractmethod
    def after(self, answer: Answer, coins: Coins) -> Proposal:
        """Return the next proposal, after the discriminator's answer."""


@dataclass(frozen=True)
class Generator(ABC):
    """Base class of generators, which propose data and learn from answers on wrong proposals.

    Parameters
    ----------
    of : Table
        Class with at least one concept.
    alpha : Fraction
        Error. An answer is right if the proposed share of its concept is off by alpha/2 or more.

    Raises
    ------
    InvalidInput
        If the class is empty, or alpha is not strictly between 0 and 1.
    """

    of: Table
    alpha: Alpha

    def __post_init__(self) -> None:
        if self.of.is_empty:
            raise InvalidInput("A generator needs a class with at least one concept.")
        check_fields(self)

    @property
    def failure(self) -> Fraction:
        """A bound on the probability that `rounds` rounds are too few."""
        return Fraction(0)

    @property
    @abstractmethod
    def rounds(self) -> int:
        """The number of rounds after which the answer is "WIN", if all answers are right."""

    @abstractmethod
    def start(self, coins: Coins) -> Proposal:
        """Return the first proposal of the generator."""


# ---- exponential weights over points


@dataclass(frozen=True)
class HedgeGenerator(Generator):
    """A generator of synthetic data by exponential weights over the points of the domain.

    The docstring of the module `learners.sanitizers.generators` describes the method.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> generator = HedgeGenerator(catalog.build("thresholds:n=16").to_table(), Fraction(1, 5))
    >>> generator.rounds                                    # 2 ln(16)/alpha^2 is 138.6
    139
    >>> proposal = generator.start(SeededCoins(1)).after((3, 1), SeededCoins(1))
    >>> proposal.weights[3] / proposal.weights[2]           # exp(2 alpha)
    1.49...
    """

    @cached_property
    def rule(self) -> MWEMSanitizer:
        """The MWEM sanitizer whose rule defines the weights."""
        return MWEMSanitizer(self.of, 4 * self.alpha / 5, 1, Fraction(1), Fraction(1))

    @property
    def rounds(self) -> int:
        """The largest number of rounds: the largest number of updates, and one more round.

        Each update lowers a divergence, which is never negative.
        """
        drop = self.rule.drop
        return floor(lambda: log(len(self.of.domain)) / ball(drop)) + 1

    def start(self, coins: Coins) -> HedgeProposal:
        """Return the first proposal, in which all weights are equal."""
        return HedgeProposal(self)


@dataclass(frozen=True)
class HedgeProposal(Proposal):
    """The weights after some answers, in the numbering of MWEM."""

    generator: HedgeGenerator
    updates: tuple[int, ...] = ()

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The integer weights, which are equal on every machine."""
        return self.generator.rule.weights(self.updates)

    def after(self, answer: Answer, coins: Coins) -> HedgeProposal:
        """Return the proposal with more weight on the concept's points, or on all other points."""
        place, label = answer
        query = place if label else len(self.generator.of) + place
        return HedgeProposal(self.generator, (*self.updates, query))


# ---- experts that run the SOA of the dual class


def _choices(rounds: int, most: int) -> int:
    """Return the number of sets of at most `most` of `rounds` rounds."""
    return sum(comb(rounds, i) for i in range(most + 1)) if most >= 0 else 0


Key = tuple[ConservativeSOA, int]
"""A group of experts: a state of the SOA, and the number of rounds that the experts override."""


@dataclass(frozen=True)
class DualGenerator(Generator):
    """A generator of synthetic data from an online learner of the dual class, by linear programs.

    In the dual class, points and concepts are exchanged. The docstring of the module
    `learners.sanitizers.generators` describes the method. Use this generator for small classes,
    because the dual class is enumerated as a table and its Littlestone dimension is computed by
    search.

    Parameters
    ----------
    of, alpha
        Class, and error of the synthetic data, as for every generator.
    beta : Fraction
        Probability that the game of `FoolingSanitizer` needs more than `rounds` rounds.

    Examples
    --------
    In the example, the dual class of 64 thresholds has dimension 6, and the dual class of 64 point
    functions has dimension 1:

    >>> import catalog
    >>> for name in ("thresholds:n=64", "points:n=64"):
    ...     C = catalog.build(name).to_table()
    ...     generator = DualGenerator(C, Fraction(1, 5))
    ...     print(generator.dimension, generator.rounds, HedgeGenerator(C, Fraction(1, 5)).rounds)
    6 25452 209
    1 9116 209
    """

    beta: Failure = FAILURE

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)

    @cached_property
    def dual(self) -> Table:
        """The dual of the concept class."""
        return self.of.dual()

    @cached_property
    def dimension(self) -> int:
        """The Littlestone dimension d* of the dual class."""
        return self.dual.ldim()

    @property
    def failure(self) -> Fraction:
        """A bound on the probability that `rounds` rounds are too few."""
        return self.beta

    @cached_property
    def rounds(self) -> int:
        """The number of rounds R, including drawn examples."""
        gain, chance = float(SLACK * self.alpha), 2 * -ln(float(self.beta))

        def suffices(R: int) -> bool:
            return R * gain**2 > (sqrt(ln(_choices(R, self.dimension)) / 2) + sqrt(chance)) ** 2

        return least_integer(suffices, 0)

    @cached_property
    def rate(self) -> float:
        """The rate of the exponential weights."""
        return sqrt(8 * ln(_choices(self.rounds, self.dimension)) / self.rounds)

    @cached_property
    def _points(self) -> list[int]:
        """The positions of the points in the dual class, one position for equal points."""
        return [self.of.domain.index(concept.name) for concept in self.dual]

    def start(self, coins: Coins) -> DualProposal:
        """Return the generator's state with the first proposal of synthetic data."""
        start = DualProposal(self, {(ConservativeSOA(self.dual), 0): 1.0})
        return start.settled(coins)


@dataclass(frozen=True, eq=False)
class DualProposal(Proposal):
    """The weights of all experts, in groups, and the proposal that follows from their forecast.

    Attributes
    ----------
    groups : mapping of Key to float
        Sum of exp(-rate loss) for the experts in one state, over the ways to reach the state.
        Binomials count the possible continuations.
    asked, drawn : int
        Number of examples from the discriminator, and number of examples that the generator drew.
    """

    generator: DualGenerator
    groups: dict[Key, float]
    asked: int = 0
    drawn: int = 0
    proposed: tuple[int, ...] = ()

    @property
    def weights(self) -> tuple[int, ...]:
        """The proposed distribution P_t."""
        return self.proposed

    @property
    def remaining(self) -> int:
        """The number of rounds after the next round."""
        return max(0, self.generator.rounds - self.asked - self.drawn - 1)

    @cached_property
    def forecast(self) -> NDArray[np.float64]:
        """The forecast Q for every concept of the class."""
        generator = self.generator
        ones = np.zeros(len(generator.of))
        everything = np.zeros(len(generator.of))
        for (soa, made), weight in self.groups.items():
            for place, h in enumerate(generator.dual.domain):
                said = soa._predict(h)
                staying, leaving = self._ways(soa, made, place, said, weight)
                ones[place] += staying if said else leaving
                everything[place] += staying + leaving
        return ones / everything

    def _ways(
        self, soa: ConservativeSOA, made: int, place: int, said: Label, weight: float
    ) -> tuple[float, float]:
        """Return the weights of the experts of a group that agree with the SOA, and of the rest."""
        most = self.generator.dimension - made
        h = self.generator.dual.domain[place]
        leaving = 0.0
        if most and not soa.version_space.restrict(h, 1 - said).is_empty:
            leaving = weight * _choices(self.remaining, most - 1)
        return weight * _choices(self.remaining, most), leaving

    def after(self, answer: Answer, coins: Coins) -> DualProposal:
        """Return the proposal after the answer and after draws until it matches the forecast."""
        later = self._reweighted(answer)
        return replace(later, asked=self.asked + 1).settled(coins)

    def _reweighted(self, example: Answer) -> DualProposal:
        place, label = example
        h, loses = self.generator.dual.domain[place], exp(-self.generator.rate)
        groups: dict[Key, float] = {}
        for (soa, made), weight in self.groups.items():
            said = soa._predict(h)
            steps = [(said, (soa, made))]
            if made < self.generator.dimension and not (
                soa.version_space.restrict(h, 1 - said).is_empty
            ):
                steps.append((1 - said, (soa._observe(h, 1 - said), made + 1)))
            for says, key in steps:
                groups[key] = groups.get(key, 0.0) + weight * (loses if says != label else 1.0)
        top = max(groups.values())
        return replace(self, groups={key: weight / top for key, weight in groups.items()})

    def settled(self, coins: Coins) -> DualProposal:
        """Return the first later proposal whose shares are within alpha/4 of the forecast."""
        state = self
        while True:
            shares, off = state._nearest()
            if off <= float(state.generator.alpha) / 4 or not state.remaining:
                weights = [0] * len(state.generator.of.domain)
                for place, share in zip(state.generator._points, shares, strict=True):
                    weights[place] = int(share * GRAIN)
                return replace(state, proposed=tuple(weights))
            examples, chances = state._witness()
            example = examples[coins.pick([0] * len(chances), counts=chances)]
            state = replace(state._reweighted(example), drawn=state.drawn + 1)

    def _nearest(self) -> tuple[list[float], float]:
        """Return the distribution with shares nearest to the forecast, and its distance."""
        labels = self.generator.dual.labels.astype(float)  # points x concepts
        points, concepts = labels.shape
        above = np.hstack([labels.T, -np.ones((concepts, 1))])
        below = np.hstack([-labels.T, -np.ones((concepts, 1))])
        solved = linprog(
            np.append(np.zeros(points), 1.0),
            A_ub=np.vstack([above, below]),
            b_ub=np.concatenate([self.forecast, -self.forecast]),
            A_eq=[[1.0] * points + [0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * (points + 1),
        )
        return np.maximum(solved.x[:-1], 0).tolist(), float(solved.x[-1])

    def _witness(self) -> tuple[list[Answer], list[int]]:
        """Return examples with counts on which the forecast loses alpha/4 more than every point."""
        labels = self.generator.dual.labels.astype(float)
        gaps = labels - self.forecast  # points x concepts
        points, concepts = gaps.shape
        solved = linprog(
            np.append(np.zeros(2 * concepts), -1.0),
            A_ub=np.hstack([-gaps, gaps, np.ones((points, 1))]),
            b_ub=np.zeros(points),
            A_eq=[[1.0] * 2 * concepts + [0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * (2 * concepts) + [(None, None)],
        )
        counts = (np.maximum(solved.x[:-1], 0) * GRAIN).astype(np.int64).tolist()
        listed = [(place, label) for label in (1, 0) for place in range(concepts)]
        kept = [(example, count) for example, count in zip(listed, counts, strict=True) if count]
        return [example for example, _ in kept], [count for _, count in kept]
