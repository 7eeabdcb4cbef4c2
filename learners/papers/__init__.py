"""What the five papers state: a record for every numbered statement, one module a paper.

A check names the statements that it recomputes, wherever it stands (``statements=`` of a
`catalog.verify.Claim`); `learners.papers.coverage` puts both together.
"""

from __future__ import annotations

from learners.papers.bf25 import BF25
from learners.papers.blm20 import BLM20
from learners.papers.gl21 import GL21
from learners.papers.kmmns23 import KMMNS23
from learners.papers.lwy25 import LWY25
from learners.papers.statement import ERRATUM_KINDS, Erratum, ErratumKind, Paper, Statement
from lsclasses.errors import InvalidInput
from lsclasses.points import nearest

__all__ = [
    "ERRATUM_KINDS",
    "PAPERS",
    "STATEMENTS",
    "Erratum",
    "ErratumKind",
    "Paper",
    "Statement",
    "errata",
    "statement",
]

PAPERS: dict[str, Paper] = {paper.tag: paper for paper in (BLM20, GL21, KMMNS23, LWY25, BF25)}
"""The papers by tag."""

STATEMENTS: dict[str, Statement] = {
    record.name: record for paper in PAPERS.values() for record in paper.statements
}
"""All records by name, such as ``BLM20 Lemma 12``."""


def errata(kind: ErratumKind) -> dict[str, tuple[Erratum, ...]]:
    """The errata of a kind, by the name of the statement that they are about.

    Examples
    --------
    >>> [name for name in errata("refuted") if name.startswith("BLM20")]
    ['BLM20 Sec 1, affine subspaces', 'BLM20 Thm 17']
    """
    found = {
        name: tuple(each for each in record.errata if each.kind == kind)
        for name, record in STATEMENTS.items()
    }
    return {name: each for name, each in found.items() if each}


def statement(name: str) -> Statement:
    """The record of a statement.

    Raises
    ------
    InvalidInput
        If there is none of that name.

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
        return STATEMENTS[name]
    except KeyError:
        raise InvalidInput(f"There is no statement {name!r}. {nearest(name, STATEMENTS)}") from None
