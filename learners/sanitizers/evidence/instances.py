"""Audit instances of the sanitizers and their discriminators."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Annotated

import numpy as np

from learners.accounting import ApproximateDP, Event, PureDP, Scope
from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    Pairs,
    Run,
    UndetectedVariant,
    neighbouring_streams,
    neighbouring_tables,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.mechanisms.counter import DyadicIntervals
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.base import Sanitizer, SyntheticData
from learners.sanitizers.discriminators import (
    FoolingDiscriminator,
    MarkedPoints,
    RealizableDiscriminator,
)
from learners.sanitizers.fooling import FoolingSanitizer
from learners.sanitizers.generators import HedgeGenerator
from learners.sanitizers.independent import IndependentAnswers
from learners.sanitizers.interval_sanitizer import (
    HistogramReplacer,
    IntervalRun,
    IntervalSanitizer,
    Places,
    Replacer,
)
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from learners.sanitizers.realizable import HistogramSanitizer
from learners.sanitizers.sketches import CutSanitizer, RealizableFooling
from learners.sanitizers.splitting import LabelledBySplitting
from lsclasses.options import Option
from lsclasses.point_names import Point
from lsclasses.table import Table

# ---- discriminators


def _answers(discriminator: FoolingDiscriminator | RealizableDiscriminator) -> Run:
    def run(data: tuple[tuple[int, ...], tuple[int, ...]], coins: Coins) -> Hashable:
        points, proposal = data
        sample = PointSample(discriminator.of.domain, points)
        return str(discriminator.answer(MarkedPoints(sample), proposal, coins))

    return run


def _proposed(points: int, rows: int, proposals: Iterable[tuple[int, ...]]) -> Pairs:
    """Return all neighbouring data sets, with every proposal."""
    pairs = neighbouring_tables(list(range(points)), rows, "replace_one")
    return tuple(((zero, q), (one, q)) for q in proposals for zero, one in pairs)


def _small(points: int, three: list[tuple[int, ...]]) -> Table:
    """Return all concepts on two points, or on three points the concepts with the largest loss."""
    return Table(list(product((0, 1), repeat=points)) if points < 3 else three)


Alpha = Annotated[Fraction, Option("target error")]
Points = Annotated[int, Option("number of points of the domain", minimum=1, maximum=3)]
Rows = Annotated[int, Option("number of points of the data", minimum=1, maximum=4)]


def _fooling(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    alpha: Alpha = Fraction(1, 2),
    points: Points = 3,
    rows: Rows = 3,
) -> Instance:
    C = _small(points, [(0, 0, 1), (0, 1, 0), (0, 1, 1)])
    discriminator = FoolingDiscriminator(C, rows, alpha, epsilon)
    proposals = [q for q in product((0, 1), repeat=points) if any(q)]
    pairs = _proposed(points, rows, proposals)
    return Instance(discriminator, _answers, pairs)


def _realizable(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    alpha: Alpha = Fraction(1, 2),
    points: Points = 3,
    rows: Rows = 3,
) -> Instance:
    C = _small(points, [(0, 0, 1), (0, 1, 0), (1, 0, 1)])
    discriminator = RealizableDiscriminator(C, rows, alpha, epsilon)
    pairs = _proposed(points, rows, product((0, 1), repeat=len(C)))
    return Instance(discriminator, _answers, pairs)


# ---- fooling


def _fooling_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(6),
    alpha: Annotated[Fraction, Option("target error")] = Fraction(1, 2),
    rows: Annotated[int, Option("number of points of the data", minimum=1, maximum=4)] = 3,
    rounds: Annotated[int, Option("largest number of rounds", minimum=1, maximum=3)] = 2,
) -> Instance:
    """Return all data sets of two points. The audit compares transcripts, not only proposals."""
    C = Table([[1, 0]])
    discriminator = FoolingDiscriminator(C, rows, alpha, epsilon)
    sanitizer = FoolingSanitizer(discriminator, HedgeGenerator(C, alpha), rounds)
    pairs = neighbouring_tables([0, 1], rows, "replace_one")
    return Instance(sanitizer, _fooling_released, pairs)


def _fooling_released(sanitizer: FoolingSanitizer) -> Run:
    return lambda rows, coins: sanitizer.run(PointSample(sanitizer.domain, rows), coins)


# ---- independent


def _independent_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    points: Annotated[
        int, Option("number of points, which are the concepts", minimum=2, maximum=3)
    ] = 2,
    rows: Annotated[int, Option("number of rows of the data", minimum=1, maximum=4)] = 2,
) -> Instance:
    """Return point functions, where a replaced row changes two answers in opposite directions."""
    C = Table(np.eye(points, dtype=np.uint8))
    sanitizer = IndependentAnswers(C, epsilon / points)
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, lambda each: each.release, pairs)


# ---- intervals


@dataclass(frozen=True)
class _Released:
    """The releases at the end of each round."""

    sanitizer: IntervalSanitizer

    def start(self, coins: Coins) -> IntervalRun:
        return self.sanitizer.start(coins)

    def answer(
        self, state: IntervalRun, item: Point, coins: Coins
    ) -> tuple[IntervalRun, tuple[Places, ...]]:
        ended, run = state.ask(item, coins)
        return run, ended


def released(sanitizer: IntervalSanitizer) -> Stepwise:
    """Return the synthetic points of the intervals that end with each round, for an audit."""
    return Stepwise(_Released(sanitizer))


@dataclass(frozen=True)
class RandomizedPoints(Replacer):
    """A replacer by randomized response: each point is kept or replaced by a random other point.

    Each point costs exactly epsilon. So the audit of intervals of several lengths is sensitive to
    the cost of every length. The replacer may miss every function.

    Parameters
    ----------
    epsilon : Fraction
        Privacy cost of each point.
    letters : tuple
        Points that may occur, at least two.
    """

    epsilon: Fraction
    letters: tuple[Point, ...] = ("a", "b")

    @property
    def cost(self) -> Event:
        """The privacy cost epsilon, without delta."""
        return PureDP(self.epsilon, name="randomized points", scope=Scope.adaptive("replace_one"))

    @property
    def missed(self) -> int:
        """A number larger than any number of points, because all points may be missed."""
        return LARGEST

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        """Return a letter for each point. The right letter has e^epsilon times the weight."""
        return tuple(
            self.letters[coins.pick([int(x == letter) for letter in self.letters], self.epsilon)]
            for x in points
        )


LARGEST = 1 << 62
"""Number larger than the number of points of any interval."""


def audited_replacer(kind: str, epsilon: Fraction, delta: Fraction) -> Replacer:
    """Return the replacer for intervals of letters in audits."""
    if kind == "randomized":
        return RandomizedPoints(epsilon)
    return HistogramReplacer(BoundedHistogram(epsilon, delta), 2)


ReplacerName = Annotated[
    str,
    Option(
        "mechanism: randomized response for each point, which costs all of "
        "epsilon, or released points",
        choices=("randomized", "released"),
    ),
]


def _intervals_instance(
    *,
    replacer: ReplacerName = "randomized",
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 10),
    rounds: Annotated[int, Option("number of points", minimum=1, maximum=4)] = 3,
) -> Instance:
    """Return all neighbouring streams of letters."""
    each = audited_replacer(replacer, epsilon, delta)
    sanitizer = IntervalSanitizer(rounds, (each,) * DyadicIntervals(rounds).depth)
    return Instance(sanitizer, released, neighbouring_streams("ab", rounds))


# ---- mwem


def _mwem_instance(
    *,
    alpha: Annotated[Fraction, Option("target error")] = Fraction(1, 2),
    select: Annotated[Fraction, Option("epsilon of one choice")] = Fraction(4),
    test: Annotated[Fraction, Option("epsilon of one test")] = Fraction(2),
    points: Annotated[int, Option("number of points", minimum=2, maximum=3)] = 2,
    rows: Annotated[int, Option("number of rows of the data", minimum=1, maximum=3)] = 3,
    rounds: Annotated[int, Option("largest number of rounds", minimum=1, maximum=3)] = 2,
) -> Instance:
    """Return all data sets of `rows` rows. The audit compares transcripts, not only weights."""
    C = Table(np.eye(points, dtype=np.uint8)[: max(1, points - 1)])
    sanitizer = MWEMSanitizer(C, alpha, rounds, select, test)
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, _mwem_released, pairs)


def _mwem_released(sanitizer: MWEMSanitizer) -> Run:
    return lambda rows, coins: sanitizer.run(PointSample(sanitizer.domain, rows), coins)


# ---- realizable


def _realizable_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(2),
    delta: ClaimedDelta = Fraction(1, 100),
    points: Annotated[int, Option("number of points", minimum=2, maximum=4)] = 2,
    rows: Annotated[int, Option("number of rows of the data", minimum=1, maximum=24)] = 12,
) -> Instance:
    """Return all data sets of `rows` rows. Counts near the threshold reveal mistakes."""
    C = Table(np.eye(points, dtype=np.uint8))
    sanitizer = HistogramSanitizer(C, BoundedHistogram(epsilon, delta))
    pairs = neighbouring_tables(range(points), rows, "replace_one")
    return Instance(sanitizer, lambda each: each.release, pairs)


# ---- sketches


def _game(
    *,
    epsilon: ClaimedEpsilon = Fraction(8),
    alpha: Annotated[Fraction, Option("target error")] = Fraction(1, 2),
    rows: Annotated[int, Option("number of points of the data", minimum=1, maximum=8)] = 8,
    rounds: Annotated[int, Option("largest number of rounds", minimum=1, maximum=3)] = 2,
) -> Instance:
    """Return all data sets of two points. Privacy does not depend on the small size of sketches."""
    C = Table([[1, 0], [0, 1]])
    discriminator = RealizableDiscriminator(C, rows, alpha, epsilon)
    sanitizer = RealizableFooling(discriminator, "soa", 4, rounds)
    pairs = neighbouring_tables([0, 1], rows, "replace_one")
    return Instance(sanitizer, _fitted, pairs)


def _cut(
    *,
    test: Annotated[Fraction, Option("epsilon of one test of MWEM")] = Fraction(2),
    rows: Annotated[int, Option("number of points of the data", minimum=1, maximum=4)] = 2,
) -> Instance:
    """Return all data sets of two points, with estimates of one round of MWEM."""
    C = Table([[0, 1]])
    inner = MWEMSanitizer(C, Fraction(1, 2), 1, test / 8, test)
    sanitizer = CutSanitizer(inner, Fraction(9, 10), Fraction(1, 5))
    pairs = neighbouring_tables([0, 1], rows, "replace_one")
    return Instance(sanitizer, _fitted, pairs)


def _fitted(sanitizer: Sanitizer) -> Run:
    return sanitizer.release


# ---- splitting


@dataclass(frozen=True)
class RevealingSanitizer(Sanitizer):
    """A sanitizer that releases its true points with probability delta, and otherwise all points.

    The sanitizer is (0, delta)-DP. It states a positive epsilon, because a cost needs a positive
    epsilon.
    """

    of: Table
    epsilon: Fraction
    failure: Fraction

    @property
    def privacy(self) -> Event:
        """The privacy cost (epsilon, delta)."""
        scope = Scope.adaptive("replace_one")
        return ApproximateDP(self.epsilon, self.failure, name="revealed points", scope=scope)

    def _release(self, sample: PointSample, coins: Coins) -> SyntheticData:
        if coins.flip(self.failure):
            return SyntheticData(self.domain, tuple(sample.counts.tolist()), len(sample))
        return SyntheticData(self.domain, (1,) * len(self.domain), len(sample))


def _splitting_instance(
    *,
    epsilon: ClaimedEpsilon = Fraction(4),
    test: Annotated[Fraction, Option("epsilon of one test of MWEM")] = Fraction(2),
    rows: Annotated[int, Option("number of rows of the data", minimum=1, maximum=3)] = 2,
) -> Instance:
    """Return all labelled data sets on two points, where MWEM of one round sanitizes both parts."""
    inner = MWEMSanitizer(Table([[0, 1]]), Fraction(1, 2), 1, test / 8, test)
    sanitizer = LabelledBySplitting(inner, epsilon)
    pairs = neighbouring_tables(list(sanitizer.domain), rows, "replace_one")
    return Instance(sanitizer, _splitting_released, pairs)


def _splitting_released(sanitizer: LabelledBySplitting) -> Run:
    return sanitizer.release


AUDITS = (
    AuditEntry(
        "fooling_discriminator",
        "a concept that holds more often on the data than on proposed data",
        _fooling,
        Fraction("5.46"),
        "no replaced point gives losses of one sign in all three releases",
    ),
    AuditEntry(
        "realizable_discriminator",
        "a concept on which a proposed set of concepts is wrong",
        _realizable,
        Fraction("5.73"),
        "no replaced point gives losses of one sign in all four releases",
    ),
    AuditEntry(
        "fooling_sanitizer",
        "rounds of proposed data and of a concept that distinguishes them from the data",
        _fooling_instance,
        Fraction("7.65"),
        "the class has one concept, so the choice of a concept has no loss, and the losses of "
        "the choice of a part and of the test have opposite signs",
        unseen=(
            UndetectedVariant(
                "plays one round more than the claim covers",
                "each of the three rounds uses only two thirds of its epsilon, and the claim "
                "covers two rounds",
                "fooling_sanitizer:rounds=1",
            ),
            UndetectedVariant(
                "chooses the parts of the class with twice the epsilon",
                "the class has one concept. The audit `fooling_discriminator` detects this mistake",
            ),
        ),
    ),
    AuditEntry(
        "independent_answers",
        "a noisy share for every concept",
        _independent_instance,
    ),
    AuditEntry(
        "interval_sanitizer",
        "synthetic points for intervals of rounds, charged for each interval length; one point "
        "differs",
        _intervals_instance,
    ),
    AuditEntry(
        "mwem",
        "rounds of a private choice and a private test, from which weights follow",
        _mwem_instance,
    ),
    AuditEntry(
        "histogram_sanitizer",
        "the points that a histogram of bounded error releases, without their counts",
        _realizable_instance,
    ),
    AuditEntry(
        "realizable_fooling",
        "the last of several proposed sets of concepts; each round finds one concept on which the "
        "set is wrong",
        _game,
        Fraction("3.99"),
        "the adversary observes only the last proposed set, and each round uses the data only to "
        "find one concept on which the set is wrong",
    ),
    AuditEntry(
        "cut_sanitizer",
        "which estimates of MWEM reach a cut",
        _cut,
    ),
    AuditEntry(
        "labelled_by_splitting",
        "estimates from the points of each label, and the number of points with label 1",
        _splitting_instance,
    ),
)
