"""``lsclasses cite``: how to cite a work, a fact, an erratum, or this library."""

from __future__ import annotations

from typing import Annotated

import typer

from lsclasses import __version__
from lsclasses.commands.application import READING, AsJson, command
from lsclasses.commands.output import print_json, say

ERRATUM = ("kind", "where", "printed", "instead", "witness")
"""The fields of an erratum that `cite` prints; docs/errata.md explains it."""


def _citable(incomplete: str) -> list[str]:
    from learners.citing import citable

    return citable(incomplete)


@command(READING)
def cite(
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TAG|FACT|STATEMENT",
            help="A tag such as BLM20, or 'Hanneke and Yang 2015'; a family, or FAMILY.DIMENSION "
            "such as affine.ldim; a statement or erratum such as 'GL21 Lemma 5.3'; a step of an "
            "algorithm, such as 'GL21, Alg 2 line 5'.",
            autocompletion=_citable,
        ),
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every work that is cited.")] = False,
    bibtex: Annotated[bool, typer.Option("--bibtex", help="Print entries for BibTeX.")] = False,
    as_json: AsJson = False,
) -> None:
    """Tell how to cite a work, a fact or erratum of this library, or the library itself.

    A fact, and what is refuted, comes with a witness: an instance on which it is recomputed now. An
    algorithm of a paper comes with the lines of the code that take its steps.
    """
    from learners.citing import Citation
    from learners.citing import cite as cited
    from lsclasses.bibliography import bibliography

    found = cited(" ".join(name or ()))
    if everything and not name:
        found = Citation("", works=tuple(bibliography().values()))
    if as_json:
        print_json(
            {
                "name": found.name,
                "text": found.text,
                "witness": found.witness,
                "steps": [
                    {"step": each.tag, "file": each.file, "line": each.line} for each in found.steps
                ],
                "version": __version__,
                "errata": [
                    {part: getattr(each, part) for part in ERRATUM} for each in found.errata
                ],
                "works": [{"tag": each.tag, "text": str(each)} for each in found.works],
                "bibtex": found.bibtex(),
            }
        )
    elif bibtex:
        typer.echo(found.bibtex())
    else:
        if found.text:
            say(f"{found.text}. In: lsclasses {__version__}" + f", {found.name}." * bool(name))
        for erratum in found.errata:
            say(str(erratum))
        if found.witness:
            say(f"Witness: {found.witness}.")
        for each in found.steps:
            say(f"{each.tag}: {each.file}, line {each.line}")
        if found.text and found.works:
            typer.echo()
        for source in found.works:
            say(f"[{source.tag}] {source}")
