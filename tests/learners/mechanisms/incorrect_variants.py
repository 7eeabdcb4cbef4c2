"""Broken twins of the mechanisms, which their audits have to see."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from learners.audit.instances import Instance
from learners.coins import Coins
from learners.exact import Stepwise
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.histograms import StableHistogram
from learners.mechanisms.list_histogram import ListHistogram
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold, OneSidedThreshold
from learners.mechanisms.voting_counters import VotingCounters, VotingRun
from tests.learners.breaking import (
    Broken,
    Twin,
    altered,
    in_sixteenths,
    multiplied,
    other,
    program,
    relative,
    repeated,
    rerun,
    variance,
)


class TwoAnswers(RandomizedResponse):
    """Tells the truth as if there were two answers."""

    def release(self, answer: int, coins: Coins) -> int:
        if RandomizedResponse(self.epsilon).release(0, coins) == 0:
            return answer
        return (answer + 1 + coins.below(self.answers - 1)) % self.answers


def loud_maximum(mechanism: Any, scores: Any, coins: Coins) -> int:
    return max(score + coins.laplace(1 / mechanism.rate) for score in scores)


def truncated(mechanism: Any, count: int, coins: Coins) -> int:
    reach = int(3 / mechanism.epsilon)
    weights = [-mechanism.epsilon * abs(z) for z in range(-reach, reach + 1)]
    return count + coins.pick(weights) - reach


class SmallNoise(StableHistogram):
    """Noise for one changed count, where two change; its threshold is the right one."""

    def _noise(self, count: int, coins: Coins) -> list[int]:
        return coins.laplaces(1 / self.epsilon, count)


class QuietLists(ListHistogram):
    """Noise for one changed item of each list, where two change; its threshold is the right one."""

    def _noise(self, count: int, coins: Coins) -> list[int]:
        return coins.laplaces(self.scale / 2, count)


def in_order_of_data(mechanism: Any, data: Any, coins: Coins) -> Hashable:
    released = dict(mechanism.release(data, coins, key=ord))
    return tuple((item, released[item]) for item in dict.fromkeys(data) if item in released)


@dataclass(frozen=True)
class SparseVector:
    """The family of Lyu, Su, Li 2017: threshold noise drawn once, none if its scale is 0."""

    threshold_scale: Fraction | int
    query_scale: Fraction | int
    cutoff: int | None = 1
    releases: str = "yes"
    """What is released above the threshold: "yes", its "noisy" value, or a "fresh" one."""
    fresh_scale: Fraction | int = 0
    threshold: int = 0

    def start(self, coins: Coins) -> Any:
        noise = coins.laplace(self.threshold_scale) if self.threshold_scale else 0
        return self.threshold + noise, 0

    def answer(self, state: Any, value: int, coins: Coins) -> tuple[Any, Hashable]:
        threshold, reports = state
        answer = None
        if self.releases == "noisy":
            value += coins.laplace(self.query_scale)
            above, answer = value >= threshold, value
        elif self.query_scale:
            above = coins.at_least(value, self.query_scale, threshold)
        else:
            above = value >= threshold
        if self.releases == "fresh" and above:
            answer = value + coins.laplace(self.fresh_scale)
        reports += above
        halted = reports == self.cutoff
        return None if halted else (threshold, reports), ("yes", answer) if above else "no"


def lyu(threshold: Any, query: Any, **options: Any) -> Broken:
    """A variant of the sparse vector technique in the place of `AboveThreshold`."""

    def run(built: Instance) -> Stepwise:
        epsilon = built.mechanism.epsilon
        variant = SparseVector(
            Fraction(threshold) / epsilon,
            Fraction(query) / epsilon,
            threshold=built.mechanism.threshold,
            **options,
        )
        return Stepwise(variant)

    return run


class HalvedCount(CumulativeAboveThreshold):
    """Half of the noise."""

    @property
    def scale(self) -> Fraction:
        return super().scale / 2


class PlainThreshold(CumulativeAboveThreshold):
    """The threshold gets no noise."""

    def start(self, coins: Coins) -> Any:
        return replace(super().start(coins), noisy_threshold=self.threshold)


class NotRaised(OneSidedThreshold):
    """The threshold gets no noise."""

    def start(self, coins: Coins) -> Any:
        return replace(super().start(coins), raised=self.threshold)


@dataclass(frozen=True)
class NeverEarly:
    """A threshold that is raised, and reached by enough ones only."""

    mechanism: OneSidedThreshold
    run: Any = None

    @property
    def halted(self) -> bool:
        return self.run.halted

    def start(self, coins: Coins) -> NeverEarly:
        return replace(self, run=self.mechanism.start(coins))

    def ask(self, value: int, coins: Coins) -> tuple[bool, NeverEarly]:
        total = self.run.total + value
        reached = total >= self.run.raised
        return reached, replace(self, run=replace(self.run, total=total, halted=reached))


@dataclass(frozen=True)
class RisesWithOnes:
    """A threshold that rises with the ones of the stream, not with its rounds."""

    mechanism: OneSidedThreshold
    run: Any = None

    @property
    def halted(self) -> bool:
        return self.run.halted

    def start(self, coins: Coins) -> RisesWithOnes:
        return replace(self, run=self.mechanism.start(coins))

    def ask(self, value: int, coins: Coins) -> tuple[bool, RisesWithOnes]:
        run = self.run if value else replace(self.run, rounds=self.run.rounds - 1)
        reached, after = run.ask(value, coins)
        return reached, replace(self, run=after)


class PrintedFresh(FreshNoiseThreshold):
    """[KMMNS23, Alg 1] with constant 1."""

    @property
    def scale(self) -> Fraction:
        size = math.sqrt(self.reports) * math.log(self.reports / self.delta) / self.epsilon
        return Fraction(size).limit_denominator(16)


@dataclass(frozen=True)
class CountedTwice:
    """ChallengeAT whose halting test is told of every report twice."""

    mechanism: ChallengeAT
    run: Any = None

    @property
    def halted(self) -> bool:
        return self.run.halted

    def start(self, coins: Coins) -> CountedTwice:
        return replace(self, run=self.mechanism.start(coins))

    def ask(self, value: int, coins: Coins) -> tuple[bool, CountedTwice]:
        reported, run = self.run.ask(value, coins)
        if reported and not run.halted:
            halted, test = run.test.ask(1, coins)
            run = replace(run, test=test, halted=halted)
        return reported, replace(self, run=run)


@dataclass(frozen=True)
class ExactHalting:
    """Halts at exactly r reports, the challenge's among them."""

    mechanism: ChallengeAT
    made: int = 0
    halted: bool = False

    def start(self, coins):
        return self

    def ask(self, value, coins):
        reported = coins.at_least(value, self.mechanism.scale, 0)
        made = self.made + reported
        return reported, replace(self, made=made, halted=made >= self.mechanism.reports)


@dataclass(frozen=True)
class NoisyThreshold:
    """Noise on the threshold once, as in Sparse, and none on the numbers."""

    mechanism: ChallengeAT
    noise: int = 0
    halted: bool = False

    def start(self, coins):
        return replace(self, noise=coins.laplace(self.mechanism.scale))

    def ask(self, value, coins):
        return value >= self.noise, self


class WholeEpsilon(VotingCounters):
    """A cast vote and a dropped vote may cost epsilon each."""

    @property
    def rate(self) -> Fraction:
        return self.epsilon


class NotRaisedVotes(VotingCounters):
    """The thresholds get no noise."""

    def _raised(self, coins: Coins) -> int:
        return self.threshold


class NeverEarlyVotes(VotingCounters):
    """An item fires only at its raised threshold."""

    def _wait(self, missing: int, left: int, coins: Coins) -> int:
        return left if missing > 0 else 0


class FirstVoteDecides(VotingCounters):
    """Of items that fire in one round, the one with the earliest first vote is published."""

    def start(self, coins: Coins) -> Any:
        return InOrderRun(self)


@dataclass(frozen=True)
class InOrderRun(VotingRun):
    """A run that remembers the order of the first votes."""

    order: tuple[Hashable, ...] = ()

    def ask(self, item: Any, coins: Coins) -> Any:
        known = item is None or item in self.order
        order = self.order if known else (*self.order, item)
        return VotingRun.ask(replace(self, order=order), item, coins)

    def _chosen(self, firing: Any, coins: Coins) -> Any:
        return min(firing, key=self.order.index)


def votes(kind: type[VotingCounters]) -> Broken:
    """Other counters in the game of an instance."""
    return lambda built: kind(
        built.mechanism.epsilon, built.mechanism.delta, built.mechanism.rounds
    )


TWINS = (
    Twin(
        "discrete_laplace",
        "adds half the noise",
        rerun(lambda noise, n, coins: n + coins.laplace(noise.scale / 2)),
    ),
    Twin("discrete_laplace", "adds no noise", rerun(lambda noise, n, coins: n)),
    Twin(
        "discrete_laplace",
        "doubles the count before it adds noise",
        rerun(lambda m, n, c: m.release(2 * n, c)),
    ),
    Twin(
        "discrete_laplace",
        "also releases whether the count is odd",
        rerun(lambda m, n, c: (m.release(n, c), n % 2)),
    ),
    Twin(
        "discrete_laplace",
        "adds noise of scale epsilon instead of 1/epsilon",
        rerun(lambda noise, n, coins: n + coins.laplace(noise.epsilon)),
    ),
    Twin("discrete_laplace", "truncates the noise to a bounded range", rerun(truncated)),
    Twin(
        "randomized_response",
        "returns the true answer with the probability for two possible answers",
        relative(TwoAnswers),
    ),
    Twin(
        "exponential_mechanism",
        "omits the factor 1/2 in the exponent of the weights",
        relative(ExponentialMechanism, monotone=True),
    ),
    Twin(
        "exponential_mechanism",
        "rounds each weight to a multiple of 1/16 of the largest weight",
        in_sixteenths,
    ),
    Twin("report_noisy_max", "adds half the noise", relative(ReportNoisyMax, monotone=True)),
    Twin(
        "report_noisy_max",
        "releases the largest noisy score instead of its candidate",
        rerun(loud_maximum),
    ),
    Twin(
        "permute_and_flip",
        "omits the factor 1/2 in the exponent of the probabilities",
        relative(PermuteAndFlip, monotone=True),
    ),
    Twin(
        "stable_histogram", "lowers the threshold by 1", other(threshold=lambda m, right: right - 1)
    ),
    Twin(
        "stable_histogram",
        "replaces the scale 2/epsilon by 1/epsilon for noise and threshold",
        other(scale=lambda m, right: 1 / m.epsilon),
    ),
    Twin(
        "stable_histogram",
        "replaces the scale 2/epsilon by 1/epsilon for the noise only",
        relative(SmallNoise),
    ),
    Twin("stable_histogram", "releases items in the order of the data", rerun(in_order_of_data)),
    Twin(
        "bounded_histogram",
        "lowers the bound on the noise by 1",
        other(bound=lambda m, right: right - 1),
    ),
    Twin("bounded_histogram", "releases items in the order of the data", rerun(in_order_of_data)),
    Twin(
        "count_tree",
        "scales the noise for one changed count per level instead of two",
        other(changes=lambda m, right: len(m.sizes)),
    ),
    Twin(
        "count_tree",
        "scales the noise for the changes of one level instead of all levels",
        other(changes=lambda m, right: 2),
    ),
    Twin("count_tree", "adds the noise values of the first level to every level", repeated(3)),
    Twin("count_tree", "adds one noise value to all counts", repeated(1)),
    Twin(
        "count_tree_gaussian",
        "scales the noise for the changes of one level instead of all levels",
        other(changes=lambda m, right: 2),
    ),
    Twin("count_tree_gaussian", "adds noise of a quarter of the variance", variance(4)),
    Twin(
        "count_tree_gaussian",
        "adds the noise values of the first level to every level",
        repeated(3),
    ),
    Twin(
        "above_threshold",
        "releases the noisy number above the threshold (Alg. 3 of Lyu et al.)",
        lyu(2, 2, releases="noisy"),
    ),
    Twin(
        "above_threshold",
        "adds too little noise to the numbers (Alg. 4 of Lyu et al.)",
        lyu(4, Fraction(4, 3)),
    ),
    Twin(
        "above_threshold",
        "adds no noise to the numbers and never halts (Alg. 5 of Lyu et al.)",
        lyu(2, 0, cutoff=None),
    ),
    Twin(
        "above_threshold",
        "adds half the noise to the numbers and never halts (Alg. 6 of Lyu et al.)",
        lyu(2, 2, cutoff=None),
    ),
    Twin("above_threshold", "adds the right noise but never halts", lyu(2, 4, cutoff=None)),
    Twin("above_threshold", "adds no noise to the threshold", lyu(0, 4)),
    Twin(
        "above_threshold",
        "adds half the noise to the numbers",
        other(query_scale=lambda m, right: right / 2),
    ),
    Twin("cumulative_above_threshold", "adds half the noise", relative(HalvedCount)),
    Twin("cumulative_above_threshold", "adds no noise to the threshold", relative(PlainThreshold)),
    Twin("one_sided_threshold", "adds no noise to the threshold", relative(NotRaised)),
    Twin(
        "one_sided_threshold",
        "adds no noise to the sums",
        program(NeverEarly),
    ),
    Twin(
        "one_sided_threshold",
        "lets the threshold rise only in rounds with a one",
        program(RisesWithOnes),
    ),
    Twin(
        "sparse",
        "spends the epsilon of two reports on each report",
        multiplied("epsilon"),
    ),
    Twin(
        "fresh_noise_threshold",
        "adds the noise of [KMMNS23, Alg 1] with the constant 1",
        relative(PrintedFresh),
    ),
    Twin(
        "tree_counter",
        "spends the whole epsilon on every level",
        other(scale=lambda m, right: 1 / m.epsilon),
    ),
    Twin(
        "tree_counter",
        "scales the noise for log2(T) instead of log2(T) + 1 levels",
        other(scale=lambda m, right: (m.levels - 1) / m.epsilon),
    ),
    Twin(
        "hist_sparse",
        "adds half the noise in the tests",
        other(test=lambda m, right: replace(right, epsilon=2 * right.epsilon)),
    ),
    Twin("challenge_at", "halts after exactly r reports", program(ExactHalting)),
    Twin("challenge_at", "adds noise only to the threshold", program(NoisyThreshold)),
    Twin(
        "challenge_at",
        "adds no noise to the threshold of the halting test",
        other(test=lambda m, right: PlainThreshold(m.halting_epsilon, m.reports)),
    ),
    Twin("challenge_at", "counts each report twice in the halting test", program(CountedTwice)),
    Twin(
        "challenge_at",
        "adds half the noise to the numbers",
        multiplied("epsilon"),
    ),
    Twin(
        "challenge_at",
        "adds half the noise in the halting test",
        multiplied("halting_epsilon"),
    ),
    Twin(
        "list_histogram",
        "adds the noise for one changed item of a list instead of two",
        relative(QuietLists),
    ),
    Twin(
        "list_histogram",
        "lowers the threshold by 1",
        other(threshold=lambda m, right: right - 1),
    ),
    Twin(
        "voting_counters",
        "spends epsilon instead of epsilon/2 on a cast or dropped vote",
        votes(WholeEpsilon),
    ),
    Twin("voting_counters", "adds no noise to the thresholds", votes(NotRaisedVotes)),
    Twin("voting_counters", "adds no noise to the numbers of votes", votes(NeverEarlyVotes)),
    Twin(
        "voting_counters",
        "lowers the threshold by 1",
        votes(altered(VotingCounters, threshold=lambda m, right: right - 1)),
    ),
    Twin(
        "voting_counters",
        "lets the first vote decide between items that fire in one round",
        votes(FirstVoteDecides),
    ),
)
