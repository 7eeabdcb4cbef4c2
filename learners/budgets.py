"""Privacy budgets of what learns or releases: which are too weak to be meant."""

from __future__ import annotations

from fractions import Fraction

from learners.coins import rational
from learners.mechanisms.parameters import checked_epsilon
from lsclasses.errors import InvalidInput

__all__ = ["LARGEST_EPSILON", "WEAK_DELTA", "checked_budget"]

LARGEST_EPSILON = 20
"""A larger budget is no promise: whoever sees the release could hold odds of e^20, half a billion
to one, that somebody's example was this one and not that."""

WEAK_DELTA = Fraction(1, 10)
"""With this delta, publishing everybody's example with probability 1/10 would be private."""


def checked_budget(
    epsilon: Fraction | int, delta: Fraction | int = 0, accept_weak: bool = False
) -> tuple[Fraction, Fraction]:
    """A budget for learning or releasing, as fractions, unless it protects nobody.

    Mechanisms take any budget, since audits need large ones. Whatever learns from people's data
    asks here, so that a slip such as 10 for 1.0 or 0.5 for a delta does not go unseen.

    Parameters
    ----------
    epsilon : Fraction or int
        Positive, and at most `LARGEST_EPSILON` unless weak budgets are accepted.
    delta : Fraction or int
        At least 0, and less than `WEAK_DELTA`; less than 1 if weak budgets are accepted.
    accept_weak : bool
        Whether the user said that such a budget is meant.

    Returns
    -------
    epsilon, delta : Fraction

    Raises
    ------
    InvalidInput
        If epsilon or delta is out of range, or a float.

    Examples
    --------
    >>> checked_budget(1, Fraction(1, 10**6))
    (Fraction(1, 1), Fraction(1, 1000000))
    >>> checked_budget(25)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: An epsilon above 20 gives no privacy: whoever sees what is \
released may be sure of somebody's example but for odds of e^20 to 1. Got 25; if that is meant, \
say so (accept_weak=True, or --accept-weak).
    >>> checked_budget(25, accept_weak=True)
    (Fraction(25, 1), Fraction(0, 1))
    """
    budget, failure = checked_epsilon(epsilon), rational(delta, "privacy parameter delta")
    if not 0 <= failure < 1:
        raise InvalidInput(
            "The privacy parameter delta must be at least 0 and less than 1, since with delta = 1 "
            f"anything may be released. Got {failure}."
        )
    meant = "if that is meant, say so (accept_weak=True, or --accept-weak)"
    if budget > LARGEST_EPSILON and not accept_weak:
        raise InvalidInput(
            f"An epsilon above {LARGEST_EPSILON} gives no privacy: whoever sees what is released "
            f"may be sure of somebody's example but for odds of e^{LARGEST_EPSILON} to 1. "
            f"Got {budget}; {meant}."
        )
    if failure >= WEAK_DELTA and not accept_weak:
        raise InvalidInput(
            f"A delta of {WEAK_DELTA} or more gives no privacy: it allows everybody's example to "
            f"be published with that probability. Got {failure}; {meant}."
        )
    return budget, failure
