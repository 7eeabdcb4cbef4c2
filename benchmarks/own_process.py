"""A job in a process of its own, whose memory and limits are nobody else's."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

Answer = TypeVar("Answer")


def in_own_process(job: Callable[..., Answer], *arguments: object) -> Answer | None:
    """What the job returns; None if it is killed before."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(job, arguments, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        return None
    finally:
        process.join()


def _run(job: Callable[..., object], arguments: tuple[object, ...], sender: Connection) -> None:
    sender.send(job(*arguments))
