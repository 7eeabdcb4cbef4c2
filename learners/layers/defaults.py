"""Default parameters of `LayeredSOA`, and the rounds from which its bounds are not vacuous."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from learners.budget import Budget
from learners.concentration import FAILURE
from learners.layers.laws import usual_sequences
from learners.layers.plan import COVERAGE, LayeredParameters
from lsclasses.errors import TooLarge
from lsclasses.numbers import format_number

FARTHEST = 10**9
"""The largest number of rounds T for which a bound is compared with T."""


def usual_parameters(
    budget: Budget,
    mistake_bound: int,
    rounds: int,
    failure: Fraction = FAILURE,
    *,
    concepts: int | None = None,
) -> LayeredParameters:
    """Return default parameters for any mistake bound d of the base learner.

    The parameters come from the theorem, unless its bound is vacuous.

    For d <= 1, or if the bound of `LayeredParameters.from_theorem` is below T, the function returns
    the parameters of the theorem. Otherwise the number of sequences is so large that *on average*
    good pairs remain in all layers (`learners.layers.laws.usual_sequences`). These parameters
    guarantee only privacy. The share of good pairs of a layer is the square of the share in the
    last layer. So the number is about 5 * 10^4 sequences for d = 2, 5 * 10^7 for d = 3 and 2 *
    10^13 for d = 4. From d = 5 on, the number would exceed 2^60. Then the parameters have the
    largest allowed number of sequences, and the first hypothesis stays. The largest allowed number
    is 2^60 for d < 60, and 2^(d + 1) for d >= 60.

    Parameters
    ----------
    budget, mistake_bound, rounds, failure, concepts
        Parameters of `LayeredParameters.from_theorem`.

    Raises
    ------
    TooLarge
        If d is larger than `learners.layers.laws.MOST_LAYERS`.

    Examples
    --------
    >>> tiny = Fraction(1, 10**6)
    >>> for d, rounds in ((1, 10**6), (2, 10**6), (2, 10**7), (3, 10**6), (5, 10**6)):
    ...     found = usual_parameters(Budget(1, tiny), d, rounds, concepts=2**d)
    ...     print(d, rounds, found.rule, found.sequences, found.bounds[0].value)
    1 1000000 tight 864 674
    2 1000000 practical 46608 None
    2 10000000 tight 655360 7952909
    3 1000000 practical 53049600 None
    5 1000000 practical 1152921504606846976 None
    """
    if mistake_bound <= 1 or _promises(budget, mistake_bound, rounds, failure, concepts):
        return LayeredParameters.from_theorem(
            budget, mistake_bound, rounds, failure, concepts=concepts
        )

    def within(sequences: int) -> LayeredParameters:
        return LayeredParameters.within(
            budget, sequences, mistake_bound, rounds, failure=failure, concepts=concepts
        )

    histogram = within(2 << mistake_bound).histogram
    assert histogram is not None
    sure = histogram.threshold + histogram.bound
    return within(usual_sequences(mistake_bound, COVERAGE, sure))


def _promises(
    budget: Budget, mistake_bound: int, rounds: int, failure: Fraction, concepts: int | None
) -> bool:
    helpful = helps_from(budget, mistake_bound, failure, concepts)
    return helpful is not None and helpful <= rounds


@lru_cache(maxsize=64)
def helps_from(
    budget: Budget, mistake_bound: int, failure: Fraction, concepts: int | None
) -> int | None:
    """Return a number T of rounds from which the theorem's bound is below T.

    The result is None if no such T up to 10^9 is found. This T is one more than the bound for 10^9
    rounds, because parameters for 10^9 rounds also work for fewer rounds.

    Examples
    --------
    >>> budget = Budget(1, Fraction(1, 10**6))
    >>> helps_from(budget, 2, FAILURE, 8), helps_from(budget, 3, FAILURE, 8)
    (8268290, None)
    """
    try:
        found = LayeredParameters.from_theorem(
            budget, mistake_bound, FARTHEST, failure, concepts=concepts
        )
    except TooLarge:
        return None
    value = found.bounds[0].value
    return None if value is None or value >= FARTHEST else int(value) + 1


def where_promised(parameters: LayeredParameters) -> str:
    """Return a sentence with the T from which the theorem's bound is not vacuous."""
    budget = Budget(
        parameters.waiting_epsilon + parameters.epsilon, parameters.delta, allow_weak_privacy=True
    )
    helpful = helps_from(budget, parameters.depth, parameters.failure, parameters.concepts)
    if helpful is None:
        return "no bound is known that is below T for a T up to 10^9"
    least = format_number(helpful, 3, up=True)
    return f"the parameters of --theorem have a bound below T from T = {least} on"
