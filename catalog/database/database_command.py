"""The command ``lsclasses database``, which checks the database of combinatorial parameters."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from lsclasses.commands.application import CHECKING, AsJson, Force, command
from lsclasses.commands.certifying import write_files
from lsclasses.commands.output import note, print_json, progress_line, say
from lsclasses.commands.parallel_options import Jobs, make_executor
from lsclasses.files.writing import atomic_write
from lsclasses.outputs import FileFormat, Reads, Writes, json_head, require_folder

REPORT = FileFormat(
    "a report on the database",
    {".md": rb"# Combinatorial Parameters, ", ".json": json_head("lsclasses-database")},
)
PATCH = FileFormat(
    "a patch of the database", {".md": rb"# Corrections to Combinatorial Parameters"}
)


@command(CHECKING)
def database(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="The folder 'data' of a copy of obousquet/Combinatorial-Parameters.",
        ),
        Reads(),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the whole report into this file, as Markdown (.md) or JSON (.json).",
        ),
        Writes(REPORT),
    ] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(
            "--patch",
            metavar="FOLDER",
            help="Write corrected records in the format of the database into this folder, "
            "and a page that states the reason of each correction.",
        ),
        Writes(PATCH, folder=True),
    ] = None,
    jobs: Jobs = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compare the database obousquet/Combinatorial-Parameters with computed values.

    The database states relations between parameters of classes, and values of the parameters for
    families of classes. The command checks the relations on all classes of the atlas and on small
    members of the catalog's families. It checks the values on small members of the database's
    families. A check without a counterexample confirms a statement only on these classes, and does
    not prove the statement. For a relation a >= c*b with a constant c, the command prints the
    largest c that these classes allow. The command lists parameters that this library does not
    compute as not comparable.
    """
    from catalog.database.comparison import compared
    from catalog.database.database_report import (
        PAGE,
        counts,
        coverage,
        coverage_lines,
        data,
        markdown,
        patch,
        status_lines,
        statuses,
    )
    from catalog.database.findings import read_database
    from catalog.refuting.surveying import table_rows

    read = read_database(folder)
    if corrections is not None and not force:
        require_folder(corrections, PAGE, PATCH)
    if broken := [f"{each.file}: {each.problem}" for each in read.records if each.problem]:
        note(f"Not compared, of {len(read.records)} records: {len(broken)}. {'; '.join(broken)}.")
    with make_executor(jobs, None) as executor, progress_line() as show:
        found = list(compared(read, show, executor=executor))
    if output is not None:
        written = json.dumps(data(read, found), indent=1) + "\n"
        atomic_write(output, written if output.suffix.lower() == ".json" else markdown(read, found))
        note(f"Written: {output}")
    if corrections is not None:
        files = patch(read, found)
        write_files({corrections / name: text.encode() for name, text in files.items()})
        note(f"Written: {corrections / PAGE}, corrected records: {len(files) - 1}")
        there = {path.relative_to(corrections).as_posix() for path in corrections.glob("*/*.json")}
        if earlier := sorted(there - set(files)):
            note(f"Of an earlier patch, and not refuted now, so remove: {', '.join(earlier)}.")
    if as_json:
        print_json(data(read, found))
        return
    for kind, here in counts(found).items():
        counted = ", ".join(f"{count} {verdict}" for verdict, count in here.items())
        say(f"{kind}s: {counted}")
    for line in (*status_lines(statuses(read, found)), *coverage_lines(coverage(read, found))):
        say(line)
    for each in found:
        if each.verdict != "refuted":
            continue
        say(f"\n{each.file}: {each.stated}")
        say(f"refuted on {each.failing} of {each.instances} classes; here it is {each.ours}", "  ")
        if each.case is not None:
            name = f"{each.case.name}: " if each.case.name else ""
            say(f"{name}{each.case.left} against {each.case.right}", indent="  ")
            for row in table_rows(each.case.table):
                say(row, indent="      ")
        for remark in each.remarks:
            say(remark, indent="  ")
    reasons = Counter(each.why for each in found if each.verdict == "not comparable")
    if reasons:
        say("\nNot comparable:")
    for why, count in reasons.most_common():
        say(f"{count}: {why}", indent="  ")
