"""The best private online learner as a learner that can be run, and the hardest adversaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np

from learners.accounting import Event
from learners.bounds import EXPECTED, OBLIVIOUS, REALIZABLE, UNSEEN, Bound
from learners.coins import Coins
from learners.optimal.online_certificates import TranscriptLaw
from learners.optimal.transcripts import Stream, Transcripts
from learners.playing.adversaries import NOTHING, THIS, AdversaryRun, StreamAdversary
from learners.playing.learner import PublishingLearner
from learners.states import require_rounds_left
from lsclasses.concept_class import ConceptClass, OfClass
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Concept
from lsclasses.point_names import Label, Point


@dataclass(frozen=True)
class PublisherState:
    """The state of `OptimalPublisher`: the transcript so far, which contains all examples.

    Attributes
    ----------
    rounds : int
        Number of received examples.
    number : int
        Number of the transcript (`Transcripts`).
    """

    rounds: int
    number: int


@dataclass(frozen=True)
class OptimalPublisher(PublishingLearner):
    """A private learner that publishes hypotheses by the distribution of its transcripts.

    After a history z_1, h_2, ..., z_(t-1) of examples z and hypotheses h, the weights of
    transcripts determine the conditional probability of each h_t, exactly. The later hypotheses do
    not depend on h_1. The last hypothesis does not change, because the last example is not read.

    **Guarantee.** The distribution of h_1, ..., h_T is (epsilon, delta)-DP for streams that differ
    in one example: all pairs of streams were compared in integers
    (`TranscriptLaw.require_private`). With delta = 0, this holds on every history, so against
    adaptive streams, too [LWY25, Def. 2.4].

    Parameters
    ----------
    points : FiniteDomain
        Points in the order of `law`.
    law : TranscriptLaw
        Table of the transcript probabilities.
    guarantee : Event
        `PureDP`, or `ApproximateDP` against streams that were fixed.
    mistakes : Fraction
        Expected number of mistakes in the worst case.
    adaptive : bool
        Whether the worst case is over adversaries that observe earlier hypotheses.
    """

    points: FiniteDomain
    law: TranscriptLaw = field(repr=False)
    guarantee: Event
    mistakes: Fraction
    adaptive: bool = False

    @property
    def privacy(self) -> Event:
        """The privacy cost of the complete output."""
        return self.guarantee

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The expected number of mistakes, computed exactly."""
        value = Fraction(-(-self.mistakes * 10**12 // 1), 10**12)
        return (
            Bound(
                "computed for all streams",
                f"{EXPECTED}mistakes",
                "M",
                value,
                trivial=self.rounds,
                hypotheses=(REALIZABLE, UNSEEN if self.adaptive else OBLIVIOUS),
            ),
        )

    @property
    def domain(self) -> FiniteDomain:
        """The points that the learner labels."""
        return self.points

    @property
    def rounds(self) -> int:
        """The number T of rounds."""
        return self.law.transcripts.rounds

    @cached_property
    def _hypotheses(self) -> tuple[Concept, ...]:
        outputs = self.law.transcripts.outputs
        return tuple(Concept.from_labels(self.points, labels) for labels in outputs)

    def _begin(self, coins: Coins) -> PublisherState:
        return PublisherState(0, 0)

    def _publish(self, played: PublisherState, coins: Coins) -> tuple[PublisherState, Concept]:
        if played.rounds < self.rounds:
            count = len(self._hypotheses)
            first = played.number * count
            law = self.law.published[played.rounds + 1][first : first + count].tolist()
            possible = [h for h, weight in enumerate(law) if weight]
            drawn = coins.pick([0] * len(possible), counts=[law[h] for h in possible])
            played = PublisherState(played.rounds, first + possible[drawn])
        return played, self._in_force(played)

    def _receive(
        self, played: PublisherState, point: Point, label: Label, coins: Coins
    ) -> PublisherState:
        require_rounds_left(played.rounds, self.rounds, "learner", "law")
        number = played.number
        if played.rounds + 1 < self.rounds:
            example = 2 * self.points.index(point) + label
            number = (number * self.law.transcripts.examples if played.rounds else 0) + example
        return PublisherState(played.rounds + 1, number)

    def _in_force(self, played: PublisherState) -> Concept:
        return self._hypotheses[played.number % len(self._hypotheses)]

    def _kept_to_json(self, played: PublisherState) -> list[int]:
        return [played.rounds, played.number]

    def _kept_from_json(self, data: Any) -> PublisherState:
        rounds, number = data
        steps = min(rounds + 1, self.rounds) if isinstance(rounds, int) and rounds >= 0 else 0
        if not (steps and rounds <= self.rounds and isinstance(number, int)) or not (
            0 <= number < len(self.law.published[steps])
        ):
            raise InvalidInput(f"A transcript must have valid rounds and number. Got {data!r}.")
        return PublisherState(rounds, number)


@dataclass(frozen=True)
class HardStreams(OfClass, StreamAdversary):
    """The prior of a lower bound, a distribution of realizable streams.

    Every private learner makes at least the stated expected mistakes on it. A stream is drawn by
    weight. Then a random symmetry of the class renames the points and labels of the stream.

    Parameters
    ----------
    concept_class : ConceptClass
        Concept class.
    transcripts : Transcripts
        All streams and transcripts of the game.
    streams : tuple of (int, tuple of int)
        Weights, and streams of example numbers.
    """

    concept_class: ConceptClass
    transcripts: Transcripts = field(repr=False)
    streams: tuple[tuple[int, Stream], ...]

    sees = NOTHING

    @property
    def realizable(self) -> bool:
        """Always true, because a concept labels each stream."""
        return True

    @cached_property
    def _streams(self) -> dict[Stream, Fraction]:
        """The probability of each stream of example numbers. Orbits' weights are spread evenly."""
        found: dict[Stream, Fraction] = {}
        total = sum(weight for weight, _ in self.streams)
        shown = [each.tolist() for _, each in self.transcripts.maps]
        for weight, stream in self.streams:
            orbit, new = {stream}, [stream]
            for known in new:
                images = {tuple(each[z] for z in known) for each in shown} - orbit
                orbit |= images
                new += images
            found |= dict.fromkeys(sorted(orbit), Fraction(weight, total * len(orbit)))
        return found

    @property
    def law(self) -> dict[tuple[tuple[Point, Label], ...], Fraction]:
        """The probability of each stream of examples."""
        points = tuple(self.concept_class.domain)
        return {
            tuple((points[z // 2], z % 2) for z in stream): probability
            for stream, probability in self._streams.items()
        }

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return the adversary with a stream that is drawn from the prior."""
        total = lcm(*(each.denominator for each in self._streams.values()))
        weights = [int(each * total) for each in self._streams.values()]
        drawn = coins.pick([0] * len(weights), counts=weights)
        return _Streaming(self.concept_class, list(self._streams)[drawn])


class _Posed(AdversaryRun):
    """Base of the runs, with examples by their numbers and the consistent concepts."""

    def __init__(self, C: ConceptClass) -> None:
        self._left, self._points = C, tuple(C.domain)

    def _example(self, z: int) -> tuple[Point, Label]:
        x, y = self._points[z // 2], z % 2
        self._left = self._left._restrict(x, y)
        return x, y

    @property
    def concept(self) -> Any:
        return self._left.sample(0)


class _Streaming(_Posed):
    def __init__(self, C: ConceptClass, stream: Stream) -> None:
        super().__init__(C)
        self._next = iter(stream)

    def pose(self) -> tuple[Point, Label] | None:
        z = next(self._next, None)
        return None if z is None else self._example(z)


@dataclass(frozen=True)
class HardMoves(OfClass, StreamAdversary):
    """The adaptive strategy of a lower bound, a distribution of examples after each history.

    The strategy observes the published hypotheses of earlier rounds.

    Parameters
    ----------
    concept_class : ConceptClass
        Concept class.
    transcripts : Transcripts
        All streams and transcripts of the game.
    weights : tuple of mapping
        Weights of orbits of histories with one more example, for each round
        (`Transcripts.asked`).
    """

    concept_class: ConceptClass
    transcripts: Transcripts = field(repr=False)
    weights: tuple[Mapping[int, int], ...] = field(repr=False)

    sees = THIS

    @property
    def realizable(self) -> bool:
        """Always true, because each move leaves a consistent concept."""
        return True

    def begin(self, coins: Coins) -> AdversaryRun:
        """Return the adversary before the first round."""
        return _Moving(self, coins)

    def weights_after(self, round: int, history: int) -> dict[int, int]:
        """Return the weight of each example after a history, up to a common factor."""
        examples = self.transcripts.examples
        of = self.transcripts.asked[round].of[history * examples : (history + 1) * examples]
        found = {z: self.weights[round].get(orbit, 0) for z, orbit in enumerate(of.tolist())}
        if any(found.values()):
            return {z: weight for z, weight in found.items() if weight}
        # The strategy has no weights after such an unlikely output, so any consistent move is used.
        left = self.transcripts.versions(np.array([history]), round)
        return {int(np.flatnonzero((self.transcripts.consistent & left).any(axis=1))[0]): 1}


class _Moving(_Posed):
    def __init__(self, adversary: HardMoves, coins: Coins) -> None:
        super().__init__(adversary.concept_class)
        self._adversary, self._coins = adversary, coins
        self._number = {
            Concept.from_labels(FiniteDomain(self._points), labels): h
            for h, labels in enumerate(adversary.transcripts.outputs)
        }
        self._round = self._history = 0
        self._published: Any = None

    def read(self, hypothesis: Any) -> None:
        self._published = hypothesis

    def pose(self) -> tuple[Point, Label] | None:
        transcripts = self._adversary.transcripts
        if self._round == transcripts.rounds:
            return None
        weights = self._adversary.weights_after(self._round, self._history)
        z = list(weights)[self._coins.pick([0] * len(weights), counts=list(weights.values()))]
        published = self._history * len(transcripts.outputs) + self._number[self._published]
        self._history = (published * transcripts.examples if self._round else 0) + z
        self._round += 1
        return self._example(z)
