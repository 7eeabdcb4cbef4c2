"""Processes that share the work of a command."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def workers(number: int) -> Iterator[Executor | None]:
    """Worker processes that Ctrl-C ends silently; None for one, which this process can be."""
    import multiprocessing
    import signal
    from concurrent.futures import ProcessPoolExecutor

    if number <= 1:
        yield None
        return
    executor = ProcessPoolExecutor(
        number, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    )
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
