"""A bound that a game has shown to be wrong."""

from __future__ import annotations

from dataclasses import dataclass

from learners.bounds import Bound
from lsclasses.points import Label, Point, to_text


@dataclass(frozen=True)
class Violation:
    """A bound that holds with certainty, exceeded on a realizable stream.

    Either the learner or its bound is wrong.

    Attributes
    ----------
    bound : Bound
    round : int
        In which the bound was exceeded, 1 for the first.
    examples : tuple of (point, label)
        The stream up to that round; empty if points were not kept.
    """

    bound: Bound
    round: int
    examples: tuple[tuple[Point, Label], ...]

    def __str__(self) -> str:
        stream = ", ".join(f"({to_text(x)}, {y})" for x, y in self.examples[:12])
        more = f" and {len(self.examples) - 12} more" if len(self.examples) > 12 else ""
        return f"round {self.round} exceeds {self.bound}; the stream: {stream or 'not kept'}{more}"
