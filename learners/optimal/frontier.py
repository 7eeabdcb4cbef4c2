"""What is known of the best private learner: an interval, and what proves both ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Frontier:
    """The optimum over all private learners, between two proved bounds.

    Attributes
    ----------
    quantity : str
    lower, upper : Fraction
    learner : object
        A private learner that attains the upper bound.
    hard : object
        What every private learner finds hard, as the lower bound says.
    evidence : object
        What proves both; it has ``check(C)``.
    """

    quantity: str
    lower: Fraction
    upper: Fraction
    learner: Any
    hard: Any
    evidence: Any

    def __str__(self) -> str:
        return f"{float(self.lower):.6f} <= {self.quantity} <= {float(self.upper):.6f}"
