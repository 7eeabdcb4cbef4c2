"""Work that is shared: processes of this machine, or a cluster, compute its parts.

Parts go to workers in batches of about a second. A worker takes parts of its batch until a second
has passed, and returns the remaining parts. So parts that take a microsecond cost little to send,
and parts that take a minute are sent one by one. The duration of parts need not be known in
advance. The results do not depend on the batches or on the workers and their number.

A dask cluster shares the work of this process only if it runs the same code.

Before any work, its scheduler and workers report their Python, NumPy and the digests of the sources
of this library and of all plug-ins of this process. A worker with other sources, or without one of
the packages, is refused, because its results could differ. So no worker receives a specification
that only a plug-in of this process defines. Workers that join later compare once, with the digests
in each batch.
"""

from __future__ import annotations

import heapq
import logging
import math
import multiprocessing
import os
import platform
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, Generic, TypeVar

from lsclasses import __version__
from lsclasses.errors import LsclassesError, WorkersLost
from lsclasses.installation import COMPANIONS, digests
from lsclasses.limits import THREADS, threads_by_default, threads_each

# ---- processes


PIECE = 1.0
"""Number of seconds after which a worker returns the parts of its batch that it has not begun."""
MOST = 1024
"""The largest number of parts in a batch."""
AGAIN = 3
"""Largest number of times that a part is computed again after its worker was lost."""
WATCH = 5.0
"""Number of seconds between two checks whether an executor has workers."""

Part = TypeVar("Part")
Result = TypeVar("Result")


def results_of_workers(
    function: Callable[[Part], Result], parts: Iterable[Part], executor: Executor
) -> Generator[tuple[int, Result]]:
    """Yield the results of a function on some parts of work, computed by an executor.

    `lsclasses.parallel.finished` describes the parameters and the results.
    """
    ours = executor if isinstance(executor, Workers) else _Unknown(executor)
    yield from _Shared(function, parts, ours).results()


class Workers(Executor):
    """An executor with a known number of workers, some of which may be lost.

    Attributes
    ----------
    workers : int
        Number of batches that are computed at once.
    most : int
        Largest number of parts in a batch.
    again : int
        Number of times that a lost part may be submitted again.
    losses : tuple of exception types
        Exceptions of a future whose worker was lost.
    gone : str
        Message after too many losses.
    """

    workers: int = 1
    most: int = MOST
    again: int = 0
    losses: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)
    gone: str = "A worker ended early, perhaps because of insufficient memory."

    def watch(self) -> None:
        """Raise one of `losses` if no worker remains."""


class _Unknown(Workers):
    """Another executor, with an unknown number of workers."""

    workers = sys.maxsize
    most = 1

    def __init__(self, executor: Executor) -> None:
        self.submit = executor.submit  # type: ignore[method-assign]


class Processes(Workers):
    """An executor with processes of this machine. After a loss, it starts a new set of processes.

    Ctrl-C ends the processes silently. Unless the limit of a search specifies the number of
    threads, each process uses at most its share of the processors.

    Parameters
    ----------
    workers : int
        Number of processes.
    """

    again = AGAIN
    gone = (
        f"A worker process ended early, {AGAIN + 1} times, perhaps because of insufficient "
        "memory. A single process (--jobs 1) has no workers that can end."
    )

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        threads = min(threads_by_default(), threads_each(self.workers))
        return ProcessPoolExecutor(self.workers, initializer=_begin, initargs=(threads,))

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future of a call. An earlier loss of a worker raises no exception."""
        try:
            return self._pool.submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self._pool = self._start()
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut the executor down."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self.shutdown()
            return
        self.shutdown(wait=False, cancel_futures=True)
        # The executor has to forget all calls that have not begun before its processes may end.
        time.sleep(0.2)
        for process in multiprocessing.active_children():
            process.terminate()


def _begin(threads: int) -> None:
    """Prepare a worker process."""
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
        """Yield each result as soon as it is finished, with the number of its part."""
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
        """Keep a current and a next batch at all workers. Return whether any batch runs."""
        workers = max(self._workers.workers, 1)
        while len(self._running) < 2 * workers and (piece := self._piece()):
            parts = [part for _, part in piece]
            self._running[self._workers.submit(_compute, self._function, parts)] = piece
        return bool(self._running)

    def _piece(self) -> list[tuple[int, Part]]:
        """Return the next parts in order, but no part after a failed part."""
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
    """Return, in a worker, results of the first of some parts and an exception of the next."""
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


# ---- clusters


INSTALL_DASK = "A cluster needs dask: pip install 'lsclasses[dask]'."
PATIENCE = 30.0
"""Largest number of seconds that a cluster may be without workers."""
ANSWER = 10
"""Largest number of seconds until a scheduler must respond."""

Installed = Mapping[str, str]
"""The versions of Python and NumPy, and the digest of each package."""


@cache
def installed() -> Installed:
    """Return the versions and digests of the packages of this process.

    Examples
    --------
    >>> {"Python", "NumPy", "lsclasses", "catalog", "learners"} <= set(installed())
    True
    """
    # The metadata of packages takes long to import, and only a cluster needs it.
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return {"Python": python, "NumPy": version("numpy")} | digests("lsclasses", *COMPANIONS)


def require_same(here: Installed, there: Installed, who: str) -> None:
    """Raise `LsclassesError` if the packages of another process differ from this process.

    Examples
    --------
    >>> require_same(installed(), installed(), "The worker")
    >>> require_same({"Python": "3.12"}, {"Python": "3.11"}, "The worker tcp://10.0.0.7:4000")
    Traceback (most recent call last):
        ...
    lsclasses.errors.LsclassesError: The worker tcp://10.0.0.7:4000 has Python 3.11, and this \
process 3.12. The results could differ. Install the same versions everywhere.
    """
    for name, own in here.items():
        other = there.get(name)
        if other == own:
            continue
        if other is None:
            said = f"lacks the package {name!r}, which this process has, perhaps from a plug-in"
        elif name in ("Python", "NumPy"):
            said = f"has {name} {other}, and this process {own}"
        else:
            said = f"has other sources of {name!r} than this process (lsclasses {__version__})"
        raise LsclassesError(
            f"{who} {said}. The results could differ. Install the same versions everywhere."
        )


class Cluster(Workers):
    """An executor on a dask cluster.

    Parts of lost workers are computed again, at most three times, as dask does.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as ``tcp://127.0.0.1:8786``.

    Raises
    ------
    LsclassesError
        If dask is not installed, if the address does not respond, or if the packages of the
        scheduler or a worker differ from this process.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker
            from distributed.comm import get_address_host_port
        except ImportError:
            raise LsclassesError(INSTALL_DASK) from None
        self._address = address
        # The client would log many messages of its own if the cluster went away.
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            if not address.startswith("inproc:"):
                # A client of an invalid address waits 20 s before it ends.
                get_address_host_port(address)
            self._client = Client(address, timeout=ANSWER, set_as_default=False)
        except (OSError, ValueError) as error:
            raise LsclassesError(f"There is no cluster at {address!r}: {error}.") from None
        try:
            self._greet()
        except BaseException:
            self._client.close()
            raise
        self.losses = (*Workers.losses, KilledWorker)
        self.gone = (
            f"The cluster at {address!r} ended, had no workers for {PATIENCE:.0f} s, or lost the "
            "workers of one part repeatedly."
        )
        self._counted = self._seen = time.monotonic()
        self.watch()

    def _greet(self) -> None:
        """Compare the packages of the scheduler and of all workers with this process."""
        told: dict[str, Any] = {
            f"The worker {where}": found
            for where, found in self._client.run(installed, on_error="return").items()
        }
        if not told:
            raise LsclassesError(
                f"The cluster at {self._address!r} has no workers. Start workers, for example "
                f"with 'dask worker {self._address}'."
            )
        who = f"The scheduler {self._address}"
        try:
            told[who] = self._client.run_on_scheduler(installed)
        except Exception as error:
            told[who] = error
        for who, found in told.items():
            if isinstance(found, BaseException):
                raise LsclassesError(
                    f"{who} has no lsclasses to compare with this process ({found}). Install the "
                    "same versions everywhere."
                )
            require_same(installed(), found, who)

    def watch(self) -> None:
        """Update the number of workers, which changes when workers join or are lost.

        `BrokenExecutor` is raised if the cluster was without workers for `PATIENCE` seconds.
        """
        self._counted = time.monotonic()
        with self._connected():
            self.workers = sum(self._client.nthreads().values())
        if self.workers:
            self._seen = self._counted
        elif self._counted - self._seen > PATIENCE:
            raise BrokenExecutor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Return the future of a call. Some calls also update the number of workers."""
        if time.monotonic() - self._counted > WATCH:
            self.watch()
        future: Future[Any] = Future()
        with self._connected():
            task = self._client.submit(_as_here, installed(), fn, *args, pure=False, **kwargs)
            task.add_done_callback(partial(_settle, future))
        future.add_done_callback(partial(_cancel, task))
        return future

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Turn exceptions of a client without a cluster into `BrokenExecutor`."""
        try:
            yield
        except Exception as error:
            if self._client.status == "running" and not isinstance(error, OSError):
                raise
            raise BrokenExecutor from error

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.shutdown(wait=kind is None)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut the executor down. The cluster continues."""
        with suppress(BrokenExecutor), self._connected():
            self._client.close()


def _as_here(here: Installed, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return the result of a function in a worker, if it has the packages of the caller."""
    require_same(here, installed(), f"A worker on {platform.node()}")
    return function(*args, **kwargs)


def _settle(future: Future[Any], task: Any) -> None:
    """Set the result or the exception of a task in a future.

    It follows dask's executor, except for results whose worker is lost while they are fetched.
    """
    error: BaseException | None = None
    try:
        found = task.result()
    except BaseException as raised:
        error = BrokenExecutor() if task.cancelled() else raised
    if not future.set_running_or_notify_cancel():
        return
    if error is None:
        future.set_result(found)
    else:
        future.set_exception(error)


def _cancel(task: Any, future: Future[Any]) -> None:
    """Cancel the task of a future that was cancelled."""
    if future.cancelled():
        task.cancel()
