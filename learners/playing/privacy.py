"""The total privacy cost that a learner states."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from learners import checked
from learners.accounting import CHALLENGE, Event, basic, neighbours, zcdp
from lsclasses.numbers import shown


@dataclass(frozen=True)
class Privacy:
    """The total privacy that a learner states.

    Attributes
    ----------
    epsilon, delta : Fraction
    neighbours : str
        What it protects; see `learners.accounting.NEIGHBOURS`.

    Raises
    ------
    InvalidInput
        If epsilon or delta is negative.
    """

    epsilon: Fraction
    delta: Fraction
    neighbours: str

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            checked.nonnegative_fraction(getattr(self, name), name)

    @classmethod
    def of(cls, event: Event, delta: Fraction | None = None) -> Privacy:
        """The total of an event, by basic composition, or by zCDP if delta allows."""
        if delta is None or delta <= event.profile().delta:
            epsilon, delta = basic(event)
        else:
            epsilon, delta = zcdp(event, delta)
        return cls(epsilon, delta, neighbours(event) or "")

    def __str__(self) -> str:
        budget = f"({_shown(self.epsilon)}, {_shown(self.delta)})"
        if self.neighbours == CHALLENGE:
            return f"{budget}-challenge-DP"
        return f"{budget}-DP, neighbours: {self.neighbours.replace('_', ' ')}"


def _shown(value: Fraction) -> str:
    return shown(value, 4, exact=10**4, up=True)
