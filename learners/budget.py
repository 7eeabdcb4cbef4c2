"""Privacy budgets (epsilon, delta), which refuse values without protection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import Annotated

from learners.checked import Epsilon
from learners.number_arguments import require_size
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_fields

__all__ = ["LARGEST_EPSILON", "WEAK_DELTA", "Budget"]

LARGEST_EPSILON = 20
"""The largest epsilon of a budget without `allow_weak_privacy`."""

WEAK_DELTA = Fraction(1, 10)
"""The least delta that a budget refuses without `allow_weak_privacy`."""


BUDGET_DELTA = Option(
    "privacy parameter delta",
    minimum=0,
    below=1,
    reason="since with delta = 1 anything may be released",
)


@dataclass(frozen=True)
class Budget:
    """A privacy budget (epsilon, delta) for a learner or a release.

    Mechanisms accept any epsilon and delta, because audits need large values. Learners accept only
    a budget. A budget rejects large values, so it detects a mistyped epsilon or a delta of 0.5.

    Parameters
    ----------
    epsilon : Fraction or int
        Epsilon, positive. It is at most `LARGEST_EPSILON` unless `allow_weak_privacy` is true.
    delta : Fraction or int
        Delta, at least 0. It is less than `WEAK_DELTA`, or less than 1 if `allow_weak_privacy` is
        true.
    allow_weak_privacy : bool
        Whether to accept values that give almost no protection.

    Raises
    ------
    InvalidInput
        If epsilon or delta is out of range or a float.

    Examples
    --------
    >>> epsilon, delta = Budget(1, Fraction(1, 10**6))
    >>> epsilon, delta
    (Fraction(1, 1), Fraction(1, 1000000))
    >>> Budget(25)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: An epsilon above 20 gives no privacy. An adversary who observes \
the output may distinguish two values of an example at a probability ratio of e^20. Got 25. Set \
allow_weak_privacy=True or --allow-weak-privacy to accept this budget.
    >>> Budget(25, allow_weak_privacy=True).epsilon
    Fraction(25, 1)
    """

    epsilon: Epsilon
    delta: Annotated[Fraction, BUDGET_DELTA] = Fraction(0)
    _: KW_ONLY
    allow_weak_privacy: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_fields(self)
        epsilon, delta = self
        require_size(epsilon, delta or Fraction(1))
        meant = "Set allow_weak_privacy=True or --allow-weak-privacy to accept this budget."
        if epsilon > LARGEST_EPSILON and not self.allow_weak_privacy:
            raise InvalidInput(
                f"An epsilon above {LARGEST_EPSILON} gives no privacy. An adversary who observes "
                "the output may distinguish two values of an example at a probability ratio of "
                f"e^{LARGEST_EPSILON}. Got {epsilon}. {meant}"
            )
        if delta >= WEAK_DELTA and not self.allow_weak_privacy:
            raise InvalidInput(
                f"A delta of {WEAK_DELTA} or more gives no privacy, because every example may be "
                f"published with this probability. Got {delta}. {meant}"
            )

    def __iter__(self) -> Iterator[Fraction]:
        yield self.epsilon
        yield self.delta

    @classmethod
    def require(cls, value: object) -> Budget:
        """Return the given value if it is a `Budget`, and raise `InvalidInput` otherwise.

        Raises
        ------
        InvalidInput
            If the value is not a budget.

        Examples
        --------
        >>> Budget.require(1)
        Traceback (most recent call last):
            ...
        lsclasses.errors.InvalidInput: The budget must be a learners.budget.Budget, such as \
Budget(1, Fraction(1, 10**6)). Got 1.
        """
        if not isinstance(value, cls):
            raise InvalidInput(
                "The budget must be a learners.budget.Budget, such as "
                f"Budget(1, Fraction(1, 10**6)). Got {value!r}."
            )
        return value
