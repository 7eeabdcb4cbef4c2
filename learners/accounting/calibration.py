"""The least noise of several releases within a budget, by all accountants."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from learners.accounting.accountants import total
from learners.accounting.events import Event
from lsclasses.errors import InvalidInput

COMPOSITIONS = ("best", "zcdp")
"""Names of the accountants that calibrate noise, which are all accountants or only zCDP."""
TRIALS = 5
"""Number of parameters whose total is computed. Each total takes at most a second."""


def require_composition(composition: str) -> None:
    """Refuse a name that is not in `COMPOSITIONS`.

    Raises
    ------
    InvalidInput
    """
    if composition not in COMPOSITIONS:
        raise InvalidInput(
            f"The composition must be one of {', '.join(COMPOSITIONS)}. Got {composition!r}."
        )


def largest_parameter(
    events: Callable[[Fraction], Event],
    start: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    *,
    rounded: Callable[[Fraction], Fraction],
) -> Fraction:
    """Return a nearly largest parameter of some releases such that their total is within a budget.

    The parameter is, for example, the epsilon of each release. The result is at least `start`. If
    it is larger, the function `total` proves that the releases are within the budget. So the result
    is within the budget whenever `start` is, for example by zCDP. Each trial multiplies the
    parameter by the ratio of epsilon to the total.

    Parameters
    ----------
    events : callable
        Function from a parameter to the event of all releases.
    start : Fraction
        Parameter that is known to be within the budget.
    epsilon, delta : Fraction
        Budget of all releases.
    rounded : callable
        Function that rounds a parameter down.

    Examples
    --------
    >>> from learners.accounting import PureDP, Scope, SelfComposed, zcdp_rho
    >>> data, delta = Scope.adaptive("replace_one"), Fraction(1, 10**6)
    >>> answers = lambda each: SelfComposed(PureDP(each, scope=data), 100)
    >>> rounded = lambda each: Fraction(int(each * 2**20), 2**20)
    >>> start = rounded(Fraction(float(2 * zcdp_rho(1, delta) / 100) ** 0.5))
    >>> found = largest_parameter(answers, start, Fraction(1), delta, rounded=rounded)
    >>> round(float(start), 4), round(float(found), 4)
    (0.0221, 0.024)
    """
    best = tried = start
    for _ in range(TRIALS):
        spent = total(events(tried), delta).epsilon
        if spent <= epsilon:
            best = max(best, tried)
        # Releases of a tiny epsilon cost only delta.
        tried = rounded(tried * (epsilon / spent if spent else 2))
        if tried <= best:
            break
    return best
