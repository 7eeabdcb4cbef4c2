"""Small instances of `learners.sanitizers.intervals` for its audits, chosen by their power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting import Event, PureDP, Scope
from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    ClaimedEpsilon,
    Instance,
    neighbouring_streams,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.mechanisms.counter import DyadicIntervals
from learners.mechanisms.histograms import BoundedHistogram
from learners.sanitizers.intervals import (
    HistogramReplacer,
    IntervalRun,
    IntervalSanitizer,
    Places,
    Replacer,
)
from lsclasses.points import Point
from lsclasses.specifications import Option


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
    """The synthetic points of the intervals that end with each round, for an audit."""
    return Stepwise(_Released(sanitizer))


@dataclass(frozen=True)
class RandomizedPoints(Replacer):
    """Randomized response on points: each is itself, or with equal chances one of the others.

    Randomized response for each point: it costs epsilon and nothing less, so that an audit sees
    every length that is paid for. Nothing is surely seen.

    Parameters
    ----------
    epsilon : Fraction
    letters : tuple
        The points that may occur, at least two.
    """

    epsilon: Fraction
    letters: tuple[Point, ...] = ("a", "b")

    @property
    def cost(self) -> Event:
        """The privacy cost epsilon, without delta."""
        return PureDP(self.epsilon, name="randomized points", scope=Scope.adaptive("replace_one"))

    @property
    def missed(self) -> int:
        """More than any number of points, since all may be missed."""
        return LARGEST

    def replaced(self, points: Sequence[Point], coins: Coins) -> Places:
        """A letter for each point, the right one e^epsilon times as likely as any other."""
        return tuple(
            self.letters[coins.pick([int(x == letter) for letter in self.letters], self.epsilon)]
            for x in points
        )


LARGEST = 1 << 62
"""More points than any interval has."""


def audited_replacer(kind: str, epsilon: Fraction, delta: Fraction) -> Replacer:
    """The replacer for intervals of letters in audits."""
    if kind == "randomized":
        return RandomizedPoints(epsilon)
    return HistogramReplacer(BoundedHistogram(epsilon, delta), 2)


ReplacerName = Annotated[
    str,
    Option(
        "randomized response for each point, which costs all of epsilon, or released points",
        choices=("randomized", "released"),
    ),
]


def _instance(
    *,
    replacer: ReplacerName = "randomized",
    epsilon: ClaimedEpsilon = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 10),
    rounds: Annotated[int, Option("how many points", minimum=1, maximum=4)] = 3,
) -> Instance:
    """All neighbouring streams of letters."""
    each = audited_replacer(replacer, epsilon, delta)
    sanitizer = IntervalSanitizer(rounds, (each,) * DyadicIntervals(rounds).depth)
    return Instance(sanitizer, released, neighbouring_streams("ab", rounds))


AUDITS = (
    AuditEntry(
        "interval_sanitizer",
        "synthetic points for all intervals, each length charged; one point differs",
        _instance,
    ),
)
