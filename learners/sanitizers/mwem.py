r"""MWEM: synthetic data by multiplicative weights on privately chosen queries (`MWEMSanitizer`).

MWEM is a sequential game [LWY25, App. D.2] on a finite domain X. The generator holds weights on X,
which are all equal at first. The discriminator holds the data S, n points, and chooses a query on
which these weights are too small. The generator raises the weights of the points where this query
is 1. The queries are the concepts h of the class and their complements 1 - h, k = 2 |H| in total.
A round has three steps:

1. *Choose* a query by the exponential mechanism, of budget e_1, with the scores
   n (P_S(h) - P_t(h)).
2. *Test* the query: if n (P_S(h) - P_t(h)) + Z < 3 a n/4, with discrete Laplace noise Z of scale
   1/e_2, return "WIN", and P_t is the result.
3. Otherwise continue with P_(t+1)(x) proportional to P_t(x) exp(5 a h(x)/2).

The game ends after T rounds at the latest.

**Weights are integers.** After some updates, the logarithm of a point's ideal weight is 5a/2 times
the number of updates that raised it, an integer k(x) (a complement 1 - h lowers the points of h
instead, which is equivalent after normalization). In a table of the numbers floor(2^60 exp(-5 a
j/2)), each certain to the last digit, E(x) is the entry for j = max k - k(x). The weight of x is
w(x) = floor(2^K E(x) / sum E). All numbers are integers, equal on every machine, and computed only
from the release. P_t always denotes these integer weights: in scores, tests and the result.

**Privacy.** Let W be the sum of the weights, w(h) the sum over the points of h, and c(h) the number
of data points in h. The score times W is the integer W c(h) - n w(h). Given the transcript so far,
W and w are equal for neighbouring data sets, n is public, and c(h) changes by at most 1. So the
score times W changes by at most W, exactly, and a choice in proportion to exp(e_1 score/2) has
bounded range e_1. The test is whether c(h) + Z reaches the integer ceil(3 a n/4 + n w(h)/W), where
c(h) changes by at most 1, so it is e_2-DP. The whole run is an adaptive composition of T choices
and T tests, for every class, a and T. By zCDP, it is (e_1^2/8 + e_2^2/2) T-zCDP. `for_error`
computes e_1 by the best of all accountants (`learners.accounting.largest_parameter`). Weights and
result are computed from the transcript.

**Rounding.** Consider numbers of sum R that are replaced by smaller numbers, by d(x) each and by d
in total. The share of a set of points then changes by |d P(h) - d(h)|/(R - d) <= d/(R - d), where P
is the share before. Two steps cut off parts of less than 1: the rounding of 2^60 exp(.), whose sum
is at least 2^60, and of 2^K E/sum E. So P_t(h) is within r = |X|/(2^60 - |X|) + |X|/(2^K - |X|) of
P*_t(h), the ideal share, which is proportional to exp(5 a k(x)/2). K is the least integer with
2^K >= 1024 |X|/a, so r < a/1000.

**Accuracy.** Suppose that every chosen query falls short of the best query by at most a n/8, and
that every |Z| is at most a n/8. Then (i) if a query passes, P_S(h) - P_t(h) >= 5a/8. (ii) At WIN
every query has P_S(h) - P_t(h) < 3a/4 + a/8 + a/8 = a, so, as complements are queries,
|P_S(h) - P_t(h)| < a for all h of H. (iii) There are at most ln|X|/D updates, where
D = 25 a^2/32 - 5 a r/2: with u = 5a/2,

    KL(P_S || P*_t) - KL(P_S || P*_(t+1)) = u P_S(h) - ln(E exp(u h)), expectation under P*_t,
                                         >= u (P_S(h) - P*_t(h)) - u^2/8      (Hoeffding's lemma)
                                         >= u (5a/8 - r) - u^2/8 = D,

and the divergence is at first at most ln|X| and never negative. (Without rounding D = 2 g^2 for the
gap g = 5a/8.) So with T = floor(ln|X|/D) + 1, some round returns WIN.

A choice falls short by more than (2/e_1) ln(2 k T/b) with probability at most b/(2T). A |Z| exceeds
`noise_bound`(1/e_2, b/(2T)) with at most this probability. Over T rounds, all choices and tests are
right except with probability b, if a n/8 is at least both bounds. The budgets are chosen such that
both bounds are equal, e_1/e_2 = 2 ln(2kT/b)/ln(2T/b). This choice needs about half of the rows that
e_1 = e_2 needs.

Labelled data (x, y) are points of X x {0, 1}, and `Table.label_class` is the class of queries. A
splitting by labels [LWY25, Lemma 2.8] is not needed.

References
----------
Hardt, Ligett and McSherry 2012 for MWEM; Bousquet, Livni and Moran 2020 for sequential fooling;
[LWY25, App. D.2]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil
from typing import Annotated

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from learners import checked
from learners.accounting import (
    BoundedRange,
    Event,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    largest_parameter,
    zcdp_rho,
)
from learners.accounting.calibration import require_composition
from learners.balls import ball, ceiling, floor, log, round_down
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import CompositionDelta, Epsilon, Failure, Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.selection import ExponentialMechanism
from learners.number_arguments import PRECISION, least_integer, require_size
from learners.pac.base import enough_rows
from learners.sanitizers.base import SANITIZATION_ERROR, TRIVIAL_ERROR, Sanitizer, SyntheticData
from learners.sanitizers.point_samples import PointSample
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.searching.blas import exact_product
from lsclasses.table import Table

FINE = 60
"""Number of bits of the ideal weights, which are exact up to 2^-60 of the largest weight."""
GRAIN = 1024
"""Inverse of the part of alpha that rounding of weights may cost, approximately."""
LARGEST_SCORE = 1 << 61
"""Largest score, in units of 1/W rows, so that scores are integers of 64 bits."""
ENTRIES = 1 << 26
"""Largest number of labels of a table that are stored as numbers. Labels of larger tables are
unpacked in every round."""
CHUNK = 1 << 24
LEAST = Fraction(1, 10**4)
"""Least error. Smaller errors would need a hundred million rounds for a few points."""
GRID = 1000
"""Denominator of the errors from which `MWEMSanitizer.within` chooses."""
BITS = 10
"""Number of bits of the budget of one round, which is rounded down so that draws are fast."""


@lru_cache(maxsize=64)
def _powers(rate: Fraction) -> tuple[int, ...]:
    """Return the numbers floor(2^60 exp(-rate j)) for j = 0, 1, ..., to the last positive one."""
    found = [1 << FINE]
    while found[-1]:
        exponent = rate * len(found)
        found.append(floor(lambda: ball(1 << FINE) * (-ball(exponent)).exp()))  # noqa: B023
    return tuple(found[:-1])


@dataclass(frozen=True)
class MWEMRun:
    """The release of `MWEMSanitizer`, with the private choices of its rounds.

    Attributes
    ----------
    chosen : tuple of int
        Query that each round chose: the position of a concept in the class, or for the complement
        of a concept, the position plus the number of concepts.
    won : bool
        Whether the test of the last query found no large error, so that the weights were accepted.
    data : SyntheticData
        Weights of the points, which are computed from the queries.
    """

    chosen: tuple[int, ...]
    won: bool
    data: SyntheticData

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.chosen)

    @property
    def updates(self) -> tuple[int, ...]:
        """The queries that changed the weights, in order."""
        return self.chosen[:-1] if self.won else self.chosen


@dataclass(frozen=True)
class MWEMSanitizer(Sanitizer):
    """A sanitizer by the algorithm MWEM: it releases private weights of the points of the domain.

    For every concept, the weight of the points that the concept labels 1 estimates the share of
    such points in the data. In each round, a query is a concept or its complement. The mechanism
    privately chooses a query for which the weights have a large error, tests the error, and updates
    the weights. The module `learners.sanitizers.mwem` contains the algorithm and the proofs.
    Privacy holds for all parameter values. The accuracy bound requires at least `needed` rows and
    enough rounds. The methods `for_error` and `within` ensure both.

    Parameters
    ----------
    of : Table
        Class of the concepts. For labelled data, it is the result of `Table.label_class`.
    alpha : Fraction
        Largest error of an estimate, strictly between 0 and 1.
    max_rounds : int
        Largest number T of rounds.
    select, test : Fraction
        Epsilon of one choice of a query and epsilon of one test of a query.
    beta : Fraction
        Failure probability of the accuracy bound.
    composition_delta : Fraction, optional
        Delta at which the total is stated. The default is the total by basic composition.

    Raises
    ------
    InvalidInput
        If the class has no concepts, or a number is out of range.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.sanitizers.base import sanitization_error
    >>> C = catalog.build("intervals:n=32").to_table()
    >>> sanitizer = MWEMSanitizer.for_error(C, Fraction(1, 10), Budget(1, Fraction(1, 10**6)))
    >>> sanitizer.needed, sanitizer.max_rounds
    (139280, 445)
    >>> rows = PointSample.at(C.domain, [x * x // 40 % 32 for x in range(150_000)])
    >>> sanitized = sanitizer.release(rows, SeededCoins(1))
    >>> float(sanitization_error(sanitized, C, rows)) < 0.1
    True
    """

    of: Table
    alpha: Fraction
    max_rounds: Annotated[int, Option("rounds", minimum=1)]
    select: Epsilon
    test: Epsilon
    beta: Failure = FAILURE
    composition_delta: CompositionDelta | None = None

    @classmethod
    @check_arguments
    def for_error(
        cls,
        of: ConceptClass,
        alpha: Fraction,
        budget: Budget,
        *,
        beta: Failure = FAILURE,
        composition: str = "best",
    ) -> MWEMSanitizer:
        """Return a sanitizer with few needed rows (`needed`) for a budget and an error alpha.

        Parameters
        ----------
        of : ConceptClass
            Finite class, which is enumerated as a table.
        alpha, beta
            Largest error of an estimate, and failure probability of the accuracy bound.
        budget : Budget
            Privacy budget of all rounds. With delta = 0, the cost is computed by basic composition.
        composition : "best" or "zcdp"
            Accountants that calibrate the rounds: all accountants for "best", only zCDP for "zcdp".

        Raises
        ------
        InvalidInput
            If a number is out of range, or the class has no concepts.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=256").to_table()
        >>> for alpha in (Fraction(1, 20), Fraction(1, 10), Fraction(1, 5)):
        ...     print(MWEMSanitizer.for_error(C, alpha, Budget(1, Fraction(1, 10**6))).needed)
        799200
        176000
        39600
        """
        epsilon, delta = Budget.require(budget)
        error, failure = _checked_alpha(alpha), beta
        require_size(epsilon, delta or Fraction(1), failure)
        require_composition(composition)
        table = of.to_table()
        if table.is_empty:
            raise InvalidInput("A sanitizer needs a class with at least one concept.")
        rounds = _rounds(len(table.domain), error)
        with ctx.workprec(PRECISION):
            choosing = 2 * log(4 * len(table) * rounds / failure)
            share = round_down(log(2 * rounds / failure) / choosing)
        select = _zcdp_select(rounds, share, epsilon, delta)
        if delta and composition == "best":
            select = _calibrated_select(rounds, share, epsilon, delta)
        test = _rounded(select * share)
        return cls(table, error, rounds, select, test, failure, delta or None)

    @classmethod
    @check_arguments
    def within(
        cls,
        budget: Budget,
        of: ConceptClass,
        rows: Rows,
        *,
        beta: Fraction = FAILURE,
        composition: str = "best",
    ) -> MWEMSanitizer:
        """Return the sanitizer with the least error, up to 1/1000, for a number of rows.

        The remaining arguments are arguments of `MWEMSanitizer.for_error`.

        Raises
        ------
        InvalidInput
            If the budget and the number of rows allow no error below 1, or a number is out of
            range.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=256").to_table()
        >>> MWEMSanitizer.within(Budget(1, Fraction(1, 10**6)), C, 100_000).alpha
        Fraction(131, 1000)
        """
        size, table = rows, of.to_table()

        def at(thousandths: int, accountants: str = composition) -> MWEMSanitizer:
            alpha = Fraction(thousandths, GRID)
            return cls.for_error(table, alpha, budget, beta=beta, composition=accountants)

        first = at(GRID - 1, "zcdp")
        if first.needed > size and (first := at(GRID - 1)).needed > size:
            raise InvalidInput(
                f"With {size} rows this budget allows no error below 1. Such an error needs "
                f"{first.needed} rows. Get more rows, or allow a larger budget."
            )

        def guess(factor: Fraction) -> int:
            return least_integer(lambda each: at(each, "zcdp").needed * factor <= size, 0, GRID - 1)

        least = guess(Fraction(1)) if first.needed <= size else GRID - 1
        # Calibration takes a second, and the ratio to the rows of zCDP is nearly constant.
        least = guess(Fraction(at(least).needed, at(least, "zcdp").needed))
        while at(least).needed > size:
            least += 1
        while least > 1 and at(least - 1).needed <= size:
            least -= 1
        return at(least)

    def __post_init__(self) -> None:
        if not len(self.of):
            raise InvalidInput("A sanitizer needs a class with at least one concept.")
        set_frozen_fields(self, alpha=_checked_alpha(self.alpha))
        check_fields(self)

    # ---- claims

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a release: the cost of all rounds, although most runs end earlier."""
        return _game_cost(self.max_rounds, self.select, self.test)

    @property
    def queries(self) -> int:
        """The number k of queries: the concepts and their complements."""
        return 2 * len(self.of)

    @property
    def rate(self) -> Fraction:
        """The number 5 alpha/2 by which an update raises the logarithm of a point's weight."""
        return 5 * self.alpha / 2

    @property
    def rounding(self) -> Fraction:
        """A bound on the error of an estimate from the rounding of weights to integers."""
        return _rounding(len(self.domain), self.alpha)

    @property
    def drop(self) -> Fraction:
        """A lower bound on the decrease of the divergence in one update of the weights.

        The divergence is the Kullback-Leibler divergence of the data from the weights. The bound is
        for a query on which the weights have an error of at least 5 alpha/8.
        """
        return _drop(len(self.domain), self.alpha)

    @cached_property
    def needed(self) -> int:
        """The number of rows that the accuracy bound needs.

        For n >= `needed` rows, except with probability beta, in all rounds the chosen query is
        within alpha n/8 of the largest error in rows, and the noise of the test is at most alpha
        n/8.
        """
        each = self.beta / (2 * self.max_rounds)
        short = ceiling(
            lambda: 16 * log(self.queries / each) / (ball(self.alpha) * ball(self.select))
        )
        noise = -(-8 * noise_bound(1 / self.test, each) // self.alpha)
        return max(short, int(noise), 1)

    @check_arguments
    def bounds(self, rows: Rows | None = None) -> tuple[Bound, ...]:
        """Return the bound on the errors of the estimates for `rows` rows, by default `needed`."""
        enough = enough_rows(self.needed)
        rounds = _rounds(len(self.domain), self.alpha)
        unmet = []
        if rows is not None and rows < self.needed:
            unmet.append(enough)
        if self.max_rounds < rounds:
            unmet.append(f"at least {rounds} rounds")
        return (
            Bound(
                __name__,
                SANITIZATION_ERROR,
                "alpha",
                self.alpha,
                TRIVIAL_ERROR,
                self.beta,
                (enough, f"at least {rounds} rounds"),
                tuple(unmet),
            ),
        )

    # ---- run

    def weights(self, updates: tuple[int, ...]) -> tuple[int, ...]:
        """Return the integer weights of the points after updates with the given queries.

        Examples
        --------
        >>> C = Table([[1, 0, 0], [1, 1, 0]])
        >>> sanitizer = MWEMSanitizer(C, Fraction(1, 5), 9, 1, 1)
        >>> sanitizer.weights(()), sanitizer.weights((1, 2))
        ((5461, 5461, 5461), (4490, 7403, 4490))
        """
        ups = np.zeros(len(self.domain), dtype=np.int64)
        for query in updates:
            self._update(ups, query)
        return tuple(self._weighted(ups).tolist())

    def run(self, sample: PointSample, coins: Coins) -> MWEMRun:
        """Run MWEM on a sample, and return the release with the transcript. Both are private."""
        size, concepts = len(sample), len(self.of)
        if size << self._resolution >= LARGEST_SCORE:
            raise TooLarge(
                f"Scores of {size} rows do not fit 64 bits at this error. The limit is "
                f"{(LARGEST_SCORE >> self._resolution) - 1} rows.",
                estimate=size,
                limit=(LARGEST_SCORE >> self._resolution) - 1,
            )
        counts = self._sums(np.array(sample.counts))
        ups = np.zeros(len(self.domain), dtype=np.int64)
        weights = self._weighted(ups)
        chosen: list[int] = []
        won = False
        while len(chosen) < self.max_rounds and not won:
            total, sums = int(weights.sum()), self._sums(weights)
            scores = total * counts - size * sums
            choice = ExponentialMechanism(self.select, sensitivity=total)
            query = choice.release(np.concatenate([scores, -scores]), coins)
            chosen.append(query)
            true, share = int(counts[query % concepts]), int(sums[query % concepts])
            if query >= concepts:
                true, share = size - true, total - share
            # The least integer count that reaches n P_t(h) + 3 alpha n/4.
            least = ceil(Fraction(size * share, total) + 3 * self.alpha * size / 4)
            won = not self._passes(true, least, coins)
            if not won:
                self._update(ups, query)
                weights = self._weighted(ups)
        return MWEMRun(
            tuple(chosen), won, SyntheticData(self.domain, tuple(weights.tolist()), size)
        )

    def _release(self, sample: PointSample, coins: Coins) -> SyntheticData:
        return self.run(sample, coins).data

    def _passes(self, true: int, least: int, coins: Coins) -> bool:
        return coins.at_least(true, 1 / self.test, least)

    def _update(self, ups: NDArray[np.int64], query: int) -> None:
        concepts = len(self.of)
        row = np.unpackbits(self.of.packed[query % concepts], count=len(ups)).astype(np.int64)
        ups += row if query < concepts else -row

    @cached_property
    def _resolution(self) -> int:
        """The number K such that weights add up to at most 2^K."""
        return _resolution(len(self.domain), self.alpha)

    def _weighted(self, ups: NDArray[np.int64]) -> NDArray[np.int64]:
        powers, resolution = _powers(self.rate), self._resolution
        behind = np.minimum(ups.max() - ups, len(powers))
        sizes = np.bincount(behind, minlength=len(powers)).tolist()
        total = sum(size * power for size, power in zip(sizes, powers, strict=False))
        scaled = [(power << resolution) // total for power in powers] + [0]
        found: NDArray[np.int64] = np.array(scaled, dtype=np.int64)[behind]
        return found

    @cached_property
    def _labels(self) -> NDArray[np.float64] | None:
        """The table as numbers, unless it is too large."""
        if len(self.of) * len(self.domain) > ENTRIES:
            return None
        return self.of.labels.astype(np.float64)

    def _unpacked(self, start: int, end: int) -> NDArray[np.uint8]:
        """Return labels of the concepts from one position to another."""
        packed = self.of.packed[start:end]
        return np.unpackbits(packed, axis=1, count=len(self.domain))

    def _sums(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sums over the points of every concept. They are exact, as they are < 2^53."""
        columns = numbers.astype(np.float64)
        if self._labels is not None:
            return exact_product(self._labels, columns).astype(np.int64)
        points = len(self.domain)
        step = max(1, CHUNK // points)
        return np.concatenate(
            [
                exact_product(self._unpacked(start, start + step).astype(np.float64), columns)
                for start in range(0, len(self.of), step)
            ]
        ).astype(np.int64)

    def __repr__(self) -> str:
        return (
            f"<MWEMSanitizer: {self.of}, error {self.alpha} from {self.needed} rows, at most "
            f"{self.max_rounds} rounds>"
        )


def _game_cost(rounds: int, select: Fraction, test: Fraction) -> Event:
    """Return the privacy cost of choices and tests of queries."""
    scope = Scope.adaptive("replace_one")
    choice = BoundedRange(select, name="choices of queries", scope=scope)
    tested = PureDP(test, name="tests of queries", scope=scope)
    return Sequential(tuple(SelfComposed(each, rounds) for each in (choice, tested)))


def _rounded(budget: Fraction) -> Fraction:
    with ctx.workprec(PRECISION):
        return round_down(ball(budget), BITS)


def _zcdp_select(rounds: int, share: Fraction, epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the epsilon of a choice by zCDP or basic composition. A test has `share` of it."""
    select = _rounded(epsilon / rounds / (1 + share))
    if not delta:
        return select
    with ctx.workprec(PRECISION):
        rho = ball(zcdp_rho(epsilon, delta) / rounds)
        return max(select, round_down((rho / ball(Fraction(1, 8) + share**2 / 2)).sqrt(), BITS))


@lru_cache(maxsize=256)
def _calibrated_select(
    rounds: int, share: Fraction, epsilon: Fraction, delta: Fraction
) -> Fraction:
    """Return a nearly largest epsilon of a choice within the budget, by all accountants."""
    return largest_parameter(
        lambda tried: _game_cost(rounds, tried, _rounded(tried * share)),
        _zcdp_select(rounds, share, epsilon, delta),
        epsilon,
        delta,
        rounded=_rounded,
    )


def _checked_alpha(alpha: object) -> Fraction:
    error = checked.share(alpha, "error alpha")
    if error < LEAST:
        raise InvalidInput(
            f"The error alpha must be at least {LEAST}, because rounds grow as 1/alpha^2. "
            f"Got {format_number(error)}."
        )
    return error


def _resolution(points: int, alpha: Fraction) -> int:
    return int(-(-GRAIN * points // alpha) - 1).bit_length()


def _rounding(points: int, alpha: Fraction) -> Fraction:
    return sum(
        (Fraction(points, (1 << bits) - points) for bits in (FINE, _resolution(points, alpha))),
        Fraction(0),
    )


def _drop(points: int, alpha: Fraction) -> Fraction:
    return 25 * alpha**2 / 32 - 5 * alpha * _rounding(points, alpha) / 2


def _rounds(points: int, alpha: Fraction) -> int:
    """Return the number of rounds T, one more than the largest number of updates."""
    drop = _drop(points, alpha)

    def updates() -> arb:
        return log(points) / ball(drop)

    return (floor(updates) if points > 1 else 0) + 1
