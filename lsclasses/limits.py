"""How much time and memory a search may take, and the meter that watches it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from lsclasses.errors import InvalidInput, TooLarge

__all__ = ["Limit", "Meter", "Progress", "require_limit"]

Progress = Callable[[int, int], None]
"""Called by a long search with what is known so far: ``progress(lower, upper)``."""


@dataclass(frozen=True)
class Limit:
    """What a search may use before it stops and says what it knows.

    Parameters
    ----------
    seconds : float, optional
        Wall-clock time; unlimited when omitted.
    memory : int, optional
        Bytes for intermediate results; unlimited when omitted. It counts what the search stores,
        not the table itself; of the compiled engine it counts all memory, with that in which it
        works at the moment, such as its copy of the table.

    Raises
    ------
    InvalidInput
        If a bound is not positive.

    Examples
    --------
    >>> Limit(seconds=60, memory=2**30)
    Limit(seconds=60, memory=1073741824)
    """

    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "memory"):
            value = getattr(self, name)
            if value is not None and not (
                isinstance(value, (int, float)) and value > 0 and math.isfinite(value)
            ):
                raise InvalidInput(
                    f"The {name!r} of a Limit must be a positive number or None. Got {value!r}."
                )


def require_limit(limit: object) -> None:
    """Raise `InvalidInput` if something is neither a `Limit` nor None."""
    if limit is not None and not isinstance(limit, Limit):
        raise InvalidInput(
            "What a search may use is a Limit, such as Limit(seconds=60), or None. "
            f"Got {limit!r:.200}."
        )


class Meter:
    """A running limit: `tick` on every step of a search, `charge` for every byte it keeps.

    Both raise `TooLarge` when the limit is reached.
    """

    __slots__ = ("_deadline", "_limit", "_ticks", "used")

    def __init__(self, limit: Limit | None, used: int = 0) -> None:
        self._limit = limit if limit is not None else Limit()
        self._deadline = (
            math.inf if self._limit.seconds is None else time.monotonic() + self._limit.seconds
        )
        self._ticks = 0
        self.used = used

    def tick(self, every: int = 64) -> None:
        """Note one step; the clock is read once in `every` steps."""
        self._ticks += 1
        if self._ticks % every == 0:
            self.check_time()

    def check_time(self) -> None:
        """Read the clock."""
        if time.monotonic() > self._deadline:
            raise TooLarge(
                f"No answer within the limit of {self._limit.seconds:g} seconds; "
                "allow more time or ask about a smaller class.",
                limit=self._limit.seconds,
            )

    def charge(self, size: int) -> None:
        """Note `size` more bytes kept."""
        self.used += size
        if self._limit.memory is not None and self.used > self._limit.memory:
            raise self.out_of_memory()

    @property
    def left(self) -> int:
        """How many more bytes may be kept; more than any computer has if that is not limited."""
        memory = 1 << 62 if self._limit.memory is None else int(self._limit.memory)
        return max(0, memory - self.used)

    def out_of_memory(self) -> TooLarge:
        """What to raise when more bytes are needed than may be kept."""
        memory = self._limit.memory
        return TooLarge(
            f"The search needs more than its limit of {memory} bytes for intermediate "
            "results; allow more memory or ask about a smaller class.",
            estimate=self.used,
            limit=memory,
        )
