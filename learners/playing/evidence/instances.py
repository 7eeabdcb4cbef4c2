"""Small instances of `learners.playing.doubling` for its audits, chosen by their power."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from learners.accounting import ApproximateDP, AtOnce, Event, Scope
from learners.audit.instances import AuditEntry, ClaimedDelta, ClaimedEpsilon, GameInstance
from learners.coins import Coins
from learners.games import AdaptiveStream, Ask, Challenge
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.playing.doubling import Doubling
from learners.playing.learner import PublishingLearner
from lsclasses.points import Label, Point
from lsclasses.specifications import Option


@dataclass(frozen=True)
class Hint:
    """A constant hypothesis, with whether its label surely is that of the last example."""

    label: Label
    sure: bool = False

    def __call__(self, point: Point) -> Label:
        """The label."""
        return self.label

    def __repr__(self) -> str:
        return f"surely {self.label}" if self.sure else str(self.label)


@dataclass(frozen=True)
class Hinting(PublishingLearner):
    """A learner with a tight budget: it reveals an example with probability delta.

    After an example its label is published, surely with probability delta, otherwise by randomized
    response. So it is (epsilon, delta)-DP, no less, and on every history: the coins of a round are
    drawn after its example.
    """

    response: RandomizedResponse
    revealed: Fraction

    @property
    def privacy(self) -> Event:
        """The privacy cost of a game: an example is met by one hint, made at once."""
        return AtOnce(
            ApproximateDP(
                self.response.epsilon,
                self.revealed,
                name="hint",
                scope=Scope.adaptive("replace_one"),
            )
        )

    def _begin(self, coins: Coins) -> Hint:
        return Hint(0)

    def _publish(self, hint: Hint, coins: Coins) -> tuple[Hint, Hint]:
        return hint, hint

    def _receive(self, hint: Hint, point: Point, label: Label, coins: Coins) -> Hint:
        if coins.flip(self.revealed):
            return Hint(label, sure=True)
        return Hint(self.response.release(label, coins))


@dataclass(frozen=True)
class Always:
    """A factory that makes the same learner for every number of rounds."""

    learner: Hinting

    def __call__(self, rounds: int) -> Hinting:
        """The learner."""
        return self.learner


def _doubling(
    *,
    epsilon: ClaimedEpsilon = Fraction(1),
    delta: ClaimedDelta = Fraction(1, 10),
    rounds: Annotated[int, Option("how many examples", minimum=2, maximum=8)] = 4,
) -> GameInstance:
    """Examples at one point; the adversary chooses in which round to challenge.

    A bucket's last example is read by nobody: the next hypothesis is a fresh learner's. So four
    rounds have two buckets in which an example is revealed.
    """
    learner = Doubling(Always(Hinting(RandomizedResponse(epsilon), delta)), rounds.bit_length())
    moves = (Ask((0, 0)), Challenge((0, 0), (0, 1)))
    privacy = learner.privacy
    assert privacy is not None
    # The example that comes after the last hypothesis is read by nobody.
    return GameInstance(learner, lambda each: AdaptiveStream(each, rounds + 1), moves, privacy)


AUDITS = (
    AuditEntry(
        "doubling",
        "fresh learners that use up their budget, for 1, 2, 4, ... rounds",
        _doubling,
    ),
)
