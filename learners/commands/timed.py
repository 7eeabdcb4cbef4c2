"""Work that is ended when its time is up, whatever it is doing, and what it had told by then."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TypeVar

T = TypeVar("T")
Tell = Callable[[T], None]

GRACE = 1.0
"""Seconds that interrupted work has to say how far it came, before it is killed."""


def told_in_time(
    work: Callable[[Tell[T]], None],
    first: T,
    seconds: float,
    died: Callable[[T, int], T] = lambda known, _: known,
) -> T:
    """Run work in another process, and return the last result it sent in time.

    When the time is up the work is interrupted as by Ctrl-C, and killed if that does not end it:
    a search in C, or a number of a million digits, hears no interruption.

    Parameters
    ----------
    work : callable
        ``work(tell)`` tells what is known whenever there is more.
    first : object
        What is known before.
    seconds : float
    died : callable, optional
        ``died(known, code)`` is what is known of work whose process ends by itself, with an exit
        code that is not 0.

    Examples
    --------
    >>> def count(tell):
    ...     for number in range(3):
    ...         tell(number)
    ...     time.sleep(60)
    >>> told_in_time(count, None, 0.5)
    2
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_work, args=(work, sender), daemon=True)
    with _uninterrupted():  # until it is ready to hear an interruption
        process.start()
    sender.close()
    last, interrupted = first, False
    deadline = time.monotonic() + seconds
    try:
        # What was told last comes before the end of the file.
        try:
            while True:
                if receiver.poll(max(0.0, deadline - time.monotonic())):
                    last = receiver.recv()
                elif interrupted or process.pid is None:
                    break
                else:
                    os.kill(process.pid, signal.SIGINT)
                    interrupted, deadline = True, deadline + GRACE
        except EOFError:
            process.join(GRACE)
            if process.exitcode and not interrupted:
                last = died(last, process.exitcode)
    finally:
        process.kill()
        process.join()
        receiver.close()
    return last


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay interruptions until the block has ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(work: Callable[[Tell[T]], None], sender: Connection) -> None:
    def tell(known: T) -> None:
        with _uninterrupted():  # in the middle, half a message would be left
            sender.send(known)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        work(tell)
    except KeyboardInterrupt:
        pass
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
