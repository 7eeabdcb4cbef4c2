"""Functions of many parts, computed in this process or by workers.

`lsclasses.workers` has the workers: processes of this machine, and clusters. It is imported only if
there is an executor, because `concurrent.futures` makes a short command slow.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor

Part = TypeVar("Part")
Result = TypeVar("Result")


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
    >>> from lsclasses.workers import Processes
    >>> with Processes(2) as executor:
    ...     sorted(finished(abs, range(-2, 2), executor))
    [(0, 2), (1, 1), (2, 0), (3, 1)]
    """
    if executor is None:
        for number, part in enumerate(parts):
            yield number, function(part)
        return
    from lsclasses.workers import results_of_workers

    yield from results_of_workers(function, parts, executor)


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
