"""The options of commands that share their work, and who shares it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from lsclasses.commands.classes import STANDARD_INPUT, is_file
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import FileBytes
from lsclasses.limits import processors
from lsclasses.outputs import Reads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

    from lsclasses.results_file import ResultsFile

Part = TypeVar("Part")
Result = TypeVar("Result")

Jobs = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Processes that share the work; unless given, as many as there are processors in "
        "'verify' and 'atlas build', and 1 elsewhere.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="A dask cluster that does the work, such as tcp://127.0.0.1:8786; everything it runs "
        "must be installed there as here.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Keep what is finished in this file, and go on from what is there.",
    ),
    Reads(),
]


def make_executor(
    jobs: int | None, dask: str | None, *, parts: int | None = None, most: bool = False
) -> AbstractContextManager[Executor | None]:
    """Who shares the work: processes, a cluster, or None for this process alone.

    Parameters
    ----------
    jobs, dask
        As the options of a command say.
    parts : int, optional
        How many parts the work has, if that is known: no more processes are started.
    most : bool
        Whether as many processes as processors work when nothing is said; else 1.
    """
    if dask is not None:
        if jobs is not None:
            raise InvalidInput(
                "--jobs is for processes of this machine, --dask for a cluster, which has its own: "
                "give one of them."
            )
        from lsclasses.workers import Cluster

        return Cluster(dask)
    number = jobs or (processors() if most else 1)
    if parts is not None:
        number = min(number, parts)
    if number <= 1:
        return nullcontext()
    from lsclasses.workers import Processes

    return Processes(number)


def open_results(path: Path | None, asked: str) -> ResultsFile | None:
    """The file of `--resume`, for what was asked apart from the names of the parts."""
    if path is None:
        return None
    from lsclasses.installation import COMPANIONS, sources_digest
    from lsclasses.results_file import ResultsFile

    return ResultsFile(path, sources_digest("lsclasses", *COMPANIONS), asked)


def result_key(argument: str) -> str:
    """A class, or a file that is read, as results name it: files have a digest of their bytes."""
    if argument == STANDARD_INPUT:
        raise InvalidInput("--resume is for what can be read again, not for standard input.")
    return f"{argument} {FileBytes.read(argument).digest}" if is_file(argument) else argument


def results(
    function: Callable[[Part], Result],
    names: Sequence[str],
    part: Callable[[int], Part],
    executor: Executor | None,
    kept: ResultsFile | None = None,
    *,
    written: Callable[[Result], Any] = lambda result: result,
    read: Callable[[Any], Result] = lambda found: found,
) -> Iterator[Result]:
    """The results of a function of some parts, in order; those that are kept are not computed.

    Parameters
    ----------
    function : callable
    names : sequence of str
        Of the parts, in the file that keeps results.
    part : callable
        ``part(number)`` is a part, from 0.
    executor, kept
        Who computes, and the file.
    written, read : callable
        A result as JSON has it, None if it is not to be kept, and back.
    """
    from lsclasses.parallel import in_order

    known = {} if kept is None else {name: kept.get(name) for name in names}
    missing = [number for number, name in enumerate(names) if known.get(name) is None]

    def keep(place: int, result: Result) -> None:
        if kept is not None and (found := written(result)) is not None:
            kept.add(names[missing[place]], found)

    computed = in_order(function, map(part, missing), executor, keep=keep)
    left = set(missing)
    for number, name in enumerate(names):
        yield next(computed) if number in left else read(known[name])
