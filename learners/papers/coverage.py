"""Which of the papers' statements are recomputed, and by what: records and checks put together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal, get_args

from catalog.verify import Check, formula
from catalog.verify import checks as facts
from learners.papers import TAGS, Paper, Statement, paper, records
from learners.papers.statement import EXPLICIT
from learners.verify import checks as claims
from lsclasses.bibliography import listed

Status = Literal["checked", "not decidable", "not built yet"]
"""What is known of a statement: some check recomputes it, no finite instance decides it, or neither
of both, yet."""

STATUSES: tuple[Status, ...] = get_args(Status)


@cache
def recomputed() -> dict[str, tuple[str, ...]]:
    """What `lsclasses verify` recomputes of each statement, in words, by the statement's name.

    Examples
    --------
    >>> recomputed()["KMMNS23 Thm E.1"]
    ('coin-game: best P[reward > x] <= exp(-x/6 + 3 (budget + 1))',)
    """
    found: dict[str, dict[str, None]] = {}
    work: Iterable[Check] = [*facts(), *claims()]
    for check in work:
        for claim in check.claims:
            for name in claim.statements:
                words = f"{check.topic}: {claim.quantity} {claim.relation} {formula(claim)}"
                found.setdefault(name, {})[words] = None
    return {name: tuple(words) for name, words in found.items()}


def status(statement: Statement) -> Status:
    """What is known of a statement; it follows from the record and the checks.

    Examples
    --------
    >>> [status(records()[name]) for name in ("KMMNS23 Thm E.1", "BLM20 Thm 3")]
    ['checked', 'not decidable']
    """
    if statement.name in recomputed():
        return "checked"
    return "not decidable" if statement.undecidable else "not built yet"


def counts(statements: Iterable[Statement]) -> dict[Status, int]:
    """How many of the numbered statements have each status.

    Examples
    --------
    >>> counts(paper("BLM20").statements)
    {'checked': 15, 'not decidable': 2, 'not built yet': 0}
    """
    found = [status(each) for each in statements if each.numbered]
    return {kind: found.count(kind) for kind in STATUSES}


def page() -> str:
    """The page ``docs/coverage.md``."""
    lines = [
        "# What of the papers is recomputed",
        "",
        "Every numbered statement of the five papers has a record "
        "([`learners/papers/`](../learners/papers/)), in the words of this project. A statement is "
        "*checked* if some check of `lsclasses verify` recomputes it; below it stands what is "
        "recomputed, by the topic or family under which `lsclasses verify` lists it. Each of these "
        "checks is also held against a false form of its claim, which it has to refute. *Not "
        "decidable* is what no finite instance can confirm or refute, with the reason. The rest is "
        "*not built yet*.",
        "",
        "Algorithms and claims without a number are listed, too, and not counted. Where a paper "
        "prints something else than what is right, proved or built, its words are quoted, and it "
        "is said whether they are refuted, the end of a gap in a proof, or imprecise; "
        "[errata](errata.md) has the proofs and smallest cases. A *note on the text at hand* says "
        "nothing of the paper.",
        "",
        "`lsclasses verify --claim 'LWY25 Lemma A.5'` recomputes one statement, "
        "`lsclasses verify --only LWY25` one paper. This page is written by `make coverage`.",
        "",
        "| paper | statements | " + " | ".join(STATUSES) + " |",
        "|---|---|" + "---|" * len(STATUSES),
        *(_count(tag, paper(tag).statements) for tag in TAGS),
        _count("all", records().values()),
        "",
    ]
    for tag in TAGS:
        lines += _section(paper(tag))
    return "\n".join(lines).rstrip() + "\n"


def _count(name: str, statements: Iterable[Statement]) -> str:
    each = counts(statements)
    return f"| {name} | {sum(each.values())} | " + " | ".join(map(str, each.values())) + " |"


def _section(about: Paper) -> list[str]:
    work = about.work
    lines = [
        f"## {about.tag}",
        "",
        f"{listed(work.authors)}: *{work.title}* "
        f"([bibliography](bibliography.md#{work.tag.lower()})).",
        "",
    ]
    for statement in about.statements:
        lines += _entry(statement)
    return lines


def _entry(statement: Statement) -> list[str]:
    """A paragraph and what is to be said about it."""
    known = status(statement)
    lines = [f"**{statement.number}** ({statement.title}): *{known}*. {statement.text}", ""]
    if statement.checked or statement.assumed:
        given = [("checked", statement.checked), ("assumed", statement.assumed)]
        words = "; ".join(f"{word}: {', '.join(parts)}" for word, parts in given if parts)
        lines.append(f"* Hypotheses, {words}.")
    if statement.constants != EXPLICIT:
        lines.append(f"* {statement.constants[0].upper()}{statement.constants[1:]}.")
    lines += [f"* {erratum}" for erratum in statement.errata]
    lines += [f"* Note on the text at hand: {note}" for note in statement.notes]
    if statement.undecidable:
        lines.append(f"* {statement.undecidable}")
    lines += [f"* Recomputed: {_plain(words)}" for words in recomputed().get(statement.name, ())]
    return [*lines, ""] if lines[-1] else lines


def _plain(words: str) -> str:
    """Without what Markdown would read as markup."""
    topic, _, claim = words.partition(": ")
    return f"{topic}, `{claim}`"
