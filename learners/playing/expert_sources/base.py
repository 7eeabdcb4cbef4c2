"""Protocols of sources of experts, and of tallies of the experts' losses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from learners.coins import Coins
from lsclasses.domain import Domain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Hypothesis
from lsclasses.point_names import Label, Point, check_label, from_json, to_json

Expert = Any
"""A published expert: a number, a hypothesis, or another object of its source."""

Revealed = Any
"""The checked information of a round: losses or an example, as `ExpertSource.require` returns
it."""


class Tally(ABC):
    """The losses of all experts so far, immutable and hashable."""

    @abstractmethod
    def after(self, item: Revealed, weight: int = 1) -> Tally:
        """Return the losses after one more round with a checked item (`ExpertSource.require`).

        The losses of the round count `weight` times.
        """

    @abstractmethod
    def cleared(self) -> Tally:
        """Return the tally of the same experts at the same time, with all losses set to 0."""

    @property
    @abstractmethod
    def least(self) -> int:
        """The loss of the best expert, in units."""

    @property
    @abstractmethod
    def best(self) -> Expert:
        """Return the first expert with the least loss."""

    @abstractmethod
    def draw(self, rate: Fraction, coins: Coins) -> Expert:
        """Return an expert, drawn with probability proportional to exp(-rate * loss in units)."""


class ExpertSource(ABC):
    """A source of experts, with their losses in a round.

    Attributes
    ----------
    scale : int
        Largest loss in units. Losses are integers from 0 to `scale`, and `scale` units are a loss
        of 1.
    """

    scale: int = 1

    @property
    @abstractmethod
    def size(self) -> int:
        """The number N of experts."""

    @property
    def domain(self) -> Domain | None:
        """The domain that experts label, or None if a round is not a labelled example."""
        return None

    @abstractmethod
    def begin(self) -> Tally:
        """Return the tally before the first round."""

    @abstractmethod
    def require(self, item: object) -> Revealed:
        """Check the information that is revealed in a round.

        Raises
        ------
        InvalidInput
            If this source has no losses for the item.
        """

    @abstractmethod
    def loss(self, expert: Expert, item: Revealed) -> int:
        """Return the loss of an expert in a round, in units, for a checked item."""

    def followed(self, expert: Expert, item: Revealed, coins: Coins) -> Expert:
        """Return the state of an expert after a round, for a learner that keeps this expert.

        By default, an expert does not change. For experts that change over time, a draw may
        determine only the group of the expert. This method then draws the missing details. The
        distribution may depend only on the public part of the item, such as synthetic points, and
        not on protected data. Learners do not pay for this draw.
        """
        return expert

    def tally_to_json(self, tally: Tally) -> Any:
        """Return a tally for the file of a paused game.

        Raises
        ------
        InvalidInput
            If the source does not define a format of its tallies.
        """
        raise InvalidInput(
            f"The losses of {self} have no file format, so the game cannot be paused."
        )

    def tally_from_json(self, data: Any) -> Tally:
        """Return the tally that `tally_to_json` wrote."""
        raise InvalidInput(f"The losses of {self} cannot be read from a file.")

    def expert_to_json(self, expert: Expert) -> Any:
        """Return an expert as a JSON value, for the file of a paused game."""
        return to_json(expert)

    def expert_from_json(self, data: Any) -> Expert:
        """Return the expert that `expert_to_json` wrote."""
        return from_json(data)

    @property
    def unit(self) -> Fraction:
        """The size of one unit of loss, in which tallies count."""
        return Fraction(1, self.scale)


class _LabelledExamples(ExpertSource):
    """Base of sources whose experts are hypotheses, with examples (point, label) as rounds."""

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The points that experts label."""

    def require(self, item: object) -> tuple[Point, Label]:
        """Check an example, whose point is in the domain.

        Raises
        ------
        InvalidInput
            If the item is not a pair of a point of the domain and a label.
        """
        if not isinstance(item, tuple) or len(item) != 2:
            raise InvalidInput(f"The revealed item is a pair (point, label). Got {item!r}.")
        return self.domain.require(item[0]), check_label(item[1])

    def loss(self, expert: Hypothesis, item: tuple[Point, Label]) -> int:
        """Return the loss of a hypothesis: 1 if it mislabels the point, else 0."""
        return int(expert._label(item[0]) != item[1])

    def expert_to_json(self, expert: Hypothesis) -> dict[str, Any]:
        """Its labels, in their canonical form."""
        return hypothesis_to_json(expert)

    def expert_from_json(self, data: Any) -> Hypothesis:
        """Return the hypothesis that `expert_to_json` wrote."""
        return hypothesis_from_json(data, self.domain)


def require_several(size: int, what: str) -> None:
    """Refuse a source of fewer than two experts.

    Raises
    ------
    InvalidInput
        If there are fewer than two.
    """
    if size < 2:
        raise InvalidInput(
            f"Learning needs a choice between at least 2 experts. Got {size}: {what}."
        )
