"""Computation of a function on many parts, in this process or by workers.

`lsclasses.workers` implements the workers, which are processes of this machine or clusters. It is
imported only for an executor, because `concurrent.futures` makes a short command slow.
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
    """Yield the results of a function on some parts of work, each as soon as it is finished.

    Parameters
    ----------
    function : callable
        Function to compute. With an executor, the function, the parts and the results must be
        picklable. For example, the function may be defined at the top level of a module.
    parts : iterable
        Parts, taken one by one shortly before they are computed.
    executor : concurrent.futures.Executor, optional
        Executor of the work, by default this process. `Processes` and clusters compute the parts of
        a lost worker again, at most `AGAIN` times.

    Yields
    ------
    (int, result)
        Number of a part, counted from 0, and the result of the function for the part.

    Raises
    ------
    WorkersLost
        If the executor lost workers permanently.
    Exception
        First exception, in the order of the parts, of the function or of taking a part. All earlier
        parts are yielded before. When the generator ends, parts that have not begun are cancelled.

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
    """Yield the results of a function on some parts of work, in the order of the parts.

    The parameters are the parameters of `finished`. ``keep(number, result)`` is called as soon as a
    result is finished.

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
