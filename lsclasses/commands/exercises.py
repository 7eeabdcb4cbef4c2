"""``lsclasses exercises``: a sheet of exercises about a class, with computed solutions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lsclasses.commands.application import TEACHING, AsJson, Force, OneClass, command
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.output import note, print_json, say
from lsclasses.concept_class import generator
from lsclasses.exercises import TOPICS, class_table, exercises, shuffled
from lsclasses.files.writing import write_all
from lsclasses.outputs import Writes
from lsclasses.pages.exercise_sheet import SHEET, sheet_document, sheet_text


@command(TEACHING)
def exercise_sheet(
    source: OneClass,
    *,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the questions to FILE, HTML or LaTeX."),
        Writes(SHEET),
    ] = None,
    solutions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the questions with their solutions to FILE, HTML or LaTeX."
        ),
        Writes(SHEET),
    ] = None,
    topics: Annotated[
        str,
        typer.Option(metavar="NAMES", help=f"Topics of the exercises: {', '.join(TOPICS)}."),
    ] = ",".join(TOPICS),
    count: Annotated[
        int, typer.Option(metavar="INTEGER", min=1, help="Number of exercises per topic.")
    ] = 1,
    seed: Annotated[
        int,
        typer.Option(metavar="INTEGER", min=0, help="Seed that chooses points, labels and trees."),
    ] = 0,
    shuffle: Annotated[
        bool,
        typer.Option(
            "--shuffle",
            help="Permute the points and flip the labels at some points, as the seed "
            "determines. The Littlestone and VC dimensions do not change.",
        ),
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a sheet of exercises about a class, with computed solutions.

    The exercises ask for shattered sets, shattered trees, a run of the Standard Optimal Algorithm
    (SOA) and the moves of the optimal adversary. The names of the files of --sheet and --solutions
    end in .html, .htm or .tex. Without --sheet and --solutions, the command prints the questions.
    Another --seed gives other exercises. With --shuffle, the seed also changes the class.
    """
    C = load(source)
    rng = generator(seed)
    if shuffle:
        C = shuffled(C, rng=rng)
    chosen = [name.strip() for name in topics.split(",")]
    found = exercises(C, topics=chosen, count=count, rng=rng)
    shown = Path(source).name if is_file(source) else source
    name = f"{shown}{', shuffled' if shuffle else ''}, seed {seed}"
    files = {
        path: sheet_document(C, found, name=name, solutions=solved, form=path.suffix.lower())
        for path, solved in ((sheet, False), (solutions, True))
        if path is not None
    }
    write_all(files.items())
    for path in files:
        note(f"Written: {path}")
    if as_json:
        print_json(
            {
                "class": source,
                "seed": seed,
                "table": str(class_table(C)),
                "exercises": [
                    {
                        "topic": each.topic,
                        "title": each.title,
                        "question": list(map(str, each.question)),
                        "solution": list(map(str, each.solution)),
                    }
                    for each in found
                ],
            }
        )
    elif not files:
        say(f"The class C is {name}:\n\n{class_table(C)}\n\n{sheet_text(found)}")
