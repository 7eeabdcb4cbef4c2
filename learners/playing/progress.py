"""The progress of a game, passed to a callable or shown by a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds after which a run is long enough to show its progress."""


Progress = Callable[[int, int], None]
"""Called now and then with the rounds played and the mistakes made by then."""


@contextmanager
def shown_progress(progress: bool | Progress | None, rounds: int) -> Iterator[Progress | None]:
    """The display of progress: a callable, or a bar that appears after a while."""
    if callable(progress):
        yield progress
        return
    if not progress or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.completed} of {task.total} rounds, {task.fields[mistakes]} mistakes"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=rounds, mistakes=0)
    begun = time.monotonic()

    def tell(played: int, mistakes: int) -> None:
        if time.monotonic() - begun > PATIENCE:
            bar.start()
            bar.update(task, completed=played, mistakes=mistakes)

    try:
        yield tell
    finally:
        bar.stop()
