"""The options of commands that share their work, and who shares it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.errors import InvalidInput
from lsclasses.limits import processors
from lsclasses.outputs import Reads

if TYPE_CHECKING:
    from concurrent.futures import Executor

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


def sharing(
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
        from lsclasses.cluster import Cluster

        return Cluster(dask)
    number = jobs or (processors() if most else 1)
    if parts is not None:
        number = min(number, parts)
    if number <= 1:
        return nullcontext()
    from lsclasses.sharing import Processes

    return Processes(number)
