"""Naming a frequent item of a list that changes over time, until the named item becomes rare."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

from learners import checked
from learners.accounting import AtOnce, Event, SelfComposed, Sequential
from learners.checked import Delta, Epsilon, Failure, Frequency, Histograms, Rounds
from learners.coins import Coins
from learners.mechanisms.histograms import Counts, Order, StableHistogram, canonical_item
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.sparse_vector import AboveThreshold, AboveThresholdRun
from learners.multiset import total
from learners.states import State, require_own
from lsclasses.errors import InvalidInput
from lsclasses.options import Option, check_arguments, check_fields

__all__ = ["HistSparse", "HistSparseRun"]


@dataclass(frozen=True)
class HistSparse:
    """A mechanism that names a frequent item of each list, and changes the name only if it is rare.

    The lists L_1, L_2, ... come one at a time, as counts of their items. A changed person changes
    at most one of the k items of each list. The first name is the most frequent released item of a
    `StableHistogram` of L_1. At every later list, `AboveThreshold` tests whether the number of
    items other than the current name reaches k(1 - 3 eta/32). If the number reaches this bound, the
    histogram runs again. There are at most c histograms. If a test requires one more histogram, the
    run halts and keeps its last name for all later lists. Items that are None (no hypothesis) are
    never named. If the histogram releases no item, the old name stays.

    **Guarantee.** All names together are (epsilon, delta)-DP.

    **Proof.** An `AboveThreshold` with privacy parameter epsilon/(2c) runs between two consecutive
    histograms. Its numbers have sensitivity 1 (counts of items of L_t that differ from a released
    name). Its threshold gets noise of scale 4c/epsilon, its numbers get noise of scale 8c/epsilon.
    There are at most c such tests, and c histograms of privacy (epsilon/(2c), delta/c). Together
    they are (epsilon/2, 0)-DP and (epsilon/2, delta)-DP. All other steps, also the name of a halted
    run, are post-processing. An adversary may also observe the halt.

    **The rule of the paper.** [GL21, Alg 2] differs in two ways. First, its run ends with the c-th
    histogram, because the counter starts at 1 for the first histogram and the run ends when the
    counter is c. So there are c - 1 tests. This class makes one more test after the last
    histogram, which reveals that the last name has become rare. Second, the paper's noise is
    sigma = 2c/(k epsilon) for frequencies. That is 2c/epsilon for the threshold and 4c/epsilon for
    the numbers, half of the noise above. A frequency can rise as well as fall, so each test is
    (epsilon/c, 0)-DP. The c - 1 tests and c histograms are ((3/2 - 1/c) epsilon, delta)-DP
    together. For c <= 2 this is within (epsilon, delta), as [GL21, Lemma 5.3] states. For c >= 3
    this composition exceeds epsilon. Whether the run exceeds epsilon is an open question.
    `paper_constants=True` runs this rule, and `privacy` returns the proved guarantee.

    **Accuracy.** Make two assumptions, as in [GL21, Lemma 5.3] with alpha = eta/32. First, in every
    test, the noise of the threshold and the noise of the number have absolute values with a sum of
    at most k eta/32. Second, every histogram is accurate. Then every name has frequency at least
    eta/16 in the current list. A name is replaced only if its frequency is at most eta/8.
    `size_needed` returns a length k for which both assumptions hold with probability at least
    1 - 2 failure.

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Budget of the whole run.
    frequency : Fraction
        Frequency eta of a frequent item, strictly between 0 and 1.
    histograms : int
        Largest number c of histograms, at least 1.
    size : int
        Number k of items of every list. Numbers of 2^166 and more are allowed.
    paper_constants : bool
        Whether to run the rule of the paper, with half of the noise and one test less.

    Raises
    ------
    InvalidInput
        If the budget, the frequency or a count is out of range, or a float.

    References
    ----------
    [GL21, Alg 2, Lemma 5.3].

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from fractions import Fraction
    >>> mechanism = HistSparse(
    ...     4, Fraction(1, 10**6), frequency=Fraction(1, 2), histograms=2, size=1000
    ... )
    >>> lists = [{"a": 900, "b": 100}] * 3 + [{"b": 1000}]
    >>> mechanism.answers(lists, SeededCoins(1))
    ('a', 'a', 'a', 'b')
    >>> from learners.accounting import basic
    >>> basic(mechanism.privacy)
    (Fraction(4, 1), Fraction(1, 1000000))
    >>> paper = replace(mechanism, paper_constants=True)
    >>> [str(basic(replace(paper, histograms=c).privacy)[0]) for c in (1, 2, 3)]
    ['2', '4', '14/3']
    """

    epsilon: Epsilon
    delta: Delta
    frequency: Frequency
    histograms: Histograms
    size: Annotated[int, Option("number of items of a list", minimum=1)]
    paper_constants: bool = False

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def test(self) -> AboveThreshold:
        """The test that decides whether the current name has become rare."""
        rare = -(-self.size * (1 - 3 * self.frequency / 32) // 1)
        runs = self.histograms if self.paper_constants else 2 * self.histograms
        return AboveThreshold(self.epsilon / runs, threshold=int(rare))

    @cached_property
    def histogram(self) -> StableHistogram:
        """The histogram that finds a frequent item."""
        return StableHistogram.for_frequencies(
            self.epsilon / (2 * self.histograms),
            self.delta / self.histograms,
            frequency=self.frequency,
            size=self.size,
        )

    @property
    def tests(self) -> int:
        """The largest number of tests. Each test ends when the current name is rare."""
        return self.histograms - self.paper_constants

    @property
    def privacy(self) -> Event:
        """The privacy cost of a run, from its first list to its end."""
        return Sequential(
            (
                SelfComposed(self.test.privacy, self.tests),
                SelfComposed(AtOnce(self.histogram.privacy), self.histograms),
            )
        )

    def start(self, coins: Coins) -> HistSparseRun:
        """Return a new run, which has read no list. No randomness is drawn."""
        return HistSparseRun(self, None, None, self.histograms)

    def answers(
        self,
        lists: Iterable[Counts],
        coins: Coins,
        *,
        key: Order | None = None,
    ) -> tuple[Hashable, ...]:
        """Return the name after each list. A halted run reads no lists and keeps its name."""
        run, names = self.start(coins), []
        for counts in lists:
            name, run = run.ask(counts, coins, key=key)
            names.append(name)
        return tuple(names)

    @staticmethod
    @check_arguments
    def size_needed(
        epsilon: Epsilon,
        delta: Delta,
        *,
        frequency: Frequency,
        histograms: Histograms,
        rounds: Rounds,
        failure: Failure,
    ) -> int:
        """Return a list length k for which the accuracy bound of this class holds.

        The bound fails with probability at most 2 failure.

        By a union bound over c thresholds and T numbers, every test has a total noise of at most
        noise_bound(4c/epsilon, failure/(2c)) + noise_bound(8c/epsilon, failure/(2T)), except with
        probability `failure`. The length k is so large that this sum is at most k eta/32. It is
        also at least the result of `StableHistogram.size_needed`, so each of the c histograms, of
        privacy (epsilon/(2c), delta/c), fails with probability at most failure/c.

        Examples
        --------
        >>> from fractions import Fraction
        >>> HistSparse.size_needed(
        ...     4,
        ...     Fraction(1, 10**6),
        ...     frequency=Fraction(1, 2),
        ...     histograms=2,
        ...     rounds=100,
        ...     failure=Fraction(1, 20),
        ... )
        2688
        """
        c = histograms
        noise = noise_bound(4 * c / epsilon, failure / (2 * c)) + noise_bound(
            8 * c / epsilon, failure / (2 * rounds)
        )
        for_histograms = StableHistogram.size_needed(
            epsilon / (2 * c), delta / c, frequency=frequency, failure=failure / c
        )
        return max(-int(-32 * noise / frequency // 1), for_histograms)

    def _checked(self, counts: Counts) -> Counts:
        if (found := total(counts)) != self.size:
            raise InvalidInput(
                f"Every list must have {self.size} items, because the count of other items "
                f"must have sensitivity 1. Got {found}."
            )
        return counts

    def _most_frequent(
        self,
        counts: Counts,
        coins: Coins,
        key: Order | None,
        old: Hashable,
    ) -> Hashable:
        named = {item: count for item, count in counts.items() if item is not None}
        for item in named:
            # `ask` finds the name in the counts by its canonical form.
            if canonical_item(item) != item:
                raise InvalidInput(
                    "Items of lists must equal their canonical forms, because the run finds names "
                    f"by canonical form. Pass Hypothesis.canonical of hypotheses. Got {item!r}."
                )
        released = self.histogram.release(named, coins, key=key)
        name: Hashable = released[0][0] if released else old
        return name


@dataclass(frozen=True)
class HistSparseRun(State[HistSparse]):
    """A run of the mechanism `HistSparse`.

    Attributes
    ----------
    name : hashable
        The current name, or None if no name has been released.
    test : AboveThresholdRun or None
        The current test (secret), or None if the next list begins a test or the tests are used up.
    remaining : int
        Number of remaining histograms, which is c before the first list.
    halted : bool
        Whether the run has halted, so that its name stays. A run halts when it would need one more
        histogram. Under the rule of the paper it halts after its last histogram.
    """

    name: Hashable
    test: AboveThresholdRun | None
    remaining: int
    halted: bool = False

    def __post_init__(self) -> None:
        if self.test is not None:
            require_own(self.mechanism.test, self.test)

    def ask(
        self,
        counts: Counts,
        coins: Coins,
        *,
        key: Order | None = None,
    ) -> tuple[Hashable, HistSparseRun]:
        """Return the name after a list, and the run after it.

        A halted run ignores the list. It returns its last name and itself.

        Parameters
        ----------
        counts : mapping of item to int
            Number of occurrences of each item in the list, with items as in
            `StableHistogram.release`. The key None counts entries without an item. For a
            `learners.multiset.Multiset`, each list after the first costs only a look-up, unless
            the name is rare.
        coins : Coins
            Source of the random draws.
        key : callable, optional
            Function that orders items of equal noisy count, as in `StableHistogram.release`.

        Raises
        ------
        InvalidInput
            If a count is negative, the counts do not add up to k, or an item does not equal its
            canonical form. The last condition is checked for the named item only. Hypotheses on
            large domains may differ from their canonical forms.
        """
        self.mechanism._checked(counts)
        after = self if self.halted else self._after(counts, coins, key)
        return after.name, after

    def _after(self, counts: Counts, coins: Coins, key: Order | None) -> HistSparseRun:
        mechanism = self.mechanism
        if self.remaining < mechanism.histograms:
            # [GL21, Alg 2 line 3], [GL21, Alg 2 line 12]
            test = mechanism.test.start(coins) if self.test is None else self.test
            # [GL21, Alg 2 line 7], [GL21, Alg 2 line 8], [GL21, Alg 2 line 9]
            named = 0 if self.name is None else counts.get(self.name, 0)
            named = checked.nonnegative(named, "count")
            rare, test = test.ask(mechanism.size - named, coins)
            if not rare:
                return replace(self, test=test)  # [GL21, Alg 2 line 14]
            if not self.remaining:
                return replace(self, test=None, halted=True)
        # [GL21, Alg 2 line 5] is the first histogram. After a test that found the name rare:
        # [GL21, Alg 2 line 10], [GL21, Alg 2 line 11].
        name = mechanism._most_frequent(counts, coins, key, self.name)
        left = self.remaining - 1
        # [GL21, Alg 2 line 16], [GL21, Alg 2 line 17]
        halted = mechanism.paper_constants and not left
        return replace(self, name=name, test=None, remaining=left, halted=halted)
