"""Audit instances of mechanisms that answer queries one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Annotated

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    GameInstance,
    HiddenAnswers,
    Instance,
    UndetectedVariant,
    asked,
    challenged,
    neighbouring_streams,
    opposite_numbers,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.games import AdaptiveInputs, Ask, Challenge, MechanismResponder, Move
from learners.mechanisms.challenge_at import FAILURE_SHARE, ChallengeAT
from learners.mechanisms.counter import CounterRun, TreeCounter
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.hist_sparse import HistSparse, HistSparseRun
from learners.mechanisms.sparse_vector import (
    AboveThreshold,
    CumulativeAboveThreshold,
    OneSidedThreshold,
    Sparse,
)
from learners.mechanisms.voting_counters import VotingCounters
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.options import Option

# ---- challenge at


FAR = 100
"""Absolute value of the challenge's number, which is negative in one world and positive in the
other."""


def _steps(mechanism: ChallengeAT) -> Stepwise:
    return Stepwise(HiddenAnswers(MechanismResponder(mechanism)))


def _challenge_at_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(0),
    share: Annotated[Fraction, Option("part of epsilon for halting")] = Fraction(1, 2),
    reports: Annotated[
        int, Option("approximate number of reports before halting", minimum=1, maximum=8)
    ] = 1,
    threshold: Annotated[int, Option("threshold of the noisy test", minimum=-9, maximum=9)] = 1,
    queries: Annotated[int, Option("number of queries", minimum=1, maximum=6)] = 4,
    tree: Annotated[bool, Option("halt by the counts of a tree counter")] = False,
) -> Instance:
    """Return opposite numbers, with a challenge at every place that one world surely reports.

    Without delta, these pairs suffice among all pairs with such a challenge. Given the noise of the
    halting test, the probability of a view is a product. It has one factor for each number, and one
    factor for the time of the halt, which depends on the challenge only. The factor for the halt
    favours one world or the other. The docstring of `opposite_numbers` explains the factors for the
    numbers.
    """
    if not 0 < share < 1:
        raise InvalidInput(
            f"The parameter 'share' must lie between 0 and 1. Got {format_number(share)}."
        )
    mechanism = ChallengeAT(
        epsilon * (1 - share),
        delta * (1 - FAILURE_SHARE),
        reports,
        threshold,
        epsilon * share,
        delta * FAILURE_SHARE,
        queries,
        "tree" if tree else "cumulative",
    )
    worlds = opposite_numbers(queries - 1)
    both_ways = dict.fromkeys((*worlds, *((one, zero) for zero, one in worlds)))
    pairs = challenged(both_ways, [(-FAR, FAR)])
    return Instance(mechanism, _steps, pairs)


# ---- counter


@dataclass(frozen=True)
class _NoisySums:
    """The noisy sums that follow from the counts, clipped to the range of the true sums.

    Let 2^i be t's lowest binary digit. The count at time t minus the count at t - 2^i is the noisy
    sum over these 2^i times, so the counts and the noisy sums carry the same information. A sum s
    from 0 to 2^i with discrete Laplace noise is v with a probability proportional to q^|v - s|. For
    v <= 0 and for v >= 2^i this is a function of v times a function of s. So clipping to 0, ...,
    2^i does not reduce the loss: every event distinguishes the streams at most as well as some
    event of the clipped sums.
    """

    mechanism: TreeCounter

    def start(self, coins: Coins) -> tuple[CounterRun, tuple[tuple[int, int], ...]]:
        """Return a run, and times with the counts that were released then."""
        return self.mechanism.start(coins), ((0, 0),)

    def answer(
        self, state: tuple[CounterRun, tuple[tuple[int, int], ...]], bit: int, coins: Coins
    ) -> tuple[tuple[CounterRun, tuple[tuple[int, int], ...]], int]:
        run, released = state
        total, run = run.ask(bit, coins)
        time = released[-1][0] + 1
        # Later sums begin after the ends of these intervals, so only these ends are kept.
        kept = tuple(entry for entry in released if entry[0] <= time & (time - 1))
        begin, before = kept[-1]
        clipped = min(max(total - before, 0), time - begin)
        return (run, (*kept, (time, total))), clipped


def _counter_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(12),
    rounds: Annotated[int, Option("number of bits", minimum=1, maximum=4)] = 4,
) -> Instance:
    """Return all neighbouring streams of bits."""
    mechanism = TreeCounter(epsilon, rounds)
    pairs = neighbouring_streams((0, 1), rounds)
    return Instance(mechanism, lambda counter: Stepwise(_NoisySums(counter)), pairs)


# ---- fresh noise


def _fresh_noise_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    delta: ClaimedDelta = Fraction(1, 10**6),
    reports: Annotated[int, Option("largest number of reports", minimum=1, maximum=3)] = 1,
    queries: Annotated[int, Option("number of queries", minimum=1, maximum=200)] = 90,
    calibrated: Annotated[bool, Option("use the numeric scale instead of the closed form")] = True,
) -> Instance:
    """Return one repeated number at every distance up to twice the scale below the threshold.

    The loss of a report is largest far below the threshold, where reports occur only if the
    question is asked often.
    """
    mechanism = FreshNoiseThreshold(epsilon, delta, reports, 0, calibrated=calibrated)
    pairs = tuple(
        ((-distance,) * queries, (1 - distance,) * queries)
        for distance in range(1, int(2 * mechanism.scale) + 1)
    )
    return Instance(mechanism, asked, pairs)


# ---- hist sparse


@dataclass(frozen=True)
class _Names:
    """The name after each list, and the time of the halt, which reveals more than names."""

    mechanism: HistSparse

    def start(self, coins: Coins) -> HistSparseRun:
        return self.mechanism.start(coins)

    def answer(
        self, run: HistSparseRun, items: tuple[str | None, ...], coins: Coins
    ) -> tuple[HistSparseRun | None, Hashable]:
        name, after = run.ask(Counter(items), coins, key=str)
        if not after.halted:
            return after, name
        # Under the rule of the paper a run ends with a name. Otherwise it ends with a test.
        return None, name if self.mechanism.paper_constants else None


def _hist_sparse_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 1000),
    frequency: Annotated[Fraction, Option("frequency eta of a frequent item")] = Fraction(1, 2),
    histograms: Annotated[
        int, Option("largest number of searches for a new name", minimum=1, maximum=2)
    ] = 1,
    size: Annotated[int, Option("number of items per list", minimum=2, maximum=64)] = 5,
    lists: Annotated[int, Option("number of lists", minimum=2, maximum=12)] = 8,
    printed: Annotated[
        bool, Option("use the rule of [GL21, Alg 2], with half of the noise and one test less")
    ] = False,
) -> Instance:
    """Return streams in which one item of the first list changes.

    In the first list, all items have one name, or two names tie. Later lists keep the name common
    in one world and slightly less common in the other world. In the last list, this is reversed.
    """
    mechanism = HistSparse(epsilon, delta, frequency, histograms, size, paper_constants=printed)
    rare = min(mechanism.test.threshold, size)
    fewer, more = ((("a",) * (size - others) + (None,) * others) for others in (rare - 1, rare))
    ways = [(low,) * (lists - 2) + (high,) for low, high in ((fewer, more), (more, fewer))]
    half = size // 2
    firsts = [
        (("a",) * size, ("a",) * (size - 1) + (None,)),
        (("a",) * size, ("a",) * (size - 1) + ("b",)),
        (("a",) * half + ("b",) * (size - half), ("a",) * (half - 1) + ("b",) * (size - half + 1)),
    ]
    pairs = tuple(
        ((first, *later), (second, *other_later))
        for one, other in firsts
        for first, second in ((one, other), (other, one))
        for later, other_later in (ways, ways[::-1])
    )
    return Instance(mechanism, lambda names: Stepwise(_Names(names)), pairs)


# ---- sparse vector


Threshold = Annotated[int, Option("threshold of the noisy test", minimum=-(10**6), maximum=10**6)]


def _above_threshold(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    threshold: Threshold = 1,
    queries: Annotated[int, Option("number of queries", minimum=1, maximum=12)] = 8,
) -> Instance:
    """Return `opposite_numbers`, which suffice because the threshold's noise is drawn first."""
    mechanism = AboveThreshold(epsilon, threshold)
    return Instance(mechanism, asked, opposite_numbers(queries))


def _cumulative(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    threshold: Threshold = 1,
    rounds: Annotated[int, Option("number of bits", minimum=1, maximum=8)] = 4,
) -> Instance:
    """Return all neighbouring streams of bits."""
    mechanism = CumulativeAboveThreshold(epsilon, threshold)
    return Instance(mechanism, asked, neighbouring_streams((0, 1), rounds))


def _one_sided(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    threshold: Threshold = 1,
    rise: Annotated[
        int, Option("increase of the threshold in the rounds 1, 2 and 4", minimum=0)
    ] = 0,
    rounds: Annotated[int, Option("number of bits", minimum=1, maximum=8)] = 4,
) -> Instance:
    """Return all neighbouring streams of bits."""
    mechanism = OneSidedThreshold(epsilon, threshold, rise=rise, first=1)
    return Instance(mechanism, asked, neighbouring_streams((0, 1), rounds))


def _sparse(
    *,
    epsilon: ClaimedEpsilon = Fraction(6),
    reports: Annotated[int, Option("largest number of reports", minimum=1, maximum=3)] = 2,
    threshold: Threshold = 1,
    queries: Annotated[int, Option("number of queries", minimum=1, maximum=10)] = 8,
) -> Instance:
    """Return `opposite_numbers`, which suffice because each report draws one noise first."""
    mechanism = Sparse(epsilon, reports, threshold)
    return Instance(mechanism, asked, opposite_numbers(queries))


# ---- voting counters


def _voting_counters(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 8),
    rounds: Annotated[int, Option("number of rounds", minimum=1, maximum=6)] = 3,
    quiet: Annotated[bool, Option("allow rounds without a vote")] = True,
) -> GameInstance:
    """Return the game of all adaptive votes for two items, one of them in two versions.

    With threshold r, the loss of twice epsilon/2 occurs from 2r - 1 rounds on: r votes for one item
    and r - 1 for the other, where a replaced vote exchanges the numbers.
    """
    mechanism = VotingCounters(epsilon, delta, rounds)
    challenges = [Challenge(zero, one) for zero, one in combinations(("a", "b", None), 2)]
    moves: tuple[Move, ...] = (Ask("a"), Ask("b"), *challenges)
    if quiet:
        moves = (*moves, Ask(None))
    return GameInstance(
        mechanism,
        lambda counters: AdaptiveInputs(MechanismResponder(counters), rounds),
        moves,
        mechanism.privacy,
    )


# ---- audits


AUDITS = (
    AuditEntry(
        "challenge_at",
        "reports above a threshold, with one question in two versions and a hidden answer",
        _challenge_at_instance,
    ),
    AuditEntry(
        "tree_counter",
        "noisy counts after every bit, as equally informative clipped sums",
        _counter_instance,
    ),
    AuditEntry(
        "fresh_noise_threshold",
        "reports above a threshold without noise, where all numbers may differ",
        _fresh_noise_instance,
    ),
    AuditEntry(
        "hist_sparse",
        "a frequent item of changing lists",
        _hist_sparse_instance,
        Fraction("5.94"),
        "only the names of items are released, so the histogram loses a quarter of epsilon for "
        "a changed item, instead of the half that the claim charges",
    ),
    AuditEntry(
        "above_threshold",
        "the first number above a threshold, where all numbers may differ",
        _above_threshold,
    ),
    AuditEntry(
        "cumulative_above_threshold",
        "the first time at which the count of a stream reaches a threshold",
        _cumulative,
    ),
    AuditEntry(
        "one_sided_threshold",
        "the count of a stream reaches a threshold that is only raised",
        _one_sided,
        unseen=(
            UndetectedVariant(
                "lets the threshold rise only in rounds with a one",
                "the threshold of the default instance does not rise",
                seen_by="one_sided_threshold:rise=1",
            ),
        ),
    ),
    AuditEntry(
        "sparse",
        "several numbers above a threshold, at epsilon each, where all numbers may differ",
        _sparse,
    ),
    AuditEntry(
        "voting_counters",
        "the first of two items whose votes reach a noisy threshold, in adaptive games",
        _voting_counters,
        unseen=(
            UndetectedVariant(
                "lets the first vote decide between items that fire in one round",
                "two items fire in one round with a probability below the delta of this instance",
                "voting_counters:epsilon=12,delta=1/10000,rounds=5,quiet=false",
            ),
        ),
    ),
)
