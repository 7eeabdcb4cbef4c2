"""Commands that look up models, citations and terms: `card`, `cite` and `explain`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import CardFile
from lsclasses import __version__
from lsclasses.commands.application import READING, TABLES, AsJson, Force, command
from lsclasses.commands.classes import is_file, load
from lsclasses.commands.completion import CLASS, among
from lsclasses.commands.output import print_json, say, without_tex
from lsclasses.errors import LsclassesError
from lsclasses.outputs import Reads

if TYPE_CHECKING:
    from learners.explaining import Explanation

# ---- card


@command(TABLES)
def card(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model that 'lsclasses learn' or 'lsclasses pac' saved.",
        ),
        Reads(),
    ],
    *,
    card: CardFile = None,
    owner: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Person or office that is responsible for the privacy budget of the rows, in your "
            "words.",
        ),
    ] = "",
    use: Annotated[
        str, typer.Option(metavar="TEXT", help="Intended use of the model, in your words.")
    ] = "",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Describe a saved model in plain words and in numbers, with its guarantee and its limits.

    The card contains the rule, the declared columns, the privacy guarantee with its limits, the
    ledger (the list of privacy costs), the effect of the noise on the rule, and your statements
    about owner and use. The command reads only the file of the model, so you may publish the card
    with the model.
    """
    from learners.tables.cards import card as written
    from learners.tables.cards import save_card
    from learners.tables.saved import load_model

    found = load_model(model)
    if card is not None:
        save_card(found, card, owner=owner, use=use)
    if as_json:
        text = written(found, owner=owner, use=use)
        print_json({"card": text, "saved": None if card is None else str(card)})
    elif card is not None:
        typer.echo(f"The card is in {card}.")
    else:
        typer.echo(written(found, owner=owner, use=use), nl=False)


# ---- cite


ERRATUM = ("kind", "where", "printed", "instead", "witness")
"""Fields of an erratum that `cite` prints. docs/errata.md explains the fields."""


def _citable(incomplete: str) -> list[str]:
    from learners.citing import citable

    return citable(incomplete)


@command(READING)
def cite(
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SUBJECT",
            help="A tag such as BLM20, or 'Hanneke and Yang 2015'. A family, or FAMILY.DIMENSION "
            "such as affine.ldim. A statement or erratum such as 'GL21 Lemma 5.3'. A step of an "
            "algorithm, such as 'GL21, Alg 2 line 5'. A dimension such as vcdim. A certificate in "
            "JSON.",
            autocompletion=_citable,
        ),
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Print all cited works.")] = False,
    bibtex: Annotated[bool, typer.Option("--bibtex", help="Print entries for BibTeX.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print how to cite a work, a fact or an erratum of this library, or the library itself.

    For a fact of the catalog, and for a refuted statement of a paper (an erratum), the command also
    recomputes an instance and prints the instance as a witness. For an algorithm of a paper, it
    prints the lines of code that implement the steps of the algorithm.
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
            say(without_tex(str(erratum)))
        if found.witness:
            say(f"Witness: {found.witness}.")
        for each in found.steps:
            say(f"{each.tag}: {each.file}, line {each.line}")
        if found.text and found.works:
            typer.echo()
        for source in found.works:
            say(f"[{source.tag}] {source}")


# ---- explain


def _words() -> list[str]:
    from learners.explaining import words

    return words()


@command(READING)
def explain(
    word: Annotated[
        list[str],
        typer.Argument(
            metavar="WORD",
            help="A dimension such as star_number, a term such as 'version space' or DP, or "
            "a family of classes such as thresholds. The word may also be a verdict such as "
            "vacuous, or the tag of a cited paper such as BLM20.",
            autocompletion=among(_words),
        ),
    ],
    *,
    of: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="SPEC|FILE",
            help="Class for the example. The command prints the value of WORD for this "
            "class, with a proof. WORD must then be a dimension, or a parameter of small classes "
            "such as sign_rank.",
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
    refusal = None
    try:
        found = explained(" ".join(word), of=example)
    except LsclassesError as error:
        # The definition does not depend on the class. An unknown word is refused again.
        refusal, found = error, replace(explained(" ".join(word)), example=())
    _print_explanation(found, as_json=as_json)
    if refusal is not None:
        raise refusal


def _print_explanation(found: Explanation, *, as_json: bool) -> None:
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
