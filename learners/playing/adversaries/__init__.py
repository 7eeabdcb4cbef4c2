"""Who chooses the points and the labels that an online learner meets.

An adversary is an immutable description; `begin` draws from the coins whatever it draws beforehand
and gives an `AdversaryRun` for one game. What it may see is built into the game: a label named
together with its point cannot depend on the prediction there.

| adversary | labels | sees |
|---|---|---|
| `FixedStream` | any | nothing |
| `RandomConcept` | one concept's | nothing |
| `Drifting` | a new concept's every few rounds | nothing |
| `Noisy` | another adversary's, some of them flipped | what that one sees |
| `Seeking` | one concept's | earlier predictions |
| `Optimal`, `Repeating` | one concept's | this prediction; `Repeating` what is published, too |

Those that label by one concept vouch for it (`StreamAdversary.realizable`), and name it at the end
(`AdversaryRun.concept`).
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
