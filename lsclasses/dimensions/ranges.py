"""Ranges: lower and upper bounds on a dimension that is not known exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Range"]


@dataclass(frozen=True)
class Range:
    """Bounds on a quantity, ``lower <= quantity <= upper``. A missing bound is None."""

    lower: int | Fraction | None = None
    upper: int | Fraction | None = None

    @property
    def value(self) -> int | Fraction | None:
        """The value of the quantity if the bounds are equal, or None."""
        return self.lower if self.lower == self.upper else None
