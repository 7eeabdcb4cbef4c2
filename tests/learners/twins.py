"""Broken twins: mechanisms that make a mistake, which the audits that ship have to see.

`TWINS` is the registry of all of them, a line each: the audit, the mistake, and what runs in the
place of the right mechanism. A twin violates the claim of the default instance, unless the audit
declares that its default instance does not show this mistake (`learners.instances.Unseen`); then it
violates the claim of the instance that is declared beside it, if there is one.
`tests/learners/test_audit_controls.py` holds them against the audits, and the table in
``docs/privacy.md`` is written from them (`tests/learners/audit_table.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import arb

from learners.accounting import basic
from learners.audit import VIOLATED, PrivacyLoss
from learners.auditable import AUDITABLE
from learners.coins import Coins
from learners.exact import Law, Stepwise, exact_law
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.experts.sparse import SparseVectorExperts
from learners.forest.algorithm import ForestSOA
from learners.forest.evidence.rerun_instances import FixedCoinsRerun
from learners.forest.rerun import Past
from learners.instances import GameInstance, Instance, Unseen
from learners.layers.evidence.claims import TwoPairs
from learners.layers.evidence.instances import FixedCoinsLayers
from learners.layers.plan import LayeredParameters
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.fresh_noise import FreshNoiseThreshold
from learners.mechanisms.histograms import BoundedHistogram, StableHistogram
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, ReportNoisyMax
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold
from learners.numbers import ball
from learners.pac.agnostic import AgnosticEmpirical
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import Sample
from learners.playing.doubling import Doubling
from learners.playing.evidence.instances import Hint, Hinting
from learners.pop.algorithm import POP
from learners.rules.algorithm import DecisionListLearner
from learners.rules.cover import EMCover, cover_rate
from learners.rules.gibbs_tree import GibbsTree
from learners.rules.greedy_cover import GreedyCover
from learners.rules.trees import Conditions, Leaf, Split
from learners.sanitizers.discriminators import (
    ExponentialParts,
    FoolingDiscriminator,
    RealizableDiscriminator,
)
from learners.sanitizers.evidence.discriminators import TooLittleNoise
from learners.sanitizers.evidence.online import Open
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.realizable import HistogramSanitizer
from learners.sanitizers.splitting import LabelledBySplitting
from learners.tables.fitted_columns import PrivateCuts
from tests.learners.forest.test_algorithm import Restarting
from tests.learners.mechanisms.test_challenge_at import ExactHalting, NoisyThreshold
from tests.learners.pop.test_agnostic import Counting, Keeping
from tests.learners.pop.test_algorithm import AllLearn, Plain, ToldChoice
from tests.learners.rules.test_greedy_cover import CountsTwice, StopsWhenDone, WithoutTheHalf
from tests.learners.winnow.test_algorithm import Rescaled, Uncleared, Unnoised

__all__ = ["TWINS", "SparseVector", "Twin"]

Broken = Callable[[Instance], Any]


@dataclass(frozen=True)
class Twin:
    """A broken relative of a mechanism, made of an instance of its audit.

    Attributes
    ----------
    name : str
        Of the audit.
    mistake : str
    run : callable
        Takes the instance and returns how the twin runs on its data; of a game, the twin.
    """

    name: str
    mistake: str
    run: Broken

    @property
    def unseen(self) -> Unseen | None:
        """What the audit says of this mistake, if its default instance does not show it."""
        declared = {each.mistake: each for each in AUDITABLE[self.name].unseen}
        return declared.get(self.mistake)

    def needs(self, built: Instance | GameInstance) -> arb:
        """The least epsilon at the claimed delta, over the inputs of an instance."""
        _, delta = basic(built.privacy)
        if isinstance(built, GameInstance):
            return built.audit(twin=self.run(built), tail=CUT).least_epsilon
        law = laws(self.run(built))
        least = arb(0)
        for zero, one in built.pairs:
            least = least.max(PrivacyLoss(law(zero), law(one)).epsilon(delta, digits=4))
        return least

    def violates(self, built: Instance | GameInstance) -> bool:
        """Whether it breaks the claim of an instance; the search ends with the first pair."""
        if isinstance(built, GameInstance):
            return built.audit(twin=self.run(built), tail=CUT).verdict == VIOLATED
        epsilon, delta = basic(built.privacy)
        law = laws(self.run(built))
        return any(
            PrivacyLoss(law(zero), law(one)).delta(epsilon) > ball(delta)
            for zero, one in built.pairs
        )


def laws(run: Any) -> Callable[[Any], Law[Any]]:
    """The output laws of a run, each computed once."""
    return cache(
        run.laws(tail=CUT)
        if isinstance(run, Stepwise)
        else lambda data: exact_law(lambda coins: run(data, coins), tail=CUT)
    )


CUT = Fraction(1, 2**24)
"""Where enumerations are cut; violations found are orders of magnitude larger."""


# ---- twins of several mechanisms


def relative(kind: type, **changed: Any) -> Broken:
    """A subclass with the same fields, or the same class with other ones."""

    def run(built: Instance) -> Any:
        mechanism = built.mechanism
        kept = {each.name: getattr(mechanism, each.name) for each in fields(mechanism)}
        return built.release(kind(**(kept | changed)))

    return run


def altered(kind: type, **changes: Callable[[Any, Any], Any]) -> Any:
    """A subclass of which some properties are others, made of the mechanism and the right value."""

    def made(name: str, change: Callable[[Any, Any], Any]) -> property:
        return property(lambda of: change(of, getattr(super(twin, of), name)))

    twin = type(kind.__name__, (kind,), {name: made(name, each) for name, each in changes.items()})
    return twin


def other(**changes: Callable[[Any, Any], Any]) -> Broken:
    """The same mechanism with other properties."""
    return lambda built: relative(altered(type(built.mechanism), **changes))(built)


def multiplied(path: str, factor: int = 2) -> Broken:
    """The same mechanism with a number of it, or of its parts, so many times as large."""

    def changed(part: Any, names: list[str]) -> Any:
        if isinstance(part, tuple):
            return tuple(changed(each, names) for each in part)
        if not names:
            return factor * part
        name, *rest = names
        return replace(part, **{name: changed(getattr(part, name), rest)})

    return lambda built: built.release(changed(built.mechanism, path.split(".")))


def rerun(release: Callable[[Any, Any, Coins], Hashable]) -> Broken:
    """Another release by the right mechanism."""
    return lambda built: lambda data, coins: release(built.mechanism, data, coins)


def program(make: Callable[[Any], Any]) -> Broken:
    """Another program in the place of the mechanism's runs."""
    return lambda built: built.release(make(built.mechanism))


class SixteenthCoins(Coins):
    """Weights are rounded to multiples of 1/16 of the largest."""

    def __init__(self, coins: Coins) -> None:
        self.coins = coins

    def _pick(self, exponents: Any, denominator: int, counts: Any) -> int:
        sizes = [1] * len(exponents) if counts is None else counts
        chances = [
            size * round(16 * math.exp(-exponent / denominator))
            for exponent, size in zip(exponents, sizes, strict=True)
        ]
        left = [index for index, chance in enumerate(chances) if chance]
        return left[self.coins.pick([0] * len(left), counts=[chances[index] for index in left])]

    def _below(self, n: int) -> int:
        return self.coins._below(n)

    def _flip(self, numerator: int, denominator: int) -> bool:
        return self.coins._flip(numerator, denominator)

    def _decays(self, numerator: int, denominator: int) -> bool:
        return self.coins._decays(numerator, denominator)

    def _laplace(self, numerator: int, denominator: int) -> int:
        return self.coins._laplace(numerator, denominator)

    def _at_least(self, margin: int, numerator: int, denominator: int) -> bool:
        return self.coins._at_least(margin, numerator, denominator)


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


class SmallNoise(StableHistogram):
    """Noise for one changed count, where two change; its threshold is the right one."""

    def _noise(self, count: int, coins: Coins) -> list[int]:
        return coins.laplaces(1 / self.epsilon, count)


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


class OneRoundShort(GreedyCover):
    """The rate for as many rounds as there are features; the constant one makes one more."""

    def choice_epsilon(self, features: int) -> Fraction:
        return 2 * cover_rate(self.epsilon, self.delta, neighbours=self.neighbours, rounds=features)


def short_rate(built: Instance) -> Any:
    mechanism, (epsilon, delta) = built.mechanism, basic(built.privacy)
    rate = cover_rate(epsilon, delta, rounds=mechanism.rounds - 1)
    return relative(EMCover, rate=rate)(built)


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


class LowSensitivity(PrivateCuts):
    """Scores are thought to change by 1, and not by the number of parts."""

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        return ExponentialMechanism(self.epsilon / self.count, neighbours=neighbours)


class TwoLearn(POP):
    """Two copies learn every example."""

    def learn(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        once = super().learn(state, point, label, coins)
        return super().learn(once, point, label, coins)


class OutcomesTwice(PrivateLittlestoneLearner):
    """Every outcome counts as two."""

    def choose(self, outcomes: Any, fresh: Any, coins: Coins) -> Any:
        return super().choose({h: 2 * count for h, count in outcomes.items()}, fresh, coins)


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

    def _choose(self, state: Any, coins: Coins) -> Any:
        return replace(super()._choose(state, coins), drawn=0)


class MorePhases(SparseVectorExperts):
    """The expert of the last phase is drawn anew when it has lost enough."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        return super()._choose(replace(state, drawn=min(state.drawn, 1)), coins)


class CountsLossesTwice(DPHedge):
    """Every loss counts as two."""

    def _listen(self, state: Any, item: Any, coins: Coins) -> Any:
        once = super()._listen(state, item, coins)
        return replace(once, tally=once.tally.after(item))


def halved_tests(built: Instance) -> Any:
    parameters = replace(built.mechanism.parameters, paper_constants=True)
    return relative(ForestSOA, parameters=parameters)(built)


class TwoReleases(FixedCoinsLayers):
    """The histogram is asked twice for the price of one, and both lists are published."""

    def _listed(self, number: int, pairs: Any, coins: Coins) -> Any:
        both = [super(TwoReleases, self)._listed(number, pairs, coins) for _ in "ab"]
        return tuple(dict.fromkeys((*both[0], *both[1])))


class HalvedWaiting(FixedCoinsLayers):
    """Mistakes are counted with half the noise."""

    @property
    def _counters(self) -> Any:
        return tuple(HalvedCount(each.epsilon, each.threshold) for each in super()._counters)


class BothSiblings(FixedCoinsLayers):
    """Both sequences of a pair are told, and the histogram counts the sequences that were."""

    def _extended(self, pair: Any, point: Any, label: Any) -> Any:
        told = super()._extended(pair, point, label)
        return told if told is pair or told is None else replace(told, second=told.first)

    def _updated(self, number: int, pairs: Any, coins: Coins) -> Any:
        return pairs

    def _counts(self, pairs: Any) -> Any:
        once = super()._counts(pairs)
        return {h: 2 * count for h, count in once.items() if h != self.base.hypothesis}


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

    def _receive(self, state: Hint, point: Any, label: int, coins: Coins) -> Hint:
        return Hint(label if state.sure else self.response.report(label, coins), state.sure)


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


def hasty_histogram(built: Instance) -> Any:
    known = built.mechanism.histogram
    hasty = altered(BoundedHistogram, threshold=lambda of, right: right - 2)
    return relative(HistogramSanitizer, histogram=hasty(known.epsilon, known.delta))(built)


def loud(kind: type) -> Broken:
    """The sanitizer with a discriminator of another kind."""

    def run(built: Instance) -> Any:
        known = built.mechanism.discriminator
        other = kind(known.of, known.size, known.alpha, known.epsilon)
        return relative(type(built.mechanism), discriminator=other)(built)

    return run


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


class CarriedNoise(SparseVectorExperts):
    """The threshold of a phase has the noise of the one before."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        after = super()._choose(state, coins)
        if state.run is None or after.run in (None, state.run):
            return after
        carried = state.run.noisy_threshold
        return replace(after, run=replace(after.run, noisy_threshold=carried))


class CarriedLosses(SparseVectorExperts):
    """The losses of a phase count in the next one."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        after = super()._choose(state, coins)
        if state.run is None or after.run in (None, state.run):
            return after
        return replace(after, run=replace(after.run, total=state.run.total))


class Unforgiving(ShrinkingDartboard):
    """The losses of a batch count in the decisions after it, until another expert is drawn."""

    def _choose(self, state: Any, coins: Coins) -> Any:
        after = super()._choose(state, coins)
        return replace(after, lost=state.lost) if after.drawn == state.drawn else after


@dataclass(frozen=True)
class NoisyPast(Past):
    """What `KeptNoise` keeps: the noise of each name."""

    noise: tuple[tuple[Any, int], ...] = ()


class KeptNoise(FixedCoinsRerun):
    """The counts of a name get the same noise in every round."""

    def _begin(self, coins: Coins) -> Past:
        return NoisyPast()

    def _publish(self, state: Any, coins: Coins) -> Any:
        histogram, noise = self.parameters.histogram, dict(state.noise)
        noisy = {}
        for name, count in self._shown(state.examples, coins).items():
            if name is not None:
                if name not in noise:
                    (noise[name],) = histogram._noise(1, coins)
                noisy[name] = count + noise[name]
        best = max(noisy, key=lambda name: noisy[name])
        name = best if noisy[best] >= histogram.threshold else self.first
        return replace(state, noise=tuple(noise.items())), name

    def _receive(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        return NoisyPast(super()._receive(state, point, label, coins).examples, state.noise)


class EachCutWhole(PrivateCuts):
    """Every cut point is chosen at the price of all."""

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        once = super()._mechanism(neighbours)
        return replace(once, epsilon=self.count * once.epsilon)


class OneCutOnly(PrivateCuts):
    """Scores are thought to change as for one cut point."""

    def _mechanism(self, neighbours: str) -> ExponentialMechanism:
        return replace(super()._mechanism(neighbours), sensitivity=2)


class FirstRowsOnly(GibbsTree):
    """The first rows are taken for a sample."""

    def _sampled(self, rows: int, coins: Coins) -> Any:
        return None if self.sample is None else np.arange(self.sample)


class Replacing(GibbsTree):
    """Rows are drawn with replacement."""

    def _sampled(self, rows: int, coins: Coins) -> Any:
        return np.sort([coins.below(rows) for _ in range(self.sample or 0)])


class DrawnAgain(AgnosticEmpirical):
    """Rows are drawn with replacement."""

    def _draw(self, sample: Any, coins: Coins) -> Any:
        return [sample[coins.below(len(sample))] for _ in range(self.drawn)]


class BestLabels(AgnosticEmpirical):
    """The drawn rows are labelled as fits all rows best."""

    @property
    def choice(self) -> Any:
        return SimpleNamespace(choose=lambda scores, coins: int(np.argmax(scores)))


class PlainWaiting(FixedCoinsLayers):
    """The thresholds that wait for mistakes get no noise."""

    @property
    def _counters(self) -> Any:
        return tuple(PlainThreshold(each.epsilon, each.threshold) for each in super()._counters)


class CarriedMistakes(FixedCoinsLayers):
    """The mistakes of a hypothesis count as mistakes of the next one."""

    def _receive(self, state: Any, point: Any, label: Any, coins: Coins) -> Any:
        after = super()._receive(state, point, label, coins)
        if state.run is None or after.run is None:
            return after
        total = state.run.total + (state.hypothesis(point) != label)
        return replace(after, run=replace(after.run, total=int(total)))


def layers_with(change: Callable[[BoundedHistogram, int], BoundedHistogram]) -> Broken:
    """Layers with another histogram, made of the right one and d."""

    class Changed(LayeredParameters):
        @cached_property
        def histogram(self) -> Any:
            right = super().histogram
            return None if right is None else change(right, self.depth)

    def run(built: Instance) -> Any:
        known = built.mechanism.parameters
        given = {each.name: getattr(known, each.name) for each in fields(known)}
        return relative(FixedCoinsLayers, parameters=Changed(**given))(built)

    return run


DearParts = altered(
    FoolingDiscriminator, choice=lambda of, right: replace(right, epsilon=2 * right.epsilon)
)


class OneMoreRound(FoolingSanitizer):
    """One round more than is paid for."""

    def run(self, sample: Any, coins: Coins) -> Any:
        more = FoolingSanitizer(self.discriminator, self.generator, self.max_rounds + 1)
        return more.run(sample, coins)


def of_discriminator(change: Callable[[FoolingDiscriminator, int], Any]) -> Broken:
    """The sanitizer with another discriminator, made of the right one and the number of rounds."""

    def run(built: Instance) -> Any:
        known = built.mechanism
        changed = change(known.discriminator, known.max_rounds)
        return relative(FoolingSanitizer, discriminator=changed)(built)

    return run


def dear_choice_of_parts(known: FoolingDiscriminator, rounds: int) -> FoolingDiscriminator:
    return DearParts(known.of, known.size, known.alpha, known.epsilon)


def lower(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    lowered = altered(BoundedHistogram, threshold=lambda of, threshold: threshold - 1)
    return lowered(right.epsilon, right.delta, right.neighbours)


def undivided(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    return replace(right, epsilon=depth * right.epsilon, delta=depth * right.delta)


def undivided_epsilon(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    return replace(right, epsilon=depth * right.epsilon)


def undivided_delta(right: BoundedHistogram, depth: int) -> BoundedHistogram:
    return replace(right, delta=depth * right.delta)


def whole_budget(known: FoolingDiscriminator, rounds: int) -> FoolingDiscriminator:
    return replace(known, epsilon=rounds * known.epsilon)


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
    Twin(
        "stable_histogram", "threshold lowered by one", other(threshold=lambda m, right: right - 1)
    ),
    Twin("stable_histogram", "scale 1/epsilon", other(scale=lambda m, right: 1 / m.epsilon)),
    Twin("stable_histogram", "noise of scale 1/epsilon", relative(SmallNoise)),
    Twin("stable_histogram", "order of the data", rerun(in_order_of_data)),
    Twin(
        "bounded_histogram", "noise reaches one less far", other(bound=lambda m, right: right - 1)
    ),
    Twin("bounded_histogram", "order of the data", rerun(in_order_of_data)),
    Twin("above_threshold", "Lyu 3: releases the value", lyu(2, 2, releases="noisy")),
    Twin("above_threshold", "Lyu 4: too little noise", lyu(4, Fraction(4, 3))),
    Twin("above_threshold", "Lyu 5: no noise on numbers", lyu(2, 0, cutoff=None)),
    Twin("above_threshold", "Lyu 6: no cutoff", lyu(2, 2, cutoff=None)),
    Twin("above_threshold", "right scales, no cutoff", lyu(2, 4, cutoff=None)),
    Twin("above_threshold", "no noise on the threshold", lyu(0, 4)),
    Twin(
        "above_threshold",
        "half the noise of numbers",
        other(query_scale=lambda m, right: right / 2),
    ),
    Twin("cumulative_above_threshold", "half the noise", relative(HalvedCount)),
    Twin("cumulative_above_threshold", "no noise on the threshold", relative(PlainThreshold)),
    Twin(
        "sparse",
        "two reports for the price of one",
        multiplied("epsilon"),
    ),
    Twin("fresh_noise_threshold", "[KMMNS23, Alg 1], constant 1", relative(PrintedFresh)),
    Twin("tree_counter", "levels share no epsilon", other(scale=lambda m, right: 1 / m.epsilon)),
    Twin(
        "tree_counter", "log2(T) levels", other(scale=lambda m, right: (m.levels - 1) / m.epsilon)
    ),
    Twin(
        "hist_sparse",
        "half the noise of tests",
        other(test=lambda m, right: replace(right, epsilon=2 * right.epsilon)),
    ),
    Twin("challenge_at", "halts at r reports", program(ExactHalting)),
    Twin("challenge_at", "noise on the threshold only", program(NoisyThreshold)),
    Twin(
        "challenge_at",
        "unnoised halting threshold",
        other(test=lambda m, right: PlainThreshold(m.halting_epsilon, m.reports)),
    ),
    Twin("challenge_at", "reports counted twice", program(CountedTwice)),
    Twin(
        "challenge_at",
        "half the noise of answers",
        multiplied("epsilon"),
    ),
    Twin(
        "challenge_at",
        "half the noise of halting",
        multiplied("halting_epsilon"),
    ),
    Twin(
        "generic_learner",
        "no half",
        other(mechanism=lambda m, right: ExponentialMechanism(2 * m.epsilon)),
    ),
    Twin("generic_learner", "weights in sixteenths", in_sixteenths),
    Twin("private_littlestone", "outcomes counted twice", relative(OutcomesTwice)),
    Twin(
        "private_littlestone", "choice at twice its price", multiplied("parameters.choice_epsilon")
    ),
    Twin(
        "subsample_aggregate",
        "noise of scale 1/epsilon",
        other(histogram=lambda m, right: SmallNoise(m.epsilon, m.delta)),
    ),
    Twin("agnostic_empirical", "the first rows are drawn", relative(FirstRows)),
    Twin("agnostic_empirical", "rows are drawn with replacement", relative(DrawnAgain)),
    Twin("agnostic_empirical", "labels that fit all rows best", relative(BestLabels)),
    Twin(
        "agnostic_empirical",
        "labels are chosen at twice the price",
        other(choice=lambda m, right: replace(right, epsilon=2 * right.epsilon)),
    ),
    Twin("agnostic_empirical", "the learner at twice its price", multiplied("inner.epsilon")),
    Twin(
        "em_cover",
        "no half",
        multiplied("rate"),
    ),
    Twin("em_cover", "one round too few", short_rate),
    Twin("em_cover", "weights in sixteenths", in_sixteenths),
    Twin("decision_list_learner", "rows count twice", relative(RowsTwice)),
    Twin("gibbs_tree", "twice the rate", other(_range=lambda m, right: 1)),
    Twin("gibbs_tree", "labels by the true majority", rerun(true_majorities)),
    Twin("gibbs_tree", "a prior that looks at rows", relative(PriorOfRows)),
    Twin("gibbs_tree", "the rarer label is listed, by rows", rerun(rarer_label)),
    Twin("gibbs_tree", "the first rows are taken for a sample", relative(FirstRowsOnly)),
    Twin("gibbs_tree_sampled", "rows are drawn with replacement", relative(Replacing)),
    Twin(
        "naive_bayes",
        "noise for one changed count",
        other(changes=lambda m, right: m.columns),
    ),
    Twin("naive_bayes", "noise for one column", other(changes=lambda m, right: right // m.columns)),
    Twin("greedy_cover", "no half", relative(WithoutTheHalf)),
    Twin("greedy_cover", "rows counted twice", relative(CountsTwice)),
    Twin("greedy_cover", "stops when no row is left", relative(StopsWhenDone)),
    Twin("greedy_cover", "rate for d rounds", relative(OneRoundShort)),
    Twin("greedy_cover", "weights in sixteenths", in_sixteenths),
    Twin("private_cuts", "sensitivity 1", relative(LowSensitivity)),
    Twin("private_cuts", "sensitivity of one cut point", relative(OneCutOnly)),
    Twin("private_cuts", "each cut point at the price of all", relative(EachCutWhole)),
    Twin("private_cuts", "weights in sixteenths", in_sixteenths),
    Twin("dp_winnow", "mistakes stay cached", relative(Uncleared)),
    Twin("dp_winnow", "mistakes counted without noise", relative(Unnoised)),
    Twin("dp_winnow", "few mistakes count as many", relative(Rescaled)),
    Twin("dp_winnow", "twice the rate", multiplied("rate")),
    Twin("dp_winnow", "weights in sixteenths", in_sixteenths),
    Twin("dp_hedge", "twice the rate", multiplied("rate")),
    Twin("dp_hedge", "losses counted twice", relative(CountsLossesTwice)),
    Twin("forest_soa", "half the noise", multiplied("parameters.epsilon")),
    Twin("rerun_forest", "half the noise", multiplied("parameters.epsilon")),
    Twin("rerun_forest", "the same noise in every round", relative(KeptNoise)),
    Twin("forest_soa", "half the noise of tests", halved_tests),
    Twin("forest_soa", "tests begin anew", relative(Restarting)),
    Twin("dartboard", "no fake switches", relative(NoFakeSwitches)),
    Twin("dartboard", "redraws are not counted", relative(MoreSwitches)),
    Twin("dartboard", "losses are not forgotten", relative(Unforgiving)),
    Twin("dartboard", "twice the rate", multiplied("rate")),
    Twin("sparse_experts", "twice the rate", multiplied("rate")),
    Twin(
        "sparse_experts",
        "no noise on the threshold",
        other(mechanism=lambda m, right: PlainThreshold(m.counting, m.threshold)),
    ),
    Twin("sparse_experts", "phases are not counted", relative(MorePhases)),
    Twin("sparse_experts", "a phase has the noise of the one before", relative(CarriedNoise)),
    Twin("sparse_experts", "losses count in the next phase", relative(CarriedLosses)),
    Twin("pop", "all copies learn", relative(AllLearn)),
    Twin("pop", "two copies learn", relative(TwoLearn)),
    Twin("pop", "no noise", relative(Plain)),
    Twin("pop", "one copy is asked", relative(ToldChoice)),
    Twin("pop_until_mistakes", "halts at exactly so many", relative(Counting)),
    Twin("agnostic_pop", "copies kept across phases", relative(Keeping)),
    Twin("layered_soa", "an example is told to two pairs", relative(TwoPairs)),
    Twin("layered_soa", "one histogram asked twice", relative(TwoReleases)),
    Twin("layered_soa", "half the noise of waiting", relative(HalvedWaiting)),
    Twin("layered_soa", "no noise on the thresholds that wait", relative(PlainWaiting)),
    Twin("layered_soa", "mistakes count for the next hypothesis", relative(CarriedMistakes)),
    Twin("layered_soa", "half the noise of histograms", multiplied("parameters.epsilon")),
    Twin("layered_soa", "histogram's threshold lowered by one", layers_with(lower)),
    Twin("layered_soa", "both siblings are told and counted", relative(BothSiblings)),
    Twin("layered_soa", "each histogram spends the whole budget", layers_with(undivided)),
    Twin("layered_soa_deep", "epsilon is not divided by d", layers_with(undivided_epsilon)),
    Twin("layered_soa_deep", "delta is not divided by d", layers_with(undivided_delta)),
    Twin("doubling", "learners at twice their price", buckets_of(dear_hints)),
    Twin("doubling", "learners announce that they will reveal", buckets_of(announcing)),
    Twin("mwem", "half the noise of tests", relative(HalfTest)),
    Twin("independent_answers", "half the noise of answers", multiplied("each")),
    Twin("histogram_sanitizer", "threshold lowered by two", hasty_histogram),
    Twin("fooling_discriminator", "noise for a sensitivity of 1/n^2", relative(TooLittleFooling)),
    Twin("fooling_discriminator", "parts are chosen at twice the price", relative(DearParts)),
    Twin("fooling_sanitizer", "noise for a sensitivity of 1/n^2", loud(TooLittleFooling)),
    Twin("fooling_sanitizer", "each round spends the whole budget", of_discriminator(whole_budget)),
    Twin("fooling_sanitizer", "one round more than is paid for", relative(OneMoreRound)),
    Twin(
        "fooling_sanitizer",
        "parts are chosen at twice the price",
        of_discriminator(dear_choice_of_parts),
    ),
    Twin(
        "interval_sanitizer",
        "points replaced at twice their price",
        multiplied("replacers.epsilon"),
    ),
    Twin(
        "constructed_experts",
        "points replaced at twice their price",
        multiplied("sanitizer.replacers.epsilon"),
    ),
    Twin("realizable_fooling", "noise for a sensitivity of 1/n^2", loud(TooLittleRealizable)),
    Twin("cut_sanitizer", "half the noise of tests", multiplied("inner.test")),
    Twin("sanitized_online", "half the noise of tests", multiplied("sanitizer.test")),
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
    ),
)
