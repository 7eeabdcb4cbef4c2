"""Counts of events in a game up to a round, and violations of bounds."""

from __future__ import annotations

from dataclasses import dataclass

from learners import checked
from learners.bounds import Bound
from lsclasses.point_names import Label, Point, name_text

# ---- counts


@dataclass(frozen=True)
class Counts:
    """Numbers of rounds, mistakes, reports and switches in a game.

    Attributes
    ----------
    played : int
        Number of rounds.
    mistakes : int
        Wrong predictions. In a game with vectors of losses, the total loss in units.
    reports, switches : int
        Number of reports (predictions by a fair coin, because copies of the learner disagree), and
        number of rounds after which the learner predicts differently.

    Raises
    ------
    InvalidInput
        If a number is negative.
    """

    played: int = 0
    mistakes: int = 0
    reports: int = 0
    switches: int = 0

    def __post_init__(self) -> None:
        for name in ("played", "mistakes", "reports", "switches"):
            checked.nonnegative(getattr(self, name), f"number of {name}")

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.played + other.played,
            self.mistakes + other.mistakes,
            self.reports + other.reports,
            self.switches + other.switches,
        )


NONE_YET = Counts()


# ---- violation


@dataclass(frozen=True)
class Violation:
    """The violation, on a realizable stream, of a bound that holds with certainty.

    Either the learner or its bound is wrong.

    Attributes
    ----------
    bound : Bound
        The violated bound.
    round : int
        Round in which the bound was exceeded, 1 for the first.
    examples : tuple of (point, label)
        The stream up to that round. It is empty if points were not kept.
    """

    bound: Bound
    round: int
    examples: tuple[tuple[Point, Label], ...]

    def __str__(self) -> str:
        stream = ", ".join(f"({name_text(x)}, {y})" for x, y in self.examples[:12])
        more = f" and {len(self.examples) - 12} more" if len(self.examples) > 12 else ""
        return f"round {self.round} exceeds {self.bound}; the stream: {stream or 'not kept'}{more}"
