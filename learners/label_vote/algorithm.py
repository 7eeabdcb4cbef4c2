"""A private learner that ignores points and counts labels: `LabelVote`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from learners.accounting import Event
from learners.coins import Coins
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.number_arguments import integer
from learners.playing.entries import OnlineEntry, Source
from learners.playing.learner import OnlineLearner
from learners.playing.private_options import PureSpending
from lsclasses.frozen import set_frozen_fields
from lsclasses.point_names import Label, Point

__all__ = ["LEARNERS", "LabelVote"]


@dataclass(frozen=True, repr=False)
class LabelVote(OnlineLearner):
    """Predicts the majority of the labels, each of which is flipped at random when it is received.

    The state is the number of ones less the number of zeros among the reports. A tie predicts 0.

    **Guarantee.** (epsilon, 0)-DP of all states, and so of all predictions, when one example is
    replaced, against adaptive adversaries.

    **Proof.** The label of one example enters one report of `RandomizedResponse`, and its point
    enters nothing. All states follow from the reports. The other examples enter other reports,
    which draw their own coins. So only one report differs between neighbouring streams, and its
    law changes by a factor of e^epsilon at the most. An adversary chooses later examples from
    what it has seen, which is a function of earlier reports.

    Parameters
    ----------
    epsilon : Fraction or int

    Raises
    ------
    InvalidInput
        If epsilon is not positive, or a float.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.play import play
    >>> play(LabelVote(1), [(0, 1)] * 100, 100, SeededCoins(1)).mistakes
    2
    """

    epsilon: Fraction

    def __post_init__(self) -> None:
        set_frozen_fields(self, epsilon=RandomizedResponse(self.epsilon).epsilon)

    @cached_property
    def response(self) -> RandomizedResponse:
        """What a label passes through when it is received."""
        return RandomizedResponse(self.epsilon)

    @property
    def privacy(self) -> Event:
        """The privacy cost of a whole game: that of one report, since an example enters one."""
        return self.response.privacy

    def start(self, coins: Coins) -> int:
        """No reports yet."""
        return 0

    def _predict(self, state: int, point: Point, coins: Coins) -> tuple[int, Label]:
        return state, int(state > 0)

    def _learn(self, state: int, point: Point, label: Label, coins: Coins) -> int:
        return state + 2 * self.response.release(label, coins) - 1

    def state_to_json(self, state: int) -> int:
        """The state, a number that all who see the predictions may know."""
        return state

    def state_from_json(self, data: Any) -> int:
        """The state that `state_to_json` wrote."""
        return integer(data, "state")


def _label_vote(source: Source, rounds: int, *, budget: PureSpending) -> LabelVote:
    return LabelVote(budget.epsilon)


LEARNERS = (
    OnlineEntry(
        "label-vote", "the majority of labels received by randomized response", _label_vote
    ),
)
