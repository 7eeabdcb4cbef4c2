"""A dask cluster that shares the work of this process, if what it runs is the same.

Before any work its scheduler and workers tell their Python, NumPy and the digests of the sources of
this library and of all plug-ins of this process. One that has other sources, or lacks a package, is
refused: its answers could be others. So a specification that only a plug-in of this process knows
reaches no worker. Workers that join later compare once, with what each piece of work was sent with.
"""

from __future__ import annotations

import logging
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from typing import Any

from lsclasses import __version__
from lsclasses.errors import LsclassesError
from lsclasses.installation import COMPANIONS, digests
from lsclasses.parallel import WATCH, Workers

INSTALL_DASK = "A cluster needs dask: pip install 'lsclasses[dask]'."
PATIENCE = 30.0
"""Seconds that a cluster may be without workers."""
ANSWER = 10
"""Seconds in which a scheduler answers."""

Installed = Mapping[str, str]
"""The versions of Python and NumPy, and the digest of each package."""


@cache
def installed() -> Installed:
    """What this process computes with.

    Examples
    --------
    >>> {"Python", "NumPy", "lsclasses", "catalog", "learners"} <= set(installed())
    True
    """
    python = ".".join(platform.python_version_tuple()[:2])
    return {"Python": python, "NumPy": version("numpy")} | digests("lsclasses", *COMPANIONS)


def require_same(here: Installed, there: Installed, who: str) -> None:
    """Raise `LsclassesError` if another process has not all that this one has.

    Examples
    --------
    >>> require_same(installed(), installed(), "The worker")
    >>> require_same({"Python": "3.12"}, {"Python": "3.11"}, "The worker tcp://10.0.0.7:4000")
    Traceback (most recent call last):
        ...
    lsclasses.errors.LsclassesError: The worker tcp://10.0.0.7:4000 has Python 3.11, and this \
process 3.12. What is computed there could differ: install the same everywhere.
    """
    for name, own in here.items():
        other = there.get(name)
        if other == own:
            continue
        if other is None:
            said = f"lacks the package {name!r}, which this process has, perhaps of a plug-in"
        elif name in ("Python", "NumPy"):
            said = f"has {name} {other}, and this process {own}"
        else:
            said = f"has other sources of {name!r} than this process (lsclasses {__version__})"
        raise LsclassesError(
            f"{who} {said}. What is computed there could differ: install the same everywhere."
        )


class Cluster(Workers):
    """A dask cluster; it computes again what lost workers had, at most three times, as dask does.

    Parameters
    ----------
    address : str
        Of its scheduler, such as ``tcp://127.0.0.1:8786``.

    Raises
    ------
    LsclassesError
        If dask is not installed, nothing answers, or the scheduler or a worker has not what this
        process has.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker
            from distributed.comm import get_address_host_port
        except ImportError:
            raise LsclassesError(INSTALL_DASK) from None
        self._address = address
        # It would tell in its own words, and many, that the cluster went away.
        for name in ("distributed", "distributed.client", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            if not address.startswith("inproc:"):
                # A client of what is no address waits 20 s before it goes.
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
            f"The cluster at {address!r} went away, had no workers for {PATIENCE:.0f} s, or lost "
            "those of one part again and again."
        )
        self._counted = self._seen = time.monotonic()
        self.watch()

    def _greet(self) -> None:
        """Compare what the scheduler and all workers have with what this process has."""
        told: dict[str, Any] = {
            f"The worker {where}": found
            for where, found in self._client.run(installed, on_error="return").items()
        }
        if not told:
            raise LsclassesError(
                f"The cluster at {self._address!r} has no workers: start some, such as with "
                f"'dask worker {self._address}'."
            )
        who = f"The scheduler {self._address}"
        try:
            told[who] = self._client.run_on_scheduler(installed)
        except Exception as error:
            told[who] = error
        for who, found in told.items():
            if isinstance(found, BaseException):
                raise LsclassesError(
                    f"{who} has no lsclasses that could be compared with that of this process "
                    f"({found}). Install the same everywhere."
                )
            require_same(installed(), found, who)

    def watch(self) -> None:
        """Count the workers; some may have come, and those that were lost may come back."""
        self._counted = time.monotonic()
        with self._connected():
            self.workers = sum(self._client.nthreads().values())
        if self.workers:
            self._seen = self._counted
        elif self._counted - self._seen > PATIENCE:
            raise BrokenExecutor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """As of every executor; counts the workers now and then."""
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
        """Turn what a client raises whose cluster went away into `BrokenExecutor`."""
        try:
            yield
        except Exception as error:
            if self._client.status == "running" and not isinstance(error, OSError):
                raise
            raise BrokenExecutor from error

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.shutdown(wait=kind is None)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As of every executor; the cluster stays."""
        with suppress(BrokenExecutor), self._connected():
            self._client.close()


def _as_here(here: Installed, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """In a worker: what a function gives, if it is that of the process that asks."""
    require_same(here, installed(), f"A worker on {platform.node()}")
    return function(*args, **kwargs)


def _settle(future: Future[Any], task: Any) -> None:
    """Give a future what became of a task.

    As dask's own executor does, but for results whose worker is lost while they are fetched.
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
