"""Work that is shared: its parts are computed by processes of this machine, or by a cluster.

Parts go to workers in pieces of about a second: a worker takes parts of its piece until a second
has passed, and gives the others back. So parts that take a microsecond cost little to send, those
that take a minute are alone, and nobody has to know in advance how long a part takes. The results
do not depend on the pieces, on who computes them, or on how many there are.
"""

from __future__ import annotations

import heapq
import math
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import closing
from typing import Any, Generic, TypeVar

from lsclasses.errors import LsclassesError
from lsclasses.limits import THREADS, processors, threads_by_default

PIECE = 1.0
"""Seconds after which a worker gives back what it has not begun of a piece."""
MOST = 1024
"""The largest number of parts in a piece."""
AGAIN = 3
"""How many times a part is computed again whose worker was lost."""
WATCH = 5.0
"""Seconds after which an executor is asked again whether it has workers."""

Part = TypeVar("Part")
Result = TypeVar("Result")


class WorkersLost(LsclassesError):
    """Workers that ended before what they computed, so often that it is given up."""


def finished(
    function: Callable[[Part], Result], parts: Iterable[Part], executor: Executor | None = None
) -> Generator[tuple[int, Result]]:
    """Compute a function of some parts, and yield each result as soon as it is there.

    Parameters
    ----------
    function : callable
        One that can be pickled, such as a function of a module, if there is an executor; so can
        the parts and results.
    parts : iterable
        Taken one by one, a few before they are computed.
    executor : concurrent.futures.Executor, optional
        Who computes; this process, one after the other, when omitted. Of `Processes` and clusters a
        lost worker's parts are computed again, at most `AGAIN` times.

    Yields
    ------
    (int, result)
        The number of a part, counted from 0, and what the function gives for it.

    Raises
    ------
    WorkersLost
        If the executor lost workers for good.
    Exception
        What the function, or taking a part, raised first: first in the order of the parts, all of
        which before it are yielded. When this or the iteration ends, what has not begun is
        cancelled.

    Examples
    --------
    >>> with Processes(2) as executor:
    ...     sorted(finished(abs, range(-2, 2), executor))
    [(0, 2), (1, 1), (2, 0), (3, 1)]
    """
    if executor is None:
        for number, part in enumerate(parts):
            yield number, function(part)
        return
    ours = executor if isinstance(executor, Workers) else _Unknown(executor)
    yield from _Shared(function, parts, ours).results()


def in_order(
    function: Callable[[Part], Result],
    parts: Iterable[Part],
    executor: Executor | None = None,
    *,
    keep: Callable[[int, Result], None] = lambda number, result: None,
) -> Generator[Result]:
    """Compute a function of some parts, and yield the results in the order of the parts.

    Everything else is as for `finished`; ``keep(number, result)`` is called as soon as a result is
    there.

    Examples
    --------
    >>> list(in_order(abs, range(-2, 2)))
    [2, 1, 0, 1]
    """
    early: dict[int, Result] = {}
    turn = 0
    with closing(finished(function, parts, executor)) as results:
        for number, result in results:
            keep(number, result)
            early[number] = result
            while turn in early:
                yield early.pop(turn)
                turn += 1


class Workers(Executor):
    """An executor that knows how many workers it has, and that some may be lost.

    Attributes
    ----------
    workers : int
        How many pieces of work are computed at once.
    most : int
        The largest number of parts in a piece.
    again : int
        How many times a lost part may be submitted again.
    losses : tuple of exception types
        What a future raises whose worker was lost.
    gone : str
        What is said when that was too often.
    """

    workers: int = 1
    most: int = MOST
    again: int = 0
    losses: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)
    gone: str = "A worker ended early, perhaps for want of memory."

    def watch(self) -> None:
        """Raise one of `losses` if there is nobody left who could go on."""


class _Unknown(Workers):
    """Another executor: nobody knows how many workers it has."""

    workers = sys.maxsize
    most = 1

    def __init__(self, executor: Executor) -> None:
        self.submit = executor.submit  # type: ignore[method-assign]


class Processes(Workers):
    """Processes of this machine, which Ctrl-C ends silently; a new set after one was lost.

    Their searches use as many threads as there are processors for each process, at most, unless
    the limit of a search says how many.

    Parameters
    ----------
    workers : int
        How many there are.
    """

    again = AGAIN
    gone = (
        f"A worker process ended early, {AGAIN + 1} times, perhaps for want of memory; one process "
        "alone (--jobs 1) has no workers that could."
    )

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        threads = min(threads_by_default(), threads_each(self.workers))
        return ProcessPoolExecutor(self.workers, initializer=_begin, initargs=(threads,))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """As of every executor; it never raises that a worker was lost before."""
        try:
            return self._pool.submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self._pool = self._start()
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As of every executor."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self.shutdown()
            return
        self.shutdown(wait=False, cancel_futures=True)
        # The executor has to forget what has not begun before its processes may go.
        time.sleep(0.2)
        for process in multiprocessing.active_children():
            process.terminate()


def threads_each(workers: int) -> int:
    """How many threads each of some processes may have: together no more than processors."""
    return max(1, processors() // workers)


def _begin(threads: int) -> None:
    """What a worker process does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ[THREADS] = str(threads)


class _Shared(Generic[Part, Result]):
    """Parts on their way through workers."""

    def __init__(
        self, function: Callable[[Part], Result], parts: Iterable[Part], workers: Workers
    ) -> None:
        self._function, self._workers = function, workers
        self._parts, self._taken = iter(parts), 0
        self._running: dict[Future[Any], list[tuple[int, Part]]] = {}
        self._back: list[tuple[int, Part]] = []
        """A heap of parts that were given back, or lost."""
        self._lost: Counter[int] = Counter()
        self._failed: dict[int, Exception] = {}
        self._size = 1

    def results(self) -> Generator[tuple[int, Result]]:
        """Each as soon as it is there, with the number of its part."""
        try:
            while self._submit():
                done, _ = wait(self._running, WATCH, FIRST_COMPLETED)
                if not done:
                    self._workers.watch()
                for future in [future for future in self._running if future in done]:
                    yield from self._results(future)
        except self._workers.losses as error:
            raise WorkersLost(self._workers.gone) from error
        finally:
            for future in self._running:
                future.cancel()
        if self._failed:
            raise self._failed[min(self._failed)]

    def _submit(self) -> bool:
        """Keep all workers busy, each with one piece and the next; whether anything runs."""
        workers = max(self._workers.workers, 1)
        while len(self._running) < 2 * workers and (piece := self._piece()):
            parts = [part for _, part in piece]
            self._running[self._workers.submit(_compute, self._function, parts)] = piece
        return bool(self._running)

    def _piece(self) -> list[tuple[int, Part]]:
        """The next parts, the first of them first: none behind one that failed."""
        end = min(self._failed, default=math.inf)
        piece: list[tuple[int, Part]] = []
        while len(piece) < self._size and self._back and self._back[0][0] < end:
            piece.append(heapq.heappop(self._back))
        while len(piece) < self._size and not self._failed:
            try:
                part = next(self._parts)
            except StopIteration:
                break
            except LsclassesError as error:
                self._failed[self._taken] = error
                break
            piece.append((self._taken, part))
            self._taken += 1
        return piece

    def _results(self, future: Future[Any]) -> Generator[tuple[int, Result]]:
        piece = self._running.pop(future)
        try:
            results, error, seconds = future.result()
        except self._workers.losses as lost:
            self._lose(piece, lost)
            return
        for (number, _), result in zip(piece, results, strict=False):
            yield number, result
        rest = piece[len(results) :]
        if error is not None:
            self._failed[rest[0][0]] = error
            return
        for each in rest:
            heapq.heappush(self._back, each)
        if rest:
            self._size = max(1, len(results))
        elif seconds < PIECE / 2 and len(piece) == self._size:
            self._size = min(2 * self._size, self._workers.most)

    def _lose(self, piece: list[tuple[int, Part]], lost: BaseException) -> None:
        """Have parts computed again, unless their workers were lost too often."""
        self._size = 1
        for number, part in piece:
            self._lost[number] += 1
            if self._lost[number] <= self._workers.again:
                heapq.heappush(self._back, (number, part))
            else:
                self._failed[number] = WorkersLost(self._workers.gone)
                self._failed[number].__cause__ = lost


def _compute(
    function: Callable[[Part], Result], parts: Sequence[Part]
) -> tuple[list[Result], Exception | None, float]:
    """In a worker: the results of the first of some parts, and what the next one raised."""
    start = time.monotonic()
    results: list[Result] = []
    for part in parts:
        try:
            results.append(function(part))
        except Exception as error:
            return results, error, 0.0
        if time.monotonic() - start > PIECE:
            break
    return results, None, time.monotonic() - start
