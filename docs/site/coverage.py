"""Coverage as a table: every statement of the papers, its checks, and their strength.

The table replaces ``docs/coverage.md`` on the site and uses the numbers of this page. Links to this
page lead to the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from docs.site.rendering import Row, plain_table, raw, rendered, table
from docs.site.staging import ROOT
from docs.site.writing import Sources
from learners.papers import TAGS, PaperStatement, paper
from learners.papers.coverage import entry, on_page, recomputed, status
from learners.papers.paper_statements import KINDS
from learners.papers.statuses import ClosestInstance, failures

HEAD = ("statement", "kind", "what it says", "verdict", "margin", "attained")
FILTERS = {"paper": "Paper", "kind": "Kind", "verdict": "Verdict"}


def anchor(statement: PaperStatement) -> str:
    """Return the anchor of a statement.

    Examples
    --------
    >>> from learners.papers import statement
    >>> anchor(statement("KMMNS23 Thm E.1"))
    'kmmns23-thm-e-1'
    """
    return re.sub(r"\W+", "-", statement.name.lower()).strip("-")


def _row(tag: str, statement: PaperStatement, evidence: Mapping[str, ClosestInstance]) -> Row:
    words = recomputed().get(statement.name, ())
    found = [evidence.get(each, ClosestInstance()) for each in words]
    kind = KINDS.get(statement.number.split()[0], "claim in the text")
    margins = [float(each.margin) for each in found if each.margin]
    attained = [float(each.attained) for each in found if each.attained]
    verdict = status(statement, evidence).status
    return Row(
        (
            escape(statement.name),
            kind,
            rendered(statement.title, inline=True),
            verdict,
            f"{min(margins):g}" if margins else "",
            f"{max(attained):.3g}" if attained else "",
        ),
        rendered("\n".join(entry(statement, evidence))) + _checks(statement, words, found),
        {"paper": tag, "kind": kind, "verdict": verdict},
        anchor=anchor(statement),
    )


def _checks(statement: PaperStatement, words: tuple[str, ...], found: list[ClosestInstance]) -> str:
    """Return the checks of a statement, each with the instance closest to failing.

    A column that is blank in every row is left out.
    """
    if not words:
        return ""
    head = ("check", "instance", "epsilon, delta", "margin", "attained", "failed condition")
    rows = []
    for name, each in zip(words, found, strict=True):
        failed = "; ".join(failures(name, each, statement))
        values = (each.instance, each.privacy, each.margin, each.attained, failed)
        rows.append([f"<code>{escape(name)}</code>", *map(escape, values)])
    shown = [column for column in range(len(head)) if any(row[column] for row in rows)]
    kept = [[row[column] for column in shown] for row in rows]
    return plain_table("Checks", [head[column] for column in shown], kept)


def write(sources: Sources) -> None:
    """Write the page in the place of the page in ``docs``."""
    text = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    lead, _, rest = text.partition("<!-- papers -->")
    lead = sources.text("docs/coverage.md").partition("<!-- papers")[0]
    counted = rest.partition("\n## ")[0]
    evidence = on_page(text)
    rows = [_row(tag, each, evidence) for tag in TAGS for each in paper(tag).statements]
    live = table("Statements of the papers", HEAD, rows, FILTERS)
    sources.put("docs/coverage.md", f"{lead}{counted}\n## Statements\n\n{raw(live)}")
