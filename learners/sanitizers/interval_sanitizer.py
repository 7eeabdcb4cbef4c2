r"""Synthetic points for every interval of a stream, from dyadic intervals [LWY25, Alg 5].

When a dyadic interval of the rounds ends, a private *replacer* replaces its points by as many
synthetic points. Every other interval is a disjoint union of dyadic intervals. The synthetic points
of the interval are the synthetic points of these dyadic intervals, one after the other.

**All parts.** In line 9, Algorithm 5 prints only the parts up to t_u - 1, which leaves out the last
of u parts. Then a function that is 1 only on the last part is lost, for every number of points on
which it is 1, and the proof of Lemma E.8 uses this part. This module joins all parts.

**Privacy.** A point lies in at most one interval of each length, with l = floor(log2 T) + 1 lengths
in total. Intervals of one length are disjoint, and each interval is replaced at once, when its
points are complete (`learners.accounting.AtOnce`). So the replacements of one length are as private
as one replacement, also if points are chosen along the way (`learners.accounting.OneAtATime`). The
costs of lengths add up (`Sequential`).

**Seen functions.** A replacer that *misses at most m* makes a synthetic data set on which a
function f of its class is 1 on some point, if f was 1 more than m times on the true points. Here m
is the largest integer below n alpha(n) for a realizable sanitizer of n points [LWY25, Def. E.1].
Call a function *seen* in an interval if it is 1 on one of its synthetic points.

Let m_i be the number of missed points at length 2^i (2^i itself if nothing is replaced, because no
function is 1 more often). Every f that is 1 on at least

    K = 1 + max(2 (m_0 + ... + m_(l-2)), m_0 + ... + m_(l-1))

points of an interval is seen in the interval. *Proof.* The interval splits into dyadic intervals.
Each length occurs at most twice, and at most once if the longest length, 2^(l-1), occurs
(`learners.mechanisms.counter.DyadicIntervals`). If f were not seen, it would be 1 at most m_i times
in each part of length 2^i, so at most K - 1 times. QED

[LWY25, Lemma E.8] has C ln(T) Delta with Delta = max_n n alpha(n) instead. K is at most
u (Delta' - 1) + 1 for u = max(1, 2l - 2) parts, Delta' being Delta rounded up. K is much less if
short intervals need no sanitizer: the paper's proof charges all lengths, but if 2^i <= m_i, a
replacement gives no information. So short lengths may be left out, and the budget goes to the other
lengths.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import floor
from typing import Annotated

from learners.accounting import AtOnce, Event, Sequential
from learners.bounds import Bound
from learners.coins import Coins
from learners.mechanisms.counter import DyadicIntervals
from learners.mechanisms.histograms import BoundedHistogram, canonical_item
from learners.sanitizers.base import Sanitizer
from learners.sanitizers.realizable import REALIZABLE_ERROR, RealizableRelease
from learners.states import State, require_rounds_left
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.options import Option, check_fields
from lsclasses.point_names import Point

__all__ = [
    "HistogramReplacer",
    "IntervalPoints",
    "IntervalRun",
    "IntervalSanitizer",
    "KeptPoints",
    "Replacer",
    "SanitizerReplacer",
    "SyntheticPoints",
]

Places = tuple[Point | None, ...]
"""Synthetic points in the places of true points, and None in a place without a synthetic point."""


# ---- replacers of the points of one interval


class Replacer(ABC):
    """A realizable sanitizer that replaces the points of an interval of rounds by synthetic points.

    Every point is replaced by one synthetic point, or by None if no point is released. A subclass
    supplies `cost`, `missed` and `replaced`.
    """

    @property
    @abstractmethod
    def cost(self) -> Event | None:
        """The privacy cost of one replacement, or None if the replacer is not private."""

    @property
    @abstractmethod
    def missed(self) -> int:
        """The largest number of true points that a replacement may miss.

        A function that is 0 on all synthetic points is 1 on at most this number of true points.
        """

    @property
    def failure(self) -> Fraction:
        """A bound on the probability that a replacement misses more than `missed` points."""
        return Fraction(0)

    @property
    def made_for(self) -> int | None:
        """The length of the intervals for this replacer, or None if it accepts every length."""
        return None

    @abstractmethod
    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        """Return the synthetic points, as many as the given points."""


@dataclass(frozen=True)
class KeptPoints(Replacer):
    """A replacer that returns the true points. **Not private**, only for tests."""

    @property
    def cost(self) -> None:
        """The privacy cost, which is None because the replacer is not private."""
        return None

    @property
    def missed(self) -> int:
        """The number 0, because no point is missed."""
        return 0

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        """Return the true points."""
        return tuple(points)


@dataclass(frozen=True)
class HistogramReplacer(Replacer):
    """A private replacer that repeats points released by a histogram, by their noisy counts.

    Let t be the largest noise of the histogram. Consider a function that is 1 at s points of the
    domain or fewer, but 0 on all synthetic points. With certainty, it is 1 on at most 2t s true
    points. The proof is the proof for `learners.sanitizers.realizable.HistogramSanitizer`, without
    a list of functions or of points. For [g(x) != h(x)] with concepts g and h that are sets of at
    most k points, s = 2k, for every number of points of the domain.

    Every released point is a synthetic point at least once. For each released point, take a segment
    as long as the noisy count of the point, and put the segments side by side. The n synthetic
    points are the points of the segments at n equidistant positions. A noisy count is at least t +
    1 and at most t more than the true count, so the m <= n segments have a total length c <= n + m
    t. So the distance c/n of two positions is at most 1 + t, and no segment is shorter.

    Parameters
    ----------
    histogram : BoundedHistogram
        Histogram for replaced points.
    support : int
        Largest number s of points at which a function is 1. The size of the domain for all
        functions.
    domain : Domain, optional
        Points that may occur. The default is all strings, all numbers and their tuples.

    Raises
    ------
    InvalidInput
        If the support is not positive, or the histogram is for added and removed points.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> replacer = HistogramReplacer(BoundedHistogram(4, Fraction(1, 100)), support=2)
    >>> replacer.missed
    12
    >>> "".join(replacer.replaced("abbbbbbbbbccccccccccd", SeededCoins(1)))
    'bbbbbbbbbbbcccccccccc'
    >>> replacer.replaced("ab", SeededCoins(1))
    (None, None)
    """

    histogram: BoundedHistogram
    support: Annotated[int, Option("size of the support", minimum=1)]
    domain: Domain | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.histogram.neighbours != "replace_one":
            raise InvalidInput(
                "The number of points is public, so the histogram must be for a replaced point. "
                f"Got a histogram for {self.histogram.neighbours}."
            )

    @property
    def cost(self) -> Event:
        """The privacy cost of the histogram."""
        return self.histogram.privacy

    @property
    def missed(self) -> int:
        """The bound 2t s on the number of missed points."""
        return self.histogram.error * self.support

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        """Return the released points, repeated by their counts, the most frequent point first."""
        released = self.histogram.release(points, coins, key=repr, domain=self.domain)
        total = sum(noisy for _, noisy in released)
        places: list[Point] = []
        end = 0
        for x, noisy in released:
            # Place p is at (2p + 1)/(2n) of the row.
            end += noisy
            filled = (2 * len(points) * end + total) // (2 * total)
            places += [x] * (filled - len(places))
        return tuple(places) if places else (None,) * len(points)


@dataclass(frozen=True)
class SanitizerReplacer(Replacer):
    """A replacer by a realizable sanitizer, with points that hit every concept of estimate 1.

    The points are computed only from the release. If the computation fails, which cannot happen for
    a correct release, the replacer returns no points. Whether it fails also depends only on the
    release.

    Parameters
    ----------
    sanitizer : Sanitizer
        Sanitizer that releases a `learners.sanitizers.realizable.RealizableRelease`.
    length : int
        Length of the intervals.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.sanitizers.realizable import HistogramSanitizer
    >>> from lsclasses import FiniteDomain, Table
    >>> C = Table([[1, 0, 0], [0, 1, 1]], domain=FiniteDomain("abc"))
    >>> sanitizer = HistogramSanitizer(C, BoundedHistogram(4, Fraction(1, 100)))
    >>> replacer = SanitizerReplacer(sanitizer, 16)
    >>> replacer.missed, "".join(replacer.replaced("abbcbbbbbaaaaaca", SeededCoins(1)))
    (12, 'abababababababab')
    """

    sanitizer: Sanitizer
    length: Annotated[int, Option("length of intervals", minimum=1)]

    def __post_init__(self) -> None:
        check_fields(self)
        if self.sanitizer.rows not in (None, self.length):
            raise InvalidInput(
                f"The sanitizer needs {self.sanitizer.rows} points, but the intervals have "
                f"{self.length}."
            )

    @property
    def made_for(self) -> int:
        """The length of the intervals."""
        return self.length

    @property
    def cost(self) -> Event | None:
        """The privacy cost of the sanitizer."""
        return self.sanitizer.privacy

    @cached_property
    def _bound(self) -> Bound:
        named = (b for b in self.sanitizer.bounds(self.length) if b.quantity == REALIZABLE_ERROR)
        found = next(named, None)
        if found is None or found.value is None:
            raise InvalidInput(
                "A realizable sanitizer must state the largest share of its points that it misses. "
                f"{self.sanitizer!r} does not."
            )
        return found

    @property
    def missed(self) -> int:
        """The error bound of the sanitizer, as a number of points."""
        share = self._bound.value
        assert share is not None
        return floor(share * self.length)

    @property
    def failure(self) -> Fraction:
        """The failure probability of the sanitizer's bound."""
        return Fraction(self._bound.failure)

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        """Return a hitting data set of the release."""
        released = self.sanitizer.release(points, coins)
        if not isinstance(released, RealizableRelease):
            raise InvalidInput(
                "A realizable sanitizer must release a RealizableRelease, which gives points. "
                f"Got {released!r}."
            )
        try:
            return tuple(released.hitting_dataset(len(points)))
        except InvalidInput:
            return (None,) * len(points)


# ---- public results


class SyntheticPoints(ABC):
    """Synthetic points for all intervals of the rounds so far.

    A subclass supplies `time` and `between`.
    """

    @property
    @abstractmethod
    def time(self) -> int:
        """The number of rounds so far."""

    @abstractmethod
    def between(self, first: int, last: int) -> Places:
        """Return a synthetic point, or None, for each round from the first to the last.

        Rounds are counted from 1.
        """

    def since(self, first: int) -> Mapping[Point | None, int]:
        """Return the number of copies of each synthetic point since a round, in a fixed order."""
        return Counter(self.between(first, self.time))


@dataclass(frozen=True)
class _Piece:
    """The release for one dyadic interval."""

    places: Places
    counts: Mapping[Point | None, int] = field(compare=False, repr=False)

    @classmethod
    def of(cls, places: Places) -> _Piece:
        return cls(places, Counter(places))


@dataclass(frozen=True)
class IntervalPoints(SyntheticPoints):
    """The synthetic points of the completed dyadic intervals, which compose all other intervals.

    Attributes
    ----------
    intervals : DyadicIntervals
        Dyadic intervals of the rounds.
    time : int
        Number of rounds so far.
    """

    intervals: DyadicIntervals
    rounds: int = 0
    _pieces: tuple[tuple[_Piece, ...], ...] = field(default=(), repr=False)
    _known: dict[int, Mapping[Point | None, int]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def time(self) -> int:
        """The number of rounds so far."""
        return self.rounds

    def between(self, first: int, last: int) -> Places:
        """Return the synthetic points of completed rounds.

        Raises
        ------
        InvalidInput
            If there are no such rounds, or they are not complete.
        """
        if last > self.rounds:
            raise InvalidInput(
                f"There are synthetic points of {self.rounds} rounds. Got round {last}."
            )
        pieces = self.intervals.decompose(first, last)  # [LWY25, Alg 5 line 8]
        # [LWY25, Alg 5 line 9], including the last part.
        return tuple(chain.from_iterable(self._piece(*piece).places for piece in pieces))

    @property
    def ended(self) -> tuple[Places, ...]:
        """The points of the intervals that end with this round, short intervals first."""
        time = self.rounds
        return tuple(
            pieces[-1].places
            for level, pieces in enumerate(self._pieces)
            if time and not time % (1 << level)
        )

    def since(self, first: int) -> Mapping[Point | None, int]:
        """Return the number of copies of each synthetic point from a round to the current round."""
        if first not in self._known:
            together: Counter[Point | None] = Counter()
            for piece in self.intervals.decompose(first, self.rounds):
                together.update(self._piece(*piece).counts)
            self._known[first] = together
        return self._known[first]

    def _piece(self, first: int, last: int) -> _Piece:
        length = last - first + 1
        return self._pieces[length.bit_length() - 1][last // length - 1]

    def _after(self, ended: Sequence[Places]) -> IntervalPoints:
        """Return the state one round later, given the points of ended intervals, short first."""
        pieces = list(self._pieces)
        for level, places in enumerate(ended):
            earlier = pieces[level] if level < len(pieces) else ()
            pieces[level : level + 1] = [(*earlier, _Piece.of(places))]
        return IntervalPoints(self.intervals, self.rounds + 1, tuple(pieces))


# ---- the mechanism


@dataclass(frozen=True)
class IntervalSanitizer:
    """A mechanism that replaces the points of dyadic intervals at their end [LWY25, Alg 5].

    The algorithm differs from the paper by a correction. The docstring of the module has the
    proofs.

    Parameters
    ----------
    horizon : int
        Number T of rounds.
    replacers : sequence of Replacer or None
        Replacers for the lengths 1, 2, 4, ...: floor(log2 T) + 1 of them. If an entry is None, the
        intervals of its length have no synthetic points and no privacy cost.
    domain : Domain, optional
        Points that may occur. The default is all strings, all numbers and their tuples.
        Replacers receive points in canonical form, so they cannot distinguish 1 from True.

    Raises
    ------
    InvalidInput
        If the horizon is not positive, the lengths do not have one entry each, or a replacer is
        made for another length.

    Examples
    --------
    >>> from learners.accounting import basic
    >>> from learners.coins import SeededCoins
    >>> replacer = HistogramReplacer(BoundedHistogram(8, Fraction(1, 100)), support=1)
    >>> sanitizer = IntervalSanitizer(40, (None, None, None, replacer, replacer, replacer))
    >>> basic(sanitizer.privacy), replacer.missed, sanitizer.seen
    ((Fraction(24, 1), Fraction(3, 100)), 4, 31)
    >>> coins = SeededCoins(1)
    >>> run = sanitizer.start(coins)
    >>> for x in "aaaaaaaabbbbbbbbbbbb":
    ...     _, run = run.ask(x, coins)
    >>> "".join(x or "." for x in run.synthetic.between(3, 18))
    '......bbbbbbbb..'
    """

    horizon: int
    replacers: tuple[Replacer | None, ...]
    domain: Domain | None = None

    def __post_init__(self) -> None:
        replacers = tuple(self.replacers)
        set_frozen_fields(self, replacers=replacers)
        if len(replacers) != self.intervals.depth:
            raise InvalidInput(
                f"Dyadic intervals of {self.horizon} rounds have {self.intervals.depth} lengths, "
                f"with a replacer or None for each. Got {len(replacers)}."
            )
        for level, each in enumerate(replacers):
            if each is not None and each.made_for not in (None, 1 << level):
                raise InvalidInput(
                    f"The replacer for intervals of {1 << level} points must be made for this "
                    f"length. Got a replacer for {each.made_for} points."
                )

    @classmethod
    def released(
        cls,
        horizon: int,
        epsilon: Fraction,
        delta: Fraction,
        support: int,
        domain: Domain | None = None,
    ) -> IntervalSanitizer:
        """Return the sanitizer by histograms with the least K = `seen` within a budget.

        The method chooses the lengths of the intervals that get synthetic points.

        Parameters
        ----------
        horizon : int
            Number T of rounds.
        epsilon, delta : Fraction
            Budget of all replaced lengths together.
        support : int
            Largest number s of points at which a function is 1, as for `HistogramReplacer`.
        domain : Domain, optional
            Points that may occur.

        Examples
        --------
        >>> made = IntervalSanitizer.released(10**5, Fraction(2), Fraction(1, 10**6), support=2)
        >>> sum(replacer is not None for replacer in made.replacers), made.seen
        (7, 6703)
        """
        depth = DyadicIntervals(horizon).depth

        def made(paid: int) -> IntervalSanitizer:
            histogram = BoundedHistogram(Fraction(epsilon) / paid, Fraction(delta) / paid)
            each = HistogramReplacer(histogram, support, domain)
            return cls(horizon, (None,) * (depth - paid) + (each,) * paid, domain)

        return min(map(made, range(1, depth + 1)), key=lambda sanitizer: sanitizer.seen)

    @cached_property
    def intervals(self) -> DyadicIntervals:
        """The dyadic intervals of the rounds."""
        return DyadicIntervals(self.horizon)

    @cached_property
    def privacy(self) -> Event | None:
        """The privacy cost of a whole stream, or None if a replacer is not private."""
        events = [each.cost for each in self.replacers if each is not None]
        if None in events:
            return None
        # Intervals of one length are disjoint, so together they cost as much as one interval.
        return Sequential(tuple(AtOnce(event) for event in events if event is not None))

    @cached_property
    def seen(self) -> int:
        """The number K of true points that suffices for a function to be detected.

        A function that is 1 on K points of an interval is 1 on a synthetic point of the interval.
        K is T + 1 if no smaller number guarantees this.
        """
        missed = [
            1 << level if each is None else min(1 << level, each.missed)
            for level, each in enumerate(self.replacers)
        ]
        return 1 + min(self.horizon, max(2 * sum(missed[:-1]), sum(missed)))

    @property
    def failure(self) -> Fraction:
        """A bound on the probability that some replacement misses more points than allowed."""
        each = (
            replacer.failure * (self.horizon >> level)
            for level, replacer in enumerate(self.replacers)
            if replacer is not None
        )
        return min(Fraction(1), sum(each, Fraction(0)))

    def start(self, coins: Coins) -> IntervalRun:
        """Return a new run of the sanitizer."""
        return IntervalRun(self, IntervalPoints(self.intervals))


@dataclass(frozen=True)
class IntervalRun(State[IntervalSanitizer]):
    """A run of an `IntervalSanitizer`, which is immutable.

    Attributes
    ----------
    synthetic : IntervalPoints
        Released points.
    points : tuple
        True points of the longest interval that has not ended, which are secret.
    """

    synthetic: IntervalPoints
    points: Places = field(default=(), repr=False)

    def ask(self, point: Point, coins: Coins) -> tuple[tuple[Places, ...], IntervalRun]:
        """Return the releases at the end of a round, short intervals first, and the run after it.

        Raises
        ------
        InvalidInput
            If all rounds are over, the point is not in the domain, or has no canonical form and
            there is no domain.
        """
        sanitizer, time = self.mechanism, self.synthetic.time + 1
        require_rounds_left(time - 1, sanitizer.horizon, "sanitizer", cost="budget")
        point = canonical_item(point, sanitizer.domain)
        points = (*self.points, point)
        ended: list[Places] = []
        for level, replacer in enumerate(sanitizer.replacers):
            length = 1 << level
            if time % length:
                break
            if replacer is None:
                ended.append((None,) * length)
            else:
                # [LWY25, Alg 5 line 5]
                ended.append(replacer.replaced(points[-length:], coins))
        # No later round reads the points that ended with the longest interval.
        longest = 1 << len(sanitizer.replacers) - 1
        kept = () if time % longest == 0 else points
        run = replace(self, synthetic=self.synthetic._after(ended), points=kept)
        return tuple(ended), run
