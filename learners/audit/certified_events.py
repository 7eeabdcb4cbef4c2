"""Lower bounds on privacy losses from the frequencies of an event, at a stated confidence."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from flint import arb, ctx

from learners.balls import ball
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.options import Option, check_arguments


@check_arguments
def clopper_pearson(
    successes: int, trials: int, error: Annotated[Fraction, Option("error")]
) -> tuple[Fraction, Fraction]:
    """Return bounds on a probability, each of which is wrong with probability at most `error`.

    Parameters
    ----------
    successes, trials : int
        Number of trials in which the event occurred, and number of all trials.
    error : Fraction
        Largest probability that a bound is wrong, strictly between 0 and 1.

    Returns
    -------
    lower, upper : Fraction
        Lower bound, rounded down, and upper bound, rounded up.

    Raises
    ------
    InvalidInput
        If the numbers are inconsistent.

    References
    ----------
    Clopper, Pearson 1934.

    Examples
    --------
    >>> [round(float(bound), 4) for bound in clopper_pearson(0, 100, Fraction(1, 20))]
    [0.0, 0.0295]
    """
    successes, trials = (
        integer(successes, "number of successes"),
        integer(trials, "number of trials"),
    )
    if not 0 <= successes <= trials or trials < 1 or not 0 < error < 1:
        raise InvalidInput(
            "Clopper-Pearson needs 0 <= successes <= trials, trials >= 1 and 0 < error < 1. "
            f"Got {successes} of {trials} with error {error}."
        )
    lower = Fraction(0) if successes == 0 else _tail_root(successes, trials, error)
    upper = (
        Fraction(1) if successes == trials else 1 - _tail_root(trials - successes, trials, error)
    )
    return lower, upper


def _tail_root(least: int, trials: int, error: Fraction) -> Fraction:
    """Return a p, close to the largest, with P[Bin(trials, p) >= least] <= error."""
    from scipy.special import betaincinv

    def suffices(p: Fraction) -> bool:
        # P[Bin(n, p) >= k] is the regularized incomplete beta function I_p(k, n - k + 1).
        reached = ball(p).beta_lower(least, trials - least + 1, True)
        return bool(reached <= ball(error))

    with ctx.workprec(64):
        # The inverse in floating point is close to the root, and balls confirm a smaller number.
        guess = Fraction(float(betaincinv(least, trials - least + 1, float(error))))
        for digits in (12, 9, 6):
            smaller = guess * (1 - Fraction(1, 10**digits))
            if 0 < smaller < 1 and suffices(smaller):
                return smaller
        low, high = Fraction(0), Fraction(least, trials)
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if suffices(middle) else (low, middle)
    return low


def least_hits(
    trials: int, error: Fraction, epsilon: Fraction, delta: Fraction = Fraction(0)
) -> int | None:
    """Return the least number of draws in an event that refutes a claim.

    The draws in the event, the *hits*, are for one input. The other input has no hits.

    Parameters
    ----------
    trials : int
        Number of draws of each input.
    error : Fraction
        Largest probability that one bound on a probability is wrong.
    epsilon, delta : Fraction
        The claim.

    Returns
    -------
    int or None
        None if even `trials` hits do not refute the claim.

    Examples
    --------
    >>> error = Fraction(1, 4 * 10**6)
    >>> [least_hits(10_000, error, Fraction(epsilon)) for epsilon in (0, 1, 9)]
    [39, 78, None]
    """

    def refutes(hits: int) -> bool:
        return bool(CertifiedEvent(hits, trials, 0, trials, error).excess(epsilon) > ball(delta))

    if not refutes(trials):
        return None
    return bisect_left(range(trials + 1), True, key=refutes)


@dataclass(frozen=True)
class CertifiedEvent:
    """An event with its frequencies on two inputs, in draws that were not used to choose it.

    Parameters
    ----------
    hits, trials : int
        Number of draws in the event, and number of all draws, for the input that makes the event
        likelier.
    misses, other_trials : int
        Number of draws in the event, and number of all draws, for the second input.
    error : Fraction
        Largest probability that `low` or `high` is wrong.

    Examples
    --------
    >>> event = CertifiedEvent(900, 1000, 100, 1000, Fraction(1, 1000))
    >>> round(float(event.least_epsilon(Fraction(0)).lower()), 3)
    1.879
    """

    hits: int
    trials: int
    misses: int
    other_trials: int
    error: Fraction

    @cached_property
    def low(self) -> Fraction:
        """Lower bound on the event's probability for the input that makes the event likelier."""
        return clopper_pearson(self.hits, self.trials, self.error)[0]

    @cached_property
    def high(self) -> Fraction:
        """Upper bound on the event's probability for the input that makes the event less likely."""
        return clopper_pearson(self.misses, self.other_trials, self.error)[1]

    def excess(self, epsilon: Fraction) -> arb:
        """Return the lower bound low - e^epsilon * high on delta(epsilon), possibly negative."""
        with ctx.workprec(64):
            return ball(self.low) - ball(epsilon).exp() * ball(self.high)

    def least_epsilon(self, delta: Fraction) -> arb:
        """Return a lower bound on the least epsilon of a true claim with this delta."""
        if self.low - delta <= self.high:
            return arb(0)
        with ctx.workprec(64):
            return (ball(self.low - delta) / ball(self.high)).log()
