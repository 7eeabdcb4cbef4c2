"""``lsclasses private-atlas``: the values of the best private learners of all small classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands.application import LEARNING, AsJson, Commands, Force, command
from lsclasses.commands.output import note, print_json, progress_line, say
from lsclasses.commands.parallel_options import Dask, Jobs, make_executor
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.files.writing import atomic_write
from lsclasses.numbers import format_number, plural
from lsclasses.outputs import FileFormat, Reads, Writes

if TYPE_CHECKING:
    from learners.private_atlas.computation import Task

VALUES = FileFormat("a file of private values", {".csv": b"points,mask,V1_half,"})
MOST_LISTED = 20
"""Largest number of problems that are printed."""

_private_atlas = Commands(
    no_args_is_help=True,
    help="The exact cost of privacy for every small class, with certificates.",
)
private_atlas = command(LEARNING)(_private_atlas)

Quantities = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Quantities, separated by commas, such as V1,M2. The default is all quantities.",
    ),
]
Points = Annotated[
    int, typer.Option(metavar="INTEGER", min=1, max=5, help="Largest number of points.")
]


def _tasks(quantities: str | None, points: int) -> list[Task]:
    """Return the tasks of some quantities on classes of few points."""
    from learners.private_atlas.computation import SIZES, tasks

    known = list(dict.fromkeys(f"{quantity}{size}" for quantity, size, _, _ in SIZES))
    chosen = known if quantities is None else quantities.split(",")
    for name in chosen:
        if name not in known:
            raise InvalidInput(f"The quantities are {', '.join(known)}. Got {name!r:.60}.")
    return [
        task for task in tasks() if f"{task.quantity}{task.size}" in chosen and task.points <= points
    ]


@_private_atlas.command()
def build(
    folder: Annotated[
        Path,
        typer.Option(
            "--certificates",
            metavar="FOLDER",
            help="Folder of the certificates. The command keeps the certificates that are in the "
            "folder, and so continues an interrupted build.",
        ),
        Reads(),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the values to FILE, as CSV."),
        Writes(VALUES),
    ] = None,
    quantities: Quantities = None,
    points: Points = 5,
    jobs: Jobs = None,
    dask: Dask = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compute the values of the best private learners of all small classes, with certificates.

    Each value has a certificate of a lower and an upper bound. Values whose program is too large
    are left out.
    """
    from learners.private_atlas.certificate_folder import build as build_folder
    from learners.private_atlas.certificate_folder import text_of, total_bytes, width
    from lsclasses.errors import WorkersLost

    todo = _tasks(quantities, points)
    try:
        with make_executor(jobs, dask) as executor, progress_line() as show:
            found = build_folder(folder, chosen=todo, executor=executor, show=show)
    except (KeyboardInterrupt, WorkersLost):
        note(
            f"lsclasses: interrupted. The certificates are in {str(folder)!r}, and the command "
            "continues from them."
        )
        raise
    for problem in found.problems[:MOST_LISTED]:
        note(f"lsclasses: computed again: {problem}")
    if out is not None:
        atomic_write(out, text_of(found.values))
        note(f"Written: {out}")
    count = sum(map(len, found.values.values()))
    if as_json:
        print_json(
            {
                "classes": len(found.values),
                "values": count,
                "bytes": total_bytes(folder),
                "width": str(width(found.values)),
            }
        )
        return
    say(
        f"{plural(count, 'value')} of {plural(len(found.values), 'class', 'classes')}, with bounds "
        f"at most {format_number(width(found.values), 3, up=True)} apart"
    )
    say(f"{str(folder)!r}: {total_bytes(folder) / 1e6:.1f} MB of certificates")


@_private_atlas.command()
def check(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder that 'private-atlas build' wrote."),
        Reads(),
    ],
    *,
    quantities: Quantities = None,
    points: Points = 5,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Check all certificates of a folder, and compare the proved bounds with the installed values.

    The check uses integers only, and no solver.
    """
    from catalog.atlas.private_values import all_private_values
    from learners.private_atlas.certificate_folder import check_folder, differences

    todo = _tasks(quantities, points)
    if not folder.is_dir():
        raise InvalidInput(f"{str(folder)!r} must be a folder of certificates.")
    with make_executor(jobs, None) as executor, progress_line() as show:
        found = check_folder(
            folder,
            todo,
            executor=executor,
            show=lambda done: show(f"{done} of {len(todo)} ..."),
        )
    count = sum(map(len, found.values.values()))
    wanted = {(task.points, task.mask, column) for task in todo for column in task.columns}
    stored = {
        (n, mask): {column: v for column, v in values.items() if (n, mask, column) in wanted}
        for n, mask, values in all_private_values()
    }
    problems = [*found.problems, *differences(found.values, stored)]
    if as_json:
        print_json({"checked": count, "problems": problems})
    else:
        say(f"{plural(count, 'certificate')} checked")
        for problem in problems[:MOST_LISTED]:
            say(problem, indent="  ")
        if len(problems) > MOST_LISTED:
            say(f"and {len(problems) - MOST_LISTED} more problems", indent="  ")
    if problems:
        raise BadCertificate(f"{plural(len(problems), 'value')} could not be confirmed.")
    if not as_json:
        say("All bounds are proved, and they agree with the installed values.")
