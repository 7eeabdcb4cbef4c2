"""``lsclasses explain``: what a word of the library means."""

from __future__ import annotations

from typing import Annotated

import typer

from lsclasses.commands.application import READING, AsJson, command
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.completion import CLASS, among
from lsclasses.commands.output import print_json, say
from lsclasses.outputs import Reads


def _words() -> list[str]:
    from learners.explaining import words

    return words()


@command(READING)
def explain(
    word: Annotated[
        list[str],
        typer.Argument(
            metavar="WORD",
            help="A dimension such as star_number, a term such as 'version space' or DP, a verdict "
            "such as vacuous, a tag such as BLM20, or a family such as thresholds.",
            autocompletion=among(_words),
        ),
    ],
    *,
    of: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="SPEC|FILE",
            help="The class whose value, and what shows it, is the example of a dimension or a "
            "parameter of small classes.",
            autocompletion=CLASS,
        ),
        Reads(),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain a dimension, a term, a verdict, a tag or a family, with an example and references."""
    from learners.explaining import Example
    from learners.explaining import explain as explained

    example = None
    if of is not None:
        made = "Table.load" if is_file(of) else "catalog.build"
        example = Example(f'{made}("{of}")', load(of))
    found = explained(" ".join(word), of=example)
    if as_json:
        print_json(
            {
                "name": found.name,
                "kind": found.kind,
                "definition": found.definition,
                "meaning": found.meaning,
                "example": list(found.example),
                "related": list(found.related),
                "works": {each.tag: str(each) for each in found.works},
            }
        )
        return
    say(f"{found.name}: {found.kind}\n\n{found.definition}")
    if found.meaning:
        say(f"\n{found.meaning}")
    for head, lines in (
        ("Example", found.example),
        ("Related", found.related),
        ("Works", tuple(f"[{each.tag}] {each}" for each in found.works)),
    ):
        if lines:
            say(f"\n{head}:")
        for line in lines:
            say(line, indent="  ")
