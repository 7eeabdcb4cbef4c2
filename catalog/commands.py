"""``lsclasses catalog``: the named families."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from lsclasses.commands import completion
from lsclasses.commands.application import CLASSES, AsJson, command
from lsclasses.commands.output import print_grid, print_json, say
from lsclasses.commands.tables import Grid

if TYPE_CHECKING:
    from catalog import Fact, Family
    from catalog.fact_checks import Claim
    from lsclasses.bibliography import Work


@command(CLASSES)
def catalog(
    family: Annotated[
        str | None,
        typer.Argument(
            metavar="FAMILY", help="Family to describe.", autocompletion=completion.FAMILY
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the named families of classes, or print all catalog statements about one family."""
    from catalog import families
    from catalog import family as family_of
    from catalog.fact_checks import formula
    from catalog.readable import readable

    if family is None:
        listed = list(families().values())
        if as_json:
            print_json([_family_json(known) for known in listed])
            return
        table = Grid("family", "what it is")
        for known in listed:
            table.add_row(known.usage(), known.title)
        print_grid(table)
        say("\n'lsclasses catalog FAMILY' prints the definition and all statements about a family.")
        return
    known = family_of(family)
    if as_json:
        print_json(_family_json(known))
        return
    say(f"{known.title}\n\n{known.definition}\n\nReference: {known.reference}")
    say(f"Specification: {known.usage()}")
    if known.parameters:
        typer.echo()
        parameters = Grid("parameter", "meaning", "allowed", "default")
        for p in known.parameters:
            default = "required" if p.default is None else str(p.default)
            parameters.add_row(p.name, p.doc, p.allowed, default)
        print_grid(parameters)
    if known.facts:
        say("\nKnown:")
    for fact in known.facts:
        relation = "=" if fact.relation == "==" else fact.relation
        say(f"{fact.quantity} {relation} {formula(fact)}", indent="  ")
        if fact.source:
            say(fact.source, indent="      ")
        if fact.printed:
            say(f"Erratum: {fact.printed_in} prints {readable(fact.printed)}.", indent="      ")
    if works := _works(known):
        say("\nWorks:")
    for work in works:
        say(f"[{work.tag}] {work}", indent="  ")


def _works(family: Family) -> list[Work]:
    """Return the works that the reference and the sources of a family cite."""
    from lsclasses.bibliography import cited

    sources = (f"{fact.source} {fact.printed_in}" for fact in family.facts)
    return list(
        dict.fromkeys(each for text in (family.reference, *sources) for each in cited(text))
    )


def _family_json(family: Family) -> dict[str, object]:
    return {
        "name": family.name,
        "title": family.title,
        "definition": family.definition,
        "reference": family.reference,
        "usage": family.usage(),
        "parameters": [
            {
                "name": p.name,
                "doc": p.doc,
                "allowed": p.allowed,
                "default": None if p.default is None else str(p.default),
            }
            for p in family.parameters
        ],
        "facts": [fact_json(fact) for fact in family.facts],
        "works": {work.tag: str(work) for work in _works(family)},
    }


def fact_json(fact: Fact | Claim) -> dict[str, object]:
    """Return the fields of a fact or a claim that are not empty, as JSON values."""
    return {name: value for name, value in dataclasses.asdict(fact).items() if value != ""}
