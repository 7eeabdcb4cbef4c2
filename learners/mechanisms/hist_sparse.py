"""Naming a frequent item of a list that changes over time, again only when it has become rare."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from learners import checked
from learners.accounting import AtOnce, Event, SelfComposed, Sequential
from learners.coins import Coins
from learners.mechanisms.histograms import Counts, Order, StableHistogram, canonical_item
from learners.mechanisms.noise import noise_bound
from learners.mechanisms.sparse_vector import AboveThreshold, AboveThresholdRun
from learners.multiset import total
from learners.states import State, require_own
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields

__all__ = ["HistSparse", "HistSparseRun"]


@dataclass(frozen=True)
class HistSparse:
    """A private stream of names: keep naming an item while it is frequent, else find a new one.

    The lists L_1, L_2, ... come one at a time, as counts of their items; a changed person changes
    at most one of the k items of each. The first name is the most frequent released item of a
    `StableHistogram` of L_1. At every later list, `AboveThreshold` tests whether the number of
    items other than the current name reaches k(1 - 3 eta/32), and if so the histogram is asked
    again. There are c histograms at most: the test that would ask for one more halts the run
    instead, which keeps its last name from then on. Items that are None (no hypothesis) are never
    named; if nothing is released, the old name stays.

    **Guarantee.** (epsilon, delta)-DP.

    **Proof.** From one histogram to the next runs an `AboveThreshold` on numbers of sensitivity 1
    (counts of items of L_t that differ from a name that has been released), with privacy parameter
    epsilon/(2c): its threshold gets noise of scale 4c/epsilon, its numbers 8c/epsilon. There are
    at most c of these, and c histograms of privacy (epsilon/(2c), delta/c): together
    (epsilon/2, 0) and (epsilon/2, delta). The rest is post-processing, and so is the name of a
    halted run; that it has halted may be seen, too.

    **The rule of the paper.** [GL21, Alg 2] differs in two ways. Its run is over with the
    c-th histogram (the counter starts at 1 for the first one, and the run ends as soon as it is c),
    so that there are c - 1 tests; here one more is made after the last histogram, which tells that
    the last name has become rare. And its noise is sigma = 2c/(k epsilon) for frequencies, that is
    2c/epsilon for the threshold and 4c/epsilon for the numbers, half of the noise above: since a
    frequency can rise as well as fall, each test is (epsilon/c, 0)-DP. The c - 1 tests and c
    histograms are ((3/2 - 1/c) epsilon, delta)-DP together, which is within (epsilon, delta), as
    [GL21, Lemma 5.3] has it, for c <= 2. For c >= 3 this composition is more than epsilon; whether
    the run is, is not known. `paper_constants=True` runs this rule, and `privacy` says what is
    proved of it.

    **Accuracy.** If no noise of the tests exceeds k eta/32 in total and no histogram fails
    ([GL21, Lemma 5.3] with alpha = eta/32), every name has frequency at least eta/16, and a name is
    replaced only when its frequency is at most eta/8. `size_needed` says for which k this holds
    with probability 1 - 2 failure.

    Parameters
    ----------
    epsilon, delta : Fraction or int
        Of the whole run.
    frequency : Fraction
        eta, strictly between 0 and 1.
    histograms : int
        c, at least 1.
    size : int
        k, the number of items of every list; 2^166 and more are no trouble.
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

    epsilon: Fraction
    delta: Fraction
    frequency: Fraction
    histograms: int
    size: int
    paper_constants: bool = False

    def __post_init__(self) -> None:
        set_frozen_fields(
            self, epsilon=checked.epsilon(self.epsilon), delta=checked.delta(self.delta)
        )
        set_frozen_fields(self, frequency=checked.share(self.frequency, "frequency"))
        set_frozen_fields(
            self, histograms=checked.positive(self.histograms, "number of histograms")
        )
        set_frozen_fields(self, size=checked.positive(self.size, "number of items of a list"))

    @cached_property
    def test(self) -> AboveThreshold:
        """The test whether the current name has become rare."""
        rare = -(-self.size * (1 - 3 * self.frequency / 32) // 1)
        runs = self.histograms if self.paper_constants else 2 * self.histograms
        return AboveThreshold(self.epsilon / runs, threshold=int(rare))

    @cached_property
    def histogram(self) -> StableHistogram:
        """The histogram that looks for a frequent item."""
        return StableHistogram.for_frequencies(
            self.epsilon / (2 * self.histograms),
            self.delta / self.histograms,
            frequency=self.frequency,
            size=self.size,
        )

    @property
    def tests(self) -> int:
        """The largest number of tests, each until it finds the current name rare."""
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
        """A new run, which has read no list; nothing is drawn."""
        return HistSparseRun(self, None, None, self.histograms)

    def answers(
        self,
        lists: Iterable[Counts],
        coins: Coins,
        *,
        key: Order | None = None,
    ) -> tuple[Hashable, ...]:
        """The names after each list, also after those that a halted run does not read."""
        run, names = self.start(coins), []
        for counts in lists:
            name, run = run.ask(counts, coins, key=key)
            names.append(name)
        return tuple(names)

    @staticmethod
    def size_needed(
        epsilon: Fraction,
        delta: Fraction,
        *,
        frequency: Fraction,
        histograms: int,
        rounds: int,
        failure: Fraction,
    ) -> int:
        """The length of the lists for which the accuracy holds with probability 1 - 2 failure.

        The noise of c thresholds and T numbers stays within k eta/32 with probability 1 - failure
        if noise_bound(4c/epsilon, failure/(2c)) + noise_bound(8c/epsilon, failure/(2T)) does; and
        c histograms of privacy (epsilon/(2c), delta/c) fail with probability failure/c each from
        `StableHistogram.size_needed` on.

        Examples
        --------
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
        epsilon, delta = checked.epsilon(epsilon), checked.delta(delta)
        eta, failure = checked.share(frequency, "frequency"), checked.failure(failure)
        c = checked.positive(histograms, "number of histograms")
        rounds = checked.positive(rounds, "number of rounds")
        noise = noise_bound(4 * c / epsilon, failure / (2 * c)) + noise_bound(
            8 * c / epsilon, failure / (2 * rounds)
        )
        for_histograms = StableHistogram.size_needed(
            epsilon / (2 * c), delta / c, frequency=eta, failure=failure / c
        )
        return max(-int(-32 * noise / eta // 1), for_histograms)

    def _checked(self, counts: Counts) -> Counts:
        if (found := total(counts)) != self.size:
            raise InvalidInput(
                f"Every list must have {self.size} items, or one item would change the number "
                f"of others. Got {found}."
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
            # `ask` looks the name up.
            if canonical_item(item) != item:
                raise InvalidInput(
                    "Items of lists equal their canonical forms, or the name would not be found "
                    f"among them. Give hypotheses as Hypothesis.canonical does. Got {item!r}."
                )
        released = self.histogram.release(named, coins, key=key)
        name: Hashable = released[0][0] if released else old
        return name


@dataclass(frozen=True)
class HistSparseRun(State[HistSparse]):
    """A run of `HistSparse`.

    Attributes
    ----------
    name : hashable
        The name in force; None if none was released yet.
    test : AboveThresholdRun or None
        The test that is running (secret); None if the next list begins one, or there is no more.
    remaining : int
        How many histograms are left: all of them before the first list.
    halted : bool
        Whether one histogram more would have been needed, or, under the rule of the paper, the last
        one has been asked; the name stays from then on.
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
        """The name after a list, and the run after it.

        A halted run reads nothing more: it answers with its last name, and stays as it is.

        Parameters
        ----------
        counts : mapping of item to int
            How often each item occurs in the list, items as in `StableHistogram.release`; None
            counts those without one. For a `learners.multiset.Multiset`, lists after the first cost
            no more than a look-up, unless the name is rare.
        coins : Coins
        key : callable, optional
            Orders items of equal noisy count, as in `StableHistogram.release`.

        Raises
        ------
        InvalidInput
            If a count is negative, or they do not add up to k, or an item does not equal its
            canonical form, which is named, as hypotheses on large domains may not.
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
        # [GL21, Alg 2 line 5] is the first histogram; after a test that found the name rare it is
        # [GL21, Alg 2 line 10], [GL21, Alg 2 line 11].
        name = mechanism._most_frequent(counts, coins, key, self.name)
        left = self.remaining - 1
        # [GL21, Alg 2 line 16], [GL21, Alg 2 line 17]
        halted = mechanism.paper_constants and not left
        return replace(self, name=name, test=None, remaining=left, halted=halted)
