"""A running count of ones in a stream, released after every bit, and its dyadic intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from learners.accounting import AtOnce, Event, PureDP, Scope, SelfComposed, checked_neighbours
from learners.balls import ball, floor, log
from learners.checked import Epsilon, Failure, Horizon
from learners.coins import Coins
from learners.mechanisms.runs import StreamMechanism, StreamRun
from learners.number_arguments import log_in_floats
from learners.states import require_rounds_left
from lsclasses.errors import InvalidInput
from lsclasses.numbers import integer
from lsclasses.options import check_arguments, check_fields

Interval = tuple[int, int]
"""An interval of times, as its first and its last time."""


@dataclass(frozen=True)
class DyadicIntervals:
    """The dyadic intervals [j 2^i + 1, (j + 1) 2^i] of the times 1, ..., T.

    Noisy sums over dyadic intervals give noisy sums over arbitrary intervals at a low privacy cost.
    Let l = floor(log2 T) + 1.

    * There are fewer than 2T intervals, namely floor(T/2^i) of length 2^i.
    * Every time lies in at most l intervals, one for each length.
    * Every interval of times is a disjoint union of at most max(1, 2l - 2) dyadic intervals. Proof:
      take the longest dyadic intervals inside it. Their length 2^i occurs at most twice. (Three in
      a row contain an interval of twice the length, and two contain one if the first has even j.)
      The rest on either side is shorter than 2^i and touches a multiple of 2^i. So the rest
      consists of one interval for each binary digit 1 of its length, at most i. If the length
      2^(l-1) occurs, it occurs once and begins at time 1. Then the rest before it is empty, and the
      number is at most 1 + (l - 1) <= max(1, 2l - 2). Otherwise i <= l - 2, and with two intervals
      of length 2^i the number is at most 2 + 2i <= 2l - 2.

    This is [LWY25, Fact E.6]. Its constant C can be 3, because l <= 3 ln T for T >= 2.

    Parameters
    ----------
    horizon : int
        Number T of times, at least 1.

    Raises
    ------
    InvalidInput
        If the horizon is not a positive integer.

    Examples
    --------
    >>> intervals = DyadicIntervals(10)
    >>> intervals.depth, len(list(intervals))
    (4, 18)
    >>> intervals.containing(6)
    ((6, 6), (5, 6), (5, 8), (1, 8))
    >>> intervals.decompose(2, 9)
    ((2, 2), (3, 4), (5, 8), (9, 9))
    """

    horizon: Horizon

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def depth(self) -> int:
        """The number l = floor(log2 T) + 1 of lengths of dyadic intervals of 1, ..., T."""
        return self.horizon.bit_length()

    def __iter__(self) -> Iterator[Interval]:
        """Yield all intervals, shorter ones first."""
        for level in range(self.depth):
            length = 1 << level
            for last in range(length, self.horizon + 1, length):
                yield last - length + 1, last

    def containing(self, time: int) -> tuple[Interval, ...]:
        """Return the dyadic intervals that contain a time, shorter intervals first.

        Raises
        ------
        InvalidInput
            If the time is out of range.
        """
        time = self._checked(time)
        around = []
        for level in range(self.depth):
            last = -(-time >> level) << level
            if last <= self.horizon:
                around.append((last - (1 << level) + 1, last))
        return tuple(around)

    def decompose(self, first: int, last: int) -> tuple[Interval, ...]:
        """Return disjoint dyadic intervals whose union is [first, last], in order of time.

        Raises
        ------
        InvalidInput
            If a time is out of range, or last < first.
        """
        first, last = self._checked(first), self._checked(last)
        if last < first:
            raise InvalidInput(f"An interval must end after it begins. Got [{first}, {last}].")
        pieces = []
        before = first - 1
        while before < last:
            aligned = before & -before if before else 1 << last.bit_length()
            length = min(aligned, 1 << (last - before).bit_length() - 1)
            pieces.append((before + 1, before + length))
            before += length
        return tuple(pieces)

    def privacy(self, event: Event) -> Event:
        """Return the privacy cost of running a mechanism once on each dyadic interval.

        At the end of an interval, the mechanism reads all items of the interval in one step. One
        item is in at most `depth` intervals, one of each length. Intervals of one length are
        disjoint. So the runs on all intervals of one length together cost as much as one run, even
        if the items are chosen adaptively (`learners.accounting.OneAtATime`).

        Parameters
        ----------
        event : Event
            Privacy cost of one run.
        """
        return SelfComposed(AtOnce(event), self.depth)

    def _checked(self, time: int) -> int:
        time = integer(time, "time")
        if not 1 <= time <= self.horizon:
            raise InvalidInput(f"A time must be between 1 and {self.horizon}. Got {time}.")
        return time


@dataclass(frozen=True)
class TreeCounter(StreamMechanism[int, "CounterRun"]):
    """A private counter that releases the noisy number of ones after every bit of a stream.

    Write t in binary. The times 1, ..., t have a partition into dyadic intervals, one for each
    digit 1 of t, whose length is the value of the digit. The number of ones in each dyadic interval
    gets discrete Laplace noise of scale l/epsilon once, for l = floor(log2 T) + 1. The count at
    time t is the sum of the noisy numbers of the partition, at most l numbers.

    **Guarantee.** All counts together are (epsilon, 0)-DP, for adaptively chosen bits of which one
    may differ.

    **Proof.** A bit lies in at most one noisy interval of each of the l lengths, and the intervals
    of one length are disjoint. Given the past, changing the bit changes the probabilities of at
    most l noisy sums, each by a factor of at most exp(epsilon/l).

    **Accuracy.** A sum of at most l independent noises of scale b = l/epsilon exceeds m in absolute
    value with probability at most 2 exp(-s m) (1 - (s b)^2)^-l, for every 0 < s < 1/b. The reason
    is that the moment generating function E[exp(s Z)] = (cosh(1/b) - 1)/(cosh(1/b) - cosh s) is at
    most 1/(1 - (s b)^2), because (cosh x - 1)/x^2 increases. So with probability 1 - failure, for
    all t <= T and **all** streams at once (the event depends on the coins only), all counts are off
    by at most (ln(2T/failure) - l ln(1 - (s b)^2))/s. The method `error` uses a good s. The
    probability that some count is too high by more than the bound is half as large (`early`). The
    probability that the count at one fixed time is too low by more than the bound is smaller by a
    further factor T (`late`).

    If the count is needed only to notice that it reaches a threshold, `CumulativeAboveThreshold`
    is more accurate by an order of magnitude.

    Parameters
    ----------
    epsilon : Fraction or int
        Privacy cost of all counts.
    horizon : int
        Largest number T of bits.
    neighbours : {"replace_one", "add_remove"}
        With ``replace_one``, one bit is replaced. With ``add_remove``, an item is present (its bit
        is 1) or absent (its bit is 0).

    Raises
    ------
    InvalidInput
        If epsilon or the horizon is not positive, epsilon is a float, or the relation is unknown.

    References
    ----------
    Dwork, Naor, Pitassi and Rothblum 2010; Chan, Shi and Song 2011; [KMMNS23, Thm 2.10].

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> counter = TreeCounter(10, horizon=8)
    >>> counter.answers([1, 0, 1, 1, 1, 0, 1, 1], SeededCoins(1))
    (1, 2, 3, 3, 4, 4, 5, 6)
    >>> TreeCounter(1, horizon=1000).error(Fraction(1, 20))
    247
    """

    epsilon: Epsilon
    horizon: Horizon
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @property
    def levels(self) -> int:
        """The number l = floor(log2 T) + 1 of lengths of dyadic intervals."""
        return self.horizon.bit_length()

    @property
    def scale(self) -> Fraction:
        """The scale of the noise of every sum."""
        return self.levels / self.epsilon

    @property
    def privacy(self) -> Event:
        """The privacy cost of the counts of a whole stream.

        It is l times the cost of the noisy counts of all dyadic intervals of one length.
        """
        level = PureDP(
            self.epsilon / self.levels,
            name="tree counter, a level",
            scope=Scope.adaptive(self.neighbours),
        )
        return SelfComposed(level, self.levels)

    def start(self, coins: Coins) -> CounterRun:
        """Return a new run, before the first bit. No randomness has been drawn."""
        return CounterRun(self)

    @check_arguments
    def error(self, failure: Failure) -> int:
        """Return a bound on the errors of all counts, except with the given probability."""
        return self._deviation(2 * self.horizon / failure)

    @check_arguments
    def early(self, failure: Failure) -> int:
        """Return a bound on how much any count is too high, except with the given probability."""
        return self._deviation(self.horizon / failure)

    @check_arguments
    def late(self, failure: Failure) -> int:
        """Return a bound on how much the count at one fixed time is too low.

        The probability that the count at this time is too low by more than the bound is at most
        `failure`.

        Examples
        --------
        >>> TreeCounter(1, horizon=1000).late(Fraction(1, 20))
        116
        """
        return self._deviation(1 / failure)

    def _deviation(self, odds: Fraction) -> int:
        """Return the least m that the proof of accuracy gives for one side with failure 1/odds.

        All times and both sides together need odds that are 2T times as large.
        """
        levels, b = self.levels, float(self.scale)
        size = log_in_floats(odds)

        def bound(share: float) -> float:
            return (size - levels * math.log1p(-share * share)) * b / share

        # Every fraction of 1/b is valid. The search finds the best, then balls compute the bound.
        best = Fraction(min(range(1, 1000), key=lambda k: bound(k / 1000)), 1000)

        def sure() -> arb:
            return (log(odds) - levels * log(1 - best * best)) * ball(self.scale / best)

        return floor(sure)


@dataclass(frozen=True)
class CounterRun(StreamRun[TreeCounter, int]):
    """A run of `TreeCounter`, with the sums of open intervals and the noisy sums for each length.

    Attributes
    ----------
    time : int
        Number of bits added so far.
    sums, noisy : tuple of int
        The true (secret) and the noisy sums over the intervals of the binary digits of `time`.
    """

    time: int = 0
    sums: tuple[int, ...] = ()
    noisy: tuple[int, ...] = ()

    def _ask(self, value: int, coins: Coins) -> tuple[int, CounterRun]:
        # The noisy count of ones includes this bit and can be negative.
        bit = integer(value, "bit")
        if bit not in (0, 1):
            raise InvalidInput(f"The count protects only bits 0 and 1. Got {bit}.")
        time = self.time + 1
        require_rounds_left(
            self.time, self.mechanism.horizon, "counter", unit="bit", cost="epsilon"
        )
        # The intervals of the trailing ones of the old time merge with the new bit into one.
        merged = (time & -time).bit_length() - 1
        kept = len(self.sums) - merged
        total = sum(self.sums[kept:]) + bit
        sums = (*self.sums[:kept], total)
        noisy = (*self.noisy[:kept], total + coins.laplace(self.mechanism.scale))
        return sum(noisy), replace(self, time=time, sums=sums, noisy=noisy)
