r"""Covering by the exponential mechanism: choose, remove what the choice covers, repeat.

One item of the data is seen by every round until a choice covers it, so composition would add up
over the rounds. But a round in which the item matters is a round in which it is likely to be
covered: the total cost does not depend on the number of rounds. The constants are proved here.

**Setting.** Weights are exp(rate * score). One item z more changes the scores of candidates that
cover z by at most 1, and no others; in the *monotone* case it only lowers scores, by 1 for some
of the candidates that cover it (its *bad* ones) and not at all for the others. Write S+z for the
data S with z, c = e^rate - 1, and let p_i be the chance, given the choices so far, that round i
chooses a candidate that covers z (monotone: a bad one), as long as z is uncovered.

**One step.** Let w, w' be the weight of the choice and Z, Z' the sums of weights without and with
z. Monotone: Z/Z' = 1 + c p, with p the chance with z of a bad choice: those are the ones whose
weights without z are e^rate times as large. So a round multiplies the likelihood ratio of S+z
over S by 1 + c p, and by e^-rate more if the choice is bad. In general, for either order of the
two data sets: the ratio is multiplied by at most 1 + c p, and by at most e^rate more if the
choice covers z. Once z is covered, nothing differs any more.

**One direction is pure.** Monotone: the ratio of S over S+z is a product of factors 1/(1 + c p)
<= 1 and at most one e^rate: at most e^rate.

**The other direction.** Let E(r) be the most that sum_o (P(o) - e^r Q(o))_+ can be in what is still
to come, where P is the law along which the p_i are chances and Q the other one; a ratio of m so
far turns e^r into e^r/m. In the monotone case, for r >= -rate,

    E(r) <= g(r) = (1 - e^-rate) exp(-(r + rate)/c),    and E(r) = 1 - e^r for r < -rate.

*Proof* by induction over the rounds left. With none left E(r) = (1 - e^r)_+, and g(r) - (1 - e^r)
vanishes at r = -rate with its derivative (as (1 - e^-rate)/c = e^-rate) and is convex. One round
with chance p: put r' = r - ln(1 + c p). With chance p the choice is bad, z is covered, and
(1 - e^(r' + rate))_+ remains; else r' goes on, or z is covered harmlessly, which is less than
going on. If r' >= -rate the first term is 0, and (1 - p) g(r') = (1 - p)(1 + c p)^(1/c) g(r) <=
(1 - p) e^p g(r) <= g(r). If r' < -rate the sum is 1 - e^r' (p e^rate + 1 - p) =
1 - e^r' (1 + c p) = 1 - e^r, because e^rate = 1 + c; that is at most g(r) for r >= -rate.

In general the same induction gives, for r >= rate, E(r) <= (1 - e^-rate) exp(-(r - rate)/c), with
E(r) <= 1 - e^(r - 2 rate) below: now a covering choice leaves 1 - e^(r' - rate).

The bound is the best possible for unlimited rounds: many rounds of tiny chances p, up to a total
of (r + rate)/c, attain it. The martingale argument of [BF25, Lemma A.3] bounds the sum of the p_i
by ln(1/delta) instead, except with probability delta, and gives A = c (ln(1/delta) + 1).

**Neighbours.** With exp(epsilon) = e^r this is, in the monotone case,

* add/remove: epsilon >= rate and (1 - e^-rate) exp(-(epsilon + rate)/c) <= delta;
* replace-one: from S+z to S to S+z', the second at e^rate, purely: (1 - e^-rate) exp(-epsilon/c)
  <= delta.

In general, add/remove needs epsilon >= rate and (1 - e^-rate) exp(-(epsilon - rate)/c) <= delta.
Replacing one item is removing one and adding one; `learners.accounting.group` says what that costs.

**Printed.** [BF25, Lemma A.1] has epsilon = 2 e (ln(1/delta) + 3/2) where its proof writes weights
exp(e score) and its mechanism uses exp(e score/2), so rate e or e/2, and it proves add/remove where
[BF25, Def. 3.1] is replace-one. It uses 1 + (exp(e) - 1) x <= exp(2 e x) for all e, which holds for
e <= 1.256 only (for e = 1.3 it fails at x = 1/100). With rate e/2 its claim is safe, but it asks
for about five times the epsilon that is proved here for monotone scores.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from flint import arb

from learners.accounting import ApproximateDP, Event
from learners.coins import Coins, rational
from learners.mechanisms.parameters import (
    checked_delta,
    checked_epsilon,
    checked_neighbours,
    checked_positive,
)
from learners.mechanisms.rounding import at_most, log, rational_above, real
from lsclasses.errors import InvalidInput

__all__ = [
    "EMCover",
    "cover_epsilon",
    "cover_rate",
    "printed_cover_epsilon",
    "worst_cover_divergence",
    "worst_uncovered_tail",
]

RATE_BITS = 24
"""The significant bits of the largest rate for a budget."""

EPSILON_DENOMINATOR = 1 << 40


def _checked_rate(rate: Any) -> Fraction:
    value = rational(rate, "rate of the weights")
    if value <= 0:
        raise InvalidInput(f"The rate of the weights must be positive. Got {value}.")
    return value


def _checked_relation(monotone: bool, neighbours: str) -> str:
    if not monotone and checked_neighbours(neighbours) == "replace_one":
        raise InvalidInput(
            "Without monotone scores the guarantee is for neighbours='add_remove'; "
            "learners.accounting.group says what a replaced item costs then."
        )
    return checked_neighbours(neighbours)


def _extra(rate: Fraction, monotone: bool, neighbours: str) -> Fraction:
    """By how much epsilon is larger or smaller than c (ln(1/delta) + ln(1 - e^-rate))."""
    if neighbours == "replace_one":
        return Fraction(0)
    return -rate if monotone else rate


def _concentrated(rate: Fraction, delta: Fraction) -> arb:
    """The number c (ln(1/delta) + ln(1 - e^-rate)), where c = e^rate - 1."""
    theta = real(rate)
    return theta.expm1() * ((-(-theta).expm1()).log() - log(delta))


@lru_cache(maxsize=1024)
def cover_rate(
    epsilon: Fraction,
    delta: Fraction,
    *,
    monotone: bool = True,
    neighbours: str = "replace_one",
) -> Fraction:
    """The largest rate with which covering is proved to be (epsilon, delta)-private.

    Found by bisection with balls and rounded down to 24 bits.

    Parameters
    ----------
    epsilon, delta : Fraction
    monotone : bool
        Whether an item more only lowers scores.
    neighbours : {"replace_one", "add_remove"}

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or a float.

    Examples
    --------
    The rate that [BF25] uses for the same budget is half of its epsilon-hat, 0.0163:

    >>> round(float(cover_rate(1, Fraction(1, 10**6))), 4)
    0.0848
    >>> round(float(cover_rate(1, Fraction(1, 10**6), neighbours="add_remove")), 4)
    0.0916
    """
    epsilon, delta = checked_epsilon(epsilon), checked_delta(delta)
    neighbours = _checked_relation(monotone, neighbours)

    def fits(rate: Fraction) -> bool:
        if neighbours == "add_remove" and rate > epsilon:
            return False
        left = epsilon - _extra(rate, monotone, neighbours)
        return at_most(lambda: _concentrated(rate, delta), left)

    high = Fraction(1)
    while fits(high):
        high *= 2
    while not fits(high / 2):
        high /= 2
    low, step = high / 2, high / 4
    for _ in range(RATE_BITS - 1):
        if fits(low + step):
            low += step
        step /= 2
    return low


def cover_epsilon(
    rate: Fraction,
    delta: Fraction,
    *,
    monotone: bool = True,
    neighbours: str = "replace_one",
) -> Fraction:
    """An epsilon for which covering with this rate is (epsilon, delta)-private, rounded up.

    Parameters
    ----------
    rate : Fraction
        Weights are exp(rate * score).
    delta : Fraction
    monotone : bool
        Whether an item more only lowers scores.
    neighbours : {"replace_one", "add_remove"}

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or a float.

    Examples
    --------
    >>> round(float(cover_epsilon(Fraction(1, 10), Fraction(1, 10**6))), 4)
    1.2056
    >>> relation = {"monotone": False, "neighbours": "add_remove"}
    >>> round(float(cover_epsilon(Fraction(1, 10), Fraction(1, 10**6), **relation)), 4)
    1.3056
    """
    rate, delta = _checked_rate(rate), checked_delta(delta)
    neighbours = _checked_relation(monotone, neighbours)
    spread = rational_above(lambda: _concentrated(rate, delta), EPSILON_DENOMINATOR)
    least = rate if neighbours == "add_remove" else Fraction(0)
    return max(least, spread + _extra(rate, monotone, neighbours))


def printed_cover_epsilon(epsilon_hat: Fraction, delta: Fraction) -> Fraction:
    """The epsilon that [BF25, Lemma A.1] prints, 2 epsilon_hat (ln(1/delta) + 3/2), rounded up.

    Examples
    --------
    >>> round(float(printed_cover_epsilon(Fraction(1, 10), Fraction(1, 10**6))), 4)
    3.0631
    """
    hat, delta = checked_epsilon(epsilon_hat), checked_delta(delta)
    return rational_above(
        lambda: 2 * real(hat) * (real(Fraction(3, 2)) - log(delta)), EPSILON_DENOMINATOR
    )


@dataclass(frozen=True)
class EMCover:
    """Cover the data: choose by the exponential mechanism, remove what is covered, repeat.

    This is the framework, written for clarity; `learners.pac.GreedyCover` is the same for decision
    lists, written for tables. What is proved of it is in the module's docstring. The privacy holds
    if scores are as it says, which is up to the caller.

    Parameters
    ----------
    rate : Fraction or int
        A candidate has weight exp(rate * score).
    delta : Fraction
    rounds : int
    score : callable
        ``score(items, candidate, chosen)`` returns an integer. One item more may change it by at
        most 1, and only for candidates that cover the item.
    covers : callable
        ``covers(candidate, item)``.
    available : callable
        ``available(chosen)`` returns the candidates of a round, given the choices so far.
    monotone : bool
        Whether an item more never raises a score.
    neighbours : {"replace_one", "add_remove"}
        Replace-one is for monotone scores only.

    Raises
    ------
    InvalidInput
        If a parameter is out of range, or a float.

    References
    ----------
    [BF25, Alg. A.1]

    Examples
    --------
    Sets that cover few letters of a secret word, best first:

    >>> from learners.coins import SeededCoins
    >>> mechanism = EMCover(
    ...     rate=Fraction(1, 2), delta=Fraction(1, 100), rounds=2,
    ...     score=lambda items, letters, chosen: -sum(item in letters for item in items),
    ...     covers=lambda letters, item: item in letters,
    ...     available=lambda chosen: [s for s in ("ab", "cd", "ef") if s not in chosen],
    ... )
    >>> mechanism.release("aaaabbc", SeededCoins(1))
    ('ef', 'cd')
    >>> mechanism.privacy.delta, round(float(mechanism.privacy.epsilon), 3)
    (Fraction(1, 100), 2.382)
    """

    rate: Fraction
    delta: Fraction
    rounds: int
    score: Callable[[tuple[Any, ...], Any, tuple[Any, ...]], int]
    covers: Callable[[Any, Any], bool]
    available: Callable[[tuple[Any, ...]], Sequence[Any]]
    monotone: bool = True
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", _checked_rate(self.rate))
        object.__setattr__(self, "delta", checked_delta(self.delta))
        object.__setattr__(self, "rounds", checked_positive(self.rounds, "number of rounds"))
        _checked_relation(self.monotone, self.neighbours)

    @property
    def privacy(self) -> Event:
        """What a release costs, however many rounds it has."""
        epsilon = cover_epsilon(
            self.rate, self.delta, monotone=self.monotone, neighbours=self.neighbours
        )
        return ApproximateDP(
            epsilon, self.delta, name="cover by choices", neighbours=self.neighbours
        )

    def release(self, items: Iterable[Hashable], coins: Coins) -> tuple[Any, ...]:
        """The candidates chosen, one a round."""
        left: tuple[Any, ...] = tuple(items)
        chosen: tuple[Any, ...] = ()
        for _ in range(self.rounds):
            candidates = self.available(chosen)
            scores = [self.score(left, candidate, chosen) for candidate in candidates]
            choice = candidates[coins.pick(scores, unit=self.rate)]
            chosen = (*chosen, choice)
            left = tuple(item for item in left if not self.covers(choice, item))
        return chosen


# ---- the worst case, exactly


def worst_uncovered_tail(rounds: int, level: Fraction, grid: int) -> Fraction:
    """The largest P[Y > level] in the game of [BF25, Lemma A.3], by dynamic programming.

    In every round an adversary, who sees what happened, names a chance p, a coin of this chance is
    tossed, and p is added to Y unless it or an earlier one came up heads.

    Parameters
    ----------
    rounds : int
    level : Fraction
    grid : int
        Chances are multiples of 1/grid.

    Returns
    -------
    Fraction
        Exact. The lemma says that it is at most exp(-level).

    Examples
    --------
    >>> worst_uncovered_tail(3, Fraction(1), 4), worst_uncovered_tail(8, Fraction(1), 8)
    (Fraction(3, 16), Fraction(2470629, 8388608))
    """
    rounds, grid = checked_positive(rounds, "number of rounds"), checked_positive(grid, "grid")
    level = rational(level, "level")

    @cache
    def worth(left: int, total: int) -> Fraction:
        if Fraction(total, grid) > level:
            return Fraction(1)
        if not left:
            return Fraction(0)
        # Heads ends the sum where it is, which is not above the level.
        return max(Fraction(grid - p, grid) * worth(left - 1, total + p) for p in range(grid + 1))

    return worth(rounds, 0)


def worst_cover_divergence(
    rounds: int, growth: Fraction, factor: Fraction, grid: int, *, monotone: bool = True
) -> Fraction:
    """The largest sum_o (P(o) - factor Q(o))_+ over all ways in which chances may come.

    P is the law with an item more, Q the one without (in general, either order). As in the proof
    above, a round of chance p multiplies P/Q by 1 + growth p, and an (adverse) cover by 1/(1 +
    growth) more, or in general by 1 + growth more. Chances are chosen by an adversary.

    Parameters
    ----------
    rounds : int
    growth : Fraction
        c = e^rate - 1.
    factor : Fraction
        e^epsilon.
    grid : int
        Chances are multiples of 1/grid.
    monotone : bool

    Returns
    -------
    Fraction
        Exact for the grid. The bound proved is c/(1 + c) (factor (1 + c))^(-1/c), in general
        c/(1 + c) (factor/(1 + c))^(-1/c) for factor >= 1 + c.

    Examples
    --------
    >>> worth = worst_cover_divergence(6, Fraction(1), Fraction(2), 6)
    >>> round(float(worth), 4)  # at most 1/2 * 1/4
    0.0842
    """
    rounds, grid = checked_positive(rounds, "number of rounds"), checked_positive(grid, "grid")
    growth, factor = _checked_rate(growth), _checked_rate(factor)
    after_cover = 1 + growth if monotone else 1 / (1 + growth)

    @cache
    def worth(left: int, factor: Fraction) -> Fraction:
        best = max(Fraction(0), 1 - factor)
        if not left:
            return best
        for step in range(1, grid + 1):
            p = Fraction(step, grid)
            ahead = factor / (1 + growth * p)
            covered = max(Fraction(0), 1 - ahead * after_cover)
            best = max(best, p * covered + (1 - p) * worth(left - 1, ahead))
        return best

    return worth(rounds, factor)
