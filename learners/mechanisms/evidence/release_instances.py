"""Audit instances of mechanisms that release once, such as noise, histograms and selection."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Annotated

from learners.accounting import ApproximateDP, Scope, zcdp_rho
from learners.audit.instances import (
    AddRemove,
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    Margin,
    clipped,
    neighbouring_tables,
    relation,
)
from learners.coins import Coins
from learners.exact import CensoredCoins
from learners.mechanisms.count_trees import CountTree, Levels
from learners.mechanisms.histograms import BoundedHistogram, Histogram, Released, StableHistogram
from learners.mechanisms.list_histogram import ListHistogram
from learners.mechanisms.noise import DiscreteLaplace
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.mechanisms.selection import (
    ExponentialMechanism,
    PermuteAndFlip,
    ReportNoisyMax,
    SelectionMechanism,
)
from lsclasses.options import Option

# ---- count trees


def _count_trees_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(0),
    bins: Annotated[int, Option("number of bins of the histogram", minimum=1, maximum=4)] = 3,
    branching: Annotated[
        int,
        Option(
            "number of nodes per node of the next level, 0 for a single level", minimum=0, maximum=4
        ),
    ] = 2,
    rows: Annotated[int, Option("number of rows of the table", minimum=1, maximum=4)] = 1,
    margin: Margin = 0,
    add_remove: AddRemove = False,
) -> Instance:
    """Return all neighbouring tables of a small size, with noisy counts clipped to a range.

    The range contains all possible counts and a margin on both sides. For independent Laplace
    noise, clipping does not reduce the loss between two tables. See
    `learners.rules.evidence.instances` for the reason.
    """
    mechanism = CountTree(
        epsilon, bins, branching or None, delta or None, neighbours=relation(add_remove)
    )

    def release(tree: CountTree) -> Callable[[tuple[int, ...], Coins], Levels]:
        def run(data: tuple[int, ...], coins: Coins) -> Levels:
            noisy = CensoredCoins(coins, rows + margin)
            found = tree.release([data.count(place) for place in range(bins)], noisy)
            levels: Levels = clipped(found, -margin, rows + margin)
            return levels

        return run

    return Instance(
        mechanism, release, neighbouring_tables(list(range(bins)), rows, mechanism.neighbours)
    )


def _gaussian(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 20),
    margin: Margin = 1,
    add_remove: AddRemove = False,
) -> Instance:
    """Return the tables of one row in one of three bins, with a delta for Gaussian noise."""
    return _count_trees_instance(epsilon=epsilon, delta=delta, margin=margin, add_remove=add_remove)


# ---- histograms


LETTERS = "abcdefgh"


def _histograms_entry(
    kind: type[StableHistogram | BoundedHistogram], name: str, title: str
) -> AuditEntry:
    def build(
        *,
        epsilon: ClaimedEpsilon = Fraction(2),
        delta: ClaimedDelta = Fraction(1, 100),
        items: Annotated[
            int, Option("number of different items", minimum=2, maximum=len(LETTERS))
        ] = 2,
        people: Annotated[int, Option("number of items of the data", minimum=1, maximum=64)] = 12,
    ) -> Instance:
        """Return all data sets of `people` people: mistakes occur at counts near the threshold."""
        mechanism = kind(epsilon, delta)
        pairs = neighbouring_tables(LETTERS[:items], people, mechanism.neighbours)

        def release(histogram: Histogram) -> Callable[[Sequence[str], Coins], Released]:
            return lambda data, coins: histogram.release(data, coins, key=ord)

        return Instance(mechanism, release, pairs)

    return AuditEntry(name, title, build)


# ---- list histogram


def _lists(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 20),
    length: Annotated[int, Option("largest length of a list", minimum=1, maximum=2)] = 1,
    gaussian: Annotated[bool, Option("use discrete Gaussian noise")] = False,
) -> Instance:
    """Return lists that are replaced or vanish, with other lists up to counts near the threshold.

    Clipping of large counts does not reduce the loss of Laplace noise. Gaussian noise spends half
    of delta on the conversion of zCDP.
    """
    if gaussian:
        mechanism = ListHistogram(length, zcdp_rho(epsilon, delta / 2), delta / 2, "gaussian")
    else:
        mechanism = ListHistogram(length, epsilon, delta)
    tau, first, second = mechanism.threshold, "ab"[:length], "cd"[:length]
    pairs = []
    for low, high in ((0, 0), (0, tau), (tau, tau), (tau - 1, tau)):
        others = (*first,) * low + (*second,) * high
        pairs += [((*others, first), (*others, second)), ((*others, first), (*others, ""))]
    largest = tau + 3

    def release(histogram: ListHistogram) -> Callable[[Sequence[str], Coins], Hashable]:
        def run(lists: Sequence[str], coins: Coins) -> Hashable:
            released = histogram.release(lists, CensoredCoins(coins, largest), key=ord)
            return tuple(sorted((item, min(count, largest)) for item, count in released))

        return run

    scope = Scope.adaptive("replace_one")
    claim = ApproximateDP(epsilon, delta, name="list histogram", scope=scope)
    return Instance(mechanism, release, (*pairs, *((b, a) for a, b in pairs)), claim)


# ---- noise


def _noise_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(1, 2),
    sensitivity: Annotated[int, Option("largest change of the count", minimum=1, maximum=16)] = 1,
) -> Instance:
    mechanism = DiscreteLaplace(epsilon, sensitivity)
    pairs = tuple((0, changed) for changed in range(1, sensitivity + 1))
    return Instance(mechanism, lambda noise: noise.release, pairs)


# ---- randomized response


def _randomized_response_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    answers: Annotated[int, Option("number of answers", minimum=2, maximum=64)] = 3,
) -> Instance:
    mechanism = RandomizedResponse(epsilon, answers)
    pairs = tuple(combinations(range(answers), 2))
    return Instance(mechanism, lambda response: response.release, pairs)


# ---- selection


Candidates = Annotated[int, Option("number of candidates", minimum=1, maximum=4)]
Scores = Annotated[int, Option("largest score", minimum=1, maximum=8)]


def _selection_entry(
    kind: type[SelectionMechanism],
    name: str,
    title: str,
    *,
    claimed: Fraction,
    few: int,
    largest: int,
) -> AuditEntry:
    def build(
        *, epsilon: ClaimedEpsilon = claimed, candidates: Candidates = few, scores: Scores = largest
    ) -> Instance:
        """Return all tables of scores from 0 on, in which every score may differ by one."""
        mechanism = kind(epsilon)
        pairs = tuple(
            (zero, one)
            for zero, one in combinations(product(range(scores + 1), repeat=candidates), 2)
            if all(abs(x - y) <= 1 for x, y in zip(zero, one, strict=True))
        )
        return Instance(mechanism, lambda selection: selection.release, pairs)

    return AuditEntry(name, title, build)


# ---- audits


AUDITS = (
    AuditEntry(
        "count_tree",
        "noisy counts of bins and of groups of bins, with rows replaced or added",
        _count_trees_instance,
    ),
    AuditEntry(
        "count_tree_gaussian",
        "counts of bins and of groups of bins with discrete Gaussian noise",
        _gaussian,
    ),
    _histograms_entry(StableHistogram, "stable_histogram", "noisy counts that reach a threshold"),
    _histograms_entry(BoundedHistogram, "bounded_histogram", "noisy counts of bounded error"),
    AuditEntry(
        "list_histogram",
        "noisy counts of the items of lists, of which one list is replaced or vanishes",
        _lists,
    ),
    AuditEntry(
        "discrete_laplace",
        "discrete Laplace noise on a count",
        _noise_instance,
    ),
    AuditEntry(
        "randomized_response",
        "one of several answers, most likely the true answer",
        _randomized_response_instance,
    ),
    _selection_entry(
        ExponentialMechanism,
        "exponential_mechanism",
        "a candidate drawn with an exponential weight of its score",
        claimed=Fraction(2),
        few=2,
        largest=5,
    ),
    _selection_entry(
        ReportNoisyMax,
        "report_noisy_max",
        "the candidate with the largest noisy score",
        claimed=Fraction(4),
        few=3,
        largest=2,
    ),
    _selection_entry(
        PermuteAndFlip,
        "permute_and_flip",
        "the first candidate in a random order that a coin accepts",
        claimed=Fraction(2),
        few=2,
        largest=5,
    ),
)
