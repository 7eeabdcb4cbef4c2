r"""Discriminators of sequential fooling games, which find concepts on which a proposal is wrong.

A generator proposes a public description of a data set S of n points. A discriminator, which holds
S, returns a concept on which the proposal is wrong, or "WIN" if it finds no such concept. Both
discriminators in this module run private proper agnostic empirical learners [LWY25, Def. A.9].
Given the points of S, each with the label 1, such a learner finds a concept of any given part of a
class that is 1 on nearly as many points of S as possible. With the label 0, it finds a concept that
is 1 on as few points as possible.

All counts are integers, and all noise is discrete Laplace noise on counts.

**Against a distribution** [LWY25, Lemma D.7]: `FoolingDiscriminator`. Let F be H and its
complements, P_t the proposal, k = ceil(10/alpha), and F_i the members of F with P_t(h) above
(i-1)/k and at most i/k (F_1 also contains the members with 0). Parts without a concept are left
out. N is n P_S, a number of points.

1. *Choice*, epsilon/3: the exponential mechanism over the parts, with the score max N(h) - n i/k.
   One replaced point changes this score by at most 1, in units of 1/k.
2. *Learner*, (epsilon/3, delta), on the chosen part F_j.
3. *Test*, epsilon/3: return h_0 if N(h_0) + X >= n (j/k + 3 alpha/5), X of scale 3/epsilon.

**Privacy**: three releases, each a function of the data and of earlier releases, with (epsilon,
delta) in total. P_t is public, and so is the set of parts.

**Accuracy.** If n is at least `rows_needed`, then except with probability beta (three times beta/3)
each of the three releases is off by at most n alpha/10: the choice by the shortfall of the
exponential mechanism, ln(3k/beta) 6/epsilon points, the learner by its accuracy bound, and the test
by X. If h_0 is returned, N(h_0) >= n (j/k + 3 alpha/5) - X >= n (P_t(h_0) + alpha/2). Otherwise,
every h, in F_i for example, has N(h)/n - P_t(h) <= max over F_i of N/n - (i-1)/k <= N(h_0)/n - j/k
+ 1/k + 2 alpha/10 < alpha. As F is closed under complements, |P_S(h) - P_t(h)| < alpha for all h of
H.

*Printed version*: a sentence of the proof has noise Lap(3/epsilon) on the **share** P_S(h_0) in
step 3, n times the noise of its next display, which is right. With the larger noise, P[pass] would
be 1/2 up to (1 + alpha) epsilon/6 for all S and P_t, since the share is within 1 + 3 alpha/5 of its
threshold. For step 1, the proof has 20 ln(60/(alpha beta))/(epsilon alpha) points, a third of the
number that its budget epsilon/3 needs. The lemma, whose constant is not given, is true.

**Against a set** [LWY25, Lemma E.2]: `RealizableDiscriminator`. The proposal Q_t states for every h
of H whether h is 1 on some points of S, approximately. It should be 1 if P_S(h) >= alpha and 0 if
P_S(h) = 0. Let H_0 and H_1 be the concepts that Q_t maps to 0 and 1.

1. *Learner*, (epsilon/4, delta/2), on H_0 and S with labels 1: h_0. *Test*, epsilon/4: return
   (h_0, 1) if N(h_0) + X >= 2 alpha n/3, X of scale 4/epsilon.
2. *Learner*, (epsilon/4, delta/2), on H_1 and S with labels 0: h_1. *Test*, epsilon/4: return
   (h_1, 0) if N(h_1) + X <= alpha n/3. (If H_0 or H_1 has no concept, its step is left out.)

**Privacy**: (epsilon, delta), as above. **Accuracy**: except with probability beta, all four
releases are off by at most n alpha/9. Then (h, 1) is returned only if P_S(h) >= 5 alpha/9 and
Q_t(h) = 0, (h, 0) only if P_S(h) <= 4 alpha/9 and Q_t(h) = 1, and "WIN" only if Q_t is right: on
H_0, P_S <= P_S(h_0) + alpha/9 < 8 alpha/9, and on H_1, P_S >= P_S(h_1) - alpha/9 > alpha/9.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Annotated, ClassVar

import numpy as np

from learners.accounting import Event, PureDP, Scope, Sequential, basic
from learners.budget import Budget
from learners.checked import Alpha, Epsilon, Failure, Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.noise import upper_bound
from learners.mechanisms.selection import ExponentialMechanism
from learners.number_arguments import least_integer
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.base import BatchLearner
from learners.pac.generic import GenericLearner
from learners.pac.samples import Sample
from learners.sanitizers.point_samples import PointSample
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept
from lsclasses.options import Option, check_fields
from lsclasses.packed_sums import weighted_sums
from lsclasses.point_names import Label
from lsclasses.table import Table


class MarkedPoints:
    """A data set as a sample for learners, in which all points have one label.

    Parameters
    ----------
    points : PointSample
        The points.

    Examples
    --------
    >>> from lsclasses import FiniteDomain
    >>> list(MarkedPoints(PointSample(FiniteDomain("abc"), "abb")).ones)
    [('a', 1), ('b', 1), ('b', 1)]
    """

    def __init__(self, points: PointSample) -> None:
        self.points = points

    def __len__(self) -> int:
        return len(self.points)

    def _marked(self, label: Label) -> Sample:
        return Sample.drawn(self.points.domain, tuple((x, label) for x in self.points))

    @cached_property
    def ones(self) -> Sample:
        """The points with label 1. A concept errs on the points where it is 0."""
        return self._marked(1)

    @cached_property
    def zeros(self) -> Sample:
        """The points with label 0. A concept errs on the points where it is 1."""
        return self._marked(0)

    def counts(self, C: Table) -> list[int]:
        """Return the number of the points on which each concept of a table is 1."""
        return weighted_sums(C.packed, self.points.counts.tolist())


# ---- private proper agnostic empirical learners


@dataclass(frozen=True)
class PartLearners(ABC):
    """Private proper agnostic empirical learners for all parts of a class, at one privacy cost.

    Parameters
    ----------
    whole : Table
        Class that is divided into parts.
    size : int
        Number of rows.
    epsilon : Fraction
        Largest privacy cost of one hypothesis, for every part.
    failure : Fraction
        Probability that the error exceeds the error of the part's best concept by more than
        `error`.

    Raises
    ------
    InvalidInput
        If a number is out of range, or there are too few rows to make the learner.
    """

    whole: Table
    size: Rows
    epsilon: Epsilon
    failure: Failure = FAILURE

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    @abstractmethod
    def cost(self) -> Event:
        """The privacy cost of a hypothesis, which is equal for all parts."""

    @property
    @abstractmethod
    def error(self) -> Fraction:
        """A bound on the error minus the error of the best concept, as a share of the rows."""

    @abstractmethod
    def learner(self, part: Table) -> BatchLearner:
        """Return the learner for a non-empty part, whose hypotheses are concepts of the part."""


class ExponentialParts(PartLearners):
    """Learners that choose a concept of a part of the class by the exponential mechanism.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7").to_table()
    >>> ExponentialParts(C, 1000, Fraction(1)).error  # floor(2 ln(8/beta)) rows
    Fraction(1, 100)
    """

    @property
    def cost(self) -> Event:
        """The privacy cost of one choice."""
        return ExponentialMechanism(self.epsilon).privacy

    @property
    def error(self) -> Fraction:
        """The shortfall of the exponential mechanism, for the concepts of the whole class."""
        mechanism = ExponentialMechanism(self.epsilon)
        return Fraction(mechanism.shortfall(len(self.whole), self.failure), self.size)

    def learner(self, part: Table) -> GenericLearner:
        """Return the exponential mechanism over a part."""
        return GenericLearner(part, self.epsilon)


class AgnosticParts(PartLearners):
    """Learners by [LWY25, Alg 4] for each part of a class, with an inner realizable learner.

    The number of drawn rows and the budget of the inner learner are computed for the whole class.
    So all parts have one privacy cost, and one bound on their errors holds for all parts.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=7").to_table()
    >>> parts = AgnosticParts(C, 20_000, Fraction(1))
    >>> float(parts.error) < 0.1, parts.learner(C.restrict(3, 1)).drawn == parts.learner(C).drawn
    (True, True)
    """

    @cached_property
    def _whole_learner(self) -> AgnosticEmpirical:
        # The target error does not matter, because the number of rows is given.
        # The caller that made the parts has checked whether such an epsilon is intended.
        budget = Budget(self.epsilon, allow_weak_privacy=True)
        return AgnosticEmpirical.for_error(
            self.whole, Fraction(1, 10), budget, beta=self.failure, rows=self.size
        )

    @property
    def cost(self) -> Event:
        """The budget, which covers the learner's privacy cost."""
        return PureDP(
            self.epsilon, name="agnostic empirical learner", scope=Scope.adaptive("replace_one")
        )

    @property
    def error(self) -> Fraction:
        """The error of [LWY25, Claim D.6] for the number of concepts of the whole class."""
        value = self._whole_learner.bounds()[0].value
        assert value is not None
        return Fraction(value)

    def learner(self, part: Table) -> AgnosticEmpirical:
        """Return the learner for a part, with the parameters for the whole class."""
        whole = self._whole_learner
        assert isinstance(whole.inner, GenericLearner)
        inner = GenericLearner(part, whole.inner.epsilon)
        return AgnosticEmpirical(part, inner, whole.rate, self.size, whole.beta)


# ---- discriminators


@dataclass(frozen=True)
class Discriminator(ABC):
    """Base class of the two discriminators, which find a concept on which a proposal is wrong.

    Parameters
    ----------
    of : Table
        The class H.
    size : int
        Public number n of points of the data set.
    alpha : Fraction
        Allowed error of a proposal, strictly between 0 and 1.
    epsilon : Fraction
        Budget of one answer.
    beta : Fraction
        Probability of a wrong answer.
    parts : type of PartLearners
        Type of the learners. Each learner chooses a concept of a part of the class by the rows.

    Raises
    ------
    InvalidInput
        If the class is empty or a parameter is out of range.
    """

    of: Table
    size: Annotated[int, Option("number of points", minimum=1)]
    alpha: Alpha
    epsilon: Epsilon
    _: KW_ONLY
    beta: Failure = FAILURE
    parts: type[PartLearners] = ExponentialParts

    releases: ClassVar[int]
    """Number of releases among which epsilon is divided."""
    margin: ClassVar[int]
    """Denominator of the allowed error alpha/margin of each release, as a share of the points."""

    def __post_init__(self) -> None:
        if self.of.is_empty:
            raise InvalidInput("A discriminator needs a class with at least one concept.")
        check_fields(self)

    @property
    def share(self) -> Fraction:
        """The budget of each release of the discriminator."""
        return self.epsilon / self.releases

    @property
    def scale(self) -> Fraction:
        """The scale of the noise of a test, in numbers of points."""
        return 1 / self.share

    @property
    def failure(self) -> Fraction:
        """The failure probability of one answer of the discriminator."""
        return self.beta / self.releases

    @property
    @abstractmethod
    def queries(self) -> Table:
        """The class whose parts are searched."""

    @property
    @abstractmethod
    def privacy(self) -> Event:
        """The privacy cost of one answer."""

    @cached_property
    def learners(self) -> PartLearners:
        """The learners that find a concept in a part of the queries."""
        return self.parts(self.queries, self.size, self.share, self.failure)

    @property
    def off(self) -> Fraction:
        """A bound on the error of each release, as a share of the points.

        The bound fails with the failure probability of the release.

        Only one side of a test's noise can cause an error. If a test must return its concept, only
        noise that is too low causes an error. If the test must not return the concept, only noise
        that is too high causes an error. If both answers are right, no noise causes an error.
        """
        return max(self.learners.error, Fraction(upper_bound(self.scale, self.failure), self.size))

    @property
    def enough(self) -> bool:
        """Whether the sample is large enough for the proved accuracy."""
        try:
            return self.off <= self.alpha / self.margin
        except InvalidInput:
            # There are too few rows to make a learner.
            return False

    @property
    def rows_needed(self) -> int:
        """The sample size that the proved accuracy needs."""
        return least_integer(lambda size: replace(self, size=size).enough, 0)

    def _found(self, part: Table, marked: Sample, coins: Coins) -> int:
        """Return the position in the part of the concept that a learner finds."""
        learner = self.learners.learner(part)
        _require_price(learner, self.learners)
        place = part.position(learner.fit(marked, coins))
        if place is None:
            raise InvalidInput(
                f"The learner must be proper: its hypotheses must be concepts of the part. "
                f"{learner!r} found another function."
            )
        return place

    def _require_size(self, data: MarkedPoints) -> None:
        if len(data) != self.size:
            raise InvalidInput(
                f"The discriminator and its accuracy bound need {self.size} points. "
                f"Got {len(data)}."
            )

    def _require_length(self, proposal: Sequence[int], length: int, what: str, of: str) -> None:
        if len(proposal) != length:
            raise InvalidInput(
                f"A proposal must have a {what} for every {of}: {length}. Got {len(proposal)} "
                f"{what}s."
            )


def _require_price(learner: BatchLearner, parts: PartLearners) -> None:
    """Refuse a learner that costs more than the ledger charges for it."""
    if learner.privacy is None:
        raise InvalidInput(f"The learner of a part must be private. {learner!r} is not.")
    if learner.privacy == parts.cost:
        return
    charged, slack = basic(parts.cost)
    epsilon, delta = basic(learner.privacy)
    if epsilon > charged or delta > slack:
        raise InvalidInput(
            f"A learner of a part may cost at most ({charged}, {slack}). {learner!r} costs "
            f"({epsilon}, {delta})."
        )
    # Equal sums can compose worse: PureDP(e) has four times the zCDP of a choice.
    rho = learner.privacy.profile().concentrated
    if rho > parts.cost.profile().concentrated:
        raise InvalidInput(
            f"A learner of a part may cost at most {parts.cost.profile().concentrated} of zCDP, by "
            f"which the answers are composed. {learner!r} costs {rho}."
        )


@dataclass(frozen=True)
class FoolingDiscriminator(Discriminator):
    """A private discriminator for concepts more frequent in the data than proposed [LWY25, D.7].

    The module's docstring describes the algorithm, its privacy and its accuracy.

    Examples
    --------
    In the example, half of the data are at the point 0, which has weight 0 in the proposal:

    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=4").to_table()
    >>> discriminator = FoolingDiscriminator(C, 40_000, Fraction(1, 4), Fraction(1))
    >>> discriminator.rows_needed
    1867
    >>> data = MarkedPoints(PointSample(C.domain, [0, 1] * 20_000))
    >>> found = discriminator.answer(data, (0, 1, 1, 1), SeededCoins(1))
    >>> found.support, discriminator.answer(data, (1, 1, 0, 0), SeededCoins(1)) is None
    ((0,), True)
    """

    releases: ClassVar[int] = 3
    margin: ClassVar[int] = 10

    @property
    def bins(self) -> int:
        """The number k of parts, including empty parts."""
        return ceil(self.margin / self.alpha)

    @property
    def choice(self) -> ExponentialMechanism:
        """The mechanism that chooses a part. Its scores are in units of 1/k points."""
        return ExponentialMechanism(self.share, sensitivity=self.bins)

    @cached_property
    def queries(self) -> Table:
        """The queries, which are H and its complements."""
        return self.of | self.of.complement()

    @property
    def privacy(self) -> Event:
        """The privacy cost of one answer."""
        test = PureDP(self.share, name="noisy test", scope=Scope.adaptive("replace_one"))
        return Sequential((self.choice.privacy, self.learners.cost, test))

    @property
    def off(self) -> Fraction:
        """A bound on the error of each of the three releases, including the choice."""
        shortfall = self.choice.shortfall(self.bins, self.failure)
        return max(super().off, Fraction(shortfall, self.bins * self.size))

    def part(self, proposal: Sequence[int]) -> list[int]:
        """Return the part of each query, from 1 to k, for a `proposal` as in `answer`."""
        total, k = sum(proposal), self.bins
        return [
            max(1, -(-k * ones // total)) for ones in weighted_sums(self.queries.packed, proposal)
        ]

    def threshold(self, part: int) -> int:
        """Return the least noisy count with which a concept of a part is returned."""
        return ceil(self.size * (Fraction(part, self.bins) + self.alpha * 3 / 5))

    def answer(self, data: MarkedPoints, proposal: Sequence[int], coins: Coins) -> Concept | None:
        """Return a concept of H or a complement that is more frequent than proposed, or None.

        None means "WIN".

        Parameters
        ----------
        data : MarkedPoints
            True points.
        proposal : sequence of int
            Weights of the points of the domain, at least 0 and not all 0.
        coins : Coins
            Source of the random draws.

        Raises
        ------
        InvalidInput
            If the number of points differs from `size`, the proposal has another length, or the
            learner finds a function that is not a member of the part.
        """
        self._require_size(data)
        self._require_length(proposal, len(self.of.domain), "weight", "point")
        counts, parts = data.counts(self.queries), np.array(self.part(proposal))
        best = {
            int(i): max(counts[h] for h in np.flatnonzero(parts == i)) for i in np.unique(parts)
        }
        scores = [self.bins * most - self.size * i for i, most in best.items()]
        j = list(best)[self.choice.release(scores, coins)]
        members = np.flatnonzero(parts == j)
        found = members[self._found(self.queries._subclass(members), data.ones, coins)]
        passed = coins.at_least(counts[found], self.scale, self.threshold(j))
        return self.queries[found] if passed else None


@dataclass(frozen=True)
class RealizableDiscriminator(Discriminator):
    """A private discriminator that finds a concept with a wrong proposed label [LWY25, E.2].

    The module's docstring describes the algorithm, its privacy and its accuracy.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("points:n=4").to_table()
    >>> discriminator = RealizableDiscriminator(C, 40_000, Fraction(1, 4), Fraction(1))
    >>> discriminator.rows_needed
    1656
    >>> data = MarkedPoints(PointSample(C.domain, [0, 1] * 20_000))
    >>> found, label = discriminator.answer(data, (0, 1, 0, 1), SeededCoins(1))
    >>> found.support, label
    ((0,), 1)
    >>> found, label = discriminator.answer(data, (1, 1, 0, 1), SeededCoins(1))
    >>> found.support, label, discriminator.answer(data, (1, 1, 0, 0), SeededCoins(1)) is None
    ((3,), 0, True)
    """

    releases: ClassVar[int] = 4
    margin: ClassVar[int] = 9

    @property
    def queries(self) -> Table:
        """The queries, which are the concepts of the class."""
        return self.of

    @property
    def privacy(self) -> Event:
        """The privacy cost of one answer."""
        step = (
            self.learners.cost,
            PureDP(self.share, name="noisy test", scope=Scope.adaptive("replace_one")),
        )
        return Sequential(step + step)

    def answer(
        self, data: MarkedPoints, proposal: Sequence[Label], coins: Coins
    ) -> tuple[Concept, Label] | None:
        """Return a concept and its right label, which differs from the proposed label, or None.

        None means "WIN".

        Parameters
        ----------
        data : MarkedPoints
            True points.
        proposal : sequence of 0 and 1
            Proposed label Q_t for every concept of the class, in its order.
        coins : Coins
            Source of the random draws.

        Raises
        ------
        InvalidInput
            If `FoolingDiscriminator.answer` would refuse the data or the proposal.
        """
        self._require_size(data)
        self._require_length(proposal, len(self.of), "label", "concept")
        counts, proposed = data.counts(self.of), np.array(proposal)
        least = ceil(self.size * self.alpha * 2 / 3)
        most = int(self.size * self.alpha / 3)
        for label, sign, marked, threshold in (
            (1, 1, data.ones, least),
            (0, -1, data.zeros, -most),
        ):
            members = np.flatnonzero(proposed != label)
            if not len(members):
                continue
            found = members[self._found(self.of._subclass(members), marked, coins)]
            if coins.at_least(sign * counts[found], self.scale, threshold):
                return self.of[int(found)], label
        return None
