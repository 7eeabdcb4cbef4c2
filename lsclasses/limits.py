"""Limits on the time, the memory and the threads of a search, and a meter for them."""

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
"""The environment variable for the number of threads of a search."""

Progress = Callable[[int, int], None]
"""Callback of a long search with the known bounds: ``progress(lower, upper)``."""


@dataclass(frozen=True)
class Limit:
    """A limit on the time, the memory and the threads of a search.

    When a search reaches the limit of time or memory, the search stops and reports bounds.

    Parameters
    ----------
    seconds : float, optional
        Wall-clock time in seconds. The default is unlimited.
    memory : int, optional
        Number of bytes that all threads of the search may use together. The default is unlimited.
        The limit covers the results that the search stores, but not the table of the class. The
        compiled search for the Littlestone dimension also counts its working memory, such as its
        copy of the table.
    threads : int, optional
        Number of threads that search together, at most the number of processors that this process
        may use. The default is the value of the environment variable ``LSCLASSES_THREADS``, or 1.
        Only the compiled search for the Littlestone dimension uses several threads, and only if it
        runs for more than about 50 ms. The results do not depend on the number of threads.

    Raises
    ------
    InvalidInput
        If a limit is not positive, or the number of threads is not an integer.

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
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_each(workers: int) -> int:
    """Return the number of threads of each worker for which all workers use each processor once."""
    return max(1, processors() // workers)


def threads_by_default() -> int:
    """Return the number of threads of a search whose limit does not specify it.

    Raises
    ------
    InvalidInput
        If ``LSCLASSES_THREADS`` is not an integer of at least 1.
    """
    text = os.environ.get(THREADS, "") or "1"
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or not int(text):
        raise InvalidInput(
            f"{THREADS} must be an integer of at least 1, or unset. Got {text!r:.80}."
        )
    return int(text)


def require_limit(limit: object) -> None:
    """Raise `InvalidInput` if something is neither a `Limit` nor None."""
    if limit is not None and not isinstance(limit, Limit):
        raise InvalidInput(
            f"A limit must be a Limit, such as Limit(seconds=60), or None. Got {limit!r:.200}."
        )


_WATCHING: ContextVar[Meter | None] = ContextVar("meter", default=None)
"""The meter of the search that runs in this thread, if there is one."""


class Meter:
    """The clock and the memory counter of a running search.

    A search calls `tick` at every step, and `charge` for stored bytes. Both raise `TooLarge` when
    the limit is reached. On a class of millions of concepts, one step
    can take a tenth of a second. So every step reads the clock, which costs less than any step.

    A search can run inside an outer search, see `within`. Then its time ends with the time of the
    outer search. The time of the outer search includes its earlier work, such as comparing all
    columns.
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
        """Raise `TooLarge` if the time limit of this search has passed."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise TooLarge(
                f"No answer within the limit of {self._seconds:g} seconds. Allow more time or "
                "choose a smaller class.",
                limit=self._seconds,
            )

    @property
    def rest(self) -> Limit:
        """The limit that remains for a nested search, with at least a millisecond of time."""
        if self._deadline is None:
            return self._limit
        seconds = max(1e-3, self._deadline - time.monotonic())
        return Limit(seconds, self._limit.memory, self._limit.threads)

    @property
    def threads(self) -> int:
        """The number of threads that may search, at most the number of available processors."""
        wanted = self._limit.threads or threads_by_default()
        return 1 if wanted == 1 else min(wanted, processors())

    def charge(self, size: int) -> None:
        """Add `size` to the number of stored bytes. Raise `TooLarge` above the memory limit."""
        self.used += size
        if self._limit.memory is not None and self.used > self._limit.memory:
            raise self.out_of_memory()

    @property
    def memory_left(self) -> int:
        """The number of bytes that may still be stored. It is 2^62 without a limit."""
        memory = 1 << 62 if self._limit.memory is None else int(self._limit.memory)
        return max(0, memory - self.used)

    def out_of_memory(self) -> TooLarge:
        """Return the error for a search that needs more bytes than its limit."""
        memory = self._limit.memory
        return TooLarge(
            f"The search needs more than its limit of {memory} bytes for intermediate results. "
            "Allow more memory or choose a smaller class.",
            estimate=self.used,
            limit=memory,
        )


@contextmanager
def within(limit: Limit | None) -> Iterator[None]:
    """Apply a time limit to all code inside the block that calls `tick`.

    Code that searches share with other callers, such as counting all pairs of millions of columns,
    has no meter. It calls `tick`, which reads the clock of the current search, if any.

    Raises
    ------
    TooLarge
        If the time limit is reached inside the block.

    Examples
    --------
    >>> with within(Limit(seconds=1e-9)):
    ...     tick()
    Traceback (most recent call last):
        ...
    lsclasses.errors.TooLarge: No answer within the limit of 1e-09 seconds. Allow more time or \
choose a smaller class.
    >>> tick()
    """
    token = _WATCHING.set(Meter(limit))
    try:
        yield
    finally:
        _WATCHING.reset(token)


def tick() -> None:
    """Raise `TooLarge` if the time limit of the current `within` block has passed."""
    meter = _WATCHING.get()
    if meter is not None:
        meter.tick()
