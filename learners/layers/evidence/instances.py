"""Small instances of `LayeredSOA` for its audits, chosen to be sensitive to errors."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

from learners.audit.instances import (
    AuditEntry,
    ClaimedDelta,
    Instance,
    UndetectedVariant,
    neighbouring_streams,
)
from learners.coins import Coins
from learners.exact import Stepwise
from learners.forest.evidence.instances import FirstMistake
from learners.games import NOTHING
from learners.layers.algorithm import Kind, Layer, LayeredSOA, SiblingPair
from learners.layers.plan import LayeredParameters
from learners.playing.learner import Kept, PublishedState, PublishingLearner
from lsclasses.domain import FiniteDomain
from lsclasses.options import Option
from lsclasses.point_names import Label, Point


@dataclass(frozen=True)
class NumberedPairs:
    """A layer with numbered pairs, and the number of rounds played in it."""

    pairs: tuple[Kind, ...]
    played: int = 0

    def items(self) -> Iterable[tuple[Kind, int]]:
        """Return every pair, once."""
        return ((pair, 1) for pair in self.pairs)


@dataclass(frozen=True)
class _Published:
    """A publishing learner as a program that answers each example with its hypothesis."""

    learner: PublishingLearner

    def start(self, coins: Coins) -> PublishedState | None:
        return self.learner.start(coins)

    def answer(
        self, state: PublishedState, example: tuple[Point, Label], coins: Coins
    ) -> tuple[PublishedState | None, Hashable]:
        after = self.learner.receive(state, example, coins)
        return after, NOTHING if after is None else self.learner.published(after)


def published(learner: PublishingLearner) -> Stepwise:
    """Return the published hypotheses of a learner, for an audit."""
    return Stepwise(_Published(learner))


@dataclass(frozen=True)
class FixedCoinsLayers(LayeredSOA):
    """`LayeredSOA` with fixed choices, as in its privacy proof, so that only noise is random.

    The guarantee holds for all values of the choices. These values make the effect of an example as
    visible as possible. In round t of a layer, pair t receives the example, from 0 on. All guesses
    are 1, and the sequence of pair i moves to place i. The last pairs of layer 0 have received
    examples before the audit begins.

    Parameters
    ----------
    base, parameters
        Parameters of `LayeredSOA`.
    history : tuple of (point, label)
        The examples that the last pairs of layer 0 have received, one each. An example on which the
        base learner does not err leaves a pair unchanged.
    """

    history: tuple[tuple[Point, Label], ...] = ()

    def _begin(self, coins: Coins) -> Layer:
        layer = super()._begin(coins)
        ((pair, alike),) = layer.pairs.items()
        extended = [self._extended(pair, *example) for example in self.history]
        row: Any = NumberedPairs((*(pair,) * (alike - len(extended)), *extended))
        return replace(layer, pairs=row)

    def _drawn(self, played: int, pairs: int) -> int:
        """Return the number of the pair that learns the example of round `played` of a layer."""
        return played % pairs

    def _guess(self, pair: int) -> Label:
        """Return the guessed label for a pair."""
        return 1

    def _with_example(self, pairs: Any, point: Point, label: Label, coins: Coins) -> Any:
        at = self._drawn(pairs.played, len(pairs.pairs))
        after = self._extended(pairs.pairs[at], point, label)
        return NumberedPairs((*pairs.pairs[:at], after, *pairs.pairs[at + 1 :]), pairs.played + 1)

    def _updated(self, number: int, pairs: Any, coins: Coins) -> Any:
        moved = [
            None if pair is None or pair.common is not None else self._guessed(pair, self._guess(i))
            for i, pair in enumerate(pairs.pairs)
        ]
        siblings = zip(moved[::2], moved[1::2], strict=True)
        return NumberedPairs(
            tuple(
                None if one is None or two is None else SiblingPair(one, two)
                for one, two in siblings
            )
        )


@dataclass(frozen=True)
class _Transcript:
    """`FixedCoinsLayers` as a program, after some examples that pairs learned before.

    Its answers are the answers of the privacy proof: the current hypothesis, the waiting hypotheses
    of the list, and whether mistakes of a hypothesis are still counted. The publications follow
    from them.
    """

    learner: FixedCoinsLayers

    def start(self, coins: Coins) -> FixedCoinsLayers:
        return self.learner

    def answer(self, state: Kept, item: Any, coins: Coins) -> tuple[Kept, Hashable]:
        if isinstance(state, FixedCoinsLayers):
            return replace(state, history=item).start(coins), None
        after = state.mechanism.receive(state, item, coins)
        layer = after.inner
        return after, (layer.hypothesis, layer.waiting, layer.run is None)


def _transcripts(learner: FixedCoinsLayers) -> Stepwise:
    return Stepwise(_Transcript(learner))


HIT, OTHER, MISS = (0, 1), (1, 1), (0, 0)
"""Three examples. The first hypothesis errs on `HIT` and on `OTHER`, and it is right on `MISS`."""


Counting = Annotated[Fraction, Option("epsilon for counting mistakes")]
Histograms = Annotated[Fraction, Option("epsilon for histograms")]
Threshold = Annotated[
    int,
    Option(
        "approximate number of mistakes that replaces a hypothesis", minimum=-(10**6), maximum=10**6
    ),
]


def _chosen(
    *,
    epsilon: Counting = Fraction(8),
    histograms: Histograms = Fraction(4),
    delta: ClaimedDelta = Fraction(1, 50),
    threshold: Threshold = 1,
    rounds: Annotated[int, Option("number of examples", minimum=1, maximum=4)] = 2,
) -> Instance:
    """Return games with four pairs, all informed except the first, or the last of each two.

    An example of the first pair makes a second pair of layer 1 agree, or a first pair. So the view
    shows the loss of a histogram, and its threshold.
    """
    parameters = LayeredParameters(
        1, 8, rounds, (threshold, threshold), epsilon, histograms, delta, (1,)
    )
    learner = FixedCoinsLayers(FirstMistake(FiniteDomain(range(2))), parameters)
    streams = neighbouring_streams((MISS, HIT, OTHER), rounds)
    pairs = tuple(
        ((told, *zero), (told, *one))
        for told in ((HIT, HIT, HIT), (HIT, MISS, HIT))
        for zero, one in streams
    )
    return Instance(learner, _transcripts, pairs)


AGREE, AGREE_ELSE, DIFFER, DEAD = (HIT, HIT), (OTHER, OTHER), (HIT, OTHER), (MISS, MISS)
"""Examples of two pairs of layer 0, by the state of the pair of layer 1 that they make."""


DEEP = (
    (HIT, *DIFFER * 5, *AGREE * 2),
    (HIT, *DIFFER * 3, *AGREE, *DEAD * 3),
    (HIT, *DIFFER, *AGREE_ELSE * 3, *DEAD * 3),
)
"""Three histories of an instance with three layers. Each has an example for 15 of 16 pairs.

If the first pair receives the example of the second pair, it makes a pair of layer 1 agree, as two
others do, or one, or none. With the other example, that pair differs. In layer 2, it then makes a
pair agree, as two others do, or one, or none. So either histogram is read where a count equal to
its threshold is lost, or where a count one below is lost, and where only an unlikely noise releases
an item. In the last case others agree on another hypothesis, so that layer 1 has a hypothesis to
publish.
"""


def _deep(
    *,
    epsilon: Counting = Fraction(8),
    histograms: Histograms = Fraction(8),
    delta: ClaimedDelta = Fraction(1, 50),
    threshold: Threshold = 1,
) -> Instance:
    """Return games where the first pair may learn an example, and then its pair in layer 1 learns.

    Only the first hypothesis waits for mistakes. The thresholds of the others are far below.
    """
    parameters = LayeredParameters(
        2, 32, 2, (threshold, -20, -20), epsilon, histograms, delta, (1, 1)
    )
    learner = FixedCoinsLayers(FirstMistake(FiniteDomain(range(2)), most=2), parameters)
    pairs = tuple(((told, MISS, OTHER), (told, HIT, OTHER)) for told in DEEP)
    return Instance(learner, _transcripts, pairs)


AUDITS = (
    AuditEntry(
        "layered_soa",
        "hypotheses of the layered learner, given its choices and examples for some of four pairs",
        _chosen,
        unseen=(
            UndetectedVariant(
                "spends the whole budget of all histograms on each histogram",
                "the default instance has only one histogram",
                "layered_soa_deep",
            ),
        ),
    ),
    AuditEntry(
        "layered_soa_deep",
        "layered learner whose base errs twice, with two histograms and 15 of 16 pairs informed",
        _deep,
    ),
)
