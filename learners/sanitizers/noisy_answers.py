r"""`NoisyAnswers`: the share of every concept with discrete Laplace noise, without a delta.

The number of rows at which a concept is 1 gets discrete Laplace noise of scale |H|/epsilon, for
every concept of the class, and is divided by n and cut to [0, 1].

**Privacy.** A replaced row changes each of the |H| numbers by at most 1. So all of them together
change by at most |H|, and the probability of noisy numbers by a factor e^epsilon at the most.
Dividing by n, which is public, and cutting are computed from what is released.

**Accuracy.** Each |noise| exceeds `noise_bound`(|H|/epsilon, beta/|H|) with probability at most
beta/|H|; so all answers are right up to that many rows, except with probability beta. Cutting
brings no answer further from a share, which lies in [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from learners import checked
from learners.accounting import Event, PureDP, Scope
from learners.bounds import Bound
from learners.coins import Coins
from learners.concentration import FAILURE
from learners.mechanisms.noise import noise_bound
from learners.sanitizers.base import SANITIZATION_ERROR, TRIVIAL_ERROR, Sanitizer
from learners.sanitizers.independent import Answers
from learners.sanitizers.point_samples import PointSample
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.table import Table

__all__ = ["NoisyAnswers"]


@dataclass(frozen=True)
class NoisyAnswers(Sanitizer):
    """A sanitizer with a noisy share for every concept, (epsilon, 0)-DP; see the module.

    Parameters
    ----------
    of : Table
        The class.
    epsilon : Fraction
        That of all answers together.
    beta : Fraction
        With which probability an answer may be off by more than `off` rows.

    Raises
    ------
    InvalidInput
        If the class has no concept, epsilon is not positive, or beta is no probability.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> C = catalog.build("thresholds:n=4").to_table()
    >>> sanitizer = NoisyAnswers(C, Fraction(1))
    >>> print(sanitizer.bounds(1000)[0])
    sanitization error <= m/n = 23/1000 learners.sanitizers.noisy_answers, except with \
probability 1/20
    >>> answers = sanitizer.release([0] * 400 + [3] * 600, SeededCoins(1))
    >>> [round(float(share), 2) for share in answers.estimates(C)]
    [0.98, 0.61, 0.6, 0.6, 0.0]
    """

    of: Table
    epsilon: Fraction
    beta: Fraction = FAILURE

    def __post_init__(self) -> None:
        if not len(self.of):
            raise InvalidInput("There is nothing to estimate: the class has no concept.")
        set_frozen_fields(
            self, epsilon=checked.epsilon(self.epsilon), beta=checked.failure(self.beta)
        )

    @cached_property
    def privacy(self) -> Event:
        """The privacy cost of a release."""
        return PureDP(self.epsilon, name="noisy answers", scope=Scope.adaptive("replace_one"))

    @property
    def scale(self) -> Fraction:
        """The scale of the noise of one answer, in rows."""
        return len(self.of) / self.epsilon

    @cached_property
    def off(self) -> int:
        """A bound on the error of all answers, in rows, except with probability beta."""
        return noise_bound(self.scale, self.beta / len(self.of))

    def bounds(self, rows: int | None = None) -> tuple[Bound, ...]:
        """The bound on the sanitization error at size `rows`; without a value if omitted."""
        size = None if rows is None else checked.positive(rows, "number of rows")
        value = None if size is None else Fraction(self.off, size)
        return (Bound(__name__, SANITIZATION_ERROR, "m/n", value, TRIVIAL_ERROR, self.beta),)

    def _release(self, sample: PointSample, coins: Coins) -> Answers:
        size = len(sample)
        noise = coins.laplaces(self.scale, len(self.of))
        counts = [int(share * size) for share in sample.frequencies(self.of)]
        noisy = (count + z for count, z in zip(counts, noise, strict=True))
        return Answers(self.of, tuple(Fraction(min(max(c, 0), size), size) for c in noisy))
