"""How often something has happened in a game by some round."""

from __future__ import annotations

from dataclasses import dataclass

from learners import checked


@dataclass(frozen=True)
class Counts:
    """How often something has happened in a game.

    Attributes
    ----------
    played : int
        Rounds.
    mistakes : int
        Wrong predictions; in a game with vectors of losses, what was lost, in units.
    reports, switches : int
        As of `learners.playing.transcript.Transcript`.

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
