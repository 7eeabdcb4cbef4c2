"""Controls: known-broken mechanisms that the exact audit must flag, known-good ones it must pass.

The broken ones are named after where they come from: Lyu, Su, Li 2017 (variants of the sparse
vector technique, six of them wrong), [GL21], [KMMNS23], and mistakes that are easily made. All
noise is discrete Laplace noise; all queries may differ by one between neighbours.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from learners.accounting import basic
from learners.audit import (
    HOLDS,
    VIOLATED,
    ExploredGame,
    Finding,
    PrivacyLoss,
    audit,
    audit_game,
    neighbouring_pairs,
)
from learners.auditable import AUDITABLE, instance
from learners.batch.aggregate import SubsampleAggregate
from learners.batch.agnostic import AgnosticEmpirical
from learners.batch.generic import GenericLearner
from learners.batch.private_littlestone import PrivateLittlestoneLearner
from learners.batch.samples import Sample
from learners.boolean.cover import EMCover, cover_rate
from learners.boolean.gibbs_tree import GibbsTree
from learners.boolean.greedy_cover import GreedyCover
from learners.boolean.learner import DecisionListLearner
from learners.boolean.naive_bayes import NaiveBayes
from learners.boolean.trees import Conditions, Leaf, Split
from learners.claims.layered import TwoPairs
from learners.claims.pop import Query
from learners.claims.sanitizers.discriminators import TooLittleNoise
from learners.claims.sanitizers.online import Open
from learners.coins import Coins
from learners.estimators.fitted_columns import PrivateCuts
from learners.exact import Law, Stepwise, exact_law
from learners.games import (
    AdaptiveInputs,
    AdaptiveQueries,
    Ask,
    Challenge,
    ChallengeATGame,
    Datasets,
    MechanismQuerier,
    MechanismResponder,
    Move,
)
from learners.instances import GameInstance, Instance
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.counter import TreeCounter
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.hist_sparse import HistSparse
from learners.mechanisms.histograms import BoundedHistogram, StableHistogram
from learners.mechanisms.noise import DiscreteLaplace
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from learners.mechanisms.sparse_vector import AboveThreshold, CumulativeAboveThreshold, Sparse
from learners.online.agnostic_experts import AgnosticExperts
from learners.online.dartboard import ShrinkingDartboard
from learners.online.doubling import Doubling, Hint, Hinting
from learners.online.forest_soa import ForestSOA
from learners.online.hedge import DPHedge
from learners.online.layered import ChosenLayers
from learners.online.pop import POP
from learners.online.rerun_forest import RerunForest
from learners.online.sanitized import SanitizedOnline
from learners.online.sparse_experts import SparseVectorExperts
from learners.sanitizers.discriminators import (
    ExponentialParts,
    FoolingDiscriminator,
    RealizableDiscriminator,
)
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.intervals import IntervalSanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.realizable import HistogramSanitizer
from learners.sanitizers.sketches import CutSanitizer, RealizableFooling
from learners.sanitizers.splitting import LabelledBySplitting
from tests.learners.boolean.test_greedy_cover import CountsTwice, StopsWhenDone, WithoutTheHalf
from tests.learners.mechanisms.test_challenge_at import ExactHalting, NoisyThreshold
from tests.learners.online.test_agnostic_pop import Counting, Keeping
from tests.learners.online.test_dp_winnow import Rescaled, Uncleared, Unnoised
from tests.learners.online.test_forest_soa import Restarting
from tests.learners.online.test_pop import AllLearn, Plain, ToldChoice

HALF = Fraction(1, 2)
EPSILONS = [HALF, Fraction(1)]
CUT = Fraction(1, 2**32)
"""Where enumerations are cut; violations found are orders of magnitude larger."""
TINY = Fraction(1, 10**5)


def number(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def holds(found: Finding) -> bool:
    """Up to what the enumeration cut."""
    return float(found.measured.upper()) <= float(found.delta) + 2 * float(found.cut) + 1e-15


def flagged(loss: PrivacyLoss[Any], epsilon: Fraction, delta: Fraction = Fraction(0)) -> bool:
    return bool(loss.delta(epsilon) > number(delta))


def passed(loss: PrivacyLoss[Any], epsilon: Fraction, delta: Fraction = Fraction(0)) -> bool:
    """Up to what the enumeration cut."""
    return float(loss.delta(epsilon).upper()) <= float(delta) + 2 * float(loss.cut) + 1e-15


def steps(
    start: Callable[[Coins], Any], step: Callable[[Any, Any, Coins], Any], items: Iterable[Any]
) -> Law[Any]:
    """The law of a state after items, states merged after every step."""
    law: Law[Any] = exact_law(start, tail=CUT)
    for item in items:
        law = law.then(lambda state, coins, item=item: step(state, item, coins), tail=CUT)
    return law


# ---- the sparse vector technique and its variants


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


def vector_loss(
    program: Any, queries: list[tuple[int, int]], cut: Fraction = CUT
) -> PrivacyLoss[Any]:
    """For two data sets with these answers to the queries."""
    laws = Stepwise(program).laws(tail=cut)
    return PrivacyLoss(laws([zero for zero, _ in queries]), laws([one for _, one in queries]))


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("queries", [2, 3])
def test_lyu_3_releases_the_value_it_compared(epsilon: Fraction, queries: int) -> None:
    """After m queries below the threshold, the loss is (m + 1) epsilon/2."""
    broken = SparseVector(2 / epsilon, 2 / epsilon, releases="noisy")
    loss = vector_loss(broken, [(0, 1)] * queries + [(1, 0)])
    assert flagged(loss, epsilon) or queries == 1
    expected = (queries + 1) * epsilon / 2
    assert float(expected) * 0.999 < float(loss.loss()[0]) <= float(expected)
    assert passed(loss, expected)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_4_scales_query_noise_without_its_cutoff(epsilon: Fraction) -> None:
    """Towards (1 + 6c) epsilon/4 as the number of queries grows; here c = 1."""
    loss = vector_loss(SparseVector(4 / epsilon, 4 / (3 * epsilon)), [(0, 1)] * 12 + [(1, 0)])
    assert flagged(loss, epsilon)
    expected = 7 * epsilon / 4
    assert float(expected) * 0.999 < float(loss.loss()[0]) <= float(expected)
    assert passed(loss, expected)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_5_adds_no_noise_to_queries(epsilon: Fraction) -> None:
    """Infinite: "no, yes" tells which query was larger."""
    loss = vector_loss(SparseVector(2 / epsilon, 0, cutoff=None), [(0, 1), (1, 0)])
    assert flagged(loss, epsilon)
    assert loss.delta(10) > 0.05, "no epsilon helps"
    assert float(loss.loss()[0]) > 18, "as much as the cut lets one see"


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_6_has_no_cutoff(epsilon: Fraction) -> None:
    """Chen, Machanavajjhala 2015: grows with the number of queries."""
    broken = SparseVector(2 / epsilon, 2 / epsilon, cutoff=None)
    losses = [vector_loss(broken, [(0, 1)] * k + [(1, 0)] * k) for k in (1, 2)]
    found = [float(loss.loss()[0]) for loss in losses]
    assert found[0] < epsilon < 1.5 * epsilon < found[1]
    assert flagged(losses[1], epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_noise_on_the_threshold(epsilon: Fraction) -> None:
    """Every answer costs epsilon/4: six of them 3 epsilon/2."""
    loss = vector_loss(SparseVector(0, 4 / epsilon), [(1, 2)] * 5 + [(-1, -2)])
    assert flagged(loss, epsilon)
    assert abs(float(loss.loss()[0]) - 1.5 * float(epsilon)) < 1e-12
    assert passed(loss, 3 * epsilon / 2)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_right_scales_without_a_cutoff(epsilon: Fraction) -> None:
    broken = SparseVector(2 / epsilon, 4 / epsilon, cutoff=None)
    assert flagged(vector_loss(broken, [(0, 1)] * 3 + [(1, 0)] * 3), epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_lyu_1_and_7_are_right(epsilon: Fraction) -> None:
    for cutoff in (1, 2):
        right = SparseVector(2 / epsilon, 4 * cutoff / epsilon, cutoff)
        for queries in ([(0, 1)] * 4 + [(1, 0)] * 2, [(0, 1), (1, 0)] * 3, [(3, 4)] * 6):
            assert passed(vector_loss(right, queries), epsilon)
    # Algorithm 7: a third each for the threshold, the comparisons and the released value.
    seventh = SparseVector(3 / epsilon, 6 / epsilon, 1, "fresh", 3 / epsilon)
    assert passed(vector_loss(seventh, [(0, 1), (0, 1), (1, 0)]), epsilon)
    cheap = replace(seventh, fresh_scale=1 / epsilon)
    assert flagged(vector_loss(cheap, [(0, 1)] * 6 + [(1, 0)]), epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_our_above_threshold_against_every_adversary(epsilon: Fraction) -> None:
    moves: list[Move] = [Datasets((0,), (1,))]
    moves += [Ask(Query(*query)) for query in ((0, 0), (0, 1), (1, 0))]
    game = AdaptiveQueries(MechanismQuerier(AboveThreshold(epsilon, 1)), 3)
    explored = ExploredGame(game, moves, tail=Fraction(1, 2**42))
    assert explored.against((epsilon, 0)).verdict == HOLDS
    assert explored.against((epsilon / 2, 0)).verdict == VIOLATED

    class Halved(AboveThreshold):
        """Half the noise of the queries."""

        @property
        def query_scale(self) -> Fraction:
            return self.sensitivity / self.epsilon

    halved = AdaptiveQueries(MechanismQuerier(Halved(epsilon, 1)), 3)
    assert audit_game(halved, moves, (epsilon, 0), tail=CUT).verdict == VIOLATED


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(2)])
def test_sparse_redraws_its_threshold(epsilon: Fraction) -> None:
    mechanism = Sparse(epsilon / 2, reports=2, threshold=0)
    assert basic(mechanism.privacy) == (epsilon, 0)
    queries, cut = [(0, 1), (0, 1), (1, 0)] * 2, Fraction(1, 2**16)
    assert passed(vector_loss(MechanismResponder(mechanism), queries, cut), epsilon)
    # Two reports for the price of one:
    twice = MechanismResponder(Sparse(epsilon, reports=2, threshold=0))
    assert flagged(vector_loss(twice, queries, cut), epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_cumulative_sums_need_less_noise_than_queries(epsilon: Fraction) -> None:
    mechanism = CumulativeAboveThreshold(epsilon, threshold=1)
    moves: list[Move] = [Ask(0), Ask(1), Challenge(0, 1)]
    found = audit_game(
        AdaptiveInputs(MechanismResponder(mechanism), 3),
        moves,
        (epsilon, 0),
        tail=Fraction(1, 2**42),
    )
    assert found.verdict == HOLDS
    # The same noise is too little where queries may move both ways.
    both_ways = SparseVector(1 / epsilon, 1 / epsilon)
    assert flagged(vector_loss(both_ways, [(0, 1), (1, 0)]), epsilon)


def test_kmmns_1_with_constant_one() -> None:
    """[KMMNS23, Alg. 1] with gamma = sqrt(r) ln(r/delta)/epsilon, r = 1: more than 4 delta."""
    epsilon, delta = Fraction(1), Fraction(1, 10**6)
    queries = [(-1, 0)] * 90
    printed = SparseVector(0, Fraction(138, 10), 1)
    assert flagged(vector_loss(printed, queries), epsilon, 4 * delta)
    for calibrated in (False, True):
        right = FreshNoiseThreshold(epsilon, delta, 1, 0, calibrated=calibrated)
        loss = vector_loss(SparseVector(0, right.scale, 1), queries)
        assert passed(loss, epsilon, delta)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_fresh_noise_with_one_query_in_two_versions(epsilon: Fraction) -> None:
    """[KMMNS23, Alg. 9] asks for more than Algorithm 1 gives: its halt betrays the challenge.

    That the number of reports is hidden too is what ChallengeAT adds.
    """
    mechanism = FreshNoiseThreshold(epsilon, Fraction(1, 100), 1, 0)

    moves: list[Move] = [Datasets((0,), (1,)), *(Ask(Query(*q)) for q in ((0, 1), (1, 0)))]
    moves.append(Challenge(Query(-999, -999), Query(999, 999)))
    game = ChallengeATGame(MechanismQuerier(mechanism), 4)
    found = audit_game(game, moves, (epsilon, Fraction(1, 100)))
    assert found.verdict == VIOLATED
    assert any(isinstance(move, Challenge) for move in found.adversary.moves.values())
    without = audit_game(game, moves[:-1], (epsilon, Fraction(1, 100)))
    assert without.verdict == HOLDS


# ---- choosing


SCORES = [((0, 0), (1, -1)), ((3, 0), (2, 1)), ((0, 2), (1, 1)), ((5, 0), (4, 0))]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("kind", [ExponentialMechanism, ReportNoisyMax, PermuteAndFlip])
def test_selection(kind: Any, epsilon: Fraction) -> None:
    """With exp(epsilon u), or noise 1/epsilon, up to 2 epsilon, unless scores are monotone."""
    right, broken = kind(epsilon), kind(epsilon, monotone=True)

    def audited(mechanism: Any, pairs: Any, claim: Any) -> Finding:
        return audit(
            lambda scores, coins: mechanism.choose(scores, coins),
            pairs,
            claim,
            tail=Fraction(1, 2**24),
        )

    assert holds(audited(right, SCORES, right.privacy))
    found = audited(broken, SCORES, (epsilon, 0))
    assert found.verdict == VIOLATED and float(found.least_epsilon) <= 2 * epsilon
    rising = [((0, 0), (1, 1)), ((3, 0), (4, 0)), ((2, 0), (2, 1))]
    assert holds(audited(broken, rising, broken.privacy))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_exponential_mechanism_without_the_half(epsilon: Fraction) -> None:
    broken = ExponentialMechanism(epsilon, monotone=True)
    far = [((9 * k, 0), (9 * k - 1, 1)) for k in (1, 2, 3)]
    found = audit(lambda s, coins: broken.choose(s, coins), far, (epsilon, 0))
    assert 1.99 * epsilon < float(found.least_epsilon) <= 2 * epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_noisy_maximum_that_returns_the_value(epsilon: Fraction) -> None:
    """k candidates: k epsilon/2."""
    k = 5

    def law(score: int) -> Law[Any]:
        return steps(
            lambda coins: None,
            lambda best, item, coins: max(
                -(10**9) if best is None else best, item + coins.laplace(2 / epsilon)
            ),
            [score] * k,
        )

    loss = PrivacyLoss(law(0), law(1))
    assert flagged(loss, epsilon)
    assert abs(float(loss.loss()[0]) - k * float(epsilon) / 2) < 1e-3
    assert passed(loss, k * epsilon / 2)


# ---- noise


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_laplace_and_randomized_response_are_tight(epsilon: Fraction) -> None:
    laplace, response = DiscreteLaplace(epsilon), RandomizedResponse(epsilon, 3)
    for run in (laplace.release, response.report):
        found = audit(run, [(0, 1), (1, 2)], (epsilon, 0))
        assert found.verdict == HOLDS
        assert abs(float(found.least_epsilon) - float(epsilon)) < 1e-6
        assert audit(run, [(0, 1)], (epsilon * Fraction(99, 100), 0)).verdict == VIOLATED


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_too_little_noise(epsilon: Fraction) -> None:
    twins: list[tuple[Callable[[int, Coins], Hashable], float]] = [
        (lambda n, coins: n + coins.laplace(1 / (2 * epsilon)), 2.0 * float(epsilon)),
        (lambda n, coins: n, float("inf")),
        (lambda n, coins: 2 * n + coins.laplace(1 / epsilon), 2.0 * float(epsilon)),
        (lambda n, coins: (n + coins.laplace(1 / epsilon), n % 2), float("inf")),
    ]
    for run, expected in twins:
        found = audit(run, [(0, 1)], (epsilon, 0), tail=CUT)
        assert found.verdict == VIOLATED
        if expected < 10:
            assert abs(float(found.least_epsilon) - expected) < 1e-4


def test_scale_epsilon_instead_of_its_inverse() -> None:
    """At epsilon = 1/2 the loss is 2; at epsilon = 1 it happens to be right."""
    for epsilon, verdict in ((HALF, VIOLATED), (Fraction(1), HOLDS)):
        found = audit(lambda n, coins: n + coins.laplace(epsilon), [(0, 1)], (epsilon, 0))  # noqa: B023
        assert found.verdict == verdict
        assert abs(float(found.least_epsilon) - 1 / float(epsilon)) < 1e-6


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_truncated_noise_is_not_pure(epsilon: Fraction) -> None:
    """|Z| <= 3/epsilon: infinite."""
    reach = int(3 / epsilon)

    def run(n: int, coins: Coins) -> int:
        return n + coins.pick([-epsilon * abs(z) for z in range(-reach, reach + 1)]) - reach

    found = audit(run, [(0, 1)], (epsilon, 0))
    assert found.verdict == VIOLATED and found.least_epsilon == arb.pos_inf()
    assert set(found.event) in ({-reach}, {reach + 1})


# ---- histograms


def histogram(mechanism: Any) -> Callable[[Any, Coins], Hashable]:
    return lambda data, coins: mechanism.release(data, coins, key=ord)


SMALL = [
    *map("".join, itertools.product("ab", repeat=1)),
    *map("".join, itertools.product("ab", repeat=2)),
]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_stable_histogram(epsilon: Fraction, relation: str) -> None:
    delta = Fraction(1, 100)
    pairs = neighbouring_pairs(["", *SMALL], relation)
    right = StableHistogram(epsilon, delta, relation)
    found = audit(histogram(right), pairs, right.privacy, tail=Fraction(1, 2**24))
    assert holds(found) and float(found.measured) > delta / 3

    class Lowered(StableHistogram):
        """Its threshold is one too low."""

        @property
        def threshold(self) -> int:
            return super().threshold - 1

    broken = Lowered(epsilon, delta, relation)
    found = audit(histogram(broken), pairs, (epsilon, delta), tail=Fraction(1, 2**24))
    assert found.verdict == VIOLATED


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_bounded_histogram(epsilon: Fraction) -> None:
    delta = Fraction(1, 200)
    pairs = neighbouring_pairs(SMALL)
    right = BoundedHistogram(epsilon, delta)
    assert audit(histogram(right), pairs, right.privacy).verdict == HOLDS

    class Narrow(BoundedHistogram):
        """Its noise reaches one less far."""

        @property
        def bound(self) -> int:
            return super().bound - 1

    # One count appears while another leaves the reach of its noise at the other end.
    many = 2 * right.bound - 1
    pair = [("a" + "b" * many, "b" * (many + 1))]
    broken = Narrow(epsilon, delta)
    assert audit(histogram(right), pair, right.privacy).verdict == HOLDS
    assert audit(histogram(broken), pair, (epsilon, delta)).verdict == VIOLATED


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_order_of_the_data_must_not_show(epsilon: Fraction) -> None:
    """Released in the order of first occurrence, a histogram shows who came first."""
    right = StableHistogram(epsilon, Fraction(1, 10))

    def in_order_of_data(data: str, coins: Coins) -> Hashable:
        released = dict(right.release(data, coins, key=ord))
        return tuple(item for item in dict.fromkeys(data) if item in released)

    pair = [("abbbbbbaaaaa", "bbbbbbbaaaaa")]
    found = audit(in_order_of_data, pair, right.privacy, tail=Fraction(1, 2**20))
    assert found.verdict == VIOLATED
    assert holds(audit(histogram(right), pair, right.privacy, tail=Fraction(1, 2**20)))


@pytest.mark.parametrize("epsilon", [4, 8])
def test_hist_sparse_and_the_rule_of_the_paper(epsilon: int) -> None:
    """[GL21, Alg. 2] has half of the noise and a test less, which makes up for it for c = 2."""
    right, paper = (
        instance(f"hist_sparse:epsilon={epsilon},size={7 - epsilon // 4},printed={switch}")
        for switch in (0, 1)
    )
    delta, cut = right.mechanism.delta, {"tail": Fraction(1, 2**26), "resolution": TINY}
    assert basic(right.privacy) == (epsilon, delta)
    assert basic(paper.privacy) == (Fraction(epsilon, 2), delta)
    assert audit(right.run, right.pairs, right.privacy, **cut).verdict == HOLDS
    assert audit(paper.run, paper.pairs, paper.privacy, **cut).verdict == HOLDS
    halved = relative(HalvedTests)(right)
    assert audit(halved, right.pairs, right.privacy, **cut).verdict == VIOLATED
    two = instance("hist_sparse:histograms=2,size=3,lists=3,printed=1")
    assert basic(two.privacy) == (8, two.mechanism.delta)
    assert audit(two.run, two.pairs, two.privacy, **cut).verdict == HOLDS


# ---- counting


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_tree_counter(epsilon: Fraction) -> None:
    pairs = neighbouring_pairs(itertools.product((0, 1), repeat=2))
    right = TreeCounter(epsilon, horizon=2)
    found = audit(right.answers, pairs, right.privacy, tail=Fraction(1, 2**26))
    assert passed(found.loss, epsilon) and float(found.least_epsilon) > 0.99 * epsilon

    class Cheap(TreeCounter):
        """All levels share one epsilon each, instead of one among them."""

        @property
        def scale(self) -> Fraction:
            return 1 / self.epsilon

    found = audit(Cheap(epsilon, 2).answers, pairs, (epsilon, 0), tail=Fraction(1, 2**26))
    assert found.verdict == VIOLATED
    assert abs(float(found.least_epsilon) - 2 * float(epsilon)) < 1e-2


# ---- broken twins against the instances that ship


Broken = Callable[[Instance], Any]


@dataclass(frozen=True)
class Twin:
    """A broken relative of a mechanism, made of its default instance.

    Attributes
    ----------
    name : str
        Of the mechanism.
    fault : str
    run : callable
        Takes the instance and returns how the twin runs on its data; of a game, the twin.
    beyond_stated : bool
        The claim has more room than this twin needs: it is held against the epsilon that the
        registry states of the instance.
    """

    name: str
    fault: str
    run: Broken
    beyond_stated: bool = False


def relative(kind: type, **changed: Any) -> Broken:
    """A subclass with the same fields, or the same class with other ones."""

    def run(built: Instance) -> Any:
        mechanism = built.mechanism
        kept = {each.name: getattr(mechanism, each.name) for each in fields(mechanism)}
        return built.release(kind(**(kept | changed)))

    return run


def rerun(release: Callable[[Any, Any, Coins], Hashable]) -> Broken:
    """Another release by the right mechanism."""
    return lambda built: lambda data, coins: release(built.mechanism, data, coins)


def program(make: Callable[[Any], Any]) -> Broken:
    """Another program in the place of the mechanism's runs."""
    return lambda built: built.release(make(built.mechanism))


class SixteenthCoins:
    """Weights are rounded to multiples of 1/16 of the largest."""

    def __init__(self, coins: Coins) -> None:
        self.coins = coins

    def __getattr__(self, name: str) -> Any:
        return getattr(self.coins, name)

    def pick(self, log_weights: Any, unit: Any = 1, counts: Any = None) -> int:
        top = max(log_weights)
        sizes = [1] * len(log_weights) if counts is None else counts
        chances = {
            index: size * round(16 * math.exp(unit * (weight - top)))
            for index, (weight, size) in enumerate(zip(log_weights, sizes, strict=True))
        }
        left = [index for index, chance in chances.items() if chance]
        return left[self.coins.pick([0] * len(left), counts=[chances[index] for index in left])]

    def picks(self, log_weights: Any, draws: int, unit: Any = 1, counts: Any = None) -> list[int]:
        return [self.pick(log_weights, unit, counts) for _ in range(draws)]


def in_sixteenths(built: Instance) -> Any:
    if isinstance(built.run, Stepwise):
        right = built.run.program
        return Stepwise(
            SimpleNamespace(
                start=lambda coins: right.start(SixteenthCoins(coins)),
                answer=lambda state, item, coins: right.answer(state, item, SixteenthCoins(coins)),
            )
        )
    return lambda data, coins: built.run(data, SixteenthCoins(coins))


class TwoAnswers(RandomizedResponse):
    """Tells the truth as if there were two answers."""

    def report(self, answer: int, coins: Coins) -> int:
        if RandomizedResponse(self.epsilon).report(0, coins) == 0:
            return answer
        return (answer + 1 + coins.below(self.answers - 1)) % self.answers


def loud_maximum(mechanism: Any, scores: Any, coins: Coins) -> int:
    return max(score + coins.laplace(1 / mechanism.rate) for score in scores)


def truncated(mechanism: Any, count: int, coins: Coins) -> int:
    reach = int(3 / mechanism.epsilon)
    weights = [-mechanism.epsilon * abs(z) for z in range(-reach, reach + 1)]
    return count + coins.pick(weights) - reach


class LoweredThreshold(StableHistogram):
    """Its threshold is one too low."""

    @property
    def threshold(self) -> int:
        return super().threshold - 1


class SmallScale(StableHistogram):
    """Noise for one changed count, where two change; its threshold is made for this noise."""

    @property
    def scale(self) -> Fraction:
        return 1 / self.epsilon


class SmallNoise(StableHistogram):
    """Noise for one changed count, where two change; its threshold is the right one."""

    def _noise(self, count: int, coins: Coins) -> list[int]:
        return coins.laplaces(1 / self.epsilon, count)


class NarrowNoise(BoundedHistogram):
    """Its noise reaches one less far."""

    @property
    def bound(self) -> int:
        return super().bound - 1


def in_order_of_data(mechanism: Any, data: Any, coins: Coins) -> Hashable:
    released = dict(mechanism.release(data, coins, key=ord))
    return tuple((item, released[item]) for item in dict.fromkeys(data) if item in released)


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


class HalvedQueries(AboveThreshold):
    """Half the noise of the numbers."""

    @property
    def query_scale(self) -> Fraction:
        return super().query_scale / 2


class HalvedCount(CumulativeAboveThreshold):
    """Half of the noise."""

    @property
    def scale(self) -> Fraction:
        return super().scale / 2


class PlainThreshold(CumulativeAboveThreshold):
    """The threshold gets no noise."""

    def start(self, coins: Coins) -> Any:
        return replace(super().start(coins), noisy_threshold=self.threshold)


class PrintedFresh(FreshNoiseThreshold):
    """[KMMNS23, Alg. 1] with constant 1."""

    @property
    def scale(self) -> Fraction:
        size = math.sqrt(self.reports) * math.log(self.reports / self.delta) / self.epsilon
        return Fraction(size).limit_denominator(16)


class SharedLevels(TreeCounter):
    """All levels spend the epsilon that they should share."""

    @property
    def scale(self) -> Fraction:
        return 1 / self.epsilon


class FewerLevels(TreeCounter):
    """Noise for log2(T) levels instead of log2(T) + 1."""

    @property
    def scale(self) -> Fraction:
        return (self.levels - 1) / self.epsilon


class ReportsAtOnce(ChallengeAT):
    """The threshold on the number of reports gets no noise."""

    @property
    def test(self) -> Any:
        return PlainThreshold(self.halting_epsilon, self.reports)


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


class OneRoundShort(GreedyCover):
    """The rate for as many rounds as there are features; the constant one makes one more."""

    def choice_epsilon(self, features: int) -> Fraction:
        return 2 * cover_rate(self.epsilon, self.delta, neighbours=self.neighbours, rounds=features)


def short_rate(built: Instance) -> Any:
    mechanism, (epsilon, delta) = built.mechanism, basic(built.privacy)
    rate = cover_rate(epsilon, delta, rounds=mechanism.rounds - 1)
    return relative(EMCover, rate=rate)(built)


class DoubledRate(GibbsTree):
    """Replacing a row is thought to change scores in one direction only."""

    @property
    def _range(self) -> int:
        return 1


def tree_of(mechanism: GibbsTree, data: Any, coins: Coins) -> tuple[Any, Any, Any, Any]:
    table = np.array(data, dtype=int)
    conditions, rows = Conditions(table.shape[1] - 1), table[:, :-1] == 1
    return mechanism.fit(conditions, rows, table[:, -1], coins), conditions, rows, table[:, -1]


def true_majorities(mechanism: Any, data: Any, coins: Coins) -> Hashable:
    """The splits of the tree that was drawn, with the labels that most rows there have."""

    def relabelled(tree: Any, there: Any) -> Any:
        if isinstance(tree, Leaf):
            return Leaf(int(2 * labels[there].sum() > there.sum()))
        held = conditions.holds(tree.condition, rows)
        branches = (tree.holds, there & held), (tree.fails, there & ~held)
        return Split(tree.condition, *(relabelled(*branch) for branch in branches))

    tree, conditions, rows, labels = tree_of(mechanism, data, coins)
    return relabelled(tree, np.ones(len(labels), dtype=bool))


def rarer_label(mechanism: Any, data: Any, coins: Coins) -> Hashable:
    """The tree, as rules for the label that fewer rows have."""
    tree, _, _, labels = tree_of(mechanism, data, coins)
    listed = int(2 * labels.sum() < len(labels))
    return listed, tuple(path for path, label in tree.pruned().paths() if label == listed)


class PriorOfRows(GibbsTree):
    """Of two equal conditions, one weighs in the prior as often as it holds on rows."""

    def fit(self, conditions: Any, matrix: Any, labels: Any, coins: Coins) -> Any:
        twice = Conditions(1, [(0, None), (0, None)], [1 + 100 * int(matrix.sum()), 1])
        return super().fit(twice, matrix, labels, coins)


class OneCellOnly(NaiveBayes):
    """A row that is replaced is thought to change one count of a column."""

    @property
    def changes(self) -> int:
        return self.columns


class LowSensitivity(PrivateCuts):
    """Scores are thought to change by 1, and not by the number of parts."""

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        return ExponentialMechanism(self.epsilon / self.count, neighbours=neighbours)


class TwoLearn(POP):
    """Two copies learn every example."""

    def learn(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        once = super().learn(state, point, label, coins)
        return super().learn(once, point, label, coins)


class WithoutHalf(GenericLearner):
    """Weights exp(-epsilon errors)."""

    @property
    def mechanism(self) -> ExponentialMechanism:
        return ExponentialMechanism(2 * self.epsilon)


class OneCountOnly(SubsampleAggregate):
    """The histogram has noise for one changed count."""

    @property
    def histogram(self) -> StableHistogram:
        return SmallNoise(self.epsilon, self.delta)


class OutcomesTwice(PrivateLittlestoneLearner):
    """Every outcome counts as two."""

    def choose(self, outcomes: Any, fresh: Any, coins: Coins) -> Any:
        return super().choose({h: 2 * count for h, count in outcomes.items()}, fresh, coins)


def dear_choice(built: Instance) -> Any:
    parameters = built.mechanism.parameters
    dear = replace(parameters, choice_epsilon=2 * parameters.choice_epsilon)
    return relative(PrivateLittlestoneLearner, parameters=dear)(built)


class RowsTwice(DecisionListLearner):
    """Every row is given twice."""

    def fit(self, sample: Any, coins: Coins) -> Any:
        return super().fit(Sample.drawn(sample.domain, [*sample, *sample]), coins)


class FirstRows(AgnosticEmpirical):
    """The first rows are drawn."""

    def _draw(self, sample: Any, coins: Coins) -> Any:
        return [sample[i] for i in range(self.drawn)]


class NoFakeSwitches(ShrinkingDartboard):
    """An expert that has lost nothing is kept."""

    def _keeps(self, lost: int, coins: Coins) -> bool:
        return coins.decays(self.rate * lost)


class MoreSwitches(ShrinkingDartboard):
    """Redraws are not counted."""

    def _choose(self, kept: Any, coins: Coins) -> Any:
        return replace(super()._choose(kept, coins), drawn=0)


class UnnoisedThreshold(SparseVectorExperts):
    """The threshold of a phase gets no noise."""

    @property
    def mechanism(self) -> Any:
        return PlainThreshold(self.counting, self.threshold)


class MorePhases(SparseVectorExperts):
    """The expert of the last phase is drawn anew when it has lost enough."""

    def _choose(self, kept: Any, coins: Coins) -> Any:
        return super()._choose(replace(kept, drawn=min(kept.drawn, 1)), coins)


def doubled_rate(built: Instance) -> Any:
    return relative(type(built.mechanism), rate=2 * built.mechanism.rate)(built)


class CountsLossesTwice(DPHedge):
    """Every loss counts as two."""

    def _listen(self, kept: Any, item: Any, coins: Coins) -> Any:
        once = super()._listen(kept, item, coins)
        return replace(once, tally=once.tally.after(item))


def halved_names(built: Instance) -> Any:
    parameters = built.mechanism.parameters
    return relative(ForestSOA, parameters=replace(parameters, epsilon=2 * parameters.epsilon))(
        built
    )


def halved_rerun(built: Instance) -> Any:
    parameters = built.mechanism.parameters
    return relative(RerunForest, parameters=replace(parameters, epsilon=2 * parameters.epsilon))(
        built
    )


class HalvedTests(HistSparse):
    """Tests with half of the noise."""

    @property
    def test(self) -> AboveThreshold:
        """As in [GL21, Alg. 2], but as many of them as histograms."""
        right = super().test
        return replace(right, epsilon=2 * right.epsilon)


def halved_tests(built: Instance) -> Any:
    parameters = replace(built.mechanism.parameters, paper_constants=True)
    return relative(ForestSOA, parameters=parameters)(built)


class TwoReleases(ChosenLayers):
    """The histogram is asked twice for the price of one, and both lists are published."""

    def _listed(self, number: int, pairs: Any, coins: Coins) -> Any:
        both = [super(TwoReleases, self)._listed(number, pairs, coins) for _ in "ab"]
        return tuple(dict.fromkeys((*both[0], *both[1])))


class HalvedWaiting(ChosenLayers):
    """Mistakes are counted with half the noise."""

    @property
    def _counters(self) -> Any:
        return tuple(HalvedCount(each.epsilon, each.threshold) for each in super()._counters)


class BothSiblings(ChosenLayers):
    """Both sequences of a pair are told, and the histogram counts the sequences that were."""

    def _pair_told(self, pair: Any, point: Any, label: Any) -> Any:
        told = super()._pair_told(pair, point, label)
        return told if told is pair or told is None else replace(told, second=told.first)

    def _updated(self, number: int, pairs: Any, coins: Coins) -> Any:
        return pairs

    def _counts(self, pairs: Any) -> Any:
        once = super()._counts(pairs)
        return {h: 2 * count for h, count in once.items() if h != self.base.hypothesis}


def dear_histograms(built: Instance) -> Any:
    parameters = built.mechanism.parameters
    dear = replace(parameters, epsilon=2 * parameters.epsilon)
    return relative(ChosenLayers, parameters=dear)(built)


def buckets_of(make: Callable[[Hinting], Hinting]) -> Broken:
    """Doubling of other learners."""

    def doubled(built: Any) -> Doubling:
        learner = make(built.mechanism.learner(0))
        return replace(built.mechanism, learner_for=lambda rounds: learner)

    return doubled


def dear_hints(learner: Hinting) -> Hinting:
    return replace(learner, response=RandomizedResponse(2 * learner.response.epsilon))


class Announcing(Hinting):
    """Draws beforehand, and shows, whether all examples will be revealed; (epsilon, delta)-DP."""

    def _begin(self, coins: Coins) -> Hint:
        return Hint(0, sure=coins.flip(self.revealed))

    def _receive(self, kept: Hint, point: Any, label: int, coins: Coins) -> Hint:
        return Hint(label if kept.sure else self.response.report(label, coins), kept.sure)


def announcing(learner: Hinting) -> Announcing:
    return Announcing(learner.response, learner.revealed)


class TooLittleFooling(TooLittleNoise, FoolingDiscriminator):
    """Noise for a share of a sensitivity 1/n^2."""


class TooLittleRealizable(TooLittleNoise, RealizableDiscriminator):
    """The same against a set."""


class HalfTest(MWEMSanitizer):
    """Half the noise of a test."""

    def _passes(self, true: int, least: int, coins: Coins) -> bool:
        return coins.at_least(true, 1 / (2 * self.test), least)


def loud_answers(built: Instance) -> Any:
    return built.release(replace(built.mechanism, each=2 * built.mechanism.each))


def hasty_histogram(built: Instance) -> Any:
    class Hasty(BoundedHistogram):
        """Its threshold is lowered by two."""

        @property
        def threshold(self) -> int:
            return super().threshold - 2

    known = built.mechanism.histogram
    return relative(HistogramSanitizer, histogram=Hasty(known.epsilon, known.delta))(built)


def loud_rounds(built: Instance) -> Any:
    known = built.mechanism.discriminator
    loud = TooLittleFooling(known.of, known.size, known.alpha, known.epsilon)
    return relative(FoolingSanitizer, discriminator=loud)(built)


def loud_sets(built: Instance) -> Any:
    known = built.mechanism.discriminator
    loud = TooLittleRealizable(known.of, known.size, known.alpha, known.epsilon)
    return relative(RealizableFooling, discriminator=loud)(built)


def loud_cut(built: Instance) -> Any:
    known = built.mechanism.inner
    return relative(CutSanitizer, inner=replace(known, test=2 * known.test))(built)


def dear_batches(built: Instance) -> Any:
    known = built.mechanism.sanitizer
    return relative(SanitizedOnline, sanitizer=replace(known, test=2 * known.test))(built)


def dear_intervals(built: Instance) -> Any:
    known = built.mechanism.replacers
    dear = tuple(replace(each, epsilon=2 * each.epsilon) for each in known)
    return relative(IntervalSanitizer, replacers=dear)(built)


def dear_experts(built: Instance) -> Any:
    known = built.mechanism.sanitizer
    dear = tuple(replace(each, epsilon=2 * each.epsilon) for each in known.replacers)
    return relative(AgnosticExperts, sanitizer=replace(known, replacers=dear))(built)


class HalfCounted(LabelledBySplitting):
    """The number of ones has half its noise."""

    def _fit(self, sample: Any, coins: Coins) -> Any:
        return LabelledBySplitting(self.inner, 2 * self.epsilon)._fit(sample, coins)


def dear_parts(built: Instance) -> Any:
    class Dear(ExponentialParts):
        """Concepts are found at four times the price."""

        def learner(self, part: Any) -> Any:
            dear = super().learner(part)
            return replace(dear, epsilon=4 * dear.epsilon)

        @property
        def cost(self) -> Any:
            return ExponentialMechanism(4 * self.epsilon).privacy

    return relative(type(built.mechanism), parts=Dear)(built)


TWINS = (
    Twin(
        "discrete_laplace",
        "half the noise",
        rerun(lambda noise, n, coins: n + coins.laplace(noise.scale / 2)),
    ),
    Twin("discrete_laplace", "no noise", rerun(lambda noise, n, coins: n)),
    Twin("discrete_laplace", "counts twice", rerun(lambda m, n, c: m.release(2 * n, c))),
    Twin("discrete_laplace", "parity", rerun(lambda m, n, c: (m.release(n, c), n % 2))),
    Twin(
        "discrete_laplace",
        "scale epsilon instead of 1/epsilon",
        rerun(lambda noise, n, coins: n + coins.laplace(noise.epsilon)),
    ),
    Twin("discrete_laplace", "truncated noise", rerun(truncated)),
    Twin("randomized_response", "truth of two answers", relative(TwoAnswers)),
    Twin("exponential_mechanism", "no half", relative(ExponentialMechanism, monotone=True)),
    Twin("exponential_mechanism", "weights in sixteenths", in_sixteenths),
    Twin("report_noisy_max", "no half", relative(ReportNoisyMax, monotone=True)),
    Twin("report_noisy_max", "returns the value", rerun(loud_maximum)),
    Twin("permute_and_flip", "no half", relative(PermuteAndFlip, monotone=True)),
    Twin("stable_histogram", "threshold lowered by one", relative(LoweredThreshold)),
    Twin("stable_histogram", "scale 1/epsilon", relative(SmallScale)),
    Twin("stable_histogram", "noise of scale 1/epsilon", relative(SmallNoise)),
    Twin("stable_histogram", "order of the data", rerun(in_order_of_data)),
    Twin("bounded_histogram", "noise reaches one less far", relative(NarrowNoise)),
    Twin("bounded_histogram", "order of the data", rerun(in_order_of_data)),
    Twin("above_threshold", "Lyu 3: releases the value", lyu(2, 2, releases="noisy")),
    Twin("above_threshold", "Lyu 4: too little noise", lyu(4, Fraction(4, 3))),
    Twin("above_threshold", "Lyu 5: no noise on numbers", lyu(2, 0, cutoff=None)),
    Twin("above_threshold", "Lyu 6: no cutoff", lyu(2, 2, cutoff=None)),
    Twin("above_threshold", "right scales, no cutoff", lyu(2, 4, cutoff=None)),
    Twin("above_threshold", "no noise on the threshold", lyu(0, 4)),
    Twin("above_threshold", "half the noise of numbers", relative(HalvedQueries)),
    Twin("cumulative_above_threshold", "half the noise", relative(HalvedCount)),
    Twin("cumulative_above_threshold", "no noise on the threshold", relative(PlainThreshold)),
    Twin(
        "sparse",
        "two reports for the price of one",
        lambda built: relative(Sparse, epsilon=2 * built.mechanism.epsilon)(built),
    ),
    Twin("fresh_noise_threshold", "[KMMNS23, Alg. 1], constant 1", relative(PrintedFresh)),
    Twin("tree_counter", "levels share no epsilon", relative(SharedLevels)),
    Twin("tree_counter", "log2(T) levels", relative(FewerLevels)),
    Twin("hist_sparse", "half the noise of tests", relative(HalvedTests)),
    Twin("challenge_at", "halts at r reports", program(ExactHalting)),
    Twin("challenge_at", "noise on the threshold only", program(NoisyThreshold)),
    Twin("challenge_at", "unnoised halting threshold", relative(ReportsAtOnce)),
    Twin("challenge_at", "reports counted twice", program(CountedTwice)),
    Twin(
        "challenge_at",
        "half the noise of answers",
        lambda built: relative(ChallengeAT, epsilon=2 * built.mechanism.epsilon)(built),
    ),
    Twin(
        "challenge_at",
        "half the noise of halting",
        lambda built: relative(ChallengeAT, halting_epsilon=2 * built.mechanism.halting_epsilon)(
            built
        ),
    ),
    Twin("generic_learner", "no half", relative(WithoutHalf)),
    Twin("generic_learner", "weights in sixteenths", in_sixteenths),
    Twin("private_littlestone", "outcomes counted twice", relative(OutcomesTwice)),
    Twin("private_littlestone", "choice at twice its price", dear_choice),
    Twin("subsample_aggregate", "noise of scale 1/epsilon", relative(OneCountOnly)),
    Twin("agnostic_empirical", "first rows drawn", relative(FirstRows), beyond_stated=True),
    Twin(
        "em_cover",
        "no half",
        lambda built: relative(EMCover, rate=2 * built.mechanism.rate)(built),
    ),
    Twin("em_cover", "one round too few", short_rate),
    Twin("em_cover", "weights in sixteenths", in_sixteenths),
    Twin("decision_list_learner", "rows count twice", relative(RowsTwice)),
    Twin("gibbs_tree", "twice the rate", relative(DoubledRate)),
    Twin("gibbs_tree", "labels by the true majority", rerun(true_majorities)),
    Twin("gibbs_tree", "a prior that looks at rows", relative(PriorOfRows)),
    Twin("gibbs_tree", "the rarer label is listed, by rows", rerun(rarer_label)),
    Twin("naive_bayes", "noise for one changed count", relative(OneCellOnly)),
    Twin("greedy_cover", "no half", relative(WithoutTheHalf)),
    Twin("greedy_cover", "rows counted twice", relative(CountsTwice)),
    Twin("greedy_cover", "stops when no row is left", relative(StopsWhenDone)),
    Twin("greedy_cover", "rate for d rounds", relative(OneRoundShort)),
    Twin("greedy_cover", "weights in sixteenths", in_sixteenths),
    Twin("private_cuts", "sensitivity 1", relative(LowSensitivity)),
    Twin("private_cuts", "weights in sixteenths", in_sixteenths),
    Twin("dp_winnow", "mistakes stay cached", relative(Uncleared), beyond_stated=True),
    Twin("dp_winnow", "mistakes counted without noise", relative(Unnoised)),
    Twin("dp_winnow", "few mistakes count as many", relative(Rescaled)),
    Twin("dp_winnow", "twice the rate", doubled_rate),
    Twin("dp_winnow", "weights in sixteenths", in_sixteenths),
    Twin("dp_hedge", "twice the rate", doubled_rate),
    Twin("dp_hedge", "losses counted twice", relative(CountsLossesTwice)),
    Twin("forest_soa", "half the noise", halved_names, beyond_stated=True),
    Twin("rerun_forest", "half the noise", halved_rerun, beyond_stated=True),
    Twin("forest_soa", "half the noise of tests", halved_tests, beyond_stated=True),
    Twin("forest_soa", "tests begin anew", relative(Restarting), beyond_stated=True),
    Twin("dartboard", "no fake switches", relative(NoFakeSwitches)),
    Twin("dartboard", "redraws are not counted", relative(MoreSwitches)),
    Twin("dartboard", "twice the rate", doubled_rate),
    Twin("sparse_experts", "twice the rate", doubled_rate),
    Twin("sparse_experts", "no noise on the threshold", relative(UnnoisedThreshold)),
    Twin("sparse_experts", "phases are not counted", relative(MorePhases)),
    Twin("pop", "all copies learn", relative(AllLearn)),
    Twin("pop", "two copies learn", relative(TwoLearn)),
    Twin("pop", "no noise", relative(Plain)),
    Twin("pop", "one copy is asked", relative(ToldChoice)),
    Twin("pop_until_mistakes", "halts at exactly so many", relative(Counting)),
    Twin("agnostic_pop", "copies kept across phases", relative(Keeping)),
    Twin("layered_soa", "an example is told to two pairs", relative(TwoPairs, told=((0, 1),) * 2)),
    Twin("layered_soa", "one histogram asked twice", relative(TwoReleases, told=((0, 1),))),
    Twin("layered_soa", "half the noise of waiting", relative(HalvedWaiting)),
    Twin("layered_soa", "half the noise of histograms", dear_histograms),
    Twin("layered_soa", "both siblings are told and counted", relative(BothSiblings, told=())),
    Twin("doubling", "learners at twice their price", buckets_of(dear_hints)),
    Twin("doubling", "learners announce that they will reveal", buckets_of(announcing)),
    Twin("mwem", "half the noise of tests", relative(HalfTest)),
    Twin("independent_answers", "half the noise of answers", loud_answers),
    Twin("histogram_sanitizer", "threshold lowered by two", hasty_histogram),
    Twin("fooling_discriminator", "noise for a sensitivity of 1/n^2", relative(TooLittleFooling)),
    Twin("fooling_sanitizer", "noise for a sensitivity of 1/n^2", loud_rounds, beyond_stated=True),
    Twin("interval_sanitizer", "points replaced at twice their price", dear_intervals),
    Twin("constructed_experts", "points replaced at twice their price", dear_experts),
    Twin("realizable_fooling", "noise for a sensitivity of 1/n^2", loud_sets, beyond_stated=True),
    Twin("cut_sanitizer", "half the noise of tests", loud_cut),
    Twin("sanitized_online", "half the noise of tests", dear_batches),
    Twin("sanitized_online", "copies are told the true examples", relative(Open)),
    Twin("labelled_by_splitting", "half the noise of the number of ones", relative(HalfCounted)),
    Twin("fooling_discriminator", "learners at four times their price", dear_parts),
    Twin(
        "realizable_discriminator",
        "noise for a sensitivity of 1/n^2",
        relative(TooLittleRealizable),
    ),
    Twin(
        "realizable_discriminator",
        "learners at four times their price",
        dear_parts,
        beyond_stated=True,
    ),
)


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: f"{twin.name}, {twin.fault}")
def test_the_instance_that_ships_flags_the_broken_twin(twin: Twin) -> None:
    built = instance(twin.name)
    epsilon, delta = basic(built.privacy)
    if twin.beyond_stated:
        stated = AUDITABLE[twin.name].measured
        assert stated is not None
        epsilon = stated + Fraction(1, 100)
    run, cut = twin.run(built), Fraction(1, 2**24)
    if isinstance(built, GameInstance):
        assert built.audit((epsilon, delta), twin=run, tail=cut).verdict == VIOLATED
        return
    law = cache(
        run.laws(tail=cut)
        if isinstance(run, Stepwise)
        else lambda data: exact_law(lambda coins: run(data, coins), tail=cut)
    )
    # One pair is enough to refute a claim, so the search ends with the first.
    assert any(
        flagged(PrivacyLoss(law(zero), law(one)), epsilon, delta) for zero, one in built.pairs
    )


def test_every_mechanism_has_a_broken_twin() -> None:
    assert {twin.name for twin in TWINS} == set(AUDITABLE.names())
