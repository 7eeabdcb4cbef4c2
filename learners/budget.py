"""Privacy budgets (epsilon, delta); one that protects nobody is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction

from learners import checked
from learners.number_arguments import rational
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields

__all__ = ["LARGEST_EPSILON", "WEAK_DELTA", "Budget"]

LARGEST_EPSILON = 20
"""The largest epsilon that a budget takes for privacy unless it is said to be meant."""

WEAK_DELTA = Fraction(1, 10)
"""The least delta that a budget takes only if it is said to be meant."""


@dataclass(frozen=True)
class Budget:
    """A privacy budget (epsilon, delta) for a learner or a release.

    Mechanisms take any epsilon and delta, since audits need large ones. What learns is planned
    within a budget, so that a slip such as 10 for 1.0 or 0.5 for a delta does not go unseen.

    Parameters
    ----------
    epsilon : Fraction or int
        Positive, and at most `LARGEST_EPSILON` unless weak budgets are accepted.
    delta : Fraction or int
        At least 0, and less than `WEAK_DELTA`; less than 1 if weak budgets are accepted.
    allow_weak_privacy : bool
        Whether a budget that protects nobody is meant.

    Raises
    ------
    InvalidInput
        If epsilon or delta is out of range, or a float.

    Examples
    --------
    >>> epsilon, delta = Budget(1, Fraction(1, 10**6))
    >>> epsilon, delta
    (Fraction(1, 1), Fraction(1, 1000000))
    >>> Budget(25)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: An epsilon above 20 gives no privacy: an adversary who sees the \
output may tell two values of an example apart with odds of e^20 to 1. Got 25; if that is meant, \
say so (allow_weak_privacy=True, or --allow-weak-privacy).
    >>> Budget(25, allow_weak_privacy=True).epsilon
    Fraction(25, 1)
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)
    _: KW_ONLY
    allow_weak_privacy: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        epsilon = checked.epsilon(self.epsilon)
        delta = rational(self.delta, "privacy parameter delta")
        if not 0 <= delta < 1:
            raise InvalidInput(
                "The privacy parameter delta must be at least 0 and less than 1, since with delta "
                f"= 1 anything may be released. Got {delta}."
            )
        meant = "if that is meant, say so (allow_weak_privacy=True, or --allow-weak-privacy)"
        if epsilon > LARGEST_EPSILON and not self.allow_weak_privacy:
            raise InvalidInput(
                f"An epsilon above {LARGEST_EPSILON} gives no privacy: an adversary who sees the "
                "output may tell two values of an example apart with odds of "
                f"e^{LARGEST_EPSILON} to 1. Got {epsilon}; {meant}."
            )
        if delta >= WEAK_DELTA and not self.allow_weak_privacy:
            raise InvalidInput(
                f"A delta of {WEAK_DELTA} or more gives no privacy: it allows everybody's example "
                f"to be published with that probability. Got {delta}; {meant}."
            )
        set_frozen_fields(self, epsilon=epsilon, delta=delta)

    def __iter__(self) -> Iterator[Fraction]:
        yield self.epsilon
        yield self.delta

    @classmethod
    def require(cls, value: object) -> Budget:
        """Return the value, if it is a budget.

        Raises
        ------
        InvalidInput
            If it is none.

        Examples
        --------
        >>> Budget.require(1)
        Traceback (most recent call last):
            ...
        lsclasses.errors.InvalidInput: What may be spent is a learners.budget.Budget, such as \
Budget(1, Fraction(1, 10**6)). Got 1.
        """
        if not isinstance(value, cls):
            raise InvalidInput(
                "What may be spent is a learners.budget.Budget, such as "
                f"Budget(1, Fraction(1, 10**6)). Got {value!r}."
            )
        return value
