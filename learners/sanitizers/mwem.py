r"""MWEM: synthetic data by multiplicative weights on privately chosen queries (`MWEMSanitizer`).

A sequential game [LWY25, App. D.2] on a finite domain X. The generator holds weights on X, at first
all equal; the discriminator holds the data S, n points, and names a query on which these weights
are too small; the generator raises the weights where that query is 1. The queries are the concepts
h of the class and their complements 1 - h, k = 2 |H| in all. A round:

1. *choose* a query by the exponential mechanism, of budget e_1, with the scores
   n (P_S(h) - P_t(h));
2. *test* it: if n (P_S(h) - P_t(h)) + Z < 3 a n/4, with discrete Laplace noise Z of scale 1/e_2,
   say "WIN", and P_t is the result;
3. otherwise go on with P_(t+1)(x) proportional to P_t(x) exp(5 a h(x)/2).

After T rounds it ends in any case.

**Weights are integers.** After some updates the logarithm of a point's ideal weight is 5a/2 times
the number of updates that raised it, an integer k(x) (a complement 1 - h lowers the points of h
instead, which is the same after normalization). Of a table of the numbers
floor(2^60 exp(-5 a j/2)), each certain to the last digit, E(x) is the entry for j = max k - k(x),
and the weight of x is w(x) = floor(2^K E(x) / sum E): integers throughout, the same on every
machine, computed from what was released alone. They are what P_t means everywhere here: in scores,
tests and the result.

**Privacy.** Let W be the sum of the weights, w(h) that over the points of h, c(h) the number of
data points in h. The score times W is the integer W c(h) - n w(h). Given the transcript so far, W
and w are the same for neighbouring data sets, n is public, and c(h) changes by at most 1; so the
score times W changes by at most W, exactly, and a choice in proportion to exp(e_1 score/2) has
bounded range e_1. The test is whether c(h) + Z reaches the integer ceil(3 a n/4 + n w(h)/W), where
c(h) changes by at most 1: e_2-DP. All of that is adaptive composition of T choices and T tests,
(e_1^2/8 + e_2^2/2) T-zCDP, whatever the class, a and T are; weights and result are computed from
the transcript.

**Rounding.** Replacing numbers of sum R by others that are smaller by d(x) each, d in all, changes
the share of a set of points by |d P(h) - d(h)|/(R - d) <= d/(R - d), where P is the share before.
Twice parts of less than 1 are cut off: of 2^60 exp(.), whose sum is at least 2^60, and of
2^K E/sum E. So P_t(h) is within r = |X|/(2^60 - |X|) + |X|/(2^K - |X|) of P*_t(h), the ideal, which
is proportional to exp(5 a k(x)/2). K is the least integer with 2^K >= 1024 |X|/a, so r < a/1000.

**Accuracy.** Suppose that every chosen query falls short of the best one by at most a n/8, and that
every |Z| is at most a n/8. Then (i) if a query passes, P_S(h) - P_t(h) >= 5a/8; (ii) at WIN every
query has P_S(h) - P_t(h) < 3a/4 + a/8 + a/8 = a, so, as complements are queries,
|P_S(h) - P_t(h)| < a for all h of H; and (iii) there are at most ln|X|/D updates, where
D = 25 a^2/32 - 5 a r/2: with u = 5a/2,

    KL(P_S || P*_t) - KL(P_S || P*_(t+1)) = u P_S(h) - ln(E exp(u h)), expectation under P*_t,
                                         >= u (P_S(h) - P*_t(h)) - u^2/8      (Hoeffding's lemma)
                                         >= u (5a/8 - r) - u^2/8 = D,

and the divergence is at first at most ln|X| and never negative. (Without rounding D = 2 g^2 for the
gap g = 5a/8.) So with T = floor(ln|X|/D) + 1 some round says WIN.

A choice falls short by more than (2/e_1) ln(2 k T/b) with probability at most b/(2T), a |Z| exceeds
`noise_bound`(1/e_2, b/(2T)) with at most that: over T rounds everything is right except with
probability b, if a n/8 is at least both. The budgets are chosen such that both bounds are equal,
e_1/e_2 = 2 ln(2kT/b)/ln(2T/b), which needs about half of the rows that e_1 = e_2 needs.

Labelled data (x, y) are points of X x {0, 1}, and `Table.label_class` is the class of queries. No
splitting by labels is needed [LWY25, Lemma 2.8].

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
    zcdp_rho,
)
from learners.balls import ball, ceiling, floor, log, round_down
from learners.bounds import Bound
from learners.budget import Budget
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.selection import ExponentialMechanism
from learners.number_arguments import PRECISION, least_integer, optional, require_size
from learners.pac.base import enough_rows
from learners.sanitizers.base import SANITIZATION_ERROR, TRIVIAL_ERROR, Sanitizer, SyntheticData
from learners.sanitizers.point_samples import PointSample
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.frozen import set_frozen_fields
from lsclasses.numbers import format_number
from lsclasses.searching.blas import exact_product
from lsclasses.table import Table

FINE = 60
"""Ideal weights are known up to 2^-60 of the largest."""
GRAIN = 1024
"""Rounding weights costs at most about so small a part of alpha."""
LARGEST_SCORE = 1 << 61
"""Scores, in units of 1/W rows, are below this, so that they are integers of 64 bits."""
ENTRIES = 1 << 26
"""The largest table that is held as numbers; the labels of larger ones are unpacked every round."""
CHUNK = 1 << 24
LEAST = Fraction(1, 10**4)
"""Smaller errors are refused; they would take a hundred million rounds for a few points."""
GRID = 1000
"""The errors that `MWEMSanitizer.within` chooses from are multiples of 1/1000."""
BITS = 10
"""The number of bits to which budgets of one round are rounded down, which keeps draws fast."""


@lru_cache(maxsize=64)
def _powers(rate: Fraction) -> tuple[int, ...]:
    """The numbers floor(2^60 exp(-rate j)) for j = 0, 1, ..., down to the last positive one."""
    found = [1 << FINE]
    while found[-1]:
        exponent = rate * len(found)
        found.append(floor(lambda: ball(1 << FINE) * (-ball(exponent)).exp()))  # noqa: B023
    return tuple(found[:-1])


@dataclass(frozen=True)
class MWEMRun:
    """The release of a run of `MWEMSanitizer`.

    Attributes
    ----------
    chosen : tuple of int
        The query of every round: its place in the class, or the number of concepts more for its
        complement.
    won : bool
        Whether the last of them failed its test, so that the weights were accepted.
    data : SyntheticData
        The weights, which follow from these.
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
        """The queries of the updates."""
        return self.chosen[:-1] if self.won else self.chosen


@dataclass(frozen=True)
class MWEMSanitizer(Sanitizer):
    """MWEM: synthetic weights on a finite domain, accurate for every concept of a class.

    See the module for the algorithm and the proofs. Privacy holds for all parameter values; the
    accuracy that is promised needs the sample size (`needed`) and the rounds of the theorem,
    which `for_error` and `within` see to.

    Parameters
    ----------
    of : Table
        The class; `Table.label_class` of a class for labelled data.
    alpha : Fraction
        The error that is aimed at, strictly between 0 and 1.
    max_rounds : int
        T.
    select, test : Fraction
        The budgets e_1 and e_2 of one choice and of one test.
    beta : Fraction
        With which probability the promise may fail.
    composition_delta : Fraction, optional
        At which the total is stated; losses are added up when omitted.

    Raises
    ------
    InvalidInput
        If the class has no concept, or a number is out of range.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.sanitizers.base import sanitization_error
    >>> C = catalog.build("intervals:n=32").to_table()
    >>> sanitizer = MWEMSanitizer.for_error(C, Fraction(1, 10), Budget(1, Fraction(1, 10**6)))
    >>> sanitizer.needed, sanitizer.max_rounds
    (148480, 445)
    >>> rows = PointSample.at(C.domain, [x * x // 40 % 32 for x in range(150_000)])
    >>> sanitized = sanitizer.release(rows, SeededCoins(1))
    >>> float(sanitization_error(sanitized, C, rows)) < 0.1
    True
    """

    of: Table
    alpha: Fraction
    max_rounds: int
    select: Fraction
    test: Fraction
    beta: Fraction = FAILURE
    composition_delta: Fraction | None = None

    @classmethod
    def for_error(
        cls,
        of: ConceptClass,
        alpha: Fraction,
        budget: Budget,
        *,
        beta: Fraction = FAILURE,
    ) -> MWEMSanitizer:
        """Return the sanitizer for a budget and an error that needs few rows, `needed` of them.

        Parameters
        ----------
        of : ConceptClass
            Finite; it is written out.
        alpha, beta
            As for the class.
        budget : Budget
            Of all rounds; with delta = 0, losses are added up.

        Raises
        ------
        InvalidInput
            If a number is out of range, or the class has no concept.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=256").to_table()
        >>> for alpha in (Fraction(1, 20), Fraction(1, 10), Fraction(1, 5)):
        ...     print(MWEMSanitizer.for_error(C, alpha, Budget(1, Fraction(1, 10**6))).needed)
        826240
        188320
        42440
        """
        epsilon, delta = Budget.require(budget)
        error, failure = _checked_alpha(alpha), checked.failure(beta)
        require_size(epsilon, delta or Fraction(1), failure)
        table = of.to_table()
        if table.is_empty:
            raise InvalidInput("There is nothing to estimate: the class has no concept.")
        rounds = _rounds(len(table.domain), error)
        with ctx.workprec(PRECISION):
            choosing = 2 * log(4 * len(table) * rounds / failure)
            share = ball(round_down(log(2 * rounds / failure) / choosing))
            pure = ball(epsilon / rounds) / (1 + share)
            select = round_down(pure, BITS)
            if delta:
                rho = ball(zcdp_rho(epsilon, delta) / rounds)
                select = max(
                    select, round_down((rho / (ball(Fraction(1, 8)) + share**2 / 2)).sqrt(), BITS)
                )
            test = round_down(ball(select) * share, BITS)
        return cls(table, error, rounds, select, test, failure, delta or None)

    @classmethod
    def within(
        cls,
        budget: Budget,
        of: ConceptClass,
        rows: int,
        *,
        beta: Fraction = FAILURE,
    ) -> MWEMSanitizer:
        """Return the sanitizer with the least error, up to 1/1000, for a sample of this size.

        Raises
        ------
        InvalidInput
            If they afford no error below 1, or a number is out of range.

        Examples
        --------
        >>> import catalog
        >>> C = catalog.build("thresholds:n=256").to_table()
        >>> MWEMSanitizer.within(Budget(1, Fraction(1, 10**6)), C, 100_000).alpha
        Fraction(27, 200)
        """
        size, table = checked.positive(rows, "number of rows"), of.to_table()

        def at(thousandths: int) -> MWEMSanitizer:
            alpha = Fraction(thousandths, GRID)
            return cls.for_error(table, alpha, budget, beta=beta)

        if at(GRID - 1).needed > size:
            raise InvalidInput(
                f"With {size} rows this budget allows no error below 1; that needs "
                f"{at(GRID - 1).needed} rows. Get more rows, or allow a larger budget."
            )
        return at(least_integer(lambda each: at(each).needed <= size, 0, GRID - 1))

    def __post_init__(self) -> None:
        if not len(self.of):
            raise InvalidInput("There is nothing to estimate: the class has no concept.")
        set_frozen_fields(self, alpha=_checked_alpha(self.alpha))
        set_frozen_fields(self, max_rounds=checked.positive(self.max_rounds, "rounds"))
        set_frozen_fields(
            self, select=checked.epsilon(self.select), test=checked.epsilon(self.test)
        )
        set_frozen_fields(self, beta=checked.failure(self.beta))
        set_frozen_fields(
            self, composition_delta=optional(checked.share, self.composition_delta, "delta")
        )

    # ---- what is claimed

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a release: all rounds, though most runs end earlier."""
        choice = BoundedRange(
            self.select, name="choices of queries", scope=Scope.adaptive("replace_one")
        )
        test = PureDP(self.test, name="tests of queries", scope=Scope.adaptive("replace_one"))
        return Sequential(tuple(SelfComposed(each, self.max_rounds) for each in (choice, test)))

    @property
    def queries(self) -> int:
        """The number k of queries: the concepts and their complements."""
        return 2 * len(self.of)

    @property
    def rate(self) -> Fraction:
        """The increase of the logarithm of a weight at an update, 5 alpha/2."""
        return 5 * self.alpha / 2

    @property
    def rounding(self) -> Fraction:
        """A bound on the rounding error of a share, caused by integer weights."""
        return _rounding(len(self.domain), self.alpha)

    @property
    def drop(self) -> Fraction:
        """A lower bound on the decrease of the divergence at an update with gap 5/8 alpha."""
        return _drop(len(self.domain), self.alpha)

    @cached_property
    def needed(self) -> int:
        """The sample size that the bound needs at these budgets.

        Over all rounds, except with probability beta, no choice falls short by more than alpha n/8,
        and no noise exceeds it.
        """
        each = self.beta / (2 * self.max_rounds)
        short = ceiling(
            lambda: 16 * log(self.queries / each) / (ball(self.alpha) * ball(self.select))
        )
        noise = -(-8 * noise_bound(1 / self.test, each) // self.alpha)
        return max(short, int(noise), 1)

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """The bound on the sanitization error for `rows` rows; for `needed` rows, if omitted."""
        enough = enough_rows(self.needed)
        rounds = _rounds(len(self.domain), self.alpha)
        unmet = []
        if rows is not None and checked.positive(rows, "number of rows") < self.needed:
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

    # ---- how it runs

    def weights(self, updates: tuple[int, ...]) -> tuple[int, ...]:
        """Return the integer weights P_t after these updates, a function of the release.

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
        """Play the whole game: the release, and its transcript, which is private as well."""
        size, concepts = len(sample), len(self.of)
        if size << self._resolution >= LARGEST_SCORE:
            raise TooLarge(
                f"Scores of {size} rows do not fit 64 bits at this error; the most is "
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
            # What a noisy count, which is an integer, reaches if it reaches n P_t(h) + 3 alpha n/4.
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
        """Return the sums over the points of every concept; exact, as they are below 2^53."""
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


def _checked_alpha(alpha: object) -> Fraction:
    error = checked.share(alpha, "error alpha")
    if error < LEAST:
        raise InvalidInput(
            f"The error alpha must be at least {LEAST} here: rounds grow as 1/alpha^2. "
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
    """Return the number of rounds T: one more than the largest number of updates."""
    drop = _drop(points, alpha)

    def updates() -> arb:
        return log(points) / ball(drop)

    return (floor(updates) if points > 1 else 0) + 1
