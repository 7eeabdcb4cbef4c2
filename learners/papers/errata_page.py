"""What is said against the papers, for people: the parts of ``docs/errata.md`` that records give.

The page says in between what belongs to no statement, such as what earlier versions said.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from learners.papers import TAGS, paper, records
from learners.papers.marks import marked
from learners.papers.statement import ERRATUM_KINDS, Erratum, ErratumKind, Paper

HEADINGS: dict[ErratumKind, str] = {"gap in a proof": "gaps in proofs"}
"""The kinds whose headings are other words."""

WIDTH = 140


def written(page: str) -> str:
    """The page with its parts anew, each between its marks."""
    for name, text in parts().items():
        page = marked(page, name, text)
    return page


def parts() -> dict[str, str]:
    """The parts by name: all papers, and the notes on the text at hand."""
    papers = (each for tag in TAGS for each in _section(paper(tag)))
    notes = (
        f"* **[{record.paper}, {record.number}]**: {note}"
        for record in records().values()
        for note in record.notes
    )
    return {"papers": "\n\n".join(papers), "notes": "\n".join(map(_filled, notes))}


def _section(about: Paper) -> Iterator[str]:
    """The section of a paper, the gravest errata first."""
    yield f"## [{about.tag}]: {about.work.title}"
    if about.introduction:
        yield _markdown(about.introduction)
    for kind in ERRATUM_KINDS:
        errata = [e for statement in about.statements for e in statement.errata if e.kind == kind]
        if errata:
            yield f"### {about.tag}: {HEADINGS.get(kind, kind)}"
            yield from map(_entry, errata)
    for remark in about.remarks:
        yield f"### {about.tag}: {remark.heading}"
        yield _markdown(remark.text)


def _entry(erratum: Erratum) -> str:
    """The entry of an erratum: its place, the quoted words, and the correction."""
    said = erratum.explained or f": {erratum.instead}."
    goes_on = said.startswith((",", ":"))
    stop = "" if goes_on or erratum.printed.endswith(".") else "."
    between = stop if goes_on else f"{stop} "
    return _markdown(f'**{erratum.where}**: "{erratum.printed}"{between}{said}')


def _markdown(text: str) -> str:
    """Paragraphs and lists filled; examples as they are."""
    blocks = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    filled = (block if block.startswith("```") else _paragraphs(block) for block in blocks)
    return "\n\n".join(filter(None, filled))


def _paragraphs(text: str) -> str:
    paragraphs = re.split(r"\n\s*\n", text.strip())
    items = (re.split(r"^(?=\* )", each, flags=re.MULTILINE) for each in paragraphs)
    return "\n\n".join("\n".join(map(_filled, filter(None, each))) for each in items)


def _filled(text: str) -> str:
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        subsequent_indent="  " * text.startswith("* "),
        break_long_words=False,
        break_on_hyphens=False,
    )
