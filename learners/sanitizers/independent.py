r"""A noisy count for every concept (`IndependentAnswers`), for comparison with synthetic data.

For every concept of the class, discrete Laplace noise of scale 1/e is added to the number of rows
on which the concept is 1. The sum is divided by n and cut to [0, 1].

**Privacy.** A replaced row changes each number by at most 1, so one answer is e-DP, and all |H|
answers are |H| e-DP and (|H| e^2/2)-zCDP by adaptive composition. Dividing by n, which is public,
and cutting are post-processing.

**Accuracy.** Each |noise| exceeds `noise_bound`(1/e, beta/|H|) with probability at most beta/|H|.
So all answers are right up to this number of rows, except with probability beta. Cutting moves no
answer further away from a share, because shares lie in [0, 1].

The number of rows grows like the root of |H|, and for MWEM like the logarithm of |H|, but from a
much larger value. With epsilon = 1, delta = 10^-6 and alpha = 1/10, independent answers need fewer
rows up to some hundred thousand concepts. The answers are not a data set, and can contradict each
other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from flint import ctx

from learners.accounting import Event, PureDP, Scope, SelfComposed, largest_parameter, zcdp_rho
from learners.balls import ball, round_down
from learners.bounds import Bound
from learners.budget import Budget
from learners.checked import Alpha, CompositionDelta, Epsilon, Failure, Rows
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.noise import noise_bound
from learners.number_arguments import PRECISION, require_size
from learners.sanitizers.base import SANITIZATION_ERROR, TRIVIAL_ERROR, Release, Sanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.options import check_arguments, check_fields
from lsclasses.table import Table

BITS = 10
"""Number of bits of the scale of noise, which is rounded up so that draws are fast."""


@dataclass(frozen=True)
class Answers(Release):
    """A release with one estimated share of points with label 1 for each concept of a class.

    Parameters
    ----------
    of : Table
        Class of the queries.
    shares : tuple of Fraction
        Estimated shares, in the order of the table.
    """

    of: Table
    shares: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if len(self.shares) != len(self.of):
            raise InvalidInput(
                f"Every concept must have an answer: {len(self.of)}. Got {len(self.shares)}."
            )

    @property
    def domain(self) -> FiniteDomain:
        """The domain of the concepts."""
        return self.of.domain

    def _estimate(self, h: Hypothesis) -> Fraction:
        if (place := self.of.position(h)) is None:
            raise InvalidInput("Only concepts of the class have an answer. Got another function.")
        return self.shares[place]


@dataclass(frozen=True)
class IndependentAnswers(Sanitizer):
    """A sanitizer that counts the points with label 1 for every concept and adds noise.

    Parameters
    ----------
    of : Table
        Class of the queries.
    each : Fraction
        Epsilon of one noisy count.
    beta : Fraction
        Largest probability that the error of some noisy count exceeds the property `off`.
    composition_delta : Fraction, optional
        Delta of the stated total privacy. The default is the delta of basic composition.

    Raises
    ------
    InvalidInput
        If the class has no concepts, `each` is not positive, or beta is not a probability.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=256").to_table()
    >>> sanitizer = IndependentAnswers.within(Budget(1, Fraction(1, 10**6)), C)
    >>> sanitizer.rows_for(Fraction(1, 10)), print(sanitizer.bounds(10_000)[0])
    sanitization error <= m/n = 36/625 (proved in lsclasses), except with probability 1/20
    (5760, None)
    >>> answers = sanitizer.release([5] * 4000 + [200] * 6000, SeededCoins(1))
    >>> [round(float(answers.estimate(C[i])), 2) for i in (0, 100, 250)]
    [0.99, 0.62, 0.02]
    """

    of: Table
    each: Epsilon
    beta: Failure = FAILURE
    composition_delta: CompositionDelta | None = None

    @classmethod
    def within(
        cls,
        budget: Budget,
        of: Table,
        *,
        beta: Fraction = FAILURE,
    ) -> IndependentAnswers:
        """Return the sanitizer with the least noise within a budget.

        Basic composition and zCDP give a first epsilon of each noisy count. The best accountant for
        releases with delta = 0 then allows a larger epsilon
        (`learners.accounting.largest_parameter`).

        Raises
        ------
        InvalidInput
            If the class has no concepts, or a number is out of range.
        """
        epsilon, delta = Budget.require(budget)
        require_size(epsilon, delta or Fraction(1))
        if not len(of):
            raise InvalidInput("A sanitizer needs a class with at least one concept.")
        with ctx.workprec(PRECISION):
            each = round_down(ball(epsilon / len(of)), BITS)
            if delta:
                each = max(
                    each, round_down((2 * ball(zcdp_rho(epsilon, delta)) / len(of)).sqrt(), BITS)
                )
        if delta:

            def rounded(tried: Fraction) -> Fraction:
                with ctx.workprec(PRECISION):
                    return round_down(ball(tried), BITS)

            each = largest_parameter(
                lambda tried: cls(of, tried, beta, delta).privacy,
                each,
                epsilon,
                delta,
                rounded=rounded,
            )
        return cls(of, each, beta, delta or None)

    def __post_init__(self) -> None:
        if not len(self.of):
            raise InvalidInput("A sanitizer needs a class with at least one concept.")
        check_fields(self)

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a release."""
        return SelfComposed(
            PureDP(self.each, name="noisy counts", scope=Scope.adaptive("replace_one")),
            len(self.of),
        )

    @cached_property
    def off(self) -> int:
        """A bound on the errors of all noisy counts, which fails with probability at most beta."""
        return noise_bound(1 / self.each, self.beta / len(self.of))

    @check_arguments
    def rows_for(self, alpha: Alpha) -> int:
        """Return the number of rows for errors of at most alpha, except with probability beta."""
        return max(1, ceil(self.off / alpha))

    @check_arguments
    def bounds(self, rows: Rows | None = None) -> tuple[Bound, ...]:
        """Return the bound on the error for `rows` rows. Without `rows`, the bound has no value."""
        value = None if rows is None else Fraction(self.off, rows)
        return (Bound(__name__, SANITIZATION_ERROR, "m/n", value, TRIVIAL_ERROR, self.beta),)

    def _release(self, sample: PointSample, coins: Coins) -> Answers:
        size = len(sample)
        noise = coins.laplaces(1 / self.each, len(self.of))
        counts = [int(share * size) for share in sample.frequencies(self.of)]
        noisy = (count + z for count, z in zip(counts, noise, strict=True))
        return Answers(self.of, tuple(Fraction(min(max(c, 0), size), size) for c in noisy))
