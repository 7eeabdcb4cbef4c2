r"""Sanitizers for labelled data, by splitting them into two data sets of points [LWY25, Lemma 2.8].

Let rows (x_i, y_i) be labelled, n of them, n_1 with the label 1, and let x* be a fixed point. U_b
has the points x_i of the rows with y_i = b and x* in the place of all other points, so n points.
For these points and for every concept h,

    n P_(U_1)(h) = #{y = 1, h = 1} + (n - n_1) h(x*),    n P_(U_0)(h) = #{y = 0, h = 1} + n_1 h(x*),

so the share of the rows on which h errs is, with p = n_1/n,

    err(h) = p - #{y = 1, h = 1}/n + #{y = 0, h = 1}/n
           = p (1 - 2 h(x*)) + h(x*) - P_(U_1)(h) + P_(U_0)(h).

**Released**: estimates from U_0 and U_1, by a sanitizer for H, and n_1 + Z, where Z is discrete
Laplace noise of scale 1/e. **Privacy**: a replaced row replaces one point of U_0 and one of U_1,
and changes n_1 by at most 1. The three releases add up: (2 epsilon + e, 2 delta). **Accuracy**:
2 alpha + |Z|/n, except with probability 2 beta and the probability of a larger |Z|. The noise in p
counts once, since |1 - 2 h(x*)| = 1.

[LWY25] states O(.) three times. On finite domains this reduction is not necessary: a sanitizer for
the class of errors on X x {0, 1} itself (`Table.label_class`, which has the dimensions of H) has
one error alpha and one budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from learners.accounting import Event, PureDP, Scope, Sequential
from learners.bounds import Bound
from learners.checked import Epsilon, Failure
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.noise import noise_bound
from learners.sanitizers.base import SANITIZATION_ERROR, TRIVIAL_ERROR, Release, Sanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept, Hypothesis
from lsclasses.options import check_fields
from lsclasses.table import Table


@dataclass(frozen=True)
class SplitEstimates(Release):
    """Estimates of the concepts' errors, from two releases and a noisy number of ones.

    Only concepts (x, y) -> [h(x) != y] have an estimate, which is clipped to [0, 1].

    Attributes
    ----------
    of : FiniteDomain
        Pairs (x, y).
    zeros, ones : Release
        Releases of two data sets. They have the points of the rows with label 0 or 1, and a fixed
        point in the place of every other row.
    share : Fraction
        Noisy share of rows with the label 1.
    """

    of: FiniteDomain
    zeros: Release
    ones: Release
    share: Fraction

    @property
    def domain(self) -> FiniteDomain:
        """The pairs of a point and a label."""
        return self.of

    def _estimate(self, h: Hypothesis) -> Fraction:
        points = self.zeros.domain
        labels = [h._label((x, 0)) for x in points]
        if any(label == h._label((x, 1)) for x, label in zip(points, labels, strict=True)):
            raise InvalidInput(
                "Estimates must be of errors, (x, y) -> [h(x) != y], the concepts of a "
                f"label_class. {h!r} has equal values for both labels of a point."
            )
        plain = Concept.from_labels(points, labels)
        padding = labels[0]
        error = self.share * (1 - 2 * padding) + padding
        error += self.zeros.estimate(plain) - self.ones.estimate(plain)
        return min(max(error, Fraction(0)), Fraction(1))


@dataclass(frozen=True)
class LabelledBySplitting(Sanitizer):
    """A sanitizer of labelled data that splits the data by label and sanitizes both parts.

    In each part, the first point x* of the domain takes the place of the rows of the other label.
    The sanitizer also releases the noisy number of rows with label 1. The docstring of the module
    `learners.sanitizers.splitting` contains the proof.

    Parameters
    ----------
    inner : Sanitizer
        Sanitizer of points for the class of the concepts, private for a replaced point.
    epsilon : Fraction
        Privacy cost of the noisy number of rows with label 1.
    beta : Fraction
        Probability that the noise of this number exceeds the property `noise`.

    Raises
    ------
    InvalidInput
        If epsilon is not positive, or beta is not a probability.

    Examples
    --------
    >>> from learners.budget import Budget
    >>> from learners.sanitizers.mwem import MWEMSanitizer
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.sanitizers.base import sanitization_error
    >>> C = catalog.build("thresholds:n=16").to_table()
    >>> inner = MWEMSanitizer.for_error(C, Fraction(1, 10), Budget(1, Fraction(1, 10**6)))
    >>> sanitizer = LabelledBySplitting(inner, Fraction(1, 10))
    >>> n = inner.needed
    >>> print(sanitizer.bounds(n)[0])
    sanitization error <= 2*alpha + z/n = 0.2 [LWY25, Lemma 2.8], constants made explicit, \
except with probability 3/20
    >>> rows = [(x * x // 3 % 16, int(x % 16 < 5)) for x in range(n)]
    >>> estimates = sanitizer.release(rows, SeededCoins(1))
    >>> sample = PointSample(sanitizer.domain, rows)
    >>> float(sanitization_error(estimates, sanitizer.concept_class, sample)) < 0.2
    True
    """

    inner: Sanitizer
    epsilon: Epsilon
    beta: Failure = FAILURE

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def concept_class(self) -> Table:
        """The class of errors, on pairs of a point and a label."""
        return self.inner.concept_class.label_class()

    @cached_property
    def privacy(self) -> Event | None:
        """The privacy cost of a release, or None if the inner sanitizer is not private."""
        if self.inner.privacy is None:
            return None
        ones = PureDP(self.epsilon, name="number of ones", scope=Scope.adaptive("replace_one"))
        return Sequential((self.inner.privacy, self.inner.privacy, ones))

    @property
    def delta(self) -> Fraction | None:
        """The delta of the stated total privacy, or None if basic composition determines it."""
        return None if self.inner.delta is None else 2 * self.inner.delta

    @property
    def rows(self) -> int | None:
        """The sample size of the inner sanitizer."""
        return self.inner.rows

    @property
    def noise(self) -> int:
        """A bound on the error of the noisy number of labels 1, except with probability beta."""
        return noise_bound(1 / self.epsilon, self.beta)

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """Return the error bound: twice the inner error plus the noise of the number of labels 1.

        A bound is omitted if its failure probability would be 1 or more.
        """
        size = self.rows if rows is None else rows
        return tuple(
            Bound(
                "[LWY25, Lemma 2.8], constants made explicit",
                SANITIZATION_ERROR,
                "2*alpha + z/n",
                None
                if bound.value is None or size is None
                else 2 * bound.value + Fraction(self.noise, size),
                TRIVIAL_ERROR,
                2 * bound.failure + self.beta,
                bound.hypotheses,
                bound.unmet,
            )
            for bound in self.inner.bounds(rows)
            if bound.quantity == SANITIZATION_ERROR and 2 * bound.failure + self.beta < 1
        )

    def _release(self, sample: PointSample, coins: Coins) -> SplitEstimates:
        places = sample.places
        points, labels = places // 2, places % 2
        split = [
            self.inner.release(PointSample.at(self.inner.domain, points * (labels == b)), coins)
            for b in (0, 1)
        ]
        ones = int(labels.sum()) + coins.laplace(1 / self.epsilon)
        return SplitEstimates(self.domain, split[0], split[1], Fraction(ones, len(sample)))
