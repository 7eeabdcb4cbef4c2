"""Counting how often each item occurs, over a universe that is too large to list.

The histograms process only items that occur. They hide which items occur, because they release only
noisy counts that reach a threshold.

**The release hides the positions of items in the data, and the choice between equal objects.**
An item of a person is mapped to its canonical form before it is counted. This step depends on the
item only (`canonical_item`, or the points of a domain), so the data might as well have been
canonical from the start. The distribution of the release depends on the counts of canonical forms
only. *Proof.* Equal canonical forms are identical in every respect, so a dictionary that keeps the
first of them keeps the same information. Every item that occurs gets independent noise of one
distribution. The released items are ordered by their noisy counts, equal counts by a key of the
items, and equal keys at random. QED The order in which *seeded* coins draw noise follows the data,
so a seed is for simulations only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, ClassVar

from flint import arb

from learners.accounting import ApproximateDP, Event, Scope, checked_neighbours
from learners.balls import ball, ceiling, log
from learners.checked import Delta, Epsilon, Failure, Frequency
from learners.coins import Coins
from learners.mechanisms.noise import noise_bound
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.numbers import integer
from lsclasses.options import Option, check_arguments, check_fields
from lsclasses.point_names import canonical

__all__ = ["BoundedHistogram", "Histogram", "Released", "StableHistogram", "canonical_item"]

Item = Any
"""A counted item: a string, a number, a tuple of items, or a hypothesis."""

Counts = Mapping[Item, int]
"""Number of occurrences of each item."""

Order = Callable[[Item], Any]
"""The key that orders items of equal count."""

Released = tuple[tuple[Item, int], ...]
"""Items with their noisy counts, the largest count first."""


def canonical_item(item: object, domain: Domain | None = None) -> Hashable:
    """Return the canonical representative of all items that equal the given item.

    Parameters
    ----------
    item : object
        A hypothesis, or a value that `lsclasses.point_names.canonical` takes.
    domain : Domain, optional
        The items that may occur. The result is then one of these items (`Domain.require`).

    Raises
    ------
    InvalidInput
        If the item is not a point of the domain, or has no canonical form.

    Examples
    --------
    >>> canonical_item(True), canonical_item((1.0, "a"))
    (1, (1, 'a'))
    """
    if domain is not None:
        return domain.require(item)
    return item.canonical() if isinstance(item, Hypothesis) else canonical(item)


@dataclass(frozen=True)
class Histogram(ABC):
    """Base class of private histograms, which release noisy counts of items."""

    kind: ClassVar[str]
    """The name of the release in ledgers."""

    epsilon: Epsilon
    delta: Delta
    neighbours: str = "replace_one"

    def __post_init__(self) -> None:
        check_fields(self)
        checked_neighbours(self.neighbours)

    @property
    @abstractmethod
    def threshold(self) -> int:
        """The least noisy count that the histogram releases."""

    @property
    def privacy(self) -> Event:
        """The privacy cost of one release of the histogram."""
        return ApproximateDP(
            self.epsilon, self.delta, name=self.kind, scope=Scope.adaptive(self.neighbours)
        )

    @abstractmethod
    def _noise(self, count: int, coins: Coins) -> list[int]: ...

    def release(
        self,
        items: Iterable[object] | Counts,
        coins: Coins,
        *,
        key: Order | None = None,
        domain: Domain | None = None,
    ) -> Released:
        """Return the items whose noisy counts reach the threshold, with their noisy counts.

        Parameters
        ----------
        items : iterable, or mapping of item to int
            The data, one item per person, in any order. Items are strings, numbers, tuples of
            these, or hypotheses, unless a domain defines the items. A mapping gives the number of
            persons with each item. Counts of zero are ignored.
        coins : Coins
            Source of randomness, `SecureCoins` for a release.
        key : callable, optional
            Sort key for items of equal noisy count. Items of equal noisy count and equal key are
            ordered at random. Without a key, all items of equal noisy count are ordered at random.
        domain : Domain, optional
            The items that may occur.

        Returns
        -------
        tuple of (item, int)
            Items in canonical form (`canonical_item`) with their noisy counts, in decreasing order.

        Raises
        ------
        InvalidInput
            If an item has another type, or a count is negative or not an integer.
        """
        if not isinstance(items, Mapping):
            items = Counter(canonical_item(item, domain) for item in items)
        present = _present(items, domain)
        noise = self._noise(len(present), coins)
        noisy = ((item, count + z) for (item, count), z in zip(present.items(), noise, strict=True))
        threshold = self.threshold
        kept = [(item, count) for item, count in noisy if count >= threshold]
        return _ordered(kept, coins, key)


def _present(counts: Counts, domain: Domain | None = None) -> dict[Item, int]:
    """Return the counts that are not 0, of items in canonical form."""
    present: dict[Item, int] = {}
    for given, number in counts.items():
        count = integer(number, "count")
        if count < 0:
            raise InvalidInput(f"A count must be at least 0. Got {count} for {given!r}.")
        if count:
            item = canonical_item(given, domain)
            present[item] = present.get(item, 0) + count
    return present


def _ordered(kept: list[tuple[Item, int]], coins: Coins, key: Order | None) -> Released:
    ordered: list[tuple[Item, int]] = []
    by_count = sorted(kept, key=lambda pair: -pair[1])
    for _, equal in groupby(by_count, key=lambda pair: pair[1]):
        keyed: list[tuple[Any, tuple[Item, int]]] = [
            (None if key is None else key(pair[0]), pair) for pair in equal
        ]
        if key is not None:
            keyed.sort(key=lambda each: each[0])
        for _, tied in groupby(keyed, key=lambda each: each[0]):
            alike = [pair for _, pair in tied]
            # Sorting keeps equal keys in the order of the data, which must stay hidden.
            ordered += [alike[index] for index in coins.shuffle(len(alike))]
    return tuple(ordered)


@dataclass(frozen=True)
class StableHistogram(Histogram):
    """A private histogram: it releases the items whose noisy counts reach a threshold.

    The threshold is so large that an item that occurs once is rarely released. Let epsilon_1 be
    epsilon/2, or epsilon under ``"add_remove"``. The count of every item that occurs gets discrete
    Laplace noise of scale 1/epsilon_1. Let q = exp(-epsilon_1). The threshold is

        tau = the least integer >= 1 with q^(tau - 1) / (1 + q) <= delta,

    or `least` if that is larger.

    **Guarantee.** (epsilon, delta)-DP.

    **Proof.** Consider one item whose count changes from c to c - 1. If c >= 2, the probabilities
    of the noisy count, and of every value computed from it, change by a factor of at most 1/q. If c
    = 1, the item is never released after the change. Before the change it is released with
    probability d = P[1 + Z >= tau] = q^(tau - 1)/(1 + q) <= delta. The only difference is an event
    of probability d. Under ``"add_remove"`` one count changes and 1/q = e^epsilon. Under
    ``"replace_one"`` one count falls and another count rises, with independent noise. If both
    counts stay positive, the factor is at most q^-2 = e^epsilon. If only one of the counts changes
    between 1 and 0, the change is a factor of 1/q and one event of probability d. If both counts
    change between 1 and 0, the old item x can be released only before the change and the new item y
    only after the change, each with probability d. So the two output distributions have a common
    part of probability 1 - d, and delta is paid only once. A larger threshold only makes d smaller.

    **Accuracy.** For m different items, t = `noise_bound(1/epsilon_1, failure/m)` bounds all
    noises, except with probability `failure`. Then items that occur at least threshold + t times
    are released, and the error of each released count is at most t. This is the mechanism of
    [BLM20, Lemma 15] and [GL21, Thm 5.1]. The methods `for_estimates` and `for_frequencies` compute
    the bounds in the form of these two statements.

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Privacy cost of a release.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.
    least : int
        Lower bound on the threshold. Smaller noisy counts are not released.

    Raises
    ------
    InvalidInput
        If `least` is not an integer, or epsilon or delta is out of range or a float.

    References
    ----------
    Korolova, Kenthapadi, Mishra and Ntoulas 2009; Bun, Nissim and Stemmer 2016.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = StableHistogram(1, Fraction(1, 10**6))
    >>> mechanism.threshold
    28
    >>> mechanism.release("a" * 100 + "b" * 50 + "cde", SeededCoins(1))
    (('a', 93), ('b', 50))
    """

    kind = "stable histogram"
    least: Annotated[int, Option("least count")] = 1

    def __post_init__(self) -> None:
        super().__post_init__()

    @classmethod
    @check_arguments
    def for_frequencies(
        cls,
        epsilon: Fraction,
        delta: Fraction,
        *,
        frequency: Frequency,
        size: Annotated[int, Option("number of items", minimum=1)],
        neighbours: str = "replace_one",
    ) -> StableHistogram:
        """Return the stable histogram of [GL21, Thm 5.1] for a frequency eta and k = `size` items.

        The threshold is raised to 5 eta k/8, halfway between eta k/4 and eta k. If k is at least
        the result of `size_needed`, then with probability 1 - failure a release contains all items
        of frequency above eta, and no items of frequency up to eta/4.

        Examples
        --------
        >>> StableHistogram.for_frequencies(
        ...     1, Fraction(1, 10**6), frequency=Fraction(1, 10), size=1000
        ... ).threshold
        63
        """
        return cls(epsilon, delta, neighbours, -(-5 * frequency * size // 8))

    @staticmethod
    @check_arguments
    def size_needed(
        epsilon: Fraction,
        delta: Fraction,
        *,
        frequency: Frequency,
        failure: Failure,
        neighbours: str = "replace_one",
    ) -> int:
        """Return a number of items for which the histogram of `for_frequencies` is accurate.

        Accurate means that a release contains all items of frequency above eta and no items of
        frequency up to eta/4. The histogram is inaccurate with probability at most `failure`.

        Let k be the number of items. The noise has the scale 1/epsilon_1, where epsilon_1 is
        epsilon/2 (epsilon under ``"add_remove"``). Two conditions on k suffice. If k >= (8/(5 eta))
        (2 + ln(1/delta)/epsilon_1), the threshold is 5 eta k/8 (rounded up), because this number is
        larger than the threshold that privacy needs. All noises of at most k items stay within 3
        eta k/8 - 1 if k >= (8/(3 eta)) (1 + ln(2 k/failure)/epsilon_1). (The bound of [GL21, (2)],
        for another mechanism, has this order, but is too small for this mechanism.)

        Examples
        --------
        >>> StableHistogram.size_needed(
        ...     1, Fraction(1, 10**6), frequency=Fraction(1, 10), failure=Fraction(1, 20)
        ... )
        561
        """
        mechanism = StableHistogram(epsilon, delta, neighbours)
        scale = mechanism.scale

        def for_noise(size: int) -> int:
            return ceiling(
                lambda: 8 / (3 * ball(frequency)) * (1 + ball(scale) * log(2 * size / failure))
            )

        size = ceiling(lambda: 8 / (5 * ball(frequency)) * (2 - ball(scale) * log(mechanism.delta)))
        while size < for_noise(size):
            size = for_noise(size)
        return size

    @check_arguments
    def for_estimates(self, frequency: Frequency, failure: Failure) -> int:
        """Return the number of items that the guarantee of [BLM20, Lemma 15] needs.

        The guarantee is for a frequency eta and k items (persons): with probability 1 - failure,
        every item of frequency eta or more is released, and all released frequencies have errors of
        at most eta. Let t bound every noise of k different items, except with probability
        `failure`. The method returns the least k with eta k >= threshold + t. For this k, eta k - t
        reaches the threshold, and t <= eta k. (The paper states O(log(1/(eta beta delta))/(eta
        epsilon)).)

        Parameters
        ----------
        frequency : Fraction
            Frequency eta, strictly between 0 and 1.
        failure : Fraction
            Failure probability of the guarantee.

        Raises
        ------
        InvalidInput
            If the frequency or the failure is out of range, or a float.

        Examples
        --------
        >>> mechanism = StableHistogram(1, Fraction(1, 10**6))
        >>> mechanism.for_estimates(Fraction(1, 10), Fraction(1, 20))
        460
        """
        size = -(-self.threshold // frequency)
        while frequency * size < (needed := self.threshold + self.accuracy(int(size), failure)):
            size = -(-needed // frequency)
        return int(size)

    def listed(self, counts: Counts, coins: Coins) -> list[Item]:
        """Return the items of a release without their noisy counts, in the order of the data.

        Each item, in canonical form, is contained with exactly the probability with which `release`
        contains the item. The result does not reveal noise, so an exact audit has only two outcomes
        for each item. Use this method only in a mechanism whose output distribution does not depend
        on the order of the data.

        Examples
        --------
        >>> from learners.coins import SeededCoins
        >>> mechanism = StableHistogram(1, Fraction(1, 10**6))
        >>> mechanism.listed({"a": 100, "b": 3, "c": 50}, SeededCoins(1))
        ['a', 'c']
        """
        return [
            item
            for item, count in _present(counts).items()
            if coins.at_least(count, self.scale, self.threshold)
        ]

    @cached_property
    def scale(self) -> Fraction:
        """The scale of the noise of every count: 2/epsilon, or 1/epsilon under ``"add_remove"``."""
        return (2 if self.neighbours == "replace_one" else 1) / self.epsilon

    @cached_property
    def threshold(self) -> int:
        """The least noisy count that the histogram releases."""

        def tau() -> arb:
            q = (-1 / ball(self.scale)).exp()
            return 1 - ball(self.scale) * ((1 + q).log() + log(self.delta))

        return max(1, ceiling(tau), self.least)

    def _noise(self, count: int, coins: Coins) -> list[int]:
        return coins.laplaces(self.scale, count)

    @check_arguments
    def accuracy(
        self,
        different: Annotated[int, Option("number of different items", minimum=1)],
        failure: Failure,
    ) -> int:
        """Return a bound on the errors of the noisy counts of `different` different items.

        With probability at least 1 - `failure`, no error exceeds the bound.
        """
        return noise_bound(self.scale, failure / different)


@dataclass(frozen=True)
class BoundedHistogram(Histogram):
    """A private histogram whose counts are **never** off by more than 2t.

    Let q = exp(-epsilon/2) and d = delta/2 (under ``"add_remove"``, q = exp(-epsilon) and d =
    delta). The count of every item that occurs gets noise Z on {-t, ..., t} with P[Z = z]
    proportional to q^|z|. A noisy count of at least t + 1 is released. The estimate of every item
    that is not released is 0. Here t is the least positive integer with P[Z = t] <= d,

        max(1, ceil(ln((1 - q + 2 d q) / (d (1 + q))) / ln(1/q))).

    **Guarantee.** (epsilon, delta)-DP.

    **Proof.** P[Z = t] = q^t (1 - q)/(1 + q - 2 q^(t+1)) <= d. If a count changes by one and stays
    positive, probabilities on the common support of the two noisy counts change by a factor of at
    most 1/q. Outside the common support, each noisy count has a probability of at most d. If a
    count changes between 1 and 0, the release changes only in the event 1 + Z >= t + 1, that is, Z
    = t. A replaced item changes two counts, and an added item changes one count.

    **Accuracy.** With certainty, a released count has error |Z| <= t, and an item that is not
    released has a count of at most t - Z <= 2t. For epsilon <= 2 ln(32/delta), the argument of the
    logarithm above is at most 1/d. So 2t <= (4/epsilon) ln(2/delta) + 2 <= 8 ln(8/delta)/epsilon,
    the bound of [LWY25, Thm 2.6]. Under ``"add_remove"`` t is about half as large.

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Privacy cost of the release.
    neighbours : {"replace_one", "add_remove"}
        Neighbour relation of the guarantee.

    Raises
    ------
    InvalidInput
        If epsilon or delta is out of range or a float, or the relation is unknown.

    References
    ----------
    [LWY25, Thm 2.6]; Aliakbarpour, Silver, Steinke and Ullman 2024 for its first form.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> mechanism = BoundedHistogram(1, Fraction(1, 10**6))
    >>> mechanism.threshold, mechanism.error
    (28, 54)
    >>> mechanism.release("a" * 100 + "b" * 50 + "cde", SeededCoins(1))
    (('a', 98), ('b', 54))
    """

    kind = "bounded histogram"

    @property
    def unit(self) -> Fraction:
        """The privacy cost of a change of one count by 1: epsilon/2, or epsilon for add/remove."""
        return self.epsilon / 2 if self.neighbours == "replace_one" else self.epsilon

    @cached_property
    def bound(self) -> int:
        """The largest absolute value t of the noise."""
        share = self.delta / 2 if self.neighbours == "replace_one" else self.delta

        def least() -> arb:
            q, edge = (-ball(self.unit)).exp(), ball(share)
            return ((1 - q + 2 * edge * q) / (edge * (1 + q))).log() / ball(self.unit)

        return max(1, ceiling(least))

    @property
    def threshold(self) -> int:
        """The least noisy count that the histogram releases."""
        return self.bound + 1

    @property
    def error(self) -> int:
        """A bound on the errors of all counts, which holds always. Unreleased items count as 0."""
        return 2 * self.bound

    def _noise(self, count: int, coins: Coins) -> list[int]:
        bound = self.bound
        weights = [-abs(z) for z in range(-bound, bound + 1)]
        return [coins.pick(weights, unit=self.unit) - bound for _ in range(count)]
