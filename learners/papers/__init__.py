"""Statements of the five papers: a record for every numbered statement, one TOML file per paper.

The files are read on demand. A check names the statements that it recomputes (``statements=`` of a
`catalog.fact_checks.Claim`). `learners.papers.coverage` combines statements and checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from learners.papers.paper_statements import (
    ERRATUM_KINDS,
    Erratum,
    ErratumKind,
    Paper,
    PaperStatement,
    read,
)
from lsclasses.errors import InvalidInput, nearest

__all__ = [
    "ERRATUM_KINDS",
    "TAGS",
    "Erratum",
    "ErratumKind",
    "Paper",
    "PaperStatement",
    "errata",
    "paper",
    "records",
    "statement",
]

TAGS = ("BLM20", "GL21", "KMMNS23", "LWY25", "BF25")
"""Tags of the papers in the bibliography."""


@cache
def paper(tag: str) -> Paper:
    """Return the records of all statements of a paper.

    Raises
    ------
    InvalidInput
        If no paper has this tag.

    Examples
    --------
    >>> [each.name for each in paper("BF25").statements][-2:]
    ['BF25 Cor A.8', 'BF25 Prop A.9']
    """
    if tag not in TAGS:
        raise InvalidInput(f"There is no paper {tag!r}. {nearest(tag, TAGS)}")
    return read(Path(__file__).with_name(f"{tag.lower()}.toml"))


@cache
def records() -> Mapping[str, PaperStatement]:
    """Return all records by name, such as ``BLM20 Lemma 12``."""
    return {record.name: record for tag in TAGS for record in paper(tag).statements}


def errata(kind: ErratumKind) -> dict[str, tuple[Erratum, ...]]:
    """Return the errata of a type, by the name of their statement.

    Examples
    --------
    >>> for name in errata("refuted"):
    ...     if name.startswith("BLM20"): print(name)
    BLM20 Sec 1, affine subspaces
    BLM20 Sec 1.1, agnostic sample complexity
    BLM20 Thm 17
    """
    found = {
        name: tuple(each for each in record.errata if each.kind == kind)
        for name, record in records().items()
    }
    return {name: each for name, each in found.items() if each}


def statement(name: str) -> PaperStatement:
    """Return the record of one statement of a paper.

    Raises
    ------
    InvalidInput
        If no statement has this name.

    Examples
    --------
    >>> statement("GL21 Lemma 5.2").title
    'McDiarmid without replacement'
    >>> statement("GL21 Lemma 5.1")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: There is no statement 'GL21 Lemma 5.1'. ...
    """
    try:
        return records()[name]
    except KeyError:
        raise InvalidInput(f"There is no statement {name!r}. {nearest(name, records())}") from None
