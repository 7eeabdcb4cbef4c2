"""Adversaries of an online learner, which choose the points and the labels.

An adversary is an immutable description. `begin` makes all advance draws from the coins and returns
an `AdversaryRun` for one game. The game calls the adversary in an order that limits its
information. For example, an adversary that returns a label together with its point cannot use the
prediction at the point.

| adversary | labels | sees |
|---|---|---|
| `FixedStream` | any | nothing |
| `RandomConcept` | one concept's | nothing |
| `Drifting` | a new concept's every few rounds | nothing |
| `Noisy` | another adversary's, some of them flipped | what that one sees |
| `Seeking` | one concept's | earlier predictions |
| `Optimal`, `Repeating` | one concept's | this prediction; `Repeating` what is published, too |

Adversaries that label by one concept declare the stream realizable (`StreamAdversary.realizable`),
and name the concept at the end (`AdversaryRun.concept`).
"""

from learners.playing.adversaries.adaptive import Optimal, Repeating, Seeking
from learners.playing.adversaries.adversary_names import (
    ADVERSARIES,
    NAMED,
    NamedAdversary,
    adversary,
)
from learners.playing.adversaries.base import (
    EARLIER,
    NOTHING,
    THIS,
    AdversaryRun,
    PointLaw,
    StreamAdversary,
)
from learners.playing.adversaries.streams import Drifting, FixedStream, Noisy, RandomConcept

__all__ = [
    "ADVERSARIES",
    "NAMED",
    "Drifting",
    "FixedStream",
    "EARLIER",
    "Repeating",
    "NOTHING",
    "NamedAdversary",
    "Noisy",
    "AdversaryRun",
    "Optimal",
    "PointLaw",
    "RandomConcept",
    "Seeking",
    "StreamAdversary",
    "THIS",
    "adversary",
]
