"""The options of commands that share their work among processes or a cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from lsclasses.commands.classes import STANDARD_INPUT, is_file
from lsclasses.commands.option_groups import OptionGroup
from lsclasses.commands.output import note
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import FileBytes
from lsclasses.limits import processors, threads_each
from lsclasses.numbers import plural
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
        metavar="INTEGER",
        min=1,
        help="Number of processes that share the work. The default is 1. For 'lsclasses "
        "verify' and 'lsclasses atlas build', the default is the number of processors.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Address of the scheduler of a Dask cluster that does the work, such as "
        "tcp://127.0.0.1:8786. All workers of the cluster need this version of lsclasses.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Store each finished result in FILE. A later call of the command with FILE reuses "
        "the stored results and computes only the missing results.",
    ),
    Reads(),
]


@dataclass(frozen=True, kw_only=True)
class ParallelOptions(OptionGroup):
    """Options --jobs, --dask and --resume: who shares the work, and the file of results."""

    jobs: Jobs = None
    dask: Dask = None
    resume: Resume = None


def make_executor(
    jobs: int | None, dask: str | None, *, parts: int | None = None, most: bool = False
) -> AbstractContextManager[Executor | None]:
    """Return the executor that shares the work: processes, a cluster, or None for this process.

    Parameters
    ----------
    jobs, dask
        Values of the options --jobs and --dask.
    parts : int, optional
        Number of parts of the work, if known. At most as many processes start.
    most : bool
        Whether the default is one process per processor. Otherwise, the default is one process.
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
    """Return the results file of the option --resume, opened for one computation."""
    if path is None:
        return None
    from lsclasses.installation import COMPANIONS, sources_digest
    from lsclasses.results_file import ResultsFile

    return ResultsFile(path, sources_digest("lsclasses", *COMPANIONS), asked)


def result_key(argument: str) -> str:
    """Return the key of a class in the results file.

    The key of a class in a file contains a digest of the file.
    """
    if argument == STANDARD_INPUT:
        raise InvalidInput(
            "--resume needs classes that can be read again. Standard input cannot be read again."
        )
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
    """Return the results of a function on all parts of some work, in order.

    The function is not called for parts whose results are stored.

    Parameters
    ----------
    function : callable
        Function that computes the result of a part.
    names : sequence of str
        Names of the parts in the results file.
    part : callable
        Function that returns the part with a number, counted from 0.
    executor, kept
        Executor of the work, and the results file.
    written, read : callable
        Conversions of a result to JSON and back. The value None means that a result is not stored.
    """
    from lsclasses.parallel import in_order

    missing = [n for n, name in enumerate(names) if kept is None or name not in kept]

    def keep(place: int, result: Result) -> None:
        if kept is not None and (found := written(result)) is not None:
            kept.add(names[missing[place]], found)

    computed = in_order(function, map(part, missing), executor, keep=keep)
    left = set(missing)
    for number, name in enumerate(names):
        found = None if kept is None or number in left else kept.get(name, read)
        yield next(computed) if found is None else found


def threads_each_process(wanted: int, jobs: int | None) -> int:
    """Return the number of threads per process, with a note if it is less than requested."""
    most = threads_each(jobs or 1)
    if wanted <= most:
        return wanted
    have = f"may use {plural(processors(), 'processor')}"
    who, why = "", f"this process {have}"
    if jobs is not None and jobs > 1:
        who, why = f" in each of {jobs} processes", f"together they {have}"
    note(f"lsclasses: {plural(most, 'thread')} will search{who}, not {wanted}, since {why}.")
    return most
