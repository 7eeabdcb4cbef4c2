"""``lsclasses refute``: a small class for which a statement is false."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lsclasses.commands.application import CHECKING, AsJson, Force, command, read_seconds
from lsclasses.commands.certifying import CERTIFICATES, KINDS, certificate_paths, certify
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
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.files.writing import make_folder
from lsclasses.numbers import plural
from lsclasses.outputs import FileFormat, Writes, json_head, require_output

if TYPE_CHECKING:
    from catalog.refuting import Refutation, Statement, Survey
    from catalog.refuting.hunt import EvaluatedClass
    from catalog.refuting.surveying import Found, Truth
    from lsclasses.table import Table

SECONDS = "10"
"""Default of the option --seconds."""
STEM = "counterexample"
"""Name of the files of a counterexample, without suffix."""
TABLE = FileFormat("a class", {".json": json_head("lsclasses-table")})
REMARKS: dict[Truth, str] = {
    "not met": "the condition is not met",
    "no value": "a side has no value, as for a division by 0 or an unknown entry",
    "undecided": "a side is too large to be computed, or the known bounds overlap",
}
"""Reasons why a statement is neither true nor false for a class, by outcome."""


@command(CHECKING)
def refute(
    statement: Annotated[
        str,
        typer.Argument(
            metavar="STATEMENT",
            help="Statement that compares formulas in parameters by <= >= < > == or !=, such as "
            "\"vcdim >= recursive_teaching_dim\". The word 'and' joins comparisons. A condition "
            "may follow the word 'when', such as \"... when vcdim <= 1\". Statements may also "
            "construct classes, such as 'ldim(union(C, D)) <= ldim(C) + ldim(D) + 1'. They may "
            "contain unknown constants, such as c and d in 'ldim <= c*vcdim + d'.",
        ),
    ],
    *,
    seconds: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION",
            help="Time limit for the search beyond the atlas, in seconds. The default is "
            f"{SECONDS}. 0 omits this search.",
        ),
    ] = None,
    until_seconds: Annotated[
        str | None,
        typer.Option(
            metavar="FRACTION",
            help="Like --seconds, but the search does not stop at the first counterexample. It "
            "continues for the whole time, to find a smaller counterexample.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random tables.")] = 0,
    every: Annotated[
        bool, typer.Option("--all", help="List all counterexamples of the atlas.")
    ] = False,
    tight: Annotated[
        bool,
        typer.Option("--tight", help="List the classes of the atlas where both sides are equal."),
    ] = False,
    table: Annotated[
        bool,
        typer.Option(
            "--table",
            help="Print how often each difference between the two sides occurs on the "
            "classes of the atlas.",
        ),
    ] = False,
    limit: Annotated[
        int, typer.Option(metavar="INTEGER", min=1, help="Largest number of classes in a list.")
    ] = 20,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the counterexample into this folder. If 'lsclasses dims' can write "
            "certificates of the dimensions in the statement, also write these certificates.",
        ),
        Writes(CERTIFICATES, folder=True),
    ] = None,
    jobs: Jobs = None,
    dask: Dask = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Search for a small class for which a statement about dimensions is false.

    The search first visits every class of the atlas of small classes. Then it visits members of the
    catalog's families, and classes constructed from these members. Then it visits generated tables
    until the time is up. The command prints a small counterexample. If the atlas contains
    counterexamples, the command prints the smallest counterexample of the atlas.

    Formulas may contain parameters of a class, size (number of concepts), points (number of
    points), integers, + - * / **, log2, floor, ceil, min and max. The command computes formulas
    exactly. It also accepts usual abbreviations of dimensions, such as RTD and VCdim. A parameter
    may refer to a constructed class: union, intersection, symmetric_difference, product,
    disjoint_union, lexicographic_sum, dual, complement, doubled (every point twice), majority (all
    majority votes of three concepts), or restrict(C, x, 0) after 'forall x:' or 'exists x:'. A
    statement may also be of the form 'vcdim is monotone under sub-classes'. If a statement ends
    with 'for every k', the command checks the numbers k from 0 to the number of points. It omits a
    number k for which a side has no value. A statement may contain unknown constants, named by one
    letter, such as c and d in 'ldim <= c*vcdim + d'. The command computes the least constants for
    which the statement holds on all visited classes. For two constants, it prints pairs of values.
    In each pair, one value can be lowered only if the other value is raised.
    """
    from catalog.refuting import Statement
    from catalog.refuting import refute as search
    from catalog.refuting.answers import answer_constants, answer_joint
    from catalog.refuting.joint import is_joint
    from catalog.refuting.open_constants import constants_in
    from catalog.refuting.statement import with_registered_names

    statement = with_registered_names(" ".join(statement.split()))
    allowed = _allowed_seconds(seconds, until_seconds)
    joint = is_joint(statement)
    if joint or constants_in(statement):
        of_one_class = {
            "--all": every,
            "--tight": tight,
            "--table": table,
            "--certificate": certificate,
            "--until-seconds": until_seconds,
            "--jobs": jobs,
            "--dask": dask,
        }
        _require_none(of_one_class, statement)
        if joint:
            answer_joint(statement, allowed, seed, as_json=as_json)
        else:
            answer_constants(statement, allowed, as_json=as_json)
        return
    asked = Statement(statement)
    if table:
        _require_one_comparison(asked)
    paths = {} if certificate is None else _paths(certificate, asked.names, force=force)
    start = time.perf_counter()
    with make_executor(jobs, dask) as executor, progress_line() as show:
        thorough = until_seconds is not None
        found = search(
            asked, seconds=allowed, seed=seed, thorough=thorough, executor=executor, show=show
        )
    taken = time.perf_counter() - start
    result = _summary(found, taken)
    wanted = [key for key, chosen in (("failing", every), ("equal", tight)) if chosen]
    lists = {key: list(itertools.islice(_listed(found, key), limit)) for key in wanted}
    if not as_json:
        _say(found, taken)
        for key, classes in lists.items():
            _say_list(found, key, classes)
        if table:
            _print_differences(found)
    result |= {key: [_found_json(each) for each in classes] for key, classes in lists.items()}
    if table:
        result["differences"] = _differences_json(found)
    if found.counterexample is not None:
        witnesses = _witnesses(found.counterexample)
        as_data = {name: each.to_json() for name, each in witnesses.items()}
        result["counterexample"]["witnesses"] = as_data
        if not as_json:
            for each in witnesses.values():
                say(str(each), indent="  ")
        if paths:
            result["files"] = _write(found.counterexample.table, paths)
    if as_json:
        print_json(result)


def _allowed_seconds(seconds: str | None, until_seconds: str | None) -> float:
    """Return the time for the search beyond the atlas. Unlike other times, it may be 0."""
    if seconds is not None and until_seconds is not None:
        raise InvalidInput(
            "--until-seconds takes the place of --seconds: give one of them. "
            f"Got {until_seconds} and {seconds}."
        )
    if until_seconds is not None:
        given, option = until_seconds, "--until-seconds"
    else:
        given, option = SECONDS if seconds is None else seconds, "--seconds"
    return 0.0 if given.strip() == "0" else read_seconds(given, option)


def _require_one_comparison(asked: Statement) -> None:
    """Refuse a table of differences for several comparisons."""
    if asked.joined:
        raise InvalidInput(f"--table compares the two sides of one comparison. Got {asked.text!r}.")


def _require_none(options: Mapping[str, object], statement: str) -> None:
    """Refuse options that only a statement about the parameters of one class has."""
    if given := [name for name, value in options.items() if value]:
        raise InvalidInput(
            f"{given[0]} is for statements about the parameters of one class, without "
            f"constants. Got {statement!r}."
        )


# ---- in words


def _say(found: Refutation, seconds: float) -> None:
    from catalog.refuting.surveying import lines_with_points

    statement, trial = found.statement, found.counterexample
    if trial is None:
        say(f"{statement}: {_without_counterexample(found)}.")
        say(_searched(found), indent="  ")
        for each in found.proved():
            say(f"Proved in lsclasses: {each}.", indent="  ")
    else:
        assert trial.sides is not None
        name, atlas = found.class_name(), found.atlas_name()
        if name and not name.startswith("part of "):
            name = f"isomorphic to {name}"
        name = f"{name}: " if name else ""
        in_atlas = f"; {atlas} in the atlas" if atlas else ""
        say(f"{statement} is false: {trial.sides.left} against {trial.sides.right}.")
        counted = f"{plural(len(trial.table), 'concept')} on "
        counted += plural(len(trial.table.points), "point")
        say(f"{name}{counted}{in_atlas}{_smallest(found)}", "  ")
        for line in lines_with_points(trial.table):
            say(line, indent="    ")
        values = (f"{name} {value_text(value)}" for name, value in trial.values.items())
        say("; ".join(values), indent="  ")
    for line in _remarks(found):
        say(line, indent="  ")
    say(f"{seconds:.1f} s", indent="  ")


def _without_counterexample(found: Refutation) -> str:
    if found.is_incomplete:
        return "no counterexample found in an incomplete search"
    return "no counterexample" if found.decided else "not decided on any class"


def _smallest(found: Refutation) -> str:
    if found.in_atlas:
        smaller = "No class on fewer points, or with fewer concepts on as many points"
        return f". {smaller}, is a counterexample"
    return ". It needs every point and every concept"


def _symmetries(found: Refutation) -> str:
    flips = all(each.values.flips for each in found.surveys)
    return "up to permutations of the points" + " and flips of labels" * flips


def _searched(found: Refutation) -> str:
    others = f"{found.others} others"
    if found.others:
        members = f"{plural(found.hunt.members, 'member')} of the catalog and their constructions"
        if found.statement.has_private_values:
            members = f"{found.hunt.members} classes of the private atlas and the catalog"
        others += f": {members}, {plural(found.hunt.tables, 'table')}"
    start = "None among" if found.decided else "The search visited"
    return (
        f"{start} all {found.classes} classes on at most {plural(found.points, 'point')} "
        f"({_symmetries(found)}) and {others}."
    )


def _remarks(found: Refutation) -> Iterable[str]:
    """Yield further remarks on the search."""
    fails = {each.points: each.count("fails") for each in found.surveys}
    if any(fails.values()):
        counts = ", ".join(
            f"{count} on {plural(n, 'point')}" for n, count in fails.items() if count
        )
        yield (
            f"It is false for {sum(fails.values())} of all {found.classes} classes on at most "
            f"{plural(found.points, 'point')} ({_symmetries(found)}): {counts}."
        )
    if changed := found.statement.flips_change:
        yield f"Flips of labels change {', '.join(changed)}, so the search uses permutations only."
    for outcome, why in REMARKS.items():
        count = sum(each.count(outcome) for each in found.surveys)
        if count:
            decided = "" if outcome == "not met" else ", so it is neither true nor false for them"
            of = f"{count} of the" if count < found.classes else "all"
            atlas = f" classes on at most {plural(found.points, 'point')}"
            yield f"On {of} {found.classes}{atlas} {why}{decided}."
    if found.profile is not None and found.counterexample is None:
        open_ = found.profile.survey.count("no value", "undecided")
        but = f". On {open_} of them a side has no value or is too large" if open_ else ""
        yield f"None among {found.profile}{but}."
    if found.hunt.undecided:
        yield (
            f"{plural(found.hunt.undecided, 'other')} could not be decided, since a side has no "
            "value or was not computed in time: not counted above."
        )
    if found.is_incomplete:
        yield "The time was over before all classes of the catalog had been tried."


def _listed(found: Refutation, key: str) -> Iterable[Found]:
    for each in found.surveys:
        yield from each.failures() if key == "failing" else each.equalities()


def _counted(each: Survey, key: str) -> int:
    return each.count("fails") if key == "failing" else each.equal


def _say_list(found: Refutation, key: str, classes: list[Found]) -> None:
    from catalog.refuting.surveying import table_rows

    count = sum(_counted(each, key) for each in found.surveys)
    what = "it is false" if key == "failing" else "both sides are equal"
    say(f"\nClasses of the atlas on which {what}: {count}")
    if not classes:
        return
    grid = Grid("points", "mask", "left", "right", "concepts", right=["points", "mask"])
    for each in classes:
        rows = " ".join(table_rows(each.table))
        grid.add_row(
            str(each.points), str(each.mask), str(each.sides.left), str(each.sides.right), rows
        )
    print_grid(grid)
    if count > len(classes):
        say(f"and {count - len(classes)} more; --limit N lists N of them.")


def _print_differences(found: Refutation) -> None:
    from catalog.refuting.surveying import table_rows

    say("\nDifferences of the two sides:")
    grid = Grid(
        *("points", "right - left", "classes", "first mask", "its concepts"),
        right=["points", "classes", "first mask"],
        grouped=True,
    )
    for each in found.surveys:
        for difference, count, first in each.differences():
            rows = " ".join(table_rows(first.table))
            grid.add_row(str(each.points), str(difference), str(count), str(first.mask), rows)
    print_grid(grid)


# ---- as data


def _differences_json(found: Refutation) -> list[dict[str, Any]]:
    return [
        {"points": each.points, "difference": str(gap), "classes": count}
        | {"first": _found_json(first)}
        for each in found.surveys
        for gap, count, first in each.differences()
    ]


def _summary(found: Refutation, seconds: float) -> dict[str, Any]:
    trial = found.counterexample
    return {
        "statement": found.statement.text,
        "parameters": list(found.statement.names),
        "answer": "no counterexample" if trial is None else "counterexample",
        "counterexample": None if trial is None else _trial_json(found, trial),
        "all": [
            {
                "points": each.points,
                "classes": len(each.values),
                "up to flips": each.values.flips,
                "true": each.count("holds"),
                "equal": each.equal,
                "false": each.count("fails"),
                "condition not met": each.count("not met"),
                "no value": each.count("no value"),
                "undecided": each.count("undecided"),
            }
            for each in found.surveys
        ],
        "proved": [str(each) for each in found.proved()] if trial is None else [],
        "profile": None if found.profile is None else found.profile.to_json(),
        "others": {
            "members": found.hunt.members,
            "tables": found.hunt.tables,
            "undecided": found.hunt.undecided,
            "complete": found.hunt.complete,
        },
        "seconds": round(seconds, 6),
    }


def _trial_json(found: Refutation, trial: EvaluatedClass) -> dict[str, object]:
    from lsclasses.files.tables import label_rows

    assert trial.sides is not None
    return {
        "name": found.class_name() or None,
        "atlas": found.atlas_name(),
        "smallest": found.in_atlas,
        "size": len(trial.table),
        "domain": len(trial.table.points),
        "labels": label_rows(trial.table),
        "left": str(trial.sides.left),
        "right": str(trial.sides.right),
        "values": {name: value_json(value) for name, value in trial.values.items()},
    }


def _found_json(each: Found) -> dict[str, object]:
    return {
        "points": each.points,
        "mask": each.mask,
        "left": str(each.sides.left),
        "right": str(each.sides.right),
    }


# ---- evidence


def _witnesses(trial: EvaluatedClass) -> dict[str, Any]:
    """Return the witnesses that the parameters of a class are not smaller, if available."""
    from lsclasses.dimensions import DIMENSIONS

    found = {}
    for name in trial.values:
        if name not in DIMENSIONS or DIMENSIONS[name].evidence is None:
            continue
        try:
            found[name] = trial.table.witness(name)
        except (InvalidInput, TooLarge) as error:
            note(f"lsclasses: no witness of {name}: {error}")
    return found


def _paths(folder: Path, names: Iterable[str], *, force: bool) -> dict[str, Path]:
    """Return the paths of the class and its certificates, checked before the search."""
    about = [name for name in names if name in KINDS]
    table = folder / f"{STEM}.json"
    if folder.exists():
        require_output(table, TABLE, "--certificate", [], force=force)
    proofs = certificate_paths(folder, [STEM], about, force=force)[STEM] if about else {}
    return {"table": table, **proofs}


def _write(table: Table, paths: dict[str, Path]) -> list[str]:
    from lsclasses.limits import Limit

    make_folder(paths["table"].parent)
    table.save(paths["table"])
    note(f"Written: {paths['table']}")
    proofs = certify(table, {n: path for n, path in paths.items() if n != "table"}, Limit())
    return [str(paths["table"]), *map(str, proofs.files)]
