"""``lsclasses atlas structured`` and ``lsclasses atlas sample``: classes with structure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands.application import AsJson, Force
from lsclasses.commands.certifying import write_files
from lsclasses.commands.output import note, print_grid, print_json, progress_line, say
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput
from lsclasses.numbers import plural
from lsclasses.outputs import FileFormat, Writes

if TYPE_CHECKING:
    from catalog.atlas.orbits import Representatives

CLASSES_FILE = FileFormat("a list of classes", {".csv": rb"name,labelled,size\r?\n"})
SEQUENCE = FileFormat("a sequence of counts", {".txt": rb"# lsclasses atlas structured"})
COUNTING = "about half a minute"
"""Text that states the time to count the extremal classes on six points."""

SixPoints = Annotated[
    int, typer.Option(metavar="INTEGER", min=1, max=6, help="Number of points of the classes.")
]
OneDimension = Annotated[
    int | None,
    typer.Option(metavar="INTEGER", min=0, help="VC dimension of maximum or maximal classes."),
]


def structured(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help="Structure: maximum, maximal, extremal or intersection-closed."
        ),
    ],
    *,
    points: SixPoints = 6,
    vcdim: OneDimension = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Count the classes for each value of this parameter, such as ldim.",
        ),
    ] = None,
    sequence: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write one line for each value of the parameter of --by, with the number of "
            "classes up to symmetry (.txt).",
        ),
        Writes(SEQUENCE),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a line for each class (.csv): its name, the number of classes that equal "
            "the class up to permutations and flips, and its number of concepts.",
        ),
        Writes(CLASSES_FILE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """List all classes of one type on at most six points, up to permutations and flips.

    Flips exchange the labels 0 and 1 at some points. Maximum classes have as many concepts as
    Sauer's lemma allows. The VC dimension of a maximal class grows with every added concept.
    Extremal classes shatter exactly as many sets as they have concepts. Intersection-closed classes
    are closed under intersection after some flips. The command lists intersection-closed classes on
    at most five points.
    """
    from catalog.atlas import structured as listing

    if by is not None:
        listing.check_column(by)
    elif sequence is not None:
        raise InvalidInput("--sequence writes the numbers of classes by --by COLUMN.")
    found = _listed(kind, points, vcdim)
    counted = [] if by is None else listing.counts(found, points, by)
    if sequence is not None:
        dimension = "" if vcdim is None else f" --vcdim {vcdim}"
        made = f"# lsclasses atlas structured {kind} --points {points}{dimension} --by {by}"
        lines = [f"{value} {classes}" for value, classes, _ in counted]
        write_files({sequence: "\n".join([made, *lines, ""])})
    if out is not None:
        write_files({out: listing.listed(found, points)})
    classes, labelled = len(found.masks), sum(found.labelled.tolist())
    if as_json:
        keys = ("value", "classes", "labelled")
        print_json(
            {
                "kind": kind,
                "points": points,
                "vcdim": vcdim,
                "classes": classes,
                "labelled": labelled,
                "by": by,
                "values": [dict(zip(keys, row, strict=True)) for row in counted],
            }
        )
        return
    of = "" if vcdim is None else f" of VC dimension {vcdim}"
    say(
        f"{kind} classes{of} on {plural(points, 'point')}: {classes} up to permutations and flips, "
        f"{labelled} on named points"
    )
    if by is not None:
        _say_counts(by, counted)


def sample(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="Structure: any, or a kind that 'lsclasses atlas structured' lists.",
        ),
    ],
    *,
    points: SixPoints = 6,
    vcdim: OneDimension = None,
    size: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER", min=1, help="Number of concepts of a class, for the kind any."
        ),
    ] = None,
    number: Annotated[
        int, typer.Option(metavar="INTEGER", min=1, help="Number of classes to draw.")
    ] = 1000,
    by: Annotated[
        str, typer.Option(metavar="COLUMN", help="Parameter whose values the command counts.")
    ] = "vcdim",
    seed: Annotated[int, typer.Option(metavar="INTEGER", min=0, help="Seed of the draws.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a line for each class (.csv): its name, the number of classes that equal "
            "the class up to permutations and flips, and its number of concepts.",
        ),
        Writes(CLASSES_FILE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw random classes of a kind, and bound the share of classes with each value of a parameter.

    The classes are drawn uniformly. Classes that differ by a permutation of the points count as
    different. For each value, the command prints a lower and an upper bound on the share of all
    classes of the kind with this value. The confidence is 95 % (Clopper-Pearson).
    """
    from catalog.atlas import sampling
    from catalog.atlas import structured as listing

    listing.check_column(by)
    sampling.check_sample(kind, points, number, vcdim=vcdim, size=size)
    among = _listed(kind, points, vcdim) if kind in listing.OF_DIMENSION else None
    if kind == "extremal" and points == listing.MOST_POINTS and vcdim is None:
        note(f"lsclasses: counting the extremal classes on {points} points takes {COUNTING}.")
    with _steps() as progress:
        masks = sampling.sample(
            kind,
            points,
            number,
            vcdim=vcdim,
            size=size,
            seed=seed,
            among=among,
            progress=progress,
        )
    if out is not None:
        write_files({out: listing.listed(listing.named(masks, points), points)})
    shares = sampling.shares(masks, points, by)
    if as_json:
        print_json(
            {
                "kind": kind,
                "points": points,
                "vcdim": vcdim,
                "size": size,
                "sample": number,
                "seed": seed,
                "by": by,
                "confidence": sampling.CONFIDENCE,
                "values": [each._asdict() for each in shares],
            }
        )
        return
    of = "".join(
        f" of {what} {value}"
        for what, value in (("VC dimension", vcdim), ("size", size))
        if value is not None
    )
    drawn = f"{plural(number, 'class', 'classes')} of the kind {kind}{of}"
    say(f"{drawn} on {plural(points, 'named point')}, drawn uniformly with seed {seed}")
    titles = [by, "drawn", "share at least", "at most"]
    grid = Grid(*titles, right=titles)
    for each in shares:
        # Rounded outwards, so that the printed bounds also hold.
        lower, upper = math.floor(each.lower * 1e5) / 1e5, math.ceil(each.upper * 1e5) / 1e5
        grid.add_row(str(each.value), str(each.classes), f"{lower:.5f}", f"{upper:.5f}")
    print_grid(grid)


def _listed(kind: str, points: int, vcdim: int | None) -> Representatives:
    """Return all classes of a kind, from a kept list if it exists.

    Before a list that takes minutes the command states the time and the file of the list.
    """
    from catalog.atlas.structured import KeptList

    kept = KeptList(kind, points, vcdim)
    if (found := kept.load()) is not None:
        note(f"lsclasses: the list is read from {str(kept.path)!r}.")
        return found
    if kept.minutes is not None:
        where = "is not kept, because no cache folder is known"
        where = where if kept.path is None else f"is then kept in {str(kept.path)!r}"
        note(f"lsclasses: the list takes about {kept.minutes} minutes. It {where}.")
    with _steps() as progress:
        found = kept.compute(progress)
    try:
        kept.keep(found)
    except InvalidInput as error:
        note(f"lsclasses: the list is not kept. {error}")
    return found


@contextmanager
def _steps() -> Iterator[Callable[[int, int], None]]:
    """Yield a function that displays the number of finished steps on one line."""
    with progress_line() as show:
        yield lambda done, of: show(f"{done} of {of} steps ...")


def _say_counts(by: str, counted: list[tuple[int, int, int]]) -> None:
    numbers = [by, "up to symmetry", "on named points"]
    grid = Grid(*numbers, right=numbers)
    for row in counted:
        grid.add_row(*map(str, row))
    print_grid(grid)
