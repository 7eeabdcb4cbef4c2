"""How much time, memory and how many threads a search may take, and the meter that watches it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from lsclasses.errors import InvalidInput, TooLarge

THREADS = "LSCLASSES_THREADS"
"""The environment variable that says how many threads a search may use."""

Progress = Callable[[int, int], None]
"""Called by a long search with what is known so far: ``progress(lower, upper)``."""


@dataclass(frozen=True)
class Limit:
    """The time and memory that a search may use before it stops and reports bounds; its threads.

    Parameters
    ----------
    seconds : float, optional
        Wall-clock time; unlimited when omitted.
    memory : int, optional
        Bytes for intermediate results; unlimited when omitted. It counts what the search stores,
        not the table itself; of the compiled engine it counts all memory, with that in which it
        works at the moment, such as its copy of the table. It holds for all threads together.
    threads : int, optional
        How many threads may search together, where a search can use them and takes longer than
        about 50 ms: that of the compiled engine for the Littlestone dimension. When omitted, as
        many as the environment variable ``LSCLASSES_THREADS`` says, else one. There are no more
        than processors that this process may use. No answer or certificate depends on it.

    Raises
    ------
    InvalidInput
        If a bound is not positive, or the number of threads is not a whole number.

    Examples
    --------
    >>> Limit(seconds=60, memory=2**30)
    Limit(seconds=60, memory=1073741824, threads=None)
    """

    seconds: float | None = None
    memory: int | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "memory"):
            value = getattr(self, name)
            if value is not None and not (
                isinstance(value, (int, float)) and value > 0 and math.isfinite(value)
            ):
                raise InvalidInput(
                    f"The {name!r} of a Limit must be a positive number or None. Got {value!r}."
                )
        if self.threads is not None and (type(self.threads) is not int or self.threads < 1):
            raise InvalidInput(
                "The 'threads' of a Limit must be a whole number from 1 on, or None. "
                f"Got {self.threads!r:.80}."
            )


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_each(workers: int) -> int:
    """Return the threads of each worker, so that all threads together use each processor once."""
    return max(1, processors() // workers)


def threads_by_default() -> int:
    """How many threads a search may use if its limit does not say.

    Raises
    ------
    InvalidInput
        If ``LSCLASSES_THREADS`` is no whole number from 1 on.
    """
    text = os.environ.get(THREADS, "") or "1"
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or not int(text):
        raise InvalidInput(
            f"{THREADS} must be a whole number from 1 on, or not be set. Got {text!r:.80}."
        )
    return int(text)


def require_limit(limit: object) -> None:
    """Raise `InvalidInput` if something is neither a `Limit` nor None."""
    if limit is not None and not isinstance(limit, Limit):
        raise InvalidInput(
            "What a search may use is a Limit, such as Limit(seconds=60), or None. "
            f"Got {limit!r:.200}."
        )


_WATCHING: ContextVar[Meter | None] = ContextVar("meter", default=None)
"""The meter of the search that runs in this thread, if there is one."""


class Meter:
    """A running limit: `tick` on every step of a search, `charge` for every byte it keeps.

    Both raise `TooLarge` when the limit is reached. On a class of millions of concepts one step can
    take a tenth of a second, so that the clock is read on each; that costs less than any step.

    The time of a search that runs on behalf of another one, see `within`, ends with that of the
    other one: what the other one did before, such as comparing all columns, has used it too.
    """

    __slots__ = ("_deadline", "_limit", "_seconds", "used")

    def __init__(self, limit: Limit | None, used: int = 0) -> None:
        self._limit = limit if limit is not None else Limit()
        self._seconds = self._limit.seconds
        self._deadline = None if self._seconds is None else time.monotonic() + self._seconds
        outer = _WATCHING.get()
        if outer is not None and outer._ends_before(self._deadline):
            self._seconds, self._deadline = outer._seconds, outer._deadline
        self.used = used

    def _ends_before(self, deadline: float | None) -> bool:
        if self._deadline is None or deadline is None:
            return self._deadline is not None
        return self._deadline < deadline

    def tick(self) -> None:
        """Read the clock."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise TooLarge(
                f"No answer within the limit of {self._seconds:g} seconds; "
                "allow more time or ask about a smaller class.",
                limit=self._seconds,
            )

    @property
    def rest(self) -> Limit:
        """The remaining limit, for a nested search; at least a millisecond."""
        if self._deadline is None:
            return self._limit
        seconds = max(1e-3, self._deadline - time.monotonic())
        return Limit(seconds, self._limit.memory, self._limit.threads)

    @property
    def threads(self) -> int:
        """How many threads may search, no more than this process may use processors."""
        wanted = self._limit.threads or threads_by_default()
        return 1 if wanted == 1 else min(wanted, processors())

    def charge(self, size: int) -> None:
        """Note `size` more bytes kept."""
        self.used += size
        if self._limit.memory is not None and self.used > self._limit.memory:
            raise self.out_of_memory()

    @property
    def memory_left(self) -> int:
        """The number of bytes that may still be kept; practically infinite without a limit."""
        memory = 1 << 62 if self._limit.memory is None else int(self._limit.memory)
        return max(0, memory - self.used)

    def out_of_memory(self) -> TooLarge:
        """Return the error to raise when more bytes are needed than may be kept."""
        memory = self._limit.memory
        return TooLarge(
            f"The search needs more than its limit of {memory} bytes for intermediate "
            "results; allow more memory or ask about a smaller class.",
            estimate=self.used,
            limit=memory,
        )


@contextmanager
def within(limit: Limit | None) -> Iterator[None]:
    """Apply a time limit to all code inside that calls `tick`.

    What a search shares with other code, such as counting all pairs of millions of columns, knows
    no meter. It calls `tick`, which reads the clock of the search that asked for it, if any.

    Raises
    ------
    TooLarge
        From inside, when the time is up.

    Examples
    --------
    >>> with within(Limit(seconds=1e-9)):
    ...     tick()
    Traceback (most recent call last):
        ...
    lsclasses.errors.TooLarge: No answer within the limit of 1e-09 seconds; allow more time or ask \
about a smaller class.
    >>> tick()
    """
    token = _WATCHING.set(Meter(limit))
    try:
        yield
    finally:
        _WATCHING.reset(token)


def tick() -> None:
    """Read the clock of the search that is running, see `within`."""
    meter = _WATCHING.get()
    if meter is not None:
        meter.tick()
