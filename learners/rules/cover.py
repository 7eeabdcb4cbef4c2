r"""Private covering: choose by the exponential mechanism, and remove the covered items.

Every round uses an item of the data until a choice covers the item, so composition would add up
over the rounds. But if the item influences a round, this round is also likely to cover the item. So
the total cost has a limit as the number of rounds grows. This module proves the constants.

**Setting.** Weights are exp(rate * score). One more item z changes the scores of candidates that
cover z by at most 1, and no other scores. In the *monotone* case z only lowers scores, by 1 for
some of the candidates that cover it (its *bad* candidates) and not at all for the others. Write S+z
for the data S with z, and c = e^rate - 1. Let p_i be the probability, given the choices so far,
that round i chooses a candidate that covers z (monotone: a bad candidate), as long as z is
uncovered.

**One step.** Let w, w' be the weight of the choice and Z, Z' the sums of weights without and with
z. Monotone: Z/Z' = 1 + c p, where p is the probability with z of a bad choice, because the weights
of bad candidates without z are e^rate times as large. So a round multiplies the likelihood ratio of
S+z over S by 1 + c p, and additionally by e^-rate if the choice is bad. In general, for either
order of the two data sets, a round multiplies the ratio by at most 1 + c p, and additionally by at
most e^rate if the choice covers z. After z is covered, the two distributions are equal.

**One direction is pure.** Monotone: the ratio of S over S+z is a product of factors 1/(1 + c p)
<= 1 and at most one e^rate: at most e^rate.

**The other direction.** Let E(r) be the largest value of sum_o (P(o) - e^r Q(o))_+ if R rounds
remain, over all adversaries. Here P is the distribution whose probabilities the p_i are, and Q is
the other distribution. A ratio of m so far turns e^r into e^r/m. In the monotone case, with t =
rate,

    E(r) <= 0 for r >= R t;    E(r) <= (1 - e^-w)^(R+1)/(1 - e^-t)^R, w = (R t - r)/(R + 1),
    for -t <= r <= R t;        E(r) <= 1 - e^r for r <= -t.

*Proof* by induction. Put u = ln(1 + c p), from 0 to t, so that 1 - p = s(u) := (e^t - e^u)/c. With
probability p the choice is bad, z is covered, and (1 - e^(r - u + t))_+ remains. Otherwise the game
continues from r - u, or z is covered harmlessly. A harmless cover leaves (1 - e^(r - u))_+, which
is at most the value of continuing.

Claim: for r > -t, E(r) is at most the largest s(l/R)^R (1 - e^(r - l)) over l from max(0, r) to
r + t, with l <= R t, and at most 0 if r >= R t. The claim holds if no rounds remain: (1 - e^r)_+.
If r - u <= -t, the sum is at most p (1 - e^(r - u + t)) + (1 - p) (1 - e^(r - u)) = 1 - e^(r - u)
(1 + c p) = 1 - e^r, since e^t = 1 + c. This is the value at l = 0 (and below 0 for r >= 0).
Otherwise the bad choice leaves 0, and continuing gives s(u) s(l'/(R-1))^(R-1) (1 - e^(r - u - l')),
which is at most the value at l = u + l', because s is concave and positive, so ln s is concave.

The largest value is at l = R (r + t)/(R + 1), where both derivatives, 1/(e^(t - l/R) - 1) and
1/(e^(l - r) - 1), agree: l - r = t - l/R = w. At this point, s(l/R) = (1 - e^-w)/(1 - e^-t). All
steps can be attained, so the bound is the best possible for probabilities chosen by an adversary.
As R grows, the bound increases to (1 - e^-t) exp(-(r + t)/c). The martingale argument of [BF25,
Lemma A.3] instead bounds the sum of the p_i by ln(1/delta), except with probability delta:
r = c (ln(1/delta) + 1).

In general, for unlimited rounds, r >= t and V(r) = (1 - e^-t) exp(-(r - t)/c): E(r) <= V(r), with
E(r) <= 1 - e^(r - 2t) for r < t. If no rounds remain, (1 - e^r)_+ is less. A covering choice leaves
at most (1 - e^(r - u - t))_+. If r - u >= t, this is 0, and (1 - p) V(r - u) = (1 - p) e^(u/c) V(r)
<= (1 - p) e^p V(r) <= V(r), as u <= c p. If r - u < t the sum is at most
1 - e^(r - u - 2t) (p e^t + 1 - p) = 1 - e^(r - 2t), at most V(r) for r >= t: the difference
vanishes at r = t with its derivative, since (1 - e^-t)/c = e^-t, and is convex.

**Neighbours.** With e^r for e^epsilon, monotone: add/remove needs epsilon >= t (for the pure
direction) and E(epsilon) <= delta. Replace-one goes from S+z to S to S+z'. The second step costs
e^t, purely, so replace-one needs E(epsilon - t) <= delta: w = t - epsilon/(R + 1), and for
unlimited rounds (1 - e^-t) exp(-epsilon/c) <= delta. In general, add/remove needs epsilon >= t and
V(epsilon) <= delta. Replacing one item is removing one item and adding one item, and
`learners.accounting.group` gives the cost of these two steps.

**Printed version.** [BF25, Lemma A.1] has epsilon = 2 e (ln(1/delta) + 3/2). Its proof writes
weights exp(e score) and its mechanism uses exp(e score/2), so the rate is e or e/2. It proves
add/remove although [BF25, Def. 3.1] is replace-one. It uses 1 + (exp(e) - 1) x <= exp(2 e x) for
all e, which holds only for e <= 1.256 (for e = 1.3 it fails at x = 1/100). With rate t = e/2, its
claim follows from the proof above as long as c <= 4 t, that is for e <= 4.67. For e <= 1 it
requires more than three times the epsilon that is proved for monotone scores. For e = 8, t = 4, it
is false: choose 370 times from one candidate that covers nothing and one that covers z, both of
score 0 without z. The event that z is never covered has probability (1 + e^-4)^-370 = 0.0012 with z
and 2^-370 without z, whereas (245.05, 10^-6)-privacy, as claimed, would allow at most 1.2 10^-5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated, Generic, TypeVar

from flint import arb

from learners.accounting import ApproximateDP, Event, Scope, checked_neighbours
from learners.balls import ball, certainly_le, log, rational_above
from learners.checked import Delta, Epsilon, Rounds
from learners.coins import Coins
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_arguments, check_fields

RATE_BITS = 24
"""Number of significant bits of the largest rate for a budget."""

EPSILON_DENOMINATOR = 1 << 40

Item = TypeVar("Item")
Candidate = TypeVar("Candidate")


def _checked_relation(monotone: bool, neighbours: str) -> str:
    if not monotone and checked_neighbours(neighbours) == "replace_one":
        raise InvalidInput(
            "Without monotone scores, the guarantee needs neighbours='add_remove'. The function "
            "learners.accounting.group gives the cost of a replaced item."
        )
    return checked_neighbours(neighbours)


def _log_mass(rate: Fraction) -> arb:
    """Return the logarithm of 1 - e^-rate."""
    return (-(-ball(rate)).expm1()).log()


def _log_delta(rate: Fraction, r: Fraction, monotone: bool, rounds: int | None) -> arb:
    """Return the logarithm of the bound on E(r) in the module's docstring."""
    t, mass = ball(rate), _log_mass(rate)
    if not monotone or rounds is None:
        return mass - (ball(r) + (t if monotone else -t)) / t.expm1()
    w = ball((rounds * rate - r) / (rounds + 1))
    return (rounds + 1) * (-(-w).expm1()).log() - rounds * mass


def _within(
    rate: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    *,
    monotone: bool,
    neighbours: str,
    rounds: int | None,
) -> bool:
    """Return whether covering with this rate is proved (epsilon, delta)-private."""
    if neighbours == "add_remove" and rate > epsilon:
        return False
    r = epsilon - rate if neighbours == "replace_one" else epsilon
    if monotone and rounds is not None and r >= rounds * rate:
        return True
    return certainly_le(lambda: _log_delta(rate, r, monotone, rounds) - log(delta), 0)


@lru_cache(maxsize=1024)
@check_arguments
def cover_rate(
    epsilon: Epsilon,
    delta: Delta,
    *,
    monotone: bool = True,
    neighbours: str = "replace_one",
    rounds: Rounds | None = None,
) -> Fraction:
    """Return the largest rate for which covering is proved (epsilon, delta)-private.

    Each round of covering chooses a candidate with weight exp(rate * score). The function bisects
    with balls and rounds down to 24 bits.

    Parameters
    ----------
    epsilon, delta : Fraction
        Privacy cost of all choices.
    monotone : bool
        Whether one more item only lowers scores.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    rounds : int, optional
        Largest number of rounds, useful for monotone scores. Unlimited by default.

    Raises
    ------
    InvalidInput
        If epsilon or delta is out of range or a float, or the number of rounds is not positive.

    Examples
    --------
    In the example, [BF25] uses half of its epsilon-hat as the rate, which is 0.0163:

    >>> million = Fraction(1, 10**6)
    >>> [round(float(cover_rate(1, million, rounds=R)), 4) for R in (10, 100, 1000, None)]
    [0.1354, 0.0894, 0.0852, 0.0848]
    >>> round(float(cover_rate(1, million, neighbours="add_remove")), 4)
    0.0916
    """
    neighbours = _checked_relation(monotone, neighbours)

    def fits(rate: Fraction) -> bool:
        return _within(
            rate, epsilon, delta, monotone=monotone, neighbours=neighbours, rounds=rounds
        )

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


@check_arguments
def cover_epsilon(
    rate: Annotated[Fraction, Option("rate of the weights", above=0)],
    delta: Delta,
    *,
    monotone: bool = True,
    neighbours: str = "replace_one",
    rounds: Rounds | None = None,
) -> Fraction:
    """Return an epsilon for which covering with this rate is (epsilon, delta)-private, rounded up.

    Parameters
    ----------
    rate : Fraction
        Rate of the weights exp(rate * score).
    delta, monotone, neighbours, rounds
        Parameters of `cover_rate`.

    Raises
    ------
    InvalidInput
        If the rate is not positive, delta is out of range, or one of them is a float.

    Examples
    --------
    >>> tenth, million = Fraction(1, 10), Fraction(1, 10**6)
    >>> [round(float(cover_epsilon(tenth, million, rounds=R)), 4) for R in (10, 100, None)]
    [0.7245, 1.1333, 1.2056]
    >>> relation = {"monotone": False, "neighbours": "add_remove"}
    >>> round(float(cover_epsilon(tenth, million, **relation)), 4)
    1.3056
    """
    neighbours = _checked_relation(monotone, neighbours)
    # Unlimited: c (ln(1/delta) + ln(1 - e^-t)), and t less or more, solves E(r) = delta for r.
    spread = rational_above(
        lambda: ball(rate).expm1() * (_log_mass(rate) - log(delta)), EPSILON_DENOMINATOR
    )
    shift = Fraction(0) if neighbours == "replace_one" else (-rate if monotone else rate)
    least = rate if neighbours == "add_remove" else Fraction(0)
    high = max(least, spread + shift)
    if rounds is None or not monotone:
        return high
    low = least
    while high - low > Fraction(1, EPSILON_DENOMINATOR):
        middle = (low + high) / 2
        if _within(rate, middle, delta, monotone=True, neighbours=neighbours, rounds=rounds):
            high = middle
        else:
            low = middle
    return high


@check_arguments
def printed_cover_epsilon(epsilon_hat: Epsilon, delta: Delta) -> Fraction:
    """Return the epsilon printed in [BF25, Lemma A.1], 2 epsilon_hat (ln(1/delta) + 3/2).

    The result is rounded up.

    Examples
    --------
    >>> round(float(printed_cover_epsilon(Fraction(1, 10), Fraction(1, 10**6))), 4)
    3.0631
    """
    hat = epsilon_hat
    return rational_above(
        lambda: 2 * ball(hat) * (ball(Fraction(3, 2)) - log(delta)), EPSILON_DENOMINATOR
    )


@dataclass(frozen=True)
class EMCover(Generic[Item, Candidate]):
    """Private covering: choose by the exponential mechanism, remove covered items, repeat.

    This class is the general framework, written for clarity. `learners.rules.GreedyCover` is a
    fast version for decision lists over tables. The module's docstring has the proof. The guarantee
    holds if the scores satisfy the conditions below, which the caller must ensure.

    Parameters
    ----------
    rate : Fraction or int
        Rate. A candidate has weight exp(rate * score).
    delta : Fraction
        Delta of the privacy guarantee.
    rounds : int
        Number of rounds.
    score : callable
        ``score(items, candidate, chosen)`` returns an integer. One more item may change it by at
        most 1, and only for candidates that cover the item.
    covers : callable
        ``covers(candidate, item)`` returns whether the candidate covers the item.
    available : callable
        ``available(chosen)`` returns the candidates of a round, given the choices so far.
    monotone : bool
        Whether one more item never raises a score.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation. Replace-one needs monotone scores.

    Raises
    ------
    InvalidInput
        If the rate, delta or the number of rounds is out of range, or a float.

    References
    ----------
    [BF25, Alg. A.1]

    Examples
    --------
    In the example, candidates are sets of letters, and items are the letters of a secret word:

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
    (Fraction(1, 100), 1.131)
    """

    rate: Annotated[Fraction, Option("rate of the weights", above=0)]
    delta: Delta
    rounds: Rounds
    score: Callable[[tuple[Item, ...], Candidate, tuple[Candidate, ...]], int]
    covers: Callable[[Candidate, Item], bool]
    available: Callable[[tuple[Candidate, ...]], Sequence[Candidate]]
    monotone: bool = True
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        _checked_relation(self.monotone, self.neighbours)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a release, which stays bounded as the rounds grow."""
        epsilon = cover_epsilon(
            self.rate,
            self.delta,
            monotone=self.monotone,
            neighbours=self.neighbours,
            rounds=self.rounds,
        )
        return ApproximateDP(
            epsilon, self.delta, name="cover by choices", scope=Scope.adaptive(self.neighbours)
        )

    def release(self, items: Iterable[Item], coins: Coins) -> tuple[Candidate, ...]:
        """Return the candidates chosen in all rounds, for a data set of items."""
        left = tuple(items)
        chosen: tuple[Candidate, ...] = ()
        for _ in range(self.rounds):
            candidates = self.available(chosen)
            scores = [self.score(left, candidate, chosen) for candidate in candidates]
            choice = candidates[coins.pick(scores, unit=self.rate)]
            chosen = (*chosen, choice)
            left = tuple(item for item in left if not self.covers(choice, item))
        return chosen


# ---- worst case, exactly


@check_arguments
def worst_uncovered_tail(
    rounds: Rounds,
    level: Annotated[Fraction, Option("level")],
    grid: Annotated[int, Option("grid", minimum=1)],
) -> Fraction:
    """Return the largest P[Y > level] in the game of [BF25, Lemma A.3], by dynamic programming.

    In every round, an adversary who observes the past chooses a probability p. A coin shows heads
    with this probability. Then p is added to Y unless this coin or an earlier coin showed heads.

    Parameters
    ----------
    rounds : int
        Number of rounds.
    level : Fraction
        Number y whose tail probability is computed.
    grid : int
        Denominator: probabilities are multiples of 1/grid.

    Returns
    -------
    Fraction
        Exact probability. The lemma states that it is at most exp(-level).

    Examples
    --------
    >>> worst_uncovered_tail(3, Fraction(1), 4), worst_uncovered_tail(8, Fraction(1), 8)
    (Fraction(3, 16), Fraction(2470629, 8388608))
    """

    @cache
    def worth(left: int, total: int) -> Fraction:
        if Fraction(total, grid) > level:
            return Fraction(1)
        if not left:
            return Fraction(0)
        # Heads ends the sum at its current value, which is not above the level.
        return max(Fraction(grid - p, grid) * worth(left - 1, total + p) for p in range(grid + 1))

    return worth(rounds, 0)


@check_arguments
def worst_cover_divergence(
    rounds: Rounds,
    growth: Annotated[Fraction, Option("growth of the weights", above=0)],
    factor: Annotated[Fraction, Option("factor on the probabilities", above=0)],
    grid: Annotated[int, Option("grid", minimum=1)],
    *,
    monotone: bool = True,
) -> Fraction:
    """Return the largest sum_o (P(o) - factor Q(o))_+ over all adversarial sequences of chances.

    P is the distribution with one more item, and Q the distribution without this item (in general,
    either order). As in the proof in the module's docstring, a round of probability p multiplies
    P/Q by 1 + growth p. A cover (in the adverse case) also multiplies P/Q by 1/(1 + growth), or in
    general by 1 + growth. An adversary chooses the probabilities.

    Parameters
    ----------
    rounds : int
        Number of rounds.
    growth : Fraction
        Number c = e^rate - 1.
    factor : Fraction
        Number e^epsilon.
    grid : int
        Denominator: probabilities are multiples of 1/grid.
    monotone : bool
        Whether all scores move in one direction.

    Returns
    -------
    Fraction
        Exact value for the grid. The proved bounds are c/(1 + c) (factor (1 + c))^(-1/c) for
        unlimited rounds (in general, c/(1 + c) (factor/(1 + c))^(-1/c) for factor >= 1 + c) and the
        bound in the module's docstring for R rounds.

    Examples
    --------
    >>> worth = worst_cover_divergence(6, Fraction(1), Fraction(2), 6)
    >>> round(float(worth), 4)  # at most 0.0886 for 6 rounds, and 1/2 * 1/4 for any number
    0.0842
    """
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
