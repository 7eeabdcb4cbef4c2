"""Processes that share the work of a command."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lsclasses.limits import THREADS, processors, threads_by_default

if TYPE_CHECKING:
    from concurrent.futures import Executor


@contextmanager
def workers(number: int) -> Iterator[Executor | None]:
    """Worker processes that Ctrl-C ends silently; None for one, which this process can be.

    Their searches use as many threads as there are processors for each process, at most.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    if number <= 1:
        yield None
        return
    threads = min(threads_by_default(), max(1, processors() // number))
    executor = ProcessPoolExecutor(number, initializer=_begin, initargs=(threads,))
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        # The executor has to forget what has not begun before its processes may go.
        time.sleep(0.2)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    executor.shutdown()


def _begin(threads: int) -> None:
    """What a worker does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ[THREADS] = str(threads)
