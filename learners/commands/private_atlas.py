"""``lsclasses private-atlas``: the values of the best private learners of all small classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands.application import LEARNING, AsJson, Commands, Force, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import note, print_grid, print_json, progress_line, say
from lsclasses.commands.parallel_options import Dask, Jobs, make_executor
from lsclasses.commands.tables import Grid
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.files.writing import atomic_write
from lsclasses.numbers import format_number, plural
from lsclasses.outputs import FileFormat, Reads, Writes

if TYPE_CHECKING:
    from learners.private_atlas.computation import Task
    from learners.private_atlas.ratios import LearnerRatio

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
        help="Quantities, separated by commas. V1 is the least expected error from 1 "
        "row, and M2 is the fewest expected mistakes in 2 rounds, both for epsilon 1. The "
        "default is all quantities.",
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
        task
        for task in tasks()
        if f"{task.quantity}{task.size}" in chosen and task.points <= points
    ]


@_private_atlas.command()
def build(
    folder: Annotated[
        Path,
        typer.Option(
            "--certificates",
            metavar="FOLDER",
            help="Folder of the certificates. The command keeps existing certificates in the "
            "folder, so a new call continues an interrupted build.",
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
    """Compute the least error and the fewest mistakes of private learners on all small classes.

    A value is the least expected error or the fewest expected mistakes of any private learner on a
    class. Each value has a certificate of a lower and an upper bound. The command omits values
    whose linear program is too large.
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
        Path,
        typer.Argument(metavar="FOLDER", help="Folder that 'private-atlas build' wrote."),
        Reads(),
    ],
    *,
    quantities: Quantities = None,
    points: Points = 5,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Check all certificates of a folder, and compare the proved bounds with the stored values.

    The library contains stored values of the least error and the fewest mistakes of private
    learners.

    The check computes with integers and uses no solver of linear programs.
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


@_private_atlas.command()
def findings(
    column: Annotated[
        str,
        typer.Argument(
            metavar="COLUMN",
            help="Value to compare, such as V2 (the least expected error from 2 rows, for "
            "epsilon 1) or M2_half (the fewest expected mistakes in 2 rounds, for epsilon 1/2).",
        ),
    ],
    *,
    points: Annotated[
        int, typer.Option(metavar="INTEGER", min=1, max=4, help="Number of points of the classes.")
    ] = 4,
    as_json: AsJson = False,
) -> None:
    """Compare the least error or mistakes of private learners with the parameters of the classes.

    The value of a class is the least expected error, or the fewest expected mistakes, of any
    private learner on the class. The command prints the rank correlation of the value with some
    parameters. For each parameter, it counts the pairs of classes in which the class with the
    smaller parameter has the larger value. It also prints pairs of classes with equal dimensions
    and different values, and the least and the largest value for each number of concepts. Only
    bounds on the values are known. So one value counts as larger than a second value only if its
    lower bound exceeds the upper bound of the second value.
    """
    from catalog.atlas.private_values import private_column
    from learners.private_atlas import value_comparisons as facts

    chosen = private_column(column)
    found = facts.valued(chosen, (points,))
    if len(found) < 2:
        raise InvalidInput(
            f"The installed file must have {column} of at least two classes on "
            f"{plural(points, 'point')}. 'lsclasses private-atlas build' computes these values."
        )
    related = facts.correlations(found)
    contrary = {name: facts.reversed_pairs(found, name) for name in facts.PREDICTORS}
    pairs = sorted(facts.equal_parameters(found), key=lambda pair: -pair.gap)
    cube = facts.equals_cube(found, chosen.size) if chosen.quantity == "V" else None
    extremes = list(facts.extremes(found))
    if as_json:
        print_json(
            {
                "column": column,
                "classes": len(found),
                "correlations": {name: round(value, 6) for name, value in related.items()},
                "reversed": {name: count for name, (_, count) in contrary.items()},
                "equal": [
                    {
                        "classes": [pair.first.known.name, pair.second.known.name],
                        "gap": str(pair.gap),
                    }
                    for pair in pairs[:MOST_LISTED]
                ],
                "pairs of equal dimensions": len(pairs),
                "cube": cube,
                "extremes": [
                    {
                        "concepts": each.concepts,
                        "least": each.least.known.name,
                        "largest": each.largest.known.name,
                    }
                    for each in extremes
                ],
            }
        )
        return
    say(f"{chosen.title}: {len(found)} classes on {plural(points, 'point')}\n")
    grid = Grid("parameter", "rank correlation", "pairs", "reversed", right=["pairs", "reversed"])
    for name, value in related.items():
        different, count = contrary[name]
        grid.add_row(name, f"{value:.3f}", str(different), str(count))
    print_grid(grid)
    if pairs:
        pair = pairs[0]
        say(
            f"\n{len(pairs)} pairs have equal dimensions and different values. The largest "
            f"difference is at least {format_number(pair.gap, 3, down=True)}: "
            f"{pair.first.known.name} has {pair.first.value}, {pair.second.known.name} has "
            f"{pair.second.value}."
        )
    else:
        say("\nNo pair has equal dimensions and different values.")
    if cube is not None:
        uniform, overlapping, others = cube
        say(
            f"{uniform} classes have a distribution of concepts that is uniform on every "
            f"{chosen.size + 1} points. The bounds of {overlapping} of them, and of {others} other "
            "classes, overlap the bounds of the class of all labellings."
        )
    say("\nLeast and largest value by the number of concepts:")
    grid = Grid("concepts", "least", "of", "largest", "of", right=["concepts"])
    for each in extremes:
        least, most = each.least, each.largest
        grid.add_row(
            str(each.concepts),
            str(least.value),
            least.known.name,
            str(most.value),
            most.known.name,
        )
    print_grid(grid)


@_private_atlas.command()
def ratios(
    source: OneClass,
    *,
    epsilon: Annotated[
        str, typer.Option(metavar="FRACTION", help="Epsilon of all learners.")
    ] = "1",
    rows: Annotated[
        int, typer.Option(metavar="INTEGER", min=0, max=4, help="Largest number of rows.")
    ] = 3,
    rounds: Annotated[
        int, typer.Option(metavar="INTEGER", min=0, max=3, help="Largest number of rounds.")
    ] = 2,
    as_json: AsJson = False,
) -> None:
    """Compare the exact error or mistakes of all private learners with the least possible number.

    The error of a learner is its largest expected error over all concepts and distributions of
    points. The mistakes of a learner are its largest expected mistakes over all streams that are
    fixed in advance and labelled by a concept. The optimum is the least error, or the least number
    of mistakes, of any private learner with delta 0. The last column is the learner's number
    divided by the optimum. Some learners have a delta of 10^-6, so their guarantee is weaker than
    the guarantee of the optimum.
    """
    from learners.private_atlas.ratios import ratios as compared
    from lsclasses.numbers import as_printed

    C = load(source)
    with progress_line() as show:
        show("exact distributions ...")
        found = list(
            compared(
                C,
                as_printed(epsilon, "epsilon"),
                tuple(range(1, rows + 1)),
                tuple(range(1, rounds + 1)),
            )
        )
    found.sort(key=lambda each: (each.game, each.size, each.ratio or float("inf")))
    if as_json:
        print_json([_ratio_json(each) for each in found])
        return
    grid = Grid("game", "rows or rounds", "learner", "exact", "optimum", "ratio")
    for each in found:
        if each.value is not None and each.ratio is not None:
            grid.add_row(
                *(each.game, str(each.size), each.learner),
                *(f"{each.value:.4f}", f"{float(each.optimum.middle):.4f}", f"{each.ratio:.3f}"),
            )
    print_grid(grid)
    for name, remark in {each.learner: each.remark for each in found if each.remark}.items():
        say(f"not run: {name}: {remark}.", indent="  ")


def _ratio_json(each: LearnerRatio) -> dict[str, object]:
    return {
        "game": each.game,
        "size": each.size,
        "learner": each.learner,
        "value": each.value,
        "lower": str(each.optimum.lower),
        "upper": str(each.optimum.upper),
        "ratio": each.ratio,
        "remark": each.remark,
    }
