"""Broken twins of the sanitizers, which their audits have to see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from learners.audit.instances import Instance
from learners.coins import Coins
from learners.mechanisms.histograms import BoundedHistogram
from learners.mechanisms.selection import ExponentialMechanism
from learners.sanitizers.discriminators import (
    ExponentialParts,
    FoolingDiscriminator,
    RealizableDiscriminator,
)
from learners.sanitizers.evidence.fooling import TooLittleNoise
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.realizable import HistogramSanitizer
from learners.sanitizers.sketches import RealizableFooling
from learners.sanitizers.splitting import LabelledBySplitting
from lsclasses.soa import SOA
from lsclasses.table import Table
from tests.learners.breaking import Broken, Twin, altered, multiplied, relative


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

    def _release(self, sample: Any, coins: Coins) -> Any:
        return LabelledBySplitting(self.inner, 2 * self.epsilon)._release(sample, coins)


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


def whole_budget(known: FoolingDiscriminator, rounds: int) -> FoolingDiscriminator:
    return replace(known, epsilon=rounds * known.epsilon)


class FittingSketches(RealizableFooling):
    """Its list of sketches is made from the data: those that fit them."""

    def _release(self, sample: Any, coins: Coins) -> Any:
        alpha, domain = self.discriminator.alpha, self.candidates.domain
        shares = sample.frequencies(self.concept_class)
        fitting = [
            labels
            for labels in self.candidates.labels.tolist()
            if all(
                4 * alpha / 9 < share < 5 * alpha / 9 or label == (share >= 5 * alpha / 9)
                for share, label in zip(shares, labels, strict=True)
            )
        ]
        known = RealizableFooling(self.discriminator, self.learner, None, self.max_rounds)
        known.__dict__["start"] = SOA(Table(fitting, domain=domain))
        return known._release(sample, coins)


TWINS = (
    Twin("mwem", "adds half the noise in the tests", relative(HalfTest)),
    Twin("independent_answers", "adds half the noise", multiplied("each")),
    Twin("histogram_sanitizer", "lowers the threshold by 2", hasty_histogram),
    Twin(
        "fooling_discriminator",
        "scales the noise of the test for a sensitivity of 1/n^2 instead of 1/n",
        relative(TooLittleFooling),
    ),
    Twin(
        "fooling_discriminator",
        "chooses the part of the class with twice the epsilon",
        relative(DearParts),
    ),
    Twin(
        "fooling_sanitizer",
        "scales the noise of the tests for a sensitivity of 1/n^2 instead of 1/n",
        loud(TooLittleFooling),
    ),
    Twin(
        "fooling_sanitizer",
        "spends the whole budget in every round",
        of_discriminator(whole_budget),
    ),
    Twin("fooling_sanitizer", "plays one round more than the claim covers", relative(OneMoreRound)),
    Twin(
        "fooling_sanitizer",
        "chooses the parts of the class with twice the epsilon",
        of_discriminator(dear_choice_of_parts),
    ),
    Twin(
        "interval_sanitizer",
        "replaces points by synthetic points with twice the epsilon",
        multiplied("replacers.epsilon"),
    ),
    Twin(
        "realizable_fooling",
        "scales the noise of the tests for a sensitivity of 1/n^2 instead of 1/n",
        loud(TooLittleRealizable),
    ),
    Twin(
        "realizable_fooling",
        "proposes only sets that are consistent with the data",
        relative(FittingSketches),
    ),
    Twin("cut_sanitizer", "adds half the noise in the tests", multiplied("inner.test")),
    Twin(
        "labelled_by_splitting",
        "adds half the noise to the number of points with label 1",
        relative(HalfCounted),
    ),
    Twin("fooling_discriminator", "chooses the concept with four times the epsilon", dear_parts),
    Twin(
        "realizable_discriminator",
        "scales the noise of the tests for a sensitivity of 1/n^2 instead of 1/n",
        relative(TooLittleRealizable),
    ),
    Twin(
        "realizable_discriminator", "chooses the concepts with four times the epsilon", dear_parts
    ),
)
