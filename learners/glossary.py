"""The words of the field: a definition, a formula, an example, a source of each.

They stand in ``glossary.toml``; `lsclasses explain` looks them up, and ``python -m
learners.glossary > docs/glossary.md`` writes the page.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Term:
    """A term that is not a dimension.

    Parameters
    ----------
    name : str
    definition : str
        A sentence or two.
    formula : str
    example : tuple of str
        Lines of Python, each with its value behind ``#``, or a command.
    aliases, see : tuple of str
        Other names of it; words to look up next.
    reference : str
        Tags of the bibliography, or authors and a year.
    """

    name: str
    definition: str
    formula: str
    example: tuple[str, ...]
    aliases: tuple[str, ...]
    see: tuple[str, ...]
    reference: str


@cache
def terms() -> dict[str, Term]:
    """The terms in the order of their subjects: classes, learning, privacy.

    Examples
    --------
    >>> terms()["soa"].formula
    'ŷ = the y with the larger Ldim(V|(x, y))'
    """
    found = {}
    for each in _read()["term"]:
        lists = {key: tuple(each[key]) for key in ("example", "aliases", "see")}
        found[each["name"]] = Term(**(each | lists))
    return found


@cache
def other_names() -> dict[str, str]:
    """Terms and dimensions by their other names, in lower case.

    Examples
    --------
    >>> other_names()["vc"], other_names()["dp"]
    ('vcdim', 'differential privacy')
    """
    names: dict[str, str] = _read()["aliases"]
    return names | {alias: term.name for term in terms().values() for alias in term.aliases}


def _read() -> dict[str, Any]:
    text = files("learners").joinpath("glossary.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def page() -> str:
    """The glossary in Markdown."""
    lines = [
        "# Glossary",
        "",
        "The words of the field as this library uses them; `lsclasses explain WORD` prints one, "
        "and explains",
        "[dimensions](dimensions.md), families, verdicts and papers, too. Written by "
        "`python -m learners.glossary`.",
        "",
        "| word | what it means | formula | example | source |",
        "|---|---|---|---|---|",
    ]
    for term in terms().values():
        also = f" (also: {', '.join(term.aliases)})" if term.aliases else ""
        cells = (
            f"**{term.name}**{also}",
            term.definition,
            term.formula,
            "<br>".join(f"`{line}`" for line in term.example),
            term.reference,
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
