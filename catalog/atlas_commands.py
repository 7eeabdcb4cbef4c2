"""``lsclasses atlas``: all classes on at most five points, built, searched and drawn."""

from __future__ import annotations

import csv
import io
import itertools
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.structured_commands import sample, structured
from lsclasses.commands import completion
from lsclasses.commands.application import CLASSES, AsJson, Commands, Force, command
from lsclasses.commands.certifying import write_files
from lsclasses.commands.output import (
    note,
    print_grid,
    print_json,
    progress_line,
    say,
    value_json,
    value_text,
)
from lsclasses.commands.parallel_options import Dask, Jobs, make_executor
from lsclasses.commands.tables import Grid
from lsclasses.figures import FIGURE
from lsclasses.numbers import plural
from lsclasses.outputs import FileFormat, Reads, Writes, page_kind, require_folder, require_output

if TYPE_CHECKING:
    from catalog.atlas.atlas_table import AtlasClass
    from catalog.atlas.building import Built
    from lsclasses.brackets import Bracket

ATLAS = FileFormat("an atlas", {".parquet": b"PAR1.*lsclasses-atlas"})
DATA_SET = FileFormat(
    "a data set", {".md": rb"# All small concept classes with their parameters\n"}
)
ATLAS_PAGE = page_kind("a page about a class of the atlas", "atlas")
LONGEST_PATH = 200
"""Longest string that the command looks up as a file."""
ROWS = 100
"""Largest number of rows of an answer that are printed in a terminal."""

_atlas = Commands(
    no_args_is_help=True,
    help="All classes on at most five points, once each up to symmetry, with their parameters.",
)
atlas = command(CLASSES)(_atlas)


@_atlas.command()
def build(
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File to write. The default is the environment variable LSCLASSES_ATLAS if "
            "it is set, and otherwise a file in the user's cache folder.",
        ),
        Writes(ATLAS),
    ] = None,
    points: Annotated[
        int, typer.Option(metavar="INTEGER", min=1, max=5, help="Number of points of the classes.")
    ] = 5,
    jobs: Jobs = None,
    dask: Dask = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compute all classes on five points with their parameters, and write them to one Parquet file.

    If the file exists, the command keeps the columns of the file and computes only the missing
    columns. So a new call also continues an interrupted build.
    """
    from catalog.atlas.building import build as build_file
    from catalog.atlas.building import parts_folder
    from catalog.atlas.storage import VARIABLE, default_path
    from lsclasses.errors import WorkersLost

    path = default_path() if out is None else out
    if out is None:
        path.parent.mkdir(parents=True, exist_ok=True)
        require_output(path, ATLAS, VARIABLE, [], force=force)
    start = time.perf_counter()
    try:
        with make_executor(jobs, dask, most=True) as executor, progress_line() as show:
            show("enumerating the classes ...")
            found = build_file(
                path,
                points=points,
                executor=executor,
                progress=lambda done, parts: show(f"{done} of {parts} parts ..."),
                command=f"lsclasses atlas build --points {points}",
            )
    except (KeyboardInterrupt, WorkersLost):
        note(
            f"lsclasses: interrupted. Finished columns are in {str(parts_folder(path))!r}, "
            "and the same command continues from them."
        )
        raise
    seconds = time.perf_counter() - start
    if as_json:
        print_json(
            {
                "file": str(path),
                "bytes": path.stat().st_size,
                "seconds": round(seconds, 3),
                **found._asdict(),
            }
        )
    else:
        _say_built(path, found, seconds)


def _say_built(path: Path, found: Built, seconds: float) -> None:
    if found.remark:
        say(found.remark)
    if found.resumed:
        say(f"{plural(found.resumed, 'part')} of an earlier build were used.")
    size = path.stat().st_size / 1e6
    say(f"{path}: {found.classes} classes, {size:.1f} MB, in {seconds:.1f} s")
    if found.kept:
        say(f"kept: {', '.join(found.kept)}", indent="  ")
    say(f"computed: {', '.join(found.computed) or 'nothing, all columns were there'}", indent="  ")


@_atlas.command()
def export(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Folder to write: a new folder, an empty folder or the folder of an "
            "earlier export.",
        ),
        Writes(DATA_SET, folder=True),
    ],
    *,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write the atlas as an archive: Parquet files with their schema, checksums and citation.

    The archive contains the classes on at most four points. It also contains the classes on five
    points if 'lsclasses atlas build' has computed them.
    """
    if not force:
        require_folder(folder, "README.md", DATA_SET)
    from catalog.atlas.exporting import export as exported

    files = exported()
    write_files({folder / name: content for name, content in files.items()})
    if as_json:
        print_json({"folder": str(folder), "files": sorted(files)})
    else:
        note(f"Written: {folder}, {plural(len(files), 'file')}")


@_atlas.command()
def find(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SPEC|FILE|VALUES",
            help="A class (a specification such as thresholds:n=3, or a file with a table), "
            "or values of parameters such as 'vcdim = 1 and ldim = 3'.",
            autocompletion=completion.CLASS,
        ),
        Reads(),
    ],
    *,
    flips: Annotated[
        bool,
        typer.Option(
            "--flips/--no-flips",
            help="Count two classes as equal if flips of all labels at some points turn one "
            "class into the other.",
        ),
    ] = True,
    limit: Annotated[
        int, typer.Option(metavar="INTEGER", min=1, help="Largest number of classes in the list.")
    ] = ROWS,
    as_json: AsJson = False,
) -> None:
    """Find a class in the atlas of small classes, or all classes with given values of parameters.

    Two classes belong to one orbit if a permutation of the points and flips of the labels at some
    points turn one class into the other. The atlas contains one representative of each orbit. For a
    class, the command prints the representative of its orbit with the values of the parameters. It
    also prints the map from the points of the class to the points of the representative, and the
    points whose labels are flipped.
    """
    if _is_statement(source):
        _find_values(source, limit, as_json=as_json)
        return
    from catalog.atlas import find as find_class
    from lsclasses.commands.classes import load
    from lsclasses.files.tables import label_rows
    from lsclasses.point_names import name_text, to_json

    C = load(source)
    found, move = find_class(C, flips=flips)
    own = {
        "atlas": found.name,
        "points": found.points,
        "mask": found.mask,
        "flipped": found.flipped,
        "labelled": found.labelled,
    }
    rows = label_rows(found.table)
    if as_json:
        print_json(
            {
                "name": source,
                **own,
                "rows": rows,
                "map": [
                    {"point": to_json(point), "to": target, "flipped": flip}
                    for point, target, flip in zip(
                        move.source, move.target, move.flips, strict=True
                    )
                ],
                "values": {name: value_json(value) for name, value in found.quantities.items()},
                "private": _private_json(found),
            }
        )
        return
    symmetries = "permutations and flips" if flips else "permutations"
    say(
        f"{source}: {found.name}, the class of mask {found.mask} on "
        f"{plural(found.points, 'point')}; up to {symmetries} it stands for "
        f"{plural(found.labelled, 'class', 'classes')}"
    )
    for row in rows:
        say(row, indent="      ")
    for point, target, flip in zip(move.source, move.target, move.flips, strict=True):
        say(
            f"point {name_text(point)} -> {target}{', labels flipped' if flip else ''}", indent="  "
        )
    _say_values(found)


def _say_values(found: AtlasClass) -> None:
    """Print the parameters of a class, and the values of the best private learners."""
    values = {**found.quantities, **_private(found)}
    width = max(map(len, values))
    for name, value in values.items():
        say(f"{name:{width}}  {value_text(value)}", indent="  ")


def _private(found: AtlasClass) -> dict[str, Bracket]:
    """Return the values of the best private learners by the names of their columns."""
    from catalog.atlas.private_values import private_values

    known = private_values(found.points, found.flipped)
    return {column.name: value for column, value in known.items()}


def _private_json(found: AtlasClass) -> dict[str, object]:
    return {name: value_json(value) for name, value in _private(found).items()}


def _is_statement(text: str) -> bool:
    """Return whether a string compares parameters. A specification has a colon before "="."""
    before, equal, _ = text.partition("=")
    compares = (bool(equal) and ":" not in before) or any(sign in text for sign in "<>")
    return compares and not (len(text) < LONGEST_PATH and Path(text).exists())


def _find_values(text: str, limit: int, *, as_json: bool) -> None:
    """List the classes of the atlas for which a statement is true, smallest first."""
    from catalog.refuting import Statement, survey
    from lsclasses.files.tables import label_rows

    statement = Statement(text)
    surveys = list(survey(statement))
    count = sum(each.count("holds") for each in surveys)
    chosen = [
        (found, each.values.flips)
        for each in surveys
        for found in itertools.islice(each.holding(), limit)
    ][:limit]
    if as_json:
        print_json(
            {
                "statement": statement.text,
                "classes": count,
                "points": surveys[-1].points,
                "found": [
                    {
                        "name": found.name if flips else None,
                        "points": found.points,
                        "mask": found.mask,
                        "rows": label_rows(found.table),
                    }
                    for found, flips in chosen
                ],
            }
        )
        return
    symmetric = surveys[0].values.flips
    symmetries = "permutations and flips" if symmetric else "permutations"
    say(
        f"{statement}: true for {plural(count, 'class', 'classes')} on at most "
        f"{plural(surveys[-1].points, 'point')}, up to {symmetries}."
    )
    grid = Grid("name" if symmetric else "mask", "points", "concepts", right=["points"])
    for found, _ in chosen:
        name = found.name if symmetric else str(found.mask)
        grid.add_row(name, str(found.points), " ".join(label_rows(found.table)))
    if chosen:
        print_grid(grid)
    if count > len(chosen):
        say(f"and {count - len(chosen)} more; --limit N lists N of them.")


@_atlas.command()
def sql(
    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION", help="Question in SQL, for example 'select max(ldim) from atlas'."
        ),
    ],
    *,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print all rows as CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Answer an SQL query about the atlas, a table of all small classes.

    An orbit contains all classes that permutations of the points and flips of the labels at points
    turn into each other. The table atlas has one row for each orbit. The column points is the
    number of points, mask is a number that encodes the concepts of one class, and labelled is the
    number of classes in the orbit. The remaining columns are parameters of this class, and bounds
    on the least error and the fewest mistakes of private learners. The query 'describe atlas' lists
    the columns.

    A flip of labels can change some parameters. The table permutations contains these parameters,
    with one row for each set of classes that permutations of the points turn into each other.
    The table private has a row for each class, quantity, size and epsilon. The columns lower and
    upper bound the least expected error (quantity V) or the fewest expected mistakes (quantity M)
    of private learners. The size is the number of rows or rounds. The tables are read-only.
    """
    from catalog.atlas.query import sql as ask

    found = ask(question)
    if found.points < 5:
        note("lsclasses: classes on at most 4 points; 'lsclasses atlas build' adds those on 5.")
    if as_json:
        print_json([dict(zip(found.columns, map(_json, row), strict=True)) for row in found.rows])
        return
    if as_csv:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([found.columns, *map(_cells, found.rows)])
        typer.echo(text.getvalue(), nl=False)
        return
    grid = Grid(*found.columns)
    for row in found.rows[:ROWS]:
        grid.add_row(*_cells(row))
    print_grid(grid)
    if len(found.rows) > ROWS:
        say(f"and {len(found.rows) - ROWS} more rows; --csv prints all.")


def _cells(row: tuple[object, ...]) -> list[str]:
    return [
        " ".join(map(str, cell)) if isinstance(cell, (list, tuple)) else str(cell) for cell in row
    ]


def _json(cell: object) -> object:
    """Return a number, string or list unchanged, and other values as strings."""
    if isinstance(cell, (list, tuple)):
        return [_json(each) for each in cell]
    return cell if cell is None or isinstance(cell, (bool, int, float, str)) else str(cell)


_atlas.command()(structured)
_atlas.command()(sample)


@_atlas.command()
def plot(
    x: Annotated[str, typer.Argument(metavar="COLUMN", help="First column, for example vcdim.")],
    y: Annotated[str, typer.Argument(metavar="COLUMN", help="Second column, for example ldim.")],
    *,
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Write the picture to FILE (.svg, .pdf or .png)."),
        Writes(FIGURE),
    ],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw the joint distribution of two columns of the atlas over all its classes."""
    from catalog.atlas import plot as distribution
    from catalog.atlas import tables
    from catalog.atlas.atlas_plots import pairs
    from lsclasses.figures import save

    save(distribution(x, y), out)
    if as_json:
        found = sorted(pairs(tables(), x, y).items())
        print_json(
            [
                {x: value_json(first), y: value_json(second), "classes": count}
                for (first, second), count in found
            ]
        )


@_atlas.command()
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Name of a class in the atlas, for example 4:1b. 'lsclasses atlas find', "
            "'lsclasses atlas structured' and 'lsclasses dims' print such names.",
        ),
    ],
    *,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write an HTML page with the parameters of the class, their witnesses, "
            "and related classes.",
        ),
        Writes(ATLAS_PAGE),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Show a class of the atlas with its concepts and all its parameters."""
    from catalog.atlas.pages import named, page, stands_for
    from lsclasses.files.tables import label_rows

    found = named(name)
    if html is not None:
        page(found).save(html)
        note(f"Written: {html}")
    rows = label_rows(found.table)
    if as_json:
        values = {key: value_json(value) for key, value in found.quantities.items()}
        own = {"name": found.name, "labelled": found.labelled, "rows": rows, "values": values}
        print_json(own | {"private": _private_json(found)})
        return
    if found.name != name:
        note(
            f"{name} has another least mask up to symmetry: the name of the class is {found.name}."
        )
    say(f"{found.name}: it {stands_for(found)}")
    for row in rows:
        say(row, indent="      ")
    _say_values(found)
